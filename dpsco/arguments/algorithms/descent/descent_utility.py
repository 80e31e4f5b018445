"""Readers of the risk bounds of averaged descent: each part of the proof, the chain of closed forms, and the end.

One set of readers serves full gradients and single records, the check loss's constant under the name L or as r_bar B_x. The
ends are decided by themselves: a chain may break while its end stands.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import sympy

from dpsco.arguments.algorithms.descent import averaged_descent as known
from dpsco.arguments.algorithms.descent.averaged_descent import lipschitz
from dpsco.arguments.polynomial_slack import (
    Given,
    Side,
    Value,
    bounded,
    expressed,
    is_least,
    named,
    nonnegative,
    quantities,
    square_at,
)
from dpsco.instances.descents import admitted
from dpsco.spec.algorithms.gradient_perturbation.utility import sample_is_large
from dpsco.spec.claim import Claim
from dpsco.spec.numbers import Numbers, Real
from dpsco.verdict import PROOF_STEP, Finding, Lemma, Severity

LINK = "The bound at the end of the chain, which is decided by itself, and the risk bound at every step length."
KEPT = "The other links, and what is proved: the sum of stability, regret and smoothing at every step length."


@dataclass(frozen=True)
class Descent:
    """How a claim names its parts."""

    raw: str
    """The risk bound at every eta."""
    sigma: Value
    """The noise that is put in at the end."""
    coupled: Lemma
    """The argument for the iterates of neighbours."""
    kind: str = "free"
    """Of the instances: "square" where T is n^2 throughout."""
    short: Given = ()
    """The precondition that steps are at most 2/beta."""
    features: Given = ()
    """The precondition that features are bounded."""
    optimum: Given = ()
    """The precondition that theta* lies in the ball."""

    def T(self, v: Mapping[str, Real]) -> Real:
        return v["n"] ** 2 if self.kind == "square" else v["T"]

    def proved(self, claim: Claim) -> Value:
        """The proved risk bound at the claim's bandwidth."""
        bandwidth = named(claim, "bandwidth")

        def true(m: Numbers, v: Mapping[str, Real]) -> Real:
            given = (v["B"], lipschitz(v), v["eta"], self.T(v), v["d"], v["sigma"], v["n"], bandwidth(m, v), v["kappa_1"])
            return known.excess(m, *given)

        return true

    def short_enough(self, claim: Claim) -> bool:
        """Whether eta <= 2/beta at the claim's bandwidth, identically."""
        bandwidth = named(claim, "bandwidth")
        return nonnegative(claim, expressed(claim, lambda m, v: 2 - v["eta"] * v["K_bar"] * v["B_x"] ** 2 / bandwidth(m, v)))

    def at_end(self, claim: Claim, value: Value) -> Value:
        """The value at T = n^2 and the noise of the end."""

        def there(m: Numbers, v: Mapping[str, Real]) -> Real:
            n_square = v["n"] ** 2
            w = {**v, "T": n_square, "L": lipschitz(v)}
            return value(m, {**w, "sigma": self.sigma(m, w)})

        return there

    def step(self, claim: Claim) -> Value:
        return self.at_end(claim, named(claim, "step_length"))

    def least(self, claim: Claim) -> Value:
        """The risk bound at the step length of the end."""
        step = self.step(claim)
        raw = named(claim, self.raw)
        return lambda m, v: self.at_end(claim, lambda c, w: raw(c, {**w, "eta": step(c, v)}))(m, v)

    def reached_at_end(self, claim: Claim) -> Value:
        step = self.step(claim)
        return lambda m, v: known.slow(m, v["B"], lipschitz(v), step(m, v), v["n"] ** 2)


def distance(claim: Claim, how: Descent, name: str) -> Finding:
    """Distance of the t-th iterates on neighbours, against the supremum."""

    def true(m: Numbers, v: Mapping[str, Real]) -> Real:
        return known.distance(m, lipschitz(v), v["eta"], v["t"], v["n"])

    lemmas, given = (known.NONEXPANSIVE, how.coupled), (*how.short, *how.features)
    return _proved(claim, how, "distance of the t-th iterates", name, true, true, lemmas, known.OPPOSITE, given)


def generalisation(claim: Claim, how: Descent, name: str) -> Finding:
    """Population minus empirical risk; half of what is proved is reached."""

    def true(m: Numbers, v: Mapping[str, Real]) -> Real:
        return known.gap(m, lipschitz(v), v["eta"], how.T(v), v["n"])

    lemmas = (known.NONEXPANSIVE, how.coupled, known.EXCHANGE)
    given = (*how.short, *how.features)
    return _proved(claim, how, "generalisation gap", name, true, lambda m, v: true(m, v) / 2, lemmas, known.SIGNS, given)


def empirical(claim: Claim, how: Descent, name: str, norm: str, smoothed: bool) -> Finding:
    """Excess empirical risk over theta*, of the smoothed loss or of the check loss."""

    def true(m: Numbers, v: Mapping[str, Real]) -> Real:
        found = known.smoothed_excess(m, v[norm], lipschitz(v), v["eta"], how.T(v), v["d"], v["sigma"])
        return found if smoothed else found + v["h"] * v["kappa_1"] / 2

    def reached(m: Numbers, v: Mapping[str, Real]) -> Real:
        return known.straight(m, v[norm], lipschitz(v), v["eta"], how.T(v))

    scope = "empirical excess of the smoothed loss" if smoothed else "empirical excess of the check loss"
    lemmas = (known.REGRET,) if smoothed else (known.REGRET, known.SMOOTH)
    family = known.AFFINE if smoothed else known.SLOW
    given = how.features if smoothed else (*how.features, *how.optimum)
    return _proved(claim, how, scope, name, true, reached, lemmas, family, given)


def at_every_step_length(claim: Claim, how: Descent) -> Finding:
    """The risk at the claim's bandwidth, for every eta."""

    def reached(m: Numbers, v: Mapping[str, Real]) -> Real:
        return known.slow(m, v["B"], lipschitz(v), v["eta"], how.T(v))

    lemmas = (known.NONEXPANSIVE, how.coupled, known.EXCHANGE, known.REGRET, known.SMOOTH)
    given = (*how.features, *how.optimum)
    scope = "excess risk of the average at every step length"
    short = how.short_enough(claim)
    return _proved(claim, how, scope, how.raw, how.proved(claim), reached, lemmas, known.SLOW, given, short)


def _proved(
    claim: Claim,
    how: Descent,
    scope: str,
    name: str,
    true: Value,
    reached: Value,
    lemmas: tuple[Lemma, ...],
    family: Lemma,
    given: Given,
    also: bool = True,
) -> Finding:
    claimed = named(claim, name)
    side = Side(
        scope=scope,
        claimed=claimed,
        reached=reached,
        holds=also and nonnegative(claim, expressed(claim, claimed) - expressed(claim, true)),
        method="the bound less the proved one has nonnegative coefficients",
        instances=admitted(claim, how.kind),
        severity=Severity.CONSTANT,
        survives=KEPT,
        lemmas=lemmas,
        given=given,
        family=(family,),
        release="the average of the iterates, not projected",
    )
    return bounded(side)


def minimiser(claim: Claim, raw: Value, kind: str) -> Finding:
    """The printed step length against the one at which a bound a eta + c/eta is least."""
    step = named(claim, "step_length")

    def at_step(m: Numbers, v: Mapping[str, Real]) -> Real:
        return raw(m, {**v, "eta": step(m, v)})

    def least(m: Numbers, v: Mapping[str, Real]) -> Real:
        one, two = (raw(m, {**v, "eta": m.real(eta)}) for eta in (1, 2))
        c = (2 * one - two) * 2 / 3  # raw = a eta + c/eta
        return 2 * m.sqrt((one - c) * c)

    side = Side(
        scope="the printed step length minimises the bound",
        claimed=least,
        reached=at_step,
        holds=is_least(raw, step, claim),
        method="step_length^2 is c/a identically, the bound being a eta + c/eta",
        instances=admitted(claim, kind),
        severity=Severity.CONSTANT,
        survives=KEPT,
        lemmas=(known.BALANCE,),
    )
    return bounded(side)


def below(claim: Claim, scope: str, left: Value, square: Any, name: str, given: Given = ()) -> Finding:
    """A link `left <= formula`: `square` is left^2 as an expression over the claim's domain, with `slack` if given so."""
    more = slack(claim) if sample_is_large in given else {}
    side = Side(
        scope=scope,
        claimed=named(claim, name),
        reached=left,
        holds=square is not None and nonnegative(claim, squared(claim, name, **more) - square),
        method="the squares' difference has nonnegative coefficients",
        instances=admitted(claim, "targets"),
        severity=PROOF_STEP,
        survives=LINK,
        given=given,
    )
    return bounded(side)


def slack(claim: Claim) -> dict[str, Any]:
    """kappa_1 as what n >= (1 + kappa_1 K_bar/r_bar^2)/4 leaves: kappa_1 K_bar = r_bar^2 (4 n - 1 - s), s >= 0."""
    if sample_is_large not in claim.tests:
        return {}
    q, s = quantities(claim), sympy.Symbol("slack", nonnegative=True)
    return {"kappa_1": q["r_bar"] ** 2 * (4 * q["n"] - 1 - s) / q["K_bar"]}


def squared(claim: Claim, name: str, **more: Any) -> Any:
    """The square of a formula over the claim's domain."""
    return sympy.expand(expressed(claim, named(claim, name), **more) ** 2)


def least_square(claim: Claim, how: Descent, raw: Value, **more: Any) -> Any:
    """The square of a bound in eta at the step length of the end."""
    at_end, step = how.at_end(claim, raw), how.step(claim)
    return square_at(lambda m, v: at_end(m, {**v, **more}), lambda m, v: step(m, {**v, **more}), claim)


def rounded(claim: Claim, how: Descent) -> Value:
    """The proved bound with T + 1 for T - 1: its least is at the step length that the papers print."""
    proved = how.proved(claim)
    return lambda m, v: proved(m, v) + 2 * lipschitz(v) ** 2 * v["eta"] / v["n"]


def end(claim: Claim, how: Descent, name: str, given: Given = ()) -> Finding:
    """The risk at the step length of the end against the last bound, whatever the links say."""
    more = slack(claim) if sample_is_large in given else {}
    square = least_square(claim, how, rounded(claim, how), **more)
    side = Side(
        scope="excess risk at the chosen step length, T = n^2",
        claimed=named(claim, name),
        reached=how.reached_at_end(claim),
        holds=how.short_enough(claim) and square is not None and nonnegative(claim, squared(claim, name, **more) - square),
        method="the claimed bound's square less that of the proved one at the step length has nonnegative coefficients",
        instances=admitted(claim, "targets"),
        severity=Severity.CONSTANT,
        survives=KEPT,
        lemmas=(known.NONEXPANSIVE, how.coupled, known.EXCHANGE, known.REGRET, known.SMOOTH),
        given=(*how.features, *how.optimum, *given),
        family=(known.SLOW,),
        release="the average of the iterates, not projected",
    )
    return bounded(side)
