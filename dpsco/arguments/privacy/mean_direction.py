"""The mean of a direction drawn from half-spheres: a printed factor against the exact one, in every dimension."""

from collections.abc import Iterator
from typing import Any

import sympy

from dpsco.arguments.comparing import certified, refuted
from dpsco.arguments.formula import apply
from dpsco.arguments.privacy.half_spheres import DIMENSIONS, LINE, MEAN, ROTATION, enclosed
from dpsco.instances.grid import grid
from dpsco.instances.privacy import EPSILONS
from dpsco.reference.numbers.enclosure import arb, ends
from dpsco.reference.numbers.symbolic import expression, symbolic
from dpsco.reference.privacy.randomised_response import half_sphere_mean
from dpsco.spec.claim import Claim
from dpsco.verdict import Finding, Reading, Rung, Severity, Verdict

DECISIVE = {"epsilon": "1", "d": "9"}
"""The instance to show if it contradicts: 9 = p d is the dimension of the paper's experiment."""


def mean_direction(claim: Claim) -> Iterator[Finding]:
    """The printed factor against the mean of a half-sphere, in every dimension; and whether the rotation exists."""
    tried = grid(claim, {"epsilon": EPSILONS, "d": DIMENSIONS})
    m = arb(2200)
    wrong = []
    for instance in tried:
        values = enclosed(dict(instance), 2200)
        true = half_sphere_mean(m, values["d"]) * m.tanh(values["epsilon"] / 2)
        printed = apply(claim.formulas["mean_factor"], m, values)
        if m.eq(printed, true) is False:
            wrong.append((instance, printed, true))
    scope = "E[M_t v] = mean_factor v, every dimension"
    common: dict[str, Any] = {"coverage": tried.coverage, "lemmas": (MEAN,)}
    at_all = _true_quotient(claim, None) == 1
    if wrong:
        instance, printed, true = next((w for w in wrong if {**w[0]} == DECISIVE), wrong[0])
        yield refuted(
            scope,
            printed,
            true,
            instance,
            method="mean of the half-spheres through gamma functions, enclosed",
            effort=f"{len(tried)} instances enclosed, {len(wrong)} contradict",
            **common,
            severity=Severity.RATE,
            survives="It holds at d = 3; elsewhere the factor of (e^epsilon - 1)/(e^epsilon + 1) is Gamma(d/2)/(sqrt(pi) "
            "Gamma((d + 1)/2)), 1 at d = 1 and falling like sqrt(2/(pi d)).",
        )
        if _true_quotient(claim, 3) == 1:
            yield certified(
                "the same at d = 3 alone",
                "computer algebra: the quotient of printed and true factor is 1",
                MEAN,
                reading=Reading.MEANT,
            )
    else:
        proved = "computer algebra: the quotient of printed and true factor is 1 for symbolic d"
        yield Finding(
            **common,
            scope=scope,
            verdict=Verdict.CERTIFIED if at_all else Verdict.OPEN,
            rung=Rung.EXACT if at_all else None,
            method=proved if at_all else "",
            reason=None if at_all else f"no contradiction at {len(tried)} instances, and the quotient does not simplify",
        )
    yield from _existence(claim)


def _true_quotient(claim: Claim, d: int | None) -> Any:
    """Printed over true factor, simplified, for symbolic d or at one d."""
    epsilon = sympy.Symbol("epsilon", positive=True)
    dimension = sympy.Symbol("d", positive=True) if d is None else sympy.Integer(d)
    printed = apply(claim.formulas["mean_factor"], symbolic(), {"epsilon": epsilon, "d": dimension})
    true = half_sphere_mean(symbolic(), dimension) * (sympy.exp(epsilon) - 1) / (sympy.exp(epsilon) + 1)
    return sympy.simplify(sympy.gammasimp(printed / true))


def by_halves(claim: Claim) -> Iterator[Finding]:
    """The line before the result, against the result."""
    rest = sympy.simplify(expression(claim.formulas["mean_factor_by_halves"]) - expression(claim.formulas["mean_factor"]))
    yield Finding(
        scope="the line before it, half of the difference of the two probabilities, is the same factor",
        verdict=Verdict.CERTIFIED if rest == 0 else Verdict.REFUTED,
        rung=Rung.EXACT,
        method="computer algebra: the difference",
        claimed="0",
        computed=(str(rest), str(rest)),
        severity=None if rest == 0 else Severity.MISPRINT,
        survives=None if rest == 0 else "The factor itself is judged by the mean of the half-spheres.",
    )


def _existence(claim: Claim) -> Iterator[Finding]:
    yield certified(
        "one law of a random rotation serves every v != 0, d >= 2",
        "a conjugated block rotation whose angle has a law in closed form",
        ROTATION,
    )
    if claim.parameter("d").domain.contains(arb(), "1") is True:
        other = ends(1 / (1 + arb().exp(arb().real(1))))
        yield refuted(
            "one law of a random rotation serves every v, d = 1",
            other[0],
            "0",
            {"epsilon": "1", "d": "1"},
            method="probability of M_t v = -v, which should be 1/(e^epsilon + 1)",
            severity=Severity.DOMAIN,
            survives="For d >= 2 there is such a law; at d = 1 a random sign has the two probabilities.",
            rung=Rung.EXACT,
            lemmas=(LINE,),
        )
