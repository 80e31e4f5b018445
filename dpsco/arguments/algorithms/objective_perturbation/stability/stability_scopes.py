"""Stability beyond fixed noise and the printed reading: expectations, other adjacencies, another regulariser."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import sympy

from dpsco.arguments.algorithms.objective_perturbation.stability import stability_facts as facts
from dpsco.arguments.chains import Formula, arguments
from dpsco.arguments.comparing import certified, refuted
from dpsco.reference.numbers.enclosure import arb, ends
from dpsco.reference.numbers.symbolic import expression
from dpsco.spec.algorithms.objective_perturbation.stability import lipschitz_slope
from dpsco.spec.claim import Adjacency, Claim
from dpsco.verdict import Finding, Lemma, Reading, Severity, Verdict

CERTAIN = 20
"""Standard deviations of the noise that an instance's outcomes leave room for."""
STEEP = (
    {"L": "1/2", "n": "1", "lambda_": "1"},
    {"L": "9", "n": "3", "lambda_": "1/100"},
    {"L": "1/20", "n": "1000000", "lambda_": "7"},
)
UNIFORM = Lemma(
    "uniform stability from the distance",
    "Far out the smoothed loss has the check loss's slopes, so a bound L on its gradients bounds those of the check loss too: "
    "its values at two decisions differ by at most L times their distance. That is at most L/(n lambda) for every b, half "
    "of it with one record more: so is the expectation over b, times L.",
    adjacencies=(Adjacency.REPLACE_ONE, Adjacency.ADD_ONE_N_FIXED),
)


def in_units(claim: Claim, name: str, unit: Formula, largest: Fraction) -> tuple[Any, bool]:
    """The claimed bound over its unit, each quantity with its own domain's sign, and whether it certainly reaches `largest`."""
    bound = claim.formulas[name]
    if not arguments(bound) | arguments(unit) <= {parameter.name for parameter in claim.parameters}:
        return sympy.nan, False
    ratio = sympy.simplify(expression(bound, claim.parameters) / expression(unit, claim.parameters))
    enough = (ratio - sympy.Rational(largest.numerator, largest.denominator)).is_nonnegative
    return ratio, enough is True


def multiple(ratio: Any) -> str | None:
    """A rational ratio as a decimal string, None for another."""
    return ends(arb().real(Fraction(ratio.p, ratio.q)))[0] if ratio.is_Rational else None


def admitted(claim: Claim, values: Mapping[str, Fraction]) -> bool:
    """Whether the claim's domains and preconditions admit the values, as far as these say."""
    m = arb()
    numbers = {name: m.real(value) for name, value in values.items()}
    inside = all(p.domain.contains(m, values[p.name]) is True for p in claim.parameters if p.name in values)
    meant = (predicate for predicate in claim.preconditions if {*predicate.names} <= {*values})
    return inside and all(predicate(m, numbers) is True for predicate in meant)


@dataclass(frozen=True)
class Expected:
    """A quantity in expectation: a proved value and one that a family comes near to, as multiples of L^2/(n lambda).

    The family: Gaussian noise of scale sigma, outcomes beyond `CERTAIN` sigma, so that with probability 1 - p every loss is
    affine and the quantity is `reached`; else it is at least -L^2/(n lambda), `room` times -reached.
    """

    scope: str
    proved: Fraction
    reached: Fraction
    room: int
    lemmas: tuple[Lemma, ...]
    family: str

    def against(self, claim: Claim, name: str) -> Finding:
        """The claimed bound against both."""
        scope = f"{self.scope}, in units of L^2/(n lambda)"
        ratio, enough = in_units(claim, name, facts.stability_unit, self.proved)
        wide = facts.ungrounded(claim)
        if enough and not wide:
            m = arb()
            return certified(
                scope,
                "the quotient of the bound and L^2/(n lambda) against the proved value",
                *self.lemmas,
                claimed=multiple(ratio),
                computed=(ends(m.real(self.reached))[0], ends(m.real(self.proved))[1]),
                adjacency=claim.adjacency,
                coverage=("every data set, kernel, dimension and noise scale",),
                given=(lipschitz_slope,),
                reason="the largest value lies between the two ends of `computed`"
                if self.reached < self.proved
                else "the largest value is approached",
            )
        return self._exceeded(claim, name, scope) or Finding(
            scope=scope,
            verdict=Verdict.OPEN,
            reason=f"the argument does not cover {', '.join(wide)}"
            if wide
            else f"bound over unit is {ratio}; no instance exceeds the bound",
        )

    def _exceeded(self, claim: Claim, name: str, scope: str) -> Finding | None:
        """The bound at steep instances that the claim admits: refuted at the first that passes it."""
        m = arb()
        p = 2 * m.Phi(m.real(-CERTAIN))
        bound = claim.formulas[name]
        for instance in STEEP:
            given = {key: Fraction(value) for key, value in instance.items()}
            true = {key: m.real(value) for key, value in given.items()}
            reached = m.real(self.reached) * facts.stability_unit(m, **true) * (1 - (1 + self.room) * p)
            for values in facts.loosened({**given, "largest_slope": given["L"]}):
                if not arguments(bound) <= {*values}:
                    return None
                claimed = bound(m, **{key: m.real(values[key]) for key in arguments(bound)})
                if m.gt(reached, claimed) is True and admitted(claim, values):
                    return refuted(
                        self.scope,
                        claimed,
                        reached,
                        {key: str(value) for key, value in values.items()},
                        method=self.family,
                        severity=Severity.CONSTANT,
                        survives=f"It is at most {self.proved} L^2/(n lambda), L the largest slope of a record's loss.",
                        adjacency=claim.adjacency,
                    )
        return None


def uniform(claim: Claim, name: str) -> Iterator[Finding]:
    """Uniform stability with respect to the check loss, for the adjacency of the claim."""
    if claim.adjacency is Adjacency.ADD_REMOVE:
        reason = "the normaliser changes with the record: the distance depends on the noise"
        yield Finding(scope="uniform stability", verdict=Verdict.OPEN, reason=reason)
        return
    if claim.adjacency is Adjacency.REPLACE_ONE:
        largest, how = Fraction(1), "opposite features of norm B_x, the tested record far out in the direction of the move"
    else:
        largest, how = Fraction(1, 2), "one record of norm B_x more, the tested record far out in the direction of the move"
    lemmas = (UNIFORM, facts.GRADIENT_AT_OTHER)
    yield Expected("uniform stability", largest, largest, 1, lemmas, how).against(claim, name)


def generalisation(claim: Claim, name: str) -> Iterator[Finding]:
    """Expected population risk less expected empirical risk: records of one law, whatever the adjacency."""
    how = "features +-B_x with equal chances, outcomes far out: the gap is the variance of one gradient over 2 n lambda"
    scope = "expected gap of population and empirical risk, finite risk"
    yield Expected(scope, Fraction(1), Fraction(1, 2), 2, (facts.REPLACE, UNIFORM), how).against(claim, name)


def changing_normaliser(claim: Claim, name: str, reading: Reading) -> Finding:
    """One record more, and the normaliser grows with it: all features 0, noise b."""
    m = arb()
    n, lambda_, L, b = 1, Fraction(1), Fraction(1), Fraction(10**6)
    moved = b / (2 * lambda_ * n * (n + 1))
    formula = claim.formulas[name]
    values = {"L": L, "n": Fraction(n), "lambda_": lambda_, "b_norm": b, "largest_slope": L}
    scope = f"moved <= {name}, {Adjacency.ADD_REMOVE}"
    if not arguments(formula) <= {*values} or not admitted(claim, values):
        return Finding(scope=scope, verdict=Verdict.OPEN, reason="the pair with zero features is not admitted", reading=reading)
    bound = formula(m, **{key: m.real(values[key]) for key in arguments(formula)})
    if m.gt(m.real(moved), bound) is not True:
        return Finding(scope=scope, verdict=Verdict.OPEN, reason="the pair with zero features does not decide", reading=reading)
    return refuted(
        scope,
        bound,
        m.real(moved),
        {"n": str(n), "lambda_": str(lambda_), "L": str(L), "b": str(b), "x": "0"},
        method="all features 0: the minimisers are -b/(2 n lambda) and -b/(2 (n+1) lambda), apart without bound as |b| grows",
        severity=Severity.DOMAIN,
        survives="With n a public normaliser the distance is at most L/(2 n lambda).",
        adjacency=Adjacency.ADD_REMOVE,
        reading=reading,
    )


def unsquared(claim: Claim, name: str) -> Finding:
    """The regulariser lambda |theta|, without the square, which one statement of the paper prints.

    n = 1, x = 1, uniform kernel of bandwidth 1, r = 1/2, outcomes 100 and -100: (theta - y)/2 + lambda sign(theta) = 0.
    """
    m = arb()
    lambda_, y = Fraction(1, 8), Fraction(100)
    theta, other = y - 2 * lambda_, -y + 2 * lambda_
    stationary = (theta - y) / 2 + lambda_ == 0 and (other + y) / 2 - lambda_ == 0 and abs(theta - y) <= 1
    values: Mapping[str, Fraction] = {"L": Fraction(1, 2), "n": Fraction(1), "lambda_": lambda_}
    formula = claim.formulas[name]
    scope = f"moved <= {name}, regulariser lambda |theta| instead of lambda |theta|^2"
    if not arguments(formula) <= {*values} or not admitted(claim, values):
        return Finding(scope=scope, verdict=Verdict.OPEN, reason="the pair tried is not admitted", reading=Reading.ANOTHER)
    bound = formula(m, **{key: m.real(values[key]) for key in arguments(formula)})
    if not stationary or m.gt(m.real(theta - other), bound) is not True:
        return Finding(scope=scope, verdict=Verdict.OPEN, reason="the pair tried does not decide", reading=Reading.ANOTHER)
    return refuted(
        scope,
        bound,
        m.real(theta - other),
        {"n": "1", "x": "1", "y": "100 and -100", "h": "1", "r": "1/2", "lambda_": "1/8", "b": "0", "epsilon": "4"},
        method="both minimisers exact: the norm without the square is not strongly convex",
        severity=Severity.CONCLUSION,
        survives="Everything holds with the squared norm, which the proof and its table of notations print.",
        adjacency=claim.adjacency,
        reading=Reading.ANOTHER,
    )
