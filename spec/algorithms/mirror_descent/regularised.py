"""Regularised private mirror descent in l_p^d, 1 < p < 2: full-batch noisy gradients, a weighted average released.

Phi is the potential of `analysis.geometry.regularity`; the regularisation alpha Phi makes the iteration contract. What it
reaches stands in `regularised_utility`.
"""

from fractions import Fraction
from random import Random

from dpsco.spec.algorithms.mirror_descent.regularised_steps import STEP, STRONGLY_CONVEX
from dpsco.spec.analysis.geometry.regularity import ALPHA, P_BELOW_TWO, kappa_printed
from dpsco.spec.claim import Adjacency, Claim, Kind, Provenance, Relation
from dpsco.spec.conditions import gradients_are_bounded
from dpsco.spec.contract import FINITE, SUM_SCALED, Inputs, contract
from dpsco.spec.domain import Integers, Interval, Parameter, naturals, nonnegative, reals
from dpsco.spec.expressions import log, symbol, symbols
from dpsco.spec.inputs import KERNELS
from dpsco.spec.lemmas import Status, lemma
from dpsco.spec.nouns import INTEGER, Noun
from dpsco.spec.numbers import Numbers, Real
from dpsco.spec.papers import LP
from dpsco.spec.parameters import BETA, DELTA, EPSILON, D, L, N, T
from dpsco.spec.predicate import Predicate
from dpsco.spec.statement import Statement, Symbol, statement

alpha, beta, delta, divergence, epsilon = symbols("alpha beta delta divergence epsilon")
gradient_difference, kappa, least_modulus, linear = symbols("gradient_difference kappa least_modulus linear")
n, potential, t = symbols("n potential t")

KAPPA = Parameter("kappa", "min(1/(p-1), 2 ln d), regularity constant of the dual space", Interval("1", "inf"))
REGULAR_KAPPA = KAPPA.means("min(1/(p-1), 2 e ln d), regularity constant of the dual space")
STEP_NUMBER = Parameter("t", "number of the step", naturals)
LARGEST_GRADIENT_NORM = Parameter(
    "largest_gradient_norm", "largest dual norm of a gradient, all w and records", nonnegative, L.unit
)


proximal_objective = linear + beta * divergence + alpha * potential
weight = ((2 * beta + alpha) / (2 * beta)) ** t
gradient_sensitivity = 2 * L / n
noise_scale_rate = L**2 * kappa * T * log(1 / delta) / (n**2 * epsilon**2)
"""sigma^2 of the noise GG(sigma^2) of one step; times d it is g^2."""

noise_scale_amended = kappa * gradient_sensitivity**2 * T * (2 * log(1 / delta) + epsilon) / epsilon**2


def kappa_amended(m: Numbers, p: Real, d: Real) -> Real:
    return m.min(1 / (p - 1), 2 * m.e * m.log(d))


argmin_distance = 2 / alpha * gradient_difference
empirical_argmin_distance = 4 * L / (n * alpha)
functions_are_strongly_convex = least_modulus >= alpha


def _problem(random: Random) -> Inputs:
    """A few records and steps; beta at least the loss's smoothness relative to Phi, so that steps do not expand."""
    n, d, steps = random.choice((1, 2, 5)), random.choice((1, 2, 3, 9)), random.choice((1, 2, 7, 24))
    X = [[random.gauss(0, 1) for _ in range(d)] for _ in range(n)]
    smooth, index = max(sum(abs(a) for a in row) for row in X) ** 2, random.choice((2.0, 1.5, random.uniform(1.2, 2)))
    size = random.choice((0.0, 10 ** random.uniform(-3, 1)))
    return {
        "kernel": random.choice(KERNELS),
        "X": X,
        "y": [random.gauss(0, 3) for _ in range(n)],
        "noise": [[size * random.gauss(0, 1) for _ in range(d)] for _ in range(steps)],
        "kappa": 10 ** random.uniform(0, 1) / (index - 1),
        "index": index,
        "alpha": random.choice((0.0, smooth * 10 ** random.uniform(-3, 1))),
        "beta": smooth * 10 ** random.uniform(0, 1),
        "h": 10 ** random.uniform(0, 1),
        "r": random.uniform(0.05, 0.95),
    }


SCALARS: Inputs = {"kappa": 2.0, "index": 1.5, "alpha": 0.5, "beta": 1.0, "h": 1.0, "r": 0.3}
HARD: tuple[Inputs, ...] = tuple(
    {**SCALARS, "kernel": kernel, "X": X, "y": y, "noise": noise, "index": index}
    for kernel in KERNELS
    for index in (2.0, 1.5, 1.01)
    for X, y, noise in (
        ([[1.0]], [1.0], [[0.0]]),  # the residual starts at the bandwidth
        ([[1.0], [-1.0]], [1.0, -1.0], [[0.1], [-0.1], [0.0]]),
        ([[0.0, 0.0]], [3.0], [[0.0, 0.0], [1.0, -2.0]]),  # a zero gradient
        ([[0.7, -0.2, 0.1]], [1e8], [[0.0, 0.0, 1e-300]]),
    )
)


@contract(metric=SUM_SCALED, range=FINITE, generate=_problem, hard=HARD)
def iterates(
    kernel: str,
    X: object,
    y: object,
    noise: object,
    kappa: float,
    index: float,
    alpha: float,
    beta: float,
    h: float,
    r: float,
) -> object:
    """Iterates w_2, ..., w_{T+1} of regularised mirror descent on the smoothed check loss, for given noise.

    w_1 = 0, w_{t+1} = argmin over w of <gradient at w_t + noise_t, w - w_t> + beta D_Phi(w, w_t) + alpha Phi(w), with the
    potential Phi = (kappa/2) |w|^2 in the l_index norm

    Domain   X: n x d, y: n, noise: T x d (loss/decision), kappa > 0, 1 < index < inf (printed: kappa/(kappa - 1)), alpha >= 0
             and beta > 0 (loss/decision^2), h > 0, 0 < r < 1
    Returns  T x d numbers (decision); their error is measured against what rounding in every step may grow to
    Raises   ValueError for an unknown kernel, shapes that do not fit, scalars outside their domain (fast only)
    Source   lp, Algorithm 3; Gaussian noise of the smooth norm from `privacy.generalised_gaussian`
    """


@contract(metric=SUM_SCALED, range=FINITE, generate=_problem, hard=HARD)
def descend(
    kernel: str,
    X: object,
    y: object,
    noise: object,
    kappa: float,
    index: float,
    alpha: float,
    beta: float,
    h: float,
    r: float,
) -> object:
    """Output of regularised mirror descent: the average of w_2, ..., w_{T+1} with weight r^t on w_{t+1}.

    r = (2 beta + alpha)/(2 beta), see `iterates`

    Domain   as `iterates`; T >= 1
    Returns  d numbers (decision)
    Raises   as `iterates`; ValueError for no step (fast only)
    Source   lp, Algorithm 3, the weights from the proof of Theorem 7
    """


LIPSCHITZ = Predicate(
    "every l(., x) is L-Lipschitz in |.|_p (Assumption 3)",
    gradients_are_bounded,
    accepts={"largest_gradient_norm": "1", "L": "1"},
    rejects={"largest_gradient_norm": "2", "L": "1"},
)
LOSSES = "losses that meet Assumption 3: convex, L-Lipschitz and beta-smooth in |.|_p on the whole space"

claims = [
    Claim(
        id="lp/alg-3",
        title="private regularised mirror descent",
        kind=Kind.ALGORITHM,
        source=LP.at("Algorithm 3", "proof of Theorem 6", "proof of Theorem 7"),
        says="Regularised mirror descent. Phi(w) = (kappa/2) |w|_{kappa_+}^2, kappa = min(1/(p-1), 2 ln d), D_Phi its "
        "Bregman divergence. Start at w_1 = 0. For t = 1, ..., T: draw g_t from the generalised Gaussian GG(sigma^2) of the "
        "smooth norm of the dual space, independently, with sigma^2 = O(L^2 kappa T ln(1/delta) / (n^2 epsilon^2)); w_{t+1} "
        "= argmin over the whole space of <grad of the mean loss at w_t + g_t, w - w_t> + beta D_Phi(w, w_t) + alpha Phi(w). "
        "Return w_hat, the average of w_2, ..., w_{T+1} with weight ((2 beta + alpha)/(2 beta))^t on w_{t+1}.",
        parameters=(
            L,
            KAPPA,
            T,
            STEP_NUMBER,
            DELTA,
            EPSILON,
            N,
            D,
            P_BELOW_TWO,
            ALPHA,
            BETA,
            Parameter("linear", "<noisy gradient, w - w_t>", reals, "loss"),
            Parameter("divergence", "D_Phi(w, w_t)", nonnegative, "decision^2"),
            Parameter("potential", "Phi(w)", nonnegative, "decision^2"),
        ),
        symbols={"divergence": r"D_\Phi(w, w_t)"},
        formulas={
            "proximal_objective": proximal_objective,
            "weight": weight,
            "noise_scale_rate": noise_scale_rate,
            "kappa_of_p_and_d": kappa_printed,
        },
        over=("data sets of n records", LOSSES),
        provenance=Provenance.REBUILT,
        note="Rebuilt from the proofs of Theorems 6 and 7: start and objective from the displays around (10), the weights "
        "from the definition of w_hat, the noise from g = L sqrt(ln(1/delta) d kappa T) / (n epsilon) with E|g_t|_*^2 = d "
        "sigma^2. alpha is chosen as 4 beta log2(n/T) / (T + 1). At d = 1 kappa is 0 and Phi is undefined (d >= 2 is meant); "
        "for p "
        "> 3/2 kappa < 2 and the index kappa_+ exceeds 2: lp/phi.",
    ),
    Claim(
        id="lp/thm-6",
        title="privacy of regularised mirror descent",
        kind=Kind.PRIVACY,
        source=LP.at("Theorem 6", "proof of Theorem 6"),
        says="In l_p^d with 1 < p < 2, under Assumption 3, Algorithm 3 is (epsilon, delta)-DP: gradients of the mean loss on "
        "neighbours differ by at most 2 L / n in the dual norm, the dual space is kappa-regular with kappa = min(1/(p-1), 2 "
        "ln d), so the generalised Gaussian mechanism and advanced composition over T steps apply with sigma^2 = O(L^2 kappa "
        "T ln(1/delta) / (n^2 epsilon^2)).",
        uses=("lp/alg-3", "lp/gen-gaussian", "lp/regular"),
        parameters=(EPSILON, DELTA, L, N, T, KAPPA, D, P_BELOW_TWO, LARGEST_GRADIENT_NORM),
        symbols={"largest_gradient_norm": r"\sup \|\nabla \ell\|_{*}"},
        formulas={
            "gradient_sensitivity": gradient_sensitivity,
            "kappa_of_p_and_d": kappa_printed,
            "noise_scale_rate": noise_scale_rate,
        },
        asserts=(
            Relation("dual-norm sensitivity of the mean gradient", "<=", "gradient_sensitivity", step=True),
            Relation("w_2, ..., w_{T+1}", "is", "(epsilon, delta)-DP"),
        ),
        preconditions=(LIPSCHITZ,),
        over=("neighbouring data sets of n records", LOSSES),
        adjacency=Adjacency.REPLACE_ONE,
        releases="the weighted average w_hat (the composition covers the transcript w_2, ..., w_{T+1})",
        provenance=Provenance.REBUILT,
        note="Rebuilt from its proof; sigma^2 from the g of Theorem 7, and no range of epsilon is visible. Fragile: advanced "
        "composition of T (epsilon', delta') steps gives sigma^2 with ln(1/delta) ln(T/delta); the printed g has one "
        "logarithm, which needs a Renyi or moments argument for the generalised Gaussian. Without a range no constant does as "
        "epsilon -> infinity at fixed delta and as delta -> 1 (see lp/gen-gaussian). The regularity constant is lp/regular's.",
    ),
    Claim(
        id="lp/thm-6-amended",
        amends="lp/thm-6",
        kind=Kind.PRIVACY,
        source=LP.at("Theorem 6", "proof of Theorem 6"),
        says="In l_p^d with 1 < p < 2 and d >= 2, under Assumption 3, Algorithm 3 with noise GG(noise_scale) in |.|_+ = l_r, r "
        "= min(p/(p-1), max(2, 2 ln d)), is (epsilon, delta)-DP for every epsilon > 0: noise_scale = (2 L / n)^2 kappa T (2 "
        "ln(1/delta) + epsilon) / epsilon^2, kappa = min(1/(p-1), 2 e ln d).",
        parameters=(EPSILON, DELTA, L, N, T, REGULAR_KAPPA, D.within(Integers(2)), P_BELOW_TWO, LARGEST_GRADIENT_NORM),
        formulas={
            "gradient_sensitivity": gradient_sensitivity,
            "kappa_of_p_and_d": kappa_amended,
            "noise_scale": noise_scale_amended,
        },
        asserts=(
            Relation("dual-norm sensitivity of the mean gradient", "<=", "gradient_sensitivity"),
            Relation("(R^d, l_{p/(p-1)}) with smooth norm l_r", "is", "kappa_of_p_and_d-regular"),
            Relation("w_2, ..., w_{T+1}", "is", "(epsilon, delta)-DP"),
        ),
        preconditions=(LIPSCHITZ,),
        over=("neighbouring data sets of n records", LOSSES),
        adjacency=Adjacency.REPLACE_ONE,
        releases="the weighted average w_hat (the composition covers the transcript w_2, ..., w_{T+1})",
    ),
    Claim(
        id="lp/lem-13",
        title="distance of two minimisers",
        kind=Kind.SENSITIVITY,
        unproved=True,
        source=LP.at("Lemma 13", "display after it"),
        says="Let Phi be 1-strongly convex in |.|, f_1 and f_2 be convex and alpha-strongly convex relative to Phi, with "
        "minimisers x_1 and x_2 over the whole space. Then |x_2 - x_1| <= (2/alpha) |grad(f_2 - f_1)(x_1)|_*. Hence the "
        "minimisers of (mean loss) + alpha Phi on data sets that differ in one record are at most 4 L / (n alpha) apart.",
        parameters=(
            ALPHA,
            Parameter("gradient_difference", "|grad(f_2 - f_1)(x_1)|_*", nonnegative, L.unit),
            L,
            N,
            Parameter("least_modulus", "strong convexity of f_1 and f_2 relative to Phi, the lesser", nonnegative, BETA.unit),
            STEP[0].means("|x - y|"),
            STEP[1].means("D_Phi(x, y)"),
            LARGEST_GRADIENT_NORM,
        ),
        symbols={"distance": r"\|x - y\|", "step_divergence": r"D_\Phi(x, y)", "least_modulus": r"\alpha(f_1, f_2)"},
        formulas={"bound": argmin_distance, "empirical_bound": empirical_argmin_distance},
        asserts=(
            Relation("|x_2 - x_1|", "<=", "bound"),
            Relation("distance of the regularised minimisers on neighbours", "<=", "empirical_bound"),
        ),
        preconditions=(
            Predicate(
                "f_1 and f_2 are alpha-strongly convex relative to Phi",
                functions_are_strongly_convex,
                accepts={"least_modulus": "1", "alpha": "1"},
                rejects={"least_modulus": "0.5", "alpha": "1"},
            ),
            STRONGLY_CONVEX,
            LIPSCHITZ,
        ),
        over=("differentiable functions f_1, f_2", "norms", "neighbouring data sets"),
        adjacency=Adjacency.REPLACE_ONE,
        note="1/alpha suffices in place of 2/alpha. 'Phi is 1-strongly convex' is the first line of the proof; the printed Phi "
        "may not be (lp/phi), and then the consequence is false. 'Convex and alpha-strongly convex (relatively)' is the "
        "print's "
        "wording; which of the two functions must be strongly convex is not said, one is enough.",
    ),
]

_L = symbol("L")

ArgminDistance = Noun(
    "ArgminDistance",
    (("alpha", "real"), ("gradient_difference", "real")),
    "The supremum of |x_2 - x_1| over dimensions d, norms |.| of R^d, functions Phi that are 1-strongly convex in |.| and "
    "differentiable, and differentiable convex f_1, f_2 on R^d with minimisers x_1, x_2, both alpha-strongly convex relative "
    "to Phi, with |grad(f_2 - f_1)(x_1)|_* <= gradient_difference.",
    domain=(alpha > 0, gradient_difference >= 0),
    low=Fraction(0),
)
RegularisedArgminDistance = Noun(
    "RegularisedArgminDistance",
    (("L", "real"), ("n", INTEGER), ("alpha", "real")),
    "The supremum, over dimensions, norms |.|, functions Phi that are 1-strongly convex in |.| and differentiable, losses "
    "that are convex and differentiable in the decision with gradients of dual norm at most L, and pairs of data sets of n "
    "records that differ in one, of the distance in |.| between the minimisers of (mean loss) + alpha Phi over the whole "
    "space.",
    domain=(_L > 0, n >= 1, alpha > 0),
    low=Fraction(0),
)
nouns = [ArgminDistance, RegularisedArgminDistance]

monotone = lemma(
    "minimisers of close functions",
    alpha * ArgminDistance(alpha, gradient_difference) ** 2 <= gradient_difference * ArgminDistance(alpha, gradient_difference),
    alpha > 0,
    gradient_difference >= 0,
    status=Status.PROSE,
    text="alpha times the square of the largest distance is at most the difference of the gradients times that distance.",
    proof="Let f_1, f_2, Phi be given and D = |x_2 - x_1|. Relative strong convexity of f_2 says f_2(y) >= f_2(x) + <grad "
    "f_2(x), y - x> + alpha D_Phi(y, x), and D_Phi(y, x) >= |y - x|^2/2. Adding this for (x_1, x_2) and for (x_2, x_1) gives "
    "<grad f_2(x_1) - grad f_2(x_2), x_1 - x_2> >= alpha D^2. The gradients grad f_1(x_1) and grad f_2(x_2) are 0 at "
    "minimisers over the whole space, so the left side is <grad(f_2 - f_1)(x_1), x_1 - x_2>, at most gradient_difference "
    "times D by the definition of the dual norm. So alpha D^2 <= gradient_difference D, for every such pair; D is therefore "
    "bounded, and the inequality, which is continuous in D, passes to the supremum.",
)
one_record = lemma(
    "one record of a mean loss",
    RegularisedArgminDistance(_L, n, alpha) <= ArgminDistance(alpha, 2 * _L / n),
    _L > 0,
    n >= 1,
    alpha > 0,
    status=Status.PROSE,
    text="The regularised mean losses on neighbouring data sets are two functions as above, and their gradients differ by 2 "
    "L/n.",
    proof="Let f_1 and f_2 be the mean losses plus alpha Phi. Each is a convex function plus alpha Phi, so it is "
    "alpha-strongly convex relative to Phi. Their difference is the difference of two losses, divided by n, and the gradient "
    "of each loss has at most the dual norm L everywhere: the gradient of the difference has at most 2 L/n. So each pair "
    "over which the left supremum is taken is one over which the right one is.",
    integers="n",
)
lemmas = [monotone, one_record]

statements: list[Statement] = [
    statement(
        "lp/lem-13",
        "Minimisers of functions with close gradients are close: (2/alpha) |grad(f_2 - f_1)(x_1)|_*, and 4 L/(n alpha) for "
        "one record",
        ArgminDistance(alpha, gradient_difference) <= 2 / alpha * gradient_difference,
        RegularisedArgminDistance(_L, n, alpha) <= 4 * _L / (n * alpha),
        source=str(LP.at("Lemma 13", "display after it")),
        symbols=(
            Symbol("alpha", "modulus of strong convexity relative to Phi", unit="loss/decision^2"),
            Symbol("gradient_difference", "|grad(f_2 - f_1)(x_1)|_*", unit="loss/decision"),
            Symbol("L", "bound on the dual norms of the losses' gradients", unit="loss/decision"),
            Symbol("n", "number of records", INTEGER),
        ),
        domain={
            alpha > 0: {"alpha": 0},
            gradient_difference >= 0: {"gradient_difference": -1},
            _L > 0: {"L": 0},
            n >= 1: {"n": 0},
        },
        inside={"alpha": 1, "gradient_difference": 1, "L": 1, "n": 10},
    ),
]
