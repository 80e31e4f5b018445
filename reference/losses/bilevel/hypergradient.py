"""The gradient by the implicit function theorem, literally, at any precision."""

from collections.abc import Sequence
from typing import Any, TypeAlias

from dpsco.reference.algorithms.objective_perturbation.algorithm import promoted, solve_positive
from dpsco.reference.literal import literal
from dpsco.spec.losses.bilevel import hypergradient as spec
from dpsco.spec.numbers import Numbers, Real

Vector: TypeAlias = Sequence[Real]
Matrix: TypeAlias = Sequence[Vector]


def times(m: Numbers, A: Matrix, v: Vector) -> list[Real]:
    """A v."""
    return [m.dot(row, v) for row in A]


def sizes(m: Numbers, A: Any) -> Any:
    """Absolute values, entry by entry."""
    return [sizes(m, part) for part in A] if isinstance(A, list | tuple) else m.abs(A)


def inverse(m: Numbers, A: Matrix) -> list[list[Real]]:
    """A^{-1} for a symmetric positive definite A."""
    d = len(A)
    columns = [solve_positive(m, A, [m.real(int(i == j)) for i in range(d)]) for j in range(d)]
    return [[columns[j][i] for j in range(d)] for i in range(d)]


def gradient(m: Numbers, F_x: Vector, F_y: Vector, G_xy: Matrix, G_yy: Matrix) -> list[Real]:
    """grad_x F - grad_xy G [grad_yy G]^{-1} grad_y F.

    Source   bilevel, (9)
    """
    return [a - b for a, b in zip(F_x, times(m, G_xy, solve_positive(m, G_yy, F_y)), strict=True)]


@literal(spec.implicit_gradient)
def implicit_gradient(m: Numbers, F_x: Any, F_y: Any, G_xy: Any, G_yy: Any) -> tuple[list[Real], list[Real]]:
    g_x, g_y = [m.real(t) for t in F_x], [m.real(t) for t in F_y]
    mixed, curved = promoted(m, G_xy), promoted(m, G_yy)
    w = solve_positive(m, curved, g_y)
    moved = [a + b for a, b in zip(times(m, sizes(m, curved), sizes(m, w)), sizes(m, g_y), strict=True)]
    felt = times(m, sizes(m, mixed), times(m, sizes(m, inverse(m, curved)), moved))
    return gradient(m, g_x, g_y, mixed, curved), [a + b for a, b in zip(sizes(m, g_x), felt, strict=True)]
