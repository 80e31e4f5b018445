"""Mutants of DP-SGD's stability; falsity in exact fractions: all draws of two records, run twice, on the uniform kernel."""

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import partial
from itertools import product

from dpsco.mutant import Mutant, scaled, with_formula
from dpsco.reference.numbers.mp import mp
from dpsco.spec.claim import Claim
from dpsco.spec.numbers import Numbers, Real
from dpsco.spec.register import find

Record = tuple[Fraction, Fraction]
FAR = Fraction(10**9)


def gradient(record: Record, theta: Fraction, h: Fraction, r: Fraction) -> Fraction:
    """(calK - r) x of the uniform kernel, in fractions."""
    x, y = record
    below = ((theta * x - y) / h + 1) / 2
    return (max(Fraction(0), min(Fraction(1), below)) - r) * x


def run(records: tuple[Record, ...], draws: tuple[int, ...], eta: Fraction, h: Fraction, r: Fraction) -> list[Fraction]:
    """The iterates without noise; noise below 10^8 would change no difference of two runs on records this far out."""
    found = [Fraction(0)]
    for k in draws:
        found.append(found[-1] - eta * gradient(records[k], found[-1], h, r))
    return found


def parted(n: int, B_x: Fraction, r: Fraction, eta: Fraction, h: Fraction) -> tuple[Fraction, Fraction, Fraction]:
    """Exact means over all draws: distance of the last iterates, of the averages, change of the loss at a far test record."""
    one = ((B_x, FAR),) * n
    other = (*one[:-1], (-B_x, FAR))
    last = mean = loss = Fraction(0)
    sequences = list(product(range(n), repeat=n * n - 1))
    for draws in sequences:
        a, b = run(one, draws, eta, h, r), run(other, draws, eta, h, r)
        averages = sum(a, start=Fraction(0)) / len(a) - sum(b, start=Fraction(0)) / len(b)
        last += abs(a[-1] - b[-1])
        mean += abs(averages)
        loss += r * B_x * averages  # the check loss at (-B_x, FAR) under a less that under b
    return tuple(total / len(sequences) for total in (last, mean, loss))  # type: ignore[return-value]


def too_small(claim: Claim, name: str) -> bool:
    """Whether the claimed bound lies below the exact mean at n = 2, r = 3/4, B_x = 4, so that L = 3, eta = 1/5."""
    m = mp(40)
    B_x, r, eta, n = Fraction(4), Fraction(3, 4), Fraction(1, 5), 2
    exact = dict(zip(("distance_after", "distance_of_averages", "stability"), parted(n, B_x, r, eta, Fraction(8)), strict=True))
    values = {"L": m.real(r * B_x), "eta": m.real(eta), "n": m.real(n)}
    if name == "distance_after":
        values["T"] = m.real(n * n)
    return bool(claim.formulas[name](m, **values) < m.real(exact[name]) * m.real("0.999999"))


def of_stability() -> Iterator[Mutant]:
    claim = find("quantile/lem-3.3")

    def root(m: Numbers, L: Real, eta: Real, T: Real, n: Real) -> Real:
        return 2 * L * eta * m.sqrt(T) / n

    def one_sided(m: Numbers, L: Real, eta: Real, T: Real, n: Real) -> Real:
        return L * eta * T / n

    def linear(m: Numbers, L: Real, eta: Real, n: Real) -> Real:
        return L * eta * (1 + n**2) / n

    moved: tuple[tuple[str, str, Callable[..., Real]], ...] = (
        ("the root of t", "distance_after", root),
        ("L for 2 L", "distance_after", one_sided),
        ("L for L^2", "stability", linear),
    )
    for says, name, formula in moved:
        mutant = with_formula(claim, name, formula)
        yield Mutant(says, mutant, partial(too_small, mutant, name))
    for name, share in (("distance_after", 7), ("distance_of_averages", 5), ("stability", 5)):
        less = scaled(claim, name, share, 10)
        yield Mutant(f"0.{share} of {name}", less, partial(too_small, less, name))

    def exact(m: Numbers, L: Real, eta: Real, T: Real, n: Real) -> Real:
        return 2 * L * eta * (T - 1) / n

    yield Mutant("t - 1 for t (still true)", with_formula(claim, "distance_after", exact), lambda: False)
