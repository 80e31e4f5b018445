"""Several products, literally: the budget split by the printed formulas, then one objective perturbation for each."""

from typing import Any

from dpsco.reference.algorithms.objective_perturbation import algorithm
from dpsco.reference.literal import literal
from dpsco.spec.algorithms.objective_perturbation import products as spec
from dpsco.spec.algorithms.objective_perturbation.newsvendor_privacy import sigma_lemma
from dpsco.spec.losses.kernels import Kernel
from dpsco.spec.numbers import Numbers, Real


def noise(m: Numbers, normals: Any, r: Any, epsilon: Real, delta: Real, B_x: Real) -> list[list[Real]]:
    """The noise vectors b_s of all products.

    sigma_s normals_s, sigma_s = L_s sqrt(8 ln(1/delta_0) + 4 epsilon_0)/epsilon_0, L_s = max(r_s, 1 - r_s) B_x

    Returns  S x d numbers in loss/decision
    Raises   ValueError where there is not one level for each noise vector
    Source   newsvendor, Proposition 1
    """
    if len(normals) != len(r):
        raise ValueError(f"one level for each noise vector, got {len(r)} levels and {len(normals)} vectors")
    S, epsilon, delta = len(normals), m.real(epsilon), m.real(delta)
    epsilon_0, delta_0 = spec.epsilon_product(m, S=S, epsilon=epsilon, delta=delta), spec.delta_product(m, S=S, delta=delta)
    levels = [m.real(level) for level in r]
    sigmas = [sigma_lemma(m, epsilon=epsilon_0, delta=delta_0, L=m.max(level, 1 - level) * m.real(B_x)) for level in levels]
    return [[sigma * m.real(z) for z in w] for sigma, w in zip(sigmas, normals, strict=True)]


@literal(spec.policies)
def policies(
    m: Numbers,
    kernel: Kernel,
    X: Any,
    Y: Any,
    normals: Any,
    h: Any,
    r: Any,
    lambda_: Any,
    epsilon: Any,
    delta: Any,
    B_x: Any,
    tolerance: Any,
) -> tuple[list[list[Real]], list[Real]]:
    if len(Y) != len(normals):
        raise ValueError(f"one noise vector for each product, got {len(Y)} products and {len(normals)} vectors")
    vectors = noise(m, normals, r, epsilon, delta, B_x)
    found = [
        algorithm.solve(m, kernel, X, y, b, h, level, lambda_, tolerance) for y, b, level in zip(Y, vectors, r, strict=True)
    ]
    return [theta for theta, _ in found], [norm for _, norm in found]


def suboptimality(m: Numbers, inputs: Any, answer: Any) -> Real:
    """Largest norm of a product's gradient at an answer (thetas, norms) over the tolerance asked for.

    Domain   inputs: what the contract `policies` takes, by name; answer: doubles
    """
    vectors = noise(m, *(inputs[name] for name in ("normals", "r", "epsilon", "delta", "B_x")))
    shared = {name: inputs[name] for name in ("kernel", "X", "h", "lambda_", "tolerance")}
    runs = zip(inputs["Y"], vectors, inputs["r"], answer[0], strict=True)
    return m.max(
        m.real(0),
        *(algorithm.suboptimality(m, {**shared, "y": y, "b": b, "r": level}, (theta,)) for y, b, level, theta in runs),
    )
