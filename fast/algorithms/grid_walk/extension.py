"""Gauge, gauge penalty and Lipschitz extension in doubles: the extension by an active-set method.

A face is a list of tight rows and of pieces of f that are equal to the first of them. On its affine hull the best point is
known (see the reference); a step goes there, or as far as a row or a piece that was not in the list allows, which joins it.
At the best point multipliers say which one leaves. Rows come first in the numbering: k < m a row, m + k a piece.
"""

import math
from typing import Any

import numpy as np

from dpsco.fast.kernel import bind, kernel
from dpsco.fast.linear import norm_of
from dpsco.spec.algorithms.grid_walk import extension as spec

Array = Any
STILL = 1e-13
"""A step below this share of the lengths at hand is none."""
NEGATIVE = -1e-10
"""Multipliers above count as not negative, in units of the Lipschitz constant."""


@kernel()
def dot(a: Array, b: Array) -> float:
    """<a, b>, in order: array expressions would each be compiled for a quarter of a second and more."""
    total = 0.0
    for j in range(b.size):
        total += a[j] * b[j]
    return total


@kernel()
def largest_affine(A: Array, b: Array, theta: Array) -> float:
    """f(theta) = max_k (<A_k, theta> + b_k)."""
    best = -math.inf
    for k in range(b.size):
        total = b[k]
        for j in range(theta.size):
            total += A[k, j] * theta[j]
        best = max(best, total)
    return best


@kernel()
def gauge_at(rows: Array, bounds: Array, radius: float, theta: Array) -> float:
    most = norm_of(theta) / radius
    for i in range(bounds.size):
        most = max(most, dot(rows[i], theta) / bounds[i])
    return most


@kernel()
def normal(A: Array, rows: Array, first: int, which: int, found: Array) -> None:
    """The gradient of a constraint: a row, or a piece less the first one."""
    m = rows.shape[0]
    for j in range(found.size):
        found[j] = rows[which, j] if which < m else A[which - m, j] - A[first, j]


@kernel()
def multipliers(N: Array, count: int, g: Array, found: Array) -> bool:
    """found minimises |g + sum_i found_i N_i|: normal equations by elimination; False where they are singular."""
    H = np.empty((count, count + 1))
    for i in range(count):
        for k in range(count):
            H[i, k] = dot(N[i], N[k])
        H[i, count] = -dot(N[i], g)
    for i in range(count):
        best = i
        for k in range(i + 1, count):
            if abs(H[k, i]) > abs(H[best, i]):
                best = k
        if H[best, i] == 0.0:
            return False
        for k in range(count + 1):
            H[i, k], H[best, k] = H[best, k], H[i, k]
        for k in range(i + 1, count):
            share = H[k, i] / H[i, i]
            for j in range(i, count + 1):
                H[k, j] -= share * H[i, j]
    for i in range(count - 1, -1, -1):
        rest = H[i, count]
        for k in range(i + 1, count):
            rest -= H[i, k] * found[k]
        found[i] = rest / H[i, i]
    return True


@kernel()
def take_away(q: Array, v: Array) -> None:
    """v - <q, v> q, in place."""
    along = dot(q, v)
    for j in range(v.size):
        v[j] -= along * q[j]


@kernel()
def hull(A: Array, rows: Array, first: int, tight: Array, count: int, N: Array, Q: Array) -> None:
    """Normals of the tight constraints, and an orthonormal basis of their span (Gram and Schmidt, twice)."""
    for i in range(count):
        normal(A, rows, first, tight[i], N[i])
        for j in range(N.shape[1]):
            Q[i, j] = N[i, j]
        for _ in range(2):
            for k in range(i):
                take_away(Q[k], Q[i])
        size = math.sqrt(dot(Q[i], Q[i]))
        for j in range(N.shape[1]):
            Q[i, j] /= size


@kernel()
def nearest(A: Array, b: Array, rows: Array, bounds: Array, L: float, x: Array, y: Array) -> bool:
    """y, a boundary point on entry, becomes the minimiser of f + L |x - y| over the polytope, x outside; False if it fails."""
    m, K, d = bounds.size, b.size, x.size
    # whole numbers from the start: for a constant what is called below would be compiled once more
    count: Any = np.int64(1)
    first: Any = np.int64(0)
    tight = np.empty(d + 1, dtype=np.int64)
    N, Q = np.empty((d + 1, d)), np.empty((d + 1, d))
    move, g, w, room, apart = np.empty(d), np.empty(d), np.empty(d + 1), np.empty(d), np.empty(d)
    for k in range(K):
        if b[k] + dot(A[k], y) > b[first] + dot(A[first], y):
            first = k
    blocked = 0
    for i in range(m):
        if dot(rows[i], y) / bounds[i] > dot(rows[blocked], y) / bounds[blocked]:
            blocked = i
    tight[0] = blocked
    scale = norm_of(x)
    for _ in range(50 * (m + K + d)):
        hull(A, rows, first, tight, count, N, Q)
        # best point of the affine hull: from the part of x - y along it, and what is across
        for j in range(d):
            g[j], move[j] = A[first, j], x[j] - y[j]
        for i in range(count):
            take_away(Q[i], g)
            take_away(Q[i], move)
        for j in range(d):
            apart[j] = x[j] - y[j] - move[j]
        steep, high = dot(g, g), norm_of(apart)
        reach = 1.0
        if steep < L * L * (1.0 - 1e-15) or count == d:
            down = high / math.sqrt(L * L - steep)
            for j in range(d):
                move[j] = 0.0 if count == d else move[j] - g[j] * down
        else:
            for j in range(d):
                move[j] = -g[j]
            reach = math.inf
        if norm_of(move) <= STILL * scale:
            for j in range(d):
                apart[j] = x[j] - y[j]
            pull = L / norm_of(apart)
            for j in range(d):
                g[j] = A[first, j] - apart[j] * pull
            if not multipliers(N, count, g, w):
                return False
            worst, leaves, rest = NEGATIVE * L, -2, 1.0
            for i in range(count):
                size = w[i] * norm_of(N[i]) if tight[i] < m else w[i] * L
                if tight[i] >= m:
                    rest -= w[i]
                if size < worst:
                    worst, leaves = size, i
            if rest * L < worst:
                leaves = -1
            if leaves == -2:
                return True
            if leaves == -1:  # the first piece leaves: another one takes its place
                for i in range(count):
                    if tight[i] >= m:
                        leaves = i
                first = tight[leaves] - m
            count -= 1
            for i in range(leaves, count):
                tight[i] = tight[i + 1]
            continue
        joins = -1
        for c in range(m + K):
            known = c == m + first
            for i in range(count):
                known = known or tight[i] == c
            if known:
                continue
            normal(A, rows, first, c, room)
            speed = dot(room, move)
            if speed <= 1e-14 * norm_of(room) * norm_of(move):
                continue
            slack = bounds[c] if c < m else b[first] - b[c - m]
            for j in range(d):
                slack -= room[j] * y[j]
            if max(slack, 0.0) < reach * speed:
                reach, joins = max(slack, 0.0) / speed, c
        if reach == math.inf:
            return False
        for j in range(d):
            y[j] += reach * move[j]
        if joins >= 0:
            tight[count] = joins
            count += 1
    return False


@kernel()
def exponent(f: Any, theta: Array) -> float:
    """fbar + psibar at theta, NaN where the method fails; f is an exponent: slopes, intercepts, rows, bounds, radius, Lipschitz
    constant, penalty (see `body`)."""
    A, b, rows, bounds, radius, L, penalty = f
    psi = gauge_at(rows, bounds, math.inf, theta)
    found = 0.0
    if psi <= 1.0:
        found = largest_affine(A, b, theta)
    else:
        y, apart = np.empty(theta.size), np.empty(theta.size)
        for j in range(theta.size):
            y[j] = theta[j] / psi
        if not nearest(A, b, rows, bounds, L, theta, y):
            return math.nan
        for j in range(theta.size):
            apart[j] = theta[j] - y[j]
        found = largest_affine(A, b, y) + L * norm_of(apart)
    if penalty > 0.0:
        found += penalty * max(0.0, gauge_at(rows, bounds, radius, theta) - 1.0)
    return found


def body(rows: Any, bounds: Any, radius: float, d: int) -> tuple[Array, Array, float]:
    """The body in doubles; ValueError where the origin is not inside or shapes do not fit."""
    sides, ends = np.ascontiguousarray(rows, dtype=np.float64), np.array(bounds, dtype=np.float64).reshape(-1)
    sides = sides if sides.size else np.empty((0, d))
    if sides.shape != (ends.size, d) or not (np.all(np.isfinite(sides)) and np.all(ends > 0) and np.all(ends < math.inf)):
        raise ValueError(f"rows are m x {d} finite numbers, bounds m positive ones, got {sides.shape} and {ends.size}")
    if not radius > 0.0:
        raise ValueError(f"radius={radius}: a positive number or inf is allowed")
    return sides, ends, float(radius)


def point(theta: Any) -> Array:
    """The point in doubles; ValueError where it is not finite."""
    found = np.array(theta, dtype=np.float64).reshape(-1)
    if not found.size or not np.all(np.isfinite(found)):
        raise ValueError(f"theta has d finite entries, got {theta}")
    return found


def gauge(rows: Any, bounds: Any, radius: float, theta: Any) -> float:
    at = point(theta)
    return float(gauge_at(*body(rows, bounds, radius, at.size), at))


def gauge_penalty(rows: Any, bounds: Any, radius: float, theta: Any, alpha: float) -> float:
    if not 0.0 <= alpha < math.inf:
        raise ValueError(f"alpha={alpha}: a finite number of at least 0 is allowed")
    return alpha * max(0.0, gauge(rows, bounds, radius, theta) - 1.0)


def pieces(slopes: Any, intercepts: Any, lipschitz: float, d: int) -> tuple[Array, Array]:
    """f in doubles; ValueError where it is steeper than it is said to be."""
    A, b = np.ascontiguousarray(slopes, dtype=np.float64), np.array(intercepts, dtype=np.float64).reshape(-1)
    if A.shape != (b.size, d) or not b.size or not (np.all(np.isfinite(A)) and np.all(np.isfinite(b))):
        raise ValueError(f"slopes are K x {d} finite numbers, intercepts K, got {A.shape} and {b.size}")
    steepest = max(norm_of(row) for row in A)
    if not steepest * (1.0 - 1e-15) <= lipschitz < math.inf or not lipschitz > 0.0:
        raise ValueError(f"lipschitz={lipschitz}: positive, finite and at least the longest slope, {steepest}, is allowed")
    return A, b


def lipschitz_extension(slopes: Any, intercepts: Any, rows: Any, bounds: Any, lipschitz: float, theta: Any) -> float:
    at = point(theta)
    A, b = pieces(slopes, intercepts, lipschitz, at.size)
    sides, ends, _ = body(rows, bounds, math.inf, at.size)
    found = float(exponent((A, b, sides, ends, math.inf, float(lipschitz), 0.0), at))
    if math.isnan(found):
        raise ValueError(f"theta={theta}: the nearest point was not found in doubles")
    return found


for _function, _contract in ((gauge, spec.gauge), (gauge_penalty, spec.gauge_penalty)):
    bind(_function, _contract)
bind(lipschitz_extension, spec.lipschitz_extension)
