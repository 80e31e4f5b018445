"""The generalised Moreau envelope of the check loss, literally: the infimum sought where its derivative in x vanishes."""

from collections.abc import Callable

from dpsco.reference.literal import literal
from dpsco.reference.losses.moreau.envelope import check_loss
from dpsco.spec.losses.moreau import generalised as spec
from dpsco.spec.numbers import Numbers, Real

FORMULAS: dict[str, Callable[..., Real]] = {
    "squared_norm": spec.squared_norm,
    "huber": spec.huber,
    "hellinger": spec.hellinger,
}


def function(m: Numbers, phi: str, w: Real, beta: Real) -> Real:
    """phi(w) on the line, from the table's formula in |w|. Source: newsvendor, Table EC.3."""
    if phi not in FORMULAS:
        raise spec.unknown(phi)
    return FORMULAS[phi](m, x_norm=m.abs(w), beta=beta)


def slope(m: Numbers, phi: str, w: Real, beta: Real) -> Real:
    """phi'(w): beta w; beta w cut off at -beta and beta; beta w / sqrt(1 + w^2)."""
    match phi:
        case "squared_norm":
            return beta * w
        case "huber":
            return beta * m.max(m.min(w, m.real(1)), m.real(-1))
        case "hellinger":
            return beta * w / m.sqrt(1 + w**2)
    raise spec.unknown(phi)


def stationary(m: Numbers, phi: str, s: Real, beta: Real) -> Real:
    """Where phi' first takes the value s >= 0; infinite where it never does.

    Domain   s >= 0, beta > 0
    Returns  w >= 0 with phi'(w) = s, no unit
    """
    if phi == "squared_norm":
        return s / beta
    if m.gt(s, beta) or (phi == "hellinger" and m.eq(s, beta)):
        return m.inf
    return s / beta if phi == "huber" else s / m.sqrt(beta**2 - s**2)


def objective(m: Numbers, phi: str, u: Real, x: Real, h: Real, r: Real, beta: Real) -> Real:
    """What the envelope minimises over x. Source: newsvendor, (EC.42)."""
    return check_loss(m, x, r) + h * function(m, phi, (u - x) / h, beta)


@literal(spec.value)
def value(m: Numbers, phi: str, u: Real, h: Real, r: Real, beta: Real) -> Real:
    right, left = u - h * stationary(m, phi, r, beta), u + h * stationary(m, phi, 1 - r, beta)
    points = [m.real(0)]  # convex in x, falling on the left of every minimiser and rising on its right
    points += [x for x, here in ((right, m.gt(right, m.real(0))), (left, m.lt(left, m.real(0)))) if here]
    return m.min(*(objective(m, phi, u, x, h, r, beta) for x in points))


@literal(spec.derivative)
def derivative(m: Numbers, phi: str, u: Real, h: Real, r: Real, beta: Real) -> Real:
    return m.max(r - 1, m.min(r, slope(m, phi, u / h, beta)))


def gap(m: Numbers, phi: str, u: Real, h: Real, r: Real, beta: Real) -> Real:
    """Envelope minus loss. Source: newsvendor, Lemma EC.5, part 3."""
    return value(m, phi, u, h, r, beta) - check_loss(m, u, r)
