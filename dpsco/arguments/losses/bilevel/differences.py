"""Derivatives of bilevel objectives from values of f and g alone, by differences at 200 digits.

The judge has derivatives in closed form; here the lower problem is solved by Newton's method on differences of g, and the
gradient, its slope and the response are differences of the objective.
"""

from collections.abc import Callable, Mapping
from fractions import Fraction

from dpsco.arguments.losses.bilevel.attained_gradients import MANY, SCALE, Weights, instance
from dpsco.reference.numbers.mp import mp
from dpsco.spec.numbers import Numbers, Real

DIGITS = 200
NEAR = "1e-40"
"""Distance of the points between which differences are taken."""
Loss = Callable[[Real, Real], Real]
Values = Mapping[str, Real]


def given(m: Numbers, weights: Weights, mixed: Fraction, **more: str) -> Values:
    return {name: m.real(value) for name, value in instance(weights, SCALE, mixed, n=str(MANY), **more).items()}


def losses(m: Numbers, v: Values, mixed: Real) -> tuple[Loss, Loss]:
    """f and g of the common records, as `ALIGNED` and `REPLACED` describe them."""
    s = v["scale"]

    def f(x: Real, y: Real) -> Real:
        return -v["L"] * y + v["b"] * s**2 * (1 - m.cos((x + v["kappa"] * y) / s))

    def g(x: Real, y: Real) -> Real:
        u = (x + v["k"] * y) / s
        return v["mu"] * y**2 / 2 - v["c"] * mixed * m.sin(x / mixed) * y + v["gamma"] * s**3 * (u - m.sin(u))

    return f, g


def derivative(m: Numbers, of: Callable[[Real], Real], at: Real) -> Real:
    """Central difference."""
    h = m.real(NEAR)
    return (of(at + h) - of(at - h)) / (2 * h)


def bend(m: Numbers, of: Callable[[Real], Real], at: Real) -> Real:
    """Second difference: a mean of second derivatives, so no larger than some difference quotient of the first."""
    h = m.real(NEAR)
    return (of(at + h) - 2 * of(at) + of(at - h)) / h**2


def minimiser(m: Numbers, g: Loss, x: Real) -> Real:
    """The lower minimiser by Newton's method on differences."""
    y, smallest = m.real(0), m.real("1e-115")
    for _ in range(60):
        step = derivative(m, lambda t: g(x, t), y) / bend(m, lambda t: g(x, t), y)
        y -= step
        if abs(step) <= smallest:
            return y
    raise ArithmeticError(f"x={x}: the lower problem is not solved")


def approximate(m: Numbers, f: Loss, g: Loss, x: Real, y: Real) -> Real:
    """barF(x, y) by differences of f and g."""
    h = m.real(NEAR)
    G_xy = (g(x + h, y + h) - g(x + h, y - h) - g(x - h, y + h) + g(x - h, y - h)) / (4 * h**2)
    G_yy = bend(m, lambda t: g(x, t), y)
    return derivative(m, lambda t: f(t, y), x) - G_xy / G_yy * derivative(m, lambda t: f(x, t), y)


def neighbours(m: Numbers, v: Values) -> tuple[tuple[Loss, Loss, Loss], tuple[Loss, Loss, Loss]]:
    """F_Z, G_Z and the replaced record's f, for both data sets of `REPLACED`."""
    s, n = v["scale"], v["n"]
    f, g = losses(m, v, s)

    def own_f(x: Real, y: Real) -> Real:
        return f(x, y) + 2 * v["L"] * y + v["p"] * x

    def own_g(x: Real, y: Real) -> Real:
        turned = (v["H"] - v["mu"]) * y**2 / 2 + 2 * v["c"] * s * m.sin(x / s) * y
        return g(x, y) + turned - v["q"] * y

    def other_f(x: Real, y: Real) -> Real:
        return f(x, y) - v["p"] * x

    def other_g(x: Real, y: Real) -> Real:
        return g(x, y) + v["q"] * y

    def mean(common: Loss, single: Loss) -> Loss:
        return lambda x, y: ((n - 1) * common(x, y) + single(x, y)) / n

    return (mean(f, own_f), mean(g, own_g), own_f), (mean(f, other_f), mean(g, other_g), other_f)


def change(weights: Weights, of: str, **more: str) -> tuple[Values, Real]:
    """The problem's numbers, and the change of the gradient or of the response, or a record's gradient, by differences."""
    m = mp(DIGITS)
    v = given(m, weights, SCALE, **more)
    (F, G, _), (F2, G2, single) = neighbours(m, v)
    zero = m.real(0)
    pairs = ((F, G), (F2, G2))

    def at_minimiser(upper: Loss, lower: Loss) -> Callable[[Real], Real]:
        return lambda x: upper(x, minimiser(m, lower, x))

    if of == "gradient":
        first, second = (derivative(m, at_minimiser(*pair), zero) for pair in pairs)
        return v, abs(first - second)
    if of == "record":
        return v, abs(derivative(m, at_minimiser(single, G2), zero))
    first, second = (derivative(m, at_minimiser(lambda x, y: y, lower), zero) for _, lower in pairs)
    return v, abs(first - second)
