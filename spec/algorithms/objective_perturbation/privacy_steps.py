"""Steps in the proof that objective perturbation is private: the choice of sigma, the tail of a product, the determinants."""

from dpsco.spec.algorithms.objective_perturbation.newsvendor_privacy import (
    BOUNDED_GRADIENTS,
    LARGEST_GRADIENT,
    NOISE,
    NOISE_SUFFICES,
    REGULARISED,
    sigma_lemma,
)
from dpsco.spec.claim import Claim, Kind, Provenance, Relation
from dpsco.spec.domain import Parameter, Vectors, nonnegative, positive
from dpsco.spec.expressions import Phi, exp, log, sqrt, symbols
from dpsco.spec.numbers import Numbers, Real, Truth
from dpsco.spec.papers import NEWSVENDOR
from dpsco.spec.parameters import BETA, DELTA, EPSILON, LAMBDA, L, N
from dpsco.spec.predicate import Predicate

beta, delta, epsilon, lambda_, n, shift, sigma, t = symbols("beta delta epsilon lambda_ n shift sigma t")


sigma_displayed = L * (2 * sqrt(2 * log(1 / delta)) + epsilon) / epsilon
"""The display as it came to us: epsilon stands outside the root."""

sigma_displayed_mended = L * 2 * sqrt(2 * log(1 / delta) + epsilon) / epsilon
"""The display with epsilon inside the root."""

_a = 2 * log(1 / delta)
sigma_needed = L * (sqrt(_a) + sqrt(_a + epsilon)) / epsilon
"""The root of epsilon sigma^2 - 2 L sigma sqrt(2 ln(1/delta)) - L^2 = 0."""

product_tail = Phi(-t / (L * sigma))
"""Pr[N(0, L^2 sigma^2) >= t]."""

gaussian_tail = Phi(-sqrt(2 * log(1 / delta)))
"""Pr[N(0, 1) >= sqrt(2 ln(1/delta))]."""

product_tail_doubled = 2 * Phi(-t / (L * sigma))
"""Pr[|N(0, L^2 sigma^2)| >= t]."""

gaussian_tail_doubled = 2 * Phi(-sqrt(2 * log(1 / delta)))
"""Pr[|N(0, 1)| >= sqrt(2 ln(1/delta))]."""


def determinant_ratio_middle(m: Numbers, eigenvalues: Real, shift: Real, n: Real, lambda_: Real) -> Real:
    """(rho_1 + 2 n lambda + rho_1') prod_{i >= 2} (rho_i + 2 n lambda) over prod_i (rho_i + 2 n lambda)."""
    return (eigenvalues[0] + 2 * n * lambda_ + shift) / (eigenvalues[0] + 2 * n * lambda_)


determinant_ratio_last = 1 + shift / (2 * n * lambda_)
"""What the display says that the middle expression equals."""

determinant_ratio_smooth = 1 + beta / (2 * n * lambda_)
determinant_budget = exp(epsilon / 2)
shift_is_a_curvature = shift <= beta


def eigenvalues_decrease(m: Numbers, eigenvalues: Real) -> Truth:
    return m.all(*(m.ge(eigenvalues[i], eigenvalues[i + 1]) for i in range(len(eigenvalues) - 1)))


TAIL_PARAMETERS = (
    EPSILON,
    DELTA,
    L,
    NOISE,
    LARGEST_GRADIENT,
    Parameter("t", "level that the product exceeds", positive, "loss^2/decision^2"),
)
TAIL_ASSERTS = (
    Relation("Var <b, Delta>", "<=", "L^2 sigma^2", step=True),
    Relation("Pr[-<b, Delta> >= t]", "<=", "product_tail", step=True),
    Relation("gaussian_tail", "<=", "delta", step=True),
    Relation("Pr[log density ratio > epsilon / 2]", "<=", "delta", step=True),
)
DET_PARAMETERS = (
    EPSILON,
    N,
    BETA,
    LAMBDA,
    Parameter("eigenvalues", "rho_1 >= ... >= rho_d", Vectors("d", nonnegative), "loss/decision^2"),
    Parameter("shift", "rho_1', eigenvalue of the further record's Hessian", nonnegative, "loss/decision^2"),
)
DET_PRECONDITIONS = (
    REGULARISED,
    Predicate(
        "rho_1' <= beta",
        shift_is_a_curvature,
        accepts={"shift": "1", "beta": "2"},
        rejects={"shift": "3", "beta": "2"},
    ),
    Predicate(
        "rho_1 >= ... >= rho_d",
        eigenvalues_decrease,
        accepts={"eigenvalues": ("3", "1")},
        rejects={"eigenvalues": ("1", "3")},
    ),
)
DET_ENDS = (
    Relation("determinant_ratio_last", "<=", "determinant_ratio_smooth", step=True),
    Relation("determinant_ratio_smooth", "<=", "determinant_budget", step=True),
    Relation("ratio of determinants", "<=", "determinant_budget", step=True),
    Relation("inverse ratio of determinants", "<=", "determinant_budget", step=True),
)

claims = [
    Claim(
        id="newsvendor/lem-EC.1-sigma",
        title="noise scale from the tail bound",
        kind=Kind.IDENTITY,
        source=NEWSVENDOR.at("proof of Lemma EC.1, choice of sigma before (EC.9)"),
        says="The noise is needed to satisfy (epsilon sigma^2 - L^2) / (2 L sigma) >= sqrt(2 ln(1/delta)), that is sigma >= "
        "L (sqrt(2 ln(1/delta)) + sqrt(2 ln(1/delta) + epsilon)) / epsilon; the slightly larger L * 2 sqrt(2 ln(1/delta) + "
        "epsilon) / epsilon is chosen, which equals L sqrt(8 ln(1/delta) + 4 epsilon) / epsilon.",
        uses=("newsvendor/lem-EC.1-tail",),
        parameters=(EPSILON, DELTA, L),
        formulas={
            "sigma_displayed": sigma_displayed,
            "sigma_displayed_mended": sigma_displayed_mended,
            "sigma_lemma": sigma_lemma,
            "sigma_needed": sigma_needed,
        },
        asserts=(
            Relation("sigma_displayed_mended", "=", "sigma_lemma", step=True),
            Relation("sigma_lemma", ">=", "sigma_needed", step=True),
            Relation("sigma_needed", "is", "the least sigma of the condition", step=True),
        ),
        provenance=Provenance.REPAIRED,
        note="The text at hand has 2 sqrt(2 ln(1/delta)) + epsilon in the first form; the root that covers epsilon as well is "
        "the mended reading, which the next form and the line before ask for. The unmended one is a finding beside.",
    ),
    Claim(
        id="newsvendor/lem-EC.1-tail",
        title="tail of the log-density ratio",
        kind=Kind.BOUND,
        source=NEWSVENDOR.at("proof of Lemma EC.1, displays (EC.5) to (EC.9)"),
        says="With b from N(0, sigma^2 I) and Delta the gradient x c_h'(y - <x, theta>) (up to sign) of the further record at "
        "the minimiser theta that b produces, <b, Delta> is less spread than N(0, L^2 sigma^2) although b and Delta depend on "
        "each other, and its upper tail is used as bounded by that of N(0, L^2 sigma^2): the log ratio of the noise densities, "
        "-<b, Delta>/sigma^2 + |Delta|^2 / (2 sigma^2), is at most epsilon/2 with probability at least 1 - delta, since "
        "Pr[N(0, 1) >= sqrt(2 ln(1/delta))] <= delta.",
        parameters=TAIL_PARAMETERS,
        formulas={"product_tail": product_tail, "gaussian_tail": gaussian_tail, "sigma_lemma": sigma_lemma},
        asserts=TAIL_ASSERTS,
        preconditions=(NOISE_SUFFICES, BOUNDED_GRADIENTS),
        over=("data sets", "kernels", "dimensions"),
        note="The display b(D') = b(D) + Delta has the wrong sign for Delta = gradient; the density ratio after it has the "
        "right one. sigma is the lemma's.",
    ),
    Claim(
        id="newsvendor/lem-EC.1-tail-amended",
        amends="newsvendor/lem-EC.1-tail",
        kind=Kind.BOUND,
        source=NEWSVENDOR.at("proof of Lemma EC.1, displays (EC.5) to (EC.9)"),
        says="In the same setting |<b, Delta>| <= (L/B_x) |<b, x>|, so Var <b, Delta> <= L^2 sigma^2 and the upper tail of "
        "-<b, Delta> is at most twice that of N(0, L^2 sigma^2). Since 2 Pr[N(0, 1) >= sqrt(2 ln(1/delta))] <= delta, the log "
        "ratio of the noise densities still is at most epsilon/2 with probability at least 1 - delta.",
        parameters=TAIL_PARAMETERS,
        formulas={"product_tail": product_tail_doubled, "gaussian_tail": gaussian_tail_doubled, "sigma_lemma": sigma_lemma},
        asserts=TAIL_ASSERTS,
        preconditions=(NOISE_SUFFICES, BOUNDED_GRADIENTS),
        over=("data sets", "kernels", "dimensions"),
    ),
    Claim(
        id="newsvendor/lem-EC.1-det",
        title="ratio of determinants under one more record",
        kind=Kind.BOUND,
        source=NEWSVENDOR.at("proof of Lemma EC.1, displays (EC.10) and (EC.11)"),
        says="Let rho_1 >= ... >= rho_d >= 0 be the eigenvalues of n times the empirical Hessian, E the further record's "
        "Hessian, of rank one with eigenvalue rho_1' <= beta. Then det(n Hessian + 2 n lambda I + E) / det(n Hessian + 2 n "
        "lambda I) <= (rho_1 + 2 n lambda + rho_1') prod_{i >= 2}(rho_i + 2 n lambda) / prod_i (rho_i + 2 n lambda) = 1 + "
        "rho_1'/(2 n lambda) <= 1 + beta / (2 n lambda) <= e^(epsilon/2) if lambda >= beta / (n epsilon); so the ratio of "
        "densities loses at most a factor e^(epsilon/2) through the determinants, in both directions.",
        parameters=DET_PARAMETERS,
        symbols={"shift": r"\rho_1'"},
        formulas={
            "determinant_ratio_middle": determinant_ratio_middle,
            "determinant_ratio_last": determinant_ratio_last,
            "determinant_ratio_smooth": determinant_ratio_smooth,
            "determinant_budget": determinant_budget,
        },
        asserts=(
            Relation("ratio of determinants", "<=", "determinant_ratio_middle", step=True),
            Relation("determinant_ratio_middle", "=", "determinant_ratio_last", step=True),
            *DET_ENDS,
        ),
        preconditions=DET_PRECONDITIONS,
        over=("positive semidefinite Hessians", "directions of the rank-one term"),
    ),
    Claim(
        id="newsvendor/lem-EC.1-det-amended",
        amends="newsvendor/lem-EC.1-det",
        kind=Kind.BOUND,
        source=NEWSVENDOR.at("proof of Lemma EC.1, displays (EC.10) and (EC.11)"),
        says="In the same setting det(n Hessian + 2 n lambda I + E) / det(n Hessian + 2 n lambda I) <= 1 + rho_1'/(2 n "
        "lambda) <= 1 + beta / (2 n lambda) <= e^(epsilon/2), and the inverse ratio is at most 1.",
        parameters=DET_PARAMETERS,
        formulas={
            "determinant_ratio_last": determinant_ratio_last,
            "determinant_ratio_smooth": determinant_ratio_smooth,
            "determinant_budget": determinant_budget,
        },
        asserts=(Relation("ratio of determinants", "<=", "determinant_ratio_last"), *DET_ENDS),
        preconditions=DET_PRECONDITIONS,
        over=("positive semidefinite Hessians", "directions of the rank-one term"),
    ),
]
