"""The hard bilevel instance of the lower bounds, literally, and the chances of private answers that know few bits."""

from collections.abc import Sequence

from dpsco.spec.numbers import Numbers, Real

Vector = Sequence[Real]


def mean_record(m: Numbers, data: Sequence[Vector]) -> list[Real]:
    """Zbar, the mean of the records. Domain: at least one record, all of one length."""
    return [sum(column[1:], start=column[0]) / len(data) for column in zip(*data, strict=True)]


def lower_minimiser(m: Numbers, x: Vector, zeta: Real) -> list[Real]:
    """argmin over y of (mu_g/2)|y - zeta x|^2 = zeta x."""
    return [zeta * a for a in x]


def objective(m: Numbers, x: Vector, data: Sequence[Vector], slope: Real, zeta: Real) -> Real:
    """Phi_Z(x) = mean over z of -slope <y_Z(x), z>, y_Z(x) the lower minimiser.

    Domain   x, records of one length
    Returns  in units of the loss
    Source   bilevel paper, proof of Theorem B.17, case 1
    """
    y = lower_minimiser(m, x, zeta)
    return sum((-slope * m.dot(y, z) for z in data), start=m.real(0)) / len(data)


def excess(m: Numbers, x: Vector, data: Sequence[Vector], slope: Real, zeta: Real, radius: Real) -> Real:
    """Phi_Z(x) less its least value over the ball of this radius, at radius Zbar/|Zbar|.

    Domain   Zbar not zero, radius > 0
    Returns  in units of the loss
    """
    mean = mean_record(m, data)
    norm = m.norm(mean)
    best = [radius * a / norm for a in mean]
    return objective(m, x, data, slope, zeta) - objective(m, best, data, slope, zeta)


def steepest_lower_slope(m: Numbers, mu_g: Real, zeta: Real, radius_x: Real, radius_y: Real) -> Real:
    """Largest |grad_y g| = mu_g |y - zeta x| over two balls around the origin: x and y opposite, on the boundaries."""
    return mu_g * (radius_y + zeta * radius_x)


def chance_of_wrong_sign(m: Numbers, epsilon: Real) -> Real:
    """Randomised response on one bit of the data. epsilon-DP for every bit; 1/(1 + e^epsilon)."""
    return 1 / (1 + m.exp(epsilon))


def chance_of_wrong_count(m: Numbers, epsilon: Real, beyond: int = 0) -> Real:
    """Two-sided geometric noise on a count that one record moves by one: chance that it exceeds `beyond` in size.

    2 e^{-epsilon (beyond + 1)}/(1 + e^{-epsilon})

    Domain   epsilon > 0, beyond >= 0
    """
    return 2 * m.exp(-epsilon * (beyond + 1)) / (1 + m.exp(-epsilon))


def risk_of_named_point(m: Numbers, points: Real, epsilon: Real) -> Real:
    """Expected excess, over the range of a convex objective on an interval, of randomised response among equally spaced points.

    1/(points - 1) + (points - 1)/(e^epsilon + points - 1)

    Some point is within 1/(points - 1) of the range of the least value: {excess <= a range} holds x* + a (X - x*), an interval
    of a times the length. The best point is named with probability e^epsilon/(e^epsilon + points - 1), else the loss is at
    most the range. Every pair of data sets has odds at most e^epsilon: epsilon-DP.

    Domain   points >= 2, epsilon > 0
    """
    return 1 / (points - 1) + (points - 1) / (m.exp(epsilon) + points - 1)
