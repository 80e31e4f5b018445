"""Private bilevel descent, literally: lower minimisers with given errors, noisy approximate hypergradients."""

from collections.abc import Callable, Sequence
from typing import Any

from dpsco.reference.algorithms.objective_perturbation.algorithm import solve_positive
from dpsco.reference.literal import literal
from dpsco.reference.losses.bilevel.hypergradient import Vector, inverse, sizes, times
from dpsco.reference.losses.bilevel.problem import Problem, hypergradient, minimiser
from dpsco.reference.losses.bilevel.quadratic import mean, plus, transposed
from dpsco.spec.algorithms.bilevel_descent import algorithm as spec
from dpsco.spec.numbers import Numbers, Real

Lower = Callable[[int, Vector], Vector]


def descend(m: Numbers, problem: Problem, x_0: Vector, lower: Lower, eta: Real, noise: Sequence[Vector]) -> list[list[Real]]:
    """x_0, ..., x_T of Algorithm 1 for any problem: `lower(t, x_t)` is y_{t+1}, `noise` holds u_0, ..., u_{T-1}.

    Domain   x_0: d_x, noise: T x d_x (loss/decision), eta > 0
    Returns  (T + 1) x d_x numbers (decision)
    Source   bilevel, Algorithm 1
    """
    path = [list(x_0)]
    for t, u in enumerate(noise):
        x = path[-1]
        y = lower(t, x)  # 3
        query = hypergradient(m, problem, x, y)
        path.append(
            [spec.next_iterate(m, x_t=s, eta=eta, gradient=g, noise=w) for s, g, w in zip(x, query, u, strict=True)]
        )  # 4
    return path


def exact_lower(m: Numbers, problem: Problem, smallest: Real) -> Lower:
    """Lower minimisers to the precision of the context: gradients of at most `smallest`."""
    return lambda t, x: minimiser(m, problem, x, smallest)


@literal(spec.iterates)
def iterates(
    m: Numbers,
    x_0: Any,
    a: Any,
    b: Any,
    B: Any,
    C: Any,
    H: Any,
    P: Any,
    q: Any,
    eta: Any,
    sigma: Any,
    normals: Any,
    errors: Any,
) -> tuple[list[list[Real]], list[list[Real]]]:
    a, b, B, C, H, P, q = (mean(m, part) for part in (a, b, B, C, H, P, q))
    spread, length = sizes(m, inverse(m, H)), m.real(eta)
    path, felt = [[m.real(t) for t in x_0]], [[m.abs(m.real(t)) for t in x_0]]

    def size(A: Any, v: Vector) -> list[Real]:
        return times(m, sizes(m, A), v)

    for normal, error in zip(normals, errors, strict=True):
        x, moved = path[-1], felt[-1]
        off = [m.real(t) for t in error]
        y = plus(solve_positive(m, H, plus(times(m, P, x), q)), off)  # 3
        F_y = plus(b, times(m, transposed(B), x), times(m, C, y))
        w = solve_positive(m, H, F_y)
        query = plus(a, times(m, B, y), times(m, transposed(P), w))
        noise = [m.real(sigma) * m.real(t) for t in normal]
        path.append(
            [spec.next_iterate(m, x_t=s, eta=length, gradient=g, noise=u) for s, g, u in zip(x, query, noise, strict=True)]
        )  # 4
        # what rounding can feel: the sizes of all terms, each linear system with |H^-1| (|H| |solution| + |right side|)
        y_size = plus(times(m, spread, plus(size(H, sizes(m, y)), size(P, moved), sizes(m, q))), sizes(m, off))
        w_size = times(m, spread, plus(size(H, sizes(m, w)), sizes(m, b), size(transposed(B), moved), size(C, y_size)))
        step = plus(sizes(m, a), size(B, y_size), size(transposed(P), w_size), sizes(m, noise))
        felt.append([s + length * t for s, t in zip(moved, step, strict=True)])
    return path, felt
