"""Mechanisms of diffprivlib: the noise that is added, against the (epsilon, delta) that was asked for."""

import math
from typing import Any

from dpsco.audit.connectors import Read, positive
from dpsco.audit.connectors.dp_accounting import DIGITS

TESTED = ("0.6",)
CONTEXT: tuple[str, ...] = ()
NEAR = 1e-9
"""Relative difference between a number that is computed here and the same number of the library."""
LAPLACE = ("Laplace", "LaplaceTruncated", "LaplaceFolded")
GEOMETRIC = ("Geometric", "GeometricTruncated", "GeometricFolded")


def read(mechanism: Any, adjacency: str) -> Read:
    """The law of the noise. Sensitivities are as they were given: for whatever neighbours the caller had in mind."""
    name = type(mechanism).__name__
    run = getattr(mechanism, "randomise", None)
    try:
        declared = {"epsilon": positive(mechanism, "epsilon"), "delta": mechanism.delta}
        part = _part(mechanism, name)
    except (TypeError, AttributeError, ValueError, ArithmeticError) as error:
        said = str(error) if isinstance(error, TypeError) else f"{name} is not as it was known"
        return Read(not_judged=(said,), run=run)
    return Read((part,), declared=declared, notes=("the sensitivity is the one that was given to the mechanism",), run=run)


def answers(mechanism: Any) -> bool:
    """The library's Laplace noise at epsilon = 1, sensitivity = 2 has variance 8."""
    from importlib import import_module

    try:
        library: Any = import_module("diffprivlib.mechanisms")
        return math.isclose(library.Laplace(epsilon=1.0, sensitivity=2.0).variance(0), 8.0, rel_tol=NEAR)
    except Exception:  # whatever another version raises: it is not the one that is known
        return False


def _part(mechanism: Any, name: str) -> tuple[str, dict[str, Any]]:
    epsilon = positive(mechanism, "epsilon")
    sensitivity = positive(mechanism, "sensitivity")
    if name in LAPLACE:
        scale = sensitivity / (epsilon - math.log1p(-mechanism.delta))
        if name == "Laplace" and not math.isclose(mechanism.variance(0), 2 * scale**2, rel_tol=NEAR):
            raise TypeError("Laplace.variance is not that of its scale")
        return "laplace", {"scale": scale, "sensitivity": sensitivity}
    if name in ("Gaussian", "GaussianAnalytic"):
        sigma = positive(mechanism, "_scale")
        if not math.isclose(mechanism.variance(0), sigma**2, rel_tol=NEAR):
            raise TypeError(f"{name}.variance is not that of its scale")
        return "gaussian", {"sigma": sigma, "sensitivity": sensitivity}
    if name == "GaussianDiscrete":
        return "discrete-gaussian", {"sigma": positive(mechanism, "_scale"), "shift": sensitivity}
    if name in GEOMETRIC:
        if not math.isclose(-mechanism._scale, epsilon / sensitivity, rel_tol=NEAR):
            raise TypeError(f"{name}._scale is not -epsilon/sensitivity")
        from decimal import ROUND_FLOOR, Context, Decimal

        scale_ = Context(prec=DIGITS, rounding=ROUND_FLOOR).divide(Decimal(1), Decimal(repr(-float(mechanism._scale))))
        return "discrete-laplace", {"scale": scale_, "shift": sensitivity}
    if name == "Exponential":
        factor = epsilon / sensitivity / (2 - mechanism.monotonic)
        _weighed(mechanism, factor)
        scores = "monotone" if mechanism.monotonic else "any"
        return "exponential", {"factor": factor, "sensitivity": sensitivity, "scores": scores}
    raise TypeError(f"{name} is not understood")


def _weighed(mechanism: Any, factor: float) -> None:
    """TypeError unless the library's chances are weights exp(factor utility) times its measure."""
    top = max(mechanism.utility)
    measure = mechanism.measure or [1.0] * len(mechanism.utility)
    weights = [w * math.exp(factor * (u - top)) for u, w in zip(mechanism.utility, measure, strict=True)]
    total, before = sum(weights), 0.0
    for weight, reached in zip(weights, mechanism._probabilities, strict=True):
        before += weight / total
        if not math.isclose(before, float(reached), rel_tol=NEAR, abs_tol=NEAR):
            raise TypeError("Exponential has chances that are not exp(factor utility)")
