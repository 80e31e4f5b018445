"""Judges of DP-SGD's noise: n^2 - 1 steps on single records, the transcript and the average."""

from collections.abc import Iterator, Mapping
from dataclasses import replace

from dpsco.arguments.algorithms.descent.sampled_gradients import AVERAGE_ONLY, TRANSCRIPT, Sampled, findings
from dpsco.arguments.formula import apply
from dpsco.mutants.algorithms.dp_sgd import privacy as mutants
from dpsco.spec.claim import Claim, Relation
from dpsco.spec.numbers import Numbers, Real
from dpsco.verdict import Finding, Reading


def _instances(places: str) -> list[dict[str, str]]:
    """From "epsilon delta n, ...": the instances, outside a claim's domain or not."""
    return [dict(zip(("epsilon", "delta", "n"), place.split(), strict=True)) for place in places.split(", ")]


TRIED = _instances(
    "1 1e-100 3, 1 1e-60 4, 1 1e-40 2, 1 1e-40 3, 1 1e-40 4, 1 1e-40 8, 1 1e-40 20, 0.5 1e-100 5, 1 1e-20 4, 1 1e-20 14, "
    "1 1e-6 4, 1 1e-6 8, 0.1 1e-6 10, 1 0.01 5, 1 0.01 10, 0.1 0.01 10, 1 0.5 2, 1 0.5 10, 20 0.01 5, 60 0.01 5, "
    "1 0.9 10, 1 0.99 4, 1 0.99 10, 0.1 0.99 10"
)
TRIED_AVERAGE = _instances(
    "1 1e-40 3, 1 1e-40 4, 0.5 1e-100 5, 1 1e-20 4, 1 1e-6 4, 1 0.01 5, 1 0.5 2, 1 0.5 5, 60 0.01 5, 1 0.9 5, 1 0.999 16"
)
DECISIVE = _instances("1 1e-40 4, 1 0.99 10, 1 0.999 16")


def printed_variance(claim: Claim) -> Iterator[Finding]:
    """The printed variance against the named pair and, where it applies, the certificate for every pair."""

    def sigma(m: Numbers, values: Mapping[str, Real]) -> Real:
        return m.sqrt(apply(claim.formulas["variance"], m, values))

    asserts = {
        release: tuple(r for r in claim.asserts if r == Relation(release, "is", "(epsilon, delta)-DP"))
        for release in (TRANSCRIPT, AVERAGE_ONLY)
    }
    for finding in findings(claim, Sampled("printed variance", sigma, TRIED, TRIED_AVERAGE, asserts, DECISIVE)):
        shown = claim.amends is None and finding.release == TRANSCRIPT  # the algorithm returns the average alone
        yield replace(finding, reading=Reading.ANOTHER) if shown else finding


JUDGES = {"quantile/thm-3.2": printed_variance, "quantile/thm-3.2-amended": printed_variance}

MUTANTS = {"quantile/thm-3.2-amended": mutants.of_amended}
