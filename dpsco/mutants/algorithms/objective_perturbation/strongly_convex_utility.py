"""Mutants of the risk for strongly convex losses; falsity by sums over tilts, quadrature over the noise, fractions."""

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from itertools import pairwise

from dpsco.arguments.formula import apply
from dpsco.mutant import Mutant, carried_over, scaled, with_formula
from dpsco.reference.numbers.mp import mp
from dpsco.spec.claim import Claim
from dpsco.spec.numbers import Numbers, Real
from dpsco.spec.register import find

LINE = {"L": 1, "C_norm": 1, "d": 1, "r": 1, "epsilon": 1, "delta": "0.36787944117144233", "alpha": 0}


def gap_of_tilts(m: Numbers, n: int, mu: Real, b: Real) -> Real:
    """-E b mean(x) theta_1 over all 2^n signs by the binomial law, no noise, theta_1 = -b mean(x)/mu clipped to [-1, 1]."""
    total = m.real(0)
    for k in range(n + 1):
        mean = m.frac(2 * k - n, n)
        moved = min(b * abs(mean) / mu, m.real(1))
        total += m.binomial(m.real(n), m.real(k)) * b * abs(mean) * moved
    return total / m.real(2) ** n


def excess_on_a_line(m: Numbers, v: Mapping[str, Real]) -> Real:
    """(mu/2) E min(theta^2, 1), theta = G/(n mu), by quadrature over the normal density; C = [-1, 1], mu = Delta."""
    mu = v["Delta"]
    spread = m.sqrt(128 * m.log(1 / v["delta"])) * v["L"] / (v["epsilon"] * v["n"] * mu)
    points = [m.real(0), *(k * spread for k in (1, 4, 12, 40))]
    return mu * m.mp.quad(lambda x: min(x**2, m.real(1)) * m.phi(x / spread) / spread, points)  # type: ignore[attr-defined]


def outgrown(claim: Claim, path: Callable[[int], Mapping[str, object]], left: Callable[..., Real]) -> bool | None:
    """True if left over the rate grows by a tenth at least along N = 10, 100, ..., 10^5."""
    m, found = mp(30), []
    for N in (10, 100, 1000, 10**4, 10**5):
        v = {key: m.real(value) for key, value in path(N).items()}
        v["G_C"] = v["C_norm"] * m.sqrt(2 / m.pi)
        found.append(left(m, v) / apply(claim.formulas["rate"], m, v))
    return all(b > m.real("1.1") * a > 0 for a, b in pairwise(found)) or None


def of_amended() -> Iterator[Mutant]:
    claim = find("lp/thm-4-amended")
    less = scaled(claim, "generalisation_bound", 2, 5)

    def tilts() -> bool:
        """n = 10^4, Delta = mu = 3/100, b = 97/100: 9 times out of 10 unclipped."""
        m = mp(30)
        v = {"L": m.real(1), "n": m.real(10**4), "C_norm": m.real(1), "Delta": m.real("0.03")}
        found = gap_of_tilts(m, 10**4, v["Delta"], m.real("0.97"))
        return bool(found > apply(less.formulas["generalisation_bound"], m, v))

    yield Mutant("2/5 of the generalisation bound", less, tilts)
    near = scaled(claim, "optimisation_distance", 9, 10)

    def parabola() -> bool:
        """J = theta^2/2 on [-1, 1], Delta = |C|_2 = 1: theta_2 = 1/2 has the accuracy 1/8."""
        m = mp(30)
        v = {"alpha": m.frac(1, 8), "C_norm": m.real(1), "Delta": m.real(1)}
        return bool(apply(near.formulas["optimisation_distance"], m, v) < m.frac(1, 2))

    yield Mutant("0.9 of the distance", near, parabola)

    def noise_only(m: Numbers, G_C: Real, L: Real, delta: Real, Delta: Real, n: Real, epsilon: Real) -> Real:
        return (1 + 2 * m.pi) * 128 * L**2 * m.log(1 / delta) / epsilon**2 * G_C**2 / n**2 / Delta

    bare = with_formula(claim, "excess_bound", noise_only)

    def shrunk() -> bool:
        """C = [-1/10, 1/10], theta^2 - theta/10, the chosen ridge 0.88: excess at the noiseless minimiser, in fractions."""
        m, one = mp(30), Fraction(1)
        values = {"r": 1, "beta": 900, "epsilon": 10, "n": 100, "Delta": "0.02", "L": 1, "delta": "0.999999", "G_C": "0.08"}
        v = {key: m.real(x) for key, x in values.items()}
        ridge = Fraction(str(apply(claim.formulas["lambda_choice"], m, v))).limit_denominator(10**6)
        theta = one / 10 / (2 + 2 * ridge)
        excess = (theta**2 - theta / 10) - (one / 400 - one / 200)
        return bool(m.real(excess) > apply(bare.formulas["excess_bound"], m, v))

    yield Mutant("no ridge in the excess", bare, shrunk)

    def no_width(m: Numbers, L: Real, C_norm: Real, n: Real, Delta: Real) -> Real:
        return L**2 * C_norm**2 / (n * Delta)

    def faster(m: Numbers, L: Real, C_norm: Real, n: Real, Delta: Real, G_C: Real, delta: Real, epsilon: Real) -> Real:
        noise = G_C**2 * L**2 * m.log(1 / delta) / (Delta * n**2 * epsilon**2)
        return L**2 * C_norm**2 / (m.exp(m.log(n) * m.frac(11, 10)) * Delta) + noise

    def halved(m: Numbers, L: Real, C_norm: Real, n: Real, Delta: Real, G_C: Real, delta: Real, epsilon: Real) -> Real:
        return L**2 * C_norm**2 / (n * m.sqrt(Delta)) + G_C**2 * L**2 * m.log(1 / delta) / (Delta * n**2 * epsilon**2)

    flat, fast, half = (with_formula(claim, "rate", f) for f in (no_width, faster, halved))

    def private(N: int) -> Mapping[str, object]:
        """epsilon = 1/N, n = 10^4 N^(3/2) or so, Delta = 1/2: the noise, not the sample, decides."""
        return {**LINE, "n": 10**4 * N * int(N**0.5 + 1), "epsilon": Fraction(1, N), "Delta": "0.5"}

    def sampled(m: Numbers, v: Mapping[str, Real]) -> Real:
        """(mu/2) b^2/(n mu^2) at b = 1/2, the second moment of the mean, far from the ends of C."""
        return 1 / (8 * v["n"] * v["Delta"])

    yield Mutant("no width in the rate", flat, lambda: outgrown(flat, private, excess_on_a_line))
    many = {**LINE, "epsilon": 10**6}
    yield Mutant("n^1.1", fast, lambda: outgrown(fast, lambda N: {**many, "n": 100 * N**2, "Delta": "0.5"}, sampled))
    falling: Callable[[int], Mapping[str, object]] = lambda N: {**many, "n": 100 * N**4, "Delta": Fraction(1, N)}  # noqa: E731
    yield Mutant("the root of Delta", half, lambda: outgrown(half, falling, sampled))
    yield Mutant("twice the excess (still true)", scaled(claim, "excess_bound", 2, 1), lambda: False)


def of_printed() -> Iterator[Mutant]:
    claim, amended = find("lp/thm-4"), find("lp/thm-4-amended")
    yield from carried_over(claim, amended, of_amended(), "rate", "optimisation_distance")
