"""Bilevel problems whose gradient moves as fast as the constants of the assumptions allow, in closed form.

One family for the slope in x and for the error of an inexact lower minimiser, one for a replaced record. Every term of the
printed constants is attained by them, all terms at once, in the limit of a small scale; choosing the weights makes any one
term the largest.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Context, Decimal
from fractions import Fraction
from itertools import product
from typing import Final

from dpsco.instances.grid import Instance, grid
from dpsco.spec.claim import Claim
from dpsco.spec.numbers import Numbers, Real
from dpsco.verdict import Lemma

ALIGNED: Final = Lemma(
    "all terms attained at once",
    "d_x = d_y = 1, g = mu y^2/2 - (c/s) sin(s x) y + gamma s^3 w((x + k y)/s), w(u) = u - sin u, and f = -L y + b s^2 (1 - "
    "cos((x + kappa y)/s)), whatever the data, s small. At x = 0 the lower minimiser is y = 0, G_xy = -c, G_yy = mu, F_y = "
    "-L; the third derivatives gamma k, gamma k^2, gamma k^3 and the second ones b, b kappa, b kappa^2 take their largest "
    "values there and pull the same way. Y = [-a, a], a = 1.001 (c/s + 2 gamma s^2 k)/mu, holds every minimiser. Phi''(0) = b "
    "(1 + kappa t)^2 + L gamma k (1 + k t)^2/mu, and d barF(0, y)/dy = b kappa (1 + kappa t) + (L gamma k^2/mu)(1 + k t) at y "
    "= 0, t = c/mu.",
)
REPLACED: Final = Lemma(
    "one record against many",
    "g_A = mu y^2/2 - c s sin(x/s) y + gamma s^3 w((x + k y)/s), f_A = -L y + b s^2 (1 - cos((x + kappa y)/s)), w(u) = u - "
    "sin u. Z and Z' hold n - 1 records A. The other one has f = f_A + 2 L y + p x, g = g_A + (H - mu) y^2/2 + 2 c s sin(x/s) "
    "y - q y in Z, and f = f_A - p x, g = g_A + q y in Z'; H >= mu. Y = [-a, a], a = 1.001 (c s + 2 gamma s^2 k + q)/mu, "
    "holds the minimisers of every data set of these records. At x = 0 the two equations G_y = 0 are solved and enclosed: a "
    "residual r means an error of at most |r|/mu_g.",
)

DIGITS: Final = Context(prec=200)
SCALE: Final = Fraction(1, 10**10)
WIDER: Final = Fraction(1001, 1000)
MANY: Final = 10**20
WEIGHTS: Final = ("mu", "c", "gamma", "k", "b", "kappa", "L")
LEVELS: Final = ("0.01", "1", "100")


def decimal(value: Fraction) -> str:
    """A fraction with a denominator 2^i 5^j as a decimal string."""
    text = format(DIGITS.divide(Decimal(value.numerator), Decimal(value.denominator)), "f")
    if Fraction(text) != value:
        raise ValueError(f"{value} has no decimal of {len(text)} digits")
    return text


@dataclass(frozen=True)
class Weights:
    """The numbers that a problem of either family is made of."""

    mu: Fraction = Fraction(1)
    c: Fraction = Fraction(1)
    gamma: Fraction = Fraction(1)
    k: Fraction = Fraction(1)
    b: Fraction = Fraction(1)
    kappa: Fraction = Fraction(1)
    L: Fraction = Fraction(1)
    p: Fraction = Fraction(0)
    q: Fraction = Fraction(0)
    H: Fraction | None = None

    def constants(self, scale: Fraction, mixed_scale: Fraction) -> dict[str, Fraction]:
        """The constants of both assumptions, with -c mixed_scale sin(x/mixed_scale) y for the mixed term."""
        w, top = self, self.H if self.H is not None else self.mu
        bend = w.gamma * scale * w.k**2
        pull = w.c * mixed_scale + 2 * w.gamma * scale**2 * w.k + w.q
        low, high = w.mu - bend, top + bend
        if not WIDER * low >= w.mu:
            raise ValueError(f"scale={scale}: too large for these weights")
        return {
            "L_fx": w.p + w.b * scale,
            "L_fy": w.L + w.b * scale * w.kappa,
            "L_gy": high * WIDER * pull / w.mu + pull,
            "mu_g": low,
            "beta_fxx": w.b,
            "beta_fxy": w.b * w.kappa,
            "beta_fyy": w.b * w.kappa**2,
            "beta_gxy": w.c + w.gamma * scale * w.k,
            "beta_gyy": high,
            "M_gxy": w.c / mixed_scale + w.gamma * w.k,
            "M_gyy": w.gamma * w.k**2,
            "C_gxy": w.gamma * w.k**2,
            "C_gyy": w.gamma * w.k**3,
        }


QUADRATIC: Final = Weights(gamma=Fraction(0))
"""No third derivatives: g is quadratic in y."""
SUMMARIES: Final = {
    "slope_f_x": "L_fx",
    "slope_f_y": "L_fy",
    "slope_g_y": "L_gy",
    "least_curvature_g_yy": "mu_g",
    "curvature_f_xx": "beta_fxx",
    "curvature_f_xy": "beta_fxy",
    "curvature_f_yy": "beta_fyy",
    "curvature_g_xy": "beta_gxy",
    "curvature_g_yy": "beta_gyy",
    "variation_g_xy_x": "M_gxy",
    "variation_g_yy_x": "M_gyy",
    "variation_g_xy_y": "C_gxy",
    "variation_g_yy_y": "C_gyy",
}
"""Each summary of the problem, and the constant that it is equal to here."""


def instance(weights: Weights, scale: Fraction, mixed_scale: Fraction, **more: str) -> dict[str, str]:
    """A claim's parameters, with the problem's own numbers beside them."""
    own = {name: decimal(value) for name, value in vars(weights).items() if value is not None}
    constants = weights.constants(scale, mixed_scale)
    known = {name: decimal(value) for name, value in constants.items()}
    summaries = {name: known[of] for name, of in SUMMARIES.items()}
    return {**own, "scale": decimal(scale), **known, **summaries, **more}


def admitted(claim: Claim, instances: Sequence[Instance]) -> tuple[Instance, ...]:
    """The instances whose numbers lie in the claim's domains and meet its preconditions."""
    names = {parameter.name for parameter in claim.parameters}
    own = ({name: value for name, value in at.items() if name in names} for at in instances)
    return tuple(at for at, known in zip(instances, own, strict=True) if len(grid(claim, {}, fixed=[known])))


def aligned() -> Iterator[dict[str, str]]:
    """Problems of `ALIGNED`: every weight small, one and large, two at a time, and no third or no second derivatives."""
    base = Weights()
    seen: set[Weights] = set()
    for first, second in product(WEIGHTS, repeat=2):
        for a, b in product(LEVELS, repeat=2):
            chosen = Weights(**{**vars(base), first: Fraction(a), second: Fraction(b)})
            if first < second and chosen not in seen:
                seen.add(chosen)
                yield instance(chosen, SCALE, 1 / SCALE)
    for name in ("c", "gamma", "b", "L"):
        yield instance(Weights(**{**vars(base), name: Fraction(0)}), SCALE, 1 / SCALE)
    yield instance(QUADRATIC, SCALE, 1 / SCALE, mu_g="-1")  # where a claim's domain admits less than the curvature


def slope(m: Numbers, v: Mapping[str, Real]) -> Real:
    """Phi''(0) of a problem of `ALIGNED`: a limit of difference quotients of the gradient."""
    t = v["c"] / v["mu"]
    return v["b"] * (1 + v["kappa"] * t) ** 2 + v["L"] * v["gamma"] * v["k"] * (1 + v["k"] * t) ** 2 / v["mu"]


def inexactness(m: Numbers, v: Mapping[str, Real]) -> Real:
    """d barF(0, y)/dy at y = y_Z(0) = 0: a limit of |grad Phi_Z - barF_Z| / |y_Z - y|."""
    t = v["c"] / v["mu"]
    return v["b"] * v["kappa"] * (1 + v["kappa"] * t) + v["L"] * v["gamma"] * v["k"] ** 2 * (1 + v["k"] * t) / v["mu"]


def replaced() -> Iterator[dict[str, str]]:
    """Problems of `REPLACED`: one weight at a time small, one and large, and each part alone."""
    base = {**vars(Weights()), "p": Fraction(1), "q": Fraction(1), "H": Fraction(1)}
    moves = [{name: Fraction(level)} for name in (*WEIGHTS[1:], "p", "q") for level in LEVELS if level != "1"]
    moves += [{"H": Fraction(h)} for h in ("1", "10", "1000")]
    none = dict.fromkeys(("c", "gamma", "b", "L", "p", "q"), Fraction(0))
    alone = (
        {"p": Fraction(1)},
        {"c": Fraction(1), "L": Fraction(1)},
        {"c": Fraction(1), "L": Fraction(1), "H": Fraction(1000)},
        {"b": Fraction(1), "q": Fraction(1)},
        {"b": Fraction(1), "c": Fraction(100), "q": Fraction(100)},
        {"gamma": Fraction(1), "L": Fraction(1), "q": Fraction(1)},
        {"gamma": Fraction(100), "L": Fraction(1), "q": Fraction(1), "c": Fraction(1), "k": Fraction(100)},
        {"c": Fraction(1)},
    )
    weak = Weights(**{**none, **alone[1], "H": Fraction(1)})
    yield instance(weak, SCALE, SCALE, n=str(MANY), mu_g="-1")  # where a claim's domain admits less than the curvature
    for move in (*moves, *({**none, **part} for part in alone)):
        yield instance(Weights(**{**base, **move}), SCALE, SCALE, n=str(MANY))


def _minimiser(m: Numbers, v: Mapping[str, Real], curvature: Real, pull: Real) -> Real:
    """A ball that holds the root of curvature y - pull + gamma s^2 k (1 - cos(k y/s))."""
    s, k = v["scale"], v["k"]

    def slope_at(y: Real) -> Real:
        return curvature * y - pull + v["gamma"] * s**2 * k * (1 - m.cos(k * y / s))

    y = pull / curvature
    for _ in range(12):
        bend = curvature + v["gamma"] * s * k**2 * m.sin(k * y / s)
        y = (y - slope_at(y) / bend).mid()
    error = m.abs(slope_at(y)) / v["least_curvature_g_yy"]
    return (y - error).union(y + error)


@dataclass(frozen=True)
class Side:
    """What one of the two neighbours has at x = 0: the response M = G_xy/G_yy, and the gradients."""

    M: Real
    gradient: Real
    record: Real
    """Total derivative of the replaced record's own loss."""


def _side(m: Numbers, v: Mapping[str, Real], first: bool) -> Side:
    s, n = v["scale"], v["n"]
    own = 1 / n if first else 0 * n  # the share of the record that differs, which has no effect in Z' but p and l
    sign = 1 if first else -1
    curvature = v["mu"] + (v["H"] - v["mu"]) * own
    y = _minimiser(m, v, curvature, sign * v["q"] / n)
    third, second = m.sin(v["k"] * y / s), m.sin(v["kappa"] * y / s)
    G_xy = -v["c"] * (1 - 2 * own) + v["gamma"] * s * v["k"] * third
    G_yy = curvature + v["gamma"] * s * v["k"] ** 2 * third
    f_x, f_y = v["b"] * s * second, v["b"] * s * v["kappa"] * second
    M = G_xy / G_yy
    gradient = f_x + sign * v["p"] / n - M * (f_y - v["L"] * (1 - 2 * own))
    record = f_x + sign * v["p"] - M * (f_y + (v["L"] if first else -v["L"]))
    return Side(M, gradient, record)


def response_change(m: Numbers, v: Mapping[str, Real]) -> Real:
    """|M_Z - M_Z'| at x = 0."""
    return m.abs(_side(m, v, True).M - _side(m, v, False).M)


def gradient_change(m: Numbers, v: Mapping[str, Real]) -> Real:
    """|grad Phi_Z(0) - grad Phi_Z'(0)|."""
    return m.abs(_side(m, v, True).gradient - _side(m, v, False).gradient)


def record_gradient(m: Numbers, v: Mapping[str, Real]) -> Real:
    """|grad f(x, y_Z'(x), z')| at x = 0, for the record z' of Z'."""
    return m.abs(_side(m, v, False).record)
