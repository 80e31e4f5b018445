"""The generalised Moreau envelope of any convex Lipschitz loss: what is proved of it, and where that is tight or fails."""

from collections.abc import Callable, Iterator
from dataclasses import replace

from dpsco.arguments.assertions import Table
from dpsco.arguments.comparing import Instance, admitted, compared, every_sign, order_of, proved, refuted
from dpsco.spec.claim import Claim, Relation
from dpsco.spec.domain import nonnegative, positive, reals
from dpsco.spec.losses.moreau.generalised import loss_is_lipschitz, subgradients_are_in_domain, subgradients_are_inside
from dpsco.spec.numbers import Numbers, Real, Truth
from dpsco.verdict import Finding, Lemma, Rung, Severity, Verdict

Formula = Callable[..., Real]
RULE = "written lemma; the printed formula against the tight one by computer algebra"

FINITE = Lemma(
    "bounds",
    "e(u) = inf over x of c(x) + phi_h(u - x). x = u gives e(u) <= c(u) + h phi(0). For g a subgradient of c at u, c(x) + "
    "phi_h(u - x) >= c(u) + <g, x - u> + h phi((u - x)/h) >= c(u) - h phi*(g), and |g| <= L. So e is finite where phi* is "
    "finite at every subgradient, and within [-h sup phi*, h phi(0)] of c. Both ends are met: by c = L |x| with the squared "
    "norm (-h L^2/(2 beta), far out) and with the Hellinger function (h beta, at u = 0).",
)
SHAPE = Lemma(
    "convex and Lipschitz",
    "e is the infimum over x of a jointly convex function of (u, x), so convex where finite; and e(u) = inf over w of c(u - "
    "w) + phi_h(w), an infimum of functions of u with the Lipschitz constant L.",
)
BENT = Lemma(
    "smooth",
    "For every x: phi_h(u + d - x) + phi_h(u - d - x) <= 2 phi_h(u - x) + (beta/h) |d|^2. With x within t of attaining e(u): "
    "e(u + d) + e(u - d) - 2 e(u) <= (beta/h) |d|^2 + 2 t, and t -> 0. A finite convex function with this bound is "
    "differentiable with a beta/h-Lipschitz gradient. c = L |x| with the squared norm meets it near u = 0.",
)
ATTAINED = Lemma(
    "attained",
    "Let all subgradients of c have norm at most G < R and phi* be finite on the ball of radius R, so bounded by M on that "
    "of radius S, G < S < R. Then phi(w) >= S |w| - M and c(x) >= c(u) - G |x - u|: the objective grows at least like (S - "
    "G) |x - u| and, being closed, has a minimiser x*, one only as phi is strictly convex. e(v) <= c(x*) + phi_h(v - x*) for "
    "all v, with equality at v = u: a convex function below a differentiable one that it touches has its gradient there.",
)
SQUARED: list[Instance] = [
    {"L": "1", "beta": "1", "h": "1", "phi_0": "0", "phi_conjugate_bar": "0.5"},
    {"L": "1", "beta": "1", "h": "2", "phi_0": "0", "phi_conjugate_bar": "0.5"},
    {"L": "2", "beta": "4", "h": "0.25", "phi_0": "0", "phi_conjugate_bar": "0.5"},
]
HELLINGER: list[Instance] = [{"L": "0.75", "beta": "1.25", "h": "2", "phi_0": "1.25", "phi_conjugate_bar": "-1"}]
TIGHT: list[Instance] = [
    *({**place, "largest_subgradient": place["L"], "conjugate_radius": "9"} for place in SQUARED),
    *({**place, "largest_subgradient": place["L"], "conjugate_radius": place["beta"]} for place in HELLINGER),
]
"""c = L |x| with the squared norm (phi* finite everywhere) and with the Hellinger function: their own numbers."""
BOUNDARY: Instance = {
    "L": "1",
    "beta": "1",
    "h": "1",
    "phi_0": "1",
    "phi_conjugate_bar": "0",
    "largest_subgradient": "1",
    "conjugate_radius": "1",
}
"""c(x) = x with the Hellinger function of beta = 1, whose conjugate is finite on the closed unit ball."""
STEEP: Instance = {**SQUARED[0], "largest_subgradient": "2", "conjugate_radius": "9"}
"""c(x) = 2 x with the squared norm, called 1-Lipschitz."""


USUAL = {"phi_0": reals, "phi_conjugate_bar": reals, "largest_subgradient": nonnegative, "conjugate_radius": nonnegative}


def usual(claim: Claim) -> bool:
    """Whether the parameters range as the lemmas take them to: L, beta and h positive."""
    return all(p.domain == USUAL.get(p.name, positive) for p in claim.parameters)


def gradient(claim: Claim) -> Iterator[Finding]:
    """The envelope's gradient from the minimiser: refuted where the claim lets the infimum not be attained."""
    scope = "gradient of the envelope from the minimiser x*(u)"
    if not admitted(claim, [BOUNDARY]):
        yield proved(scope, usual(claim), "written lemma", lemmas=(FINITE, ATTAINED), given=(subgradients_are_inside,))
        return
    yield refuted(
        scope,
        "below 1",
        "1",
        BOUNDARY,
        method="c(x) = x, Hellinger: the envelope is u, its gradient 1; |grad phi| = |w|/sqrt(1 + w^2) < 1 at every w, since "
        "w^2 < 1 + w^2; the objective u + sqrt(1 + w^2) - w falls to u and attains no minimum",
        severity=Severity.DOMAIN,
        survives="Part 1 where the conjugate is finite on a larger ball than the subgradients fill; parts 2 and 3 as printed.",
        rung=Rung.EXACT,
    )


def shaped(claim: Claim) -> Iterator[Finding]:
    """Convex and L-Lipschitz."""
    scope = "the envelope is convex and L-Lipschitz"
    if admitted(claim, [STEEP]):
        yield refuted(
            scope,
            "1",
            "2",
            STEEP,
            method="c(x) = 2 x, squared norm: the envelope is 2 u - 2, of slope 2",
            severity=Severity.DOMAIN,
            survives="Convexity, and the loss's own Lipschitz constant.",
            rung=Rung.EXACT,
        )
        return
    yield conditioned(proved(scope, usual(claim), "written lemma", lemmas=(FINITE, SHAPE)), claim)


def smoothness(claim: Claim, sign: str) -> Iterator[Finding]:
    """The gradient's Lipschitz constant, at most beta/h and for some losses that."""

    def own(m: Numbers, beta: Real, h: Real) -> Real:
        return m.real(1) * beta / h

    yield from tight("the envelope's smoothness", own, claim.formulas["envelope_smoothness"], BENT, True, claim, sign)


def below(claim: Claim, sign: str) -> Iterator[Finding]:
    """The printed lower bound against the least distance that the lemma allows, which some loss has."""

    def own(m: Numbers, phi_conjugate_bar: Real, h: Real) -> Real:
        return -m.real(1) * h * phi_conjugate_bar

    yield from tight("envelope less loss, from below", own, claim.formulas["gap_lower"], FINITE, False, claim, sign)


def above(claim: Claim, sign: str) -> Iterator[Finding]:
    """The largest distance against the printed upper bound."""

    def own(m: Numbers, phi_0: Real, h: Real) -> Real:
        return m.real(1) * h * phi_0

    yield from tight("envelope less loss, from above", own, claim.formulas["gap_upper"], FINITE, True, claim, sign)


def tight(scope: str, own: Formula, printed: Formula, lemma: Lemma, left: bool, claim: Claim, sign: str) -> Iterator[Finding]:
    """A quantity that the lemma bounds by `own`, which losses attain, against the printed bound; only "<=" is proved, as
    other losses stay inside."""
    order = order_of(own, printed, claim) if left else order_of(printed, own, claim)
    certain = order in ("=", "<", "<=") and sign == "<=" and usual(claim)
    sides = (own, printed) if left else (printed, own)
    finding = compared(
        f"{scope}, every loss and phi",
        sides[0],
        sign,
        sides[1],
        known="<=" if certain else None,
        instances=admitted(claim, TIGHT),
        method=RULE,
        severity=Severity.CONSTANT,
        survives="The bound with the printed constant's tight value.",
        lemmas=(lemma,),
        printed="right" if left else "left",
    )
    yield conditioned(finding, claim)


def conditioned(finding: Finding, claim: Claim) -> Finding:
    """A certificate with the conditions it rests on: L, and a conjugate that is finite at the subgradients."""
    if finding.verdict is not Verdict.CERTIFIED:
        return finding
    domain: tuple[Callable[..., Truth], ...] = tuple(
        p.test for p in claim.preconditions if p.test in (subgradients_are_in_domain, subgradients_are_inside)
    )
    return replace(finding, given=(loss_is_lipschitz, *(domain or (subgradients_are_in_domain,))))


LEMMA: Table = {
    Relation("gradient of the envelope at u", "=", "gradient of phi_h at u - x*(u)"): gradient,
    Relation("envelope", "is", "convex and L-Lipschitz"): shaped,
    **every_sign("Lipschitz constant of the envelope's gradient", "envelope_smoothness", smoothness),
    **every_sign("gap_lower", "envelope minus loss", below),
    **every_sign("envelope minus loss", "gap_upper", above),
}
