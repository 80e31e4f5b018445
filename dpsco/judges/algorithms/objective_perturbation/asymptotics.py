"""Judges of where minimisers go for small lambda and h: the optimum itself, its shifts, and the private order quantity."""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

import sympy

from dpsco.arguments.algorithms.objective_perturbation.asymptotics import error_quantiles
from dpsco.arguments.algorithms.objective_perturbation.asymptotics.small_parameters import (
    BALL,
    CLUSTERED,
    GRADIENT,
    HIDDEN,
    Expansion,
    by_law,
    expanded,
    known,
    model,
    reading_of,
    symbols,
)
from dpsco.arguments.assertions import Table, reading
from dpsco.arguments.comparing import admitted, proved, refuted
from dpsco.arguments.formula import apply
from dpsco.mutants.algorithms.objective_perturbation import asymptotics as mutants
from dpsco.reference.algorithms.objective_perturbation.asymptotic_variance import covariance
from dpsco.reference.algorithms.objective_perturbation.asymptotics import (
    clustered_shift,
    far_move,
    hidden_shift,
    minimiser_shift,
    radius_tail,
)
from dpsco.reference.numbers.enclosure import arb
from dpsco.reference.numbers.symbolic import symbolic
from dpsco.spec.algorithms.objective_perturbation.asymptotics import (
    curvature_is_positive,
    curvature_lasts,
    minimiser_is_inside,
)
from dpsco.spec.claim import Claim, Relation
from dpsco.spec.numbers import Numbers, Real
from dpsco.spec.register import find
from dpsco.verdict import PROOF_STEP, Finding, Lemma, Reading, Rung, Severity

CENTRED = Lemma(
    "noise of mean zero",
    "For a theta that does not depend on b, E<b, theta>/n = 0, as b ~ N(0, sigma^2 I): the two risks are one function.",
)
EMPIRICAL = Lemma(
    "the empirical minimiser",
    "Let rho = M (1/sqrt(n) + sigma/n), theta^# the population minimiser. The gradient of the empirical risk plus b/n at "
    "theta^# has mean 0 and, d being fixed, size O_p(1/sqrt(n) + sigma/n). Let D(delta) be the empirical risk at theta^# + "
    "delta less its linear part: convex, at least 0. Its mean is delta' J delta/2 (1 + o(1)) if rho -> 0, the curvature near "
    "theta* tending to J; a record's part is at most |<delta, x>| times the rise of calK, so its second moment is O(rho^3) "
    "and D/rho^2 deviates by O_p(1/sqrt(n rho)) -> 0: pointwise, and, being convex, uniformly on |delta| = rho. For M large "
    "D exceeds the linear part there, so the minimiser lies inside. Where rho does not tend to 0, a compact decision set is "
    "bound enough. theta* is interior, so the constraint is idle.",
)
RADIUS = Lemma(
    "Chernoff for the squared radius",
    "E e^(s |z|^2) = (1 - 2s)^(-d/2), s = 1/(2d): Pr[|z| >= a] <= (1 - 1/d)^(-d/2) e^(-a^2/(2d)), and the first factor falls "
    "with d from 2 at d = 2. For d = 1, Pr[|z| >= a] <= e^(-a^2/2).",
)
MOVED = Lemma(
    "distance under curvature",
    "Let theta_0 and theta_b minimise the regularised smoothed risk without and with <b, theta>/n over the same convex set, "
    "and e be the unit vector from theta_0 to theta_b. The risk's slope along e is at least 0 at theta_0, so at distance rho "
    "= t sigma/n at least lambda_min rho/2, the curvature up to there being lambda_min/2. If |theta_b - theta_0| >= rho, the "
    "slope with <b, e>/n is at most 0 there by convexity: lambda_min rho/2 <= |b|/n, that is |b|/sigma >= lambda_min t/2.",
)
PEAKED = Lemma(
    "a density that falls off",
    "x = 1, r = 1/2, theta* = 0, density 2 for |t| <= 1/20 and 1/20 beyond; h < 1/20, the decision set [-2, 2]. The "
    "curvature 2 at 0 lasts for 1/20 only: a slope of 0.15 takes the minimiser to 1.",
)
PEAK = {"peak": "2", "width": "0.05", "base": "0.05", "distance": "1"}
PEAK_AT = model(n="1000", sigma="100", lambda_="0.001", h="0.001", t="10", lambda_min="2", curvature_near="0.05")
RADII = [model(d=d, lambda_min=c, curvature_near=c, t=t) for d in "1239" for c in ("1", "2.5") for t in ("0.1", "1", "2", "8")]
SMALL = {"lambda_": 1, "h": sympy.Rational(1, 2)}
HIDDEN_AT = {"h": "0.001", "density": "0.25", "density_slope": "0", "u_x": "0", "v_x": "0", "theta": "0", "lambda_": "1e-12"}


def smoothing(m: Numbers, h: Real, kappa_2: Real, density: Real, density_slope: Real) -> Real:
    """theta_h - theta* of the linear law."""
    return minimiser_shift(m, m.real(0), h, kappa_2, m.real(0), density, density_slope)


def regularising(m: Numbers, lambda_: Real, h: Real, kappa_2: Real, theta: Real, density: Real, density_slope: Real) -> Real:
    """theta_h^# - theta_h of the linear law; theta is theta_h."""
    first = smoothing(m, h, kappa_2, density, density_slope)
    return minimiser_shift(m, lambda_, h, kappa_2, theta - first, density, density_slope) - first


def ordering(m: Numbers, lambda_: Real, h: Real, kappa_2: Real, u_x: Real, v_x: Real) -> Real:
    """theta_h^# - theta* of the linear law with density 1 and x = 1: theta* = u_x, f'(0) = v_x."""
    return minimiser_shift(m, lambda_, h, kappa_2, u_x, m.real(1), v_x)


def hidden(name: str, claim: Claim) -> Finding:
    """The law whose slopes are hidden near 0, against a shift of order h^2 that is printed as 0."""
    m = arb()
    values = {**{k: m.real(v) for k, v in HIDDEN_AT.items()}, "kappa_2": m.frac(1, 3)}
    true = hidden_shift(values["h"], m.frac(1, 4), m.frac(1, 4))
    claimed = apply(claim.formulas[name], m, {**values, "lambda_": m.real(0)})
    limit = "the shift over h^2 tends to -1/12, printed as 0"
    return by_law("the shift by smoothing", HIDDEN, claimed, true, {"h": HIDDEN_AT["h"]}, limit)


def clustered(claim: Claim) -> Finding:
    """The law whose averaged density jumps at 0, against the shift by regularisation."""
    m, at = arb(), {"lambda_": "1e-6", "theta": "-1", "density": "0.25"}
    values = {k: m.real(v) for k, v in at.items()}
    claimed = apply(claim.formulas["shift_regularisation"], m, values)
    true = clustered_shift(m, values["lambda_"], values["theta"], values["density"], m.frac(1, 8))
    limit = "the ratio of the shifts tends to 1/(1 + ln 2)"
    return by_law("the shift by regularisation", CLUSTERED, claimed, true, at, limit)


BY_SMOOTHING = Expansion(
    scope="the shift by smoothing",
    name="shift_smoothing",
    true=smoothing,
    small={"h": sympy.Rational(1, 2)},
    broken_by=partial(hidden, "shift_smoothing"),
)
BY_REGULARISATION = Expansion(
    scope="the shift by regularisation",
    name="shift_regularisation",
    true=regularising,
    small=SMALL,
    broken_by=clustered,
)
ORDERED = Expansion(
    scope="the order quantity's shift",
    name="order_shift",
    true=ordering,
    small=SMALL,
    broken_by=partial(hidden, "order_shift"),
    lemmas=(GRADIENT, BALL, EMPIRICAL),
    severity=Severity.RATE,
)


def remainder(claim: Claim) -> Iterator[Finding]:
    """The shift, and the printed order against the order that the remainder has."""
    held, scope = claim.tests, "the remainder's order, every n and sigma, d fixed"
    given = (curvature_is_positive, minimiser_is_inside) if minimiser_is_inside in held else (curvature_is_positive,)
    yield from expanded(replace(ORDERED, given=given), claim)
    s, m = symbols(claim), arb()
    if minimiser_is_inside not in held:
        yield replace(_at_the_edge(claim), reading=reading_of(claim))
    n, sigma = s["n"], s["sigma"]
    printed, target = apply(claim.formulas["order_rate"], symbolic(), s), 1 / sympy.sqrt(n) + sigma / n
    for power in ("-1", "0", "0.75", "1"):
        path = {sigma: n ** sympy.Rational(power)}
        if sympy.limit((target / printed).subs(path), n, sympy.oo) == sympy.oo:
            at = model(n="1e12", sigma=str(sympy.Integer(10**12) ** sympy.Rational(power)), density="1", r="0.5")
            values = {k: m.real(v) for k, v in {**at, "lambda_": "0", "h": "0", "density_slope": "0", "theta": "0"}.items()}
            yield refuted(
                scope,
                apply(claim.formulas["order_rate"], m, values),
                m.sqrt(apply(covariance, m, values) / values["n"]),
                known(claim, at),
                method=f"the remainder's asymptotic standard deviation, sigma = n^{power}; its ratio to the order is unbounded",
                severity=Severity.RATE,
                survives="O_p(1/sqrt(n) + sigma/n).",
                rung=Rung.EXACT,
                lemmas=(EMPIRICAL,),
            )
            return
    ratio = sympy.simplify(printed / target)
    holds = bool(ratio.is_number and ratio.is_positive) or bool(sympy.expand(printed - target).is_nonnegative)
    remark = "theta* interior to the decision set is read in; d is fixed" if minimiser_is_inside not in held else "d is fixed"
    yield proved(scope, holds, "the printed order is that of the lemma", lemmas=(EMPIRICAL,), given=given, remark=remark)


def _at_the_edge(claim: Claim) -> Finding:
    """theta* = 2 at the left end of the decision set [2, 3], density 1: the estimate cannot follow its shift to the left."""
    m, at = arb(), model(n="100000000", lambda_="0.01", h="1e-12", sigma="1", density="1", density_slope="0", theta="2")
    values = {k: m.real(v) for k, v in at.items()}
    return refuted(
        "the order quantity, theta* at the edge of the decision set",
        apply(claim.formulas["order_rate"], m, values),
        -apply(claim.formulas["order_shift"], m, values),
        known(claim, at),
        method="the estimate is at least theta*: the remainder is at least the shift's length, 4 lambda, for lambda = n^(-1/4)",
        severity=Severity.DOMAIN,
        survives="It holds for theta* in the interior of the decision set.",
        rung=Rung.EXACT,
    )


def at_least(claim: Claim, threshold: sympy.Expr) -> bool:
    """Whether the printed tail is at least 2 exp(-a^2/(2d)), a the threshold, for every value of the parameters."""
    s = symbols(claim)
    spare = sympy.log(apply(claim.formulas["norm_tail"], symbolic(), s)) - sympy.log(2) + threshold**2 / (2 * s["d"])
    return bool(sympy.simplify(sympy.expand_log(spare, force=True)).is_nonnegative)


def _exceeded(claim: Claim, scope: str, radius: str | None, method: str) -> Finding | None:
    """The first admitted d, lambda_min and t where the radius is beyond its threshold with more than the printed chance."""
    m = arb()
    for at in (known(claim, at) for at in RADII):
        if not admitted(claim, [at]):
            continue
        values = {k: m.real(v) for k, v in at.items()}
        a = apply(claim.formulas[radius], m, values) if radius else values["lambda_min"] * values["t"]
        claimed, true = apply(claim.formulas["norm_tail"], m, values), radius_tail(m, int(at["d"]), a)
        if m.gt(true, claimed) is True:
            return refuted(scope, claimed, true, at, method, Severity.CONSTANT, "2 exp(-a^2/(2d)) bounds Pr[|z| >= a].")
    return None


def tail(claim: Claim) -> Iterator[Finding]:
    """The Gaussian radius beyond the printed threshold."""
    scope = "the radius of N(0, I_d), every d, t and lambda_min"
    wrong = _exceeded(claim, scope, "norm_threshold", "the radius's law in closed form, enclosed")
    threshold = apply(claim.formulas["norm_threshold"], symbolic(), symbols(claim))
    holds = wrong is None and at_least(claim, threshold)
    method = "computer algebra: the printed tail is at least 2 exp(-a^2/(2d)) at its threshold a"
    yield wrong or proved(scope, holds, method, lemmas=(RADIUS,), coverage=(f"{len(RADII)} instances",))


def moves(claim: Claim) -> Iterator[Finding]:
    """How far the noise moves the population minimiser: a peaked density, a quadratic risk, the curvature lemma."""
    m, s = arb(), symbols(claim)
    scope = "distance between the population minimisers with and without b, every n and t"
    lasts = curvature_lasts in claim.tests
    values = {k: m.real(v) for k, v in {**PEAK_AT, **PEAK}.items()}
    claimed, true = apply(claim.formulas["norm_tail"], m, values), apply(far_move, m, values)
    wrong = _exceeded(claim, scope, None, "uniform errors: the risk is quadratic and the move -b/(n J), lambda -> 0")
    holds = at_least(claim, s["lambda_min"] * s["t"] / 2)
    if admitted(claim, [known(claim, PEAK_AT)]) and m.gt(true, claimed) is True:
        yield refuted(
            scope,
            claimed,
            true,
            known(claim, PEAK_AT),
            method="the chance in closed form for a density that falls off, enclosed",
            severity=PROOF_STEP,
            survives="It holds where half of the curvature lasts within t sigma/n, so for each t once sigma/n is small.",
            lemmas=(PEAKED,),
        )
        if wrong is None and holds:
            proof = proved(f"{scope}, curvature lambda_min/2 within t sigma/n", True, "written lemmas", lemmas=(MOVED, RADIUS))
            yield replace(proof, reading=Reading.MEANT)
        return
    if wrong is not None:
        yield wrong
        return
    given = (curvature_is_positive, curvature_lasts)
    method = "the curvature lemma, and the printed tail is at least 2 exp(-a^2/(2d)) at a = lambda_min t/2"
    yield proved(scope, lasts and holds, method, lemmas=(MOVED, RADIUS), given=given)


READ: Table = {
    **error_quantiles.READ,
    Relation("theta_h - theta*", "~", "shift_smoothing, up to o(h^2)"): partial(expanded, BY_SMOOTHING),
    Relation("theta_h^# - theta_h", "~", "shift_regularisation, up to o(lambda) + o(h^2)"): partial(
        expanded, BY_REGULARISATION
    ),
    Relation("theta_h^OP", "=", "theta_h^#"): lambda claim: [
        proved("the noise averaged out", True, "written lemma", lemmas=(CENTRED,))
    ],
    find("newsvendor/prop-2").asserts[0]: remainder,
    Relation("Pr[|z| >= norm_threshold] for z from N(0, I_d)", "<=", "norm_tail"): tail,
    Relation("Pr[population minimiser moves by >= t sigma / n]", "<=", "norm_tail"): moves,
}


CLAIMS = ("lem-EC.8", "lem-EC.9", "prop-2")
JUDGES = dict.fromkeys((f"newsvendor/{id}{end}" for id in CLAIMS for end in ("", "-amended")), reading(READ))

MUTANTS = {
    "newsvendor/lem-EC.8": mutants.of_printed_optimum,
    "newsvendor/lem-EC.8-amended": mutants.of_optimum,
    "newsvendor/lem-EC.9-amended": mutants.of_minimisers,
    "newsvendor/prop-2-amended": mutants.of_order,
}
