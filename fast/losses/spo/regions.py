"""Sets of decisions in doubles: oracles that write into the caller's vectors, by dynamic programs where the set is one of paths
or packings. Kernels take a set as `packed` gives it: a number for the shape, and a table of equally long rows or, for paths,
one row; and a second cost that decides ties, or None. The compiler sees which it is, and compiles that alone."""

import math
from typing import Any

import numpy as np

from dpsco.fast.kernel import bind, kernel
from dpsco.fast.linear import norm_of
from dpsco.fast.losses.spo.halfspaces import minimise, numbers, project
from dpsco.fast.pairs import more, ratio_of, root_of
from dpsco.spec.losses.spo import regions as spec

Array = Any
BALL, SPHERE, L1_BALL, SIMPLEX, BOX, POLYTOPE, PATHS, KNAPSACK = range(8)
"""In the order of `spec.SHAPES`."""


def packed(shape: str, table: Any) -> tuple[int, Array]:
    """The shape's number and the table with rows filled up to one length; ValueError where it is no such set."""
    rows = numbers(table)
    spec.checked(shape, rows)
    if shape == "knapsack":
        rows[1] = [float(room_of(rows))]
    if shape == "halfspaces":
        raise ValueError("shape of a kernel's set is not 'halfspaces': they need a solver, and are decided one cost at a time")
    filled = np.zeros((len(rows), max(len(row) for row in rows)))
    for i, row in enumerate(rows):
        filled[i, : len(row)] = row
    return spec.SHAPES.index(shape), filled[0] if shape == "paths" else filled


def room_of(table: Any) -> int:
    """The capacity that a knapsack can use: at most the sum of the weights."""
    room = min(int(table[1][0]), sum(int(x) for x in table[0]))
    if (len(table[0]) + 1) * (room + 1) > 2**31:
        raise ValueError(f"table of a knapsack: things times capacity is at most 2^31, got {len(table[0])} and {float(room)}")
    return room


def workspace(shape: str, table: Any) -> Array:
    """Room for every oracle of the set: values of nodes, of packings, or a sorted vector."""
    if shape == "paths":
        return np.zeros((2, int(table[0][0] * table[0][1])))
    if shape == "knapsack":
        return np.zeros((2, (len(table[0]) + 1) * (room_of(table) + 1)))
    return np.zeros((2, spec.dimension(shape, table)))


@kernel()
def axis(T: Array, j: int, by: float, w: Array) -> None:
    """center + by e_j."""
    for k in range(w.size):
        w[k] = T[0, k]
    w[j] += by


@kernel()
def path_into(rows: int, columns: int, c: Array, w: Array, value: Array) -> None:
    """The cheapest path by c, right before down; value[v] is the least cost from node v to the last one."""
    width, total = 2 * columns - 1, 0.0
    v, e = rows * columns - 1, (rows - 1) * width + columns - 2
    value[v] = 0.0
    for k in range(columns - 1):
        total += c[e - k]
        value[v - 1 - k] = total
    for i in range(rows - 2, -1, -1):
        v, e = i * columns, i * width
        here = c[e + width - 1] + value[v + width]
        value[v + columns - 1] = here
        for j in range(columns - 2, -1, -1):
            a, b = c[e + j] + here, c[e + columns - 1 + j] + value[v + columns + j]
            here = a if a <= b else b
            value[v + j] = here
    w[:] = 0.0
    v, e, right, down = 0, 0, columns - 1, rows - 1  # e: the edge to the right of node v; then the steps that are left
    while right > 0 and down > 0:
        below = e + columns - 1
        go_right = c[e] + value[v + 1] <= c[below] + value[v + columns]
        w[e if go_right else below] = 1.0  # selected, not branched on: which way is a coin flip
        v += 1 if go_right else columns
        e += 1 if go_right else width
        right -= 1 if go_right else 0
        down -= 0 if go_right else 1
    for k in range(right):
        w[e + k] = 1.0
    for k in range(down):
        w[e + columns - 1 + k * width] = 1.0


@kernel()
def path_of_two_into(rows: int, columns: int, c: Array, second: Array, w: Array, work: Array) -> None:
    """The same with the least cost by `second` among all cheapest paths; work[1, v] is the least second cost from node v."""
    value, other, width = work[0], work[1], 2 * columns - 1
    path_into(rows, columns, c, w, value)
    w[:] = 0.0
    for v in range(rows * columns - 1, -1, -1):
        i, j = v // columns, v % columns
        e = i * width + j
        right = value[v] == c[e] + value[v + 1] if j < columns - 1 else False
        down = value[v] == c[e + columns - 1] + value[v + columns] if i < rows - 1 else False
        other[v] = math.inf if right or down else 0.0
        if right:
            other[v] = second[e] + other[v + 1]
        if down:
            other[v] = min(other[v], second[e + columns - 1] + other[v + columns])
    v = 0
    while v < rows * columns - 1:
        i, j = v // columns, v % columns
        e = i * width + j
        right = value[v] == c[e] + value[v + 1] and other[v] == second[e] + other[v + 1] if j < columns - 1 else False
        w[e if right else e + columns - 1] = 1.0
        v += 1 if right else columns


@kernel()
def packing_into(T: Array, c: Array, second: Array | None, w: Array, work: Array) -> None:
    """The cheapest packing by c, among equals by `second`, and then things left out, the first ones first."""
    d, capacity = w.size, int(T[1, 0])
    value, other, width = work[0], work[1], int(T[1, 0]) + 1
    for k in range(width):
        value[d * width + k] = other[d * width + k] = 0.0
    for j in range(d - 1, -1, -1):
        weight = int(T[0, j])
        for k in range(width):
            here, after = j * width + k, (j + 1) * width + k
            value[here], other[here] = value[after], other[after]
            if weight <= k:
                a = c[j] + value[after - weight]
                s = second[j] + other[after - weight] if second is not None else 0.0
                if a < value[here] or (second is not None and a == value[here] and s < other[here]):
                    value[here], other[here] = a, s
    k = capacity
    for j in range(d):
        here, after, weight = j * width + k, (j + 1) * width + k, int(T[0, j])
        left_out = value[here] == value[after] and other[here] == other[after]
        w[j] = 0.0 if left_out else 1.0
        k -= 0 if left_out else weight


@kernel()
def vertex_into(T: Array, c: Array, second: Array | None, w: Array) -> None:
    """The first vertex of least c'w, among equals of least second'w."""
    best, least, other = 0, math.inf, math.inf if second is not None else 0.0
    for i in range(T.shape[0]):
        a = s = 0.0
        for j in range(w.size):
            a += c[j] * T[i, j]
            if second is not None:
                s += second[j] * T[i, j]
        if a < least or (a == least and s < other):
            best, least, other = i, a, s
    for j in range(w.size):
        w[j] = T[best, j]


@kernel()
def corner_into(kind: int, T: Array, c: Array, second: Array | None, w: Array) -> None:
    """The best vertex of a simplex or an l1 ball, first by c and then by `second`."""
    best, sign, least, other = 0, -1.0, math.inf, math.inf if second is not None else 0.0
    for j in range(w.size):
        for side in range(2 if kind == L1_BALL else 1):
            turn = 1.0 if kind == SIMPLEX or side == 1 else -1.0
            a, s = turn * c[j], turn * second[j] if second is not None else 0.0
            if a < least or (a == least and s < other):
                best, sign, least, other = j, turn, a, s
    axis(T, best, sign * T[1, 0], w)


@kernel()
def oracle_into(kind: int, T: Array, c: Array, second: Array | None, w: Array, work: Array) -> int:
    """w = the oracle's minimiser of c'w; of second'w among all minimisers, if given. -1, or where it is unbounded."""
    if T.ndim == 1:
        if second is not None:
            path_of_two_into(int(T[0]), int(T[1]), c, second, w, work)
        else:
            path_into(int(T[0]), int(T[1]), c, w, work[0])
    elif kind == KNAPSACK:
        packing_into(T, c, second, w, work)
    elif kind == POLYTOPE:
        vertex_into(T, c, second, w)
    elif kind == BOX:
        for j in range(w.size):
            a = second[j] if second is not None and c[j] == 0.0 else c[j]
            low, high = T[0, j], T[1, j]
            if a == 0.0:
                low, high = (high if math.isinf(low) else low), (low if math.isinf(high) else high)
                w[j] = 0.0 if math.isinf(low) else 0.5 * low + 0.5 * high
            else:
                w[j] = low if a > 0.0 else high
                if math.isinf(w[j]):
                    return j
    else:
        size = norm_of(c)
        if second is not None and size == 0.0 and kind != SIMPLEX:
            c, size = second, norm_of(second)
        if kind == SIMPLEX or (kind == L1_BALL and size > 0.0):
            corner_into(kind, T, c, second, w)
        elif size == 0.0:
            axis(T, 0, -T[1, 0] if kind == SPHERE else 0.0, w)
        else:
            for j in range(w.size):
                w[j] = T[0, j] - T[1, 0] * (c[j] / size)
    return -1


@kernel()
def sort(v: Array) -> None:
    """v in ascending order, in place, as a heap: numpy's own would be compiled for two seconds."""
    for end in range(2 * v.size - 1, -1, -1):  # first the heap is made, from its last parent on; then the largest is taken
        root, size = (end - v.size, v.size) if end >= v.size else (0, end)
        if end < v.size:
            v[0], v[end] = v[end], v[0]
        while 2 * root + 1 < size:
            child = 2 * root + 1
            if child + 1 < size and v[child + 1] > v[child]:
                child += 1
            if v[root] >= v[child]:
                break
            v[root], v[child] = v[child], v[root]
            root = child


@kernel()
def threshold_of(work: Array, size: float) -> float:
    """The t for which the positive parts of (work - t) have the sum `size`; sorts work."""
    sort(work)
    total, t = -size, 0.0
    for k in range(work.size):
        x = work[work.size - 1 - k]
        total += x
        if x * (k + 1) > total:
            t = total / (k + 1)
    return t


@kernel()
def shorten(w: Array, size: float, r: float) -> None:
    """w r/|w|, each entry rounded about once; `size`: |w|, positive, to a few roundings."""
    unit, square = (
        math.ldexp(1.0, -max(math.frexp(size)[1], -1000)),
        (0.0, 0.0),
    )  # a power of two: no square over- or underflows
    for j in range(w.size):
        w[j] *= unit
        square = more(square, w[j], w[j])
    length = root_of(square)
    for j in range(w.size):
        w[j] = r * ratio_of((w[j], 0.0), length)[0]


@kernel()
def project_into(kind: int, T: Array, v: Array, w: Array, work: Array) -> bool:
    """w = the point of S nearest to v; False for a shape without a closed projection."""
    if T.ndim == 1 or kind > BOX:
        return False
    if kind == BOX:
        for j in range(w.size):
            w[j] = min(max(v[j], T[0, j]), T[1, j])
        return True
    r, spare, weight = T[1, 0], work[0], 0.0
    for j in range(w.size):
        w[j] = v[j] - T[0, j]
        spare[j] = w[j] if kind == SIMPLEX else abs(w[j])
        weight += spare[j]
    if kind <= SPHERE:
        size = norm_of(w)
        if size == 0.0 and kind == SPHERE:
            axis(T, 0, -r, w)
        else:
            if kind == SPHERE or size > r:
                shorten(w, size, r)
                for j in range(w.size):
                    w[j] += T[0, j]
            else:
                for j in range(w.size):
                    w[j] = v[j]
    elif kind == L1_BALL and weight <= r:
        for j in range(w.size):
            w[j] = v[j]
    else:
        t = threshold_of(spare, r)
        for j in range(w.size):
            size = max((w[j] if kind == SIMPLEX else abs(w[j])) - t, 0.0)
            w[j] = T[0, j] + (-size if kind == L1_BALL and w[j] < 0.0 else size)
    return True


def vectors(shape: str, table: Any, **given: Any) -> list[Array]:
    """The vectors as doubles; ValueError where the set is none, or a vector does not fit it."""
    arrays = {name: np.ascontiguousarray(v, dtype=np.float64) for name, v in given.items()}
    spec.fits(shape, numbers(table), **{name: a.tolist() for name, a in arrays.items()})
    return list(arrays.values())


def oracle(shape: str, table: Any, c: Array, name: str = "c", second: Array | None = None) -> Array:
    """w*(c) as a new vector; with `second` the minimiser that is best for it: without one every second cost is zero."""
    if shape == "halfspaces":
        return minimise(table, c, name, second)
    w = np.empty_like(c)
    at = oracle_into(*packed(shape, table), c, np.zeros_like(c) if second is None else second, w, workspace(shape, table))
    if at >= 0:
        raise spec.unbounded(name, at)
    return w


def projected(shape: str, table: Any, v: Array) -> Array:
    """The nearest point as a new vector: in closed form, by an active set of vertices, or of half-spaces."""
    if shape == "halfspaces":
        return project(table, v)
    if shape not in spec.PROJECTED:
        from dpsco.fast.losses.spo.projections import nearest

        return nearest(shape, table, v)[0]
    w = np.empty_like(v)
    project_into(*packed(shape, table), v, w, workspace(shape, table))
    return w


def minimiser(shape: str, table: Any, c: Any) -> Any:
    return oracle(shape, table, *vectors(shape, table, c=c))


def support(shape: str, table: Any, c: Any) -> float:
    (cost,) = vectors(shape, table, c=c)
    return float(np.dot(cost, oracle(shape, table, -cost, "-c")))


def projection(shape: str, table: Any, v: Any) -> Any:
    return projected(shape, table, *vectors(shape, table, v=v))


for implementation, contract in ((minimiser, spec.minimiser), (support, spec.support), (projection, spec.projection)):
    bind(implementation, contract)
