"""How much the bilevel objective and its lower minimiser change when one record or the upper variable changes."""

from dpsco.spec.claim import Adjacency, Claim, Kind, Relation
from dpsco.spec.domain import Parameter, nonnegative
from dpsco.spec.expressions import symbol, symbols
from dpsco.spec.losses.bilevel.assumptions import (
    BETA_FYY,
    BETA_GYY,
    C_GXY,
    C_GYY,
    D_X,
    D_Y,
    LIPSCHITZ,
    LIPSCHITZ_HOLDS,
    MEAN_MIXED,
    MEAN_MIXED_HOLDS,
    MU_G,
    OUTER_MIXED,
    OUTER_MIXED_HOLDS,
    PROBLEMS,
    g_is_strongly_convex,
)
from dpsco.spec.papers import BILEVEL
from dpsco.spec.parameters import N

C_gxy, C_gyy, D_x, D_y, L_fx, L_fy, L_gy, beta_fxy = symbols("C_gxy C_gyy D_x D_y L_fx L_fy L_gy beta_fxy")
beta_fyy, beta_gxy, beta_gyy, mu_g, n = symbols("beta_fyy beta_gxy beta_gyy mu_g n")
record_range = symbol("record_range")


score_scale = 2 / n * (L_fx * D_x + L_fy * D_y) + 4 * L_fy * L_gy / mu_g
"""s, as printed: the last term is not divided by n."""

minimiser_shift = 2 * L_gy / (mu_g * n)
score_scale_of_proof = 2 / n * (L_fx * D_x + L_fy * D_y) + 2 * (n - 1) / n * minimiser_shift * L_fy
"""s, as the steps of the proof add up."""

minimiser_slope = beta_gxy / mu_g
difference_slope = 2 * (L_fx / n + L_fy * beta_gxy / (mu_g * n) + L_gy * beta_fxy / (n * mu_g))
first_record_slope = L_fx + L_fy * beta_gxy / mu_g
"""Of f(x, y_Z(x), z_1) in x."""

other_record_slope = 2 * L_gy * beta_fxy / (n * mu_g)
"""Of f(x, y_Z(x), z_i) - f(x, y_Z'(x), z_i) in x, i > 1, as the proof has it."""

half_score_scale = score_scale / 2
"""s/2: what the score changes by, up to a number that does not depend on x."""

record_bound = record_range / n + L_fy * minimiser_shift
"""Of the score itself, where f changes by at most record_range from record to record."""

unsmoothed_difference_slope = 2 * (L_fx / n + L_fy * minimiser_slope + L_gy * beta_fxy / (n * mu_g))
"""Without the 1/n where the chain rule's second term moves every record's loss."""

unsmoothed_record_slope = other_record_slope + 2 * L_fy * minimiser_slope
"""Of f(x, y_Z(x), z_i) - f(x, y_Z'(x), z_i) in x, i > 1, with the chain rule's second term."""

_along_y = beta_fxy + beta_fyy * minimiser_slope + L_fy * (C_gxy + C_gyy * minimiser_slope) / mu_g
smooth_difference_slope = (
    L_fx + 2 * L_fy * minimiser_slope + L_gy / mu_g * _along_y + L_fy * beta_gyy * minimiser_slope / (2 * mu_g)
)
"""G with the chain rule's second term: under Assumption 2.2 Phi_Z - Phi_Z' is (2G/n)-Lipschitz."""

smooth_bound = 2 * smooth_difference_slope / n
"""2G/n."""


MINIMISERS_SET = "the Y of Assumption 2.1, part 4: compact, and it holds every lower minimiser"
LEAST_CURVATURE = next(parameter for parameter in LIPSCHITZ if parameter.name == "least_curvature_g_yy")
QUOTIENT = Parameter("minimiser_quotient", "largest difference quotient of y_Z", nonnegative, "inner/decision")
DIFFERENCE = Parameter("difference_quotient", "largest difference quotient of Phi_Z - Phi_Z'", nonnegative, "loss/decision")
CHANGED = Parameter("changed_quotient", "largest difference quotient of f(x, y_Z(x), z_1)", nonnegative, "loss/decision")
UNCHANGED = Parameter("unchanged_quotient", "the same for one unchanged record", nonnegative, "loss/decision")
STRONGLY_CONVEX = tuple(predicate for predicate in LIPSCHITZ_HOLDS if predicate.test is g_is_strongly_convex)

claims = [
    Claim(
        id="bilevel/thm-3.2-sensitivity",
        title="sensitivity of the centred score",
        kind=Kind.SENSITIVITY,
        source=BILEVEL.at("(4)", "Theorem B.1, proof of privacy"),
        says="For neighbours Z, Z' and every x and x0 in X: |(Phi_Z(x) - Phi_Z(x0)) - (Phi_Z'(x) - Phi_Z'(x0))| <= s with s = "
        "(2/n)(L_fx D_x + L_fy D_y) + 4 L_fy L_gy / mu_g; on the way, for every x, |y_Z(x) - y_Z'(x)| <= 2 L_gy/(mu_g n).",
        parameters=(
            N,
            *LIPSCHITZ,
            D_X,
            D_Y,
            Parameter("centred_change", "supremum of the left side over neighbours, x and x0", nonnegative, "loss"),
            Parameter("largest_shift", "supremum of |y_Z(x) - y_Z'(x)| over neighbours and x", nonnegative, "inner"),
        ),
        formulas={"s": score_scale, "s_of_proof": score_scale_of_proof, "minimiser_shift": minimiser_shift},
        asserts=(
            Relation("centred_change", "<=", "s", step=True),
            Relation("largest_shift", "<=", "minimiser_shift", step=True),
            Relation("s_of_proof", "<=", "s", step=True),
        ),
        preconditions=LIPSCHITZ_HOLDS,
        over=(PROBLEMS, "all neighbours Z, Z'", "all x, x0 in X"),
        adjacency=Adjacency.REPLACE_ONE,
        note="The printed s has no 1/n in its last term, in both transcriptions; the proof gives 4 (n-1) L_fy L_gy/(mu_g "
        "n^2), so the printed bound holds with room, and is not O(1/n). The shift bound holds by values alone (compare G at "
        "the two minimisers), with equality at n = 1: g = mu (y - z)^2/2, z in {0, 1}, Y = {0, 1}, L_gy = mu/2. It takes "
        "the one Y of Assumption 2.1 for all data sets, and D_y >= |y_Z(x) - y_Z(x0)|.",
    ),
    Claim(
        id="bilevel/score-sensitivity",
        title="sensitivity of the exponential mechanism's score",
        kind=Kind.SENSITIVITY,
        source=BILEVEL.at("the remark after Theorem 3.2", "(4)"),
        says="For neighbours Z, Z' and every x in X, the score itself satisfies |Phi_Z(x) - Phi_Z'(x)| <= s, with the s of "
        "(4).",
        uses=("bilevel/thm-3.2-sensitivity",),
        parameters=(
            N,
            *LIPSCHITZ,
            D_X,
            D_Y,
            Parameter("score_change", "supremum of |Phi_Z(x) - Phi_Z'(x)| over neighbours and x", nonnegative, "loss"),
        ),
        formulas={"s": score_scale},
        asserts=(Relation("score_change", "<=", "s", step=True),),
        preconditions=LIPSCHITZ_HOLDS,
        over=(PROBLEMS, "all neighbours Z, Z'", "all x in X"),
        adjacency=Adjacency.REPLACE_ONE,
        note="False as a step, and not needed: f is not bounded and not Lipschitz in the record. f(x, y, z) = z, z in {0, c}, "
        "has L_fx = L_fy = 0, s = 0, and the score changes by c/n. Only the centred score of the appendix is bounded, which "
        "suffices for the mechanism.",
    ),
    Claim(
        id="bilevel/lem-B.5",
        title="Lipschitz continuity of the lower minimiser",
        kind=Kind.SENSITIVITY,
        source=BILEVEL.at("Lemma B.5"),
        says="Let y_Z(x) minimise G_Z(x, y) over y in the Y of Assumption 2.1, g(x, ., z) be mu_g-strongly convex, and "
        "|grad_y G_Z(x, y) - grad_y G_Z(x', y)| <= beta_gxy |x - x'|. Then |y_Z(x) - y_Z(x')| <= (beta_gxy / mu_g) |x - x'|.",
        parameters=(MU_G, LEAST_CURVATURE, *MEAN_MIXED, QUOTIENT),
        formulas={"bound": minimiser_slope},
        asserts=(Relation("minimiser_quotient", "<=", "bound"),),
        preconditions=(*STRONGLY_CONVEX, MEAN_MIXED_HOLDS),
        over=(PROBLEMS, MINIMISERS_SET),
        note="The minimum is over Y here and over R^{d_y} in the definition; the Y of Assumption 2.1 holds every lower "
        "minimiser, so the two are the same, and the proof may set the gradient to zero. A set that does not hold them is "
        "another matter: a convex one has the bound by the variational inequality, {-1, 1} has not.",
    ),
    Claim(
        id="bilevel/lem-B.6",
        title="Lipschitz constant of the objective's change by one record",
        kind=Kind.SENSITIVITY,
        source=BILEVEL.at("Lemma B.6", "Section 3.1, after Theorem 3.3"),
        says="Under Assumption 2.1, with grad_x f beta_fxy-Lipschitz in y and grad_y G_Z beta_gxy-Lipschitz in x: for "
        "neighbours Z, Z' the function Phi_Z - Phi_Z' is Lipschitz with constant 2(L_fx/n + L_fy beta_gxy/(mu_g n) + L_gy "
        "beta_fxy/(n mu_g)). On the way: f(x, y_Z(x), z_1) is (L_fx + L_fy beta_gxy/mu_g)-Lipschitz in x, and for an "
        "unchanged record the difference f(x, y_Z(x), z_i) - f(x, y_Z'(x), z_i) is 2 L_gy beta_fxy/(n mu_g)-Lipschitz in x.",
        uses=("bilevel/lem-B.5", "bilevel/thm-3.2-sensitivity"),
        parameters=(N, *LIPSCHITZ, *OUTER_MIXED, *MEAN_MIXED, DIFFERENCE, UNCHANGED, CHANGED),
        formulas={"bound": difference_slope, "changed_record": first_record_slope, "unchanged_record": other_record_slope},
        asserts=(
            Relation("difference_quotient", "<=", "bound"),
            Relation("unchanged_quotient", "<=", "unchanged_record", step=True),
            Relation("changed_quotient", "<=", "changed_record", step=True),
        ),
        preconditions=(*LIPSCHITZ_HOLDS, OUTER_MIXED_HOLDS, MEAN_MIXED_HOLDS),
        over=(PROBLEMS, "all neighbours Z, Z'"),
        adjacency=Adjacency.REPLACE_ONE,
        note="False, in its rate: the derivative of f(x, y_Z(x), z_i) in x is taken as grad_x f only; the "
        "chain-rule term (d y_Z/d x)^T grad_y f is dropped, though it differs between Z and Z' at every record. Instance: f = "
        "L_fy |y| (or smoothed at any scale; grad_y f need not be Lipschitz here), g = (mu_g/2)(y - b x - z)^2, b = "
        "beta_gxy/mu_g: L_fx = beta_fxy = 0, and between the kinks the slopes differ by 2 L_fy b, n times the bound. For "
        "smooth f and g the true bound needs beta_fyy, C_gxy, C_gyy, beta_gyy, as in (20). The statement prints the conditions "
        "for grad_x f in y and for grad_y G_Z, the theorem that uses it two for f and one for every g(., ., z).",
    ),
    Claim(
        id="bilevel/score-sensitivity-amended",
        amends="bilevel/score-sensitivity",
        kind=Kind.SENSITIVITY,
        source=BILEVEL.at("the remark after Theorem 3.2", "(4)"),
        says="For neighbours Z, Z' there is a number c, the same for all x in X, with |Phi_Z(x) - Phi_Z'(x) - c| <= s/2, "
        "with the s of (4); such a number does not change the law of (4). The score itself satisfies |Phi_Z(x) - Phi_Z'(x)| <= "
        "(B + 2 L_fy L_gy/mu_g)/n where |f(x, y, z) - f(x, y, z')| <= B for all x, y and records.",
        parameters=(
            N,
            *LIPSCHITZ,
            D_X,
            D_Y,
            Parameter("record_range", "B: supremum of |f(x, y, z) - f(x, y, z')|", nonnegative, "loss"),
            Parameter("score_change", "supremum of |Phi_Z(x) - Phi_Z'(x)| over neighbours and x", nonnegative, "loss"),
            Parameter(
                "shifted_change",
                "supremum over neighbours of the least over c of the supremum over x of |Phi_Z(x) - Phi_Z'(x) - c|",
                nonnegative,
                "loss",
            ),
        ),
        formulas={"half_s": half_score_scale, "record_bound": record_bound},
        asserts=(Relation("shifted_change", "<=", "half_s"), Relation("score_change", "<=", "record_bound")),
        preconditions=LIPSCHITZ_HOLDS,
        over=(PROBLEMS, "all neighbours Z, Z'", "all x in X"),
        adjacency=Adjacency.REPLACE_ONE,
    ),
    Claim(
        id="bilevel/lem-B.6-amended",
        amends="bilevel/lem-B.6",
        kind=Kind.SENSITIVITY,
        source=BILEVEL.at("Lemma B.6", "Section 3.1, after Theorem 3.3"),
        says="Under the same conditions Phi_Z - Phi_Z' is Lipschitz with constant 2(L_fx/n + L_fy beta_gxy/mu_g + L_gy "
        "beta_fxy/(n mu_g)): no 1/n in the middle term. f(x, y_Z(x), z_1) is (L_fx + L_fy beta_gxy/mu_g)-Lipschitz in x, and "
        "for an unchanged record the difference is (2 L_gy beta_fxy/(n mu_g) + 2 L_fy beta_gxy/mu_g)-Lipschitz. Where the "
        "problem meets all of Assumption 2.2 as well, the constant is 2G/n, G = L_fx + 2 L_fy b + (L_gy/mu_g)(beta_fxy + "
        "beta_fyy b + L_fy (C_gxy + C_gyy b)/mu_g) + L_fy beta_gyy b/(2 mu_g), b = beta_gxy/mu_g.",
        parameters=(
            N,
            *LIPSCHITZ,
            *OUTER_MIXED,
            *MEAN_MIXED,
            BETA_FYY,
            BETA_GYY,
            C_GXY,
            C_GYY,
            DIFFERENCE,
            UNCHANGED,
            CHANGED,
            Parameter(
                "smooth_quotient",
                "largest difference quotient of Phi_Z - Phi_Z' for a problem that meets Assumption 2.2 with these constants",
                nonnegative,
                "loss/decision",
            ),
        ),
        formulas={
            "bound": unsmoothed_difference_slope,
            "changed_record": first_record_slope,
            "unchanged_record": unsmoothed_record_slope,
            "smooth_bound": smooth_bound,
        },
        asserts=(
            Relation("difference_quotient", "<=", "bound"),
            Relation("unchanged_quotient", "<=", "unchanged_record"),
            Relation("changed_quotient", "<=", "changed_record"),
            Relation("smooth_quotient", "<=", "smooth_bound"),
        ),
        preconditions=(*LIPSCHITZ_HOLDS, OUTER_MIXED_HOLDS, MEAN_MIXED_HOLDS),
        over=(PROBLEMS, "all neighbours Z, Z'"),
        adjacency=Adjacency.REPLACE_ONE,
        note="1/n in every term needs more than the printed conditions: Assumption 2.2, and the G of the amended Theorem 3.3.",
    ),
]
