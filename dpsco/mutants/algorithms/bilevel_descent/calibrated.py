"""Mutants of the calibrated descent: falsity by the exact moments of a run at rest, by quadrature, by counting codewords."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial, wraps
from typing import Any

import mpmath

from dpsco.arguments.algorithms.descent.bilevel_gradients import constants
from dpsco.arguments.formula import apply
from dpsco.mutant import Mutant, scaled, with_formula
from dpsco.mutants.algorithms.bilevel_descent.algorithm import exceeds, numerical_difference, query_is_longer, steps_differ
from dpsco.mutants.privacy.gaussian import hockey_stick
from dpsco.reference.numbers.mp import mp
from dpsco.spec.algorithms.bilevel_descent.algorithm import number_of_steps
from dpsco.spec.algorithms.bilevel_descent.calibrated import FROM_START
from dpsco.spec.algorithms.bilevel_descent.utility import gradient_rate
from dpsco.spec.claim import Claim
from dpsco.spec.numbers import Numbers, Real
from dpsco.spec.register import find


def rest_exceeds(claim: Claim, epsilon: str, n: str, gap_bound: str) -> bool:
    """Whether noise at rest, by the recursion of its variance at the claim's T and sigma, exceeds the bound.

    Phi = x^2/2 as far as the path goes, L_fx = 1, K = 4, delta = 1/2, x_0 = 0; the noise is far below L_fx.
    """
    m = mp(60)
    v = {**constants(m, L_fx=1, beta_fxx=1, beta_fxy=1, beta_gyy=1), "d_x": m.real(1), "n": m.real(n), "gap": m.real(0)}
    v |= {"epsilon": m.real(epsilon), "delta": m.real("0.5"), "gap_bound": m.real(gap_bound)}
    T = int(apply(claim.formulas["T_chosen"], m, v))
    sigma = apply(claim.formulas["sigma"], m, {**v, "T": m.real(T)})
    assert sigma * 40 < 1
    assert 1 <= T <= 10**5
    square, norms = m.real(0), []
    for _ in range(T + 1):
        norms.append(m.sqrt(2 * square / m.pi))
        square = (square + sigma**2) / 4
    out = norms[:-1] if FROM_START in claim.over else norms[1:]
    return bool(sum(out, m.real(0)) / T > apply(claim.formulas["bound"], m, v))


def bias_exceeds(claim: Claim) -> bool:
    """A run that rests where the gradient is minus the bias: mean square 1 for T = 10^6, gap 1/2, beta_Phi = 1, no noise."""
    m = mp(40)
    v = {"eta": "0.5", "beta_Phi": "1", "gap": "0.5", "T": "1000000", "bias": "1", "noise_level": "0"}
    return bool(apply(claim.formulas["averaged_bound"], m, {key: m.real(x) for key, x in v.items()}) < 1)


def moved_exponent(claim: Claim, name: str) -> Claim:
    """The formula times (epsilon n)^(-1/10)."""
    formula: Callable[..., Real] = claim.formulas[name]

    @wraps(formula)
    def moved(m: Numbers, *args: Any, **kwargs: Any) -> Real:
        return formula(m, *args, **kwargs) / (kwargs["epsilon"] * kwargs["n"]) ** m.frac(1, 10)

    return with_formula(claim, name, moved)


def printed_bound(m: Numbers, n: Real, d_x: Real, epsilon: Real, delta: Real, K: Real, gap_bound: Real, beta_Phi: Real) -> Real:
    """sqrt(ln(1/delta)) for the noise factor."""
    return 5 * gradient_rate(m, n=n, d_x=d_x, epsilon=epsilon, delta=delta, K=K, gap=gap_bound, beta_Phi=beta_Phi)


def error_exceeds(claim: Claim, times: str = "1") -> bool:
    """Whether at the claim's own inner error the adversarial problem's first query, T as chosen, exceeds delta by quadrature.

    L_fx = b = 1, K = 4, C = 1, beta_Phi = 1; the solver answers alpha_chosen z.
    """
    m = mp(60)
    v = {"n": m.real(10**6), "d_x": m.real(1), "K": m.real(4), "C": m.real(1), "beta_Phi": m.real(1)}
    v |= {"epsilon": m.real(1), "delta": m.real("1e-6"), "gap_bound": m.real("1e-20")}
    alpha = apply(claim.formulas["alpha_chosen"], m, v)
    slope = 1 - m.frac(5, 4) * alpha
    v["T"] = apply(claim.formulas["T_chosen"], m, v)
    moved = numerical_difference(m, 10**6, m.real(1), slope, alpha)
    lost = hockey_stick(moved / apply(claim.formulas["sigma"], m, v), "1")
    return bool(slope > 0 and lost > v["delta"])


def of_descent() -> Iterator[Mutant]:
    claim = find("bilevel/thm-4.2-amended")
    later = replace(claim, over=tuple(text for text in claim.over if text != FROM_START))
    few, many = {"epsilon": "1", "n": "1000", "gap_bound": "1e-30"}, {"epsilon": "1", "n": "100000", "gap_bound": "0.001"}
    far = {"epsilon": "1000000", "n": "1000000", "gap_bound": "1e-10"}
    for says, moved, at in (
        ("output among x_1, ..., x_T", later, few),
        ("a quarter of the bound", scaled(claim, "bound", 1, 4), many),
        ("16 times as many steps", scaled(claim, "T_chosen", 16, 1), many),
        ("ln(1/delta) in the rate at every epsilon", with_formula(claim, "bound", printed_bound), far),
    ):
        yield Mutant(says, moved, partial(rest_exceeds, moved, **at))
    half = scaled(claim, "sigma", 1, 2)
    yield Mutant("half of sigma", half, partial(exceeds, half, "1", "1e-40"))
    short, loose = scaled(claim, "sensitivity", 1, 2), scaled(claim, "alpha_chosen", 1000, 1)
    yield Mutant("half of the sensitivity", short, partial(query_is_longer, short))
    yield Mutant("1000 times the inner error", loose, partial(error_exceeds, loose))
    data = with_formula(claim, "T_chosen", number_of_steps)
    yield Mutant("T chosen from the gap of the data", data, partial(steps_differ, data))
    average = scaled(claim, "averaged_bound", 1, 2)
    yield Mutant("half of the averaged bound", average, partial(bias_exceeds, average))
    more = scaled(claim, "bound", 2, 1)
    yield Mutant("twice the bound (still true)", more, lambda: False)


def wells_exceed(claim: Claim, epsilon: str, n: str, d: str, delta: str = "0.5") -> bool:
    """Whether wells at codewords, counted by the Chernoff bound with relative entropy, ask for more than the bound.

    L_fx = 1, beta_Phi = 2, K = 4, D_x = 2, Psi = 2, s = 4/n, L_bar = 1: the constants of one well, worked out by hand.
    """
    m = mp(250)
    v = {"epsilon": m.real(epsilon), "n": m.real(n), "d_x": m.real(d), "delta": m.real(delta), "K": m.real(4)}
    v |= {"Psi": m.real(2), "s": 4 / v["n"], "L_bar": m.real(1), "D_x": m.real(2), "beta_Phi": m.real(2)}
    v |= {"L_fx": m.real(1), "L_fy": m.real(0), "beta_gxy": m.real(0), "mu_g": m.real(1)}
    entropy = m.log(2) - (m.log(4) / 4 + 3 * m.log(m.frac(4, 3)) / 4)  # of (1/4, 3/4) to (1/2, 1/2), per coordinate
    group = v["n"] * v["epsilon"]
    least = 1 - m.exp(group - v["d_x"] * entropy) - v["delta"] * m.expm1(group) / m.expm1(v["epsilon"])
    if "gap_bound_chosen" in claim.formulas:
        v["gap_bound"] = apply(claim.formulas["gap_bound_chosen"], m, v)
    else:
        for part in ("descent", "warm_start", "sampling"):
            v[f"by_{part}"] = apply(claim.formulas[part], m, v)
        v["L_bar"] = apply(claim.formulas["trivial"], m, v)
    return bool(least > apply(claim.formulas["bound"], m, v))


def density_exceeds(claim: Claim) -> bool:
    """Whether the density alone, on a narrow cone in d_x = 60, exceeds epsilon = 1, by quadrature."""
    m = mp(40)
    flat = {name: m.real(0) for name in ("L_fy", "L_gy", "D_y")}
    s = apply(claim.formulas["s"], m, {**flat, **{name: m.real(1) for name in ("n", "L_fx", "mu_g", "D_x")}})
    k = -apply(claim.formulas["log_weight"], m, {"epsilon": m.real(1), "s": s, "objective": m.real(1)})

    def weight(sign: int) -> Real:
        return mpmath.quad(lambda x: x**59 * mpmath.exp(sign * k * x), [0, mpmath.mpf("0.9"), mpmath.mpf("0.999999")])

    return bool(mpmath.log(weight(1) / weight(-1)) > 1)  # n = D_x = L_fx = 1, the record's z from 1 to -1


def of_warm_start() -> Iterator[Mutant]:
    claim = find("bilevel/thm-4.3-amended")
    far = {"epsilon": "1e100", "n": "1", "d": "9e100"}

    def printed_noise(
        m: Numbers, n: Real, d_x: Real, epsilon: Real, delta: Real, K: Real, gap_bound: Real, beta_Phi: Real
    ) -> Real:
        return printed_bound(m, n, d_x, epsilon / 2, delta, K, gap_bound, beta_Phi)

    for says, moved in (
        ("a 200th of the bound", scaled(claim, "bound", 1, 200)),
        ("an exponent moved by 0.1", moved_exponent(claim, "bound")),
        ("the gap's exponent moved by 0.1", moved_exponent(claim, "gap_bound_chosen")),
        ("ln(1/delta) in the rate at every epsilon", with_formula(claim, "bound", printed_noise)),
    ):
        yield Mutant(says, moved, partial(wells_exceed, moved, **far))
    long, short = scaled(claim, "T_chosen", 16, 1), scaled(claim, "sensitivity", 1, 2)
    yield Mutant("16 times as many steps", long, partial(rest_exceeds, long, "1", "1000000", "0.001"))
    yield Mutant("half of the sensitivity", short, partial(query_is_longer, short))
    narrow = scaled(claim, "s", 1, 1000)
    yield Mutant("a thousandth of the scale", narrow, partial(density_exceeds, narrow))
    quarter = scaled(claim, "sigma", 1, 4)
    yield Mutant("a quarter of sigma", quarter, partial(exceeds, quarter, "1", "1e-40"))
    cold = scaled(claim, "log_weight", 8, 1)
    yield Mutant("8 times as cold a density", cold, partial(density_exceeds, cold))
    more = scaled(claim, "bound", 2, 1)
    yield Mutant("twice the bound (still true)", more, lambda: False)


def of_least() -> Iterator[Mutant]:
    claim = find("bilevel/eq-3-amended")
    far = {"epsilon": "1e100", "n": "1", "d": "9e100"}
    many = {"epsilon": "0.000001", "n": "1000000", "d": "17", "delta": "1e-60"}

    def by_pairs(m: Numbers, n: Real, d_x: Real, epsilon: Real, K: Real, beta_Phi: Real, D_x: Real) -> Real:
        return claim.formulas["sampling"](m, n=n, d_x=d_x, epsilon=epsilon, K=K, beta_Phi=beta_Phi, D_x=D_x) / n

    for says, moved, at in (
        ("half of L_bar for a fixed point", scaled(claim, "trivial", 1, 2), many),
        ("1/n more in the sampler's bound", with_formula(claim, "sampling", by_pairs), many),
        ("descent's exponent moved by 0.1", moved_exponent(claim, "descent"), far),
        ("warm start's exponent moved by 0.1", moved_exponent(claim, "warm_start"), far),
        ("half of the least bound", scaled(claim, "bound", 1, 2), many),
    ):
        yield Mutant(says, moved, partial(wells_exceed, moved, **at))
    more = scaled(claim, "trivial", 2, 1)
    yield Mutant("twice L_bar (still true)", more, lambda: False)
