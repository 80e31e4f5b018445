"""The check loss's derivative as descents take it: as it is, of its Moreau envelope, or smoothed by a kernel.

One table for every descent: "check" is the loss itself, "moreau" its envelope, the rest are the kernels' names. No paper makes
a claim about the table; what it holds are the derivatives of `losses.quantile.smoothing` and `losses.moreau.envelope`.
"""

from random import Random

from dpsco.spec.contract import SUM_SCALED, Inputs, contract
from dpsco.spec.domain import Choice, Parameter
from dpsco.spec.inputs import RESIDUALS, SLOPES, any_residual
from dpsco.spec.losses.kernels import KERNELS
from dpsco.spec.numbers import Numbers, Real
from dpsco.spec.parameters import H, R, U

CHECK, MOREAU = "check", "moreau"
LOSSES = (*KERNELS, CHECK, MOREAU)
LOSS = Parameter("loss", "the check loss, its Moreau envelope, or the kernel that smooths it", Choice(LOSSES))
HARD: tuple[Inputs, ...] = tuple(
    {"loss": loss, "u": u, "h": h, "r": r}
    for loss in LOSSES
    for u, h in (*RESIDUALS, (0.0, 1.0), (-0.0, 1.0), (0.3, 1.0), (-0.7, 1.0))
    for r in (0.5, 0.3, 0.9999999999999999)
)


def any_loss(random: Random) -> Inputs:
    """A loss of the table and a residual from tiny to far out."""
    given = {name: value for name, value in any_residual(random).items() if name != "kernel"}
    return {"loss": random.choice(LOSSES), **given}


def known(loss: str) -> ValueError:
    """The error that says which losses there are."""
    return ValueError(f"loss={loss!r}: must be one of {', '.join(LOSSES)}")


def subgradient(m: Numbers, u: Real, r: Real) -> Real:
    """r for u > 0, r - 1 for u < 0, 0 at the kink: the subgradient of least size."""
    zero = m.real(0)
    return m.where(m.gt(u, zero), r, m.where(m.lt(u, zero), r - 1, zero))


@contract(metric=SUM_SCALED, range=SLOPES, inputs=(LOSS, U, H, R), generate=any_loss, hard=HARD)
def slope(loss: str, u: float, h: float, r: float) -> float:
    """Derivative of the loss in the residual; for "check" the subgradient of least size.

    check: r, 0 or r - 1 by the sign of u; moreau: u/h cut off at r - 1 and at r; a kernel: calK(u/h) + r - 1

    Domain   h > 0 (not used by "check"), r in (0, 1), u any number
    Returns  a number in [r - 1, r], no unit; terms: those of the smoothed loss's derivative, else the value alone
    Raises   ValueError for an unknown loss
    Source   quantile, Section 5, after equation (2); newsvendor, Lemma EC.4, part 1
    """
