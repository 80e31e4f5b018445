"""Runs of truncated private mirror descent: batches, gradients beyond a threshold set to zero, noise by record or by batch.

With shuffling and noise on every record (Algorithm 4), or without and noise on batch averages (Algorithm 7). Their scales of
noise, and what is private, stand in `truncated`.
"""

import math
from random import Random

from dpsco.spec.algorithms.mirror_descent.truncated import (
    DIAMETER,
    FILLED,
    GRADIENT,
    KAPPA,
    LOSSES,
    STEP,
    THRESHOLD,
    batch_noise_scale_rate,
    batch_size,
    kept_gradient,
    sigma_final,
    threshold,
)
from dpsco.spec.analysis.geometry.regularity import P_BELOW_TWO, kappa_algorithm_7, kappa_printed
from dpsco.spec.claim import Claim, Kind, Provenance
from dpsco.spec.contract import SUM_SCALED, Inputs, between, contract
from dpsco.spec.inputs import KERNELS
from dpsco.spec.papers import LP
from dpsco.spec.parameters import BETA, DELTA, EPSILON, D, N, T


def _problem(random: Random) -> Inputs:
    """Up to eight batches, some records above the threshold, steps that do not expand, a ball that may bind."""
    steps, size, d = random.choice((1, 2, 3, 8)), random.choice((1, 2, 3)), random.choice((1, 2, 3, 9))
    n, index = steps * size, random.choice((2.0, 1.5, random.uniform(1.2, 2)))
    X = [[random.gauss(0, 1) / random.uniform(0.05, 1) for _ in range(d)] for _ in range(n)]
    smooth = max(sum(abs(a) for a in row) for row in X) ** 2
    scale = random.choice((0.0, 10 ** random.uniform(-3, 1)))
    return {
        "kernel": random.choice(KERNELS),
        "X": X,
        "y": [random.gauss(0, 3) for _ in range(n)],
        "order": random.sample(range(n), n),
        "noise": [[scale * random.gauss(0, 1) for _ in range(d)] for _ in range(n)],
        "level": random.choice((math.inf, 10 ** random.uniform(-1, 1))),
        "weights": [smooth * 10 ** random.uniform(0, 1) for _ in range(steps)],
        "kappa": 10 ** random.uniform(0, 1) / (index - 1),
        "index": index,
        "dual": random.choice((index / (index - 1), 2.0, math.inf)),
        "radius": random.choice((math.inf, 10 ** random.uniform(-3, 0))),
        "h": 10 ** random.uniform(0, 1),
        "r": random.uniform(0.05, 0.95),
    }


def _by_batch(given: Inputs) -> Inputs:
    """The same without an order, one noise vector a batch."""
    noise, weights = given["noise"], given["weights"]
    assert isinstance(noise, list)
    assert isinstance(weights, list)
    return {name: v for name, v in given.items() if name not in ("order", "noise")} | {"noise": noise[: len(weights)]}


SCALARS: Inputs = {"kappa": 2.0, "dual": 2.0, "h": 1.0, "r": 0.5}
HARD: tuple[Inputs, ...] = tuple(
    {**SCALARS, "kernel": kernel, "X": X, "y": y, "order": list(range(len(y)))[::-1], "noise": noise, "weights": weights}
    | {"level": level, "index": index, "radius": radius}
    for kernel in KERNELS
    for index, radius in ((2.0, math.inf), (2.0, 0.125), (1.5, 0.25))
    for X, y, noise, weights, level in (
        ([[1.0]], [1e9], [[0.0]], [4.0], 0.5),  # a slope of 1/2: exactly at the threshold, which keeps it
        ([[1.0]], [1e9], [[0.0]], [4.0], 0.4999999999),  # just above: set to zero
        ([[1.0], [-1.0]], [3.0, 3.0], [[0.5], [-0.5]], [4.0], math.inf),
        ([[0.0, 0.0], [0.0, 1e8]], [1.0, -3.0], [[0.0, 0.0], [1.0, -2.0]], [4.0, 8.0], 1.0),  # a zero gradient, a huge one
    )
)


@contract(metric=SUM_SCALED, range=between(lambda m, radius: -radius, lambda m, radius: radius), generate=_problem, hard=HARD)
def shuffled(
    kernel: str,
    X: object,
    y: object,
    order: object,
    noise: object,
    level: float,
    weights: object,
    kappa: float,
    index: float,
    dual: float,
    radius: float,
    h: float,
    r: float,
) -> object:
    """Output of shuffled truncated batched mirror descent on the smoothed check loss, for a given order and noise.

    w_0 = 0; w_t = argmin over |w|_index <= radius of <mean over batch t of (g_x + its noise), w> + gamma_t D_Phi(w, w_{t-1}),
    g_x the gradient at w_{t-1} if its l_dual norm is at most `level`, else 0; Phi = (kappa/2) |w|^2 in the l_index norm;
    returned is (sum w_t/gamma_t)/(sum 1/gamma_t)

    Domain   X: n x d, y: n, order: a permutation of 0, ..., n - 1 (uniform for privacy), batch t its t-th n/T entries; noise: n
             x d, row i for the record order[i] (loss/decision); level >= 0 or infinite: beta M + lambda; weights: gamma_1, ...,
             gamma_T > 0, T divides n; kappa > 0, 1 < index < inf (printed: kappa/(kappa - 1)); 1 <= dual <= inf (printed:
             p/(p - 1)); radius > 0 or infinite (M/2); h > 0, 0 < r < 1
    Returns  d numbers (decision); their error is measured against what rounding in every step may grow to
    Raises   ValueError for an unknown kernel, shapes that do not fit, T that does not divide n, what is no permutation, scalars
             outside their domain (fast only)
    Source   lp, Algorithm 4 (rebuilt); Gaussian noise of the smooth norm from `privacy.generalised_gaussian`
    Deviation: the set C is a ball of the l_index norm or the whole space. Batches of unequal length are refused: Theorems 9 and
             14 size their noise for n/T records.
    """


@contract(
    metric=SUM_SCALED,
    range=between(lambda m, radius: -radius, lambda m, radius: radius),
    generate=lambda random: _by_batch(_problem(random)),
    hard=tuple(_by_batch(given) for given in HARD),
)
def batched(
    kernel: str,
    X: object,
    y: object,
    noise: object,
    level: float,
    weights: object,
    kappa: float,
    index: float,
    dual: float,
    radius: float,
    h: float,
    r: float,
) -> object:
    """Output of truncated batched mirror descent on the smoothed check loss, for given noise: no order, one noise a batch.

    As `shuffled`, with the mean of g_x over batch t plus noise_t

    Domain   as `shuffled`; batch t is the t-th n/T records as they come; noise: T x d (loss/decision)
    Returns  d numbers (decision)
    Raises   as `shuffled`
    Source   lp, Algorithm 7
    """


claims = [
    Claim(
        id="lp/alg-4",
        title="shuffled truncated mirror descent",
        kind=Kind.ALGORITHM,
        source=LP.at("Algorithm 4", "proof of Theorem 9", "proof of Theorem 10", "section 10.1"),
        says="Shuffled truncated batched mirror descent. Input: n records, loss, w_0 = 0, beta, lambda, diameter M of C. "
        "Permute the records uniformly at random and divide them into T batches B_t of n/T. For t = 1, ..., T: for each x in "
        "B_t let g_x = grad l(w_{t-1}, x) if |grad l(w_{t-1}, x)|_* <= beta M + lambda, else 0, and add to each its own "
        "noise Z_x^t of GG(sigma^2) in the smooth norm of the dual space, sigma = O(kappa (beta M + lambda) ln(n/delta) / "
        "(epsilon sqrt(n))); w_t = argmin over C of <mean over B_t of (g_x + Z_x^t), w> + gamma_t D_Phi(w, w_{t-1}), with "
        "Phi = (kappa/2)|.|_{kappa_+}^2. Return w_hat = (sum 1/gamma_t)^{-1} sum w_t / gamma_t over t = 1, ..., T.",
        parameters=(N, T, BETA, DIAMETER, THRESHOLD, KAPPA, D, P_BELOW_TWO, STEP, EPSILON, DELTA, *GRADIENT),
        symbols={"gradient": r"(\nabla \ell(w_{t-1}, x))_j", "gradient_norm": r"\|\nabla \ell(w_{t-1}, x)\|_{*}"},
        formulas={
            "threshold": threshold,
            "kept_gradient": kept_gradient,
            "batch_size": batch_size,
            "sigma_rate": sigma_final,
            "kappa_of_p_and_d": kappa_printed,
        },
        preconditions=(FILLED,),
        over=("data sets of n records", LOSSES),
        provenance=Provenance.REBUILT,
        note="Rebuilt from the proofs of Theorems 9 and 10 (update, optimality condition, noise on each record) and from "
        "Algorithm 7 with the two differences that section 10.1 names (shuffling, noise per record); the average is "
        "Algorithm 7's, as the proof of Theorem 10 uses it. Which logarithm kappa has (2 ln d or ln d) cannot be read off. "
        "The threshold sets large gradients to 0, it does not clip them. Batches of n/T are integers only if T divides n; w_0 "
        "= 0 is taken to lie in C. sigma is the scale that Theorem 9 ends with, its proof starts from sigma^2 = O(kappa (beta "
        "M + lambda)^2 ln(1/delta) ln(n/delta) / (n epsilon^2)). At d = 1 kappa is 0, which is no regularity constant.",
    ),
    Claim(
        id="lp/alg-7",
        title="truncated batched mirror descent",
        kind=Kind.ALGORITHM,
        source=LP.at("Algorithm 7", "section 10.1"),
        says="Truncated batched mirror descent. Input: n records, loss, w_0 = 0, beta, lambda, diameter M of C. Divide the "
        "records into T batches B_t of n/T. For t = 1, ..., T: g_x = grad l(w_{t-1}, x) if |grad l(w_{t-1}, x)|_* <= beta M "
        "+ lambda, else 0, for x in B_t; draw Z^t from GG(sigma_1^2) in the smooth norm of the dual space, sigma_1^2 = "
        "O(kappa (beta M + lambda)^2 ln(1/delta) / (|B_t|^2 epsilon^2)); w_t = argmin over C of <mean of g_x over B_t + Z^t, "
        "w> + gamma_t D_Phi(w, w_{t-1}). Here kappa = min(1/(p-1), ln d), Phi = (kappa/2)|.|_{kappa_+}^2, kappa_+ = "
        "kappa/(kappa - 1). Return w_hat = (sum 1/gamma_t)^{-1} sum w_t / gamma_t.",
        parameters=(N, T, BETA, DIAMETER, THRESHOLD, KAPPA, D, P_BELOW_TWO, STEP, EPSILON, DELTA, *GRADIENT),
        symbols={"gradient": r"(\nabla \ell(w_{t-1}, x))_j", "gradient_norm": r"\|\nabla \ell(w_{t-1}, x)\|_{*}"},
        formulas={
            "threshold": threshold,
            "kept_gradient": kept_gradient,
            "batch_size": batch_size,
            "sigma_1_squared_rate": batch_noise_scale_rate,
            "kappa_of_p_and_d": kappa_algorithm_7,
        },
        preconditions=(FILLED,),
        over=("data sets of n records", LOSSES),
        provenance=Provenance.REPAIRED,
        note="Mended: the update's sum of theta_i is read as the sum of g_x. The text says 'permuted data', but there is no "
        "shuffling step (section 10.1 says so). log d is printed where the rest of the paper has 2 ln d: at d = 2 kappa = "
        "0.69 < 1 and kappa_+ < 0. Batches of n/T are integers only if T divides n. Records enter one batch each, so privacy "
        "is that of one step.",
    ),
]
