"""Horowitz's smoothing of the quantile loss: the indicator in u (r - 1{u < 0}) is replaced by an integrated kernel."""

from dpsco.spec import inputs as made
from dpsco.spec.claim import Claim, Kind, Relation
from dpsco.spec.contract import FINITE, SUM_SCALED, Range, contract
from dpsco.spec.domain import Parameter, closed_unit, nonnegative, reals
from dpsco.spec.expressions import symbols
from dpsco.spec.losses.quantile.smoothing import check
from dpsco.spec.papers import QUANTILE
from dpsco.spec.parameters import KERNEL, H, R, U, V

h, integrated_kernel, kernel_slope, kernel_value = symbols("h integrated_kernel kernel_slope kernel_value")
r, u, v = symbols("r u v")

INTEGRATED = Parameter("integrated_kernel", "calK(v): integral of the kernel up to v", closed_unit)
DENSITY = Parameter("kernel_value", "K(v)", nonnegative)
SLOPE = Parameter("kernel_slope", "K'(v), where the kernel has a derivative", reals)


@contract(
    metric=SUM_SCALED,
    range=Range(high=made.check_loss_at, high_open=False),
    inputs=(KERNEL, U, H, R),
    generate=made.any_residual,
    hard=made.residuals,
)
def value(kernel: str, u: float, h: float, r: float) -> float:
    """Horowitz's smoothing of the check loss.

    u (r - 1 + calK(u/h)), calK the kernel's distribution function

    Domain   h > 0, r in (0, 1), u any number
    Returns  at most c(u), in the unit of the outcome; terms: u times r and 1 - calK for u >= 0, calK and 1 - r for u < 0
    Raises   ValueError for an unknown kernel
    Source   quantile, Section 1
    """


@contract(metric=SUM_SCALED, range=FINITE, inputs=(KERNEL, U, H, R), generate=made.any_residual, hard=made.residuals)
def derivative(kernel: str, u: float, h: float, r: float) -> float:
    """The derivative in the residual, with the kernel's own value where it jumps: there is none there.

    r - 1 + calK(v) + v K(v), v = u/h

    Domain   h > 0, r in (0, 1), u any number
    Returns  a number, no unit; terms: those of `value` over |u|, and v K(v)
    Raises   ValueError for an unknown kernel
    Source   quantile, Section 1
    """


@contract(metric=SUM_SCALED, range=FINITE, inputs=(KERNEL, U, H), generate=made.any_scaled_residual, hard=made.scaled_residuals)
def curvature(kernel: str, u: float, h: float) -> float:
    """The second derivative in the residual, with the kernel's one-sided slope from inside where it has none.

    (2 K(v) + v K'(v)) / h, v = u/h

    Domain   h > 0, u any number
    Returns  of both signs, per unit of the outcome; terms: 2 K(v)/h and v K'(v)/h
    Raises   ValueError for an unknown kernel
    Source   quantile, Section 1
    """


loss = u * (r - 1 + integrated_kernel)
first_derivative = r - 1 + integrated_kernel + v * kernel_value
second_derivative = (2 * kernel_value + v * kernel_slope) / h


claims = [
    Claim(
        id="quantile/sec-1-horowitz",
        title="convexity of Horowitz's smoothed loss",
        kind=Kind.BOUND,
        unproved=True,
        source=QUANTILE.at("Section 1"),
        says="Replacing the indicator in the quantile loss u (r - 1{u < 0}) by an integrated kernel, as Horowitz (1998) does, "
        "gives the smooth loss u (r - 1 + calK(u/h)), which is no longer convex on the whole line unless r = 1/2: at every "
        "other level it is not.",
        parameters=(R, H, U, INTEGRATED),
        formulas={"loss": loss},
        asserts=(Relation("loss, r != 1/2", "is", "not convex in u"),),
        over=("every kernel of the paper's conditions",),
        note="The paper gives no formula; this is Horowitz's replacement written for a general level, with the kernels of the "
        "paper's Condition 1 (nonnegative, of integral one, finite first absolute moment). 'Unless' is read as a plain "
        "exception: nothing is said of r = 1/2. Read as an equivalence, convex at r = 1/2, it is false: the second derivative "
        "does not contain r, and for the Gaussian kernel it is phi(v) (2 - v^2)/h, negative for |v| > sqrt(2) at every level "
        "(Epanechnikov: |v| > sqrt(1/2); logistic: v tanh(v/2) > 2). So the loss is never convex.",
    ),
    Claim(
        id="quantile/sec-1-horowitz-amended",
        amends="quantile/sec-1-horowitz",
        kind=Kind.BOUND,
        source=QUANTILE.at("Section 1"),
        says="At every level, r = 1/2 included, the smooth loss u (r - 1 + calK(u/h)) nowhere exceeds the quantile loss, comes "
        "as close to it as one likes for |u| large, has the printed derivatives where the kernel is continuous, or has a "
        "derivative, and is not convex on the whole line.",
        parameters=(R, H, U, V.means("v = u/h"), INTEGRATED, DENSITY, SLOPE),
        formulas={
            "quantile_loss": check,
            "loss": loss,
            "first_derivative": first_derivative,
            "second_derivative": second_derivative,
        },
        asserts=(
            Relation("loss", "<=", "quantile_loss"),
            Relation("derivative of loss where K is continuous", "=", "first_derivative"),
            Relation("derivative of first_derivative where K has a derivative", "=", "second_derivative"),
            Relation("loss", "is", "not convex in u"),
        ),
        over=("every nonnegative smoothing kernel of integral one with finite first absolute moment",),
        note="Without the finite first moment it fails: the Cauchy kernel makes a convex loss at every level.",
    ),
]
