"""Exponential descent in doubles: one pass over the records a step, nothing stored but the iterates.

Symbols: B the model, rows of Bhat one after the other; g the gradient at B; w the maximiser inside the smoothed loss; v a
direction. The mean over the records is taken once, after the sum.
"""

import math
from typing import Any

import numpy as np

from dpsco.fast.kernel import bind, kernel
from dpsco.fast.linear import norm_of
from dpsco.spec.algorithms.exponential_descent import algorithm as spec

Array = Any


@kernel()
def best_decision(ball: bool, c: Array, radius: float, w: Array) -> None:
    """w = w*(c), of least norm."""
    size = norm_of(c) if ball else 1.0
    for j in range(c.size):
        if ball:
            w[j] = -radius * (c[j] / size) if size > 0.0 else 0.0
        else:
            w[j] = -radius if c[j] > 0.0 else radius if c[j] < 0.0 else 0.0


@kernel()
def project(ball: bool, w: Array, radius: float) -> None:
    """The nearest point of S, in place."""
    size = norm_of(w) if ball else 0.0
    for j in range(w.size):
        if ball:
            w[j] = radius * (w[j] / size) if size > radius else w[j]
        else:
            w[j] = max(-radius, min(radius, w[j]))


@kernel()
def gradient(ball: bool, C: Array, X: Array, mu: float, radius: float, B: Array, g: Array) -> None:
    """g = gradient at B of the mean smoothed SPO+ loss."""
    n, d = C.shape
    p = X.shape[1]
    w, best = np.zeros(d), np.zeros(d)
    g[:] = 0.0
    for i in range(n):
        for j in range(d):
            predicted = 0.0
            for k in range(p):
                predicted += B[j * p + k] * X[i, k]
            w[j] = (C[i, j] - 2.0 * predicted) / mu
        project(ball, w, radius)
        best_decision(ball, C[i], radius, best)
        for j in range(d):
            slope = 2.0 * (best[j] - w[j])
            for k in range(p):
                g[j * p + k] += slope * X[i, k]
    for j in range(g.size):
        g[j] /= n


@kernel()
def path(
    ball: bool,
    C: Array,
    X: Array,
    Z: Array,
    u: Array,
    epsilon: float,
    eta: float,
    mu: float,
    radius: float,
    public_norm: float,
) -> Array:
    """B_1, ..., B_T as rows."""
    steps, size = Z.shape
    found, g = np.zeros((steps + 1, size)), np.zeros(size)
    favoured = 1.0 / (1.0 + math.exp(-epsilon))
    for t in range(steps):
        gradient(ball, C, X, mu, radius, found[t], g)
        side = 0.0
        for j in range(size):
            side += Z[t, j] * g[j]
        along = u[t] < favoured
        flip = side < 0.0 if along else side > 0.0
        length = eta * (public_norm if public_norm > 0.0 else norm_of(g)) / norm_of(Z[t])
        for j in range(size):
            found[t + 1, j] = found[t, j] + length * Z[t, j] if flip else found[t, j] - length * Z[t, j]
    return found


def descend(
    shape: str,
    costs: Array,
    features: Array,
    normals: Array,
    uniforms: Array,
    epsilon: float,
    eta: float,
    mu: float,
    radius: float,
    public_norm: float,
) -> Array:
    C, X, u = (np.ascontiguousarray(a, dtype=np.float64) for a in (costs, features, uniforms))
    Z = np.ascontiguousarray(normals, dtype=np.float64).reshape(len(u), C.shape[1] * X.shape[1])
    scalars = (float(epsilon), float(eta), float(mu), float(radius), float(public_norm))
    return path(_is_ball(shape), C, X, Z, u, *scalars)


def predict(iterates: Array, feature: Array, bound: float) -> Array:
    x = np.asarray(feature, dtype=np.float64)
    average = np.asarray(iterates, dtype=np.float64).mean(axis=0)
    size = norm_of(average)
    return (average * (bound / size) if size > bound else average).reshape(-1, x.size) @ x


def decide(shape: str, cost: Array, radius: float) -> Array:
    c = np.ascontiguousarray(cost, dtype=np.float64)
    w = np.zeros(c.size)
    best_decision(_is_ball(shape), c, float(radius), w)
    return w


def _is_ball(shape: str) -> bool:
    if shape not in spec.SHAPES:
        raise ValueError(f"shape={shape!r}: must be one of {', '.join(spec.SHAPES)}")
    return shape == "ball"


for _function, _contract in ((descend, spec.descend), (predict, spec.predict), (decide, spec.decide)):
    bind(_function, _contract)
