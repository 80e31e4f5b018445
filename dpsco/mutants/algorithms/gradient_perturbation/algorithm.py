"""Mutants of gradient perturbation's numbers; falsity in exact fractions and by the definition of each number."""

from collections.abc import Iterator
from fractions import Fraction
from functools import partial

from dpsco.arguments.formula import apply
from dpsco.mutant import Mutant, scaled, with_formula
from dpsco.mutants.algorithms.dp_sgd.stability import FAR, gradient
from dpsco.reference.losses.quantile.smoothing import value
from dpsco.reference.numbers.mp import mp
from dpsco.spec.algorithms.gradient_perturbation.utility import bound_raw
from dpsco.spec.claim import Claim
from dpsco.spec.numbers import Numbers, Real
from dpsco.spec.register import find


def moves_by_more(claim: Claim, n: int) -> bool:
    """Whether the mean gradient of n far records moves by more than claimed when one turns to the opposite."""
    m = mp(40)
    B_x, r, h = Fraction(4), Fraction(3, 4), Fraction(1)
    one, other = (gradient((x, FAR), Fraction(0), h, r) for x in (B_x, -B_x))
    moved = abs(one - other) / n
    return bool(claim.formulas["sensitivity"](m, n=m.real(n), L=m.real(r * B_x)) < m.real(moved) * m.real("0.999999"))


def is_not_an_average(claim: Claim, T: int) -> bool:
    """Whether T equal iterates are not given back."""
    m = mp(40)
    total = sum((claim.formulas["weight"](m, T=m.real(T)) for _ in range(T)), start=m.real(0))
    return bool(abs(total - 1) > m.real("1e-30"))


def steps_are_another_length(claim: Claim, multiple: int) -> bool:
    """Whether eta is not the multiple of 1/beta at the claimed bandwidth, beta by a second difference of the logistic loss."""
    m = mp(60)
    eta, x = m.frac(3, 10), m.real(2)
    h = claim.formulas["bandwidth"](m, eta=eta, B_x=x, K_bar=m.frac(1, 4))
    step = m.real("1e-12") * h
    losses = [value(m, "logistic", -theta * x, h, m.frac(1, 2)) for theta in (step, m.real(0), -step)]
    beta = (losses[0] - 2 * losses[1] + losses[2]) / step**2
    return bool(abs(eta * beta - multiple) > m.real("1e-6"))


def is_no_balance(claim: Claim) -> bool:
    """Whether the two parts of the risk bound, one rising and one falling in eta, differ at the claimed step length."""
    m = mp(40)
    given = {"n": 7, "d": 2, "T": 49, "B": 2, "B_x": 4, "r_bar": "0.75", "kappa_1": "0.5", "K_bar": "0.5", "sigma": 3}
    values = {name: m.real(value) for name, value in given.items()}
    eta = claim.formulas["step_length"](m, **values)
    falling = values["B"] ** 2 / (2 * values["T"] * eta)
    rising = bound_raw(m, eta=eta, **values) - falling
    return bool(abs(rising - falling) > falling * m.real("1e-6"))


def is_another_noise(claim: Claim) -> bool:
    """Whether T queries of the claim's sensitivity do not spend epsilon^2/(2 ln(1/delta)) in all."""
    m = mp(40)
    v = {name: m.real(value) for name, value in {"n": 7, "L": 3, "T": 49, "epsilon": 2, "delta": "0.01"}.items()}
    shift = apply(claim.formulas["sensitivity"], m, v) / apply(claim.formulas["sigma"], m, v)
    return bool(abs(v["T"] * shift**2 - v["epsilon"] ** 2 / (2 * m.log(1 / v["delta"]))) > m.real("1e-20"))


def of_numbers() -> Iterator[Mutant]:
    claim = find("newsvendor/alg-GP")
    half = scaled(claim, "sensitivity", 1, 2)
    yield Mutant("L/n for 2L/n", half, partial(moves_by_more, half, 3))

    def without_n(m: Numbers, n: Real, L: Real) -> Real:
        return 2 * L / n**2

    less = with_formula(claim, "sensitivity", without_n)
    yield Mutant("n^2 for n in the sensitivity", less, partial(moves_by_more, less, 3))

    def fewer(m: Numbers, T: Real) -> Real:
        return 1 / (T + 1)

    light = with_formula(claim, "weight", fewer)
    yield Mutant("weights 1/(T + 1)", light, partial(is_not_an_average, light, 5))
    narrow = scaled(claim, "bandwidth", 1, 4)
    yield Mutant("a quarter of the bandwidth", narrow, partial(steps_are_another_length, narrow, 1))
    longer = scaled(claim, "step_length", 3, 2)
    yield Mutant("1.5 times the step length", longer, partial(is_no_balance, longer))

    loud = scaled(claim, "sigma", 2, 1)
    yield Mutant("twice the noise", loud, partial(is_another_noise, loud))

    def again(m: Numbers, n: Real, L: Real) -> Real:
        return (L + L) / n

    yield Mutant("(L + L)/n (still true)", with_formula(claim, "sensitivity", again), lambda: False)
