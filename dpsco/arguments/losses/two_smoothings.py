"""Findings about the two smoothings of the check loss, each against the loss: the envelope below it, the convolution above."""

from collections.abc import Iterator
from functools import cache, partial

from dpsco.arguments.assertions import Table
from dpsco.arguments.comparing import admitted, compared, every_sign, proved
from dpsco.arguments.formula import apply
from dpsco.arguments.losses import largest_gaps as facts
from dpsco.arguments.losses.envelope_cells import order_on_cells
from dpsco.arguments.losses.kernel_facts import same, smooths
from dpsco.arguments.losses.largest_gaps import POINTS, beyond, in_bandwidth
from dpsco.arguments.losses.smoothed_loss import FARTHEST, at_zero, convolved, every_kernel, nothing, ranging, scales, two_sided
from dpsco.arguments.losses.tail_moment import monotone_gap
from dpsco.instances.residuals import residuals
from dpsco.reference.losses.quantile import smoothing
from dpsco.spec.claim import Claim, Relation
from dpsco.spec.losses.kernels import KERNELS
from dpsco.spec.losses.quantile.comparison import envelope_gap_left, envelope_gap_right
from dpsco.spec.numbers import Numbers, Real
from dpsco.verdict import Finding, Severity, Verdict

ON_CELLS = "on cells of the residual and the level, by the signs of coefficients"
ENVELOPE = "The infimum's closed form, r^2/(2 beta) below the loss on the right and (1 - r)^2/(2 beta) on the left."
CONVOLUTION = "0 <= c_h - c <= h kappa_1/2, equal at u = 0 on the right, and c_h - c -> 0 as |u| grows."


@cache
def falls(kernel: str) -> Finding:
    """That the kernel's gap falls from h kappa_1/2 to 0, proved once."""
    return monotone_gap(kernel)


def infimum(claim: Claim) -> Finding:
    """The printed closed form of the envelope against its definition."""
    return proved(
        "the printed envelope is the infimum over x",
        facts.is_envelope(claim, claim.formulas["envelope"]),
        f"the objective at the minimiser and elsewhere, {ON_CELLS}",
    )


def envelope_below(claim: Claim, relation: str) -> Iterator[Finding]:
    """The envelope against the loss."""
    envelope, loss = (in_bandwidth(claim.formulas[name]) for name in ("envelope", "quantile_loss"))
    yield infimum(claim)
    yield compared(
        "the envelope against the loss",
        envelope,
        relation,
        loss,
        known=order_on_cells(envelope, loss, claim) if facts.usual(claim) else None,
        instances=admitted(claim, POINTS),
        method=f"compared {ON_CELLS}, h = 1/beta",
        severity=Severity.CONSTANT,
        survives=ENVELOPE,
    )


def envelope_gap(side: int, name: str, claim: Claim, relation: str) -> Iterator[Finding]:
    """Loss less envelope at and beyond an end of the quadratic piece against its printed value."""
    loss, envelope, printed = (claim.formulas[key] for key in ("quantile_loss", "envelope", name))

    def gap(m: Numbers, u: Real, r: Real, beta: Real) -> Real:
        return loss(m, u=u, r=r) - envelope(m, r=r, beta=beta, u=u)

    yield compared(
        f"loss less envelope against '{name}'",
        beyond(side, gap),
        relation,
        printed,
        known=facts.beyond_order(side, gap, lambda m, u, r, beta: printed(m, r=r, beta=beta)) if facts.usual(claim) else None,
        instances=admitted(claim, POINTS),
        method=f"compared {ON_CELLS}, at the end and beyond it",
        severity=Severity.CONSTANT,
        survives=ENVELOPE,
    )


def is_loss(claim: Claim) -> bool:
    return same(claim.formulas["quantile_loss"], two_sided, "", claim)


def convolution_above(claim: Claim, relation: str) -> Iterator[Finding]:
    """The loss against its convolution."""
    found = [
        compared(
            f"{kernel}: the loss against its convolution",
            lambda m, kernel, u, r: claim.formulas["quantile_loss"](m, u=u, r=r),
            relation,
            convolved,
            known="<=" if is_loss(claim) and smooths(claim) and falls(kernel).verdict is Verdict.CERTIFIED else None,
            instances=admitted(claim, residuals(kernel)),
            method="the gap falls from h kappa_1/2 to 0, by computer algebra",
            severity=Severity.CONSTANT,
            survives=CONVOLUTION,
            lemmas=(FARTHEST,),
            printed="left",
        )
        for kernel in KERNELS
    ]
    yield from found
    yield every_kernel("every kernel: the loss against its convolution", found, FARTHEST)


def convolution_gap(claim: Claim, relation: str) -> Iterator[Finding]:
    """The convolution's gap, from 0 to h kappa_1/2, against the printed bound."""
    yield proved("the printed loss is the check loss", is_loss(claim), "case by case")
    scope = "c_h less the loss against its printed bound, every kernel"
    yield from ranging(scope, claim, relation, "convolution_largest_gap", nothing, at_zero, FARTHEST, scales(claim))


def vanishing(claim: Claim) -> Iterator[Finding]:
    """The convolution's gap far out."""
    known = is_loss(claim) and smooths(claim)
    found = [falls(kernel) for kernel in KERNELS]
    yield from found
    yield proved(
        "every kernel: the gap tends to 0, so it is below the envelope's from some |u| on, for every beta and h",
        known and all(f.verdict is Verdict.CERTIFIED for f in found),
        "written lemma; the envelope's gap is constant beyond its quadratic piece",
        lemmas=(FARTHEST,),
    )


FAR = [
    {"kernel": kernel, "u": u, "h": h, "r": r, "beta": beta}
    for kernel in KERNELS
    for u in ("100", "-100")
    for r in ("0.25", "0.5", "0.96875")
    for h, beta in (("1", "1"), ("0.25", "8"))
]
"""Residuals far beyond the quadratic piece and far out in every kernel's tail."""


def far_out(claim: Claim, relation: str) -> Iterator[Finding]:
    """The convolution's gap against the envelope's, side by side, for all large |u|; instances only show what is proved."""
    loss, envelope = claim.formulas["quantile_loss"], claim.formulas["envelope"]

    def gap(m: Numbers, u: Real, r: Real, beta: Real) -> Real:
        return loss(m, u=u, r=r) - apply(envelope, m, {"r": r, "beta": beta, "u": u})

    known = facts.usual(claim) and is_loss(claim) and all(falls(kernel).verdict is Verdict.CERTIFIED for kernel in KERNELS)
    yield proved("the printed loss is the check loss", is_loss(claim), "case by case")
    yield infimum(claim)
    for side, word, own in ((1, "right", envelope_gap_right), (-1, "left", envelope_gap_left)):
        constant = facts.beyond_order(side, gap, own) == "="
        missing = facts.beyond_order(side, gap, nothing) in ("=", "<", "<=")
        yield compared(
            f"every kernel, for all large |u| on the {word}: the convolution's gap against the envelope's",
            smoothing.gap,
            relation,
            gap,
            known="<" if known and constant else ">=" if known and missing else None,
            instances=admitted(claim, [at for at in FAR if (at["u"] > "0") == (side > 0)]) if constant or missing else [],
            method=f"the one is nowhere negative and tends to 0, the other is compared {ON_CELLS} beyond the quadratic piece",
            severity=Severity.CONCLUSION,
            survives="From some |u| on the convolution is closer, for every kernel.",
            lemmas=(FARTHEST,),
        )


MOREAU: Table = {
    **every_sign("envelope", "quantile_loss", envelope_below),
    **every_sign("quantile_loss", "c_h", convolution_above),
    **every_sign("c_h - quantile_loss", "convolution_largest_gap", convolution_gap),
    **every_sign(
        "quantile_loss - envelope for u >= r/beta", "envelope_gap_right", partial(envelope_gap, 1, "envelope_gap_right")
    ),
    **every_sign(
        "quantile_loss - envelope for u <= -(1-r)/beta", "envelope_gap_left", partial(envelope_gap, -1, "envelope_gap_left")
    ),
    Relation("c_h - quantile_loss as |u| -> infinity", "~", "0"): vanishing,
}
