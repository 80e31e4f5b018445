"""Warm start: the exponential mechanism finds a point of small objective, from which the private descent starts."""

from random import Random

from dpsco.spec.algorithms.bilevel_descent.algorithm import BETA_PHI, K_SENS
from dpsco.spec.algorithms.exponential_sampling.utility import exponential_rate, outer_scale
from dpsco.spec.claim import Adjacency, Claim, Kind, Relation
from dpsco.spec.contract import PROBABILITY, SUM_SCALED, Inputs, contract
from dpsco.spec.domain import Parameter, nonnegative, positive
from dpsco.spec.expressions import E, log, minimum, sqrt, symbols
from dpsco.spec.losses.bilevel.assumptions import D_X, D_X_DIM, D_Y, PROBLEMS
from dpsco.spec.losses.bilevel.hypergradient import ASSUMED, HOLDS
from dpsco.spec.papers import BILEVEL
from dpsco.spec.parameters import DELTA, EPSILON, D, N
from dpsco.spec.predicate import Predicate

D_x, K, L_bar, Psi, beta_Phi, d, d_x, delta = symbols("D_x K L_bar Psi beta_Phi d d_x delta")
epsilon, failure, gap_inside, n = symbols("epsilon failure gap_inside n")


epsilon_of_each_stage = epsilon / 2
delta_of_each_stage = delta / 2
"""As the box has it; the main text gives 0 to the first stage and all of delta to the second."""

_scale = K * Psi ** E("1/2") * beta_Phi ** E("1/2")
warm_rate = sqrt(_scale) * sqrt(d_x * sqrt(log(1 / delta)) / (n * epsilon) ** E("3/2"))
warm_rate_of_proof = sqrt(K * sqrt(beta_Phi * Psi * (d_x / (epsilon * n))) * sqrt(d_x * log(1 / delta)) / (epsilon * n))
approximate_minimum = Psi * d / (epsilon * n)
bad_event_cost = L_bar * D_x * failure
"""What the proof adds for the event that the first stage fails."""

descent_term = sqrt(sqrt(d_x) / (epsilon * n))
warm_start_term = sqrt(d_x) / (epsilon * n) ** E("3/4")
sampling_term = d_x / (epsilon * n)
combined_rate = minimum(descent_term, warm_start_term, sampling_term, 1)
near_minimiser_is_inside = gap_inside * epsilon * n <= Psi * d


def any_values(random: Random) -> Inputs:
    """Up to 50 values of an objective, close together, far apart or equal, at temperatures from cold to hot."""
    scale, count = 10 ** random.uniform(-6, 6), random.choice((1, 2, 7, 50))
    return {
        "values": [random.choice((0.0, 1.0, random.gauss(0, 1))) * scale for _ in range(count)],
        "epsilon": 10 ** random.uniform(-3, 2),
        "s": scale * 10 ** random.uniform(-2, 2),
    }


@contract(metric=SUM_SCALED, range=PROBABILITY, generate=any_values)
def start_weights(values: object, epsilon: float, s: float) -> object:
    """Probabilities of the candidates for x_0: the first stage on a finite set that is fixed without the data.

    p_i = e^(-k v_i)/(sum of e^(-k v_j)), k = (epsilon/2)/(2 s)

    Domain   values: Phi_Z at each candidate, at least one (loss); epsilon > 0, s > 0 (loss)
    Returns  as many probabilities; their error is measured against p_i (1 + k (v_i - least v)) and the mean of that
    Raises   ValueError for no values, values that are not finite, epsilon or s not positive
    Source   bilevel, Algorithm 2 with (4)
    Deviation: (4) is a density on X; on a finite set the proof of privacy is the same
    """


PSI = Parameter("Psi", "L_fx D_x + L_fy D_y + L_fy L_gy/mu_g", positive, "loss")
MEAN = Parameter("mean_norm", "E |grad Phi_Z| at the output", nonnegative, "loss/decision")

claims = [
    Claim(
        id="bilevel/alg-2",
        title="warm-started private descent",
        kind=Kind.ALGORITHM,
        source=BILEVEL.at("Section 4.2", "Algorithm 2", "Theorem C.5, proof of privacy"),
        says="Input Z, f, g, (epsilon, delta), a private minimiser A, a private finder B of stationary points. Run A on Phi_Z "
        "with (epsilon/2, delta/2) to get x_0; run B on Phi_Z from x_0 with (epsilon/2, delta/2) to get x_priv; return "
        "x_priv. In the main text A has epsilon/2 (pure) and B (epsilon/2, delta). Either way (epsilon, delta)-DP by basic "
        "composition.",
        parameters=(EPSILON, DELTA),
        formulas={"epsilon_stage": epsilon_of_each_stage, "delta_stage": delta_of_each_stage},
        asserts=(Relation("x_priv", "is", "(epsilon, delta)-DP"),),
        over=(PROBLEMS, "all private A, all B that are private for every x_0"),
        adjacency=Adjacency.REPLACE_ONE,
        releases="x_priv, and x_0 too by composition",
        note="Main text: (epsilon/2, 0) + (epsilon/2, delta); box: twice (epsilon/2, delta/2). Both add up. The text takes "
        "the exponential mechanism (4) for A and Algorithm 1 for B, and calls both private: Algorithm 1 is not as printed "
        "(bilevel/thm-4.2-privacy: its T is a function of Phi_Z(x_0) - inf Phi_Z), with a public T it is (the amendment); (4) "
        "is bilevel/thm-3.2. A needs a bounded X, B is stated for X = R^{d_x}.",
    ),
    Claim(
        id="bilevel/thm-4.3",
        title="stationarity after a warm start",
        kind=Kind.UTILITY,
        source=BILEVEL.at("Theorem 4.3", "Theorem C.5"),
        says="Under Assumptions 2.1 and 2.2, if a compact X of diameter D_x holds an approximate global minimiser, within Psi "
        "d/(epsilon n) of inf Phi_Z with Psi = L_fx D_x + L_fy D_y + L_fy L_gy/mu_g, some (epsilon, delta)-DP instance of "
        "Algorithm 2 has E |grad Phi_Z(x_priv)| at most, up to logarithms, [K Psi^{1/2} beta_Phi^{1/2}]^{1/2} (d_x "
        "sqrt(ln(1/delta))/(n epsilon)^{3/2})^{1/2}. By way of: with probability 1 - zeta the first stage ends within "
        "(d_x/(epsilon n)) Psi of the minimum up to logarithms; Theorem 4.2 from there; and a cost of L_bar D_x zeta for the "
        "rest.",
        uses=("bilevel/alg-2", "bilevel/eq-4", "bilevel/thm-3.2", "bilevel/thm-4.2", "bilevel/thm-4.2-privacy"),
        parameters=(
            EPSILON,
            DELTA,
            N,
            D,
            D_X_DIM,
            *ASSUMED,
            D_X,
            D_Y,
            K_SENS,
            BETA_PHI,
            PSI,
            Parameter("gap_inside", "min of Phi_Z over X, less its infimum over R^{d_x}", nonnegative, "loss"),
            Parameter("L_bar", "L_fx + beta_gxy L_fy/mu_g", nonnegative, "loss/decision"),
            Parameter("failure", "probability that the first stage fails (zeta)", positive),
            MEAN,
        ),
        formulas={
            "rate": warm_rate,
            "rate_of_proof": warm_rate_of_proof,
            "Psi_defined": outer_scale,
            "first_stage": exponential_rate,
            "allowed_gap": approximate_minimum,
            "bad_event": bad_event_cost,
        },
        asserts=(
            Relation("mean_norm", "<=O", "rate times logarithms"),
            Relation("rate", "=", "rate_of_proof"),
        ),
        preconditions=(
            *HOLDS,
            Predicate(
                "X holds a point within Psi d/(epsilon n) of the infimum",
                near_minimiser_is_inside,
                accepts={"gap_inside": "0.5", "Psi": "4", "d": 2, "epsilon": "0.5", "n": 20},
                rejects={"gap_inside": "0.9", "Psi": "4", "d": 2, "epsilon": "0.5", "n": 20},
            ),
        ),
        over=(PROBLEMS, "some instance of Algorithm 2"),
        adjacency=Adjacency.REPLACE_ONE,
        releases="x_priv",
        note="False at large epsilon (domain), for every private algorithm: n = 1, delta = 1/2, d_x = epsilon/2, inside "
        "the regime d_x <= n epsilon: wells at e^{3 d_x} places, mean gradient 0.024 at least for large epsilon, rate of order "
        "epsilon^{-1/4}. For epsilon up to a "
        "multiple of ln(1/delta) it holds with one logarithm. Steps: the first stage with the s of (4), without 1/n, "
        "does not end within the printed gap; the bad event is charged L_bar D_x zeta, a loss, for a gradient norm "
        "(L_bar zeta is right). d stands for d_x. The mean gap at x_0 suffices, no event is needed.",
    ),
    Claim(
        id="bilevel/eq-3",
        title="best rate for nonconvex objectives",
        kind=Kind.RATE,
        source=BILEVEL.at("(3)", "Section C.3"),
        says="With the problem's constants fixed, a private algorithm reaches E |grad Phi_Z| at most, up to logarithms, the "
        "least of (sqrt(d_x)/(epsilon n))^{1/2} (Theorem 4.2), sqrt(d_x)/(epsilon n)^{3/4} (Theorem 4.3), d_x/(epsilon n) "
        "(the sampler of Section C.3) and 1 (a fixed point).",
        uses=("bilevel/sec-C.3", "bilevel/thm-4.2", "bilevel/thm-4.3"),
        parameters=(EPSILON, DELTA, N, D_X_DIM, *ASSUMED, MEAN),
        formulas={
            "rate": combined_rate,
            "descent": descent_term,
            "warm_start": warm_start_term,
            "sampling": sampling_term,
        },
        asserts=(Relation("mean_norm", "<=O", "rate times logarithms"),),
        preconditions=HOLDS,
        over=(PROBLEMS, "existence of an (epsilon, delta)-DP algorithm, chosen by d_x, epsilon and n"),
        adjacency=Adjacency.REPLACE_ONE,
        releases="the upper decision x",
        note="False twice (domain): without a stationary point (f = x_1) no output has a small gradient; and at large "
        "epsilon by the wells of Theorem 4.3. For a known compact convex X that holds a minimiser, and epsilon up to "
        "a multiple of ln(1/delta), it holds up to logarithms, with the repaired sampler of Section C.3. The trivial "
        "bound is L_fx + beta_gxy L_fy/mu_g. Order of the terms: with q = epsilon n, sampling is least for d_x <= "
        "q^{1/2}, warm start for q^{1/2} <= d_x <= q, descent for q <= d_x <= q^2.",
    ),
]
