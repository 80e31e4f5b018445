"""Mutants of the grid walk as a sampler; their falsity is shown by powers of a matrix, finite sums and two-cell laws."""

from collections.abc import Iterator, Mapping
from typing import Any

from dpsco.arguments.formula import apply
from dpsco.mutant import Mutant, scaled, with_formula
from dpsco.reference.numbers.mp import mp
from dpsco.spec.algorithms.exponential_sampling.walk_sampler import FORMULAS, walk_steps
from dpsco.spec.claim import Claim
from dpsco.spec.numbers import Numbers, Real
from dpsco.spec.register import find


def _chosen(claim: Claim, given: Mapping[str, str]) -> tuple[Any, dict[str, Real]]:
    m = mp(40)
    v = {"zeta": m.real("1e-30"), **{name: m.real(value) for name, value in given.items()}}
    for name in FORMULAS:
        v[name] = apply(claim.formulas[name], m, v)
    return m.mp, v  # type: ignore[attr-defined]


def path_is_far(claim: Claim) -> bool:
    """The lazy walk on the cells of [-1, 1], f = 0, from one end, step by step."""
    context, v = _chosen(claim, {"d": "1", "L": "1e-9", "xi": "0.01", "tau": "2", "inner_radius": "1", "radius": "1"})
    cells, steps = int(v["cells"]), int(v["steps"])
    law = [context.mpf(i == 0) for i in range(cells)]
    for _ in range(steps):
        law = [law[i] / 2 + (law[max(i - 1, 0)] + law[min(i + 1, cells - 1)]) / 4 for i in range(cells)]
    return bool(min(law) == 0 or -context.log(min(law) * cells) > v["xi"])


def wells_are_far(claim: Claim) -> bool:
    """The same walk with errors -10 and 10 by turns, from the first cell, step by step: the farthest cell's log ratio."""
    given = {"d": "1", "L": "1e-9", "xi": "1", "tau": "2", "inner_radius": "1", "radius": "1", "zeta": "10"}
    context, v = _chosen(claim, given)
    cells, steps = int(v["cells"]), int(v["steps"])
    error = [(-1) ** (i + 1) * v["zeta"] for i in range(cells)]
    law = [context.mpf(i == 0) for i in range(cells)]
    edges = [(i, i + 1) for i in range(cells - 1)]
    chances = [[context.exp(min(0, error[a] - error[b])) / 4 for a, b in ((i, j), (j, i))] for i, j in edges]
    for _ in range(steps):
        flows = [law[i] * there - law[j] * back for (i, j), (there, back) in zip(edges, chances, strict=True)]
        for (i, j), flow in zip(edges, flows, strict=True):
            law[i] -= flow
            law[j] += flow
    return bool(max(abs(context.log(p * cells)) for p in law) > apply(claim.formulas["distance"], mp(40), v))


def mass_is_outside(claim: Claim) -> bool:
    """C = [-1, 1]^30 in a cube three times as wide: the outer mass by incomplete gamma functions."""
    given = {"d": "30", "L": "1e-9", "xi": "0.01", "tau": "6", "inner_radius": "1", "radius": "6"}
    context, v = _chosen(claim, given)
    a = v["alpha"]
    outside = 30 * context.exp(a) * context.gammainc(30, a, 3 * a) / a**30
    return bool(context.exp(0.75) * (1 + outside) / (1 + context.tanh(v["xi"] / 2)) > v["walks"])


def acceptance_is_cut(claim: Claim) -> bool:
    """f along the diagonal in a large ball: acceptance at the low corner of a cell, were it not cut off at 1."""
    given = {"d": "1000000", "L": "1", "xi": "1", "tau": "2e12", "inner_radius": "1e12", "radius": "1e12"}
    context, v = _chosen(claim, given)
    side = 1 / (2 * v["slope_of_target"])
    wanted = v["L"] * context.sqrt(v["d"]) * side / 2 - 1  # log of F(theta)/(e F(x))
    return bool(wanted / 2 > v["xi"])


def errors_are_larger(claim: Claim) -> bool:
    """A law on 10^6 equal cells of which one has the error -zeta, the others +zeta."""
    m = mp(40)
    zeta, xi, cells = m.real("0.25"), m.real("0.000001"), 10**6
    weights = m.exp(zeta), m.exp(-zeta)
    ratio = weights[0] * cells / (weights[0] + (cells - 1) * weights[1])
    return bool(m.log(ratio) > apply(claim.formulas["distance"], m, {"zeta": zeta, "xi": xi}))


def _one(m: Numbers) -> Real:
    return m.real(1)


def _without_root(m: Numbers, L: Real, alpha: Real, inner_radius: Real) -> Real:
    return L + alpha / inner_radius


def of_exact_values(id: str = "bilevel/thm-B.13-amended") -> Iterator[Mutant]:
    claim = find(id)
    few = scaled(claim, "steps", 1, 1000)
    yield Mutant("a thousandth of the steps", few, lambda: path_is_far(few))
    weak = with_formula(claim, "alpha", _one)
    yield Mutant("penalty of slope 1", weak, lambda: mass_is_outside(weak))
    coarse = with_formula(claim, "slope_of_target", _without_root)
    yield Mutant("slope without sqrt(d)", coarse, lambda: acceptance_is_cut(coarse))
    lucky = scaled(claim, "walks", 1, 10)
    yield Mutant("a tenth of the walks", lucky, lambda: mass_is_outside(lucky))


def of_inexact_values() -> Iterator[Mutant]:
    yield from of_exact_values("bilevel/thm-3.8-amended")
    claim = find("bilevel/thm-3.8-amended")

    def closer(m: Numbers, zeta: Real, xi: Real) -> Real:
        return 3 * zeta / 2 + xi

    exact = with_formula(claim, "steps", walk_steps)
    yield Mutant("steps of exact values", exact, lambda: wells_are_far(exact))
    near = with_formula(claim, "distance", closer)
    yield Mutant("1.5 zeta + xi", near, lambda: errors_are_larger(near))
