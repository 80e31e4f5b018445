"""Mutants of the amended links for truncated mirror descent: steps on the line in exact rationals, sums of errors listed or
bounded by Chebyshev's inequality in exact rationals, noises of batches of one record in numbers."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from fractions import Fraction

from dpsco.arguments.formula import apply
from dpsco.mutant import Mutant, changed, scaled, with_formula
from dpsco.mutants.pointwise import scaled_mutant
from dpsco.reference.numbers.mp import mp
from dpsco.spec.algorithms.mirror_descent.truncated import sigma_final
from dpsco.spec.claim import Claim, Relation
from dpsco.spec.domain import Interval, positive
from dpsco.spec.numbers import Numbers, Real
from dpsco.spec.register import find

One = Fraction


def step(beta: Fraction, gamma: Fraction, xi: Fraction, w: Fraction, z: Fraction) -> Mapping[str, Fraction]:
    """A step for the loss beta x^2/2 with Phi = x^2/2 and error xi, all displayed quantities, and the loss's fall."""
    after = w - (beta * w + xi) / gamma
    return {
        "beta": beta,
        "gamma_t": gamma,
        "slope_to_now": beta * w * (after - w),
        "slope_past": beta * w * (w - z),
        "error_slope": xi * (w - z),
        "step_divergence": (after - w) ** 2 / 2,
        "before": (z - w) ** 2 / 2,
        "after": (z - after) ** 2 / 2,
        "error_norm": abs(xi),
        "fell": beta * (after**2 - z**2) / 2,
    }


def step_breaks(claim: Claim, gamma: int = 2) -> bool:
    """Whether the step with beta = w = z = xi = 1 breaks a display: for gamma = 2 it ends at 0, and per_step is attained."""
    m = mp(30)
    values = {name: m.real(x) for name, x in step(One(1), One(gamma), One(1), One(1), One(1)).items()}
    right, next_, last = (apply(claim.formulas[name], m, values) for name in ("right_24", "right_25", "per_step"))
    return bool(values["fell"] > right or right > next_ or values["fell"] > last)


def of_descent() -> Iterator[Mutant]:
    claim = find("lp/thm-10-descent-amended")
    equal = replace(claim, asserts=find("lp/thm-10-descent").asserts)
    linear = step(One(0), One(2), One(1), One(1), One(1))
    yield Mutant("(24) as an equality", equal, lambda: linear["fell"] != linear["step_divergence"] + linear["slope_to_now"])

    def half(m: Numbers, slope_to_now: Real, beta: Real, step_divergence: Real, slope_past: Real) -> Real:
        return slope_to_now + beta * step_divergence / 2 + slope_past

    less = with_formula(claim, "right_24", half)
    yield Mutant("half of beta D in (24)", less, lambda: step_breaks(less))

    def short(m: Numbers, gamma_t: Real, before: Real, after: Real, error_slope: Real, error_norm: Real) -> Real:
        return gamma_t * (before - after) - error_slope + m.frac(9, 10) * error_norm**2 / gamma_t

    small = with_formula(claim, "per_step", short)
    yield Mutant("0.9 |xi|^2/gamma per step", small, lambda: step_breaks(small))
    long = replace(claim, preconditions=claim.preconditions[1:])
    yield Mutant("any gamma_t", long, lambda: step_breaks(long, gamma=1))
    low = scaled(claim, "right_25", 11, 10)  # at the step it is -1/2, and (24) is attained
    yield Mutant("right_25 times 11/10", low, lambda: step_breaks(low))


PLACE: Mapping[str, int | Fraction] = {
    "beta": 1, "M": 20, "lambda_": 20, "sigma": 1, "T": 10**8, "tau": 1,
}  # fmt: skip
"""lambda = beta M = 20: gradients -20 beta..., set to zero with chance q."""


def surely(claim: Claim, name: str, tail: str, places: Mapping[str, int | Fraction] = PLACE) -> bool:
    """Whether the sum exceeds the deviation more often than the tail says: means and variances of one law, then Chebyshev."""
    m = mp(40)
    v = {key: m.real(Fraction(x)) for key, x in places.items()}
    deviation, said = (apply(claim.formulas[key], m, v) for key in (name, tail))
    M, lost = Fraction(places["M"]), Fraction(2002, 100)  # xi = -20.02: -40.02 is set to zero
    q = 1 / (1 + lost**2)  # a variance of one, with the other atom 1/20.02
    mean, second = q * (20 + lost), q * 20**2 + (1 - q) / lost**2
    if name == "second_deviation":  # xi = +-1, all kept: every square is one
        return bool(m.real(Fraction(places["T"])) > deviation)
    room = m.real(Fraction(places["T"]) * M * mean) - deviation
    return bool(room > 0 and 1 - m.real(Fraction(places["T"]) * M**2 * second) / room**2 > said)


def of_deviations() -> Iterator[Mutant]:
    claim = find("lp/thm-10-freedman-amended")
    for says, name, tail, formula in (
        (
            "no bias in the first deviation",
            "first_deviation",
            "first_tail",
            lambda m, T, M, sigma, tau: 6 * sigma * M * m.sqrt(T * tau),
        ),
        (
            "half the bias in the first deviation",
            "first_deviation",
            "first_tail",
            lambda m, T, M, sigma, lambda_, tau: m.frac(9, 10) * T * M * sigma**2 / lambda_ + 6 * sigma * M * m.sqrt(T * tau),
        ),
        (
            "0.9 sigma^2 T in the second deviation",
            "second_deviation",
            "simplified_tail",
            lambda m, T, sigma, lambda_, tau: m.frac(9, 10) * sigma**2 * T + 18 * lambda_ * sigma * m.sqrt(T * tau),
        ),
    ):  # fmt: skip
        moved = with_formula(claim, name, formula)
        yield Mutant(says, moved, lambda moved=moved, name=name, tail=tail: surely(moved, name, tail))  # type: ignore[misc]
    six = Interval("0", "6", high_open=False)
    large = replace(claim, parameters=tuple(p.within(six) if p.name == "c_tau" else p for p in claim.parameters))
    yield Mutant("tau up to 6 sigma^2 T/lambda^2", large, lambda: tail_is_large(large))
    hidden = replace(claim, parameters=tuple(p.within(positive) if p.name == "c_tau" else p for p in claim.parameters))
    yield Mutant("tau up to some multiple of sigma^2 T/lambda^2 (still true)", hidden, lambda: False)
    free = replace(claim, preconditions=claim.preconditions[:-1])
    yield Mutant("no condition on the population gradient", free, lambda: linear_is_large(free))
    point = {"T": "100", "M": "1", "sigma": "1", "lambda_": "10", "tau": "5", "c_tau": "5"}
    yield scaled_mutant(claim, "first_tail", 11, 10, ("first_tail", "<=", "simplified_tail"), point)
    yield scaled_mutant(claim, "simplified_tail", 6, 5, ("simplified_tail", "<=", "plain_tail"), point)
    yield scaled_mutant(claim, "plain_tail", 4, 5, ("simplified_tail", "<=", "plain_tail"), point)


def tail_is_large(claim: Claim) -> bool:
    """6 sigma^2 T/lambda^2 = tau = 6: the simplified tail against e^(-6)."""
    m = mp(30)
    v = {"tau": m.real(6), "sigma": m.real(1), "T": m.real(100), "lambda_": m.real(10)}
    return bool(apply(claim.formulas["simplified_tail"], m, v) > apply(claim.formulas["plain_tail"], m, v))


def linear_is_large(claim: Claim) -> bool:
    """One step, beta = M = lambda = sigma = tau = 1, the loss -1000 w: the sum is 1000 surely."""
    m = mp(30)
    v = {name: m.real(1) for name in PLACE}
    return bool(apply(claim.formulas["first_deviation"], m, v) <= 1000 and apply(claim.formulas["first_tail"], m, v) < 1)


Places = Callable[[Numbers, Real], Mapping[str, Real]]


def left_behind(claim: Claim, places: Places) -> bool | None:
    """Whether d sigma^2/|B_t|, |B_t| = 1 and q = kappa + 1, exceeds the rate by ever larger factors, 10, 100 and 1000."""
    m = mp(50)
    base = {name: m.real(1) for name in ("beta", "M", "lambda_")} | {"kappa": m.frac(5, 4), "d": m.real(4)}
    base |= {"n": m.real(2), "T": m.real(2), "delta": m.frac(1, 2), "epsilon": m.frac(1, 2)}
    for factor, power in ((10, 40), (100, 400), (1000, 4000)):
        v = {**base, **places(m, m.real(10) ** power)}
        reached = v["d"] * apply(sigma_final, m, v) ** 2 * v["T"] / v["n"]
        if not reached > factor * apply(claim.formulas["rate"], m, v):
            return None
    return True


def noise_left_behind(claim: Claim, places: Places) -> bool | None:
    """Whether the claim's own noise exceeds its rate by ever larger factors."""
    m = mp(50)
    base = {name: m.real(1) for name in ("beta", "M", "lambda_")} | {
        "kappa": m.frac(5, 4),
        "d": m.real(4),
        "delta": m.frac(1, 2),
    }
    for factor, power in ((10, 40), (100, 400), (1000, 4000)):
        v = {**base, **places(m, m.real(10) ** power)}
        if not apply(claim.formulas["privacy_noise"], m, v) > factor * apply(claim.formulas["rate"], m, v):
            return None
    return True


def of_noise() -> Iterator[Mutant]:
    claim, printed = find("lp/thm-10-noise-amended"), find("lp/thm-10-noise")

    def records(m: Numbers, t: Real) -> Mapping[str, Real]:
        return {"n": t, "T": t, "epsilon": 1 / m.sqrt(t)}

    def moved(factor: Callable[[Numbers, Mapping[str, Real]], Real]) -> Claim:
        def rate(
            m: Numbers, T: Real, n: Real, delta: Real, d: Real, kappa: Real, beta: Real, M: Real, lambda_: Real, epsilon: Real
        ) -> Real:
            v = {"T": T, "n": n, "d": d, "kappa": kappa, "epsilon": epsilon, "h": beta * M + lambda_, "delta": delta}
            return factor(m, v) * m.log(n / delta) ** 2 * d * T * kappa**3 * v["h"] ** 2 / (n**2 * epsilon**2)

        return with_formula(with_formula(claim, "rate", rate), "rate_expanded", rate)

    one = replace(claim, formulas={**claim.formulas, **{name: printed.formulas[name] for name in ("rate", "rate_expanded")}})
    yield Mutant("the printed rate", one, lambda: left_behind(one, records))
    slow = moved(lambda m, v: 1 / v["n"] ** m.frac(1, 10))
    yield Mutant("n^2.1", slow, lambda: left_behind(slow, records))
    flat = moved(lambda m, v: 1 / v["d"] ** m.frac(1, 10))
    yield Mutant("d^0.9", flat, lambda: left_behind(flat, lambda m, t: {"d": t}))
    low = moved(lambda m, v: 1 / v["h"] ** m.frac(1, 10))
    yield Mutant("(beta M + lambda)^1.9", low, lambda: left_behind(low, lambda m, t: {"lambda_": t}))
    wide = moved(lambda m, v: v["epsilon"] ** m.frac(1, 10))
    yield Mutant("epsilon^1.9", wide, lambda: left_behind(wide, lambda m, t: {"epsilon": 1 / t}))
    even = moved(lambda m, v: 1 / v["kappa"] ** 2)
    yield Mutant("one kappa", even, lambda: left_behind(even, lambda m, t: {"kappa": t, "d": m.exp(t)}))
    loud = changed(claim, "privacy_noise", lambda m, value, v: value * v["n"])
    yield Mutant("n times the noise", loud, lambda: noise_left_behind(loud, records))
    less = scaled(scaled(claim, "rate", 1, 2), "rate_expanded", 1, 2)
    yield Mutant("half the rate (still true: the constant is hidden)", less, lambda: False)
    swapped = replace(claim, asserts=(*claim.asserts[:1], Relation("rate", "<", "rate_expanded"), *claim.asserts[2:]))
    yield Mutant("rate < rate_expanded", swapped, lambda: True)  # they are equal, at T = n = d = 1 for instance
