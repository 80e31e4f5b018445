"""Instances of the claims about objective perturbation with discrete demand: at the thresholds of epsilon, and about them."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from decimal import Decimal

from dpsco.arguments.algorithms.objective_perturbation.risk.discrete_errors import RareFeatures
from dpsco.arguments.comparing import truth
from dpsco.arguments.formula import apply
from dpsco.reference.losses.kernels import K_bar
from dpsco.reference.numbers.enclosure import arb
from dpsco.spec.algorithms.objective_perturbation import discrete_demand as spec
from dpsco.spec.claim import Claim
from dpsco.spec.numbers import Numbers, Real

Instance = Mapping[str, str]
PEAK = "1/sqrt(2 pi)"
"""The Gaussian kernel's supremum, as it is shown; it is computed as such."""
THRESHOLDS: tuple[Callable[..., Real], ...] = (
    spec.threshold_reach,
    spec.threshold_reach_unmended,
    spec.threshold_factor,
    spec.threshold_exponential,
    spec.threshold_exponential_amended,
)
AT_RARE = {"n": "53755026920390767307658716", "d": "2", "B": "0.00001", "B_x": "4000000", "r_bar": "0.9", "tau": "0.2"}
BASES = (
    {"n": "10000", "d": "9", "B": "1", "B_x": "1", "r_bar": "0.6", "tau": "0.5", "delta": "0.001"},
    {"n": "10000", "d": "2", "B": "30", "B_x": "4", "r_bar": "0.6", "tau": "0.5", "delta": "0.01"},
    {"n": "300000000000000000000000", "d": "1", "B": "2", "B_x": "1.5", "r_bar": "0.5", "tau": "0.2", "delta": "0.9"},
    {"n": "100000000", "d": "1", "B": "100", "B_x": "100", "r_bar": "0.5", "tau": "8", "delta": "0.5"},
    {"n": "1000000000000", "d": "3", "B": "2", "B_x": "1.5", "r_bar": "0.7", "tau": "0.01", "delta": "0.1"},
    {"n": "390000", "d": "1", "B": "20", "B_x": "15", "r_bar": "0.5", "tau": "1.13", "delta": "0.8"},
    {"n": "1", "d": "9", "B": "0.5", "B_x": "2", "r_bar": "0.9", "tau": "0.5", "delta": "0.001"},
    {**AT_RARE, "delta": "1e-6"},
)
RARE = RareFeatures(
    r="0.9",
    a="0.2001",
    z=("360", "3999000"),
    p="9e-11",
    near=("0.00000074957980983", "0.00001086486495211"),
    radius="0.00000125",
)
RARE_AT = {**AT_RARE, "delta": "1e-6", "epsilon": "4.275072e-11", "largest_feature_norm": "4000000", "optimum_norm": "0"}

ACROSS_AT = {"n": "1000000000000", "d": "100000000000000", "B": "1", "B_x": "1", "r_bar": "0.5", "tau": "0.01"} | {
    "delta": "1e-6",
    "epsilon": "1",
    "largest_feature_norm": "1",
    "optimum_norm": "1",
}
ATOM = "0.0101"
"""The errors lie there, just beyond tau, on both sides."""


def numbers(m: Numbers, instance: Instance) -> dict[str, Real]:
    """The instance in a context; the kernel's supremum where it is not given otherwise."""
    return {"K_bar": K_bar(m, "gaussian"), **{name: m.real(x) for name, x in instance.items() if x != PEAK}}


def around_thresholds(claim: Claim, factors: Sequence[str], bases: Sequence[Instance] = BASES) -> Iterator[Instance]:
    """Every base with epsilon at a multiple of each threshold, where the claim's domains and preconditions admit it."""
    m = arb()
    for base in bases:
        values = numbers(m, base)
        for threshold in THRESHOLDS:
            least = float(apply(threshold, m, values).mid())
            for factor in factors if least > 0 else ():
                epsilon = str(Decimal(repr(least)) * Decimal(factor))
                instance = {**base, "epsilon": epsilon, "K_bar": PEAK}
                if admits(claim, instance):
                    yield instance


def admits(claim: Claim, instance: Instance) -> bool:
    """Whether the instance certainly lies in the domains and meets every precondition that it has the values for."""
    m = arb()
    values = numbers(m, instance)
    inside = all(p.domain.contains(m, instance[p.name]) is True for p in claim.parameters if instance.get(p.name, PEAK) != PEAK)
    needed = [predicate for predicate in claim.preconditions if set(predicate.names) <= set(values)]
    return inside and all(truth(predicate, m, values) is True for predicate in needed)
