"""Objective perturbation when demand may be discrete, as long as the error has next to no mass at its critical quantile.

Within tau of its r-quantile the error has mass at most exp(-1/t^2) at distance t; the kernel is Gaussian, so smoothing costs
exponentially little.
"""

from dataclasses import replace

from dpsco.spec.algorithms.objective_perturbation.newsvendor_utility import (
    BOUNDED_FEATURES,
    LARGEST_FEATURE,
    OPTIMUM,
    OPTIMUM_IN_BALL,
    PROBLEM,
    SMALL_DELTA,
    UNPROJECTED,
    bandwidth,
    lambda_chosen,
    sigma,
    statistical_term,
)
from dpsco.spec.claim import Claim, Kind, Provenance, Relation
from dpsco.spec.conjunction import all_of
from dpsco.spec.domain import Parameter, closed_unit, positive
from dpsco.spec.expressions import exp, log, pi, sqrt, symbols
from dpsco.spec.papers import NEWSVENDOR
from dpsco.spec.parameters import K_BAR, RISK, H
from dpsco.spec.predicate import Predicate

B, B_x, K_bar, d, delta, epsilon, h, mass, n = symbols("B B_x K_bar d delta epsilon h mass n")
r_bar, t, tau = symbols("r_bar t tau")

TAU = Parameter("tau", "reach of the condition on the error around its r-quantile", positive, "outcome")
LEVEL = Parameter("t", "distance from the error's r-quantile, at most tau", positive, "outcome")
MASS = Parameter("mass", "probability that the error is within t of its r-quantile", closed_unit)


statistical_bound = 2 * sqrt(2) * B_x * B * r_bar * sqrt(1 / n + 8 * d * log(1 / delta) / (n**2 * epsilon**2))
"""First term of the risk bound, for delta <= e^(-epsilon/2)."""

bound = 4 * sqrt(2) * B_x * B * r_bar * sqrt(1 / n + 8 * d * log(1 / delta) / (n**2 * epsilon**2))
mass_terms = exp(-1 / (2 * h)) + exp(-1 / h)
"""What splitting at distance sqrt(h) gives for the mean of exp(-u^2 / (2 h^2))."""

mass_terms_printed = 2 * exp(-1 / h)
smoothing_error = sqrt(2 / pi) * h * exp(-1 / h)
error_factor = sqrt(2 / pi) * h
"""sqrt(2/pi) h, asked to be at most 1."""

exponential_factor = exp(-1 / h)
_scale = K_bar * B_x * B / (r_bar * sqrt(n))
threshold_reach_unmended = _scale / sqrt(2 * tau**2)
"""The same with tau^2 under the root, as the text at hand has it in the statement."""

threshold_reach = _scale / (sqrt(2) * tau**2)
"""For h <= tau^2, with the factor 1 / (sqrt(2) tau^2)."""

threshold_factor = _scale / sqrt(pi)
"""For sqrt(2/pi) h <= 1."""

threshold_exponential = _scale * log(sqrt(n) / (2 * sqrt(2) * B_x * B * r_bar)) / sqrt(2)
"""For exp(-1/h) below the first term."""

epsilon_is_large = all_of(epsilon >= threshold_reach, epsilon >= threshold_factor, epsilon >= threshold_exponential)
mass_is_small = mass <= exp(-1 / t**2)
mass_terms_doubled = 2 * exp(-1 / (2 * h))
smoothing_error_amended = sqrt(2 / pi) * h * exp(-1 / (2 * h))
threshold_exponential_amended = _scale * sqrt(2) * log(sqrt(n) / (2 * sqrt(2) * B_x * B * r_bar))
"""For exp(-1/(2 h)) below the first term: twice the printed one."""

epsilon_is_large_amended = all_of(
    epsilon >= threshold_reach, epsilon >= threshold_factor, epsilon >= threshold_exponential_amended
)
bandwidth_is_within_reach = sqrt(h) <= tau


LOCAL_BEHAVIOUR = Predicate(
    "the error is within t of its r-quantile with probability at most exp(-1/t^2), for t <= tau",
    mass_is_small,
    accepts={"t": "1", "mass": "0.3"},
    rejects={"t": "1", "mass": "0.4"},
)
TYPICAL = {"n": 10000, "B": "2", "B_x": "1.5", "r_bar": "0.7", "K_bar": "0.4", "tau": "0.5"}
LARGE_EPSILON = Predicate(
    "epsilon is at least each of the three thresholds, the third one doubled",
    epsilon_is_large_amended,
    accepts={"epsilon": "1", **TYPICAL},
    rejects={"epsilon": "0.001", **TYPICAL},
)

claims = [
    Claim(
        id="newsvendor/thm-EC.1",
        title="excess risk under restricted discrete demand",
        kind=Kind.UTILITY,
        source=NEWSVENDOR.at("Theorem EC.1", "Assumption EC.1", "displays (EC.43) to (EC.45)"),
        says="Linear demand with |x| <= B_x, first feature 1, minimiser in the ball of radius B, error independent of x with "
        "distribution function continuous at its r-quantile q and Pr[|error - q| <= t] <= exp(-1/t^2) for all t <= tau. With "
        "the Gaussian kernel, delta <= e^(-epsilon/2), and epsilon >= K_bar B_x B / (r_bar sqrt(n)) times the largest of 1 / "
        "(sqrt(2) tau^2), 1 / sqrt(pi), ln(sqrt(n) / (2 sqrt(2) B_x B r_bar)) / sqrt(2), objective perturbation with lambda = "
        "sqrt(2 L^2 / n + d sigma^2 / n^2) / B and h = K_bar B_x^2 / (lambda n epsilon) has expected excess risk at most "
        "4 sqrt(2) B_x B r_bar sqrt(1/n + 8 d ln(1/delta) / (n^2 epsilon^2)), for all such distributions.",
        uses=("newsvendor/thm-2-stability", "newsvendor/thm-EC.1-condition", "newsvendor/thm-EC.1-tail"),
        parameters=(*PROBLEM, K_BAR, TAU, LEVEL, MASS, LARGEST_FEATURE, OPTIMUM, RISK),
        formulas={
            "sigma": sigma,
            "lambda_chosen": lambda_chosen,
            "bandwidth": bandwidth,
            "statistical_bound": statistical_bound,
            "bound": bound,
            "threshold_reach": threshold_reach,
            "threshold_factor": threshold_factor,
            "threshold_exponential": threshold_exponential,
        },
        asserts=(
            Relation("risk", "<=", "statistical_bound + smoothing error at the minimiser", step=True),
            Relation("smoothing error at the minimiser", "<=", "statistical_bound", step=True),
            Relation("risk", "<=", "bound"),
        ),
        preconditions=(
            SMALL_DELTA,
            Predicate(
                "epsilon is at least each of the three thresholds",
                epsilon_is_large,
                accepts={"epsilon": "1", **TYPICAL},
                rejects={"epsilon": "0.001", **TYPICAL},
            ),
            BOUNDED_FEATURES,
            OPTIMUM_IN_BALL,
            LOCAL_BEHAVIOUR,
        ),
        over=("distributions with linear demand and restricted discrete errors",),
        provenance=Provenance.REPAIRED,
        note="Mended: the scan draws the root of the first threshold over tau^2 in the statement and at the proof's end, as it "
        "draws it over r_bar in the proof's list, which has tau^2 outside: sqrt(2) tau^2, which gives h <= tau^2. The "
        "proof's tail step is false (a claim of its own); the true smoothing error is sqrt(2/pi) h exp(-1/(2 h)), so the third "
        "threshold is too low by a factor 2. The condition holds for all t <= tau, also where exp(-1/t^2) > 1/2.",
    ),
    Claim(
        id="newsvendor/thm-EC.1-tail",
        title="smoothing error under restricted discrete demand",
        kind=Kind.BOUND,
        source=NEWSVENDOR.at("proof of Theorem EC.1, step to (EC.44)"),
        says="If sqrt(h) <= tau, the mean of exp(-(error - q)^2 / (2 h^2)), split at distance sqrt(h), is at most exp(-1/(2 "
        "h)) + exp(-1/h) <= 2 exp(-1/h); hence the smoothed risk exceeds the risk at the minimiser by at most "
        "sqrt(2/pi) h exp(-1/h).",
        uses=("newsvendor/lem-5", "newsvendor/lem-EC.8"),
        parameters=(H, TAU, LEVEL, MASS),
        formulas={
            "mass_terms": mass_terms,
            "mass_terms_printed": mass_terms_printed,
            "smoothing_error": smoothing_error,
        },
        asserts=(
            Relation("mean of exp(-(error - q)^2 / (2 h^2))", "<=", "mass_terms", step=True),
            Relation("mass_terms", "<=", "mass_terms_printed", step=True),
            Relation("smoothed minus true population risk at the minimiser", "<=", "smoothing_error", step=True),
        ),
        preconditions=(
            Predicate(
                "sqrt(h) <= tau",
                bandwidth_is_within_reach,
                accepts={"h": "0.2", "tau": "0.5"},
                rejects={"h": "0.3", "tau": "0.5"},
            ),
            LOCAL_BEHAVIOUR,
        ),
        over=("error distributions",),
        note="exp(-1/(2 h)) > exp(-1/h) for every h > 0: the step is false everywhere; 2 exp(-1/(2 h)) is right. An error with "
        "mass just beyond sqrt(h) contradicts the conclusion.",
    ),
    Claim(
        id="newsvendor/thm-EC.1-condition",
        title="least epsilon under restricted discrete demand",
        kind=Kind.BOUND,
        source=NEWSVENDOR.at("proof of Theorem EC.1, list after (EC.45)"),
        says="With h = K_bar B_x^2 / (lambda n epsilon) and the chosen lambda, the three conditions h <= tau^2, sqrt(2/pi) h "
        "<= 1 and exp(-1/h) <= 2 sqrt(2) B_x B r_bar sqrt(1/n + 8 d ln(1/delta) / (n^2 epsilon^2)), which make the first term "
        "of the risk bound dominate the second, sqrt(2/pi) h exp(-1/h), are equivalent to three lower bounds of epsilon: "
        "K_bar B_x B / (r_bar sqrt(n)) times 1/(sqrt(2) tau^2), times 1/sqrt(pi), and times "
        "ln(sqrt(n) / (2 sqrt(2) B_x B r_bar)) / sqrt(2).",
        parameters=(*PROBLEM, K_BAR, TAU, H),
        formulas={
            "bandwidth": bandwidth,
            "error_factor": error_factor,
            "exponential_factor": exponential_factor,
            "statistical_bound": statistical_bound,
            "statistical_term": statistical_term,
            "smoothing_error": smoothing_error,
            "threshold_reach_unmended": threshold_reach_unmended,
            "threshold_reach": threshold_reach,
            "threshold_factor": threshold_factor,
            "threshold_exponential": threshold_exponential,
        },
        asserts=(
            Relation("epsilon >= threshold_reach", "=>", "bandwidth <= tau^2", step=True),
            Relation("bandwidth <= tau^2", "=>", "epsilon >= threshold_reach", step=True),
            Relation("epsilon >= threshold_factor", "=>", "error_factor <= 1", step=True),
            Relation("error_factor <= 1", "=>", "epsilon >= threshold_factor", step=True),
            Relation("epsilon >= threshold_exponential", "=>", "exponential_factor <= statistical_bound", step=True),
            Relation("exponential_factor <= statistical_bound", "=>", "epsilon >= threshold_exponential", step=True),
            Relation("all three conditions", "=>", "smoothing_error <= statistical_bound", step=True),
        ),
        provenance=Provenance.REPAIRED,
        note="Mended: the scan draws roots too long, over r_bar in the list, over tau^2 in the statement; read sqrt(2) r_bar "
        "tau^2. The unmended 1/sqrt(2 tau^2), which does not give h <= tau^2 for tau < 1, is a finding beside. The "
        "thresholds drop the noise term of lambda, so they suffice but are not necessary. statistical_bound exceeds "
        "statistical_term, what exact lambda gives.",
    ),
]
claims += [
    replace(
        claims[0],
        id="newsvendor/thm-EC.1-amended",
        amends="newsvendor/thm-EC.1",
        says="The same for the minimiser before projection, with the third of the lower bounds of epsilon doubled: K_bar B_x B "
        "/ (r_bar sqrt(n)) times sqrt(2) ln(sqrt(n) / (2 sqrt(2) B_x B r_bar)).",
        releases=UNPROJECTED,
        formulas={
            **{name: f for name, f in claims[0].formulas.items() if not name.startswith("threshold")},
            "threshold_reach": threshold_reach,
            "threshold_factor": threshold_factor,
            "threshold_exponential": threshold_exponential_amended,
        },
        preconditions=tuple(LARGE_EPSILON if p.test is epsilon_is_large else p for p in claims[0].preconditions),
        note="The tail step gives exp(-1/(2 h)), so the third threshold doubles. Projection is a claim of its own.",
    ),
    replace(
        claims[1],
        id="newsvendor/thm-EC.1-tail-amended",
        amends="newsvendor/thm-EC.1-tail",
        says="If sqrt(h) <= tau, the mean of exp(-(error - q)^2 / (2 h^2)) is at most exp(-1/(2 h)) + exp(-1/h) <= "
        "2 exp(-1/(2 h)); hence the smoothed risk exceeds the risk at the minimiser by at most sqrt(2/pi) h exp(-1/(2 h)).",
        formulas={
            "mass_terms": mass_terms,
            "mass_terms_doubled": mass_terms_doubled,
            "smoothing_error": smoothing_error_amended,
        },
        asserts=(claims[1].asserts[0], Relation("mass_terms", "<=", "mass_terms_doubled"), claims[1].asserts[2]),
        note="The larger of the two exponentials, doubled, in the place of the smaller.",
    ),
    replace(
        claims[2],
        id="newsvendor/thm-EC.1-condition-amended",
        amends="newsvendor/thm-EC.1-condition",
        says="The three lower bounds of epsilon, the first with 1/(sqrt(2) tau^2), are sufficient for h <= tau^2, sqrt(2/pi) h "
        "<= 1 and exp(-1/h) <= 2 sqrt(2) B_x B r_bar sqrt(1/n + 8 d ln(1/delta) / (n^2 epsilon^2)), in this order, and "
        "the three together for sqrt(2/pi) h exp(-1/h) to be at most the latter.",
        formulas={name: f for name, f in claims[2].formulas.items() if name != "threshold_reach_unmended"},
        asserts=tuple(claims[2].asserts[i] for i in (0, 2, 4, 6)),
        note="Sufficient, not equivalent: lambda's noise term is left out.",
    ),
]
