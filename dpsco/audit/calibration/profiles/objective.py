"""Objective perturbation with a linear predictor: a proved upper bound on delta, and the best pair of data sets known."""

from dpsco.arguments.algorithms.objective_perturbation.privacy.pairs import Setting, search
from dpsco.audit.calibration.mechanism import Bounds, Values
from dpsco.reference.algorithms.objective_perturbation import calibration
from dpsco.reference.numbers.enclosure import arb
from dpsco.reference.rounding import upward
from dpsco.spec.algorithms.objective_perturbation.calibration import curvature_loss
from dpsco.spec.numbers import Numbers, Real

BITS = 192
REPLACED = {"replace-one": True, "add-one": False}


def delta(m: Numbers, epsilon: Real, values: Values) -> Bounds:
    """Upper: corners of the slopes' range. Lower: the far pair, and a pair whose kink lies where the curvature helps it.

    Raises   ValueError where the curvature alone spends epsilon and sigma is what is asked for
    """
    replaced, n, ridge, beta = REPLACED[values["adjacency"]], values["n"], values["ridge"], values["curvature"]
    sigma, r, bound = values["sigma"], values["quantile"], values["bound"]
    upper = calibration.delta_bound(epsilon, sigma, n, ridge, beta, r, bound, replaced, BITS)
    far = calibration.delta_reached(epsilon, sigma, r, bound, replaced)
    m = arb(BITS)
    spent = curvature_loss(m, beta=beta, n=m.real(n), lambda_=ridge)
    lower = m.max(m.real(0), far)
    kink = _kink(epsilon, values, upper, spent)
    return Bounds(lower if kink is None else m.max(lower, kink), upper)


def _kink(epsilon: Real, values: Values, upper: Real, spent: Real) -> Real | None:
    """What the searched pair certainly needs. It lives in units of the bound and the bandwidth, other rows at zero."""
    m = arb(BITS)
    r, bound = values["quantile"], values["bound"]
    scale = values["sigma"] / (m.max(r, 1 - r) * bound)
    curvature = m.expm1(spent)
    guess = min(max(float(upper.mid()), 1e-290), 0.5)
    level = _fraction(r)
    sizes = (float(scale.mid()), float(curvature.mid()), float(epsilon.mid()))
    if level is None or not all(1e-9 < size < 1e9 for size in sizes[:2]) or not sizes[2] < 300:
        return None
    replaced = REPLACED[values["adjacency"]]
    found = search(Setting(repr(sizes[2]), repr(guess), scale, curvature, replaced), levels=(level,))
    if found is None or found.candidate.copies >= values["n"]:
        return None
    # the event was chosen in doubles; what it needs is enclosed at the epsilon that was asked for
    from dpsco.reference.algorithms.objective_perturbation.privacy import excess

    m = arb(BITS)
    return excess(m, found.pair(), m.real(epsilon), found.event)


def _fraction(r: Real) -> str | None:
    """The level as a short decimal, where it certainly is one: the search wants exact numbers."""
    for digits in (1, 2, 3, 4, 6, 9, 12):
        text = f"{float(r.mid()):.{digits}f}"
        if r.overlaps(arb(BITS).real(text)) and r.rad() < 1e-40:
            return text
    return None


def curvature_fits(m: Numbers, epsilon: Real, values: Values) -> str | None:
    """What is wrong where the ridge leaves no room for epsilon: nothing is proved there."""
    spent = curvature_loss(m, beta=values["curvature"], n=m.real(values["n"]), lambda_=values["ridge"])
    if m.gt(epsilon, spent) is True:
        return None
    least = upward(values["curvature"] / (2 * values["n"] * m.expm1(epsilon)))
    return (
        f"epsilon must exceed ln(1 + curvature/(2 n ridge)) = {float(spent.mid()):.6g}, got {float(epsilon.mid()):.6g}: "
        f"a ridge above {least:.6g} is needed"
    )


def beside(m: Numbers, values: Values) -> dict[str, Real]:
    return {"curvature loss": curvature_loss(m, beta=values["curvature"], n=m.real(values["n"]), lambda_=values["ridge"])}
