"""Exponential descent on the line, all its paths: which iterates a data set can lead to, and how often, without sampling.

In one dimension a direction is +1 or -1, so that T - 1 steps have 2^(T-1) paths. Each is run through the literal algorithm in
ball arithmetic, with the step length and the odds of the claim that is judged.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

from dpsco.arguments.formula import apply
from dpsco.arguments.privacy.half_spheres import probabilities
from dpsco.reference.algorithms.exponential_descent.algorithm import gradient, iterates
from dpsco.spec.claim import Claim
from dpsco.spec.numbers import Numbers, Real, names_of

PUBLIC = ("eta", "L")
"""What a step length may depend on and still be public."""
SECRET = "gradient_norm"
RADIUS, SMOOTHING = "1", "1"
"""S = [-1, 1], mu = 1."""


@dataclass(frozen=True)
class Path:
    """One sequence of directions: what comes of it, and its probability."""

    iterates: tuple[Real, ...]
    directions: tuple[int, ...]
    probability: Real


def step_of(claim: Claim, m: Numbers) -> Callable[[Real], Real]:
    """The claim's step length as a function of the gradient's norm, at eta = 1 and L = 8."""
    known = {"eta": m.real(1), "L": m.real(8)}
    return lambda norm: apply(claim.formulas["step"], m, {**known, SECRET: norm})


def odds_of(claim: Claim, m: Numbers, epsilon_0: Real) -> tuple[Real, Real]:
    """Probabilities of the favoured and of the other half at one step's parameter, which the claim calls epsilon where it has
    no epsilon_0 beside it."""
    beside = any(p.name == "epsilon_0" for p in claim.parameters)
    return probabilities(m, claim, {"epsilon_0" if beside else "epsilon": epsilon_0})


def asks_for(claim: Claim) -> set[str]:
    """What the claim's step length depends on beside public numbers."""
    return set(names_of(claim.formulas["step"])) - set(PUBLIC)


def paths(claim: Claim, m: Numbers, epsilon: Real, data: Sequence[tuple[int, int]], T: int) -> list[Path]:
    """All paths of T - 1 steps of parameter epsilon, d = p = 1.

    Domain   data: records (c, x), whole numbers; the claim has formulas for the odds and `step`
    Raises   ArithmeticError where the sign of a gradient is not decided
    """
    f, u = odds_of(claim, m, epsilon)
    costs, features = [[m.real(c)] for c, _ in data], [[m.real(x)] for _, x in data]
    found = []
    for sides in product((True, False), repeat=T - 1):
        directions: list[int] = []
        probability = m.real(1)

        def draw(t: int, g: list[Real], sides: Any = sides, directions: list[int] = directions) -> list[Real]:
            nonlocal probability
            zero, positive = m.eq(g[0], 0), m.gt(g[0], 0)
            if zero is None or positive is None:
                raise ArithmeticError(f"the sign of the gradient {g[0]} is not decided")
            # at g = 0 both halves are the whole sphere: two directions of probability 1/2
            probability = probability * (m.frac(1, 2) if zero else f if sides[t] else u)
            directions.append(1 if sides[t] == (positive or zero) else -1)
            return [m.real(directions[-1])]

        step = step_of(claim, m)
        models = iterates(m, "box", costs, features, m.real(SMOOTHING), m.real(RADIUS), T - 1, step, draw)
        found.append(Path(tuple(B[0] for B in models), tuple(directions), probability))
    return found


def average(m: Numbers, path: Path) -> Real:
    """c_hat at x_{n+1} = 1: the average iterate (Proj leaves it where the bound of the models is large)."""
    return sum(path.iterates[1:], start=path.iterates[0]) / len(path.iterates)


def disjoint(m: Numbers, one: Sequence[Real], other: Sequence[Real]) -> bool:
    """Whether no value of the one is a value of the other, for certain."""
    return all(m.eq(a, b) is False for a in one for b in other)


def share(m: Numbers, found: Sequence[Path], event: Callable[[Path], Any]) -> Real:
    """Probability of an event that each path decides."""
    decided = [(path, event(path)) for path in found]
    if any(holds is None for _, holds in decided):
        raise ArithmeticError("a path does not decide the event")
    return sum((path.probability for path, holds in decided if holds), start=m.real(0))


def norms_on_the_disc(m: Numbers) -> tuple[Real, Real]:
    """Norms of the gradient at B_1 = 0 on the disc of radius 1, d = 2, p = n = 1, c = (5, 0), for x = 0 and for x = 1."""

    def norm(x: int) -> Real:
        cost = [[m.real(5), m.real(0)]]
        return m.norm(gradient(m, "ball", cost, [[m.real(x)]], m.real(SMOOTHING), m.real(RADIUS), [m.real(0)] * 2))

    return norm(0), norm(1)
