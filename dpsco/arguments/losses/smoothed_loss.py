"""What the judges of the smoothed check loss share: the written lemmas, the instances, and the readers of one assertion."""

from collections.abc import Callable, Sequence

from dpsco.arguments.comparing import Instance, admitted, compared, order_of, proved
from dpsco.arguments.losses.kernel_facts import facts, same, smooths
from dpsco.instances.residuals import SCALES, residuals
from dpsco.reference.losses import kernels
from dpsco.reference.losses.quantile import smoothing
from dpsco.spec.claim import Claim
from dpsco.spec.losses.kernels import KERNELS
from dpsco.spec.numbers import Numbers, Real
from dpsco.verdict import Finding, Lemma, Severity, Verdict

Formula = Callable[..., Real]

AVERAGE = Lemma(
    "average",
    "V has density K, symmetric with finite mean, so E V = 0. Substituting v -> u - h w, (c * K_h)(u) = E c(u - h V) = "
    "E|u + h V|/2 + (r - 1/2) u. As an average of translates of a convex function c_h is convex.",
)
SLOPE = Lemma(
    "slope",
    "u -> |u + h v| has slopes 1 and -1 on the two sides of -h v, and V has a density: by dominated convergence c_h is "
    "continuously differentiable with c_h'(u) = calK(u/h) + r - 1. calK is a primitive of K, so c_h''(u) = K(u/h)/h where K is "
    "continuous, and K >= 0; where K has two different one-sided limits, so has the difference quotient of c_h', and there is "
    "no c_h''. ell_h is c_h after an affine map of theta.",
)
STEEPEST = Lemma(
    "steepest",
    "|grad ell_h| = |calK - r| |x| with calK rising from 0 to 1: the supremum is max(r, 1 - r) |x|, and 0 at x = 0. K <= "
    "K_bar makes calK Lipschitz with K_bar, so the gradient is Lipschitz with K_bar |x|^2/h, which gives the quadratic upper "
    "bound; no Hessian is needed. For a kernel that is constant near 0 the bound is an equality there.",
)
FARTHEST = Lemma(
    "farthest",
    "For symmetric V, (|t + V| + |t - V|)/2 = max(|t|, |V|), so 2 (c_h - c)/h = E(|V| - |t|)+ with t = u/h. This lies between "
    "0 and E|V| 1{|V| >= |t|} <= kappa_1, is kappa_1 at t = 0, and tends to 0 as |t| grows.",
)
UNIFORM = Lemma(
    "uniform",
    "If continuous c_h are within rate(h) of a continuous c and rate(h) -> 0, they converge epigraphically: c_h(u_h) >= "
    "c(u_h) - rate -> c(u) for every u_h -> u, and c_h(u) -> c(u). A pointwise limit is unique.",
)


WHOLE = ("primitive", "deviation", "symmetric")
"""The facts that make the reference's closed form the convolution."""


def identity(
    scope: str,
    claim: Claim,
    sign: str,
    true: Formula,
    printed: Formula,
    kernel: str,
    needed: Sequence[str],
    lemmas: Sequence[Lemma],
    survives: str,
) -> Finding:
    """The true formula against a printed one, with the sign asserted, for one kernel and every u, h and r."""
    equal = all(facts(kernel)[fact] for fact in needed) and same(printed, true, kernel, claim)
    return compared(
        f"{kernel}: {scope}",
        true,
        sign,
        printed,
        known="=" if equal else None,
        instances=admitted(claim, residuals(kernel)),
        method="compared case by case, joints included, in t = u/h",
        severity=Severity.CONSTANT,
        survives=survives,
        lemmas=lemmas,
    )


def ranging(
    scope: str,
    claim: Claim,
    sign: str,
    name: str,
    least: Formula,
    largest: Formula,
    lemma: Lemma,
    instances: Sequence[Instance],
) -> list[Finding]:
    """A quantity that takes the values `least` and `largest` and none beyond (the lemma says so) against a printed formula."""
    sides = [largest] if sign in ("<=", "<") or least is largest else [least] if sign in (">=", ">") else [least, largest]
    found = []
    for extreme, says in zip(sides, ("least", "largest") if len(sides) == 2 else ("",), strict=True):
        known = order_of(extreme, claim.formulas[name], claim) if smooths(claim) else None
        found.append(
            compared(
                f"{scope}, {says} value" if says else scope,
                extreme,
                sign,
                claim.formulas[name],
                known=known,
                instances=instances,
                method="difference from the tight constant, by computer algebra",
                severity=Severity.CONSTANT,
                survives="The bound with the tight constant.",
                lemmas=(lemma,),
                remark="the constant is tight" if known == "=" else None,
            )
        )
    return found


def scales(claim: Claim) -> list[Instance]:
    """Levels, bounds and bandwidths that the claim admits."""
    return admitted(claim, SCALES)


def every_kernel(scope: str, found: Sequence[Finding], *lemmas: Lemma) -> Finding:
    """What lemmas say of every kernel, once the printed formulas are identified as the lemmas' for the four kernels (a
    refutation of the domain leaves formulas as they are)."""
    identified = all(f.verdict is Verdict.CERTIFIED or f.severity is Severity.DOMAIN for f in found)
    return proved(scope, identified, "written lemma; the formulas identified for the four kernels", lemmas=lemmas)


SHAPES = {"convex": ">=", "strictly convex": ">", "concave": "<=", "strictly concave": "<"}
"""The sign of c_h(a) + c_h(b) - 2 c_h((a + b)/2) that each word asks for."""


def shaped(claim: Claim, shape: str) -> list[Finding]:
    """That c_h is convex, or another word, from the average of convex functions; a midpoint refutes the others."""

    def bulge(m: Numbers, kernel: str, a: Real, b: Real, h: Real, r: Real) -> Real:
        ends = convolved(m, kernel, a, h, r) + convolved(m, kernel, b, h, r)
        return ends - 2 * convolved(m, kernel, (a + b) / 2, h, r)

    found = []
    for kernel in KERNELS:
        tried = [{"kernel": kernel, "a": a, "b": b, "h": "1", "r": "0.5"} for a, b in (("-0.5", "0.5"), ("2", "4"))]
        ends_inside = [place for place in tried if len(admitted(claim, [{**place, "u": place[end]} for end in "ab"])) == 2]
        finding = compared(
            f"{kernel}: c_h is {shape}",
            bulge,
            SHAPES[shape],
            nothing,
            known=">=" if smooths(claim) and facts(kernel)["positive"] and facts(kernel)["zero outside"] else None,
            instances=ends_inside,
            method="an average of convex functions",
            severity=Severity.CONCLUSION,
            survives="c_h is convex.",
            lemmas=(AVERAGE,),
        )
        found.append(finding)
    return [*found, every_kernel(f"every kernel: c_h is {shape}", found, AVERAGE)]


def two_sided(m: Numbers, u: Real, r: Real) -> Real:
    """r u+ + (1 - r) (-u)+."""
    plus, minus = (m.abs(u) + u) / 2, (m.abs(u) - u) / 2
    return r * plus + (1 - r) * minus


def convolved(m: Numbers, kernel: str, u: Real, h: Real, r: Real) -> Real:
    """The check loss and its gap: the judge's own c_h, written apart from every printed form."""
    return two_sided(m, u, r) + smoothing.gap(m, kernel, u, h)


def steepness(m: Numbers, kernel: str, u: Real, h: Real, r: Real) -> Real:
    """The judge's own c_h': from r - 1 on the left to r on the right, in between by the mass of the kernel."""
    return kernels.integrated(m, kernel, u / h) - (1 - r)


def minus_slope(m: Numbers, kernel: str, u: Real, h: Real, r: Real) -> Real:
    """What the chain rule puts before x: minus the derivative in the residual."""
    return -steepness(m, kernel, u, h, r)


def steepest(m: Numbers, r: Real, B_x: Real) -> Real:
    """The larger end of the slope's range, r - 1 to r, times |x|."""
    return m.max(1 - r, r) * B_x


def tight_smoothness(m: Numbers, K_bar: Real, B_x: Real, h: Real) -> Real:
    return K_bar * B_x**2 / h


def nothing(m: Numbers) -> Real:
    """Zero: a constant of the loss at x = 0, where it does not depend on theta; the gap beyond a compact kernel's support."""
    return m.real(0)


def at_zero(m: Numbers, h: Real, kappa_1: Real) -> Real:
    """The gap at u = 0: (h/2) E|V|."""
    return h * kappa_1 / 2
