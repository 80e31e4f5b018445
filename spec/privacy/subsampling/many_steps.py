"""Many steps of the subsampled Gaussian mechanism: what they need together."""

from random import Random

from dpsco.spec.contract import PROBABILITY, SUM_SCALED, Inputs, contract
from dpsco.spec.expressions import expm1, sqrt, symbols

mu, q, steps = symbols("mu q steps")

HARD: tuple[Inputs, ...] = tuple(
    {"epsilon": epsilon, "mu": mu, "q": q, "steps": steps}
    for epsilon, mu, q, steps in (
        (1.82824, 1.0, 0.01, 1000),
        (0.555, 1.0, 0.001, 10_000),
        (6.77, 1.0, 0.0002, 25_000_000),
        (4.5413, 0.25, 0.01, 100_000),
        (2.9131, 2 / 3, 0.05, 100),
        (0.0, 0.5, 0.1, 3000),
        (40.0, 0.1, 0.9, 2000),
    )
)


def any_run(random: Random) -> Inputs:
    """A run of DP-SGD, and an epsilon on the scale of its central limit."""
    mu, steps = 10 ** random.uniform(-1, -0.1), round(10 ** random.uniform(3, 6))
    total = 10 ** random.uniform(-0.5, 0.5)
    q = min(0.9, max(total / (steps * (2.718281828459045 ** (mu * mu) - 1)) ** 0.5, 1e-5))
    return {"epsilon": total * random.uniform(0, 4) + total**2 / 2, "mu": mu, "q": q, "steps": steps}


@contract(metric=SUM_SCALED, range=PROBABILITY, generate=any_run, hard=HARD)
def remove(epsilon: float, mu: float, q: float, steps: int) -> float:
    """Least delta of T steps, (1 - q) N(0, 1) + q N(mu, 1) against N(0, 1) in each.

    delta = (1/2 pi) integral over s = c + iu of M(s)^T e^{-(s-1) epsilon} / (s (s-1)) for any c > 1
    M(s) = integral of phi(x) l(x)^s, l(x) = 1 - q + q e^{mu x - mu^2/2}

    Domain   epsilon >= 0 (nats), mu > 0, 0 < q < 1, steps >= 2
    Returns  delta, a probability; nan where the sums would be too long
    Source   Zhu, Dong and Wang 2022, Theorem 10 (composition); the inversion is proved in `reference`
    """


@contract(metric=SUM_SCALED, range=PROBABILITY, generate=any_run, hard=HARD)
def add(epsilon: float, mu: float, q: float, steps: int) -> float:
    """Least delta of T steps, N(0, 1) against (1 - q) N(0, 1) + q N(mu, 1) in each.

    As `remove`, with M(s) = integral of phi(x) l(x)^{1-s}

    Domain   epsilon >= 0 (nats), mu > 0, 0 < q < 1, steps >= 2
    Returns  delta, a probability; nan where the sums would be too long
    """


@contract(metric=SUM_SCALED, range=PROBABILITY, generate=any_run, hard=HARD[2:])
def replace(epsilon: float, mu: float, q: float, steps: int) -> float:
    """Delta of T steps of the pair that dominates a replaced record.

    As `remove`, with M(s) = (1 - q)(1 - 2 Phi(-mu/2)) + integral over x > mu/2 of phi(x) (l(x)^s + l(x)^{1-s})

    Domain   epsilon >= 0 (nats), mu > 0, 0 < q < 1, steps >= 2
    Returns  delta, a probability; nan where the sums would be too long
    """


central_limit = q * sqrt(steps * expm1(mu**2))
"""mu of the Gaussian mechanism that many such steps tend to, as steps grow with q sqrt(steps) held.

mu_total = q sqrt(steps (e^{mu^2} - 1))

Source   Bu, Dong, Long and Su 2020, Theorem 5: an approximation, no bound
"""
