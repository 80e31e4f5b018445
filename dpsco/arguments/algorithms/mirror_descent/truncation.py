"""What truncating heavy-tailed gradients leaves: a proof in every norm, and laws of two atoms on the line that come near."""

from collections.abc import Mapping

from dpsco.spec.numbers import Numbers, Real
from dpsco.verdict import Lemma

Values = Mapping[str, Real]
KEPT = Lemma(
    "what truncation leaves",
    "g = G + xi, |G|_* <= beta M <= lambda, E|xi|_*^2 <= sigma^2. g is set to 0 only if |g|_* > beta M + lambda, so |xi|_* > "
    "lambda. A kept g has |g - G|_* <= 2 beta M + lambda, else the error is G. E x = -E[g; set to 0], so |E x|_* <= beta M P + "
    "E[|xi|_*; |xi|_* > lambda] <= (beta M + lambda) sigma^2/lambda^2. E|x|_*^2 <= E[|xi|_*^2; kept] + (beta M)^2 P <= "
    "E|xi|_*^2, as (beta M)^2 <= lambda^2 < |xi|_*^2 where g is set to 0; E|x|_*^4 <= max|x|_*^2 E|x|_*^2.",
)
MEANS = Lemma(
    "mean of a batch, and products",
    "|.|_*, |.|_*^2 and |.|_*^4 are convex: their means bound those of the batch's mean. |<x, v>| <= |x|_* |v|_p, |v|_p <= M.",
)
SMOOTH = Lemma(
    "smoothness and convexity",
    "L(w_t) <= L(w) + <grad, w_t - w> + (beta/2) |w_t - w|^2, w = w_{t-1}, and |w_t - w|^2 <= 2 D_Phi(w_t, w); L(w) - L(z) <= "
    "<grad, w - z>.",
)
OPTIMAL = Lemma(
    "optimality of a step",
    "<noisy + gamma (grad Phi(w_t) - grad Phi(w)), z - w_t> >= 0, so <noisy, w_t - z> <= gamma (D(z, w) - D(z, w_t) - D(w_t, "
    "w)); half of gamma D(w_t, w) pays for beta D(w_t, w), gamma >= 2 beta, and the other half is at least (gamma/4) |w_t - "
    "w|^2, with <xi, w - w_t> <= |xi|_*^2/gamma + (gamma/4) |w_t - w|^2.",
)
ATOMS = Lemma(
    "two atoms on the line",
    "C = [0, M], z - w = +-M, losses (-S + xi) w, a batch of one record; h = beta M + lambda. (1) S > h, xi = 0: every "
    "gradient is set to 0 and x = S. (2) xi = h + S with chance q, else -q (h + S)/(1 - q), q -> 0: x = h + S is kept. (3) xi "
    "= -s, s > h - S, with chance q = sigma^2/(s^2 + sigma^2), else sigma^2/s: E x = q (S + s). (4) xi = +-sigma, S + sigma <= "
    "h: nothing is set to 0. (5) as (2) with q = sigma^2/(s^2 + sigma^2), s = h + S. For S <= beta M the losses beta (w - "
    "S/beta)^2/2 + xi w have these gradients at w_0 = 0 and a population gradient that vanishes in C.",
)


def height(v: Values) -> Real:
    return v["beta"] * v["M"] + v["lambda_"]


def slope(v: Values) -> Real:
    """|population gradient|: a quantity of the amended claim, free in the printed one."""
    return v["largest_slope"] if "largest_slope" in v else v["slope"]


def size(m: Numbers, v: Values) -> Real:
    """Law (2)."""
    return height(v) + slope(v)


def bias(m: Numbers, v: Values) -> Real:
    """Laws (1) and (3)."""
    S, h = slope(v), height(v)
    if m.gt(S, h) is True:
        return S
    s = m.frac(1001, 1000) * (h - S)
    stays = m.gt(s, m.real(0)) is True and m.le(v["sigma"] ** 2 / s, h) is True
    return (S + s) * v["sigma"] ** 2 / (s**2 + v["sigma"] ** 2) if stays else m.real(0)


def spread(m: Numbers, v: Values) -> Real:
    """Laws (1) and (4)."""
    S, h = slope(v), height(v)
    if m.gt(S, h) is True:
        return S
    return v["sigma"] if m.le(S + v["sigma"], h) is True else m.real(0)


def fourth(m: Numbers, v: Values) -> Real:
    """Laws (1) and (5): the root of E x^4."""
    S, h = slope(v), height(v)
    if m.gt(S, h) is True:
        return S**2
    s = h + S
    stays = m.le(S + v["sigma"] ** 2 / s, h) is True
    return v["sigma"] * s**2 / m.sqrt(s**2 + v["sigma"] ** 2) if stays else m.real(0)
