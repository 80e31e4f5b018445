"""Mutants of exponential descent's risk; falsity by all paths of runs on the line, in fractions, and by the mean's recursion.

One record (c, 1) on S = [-1, 1], so that L = 4, B_x = B_w = 1 and the plain loss is max(0, 2 c - 4 B), least from B* = c/2 on.
"""

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from functools import partial
from itertools import pairwise

from dpsco.arguments.formula import apply
from dpsco.mutant import Mutant, scaled, with_formula
from dpsco.reference.numbers.mp import mp
from dpsco.spec.claim import Claim
from dpsco.spec.numbers import Numbers, Real
from dpsco.spec.privacy.randomised_response import advantage, half_sphere_factor
from dpsco.spec.register import find


def risk_on_the_line(odds: Fraction, c: Fraction, eta: Fraction, mu: Fraction, T: int) -> Fraction:
    """Exact mean of the plain loss at the average over all 2^(T-1) paths; n equal records are one."""
    favoured, total = odds / (odds + 1), Fraction(0)
    paths: list[tuple[Fraction, Fraction, Fraction]] = [(Fraction(0), Fraction(0), Fraction(1))]  # B_t, sum so far, chance
    for _ in range(T - 1):
        after = []
        for B, summed, chance in paths:
            w = max(Fraction(-1), min(Fraction(1), (c - 2 * B) / mu))
            gradient = -2 * w - 2
            for sign, share in ((1, favoured), (-1, 1 - favoured)):
                moved = B - sign * eta * gradient
                after.append((moved, summed + moved, chance * share))
        paths = after
    for _, summed, chance in paths:
        total += chance * max(Fraction(0), 2 * c - 4 * summed / T)
    return total


def line(c: Fraction, n: int, T: int, eta: Real, epsilon: Real) -> dict[str, Real]:
    """The claim's quantities for that record."""
    m = mp(40)
    whole = {"n": n, "T": T, "d": 1, "L": 4, "B_w": 1, "B_x": 1, "B_B": c / 2, "minimiser_norm": c / 2}
    return {**{name: m.real(value) for name, value in whole.items()}, "eta": m.real(eta), "epsilon": epsilon}


def line_exceeds(claim: Claim, name: str, odds: str, c: str, n: int, T: int, eta: str | None) -> bool | None:
    """True if the exact risk exceeds the claimed bound, else None; eta None: the double nearest to the claim's step length."""
    m = mp(40)
    epsilon, star = m.log(m.real(odds)), Fraction(c)
    at = line(star, n, T, eta or 1, epsilon)
    length = Fraction(eta) if eta else Fraction(float(apply(claim.formulas["step_length"], m, at)))
    at["eta"] = m.real(length)
    mu = Fraction(float(apply(claim.formulas["smoothing"], m, at)))
    true = risk_on_the_line(Fraction(odds), star, length, mu, T)
    return True if m.real(true) > apply(claim.formulas[name], m, at) * m.real("1.000001") else None


def mean_half(d: int) -> Real:
    """Mean length of a half-sphere of R^d, by quadrature over the angle."""
    m = mp(30)
    points = [m.real(0), m.pi / 2 - 20 / m.sqrt(m.real(d)), m.pi / 2] if d > 1000 else [m.real(0), m.pi / 2]
    whole, along = (
        m.mp.quad(lambda a, k=k: m.cos(a) ** k * m.sin(a) ** (d - 2), points)  # type: ignore[attr-defined]
        for k in (0, 1)
    )
    return along / whole


def wide_exceeds(claim: Claim, n: int, T: int, eta: str, d: int) -> bool | None:
    """The same in d coordinates, epsilon = 1, B* = 1: the mean moves by at most 4 eta c_d tanh(1/2) a step."""
    m = mp(30)
    at = {**line(Fraction(2), n, T, Fraction(eta), m.real(1)), "d": m.real(d)}
    risk = 4 * (1 - 4 * at["eta"] * mean_half(d) * m.tanh(m.frac(1, 2)) * (T - 1) / 2)
    return True if risk > apply(claim.formulas["regret_before_eta"], m, at) else None


def quotients_grow(claim: Claim, path: Callable[[int], Mapping[str, object]], slow: bool) -> bool | None:
    """True if a reached risk over the rate grows at least twofold with each tenfold N, four times; L = B* = 1, S of radius 1/4.

    Reached: 1 - eta q (n^2 - 1)/2, or c^2/(2 eta q (n^2 - 1)) once iterates get so far (slow).
    """
    m = mp(60)
    found = []
    for N in (10, 100, 1000, 10000, 100000):
        at = {name: m.real(value) for name, value in path(N).items()}
        at |= {"L": m.real(1), "B_B": m.real(1), "B_x": m.real(1), "B_w": m.frac(1, 4)}
        q = half_sphere_factor(m, epsilon=at["epsilon"], d=at["d"])
        moved = apply(claim.formulas["step_length"], m, at) * q * (at["n"] ** 2 - 1)
        if slow and not moved >= 1:
            return None
        reached = 1 / (2 * moved) if slow else 1 - moved / 2
        found.append(reached / apply(claim.formulas["rate"], m, at))
    return all(b > 2 * a > 0 for a, b in pairwise(found)) or None


def of_amended() -> Iterator[Mutant]:
    claim = find("spo/thm-4-amended")

    def printed_factor(
        m: Numbers, n: Real, T: Real, epsilon: Real, eta: Real, L: Real, minimiser_norm: Real, B_w: Real, B_x: Real
    ) -> Real:
        inner = minimiser_norm**2 / (2 * T * eta) + eta * L**2 / 2 + eta * B_x**2 * B_w**2
        return L**2 * (1 + T) * eta / n + inner * advantage(m, epsilon=epsilon)

    def no_dimension(
        m: Numbers, n: Real, T: Real, epsilon: Real, eta: Real, L: Real, minimiser_norm: Real, B_w: Real, B_x: Real
    ) -> Real:
        inner = minimiser_norm**2 / (2 * T * eta) + eta * L**2 / 2 + eta * B_x**2 * B_w**2
        return L**2 * (1 + T) * eta / n + inner / advantage(m, epsilon=epsilon)

    moved = with_formula(claim, "regret_before_eta", printed_factor)
    small = partial(line_exceeds, moved, "regret_before_eta", "1.1", "2", 10**6, 9, "0.01")
    yield Mutant("the printed factor h for 1/q", moved, small)
    moved = with_formula(claim, "regret_before_eta", no_dimension)
    yield Mutant("1/h for 1/q: no dimension", moved, partial(wide_exceeds, moved, 10**12, 1000, "0.01", 10**6))
    less = scaled(claim, "regret_before_eta", 4, 5)
    yield Mutant("4/5 of the bound", less, partial(line_exceeds, less, "regret_before_eta", "1e6", "2", 10**9, 9, "0.025"))
    quarter = scaled(claim, "regret", 1, 4)
    yield Mutant("a quarter of the closed form", quarter, partial(line_exceeds, quarter, "regret", "1e6", "2", 3, 9, None))

    def of_rate(says: str, rate: Callable[..., Real], path: Callable[[int], Mapping[str, object]], slow: bool) -> Mutant:
        turned = with_formula(claim, "rate", rate)
        return Mutant(says, turned, partial(quotients_grow, turned, path, slow))

    def printed(m: Numbers, n: Real, epsilon: Real) -> Real:
        return m.sqrt(1 / n) + advantage(m, epsilon=epsilon) / n

    def flat(m: Numbers, n: Real, epsilon: Real) -> Real:
        return m.sqrt(1 / (advantage(m, epsilon=epsilon) * n)) + 1 / (advantage(m, epsilon=epsilon) * n)

    def fast(m: Numbers, n: Real, epsilon: Real, d: Real) -> Real:
        q = half_sphere_factor(m, epsilon=epsilon, d=d)
        return (1 / (q * n)) ** m.frac(3, 5) + 1 / (q * n)

    yield of_rate("the printed rate", printed, lambda N: {"n": N**4, "epsilon": Fraction(1, N**6), "d": 1}, False)
    yield of_rate("a rate without the dimension", flat, lambda N: {"n": N, "epsilon": 1, "d": N**4}, False)
    yield of_rate("the power 0.6 for the root", fast, lambda N: {"n": N**8, "epsilon": 1, "d": 1}, True)
    yield Mutant("twice the closed form (still true)", scaled(claim, "regret", 2, 1), lambda: False)
