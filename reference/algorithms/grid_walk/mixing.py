"""Chains on the cells of a small cube, enclosed: transitions, stationary masses, conductance, distance after t steps.

Everything is computed, nothing is estimated: a number of steps that `steps_to` returns is proved for that chain.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import flint

from dpsco.reference.algorithms.grid_walk.walk import beside, index, states
from dpsco.spec.algorithms.grid_walk.walk import transition
from dpsco.spec.numbers import Numbers, Real

MOST_STATES = 18
"""Sets are enumerated up to this many states."""
MOST_STEPS = 2**40


def neighbours(dimension: int, cells: int) -> list[list[int]]:
    """Indices of the cells beside each cell."""
    found = []
    for cell in states(dimension, cells):
        near = (beside(cell, direction, cells) for direction in range(2 * dimension))
        found.append([index(other, cells) for other in near if other is not None])
    return found


def transitions(
    m: Numbers, values: Sequence[Real], dimension: int, cells: int, step: Callable[..., Real] = transition
) -> list[list[Real]]:
    """P of the walk on the values of f (or f') at the centres; P_xx is the rest.

    Domain   values: f at the cells^dimension centres; step(m, d=, f_here=, f_there=): probability of a given step
    Source   bilevel, Lemma B.9, proof
    """
    d = m.real(dimension)
    rows = [[m.real(0)] * len(values) for _ in values]
    for x, near in enumerate(neighbours(dimension, cells)):
        for y in near:
            rows[x][y] = step(m, d=d, f_here=values[x], f_there=values[y])
        rows[x][x] = 1 - sum(rows[x], start=m.real(0))
    return rows


def stationary(m: Numbers, values: Sequence[Real]) -> list[Real]:
    """q(x) = F(x) / sum of F over the centres."""
    weights = [m.exp(-f) for f in values]
    total = sum(weights, start=m.real(0))
    return [weight / total for weight in weights]


def connected_sets(near: Sequence[Sequence[int]]) -> Iterator[list[int]]:
    """Sets of states that are connected and have a connected complement, each with its complement once.

    The flow over the lesser mass is smallest on such a set: a set in parts has a part with no larger quotient.

    Raises   ValueError above MOST_STATES states
    """
    size = len(near)
    if size > MOST_STATES:
        raise ValueError(f"near has {size} states: sets are enumerated up to {MOST_STATES}")
    masks, everything = [sum(1 << y for y in row) for row in near], (1 << size) - 1

    def connected(chosen: int) -> bool:
        reached = chosen & -chosen
        while True:
            grown = reached
            for x in range(size):
                if reached >> x & 1:
                    grown |= masks[x] & chosen
            if grown == reached:
                return reached == chosen
            reached = grown

    for chosen in range(1, 1 << (size - 1)):
        if connected(chosen) and connected(everything & ~chosen):
            yield [x for x in range(size) if chosen >> x & 1]


def conductance(m: Numbers, P: Sequence[Sequence[Real]], q: Sequence[Real]) -> Real:
    """Least flow out of a set over the lesser of its mass and its complement's; infinite for a single state.

    The same minimum as over the sets with mass at most 1/2, since the flow out of S is the flow into it.

    Source   bilevel, Section 3.2 and Lemma B.9, proof
    """
    near = [[y for y, p in enumerate(row) if y != x and m.eq(p, 0) is not True] for x, row in enumerate(P)]
    least = m.inf
    for inside in connected_sets(near):
        chosen = set(inside)
        flow = sum((q[x] * P[x][y] for x in inside for y in near[x] if y not in chosen), start=m.real(0))
        mass = sum((q[x] for x in inside), start=m.real(0))
        rest = sum((q[x] for x in range(len(q)) if x not in chosen), start=m.real(0))
        least = m.min(least, flow / m.min(mass, rest))
    return least


def log_distance(m: Numbers, law: Sequence[Sequence[Real]], q: Sequence[Real]) -> Real:
    """max over starts and states of |log(P^t(x, y)/q(y))|; infinite where a state is not reached.

    Source   bilevel, (6), (13)
    """
    worst = m.real(0)
    for row in law:
        for p, mass in zip(row, q, strict=True):
            if m.gt(p, 0) is not True:
                return m.inf
            worst = m.max(worst, m.abs(m.log(p / mass)))
    return worst


def exact_distance(m: Numbers, P: Sequence[Sequence[Real]], q: Sequence[Real], steps: int) -> Real:
    """Enclosed log-distance of the chain to its stationary law after `steps` steps, from the worst start.

    Domain   arb; P: transition probabilities, q: its stationary law, steps >= 0
    Raises   ValueError for a negative number of steps
    """
    if steps < 0:
        raise ValueError(f"steps={steps}: must be at least 0")
    return log_distance(m, _rows(flint.arb_mat([list(row) for row in P]) ** steps), q)


def steps_to(m: Numbers, P: Sequence[Sequence[Real]], q: Sequence[Real], epsilon_mix: Real) -> int:
    """Least number of steps at which the log-distance is certainly at most epsilon_mix (it never grows).

    Domain   arb; epsilon_mix > 0
    Raises   ArithmeticError where MOST_STEPS steps are not enough
    """
    powers: list[Any] = [flint.arb_mat([list(row) for row in P])]

    def near(law: Any) -> bool:
        return m.le(log_distance(m, _rows(law), q), epsilon_mix) is True

    if near(powers[0] ** 0):
        return 0
    while not near(powers[-1]):
        if 2 ** len(powers) > MOST_STEPS:
            raise ArithmeticError(f"the log-distance is above {epsilon_mix} after {MOST_STEPS} steps")
        powers.append(powers[-1] * powers[-1])
    if len(powers) == 1:
        return 1
    steps, law = 2 ** (len(powers) - 2), powers[-2]
    for k in range(len(powers) - 3, -1, -1):
        further = law * powers[k]
        if not near(further):
            steps, law = steps + 2**k, further
    return steps + 1


def _rows(law: Any) -> list[list[Real]]:
    return [[law[x, y] for y in range(law.ncols())] for x in range(law.nrows())]
