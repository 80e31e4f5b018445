"""Mutants of the amended privacy of truncated batched mirror descent, shown false by quadrature in the Euclidean limit p -> 2
or by listing the means of two batches."""

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

from dpsco.mutant import Mutant, scaled, with_formula
from dpsco.mutants.privacy.generalised_gaussian import exceeds
from dpsco.reference.numbers.mp import mp
from dpsco.spec.algorithms.mirror_descent.truncated import FILLED, threshold
from dpsco.spec.algorithms.mirror_descent.truncated_utility import batch_sensitivity
from dpsco.spec.claim import Claim
from dpsco.spec.numbers import Numbers, Real
from dpsco.spec.register import find

SIZES = {"beta": "2", "M": "3", "lambda_": "4"}
"""Threshold beta M + lambda = 10."""


def leaks(claim: Claim, n: int = 20, T: int = 1, epsilon: str = "1", delta: str = "1e-40") -> bool:
    """Whether a Gaussian answer with kept gradients +10, -10 in a batch of floor(n/T) needs more than delta at kappa = 1."""
    moved = Fraction(20, n // T)
    numbers = SIZES | {"n": str(n), "T": str(T), "epsilon": epsilon, "delta": delta, "kappa": "1"}
    return exceeds(claim, "sigma_1_squared", sensitivity=str(float(moved)), **numbers)


def listed_batches(claim: Claim, n: int = 8, T: int = 2) -> bool:
    """Whether turning one kept gradient of a batch of n/T from +10 to -10 moves the mean by more than the claim says."""
    size = n // T
    before, after = (Fraction(sum([0] * (size - 1), start=last), size) for last in (10, -10))
    m = mp(30)
    numbers = {name: m.real(value) for name, value in (SIZES | {"n": str(n), "T": str(T)}).items()}
    return bool(m.real(before - after) > claim.formulas["batch_sensitivity"](m, **numbers))


def of_amended() -> Iterator[Mutant]:
    claim = find("lp/thm-14-amended")
    less = scaled(claim, "sigma_1_squared", 9, 10)
    yield Mutant("variance times 0.9", less, lambda: leaks(less))

    def moved(nats: int, power: int, whole: bool) -> Claim:
        def variance(
            m: Numbers, kappa: Real, beta: Real, M: Real, lambda_: Real, delta: Real, n: Real, T: Real, epsilon: Real
        ) -> Real:
            step = (
                2 * threshold(m, beta=beta, M=M, lambda_=lambda_) / n
                if whole
                else batch_sensitivity(m, beta=beta, M=M, lambda_=lambda_, n=n, T=T)
            )
            return kappa * step**2 * (2 * m.log(1 / delta) + nats * epsilon) / epsilon**power

        return with_formula(claim, "sigma_1_squared", variance)

    bare = moved(0, 2, False)
    yield Mutant("epsilon dropped beside the logarithm", bare, lambda: leaks(bare, epsilon="20", delta="0.1"))
    whole = moved(1, 2, True)
    yield Mutant("n for the batch size n/T", whole, lambda: leaks(whole, T=2, delta="1e-6"))
    steep = moved(1, 3, False)
    yield Mutant("epsilon^3 for epsilon^2", steep, lambda: leaks(steep, epsilon="8", delta="1e-6"))

    def without(m: Numbers, kappa: Real, lambda_: Real, delta: Real, n: Real, T: Real, epsilon: Real) -> Real:
        return kappa * (2 * lambda_ * T / n) ** 2 * (2 * m.log(1 / delta) + epsilon) / epsilon**2

    short = with_formula(claim, "sigma_1_squared", without)
    yield Mutant("lambda for beta M + lambda", short, lambda: leaks(short, delta="1e-6"))
    half = scaled(claim, "batch_sensitivity", 1, 2)
    yield Mutant("sensitivity (beta M + lambda)/|B_t|", half, lambda: listed_batches(half))
    uneven = replace(claim, preconditions=(FILLED,))
    yield Mutant("T need not divide n", uneven, lambda: leaks(uneven, n=3, T=2, delta="1e-6"))
    more = scaled(claim, "sigma_1_squared", 11, 10)
    yield Mutant("variance times 1.1 (still true: more noise)", more, lambda: False)
