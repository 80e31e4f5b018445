"""Hit-and-run for a convex loss on a convex body, in doubles: for any loss with a gradient, and for bilevel problems.

Nearly all of the time goes into values and gradients of the loss, which are Python functions; about three a step.
"""

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import count
from typing import Any

import numpy as np

from dpsco.fast.algorithms.exponential_sampling.mechanism import drawn
from dpsco.fast.doubles import DOUBLES
from dpsco.fast.kernel import bind
from dpsco.fast.linear import norm_of
from dpsco.fast.losses.bilevel.problem import Problem, finite, hypergradient, solve
from dpsco.spec.algorithms.exponential_sampling import convex_walk as spec

Array = Any
Loss = Callable[[Array], tuple[float, Array]]
"""The exponent (nats) and its gradient at a point."""
Pairs = Iterable[Any]
ROUNDING = 1e-9
"""Share of the exponents at hand by which a tangent may lie above the loss before that counts as a lack of convexity."""


@dataclass(frozen=True, kw_only=True)
class Body:
    """{x: Ax <= b, |x|_2 <= radius}; ValueError where shapes do not fit."""

    A: Array
    b: Array
    radius: float = math.inf

    def __post_init__(self) -> None:
        A, b = np.asarray(self.A, dtype=np.float64), np.asarray(self.b, dtype=np.float64)
        if A.ndim != 2 or b.shape != A.shape[:1] or not (np.all(np.isfinite(A)) and np.all(np.isfinite(b))):
            raise ValueError(f"A is m x d, b has m entries, all finite, got {A.shape} and {b.shape}")
        if not self.radius > 0:
            raise ValueError(f"radius={self.radius}: a positive number or inf is allowed")
        object.__setattr__(self, "A", A)
        object.__setattr__(self, "b", b)

    def holds(self, x: Array) -> bool:
        """Whether x is inside, to rounding at the ball."""
        return bool(np.all(self.A @ x <= self.b)) and float(norm_of(x)) <= self.radius * (1 + 1e-15)

    def chord(self, x: Array, v: Array) -> tuple[float, float]:
        """Ends of {t: x + t v inside} around 0; ValueError where there is none."""
        speed, slack = self.A @ v, np.maximum(self.b - self.A @ x, 0.0)
        up, down = speed > 0, speed < 0
        right = float(np.min(slack[up] / speed[up], initial=math.inf))
        left = float(np.max(slack[down] / speed[down], initial=-math.inf))
        if self.radius < math.inf:
            square, along = float(v @ v), float(x @ v)
            room = max(0.0, (self.radius - float(norm_of(x))) * (self.radius + float(norm_of(x))))
            root = math.sqrt(along * along + square * room)
            # of both roots the one without cancellation, the other from their product -room/square
            far = -(along + math.copysign(root, along)) / square
            near = -room / (square * far) if far != 0.0 else 0.0
            left, right = max(left, min(far, near)), min(right, max(far, near))
        if not right - left < math.inf:
            raise ValueError("the body is bounded along every direction, got a chord without end")
        return min(left, 0.0), max(right, 0.0)


def box(low: Any, high: Any) -> Body:
    """The box [low, high] as a body."""
    least, most = np.asarray(low, dtype=np.float64), np.asarray(high, dtype=np.float64)
    axes = np.eye(least.size)
    return Body(A=np.concatenate([axes, -axes]), b=np.concatenate([most, -least]))


def ball(d: int, radius: float) -> Body:
    """The Euclidean ball around 0 as a body."""
    return Body(A=np.empty((0, d)), b=np.empty(0), radius=radius)


def hull(t: Array, h: Array, s: Array, left: float, right: float) -> Array:
    """Knots of the largest of the tangents h + s (. - t), t increasing, with both ends."""
    gap, bend = np.diff(t), s[:-1] - s[1:]
    with np.errstate(divide="ignore", invalid="ignore"):
        cross = np.where(bend == 0, (t[:-1] + t[1:]) / 2, t[:-1] + (np.diff(h) - s[1:] * gap) / bend)
    knots = [left]
    for z in cross:
        if knots[-1] < z < right:
            knots.append(float(z))
    return np.array([*knots, right])


def place(tangent: Callable[[float], tuple[float, float]], left: float, right: float, pairs: Pairs, slack: float) -> float:
    """A point of [left, right] with density exp(-h), h convex, by adaptive rejection from tangents lowered by `slack`.

    Domain   tangent(t): h and its slope; left <= 0 <= right; pairs of numbers in (0, 1)
    Returns  t, exactly distributed in real arithmetic where the pairs are uniform and `slack` covers the errors of h
    Raises   ValueError where a lowered tangent lies above h (no convexity), or the pairs are not enough
    Source   Gilks and Wild 1992
    """
    at = sorted({left, 0.0, right})
    found = [(t, *tangent(t)) for t in at]
    tried = 0
    for uniform, coin in pairs:
        t, h, s = (np.array(column) for column in zip(*sorted(found), strict=True))
        knots = hull(t, h, s, left, right)
        heights = np.max(h[:, None] + s[:, None] * (knots[None, :] - t[:, None]), axis=0)
        point = float(drawn(knots, heights, float(uniform)))
        value, slope = tangent(point)
        below = float(np.max(h + s * (point - t))) - slack
        if below - value > ROUNDING * (1.0 + abs(value) + float(np.max(np.abs(s))) * (right - left)):
            raise ValueError(f"the loss is convex, got a tangent {below - value!r} nats above it: no envelope, no exact draw")
        if coin < math.exp(min(0.0, below - value)):
            return point
        found.append((point, value, slope))
        tried += 1
    raise ValueError(f"uniforms hold {tried} pairs for a step: not enough")


def steps(
    loss: Loss, body: Body, start: Any, directions: Any, pairs: Iterator[Pairs], slack: Callable[[float], float] = lambda _: 0.0
) -> Array:
    """Hit-and-run for exp(-loss) on the body, a step for each direction.

    Domain   loss(x): a convex exponent (nats) and its gradient; start inside: d; directions: T x d; pairs: for each step pairs
             of uniform numbers; slack: nats by which tangents are lowered on a chord of that length (decision)
    Returns  T x d (decision). Diagnostics of it certify nothing
    Raises   ValueError for shapes that do not fit, a start outside, a chord without end, a loss that shows itself not convex
    Source   as `walk`
    """
    x, V = np.array(start, dtype=np.float64).reshape(-1), np.asarray(directions, dtype=np.float64)
    if body.A.shape[1] != x.size or V.ndim != 2 or V.shape[1] != x.size:
        raise ValueError(f"the body, start and directions have one d, got {body.A.shape[1]}, {x.size} and {V.shape}")
    if not body.holds(x):
        raise ValueError(f"start lies in the body, got start={start}")
    if not np.all(np.any(V != 0, axis=1)):
        raise ValueError("directions are not zero, got one that is")
    path = np.empty(V.shape)
    for n, v in enumerate(V):
        left, right = body.chord(x, v)

        def tangent(t: float, x: Array = x, v: Array = v) -> tuple[float, float]:
            value, gradient = loss(x + t * v)
            return float(value), float(gradient @ v)

        if left < right:
            x = x + place(tangent, left, right, next(pairs), slack((right - left) * float(norm_of(v)))) * v
        path[n] = x
    return path


def walk(
    rows: Any,
    offsets: Any,
    weights: Any,
    k: float,
    mu: float,
    A: Any,
    b: Any,
    radius: float,
    start: Any,
    directions: Any,
    uniforms: Any,
) -> Any:
    R, o, w, U = (np.asarray(part, dtype=np.float64) for part in (rows, offsets, weights, uniforms))
    if R.ndim != 2 or not o.shape == w.shape == R.shape[:1] or U.ndim != 3 or len(U) != len(directions):
        raise ValueError(f"rows are r x d, offsets and weights r, uniforms T x R x 2, got {R.shape}, {o.shape}, {U.shape}")
    if not (k > 0 and mu >= 0 and np.all(w >= 0) and np.all(U > 0) and np.all(U < 1)):
        raise ValueError(f"k={k}, mu={mu}: k > 0, mu >= 0, weights >= 0 and uniforms in (0, 1) are allowed")

    def loss(x: Array) -> tuple[float, Array]:
        z = R @ x + o
        value = float(w @ (np.maximum(z, 0.0) + np.log1p(np.exp(-np.abs(z)))))
        share = np.where(z > 0, 1.0, np.exp(-np.abs(z))) / (1.0 + np.exp(-np.abs(z)))
        return k * (value + mu * float(x @ x) / 2), k * ((w * share) @ R + mu * x)

    return steps(loss, Body(A=A, b=b, radius=radius), start, directions, iter(U))


@dataclass(frozen=True, kw_only=True)
class Run:
    """A run for a bilevel problem: what it kept exactly is within `log_error` nats of the density asked for, everywhere."""

    path: Array
    log_error: float


def of_problem(
    problem: Problem, k: float, mu: float, body: Body, start: Any, directions: Any, generator: Any, accuracy: float = 1e-10
) -> Run:
    """Hit-and-run for exp(-k (Phi_Z + mu |x|^2/2)), Phi_Z convex on the body. For experiments: NOT private.

    Domain   k > 0, mu >= 0; a body inside |x| <= problem.x_radius; start, directions as `steps`; generator: numpy's; accuracy
             of the lower minimisers, each computed from 0, so that what is computed is one function of x
    Returns  the run, log_error = k L_fy accuracy
    Raises   ValueError as `steps` and `problem.solve`
    Source   bilevel, (4) and (5)
    """
    if not (0 < k < math.inf and 0 <= mu < math.inf):
        raise ValueError(f"k={k}, mu={mu}: k > 0 and mu >= 0, finite, are allowed")

    def loss(x: Array) -> tuple[float, Array]:
        y, _ = solve(problem, x, np.zeros(problem.d_y), accuracy)
        value = float(finite(problem, "upper", x, y)) + mu * float(x @ x) / 2
        return k * value, k * (hypergradient(problem, x, y) + mu * x)

    c = problem.constants

    def slack(length: float) -> float:
        return float(spec.tangent_slack(DOUBLES, k=k, L_fy=c.L_fy, C=c.C, inner_error=accuracy, length=length))

    pairs = ((generator.random(2) for _ in count()) for _ in count())
    return Run(path=steps(loss, body, start, directions, pairs, slack), log_error=k * c.L_fy * accuracy)


bind(walk, spec.walk)
