"""Mutants of the amended privacy of regularised mirror descent, shown false by quadrature in the Euclidean limit p -> 2, by a
count of sign vectors, or by two records."""

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import product

from dpsco.arguments.formula import apply
from dpsco.mutant import Mutant, scaled, with_formula
from dpsco.mutants.privacy.generalised_gaussian import exceeds
from dpsco.reference.numbers.mp import mp
from dpsco.spec.algorithms.mirror_descent.regularised import gradient_sensitivity
from dpsco.spec.analysis.geometry.regularity import kappa_algorithm_7, kappa_printed
from dpsco.spec.claim import Claim
from dpsco.spec.numbers import Numbers, Real
from dpsco.spec.register import find


def leaks(claim: Claim, steps: int = 1, n: int = 2, epsilon: str = "1", delta: str = "1e-40") -> bool:
    """Whether T Gaussian answers with opposite gradients of norm L = 3 need more than delta at kappa = 1, the limit p -> 2."""
    return exceeds(
        claim,
        "noise_scale",
        steps,
        kappa="1",
        sensitivity=str(Fraction(6, n)) if 6 % n else str(6 // n),
        L="3",
        n=str(n),
        T=str(steps),
        epsilon=epsilon,
        delta=delta,
    )


def signs_ask_more(claim: Claim, p: str, d: int) -> bool:
    """Whether the sum of two independent sign vectors, all pairs listed, has more second moment than kappa times the sum."""
    m = mp(40)
    q = m.real(p) / (m.real(p) - 1)
    vectors = list(product((-1, 1), repeat=d))
    sums = [m.norm([m.real(a + b) for a, b in zip(x, y, strict=True)], q) ** 2 for x in vectors for y in vectors]
    mean, each = sum(sums) / len(sums), m.norm([m.real(1)] * d, q) ** 2
    return bool(mean > 2 * each * apply(claim.formulas["kappa_of_p_and_d"], m, {"p": m.real(p), "d": m.real(d)}))


def opposite_records(claim: Claim, n: int = 4, L: Fraction = Fraction(3)) -> bool:
    """Whether a mean of n slopes, one of them turned from L to -L, moves by more than the claim says."""
    before, after = (sum([L] * (n - 1), start=last) / n for last in (L, -L))
    m = mp(30)
    return bool(m.real(before - after) > claim.formulas["gradient_sensitivity"](m, L=m.real(L), n=m.real(n)))


def of_amended() -> Iterator[Mutant]:
    claim = find("lp/thm-6-amended")
    less = scaled(claim, "noise_scale", 9, 10)
    yield Mutant("variance times 0.9", less, lambda: leaks(less))

    def bare(m: Numbers, L: Real, kappa: Real, T: Real, delta: Real, n: Real, epsilon: Real) -> Real:
        return kappa * gradient_sensitivity(m, L=L, n=n) ** 2 * T * 2 * m.log(1 / delta) / epsilon**2

    printed = with_formula(claim, "noise_scale", bare)
    yield Mutant("epsilon dropped beside the logarithm", printed, lambda: leaks(printed, epsilon="20", delta="0.1"))

    def once(m: Numbers, L: Real, kappa: Real, delta: Real, n: Real, epsilon: Real) -> Real:
        return kappa * gradient_sensitivity(m, L=L, n=n) ** 2 * (2 * m.log(1 / delta) + epsilon) / epsilon**2

    single = with_formula(claim, "noise_scale", once)
    yield Mutant("T dropped", single, lambda: leaks(single, steps=100, delta="1e-6"))

    def root(m: Numbers, L: Real, kappa: Real, T: Real, delta: Real, n: Real, epsilon: Real) -> Real:
        return once(m, L, kappa, delta, n, epsilon) * m.sqrt(T)

    slow = with_formula(claim, "noise_scale", root)
    yield Mutant("sqrt(T) for T", slow, lambda: leaks(slow, steps=100, delta="1e-6"))

    def cubed(m: Numbers, L: Real, kappa: Real, T: Real, delta: Real, n: Real, epsilon: Real) -> Real:
        return once(m, L, kappa, delta, n, epsilon) * T / n

    fast = with_formula(claim, "noise_scale", cubed)
    yield Mutant("n^3 for n^2", fast, lambda: leaks(fast, n=100, delta="1e-6"))
    half = scaled(claim, "gradient_sensitivity", 1, 2)
    yield Mutant("sensitivity L/n", half, lambda: opposite_records(half))
    for says, formula in (("2 ln d, as printed", kappa_printed), ("ln d, as in Algorithm 7", kappa_algorithm_7)):
        moved = with_formula(claim, "kappa_of_p_and_d", formula)
        d = 2 if formula is kappa_printed else 3
        yield Mutant(f"kappa with {says}", moved, lambda moved=moved, d=d: signs_ask_more(moved, "1.05", d))  # type: ignore[misc]
    more = scaled(claim, "noise_scale", 11, 10)
    yield Mutant("variance times 1.1 (still true: more noise)", more, lambda: False)


def descended(claim: Claim, modulus: Fraction, slopes: tuple[Fraction, Fraction], n: int, alpha: Fraction) -> bool:
    """Whether the minimisers of mean slope times w plus modulus w^2/2, found by bisection, are further apart than is said."""
    m = mp(30)

    def least(last: Fraction) -> Real:
        mean, low, high = (slopes[0] * (n - 1) + last) / n, m.real(-1000), m.real(1000)
        for _ in range(80):
            middle = (low + high) / 2
            low, high = (low, middle) if m.real(mean) + m.real(modulus) * middle > 0 else (middle, high)
        return low

    apart = abs(least(slopes[0]) - least(slopes[1]))
    values = {"gradient_difference": abs(slopes[0] - slopes[1]) / n, "alpha": alpha, "L": abs(slopes[0]), "n": Fraction(n)}
    taken = {name: m.real(value) for name, value in values.items()}
    bounds = [apply(claim.formulas[name], m, taken) for name in ("bound", "empirical_bound")]
    return bool(any(apart > bound * (1 + m.real("1e-12")) for bound in bounds))


def of_minimisers() -> Iterator[Mutant]:
    claim, three = find("lp/lem-13"), Fraction(3)

    def false(moved: Claim, modulus: Fraction = Fraction(2)) -> bool:
        return descended(moved, modulus, (three, -three), 4, Fraction(2))

    for says, name in (("distance", "bound"), ("distance on neighbours", "empirical_bound")):
        moved = scaled(claim, name, 9, 20)
        yield Mutant(f"{says} times 9/20", moved, lambda moved=moved: false(moved))  # type: ignore[misc]
        half = scaled(claim, name, 1, 2)
        yield Mutant(f"{says} halved (still true)", half, lambda: False)
    squared = with_formula(claim, "empirical_bound", lambda m, L, n, alpha: 4 * L / (n**2 * alpha))
    yield Mutant("n^2 for n", squared, lambda: false(squared))
    for says, k in (("f_1 and f_2 of any modulus", 0), ("Phi of any modulus", 1)):
        free = replace(claim, preconditions=claim.preconditions[:k] + claim.preconditions[k + 1 :])
        yield Mutant(says, free, lambda free=free: false(free, modulus=Fraction(1, 10)))  # type: ignore[misc]
