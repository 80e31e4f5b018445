"""Findings that compare the envelopes with convolution: at one u, uniformly, at equal smoothness, and in their decay."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial

import sympy

from dpsco.arguments.assertions import Table
from dpsco.arguments.cells import ranges_as_usual
from dpsco.arguments.comparing import admitted, compared, every_sign, order_of, proved, refuted
from dpsco.arguments.losses import envelope_comparison as facts
from dpsco.arguments.losses.envelope_cells import order_on_cells
from dpsco.arguments.losses.smoothed_loss import FARTHEST
from dpsco.reference.losses import kernels
from dpsco.reference.losses.moreau import envelope
from dpsco.reference.numbers.enclosure import arb
from dpsco.reference.numbers.symbolic import symbolic
from dpsco.spec.claim import Claim, Relation
from dpsco.spec.losses.moreau.envelope import covers_slopes
from dpsco.spec.numbers import Numbers, Real
from dpsco.verdict import Finding, Rung, Severity, Verdict

Formula = Callable[..., Real]
RULE = "computer algebra"
NEAR = (
    "Wherever |u| >= 2 h sqrt(ln(1 / min(r, 1 - r))) the Gaussian convolution is closer; at the kink the envelope is exact and "
    "the convolution off by h / sqrt(2 pi)."
)
BANDWIDTH = "Where kappa_1 < max(r^2, (1 - r)^2); both errors are linear in h."
EQUAL = (
    "With <= for the uniform kernel at every r, with equality at r = 1/2; for other kernels where kappa_1 K_bar < max(r^2, "
    "(1 - r)^2); both errors are linear in h."
)


def covers(claim: Claim) -> bool:
    """Whether beta is at least the loss's slopes, by a condition of the claim or, as printed, in words; r and h as usual."""
    tested = covers_slopes in claim.tests
    return ranges_as_usual(claim) and (tested or facts.says_it_in_words(claim))


def distance(claim: Claim) -> Formula:
    """The modulus of the printed gap of the envelope."""
    gap = claim.formulas["gap_moreau"]
    return lambda m, u, r, h: m.abs(gap(m, u, r, h))


def pointwise(claim: Claim, sign: str) -> Iterator[Finding]:
    """At one u: the Gaussian convolution's gap against the envelope's."""
    gaussian, gap = claim.formulas["gap_convolution_gaussian"], distance(claim)
    yield compared(
        "at one u: Gaussian convolution against Moreau envelope",
        gaussian,
        sign,
        lambda m, u, r, h: gap(m, u, r, h),
        known=None,
        instances=admitted(claim, facts.INSTANCES),
        method="both sides enclosed",
        severity=Severity.DOMAIN,
        survives=NEAR,
    )


def far_away(claim: Claim, sign: str) -> Iterator[Finding]:
    """The same from a printed distance on."""
    gaussian, gap, far = claim.formulas["gap_convolution_gaussian"], distance(claim), claim.formulas["far"]

    def there(m: Numbers, r: Real, h: Real, side: Real, times: Real) -> Real:
        return side * times * far(m, r=r, h=h)

    known = (
        facts.is_gaussian_gap(gaussian)
        and order_on_cells(claim.formulas["gap_moreau"], envelope.gap, claim) == "="
        and facts.same_expression(far, facts.own_far)
    )
    yield compared(
        "far from the kink: Gaussian convolution against Moreau envelope",
        lambda m, r, h, side, times: gaussian(m, u=there(m, r, h, side, times), h=h),
        sign,
        lambda m, r, h, side, times: gap(m, there(m, r, h, side, times), r, h),
        known="<" if known else None,
        instances=admitted(claim, facts.BEYOND),
        method="written lemma; the formulas identified on cells and by computer algebra",
        severity=Severity.CONSTANT,
        survives=NEAR,
        lemmas=(facts.GAUSSIAN, facts.FAR),
    )


def uniformly(equal: bool, claim: Claim, sign: str) -> Iterator[Finding]:
    """The largest errors over all u, at one bandwidth or at one smoothness, for the moments of a kernel."""
    largest, printed = claim.formulas["gap_convolution_largest"], claim.formulas["gap_moreau_largest"]
    K, h = sympy.symbols("K h", positive=True)
    convolved, moreau = claim.formulas["smoothness_convolution"], claim.formulas["smoothness_moreau"]
    same = sympy.simplify(convolved(symbolic(), K_bar=K, h=K * h) - moreau(symbolic(), h=h)) == 0

    def at_equal(m: Numbers, kappa_1: Real, K_bar: Real, h: Real) -> Real:
        return largest(m, kappa_1=kappa_1, h=K_bar * h)

    yield compared(
        "uniformly in u, at equal smoothness" if equal else "uniformly in u, at the same h",
        at_equal if equal else largest,
        sign,
        printed,
        known=None,
        instances=admitted(claim, facts.UNIFORMLY) if same or not equal else [],
        method="both sides enclosed, for the uniform and the Epanechnikov kernel",
        severity=Severity.DOMAIN,
        survives=EQUAL if equal else BANDWIDTH,
    )


def uniform_kernel(claim: Claim, sign: str) -> Iterator[Finding]:
    """The uniform kernel's largest error at equal smoothness against the envelope's."""
    printed, moreau = claim.formulas["gap_uniform_largest"], claim.formulas["gap_moreau_largest"]

    def own(m: Numbers, h: Real) -> Real:
        return h * kernels.K_bar(m, "uniform") * kernels.kappa_1(m, "uniform") / 2

    tried = admitted(claim, facts.UNIFORMLY)
    yield compared(
        "the uniform kernel's largest error at the bandwidth K_bar h, smoothness 1/h",
        own,
        "=",
        printed,
        known="=" if order_of(own, printed, claim) == "=" else None,
        instances=tried,
        method=RULE,
        severity=Severity.CONSTANT,
        survives="h / 8.",
        lemmas=(FARTHEST,),
    )
    yield compared(
        "uniformly in u, at equal smoothness: uniform kernel against Moreau envelope",
        printed,
        sign,
        moreau,
        known=order_on_cells(printed, moreau, claim),
        instances=tried,
        method="compared on cells of r, by the signs of coefficients",
        severity=Severity.CONSTANT,
        survives=EQUAL,
    )


def decay(rate: str, claim: Claim) -> Iterator[Finding]:
    """How fast the Gaussian gap goes to 0 as h does, u fixed."""
    exponent, gaussian = facts.RATES[rate], claim.formulas["gap_convolution_gaussian"]
    scope = "decay of the Gaussian convolution's error as h -> 0, u fixed"
    if not (facts.is_gaussian_gap(gaussian) and ranges_as_usual(claim)):
        yield proved(scope, False, RULE)
        return
    if 2 * exponent <= 1:
        remark = "uniformly in u the error is h / sqrt(2 pi): linear in h"
        yield proved(scope, True, "written lemma", lemmas=(facts.GAUSSIAN, facts.DECAY), remark=remark)
        return
    m, one = arb(), arb().real(1)
    ratios = [
        gaussian(m, u=one, h=1 / m.real(t)) * t * m.exp(m.frac(exponent.numerator, exponent.denominator) * t**2)
        for t in (5, 20)
    ]
    yield refuted(
        scope,
        ratios[0],
        ratios[1],
        {"u": "1", "h": "0.05"},
        method="written lemma; the ratio enclosed at h = 1/5 and h = 1/20, u = 1",
        severity=Severity.RATE,
        survives="The rate exp(-u^2 / (2 h^2)) h.",
        lemmas=(facts.DECAY,),
        reason="claimed is the ratio at h = 1/5, computed the ratio at h = 1/20",
    )


def hellinger_above(claim: Claim, sign: str) -> Iterator[Finding]:
    """The Hellinger envelope's error against a printed lower bound."""
    printed = claim.formulas["gap_hellinger_lower"]
    below = facts.is_below_least(printed)
    finding = compared(
        "Hellinger envelope less loss from below, beta >= max(r, 1 - r)",
        printed,
        sign,
        facts.hellinger_gap,
        known="<=" if below and covers(claim) else None,
        instances=facts.covering(claim),
        method="the least gap against the bound, on cells of r and beta",
        severity=Severity.CONSTANT,
        survives="h sqrt(beta^2 - max(r, 1 - r)^2) <= gap.",
        lemmas=(facts.HELLINGER,),
        printed="left",
    )
    yield with_condition(finding, claim)


def hellinger_below(claim: Claim, sign: str) -> Iterator[Finding]:
    """The Hellinger envelope's error against a printed upper bound; the largest is h beta, at u = 0."""
    printed = claim.formulas["gap_hellinger_upper"]

    def own(m: Numbers, h: Real, beta: Real) -> Real:
        return m.real(1) * beta * h

    order = order_of(own, printed, claim)
    finding = compared(
        "Hellinger envelope less loss from above, beta >= max(r, 1 - r)",
        facts.hellinger_gap,
        sign,
        printed,
        known="<=" if order in ("=", "<=", "<") and covers(claim) else None,
        instances=facts.covering(claim),
        method=f"the largest gap against the bound, {RULE}",
        severity=Severity.CONSTANT,
        survives="gap <= h beta, with equality at u = 0.",
        lemmas=(facts.HELLINGER,),
    )
    yield with_condition(finding, claim)


def gaussian_below(claim: Claim, sign: str) -> Iterator[Finding]:
    """The Gaussian convolution's error against the Hellinger envelope's, at every u."""
    printed = claim.formulas["gap_convolution_gaussian"]
    region = facts.gaussian_below_hellinger()
    known = covers(claim) and facts.is_gaussian_gap(printed) and region.holds is True and facts.tail_is_small()
    finding = compared(
        "at one u: Gaussian convolution against Hellinger envelope, beta >= max(r, 1 - r)",
        printed,
        sign,
        facts.hellinger_gap,
        known="<" if known else None,
        instances=facts.covering(claim),
        method=f"written lemma; {region.effort} in t = |u|/h",
        severity=Severity.CONSTANT,
        survives="The Gaussian convolution is closer than the Hellinger envelope.",
        lemmas=(facts.GAUSSIAN, facts.HELLINGER, facts.BELOW),
        printed="left",
    )
    yield with_condition(finding, claim, Rung.REGION)


def with_condition(finding: Finding, claim: Claim, rung: Rung | None = None) -> Finding:
    """A certificate with the condition on beta that it rests on, where that is not said in words, and its rung."""
    if finding.verdict is not Verdict.CERTIFIED:
        return finding
    return replace(finding, given=() if facts.says_it_in_words(claim) else (covers_slopes,), rung=rung or finding.rung)


def of_rate(rate: str) -> tuple[Relation, Callable[[Claim], Iterator[Finding]]]:
    return Relation("gap_convolution_gaussian", "<=O", rate), partial(decay, rate)


HELLINGER = "Hellinger envelope minus loss"
COMPARISON: Table = {
    **every_sign("gap_convolution_gaussian", "|gap_moreau|", pointwise),
    **every_sign("gap_convolution_gaussian where |u| >= far", "|gap_moreau|", far_away),
    **every_sign("gap_convolution_largest", "gap_moreau_largest", partial(uniformly, False)),
    **every_sign("gap_convolution_largest at smoothness 1/h", "gap_moreau_largest", partial(uniformly, True)),
    **every_sign("gap_uniform_largest at smoothness 1/h", "gap_moreau_largest", uniform_kernel),
    **dict(of_rate(rate) for rate in facts.RATES),
    **every_sign("gap_hellinger_lower", HELLINGER, hellinger_above),
    **every_sign(HELLINGER, "gap_hellinger_upper", hellinger_below),
    **every_sign("gap_convolution_gaussian", HELLINGER, gaussian_below),
}
