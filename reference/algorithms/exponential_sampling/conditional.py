"""A draw from an interval whose exponent is quadratic or linear, literally: bisection of the distribution function."""

from dpsco.reference.literal import literal
from dpsco.spec.algorithms.exponential_sampling import conditional as spec
from dpsco.spec.numbers import Numbers, Real

HALVINGS = 64


def mass(m: Numbers, p: Real, q: Real, low: Real, high: Real) -> Real:
    """Integral of exp(-(p t + q t^2/2)) over [low, high], less a common factor that only p and q determine.

    Domain   q >= 0, low <= high
    Returns  a positive number: Phi((high + p/q) sqrt(q)) - Phi((low + p/q) sqrt(q)), in the tail that loses nothing; for q = 0
             the integral itself, times e^{p low}
    """
    if m.eq(q, 0):
        return high - low if m.eq(p, 0) else -m.expm1(-p * (high - low)) / p
    a, b = (low + p / q) * m.sqrt(q), (high + p / q) * m.sqrt(q)
    return m.Phi(-a) - m.Phi(-b) if m.gt(a, 0) else m.Phi(b) - m.Phi(a)


@literal(spec.conditional)
def conditional(m: Numbers, p: Real, q: Real, low: Real, high: Real, uniform: Real) -> Real:
    whole = mass(m, p, q, low, high)
    left, right = low, high
    for _ in range(HALVINGS):
        middle = (left + right) / 2
        # the tail in hand is that of the whole interval: both parts share its factor
        if m.le(mass(m, p, q, low, middle), uniform * whole):
            left = middle
        else:
            right = middle
    return (left + right) / 2
