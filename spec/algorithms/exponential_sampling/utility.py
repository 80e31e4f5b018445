"""Risk of the exponential mechanism and of its regularised form for bilevel problems, exact sampling assumed."""

from dpsco.spec.algorithms.exponential_sampling.mechanism import (
    G_SLOPE,
    K_TEMPERATURE,
    MU_REG,
    inverse_temperature,
    objective_slope,
)
from dpsco.spec.claim import Adjacency, Claim, Kind, Relation
from dpsco.spec.domain import Parameter, nonnegative, positive
from dpsco.spec.expressions import log, sqrt, symbols
from dpsco.spec.losses.bilevel.assumptions import (
    CONVEX_HOLDS,
    CONVEXITY_DEFECT,
    D_X,
    D_X_DIM,
    D_Y,
    LIPSCHITZ,
    LIPSCHITZ_HOLDS,
    MIXED,
    MIXED_HOLDS,
    PROBLEMS,
)
from dpsco.spec.losses.bilevel.sensitivity import score_scale
from dpsco.spec.papers import BILEVEL
from dpsco.spec.parameters import DELTA, EPSILON, RISK, D, N
from dpsco.spec.predicate import Predicate

D_x, D_y, G, L_fx, L_fy, L_gy, d, d_x, delta = symbols("D_x D_y G L_fx L_fy L_gy d d_x delta")
epsilon, k, mu, mu_g, n, population_defect = symbols("epsilon k mu mu_g n population_defect")


pure_rate = d_x / (epsilon * n)
approximate_rate = sqrt(d_x * log(1 / delta)) / (epsilon * n)
statistical_rate = approximate_rate + 1 / sqrt(n)
outer_scale = L_fx * D_x + L_fy * D_y + L_fy * L_gy / mu_g
"""Psi, the bracket of the pure rate."""

exponential_rate = pure_rate * outer_scale
exponential_bound = d_x * 2 * score_scale / epsilon
"""d_x/k of Lemma B.2 at k = epsilon/(2s), with the printed s."""

gibbs_excess = d / k
regularised_rate = G * D_x * approximate_rate
regularised_population_rate = G * D_x * statistical_rate
population_rate_appendix = G * D_x * (sqrt(d_x * log(1 / delta)) / n + 1 / sqrt(n))
"""Without epsilon."""

population_excess = G**2 / (mu * n) + d_x / k
mu_empirical = G * sqrt(d_x * log(1 / delta)) / (n * D_x * epsilon)
mu_population = mu_empirical + G / (D_x * sqrt(n))
empirical_steps = d_x * G**2 * log(1 / delta) / (mu * n**2 * epsilon**2) + mu * D_x**2 / 2
population_steps = empirical_steps + G**2 / (mu * n)
"""The second display; the first has mu D_x^2 for mu D_x^2/2."""

population_objective_is_convex = population_defect <= 0


POPULATION_DEFECT = Parameter("population_defect", "the convexity defect of Phi", nonnegative, "loss")
POPULATION_CONVEX = Predicate(
    "Phi is convex", population_objective_is_convex, accepts={"population_defect": "0"}, rejects={"population_defect": "0.01"}
)
EXCESS = RISK.means("expected excess empirical risk: E Phi_Z(x) - min Phi_Z")
EITHER = RISK.means("expected excess risk, empirical or population as the assertion says")
PUBLIC = (EPSILON, N, D_X_DIM)
CONVEX = (CONVEXITY_DEFECT, POPULATION_DEFECT)
REGULARISED = (*PUBLIC, DELTA, *LIPSCHITZ, *MIXED, D_X.within(positive), *CONVEX, G_SLOPE, EITHER)
REGULARISED_HOLDS = (*LIPSCHITZ_HOLDS, *MIXED_HOLDS, *CONVEX_HOLDS, POPULATION_CONVEX)
DROPPED = (
    "Privacy and generalisation rest on Lemma B.6, whose chain-rule term is missing: with f = L|y| smoothed, y_Z(x) = b x + "
    "mean of z (Phi_Z convex, L_fx = beta_fxy = 0, G = L b), two neighbours differ by an offset of order L_gy/(mu_g n) at "
    "inverse temperature k L ~ n epsilon/(D_x b), a privacy loss of order epsilon L_gy/(mu_g b D_x) up to logarithms: "
    "unbounded as b -> 0. "
)

claims = [
    Claim(
        id="bilevel/thm-3.1",
        title="rates for convex bilevel optimization",
        kind=Kind.RATE,
        source=BILEVEL.at("Theorem 3.1"),
        says="Let Phi_Z (every Z) and Phi be convex and Assumption 2.1 hold, the problem's constants fixed. An efficient "
        "epsilon-DP algorithm has empirical excess risk O(d_x/(epsilon n)) up to logarithms. With parts 3 and 4 of Assumption "
        "2.2, an efficient (epsilon, delta)-DP one has empirical excess O(sqrt(d_x ln(1/delta))/(epsilon n)) and population "
        "excess O(sqrt(d_x ln(1/delta))/(epsilon n) + 1/sqrt(n)). All these bounds are optimal up to logarithms.",
        uses=("bilevel/thm-3.2", "bilevel/thm-3.3", "bilevel/thm-3.8"),
        parameters=(*PUBLIC, DELTA, *LIPSCHITZ, *MIXED, *CONVEX, RISK),
        formulas={"pure_rate": pure_rate, "approximate_rate": approximate_rate, "population_rate": statistical_rate},
        asserts=(
            Relation("empirical risk of an efficient epsilon-DP algorithm", "<=O", "pure_rate times logarithms"),
            Relation("empirical risk of an efficient (epsilon, delta)-DP algorithm", "<=O", "approximate_rate"),
            Relation("population risk of an efficient (epsilon, delta)-DP algorithm", "<=O", "population_rate"),
            Relation("risk of every private algorithm", ">=Omega", "each rate, up to logarithms"),
        ),
        preconditions=REGULARISED_HOLDS,
        over=(PROBLEMS, "existence of an algorithm of polynomial time"),
        adjacency=Adjacency.REPLACE_ONE,
        releases="the upper decision x",
        note="Informal; carried by Theorems 3.2, 3.3, 3.8 and 3.9 and stands with them. No cap at 1: for d_x > epsilon n the "
        "lower bounds are capped, so tightness needs the minimum with 1. The pure half needs only Assumption 2.1.",
    ),
    Claim(
        id="bilevel/thm-3.2",
        title="rate of the exponential mechanism",
        kind=Kind.UTILITY,
        source=BILEVEL.at("Theorem 3.2", "Theorem B.1"),
        says="Under Assumption 2.1 with Phi_Z convex, the mechanism (4) is epsilon-DP and E Phi_Z(x) - min Phi_Z = "
        "O((d_x/(epsilon n)) (L_fx D_x + L_fy D_y + L_fy L_gy/mu_g)).",
        uses=("bilevel/eq-4", "bilevel/lem-B.2", "bilevel/thm-3.2-sensitivity"),
        parameters=(*PUBLIC, *LIPSCHITZ, D_X, D_Y, CONVEXITY_DEFECT, EXCESS),
        formulas={"rate": exponential_rate, "bound": exponential_bound},
        asserts=(
            Relation("mechanism (4)", "is", "epsilon-DP"),
            Relation("risk", "<=O", "rate"),
            Relation("risk", "<=", "bound"),
        ),
        preconditions=(*LIPSCHITZ_HOLDS, *CONVEX_HOLDS),
        over=(PROBLEMS, "every Z"),
        adjacency=Adjacency.REPLACE_ONE,
        releases="x",
        note="False as printed (misprint): with the printed s the inverse temperature epsilon/(2s) stays bounded as "
        "n grows, so the risk does not fall with n. Family: X = [0, 1], f = c x + y, g = (mu_g/2)(y - z)^2, z = +-1/2, fixed "
        "constants, n -> infinity. The proof prints |y_Z - y_Z'| <= 2 L_gy/(mu_g n), which gives s its 1/n in the last term "
        "too: then 2 d_x s/epsilon is 8 times the rate at most. Privacy holds either way.",
    ),
    Claim(
        id="bilevel/thm-3.2-nonconvex",
        title="rate of the exponential mechanism without convexity",
        kind=Kind.UTILITY,
        source=BILEVEL.at("Section 3.1, after Theorem 3.2", "Theorem B.1, proof"),
        says="If Phi_Z is not convex, the mechanism (4) is still epsilon-DP and the excess risk of Theorem 3.2 holds up to "
        "logarithmic factors.",
        uses=("bilevel/eq-4", "bilevel/thm-3.2-sensitivity"),
        parameters=(*PUBLIC, *LIPSCHITZ, D_X, D_Y, EXCESS),
        formulas={"rate": exponential_rate},
        asserts=(Relation("mechanism (4)", "is", "epsilon-DP"), Relation("risk", "<=O", "rate times logarithms")),
        preconditions=LIPSCHITZ_HOLDS,
        over=(PROBLEMS, "every Z"),
        adjacency=Adjacency.REPLACE_ONE,
        releases="x",
        note="False (rate): Assumption 2.1 does not make Phi_Z Lipschitz in x, for beta_gxy is not assumed. f = y, g "
        "= (y - h(x))^2/2: one fixed problem, h = 1/ln(e/x) on [0, 1], has a risk of order (epsilon n)^{-1/2} at least, even "
        "with 1/n throughout s; and h = -max(0, 1 - |x - c|/w), w -> 0, keeps every constant and hides its minimum, unless "
        "the hidden logarithms may contain 1/w, the slope of Phi_Z, of which the statement knows nothing. With beta_gxy one "
        "logarithm of that slope is right. The s of (4) adds the defect of Theorem 3.2. Main text says Phi, appendix Phi_Z.",
    ),
    Claim(
        id="bilevel/lem-B.2",
        title="risk of a draw from an exponential density",
        kind=Kind.BOUND,
        unproved=True,
        source=BILEVEL.at("Lemma B.2"),
        says="For k > 0, F convex on a convex set K in R^d and x drawn with density proportional to exp(-k F) on K: E F(x) <= "
        "min_K F + d/k.",
        parameters=(D, K_TEMPERATURE, Parameter("excess", "E F(x) - min_K F", nonnegative, "loss")),
        formulas={"bound": gibbs_excess},
        asserts=(Relation("excess", "<=", "bound"),),
        over=("all convex K in R^d, bounded or not", "all convex F"),
        note="Needs exp(-kF) integrable and min F attained, neither said (K = R, F = 0 has no density). Equality for linear F "
        "on a cone. K of lower dimension than d: density with respect to its own volume, bound dim K/k.",
    ),
    Claim(
        id="bilevel/lem-B.7",
        title="population risk of the regularised mechanism",
        kind=Kind.BOUND,
        unproved=True,
        source=BILEVEL.at("Lemma B.7"),
        says="If x is drawn with density proportional to exp(-k(Phi_Z(x) + mu |x|^2/2)) and Z from P^n, then E Phi(x) - Phi* "
        "<= G^2/(mu n) + d_x/k.",
        parameters=(N, D_X_DIM, *LIPSCHITZ, *MIXED, *CONVEX, G_SLOPE, MU_REG, K_TEMPERATURE, RISK),
        formulas={"bound": population_excess},
        asserts=(Relation("risk", "<=", "bound"),),
        preconditions=REGULARISED_HOLDS,
        over=(PROBLEMS, "every distribution P"),
        note="False (rate): the regulariser's own bias mu |x*|^2/2 is missing (the proof of Theorem B.8 adds "
        "it). X = [0, 1], Phi_Z = Phi = -c x, mu and k large: x is near 0, risk near c, bound near 0. Besides, E Phi_Z(x) is "
        "not Phi(x), so stability alone does not bound the generalisation gap. The lemma names no assumptions; those of "
        "Theorem B.8 are taken.",
    ),
    Claim(
        id="bilevel/thm-3.3",
        title="rates of the regularised exponential mechanism",
        kind=Kind.UTILITY,
        source=BILEVEL.at("Theorem 3.3"),
        says="Under Assumption 2.1 and parts 3 and 4 of Assumption 2.2, Phi_Z and Phi convex for all Z, there are mu and k "
        "for which (5) is (epsilon, delta)-DP with empirical excess O(G D_x sqrt(d_x ln(1/delta))/(epsilon n)), and other mu "
        "and k for which, with independent samples, the population excess is O(G D_x (sqrt(d_x ln(1/delta))/(epsilon n) + "
        "1/sqrt(n))); G = L_fx + L_fy beta_gxy/mu_g + L_gy beta_fxy/mu_g.",
        uses=("bilevel/thm-B.8",),
        parameters=REGULARISED,
        formulas={"G": objective_slope, "empirical_rate": regularised_rate, "population_rate": regularised_population_rate},
        asserts=(
            Relation("sample of (5)", "is", "(epsilon, delta)-DP"),
            Relation("empirical risk", "<=O", "empirical_rate"),
            Relation("population risk", "<=O", "population_rate"),
        ),
        preconditions=REGULARISED_HOLDS,
        over=(PROBLEMS, "some mu and k", "every P, Z from P^n, for the population risk"),
        adjacency=Adjacency.REPLACE_ONE,
        releases="x",
        note="False (rate). " + DROPPED + "Existence of mu and k must be refuted for all of them. Population: same "
        "instance, n up to (L_gy/(mu_g b D_x))^2, excess of order G D_x against G D_x/sqrt(n). Also every epsilon > 0 and "
        "delta in (0, 1) are printed, though the Gaussian comparison needs epsilon = O(ln(1/delta)), and |x|^2 is at most "
        "D_x^2 only if 0 is in X: for X far from 0 the regulariser's bias grows with that distance.",
    ),
    Claim(
        id="bilevel/thm-B.8",
        title="risks of the regularised exponential mechanism",
        kind=Kind.UTILITY,
        source=BILEVEL.at("Theorem B.8", "its proof"),
        says="As Theorem 3.3, for density proportional to exp(-k(Phi_Z(x) + mu |x|^2/2)) with k = O(mu n^2 epsilon^2/(G^2 "
        "ln(1/delta))), which is (epsilon, delta)-DP. mu = G sqrt(d_x ln(1/delta))/(n D_x epsilon) gives empirical excess O(G "
        "D_x sqrt(d_x ln(1/delta))/(n epsilon)); that mu plus G/(D_x sqrt(n)) gives population excess O(G D_x (sqrt(d_x "
        "ln(1/delta))/n + 1/sqrt(n))), without epsilon. By way of d_x/k + mu D_x^2/2, with G^2/(mu n) more for the population.",
        uses=("bilevel/eq-5", "bilevel/lem-B.2", "bilevel/lem-B.6", "bilevel/lem-B.7", "bilevel/thm-B.4"),
        parameters=(*REGULARISED, MU_REG),
        formulas={
            "k_rate": inverse_temperature,
            "mu_empirical": mu_empirical,
            "mu_population": mu_population,
            "empirical_steps": empirical_steps,
            "population_steps": population_steps,
            "empirical_rate": regularised_rate,
            "population_rate": population_rate_appendix,
        },
        asserts=(
            Relation("sample", "is", "(epsilon, delta)-DP"),
            Relation("empirical risk at mu_empirical", "<=O", "empirical_rate"),
            Relation("population risk at mu_population", "<=O", "population_rate"),
        ),
        preconditions=REGULARISED_HOLDS,
        over=(PROBLEMS, "every P, Z from P^n, for the population risk"),
        adjacency=Adjacency.REPLACE_ONE,
        releases="x",
        note="False. " + DROPPED + "The population rate lost its epsilon (severity misprint; Theorem 3.3 and the choice "
        "of mu have it): with epsilon of order 1/n and n growing the density is nearly independent of Z, risk of order G D_x. "
        "The steps write mu D_x^2 once and mu D_x^2/2 once; 0 in X is needed.",
    ),
]
