"""The regularised exponential mechanism for a bilevel objective: a family that no private algorithm solves at the printed rate,
and the certificate with the Lipschitz constant that the chain rule gives.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import sympy

from dpsco.arguments.algorithms.exponential_sampling.exponential_weights import GIBBS, LIPSCHITZ, SHIFT, never_negative, symbols
from dpsco.arguments.comparing import refuted
from dpsco.arguments.formula import apply
from dpsco.arguments.privacy.noise_scale import Scale, suffices
from dpsco.instances.grid import Instance, grid
from dpsco.instances.privacy import DELTAS, EPSILONS
from dpsco.reference.numbers.enclosure import arb, ends
from dpsco.reference.numbers.symbolic import symbolic, symbols_of
from dpsco.spec.algorithms.exponential_sampling import calibrated
from dpsco.spec.claim import Adjacency, Claim, Relation
from dpsco.spec.losses.bilevel.assumptions import SMOOTH_HOLDS, objective_is_convex
from dpsco.spec.numbers import Numbers, Real, Truth
from dpsco.spec.register import find
from dpsco.verdict import Finding, Lemma, Rung, Severity, Verdict

EASY = {"epsilon": "1", "delta": "0.001", "d_x": "1", "D_x": "1", "largest_norm": "0.5"}
HUBER = {
    **EASY,
    **{"L_fx": "0", "slope_f_x": "0", "L_fy": "1", "slope_f_y": "1", "mu_g": "1", "least_curvature_g_yy": "1"},
    **{"beta_fxy": "0", "curvature_f_xy": "0", "beta_gxy": "1", "curvature_g_xy": "1", "beta_fyy": "2", "curvature_f_yy": "2"},
    **{"beta_fxx": "0", "curvature_f_xx": "0", "beta_gyy": "1", "curvature_g_yy": "1", "convexity_defect": "0"},
    **{"M_gxy": "0", "M_gyy": "0", "C_gxy": "0", "C_gyy": "0", "population_defect": "0", "variation_g_xy_x": "0"},
    **{"variation_g_yy_x": "0", "variation_g_xy_y": "0", "variation_g_yy_y": "0"},
}
"""Constants and slopes of the family; L_gy and the records' size depend on n."""
LINEAR = {name: "0" for name in HUBER if name.startswith(("L_", "beta_", "C_", "M_"))} | EASY
LINEAR |= {"L_fx": "1", "slope_f_x": "1", "L_gy": "0", "mu_g": "1"}
"""Constants of f = z x on an interval of length 1, z in [-1, 1], with nothing below."""
SIZES = (10**2, 10**4, 10**8)
CALIBRATED: tuple[Callable[..., Truth], ...] = (*LIPSCHITZ, *(p.test for p in SMOOTH_HOLDS), objective_is_convex)

PRIVATE_FAMILY = Lemma(
    "one record moves the minimiser across X",
    "X = [-1/2, 1/2], g = (y - x - z)^2/2, z in {-n, 0, n}, f(y) the Huber loss |y| - 1/4 for |y| >= 1/2, y^2 below. n - 1 "
    "records 0 and one n: y_Z = x + 1 >= 1/2, Phi_Z = x + 3/4; one -n instead: Phi_Z' = 3/4 - x. On Y, an interval of "
    "length 1 + 2n, |g_y| <= 1 + 2n = L_gy (y, z and f divided by n: L_gy is bounded, G = 1/n). With p = P(x <= 0 | Z), q = "
    "P(x <= 0 | Z') the risks are at least (1 - p)/2 and q/2, and p <= e^epsilon q + delta, so the larger risk of every "
    "(epsilon, delta)-DP algorithm is at least (1 - delta)/(2 (1 + e^epsilon)).",
    adjacencies=(Adjacency.REPLACE_ONE,),
)
SAMPLES = Lemma(
    "two distributions that n records do not tell apart",
    "The same f, g and X with z = +-2 sqrt(n), of mean 1 or -1: Phi = x + 3/4 or 3/4 - x, |g_y| <= 1 + 4 sqrt(n) = L_gy. By "
    "Pinsker the laws of n records are within 1/2 (1 - 1/(4n))^{-1/2} <= 1/sqrt(3) in total variation, so the larger expected "
    "excess of every algorithm, private or not, is at least (1 - 1/sqrt(3))/4.",
)
CHAIN = Lemma(
    "slope of the difference with the chain rule",
    "y_Z(x) has the derivative -[G_yy]^{-1} G_yx. Between Z and Z' the minimiser moves by at most r = 2 L_gy/(mu_g n); G_yx "
    "changes by C_gxy r + 2 beta_gxy/n, G_yy by C_gyy r + beta_gyy/n, so the derivative by at most (C_gxy r + 2 "
    "beta_gxy/n)/mu_g + (C_gyy r + beta_gyy/n) beta_gxy/mu_g^2. An unchanged record's gradient f_x + (dy/dx)^T f_y then "
    "moves by at most beta_fxy r + beta_fyy r beta_gxy/mu_g + L_fy times that, the changed one's by 2 (L_fx + L_fy "
    "beta_gxy/mu_g). The mean over the records is at most 2 G/n.",
    adjacencies=(Adjacency.REPLACE_ONE,),
)
DOMINATED = Lemma(
    "comparison with two Gaussians",
    "k(Phi_Z + mu |x|^2/2) is k mu-strongly convex and moves by a (2 k G/n)-Lipschitz function, so by Theorem B.4 (certified "
    "here) its curve is at most that of N(0, 1) against N(2 G sqrt(k)/(n sqrt(mu)), 1).",
    adjacencies=(Adjacency.REPLACE_ONE,),
)
NEEDLE = Lemma(
    "needle",
    "f = z L_fx x_1, z in [-1, 1], on the segment of length D_x around 0 times a tiny cube: one record moves the exponent by "
    "2 k x_1 L_fx/n. k mu D_x^2 grows with d_x, so the segment becomes the whole line and the comparison an equality in the "
    "limit.",
)
GROUP = Lemma(
    "all records replaced",
    "X = [-1/2, 1/2], f = z x, z = 1 or z = -1 in every record: p = P(x <= 0) and q on the other data satisfy p <= e^{n "
    "epsilon} q + delta (e^{n epsilon} - 1)/(e^epsilon - 1), n steps of one record. At n epsilon = 1 the last factor is at "
    "most n (e - 1), and the larger risk at least (1 - delta n (e - 1))/(2 (1 + e)).",
    adjacencies=(Adjacency.REPLACE_ONE,),
)
NEAR_LAW = Lemma(
    "a law near the density",
    "If both laws are within e^eta of their densities, P'(S) <= e^eta P(S) <= e^eta (e^{epsilon_1} Q(S) + delta_1) <= "
    "e^{epsilon_1 + 2 eta} Q'(S) + e^eta delta_1, and a nonnegative function's mean grows by e^eta at most.",
)


def _constants(claim: Claim, size: Mapping[str, str]) -> Instance | None:
    """The family's constants as far as the claim has them, None where its domain or a precondition excludes them."""
    names = {p.name for p in claim.parameters}
    at = {name: value for name, value in {**HUBER, **size}.items() if name in names}
    return at if len(grid(claim, {}, fixed=[at])) else None


def _diverges(claim: Claim, formula: str, lower: Any, smoothness: Any) -> bool:
    """Whether lower over the printed rate is unbounded along the family, L_gy = smoothness(n)."""
    n = sympy.Symbol("n", positive=True)
    v = {name: symbolic().real(value) for name, value in HUBER.items()} | {"n": n, "L_gy": smoothness(n)}
    v["G"] = apply(_slope(claim), symbolic(), v)
    return bool(sympy.limit(lower / apply(claim.formulas[formula], symbolic(), v), n, sympy.oo) == sympy.oo)


def _slope(claim: Claim) -> Any:
    return claim.formulas.get("G", find("bilevel/eq-5").formulas["G"])


def _at_size(claim: Claim, formula: str, at: Instance) -> Real:
    m = arb(192)
    v = {name: m.real(value) for name, value in {**HUBER, **at}.items()}
    v["G"] = apply(_slope(claim), m, v)
    return apply(claim.formulas[formula], m, v)


def no_private_algorithm(claim: Claim, formula: str, asserts: tuple[Relation, ...], order: bool) -> Iterator[Finding]:
    """Refutes privacy and printed risk together: in order of growth, or as the explicit bound at some n."""
    lower = symbolic().real("0.999") / (2 * (1 + sympy.E))
    yield from _unsolvable(
        claim, formula, asserts, order, lower, lambda n: 1 + 2 * n, PRIVATE_FAMILY, "every private algorithm"
    )


def no_algorithm(claim: Claim, formula: str, asserts: tuple[Relation, ...]) -> Iterator[Finding]:
    """Refutes the printed population risk for every algorithm."""
    lower = (1 - 1 / sympy.sqrt(3)) / 4
    yield from _unsolvable(claim, formula, asserts, True, lower, lambda n: 1 + 4 * sympy.sqrt(n), SAMPLES, "every algorithm")


def lost_epsilon(claim: Claim, formula: str, asserts: tuple[Relation, ...]) -> Iterator[Finding]:
    """Refutes a rate that does not grow as epsilon falls: epsilon = 1/n, delta = 1/(1000 n), every record replaced."""
    n = sympy.Symbol("n", positive=True)
    v = {name: symbolic().real(value) for name, value in LINEAR.items()}
    v |= {"n": n, "epsilon": 1 / n, "delta": 1 / (1000 * n), "G": sympy.Integer(1)}
    rate = apply(claim.formulas[formula], symbolic(), v)
    at = {**LINEAR, "n": "1000000", "epsilon": "0.000001", "delta": "0.000000001"}
    known = {name: value for name, value in at.items() if name in {p.name for p in claim.parameters}}
    if not len(grid(claim, {}, fixed=[known])) or sympy.limit(1 / rate, n, sympy.oo) != sympy.oo:
        return
    m = arb(128)
    least = (1 - (m.e - 1) / 1000) / (2 * (1 + m.e))
    yield refuted(
        f"{formula} as epsilon falls",
        str(sympy.N(rate.subs(n, 10**6), 6)),
        (ends(least, 12)[0], "0.5"),
        known,
        method="lower bound on the larger of two risks, enclosed; the printed rate tends to 0 along the family",
        severity=Severity.MISPRINT,
        survives="The rate meant has 1/epsilon before the square root; for a fixed constant epsilon the order is the same.",
        rung=Rung.EXACT,
        adjacency=claim.adjacency,
        release=claim.releases,
        asserts=asserts,
        lemmas=(GROUP,),
    )


def _unsolvable(
    claim: Claim, formula: str, asserts: tuple[Relation, ...], order: bool, lower: Any, smoothness: Any, lemma: Lemma, whom: str
) -> Iterator[Finding]:
    m = arb(128)
    least = m.real(str(sympy.N(lower, 30))) * m.frac(10**20 - 1, 10**20)
    for size in SIZES:
        at = _constants(claim, {"n": str(size), "L_gy": str(sympy.nsimplify(smoothness(sympy.Integer(size))))})
        if at is None:
            return
        printed = _at_size(claim, formula, at)
        violated = arb(128).gt(least, printed) is True
        if violated and (not order or (size == SIZES[-1] and _diverges(claim, formula, lower, smoothness))):
            yield refuted(
                f"{formula} for {whom}, whatever its parameters",
                ends(printed, 12)[1],
                (ends(least, 12)[0], "0.5"),
                at,
                method="lower bound on the larger of two risks, enclosed"
                + (", and by computer algebra its ratio to the printed rate diverges with n" if order else ""),
                severity=Severity.RATE,
                survives="With every term of the chain rule in G, under Assumption 2.2, an explicit empirical bound holds.",
                rung=Rung.EXACT if order else Rung.POINT,
                adjacency=claim.adjacency,
                release=claim.releases,
                asserts=asserts,
                lemmas=(lemma,),
            )
            return


def calibrated_shift(claim: Claim, asserts: tuple[Relation, ...]) -> Iterator[Finding]:
    """Privacy of the density at the claim's own mu and k, as epsilon and delta stand in them."""
    fixed = [
        {"n": n, "L_fx": L, "D_x": D, "d_x": "100000000", "L_fy": "0", "L_gy": "0", "mu_g": "1"}
        for n, L, D in (("1", "7", "0.3"), ("1000", "0.3", "7"))
    ]
    axes = {"epsilon": EPSILONS[::2], "delta": (*DELTAS[::2], "0.485")}  # near 1/2 a large epsilon leaves no room
    scope = "the density at the stated mu and k, every problem, every dimension"
    lemmas = (SHIFT, CHAIN, DOMINATED, NEEDLE)
    scale = Scale(
        lambda m, v: shift(claim, m, v), axes, scope, claim.adjacency, claim.releases, fixed, lemmas, {}, asserts, CALIBRATED
    )
    findings = list(suffices(claim, scale))
    s = symbols(claim)
    slope, right = (apply(formula, symbolic(), s) for formula in (_slope(claim), calibrated.difference_slope))
    if never_negative(slope - right) or any(finding.verdict is Verdict.REFUTED for finding in findings):
        yield from findings
    else:
        reason = "G is not shown to be at least the slope that the chain rule gives"
        yield Finding(scope=scope, verdict=Verdict.OPEN, reason=reason, asserts=asserts)


def shift(claim: Claim, m: Numbers, values: Mapping[str, Real]) -> Real:
    """2 G sqrt(k)/(n sqrt(mu)): as an expression with G itself, which bounds every slope; as a number the linear loss's, with
    the slope L_fx and the G that is printed for it.
    """
    if m is symbolic():
        mu = apply(claim.formulas["mu"], m, values)
        return 2 * values["G"] * m.sqrt(apply(claim.formulas["k"], m, {**values, "mu": mu}) / mu) / values["n"]
    zero = {p.name: m.real(0) for p in claim.parameters if p.name.startswith(("L_", "beta_", "C_", "M_"))}
    v = {**values, **zero, "L_fx": values["L_fx"], "mu_g": values["mu_g"]}
    v["G"] = apply(_slope(claim), m, v)
    v["mu"] = apply(claim.formulas["mu"], m, v)
    v["k"] = apply(claim.formulas["k"], m, v)
    return 2 * v["L_fx"] * m.sqrt(v["k"] / v["mu"]) / v["n"]


def empirical_bound(claim: Claim, inner: bool = False) -> Iterator[Finding]:
    """d_x/k + mu D_x^2/2 against the printed bound; `inner`: at the inner parameters, times e^distance."""
    common: dict[str, Any] = {"scope": "empirical excess risk against the bound", "release": claim.releases}
    m = arb(256)
    for epsilon, n in (("1", "100000"), ("0.01", "100000000")):
        at = {**LINEAR, "largest_norm": "1", "epsilon": epsilon, "n": n}
        at = {name: value for name, value in at.items() if name in {p.name for p in claim.parameters}}
        if not len(grid(claim, {}, fixed=[at])):
            continue
        v = _parameters(claim, m, {name: m.real(value) for name, value in at.items()}, inner)

        def density(x: Real, k: Real = v["k"], mu: Real = v["mu"]) -> Real:
            return m.exp(k * ((x - 1) - mu * (x**2 - 1) / 2))

        zero, one = m.real(0), m.real(1)
        risk = m.integral(lambda x: (1 - x) * density(x), zero, one) / m.integral(density, zero, one)
        printed = apply(claim.formulas["bound"], m, v)
        if m.gt(risk, printed) is True:
            yield refuted(
                **common,
                claimed=printed,
                computed=risk,
                at=at,
                method="risk on X = [0, 1] with f = -x, enclosed",
                severity=Severity.CONSTANT,
                survives="The risk is at most d_x/k + mu D_x^2/2.",
            )
            return
    s = symbols_of(claim.parameters)
    printed = apply(claim.formulas["bound"], symbolic(), s)
    v = _parameters(claim, symbolic(), s, inner)
    least = v["d_x"] / v["k"] + v["mu"] * v["D_x"] ** 2 / 2
    if inner:
        least *= sympy.exp(apply(claim.formulas["distance"], symbolic(), s))
    room = sympy.simplify(printed / least)
    if room.is_number and bool(room >= 1):
        yield Finding(
            **common,
            verdict=Verdict.CERTIFIED,
            rung=Rung.EXACT,
            method=f"computer algebra: the bound is {room} times d_x/k + mu D_x^2/2" + (", times e^distance" if inner else ""),
            lemmas=(GIBBS, NEAR_LAW) if inner else (GIBBS,),
            given=(objective_is_convex, calibrated.domain_is_near),
        )
        return
    yield Finding(
        **common, verdict=Verdict.OPEN, reason="no violation found, and the bound is no multiple of d_x/k + mu D_x^2/2"
    )


def _parameters(claim: Claim, m: Numbers, values: Mapping[str, Real], inner: bool) -> dict[str, Real]:
    """mu and k of the claim at its (inner) privacy parameters; G from its formula where the values are numbers."""
    v = dict(values)
    if m is not symbolic():
        v["G"] = apply(_slope(claim), m, v)
    at = dict(v)
    if inner:
        at["epsilon"], at["delta"] = (apply(claim.formulas[name], m, v) for name in ("inner_epsilon", "inner_delta"))
    at["mu"] = apply(claim.formulas["mu"], m, at)
    return {**v, "mu": at["mu"], "k": apply(claim.formulas["k"], m, at)}
