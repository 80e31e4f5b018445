"""Mutants of the order quantity's deviation; their falsity is shown with incomplete beta functions and by quadrature.

The judge sums binomial probabilities; the law of an order statistic is a beta integral as well.
"""

from collections.abc import Callable, Iterator
from functools import partial

from dpsco.mutant import Mutant, scaled, with_formula
from dpsco.reference.numbers.mp import mp
from dpsco.spec.algorithms.sample_average import binomial_tail, kl
from dpsco.spec.claim import Claim
from dpsco.spec.numbers import Numbers, Real
from dpsco.spec.register import find

SLACK = "1.000001"


def fewer(m: Numbers, n: int, p: Real, k: int) -> Real:
    """Pr[Binomial(n, p) <= k] as a beta integral, by quadrature over t = 1 - p and below."""
    context = m.mp  # type: ignore[attr-defined]
    return context.betainc(n - k, k + 1, 0, 1 - p, regularized=True)


def median_misses(m: Numbers, n: int, distance: Real) -> Real:
    """Pr[|median| >= distance] of n standard normals, n even: the n/2-th smallest."""
    k, p = n // 2, m.Phi(distance)
    return fewer(m, n, p, k - 1) + fewer(m, n, p, n - k)


def divergence(m: Numbers, r: Real, p: Real) -> Real:
    """KL(r | p), the integral of (t - r)/(t (1 - t)) from r to p."""
    context = m.mp  # type: ignore[attr-defined]
    return context.quad(lambda t: (t - r) / (t * (1 - t)), [r, p])


def square_is_more(claim: Claim) -> bool:
    m = mp(50)
    r, p = m.real("0.5"), m.real("0.501")
    both = (divergence(m, r, p), claim.formulas["kl"](m, r=r, p=p))  # the definition, and what the claim calls so
    return bool(claim.formulas["pinsker"](m, r=r, p=p) > min(both) * m.real(SLACK))


def tail_is_more(claim: Claim, n: int, r: str, p: str, k: int) -> bool:
    """Whether Pr[Binomial(n, p) <= k], k = floor(n r), is above the claim's bound."""
    m = mp(50)
    return bool(
        fewer(m, n, m.real(p), k) > claim.formulas["binomial_tail"](m, n=m.real(n), r=m.real(r), p=m.real(p)) * m.real(SLACK)
    )


def deviates_more(claim: Claim) -> bool:
    """Whether the median of 3000 normals is 0.19 away more often than the claim's bound in KL."""
    m = mp(50)
    bound = claim.formulas["deviation_tail_kl"](m, n=m.real(3000), r=m.frac(1, 2), s=m.real("0.3962"), tolerance=m.real("0.19"))
    return bool(median_misses(m, 3000, m.real("0.19")) > bound * m.real(SLACK))


def squares_are_less(claim: Claim) -> bool:
    """Whether the bound in squares is below the one in KL, n = 100, r = 1/2, s = 0.3962, e = 0.19."""
    m = mp(50)
    n, r, x = m.real(100), m.frac(1, 2), m.real("0.3962") * m.real("0.19")
    both = m.exp(-n * divergence(m, r, r + x)) + m.exp(-n * divergence(m, r, r - x))
    return bool(both > claim.formulas["deviation_tail"](m, n=n, s=m.real("0.3962"), tolerance=m.real("0.19")) * m.real(SLACK))


def fails_more(claim: Claim) -> bool:
    """Whether the median of 4000 normals exceeds the claim's deviation with more than gamma = 1e-20."""
    m = mp(50)
    gamma = m.real("1e-20")
    away = claim.formulas["deviation"](m, n=m.real(4000), s=m.real("0.3962"), gamma=gamma)
    return bool(median_misses(m, 4000, away) > gamma * m.real(SLACK))


def costs_more(claim: Claim) -> bool:
    """r = 1/2, y = x + error, standard deviations 1 and 1/1000: mean absolute values by quadrature, E|q_hat| below 1e-6."""
    m = mp(50)
    context = m.mp  # type: ignore[attr-defined]
    mean = 2 * context.quad(lambda t: t * m.phi(t), [0, 1, 5, 40])
    risk = (m.sqrt(1 + m.real("1e-6")) - m.real("1e-3")) * mean / 2
    return bool(
        risk
        > claim.formulas["risk_bound"](m, r_bar=m.frac(1, 2), quantile_error=m.real("1e-6"), feature_gap=mean) * m.real(SLACK)
    )


def steeper(m: Numbers, n: Real, r: Real, s: Real, tolerance: Real) -> Real:
    x = m.frac(11, 10) * s * tolerance
    return binomial_tail(m, n=n, r=r, p=r + x) + binomial_tail(m, n=n, r=r, p=r - x)


def of_theorem() -> Iterator[Mutant]:
    claim = find("newsvendor/thm-8")
    moves: tuple[tuple[str, str, Callable[..., Real], Callable[[Claim], bool]], ...] = (
        ("2.1 for 2 in Pinsker's inequality", "pinsker", lambda m, r, p: m.frac(21, 10) * (r - p) ** 2, square_is_more),
        ("1.1 s for s in the bound in KL", "deviation_tail_kl", steeper, deviates_more),
        (
            "4 for 2 in the exponent",
            "deviation_tail",
            lambda m, n, s, tolerance: 2 * m.exp(-4 * n * s**2 * tolerance**2),
            squares_are_less,
        ),
        (
            "the feature gap dropped",
            "risk_bound",
            lambda m, r_bar, quantile_error, feature_gap: r_bar * quantile_error,
            costs_more,
        ),
        (
            "n^(3/5) for the root of n",
            "deviation",
            lambda m, n, s, gamma: m.sqrt(m.log(2 / gamma) / 2) / n ** m.frac(3, 5) / s,
            fails_more,
        ),
    )
    for says, name, formula, false in moves:
        moved = with_formula(claim, name, formula)
        yield Mutant(says, moved, partial(false, moved))
    half = scaled(claim, "binomial_tail", 1, 2)
    yield Mutant("half of Chernoff's bound", half, partial(tail_is_more, half, 1, "0.0009765625", "0.3", 0))
    twice = with_formula(claim, "binomial_tail", lambda m, n, r, p: m.exp(-2 * n * kl(m, r=r, p=p)))
    yield Mutant("twice the exponent of Chernoff's bound", twice, partial(tail_is_more, twice, 40, "0.25", "0.5", 10))
    close = scaled(claim, "kl", 9, 10)
    yield Mutant("0.9 of the divergence", close, partial(square_is_more, close))
    near = scaled(claim, "deviation", 9, 10)
    yield Mutant("0.9 of the deviation", near, partial(fails_more, near))
    cheap = scaled(claim, "risk_bound", 9, 10)
    yield Mutant("0.9 of the excess cost", cheap, partial(costs_more, cheap))
