"""Judge of the risk of approximate objective perturbation for strongly convex losses, and of each step that is to prove it."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any

import sympy

from dpsco.arguments.algorithms.objective_perturbation.privacy import inexact_minimiser as inexact
from dpsco.arguments.algorithms.objective_perturbation.privacy.steps import never_negative
from dpsco.arguments.algorithms.objective_perturbation.risk import linear_losses as linear
from dpsco.arguments.algorithms.objective_perturbation.risk import parabolas
from dpsco.arguments.algorithms.objective_perturbation.risk.set_orders import Bound, Family, Values, of_order, printed, symbols
from dpsco.arguments.algorithms.objective_perturbation.risk.small_sets import SMALL_SET, beside, no_ridge
from dpsco.arguments.assertions import reading
from dpsco.arguments.comparing import admitted, certified, refuted
from dpsco.arguments.formula import apply
from dpsco.mutants.algorithms.objective_perturbation import strongly_convex_utility as mutants
from dpsco.reference.numbers.enclosure import arb, ends
from dpsco.reference.numbers.symbolic import symbol, symbolic
from dpsco.spec.algorithms.objective_perturbation import strongly_convex_utility as spec
from dpsco.spec.algorithms.objective_perturbation.strongly_convex import loss_is_strongly_convex
from dpsco.spec.claim import Claim, Relation
from dpsco.spec.conditions import gradients_are_bounded
from dpsco.spec.numbers import Numbers, Real
from dpsco.spec.register import find
from dpsco.verdict import PROOF_STEP, Finding, Reading, Rung, Severity, Verdict

GIVEN = (gradients_are_bounded, loss_is_strongly_convex, spec.alpha_is_small, spec.curvature_covers_privacy)
PROOF = (parabolas.ORIGIN, parabolas.EXCESS, parabolas.SECOND_MOMENT, linear.STABLE, linear.INEXACT)
RATE = "The rate as printed holds with H sized by Delta/|C|_2^2."
WIDE_SET = "Where |C|_2 >= 1 lambda is 0 and the step holds; the theorem's rate holds with lambda > 0 too."
MANY = {
    **{
        "L": "1",
        "C_norm": "1",
        "n": "1000000",
        "Delta": "0.03125",
        "least_modulus": "0.03125",
        "r": "1",
        "beta": "0.03125",
        "d": "1",
    },
    **{"epsilon": "1000000", "delta": "0.5", "c_n": "1", "alpha": "1e-30", "c_alpha": "1", "G_C": "0.8"},
    **{"largest_gradient_norm": "1", "largest_eigenvalue": "0.03125"},
}


def _noise(m: Numbers, v: Mapping[str, Real]) -> Real:
    """sigma_1."""
    return m.sqrt(apply(find("lp/alg-5").formulas["sigma_1_squared_lemma_6"], m, v))


def _most_ridge(claim: Claim, v: Values) -> Any:
    """The largest ridge that the printed choice max(a - b, 0) can be: the sum of its positive terms."""
    chosen = printed(claim, "lambda_choice", v)
    terms = [part for branch in getattr(chosen, "args", ()) for part in sympy.Add.make_args(branch)]
    return sum(part for part in terms if part.is_positive) if isinstance(chosen, sympy.Max) else chosen


def population_rate(claim: Claim) -> Iterator[Finding]:
    """The risk of theta_hat where H is sized by the curvature; and, beside it, by the ridge that Theorem 3 needs."""

    def bound(output: Callable[[Values], Any]) -> Bound:
        return Bound(value=lambda v: parabolas.proved(v, output(v), _most_ridge(claim, v)), lemmas=PROOF, given=GIVEN)

    scope = "population risk of theta_hat, H sized by Delta/|C|_2^2"
    families = (parabolas.RANDOM_TILTS, parabolas.ON_A_BALL)
    yield from of_order(claim, scope, "rate", bound(parabolas.by_curvature), families, Severity.RATE, RATE)
    if claim.amends is None:
        scope, edge = "population risk of theta_hat, H sized by r beta/(epsilon n)", (parabolas.ON_THE_BOUNDARY,)
        yield from of_order(claim, scope, "rate", bound(parabolas.by_ridge), edge, Severity.RATE, RATE, Reading.ANOTHER)


def distance(claim: Claim) -> Iterator[Finding]:
    """|theta_2 - theta_1| by the curvature of J; alpha bounds the error of J, not of the population loss."""
    s = {name: symbol(claim.parameter(name)) for name in ("alpha", "C_norm", "Delta")}
    true = 2 * s["alpha"] * s["C_norm"] ** 2 / s["Delta"]
    found = inexact.square_at_least(
        claim, "optimisation_distance", true, "distance of theta_2 from the minimiser", "It is at most sqrt(2 alpha/mu)."
    )
    if found.verdict is Verdict.CERTIFIED:
        found = replace(found, lemmas=(*found.lemmas, parabolas.ORIGIN), given=(loss_is_strongly_convex,))
    yield found


def generalisation(claim: Claim, name: str) -> Iterator[Finding]:
    """The gap against 2 L^2/(n mu), which is proved, and against what random tilts reach."""
    m, scope = arb(), "generalisation gap of theta_1"
    v = {key: m.real(value) for key, value in MANY.items()}
    spread = _noise(m, v)
    reached, claimed = _random_tilts(claim, m, v, spread), apply(claim.formulas[name], m, {**v, "euclidean_noise": spread})
    if admitted(claim, [MANY]) and m.gt(reached, claimed) is True:
        yield refuted(
            scope,
            claimed,
            reached,
            MANY,
            method="b^2 E mean(x)^2/mu less what is clipped, enclosed",
            severity=Severity.CONSTANT,
            survives="It is at most 2 L^2 |C|_2^2/(n Delta).",
            lemmas=(parabolas.SAMPLING,),
        )
        return
    s = symbols(claim)
    unit = s["L"] ** 2 * s["C_norm"] ** 2 / (s["n"] * s["Delta"])
    share = sympy.simplify(printed(claim, name, {**s, "euclidean_noise": sympy.Integer(0)}) / unit)
    if share.is_number and share >= 2:
        yield certified(
            scope,
            f"computer algebra: the bound is {share} L^2 |C|_2^2/(n Delta) at least, 2 are enough",
            parabolas.ORIGIN,
            linear.STABLE,
            given=(gradients_are_bounded, loss_is_strongly_convex),
        )
        return
    ratio = ends(reached / claimed)[0][:6]
    reason = (
        f"the factor {share} of L^2 |C|_2^2/(n Delta): 2 are proved, random tilts reach {ratio} of the bound; between them open"
    )
    yield Finding(scope=scope, verdict=Verdict.OPEN, reason=reason)


def _random_tilts(claim: Claim, m: Numbers, v: Mapping[str, Real], spread: Real) -> Real:
    """-E b mean(x) theta_1 of `parabolas.SAMPLING`: (b^2/mu)(1/n - P(clipped)), Hoeffding's tail for mean(x)."""
    mu = v["Delta"] / v["C_norm"] ** 2 + 2 * apply(claim.formulas["lambda_choice"], m, v)
    b, n = v["L"] - v["Delta"] / v["C_norm"], v["n"]
    room = mu * v["C_norm"] / 2
    clipped = 2 * m.exp(-n * (room / b) ** 2 / 2) + 2 * m.Phi(-n * room / spread)
    return b**2 / mu * (1 / n - 2 * clipped)


def _fails(scope: str, true: Real, claimed: Real, method: str) -> Finding:
    exact = isinstance(true, sympy.Basic)
    return refuted(
        f"{scope}, |C|_2 < 1",
        str(claimed) if exact else ends(claimed)[1],
        (str(true), str(true)) if exact else ends(true),
        SMALL_SET,
        method=method,
        severity=PROOF_STEP,
        survives=WIDE_SET,
        rung=Rung.EXACT if exact else Rung.POINT,
        lemmas=(parabolas.INSIDE,),
    )


def _opened(scope: str) -> Finding:
    return Finding(scope=scope, verdict=Verdict.OPEN, reason="neither proved nor contradicted at the instance tried")


def ridge_is_zero(claim: Claim) -> Iterator[Finding]:
    """lambda = 0: not where |C|_2 < 1, always where |C|_2 >= 1."""
    scope, found = "lambda = 0", beside(claim)
    if found is not None and found[3] > 0:
        yield _fails(scope, found[3], sympy.Integer(0), "the printed choice in fractions")
    yield _wide(claim, scope)


def _wide(claim: Claim, scope: str, factor: bool = True) -> Finding:
    """The step where |C|_2 >= 1, so that lambda = 0."""
    if not (factor and no_ridge(claim)):
        return replace(_opened(f"{scope}, |C|_2 >= 1"), reading=Reading.MEANT)
    return certified(
        f"{scope}, |C|_2 >= 1",
        "computer algebra: r beta/(epsilon n) <= L/(sqrt(n) |C|_2) <= L |C|_2/sqrt(n) <= Delta, and the factor is enough",
        parabolas.ORIGIN,
        parabolas.EXCESS,
        given=(spec.modulus_is_large, spec.curvature_covers_privacy, loss_is_strongly_convex),
        reading=Reading.MEANT,
    )


def _factor(claim: Claim, name: str, unit: Callable[[Values], Any]) -> Any:
    v = symbols(claim)
    return sympy.simplify(printed(claim, name, v) / unit(v))


def noise_distance(claim: Claim) -> Iterator[Finding]:
    """|theta_1 - theta'|_C at G = 0, and for every G where lambda = 0."""
    scope, found = "distance of theta_1 from the empirical minimiser", beside(claim)
    if found is not None and found[0] > 0:
        v = {**{key: symbolic().real(value) for key, value in SMALL_SET.items()}, "noise_norm": sympy.Integer(0)}
        claimed = apply(claim.formulas["noise_distance"], symbolic(), v)
        if found[0] / found[2] > claimed:
            yield _fails(scope, found[0] / found[2], claimed, "minimisers of two parabolas in fractions, at G = 0")
    share = _factor(claim, "noise_distance", lambda v: v["noise_norm"] / (v["n"] * v["Delta"]))
    yield _wide(claim, scope, bool(share.is_number and share >= 2))


def noise_excess(claim: Claim) -> Iterator[Finding]:
    """The excess empirical loss against E of the printed square of the noise's norm."""
    scope = "excess empirical loss"
    share = _factor(claim, "noise_excess", lambda v: v["noise_norm"] ** 2 / (v["n"] ** 2 * v["Delta"]))
    yield from _exceeded(claim, scope, "noise_excess")
    yield _wide(claim, scope, bool(share.is_number and 2 * share >= 1))


def _exceeded(claim: Claim, scope: str, name: str) -> Iterator[Finding]:
    """What a ridge beside a parabola costs against the formula at E|G|_{C*}^2 = sigma_1^2 |C|_2^2."""
    m, found = arb(), beside(claim)
    if found is None:
        return
    v = {key: m.real(value) for key, value in SMALL_SET.items()}
    v |= {"noise_norm": _noise(m, v) * v["C_norm"], "G_C": v["C_norm"] * m.sqrt(2 / m.pi)}
    claimed, reached = apply(claim.formulas[name], m, v), m.real(str(found[1] / 2 * found[0] ** 2))
    if m.gt(reached, claimed) is True:
        yield _fails(scope, reached, claimed, "(mu/2)(theta' - E theta_1)^2 from below, both sides enclosed")


def excess_bound(claim: Claim) -> Iterator[Finding]:
    """The amended bound, the ridge charged."""
    scope = "excess empirical loss, every C"
    failed = list(_exceeded(claim, scope, "excess_bound"))
    yield from failed
    if failed:
        return
    v, ridge = symbols(claim), sympy.Symbol("ridge", positive=True)
    noise = apply(find("lp/alg-5").formulas["sigma_1_squared_lemma_6"], symbolic(), v)
    enough = (1 + 2 * sympy.pi) * noise * v["G_C"] ** 2 / v["n"] ** 2 + 4 * ridge**2 * v["C_norm"] ** 4
    claimed = printed(claim, "excess_bound", v).subs(printed(claim, "lambda_choice", v), ridge) * v["Delta"]
    spare = sympy.expand(sympy.expand_log((claimed - enough) * v["n"] ** 2 * v["epsilon"] ** 2, force=True))
    if not never_negative(spare):
        yield _opened(scope)
        return
    yield certified(
        scope,
        f"computer algebra: to spare {spare}",
        parabolas.ORIGIN,
        parabolas.EXCESS,
        parabolas.SECOND_MOMENT,
        given=(loss_is_strongly_convex,),
    )


def noise_rate(claim: Claim) -> Iterator[Finding]:
    """E of the printed square against its rate."""

    def square(v: Values) -> Any:
        return printed(claim, "noise_excess", {**v, "noise_norm": linear.sigma(v) * v["G_C"]})

    family = Family("C a ball, |G|_{C*} = |C|_2 |G|_2", parabolas.TILTED_BALL, parabolas.ball, square, lambda v: ())
    bound = Bound(value=square, lemmas=(parabolas.ORIGIN, parabolas.SECOND_MOMENT), given=(loss_is_strongly_convex,))
    yield from of_order(claim, "mean square of the noise's norm", "noise_rate", bound, [family], Severity.RATE, RATE)


EMPIRICAL = "E[empirical loss of theta_1] - least empirical loss on C"
GAP = "E[population loss - empirical loss] of theta_1"
READ: dict[Relation, Callable[[Claim], Iterator[Finding]]] = {
    Relation("E[population loss of theta_hat] - least population loss on C", "<=O", "rate"): population_rate,
    Relation("|theta_2 - theta_1|_2", "<=", "optimisation_distance"): distance,
    Relation(GAP, "<=", "E of generalisation_step"): lambda claim: generalisation(claim, "generalisation_step"),
    Relation(GAP, "<=", "generalisation_bound"): lambda claim: generalisation(claim, "generalisation_bound"),
    Relation("|theta_1 - theta'|_C", "<=", "noise_distance"): noise_distance,
    Relation(EMPIRICAL, "<=", "E of noise_excess"): noise_excess,
    Relation(EMPIRICAL, "<=", "excess_bound"): excess_bound,
    Relation("E of noise_excess", "<=O", "noise_rate"): noise_rate,
    Relation("lambda_choice", "=", "0"): ridge_is_zero,
}
JUDGES = dict.fromkeys(("lp/thm-4", "lp/thm-4-amended"), reading(READ))
MUTANTS = {"lp/thm-4": mutants.of_printed, "lp/thm-4-amended": mutants.of_amended}
