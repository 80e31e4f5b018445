"""Phased DP-SGD's noise: disjoint phases, non-expansive steps, one Gaussian answer a phase."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import sympy

from dpsco.arguments.comparing import refuted
from dpsco.arguments.formula import apply
from dpsco.arguments.privacy.noise_scale import MONOTONE, TAIL
from dpsco.instances.grid import grid
from dpsco.instances.privacy import CONSTANTS, DELTAS, EPSILONS
from dpsco.reference.numbers.enclosure import arb, ends
from dpsco.reference.numbers.symbolic import symbolic
from dpsco.reference.privacy.gaussian import profile
from dpsco.spec.algorithms.phased.dp_sgd import epsilon_is_moderate, phase_sigma, phase_step, step_is_small
from dpsco.spec.algorithms.phased.dp_sgd_utility import step_of_theorem_is_small
from dpsco.spec.claim import Adjacency, Claim
from dpsco.spec.conditions import gradients_are_bounded
from dpsco.spec.domain import open_unit
from dpsco.spec.numbers import Numbers, Real
from dpsco.verdict import Finding, Lemma, Rung, Severity, Verdict

RELEASES = ("w_1, ..., w_k, all noisy averages", "the last w_k alone")
RECORDS = "1000001"
"""Records of the attaining pair at which the profile is enclosed: 500000 of them are in the first phase."""
REPLACED = (Adjacency.REPLACE_ONE,)

PHASES = Lemma(
    "one record, one phase",
    "The phases use disjoint records at places that are fixed in advance. With the replaced record in phase i, w_1, ..., "
    "w_{i-1} are the same on both data sets, and w_{i+1}, ..., w_k are functions of w_i and of records that did not change: "
    "the whole sequence, and w_k with it, is a post-processing of w_i. A record in no phase, or n = 1, changes nothing.",
    REPLACED,
)
STEPS = Lemma(
    "non-expansive steps",
    "For convex, beta-smooth losses and eta_i <= eta/4 <= 1/(4 beta) < 2/beta a gradient step on one record does not increase "
    "the distance of two iterates. The replaced record's step parts them by at most eta_i |g - g'| <= 2 L eta_i, and at "
    "least one of the n_i + 1 averaged iterates, the first, is shared: w_bar_i moves by at most 2 L eta_i n_i/(n_i + 1). The "
    "losses <g, w> and -<g, w>, |g| = L, in the first record of the phase attain it, whatever the others are (linear too).",
    REPLACED,
)
WIDE = Lemma(
    "longer gradients",
    "g = L d^(-1/q) (1, ..., 1) has the dual norm |g|_q = L, q = p/(p - 1), and the l2 norm L d^(1/p - 1/2): more than L for "
    "p < 2. Linear losses +-<g, w> in the first record of the phase part w_bar_i by as much more.",
    REPLACED,
)


@dataclass(frozen=True)
class Shift:
    """Largest shift over noise of w_bar_i: a supremum over n_i, and attained at a given n_i."""

    claim: Claim

    def supremum(self, m: Numbers, values: Mapping[str, Real]) -> Real:
        """2 L eta_i / sigma_i, the step eta_i of the algorithm, the scale sigma_i of the claim, else the algorithm's."""
        sigma = self.claim.formulas.get("phase_sigma", phase_sigma)
        return 2 * values["L"] * apply(phase_step, m, values) / apply(sigma, m, values)

    def attained(self, m: Numbers, values: Mapping[str, Real], records: Real) -> Real:
        """The same for a phase of that many records; by WIDE for p < 2."""
        wider = values["d"] ** (1 / values["p"] - m.frac(1, 2)) if "p" in values else m.real(1)
        return self.supremum(m, values) * wider * records / (records + 1)


def noise_of_phases(claim: Claim, wide: Mapping[str, str] | None = None) -> Iterator[Finding]:
    """The printed sigma_i against the Gaussian profile of the largest shift, on the whole domain; `wide`: at this p and d."""
    shift = Shift(claim)
    axes = {"epsilon": EPSILONS, "delta": (*DELTAS, "0.999999"), "L": CONSTANTS, "i": ("1", "9"), "d": ("1", "9")}
    axes = {name: axis for name, axis in axes.items() if name not in (wide or {}) and _has(claim, name)}
    tried = grid(claim, axes, ({"n": RECORDS, "beta": "1e-9", "largest_gradient_norm": "0.3", **(wide or {})},))
    violations = list(_violations(shift, tried))
    shown = Finding(
        scope="each w_i and all that follows from it, every dimension, number of phases and step eta <= 1/beta",
        verdict=Verdict.OPEN,
        adjacency=claim.adjacency,
        coverage=tried.coverage,
        lemmas=(PHASES, STEPS, WIDE) if wide else (PHASES, STEPS),
        reason=f"no violation at {len(tried)} enclosed instances, and no certificate for the whole domain",
    )
    if violations:
        m, (instance, true) = arb(), max(violations, key=lambda v: float(v[1].mid()) / float(v[0]["delta"]))
        broken = refuted(
            shown,
            instance["delta"],
            (ends(true)[0], "1" if m.lt(true, m.real(1)) is not True else ends(true)[1]),
            {**instance, "n_i": str(_first_phase(instance))},
            method="Gaussian profile of the attaining pair of linear losses at the printed scale, enclosed",
            severity=Severity.CONSTANT,
            survives="Each w_i is Gaussian with shift over noise at most 2 L eta_i/sigma_i, L bounding gradients in l2.",
            effort=f"{len(tried)} instances enclosed, {len(violations)} of them violate the claim",
        )
        yield from (replace(broken, release=release) for release in RELEASES)
        return
    held = claim.tests
    small = next((test for test in (step_is_small, step_of_theorem_is_small) if test in held), None)
    method = None if wide else _certificate(claim, shift)
    if method is None or small is None:
        yield shown
        return
    certified = replace(
        shown,
        verdict=Verdict.CERTIFIED,
        rung=Rung.EXACT,
        method=method,
        lemmas=(PHASES, STEPS, MONOTONE, TAIL),
        given=(gradients_are_bounded, small, epsilon_is_moderate),
        reason="the three printed steps differ by constants: any of them is as private, as long as it is at most 1/beta",
    )
    yield from (replace(certified, release=release) for release in RELEASES)


def _has(claim: Claim, name: str) -> bool:
    return any(parameter.name == name for parameter in claim.parameters)


def _first_phase(instance: Mapping[str, str]) -> int:
    return int(instance["n"]) // 2 ** int(instance.get("i", "1"))


def _violations(shift: Shift, tried: Any) -> Iterator[tuple[Mapping[str, str], Real]]:
    for instance in tried:
        m = arb()
        values = {"i": m.real(1)} | {name: m.real(value) for name, value in instance.items()}
        values["eta"] = apply(shift.claim.formulas["eta"], m, values)
        true = profile(m, values["epsilon"], shift.attained(m, values, m.real(_first_phase(instance))))
        if m.gt(true, values["delta"]) is True:
            yield instance, true


def _certificate(claim: Claim, shift: Shift) -> str | None:
    """Exact: epsilon/mu is free of epsilon, so the largest epsilon is worst; there Phi(-z) <= e^(-z^2/2)/2 <= delta."""
    s = sympy.Symbol("s", positive=True)
    names = {name: sympy.Symbol(name, positive=True) for name in ("epsilon", "L", "eta", "i")}
    top = _largest_epsilon(claim, s)
    if top is None or claim.parameter("delta").domain != open_unit:
        return None
    mu = shift.supremum(symbolic(), {**names, "delta": sympy.exp(-s)})
    c = sympy.simplify(names["epsilon"] / mu)
    if c.free_symbols - {s}:
        return None
    z = sympy.simplify(c - top / (2 * c))
    share = sympy.simplify(z**2 / (2 * s))
    if not (z.is_positive and share.is_number and bool(share >= 1)):
        return None
    return (
        f"computer algebra: epsilon/mu = {c}, s = ln(1/delta), so epsilon = {top} is worst; there z = epsilon/mu - mu/2 = {z} "
        f"and Phi(-z) <= e^(-{share} s)/2 < delta"
    )


def _largest_epsilon(claim: Claim, s: Any) -> Any:
    """The right side of the precondition epsilon <= f(delta) at delta = e^-s, None where there is none."""
    epsilon = sympy.Symbol("epsilon", positive=True)
    for predicate in claim.preconditions:
        if set(predicate.names) == {"epsilon", "delta"}:
            relation = predicate.test(symbolic(), epsilon=epsilon, delta=sympy.exp(-s))
            if isinstance(relation, sympy.LessThan) and relation.lhs == epsilon:
                return sympy.simplify(relation.rhs)
    return None
