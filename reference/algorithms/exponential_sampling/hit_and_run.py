"""Hit-and-run and coordinate walks with exact conditionals, literally."""

from typing import Any

from dpsco.reference.algorithms.exponential_sampling.conditional import conditional
from dpsco.reference.literal import literal
from dpsco.spec.algorithms.exponential_sampling import hit_and_run as spec
from dpsco.spec.numbers import Numbers, Real


def checked(m: Numbers, Q: Any, c: Any, low: Any, high: Any, start: Any) -> int:
    """The dimension; ValueError for shapes that do not fit, a box without inside, a start outside."""
    d = len(start)
    if not (len(Q) == len(c) == len(low) == len(high) == d and all(len(row) == d for row in Q)):
        raise ValueError(
            f"Q is d x d, c, low, high and start have d entries, got {len(Q)}, {len(c)}, {len(low)}, {len(high)}, {d}"
        )
    if not all(m.lt(a, b) for a, b in zip(low, high, strict=True)):
        raise ValueError(f"low lies below high, got low={low}, high={high}")
    if not all(m.le(a, x) and m.le(x, b) for a, x, b in zip(low, start, high, strict=True)):
        raise ValueError(f"start lies in the box, got start={start}")
    return d


def step(m: Numbers, Q: Any, c: Any, low: Any, high: Any, x: Any, v: Any, uniform: Real) -> list[Real]:
    """x + t v, t from its law on the chord."""
    if not (m.gt(uniform, 0) and m.lt(uniform, 1)):
        raise ValueError(f"uniforms lie in (0, 1), got {uniform}")
    ends = []
    for a, b, here, along in zip(low, high, x, v, strict=True):
        if not m.eq(along, 0):
            ends.append(sorted(((a - here) / along, (b - here) / along)))
    if not ends:
        raise ValueError("directions are not zero, got one that is")
    left, right = max(e[0] for e in ends), min(e[1] for e in ends)
    slope = [sum(entry * here for entry, here in zip(row, x, strict=True)) + one for row, one in zip(Q, c, strict=True)]
    bend = [sum(entry * along for entry, along in zip(row, v, strict=True)) for row in Q]
    t = conditional(m, m.dot(slope, v), m.dot(bend, v), left, right, uniform)
    return [here + t * along for here, along in zip(x, v, strict=True)]


@literal(spec.coordinate_walk)
def coordinate_walk(m: Numbers, Q: Any, c: Any, low: Any, high: Any, start: Any, uniforms: Any) -> Any:
    d, x, path = checked(m, Q, c, low, high, start), list(start), []
    for sweep in uniforms:
        if len(sweep) != d:
            raise ValueError(f"uniforms have d = {d} entries a sweep, got {len(sweep)}")
        for j, uniform in enumerate(sweep):
            axis = [m.real(int(i == j)) for i in range(d)]
            x = step(m, Q, c, low, high, x, axis, uniform)
        path.append(x)
    return path


@literal(spec.hit_and_run)
def hit_and_run(m: Numbers, Q: Any, c: Any, low: Any, high: Any, start: Any, directions: Any, uniforms: Any) -> Any:
    d, x, path = checked(m, Q, c, low, high, start), list(start), []
    if len(uniforms) != len(directions) or any(len(v) != d for v in directions):
        raise ValueError(f"directions are T x d and uniforms T numbers, got {len(directions)} and {len(uniforms)}")
    for v, uniform in zip(directions, uniforms, strict=True):
        x = step(m, Q, c, low, high, x, v, uniform)
        path.append(x)
    return path
