"""What parabolas cost the perturbed minimiser where the loss is Delta-strongly convex in the Minkowski norm of C."""

from typing import Any

import sympy

from dpsco.arguments.algorithms.objective_perturbation.risk.linear_losses import sigma
from dpsco.arguments.algorithms.objective_perturbation.risk.set_orders import Family, Values, log_inverse
from dpsco.arguments.formula import apply
from dpsco.reference.numbers.symbolic import symbolic
from dpsco.spec.register import find
from dpsco.verdict import Lemma

ORIGIN = Lemma(
    "the origin lies inside C",
    "Delta > 0 and |v|_C = inf for v in no multiple of C: a real-valued loss that is Delta-strongly convex in |.|_C on C needs "
    "|theta - theta'|_C finite, so C contains a ball around the origin in the space it spans. Then |v|_2 <= |C|_2 |v|_C, and J "
    "has the l2 modulus Delta/|C|_2^2 + 2 lambda.",
)
EXCESS = Lemma(
    "a linear tilt of a strongly convex loss",
    "theta_1 minimises loss + p, p(theta) = <G, theta>/n + lambda |theta|^2 with gradient p_1 there: loss(theta_1) - "
    "loss(theta') <= <p_1, theta' - theta_1> - (Delta/2) x^2 <= |p_1|_{C*}^2/(2 Delta), x the larger of |theta' - theta_1|_C "
    "and |theta_1 - theta'|_C; so x <= 2 |p_1|_{C*}/Delta as well. |p_1|_{C*} <= |G|_{C*}/n + 2 lambda |C|_2^2.",
)
SECOND_MOMENT = Lemma(
    "second moment of the support function",
    "h(g) = sup over C of <g, .> is |C|_2-Lipschitz, so its variance is at most |C|_2^2 (Poincare). The origin and the point "
    "of length |C|_2 give G_C >= |C|_2 E max(0, g_1) = |C|_2/sqrt(2 pi). So E h^2 <= (1 + 2 pi) G_C^2.",
)
SAMPLING = Lemma(
    "parabolas with random tilts",
    "C = [-c, c], mu = Delta/c^2, l = mu theta^2/2 + b x theta, x = 1 or -1 alike, b = L - Delta/c >= L/2, lambda = 0: "
    "theta_1 = -(b mean(x) + G/n)/mu, clipped to C. Delta >= L c/sqrt(n) keeps b/(mu sqrt(n)) <= c. E mean(x)^2 = 1/n and "
    "fourth moment at most 3/n^2 give P(mean(x)^2 >= 1/(2 n)) >= 1/12, G has either sign alike: excess = (mu/2) E theta_1^2 "
    ">= b^2/(96 mu n).",
)
TILTED_BALL = Lemma(
    "one parabola on a ball",
    "C the ball of radius c, |C|_2 = c, G_C = c E|g| in [sqrt(2/pi), 1] c sqrt(d), every record mu |theta|^2/2, mu = "
    "Delta/c^2 <= L/c, lambda = 0: theta_1 = -G/(n mu) cut to length c. For sigma_1 sqrt(d) <= n mu c the excess (mu/2) "
    "E|theta_1|^2 is a constant share of d sigma_1^2/(2 n^2 mu) = c^2 d sigma_1^2/(2 n^2 Delta), and |G|_{C*} = c |G|_2.",
)
BOUNDARY = Lemma(
    "a minimiser on the boundary",
    "C = [-c, c], every record mu theta^2/2 - (3 L/4) theta, mu = Delta/c^2 <= L/(4 c): slopes in [-L, -L/2]. Where |G|/n <= "
    "L/4 theta_1 = c, the best point, and theta_2 = theta_1 is allowed. clip(c + H) lies min(max(0, -H), 2 c) below: excess "
    ">= (L/4) E min(max(0, -H), 2 c), a constant share of L min(sigma_2, c).",
)
INSIDE = Lemma(
    "a ridge beside a parabola",
    "C = [-c, c], every record mu theta^2/2 - a theta, mu = Delta/c^2, a = mu c/2: theta' = c/2. With a ridge theta_1 = "
    "clip((a - G/n)/(mu + 2 lambda)) has at most the mean a/(mu + 2 lambda), for clip(m + x) + clip(m - x) <= 2 m; at G = 0 "
    "it is that. Excess = (mu/2) E(theta_1 - theta')^2 >= (mu/2)(theta' - E theta_1)^2.",
)


def ridge(v: Values) -> Any:
    """r beta/(epsilon n)."""
    return apply(find("lp/alg-1").formulas["least_lambda"], symbolic(), v)


def by_ridge(v: Values) -> Any:
    """sigma_2 where H is sized by r beta/(epsilon n), as in Theorem 3, up to a constant."""
    length = apply(find("lp/thm-3").formulas["output_sensitivity"], symbolic(), v)
    return length * sympy.sqrt(log_inverse(v)) / v["epsilon"]


def by_curvature(v: Values) -> Any:
    """sigma_2 where H is sized by Delta/|C|_2^2, as in the displays of Theorem 4's proof, up to a constant."""
    return sympy.sqrt(v["alpha"] * log_inverse(v) / v["Delta"]) * v["C_norm"] / v["epsilon"]


def _interval(v: Values) -> Values:
    return {**v, "G_C": v["C_norm"], "d": sympy.Integer(1)}


def ball(v: Values) -> Values:
    """C a ball."""
    return {**v, "G_C": v["C_norm"] * sympy.sqrt(v["d"])}


def _allowed(v: Values) -> tuple[Any, ...]:
    """A parabola with slopes up to L, smooth enough, and no ridge."""
    c = v["C_norm"]
    return v["Delta"] / (v["L"] * c), v["Delta"] / (c**2 * v["beta"]), ridge(v) / v["Delta"]


def _short(v: Values) -> tuple[Any, ...]:
    return (*_allowed(v), sigma(v) * sympy.sqrt(v["d"]) * v["C_norm"] / (v["n"] * v["Delta"]))


def _near(v: Values) -> tuple[Any, ...]:
    """sigma_2 <= c, G small against L n, and the range epsilon <= 2 ln(1/delta) that the paper prints elsewhere."""
    return (*_allowed(v), by_ridge(v) / v["C_norm"], sigma(v) / (v["n"] * v["L"]), v["epsilon"] / log_inverse(v))


def _sampling(v: Values) -> Any:
    return v["L"] ** 2 * v["C_norm"] ** 2 / (v["n"] * v["Delta"])


def noise_square(v: Values) -> Any:
    """sigma_1^2 G_C^2/(n^2 Delta)."""
    return sigma(v) ** 2 * v["G_C"] ** 2 / (v["n"] ** 2 * v["Delta"])


RANDOM_TILTS = Family("parabolas with random tilts", SAMPLING, _interval, _sampling, _allowed)
ON_A_BALL = Family("one parabola on a ball", TILTED_BALL, ball, noise_square, _short)
ON_THE_BOUNDARY = Family("a minimiser on the boundary", BOUNDARY, _interval, lambda v: v["L"] * by_ridge(v), _near)


def proved(v: Values, output: Any, most_ridge: Any) -> Any:
    """The population risk, up to constants: H's scale, then alpha, sampling, noise and ridge."""
    inexact = sympy.sqrt(output * v["G_C"]) + sympy.sqrt(v["alpha"] / v["Delta"]) * v["C_norm"]
    return v["L"] * inexact + _sampling(v) + noise_square(v) + most_ridge**2 * v["C_norm"] ** 4 / v["Delta"]
