"""Least delta of many subsampled Gaussian steps, in doubles: the tilted inversion by two sums.

One step's loss becomes a list of weights and values (Gauss and Legendre's rule on panels of x; an atom is one more), the
integral over u a sum whose step and length come from the tilted standard deviation and from the integrand itself. ln M is
taken as log1p of the sum of w (e^{s y} - 1), which loses nothing where a step hardly matters, however many there are.
"""

import math
from typing import Any

import numpy as np

from dpsco.fast.kernel import bind, kernel
from dpsco.fast.quadrature import legendre
from dpsco.spec.privacy.subsampling import many_steps as spec

NODES, WEIGHTS = legendre(24)
OUT = -46.0
"""ln of what is left out beyond the ends, against what is sought."""
SMALL = -40.0
"""ln of the terms that end the sum, against the first."""
MOST = 400_000
"""Terms of the sum over u."""
REMOVE, ADD, REPLACE = 0, 1, 2
ROOT_2_PI = math.sqrt(2.0 * math.pi)


@kernel()
def _log_ratio(mu: float, q: float, x: float) -> float:
    t = mu * (x - 0.5 * mu)
    return math.log1p(q * math.expm1(t)) if t < 600.0 else t + math.log(q)


@kernel()
def _loss(mu: float, q: float, pair: int, log_out: float, fine: float) -> Any:
    """Weights and values of one step's loss, the ends chosen so that about e^log_out is left out."""
    far = math.sqrt(max(1.0, -2.0 * log_out))
    low = 0.5 * mu if pair == REPLACE else -far
    high = far
    if pair != ADD:
        high = max(far, mu + math.sqrt(max(1.0, -2.0 * (log_out - math.log(q)))))
    panels = math.ceil((high - low) * max(1.0, 0.7 * mu) * fine)
    count = panels * NODES.size
    kinds = 2 if pair == REPLACE else 1
    weights, values = np.empty(kinds * count + kinds - 1), np.empty(kinds * count + kinds - 1)
    for i in range(count):
        width = (high - low) / panels
        x = low + width * (i // NODES.size + NODES[i % NODES.size])
        y, w = _log_ratio(mu, q, x), width * WEIGHTS[i % NODES.size] * math.exp(-0.5 * x * x) / ROOT_2_PI
        if pair == ADD:
            weights[i], values[i] = w * math.exp(y), -y
        else:
            weights[i], values[i] = w, y
        if pair == REPLACE:
            weights[count + i], values[count + i] = w * math.exp(y), -y
    if pair == REPLACE:
        weights[2 * count], values[2 * count] = (1.0 - q) * math.erf(mu / math.sqrt(8.0)), 0.0
    return weights, values


@kernel()
def _excess(weights: Any, values: Any, s: float) -> float:
    """M(s) - 1."""
    total = 0.0
    for i in range(weights.size):
        total += weights[i] * math.expm1(s * values[i])
    return total


@kernel()
def _height(weights: Any, values: Any, steps: float, k: float, away: float) -> float:
    """ln of the integrand on the real axis, c = 1 + away."""
    return steps * math.log1p(_excess(weights, values, 1.0 + away)) - away * k - math.log(away * (1.0 + away))


@kernel()
def _tilt(weights: Any, values: Any, steps: float, k: float) -> float:
    """The c - 1 that minimises it, about."""
    high = 1e-6
    while high < 1e12 and _height(weights, values, steps, k, 2.0 * high) < _height(weights, values, steps, k, high):
        high *= 2.0
    low, high = 0.5 * high, 2.0 * high
    for _ in range(30):
        first, second = low + 0.382 * (high - low), low + 0.618 * (high - low)
        if _height(weights, values, steps, k, first) < _height(weights, values, steps, k, second):
            high = second
        else:
            low = first
    return 0.5 * (low + high)


@kernel()
def _scale(weights: Any, values: Any, steps: float, c: float) -> float:
    """Standard deviation of the sum under the tilted law."""
    mass, mean, square = 0.0, 0.0, 0.0
    for i in range(weights.size):
        w = weights[i] * math.exp(c * values[i])
        mass += w
        mean += w * values[i]
        square += w * values[i] * values[i]
    return math.sqrt(steps * max(square / mass - (mean / mass) ** 2, 0.0))


@kernel()
def _alias(weights: Any, values: Any, steps: float, k: float, away: float, period: float) -> float:
    """ln of about what the sum over u adds, by Chernoff on both sides."""
    worst = -math.inf
    for side in (-1.0, 1.0):
        least = math.inf
        for j in range(40):
            step = 2.0 ** (0.5 * j - 2.0) / period
            other = max(0.0, away - step) if side < 0 else away + step
            value = steps * math.log1p(_excess(weights, values, 1.0 + other)) - other * k - abs(other - away) * period
            if not value < least + 1.0:
                break
            least = min(least, value)
            if other == 0.0:
                break
        worst = max(worst, least)
    return worst


@kernel()
def _sum(weights: Any, values: Any, steps: float, k: float, away: float, eta: float) -> float:
    """(eta / pi) Re of the sum of M(s)^T e^{-(s-1) k} / (s (s-1)), over what it is on the axis; nan if it does not end."""
    c, base = 1.0 + away, _excess(weights, values, 1.0 + away)
    tilted = np.empty(weights.size)
    for i in range(weights.size):
        tilted[i] = weights[i] * math.exp(c * values[i]) / (1.0 + base)
    total, quiet = 0.5 / (c * away), 0
    for j in range(1, MOST):
        u, re, im = j * eta, 0.0, 0.0
        for i in range(tilted.size):
            turn = u * values[i]
            half = math.sin(0.5 * turn)
            re -= 2.0 * tilted[i] * half * half
            im += tilted[i] * math.sin(turn)
        size = 0.5 * steps * math.log1p(2.0 * re + re * re + im * im)
        angle = steps * math.atan2(im, 1.0 + re) - u * k
        bottom = complex(c, u) * complex(away, u)
        total += math.exp(size) * (complex(math.cos(angle), math.sin(angle)) / bottom).real
        quiet = quiet + 1 if size - math.log(abs(bottom) * c * away) < SMALL else 0
        if quiet > 8:
            return total * eta / math.pi
    return math.nan


@kernel()
def _delta(epsilon: float, mu: float, q: float, steps: float, pair: int) -> float:
    if not (epsilon >= 0.0 and mu > 0.0 and 0.0 < q < 1.0 and steps >= 2.0):
        return math.nan
    if pair == ADD and epsilon >= -steps * math.log1p(-q):
        return 0.0
    log_delta = -30.0
    for _ in range(20):
        weights, values = _loss(mu, q, pair, log_delta + OUT - math.log(steps), 1.0)
        away = _tilt(weights, values, steps, epsilon)
        height = _height(weights, values, steps, epsilon, away)
        bend = (
            _height(weights, values, steps, epsilon, 1.01 * away) + _height(weights, values, steps, epsilon, 0.99 * away)
        ) - 2 * height
        scale = math.sqrt(max(bend, 1e-12)) / (0.01 * away)
        found = height - math.log(scale) - 1.0
        if found > log_delta - 1.0:
            break
        log_delta = found - 1.0
    period = 4.0 * scale
    while period < 1e9 * scale and _alias(weights, values, steps, epsilon, away, period) > found + SMALL:
        period *= 1.3
    reach = 0.0
    for i in range(values.size):
        reach = max(reach, abs(values[i]))
    weights, values = _loss(mu, q, pair, log_delta + OUT - math.log(steps), min(20.0, 1.0 + 0.02 * 10.0 / scale * reach))
    total = _sum(weights, values, steps, epsilon, away, 2.0 * math.pi / period)
    front = steps * math.log1p(_excess(weights, values, 1.0 + away)) - away * epsilon
    return min(1.0, max(0.0, total * math.exp(front)))


def remove(epsilon: float, mu: float, q: float, steps: int) -> float:
    return float(_delta(float(epsilon), float(mu), float(q), float(steps), REMOVE))


def add(epsilon: float, mu: float, q: float, steps: int) -> float:
    return float(_delta(float(epsilon), float(mu), float(q), float(steps), ADD))


def replace(epsilon: float, mu: float, q: float, steps: int) -> float:
    return float(_delta(float(epsilon), float(mu), float(q), float(steps), REPLACE))


for _function, _contract in ((remove, spec.remove), (add, spec.add), (replace, spec.replace)):
    bind(_function, _contract)
