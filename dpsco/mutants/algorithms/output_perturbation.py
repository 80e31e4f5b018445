"""Mutants of output perturbation's inconsistency; their falsity is shown by quadrature of the noise and by all 0/1 samples."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from itertools import product

from dpsco.arguments.formula import apply
from dpsco.mutant import Mutant, scaled, with_formula
from dpsco.reference.numbers.mp import mp
from dpsco.spec.claim import Claim
from dpsco.spec.numbers import Numbers, Real
from dpsco.spec.register import find

AT = {"y_bar": "1", "q": "0.5", "tolerance": "0.2", "sigma": "0.3"}
FAR = {"y_bar": "40", "q": "20", "tolerance": "15", "sigma": "1"}


def noise_beyond(m: Numbers, t: Real, sigma: Real) -> Real:
    """Pr[N(0, sigma^2) >= t] by quadrature of the density."""
    context = m.mp  # type: ignore[attr-defined]
    start = t / sigma
    # the density falls like e^(-start u): pieces on that scale, or Gauss's rule misses the peak
    return context.quad(
        m.phi, [start + m.real(v) / (start + 1) for v in (0, 1, 2, 4, 7, 11, 16, 24, 36, 52, 74, 104, 140, 180)]
    )


def most_moved(n: int, r: tuple[int, int]) -> int:
    """The largest move of the least y with at least n r records at or below it, over all samples of zeros and ones."""
    a, b = r

    def quantile(sample: tuple[int, ...]) -> int:
        return min(y for y in sample if b * sum(x <= y for x in sample) >= n * a)

    pairs = ((s, (*s[:j], 1 - s[j], *s[j + 1 :])) for s in product((0, 1), repeat=n) for j in range(n))
    return max(abs(quantile(s) - quantile(t)) for s, t in pairs)


def moves_farther(claim: Claim) -> bool:
    """Whether at n = 4, r = 1/4, y_bar = 1 some pair of samples moves farther than the claim's sensitivity."""
    m = mp(30)
    values = {"n": m.real(4), "r": m.frac(1, 4), "y_bar": m.real(1)}
    return bool(most_moved(4, (1, 4)) > apply(claim.formulas["sensitivity"], m, values))


def values_at(m: Numbers, at: dict[str, str]) -> dict[str, Real]:
    return {name: m.real(value) for name, value in at.items()}


def misses_less(claim: Claim, at: dict[str, str]) -> bool:
    """Whether a sample whose order is q misses less often than the claim says."""
    m = mp(60)
    v = values_at(m, at)
    true = 2 * noise_beyond(m, v["tolerance"], v["sigma"])
    return bool(true * m.real("1.000001") < apply(claim.formulas["miss_probability"], m, v))


def tails_are_less(claim: Claim, at: dict[str, str]) -> bool:
    """Whether the two tails, by quadrature, are below the claim's elementary bound."""
    m = mp(60)
    v = values_at(m, at)
    true = noise_beyond(m, v["q"] + v["tolerance"], v["sigma"])
    true += noise_beyond(m, v["y_bar"] + v["tolerance"] - v["q"], v["sigma"])
    return bool(true * m.real("1.000001") < apply(claim.formulas["miss_lower"], m, v))


def bound_is_less(claim: Claim) -> bool:
    """Whether the claim's elementary bound is below the two tails at t_1 = 2, t_2 = 1."""
    m = mp(60)
    one = m.real(1)
    return bool(
        claim.formulas["miss_lower"](m, y_bar=one, q=one, tolerance=one, sigma=one)
        < noise_beyond(m, 2 * one, one) + noise_beyond(m, one, one)
    )


def without_square(m: Numbers, y_bar: Real, q: Real, tolerance: Real, sigma: Real) -> Real:
    """phi(t)/t, the upper bound of the tail."""
    t_1, t_2 = (q + tolerance) / sigma, (y_bar + tolerance - q) / sigma
    return m.phi(t_1) / t_1 + m.phi(t_2) / t_2


def nearer(m: Numbers, y_bar: Real, q: Real, tolerance: Real, sigma: Real) -> Real:
    """q dropped beside the tolerance on one side: Pr[N >= tolerance] + Pr[N >= y_bar + tolerance - q], too much."""
    return m.Phi(-tolerance / sigma) + m.Phi(-(tolerance - (y_bar - q)) / sigma)


def of_proposition() -> Iterator[Mutant]:
    claim = find("newsvendor/prop-EC.1")
    shrinking: tuple[tuple[str, Callable[..., Real]], ...] = (
        ("sensitivity y_bar/n", lambda m, y_bar, n: y_bar / n),
        ("sensitivity r y_bar", lambda m, y_bar, r: r * y_bar),
        ("sensitivity y_bar/2", lambda m, y_bar: y_bar / 2),
    )
    for says, formula in shrinking:
        moved = with_formula(claim, "sensitivity", formula)
        yield Mutant(says, moved, partial(moves_farther, moved))
    close = with_formula(claim, "miss_probability", nearer)
    yield Mutant("distances measured from the wrong ends", close, partial(misses_less, close, AT))
    thrice = scaled(claim, "miss_probability", 30, 1)
    yield Mutant("thirty times the chance to miss", thrice, partial(misses_less, thrice, AT))
    more = scaled(claim, "miss_lower", 11, 10)
    yield Mutant("1.1 times the elementary bound", more, partial(tails_are_less, more, FAR))
    upper = with_formula(claim, "miss_lower", without_square)
    yield Mutant("1/t for t/(t^2 + 1)", upper, partial(tails_are_less, upper, AT))
    turned = tuple(replace(a, sign="<=") if a.right == "miss_lower" else a for a in claim.asserts)
    reverse = replace(claim, asserts=turned)
    yield Mutant("the elementary bound from above", reverse, partial(bound_is_less, claim))
