"""Instances for the risk of objective perturbation with errors of bounded density: free lambda and h, the printed choices, the
edge of the condition on epsilon, laws for the steps. Epanechnikov's kernel throughout: K_bar = 3/4, kappa_2 = 1/5.
"""

from collections.abc import Callable, Hashable, Iterator, Mapping
from decimal import ROUND_CEILING, Context
from itertools import product
from typing import Any

import mpmath

from dpsco.arguments.formula import thresholds
from dpsco.instances.grid import Grid, grid
from dpsco.reference.numbers.mp import mp
from dpsco.spec.claim import Claim

KERNEL = {"K_bar": "0.75", "kappa_2": "0.2"}
PRIVACY = (("0.001", "0.5"), ("0.001", "0.999"), ("1", "1e-40"), ("1", "0.999"), ("1000", "1e-300"))
SIZES = (("1", "1"), ("1", "9"), ("1000", "1"), ("10000000000", "1"), ("10000000000", "1000000"))
"""n and d."""
BALLS = (("1", "0.01"), ("1", "10000"), ("300", "1"), ("0.01", "1"))
"""B and B_x."""
LAWS = (("1", "0.7"), ("1000", "0.5"))
"""s and r_bar."""
SHOWN = {
    "n": "10000000000",
    "d": "1",
    "epsilon": "0.001",
    "delta": "0.5",
    "B": "1",
    "B_x": "10000",
    "r_bar": "0.7",
    "s": "1",
} | {
    **KERNEL,
    "largest_feature_norm": "10000",
    "steepest_slope": "1",
    "optimum_norm": "0.00002",
}
"""The quantile of the errors lies at 0.4 of 1/(2 s): its norm is 0.2/B_x."""
LOUD = {"n": "1000", "d": "1", "epsilon": "0.001", "delta": "1e-40", "B": "0.01", "B_x": "0.01", "r_bar": "0.5", "s": "1"} | {
    **KERNEL,
    "largest_feature_norm": "0.01",
    "steepest_slope": "1",
    "lambda_": "0.0001",
    "h": "0.001",
}
"""Noise that the slopes of the losses do not hold."""
_ADMITTED: dict[Hashable, Grid] = {}
DIGITS = Context(prec=12, rounding=ROUND_CEILING)


def _problems() -> Iterator[dict[str, str]]:
    for (epsilon, delta), (n, d), (B, B_x), (s, r_bar) in product(PRIVACY, SIZES, BALLS, LAWS):
        yield {
            **{"n": n, "d": d, "epsilon": epsilon, "delta": delta, "B": B, "B_x": B_x, "r_bar": r_bar, "s": s, **KERNEL},
            **{"largest_feature_norm": B_x, "steepest_slope": s},
        }


def ends(claim: Claim) -> Grid:
    """Numbers for the printed lambda and h."""
    return _once(claim, "ends", lambda: [*_problems(), SHOWN])


def sums(claim: Claim) -> Grid:
    """The same with lambda and h of their own, small and large."""
    free = product(("0.0001", "0.5", "20"), ("0.001", "50", "1000000"))
    given = [{"lambda_": lambda_, "h": h} for lambda_, h in free]
    return _once(claim, "sums", lambda: [LOUD, *({**one, **given[i % len(given)]} for i, one in enumerate(_problems()))])


def _once(claim: Claim, kind: str, make: Callable[[], list[dict[str, str]]]) -> Grid:
    """What the claim's domains and conditions admit: the same for all its mutants with these."""
    key = (kind, claim.parameters, tuple(predicate.test for predicate in claim.preconditions))
    if key not in _ADMITTED:
        _ADMITTED[key] = grid(claim, {}, make())
    return _ADMITTED[key]


def laws() -> Mapping[str, tuple[str, ...]]:
    """Axes of the steps of smoothing: bandwidths, slopes, a kernel's second moment, standardised residuals."""
    return {"h": ("0.001", "0.3", "5"), "s": ("0.001", "0.5", "40"), "kappa_2": ("0.2", "3"), "v": ("0.01", "1", "30")}


def at_threshold(claim: Claim) -> Grid:
    """n so large that the noise is out, and n = 1; epsilon at the least value that the claim's condition admits, rounded up."""
    found = []
    for one in _problems():
        one = {**one, "n": one["n"] if one["n"] == "1" else one["n"] + "0" * 12}
        m, rights = mp(60), list[Any]()
        for predicate in claim.preconditions:
            if "epsilon" in predicate.names and {*predicate.names} <= {*one}:
                rights += thresholds("ge", predicate.test, m, {name: m.real(one[name]) for name in predicate.names})
        if not rights:
            found.append(one)
            continue
        least = DIGITS.create_decimal(mpmath.nstr(rights[-1], 30))
        found.append({**one, "epsilon": format(DIGITS.next_plus(least), "f"), "delta": "0.5"})
    own = {parameter.name for parameter in claim.parameters}
    return grid(claim, {}, ({name: value for name, value in one.items() if name in own} for one in found))
