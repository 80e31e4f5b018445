"""Excess cost of private ordering rules: the risk bounds of DP-SGD and objective perturbation, scaled by c_u + c_o."""

from dataclasses import replace

from dpsco.spec.algorithms.objective_perturbation.utility_away import (
    CONDITION,
    CONDITION_AMENDED,
    LIGHT_TAIL,
    OMEGA,
    RECIPROCAL,
    TAIL_CUBE,
    condition_left,
    condition_left_amended,
    rate_away,
    rate_away_amended,
)
from dpsco.spec.claim import Claim, Kind, Relation
from dpsco.spec.expressions import symbols
from dpsco.spec.losses.newsvendor import OVERAGE, UNDERAGE
from dpsco.spec.losses.quantile.summaries import OPTIMUM_IN_BALL, OPTIMUM_NORM, RADIUS
from dpsco.spec.papers import QUANTILE
from dpsco.spec.parameters import DELTA, EPSILON, KAPPA_2, RISK, D, N

c_o, c_u, d, delta, epsilon, n, risk = symbols("c_o c_u d delta epsilon n risk")


cost_rate = (c_u + c_o) * rate_away
cost_rate_objective = (c_u + c_o) * rate_away_amended
excess_cost = (c_u + c_o) * risk


PRINTED = Claim(
    id="quantile/thm-4.6",
    title="excess cost of the private newsvendor",
    kind=Kind.RATE,
    unproved=True,
    source=QUANTILE.at("Theorem 4.6"),
    says="For the newsvendor with costs c_u, c_o > 0, level r = c_u/(c_u + c_o) and a linear ordering rule: DP-SGD with "
    "the settings of its risk theorem (epsilon <= 1), and objective perturbation with those of part 2 of its own (epsilon "
    "> 0, a kernel with light tails, E[1/|y - theta*'x|] finite, epsilon^4 + d ln(1/delta) epsilon^2 >= Omega(1/n)), have "
    "excess expected cost at most (c_u + c_o) O(max(n^{-1/2}, sqrt(d ln(1/delta))/(n epsilon))), for every distribution. "
    "The order is private because it is computed from the private estimate.",
    uses=("quantile/sec-4.2", "quantile/thm-3.4", "quantile/thm-3.6-2"),
    parameters=(
        N,
        D,
        EPSILON,
        DELTA,
        UNDERAGE,
        OVERAGE,
        RISK,
        RADIUS,
        OPTIMUM_NORM,
        TAIL_CUBE,
        RECIPROCAL,
        OMEGA,
    ),
    formulas={"cost_rate": cost_rate, "excess_cost": excess_cost, "condition_left": condition_left},
    asserts=(
        Relation("excess cost of DP-SGD, epsilon <= 1", "<=O", "cost_rate"),
        Relation("excess cost of objective perturbation", "<=O", "cost_rate"),
    ),
    preconditions=(
        OPTIMUM_IN_BALL,
        LIGHT_TAIL,
        CONDITION,
    ),
    over=("every distribution of features and demand", "every cost pair"),
    note="A corollary: stands and falls with the two risk theorems, so part 2 fails along epsilon = n^{-1/2}, d = 1, "
    "delta fixed. The hidden constant must not depend on c_u and c_o; L = max(r, 1-r) B_x is at most B_x, so that holds. "
    "The linear demand model is assumed to justify the linear rule; the rates are against the best linear rule. The order "
    "theta'x is private for the buyer's data only if x is public or another person's.",
)

claims = [
    PRINTED,
    replace(
        PRINTED,
        id="quantile/thm-4.6-amended",
        amends=PRINTED.id,
        says="As printed for DP-SGD. Objective perturbation, with every kernel (no condition on its tail) and epsilon^4 + d "
        "ln(1/delta) epsilon^2/n >= Omega(1/n) for the condition, has excess expected cost at most (c_u + c_o) O(max(n^{-1/2}, "
        "sqrt(d (ln(2/delta) + epsilon))/(n epsilon))).",
        parameters=(N, D, EPSILON, DELTA, UNDERAGE, OVERAGE, RISK, RADIUS, OPTIMUM_NORM, KAPPA_2, RECIPROCAL, OMEGA),
        formulas={**PRINTED.formulas, "cost_rate_objective": cost_rate_objective, "condition_left": condition_left_amended},
        asserts=(PRINTED.asserts[0], Relation("excess cost of objective perturbation", "<=O", "cost_rate_objective")),
        preconditions=(OPTIMUM_IN_BALL, CONDITION_AMENDED),
        note="The hidden constants depend on B_theta, B_x, the kernel, M and omega.",
    ),
]
