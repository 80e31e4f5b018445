"""Judges of the SPO loss, its family of relaxations and SPO+: for every set S by algebra in inner products."""

from collections.abc import Callable, Iterator

import sympy

from dpsco.arguments.assertions import reading
from dpsco.arguments.comparing import every_sign, proved, refuted
from dpsco.arguments.formula import apply
from dpsco.arguments.losses.decision_sets import ALPHAS, Sides, decide, places
from dpsco.arguments.losses.inner_products import affine_in, expressed, product, scalar
from dpsco.arguments.losses.unit_sphere import sphere
from dpsco.mutants.losses.spo import loss as mutants
from dpsco.reference.numbers.enclosure import arb
from dpsco.spec.claim import Claim, Relation
from dpsco.spec.domain import reals
from dpsco.spec.losses.spo import loss as spec
from dpsco.spec.numbers import Numbers, Real
from dpsco.verdict import Finding, Lemma, Rung, Severity, Verdict

Formula = Callable[..., Real]
ATTAINED = Lemma(
    "attained",
    "S is nonempty and compact, so a linear function has a maximiser and a minimiser on S, and the minimisers of one, a closed "
    "subset of S, are compact in turn: every maximum and minimum in the definitions is the value at a decision.",
)
WITHOUT = Lemma(
    "the other terms are constants",
    "Terms without w change neither which w maximises nor by how much w_max beats another w: the maximum of the whole is the "
    "whole at w_max.",
)
SUPREMUM = Lemma(
    "supremum of affine functions",
    "w*(c) does not depend on c_hat, so for each w the integrand is affine in c_hat, and a supremum of affine functions is "
    "convex. As a conjugate: with z = 2 (w*(c) - w) the integrand is <z, c_hat> - <z, c>/2, and z runs through 2 (w*(c) - S).",
)
WORST_TIE = "The least cost is subtracted from the cost of the worst minimiser for the prediction."


def own_spo(m: Numbers, c: Real, w_hat: Real, w_star: Real) -> Real:
    """c'(w_hat - w_star)."""
    return m.dot(c, [a - b for a, b in zip(w_hat, w_star, strict=True)])


def own_spo_plus(m: Numbers, c: Real, c_hat: Real, w_max: Real, w_star: Real) -> Real:
    """(2 c_hat - c)'(w_star - w_max)."""
    return m.dot([2 * b - a for a, b in zip(c, c_hat, strict=True)], [a - b for a, b in zip(w_star, w_max, strict=True)])


def difference(claim: Claim, left: Formula, right: Formula) -> object:
    """right - left over inner products, None where one is not expressed."""
    a, b = expressed(claim, left), expressed(claim, right)
    return None if a is None or b is None else sympy.expand(b - a)


def definition(claim: Claim, sign: str) -> Iterator[Finding]:
    """The printed SPO loss against c'(w_hat - w_star)."""
    printed = claim.formulas["spo"]
    yield decide(
        claim,
        Sides(
            scope="the SPO loss, every compact S, every dimension, ties by the worst decision",
            left=own_spo,
            sign=sign,
            right=printed,
            difference=difference(claim, own_spo, printed),
            places=places(),
            lemmas=(ATTAINED,),
            survives=WORST_TIE,
        ),
    )


def maximal(alpha: Real, worse: str) -> object:
    """(c - alpha c_hat)'(w_max - worse), not negative as w_max maximises."""
    return sum(s * (product("c", w) - alpha * product("c_hat", w)) for s, w in ((1, "w_max"), (-1, worse)))


def relaxed(claim: Claim, left: str, right: str, sign: str) -> Finding:
    """One assertion of displays (1) and (2); w_max beats w_hat, w_hat is best for c_hat."""
    known = []
    if claim.parameter("alpha").domain == reals:
        known = [maximal(scalar(claim, "alpha"), "w_hat")]
    a, b = claim.formulas[left], claim.formulas[right]
    return decide(
        claim,
        Sides(
            scope=f"{left} {sign} {right}, every real alpha, every compact S, every dimension",
            left=a,
            sign=sign,
            right=b,
            difference=difference(claim, a, b),
            slacks=known,
            places=places(alpha=ALPHAS),
            lemmas=(ATTAINED,),
            survives="z*(c_hat) = c_hat'w on W*(c_hat), and a maximum over S is no smaller than one over W*(c_hat).",
            remark="for each alpha, so for the infimum over alpha: it is the greatest lower bound" if sign == "<=" else None,
        ),
    )


def shifted(claim: Claim, sign: str) -> Iterator[Finding]:
    """Display (1): the printed SPO loss is the definition's, and alpha cancels."""
    yield from definition(claim, "=")
    yield relaxed(claim, "spo", "spo_shifted", sign)


def bounded(claim: Claim, sign: str) -> Iterator[Finding]:
    """Display (2): against the maximum over all of S, which the printed right side must be."""
    printed = claim.formulas["spo_relaxed"]
    yield relaxed(claim, "spo", "spo_relaxed", sign)
    yield decide(
        claim,
        Sides(
            scope="the right side of (2) is the maximum over S of (c - alpha c_hat)'w, plus alpha z*(c_hat) - z*(c)",
            left=own_relaxed,
            sign="=",
            right=printed,
            difference=difference(claim, own_relaxed, printed),
            places=places(alpha=ALPHAS),
            lemmas=(ATTAINED,),
            survives="(2) with its right side as the claim says it in words.",
        ),
    )


def own_relaxed(m: Numbers, alpha: Real, c: Real, c_hat: Real, w_max: Real, w_hat: Real, w_star: Real) -> Real:
    """(c - alpha c_hat)'w_max + alpha c_hat'w_hat - c'w_star."""
    steered = [a - alpha * b for a, b in zip(c, c_hat, strict=True)]
    return m.dot(steered, w_max) + alpha * m.dot(c_hat, w_hat) - m.dot(c, w_star)


def surrogate(claim: Claim, sign: str) -> Iterator[Finding]:
    """The printed SPO+ against (2 c_hat - c)'(w_star - w_max)."""
    printed = claim.formulas["spo_plus"]
    yield decide(
        claim,
        Sides(
            scope="the SPO+ loss, every compact S, every dimension, whichever minimiser the oracle picks",
            left=own_spo_plus,
            sign=sign,
            right=printed,
            difference=difference(claim, own_spo_plus, printed),
            places=places(),
            lemmas=(ATTAINED,),
            survives="The definition as the claim says it in words.",
            remark="two oracles differ by 2 c_hat'(w*(c) - v*(c)): on [-1, 1] with c = 0, c_hat = 1 SPO+ is 4 for w*(0) = 1 "
            "and 0 for w*(0) = -1. It is not (2) at alpha = 2 either: z*(c_hat) has become the larger c_hat'w*(c)",
        ),
    )


def rewritten(claim: Claim, sign: str) -> Iterator[Finding]:
    """Two printed integrands, for each decision w."""
    a, b = claim.formulas["integrand"], claim.formulas["conjugate_integrand"]
    yield decide(
        claim,
        Sides(
            scope="the integrand in conjugate form, every decision w",
            left=a,
            sign=sign,
            right=b,
            difference=difference(claim, a, b),
            places=places(),
            over_decisions=True,
            survives="The integrand of SPO+ is <z, c_hat> - <z, c>/2 with z = 2 (w*(c) - w).",
        ),
    )


def maximum(claim: Claim, sign: str) -> Iterator[Finding]:
    """SPO+ against the printed integrand's maximum over S: its value at w_max, and no more at any other w."""
    printed = claim.formulas["conjugate_integrand"]
    at_max, at_any = expressed(claim, printed, w="w_max"), expressed(claim, printed)
    w_max = spec.W_MAX
    aware = Claim(id=claim.id, kind=claim.kind, source=claim.source, says=claim.says, parameters=(*claim.parameters, w_max))
    own = expressed(aware, own_spo_plus)

    def there(m: Numbers, c: Real, c_hat: Real, w_max: Real, w_star: Real) -> Real:
        return printed(m, c=c, c_hat=c_hat, w=w_max, w_star=w_star)

    yield decide(
        claim,
        Sides(
            scope="SPO+ and the conjugate integrand at the maximiser w_max",
            left=own_spo_plus,
            sign=sign,
            right=there,
            difference=None if at_max is None else sympy.expand(at_max - own),
            places=places(),
            lemmas=(ATTAINED, WITHOUT),
            survives="SPO+ is the maximum of its integrand.",
        ),
    )
    yield decide(
        claim,
        Sides(
            scope="no decision gives the conjugate integrand more than w_max does",
            left=printed,
            sign="<=",
            right=there,
            difference=None if at_any is None else sympy.expand(at_max - at_any),
            slacks=[maximal(sympy.Integer(2), "w")],
            places=places(),
            over_decisions=True,
            lemmas=(ATTAINED, WITHOUT),
            survives="SPO+ is the maximum of its integrand.",
        ),
    )


def convex(claim: Claim) -> Iterator[Finding]:
    """A supremum over w of what is affine in c_hat."""
    printed = expressed(claim, claim.formulas["conjugate_integrand"])
    holds = printed is not None and affine_in(printed, "c_hat")
    yield proved("SPO+ is convex in c_hat, every S", holds, "degree in c_hat, by algebra", lemmas=(ATTAINED, SUPREMUM))


def not_convex(claim: Claim) -> Iterator[Finding]:
    """Another shape than convex: the second difference of the printed integrand's maximum over S = [-1, 1], w*(1) = -1."""
    m, printed = arb(), claim.formulas["conjugate_integrand"]
    one, scope = m.real(1), "SPO+ on S = [-1, 1] with c = 1: the conjugate integrand's maximum at c_hat = 0, 1/2, 1"
    found = expressed(claim, printed)

    def largest(c_hat: Real) -> Real:
        return m.max(*(apply(printed, m, {"c": [one], "c_hat": [c_hat], "w": [w], "w_star": [-one]}) for w in (one, -one)))

    values = [largest(m.frac(k, 2)) for k in range(3)]
    second = values[0] - 2 * values[1] + values[2]
    if found is None or not affine_in(found, "w") or m.gt(second, m.real(0)) is not True:
        yield Finding(scope=scope, verdict=Verdict.OPEN, reason="not affine in w, or no positive second difference")
        return
    yield refuted(
        scope,
        "at most 0",
        second,
        {"S": "box [-1.0], [1.0]", "c": "(1)"},
        method="exact: the second difference of the values at the better end, the integrand being affine in w",
        severity=Severity.CONCLUSION,
        survives="SPO+ is convex in c_hat.",
        rung=Rung.EXACT,
    )


CONVEX = Relation("SPO+ loss", "is", "convex in c_hat")
TABLES = {
    "def-4": every_sign("SPO loss", "spo", definition),
    "eq-2": {**every_sign("spo", "spo_shifted", shifted), **every_sign("spo", "spo_relaxed", bounded)},
    "def-5": every_sign("SPO+ loss", "spo_plus", surrogate),
    "sec-3.1": {
        **every_sign("integrand", "conjugate_integrand", rewritten),
        **every_sign("SPO+ loss", "max over w in S of conjugate_integrand", maximum),
        CONVEX: convex,
        Relation("SPO+ loss", "is", "concave in c_hat"): not_convex,
    },
    "notation-s": every_sign("euclidean_norm", "unit_radius", sphere),
}
JUDGES = {f"spo/{label}": reading(table) for label, table in TABLES.items()}
MUTANTS = mutants.MUTANTS
