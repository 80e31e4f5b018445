"""Conditions on the numbers that stand for a kernel and for the quantile loss in claims about them.

A claim that holds for every kernel takes its numbers as parameters. These predicates say which numbers a nonnegative, even,
unimodal kernel of integral one can have, and which Lipschitz constants the loss can have.
"""

from dpsco.spec.conditions import optimum_in_ball
from dpsco.spec.conjunction import all_of
from dpsco.spec.domain import Parameter, nonnegative
from dpsco.spec.expressions import E, symbols
from dpsco.spec.parameters import B, L
from dpsco.spec.predicate import Predicate

B_x, K_bar, kappa_1, kappa_2 = symbols("B_x K_bar kappa_1 kappa_2")

LIPSCHITZ = L.means("Lipschitz constant max(r, 1-r) B_x of the loss and of the smoothed loss")
RADIUS = B.means("B_theta: radius of the centred ball that is assumed to hold a minimiser of the population risk")
OPTIMUM_NORM = Parameter("optimum_norm", "l2 norm of theta*, a minimiser of the population risk", nonnegative, "decision")


a_kernel_has_these = kappa_1 * K_bar >= E("1/4")
"""Among densities bounded by K_bar the uniform one has the least first absolute moment, 1/(4 K_bar)."""

unimodal_moments = 3 * kappa_2 >= 4 * kappa_1**2
"""|V| of a unimodal even density is a uniform variable times an independent one, whence Jensen gives 4/3."""

some_level_gives_lipschitz = all_of(2 * L >= B_x, L < B_x)


KERNEL_NUMBERS = Predicate(
    "kappa_1 K_bar >= 1/4: a kernel with these numbers exists",
    a_kernel_has_these,
    accepts={"kappa_1": "1", "K_bar": "0.5"},
    rejects={"kappa_1": "1", "K_bar": "0.2"},
)
KERNEL_MOMENTS = Predicate(
    "kappa_2 >= (4/3) kappa_1^2: a unimodal even kernel with these moments exists",
    unimodal_moments,
    accepts={"kappa_1": "1", "kappa_2": "2"},
    rejects={"kappa_1": "1", "kappa_2": "1"},
)
LIPSCHITZ_OF_LEVEL = Predicate(
    "B_x/2 <= L < B_x: L = max(r, 1-r) B_x for a level r in (0, 1)",
    some_level_gives_lipschitz,
    accepts={"L": "1.5", "B_x": "2"},
    rejects={"L": "3", "B_x": "2"},
)
OPTIMUM_IN_BALL = Predicate(
    "theta* lies in the centred ball of radius B_theta",
    optimum_in_ball,
    accepts={"optimum_norm": "2", "B": "3"},
    rejects={"optimum_norm": "4", "B": "3"},
)
