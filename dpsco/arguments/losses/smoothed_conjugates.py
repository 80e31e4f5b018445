"""Smoothing a conjugate in its dual, for every g and d: what is proved, and quadratics and points that break the rest."""

from collections.abc import Callable, Iterator
from dataclasses import replace

from dpsco.arguments.assertions import Table
from dpsco.arguments.comparing import Instance, admitted, compared, every_sign, order_of, proved, refuted
from dpsco.reference.numbers.enclosure import arb, ends
from dpsco.spec.claim import Claim, Relation
from dpsco.spec.domain import nonnegative, positive, reals
from dpsco.spec.losses.spo.smoothing import convex, one_strongly_convex, prox_nonnegative, slope_bounded
from dpsco.spec.numbers import Numbers, Real, Truth
from dpsco.verdict import PROOF_STEP, Finding, Lemma, Part, Reading, Rung, Severity

Formula = Callable[..., Real]
USUAL = {"mu": positive, "modulus_of_g": reals, "modulus_of_d": nonnegative, "least_d": reals, "f_mu": reals, "D": nonnegative}
ADDED = Lemma(
    "moduli add",
    "g - a |z|^2/2 and d - b |z|^2/2 convex give g + mu d - (a + mu b) |z|^2/2 convex; g = a |z|^2/2 and d = b |z|^2/2 have "
    "exactly these moduli, so no more can be said.",
)
DUAL = Lemma(
    "strong convexity and smoothness",
    "Let h be proper and s-strongly convex, s > 0; its closure is so too and has the same conjugate. For each x the supremum "
    "of <z, x> - h(z) is attained at one z(x), the gradient of h* at x. Adding <z(y) - z(x), x> <= h(z(y)) - h(z(x)) - s "
    "|z(y) - z(x)|^2/2 to the same with x and y exchanged gives s |z(x) - z(y)|^2 <= <z(x) - z(y), x - y>, so h* is "
    "1/s-smooth. h = s |z|^2/2 attains it.",
)
BETWEEN = Lemma(
    "the added term is between 0 and D",
    "For each z: <z, x> - g(z) - mu D <= <z, x> - g(z) - mu d(z) <= <z, x> - g(z), and suprema over z keep the order; no "
    "convexity is used. Only z with g(z) finite count, so D may be the supremum over these. g finite at one point alone, "
    "with d there 0 or near D, meets either end.",
)
MEAN_VALUE = Lemma(
    "bounded gradient",
    "Fix x0 in the domain, of diameter R. On the convex hull of the domain, which has the diameter R too, |grad f(x)| <= "
    "|grad f(x0)| + beta R =: K, f being beta-smooth on all of R^n. By the mean value theorem on segments |f(x) - f(y)| <= K "
    "|x - y|. If f is smooth only on the domain, this needs a convex domain.",
)
QUADRATICS: list[Instance] = [
    {"mu": mu, "modulus_of_g": a, "modulus_of_d": b, "least_d": "0"}
    for mu in ("1", "0.001", "8", "1000000")
    for a, b in (("0", "1"), ("0", "2"), ("3", "1"), ("-0.000244140625", "1"), ("0", "0.5"))
]
"""g = a z^2/2 and d = b z^2/2 on the line."""
POINTS: list[Instance] = [
    {"f_mu": f, "mu": mu, "D": D, "least_d": least, "t": t}
    for f in ("0", "5", "-3")
    for mu in ("1", "0.125", "1000")
    for D, least, t in (("0", "0", "0"), ("2", "0", "0"), ("2", "0", "2"), ("2", "0", "1"), ("2", "-1", "-1"), ("3", "3", "3"))
]
"""g is 0 at one point, infinite elsewhere, and d is t there: f = f_mu + mu t. D and least_d are d's supremum and infimum."""


def usual(claim: Claim) -> bool:
    """Whether the parameters range as the lemmas take them to."""
    return all(p.domain == USUAL.get(p.name) for p in claim.parameters)


def holds(claim: Claim, *tests: Callable[..., Truth]) -> bool:
    """Whether the claim ranges as usual and has these conditions."""
    return usual(claim) and set(tests) <= claim.tests


def modulus(m: Numbers, mu: Real, modulus_of_g: Real, modulus_of_d: Real) -> Real:
    """a + mu b, attained by quadratics."""
    return m.real(1) * modulus_of_g + mu * modulus_of_d


def parameter(m: Numbers, mu: Real) -> Real:
    return m.real(1) * mu


def curvature(m: Numbers, mu: Real, modulus_of_g: Real, modulus_of_d: Real) -> Real:
    """1/(a + mu b), the smoothness of the conjugate of (a + mu b) z^2/2."""
    return 1 / modulus(m, mu, modulus_of_g, modulus_of_d)


def least_curvature(m: Numbers, mu: Real) -> Real:
    """The largest of these over a >= 0 and b >= 1."""
    return m.real(1) / mu


def strongly_convex(claim: Claim, sign: str) -> Iterator[Finding]:
    """The modulus of g + mu d in z, against mu."""
    yield compared(
        "modulus of g + mu d, every convex g and 1-strongly convex d",
        modulus,
        sign,
        parameter,
        known=">=" if holds(claim, convex, one_strongly_convex) and sign == ">=" else None,
        instances=admitted(claim, QUADRATICS),
        method="moduli add: a >= 0 and b >= 1 give a + mu b >= mu",
        severity=Severity.CONSTANT,
        survives="The modulus is at least that of g plus mu times that of d.",
        lemmas=(ADDED,),
        given=(convex, one_strongly_convex),
    )


def smooth(claim: Claim, sign: str) -> Iterator[Finding]:
    """The smoothness of f_mu, against the printed constant."""
    printed = claim.formulas["smoothness"]
    enough = order_of(least_curvature, printed, claim) in ("=", "<", "<=")
    yield compared(
        "smoothness of f_mu in x, every convex g and 1-strongly convex d",
        curvature,
        sign,
        printed,
        known="<=" if enough and sign == "<=" and holds(claim, convex, one_strongly_convex) else None,
        instances=admitted(claim, QUADRATICS),
        method="written lemma; the printed constant against the tight one by computer algebra",
        severity=Severity.CONSTANT,
        survives="f_mu is smooth with the inverse of the modulus of g + mu d.",
        lemmas=(ADDED, DUAL),
        given=(convex, one_strongly_convex),
    )


def value(m: Numbers, f_mu: Real, mu: Real, t: Real) -> Real:
    """f(x) where d is t at the only point that counts."""
    return f_mu + mu * t


def least_value(m: Numbers, f_mu: Real) -> Real:
    """The least that f(x) can be where d >= 0."""
    return m.real(1) * f_mu


def largest_value(m: Numbers, f_mu: Real, mu: Real, D: Real) -> Real:
    """The largest that f(x) can be where d <= D."""
    return f_mu + mu * D


def below(claim: Claim, sign: str) -> Iterator[Finding]:
    """The printed lower end against f."""
    yield bounded(claim, sign, claim.formulas["lower"], value, least_value, lower=True)


def above(claim: Claim, sign: str) -> Iterator[Finding]:
    """f against the printed upper end."""
    yield bounded(claim, sign, value, claim.formulas["upper"], largest_value, lower=False)


def bounded(claim: Claim, sign: str, left: Formula, right: Formula, end: Formula, lower: bool) -> Finding:
    order = order_of(left, end, claim) if lower else order_of(end, right, claim)
    return compared(
        f"f from {'below' if lower else 'above'}, every g and d, every x",
        left,
        sign,
        right,
        known="<=" if holds(claim, prox_nonnegative) and sign == "<=" and order in ("=", "<", "<=") else None,
        instances=admitted(claim, POINTS),
        method="written lemma; the printed end against the tight one by computer algebra",
        severity=Severity.CONSTANT,
        survives="f_mu <= f <= f_mu + mu D with D the supremum of d where g is finite.",
        lemmas=(BETWEEN,),
        given=(prox_nonnegative,),
        printed="left" if lower else "right",
        remark="D is a supremum over the dual variable z, printed as one over x; infinite, it bounds nothing",
    )


def lipschitz(claim: Claim) -> Iterator[Finding]:
    """On a bounded domain: proved from a beta-Lipschitz gradient, false from differentiability alone."""
    steep: Instance = {"beta": "1", "diameter": "2", "largest_gradient_slope": "1e300"}
    if admitted(claim, [steep]):
        m, k = arb(), 10**12
        x, y = (1 / (m.pi * (2 * k + m.frac(half, 2))) for half in (1, 3))
        slope = (m.sqrt(x) ** 3 + m.sqrt(y) ** 3) / (x - y)
        yield unbounded(
            "x^(3/2) sin(1/x), differentiable on the line (0 for x <= 0), on [0, 1]: between the points 1/(2 pi k + pi/2) and "
            "1/(2 pi k + 3 pi/2) its slope exceeds 2 y^(3/2)/(pi x^2), which grows like the root of k; shown at k = 10^12",
            ends(slope),
            "Lipschitz continuity where the gradient is Lipschitz continuous.",
        )
        return
    finite = claim.parameter("diameter").domain == positive and claim.parameter("beta").domain == positive
    yield proved(
        "every beta-smooth f, every bounded domain", finite, "written lemma", lemmas=(MEAN_VALUE,), given=(slope_bounded,)
    )
    yield replace(
        unbounded("f(x) = 5 x is beta-smooth for every beta; |f(1) - f(0)| = 5 |1 - 0|", ("5", "5"), "Lemma 1."),
        scope="the remark before the lemma: on a bounded domain |f(x) - f(y)| <= |x - y|",
        claimed="1",
        severity=PROOF_STEP,
        about=Part.PROOF,
        reading=Reading.ANOTHER,
    )


def unbounded(method: str, slope: tuple[str, str], survives: str) -> Finding:
    """A slope that no bound of the kind asserted covers."""
    return refuted(
        "every f and every domain that the assertion admits",
        "a bound on |f(x) - f(y)| / |x - y|",
        slope,
        {},
        method=method,
        severity=Severity.DOMAIN,
        survives=survives,
        rung=Rung.EXACT,
    )


ON_BOUNDED = "f beta-smooth on a bounded domain"
SHORT = "Some constant, which depends on the gradient at one point too."


def everywhere(claim: Claim) -> Iterator[Finding]:
    yield unbounded("f(x) = beta x^2/2: |f(2 t) - f(0)| / (2 t) = beta t, for every t", ("1e6", "1e6"), "The bounded domain.")


def stated_constant(claim: Claim) -> Iterator[Finding]:
    yield unbounded("f(x) = 5 x + 5 beta x, of slope 5 + 5 beta and gradient slope 0, on [0, 1]", ("10", "10"), SHORT)


CONJUGATE: Table = {
    **every_sign("modulus of g + mu d", "mu", strongly_convex),
    **every_sign("smoothness constant of f_mu in x", "smoothness", smooth),
}
DISTANCE: Table = {**every_sign("lower", "f(x)", below), **every_sign("f(x)", "upper", above)}
IMPLICATION: Table = {
    Relation(ON_BOUNDED, "=>", "f Lipschitz continuous there"): lipschitz,
    Relation("f beta-smooth", "=>", "f Lipschitz continuous"): everywhere,
    Relation(ON_BOUNDED, "=>", "f 1-Lipschitz continuous there"): stated_constant,
    Relation(ON_BOUNDED, "=>", "f beta-Lipschitz continuous there"): stated_constant,
}
