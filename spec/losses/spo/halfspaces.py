"""Polyhedra {w : A w <= b}, by a linear-programming solver in doubles and by lists of vertices, in fractions, literally.

No verdict rests on the solver: it comes with the extra `polytopes`, and what it returns is checked against the conditions of
optimality before it is believed. The oracle, the support function and the projection are those of `regions`, under the shape
"halfspaces"; the diameter of a polyhedron given by half-spaces has no fast algorithm (it is NP-hard), so it comes as a bracket.
"""

from dpsco.spec.losses.spo.regions import Table

EXTRA = "polytopes"
"""The extra of the package that installs the solver."""
TOLERANCE = 1e-8
"""How far a solver's answer may be from feasible, from dual feasible, and from equal objectives, in units of the problem."""


def missing() -> ImportError:
    """The error of a machine without the solver."""
    return ImportError(f"half-spaces need scipy, the extra {EXTRA!r}: pip install 'dpsco[{EXTRA}]'")


def empty(table: Table) -> ValueError:
    """The error of half-spaces that have no point in common."""
    d = len(table[0]) - 1
    return ValueError(f"halfspaces have no point in common (the set is empty), got {len(table)} rows in {d} dimensions")


def unbounded(name: str) -> ValueError:
    """The error of a linear objective that falls without end on half-spaces."""
    return ValueError(f"{name} has no least value: the halfspaces are not bounded where the objective falls")


UNIT_SQUARE: Table = [[1.0, 0.0, 1.0], [-1.0, 0.0, 0.0], [0.0, 1.0, 1.0], [0.0, -1.0, 0.0]]
SETS: tuple[Table, ...] = (
    UNIT_SQUARE,
    [*UNIT_SQUARE, [1.0, 1.0, 1.5]],
    [*UNIT_SQUARE, *UNIT_SQUARE, [0.0, 0.0, 2.0]],
    [[1.0, 2.0]],
    [[1.0, 2.0], [-1.0, -2.0]],
    [[1.0, 1.0, 1.0, 1.0], [-1.0, 0.0, 0.0, 0.0], [0.0, -1.0, 0.0, 0.0], [0.0, 0.0, -1.0, 0.0]],
    [[1.0, 1.0, 1.0, 1.0], [-1.0, -1.0, -1.0, -1.0], *([-float(j == k) for j in range(3)] + [0.0] for k in range(3))],
    [[1e3, 1.0, 5e2], [-1.0, 1e-3, 0.25], [0.0, -1.0, 7.0], [0.0, 1.0, 7.0]],
)
"""A square, one cut, one with redundant rows, a half line, a point, simplices with and without interior, a badly scaled one."""
EMPTY: tuple[Table, ...] = ([[1.0, 0.0], [-1.0, -1.0]], [*UNIT_SQUARE, [1.0, 1.0, -0.5]])
UNBOUNDED: tuple[Table, ...] = ([[1.0, 2.0]], [[-1.0, 0.0, 0.0], [0.0, -1.0, 0.0]], [[1.0, 0.0, 1.0], [-1.0, 0.0, 1.0]])
"""A half line, a quadrant, a strip."""
