"""Privacy of exponential descent: the whole run, the final decision alone, and privacy together with utility."""

from collections.abc import Callable, Mapping

from dpsco.spec.algorithms.exponential_descent.algorithm import ITERATES, STEP_EPSILON
from dpsco.spec.algorithms.exponential_descent.utility import (
    BOUNDED_FEATURE,
    DIMENSION,
    LARGEST_FEATURE,
    least_regret,
    regret,
    step_length,
)
from dpsco.spec.algorithms.exponential_descent.utility import smoothing as smoothing_of_step
from dpsco.spec.claim import Adjacency, Claim, Kind, Relation
from dpsco.spec.expressions import symbols
from dpsco.spec.losses.spo.smoothing import (
    BOUNDED_DECISION,
    BOUNDED_GRADIENT,
    BOUNDED_MINIMISER,
    DECISION_BOUND,
    LARGEST_DECISION,
    LARGEST_GRADIENT,
    LIPSCHITZ,
    MINIMISER_NORM,
    MODEL_BOUND,
    STEP,
)
from dpsco.spec.numbers import Real
from dpsco.spec.papers import SPO
from dpsco.spec.parameters import B_X, DELTA, EPSILON, RISK, N
from dpsco.spec.privacy.composition.pure import per_step
from dpsco.spec.privacy.randomised_response import EPSILON_0, favoured, likelihood_ratio, public_step, unfavoured

B_B, B_w, B_x, L, T, d, delta, epsilon, epsilon_0 = symbols("B_B B_w B_x L T d delta epsilon epsilon_0")
eta, n = symbols("eta n")

ONE_DRAW = EPSILON_0.means("parameter of one draw of a direction; the claim is about epsilon_0 = step_epsilon")

PUBLIC_NORM = LIPSCHITZ.means("a public number in the place of the gradient's norm, a bound on it where there is one")


step_epsilon = per_step.where({"k": T})
"""Parameter of one iteration for the totals epsilon and delta over T iterations."""

step_epsilon_at_n = per_step.where({"k": n**2})
"""The same at Theorem 4's T = n^2."""

regret_as_private = regret.where({"epsilon": step_epsilon_at_n})
"""Theorem 4's bound at the per-step parameter that Theorem 3 needs for the total epsilon."""

smoothing_as_private = smoothing_of_step.where({"epsilon": step_epsilon_at_n})
step_length_as_private = step_length.where({"epsilon": step_epsilon_at_n})
least_regret_as_private = least_regret.where({"epsilon": step_epsilon_at_n})
"""The amended bound at the per-step parameter."""

composed = (T - 1) * epsilon
"""Total of T - 1 steps of parameter epsilon."""

favoured_at_step = favoured.where({"epsilon": epsilon_0})
unfavoured_at_step = unfavoured.where({"epsilon": epsilon_0})


EVERYTHING = "G_1, ..., G_{T-1}, B_1, ..., B_T, the decisions w*(B_t x_{n+1}), c_hat and w*(c_hat)"
DRAWN: Mapping[str, Callable[..., Real]] = {"favoured": favoured, "unfavoured": unfavoured, "step": public_step}
"""How a direction is drawn, epsilon being one step's parameter, and the length of the step where it is public."""
DRAWN_AT_STEP: Mapping[str, Callable[..., Real]] = {"favoured": favoured_at_step, "unfavoured": unfavoured_at_step}
"""The same where epsilon is the total and epsilon_0 one step's parameter."""

claims = [
    Claim(
        id="spo/thm-3",
        title="privacy of exponential descent",
        kind=Kind.PRIVACY,
        source=SPO.at("Theorem 3", "Lemmas 2 and 3", "display before Theorem 3"),
        says="If every iteration of exponential descent is run with epsilon_0 = (sqrt(2 ln(1/delta) + 2 epsilon) - sqrt(2 "
        "ln(1/delta))) / sqrt(3k), k being the number of iterations, the algorithm is (epsilon, delta)-DP, for every number "
        "of iterations T >= 1.",
        uses=("spo/alg-1", "spo/eps0", "spo/lem-2", "spo/lem-3"),
        parameters=(EPSILON.means("total privacy parameter"), DELTA, ITERATES),
        formulas={"step_epsilon": step_epsilon},
        asserts=(Relation("exponential descent with step_epsilon", "is", "(epsilon, delta)-DP"),),
        over=("every pair of neighbouring data sets", "every n, d, p, S, eta, mu and x_{n+1}"),
        adjacency=Adjacency.REPLACE_ONE,
        releases="decisions of all steps and the output c_hat, w*(c_hat); the claim's own words name only the algorithm",
        note="Three releases: the transcript B_1, ..., B_T; c_hat; the decision. k is T or T - 1 (fewer steps is the milder "
        "reading). False for transcript and c_hat: the step length eta |gradient| is not noised. n = 1, d = p = 1, T = 2: "
        "c_hat is +-(eta |gradient|/2) x_{n+1}, of disjoint supports for x_1 = 1 and x_1 = 2. Also for the decision: d = 2, "
        "disc, x_1 = 0 leaves B = 0 and w*(0) surely, x_1 != 0 gives w* a density. No clipping, no bound on |x| is asked for.",
    ),
    Claim(
        id="spo/thm-3-amended",
        amends="spo/thm-3",
        kind=Kind.PRIVACY,
        source=SPO.at("Theorem 3", "Algorithm 1", "display before Theorem 3"),
        says="Exponential descent with the step length eta L in the place of eta |gradient|, eta and L numbers that are public "
        "(fixed without the data; L a bound on the gradient's norm where there is one), every direction drawn with epsilon_0 = "
        "(sqrt(2 ln(1/delta) + 2 epsilon) - sqrt(2 ln(1/delta))) / sqrt(3T), is (epsilon, delta)-DP for every T "
        ">= 1, whatever of its directions, iterates, decisions and predictions is released.",
        parameters=(EPSILON.means("total privacy parameter"), DELTA, ITERATES, ONE_DRAW, STEP, PUBLIC_NORM),
        formulas={"step_epsilon": step_epsilon, **DRAWN, **DRAWN_AT_STEP},
        asserts=(Relation("exponential descent with step_epsilon", "is", "(epsilon, delta)-DP"),),
        over=("every pair of neighbouring data sets", "every n, d, p, S, eta, L, mu and x_{n+1}, fixed and public"),
        adjacency=Adjacency.REPLACE_ONE,
        releases=EVERYTHING,
    ),
    Claim(
        id="spo/sec-4-final",
        title="privacy of the final decision alone",
        kind=Kind.PRIVACY,
        source=SPO.at("Section 4, after Lemma 2"),
        says="Exponential descent whose every step is run with parameter epsilon is epsilon-DP as a whole when only the final "
        "decision w is disclosed: post-processing keeps epsilon because each step has it.",
        uses=("spo/lem-2", "spo/sec-2.3"),
        parameters=(STEP_EPSILON, ITERATES),
        formulas={"likelihood_ratio": likelihood_ratio},
        asserts=(Relation("the final decision", "is", "epsilon-DP"),),
        over=("every pair of neighbouring data sets", "every T, n, d, p, S, eta and mu"),
        adjacency=Adjacency.REPLACE_ONE,
        releases="only the final decision w*(c_hat)",
        note="False: the final decision is a function of all T - 1 steps, each of which reads the data anew; post-processing "
        "gives the composed parameter, not one step's. For T = 2 it holds on S = [-1, 1], d = 1 with nonzero gradients; it "
        "fails on the disc with x_1 = 0 against x_1 != 0 (atom against density), and for T >= 3 by accumulation of steps of "
        "data-chosen length.",
    ),
    Claim(
        id="spo/sec-4-final-amended",
        amends="spo/sec-4-final",
        kind=Kind.PRIVACY,
        source=SPO.at("Section 4, after Lemma 2", "Algorithm 1"),
        says="Exponential descent with the step length eta L in the place of eta |gradient|, eta and L numbers that are public "
        "(fixed without the data; L a bound on the gradient's norm where there is one), every direction drawn with epsilon, is "
        "((T - 1) epsilon)-DP as a whole: for the final decision, by post-processing, as for all else.",
        parameters=(STEP_EPSILON, ITERATES, STEP, PUBLIC_NORM),
        formulas={"total": composed, **DRAWN},
        asserts=(Relation("the whole run, and so the final decision", "is", "total-DP"),),
        over=("every pair of neighbouring data sets", "every n, d, p, S, eta, L, mu and x_{n+1}, fixed and public"),
        adjacency=Adjacency.REPLACE_ONE,
        releases=EVERYTHING,
    ),
    Claim(
        id="spo/thm-3-and-4",
        title="one run of exponential descent, private and accurate",
        kind=Kind.BOUND,
        source=SPO.at("Theorem 3", "Theorem 4", "Abstract and contribution 2"),
        says="One and the same exponential descent, T = n^2, is (epsilon, delta)-DP and has Theorem 4's bound on its excess "
        "risk with that same epsilon: 2 sqrt(h B_B^2/(4 n^2) (L^2 (1 + n^2)/n + h (L^2/4 + B_w^2/4))), h = (e^epsilon - "
        "1)/(e^epsilon + 1). Theorem 3 runs every step with epsilon_0 = (sqrt(2 ln(1/delta) + 2 epsilon) - sqrt(2 "
        "ln(1/delta)))/(sqrt(3) n), so that Theorem 4 bounds it with epsilon_0 in place of epsilon.",
        uses=("spo/thm-3", "spo/thm-4"),
        parameters=(
            *(N, EPSILON.means("total privacy parameter"), DELTA, LIPSCHITZ, MODEL_BOUND, DECISION_BOUND, RISK),
            *(LARGEST_GRADIENT, LARGEST_DECISION, MINIMISER_NORM),
        ),
        formulas={"step_epsilon_at_n": step_epsilon_at_n, "regret": regret, "regret_as_private": regret_as_private},
        asserts=(
            Relation("risk of the (epsilon, delta)-DP run", "<=", "regret"),
            Relation("risk of the (epsilon, delta)-DP run", "<=", "regret_as_private"),
        ),
        preconditions=(BOUNDED_GRADIENT, BOUNDED_DECISION, BOUNDED_MINIMISER),
        over=("every law of (c, x)", "every nonempty compact convex S"),
        note="The same letter epsilon means the total in Theorem 3 and one step's parameter in Theorem 4. epsilon_0 is of "
        "order 1/n, h_0 of order epsilon_0/2: regret_as_private falls below regret and is O(1/n), which beats the lower bound "
        "n^(-1/2) of Theorem 5, so the two cannot both hold. With the factor 1/h that line (e) of the proof carries instead "
        "of h the bound at epsilon_0 does not fall with n at all.",
    ),
    Claim(
        id="spo/thm-3-and-4-amended",
        amends="spo/thm-3-and-4",
        kind=Kind.BOUND,
        source=SPO.at("Theorem 3", "Theorem 4", "Abstract and contribution 2"),
        says="Exponential descent whose T = n^2 directions are drawn with epsilon_0 = (sqrt(2 ln(1/delta) + 2 epsilon) - sqrt("
        "2 ln(1/delta)))/(sqrt(3) n), on features of norm at most B_x, smoothed with mu = 2 B_x^2 eta/q_0, q_0 = (e^epsilon_0 "
        "- 1)/(e^epsilon_0 + 1) Gamma(d/2)/(sqrt(pi) Gamma((d + 1)/2)), with spo/thm-4-amended's eta at epsilon_0: the average "
        "of its iterates, not projected, has an expected excess population risk of at most 2 sqrt(B_B^2/(2 n^2 q_0) (L^2 (1 + "
        "n^2)/n + (L^2/2 + B_x^2 B_w^2)/q_0)).",
        parameters=(
            *(N, EPSILON.means("total privacy parameter"), DELTA, DIMENSION, STEP, LIPSCHITZ, MODEL_BOUND, DECISION_BOUND),
            *(B_X, RISK, LARGEST_GRADIENT, LARGEST_DECISION, LARGEST_FEATURE, MINIMISER_NORM),
        ),
        formulas={
            "step_epsilon_at_n": step_epsilon_at_n,
            "smoothing": smoothing_as_private,
            "step_length": step_length_as_private,
            "regret_as_private": least_regret_as_private,
        },
        asserts=(Relation("risk of the run with step_epsilon_at_n", "<=", "regret_as_private"),),
        preconditions=(BOUNDED_GRADIENT, BOUNDED_DECISION, BOUNDED_MINIMISER, BOUNDED_FEATURE),
        over=("every law of (c, x)", "every nonempty compact convex S"),
        note="The directions alone are (epsilon, delta)-DP, the run with its own step lengths is not (spo/thm-3). q_0 is of "
        "order 1/n: the bound does not fall with n. It is at least 2 sqrt(1/a + 1/a^2) L B_B, a = n epsilon_0, at every n "
        "and d: more than the risk L B_B that answering 0 has at most, wherever epsilon < 34.9, whatever delta. At d = 1, L "
        "= 4 B_x B_w, epsilon = 1, delta = 1e-5 and n large it is 18.9 times that: true, and of no use in the usual range.",
    ),
]
