"""Several products: the policy is run for each product on its own, with a share of the privacy budget."""

from dataclasses import replace
from random import Random

from dpsco.spec.algorithms.objective_perturbation.newsvendor_utility import (
    AT,
    BOUNDED_FEATURES,
    LARGEST_FEATURE,
    LIPSCHITZ_ERROR,
    OPTIMUM,
    OPTIMUM_IN_BALL,
    R_BAR,
    S_LIPSCHITZ,
    STEEPEST,
    epsilon_is_large_enough,
)
from dpsco.spec.claim import Adjacency, Claim, Kind, Provenance, Relation
from dpsco.spec.conjunction import all_of
from dpsco.spec.contract import FINITE, NONNEGATIVE, SUBOPTIMALITY, Inputs, contract
from dpsco.spec.domain import Parameter, naturals, open_unit, positive
from dpsco.spec.expressions import log, sqrt, symbols
from dpsco.spec.inputs import KERNELS
from dpsco.spec.losses.kernels import Kernel
from dpsco.spec.papers import NEWSVENDOR
from dpsco.spec.parameters import B_X, DELTA, EPSILON, K_BAR, KAPPA_2, LAMBDA, RISK, B, D, H, N
from dpsco.spec.predicate import Predicate

B_x, K_bar, M, S, d, delta, delta_0, epsilon = symbols("B_x K_bar M S d delta delta_0 epsilon")
epsilon_0, h, kappa_2, lambda_, n, r_bar, s = symbols("epsilon_0 h kappa_2 lambda_ n r_bar s")


def any_products(random: Random) -> Inputs:
    """Up to three products over the same features, n < d among them, each with a level of its own."""
    n, d, S = random.choice((1, 2, 5, 20)), random.choice((1, 2, 4)), random.choice((1, 2, 3))
    X = [[random.gauss(0, 1) for _ in range(d)] for _ in range(n)]
    return {
        "kernel": random.choice(KERNELS),
        "X": X,
        "Y": [[sum(row) + random.gauss(0, 1) for row in X] for _ in range(S)],
        "normals": [[random.gauss(0, 1) for _ in range(d)] for _ in range(S)],
        "h": 10 ** random.uniform(-2, 1),
        "r": [random.uniform(0.02, 0.98) for _ in range(S)],
        "lambda_": 10 ** random.uniform(-3, 1),
        "epsilon": 10 ** random.uniform(-1, 1),
        "delta": 10 ** random.uniform(-8, -1),
        "B_x": 1.0,
        "tolerance": 1e-8,
    }


@contract(metric=SUBOPTIMALITY, range=(FINITE, NONNEGATIVE), generate=any_products)
def policies(
    kernel: Kernel,
    X: object,
    Y: object,
    normals: object,
    h: float,
    r: object,
    lambda_: float,
    epsilon: float,
    delta: float,
    B_x: float,
    tolerance: float,
) -> tuple[object, object]:
    """One objective perturbation a product, each with its share of the budget, and the gradients' norms there.

    theta_s minimises product s's perturbed objective with b_s = sigma_s normals_s, sigma_s the printed noise of one run at
    (epsilon_product, delta_product) and L = max(r_s, 1 - r_s) B_x

    Domain   X: n x d, Y: S x n demands, normals: S x d of standard normal numbers, r: S levels in (0, 1), h, lambda_, epsilon,
             B_x, tolerance > 0, 0 < delta < 1
    Returns  (theta: S x d (decision), norms: S (loss/decision)); what `regress` measures is the largest norm over `tolerance`
    Raises   ValueError for an unknown kernel, or where Y, normals and r are not of S products
    Source   newsvendor, Proposition 1; the noise of one run is Lemma EC.1's
    """


epsilon_product = epsilon / (2 * sqrt(2 * S * log(2 / delta)))
delta_product = delta / (2 * S)
lipschitz_total = r_bar * B_x * sqrt(S)
smoothness_total = K_bar * B_x**2 * sqrt(S) / h
sigma_product = lipschitz_total * sqrt(8 * log(1 / delta_0) + 4 * epsilon_0) / epsilon_0
risk_variance = lipschitz_total**2 / n + d * S * sigma_product**2 / n**2
"""(L^S)^2 / n + d S sigma_0^2 / n^2."""

lambda_printed = risk_variance / (M / B**2)
lambda_balanced = sqrt(lambda_printed)
"""The root of lambda_printed, which balances the first three terms."""

rate_raw = risk_variance / lambda_ + lambda_ * M / B**2 + S**3 / (lambda_**2 * n**2 * epsilon_0**2)
rate_product = 1 / sqrt(n) + sqrt(S * d * log(S / delta)) / (n * epsilon)
rate_total = sqrt(S / n) + sqrt(S * S * d * log(S / delta)) / (n * epsilon)
epsilon_rate = sqrt(sqrt(S**5 / n))
"""epsilon has to be Omega of this."""

rate_product_amended = 1 / sqrt(n) + sqrt(S * d * log(2 * S / delta) * log(2 / delta)) / (n * epsilon)
rate_total_amended = S * rate_product_amended
"""S times the rate of one product."""

budget_is_moderate = epsilon <= 8 * log(2 / delta)
budget_is_spent = all_of(2 * epsilon_0 >= epsilon_product, 2 * delta_0 >= delta_product)
share_is_large_enough = epsilon_is_large_enough.where({"epsilon": epsilon_0})
budget_is_shared = all_of(epsilon_0 <= epsilon_product, delta_0 <= delta_product)


SHARED = Predicate(
    "the budget of a run is its share under advanced composition",
    budget_is_shared,
    accepts={"S": 4, "epsilon": "1", "delta": "0.01", "epsilon_0": "0.05", "delta_0": "0.001"},
    rejects={"S": 4, "epsilon": "1", "delta": "0.01", "epsilon_0": "0.5", "delta_0": "0.001"},
)
SPENT = Predicate(
    "a run spends at least half of its share",
    budget_is_spent,
    accepts={"S": 4, "epsilon": "1", "delta": "0.01", "epsilon_0": "0.1", "delta_0": "0.001"},
    rejects={"S": 4, "epsilon": "1", "delta": "0.01", "epsilon_0": "0.01", "delta_0": "0.001"},
)
MODERATE = Predicate(
    "epsilon <= 8 ln(2/delta)",
    budget_is_moderate,
    accepts={"epsilon": "1", "delta": "0.01"},
    rejects={"epsilon": "40", "delta": "0.5"},
)
LARGE_SHARE = Predicate(
    "epsilon_0 >= K_bar sqrt(s kappa_2 B B_x) / (2 sqrt(r_bar^3)) n^(-1/4)",
    share_is_large_enough,
    accepts={"epsilon_0": "1", **AT},
    rejects={"epsilon_0": "0.01", **AT},
)

PRINTED = Claim(
    id="newsvendor/prop-1",
    title="private orders of several products",
    kind=Kind.RATE,
    source=NEWSVENDOR.at("Proposition 1", "proof in EC.3.3", "displays (EC.48) to (EC.51)"),
    says="For S products, each private policy is run once a product at (epsilon_0, delta_0), chosen so that advanced "
    "composition makes all runs together (epsilon, delta)-DP. Each product's excess risk is O(1/sqrt(n) + "
    "sqrt(S d ln(S/delta)) / (n epsilon)). The sum over products is treated as one problem in d S dimensions that is L^S = "
    "r_bar B_x sqrt(S) Lipschitz and beta^S = K_bar B_x^2 sqrt(S) / h smooth, with noise sigma_0 = L^S sqrt(8 "
    "ln(1/delta_0) + 4 epsilon_0) / epsilon_0 a coordinate; its excess risk is O((L^S)^2 / (n lambda) + d S sigma_0^2 / "
    "(n^2 lambda) + lambda M / B^2 + S^3 / (lambda^2 n^2 epsilon_0^2)), M a bound of demand; with lambda = ((L^S)^2 / n + "
    "d S sigma_0^2 / n^2) / (M / B^2) it is O(sqrt(S/n) + sqrt(S * S d ln(S/delta)) / (n epsilon)) if epsilon >= "
    "Omega(S^(5/4) / n^(1/4)).",
    uses=("newsvendor/lem-EC.3", "newsvendor/thm-2", "newsvendor/thm-4", "newsvendor/thm-6"),
    parameters=(
        Parameter("S", "number of products", naturals),
        EPSILON,
        DELTA,
        N,
        D,
        B,
        B_X,
        R_BAR.means("largest max(r, 1 - r) of the products"),
        K_BAR,
        H,
        LAMBDA,
        Parameter("epsilon_0", "epsilon of one product's run", positive, "nat"),
        Parameter("delta_0", "delta of one product's run", open_unit),
        Parameter("M", "bound of demand", positive),
        RISK,
    ),
    formulas={
        "epsilon_product": epsilon_product,
        "delta_product": delta_product,
        "lipschitz_total": lipschitz_total,
        "smoothness_total": smoothness_total,
        "sigma_product": sigma_product,
        "risk_variance": risk_variance,
        "lambda_printed": lambda_printed,
        "lambda_balanced": lambda_balanced,
        "rate_raw": rate_raw,
        "rate_product": rate_product,
        "rate_total": rate_total,
        "epsilon_rate": epsilon_rate,
    },
    asserts=(
        Relation("all S runs", "is", "(epsilon, delta)-DP"),
        Relation("excess risk of one product", "<=O", "rate_product"),
        Relation("Lipschitz constant of the summed loss", "<=", "lipschitz_total"),
        Relation("smoothness constant of the summed loss", "<=", "smoothness_total"),
        Relation("total excess risk", "<=O", "rate_raw"),
        Relation("rate_raw at lambda_printed", "<=O", "rate_total", step=True),
        Relation("total excess risk", "<=O", "rate_total"),
    ),
    preconditions=(SHARED,),
    over=("numbers of products", "joint distributions of features and demands", "the three policies"),
    adjacency=Adjacency.REPLACE_ONE,
    releases="the outputs of all S runs",
    provenance=Provenance.REBUILT,
    note="Rebuilt; the values of (epsilon_0, delta_0) are not at hand, here by our own reading those of Theorem 3's proof "
    "with S for T. Faults: (1) a product's rate loses the factor sqrt(ln(1/delta)) that epsilon_0 brings; (2) lambda_printed "
    "lacks a root: the first two terms are then M / B^2, which does not fall with n; (3) even with the root, sigma_0 with L^S "
    "gives S^(3/2), not S, in the second term; (4) S independent copies of a hard problem have total risk of order S / "
    "sqrt(n), which sqrt(S/n) denies unless M is a bound that does not grow with S; the balanced bound is sqrt(M S / n); with "
    "|theta^S|^2 <= S B^2 it would be S / sqrt(n). (5) The regulariser is printed unsquared in the joint objective.",
)

claims = [
    PRINTED,
    replace(
        PRINTED,
        id="newsvendor/prop-1-amended",
        amends="newsvendor/prop-1",
        says="For S products objective perturbation is run once a product at (epsilon_0, delta_0), a run's share, half of it "
        "spent at least; if each run is (epsilon_0, delta_0)-DP, epsilon <= 8 ln(2/delta), all runs are (epsilon, delta)-DP. "
        "For linear demand with s-Lipschitz errors, |x| <= B_x, minimisers in the ball and epsilon_0 above Theorem 2's "
        "threshold each product's excess risk, before projection, is O(1/sqrt(n) + sqrt(S d ln(2S/delta) ln(2/delta)) / (n "
        "epsilon)), the sum over products O of S times that; the summed loss is r_bar B_x sqrt(S) Lipschitz and K_bar B_x^2 "
        "sqrt(S) / h smooth.",
        parameters=(*PRINTED.parameters, KAPPA_2, S_LIPSCHITZ, LARGEST_FEATURE, OPTIMUM, STEEPEST),
        formulas={
            "epsilon_product": epsilon_product,
            "delta_product": delta_product,
            "lipschitz_total": lipschitz_total,
            "smoothness_total": smoothness_total,
            "rate_product": rate_product_amended,
            "rate_total": rate_total_amended,
        },
        asserts=tuple(r for r in PRINTED.asserts if "rate_raw" not in (r.left + r.right)),
        preconditions=(SHARED, SPENT, MODERATE, LARGE_SHARE, BOUNDED_FEATURES, OPTIMUM_IN_BALL, LIPSCHITZ_ERROR),
        over=("numbers of products", "joint distributions of features and demands", "objective perturbation, not projected"),
        note="S/sqrt(n) is what S independent products cost every algorithm. That each run is private is claimed elsewhere.",
    ),
]
