"""The increase of the order quantity's variance as an order: what is printed of its deviation, and other readings of it."""

from collections.abc import Iterator, Mapping

import sympy

from dpsco.arguments.algorithms.objective_perturbation.asymptotics.covariance_steps import LINEAR
from dpsco.arguments.algorithms.objective_perturbation.asymptotics.small_parameters import known, model
from dpsco.arguments.algorithms.objective_perturbation.asymptotics.variance_bounds import SOME, in_one_dimension
from dpsco.arguments.comparing import proved, refuted
from dpsco.arguments.formula import apply
from dpsco.arguments.orders_of_growth import form, grows
from dpsco.reference.algorithms.objective_perturbation.asymptotic_variance import covariance
from dpsco.reference.numbers.enclosure import arb
from dpsco.reference.numbers.symbolic import symbolic
from dpsco.spec.algorithms.objective_perturbation.newsvendor_utility import lambda_chosen
from dpsco.spec.claim import Claim
from dpsco.spec.numbers import Numbers, Real
from dpsco.verdict import Finding, Lemma, Reading, Rung, Severity

ROOT = Lemma(
    "increase of a root",
    "With V > 0 the variance without privacy, of order 1/n, and V + I the one with it, sqrt(V + I) - sqrt(V) <= I/(2 sqrt(V)), "
    "and nothing where I < 0: of order (lambda/n + sigma^2/n^2) sqrt(n) at most.",
)


def increase(claim: Claim, m: Numbers, values: Mapping[str, Real]) -> Real:
    """Asymptotic variance with privacy less the one without, x = 1, from the linear law exactly."""
    return private(claim, m, values) - values["r"] * (1 - values["r"]) / (values["density"] ** 2 * values["n"])


def private(claim: Claim, m: Numbers, values: Mapping[str, Real]) -> Real:
    """Asymptotic variance with privacy, x = 1."""
    return apply(covariance, m, values) / values["n"]


def deviation(claim: Claim) -> Iterator[Finding]:
    """The increase of the standard deviation against the printed sigma/n for the chosen lambda; then the other readings."""
    names = ("n", "B", "B_x", "r_bar", "epsilon", "sigma")
    v = {name: sympy.Symbol(name, positive=True) for name in names} | {"d": sympy.Integer(1), "delta": sympy.exp(-14)}
    ridge = apply(lambda_chosen, symbolic(), v)
    reached = (ridge / v["n"] + v["sigma"] ** 2 / v["n"] ** 2) * sympy.sqrt(v["n"])
    printed = apply(claim.formulas["rate_upper_of_deviation"], symbolic(), v)
    holds = grows(reached, printed, [form(n=1)], {*names} - {"n"}) is None
    scope = "the increase of the standard deviation against sigma/n: the chosen lambda, epsilon and delta fixed"
    method = "exponents: the bound of the increase is O(1/n), as sigma/n is"
    yield proved(scope, holds, method, lemmas=(LINEAR, SOME, ROOT), remark="'the increased deviation is of order sigma/n'")
    yield from other_readings(claim)


def other_readings(claim: Claim) -> Iterator[Finding]:
    """The printed deviation sigma/n as an order of the standard deviation's increase, and of the variance's."""
    m = arb()
    for scope, noise, power in (
        ("the increase of the standard deviation", "1", "0"),
        ("the increase of the variance", "0.0001", "-1/2"),
    ):
        at = {**model(n="100000000", lambda_="0.01", sigma=noise, h="1e-12"), "r": "0.75", "density_slope": "0.25"}
        values = in_one_dimension({k: m.real(v) for k, v in at.items()})
        after = private(claim, m, values)
        before = after - increase(claim, m, values)
        true = m.sqrt(after) - m.sqrt(before) if power == "0" else after - before
        claimed = apply(claim.formulas["rate_upper_of_deviation"], m, values)
        if m.gt(true, 10 * claimed) is True:
            yield refuted(
                f"{scope} against sigma/n",
                claimed,
                true,
                known(claim, at),
                method=f"the linear law, lambda = n^(-1/4), sigma = n^({power}): the ratio to sigma/n grows like n^(1/4)",
                severity=Severity.RATE,
                survives="It holds where lambda is O(sigma/sqrt(n)), as in the order of lambda that the paper chooses for "
                "constant sigma.",
                rung=Rung.EXACT,
                reading=Reading.ANOTHER,
            )
