"""Expansions for small lambda and h: a printed formula against the exact quantity of the linear law, and laws that break it.

The linear law exists for every r, f(0) > 0, f'(0) and theta*, so expansions that agree for it have the same coefficients; the
lemmas carry them to every law, feature vector and dimension.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import sympy

from dpsco.arguments.comparing import Formula, admitted, refuted
from dpsco.arguments.formula import apply
from dpsco.reference.numbers.enclosure import arb
from dpsco.reference.numbers.symbolic import symbolic, symbols_of
from dpsco.spec.algorithms.objective_perturbation.asymptotics import curvature_is_positive, densities_are_lipschitz
from dpsco.spec.claim import Claim, Provenance
from dpsco.spec.numbers import Real, Truth
from dpsco.verdict import Finding, Lemma, Reading, Rung, Severity, Verdict

GRADIENT = Lemma(
    "expansion of the smoothed slope",
    "Given x let R(t) = F(t|x) - r - f(0|x) t - f'(0|x) t^2/2, which is o(t^2) at 0 and at most C t^2 beyond any distance. "
    "With kappa_2 finite, R(<delta, x> - u h) averaged over the kernel is o(|delta|^2 + h^2); so it is for finitely many x. "
    "With one Lipschitz constant l_1 for all x, |R(t)| <= l_1 t^2, and E|x|^3 < infinity dominates: the average over x is "
    "o(|delta|^2 + h^2) as well. In the same way the smoothed density is f(0|x) + f'(0|x) <delta, x> + o(|delta| + h), for "
    "l_1-Lipschitz densities or, with finitely many x, bounded ones, and E calK^2 = r + f(0|x) (<delta, x> - 2 h K) + "
    "o(|delta| + h).",
)
BALL = Lemma(
    "convex functions have their minimum where the gradient turns outward",
    "By the expansion the gradient at theta* + delta is J delta + c + 2 lambda (theta* + delta) + o(|delta| + h^2), c = h^2 "
    "kappa_2 E[f'(0|x) x]/2. On the sphere of radius eta (lambda + h^2) around delta_0 = -J^{-1} (c + 2 lambda theta*) its "
    "outward part is at least eta^2 lambda_min (lambda + h^2)^2 (1 - o(1)) > 0, for every eta > 0: the minimiser is delta_0 "
    "+ o(lambda + h^2). With lambda = 0 this is theta_h - theta*, the difference is theta_h^# - theta_h, and theta_h = "
    "theta* + O(h^2) may stand for theta*.",
)
HIDDEN = Lemma(
    "slopes hidden near 0",
    "r = 1/2, x = (1, sqrt(3) w), w uniform on [-1, 1]; given w the error has density 1/4 on [-2, |w|], 1/2 on [|w|, 1], and "
    "the rest of its mass on [1, 2]; for w = 0, which has no probability, 1/4 on [-2, 2]. All densities are at most 1/2 and "
    "constant around 0, so f'(0|x) = 0, J = I/4; but the density averaged over w is (1 + t)/4 for 0 < t < 1: slope 0 on the "
    "left, 1/4 on the right. The law is symmetric in w, so only the intercept moves.",
)
CLUSTERED = Lemma(
    "errors clustered near 0",
    "r = 1/2, x = (1, sqrt(3) w), w uniform on [-1, 1], theta* = (-1, 0); given w the density is 1/4, and an eighth of the "
    "mass lies in [|w|/2, |w|] in addition (less of it beyond 1; for w = 0, which has no probability, nothing): 1/4 around 0, "
    "so J = I/4. Averaged over w the density is 1/4 + (ln 2)/4 for 0 < t < 1/2, so that is the curvature which lambda works "
    "against. With h -> 0 at fixed lambda both minimisers tend to those without smoothing; an h = o(lambda) for each lambda "
    "will do.",
)
NEEDS_UNIFORMITY = "It holds with finitely many feature vectors, and for densities given x with one Lipschitz constant."
NOT_AT_HAND = "Assumption 2 is not at hand; the proof says that it rests on differentiability at 0"
UNKNOWN_ASSUMPTION = (
    "Assumption 2, not at hand, decides: true for one Lipschitz constant, false for differentiability at 0 alone"
)
FEW, EVERY = "finitely many feature vectors, bounded densities", "every distribution of features"
SCALE = sympy.Symbol("s", positive=True)
WINDOW = {"kappa_2": "0.75", "K_cross": "0.25", "kappa_1": "0.75"}
"""Numbers of the uniform kernel on [-1.5, 1.5]."""


def model(**values: str) -> dict[str, str]:
    """A linear law with x = 1, and the summaries that claims may ask for."""
    at = {
        "r": "0.75",
        "density": "0.5",
        "density_slope": "0.25",
        "theta": "2",
        "n": "1000000",
        "sigma": "500",
        **WINDOW,
        **values,
    }
    rest = {"l_1": at["density_slope"].lstrip("-"), "third_moment": "1", "lambda_min": at["density"], "margin": "1"}
    at |= {"u_x": at["theta"], "v_x": at["density_slope"]}  # of the law with density 1
    return {**rest, "smallest_order": at["theta"], "curvature_near": at["density"], "noise_limit": "0", "d": "1", **at}


LAWS = tuple(
    model(lambda_=a, h=b, r=r, density_slope=slope, theta=theta)
    for a, b in (("1e-6", "1e-6"), ("1e-6", "1e-12"), ("1e-12", "1e-6"))
    for r, slope, theta in (("0.75", "0.25", "2"), ("0.25", "-0.5", "1"), ("0.5", "0", "0"), ("0.25", "0.25", "-1"))
)


def uniform(claim: Claim) -> bool:
    """Whether the claim has the densities Lipschitz with one constant."""
    return densities_are_lipschitz in claim.tests


def reading_of(claim: Claim) -> Reading:
    """What a missing condition counts for: in a rebuilt claim the authors may have had it, so that this is another reading."""
    return Reading.PRINTED if claim.provenance is Provenance.PRINTED else Reading.ANOTHER


def known(claim: Claim, instance: Mapping[str, str]) -> dict[str, str]:
    """The entries of an instance that the claim has parameters for."""
    return {name: value for name, value in instance.items() if name in {p.name for p in claim.parameters}}


def symbols(claim: Claim) -> dict[str, Any]:
    """The claim's parameters as symbols, and the kernel's numbers."""
    return {**{k: sympy.Symbol(k, positive=True) for k in WINDOW}, **symbols_of(claim.parameters)}


def leading(expression: Any, small: Mapping[Any, Any]) -> tuple[Any, Any]:
    """Value and slope in s at s = 0 where each small symbol x is replaced by x s^power; a slope that is infinite stays so."""
    return _leading(sympy.sympify(expression), tuple(small.items()))


@cache
def _leading(expression: Any, small: tuple[tuple[Any, Any], ...]) -> tuple[Any, Any]:
    scaled = expression.subs({x: x * SCALE**power for x, power in small}, simultaneous=True)
    return _at_zero(scaled), _at_zero(sympy.diff(scaled, SCALE))


def _at_zero(part: Any) -> Any:
    at = part.subs(SCALE, 0)
    singular = at.has(sympy.nan, sympy.zoo, sympy.oo)
    return sympy.simplify(sympy.limit(part, SCALE, 0) if singular else at)


@dataclass(frozen=True, kw_only=True)
class Expansion:
    """What one assertion `quantity ~ formula` means: the exact quantity, and in which powers lambda and h are small."""

    scope: str
    name: str
    true: Formula
    small: Mapping[str, Any]
    broken_by: Callable[[Claim], Finding | None] = lambda claim: None
    """The finding for features whose densities are not uniformly smooth."""
    given: tuple[Callable[..., Truth], ...] = (curvature_is_positive,)
    lemmas: tuple[Lemma, ...] = (GRADIENT, BALL)
    severity: Severity | None = Severity.CONSTANT
    survives: str = "The expansion with the coefficients of the linear law."
    instances: Sequence[Mapping[str, str]] = LAWS


def expanded(side: Expansion, claim: Claim) -> Iterator[Finding]:
    """Refuted at a law where the coefficients differ; else certified for few features, and for all if the claim is uniform."""
    s = symbols(claim)
    gap = apply(side.true, symbolic(), s) - apply(claim.formulas[side.name], symbolic(), s)
    parts = leading(gap, {s[name]: power for name, power in side.small.items()})
    if parts != (0, 0):
        yield differing(side, claim, gap, s)
        return
    settled = {
        "verdict": Verdict.CERTIFIED,
        "rung": Rung.EXACT,
        "method": "computer algebra: value and first coefficients of the difference to the linear law's exact quantity are 0",
        "lemmas": side.lemmas,
    }
    yield Finding(scope=f"{side.scope}: {FEW}", given=side.given, **settled)  # type: ignore[arg-type]
    if uniform(claim):
        given = (*side.given, densities_are_lipschitz)
        yield Finding(scope=f"{side.scope}: {EVERY}", given=given, **settled)  # type: ignore[arg-type]
        return
    broken = side.broken_by(claim)
    if broken is not None:
        yield replace(broken, reading=reading_of(claim))
        if reading_of(claim) is not Reading.PRINTED:
            yield Finding(scope=f"{side.scope}: {EVERY}", verdict=Verdict.OPEN, reason=UNKNOWN_ASSUMPTION)
    meant = {**settled, "reading": Reading.MEANT, "reason": NOT_AT_HAND}
    yield Finding(scope=f"{side.scope}: densities given x with one Lipschitz constant", **meant)  # type: ignore[arg-type]


def differing(side: Expansion, claim: Claim, gap: Any, s: Mapping[str, Any]) -> Finding:
    """The first admitted law at which the coefficients differ, with both sides enclosed at a small lambda and h."""
    m, small = arb(), {s[name]: power for name, power in side.small.items()}
    for instance in side.instances:
        if not admitted(claim, [known(claim, instance)]):
            continue
        numbers = {s[name]: sympy.Rational(value) for name, value in instance.items() if name in s}
        start, slope = leading(gap.subs({x: v for x, v in numbers.items() if x not in small}), small)
        start, slope = (sympy.simplify(part.subs(numbers)) for part in (start, slope))
        values = {name: m.real(value) for name, value in instance.items()}
        claimed, true = apply(claim.formulas[side.name], m, values), apply(side.true, m, values)
        if (start != 0 or slope != 0) and m.eq(true, claimed) is False:
            at = {**known(claim, instance), **{k: v for k, v in WINDOW.items() if k in instance}}
            return refuted(
                side.scope,
                claimed,
                true,
                at,
                method="the linear law's exact quantity; less the formula, divided by the order allowed, it does not tend to "
                "0: "
                f"its slope along this lambda : h is {sympy.N(slope if start == 0 else sympy.oo, 6)}",
                severity=side.severity,
                survives=side.survives,
                rung=Rung.EXACT,
            )
    reason = "the coefficients differ, and no law tried shows it"
    return Finding(scope=side.scope, verdict=Verdict.OPEN, reason=reason)


def by_law(scope: str, lemma: Lemma, claimed: Real, true: Real, at: Mapping[str, str], limit: str) -> Finding:
    """A refutation by one written law, both sides enclosed at a small instance and the limit of the ratio named."""
    return refuted(
        f"{scope}: {EVERY}",
        claimed,
        true,
        at,
        method=f"an explicit law with densities differentiable at 0, enclosed; {limit}",
        severity=Severity.DOMAIN,
        survives=NEEDS_UNIFORMITY,
        rung=Rung.EXACT,
        lemmas=(lemma,),
        reason=NOT_AT_HAND,
    )
