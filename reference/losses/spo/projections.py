"""The nearest decision on hulls, literally: Wolfe's method on the list of vertices, finite and exact in exact arithmetic."""

from typing import Any

from dpsco.reference.literal import literal
from dpsco.reference.losses.spo import regions
from dpsco.spec.losses.spo import projections as spec
from dpsco.spec.numbers import Numbers, Real


@literal(spec.nearest)
def nearest(m: Numbers, shape: str, table: Any, v: Any) -> tuple[list[Real], Real]:
    if shape not in spec.HULLS:
        raise ValueError(f"shape is one of {', '.join(spec.HULLS)}, got {shape!r}")
    return regions.project(m, shape, table, v), m.real(0)


def gap(m: Numbers, shape: str, table: Any, v: Any, w: Any) -> Real:
    """max over u in S of (v - w)'(u - w): how far w is from satisfying the condition of the nearest point.

    Domain   v, w of the dimension of S
    Returns  nonnegative for w in S, 0 exactly at the nearest point (decision^2)
    Raises   ValueError as `regions.minimiser`
    """
    out = [m.real(a) - m.real(b) for a, b in zip(v, w, strict=True)]
    u = regions.oracle(m, shape, table, [-x for x in out])
    return m.dot(out, [a - m.real(b) for a, b in zip(u, w, strict=True)])


def suboptimality(m: Numbers, inputs: Any, answer: Any) -> Real:
    """The distance from the exact nearest point, over the bound that the answer states; infinite where it is not met by any.

    Domain   inputs: what the contract `nearest` takes, by name; answer: (w, bound), doubles
    """
    w, bound = answer
    exact = regions.project(m, inputs["shape"], inputs["table"], inputs["v"])
    off = m.norm([m.real(float(a)) - b for a, b in zip(w, exact, strict=True)])
    if not 0 <= bound < float("inf"):
        return m.inf
    return off / m.real(float(bound)) if bound > 0 else (m.real(0) if off == 0 else m.inf)
