"""One step of regularised mirror descent, literally, and how far an answer is from optimal."""

from typing import Any

from dpsco.reference.analysis.geometry.regularity import inverse_mirror, mirror, norm
from dpsco.reference.literal import literal
from dpsco.spec.algorithms.mirror_descent import proximal_step as spec
from dpsco.spec.numbers import Numbers, Real

UNIT_ROUNDOFF = -53
"""Power of two in which `suboptimality` measures."""


@literal(spec.proximal_step)
def proximal_step(m: Numbers, w: Any, gradient: Any, kappa: Real, index: Real, alpha: Real, beta: Real) -> list[Real]:
    at = mirror(m, w, kappa, index)
    dual = [(beta * z - g) / (alpha + beta) for z, g in zip(at, gradient, strict=True)]
    return list(inverse_mirror(m, dual, kappa, index))


def suboptimality(m: Numbers, inputs: Any, answer: Any) -> Real:
    """Gradient of the step's objective at the answer, in the dual norm, over 2^-53 times the sum of its three terms' norms.

    (alpha + beta) grad Phi(v) - beta grad Phi(w) + gradient

    Domain   inputs as of `proximal_step`, doubles; answer: (v,), d finite numbers
    Returns  units of rounding; 0 where all three terms vanish
    Source   lp, Algorithm 3: the objective is convex, and so least where its gradient vanishes
    """
    kappa, index, alpha, beta = (m.real(inputs[name]) for name in ("kappa", "index", "alpha", "beta"))
    w, gradient, v = ([m.real(float(x)) for x in part] for part in (inputs["w"], inputs["gradient"], answer[0]))
    terms = (
        [(alpha + beta) * z for z in mirror(m, v, kappa, index)],
        [-beta * z for z in mirror(m, w, kappa, index)],
        gradient,
    )
    dual = index / (index - 1)
    size = sum((norm(m, term, dual) for term in terms), start=m.real(0))
    off = norm(m, [a + b + c for a, b, c in zip(*terms, strict=True)], dual)
    return off / size * m.real(2) ** -UNIT_ROUNDOFF if m.gt(size, 0) else off
