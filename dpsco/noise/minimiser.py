"""The minimiser that a release rests on: in doubles where these are proved to suffice, else with digits enough, enclosed."""

from fractions import Fraction
from typing import Any

import numpy as np

from dpsco.fast.losses.polynomial_kernel import rounding
from dpsco.noise.objective import Spent
from dpsco.spec.losses.kernels import Kernel
from dpsco.spec.losses.polynomial_kernel import PolynomialKernel


def gradient_rounding(
    bound: float, h: float, rows: int, b: Any, lambda_: float, theta: Any, kernel: Kernel = "logistic"
) -> float:
    """How far the gradient computed in doubles may lie from the true one at theta, features in the ball of radius `bound`.

    With u the unit roundoff and P = bound |theta|: a residual is off by at most (d + 2) u (P + 80 h) where the kernel is not
    flat, its slope by that times max(1, K_bar) over h and by 8 u, or more for a kernel of one's own; the mean over the rows
    adds rows u bound, the term of b 3 u, that of the ridge 6 u, three of them for the ridge's own rounding.

    Returns  a norm in loss/decision
    """
    unit, size, d = 2.0**-53, float(np.sqrt((theta**2).sum())), theta.size
    steepness, digits = 1.0, 8.0
    if isinstance(kernel, PolynomialKernel):
        steepness, digits = max(1.0, 1.001 * float(kernel.pieces[0][0])), 8.0 + rounding(kernel)
    slopes = bound * ((d + 2) * (bound * size / h + 80) * steepness + digits)
    return float(unit * (slopes + (rows + d) * bound * 2 + 3 * np.abs(b).sum() / rows + 12 * lambda_ * size * d))


DIGITS_SECONDS = 60.0
"""About how long a fit may take with more digits than doubles have, as foreseen from public numbers."""
DIGITS_ENTRY = 0.02
"""Seconds a row and entry of the Hessian that 50 digits take at a tiny bandwidth: 300 passes for d = 2, 5000 for d = 8."""


def check_digits(spent: Spent, d: int, tolerance: float, bound: float, size: float, kernel: Kernel) -> None:
    """Refuse a fit for which doubles do not suffice and more digits would take over a minute, by public numbers alone.

    At coefficients of the expected size and noise of its own: `gradient_rounding` above the tolerance, and
    0.02 n d^2 s above a minute. Other coefficients, which only the data tell, may still need the digits.

    Raises   ValueError naming bandwidth
    """
    expected, noise = np.full(d, size / np.sqrt(d)), np.full(d, spent.sigma)
    rounding = gradient_rounding(bound, spent.bandwidth, spent.n, noise, spent.lambda_, expected, kernel)
    seconds = DIGITS_ENTRY * spent.n * d * d
    if rounding > tolerance and seconds > DIGITS_SECONDS:
        raise ValueError(
            f"bandwidth={spent.bandwidth}: must be larger for {spent.n} records, as in doubles the gradient may be off by "
            f"{rounding:.1g}, allowed {tolerance:.1g}, and with more digits the fit would take about {seconds:.0f} s, allowed "
            f"{DIGITS_SECONDS:.0f}"
        )


FAR = 2**20
"""Bandwidths beyond which every kernel's distribution function is within exp(-FAR) of 0 or 1."""


def gradient_enclosed(
    bits: int, kernel: Kernel, rows: Any, y: Any, b: Any, h: float, r: float, lambda_: Any, bound: float, theta: Any
) -> Any:
    """A ball that certainly holds the norm of the true gradient at theta (of the mean over the rows), or one that is no number.

    Outcomes more than FAR bandwidths from the fit are moved to FAR, which moves the gradient by at most bound exp(-FAR).

    Domain   theta: exact numbers; lambda_: a float or a fraction
    Returns  a norm in loss/decision
    """
    from dpsco.reference.algorithms.objective_perturbation.algorithm import gradient, promoted
    from dpsco.reference.numbers.enclosure import ArbNumbers

    m = ArbNumbers(bits)
    X, at, width = promoted(m, rows), [m.real(t) for t in theta], m.real(h)
    far, outcomes = FAR * width, []
    for x, t in zip(X, y, strict=True):
        fitted, outcome = m.dot(x, at), m.real(t)
        if m.gt(outcome - fitted, far) is True:
            outcome = fitted + far
        elif m.lt(outcome - fitted, -far) is True:
            outcome = fitted - far
        outcomes.append(outcome)
    noise = [m.real(z) for z in b]
    found = m.norm(gradient(m, kernel, X, outcomes, noise, width, m.real(r), m.real(lambda_), at))
    return found + m.ball(0, m.real(bound) * m.exp(m.real(-FAR)))


def minimiser(
    kernel: Kernel, rows: Any, y: Any, b: Any, h: float, r: float, lambda_: float, tolerance: float, bound: float, n: int
) -> list[Any]:
    """A point whose true gradient is at most twice the tolerance: in doubles where they suffice, else with digits enough.

    The objective that is divided by n is rows/n times the one that is divided by the number of rows, with the ridge n/rows
    lambda and the same b: that one is solved, to n/rows times the tolerance. Nothing here ends without having reached it, as
    the guarantee rests on it: the objective is strongly convex, so more digits always get there; and they are not trusted
    either, what they give is enclosed.
    """
    from dpsco.fast.algorithms.objective_perturbation.algorithm import solve

    scale = n / len(y)
    ridge, small = lambda_ * scale, tolerance * scale * (1 - 2.0**-50)
    theta, size = solve(kernel, rows, y, b, h, r, ridge, small)
    if size <= small and gradient_rounding(bound, h, len(y), b, ridge, theta, kernel) <= small:
        return list(theta.tolist())
    from dpsco.reference.algorithms.objective_perturbation.algorithm import solve as exactly
    from dpsco.reference.numbers.enclosure import arb
    from dpsco.reference.numbers.mp import mp

    given = (kernel, rows.tolist(), y.tolist(), b.tolist(), h, r, Fraction(lambda_) * n / len(y))
    wanted = Fraction(tolerance) * n / len(y)
    digits = 50
    while True:
        precise, _ = exactly(mp(digits), *given, wanted)
        m = arb(4 * digits)
        if m.le(gradient_enclosed(4 * digits, *given, bound, precise), 2 * m.real(wanted)) is True:
            return list(precise)
        digits *= 2
