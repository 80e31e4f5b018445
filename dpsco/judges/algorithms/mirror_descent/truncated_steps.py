"""Judge of the links for truncated mirror descent: one step of descent, sums of errors, the noise of a batch."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

import sympy

from dpsco.arguments.algorithms.mirror_descent import batch_noise, deviations, tails
from dpsco.arguments.algorithms.mirror_descent.truncation import OPTIMAL, SMOOTH
from dpsco.arguments.assertions import Table, reading
from dpsco.arguments.comparing import every_sign, refuted
from dpsco.arguments.formula import apply
from dpsco.arguments.polynomial_slack import Side, Value, bounded, expressed, named, nonnegative, quantities
from dpsco.instances.grid import Instance, grid
from dpsco.mutants.algorithms.mirror_descent import truncated_steps as mutants
from dpsco.reference.numbers.enclosure import arb
from dpsco.spec.algorithms.mirror_descent.truncated_steps import steps_are_short
from dpsco.spec.claim import Claim, Relation
from dpsco.spec.numbers import Numbers, Real
from dpsco.verdict import Finding, Lemma, Reading, Severity, Verdict

Values = Mapping[str, Real]
LINE = Lemma("a parabola on the line", "Phi = x^2/2, L = b x^2/2, 0 <= b <= beta, w_t = w - (b w + xi)/gamma inside C.")
STEPS = {"beta": ("0.1", "1", "10"), "gamma_t": ("0.2", "2", "20", "300")}
MOVES = tuple(
    {"share": share, "w": w, "xi": xi, "z": z}
    for share in ("0", "1")
    for w in ("1", "3")
    for xi in ("-1", "0.1", "1", "10", "30")
    for z in ("1", "3", "-2")
)


def moved(m: Numbers, v: Values) -> Values:
    """All quantities of a step on the line."""
    b, w, xi, z = v["share"] * v["beta"], v["w"], v["xi"], v["z"]
    after = w - (b * w + xi) / v["gamma_t"]
    return {
        **v,
        "slope_to_now": b * w * (after - w),
        "slope_past": b * w * (w - z),
        "error_slope": xi * (w - z),
        "step_divergence": (after - w) ** 2 / 2,
        "before": (z - w) ** 2 / 2,
        "after": (z - after) ** 2 / 2,
        "error_norm": m.abs(xi),
        "fell": b * (after**2 - z**2) / 2,
    }


def on_line(claim: Claim, name: str) -> Value:
    return lambda m, v: apply(claim.formulas[name], m, moved(m, v))


def _steps(claim: Claim) -> list[Instance]:
    return [{**step, **move} for step in grid(claim, STEPS) for move in MOVES]


def descends(claim: Claim, name: str, proof: Value, given: tuple[Callable[..., Any], ...]) -> Finding:
    """What the loss falls by against a formula that must be at least the proved one."""
    return bounded(
        Side(
            scope=f"the loss falls: {name}, every 1-strongly convex Phi",
            claimed=on_line(claim, name),
            reached=lambda m, v: moved(m, v)["fell"],
            holds={*given} <= claim.tests
            and nonnegative(claim, expressed(claim, named(claim, name)) - expressed(claim, proof)),
            method="the formula less what is proved has nonnegative coefficients",
            instances=_steps(claim),
            severity=Severity.CONSTANT,
            survives="The proof's own chain.",
            lemmas=(SMOOTH, OPTIMAL) if given else (SMOOTH,),
            given=given,
            family=(LINE,),
        )
    )


def proved_fall(m: Numbers, v: Values) -> Real:
    return v["slope_to_now"] + v["beta"] * v["step_divergence"] + v["slope_past"]


def display_24(claim: Claim) -> Iterator[Finding]:
    """(24) with <=."""
    yield descends(claim, "right_24", proved_fall, ())


def equality_24(claim: Claim) -> Iterator[Finding]:
    """(24) as printed: <= is meant, and an equality fails for a linear loss."""
    yield _unequal(claim, [{**v, "share": "0"} for v in _steps(claim)])
    for below in display_24(claim):
        yield replace(below, scope="display (24) with <=, as meant", reading=Reading.MEANT)


def _unequal(claim: Claim, instances: list[Instance]) -> Finding:
    for at in instances:
        m = arb(192)
        v = moved(m, {name: m.real(x) for name, x in at.items()})
        right = apply(claim.formulas["right_24"], m, v)
        if m.eq(v["fell"], right) is False:
            return refuted(
                "display (24) with =",
                right,
                v["fell"],
                at,
                method="a linear loss and a step on the line, both sides enclosed",
                severity=Severity.MISPRINT,
                survives="(24) with <=.",
                lemmas=(LINE,),
            )
    return Finding(scope="display (24) with =", verdict=Verdict.OPEN, reason="equal at all instances on the line")


def display_25(claim: Claim) -> Iterator[Finding]:
    """gamma_t = 2 beta + more."""
    more = 2 * quantities(claim)["beta"] + sympy.Symbol("more", nonnegative=True)
    gap = [expressed(claim, named(claim, name), gamma_t=more) for name in ("right_25", "right_24")]
    yield bounded(
        Side(
            scope="display (25)",
            claimed=on_line(claim, "right_25"),
            reached=on_line(claim, "right_24"),
            holds=steps_are_short in claim.tests and nonnegative(claim, gap[0] - gap[1]),
            method="with gamma_t = 2 beta + more the difference has nonnegative coefficients",
            instances=_steps(claim),
            severity=Severity.DOMAIN,
            survives="It holds for gamma_t >= 2 beta.",
            given=(steps_are_short,),
            family=(LINE,),
        )
    )


def per_step(claim: Claim) -> Iterator[Finding]:
    """The bound that is summed over the steps."""

    def proof(m: Numbers, v: Values) -> Real:
        return v["gamma_t"] * (v["before"] - v["after"]) - v["error_slope"] + v["error_norm"] ** 2 / v["gamma_t"]

    yield descends(claim, "per_step", proof, (steps_are_short,))


READ: Table = {
    Relation("loss at w_t - loss at z", "=", "right_24"): equality_24,
    Relation("loss at w_t - loss at z", "<=", "right_24"): display_24,
    Relation("right_24", "<=", "right_25"): display_25,
    Relation("loss at w_t - loss at z", "<=", "per_step"): per_step,
    Relation("P(sum of <x_t, z - w_{t-1}> >= first_deviation)", "<=", "first_tail"): partial(
        tails.tail,
        name="first_tail",
        scope="the sum of the products",
        proved=deviations.first_proved,
        reached=deviations.first_reached,
    ),
    **every_sign("first_tail", "simplified_tail", tails.same_tail),
    Relation("simplified_tail", "<=", "plain_tail"): tails.plain,
    Relation("P(sum of |x_t|_*^2 >= second_deviation)", "<=", "simplified_tail"): partial(
        tails.tail,
        name="simplified_tail",
        scope="the sum of the squares",
        proved=deviations.second_proved,
        reached=deviations.second_reached,
    ),
    Relation("E|z_t|_*^2", "<=O", "rate"): batch_noise.noise,
    **every_sign("rate", "rate_expanded", batch_noise.expansion),
    Relation("privacy_noise", "<=O", "rate"): batch_noise.of_privacy,
}
IDS = ("lp/thm-10-descent", "lp/thm-10-freedman", "lp/thm-10-noise")
JUDGES = dict.fromkeys((*IDS, *(f"{id}-amended" for id in IDS)), reading(READ))

MUTANTS = {
    "lp/thm-10-descent-amended": mutants.of_descent,
    "lp/thm-10-freedman-amended": mutants.of_deviations,
    "lp/thm-10-noise-amended": mutants.of_noise,
}
