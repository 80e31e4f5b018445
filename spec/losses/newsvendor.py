"""The newsvendor cost: a quantile loss, scaled.

With u demand minus order: C(u) = c_u max(u, 0) + c_o max(-u, 0), and its convolution smoothing C_h = C * K_h.
"""

from random import Random

from dpsco.spec.claim import Claim, Kind, Relation
from dpsco.spec.contract import POSITIVE, SUM_SCALED, ULPS, Inputs, Range, between, contract
from dpsco.spec.domain import Parameter, positive
from dpsco.spec.expressions import maximum, symbols
from dpsco.spec.inputs import RESIDUALS, any_scaled_residual
from dpsco.spec.losses.kernels import KERNELS, Kernel
from dpsco.spec.losses.quantile.smoothing import check
from dpsco.spec.papers import QUANTILE
from dpsco.spec.parameters import KERNEL, H, U

c_o, c_u, u = symbols("c_o c_u u")

UNDERAGE = Parameter("c_u", "cost of one unit of unmet demand", positive, "money/unit")
OVERAGE = Parameter("c_o", "cost of one unit left over", positive, "money/unit")
COSTS = ((1.0, 1.0), (3.0, 1e-9), (1e-9, 3.0), (0.1, 0.7), (1e6, 1e6))
HARD: tuple[Inputs, ...] = tuple(
    {"kernel": kernel, "u": u, "h": h, "c_u": c_u, "c_o": c_o}
    for kernel in KERNELS
    for u, h in RESIDUALS[::2]
    if abs(u) < 1e290
    for c_u, c_o in COSTS[::2]
)


def any_shortage(random: Random) -> Inputs:
    """A kernel, demand minus order at every distance from the bandwidth, and two costs up to twelve decades apart."""
    return {**any_scaled_residual(random), "c_u": 10 ** random.uniform(-6, 6), "c_o": 10 ** random.uniform(-6, 6)}


@contract(metric=ULPS, range=Range("0", "1"), inputs=(UNDERAGE, OVERAGE))
def critical_ratio(c_u: float, c_o: float) -> float:
    """The level at which the newsvendor cost is a quantile loss: the share of demand that the best order meets.

    c_u / (c_u + c_o)

    Domain   c_u > 0, c_o > 0
    Returns  a number between 0 and 1, no unit
    Source   quantile, Section 4.2
    """


@contract(metric=ULPS, range=POSITIVE, inputs=(KERNEL, U, H, UNDERAGE, OVERAGE), generate=any_shortage, hard=HARD)
def value(kernel: Kernel, u: float, h: float, c_u: float, c_o: float) -> float:
    """The smoothed newsvendor cost.

    (c_u + c_o) c_h(u), c_h the smoothed check loss of level c_u / (c_u + c_o)

    Domain   h > 0, c_u > 0, c_o > 0, u any number
    Returns  positive, in money
    Raises   ValueError for an unknown kernel
    Source   quantile, Section 4.2 and equation (2)
    """


@contract(
    metric=SUM_SCALED,
    range=between(lambda m, c_o: -c_o, lambda m, c_u: c_u),
    inputs=(KERNEL, U, H, UNDERAGE, OVERAGE),
    generate=any_shortage,
    hard=HARD,
)
def derivative(kernel: Kernel, u: float, h: float, c_u: float, c_o: float) -> float:
    """The smoothed newsvendor cost's derivative in demand minus order.

    (c_u + c_o) calK(u/h) - c_o, calK the kernel's distribution function

    Domain   h > 0, c_u > 0, c_o > 0, u any number
    Returns  between -c_o and c_u, in money per unit; terms: (c_u + c_o) (1 - calK) and c_u for u >= 0, (c_u + c_o) calK and c_o
             for u < 0
    Raises   ValueError for an unknown kernel
    Source   quantile, Section 4.2 and after equation (2)
    """


cost = c_u * maximum(u, 0) + c_o * maximum(-u, 0)
level = c_u / (c_u + c_o)
scaled_quantile_loss = (c_u + c_o) * check.where({"r": level})


claims = [
    Claim(
        id="quantile/sec-4.2",
        title="newsvendor cost as a quantile loss",
        kind=Kind.IDENTITY,
        source=QUANTILE.at("Section 4.2"),
        says="Ordering q when demand turns out to be y costs C(y - q) with C(u) = c_u u^+ + c_o (-u)^+ for c_u, c_o > 0, and "
        "C(u) = (c_u + c_o) c(u) for every u, where c is the quantile loss of level c_u/(c_u + c_o). So the excess expected "
        "cost of a linear rule theta'x is (c_u + c_o) times the excess risk under that loss.",
        parameters=(UNDERAGE, OVERAGE, U.means("demand minus order")),
        formulas={"cost": cost, "level": level, "scaled_quantile_loss": scaled_quantile_loss},
        asserts=(Relation("cost", "=", "scaled_quantile_loss"),),
        over=("every distribution of features and demand",),
    ),
]
