"""Mutants of the sample complexity of private sign vectors; false by the numbers of explicit estimators, or of one quotient."""

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from itertools import pairwise

from dpsco.arguments.comparing import admits
from dpsco.arguments.formula import apply
from dpsco.mutant import Mutant, scaled, with_formula
from dpsco.mutants.analysis.lower_bounds.quantile_minimax import DIGITS, FAR, without
from dpsco.reference.numbers.mp import mp
from dpsco.spec.analysis.lower_bounds.sign_estimation import (
    accuracy_at_most,
    delta_resampled_at_most,
    error_at_epsilon,
    records_are_enough,
)
from dpsco.spec.claim import Claim
from dpsco.spec.numbers import Numbers, Real
from dpsco.spec.register import find

Value = Callable[[Numbers, Mapping[str, Real]], Real]


def guess(m: Numbers, v: Mapping[str, Real]) -> Real:
    """Error of the answer 1, ..., 1 at most, B_x = 1."""
    return m.sqrt(v["d"])


def noisy(m: Numbers, v: Mapping[str, Real]) -> Real:
    """Error with Laplace noise at most."""
    return v["d"] * m.sqrt(v["d"]) / (m.e * v["n"] * v["epsilon_resampled"])


def of_subset(m: Numbers, v: Mapping[str, Real]) -> Real:
    """Error of the signs of a tenth of the records at most."""
    return m.sqrt(v["d"] / (m.e * m.floor(v["n"] / 10)))


def records(m: Numbers, v: Mapping[str, Real]) -> Real:
    """n at which Laplace noise is accurate enough, rounded up."""
    return v["d"] * m.sqrt(v["d"]) / (m.e * v["alpha"] * v["epsilon_resampled"]) + 1


def one(m: Numbers, v: Mapping[str, Real]) -> Real:
    return m.real(1)


def vanishes(claim: Claim, name: str, known: Value, along: Callable[[Numbers, Real], dict[str, Real]], lost: str = "0") -> bool:
    """Whether `known`, an upper bound, over the claim's formula falls far on instances that the claim admits.

    lost   gamma over epsilon'; epsilon = epsilon'/u, delta = 0, n epsilon' = 8 where `along` does not say n, B_x = 1
    """
    m = mp(DIGITS)
    found = []
    for N in FAR:
        v = {"B_x": m.real(1), "delta": m.real(0), "alpha": m.frac(1, 4), "d": m.real(4), **along(m, m.real(N))}
        v.setdefault("n", 8 / v["epsilon_resampled"])
        v.setdefault("gamma", v["epsilon_resampled"] / 100)
        u = 3 * m.sqrt(m.log(1 / v["gamma"])) + 1
        v["epsilon"] = v["epsilon_resampled"] / u * (1 + m.real("1e-60"))  # so that rounding cannot break epsilon' <= u epsilon
        if not admits(claim, m, v):
            return False
        found.append(known(m, v) / apply(claim.formulas[name], m, v))
    return bool(found[-1] < m.real("1e-4")) and all(bool(b < a / 100) for a, b in pairwise(found))


def quotient_grows(claim: Claim) -> bool:
    """Whether error_at_epsilon over error_at_resampled passes 10^3 as gamma falls."""
    m = mp(DIGITS)
    v = {"d": m.real(2), "n": m.real(8), "epsilon": m.real("0.1"), "gamma": m.exp(-m.real(10**8))}
    return bool(apply(claim.formulas["error_at_epsilon"], m, v) > 1000 * apply(claim.formulas["error_at_resampled"], m, v))


def of_sample() -> Iterator[Mutant]:
    claim = find("quantile/thm-3.7-sample-amended")

    def error(d_power: tuple[int, int], n_power: tuple[int, int], e_power: tuple[int, int]) -> Callable[..., Real]:
        def moved(m: Numbers, d: Real, n: Real, epsilon: Real, gamma: Real) -> Real:
            after = (3 * m.sqrt(m.log(1 / gamma)) + 1) * epsilon
            return d ** m.frac(*d_power) / (n ** m.frac(*n_power) * after ** m.frac(*e_power) * m.log(d))

        return moved

    def size(a_power: tuple[int, int], e_power: tuple[int, int]) -> Callable[..., Real]:
        def moved(m: Numbers, d: Real, alpha: Real, epsilon_resampled: Real) -> Real:
            return m.sqrt(d) / (alpha ** m.frac(*a_power) * epsilon_resampled ** m.frac(*e_power) * m.log(d))

        return moved

    half, whole = (1, 2), (1, 1)
    errors: tuple[tuple[str, Callable[..., Real], Value, Callable[[Numbers, Real], dict[str, Real]]], ...] = (
        ("d^(3/5)", error((3, 5), whole, whole), guess, lambda m, N: {"d": N, "epsilon_resampled": m.frac(1, 2)}),
        ("n^(9/10)", error(half, (9, 10), whole), noisy, lambda m, N: {"n": N, "epsilon_resampled": m.frac(1, 2)}),
        ("epsilon'^(11/10)", error(half, whole, (11, 10)), noisy, lambda m, N: {"epsilon_resampled": 1 / N}),
    )
    for says, formula, known, along in errors:
        moved = with_formula(claim, "error_at_resampled", formula)
        yield Mutant(f"{says} in the error", moved, partial(vanishes, moved, "error_at_resampled", known, along))
    accurate = with_formula(claim, "samples_needed", size((11, 10), whole))
    yield Mutant(
        "alpha^(11/10) in S",
        accurate,
        partial(
            vanishes, accurate, "samples_needed", records, lambda m, N: {"alpha": 1 / N, "epsilon_resampled": m.frac(1, 2)}
        ),
    )
    private = with_formula(claim, "samples_needed", size(whole, (11, 10)))
    yield Mutant(
        "epsilon'^(11/10) in S",
        private,
        partial(vanishes, private, "samples_needed", records, lambda m, N: {"epsilon_resampled": 1 / N}),
    )
    bare = with_formula(claim, "error_at_epsilon", error_at_epsilon)
    yield Mutant("the printed error_at_epsilon", bare, partial(quotient_grows, bare))
    few = without(claim, records_are_enough)
    yield Mutant(
        "every n and epsilon'",
        few,
        partial(vanishes, few, "error_at_resampled", guess, lambda m, N: {"n": m.real(8), "epsilon_resampled": 1 / N}),
    )
    coarse = without(claim, accuracy_at_most)
    yield Mutant(
        "every alpha",
        coarse,
        partial(vanishes, coarse, "samples_needed", one, lambda m, N: {"alpha": m.real(2), "epsilon_resampled": 1 / N}),
    )
    open_delta = without(claim, delta_resampled_at_most)
    yield Mutant(
        "every delta'",
        open_delta,
        partial(
            vanishes,
            open_delta,
            "error_at_resampled",
            of_subset,
            lambda m, N: {"n": N, "epsilon_resampled": 1 / N, "gamma": m.real("0.1")},
        ),
    )
    yield Mutant("half the error (still true)", scaled(claim, "error_at_resampled", 1, 2), lambda: False)
