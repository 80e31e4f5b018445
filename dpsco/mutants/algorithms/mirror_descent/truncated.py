"""Mutants of the shuffled truncated mirror descent's privacy; their falsity is shown by one event of one pair on the line.

The judge goes by computer algebra along paths; here the scale is taken times 1, 3 and 9 at far places of the domain, and the
two probabilities of a half-line of sums of noisy gradients are computed to 200 digits.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial

from dpsco.arguments.comparing import admits
from dpsco.arguments.formula import apply
from dpsco.mutant import Mutant, changed, scaled, with_formula
from dpsco.mutants.pointwise import scaled_mutant
from dpsco.reference.numbers.mp import mp
from dpsco.spec.claim import Claim
from dpsco.spec.domain import naturals
from dpsco.spec.numbers import Numbers, Real
from dpsco.spec.register import find

CONSTANTS = (1, 3, 9)
"""Hidden constants that are tried, each at a place further out."""
Places = Callable[[int], Mapping[str, str]]


def defeated(claim: Claim, places: Places) -> bool | None:
    """Whether the sum of noisy gradients loses more than delta for each of the constants, at the place for it."""
    for constant in CONSTANTS:
        m = mp(200)
        given = {"kappa": "2", "beta": "1", "M": "1", "lambda_": "1", "c_epsilon": "1", **places(constant)}
        values = {name: m.real(value) for name, value in given.items()}
        if not admits(claim, m, values):
            raise ValueError(f"{given} is not inside {claim.id}")
        names = ("kappa", "beta", "M", "lambda_", "delta", "epsilon", "n")
        sigma = constant * claim.formulas["sigma_rate"](m, **{name: values[name] for name in names})
        mu = 2 * (values["beta"] * values["M"] + values["lambda_"]) / (sigma * m.sqrt(values["n"]))
        if not _lost(m, mu, values["epsilon"]) > values["delta"]:
            return None
    return True


def _lost(m: Numbers, mu: Real, epsilon: Real) -> Real:
    """What the event that the sum is beyond the point of likelihood ratio e^epsilon shows, by its two probabilities."""
    return m.Phi(mu / 2 - epsilon / mu) - m.exp(epsilon) * m.Phi(-mu / 2 - epsilon / mu)


def of_amended() -> Iterator[Mutant]:
    claim = find("lp/thm-9-amended")

    def sigma(shape: Callable[[Numbers, Mapping[str, Real]], Real]) -> Claim:
        def rate(m: Numbers, kappa: Real, beta: Real, M: Real, lambda_: Real, delta: Real, epsilon: Real, n: Real) -> Real:
            b = beta * M + lambda_
            return shape(m, {"k": kappa, "b": b, "log": m.log(n / delta), "e": epsilon, "n": n})

        return with_formula(claim, "sigma_rate", rate)

    def many(constant: int) -> dict[str, str]:
        return {"n": "1e60", "delta": "1e-120", "epsilon": "1e-30"}

    def precise(constant: int) -> dict[str, str]:
        return {"n": "2", "delta": "1e-120", "epsilon": "1e-60"}

    def rare(constant: int) -> dict[str, str]:
        return {"n": "2", "delta": {1: "1e-40", 3: "1e-4000", 9: "1e-40000000"}[constant], "epsilon": "1"}

    def large(constant: int) -> dict[str, str]:
        return {"n": "2", "delta": "0.01", "epsilon": "0.1", "lambda_": "1e60"}

    def alone(constant: int) -> dict[str, str]:
        steps = 10_000 * constant**2
        return {"n": "1", "delta": str(1 - 1 / (steps + 1)), "epsilon": f"{steps**-0.5 / 2:.12f}"}

    power = (9, 10)
    for says, shape, places in (
        ("n to the power 0.6", lambda m, v: v["k"] * v["b"] * v["log"] / (v["e"] * v["n"] ** m.frac(3, 5)), many),
        (
            "epsilon to the power 0.9",
            lambda m, v: v["k"] * v["b"] * v["log"] / (v["e"] ** m.frac(*power) * m.sqrt(v["n"])),
            precise,
        ),
        (
            "logarithm to the power 0.3",
            lambda m, v: v["k"] * v["b"] * v["log"] ** m.frac(3, 10) / (v["e"] * m.sqrt(v["n"])),
            rare,
        ),
        ("B to the power 0.9", lambda m, v: v["k"] * v["b"] ** m.frac(*power) * v["log"] / (v["e"] * m.sqrt(v["n"])), large),
    ):
        moved = sigma(shape)
        yield Mutant(says, moved, partial(defeated, moved, places))
    whole = replace(claim, parameters=tuple(p.within(naturals) if p.name == "n" else p for p in claim.parameters))
    yield Mutant("every n >= 1 (as printed)", whole, partial(defeated, whole, alone))
    low = with_formula(claim, "sigma_rate_intermediate", find("lp/thm-9").formulas["sigma_rate_intermediate"])
    yield Mutant("the intermediate scale as printed", low, partial(_step_fails, low))
    slow = with_formula(claim, "chain_third", lambda m, epsilon_0, delta_hat, n: _third(m, epsilon_0, delta_hat, n))
    yield Mutant("the chain's 3/2 replaced by 9/10", slow, partial(_link_fails, slow))
    for name, share, link, point in (
        ("chain_start", (3, 2), ("chain_start", "<=", "chain_second"), EARLY),
        ("chain_second", (3, 2), ("chain_second", "<=", "chain_third"), EARLY),
        ("chain_end", (9, 10), ("chain_third", "=", "chain_end"), EARLY),
    ):
        yield scaled_mutant(claim, name, *share, link, point)
    for name, factor in (("amplified_rate", "n"), ("local_epsilon_rate", "sigma_1")):
        more = changed(claim, name, partial(_times, factor))
        yield Mutant(f"{factor} times the {name}", more, partial(_rate_leaves, more, name))
    yield Mutant("sigma halved (still true: the constant is hidden)", scaled(claim, "sigma_rate", 1, 2), lambda: False)


EARLY = {"epsilon_0": "0.5", "delta_hat": "1e-4", "n": "1e4"}
"""A place of the chain of displays."""


def _third(m: Numbers, epsilon_0: Real, delta_hat: Real, n: Real) -> Real:
    return epsilon_0 * (m.frac(9, 10) * m.sqrt(m.log(1 / delta_hat) / n) + 2 / n)


def _step_fails(claim: Claim) -> bool:
    """epsilon-hat over epsilon at delta = 1/2, n = 10^4, 10^40, 10^400, epsilon = n^-1/2: beyond 3, 9 and 30 (50 digits)."""
    m = mp(50)
    for power, beyond in ((4, 3), (40, 9), (400, 30)):
        n = m.real(10) ** power
        common = {"kappa": m.real(2), "beta": m.real(1), "M": m.real(1), "lambda_": m.real(1), "delta": m.frac(1, 2), "n": n}
        epsilon = 1 / m.sqrt(n)
        sigma = claim.formulas["sigma_rate_intermediate"](m, epsilon=epsilon, **common)
        if not claim.formulas["amplified_rate"](m, epsilon=epsilon, sigma_1=sigma, **common) > beyond * epsilon:
            return False
    return True


def _rate_leaves(claim: Claim, name: str) -> bool:
    """Whether a rate at sigma_rate, over its limit, passes 10, 100, 1000 at n = lambda = 10^12, 10^24, 10^36."""
    m = mp(50)
    for power, beyond in ((12, 10), (24, 100), (36, 1000)):
        v = {"kappa": m.real(2), "beta": m.real(1), "M": m.real(1), "delta": m.frac(1, 2), "epsilon": m.frac(1, 10)}
        v |= {"n": m.real(10) ** power, "lambda_": m.real(10) ** power, "delta_0": 1 / m.real(10) ** power}
        v["sigma_1"] = apply(claim.formulas["sigma_rate"], m, v)
        if not apply(claim.formulas[name], m, v) > beyond * (v["epsilon"] if name == "amplified_rate" else m.frac(1, 2)):
            return False
    return True


def _times(factor: str, m: Numbers, value: Real, v: Mapping[str, Real]) -> Real:
    return value * v[factor]


def _link_fails(claim: Claim) -> bool:
    """chain_second beyond chain_third at epsilon_0 = 1/2, delta_hat = 1e-40, n = 1e6 (50 digits)."""
    m = mp(50)
    at = {"epsilon_0": m.frac(1, 2), "delta_hat": m.real("1e-40"), "n": m.real(10) ** 6}
    return bool(claim.formulas["chain_second"](m, **at) > claim.formulas["chain_third"](m, **at))
