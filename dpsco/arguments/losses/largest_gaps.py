"""Largest gaps of smoothings of the check loss: the envelope's on cells, the kernels' numbers, and pairs of kernels.

At equal smoothness beta only the product kappa_1 K_bar of a kernel counts: its largest gap is kappa_1 K_bar / (2 beta), and the
envelope's is max(r, 1 - r)^2 / (2 beta).
"""

from collections.abc import Callable
from functools import lru_cache

from dpsco.arguments.cells import LEVELS, UndecidedError, residuals, sign, weakest
from dpsco.arguments.comparing import Instance
from dpsco.arguments.formula import apply
from dpsco.arguments.losses.envelope_cells import Formula, infimum_is, on
from dpsco.reference.losses.moreau import envelope as moreau
from dpsco.spec.claim import Claim
from dpsco.spec.domain import open_unit, positive, reals
from dpsco.spec.losses.moreau.envelope import proximal_objective
from dpsco.spec.numbers import Numbers, Real
from dpsco.spec.register import find
from dpsco.verdict import Lemma

SCALED = Lemma(
    "equal smoothness",
    "c_h'' = K(u/h)/h has the supremum K_bar/h, the envelope's second derivative beta: h = K_bar/beta makes them equal. Then "
    "the convolution's largest gap is h kappa_1/2 = kappa_1 K_bar/(2 beta), which no rescaling of the kernel changes.",
)
TWO_STEPS = Lemma(
    "two steps",
    "(1 - w) U[-1, 1] + w U[-s, s], 0 < w, s < 1, is even, does not increase in |u| and has compact support: a kernel of the "
    "paper's conditions. kappa_1 = ((1 - w) + w s)/2, K_bar = ((1 - w) + w/s)/2, and kappa_1 K_bar grows without bound as s -> "
    "0: 6.375625 at w = 1/2, s = 1/100, while max(r, 1 - r)^2 < 1 at every level.",
)
ONCE = Lemma(
    "one crossing",
    "Let L(v) >= K(v) for 0 <= v < c and L(v) <= K(v) beyond, both even of integral one. D(t) = P(|V_L| > t) - P(|V_K| > t) "
    "is 0 at t = 0, falls up to c, and rises to 0 beyond: D <= 0. E(|V| - t)+ is the integral of P(|V| > s) from t on, so L's "
    "is at most K's at every t, at t = 0 kappa_1. Scaled to equal suprema, kappa_1 is kappa_1 K_bar.",
)
TAILS = Lemma(
    "tails of the table",
    "For |v| >= 2: exp(-v^2/2)/sqrt(2 pi) <= 0.4 exp(-|v|), since v^2/2 - |v| >= 0, and the logistic density is at least "
    "exp(-|v|)/(1 + exp(-2))^2 >= 0.77 exp(-|v|): logistic above Gaussian, both above the compact kernels, which are 0 there.",
)
TABLE_ONCE = Lemma(
    "the table crosses once",
    "Where both are positive, log(L/K) has the slope k - l, with l = -L'/L and k = -K'/K: 0 uniform, 2t/(1 - t^2) "
    "Epanechnikov, t Gaussian, tanh(t/2) logistic. As they are, from the lighter to the heavier: K(0) falls (3/4, 0.399, "
    "1/4; uniform 1/2), and l >= k for Epanechnikov and Gaussian, Gaussian and logistic; uniform 1/2 > 0.399: the ratio "
    "starts above 1 and, once below, stays. Scaled to supremum 1: l - k is t ((32/9)/(1 - 16 t^2/9) - 2 pi) or 2 pi t - 4 "
    "tanh(2t), negative, then positive: the ratio rises from 1, then falls to 0; and no density of supremum 1 exceeds the "
    "uniform one before its end.",
)
TWO_STEP: Instance = {"kappa_1": "0.2525", "K_bar": "25.25"}
ORDER = (("uniform", "gaussian"), ("epanechnikov", "gaussian"), ("gaussian", "logistic"))
"""Pairs of Table 1 with strictly ordered tails, the lighter one first; they imply the rest."""


def pair(lighter: tuple[str, str], heavier: tuple[str, str], crossing: str) -> Instance:
    """Two kernels by (kappa_1, K_bar), with scales on both sides of 1 added by whoever tries them."""
    numbers = {"kappa_1_lighter": lighter[0], "K_bar_lighter": lighter[1], "kappa_1": heavier[0], "K_bar": heavier[1]}
    return {**numbers, "crossing": crossing}


def at_scales(*pairs: Instance) -> list[Instance]:
    return [{**numbers, "h": h, "beta": beta} for numbers in pairs for h, beta in (("1", "1"), ("0.25", "8"), ("9", "0.125"))]


UNIFORM, EPANECHNIKOV, LAPLACE = ("0.5", "0.5"), ("0.375", "0.75"), ("1", "0.5")
LIGHTER: dict[str, list[Instance]] = {
    "uniform on [-4, 4] against exp(-|v|)/2": [pair(("2", "0.125"), LAPLACE, "4")],
    "two steps against exp(-|v|)/2": [pair((TWO_STEP["kappa_1"], TWO_STEP["K_bar"]), LAPLACE, "1")],
}
"""Pairs of kernels with the tail of the first strictly below the second's beyond the crossing."""
NARROW, WIDE = ("0.25", "1"), ("1", "0.25")
BOTH = [pair(UNIFORM, UNIFORM, "1"), pair(NARROW, NARROW, "0.5"), pair(UNIFORM, LAPLACE, "1"), pair(NARROW, WIDE, "0.5")]
CROSSING_ONCE = {"lighter_gap": BOTH, "lighter_gap_at_smoothness": [*BOTH, pair(UNIFORM, EPANECHNIKOV, "1")]}
"""Pairs whose densities cross once: as they are (uniform kernels of two widths; 1/2 >= exp(-v)/2 on [0, 1)), or scaled to the
same supremum (no density of supremum 1 exceeds the uniform one before its end)."""


@lru_cache(64)
def in_bandwidth(formula: Formula) -> Formula:
    """A formula of beta as one of h = 1/beta, for the cells."""
    return lambda m, u, r, h: apply(formula, m, {"u": u, "r": r, "beta": 1 / h})


POSITIVE = ("beta", "h", "kappa_1", "K_bar", "kappa_1_lighter", "K_bar_lighter")
USUAL = {"r": open_unit, "u": reals, **dict.fromkeys(POSITIVE, positive)}


def usual(claim: Claim) -> bool:
    """Whether the parameters range over what the arguments cover."""
    return all(USUAL.get(p.name, p.domain) == p.domain for p in claim.parameters)


def is_envelope(claim: Claim, printed: Formula) -> bool:
    """Whether a printed formula of u, r and beta is the infimum over x of c(x) + (beta/2) (u - x)^2, everywhere."""
    return usual(claim) and _is_infimum(printed)


@lru_cache(64)
def _is_infimum(printed: Formula) -> bool:
    return infimum_is(proximal_objective, in_bandwidth(printed), find("newsvendor/moreau"))  # of the claim only its ranges


@lru_cache(64)
def largest_gap_order(printed: Formula) -> str | None:
    """The sign of the envelope's largest gap over u against a printed formula of r and beta: "=" where it is attained."""
    return _largest(in_bandwidth(lambda m, r, beta: apply(printed, m, {"r": r, "beta": beta})))


def _largest(bound: Callable[..., Real]) -> str | None:
    attained, below = [], []
    try:
        for r in LEVELS:
            signs = [sign(-on(moreau.gap, r, u) - on(bound, r, u)) for u in residuals(r).values()]
            below += signs
            attained.append("=" in signs)
    except UndecidedError:
        return None
    found = weakest(below)
    return "=" if found in ("<=", "=") and all(attained) else found


def beyond(side: int, formula: Callable[[Numbers, Real, Real, Real], Real]) -> Formula:
    """A formula of u, r and beta at the end of the envelope's quadratic piece on one side, or some distance beyond it."""

    def there(m: Numbers, r: Real, beta: Real, distance: Real) -> Real:
        end = r / beta if side > 0 else (r - 1) / beta
        return formula(m, end + side * distance, r, beta)

    return there


def beyond_order(side: int, left: Formula, right: Formula) -> str | None:
    """The sign between two formulas of u, r and beta at and beyond that end, on all levels."""
    names = ("right", "right end") if side > 0 else ("left", "left end")
    a, b = in_bandwidth(left), in_bandwidth(right)
    try:
        return weakest(sign(on(a, r, residuals(r)[name]) - on(b, r, residuals(r)[name])) for r in LEVELS for name in names)
    except UndecidedError:
        return None


POINTS: list[Instance] = [
    {"r": r, "beta": beta, "u": u, "h": h, "distance": d}
    for r in ("0.25", "0.5", "0.96875")
    for beta, h in (("1", "1"), ("8", "0.25"), ("0.125", "16"))
    for u, d in (("0", "0"), ("0.125", "0.5"), ("-0.125", "3"), ("20", "100"), ("-20", "0.0625"))
]
