"""A bilevel problem as plain data and functions: its constants, a lower solver that proves its accuracy, its hypergradient.

x has d_x entries, y has d_y; f and g are means over the records. The constants hold for |x| <= x_radius and |y| <= radius, a
ball that holds every lower minimiser of every data set of the same universe.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from numbers import Integral, Real
from typing import Any

import numpy as np

from dpsco.fast.doubles import DOUBLES
from dpsco.fast.linear import norm_of
from dpsco.fast.losses.bilevel.hypergradient import finite_value, newton_step, product, response
from dpsco.spec.losses.bilevel import hypergradient as spec
from dpsco.spec.numbers import names_of

Array = Any
Point = Callable[[Array, Array], Array]
Value = Callable[[Array, Array], float]
UP = 1 + 2.0**-40
"""Factor by which derived constants are rounded up."""
UNIT = 2.0**-53
NEWTON_LARGEST = 200
"""Dimension of y up to which a step solves a linear system; beyond it, accelerated gradient steps."""
NEWTON_STEPS = 200
GRADIENT_STEPS = 1_000_000


@dataclass(frozen=True, kw_only=True)
class Constants:
    """The constants of Assumptions 2.1 and 2.2 for every record of the universe, in the paper's names.

    Raises  ValueError where one is negative or not finite, or mu_g is not positive or exceeds beta_gyy
    """

    L_fx: float
    L_fy: float
    L_gy: float
    mu_g: float
    beta_gyy: float
    beta_fxx: float = 0.0
    beta_fxy: float = 0.0
    beta_fyy: float = 0.0
    beta_gxy: float = 0.0
    M_gxy: float = 0.0
    M_gyy: float = 0.0
    C_gxy: float = 0.0
    C_gyy: float = 0.0

    def __post_init__(self) -> None:
        for name, value in vars(self).items():
            if not (isinstance(value, Real) and 0 <= float(value) < math.inf):
                raise ValueError(f"{name}={value!r}: a constant is finite and at least 0")
        if not self.mu_g > 0:
            raise ValueError(f"mu_g={self.mu_g!r}: must be positive, the modulus of strong convexity of g in y")
        if not self.mu_g <= self.beta_gyy:
            raise ValueError(f"beta_gyy={self.beta_gyy!r}: must be at least mu_g={self.mu_g!r}")

    def derived(self, name: str) -> float:
        """The formula of that name in `dpsco.spec.losses.bilevel.hypergradient`, rounded up; ValueError beyond the doubles."""
        formula: Callable[..., Any] = getattr(spec, name)
        return finite_value(name, formula, DOUBLES, {each: getattr(self, each) for each in names_of(formula)}) * UP

    @property
    def C(self) -> float:
        """C of (11): |grad Phi_Z(x) - hypergradient(x, y)| <= C |y - y_Z(x)|."""
        return self.derived("approximation_constant")

    @property
    def K(self) -> float:
        """K of (12): |grad Phi_Z(x) - grad Phi_Z'(x)| <= 2K/n (K/n already suffices)."""
        return self.derived("sensitivity_constant")

    @property
    def L_bar(self) -> float:
        """|grad Phi_Z(x)| <= L_bar."""
        return self.derived("gradient_bound")

    @property
    def beta_Phi(self) -> float:
        """beta_Phi of (21): the Lipschitz constant of grad Phi_Z."""
        return self.derived("smoothness")


@dataclass(frozen=True, kw_only=True)
class Problem:
    """The means F_Z and G_Z over `records` records, and their derivatives, as functions of (x, y).

    upper, lower       F_Z, G_Z: a float
    upper_x, upper_y   grad_x F_Z (d_x), grad_y F_Z (d_y)
    lower_y, lower_yy  grad_y G_Z (d_y), grad_yy G_Z (d_y x d_y, symmetric)
    lower_xy           grad_xy G_Z times a vector of d_y entries, (x, y, v) -> d_x
    of_record          the problem of record i alone (n = 1), for checks of the assumptions, which speak of single records
    rounding           bound on the error of the computed lower_y, in norm; the default suffices for sums of n rows in doubles
    Raises             ValueError where a size or a radius is impossible
    """

    records: int
    d_x: int
    d_y: int
    constants: Constants
    radius: float
    upper: Value
    upper_x: Point
    upper_y: Point
    lower: Value
    lower_y: Point
    lower_yy: Point
    lower_xy: Callable[[Array, Array, Array], Array]
    x_radius: float = math.inf
    of_record: Callable[[int], "Problem"] | None = None
    rounding: float = field(default=-1.0)

    def __post_init__(self) -> None:
        for name in ("records", "d_x", "d_y"):
            if not (isinstance(getattr(self, name), Integral) and getattr(self, name) >= 1):
                raise ValueError(f"{name}={getattr(self, name)!r}: must be a whole number of at least 1")
        if not (isinstance(self.radius, Real) and 0 <= self.radius < math.inf):
            raise ValueError(f"radius={self.radius!r}: a ball that holds every lower minimiser, finite and at least 0")
        if not (isinstance(self.x_radius, Real) and self.x_radius > 0):
            raise ValueError(f"x_radius={self.x_radius!r}: must be positive (inf where the constants hold for every x)")
        if self.rounding < 0:
            terms, c = self.records + 4 * self.d_y + 64, self.constants
            object.__setattr__(self, "rounding", terms * UNIT * (c.L_gy + c.beta_gyy * self.radius))


def from_records(
    records: int,
    d_x: int,
    d_y: int,
    constants: Constants,
    radius: float,
    *,
    f: Callable[[Array, Array, int], float],
    f_x: Callable[[Array, Array, int], Array],
    f_y: Callable[[Array, Array, int], Array],
    g: Callable[[Array, Array, int], float],
    g_y: Callable[[Array, Array, int], Array],
    g_yy: Callable[[Array, Array, int], Array],
    g_xy: Callable[[Array, Array, int], Array],
    x_radius: float = math.inf,
) -> Problem:
    """A problem of one's own from functions of (x, y, i), i the record's index; g_xy gives the d_x x d_y matrix.

    What they give is checked when it is used: shape and finiteness, never the constants (see `assumptions.sampled_violation`).
    """

    def over(chosen: range) -> Problem:
        def mean(of: Callable[[Array, Array, int], Any]) -> Callable[[Array, Array], Any]:
            return lambda x, y: sum(np.asarray(of(x, y, i), dtype=np.float64) for i in chosen) / len(chosen)

        mixed = mean(g_xy)
        return Problem(
            records=len(chosen),
            d_x=d_x,
            d_y=d_y,
            constants=constants,
            radius=radius,
            x_radius=x_radius,
            upper=mean(f),
            upper_x=mean(f_x),
            upper_y=mean(f_y),
            lower=mean(g),
            lower_y=mean(g_y),
            lower_yy=mean(g_yy),
            lower_xy=lambda x, y, v: product("g_xy", mixed(x, y), d_x, v),
            of_record=lambda i: over(chosen[i : i + 1]),
        )

    if not (isinstance(records, Integral) and records >= 1):
        raise ValueError(f"records={records!r}: must be a whole number of at least 1")
    return over(range(int(records)))


def vector(name: str, value: Any, size: int, radius: float) -> Array:
    """The argument as finite doubles of that size in the ball; ValueError with its name otherwise."""
    v = np.ascontiguousarray(value, dtype=np.float64)
    if v.shape != (size,):
        raise ValueError(f"{name} has shape {v.shape}: must be ({size},)")
    if not np.isfinite(v).all():
        raise ValueError(f"{name}={v!r}: must be finite")
    if norm_of(v) > radius * UP:
        raise ValueError(f"{name} has norm {norm_of(v)!r}: must be at most {radius!r}, where the constants hold")
    return v


def finite(problem: Problem, name: str, x: Array, y: Array, *more: Array) -> Array:
    """What the problem's function of that name gives, in its shape and finite; ValueError with its name otherwise."""
    d_x, d_y = problem.d_x, problem.d_y
    wanted = {"upper_x": (d_x,), "lower_xy": (d_x,), "lower_yy": (d_y, d_y), "upper": (), "lower": ()}.get(name, (d_y,))
    found = np.asarray(getattr(problem, name)(x, y, *more), dtype=np.float64)
    if found.shape != wanted or not np.isfinite(found).all():
        raise ValueError(f"{name} gave {found!r} at x={x!r}, y={y!r}: must be finite, of shape {wanted}")
    return found


def into_radius(y: Array, radius: float) -> Array:
    """The nearest point of the ball: no farther from any lower minimiser."""
    length = norm_of(y)
    return y if length <= radius else y * (radius / length)


def solve(problem: Problem, x: Any, start: Any, accuracy: float) -> tuple[Array, float]:
    """A lower minimiser with proof: y with |y - y_Z(x)| <= error <= accuracy.

    error = (|grad_y G_Z(x, y)| + rounding)/mu_g, by strong convexity; y is then moved into the ball, which brings it no
    farther from the minimiser. Newton's method with a line search where d_y is small, else accelerated gradient descent.

    Domain   x: d_x, start: d_y in the ball, accuracy > 0 (inner)
    Returns  (y: d_y, error), in units of y
    Raises   ValueError for arguments outside, for functions that give a NaN, and where the accuracy is not reached: no answer
             is given without its guarantee
    Source   bilevel, Algorithm 1, line 3
    """
    at, y = vector("x", x, problem.d_x, problem.x_radius), vector("start", start, problem.d_y, problem.radius)
    if not (isinstance(accuracy, Real) and 0 < accuracy < math.inf):
        raise ValueError(f"accuracy={accuracy!r}: must be positive and finite")
    mu, target = problem.constants.mu_g, accuracy * problem.constants.mu_g - problem.rounding
    if not target > 0:
        least = problem.rounding / mu
        raise ValueError(f"accuracy={accuracy!r}: rounding allows no proof below {least!r} for this problem")
    y = _newton(problem, at, y, target) if problem.d_y <= NEWTON_LARGEST else _accelerated(problem, at, y, target)
    error = (norm_of(finite(problem, "lower_y", at, y)) + problem.rounding) / mu * UP
    if not error <= accuracy * UP:
        raise ValueError(f"accuracy={accuracy!r}: not reached, |y - y_Z(x)| is known to be at most {error!r} only")
    return into_radius(y, problem.radius), min(error, accuracy)


def _newton(problem: Problem, x: Array, y: Array, target: float) -> Array:
    """Steps until |grad_y G_Z| <= target, or none makes progress."""
    slope, at = finite(problem, "lower_y", x, y), finite(problem, "lower", x, y)
    for _ in range(NEWTON_STEPS):
        if norm_of(slope) <= target:
            break
        step = newton_step(finite(problem, "lower_yy", x, y), slope, x, y)
        length, descent = 1.0, float(slope @ step)
        while length > 1e-12:
            moved = y - length * step
            new, new_slope = finite(problem, "lower", x, moved), finite(problem, "lower_y", x, moved)
            # near the minimum the values are equal in doubles: there the gradient decides
            if new <= at - length * descent / 4 or 2 * norm_of(new_slope) <= norm_of(slope):
                break
            length /= 2
        else:
            break
        y, slope, at = moved, new_slope, new
    return y


def _accelerated(problem: Problem, x: Array, y: Array, target: float) -> Array:
    """Nesterov's method for condition number beta_gyy/mu_g; the best iterate where the target is not met in time."""
    L, mu = problem.constants.beta_gyy, problem.constants.mu_g
    root = math.sqrt(L / mu)
    momentum, patience = (root - 1) / (root + 1), 50 + int(20 * root)
    ahead, best, least, since = y, y, math.inf, 0
    for _ in range(GRADIENT_STEPS):
        slope = finite(problem, "lower_y", x, ahead)
        size = norm_of(slope)
        since = 0 if size < 0.9 * least else since + 1
        if size < least:
            best, least = ahead, size
        if least <= target or since > patience:
            break
        moved = ahead - slope / L
        y, ahead = moved, moved + momentum * (moved - y)
    return best


def hypergradient(problem: Problem, x: Any, y: Any) -> Array:
    """The approximate gradient barF_Z(x, y) of Phi_Z, within `constants.C` |y - y_Z(x)| of grad Phi_Z(x).

    barF_Z = grad_x F_Z - grad_xy G_Z [grad_yy G_Z]^{-1} grad_y F_Z at (x, y)

    Domain   x: d_x, y: d_y in the ball
    Returns  d_x numbers, loss/decision
    Raises   ValueError for arguments outside, for functions that give a NaN, for a Hessian that is not positive definite
    Source   bilevel, (9)
    """
    at, inner = vector("x", x, problem.d_x, problem.x_radius), vector("y", y, problem.d_y, problem.radius)
    g_x, g_y = finite(problem, "upper_x", at, inner), finite(problem, "upper_y", at, inner)
    weights = response(finite(problem, "lower_yy", at, inner), g_y)
    return g_x - finite(problem, "lower_xy", at, inner, weights)


def objective(problem: Problem, x: Any, start: Any, accuracy: float) -> tuple[float, float]:
    """Phi_Z(x) up to an error that is known.

    Domain   as for `solve`
    Returns  (F_Z(x, y), L_fy |y - y_Z(x)| at most), both in units of the loss
    Raises   ValueError as `solve` does
    """
    y, error = solve(problem, x, start, accuracy)
    at = vector("x", x, problem.d_x, problem.x_radius)
    return float(finite(problem, "upper", at, y)), problem.constants.L_fy * error
