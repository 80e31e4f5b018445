"""Judge of gradient perturbation's text: what its own numbers say of each other."""

from collections.abc import Iterator, Mapping

from dpsco.arguments.algorithms.descent.descent_utility import minimiser
from dpsco.arguments.formula import apply
from dpsco.arguments.polynomial_slack import Value, identical, named
from dpsco.instances.grid import grid
from dpsco.mutants.algorithms.gradient_perturbation import algorithm as mutants
from dpsco.spec.algorithms.gradient_perturbation.utility import bound_raw
from dpsco.spec.claim import Claim
from dpsco.spec.numbers import Numbers, Real
from dpsco.verdict import Finding, Lemma, Severity, Verdict

AXES = {
    "epsilon": ("0.1", "20"),
    "delta": ("1e-40", "0.1", "0.999"),
    "n": ("1", "2", "1000"),
    "T": ("1", "3", "1000000"),
    "L": ("0.3", "7"),
    "B_x": ("0.3", "7"),
    "K_bar": ("0.25", "3"),
    "eta": ("0.01", "5"),
}
TRIANGLE = Lemma(
    "replacing a record of a mean",
    "The mean gradient changes by 1/n of the difference of two gradients of norm at most L: by at most 2L/n, approached by "
    "opposite features of the largest norm with outcomes far out.",
)
BETA = Lemma("smoothness", "The smoothed loss is K_bar B_x^2/h-smooth, for every kernel (quantile/lem-3.1-2).")
KEPT = "The other numbers of the algorithm."


def numbers(claim: Claim) -> Iterator[Finding]:
    """Weights, sensitivity, noise, bandwidth and step length, each against what the text says that it is."""
    f = {name: named(claim, name) for name in claim.formulas}
    yield same(claim, "the weights of T iterates add up to 1", ones, lambda m, v: v["T"] * f["weight"](m, v), ("T",))
    yield same(claim, "sensitivity of the mean gradient", largest_change, f["sensitivity"], ("n", "L"), TRIANGLE)

    def from_sensitivity(m: Numbers, v: Mapping[str, Real]) -> Real:
        return 2 * f["sensitivity"](m, v) ** 2 * v["T"] * m.log(1 / v["delta"]) / v["epsilon"] ** 2

    scope = "sigma^2 = 2 sensitivity^2 T ln(1/delta)/epsilon^2"
    axes = ("epsilon", "delta", "n", "T", "L")
    yield same(claim, scope, from_sensitivity, lambda m, v: f["sigma"](m, v) ** 2, axes)
    yield short_steps(claim, 1)
    yield minimiser(claim, lambda m, v: apply(bound_raw, m, v), "free")
    yield Finding(scope="the text of the algorithm", verdict=Verdict.STATED)


def short_steps(claim: Claim, multiple: int) -> Finding:
    """The bandwidth that makes eta beta the multiple (at most 2) that the analysis asks for."""
    bandwidth = named(claim, "bandwidth")

    def product(m: Numbers, v: Mapping[str, Real]) -> Real:
        return v["eta"] * v["K_bar"] * v["B_x"] ** 2 / bandwidth(m, v)

    def wanted(m: Numbers, v: Mapping[str, Real]) -> Real:
        return m.real(multiple)

    scope = f"eta beta = {multiple} at the bandwidth, so that eta <= 2/beta"
    return same(claim, scope, wanted, product, ("eta", "K_bar", "B_x"), BETA)


def ones(m: Numbers, v: Mapping[str, Real]) -> Real:
    return m.real(1)


def largest_change(m: Numbers, v: Mapping[str, Real]) -> Real:
    return 2 * v["L"] / v["n"]


def same(claim: Claim, scope: str, true: Value, claimed: Value, axes: tuple[str, ...], *lemmas: Lemma) -> Finding:
    """`claimed` is `true` identically, tried on hard values of the quantities named."""
    tried = grid(claim, {name: AXES[name] for name in axes})
    return identical(claim, scope, true, claimed, tried, severity=Severity.CONSTANT, survives=KEPT, lemmas=lemmas)


JUDGES = {"newsvendor/alg-GP": numbers}

MUTANTS = {"newsvendor/alg-GP": mutants.of_numbers}
