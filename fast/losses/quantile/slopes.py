"""The table of derivatives in doubles: one int for each loss, so that one compiled loop serves all of them."""

from dpsco.fast.kernel import bind, kernel
from dpsco.fast.losses import kernels
from dpsco.fast.losses.moreau.envelope import derivative_at
from dpsco.fast.losses.quantile import smoothing
from dpsco.spec.losses.quantile import slopes as spec

CODES = {name: number for number, name in enumerate(spec.LOSSES)}
CHECK, MOREAU = CODES[spec.CHECK], CODES[spec.MOREAU]
smoothed_at = smoothing.slope_at


def code(loss: str) -> int:
    """The int that stands for a loss's name in compiled code, for kernels that of `kernels.code`; ValueError for another."""
    if loss not in CODES:
        raise spec.known(loss)
    return kernels.code(loss) if loss in kernels.CODES else CODES[loss]


@kernel()
def slope_at(which: int, u: float, h: float, r: float) -> float:
    """The derivative of loss `which` at the residual u."""
    if which == CHECK:
        return r if u > 0.0 else r - 1.0 if u < 0.0 else 0.0
    if which == MOREAU:
        return derivative_at(u, h, r)
    return smoothed_at(which, u, 0.0, h, r)


def slope(loss: str, u: float, h: float, r: float) -> float:
    return float(slope_at(code(loss), float(u), float(h), float(r)))


bind(slope, spec.slope)
