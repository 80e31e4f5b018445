"""Mutants of the statements on errors and mixing; closed forms in mpmath show which are false."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from functools import partial
from itertools import pairwise
from typing import Any

from dpsco.arguments.formula import apply
from dpsco.mutant import Mutant, carried_over, scaled, with_formula
from dpsco.reference.numbers.mp import mp
from dpsco.spec.algorithms.grid_walk.mixing import evolving_set_bound, walk_conductance
from dpsco.spec.claim import Claim
from dpsco.spec.numbers import Numbers, Real
from dpsco.spec.register import find


def middle_cut(zeta: Real, m: Numbers) -> Real:
    """Flow over mass of half the flat path of twelve cells, with errors zeta at its end (and -zeta elsewhere), in closed form.

    Five cells of weight e^zeta and one of e^{-zeta}; the flow over its end is e^{-zeta}/4.
    """
    return m.exp(-zeta) / 4 / (5 * m.exp(zeta) + m.exp(-zeta))


def above_the_cut(claim: Claim, zeta: str) -> bool:
    """Whether the bound exceeds the quotient of half the path, which the conductance does not."""
    m = mp(30)
    z = m.real(zeta)
    return bool(apply(claim.formulas["bound"], m, {"zeta": z, "phi": m.frac(1, 24)}) > middle_cut(z, m))


def above_flat(claim: Claim, name: str) -> bool:
    """Whether the bound exceeds 1/24, the conductance of the flat path of twelve cells without errors, zeta tiny."""
    m = mp(30)
    values = {"phi": m.frac(1, 24), "zeta": m.real("0.0001"), "alpha": m.real(1), "tau": m.real(1), "d": m.real(1)}
    return bool(apply(claim.formulas[name], m, {**values, "epsilon_mix": m.frac(1, 6)}) > m.frac(1, 24))


def of_conductance() -> Iterator[Mutant]:
    claim = find("bilevel/lem-3.5-amended")

    def weaker(m: Numbers, phi: Real, zeta: Real) -> Real:
        return m.exp(-m.frac(3, 2) * zeta) * phi

    less = with_formula(claim, "bound", weaker)
    yield Mutant("e^{-1.5 zeta}", less, lambda: above_the_cut(less, "3"))
    more = scaled(claim, "bound", 6, 5)
    yield Mutant("bound times 1.2", more, lambda: above_flat(more, "bound"))

    def low(m: Numbers, f_here: Real, f_there: Real, zeta: Real) -> Real:
        return m.exp(f_here - f_there - zeta)

    def high(m: Numbers, f_here: Real, f_there: Real, zeta: Real) -> Real:
        return m.exp(f_here - f_there + zeta)

    narrow = with_formula(claim, "ratio_low", low)
    yield Mutant("lower end with zeta for 2 zeta", narrow, lambda: _beyond(narrow, "ratio_low", 1))
    short = with_formula(claim, "ratio_high", high)
    yield Mutant("upper end with zeta for 2 zeta", short, lambda: _beyond(short, "ratio_high", -1))
    for name, power, worst in (
        ("factor_low", Fraction(-1), least_mass_ratio),
        ("factor_high", Fraction(1), largest_mass_ratio),
        ("flow_factor", Fraction(-3, 2), least_flow_ratio),
    ):
        moved = with_formula(claim, name, _powers(power))
        yield Mutant(f"{name} = e^({power} zeta)", moved, partial(_passes, moved, name, worst, power < 0))


def _powers(power: Fraction) -> Callable[..., Real]:
    return lambda m, zeta: m.exp(m.real(power) * zeta)


def largest_mass_ratio(m: Numbers, zeta: Real) -> Real:
    """q'(y)/q(y), q(y) = p/(1 + p), p = 1e-30, with errors -zeta at y and zeta at the other cell, in closed form."""
    p = m.real("1e-30")
    return m.exp(zeta) * (1 + p) / (p * m.exp(zeta) + m.exp(-zeta))


def least_mass_ratio(m: Numbers, zeta: Real) -> Real:
    """The same with the errors turned."""
    return largest_mass_ratio(m, -zeta)


def least_flow_ratio(m: Numbers, zeta: Real) -> Real:
    """min(F'(x), F'(y)) = p e^{-zeta} over the sum of F' = e^{zeta} + p e^{-zeta}, against p/(1 + p)."""
    p = m.real("1e-30")
    return m.exp(-zeta) * (1 + p) / (m.exp(zeta) + p * m.exp(-zeta))


def _passes(claim: Claim, name: str, worst: Callable[..., Real], below: bool) -> bool:
    """Whether the worst ratio of two cells, zeta = 3, lies beyond the claim's factor."""
    m = mp(60)
    factor, found = apply(claim.formulas[name], m, {"zeta": m.real(3)}), worst(m, m.real(3))
    return bool(found < factor if below else found > factor)


def _beyond(claim: Claim, name: str, sign: int) -> bool:
    """Errors sign zeta at y and -sign zeta at x against the end, f(x) = f(y) = 0."""
    m = mp(30)
    zeta = m.real("0.25")
    end = apply(claim.formulas[name], m, {"f_here": m.real(0), "f_there": m.real(0), "zeta": zeta})
    return bool(sign * (end - m.exp(-2 * sign * zeta)) > 0)


def of_densities() -> Iterator[Mutant]:
    claim = find("bilevel/lem-3.6")

    def half(sign: int) -> Callable[..., Real]:
        def moved(m: Numbers, zeta: Real) -> Real:
            return m.exp(sign * zeta / 2)

        return moved

    m = mp(40)
    z, share = m.real(3), m.real("1e-9")
    distance = 2 * z - m.log(1 + share * (m.exp(2 * z) - 1))
    low, high = with_formula(claim, "low", half(-1)), with_formula(claim, "high", half(1))
    yield Mutant("low = e^{-zeta/2}", low, lambda: bool(apply(low.formulas["low"], m, {"zeta": z}) > m.exp(-z)))
    yield Mutant("high = e^{zeta/2}", high, lambda: bool(apply(high.formulas["high"], m, {"zeta": z}) < m.exp(z)))
    less = scaled(claim, "bound", 19, 20)
    yield Mutant("1.9 zeta", less, lambda: bool(apply(less.formulas["bound"], m, {"zeta": z}) < distance))
    single = scaled(claim, "bound", 1, 2)
    yield Mutant("zeta for 2 zeta", single, lambda: bool(apply(single.formulas["bound"], m, {"zeta": z}) < distance))


def too_few_for_two(claim: Claim, name: str, epsilon: str) -> bool:
    """Two states that change with probability 0.01: after one step P(0, 1)/pi = 0.02, after none 0; is the bound below 2?"""
    m = mp(30)
    asked = {"epsilon_mix": m.real(epsilon), "epsilon_any": m.real(epsilon)}
    far = -m.log(m.frac(2, 100)) > m.real(epsilon)
    return bool(far and apply(claim.formulas[name], m, {**asked, "pi_star": m.frac(1, 2), "phi": m.frac(1, 100)}) < 2)


def too_few_for_path(claim: Claim, name: str) -> bool:
    """The path of 48 states, steps of 1/4: the second eigenvalue is 1 - (1 - cos(pi/48))/2, epsilon = 10^-12."""
    m = mp(40)
    epsilon = m.real("1e-12")
    values = {"epsilon_mix": epsilon, "epsilon_any": epsilon, "pi_star": m.frac(1, 48), "phi": m.frac(1, 96)}
    least = m.log(1 / m.expm1(epsilon)) / -m.log(1 - (1 - m.cos(m.pi / 48)) / 2)
    return bool(apply(claim.formulas[name], m, values) < least)


def of_chains() -> Iterator[Mutant]:
    claim = find("bilevel/lem-B.11-amended")

    def any_bound(coefficient: tuple[int, int], power: int, start: int) -> Callable[..., Real]:
        def moved(m: Numbers, epsilon_any: Real, pi_star: Real, phi: Real) -> Real:
            top = m.frac(*coefficient)
            return 1 + m.integral(lambda x: top / (x * phi**power), start * pi_star, 4 / -m.expm1(-epsilon_any))

        return moved

    def printed_any(m: Numbers, epsilon_any: Real, pi_star: Real, phi: Real) -> Real:
        return evolving_set_bound(m, epsilon_mix=epsilon_any, pi_star=pi_star, phi=phi)

    def late_bound(m: Numbers, epsilon_mix: Real, pi_star: Real, phi: Real) -> Real:
        return evolving_set_bound(m, epsilon_mix=epsilon_mix, pi_star=4 * pi_star, phi=phi)

    free = replace(claim, preconditions=())
    yield Mutant("any epsilon, as printed", free, lambda: too_few_for_two(free, "bound", "2"))
    printed = with_formula(claim, "any_bound", printed_any)
    yield Mutant("upper limit 4/epsilon for any epsilon", printed, lambda: too_few_for_two(printed, "any_bound", "2"))
    start = with_formula(claim, "bound", late_bound)
    yield Mutant("lower limit 16 pi*, epsilon <= 1", start, lambda: too_few_for_two(start, "bound", "1"))
    late = with_formula(claim, "any_bound", any_bound((4, 1), 2, 400))
    yield Mutant("lower limit 400 pi*", late, lambda: too_few_for_two(late, "any_bound", "2"))
    less = scaled(claim, "bound", 1, 64)
    yield Mutant("1/64 of the bound, epsilon <= 1", less, lambda: too_few_for_path(less, "bound"))
    small = with_formula(claim, "any_bound", any_bound((1, 16), 2, 4))
    yield Mutant("1/16 for 4", small, lambda: too_few_for_path(small, "any_bound"))
    linear = with_formula(claim, "any_bound", any_bound((4, 1), 1, 4))
    yield Mutant("phi for phi^2", linear, lambda: too_few_for_path(linear, "any_bound"))


def outgrown(claim: Claim, at: Callable[[Any, Real], dict[str, Real]], least: Callable[[Any, Real], Real]) -> bool:
    """Whether a proved lower bound over the rate grows by a factor of 2 or more, again and again, along a path."""
    m = mp(60)
    sizes = [m.real(10) ** j for j in (2, 3, 4, 5)]
    ratios = [least(m, k) / apply(claim.formulas["rate"], m, at(m, k)) for k in sizes]
    return all(later > 2 * before > 0 for before, later in pairwise(ratios))


def flat_steps(m: Numbers, d: Real, cells: Real, epsilon: Real) -> Real:
    """ln(1/(e^epsilon - 1)) over -ln of the flat walk's second eigenvalue."""
    return m.log(1 / m.expm1(epsilon)) / -m.log1p(-(1 - m.cos(m.pi / cells)) / (2 * d))


def of_walks() -> Iterator[Mutant]:
    claim = find("bilevel/lem-3.7")
    rate = claim.formulas["rate"]
    large = scaled(claim, "conductance", 3, 1)
    yield Mutant("conductance times 3", large, lambda: above_flat(large, "conductance"))

    def single(m: Numbers, epsilon_mix: Real, alpha: Real, tau: Real, d: Real, zeta: Real) -> Real:
        return m.exp(-zeta) * walk_conductance(m, epsilon_mix=epsilon_mix, alpha=alpha, tau=tau, d=d)

    less = with_formula(claim, "perturbed_conductance", single)
    yield Mutant("e^{-zeta} for e^{-6 zeta}", less, lambda: _above_ridge(less))

    def exact_mass(m: Numbers, alpha: Real, tau: Real, d: Real, gamma_grid: Real) -> Real:
        return m.exp(-alpha * tau) / (tau / gamma_grid) ** d

    mass = with_formula(claim, "least_mass", exact_mass)
    yield Mutant("least mass without errors", mass, lambda: _above_ramp(mass))

    def moved(factor: Callable[..., Real]) -> Claim:
        def other(m: Numbers, epsilon_mix: Real, alpha: Real, tau: Real, d: Real, zeta: Real) -> Real:
            return rate(m, epsilon_mix=epsilon_mix, alpha=alpha, tau=tau, d=d, zeta=zeta) * factor(m, epsilon_mix, d, zeta)

        return with_formula(claim, "rate", other)

    free = moved(lambda m, epsilon, d, zeta: m.exp(-12 * zeta))
    yield Mutant("rate without e^{12 zeta}", free, lambda: outgrown(free, _hard, lambda m, k: m.exp(2 * k)))
    coarse = moved(lambda m, epsilon, d, zeta: epsilon)
    yield Mutant("rate with 1/epsilon", coarse, lambda: outgrown(coarse, _fine, lambda m, k: flat_steps(m, 1, k, 2 / k)))
    narrow = moved(lambda m, epsilon, d, zeta: 1 / d ** m.frac(3, 2))
    yield Mutant("rate with d^{1/2}", narrow, lambda: outgrown(narrow, _wide, _wide_steps))


def _hard(m: Numbers, k: Real) -> dict[str, Real]:
    """Three cells on a line, errors -k, k, -k: from an end the walk leaves with probability e^{-2k}/4 a step."""
    return {"epsilon_mix": m.frac(2, 3), "alpha": m.real(1), "tau": m.real(1), "d": m.real(1), "zeta": k}


def _fine(m: Numbers, k: Real) -> dict[str, Real]:
    return {"epsilon_mix": 2 / k, "alpha": m.real(1), "tau": m.real(1), "d": m.real(1), "zeta": m.real("0.001")}


def _wide(m: Numbers, k: Real) -> dict[str, Real]:
    """d = k^2, epsilon = 0.4, five cells for each unit of k."""
    return {"epsilon_mix": m.frac(2, 5), "alpha": m.real(1), "tau": m.real(1), "d": k**2, "zeta": m.real("0.001")}


def _wide_steps(m: Numbers, k: Real) -> Real:
    return flat_steps(m, k**2, 5 * k, m.frac(2, 5))


def _above_ridge(claim: Claim) -> bool:
    """The flat path of twelve cells, an error zeta beside its middle: half of it against the bound, zeta = 3."""
    m = mp(30)
    values = {"epsilon_mix": m.frac(1, 6), "alpha": m.real(1), "tau": m.real(1), "d": m.real(1), "zeta": m.real(3)}
    return bool(apply(claim.formulas["perturbed_conductance"], m, values) > middle_cut(m.real(3), m))


def _above_ramp(claim: Claim) -> bool:
    """Two cells, f = 0 and 1, errors -3 and 3: the second one's mass."""
    m = mp(30)
    values = {"alpha": m.real(1), "tau": m.real(2), "d": m.real(1), "zeta": m.real(3), "gamma_grid": m.real(1)}
    return bool(apply(claim.formulas["least_mass"], m, values) > m.exp(-4) / (m.exp(3) + m.exp(-4)))


def of_printed_conductance() -> Iterator[Mutant]:
    claim, amended = find("bilevel/lem-3.5"), find("bilevel/lem-3.5-amended")
    yield from carried_over(claim, amended, of_conductance(), "bound", "factor_low", "factor_high", "flow_factor")
