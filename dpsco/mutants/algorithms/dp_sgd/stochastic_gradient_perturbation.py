"""Mutants of the newsvendor's amended noise; their falsity is shown by a quadrature or by an event of another shape."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from functools import partial

from dpsco.mutant import Mutant, scaled, with_formula
from dpsco.mutants.algorithms.dp_sgd.privacy import by_largest, by_quadrature
from dpsco.mutants.algorithms.dp_sgd.stability import parted
from dpsco.mutants.algorithms.gradient_perturbation.algorithm import is_not_an_average, steps_are_another_length
from dpsco.mutants.algorithms.gradient_perturbation.utility import has_a_lower_value, shared, shown, value
from dpsco.reference.numbers.mp import mp
from dpsco.spec.algorithms.dp_sgd.privacy import MODERATE_EPSILON
from dpsco.spec.claim import Claim
from dpsco.spec.domain import open_unit
from dpsco.spec.numbers import Numbers, Real
from dpsco.spec.register import find


def _sigma(claim: Claim) -> Callable[..., Real]:
    return lambda m, n, epsilon, delta: claim.formulas["sigma_implied"](m, L=m.real(1), epsilon=epsilon, delta=delta)


def _cited(claim: Claim) -> Callable[..., Real]:
    return lambda m, n, epsilon, delta: claim.formulas["sigma_cited"](m, n=n, L=m.real(1), epsilon=epsilon, delta=delta)


def of_amended() -> Iterator[Mutant]:
    claim = find("newsvendor/thm-5-amended")
    less = scaled(claim, "sigma_implied", 1, 2)
    yield Mutant("half of the second sigma", less, partial(by_quadrature, _sigma(less), 64, "1", "1e-6", 8))
    few = scaled(claim, "sigma_cited", 1, 20)
    yield Mutant("a twentieth of the cited sigma", few, partial(by_quadrature, _cited(few), 400, "9.5", "1e-40", 20))
    wide = replace(claim, preconditions=tuple(p for p in claim.preconditions if p != MODERATE_EPSILON))
    yield Mutant("every epsilon > 0", wide, partial(by_largest, _cited(wide), 16, "1000", "0.1", 4, "46"))
    late = replace(claim, parameters=tuple(p.within(open_unit) if p.name == "delta" else p for p in claim.parameters))
    yield Mutant("every delta < 1", late, partial(by_largest, _sigma(late), 100, "1", "0.999", 10, "6"))
    yield Mutant(
        "both sigmas times 2 (still true)", scaled(scaled(claim, "sigma_cited", 2, 1), "sigma_implied", 2, 1), lambda: False
    )


def moved_to_theorem(claim: Claim) -> Claim:
    """The theorem's claim with this algorithm's step length."""
    return with_formula(find("newsvendor/thm-6"), "step_length", claim.formulas["step_length"])


def readings_differ(claim: Claim) -> bool:
    """Whether the quotient of the two noises is not sqrt(2 ln(n/delta)) at n = 4, delta = 4 e^-2: there it is 2."""
    m = mp(40)
    given = {"n": m.real(4), "delta": 4 * m.exp(m.real(-2)), "L": m.real(3), "epsilon": m.real(1)}
    cited = claim.formulas["sigma_cited"](m, **given)
    implied = claim.formulas["sigma_implied"](m, **{name: x for name, x in given.items() if name != "n"})
    return bool(abs(cited / implied - 2) > m.real("1e-20"))


def of_numbers() -> Iterator[Mutant]:
    claim = find("newsvendor/alg-SGP")

    def fewer(m: Numbers, T: Real) -> Real:
        return 1 / (T - 1 + 1 / T)

    light = with_formula(claim, "weight", fewer)
    yield Mutant("weights 1/(T - 1 + 1/T)", light, shown(is_not_an_average, light, 5))
    narrow = scaled(claim, "bandwidth", 1, 2)
    yield Mutant("half of the bandwidth", narrow, shown(steps_are_another_length, narrow, 2))
    longer = scaled(claim, "step_length", 3, 2)
    yield Mutant("1.5 times the step length", longer, shown(has_a_lower_value, moved_to_theorem(longer), "bound_raw", 0.9))
    quiet = scaled(claim, "sigma_implied", 1, 2)
    yield Mutant("half of the second noise", quiet, shown(readings_differ, quiet))

    def again(m: Numbers, eta: Real, B_x: Real, K_bar: Real) -> Real:
        return K_bar * eta * B_x * B_x / 2

    yield Mutant("the bandwidth in another order (still true)", with_formula(claim, "bandwidth", again), lambda: False)


def runs_part_further(claim: Claim) -> bool:
    """All draws of two far records on neighbours, in fractions, against the claimed distance of the fourth iterates."""
    far, _, _ = parted(2, Fraction(4), Fraction(3, 4), Fraction(1, 5), Fraction(8))
    return float(far) > value(claim, "distance", {"n": 2, "t": 4, "B_x": 4, "r_bar": "0.75", "eta": "0.2"}) * (1 + 1e-9)


def of_risk() -> Iterator[Mutant]:
    claim = find("newsvendor/thm-6-amended")
    less = scaled(claim, "distance", 7, 10)
    yield Mutant("0.7 of the distance", less, shown(runs_part_further, less))
    yield from shared(claim, 100)
    printed = with_formula(claim, "bound_first", find("newsvendor/thm-6").formulas["bound_first"])

    def below_minimum() -> bool | None:
        # n = 1, B_x = 4, r_bar = 3/4: the squares over 2 B^2 in plain numbers, no noise
        case = {"n": 1, "d": 1, "epsilon": "1", "delta": "0.9999999999999", "B": "2", "B_x": 4, "r_bar": "0.75"}
        minimum = 2.0 * (2.0 * (2 * 9.0 + 9.0 / 2 + 16 / 16)) ** 0.5  # kappa_1 K_bar = 1/4
        return True if minimum > value(printed, "bound_first", {**case, "kappa_1": "0.5", "K_bar": "0.5"}) * 1.000001 else None

    yield Mutant("L for L^2 in the first display (as printed)", printed, below_minimum)
    yield Mutant("twice the bound (still true)", scaled(claim, "bound", 2, 1), lambda: False)
