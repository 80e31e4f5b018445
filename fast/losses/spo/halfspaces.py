"""Polyhedra {w : A w <= b} in doubles: HiGHS for linear objectives, an active set for projections, both through scipy.

Every answer is checked before it is returned: a minimiser against its dual solution, a projection against its multipliers.
Where the check fails the answer is an ArithmeticError, never a number.
"""

from types import ModuleType
from typing import Any

import numpy as np

from dpsco.spec.losses.spo import halfspaces as spec
from dpsco.spec.losses.spo import regions

Array = Any
OPTIMAL, INFEASIBLE, UNBOUNDED = 0, 2, 3
"""What scipy's linprog says."""
FARTHEST = 1e15
"""Offsets from which the solver's numbers mean nothing: it takes 1e20 for infinity."""


def solver() -> ModuleType:
    """scipy.optimize; ImportError that names the extra where it is not installed."""
    try:
        from scipy import optimize
    except ImportError as error:
        raise spec.missing() from error
    return optimize  # type: ignore[no-any-return, unused-ignore]


def system(table: Any) -> tuple[Array, Array]:
    """A and b with rows of length 1, so that slacks are distances; rows that hold everywhere are left out."""
    rows = numbers(table)
    regions.checked("halfspaces", rows)
    T = np.array([row for row in rows if any(row[:-1])]).reshape(-1, len(rows[0]))
    sizes = np.max(np.abs(T[:, :-1]), axis=1, initial=0.0)
    with np.errstate(over="ignore"):
        T = T / sizes[:, None]  # in two steps: the normals do not overflow
    T = T / np.linalg.norm(T[:, :-1], axis=1)[:, None]
    if not np.all(np.abs(T[:, -1]) < FARTHEST):
        far = float(np.max(np.abs(T[:, -1])))
        raise ValueError(f"offset/|normal|={far}: halfspaces lie at less than {FARTHEST} from the origin, the solver's range")
    return T[:, :-1], T[:, -1]


def numbers(table: Any) -> list[list[float]]:
    """The table's rows as doubles; ValueError where it has none."""
    try:
        return [[float(x) for x in row] for row in table]
    except TypeError as error:
        raise ValueError(f"table has rows of numbers, got {table!r}") from error


def minimise(table: Any, c: Array, name: str = "c", second: Array | None = None) -> Array:
    """A minimiser of c'w over A w <= b; with `second`, among all minimisers one of least second'w.

    Domain   c, second: finite, of the dimension of the rows
    Returns  a point (decision), optimal to `TOLERANCE` by its dual solution; with `second` among the points that are
    Raises   ValueError where the set is empty, or unbounded where the objective falls; ImportError without scipy;
             ArithmeticError where the solver's answer fails its check
    """
    A, b = system(table)
    w = solved(A, b, c, name, table)
    if second is None or not np.any(second):
        return w
    size = float(np.max(np.abs(c), initial=0.0))
    if size == 0.0:
        return solved(A, b, second, name, table)
    plane = c / size / np.linalg.norm(c / size)
    offset = float(plane @ w) + spec.TOLERANCE * (1.0 + float(np.max(np.abs(w)))) / 10
    return solved(np.vstack([A, plane]), np.append(b, offset), second, name, table)


def solved(A: Array, b: Array, c: Array, name: str, table: Any) -> Array:
    """A checked minimiser; the objective is scaled to length 1 first."""
    size = float(np.max(np.abs(c), initial=0.0))
    cost = c / size if size > 0.0 else c
    if len(b) == 0:
        if size > 0.0:
            raise spec.unbounded(name)
        return np.zeros_like(c)
    tight = {"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10}
    run = solver().linprog
    found = run(cost, A_ub=A, b_ub=b, bounds=(None, None), method="highs-ds", options=tight)
    if found.status not in (OPTIMAL, INFEASIBLE, UNBOUNDED):  # presolve may leave open which of the two it is
        there = run(0 * cost, A_ub=A, b_ub=b, bounds=(None, None), method="highs-ds", options={"presolve": False, **tight})
        if there.status == INFEASIBLE:
            raise spec.empty(table)
        found = run(cost, A_ub=A, b_ub=b, bounds=(None, None), method="highs-ds", options={"presolve": False, **tight})
    if found.status == INFEASIBLE:
        raise spec.empty(table)
    if found.status == UNBOUNDED:
        raise spec.unbounded(name)
    if found.status != OPTIMAL:
        raise ArithmeticError(f"the solver found no minimiser over the halfspaces: {found.message}")
    w, y = found.x, np.maximum(-found.ineqlin.marginals, 0.0)
    scale = 1.0 + max(float(np.max(np.abs(w))), float(np.max(np.abs(b))))
    off = {
        "infeasible": float(np.max(A @ w - b)) / scale,
        "dual infeasible": float(np.max(np.abs(cost + A.T @ y))),
        "not optimal": abs(float(cost @ w + b @ y)) / (scale * (1.0 + float(np.sum(y)))),
    }
    if (wrong := {said: by for said, by in off.items() if not by <= spec.TOLERANCE}) != {}:
        raise ArithmeticError(f"the solver's minimiser over the halfspaces fails its check: {wrong}")
    return w


def project(table: Any, v: Array) -> Array:
    """The point of A w <= b that is nearest to v, the set bounded or not.

    Lawson and Hanson's least distance program: the multipliers are a nonnegative least-squares solution, w = v - A'u. It is the
    nearest point if u >= 0, A w <= b and u'(b - A w) = 0; for then (v - w)'(p - w) = u'A (p - w) <= u'(b - A w) for p in S.

    Domain   v: finite, of the dimension of the rows
    Returns  a point (decision) that meets the three to `TOLERANCE`
    Raises   ValueError where the set is empty; ImportError without scipy; ArithmeticError where the answer fails the check
    """
    A, b = system(table)
    over = A @ v - b
    if np.all(over <= 0.0):
        return np.array(v, dtype=np.float64)
    size = float(np.max(np.abs(over)))
    target = np.append(np.zeros(v.size), 1.0)
    E = np.vstack([-A.T, over / size])
    try:
        u, _ = solver().nnls(E, target, maxiter=50 * max(E.shape))
    except RuntimeError as error:
        raise ArithmeticError("the multipliers of the projection onto halfspaces were not found") from error
    left = E @ u - target
    # the residual is 0 exactly where no point meets all rows: the solver decides what rounding leaves open
    if -left[-1] <= 1e-9:
        solved(A, b, np.zeros(v.size), "v", table)
    if not -left[-1] > 0.0:
        raise ArithmeticError("the multipliers of the projection onto halfspaces were not found")
    u = u / -left[-1] * size
    w, multipliers = _on_face(A, b, v, u)
    scale = 1.0 + max(float(np.max(np.abs(v))), float(np.max(np.abs(b))))
    violated, gap = float(np.max(A @ w - b)), float(multipliers @ (b - A @ w))
    if not (violated <= spec.TOLERANCE * scale and abs(gap) <= spec.TOLERANCE * scale * (scale + float(np.sum(multipliers)))):
        raise ArithmeticError(f"the projection onto halfspaces fails its check: violated by {violated}, gap {gap}")
    return w


def _on_face(A: Array, b: Array, v: Array, u: Array) -> tuple[Array, Array]:
    """The nearest point of the face whose multipliers are positive, to the last digits; the one given where signs change."""
    active = u > 0.0
    better = np.zeros_like(u)
    better[active] = np.linalg.lstsq(A[active] @ A[active].T, A[active] @ v - b[active], rcond=None)[0]
    given = v - A.T @ u
    w = v - A.T @ better
    if np.any(better < 0.0) or np.max(A @ w - b) > max(float(np.max(A @ given - b)), 1e-14 * (1.0 + float(np.max(np.abs(v))))):
        return given, u
    return w, better


def diameter(table: Any) -> tuple[float, float]:
    """A bracket of the largest distance of two points: of those that end the coordinates, and the diagonal of the box around.

    Domain   a nonempty set
    Returns  (low, high), decisions, up to the solver's tolerance; both infinite where the set is unbounded, and
             high <= sqrt(d) low
    Raises   ValueError where the set is empty; ImportError without scipy
    """
    A, b = system(table)
    d = A.shape[1]
    solved(A, b, np.zeros(d), "c", table)
    try:
        ends = [solved(A, b, sign * unit, "c", table) for unit in np.eye(d) for sign in (1.0, -1.0)]
    except ValueError:
        return float("inf"), float("inf")
    widths = [abs(float(low[j] - high[j])) for j, (low, high) in enumerate(zip(ends[::2], ends[1::2], strict=True))]
    apart = [float(np.linalg.norm(one - other)) for one in ends for other in ends]
    return max(apart), float(np.linalg.norm(widths))
