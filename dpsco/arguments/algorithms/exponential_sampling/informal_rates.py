"""The rates of private convex bilevel optimization, constants fixed: what large epsilon and large dimension do to them."""

from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import Any

import sympy

from dpsco.arguments.algorithms.exponential_sampling.exponential_weights import CENTRED, GIBBS, LIPSCHITZ, SHIFT, WEIGHTS
from dpsco.arguments.comparing import certified, refuted
from dpsco.arguments.formula import apply
from dpsco.instances.grid import grid
from dpsco.reference.numbers.enclosure import arb, ends
from dpsco.reference.numbers.symbolic import symbolic, symbols_of
from dpsco.spec.algorithms.exponential_sampling import calibrated
from dpsco.spec.claim import Adjacency, Claim
from dpsco.spec.losses.bilevel.assumptions import objective_is_convex
from dpsco.spec.numbers import Numbers, Real
from dpsco.verdict import Finding, Lemma, Rung, Severity, Verdict

VARYING = ("n", "d_x", "epsilon", "delta")
EFFICIENT = (
    "Polynomially many evaluations of Phi_Z are proved enough (amended Theorem 3.8, X holding a ball), but the time of one is "
    "not bounded by the assumptions: to find a lower minimiser they give no set to search and no smoothness of g"
)
CODE = Lemma(
    "signs in one record",
    "X the unit ball, f = -<x, z>, z in {-1, 1}^d/sqrt(d) or 0: L_fx = 1, D_x = 2, nothing below. n - 1 records 0, one z: the "
    "excess is (1 - <x, z>)/n. For a fixed x in X and z uniform P(<x, z> >= 1/2) <= e^{-d/8} (Hoeffding), so against the data "
    "set of zeros the mean over z of P(<A(z), z> >= 1/2) is at most e^{epsilon - d/8} + delta, and for some z the expected "
    "excess is at least (1 - delta - e^{epsilon - d/8})/(2n).",
    adjacencies=(Adjacency.REPLACE_ONE,),
)
CODES = Lemma(
    "signs in many records",
    "The same with X of diameter D_x, f = -L_fx <x, z>, and m equal records z, n - m records 0: an epsilon-DP algorithm has "
    "<A, z> >= D_x/4 with probability at most e^{m epsilon - d/8}. At epsilon <= d/16 and m = min(n, floor(d/(16 epsilon))) >= "
    "min(n, d/(32 epsilon)) this is at most e^{-d/16} <= e^{-1/16}, so the excess is at least (m/n) L_fx D_x (1 - "
    "e^{-1/16})/4: L_fx D_x (1 - e^{-1/16})/128 times min(1, d/(epsilon n)).",
    adjacencies=(Adjacency.REPLACE_ONE,),
)
FINGERPRINTS = Lemma(
    "fingerprints of a private mean",
    "X the unit ball, f = -<x, z>, z in {-1, 1}^d/sqrt(d) with independent coordinates of mean p_j/sqrt(d), p uniform in "
    "[-1, 1]^d, nothing below: L_fx = 1, D_x = 2, Phi convex, the excess is (|p| - E<A, p>)/sqrt(d). With x_i = sqrt(d) z_i, "
    "E sum_i <A, x_i - p> = 2 E<A, p>: in a coordinate E[A sum_i (x_i - p)] = (1 - p^2) q'(p), q = E A, and its integral over "
    "[-1, 1] is that of 2 p q. With record i drawn anew A does not know x_i: P(<A, x_i - p> > t) <= e^{-t^2/2} (Hoeffding, |A| "
    "<= 1), so at most e^{epsilon - t^2/2} + delta, and <A, x_i - p> <= 2 sqrt(d): each term is at most B = sqrt(2 epsilon) + "
    "1/sqrt(2 epsilon) + 2 sqrt(d) delta. E|p| >= sqrt(d)/2. So the mean over p of the excess, and the excess at some p, is at "
    "least 1/2 - n B/(2 sqrt(d)).",
    adjacencies=(Adjacency.REPLACE_ONE,),
)
NOTHING = Lemma(
    "an answer that ignores the data",
    "is private for every epsilon and delta, and its excess is at most L_fx D_x + L_fy D_y on every problem.",
)


def pure_existence(claim: Claim) -> Iterator[Finding]:
    """The exact draw has the pure rate; efficiency is another matter."""
    found = next(
        pure_upper(
            claim, "pure_rate", "some epsilon-DP algorithm, whatever its time; D_x and D_y finite, among the fixed constants"
        )
    )
    yield found
    if found.verdict is Verdict.CERTIFIED:
        yield Finding(scope="efficiency of an epsilon-DP algorithm", verdict=Verdict.OPEN, reason=EFFICIENT)


def pure_upper(claim: Claim, name: str, scope: str) -> Iterator[Finding]:
    """2 d_x s/epsilon against the rate, the problem's constants fixed: their quotient may hold nothing else."""
    s = _symbols(claim)
    rate = apply(claim.formulas[name], symbolic(), s)
    scale = claim.formulas.get("s", calibrated.score_scale)
    bound = 2 * s["d_x"] * apply(scale, symbolic(), s) / s["epsilon"]
    yield _ordered(claim, scope, bound, rate, (SHIFT, CENTRED, WEIGHTS, GIBBS), (*LIPSCHITZ, objective_is_convex), s)


def regularised_upper(claim: Claim, name: str, scope: str, given: tuple[Any, ...], lemmas: tuple[Lemma, ...]) -> Finding:
    """d_x/k + mu D_x^2/2 at the claim's mu and k against the rate."""
    s = _symbols(claim)
    at = {**s, "mu": apply(claim.formulas["mu"], symbolic(), s)}
    bound = s["d_x"] / apply(claim.formulas["k"], symbolic(), at) + at["mu"] * s["D_x"] ** 2 / 2
    return _ordered(claim, scope, bound, apply(claim.formulas[name], symbolic(), s), lemmas, given, s)


def _ordered(
    claim: Claim, scope: str, bound: Any, rate: Any, lemmas: tuple[Lemma, ...], given: tuple[Any, ...], s: dict[str, Any]
) -> Finding:
    ratio = sympy.simplify(sympy.expand(bound) / rate)
    moving = {s[name] for name in VARYING} & ratio.free_symbols
    common: dict[str, Any] = {"scope": scope, "release": claim.releases, "adjacency": claim.adjacency}
    if not moving:
        method = f"computer algebra: bound over rate is {ratio}, free of n, d_x, epsilon and delta"
        return Finding(**common, verdict=Verdict.CERTIFIED, rung=Rung.EXACT, method=method, lemmas=lemmas, given=given)
    return Finding(
        **common, verdict=Verdict.OPEN, reason=f"the proved bound over the rate moves with {sorted(map(str, moving))}"
    )


def _symbols(claim: Claim) -> dict[str, Any]:
    found = symbols_of(claim.parameters)
    for name in ("D_x", "D_y"):
        found.setdefault(name, sympy.Symbol(name, nonnegative=True))
    return found


def approximate_existence(claim: Claim) -> Iterator[Finding]:
    """sqrt(d_x ln(1/delta))/(epsilon n) along d_x = 16 epsilon, epsilon growing, n = 1, delta = 1/10: the rate tends to 0."""
    t = sympy.Symbol("t", positive=True)
    path = {"n": sympy.Integer(1), "d_x": 16 * t, "epsilon": t, "delta": sympy.Rational(1, 10)}
    rate = apply(claim.formulas["approximate_rate"], symbolic(), path)
    lower = (1 - path["delta"] - sympy.exp(path["epsilon"] - path["d_x"] / 8)) / 2
    if sympy.limit(lower / rate, t, sympy.oo) != sympy.oo:
        yield Finding(
            scope="empirical risk of (epsilon, delta)-DP algorithms",
            verdict=Verdict.OPEN,
            reason="no path on which it is contradicted; proved where Assumption 2.2 holds in full (amended Theorem 3.3)",
        )
        return
    at = {"n": "1", "d_x": "16000000", "epsilon": "1000000", "delta": "0.1", "L_fx": "1"}
    m = arb(128)
    v = {name: m.real(value) for name, value in at.items()}
    least = (1 - v["delta"] - m.exp(v["epsilon"] - v["d_x"] / 8)) / 2
    yield refuted(
        "empirical risk of every (epsilon, delta)-DP algorithm, one fixed set of constants, efficient or not",
        ends(apply(claim.formulas["approximate_rate"], m, v), 12)[1],
        (ends(least, 12)[0], "1"),
        at,
        method="computer algebra: along d_x = 16 epsilon, n = 1, delta = 1/10 the lower bound tends to 9/20, the rate to 0; "
        "with n records both are divided by n",
        severity=Severity.DOMAIN,
        survives="For epsilon at most a multiple of ln(1/delta), delta <= 1/2, |x| <= D_x on X and Assumption 2.2 in full it "
        "holds for the exact draw; for all epsilon with w/epsilon for sqrt(ln(1/delta))/epsilon (amended Theorem 3.1).",
        rung=Rung.EXACT,
        adjacency=claim.adjacency,
        release=claim.releases,
        lemmas=(CODE,),
    )


def population_existence(claim: Claim) -> Iterator[Finding]:
    """Along epsilon = n, d_x = 16 n^2 (2n + 3), delta = 1/(8n) some excess is at least 1/4, and the rate tends to 0."""
    n = sympy.Symbol("n", positive=True)
    rate = apply(claim.formulas["population_rate"], symbolic(), hard_path(n))
    lower = fingerprint_excess(symbolic(), hard_path(n))
    many, m = 10**12, arb(192)
    at = {name: str(value) for name, value in hard_path(many).items()} | {"delta": str(Decimal(1) / (8 * many)), "L_fx": "1"}
    inside = len(grid(claim, {}, fixed=[at])) == 1
    if inside and sympy.limit(lower, n, sympy.oo) > 0 and sympy.limit(rate, n, sympy.oo) == 0:
        v = hard_path(m.real(many))
        yield refuted(
            "population risk of every (epsilon, delta)-DP algorithm, one fixed set of constants, efficient or not",
            ends(apply(claim.formulas["population_rate"], m, v), 12)[1],
            (ends(fingerprint_excess(m, v), 12)[0], "2"),
            at,
            method="computer algebra: along epsilon = n, d_x = 16 n^2 (2n + 3), delta = 1/(8n) the lower bound tends to "
            f"{sympy.limit(lower, n, sympy.oo)}, the rate to 0",
            severity=Severity.DOMAIN,
            survives="For epsilon at most a multiple of ln(1/delta) no contradiction is known.",
            rung=Rung.EXACT,
            adjacency=claim.adjacency,
            release=claim.releases,
            lemmas=(FINGERPRINTS,),
        )
    yield Finding(
        scope="population risk of (epsilon, delta)-DP algorithms, epsilon at most a multiple of ln(1/delta)",
        verdict=Verdict.OPEN,
        reason="its proof needs the printed G (refuted with Theorem 3.3, whose hidden constant is absolute); with constants "
        "that may depend on the problem's no contradiction was found: at bounded d_x a sample error of order n^{-1/2} is "
        "reached, and what is proved for the draw is of order n^{-1/3} (amended Lemma B.7)",
    )


def hard_path(n: Any) -> dict[str, Any]:
    """Where privacy is weak, records are few for their dimension, and delta is below 1/n."""
    return {"n": n, "epsilon": n, "d_x": 16 * n**2 * (2 * n + 3), "delta": 1 / (8 * n)}


def fingerprint_excess(m: Numbers, v: Mapping[str, Any]) -> Real:
    """1/2 - n B/(2 sqrt(d)) of the lemma."""
    spread = m.sqrt(2 * v["epsilon"])
    each = spread + 1 / spread + 2 * m.sqrt(v["d_x"]) * v["delta"]
    return m.frac(1, 2) - v["n"] * each / (2 * m.sqrt(v["d_x"]))


def lower_bounds(claim: Claim, names: tuple[str, ...]) -> Iterator[Finding]:
    """Tightness: no lower bound exceeds what an answer that ignores the data reaches."""
    t = sympy.Symbol("t", positive=True)
    path = {"n": sympy.Integer(1), "d_x": t, "epsilon": sympy.Integer(1), "delta": sympy.Rational(1, 10)}
    for name in names:
        rate = apply(claim.formulas[name], symbolic(), path)
        if sympy.limit(rate / t ** sympy.Rational(1, 4), t, sympy.oo) == sympy.oo:
            many = 10**12
            yield refuted(
                f"{name} as a lower bound, n = epsilon = 1, d_x growing (faster than any power of its logarithm)",
                str(sympy.N(rate.subs(t, many), 6)),
                ("0", "1"),
                {"n": "1", "epsilon": "1", "delta": "0.1", "d_x": str(many), "L_fx": "1"},
                method="computer algebra: the rate tends to infinity along the path, the risk does not",
                severity=Severity.DOMAIN,
                survives="With the minimum of 1 and the rate, and for epsilon <= d_x/16, the pure rate is a lower bound.",
                rung=Rung.EXACT,
                adjacency=claim.adjacency,
                lemmas=(NOTHING,),
            )
            return
    yield Finding(scope="lower bounds", verdict=Verdict.OPEN, reason="for delta > 0 they are Theorem 3.9's")


def pure_lower(claim: Claim, name: str = "lower_rate") -> Iterator[Finding]:
    """min(1, d_x/(epsilon n)) for epsilon <= d_x/16 and L_fx D_x > 0, as the assertion says."""
    s = _symbols(claim)
    printed = apply(claim.formulas[name], symbolic(), s)
    proved = sympy.Min(1, s["d_x"] / (s["epsilon"] * s["n"]))
    ratio = sympy.simplify(printed / proved)
    if ratio.is_number and bool(ratio > 0):
        yield certified(
            "every epsilon-DP algorithm, L_fx D_x > 0, epsilon <= d_x/16",
            "computer algebra: the rate is a multiple of min(1, d_x/(epsilon n))",
            CODES,
            adjacency=claim.adjacency,
        )
    else:
        yield from lower_bounds(claim, (name,))
