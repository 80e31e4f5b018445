"""Noise for objective perturbation with a linear predictor: a proved profile, and what is drawn from it.

The loss of a record is c(y - <x, theta>) with a convex c whose derivative stays in [-(1-r), r]: feature vectors have norm at
most B_x, the curvature of a record's loss is at most beta. With the noise N(0, sigma^2 I) and the ridge lambda |theta|^2 the
exact minimiser has a density, and its privacy profile is bounded by a sum of Gaussian ones, one for each corner of the set
that the two records' slopes can reach. Nothing is assumed independent of the noise: a slope may depend on it.
"""

from dpsco.spec.expressions import log1p, symbols
from dpsco.spec.numbers import Numbers, Real

beta, gradient_norm, lambda_, n = symbols("beta gradient_norm lambda_ n")


curvature_loss = log1p(beta / (2 * n * lambda_))
"""What the ratio of determinants costs, in nats: ln(1 + beta/(2 n lambda)).

Domain   beta > 0, n >= 1 the public normaliser, lambda_ > 0; replace-one and add-one with n fixed alike
Source   `dpsco.reference.algorithms.objective_perturbation.calibration.DETERMINANTS`
"""


def slope_shifts(m: Numbers, r: Real, B_x: Real, s: Real) -> tuple[Real, Real, Real]:
    """Largest lengths of the gradient difference at the corners of the two records' slopes.

    (r sqrt(s), (1-r) sqrt(s), sqrt(B_x^2 - r (1-r) s)), where s = |x - x'|^2 and the third length counts twice

    Domain   0 < r < 1, B_x > 0, 0 <= s <= 4 B_x^2
    Returns  lengths in loss/decision
    """
    return r * m.sqrt(s), (1 - r) * m.sqrt(s), m.sqrt(B_x**2 - r * (1 - r) * s)


output_sensitivity = gradient_norm / lambda_
"""How far the errors of two approximate minimisers can lie apart: twice |gradient|/(2 lambda).

Domain   gradient_norm >= 0 bounds |grad J| at both returned points, lambda_ > 0
Returns  a length in units of the decision
"""


def saturated_shift(m: Numbers, r: Real, B_x: Real, replaced: bool) -> Real:
    """Length of the gradient difference that a pair of far outcomes reaches at every theta, the exact minimiser released.

    2 max(r, 1-r) B_x where one record replaces another, max(r, 1-r) B_x where one is added

    Returns  a length in loss/decision
    """
    return (2 if replaced else 1) * m.max(r, 1 - r) * B_x
