"""Judges of smoothing: the general properties of smoothed conjugates, the smoothed SPO+ loss, its gradient, its smoothness."""

from collections.abc import Callable, Iterator
from dataclasses import replace

import sympy

from dpsco.arguments.assertions import reading
from dpsco.arguments.comparing import Instance, admitted, compared, every_sign, order_of
from dpsco.arguments.losses.decision_sets import Sides, decide, places
from dpsco.arguments.losses.inner_products import Direction, InnerProducts, affine_in, expressed, product, scalar
from dpsco.arguments.losses.smoothed_conjugates import CONJUGATE, DISTANCE, IMPLICATION
from dpsco.arguments.losses.smoothed_readings import elsewhere, jump
from dpsco.mutants.losses.spo import smoothing as mutants
from dpsco.spec.claim import Claim
from dpsco.spec.domain import nonnegative, positive
from dpsco.spec.numbers import Numbers, Real
from dpsco.verdict import Finding, Lemma, Severity, Verdict

Formula = Callable[..., Real]
CONVEX_SETS = "every nonempty compact convex S"
MUS = ("1", "0.25", "16")
NEAREST = Lemma(
    "completing the square",
    "With s = (c - 2 c_hat)/mu the integrand is -(mu/2) |w - s|^2 plus terms without w: its maximisers over S are the points "
    "of S nearest to s. S compact has one, S convex only one: P(s), and |P(s) - P(t)|^2 <= <P(s) - P(t), s - t>.",
)
ENVELOPE = Lemma(
    "envelope theorem",
    "For each w the integrand is affine in c_hat with slope 2 (w*(c) - w), so the loss is convex, and where the maximiser w "
    "is one only its gradient is 2 (w*(c) - w); times x_i for an entry of Bhat, as c_hat = Bhat x. w*(c) stays as c_hat moves.",
)
SLOPE = Lemma(
    "smoothness in B",
    "The gradient in c_hat is 2 w*(c) - 2 P((c - 2 c_hat)/mu), P the projection onto S. P does not lengthen distances, so it "
    "is 4/mu-Lipschitz in c_hat; in B = vec(Bhat) it is that times x, and c_hat = Bhat x moves by at most |x| times B: 4 "
    "|x|^2/mu. S = [-1, 1], c = 0 attains it near c_hat = 0. A convex function with a K-Lipschitz gradient is 1/K-co-coercive "
    "(Baillon and Haddad).",
)


def own_integrand(m: Numbers, mu: Real, c: Real, c_hat: Real, w: Real, w_star: Real) -> Real:
    """(2 c_hat - c)'(w_star - w) - mu |w|^2 / 2."""
    gap = m.dot([2 * b - a for a, b in zip(c, c_hat, strict=True)], [a - b for a, b in zip(w_star, w, strict=True)])
    return gap - mu * m.dot(w, w) / 2


def defined(claim: Claim, sign: str) -> Iterator[Finding]:
    """The printed integrand, at each decision, against SPO+'s less mu |w|^2/2; then what else is printed of the loss."""
    yield integrand(claim, "smoothed_integrand", sign, "the integrand of the smoothed loss, every decision w, every S")
    if "smoothed_integrand_appendix" in claim.formulas:
        found = integrand(claim, "smoothed_integrand_appendix", "=", "Appendix A's display of the same loss")
        yield replace(found, severity=Severity.MISPRINT) if found.verdict is Verdict.REFUTED else found
    yield dual(claim)
    if not solid(claim):
        yield from elsewhere(claim)


def integrand(claim: Claim, name: str, sign: str, scope: str) -> Finding:
    printed, own = claim.formulas[name], expressed(claim, own_integrand)
    found = expressed(claim, printed)
    return decide(
        claim,
        Sides(
            scope=scope,
            left=own_integrand,
            sign=sign,
            right=printed,
            difference=None if found is None else sympy.expand(found - own),
            places=places(mu=MUS),
            over_decisions=True,
            lemmas=(NEAREST,),
            survives="The main text's display, with the square of the norm.",
        ),
    )


def dual(claim: Claim) -> Finding:
    """D, the supremum of |w|^2/2 over decisions of norm at most B_w."""

    def own(m: Numbers, B_w: Real) -> Real:
        return m.frac(1, 2) * B_w**2

    printed = claim.formulas["dual_range"]
    return compared(
        "D, the supremum of |w|^2/2 over the ball of radius B_w",
        own,
        "=",
        printed,
        known=order_of(own, printed, claim),
        instances=admitted(claim, [{"B_w": "1"}, {"B_w": "3"}]),
        method="computer algebra",
        severity=Severity.CONSTANT,
        survives="D = B_w^2/2.",
    )


def solid(claim: Claim) -> bool:
    """Whether the claim is about convex sets only."""
    return CONVEX_SETS in claim.over


def maximiser(claim: Claim, sign: str) -> Iterator[Finding]:
    """The printed centre of the square, coordinate by coordinate, against the maximiser; told apart on the line."""
    printed, mu = claim.formulas["stationary_coordinate"], scalar(claim, "mu")
    found, free = expressed(claim, claim.formulas["smoothed_integrand"]), False
    try:
        s = printed(InnerProducts(), mu=mu, c_j=Direction({"c": 1}), c_hat_j=Direction({"c_hat": 1}))
        square = InnerProducts().dot([Direction({"w": 1}) - s], [Direction({"w": 1}) - s])
        rest = None if found is None else sympy.expand(found + mu * square / 2)
        free = rest is not None and not any("w" in str(name).strip("<>").split(",") for name in rest.free_symbols)
    except TypeError:
        pass

    def projected(m: Numbers, mu: Real, c_j: Real, c_hat_j: Real) -> Real:
        return clipped(m, printed(m, mu=mu, c_j=c_j, c_hat_j=c_hat_j))

    def own(m: Numbers, mu: Real, c_j: Real, c_hat_j: Real) -> Real:
        return clipped(m, (c_j - 2 * c_hat_j) / mu)

    yield from attained(claim, "the maximiser as a projection", own, sign, projected, free and solid(claim), (NEAREST,))


def clipped(m: Numbers, s: Real) -> Real:
    """The projection onto [-1, 1]."""
    return m.max(-m.real(1), m.min(m.real(1), s))


def gradient(claim: Claim, sign: str) -> Iterator[Finding]:
    """The printed entry against the integrand's slope in c_hat at the maximiser, times the feature."""
    printed, x = claim.formulas["gradient_entry"], scalar(claim, "x_i")
    found, right = expressed(claim, claim.formulas["smoothed_integrand"]), False
    try:
        entry = printed(InnerProducts(), w_j=Direction({"w": 1}), w_star_j=Direction({"w_star": 1}), x_i=x)
        unit = printed(InnerProducts(), w_j=Direction({"w": 1}), w_star_j=Direction({"w_star": 1}), x_i=sympy.Integer(1))
        rest = None if found is None else sympy.expand(found - InnerProducts().dot([unit], [Direction({"c_hat": 1})]))
        without = rest is not None and not any("c_hat" in str(name) for name in rest.free_symbols)
        linear = all(sympy.expand(part) == 0 for part in (entry - unit * x).parts.values())
        right = without and linear and affine_in(found, "c_hat") and product("c_hat", "c_hat") not in found.free_symbols
    except TypeError:
        pass

    def own(m: Numbers, w_j: Real, w_star_j: Real, x_i: Real) -> Real:
        return 2 * (w_star_j - w_j) * x_i

    yield from attained(claim, "the gradient in B", own, sign, printed, right and solid(claim), (NEAREST, ENVELOPE))


LINE: list[Instance] = [
    {"mu": mu, "c_j": c, "c_hat_j": h, "w_j": w, "w_star_j": best, "x_i": x}
    for mu, c, h, w, best in (
        ("1", "0.5", "0", "0.5", "-1"),
        ("1", "-0.5", "0.125", "-0.75", "1"),
        ("2", "1", "0.25", "0.25", "-1"),
        ("1", "9", "1", "1", "-1"),
    )
    for x in ("1", "-3", "0")
]
"""S = [-1, 1], d = p = 1: the maximiser w inside and at an end."""


def attained(
    claim: Claim, scope: str, own: Formula, sign: str, printed: Formula, holds: bool, lemmas: tuple[Lemma, ...]
) -> Iterator[Finding]:
    yield compared(
        f"{scope}, {CONVEX_SETS}, every mu > 0",
        own,
        sign,
        printed,
        known="=" if holds and claim.parameter("mu").domain == positive else None,
        instances=admitted(claim, LINE),
        method="inner products compared as polynomials, in every dimension",
        severity=Severity.CONSTANT,
        survives="The maximiser is the nearest decision to (c - 2 c_hat)/mu, the gradient 2 (w*(c) - w) x'.",
        lemmas=lemmas,
    )


def tight(m: Numbers, mu: Real, x_norm: Real) -> Real:
    """The smoothness in B for S = [-1, 1], and the largest for convex S."""
    return 4 * m.real(1) * x_norm**2 / mu


def nothing(m: Numbers) -> Real:
    return m.real(0)


RECORDS: list[Instance] = [{"mu": mu, "x_norm": x} for mu in ("1", "0.001", "1024") for x in ("1", "0.5", "0", "3", "0.25")]


def smoothness(claim: Claim, sign: str) -> Iterator[Finding]:
    """Against the tight constant on convex sets; co-coercivity, as the proofs use it; and the sphere where it is included."""
    printed = claim.formulas["smoothness"]
    usual = claim.parameter("mu").domain == positive and claim.parameter("x_norm").domain == nonnegative
    order = order_of(tight, printed, claim)
    on_convex = compared(
        "Lipschitz constant of the gradient in B, convex S, every record",
        tight,
        sign,
        printed,
        known="<=" if usual and sign == "<=" and order in ("=", "<", "<=") else None,
        instances=admitted(claim, RECORDS),
        method="written lemma; the printed constant against the tight one by computer algebra",
        severity=Severity.CONSTANT,
        survives="The constant 4 |x|^2/mu for convex S, which is 1/mu only if |x| <= 1/2.",
        lemmas=(SLOPE,),
        remark="attained by S = [-1, 1] with c = 0, near c_hat = 0",
    )
    yield on_convex
    if sign != "<=":
        yield compared(
            "the same constant for S of one point, where the loss is affine",
            nothing,
            sign,
            printed,
            known="<=" if usual and order_of(nothing, printed, claim) in ("=", "<", "<=") else None,
            instances=admitted(claim, RECORDS),
            method="computer algebra",
            severity=Severity.CONCLUSION,
            survives="The upper bound.",
        )
    if on_convex.verdict is Verdict.REFUTED:
        yield replace(
            on_convex,
            scope="co-coercivity with modulus mu, as in the proofs of Lemma 6 and of Theorems 4 and 7",
            method="the gradient near c_hat = 0 is (4 |x|^2/mu) B, so the two sides are s and mu s^2 with s = 4 |x|^2/mu",
            at={**on_convex.at, "S": "[-1, 1]", "c": "0"},
            survives="Co-coercivity with modulus mu/(4 |x|^2) for convex S.",
        )
    if not solid(claim):
        yield jump(claim)


LOSS = {
    **every_sign("smoothed SPO+", "max over w in S of smoothed_integrand", defined),
    **every_sign("maximiser", "projection of stationary_coordinate onto S", maximiser),
    **every_sign("derivative in Bhat[j, i]", "gradient_entry", gradient),
}
SMOOTH = every_sign("smoothness constant of the smoothed loss in B", "smoothness", smoothness)
TABLES = {
    "lem-1": IMPLICATION,
    "sec-3.2-1": CONJUGATE,
    "sec-3.2-2": DISTANCE,
    "sec-3.2-loss": LOSS,
    "sec-3.2-loss-amended": LOSS,
    "sec-3.2-smooth": SMOOTH,
    "sec-3.2-smooth-amended": SMOOTH,
}
JUDGES = {f"spo/{label}": reading(table) for label, table in TABLES.items()}
MUTANTS = mutants.MUTANTS
