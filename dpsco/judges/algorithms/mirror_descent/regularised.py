"""Judge of regularised mirror descent: its text, its privacy (transcript or average released), the stability of minimisers."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import partial

import sympy

from dpsco.arguments.analysis.regular_spaces import regular
from dpsco.arguments.assertions import Table, by_assertion, known_release
from dpsco.arguments.comparing import refuted
from dpsco.arguments.formula import apply
from dpsco.arguments.polynomial_slack import Side, bounded, expressed, named, nonnegative, quantities
from dpsco.arguments.privacy.regular_noise import EUCLID, Noise, explicit, hidden_constant
from dpsco.instances.grid import grid
from dpsco.instances.privacy import CONSTANTS, RECORDS, STEPS
from dpsco.mutants.algorithms.mirror_descent import regularised as mutants
from dpsco.reference.numbers.symbolic import expression, symbolic
from dpsco.spec.algorithms.mirror_descent.regularised import functions_are_strongly_convex
from dpsco.spec.algorithms.mirror_descent.regularised_steps import potential_is_strongly_convex
from dpsco.spec.claim import Adjacency, Claim, Relation
from dpsco.spec.conditions import gradients_are_bounded
from dpsco.spec.numbers import Numbers, Real
from dpsco.spec.privacy.generalised_gaussian import variance_rate
from dpsco.verdict import PROOF_STEP, Finding, Lemma, Rung, Severity, Verdict

RELEASE = "the weighted average w_hat (the composition covers the transcript w_2, ..., w_{T+1})"
SENSITIVITY = Relation("dual-norm sensitivity of the mean gradient", "<=", "gradient_sensitivity")
PRIVATE = Relation("w_2, ..., w_{T+1}", "is", "(epsilon, delta)-DP")
REGULAR = Relation("(R^d, l_{p/(p-1)}) with smooth norm l_r", "is", "kappa_of_p_and_d-regular")
PLACE = {"L": "7", "n": "3", "T": "1", "kappa": "1.25", "d": "2", "p": "1.8", "largest_gradient_norm": "7"}
"""1/(p-1) = 1.25 < 2 ln 2, the smooth norm is the dual norm l_{2.25}, which is 1.25-regular: the printed constant is right."""
AVERAGED = Lemma(
    "replacing a record of a mean gradient",
    "Mean gradients over n records of which one is replaced differ by 1/n of the difference of two gradients of norm at "
    "most L, by 2 L/n or less. The losses +L <u, w> and -L <u, w>, |u|_* = 1, are convex, L-Lipschitz and smooth, and "
    "attain it at every w.",
    (Adjacency.REPLACE_ONE,),
)
TRANSCRIPT = Lemma(
    "iterates are functions of noisy gradients",
    "w_1 = 0, T, alpha, beta and kappa are public; each gradient is taken at an iterate that the earlier noisy gradients "
    "determine, and enters the step only with its noise. So w_2, ..., w_{T+1} and w_hat are functions of T adaptive "
    "answers, on all n records.",
)
ONE_STEP = Lemma(
    "iterates tell the noisy gradients",
    "(alpha + beta) grad Phi(w_{t+1}) = beta grad Phi(w_t) - noisy gradient, and grad Phi is a bijection for 1 < kappa_+ < "
    "infinity, kappa > 1: the transcript tells every noisy gradient. For T = 1, w_hat = w_2 is the transcript.",
)
TRANSCRIPT_ONLY, AVERAGE_ONLY = "the transcript w_2, ..., w_{T+1}", "the weighted average w_hat"
ADVANCED = Lemma(
    "what advanced composition asks of a step",
    "To make T (epsilon_0, delta_0)-DP steps (epsilon, delta)-DP it needs epsilon_0 sqrt(2 T ln(1/delta')) <= epsilon and "
    "T delta_0 + delta' <= delta: epsilon_0 <= epsilon/sqrt(2 T ln(1/delta)), delta_0 <= delta/T (Dwork, Rothblum and "
    "Vadhan 2010).",
)

MONOTONE = Lemma(
    "gradients of a strongly convex function",
    "f_2 is alpha-strongly convex relative to Phi and D_Phi(x, y) >= |x - y|^2/2: <grad f_2(x_1) - grad f_2(x_2), x_1 - x_2> "
    ">= "
    "alpha (D_Phi(x_1, x_2) + D_Phi(x_2, x_1)) >= alpha |x_1 - x_2|^2. grad f_2(x_2) = 0 = grad f_1(x_1), so the left side is "
    "<grad (f_2 - f_1)(x_1), x_1 - x_2> <= |grad (f_2 - f_1)(x_1)|_* |x_1 - x_2|: one of the two must be strongly convex.",
)
PARABOLAS = Lemma(
    "parabolas",
    "f_1 = c x^2/2 and f_2 = c (x - z)^2/2 on the line: |grad (f_2 - f_1)(0)| = c z, minimisers z apart. With losses of "
    "slope G, one of them turned to -G, and a parabola c w^2/2 added, the minimisers move by 2 G/(n c). With Phi = k w^2/2, k "
    "= "
    "2 D_Phi/|x - y|^2, such functions have the modulus c/k relative to Phi.",
)
CURVED = {
    "alpha": ("0.01", "1", "7"),
    "gradient_difference": ("0", "0.3", "5"),
    "least_modulus": ("0", "0.01", "1", "7", "100"),
    "L": ("0.2", "3"),
    "largest_gradient_norm": ("0", "0.2", "3"),
    "distance": ("2",),
    "step_divergence": ("0.02", "2", "14"),
    "n": ("1", "2", "1000"),
}


def _shift(m: Numbers, values: Mapping[str, Real]) -> Real:
    return 2 * values["L"] / values["n"]


def _steps(m: Numbers, values: Mapping[str, Real]) -> Real:
    return values["T"]


def sensitivity(claim: Claim) -> Iterator[Finding]:
    """The printed sensitivity over 2 L/n, which is attained."""
    L, n = sympy.symbols("L n", positive=True)
    quotient = sympy.simplify(expression(claim.formulas["gradient_sensitivity"], claim.parameters) / (2 * L / n))
    scope, method = "the mean gradient on neighbours", "computer algebra: the printed sensitivity over 2 L/n, which is attained"
    found = Finding(
        scope=scope,
        verdict=Verdict.OPEN,
        adjacency=claim.adjacency,
        lemmas=(AVERAGED,),
        given=(gradients_are_bounded,),
        reason="not a multiple of L/n",
    )
    if quotient.is_number:
        holds = bool(quotient >= 1)
        found = replace(
            found,
            verdict=Verdict.CERTIFIED if holds else Verdict.REFUTED,
            rung=Rung.EXACT,
            method=method,
            claimed=str(quotient),
            computed=("1", "1"),
            reason=None,
            severity=None if holds else Severity.CONSTANT,
            survives=None if holds else "The sensitivity is 2 L/n.",
        )
    yield found


def privacy(claim: Claim) -> Iterator[Finding]:
    """The noise, up to a constant as printed or written out; then the links that the printed proof names."""
    written = "noise_scale" in claim.formulas
    name = "noise_scale" if written else "noise_scale_rate"

    def variance(m: Numbers, values: Mapping[str, Real]) -> Real:
        return apply(claim.formulas[name], m, values)

    noise = Noise(
        variance,
        _shift,
        _steps,
        "every T, n, L, p and d",
        TRANSCRIPT_ONLY,
        (PRIVATE,),
        above=(AVERAGED, TRANSCRIPT),
        below=(AVERAGED, ONE_STEP),
        given=(gradients_are_bounded,),
    )
    if written:
        survives = "It holds with (2 L/n)^2 kappa T (2 ln(1/delta) + epsilon) / epsilon^2."
        axes = {"n": RECORDS[1:], "L": CONSTANTS[1:], "T": STEPS[::3]}
        found = explicit(claim, replace(noise, below=(AVERAGED, ONE_STEP, EUCLID)), axes, {"kappa": "1"}, survives)
        yield from _both(found, Verdict.CERTIFIED)
        return
    survives = "With epsilon <= 2 ln(1/delta) some hidden constant does, for every T, by adding Renyi divergences."
    yield from _both(hidden_constant(claim, noise, PLACE, 2, survives), Verdict.CERTIFIED, Verdict.REFUTED, Verdict.OPEN)
    yield from _advanced(claim)


def _both(found: Iterable[Finding], *shared: Verdict) -> Iterator[Finding]:
    """The findings on the transcript, and those that the average shares: certificates, refutations at T = 1, what is open."""
    for finding in found:
        yield finding
        if finding.verdict in shared:
            yield replace(finding, release=AVERAGE_ONLY)


def _advanced(claim: Claim) -> Iterator[Finding]:
    """Does the mechanism at the parameters that advanced composition asks for give the printed order?"""
    T, nats = sympy.Symbol("T", positive=True), sympy.Symbol("l", positive=True)
    L, n, epsilon, kappa = sympy.symbols("L n epsilon kappa", positive=True)
    m, delta = symbolic(), sympy.exp(-nats)
    one = epsilon / sympy.sqrt(2 * T * nats)
    needed = variance_rate(m, kappa=kappa, sensitivity=2 * L / n, epsilon=one, delta=delta / T)
    values = {"L": L, "n": n, "epsilon": epsilon, "kappa": kappa, "T": T, "delta": delta}
    printed = apply(claim.formulas["noise_scale_rate"], m, values)
    quotient = sympy.simplify(sympy.expand_log(needed / printed, force=True))
    scope = "link: the mechanism and advanced composition over T steps give sigma^2 of the printed order"
    if sympy.limit(quotient, T, sympy.oo) != sympy.oo:
        yield Finding(scope=scope, verdict=Verdict.OPEN, reason="the quotient of both orders is not seen to diverge in T")
        return
    one_step, many = (str(sympy.N(quotient.subs({T: steps, nats: sympy.log(10**6)}), 12)) for steps in (1, 10**6))
    yield refuted(
        scope,
        one_step,
        many,
        {"T": "1000000", "delta": "1e-6"},
        method=f"computer algebra: order needed over order printed = {quotient}, claimed as at T = 1, unbounded in T",
        severity=PROOF_STEP,
        survives="Renyi divergences add up to the one logarithm that is printed.",
        rung=Rung.EXACT,
        adjacency=claim.adjacency,
        lemmas=(ADVANCED,),
    )


def regularity(claim: Claim) -> Iterator[Finding]:
    """The regularity constant of the dual space."""
    asserts = (REGULAR,) if REGULAR in claim.asserts else ()
    scope = "link: the dual space is kappa-regular with the printed kappa"
    survives = "It is with min(1/(p-1), 2 e ln d) for d >= 2, which a hidden constant absorbs."
    formula = claim.formulas["kappa_of_p_and_d"]
    yield from regular(claim, formula, scope, severity=PROOF_STEP, survives=survives, asserts=asserts)


READ: Table = {
    SENSITIVITY: sensitivity,
    PRIVATE: privacy,
    REGULAR: regularity,
}


def mirror_descent(claim: Claim) -> Iterator[Finding]:
    """Each assertion, and the regularity of the space where it is a link of the proof only."""
    yield from known_release(claim, RELEASE)
    yield from by_assertion(claim, READ)
    if REGULAR not in claim.asserts:
        yield from regularity(claim)


def text(claim: Claim) -> Iterator[Finding]:
    """Algorithm 3 asserts nothing: what holds of it stands in lp/thm-6 and lp/thm-7, its potential in lp/phi."""
    reason = "sigma^2 is given up to a constant; kappa_+ = kappa/(kappa - 1) is no index of a norm for kappa <= 1 (d = 1)"
    yield Finding(scope="the text of the algorithm", verdict=Verdict.STATED, method="a definition", reason=reason)


CURVED_ENOUGH = (functions_are_strongly_convex, potential_is_strongly_convex)
OF_RECORDS = ("L", "largest_gradient_norm", "n")


def _curvature(v: Mapping[str, Real]) -> Real:
    """Of PARABOLAS: the modulus relative to Phi = k w^2/2, times k."""
    return v["least_modulus"] * 2 * v["step_divergence"] / v["distance"] ** 2


def minimisers(claim: Claim) -> Iterator[Finding]:
    """Lemma 13: the proved distance is gradient difference over modulus, and quadratics attain it."""
    difference, alpha = (quantities(claim)[name] for name in ("gradient_difference", "alpha"))
    yield bounded(
        Side(
            scope="minimisers of two strongly convex functions",
            claimed=named(claim, "bound"),
            reached=lambda m, v: v["gradient_difference"] / _curvature(v),
            holds={*CURVED_ENOUGH} <= claim.tests
            and nonnegative(claim, expressed(claim, named(claim, "bound")) - difference / alpha),
            method="the bound less (gradient difference)/alpha, which is proved, has nonnegative coefficients",
            instances=grid(claim, {name: CURVED[name] for name in CURVED if name not in OF_RECORDS}),
            severity=Severity.CONSTANT,
            survives="The distance is at most (gradient difference)/alpha.",
            lemmas=(MONOTONE,),
            given=CURVED_ENOUGH,
            family=(PARABOLAS,),
        )
    )


def neighbours(claim: Claim) -> Iterator[Finding]:
    """Its consequence for regularised empirical minimisers."""
    L, n, alpha = (quantities(claim)[name] for name in ("L", "n", "alpha"))
    yield bounded(
        Side(
            scope="regularised minimisers on neighbours",
            claimed=named(claim, "empirical_bound"),
            reached=lambda m, v: 2 * v["largest_gradient_norm"] / (v["n"] * _curvature(v)),
            holds={*CURVED_ENOUGH, gradients_are_bounded} <= claim.tests
            and nonnegative(claim, expressed(claim, named(claim, "empirical_bound")) - 2 * L / (n * alpha)),
            method="the bound less 2 L/(n alpha), which is proved, has nonnegative coefficients",
            instances=grid(claim, {name: CURVED[name] for name in CURVED if name != "gradient_difference"}),
            severity=Severity.CONSTANT,
            survives="They are at most 2 L/(n alpha) apart.",
            lemmas=(MONOTONE, AVERAGED),
            given=(*CURVED_ENOUGH, gradients_are_bounded),
            family=(PARABOLAS,),
            remark="Half of it would do. With the printed Phi it is false: p = 3/2, losses +-L <u, w> along (1, ..., 1) move "
            "the "
            "minimiser by d^(1/3) L/(n alpha) (lp/phi, lp/thm-7).",
        )
    )


LEMMA_13: Table = {
    Relation("|x_2 - x_1|", "<=", "bound"): minimisers,
    Relation("distance of the regularised minimisers on neighbours", "<=", "empirical_bound"): neighbours,
}

JUDGES = dict.fromkeys(("lp/thm-6", "lp/thm-6-amended"), mirror_descent)
JUDGES |= {"lp/alg-3": text, "lp/lem-13": partial(by_assertion, table=LEMMA_13)}

MUTANTS = {"lp/thm-6-amended": mutants.of_amended, "lp/lem-13": mutants.of_minimisers}
