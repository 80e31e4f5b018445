"""Judge of exponential descent's text: the odds of a direction, and how far one step goes."""

from collections.abc import Callable, Iterator
from typing import Any

import sympy

from dpsco.arguments.assertions import reading
from dpsco.arguments.comparing import certified, refuted
from dpsco.arguments.formula import apply
from dpsco.arguments.privacy.half_spheres import probabilities
from dpsco.instances.grid import grid
from dpsco.mutants.algorithms.exponential_descent import algorithm as mutants
from dpsco.reference.algorithms.exponential_descent.algorithm import descend, gradient
from dpsco.reference.numbers.enclosure import arb
from dpsco.reference.numbers.symbolic import symbolic
from dpsco.spec.claim import Claim, Relation
from dpsco.spec.numbers import Numbers, Real
from dpsco.verdict import Finding, Lemma, Rung, Severity, Verdict

LENGTHS = ("0.3", "1", "7")
"""Of eta, and features on the line: the gradient at B_1 = 0 has the norm 4 x."""

EPSILONS = ("0.001", "0.1", "1", "5", "20", "100")

UNIT = Lemma(
    "directions are unit vectors",
    "G_t is drawn from unit vectors v, on either side of the gradient g, so that B_{t+1} - B_t = -eta |g| G_t has the norm eta "
    "|g|, in every dimension and on every data set; at g = 0 both halves are the whole sphere and the norm is 0.",
)


def one_step(claim: Claim) -> Iterator[Finding]:
    """The printed length against eta |g|, as expressions; and against the literal algorithm's first step, enclosed."""
    tried = grid(claim, {"eta": LENGTHS, "gradient_norm": ("0", *LENGTHS)})
    common: dict[str, Any] = {"scope": "|B_{t+1} - B_t| for every data set and direction", "coverage": tried.coverage}
    m = arb()
    for instance in tried:
        values = {name: m.real(value) for name, value in instance.items()}
        moved = first_step(m, values["eta"], values["gradient_norm"])
        said = apply(claim.formulas["step"], m, values)
        if m.eq(moved, said) is False:
            yield refuted(
                **common,
                claimed=said,
                computed=moved,
                at=instance,
                method="the literal algorithm's first step on the line, enclosed",
                severity=Severity.MISPRINT,
                survives="The length of a step is eta times the norm of the gradient.",
            )
            return
    eta, norm = sympy.symbols("eta g", nonnegative=True)
    rest = sympy.simplify(apply(claim.formulas["step"], symbolic(), {"eta": eta, "gradient_norm": norm}) - eta * norm)
    if rest != 0:
        yield Finding(**common, verdict=Verdict.OPEN, reason=f"no contradiction at {len(tried)} instances, and not eta |g|")
        return
    yield Finding(
        **common,
        verdict=Verdict.CERTIFIED,
        rung=Rung.EXACT,
        method="computer algebra: the printed length is eta |g|",
        lemmas=(UNIT,),
        effort=f"the literal algorithm's first step enclosed at {len(tried)} instances",
        reason="Not printed, and so not judged: the set of Proj, mu, and which w*(c) is taken where there are several.",
    )


def first_step(m: Numbers, eta: Real, norm: Real) -> Real:
    """|B_2 - B_1| of the literal algorithm on S = [-1, 1], mu = 1, one record (c, x) = (5, norm/4), whose gradient is -norm."""
    costs, features = [[m.real(5)]], [[norm / 4]]
    g = gradient(m, "box", costs, features, m.real(1), m.real(1), [m.real(0)])
    if m.eq(m.abs(g[0]), norm) is False:
        raise ArithmeticError(f"the gradient's norm is {g[0]}, not {norm}")
    noise = ([[m.real(1)]], [m.frac(1, 10)])
    found, _ = descend(m, "box", costs, features, *noise, m.real(1), eta, m.real(1), m.real(1), m.real(0))
    return m.abs(found[1][0] - found[0][0])


def odds_add_up(claim: Claim) -> Iterator[Finding]:
    """The printed probabilities of the two halves are one law."""
    survives = "The unfavoured probability is what the favoured one leaves of 1."
    yield _odds(claim, "the two halves have the probability 1 together", lambda m, e, f, u: (f + u, m.real(1)), survives)


def odds_are_exponential(claim: Claim) -> Iterator[Finding]:
    """The printed quotient is e^epsilon, not its inverse and not another."""
    scope, survives = "odds of the half that is favoured", "The odds are e^epsilon to 1 for the gradient's half."
    yield _odds(claim, scope, lambda m, e, f, u: (f, m.exp(e) * u), survives)


def _odds(claim: Claim, scope: str, sides: Callable[[Numbers, Real, Real, Real], tuple[Real, Real]], survives: str) -> Finding:
    """Two sides in epsilon and the printed probabilities, equal or not."""
    tried, m = grid(claim, {"epsilon": EPSILONS}), arb()
    for instance in tried:
        epsilon = m.real(instance["epsilon"])
        printed, meant = sides(m, epsilon, *probabilities(m, claim, {"epsilon": epsilon}))
        if m.eq(printed, meant) is False:
            return refuted(
                scope,
                meant,
                printed,
                instance,
                method="the printed probabilities, enclosed",
                severity=Severity.MISPRINT,
                survives=survives,
                coverage=tried.coverage,
            )
    e = sympy.Symbol("e", positive=True)
    left, right = sides(symbolic(), e, *probabilities(symbolic(), claim, {"epsilon": e}))
    if sympy.simplify(left - right) != 0:
        reason = f"no contradiction at {len(tried)} instances, and no proof"
        return Finding(scope=scope, verdict=Verdict.OPEN, coverage=tried.coverage, reason=reason)
    method = "computer algebra on the printed probabilities"
    return certified(scope, method, coverage=tried.coverage)


READ = {
    Relation("favoured + unfavoured", "=", "1"): odds_add_up,
    Relation("favoured / unfavoured", "=", "e^epsilon"): odds_are_exponential,
    Relation("|B_{t+1} - B_t|", "=", "step"): one_step,
}

JUDGES = {"spo/alg-1": reading(READ)}

MUTANTS = {"spo/alg-1": mutants.of_text}
