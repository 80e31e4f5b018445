"""Mutants of phased DP-SGD's noise; their falsity is shown by running the phase on two data sets and a quadrature.

The judge takes the shift from a lemma and the profile from its closed form; here the iterates of linear losses are computed
one by one, with exact rationals, and the hockey-stick divergence is integrated.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from functools import partial

from dpsco.mutant import Mutant, scaled, with_formula
from dpsco.mutants.privacy.gaussian import hockey_stick
from dpsco.reference.numbers.mp import mp
from dpsco.spec.algorithms.phased.dp_sgd import LIPSCHITZ, SMALL_STEP
from dpsco.spec.claim import Claim, Relation
from dpsco.spec.numbers import Numbers, Real, Truth
from dpsco.spec.predicate import Predicate
from dpsco.spec.register import find


def average(slopes: list[Fraction], step: Fraction) -> Fraction:
    """Average of the iterates of gradient descent from 0 on the losses slope * w, one step a record, d = 1."""
    iterates = [Fraction(0)]
    for slope in slopes:
        iterates.append(iterates[-1] - step * slope)
    return sum(iterates, start=Fraction(0)) / len(iterates)


def exceeds(claim: Claim, epsilon: str, delta: str, records: int = 400) -> bool:
    """Whether phase 1 of `records` records with L = 3, eta = 1/2 loses more than delta, by the quadrature of both densities."""
    m = mp(60)
    values = {"L": m.real(3), "eta": m.frac(1, 2), "i": m.real(1), "epsilon": m.real(epsilon), "delta": m.real(delta)}
    if not all(predicate(m, values) for predicate in claim.preconditions if set(predicate.names) == {"epsilon", "delta"}):
        raise ValueError(f"epsilon = {epsilon}, delta = {delta} does not meet the preconditions of {claim.id}")
    step, others = Fraction(1, 8), [Fraction(3)] * (records - 1)
    apart = abs(average([Fraction(3), *others], step) - average([Fraction(-3), *others], step))
    mu = m.frac(apart.numerator, apart.denominator) / claim.formulas["phase_sigma"](m, **values)
    return bool(hockey_stick(mu, values["epsilon"]) > values["delta"] * m.real("1.001"))


def of_lemma() -> Iterator[Mutant]:
    claim = find("lp/lem-14")
    for numerator, delta in ((3, "1e-40"), (2, "1e-6")):
        less = scaled(claim, "phase_sigma", numerator, 4)
        yield Mutant(f"{numerator} L for 4 L in sigma_i", less, partial(exceeds, less, _twice(delta), delta))

    def slow(m: Numbers, L: Real, eta: Real, i: Real, epsilon: Real, delta: Real) -> Real:
        return 4 * L * eta / m.real(4) ** i * m.log(1 / delta) ** m.frac(2, 5) / epsilon

    moved = with_formula(claim, "phase_sigma", slow)
    yield Mutant("ln(1/delta) to the power 0.4", moved, partial(exceeds, moved, "600", "1e-300"))

    def shorter(m: Numbers, L: Real, eta: Real, i: Real, epsilon: Real, delta: Real) -> Real:
        return L * eta / m.real(4) ** i * m.sqrt(m.log(1 / delta)) / epsilon

    plain = with_formula(claim, "phase_sigma", shorter)
    yield Mutant("the factor 4 dropped", plain, partial(exceeds, plain, "1", "1e-3"))

    wide = replace(claim, preconditions=(LIPSCHITZ, SMALL_STEP, _moderate(lambda m, nats: 4 * nats)))
    yield Mutant("epsilon <= 4 ln(1/delta)", wide, partial(exceeds, wide, "368", "1e-40"))
    more = scaled(claim, "phase_sigma", 5, 4)
    yield Mutant("5 L for 4 L (still true: more noise)", more, lambda: False)


def _twice(delta: str) -> str:
    """An epsilon a little under 2 ln(1/delta)."""
    return {"1e-40": "184", "1e-6": "27.6"}[delta]


def _moderate(most: Callable[[Numbers, Real], Real]) -> Predicate:
    def test(m: Numbers, epsilon: Real, delta: Real) -> Truth:
        return m.le(epsilon, most(m, m.log(1 / delta)))

    inside, outside = {"epsilon": "1", "delta": "1e-3"}, {"epsilon": "100", "delta": "1e-3"}
    return Predicate("epsilon at most another multiple of ln(1/delta)", test, inside, outside)


def of_lengths() -> Iterator[Mutant]:
    claim = find("lp/alg-6-amended")

    def doubled(m: Numbers, n: Real, i: Real) -> Real:
        return m.floor(2 * n / m.real(2) ** i)

    twice = with_formula(claim, "phase_length", doubled)
    yield Mutant("n_i = floor(2^{1-i} n)", twice, lambda: sum(5 * 2 // 2**i for i in (1, 2)) > 4)

    def up(m: Numbers, n: Real, i: Real) -> Real:
        return m.ceil(n / m.real(2) ** i)

    ceiling = with_formula(claim, "phase_length", up)
    yield Mutant("n_i rounded up", ceiling, lambda: sum(-(-5 // 2**i) for i in (1, 2)) > 4)

    def one_more(m: Numbers, n: Real) -> Real:
        return m.floor(m.log(n) / m.log(m.real(2))) + 1

    longer = with_formula(claim, "phases", one_more)
    yield Mutant("k = floor(log2 n) + 1", longer, lambda: 5 // 2**3 < 1)
    whole = replace(claim, asserts=(Relation("n_1 + ... + n_k", "=", "n"), *claim.asserts[1:]))
    yield Mutant("all records used, as printed", whole, lambda: sum(7 // 2**i for i in (1, 2)) != 7)
