"""Bilevel problems with quadratic levels and Hessians that depend on the data.

    f(x, y, z) = <a, x> + <b, y> + x'B y + y'C y/2,    g(x, y, z) = y'H y/2 - y'(P x + q)

with a record z = (a, b, B, C, H, P, q), C and H symmetric, H positive definite. The lower minimiser is the solution of one
linear system with the mean Hessian, which two data sets do not share.
"""

from random import Random

from dpsco.spec.contract import FINITE, SUM_SCALED, Inputs, contract
from dpsco.spec.expressions import symbols
from dpsco.spec.numbers import Numbers, Real

P, mu_g, q, x_radius = symbols("P mu_g q x_radius")

NAMES = ("a", "b", "B", "C", "H", "P", "q")


radius = (P * x_radius + q) / mu_g
"""Of a ball that holds every lower minimiser: |H^{-1}(P x + q)| for means, P and q standing for largest norms."""


def constants(
    m: Numbers, a: Real, b: Real, B: Real, C: Real, H: Real, P: Real, q: Real, x_radius: Real, mu_g: Real
) -> dict[str, Real]:
    """Of Assumptions 2.1 and 2.2 where |x| <= x_radius and |y| <= radius, from the largest operator norms among the records.

    grad_x f = a + B y, grad_y f = b + B'x + C y, grad_y g = H y - P x - q; the mixed derivative of g is -P' and all second
    derivatives are constant. Those not named are 0.
    """
    ball = radius(m, P=P, q=q, x_radius=x_radius, mu_g=mu_g)
    return {
        "L_fx": a + B * ball,
        "L_fy": b + B * x_radius + C * ball,
        "L_gy": H * ball + P * x_radius + q,
        "mu_g": mu_g,
        "beta_gyy": H,
        "beta_fxy": B,
        "beta_fyy": C,
        "beta_gxy": P,
    }


def any_records(random: Random) -> Inputs:
    """A few records, d_x and d_y from 1 to 5, Hessians that do not commute, condition up to about 1e4."""
    n, d_x, d_y = random.choice((1, 2, 5)), random.choice((1, 2, 3)), random.choice((1, 2, 5))

    def matrix(rows: int, columns: int) -> list[list[float]]:
        return [[random.gauss(0, 1) for _ in range(columns)] for _ in range(rows)]

    def symmetric(ridge: float) -> list[list[float]]:
        half = matrix(d_y, d_y)
        return [[sum(s * t for s, t in zip(u, v, strict=True)) + ridge * (u is v) for v in half] for u in half]

    ridge = 10 ** random.uniform(-3, 1)
    return {
        "x": [random.gauss(0, 1) for _ in range(d_x)],
        "a": matrix(n, d_x),
        "b": matrix(n, d_y),
        "B": [matrix(d_x, d_y) for _ in range(n)],
        "C": [symmetric(0.0) for _ in range(n)],
        "H": [symmetric(ridge) for _ in range(n)],
        "P": [matrix(d_y, d_x) for _ in range(n)],
        "q": matrix(n, d_y),
    }


@contract(metric=SUM_SCALED, range=(FINITE, FINITE), generate=any_records)
def objective_gradient(
    x: object, a: object, b: object, B: object, C: object, H: object, P: object, q: object
) -> tuple[object, object]:
    """The lower minimiser of the means, and the gradient of Phi_Z there.

    y = H^{-1}(P x + q),    grad Phi_Z = a + B y + P'H^{-1}(b + B'x + C y)

    Domain   x: d_x; a: n x d_x, b, q: n x d_y, B: n x d_x x d_y, C, H: n x d_y x d_y, symmetric, H positive definite, P: n x
             d_y x d_x
    Returns  (y: d_y, grad Phi_Z: d_x); the errors are measured against the sums of |terms|, each linear system with
             |H^{-1}| (|H| |solution| + |right side|)
    Raises   ValueError for shapes that do not fit, and for a mean Hessian that is not positive definite
    Source   bilevel, (9)
    """
