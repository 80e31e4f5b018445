"""Sampling with weight exp(-k |grad Phi_Z|): arguments for its privacy and its mean, and problems that decide against.

k is read from the claim's log-weight; G and K enter as the expressions in the constants that (5) and (12) give them.
"""

from collections.abc import Mapping
from dataclasses import replace

import sympy

from dpsco.arguments.algorithms.descent.bilevel_gradients import SYMBOLS, K_of_12, constants
from dpsco.arguments.formula import apply
from dpsco.reference.numbers.enclosure import arb, ends
from dpsco.reference.numbers.symbolic import symbolic
from dpsco.spec.algorithms.exponential_sampling.mechanism import objective_slope
from dpsco.spec.claim import Claim
from dpsco.spec.numbers import Numbers, Real
from dpsco.verdict import Finding, Lemma, Reading, Rung, Severity, Verdict

RATIO = Lemma(
    "quotient of two weights",
    "If the score |grad Phi_Z(x)| differs between two data sets by at most c at every x, the weights, and so the normalisers, "
    "have quotients within e^(k c): the densities within e^(2 k c).",
)
RANGE = Lemma(
    "the score has a range",
    "Scores lie between 0 and L_fx + beta_gxy L_fy/mu_g whatever the data: they differ by at most that at every x.",
)
SCORES = Lemma("scores of neighbours", "| |grad Phi_Z| - |grad Phi_Z'| | <= |grad Phi_Z - grad Phi_Z'|.")
TWO_REGIONS = Lemma(
    "two regions",
    "X = [0, 1], f(x, y, z) = h_z(x), g = y^2/2: slopes L = 1 or -1, K = 4, G = 1 (L_gy = 0 on Y = {0}). n - 1 records have "
    "slope 1; the last one slope 1 on A and -1 elsewhere, its replacement the other way round; so the score moves by 2/n, "
    "down on A and up elsewhere (n = 1: slopes 1 and 0, by 1). As the transitions narrow, A of share a gets a/(a + (1 - a) "
    "r) and a r/(a r + 1 - a), r = e^(k 2/n).",
)
LINEAR = Lemma(
    "opposite slopes",
    "f = z x, g = y^2/2, X = [-1, 1], one record z = 1 replaced by z = -1: L_fx = 1, K = 4, and the gradient moves by 2/n.",
)
CURVED = Lemma(
    "one record of large curvature",
    "f = y, X = [-1, 1], n records with g = (y + x)^2/2, one of them replaced by B y^2/2: y_Z = -x and y_Z' = -(n - 1) x/(n "
    "- 1 + B), so the gradient moves by B/(n - 1 + B). L_fy = beta_gxy = mu_g = 1, beta_gyy = L_gy = B >= 2, the others 0.",
)
CURVED_REGIONS = Lemma(
    "two regions, one record of large curvature",
    "The pair of the curved record with f = y + v(x), v' = 0 on A and 1 elsewhere: the scores are 1 and (n - 1)/(n - 1 + B) "
    "on A, 0 and B/(n - 1 + B) elsewhere, up to narrow transitions. L_fx = L_fy = 1, G = 2 (beta_fxy = 0).",
)
GIBBS = Lemma(
    "free energy of a sampler",
    "For the density pi ~ e^(-k s) on X and every density rho: E_pi s <= E_rho s + KL(rho, uniform)/k. Let x* minimise s = "
    "|grad Phi_Z| on X, rho be uniform on x* + t (X - x*), 0 < t <= 1, a subset of X: there s <= s(x*) + beta_Phi t D_x, and "
    "KL = d_x ln(1/t). So E_pi s - s(x*) <= beta_Phi t D_x + (d_x/k) ln(1/t); t = min(1, d_x/(k beta_Phi D_x)).",
)
HUBER = Lemma(
    "a well on a long interval",
    "Phi = x^2/2 up to |x| = 1 and |x| - 1/2 beyond, on X = [-D/2, D/2]: s = min(|x|, 1), whose mean is elementary. L_fx = "
    "beta_fxx = 1, K = 4, G = 1, beta_Phi = 1, and the infimum is 0. At D = 2 + 2 e^k the mean is at least k/(k + 1).",
)


def temperature(claim: Claim, names: Mapping[str, Real]) -> Real | None:
    """k as an expression in epsilon, n and what `names` gives for G and K; None where the log-weight is not -k |grad Phi_Z|."""
    s = sympy.Symbol("gradient_norm", positive=True)
    epsilon, n = sympy.symbols("epsilon n", positive=True)
    printed = apply(claim.formulas["log_weight"], symbolic(), {**names, "epsilon": epsilon, "n": n, "gradient_norm": s})
    k = -printed / s
    return None if s in k.free_symbols or printed.subs(s, 0) != 0 else k


def expressions() -> dict[str, Real]:
    """The constants as symbols, with G of (5) and K of (12) in terms of them."""
    return {**SYMBOLS, "G": apply(objective_slope, symbolic(), SYMBOLS), "K": K_of_12()}


def symbols() -> dict[str, Real]:
    """G, K and the rest as symbols of their own."""
    return {name: sympy.Symbol(name, positive=True) for name in ("G", "K", "epsilon", "n", "d_x", "D_x", "beta_Phi")}


def at(m: Numbers, **given: int) -> dict[str, Real]:
    """The constants of a problem, with K, beta_Phi and G."""
    values = constants(m, **given)
    return {**values, "G": apply(objective_slope, m, values)}


def curved(m: Numbers, n: int, B: int) -> tuple[dict[str, Real], Real]:
    """The problem of `CURVED` and how far its gradient moves."""
    values = at(m, L_fy=1, beta_gxy=1, mu_g=1, beta_gyy=B, L_gy=B)
    return {**values, "n": m.real(n)}, m.frac(B, n - 1 + B)


def linear(m: Numbers, n: int) -> tuple[dict[str, Real], Real]:
    """The problem of `LINEAR` and how far its gradient moves."""
    return {**at(m, L_fx=1, beta_fxx=1, beta_gyy=1), "n": m.real(n)}, m.frac(2, n)


def mean_of_well(m: Numbers, k: Real, D: Real) -> Real:
    """E min(|x|, 1) under the density ~ e^(-k min(|x|, 1)) on [-D/2, D/2], D >= 2."""
    far = m.exp(-k)
    mass = 2 * (1 - far) / k + (D - 2) * far
    return (2 * (1 - far * (1 + k)) / k**2 + (D - 2) * far) / mass


def moved_score(m: Numbers, n: int) -> Real:
    """How far the score moves in `TWO_REGIONS`."""
    return m.frac(2, n) if n > 1 else m.real(1)


def quotient(m: Numbers, k: Real, moved: Real, share: Real) -> Real:
    """The quotient of the probabilities of A, of this share, if the score moves down on A and up elsewhere by `moved`."""
    r = m.exp(k * moved)
    return r * (share + (1 - share) * r) / (share * r + 1 - share)


def k_at(claim: Claim, m: Numbers, values: Mapping[str, Real]) -> Real:
    """k at numbers."""
    return -apply(claim.formulas["log_weight"], m, {**values, "gradient_norm": m.real(1)})


def with_n(base: Finding) -> Finding:
    """The weight that the printed sensitivity 2G/n asks for, k = epsilon n/(4G): what the authors evidently meant."""
    m = arb(192)
    n, B, G = 1000, 10**6, 2
    found = m.log(quotient(m, m.frac(n, 4 * G), m.frac(B, n - 1 + B), m.real("1e-9")))
    holds = m.gt(found, 1) is not True
    return replace(
        base,
        scope="X of finite volume, with k = epsilon n/(4G) in the weight: the sample is epsilon-DP",
        verdict=Verdict.OPEN if holds else Verdict.REFUTED,
        rung=None if holds else Rung.POINT,
        method="logarithm of the quotient of the probabilities of one region",
        claimed="1",
        computed=ends(found),
        at={"epsilon": "1", "n": str(n), "B": str(B), "share of A": "1e-9"},
        lemmas=(CURVED, CURVED_REGIONS),
        reason="not contradicted" if holds else None,
        reading=Reading.MEANT,
        severity=None if holds else Severity.CONSTANT,
        survives=None if holds else "With K of (12) in the place of G, under all of Assumption 2.2, it holds.",
    )


def rate_with_n(claim: Claim, refuted: Finding) -> Finding:
    """(24) for the weight that the printed sensitivity 2G/n asks for, k = epsilon n/(4G), on a well with a long way to it."""
    m = arb(192)
    n, epsilon = sympy.Symbol("n", positive=True), 1
    numbers = {"G": 1, "epsilon": epsilon, "d_x": 1, "n": n}
    printed = apply(claim.formulas["rate"], symbolic(), numbers)
    cold = n * epsilon / 4
    diverges = sympy.limit(cold / (cold + 1) / printed, n, sympy.oo) == sympy.oo
    many = 1000
    k = m.frac(many * epsilon, 4)
    found = mean_of_well(m, k, 2 + 2 * m.exp(k))
    return replace(
        refuted,
        scope="the mean gradient of the sample is of the printed order, with k = epsilon n/(4G) in the weight",
        verdict=Verdict.REFUTED if diverges else Verdict.OPEN,
        rung=Rung.EXACT if diverges else None,
        method="Phi = x^2/2 near 0, of slope 1 beyond, on X of length 2 + 2 e^k: the mean stays above k/(k + 1), the printed "
        "order, which does not know D_x, tends to 0",
        claimed=str(sympy.N(printed.subs(n, many), 6)),
        computed=ends(found),
        at={"n": str(many), "epsilon": str(epsilon), "G": "1", "d_x": "1", "D_x": "2 + 2 e^k"},
        lemmas=(HUBER,),
        reason=None if diverges else "not contradicted",
        reading=Reading.MEANT,
        severity=Severity.RATE if diverges else None,
        survives="Where X holds a stationary point the mean is at most (d_x/k)(1 + ln max(1, k beta_Phi D_x/d_x)), a logarithm "
        "more than is printed.",
    )
