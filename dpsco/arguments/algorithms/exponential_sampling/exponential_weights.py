"""The exponential mechanism for a bilevel objective: its privacy loss and its risk, proved and attained.

The density is proportional to exp(-epsilon Phi_Z/(2s)). Two instances attain the bounds: a narrow cone with a linear loss, and
the interval with a linear loss for growing n.
"""

from collections.abc import Iterator, Mapping
from typing import Any

import sympy

from dpsco.arguments.comparing import refuted
from dpsco.arguments.formula import apply
from dpsco.instances.grid import Instance, grid
from dpsco.reference.numbers.enclosure import arb, ends
from dpsco.reference.numbers.symbolic import symbolic, symbols_of
from dpsco.spec.algorithms.exponential_sampling.calibrated import scale_is_positive, score_scale
from dpsco.spec.claim import Adjacency, Claim
from dpsco.spec.losses.bilevel.assumptions import (
    f_is_lipschitz_in_x,
    f_is_lipschitz_in_y,
    g_is_lipschitz_in_y,
    g_is_strongly_convex,
    objective_is_convex,
)
from dpsco.spec.numbers import Numbers, Real
from dpsco.spec.register import find
from dpsco.verdict import Finding, Lemma, Reading, Rung, Severity, Verdict

Values = Mapping[str, Real]
HEIGHT = "0.999999"
"""Height of the cone, its radius 0.001 times that: its diameter is below 1."""
CONES: tuple[Instance, ...] = tuple(
    {"epsilon": e, "n": n, "d_x": d, "L_fx": L, "D_x": D, "L_fy": "1", "D_y": "0", "L_gy": "0", "mu_g": "1"}
    for e in ("0.01", "1", "20")
    for n in ("1", "3", "1000000")
    for d in ("1", "3", "60")
    for L, D in (("0.3", "7"), ("7", "0.3"))
)
LIPSCHITZ = (f_is_lipschitz_in_x, f_is_lipschitz_in_y, g_is_strongly_convex, g_is_lipschitz_in_y)
BEYOND_LOGARITHMS = sympy.Rational(1, 1000)
"""n to this power exceeds every power of log n in the end."""

SHIFT = Lemma(
    "lower minimisers of neighbours",
    "Each minimises a mu_g-strongly convex mean, so each mean exceeds its minimum by mu_g |y - y'|^2/2 at least at the other's "
    "minimiser. Adding the two, all records but one cancel: mu_g |y - y'|^2 <= (2 L_gy/n) |y - y'|, so |y - y'| <= 2 "
    "L_gy/(mu_g n).",
    adjacencies=(Adjacency.REPLACE_ONE,),
)
CENTRED = Lemma(
    "range of the change of the score",
    "Phi_Z - Phi_Z' ranges over an interval of length at most R = (2/n)(L_fx D_x + L_fy D_y) + 4 (n-1) L_fy L_gy/(mu_g n^2): "
    "between x and x0 the changed record's loss moves by L_fx D_x + L_fy D_y on each data set, each other record's by at most "
    "L_fy |y_Z - y_Z'| at x and at x0.",
    adjacencies=(Adjacency.REPLACE_ONE,),
)
WEIGHTS = Lemma(
    "loss of a normalised weight",
    "The log ratio of e^{-k Phi_Z} and e^{-k Phi_Z'}, both normalised, is k(Phi_Z' - Phi_Z) less a mean of such values (the "
    "log of a mean of exponentials lies between their extremes): at most k times the length of the range of Phi_Z - Phi_Z'.",
)
CONE = Lemma(
    "narrow cone",
    "X: 0 <= x_1 <= h, |x'| <= x_1/1000, of diameter below D_x = h/0.999999; f = z L_fx x_1, z in [-1, 1]: x_1 has the weight "
    "x^{d-1} e^{-k c x}, c = L_fx (mean of z). Nothing depends on y: D_y = L_gy = 0.",
)
GIBBS = Lemma(
    "mean of a Gibbs density",
    "For F convex, F(x0) = 0 and x0 = 0: k F(u/k) does not increase with k and kX grows with k, so k^d times the integral of "
    "e^{-kF} over X does not decrease. Its logarithm has the derivative d/k - E F >= 0, whatever the x0.",
)
FAMILY = Lemma(
    "interval with growing n",
    "X = [0, 1], f = x + y, g = (y - z)^2/2, z = 1/2 or -1/2: Y holds both, y_Z = mean of z does not move with x, L_fx = L_fy "
    "= mu_g = 1, L_gy = 1 on Y = [-1/2, 1/2] and not less on any Y, D_y = 0, Phi_Z = x + a constant. The risk at inverse "
    "temperature k is 1/k - 1/(e^k - 1), positive, and k times it tends to 1 as k grows.",
)


def scale(claim: Claim) -> Any:
    """The formula of s: the claim's own, or that of the mechanism that it speaks of."""
    return claim.formulas.get("s", find("bilevel/eq-4").formulas["s"])


def centred_range(m: Numbers, v: Values) -> Real:
    """R of the lemma."""
    n = v["n"]
    first = 2 / n * (v["L_fx"] * v["D_x"] + v["L_fy"] * v["D_y"])
    return first + 4 * (n - 1) * v["L_fy"] * v["L_gy"] / (v["mu_g"] * n**2)


def symbols(claim: Claim) -> dict[str, Any]:
    """Every parameter as a symbol, n = 1 + a nonnegative number."""
    found = symbols_of(claim.parameters)
    found["n"] = 1 + sympy.Symbol("more_records", nonnegative=True)
    return found


def never_negative(difference: Any) -> bool:
    """Whether a rational expression in nonnegative symbols has no negative coefficient, as a fraction of polynomials."""
    numerator, denominator = sympy.fraction(sympy.together(difference))
    terms = [
        *sympy.expand(numerator).as_coefficients_dict().values(),
        *sympy.expand(denominator).as_coefficients_dict().values(),
    ]
    return all(bool(c >= 0) for c in terms)


def weight_integral(m: Numbers, d: int, slope: Real, height: Real, power: int = 0) -> Real:
    """Integral of x^{d - 1 + power} e^{slope x} over [0, height]."""
    return m.integral(lambda x: x ** (d - 1 + power) * m.exp(slope * x), m.real(0), height)


def loss_is_bounded(claim: Claim) -> Iterator[Finding]:
    """Privacy of the exact draw: k R <= epsilon, and the cone's loss."""
    common: dict[str, Any] = {
        "scope": "an exact draw, s > 0, every problem, every dimension",
        "adjacency": claim.adjacency,
        "release": claim.releases,
    }
    tried = grid(claim, {}, fixed=CONES)
    worst: tuple[Real, Instance] | None = None
    for at in tried:
        m = arb(192)
        v = {name: m.real(value) for name, value in at.items()}
        slope = v["epsilon"] / (2 * apply(scale(claim), m, v)) * v["L_fx"]
        d, height = int(at["d_x"]), v["D_x"] * m.real(HEIGHT)
        loss = m.log(weight_integral(m, d, slope / v["n"], height) / weight_integral(m, d, -slope / v["n"], height))
        if m.gt(loss, v["epsilon"]) is True and (worst is None or m.gt(loss / v["epsilon"], worst[0]) is True):
            worst = (loss / v["epsilon"], at)
    if worst is not None:
        m = arb(192)
        yield refuted(
            **common,
            claimed=worst[1]["epsilon"],
            computed=worst[0] * m.real(worst[1]["epsilon"]),
            at=worst[1],
            method="privacy loss at the apex of the cone, one record moved from z = 1 to z = -1, all others at 0, enclosed",
            severity=Severity.CONSTANT,
            survives="The loss is at most epsilon times half the range of Phi_Z - Phi_Z' over s.",
            coverage=tried.coverage,
            lemmas=(CONE,),
        )
    else:
        s = symbols(claim)
        value = apply(scale(claim), symbolic(), s)
        if never_negative(2 * value - centred_range(symbolic(), s)):
            half = " (epsilon/2 even: s is at least R)" if never_negative(value - centred_range(symbolic(), s)) else ""
            yield Finding(
                **common,
                verdict=Verdict.CERTIFIED,
                rung=Rung.EXACT,
                method=f"computer algebra: 2s - R has no negative coefficient in n - 1 and the constants{half}",
                coverage=tried.coverage,
                lemmas=(SHIFT, CENTRED, WEIGHTS),
                given=LIPSCHITZ,
            )
        else:
            yield Finding(**common, verdict=Verdict.OPEN, reason=f"no violation on {len(tried)} cones, and 2s - R has no sign")
    yield from no_scale(claim)


def no_scale(claim: Claim) -> Iterator[Finding]:
    """Where s = 0 the density's exponent is no number."""
    at = {**CONES[0], "L_fx": "0"}
    m = arb(64)
    s = apply(scale(claim), m, {name: m.real(value) for name, value in at.items()})
    if not len(grid(claim, {}, fixed=[at])) or m.eq(s, m.real(0)) is not True:
        return
    yield Finding(
        scope="L_fx D_x = L_fy D_y = L_fy L_gy = 0, which the printed domain holds",
        verdict=Verdict.OPEN,
        reading=Reading.ANOTHER,
        at=at,
        release=claim.releases,
        reason="s = 0 exactly: epsilon/(2s) is no number, and what is not defined is not contradicted. The score is constant "
        "there: the uniform draw, the limit s -> 0, reveals nothing and has no risk",
    )


def risk_rate(claim: Claim, factor: Any = 1, logarithms: bool = False) -> Iterator[Finding]:
    """The risk against a rate, for epsilon' = factor epsilon: the family with n -> infinity, or a constant for all."""
    n = sympy.Symbol("n", positive=True)
    at = {"epsilon": 1, "d_x": 1, "L_fx": 1, "L_fy": 1, "L_gy": 1, "mu_g": 1, "D_x": 1, "D_y": 0}
    v = {**{name: sympy.Integer(value) for name, value in at.items()}, "n": n}
    s, rate = apply(scale(claim), symbolic(), v), apply(claim.formulas["rate"], symbolic(), v)
    target = rate * n**BEYOND_LOGARITHMS if logarithms else rate

    def diverges(k: Any) -> bool:
        # once k grows the risk is 1/k in the limit; while it stays bounded the risk does not fall
        cold = sympy.limit(k, n, sympy.oo)
        return bool(sympy.limit(1 / (k * target) if cold == sympy.oo else 1 / target, n, sympy.oo) == sympy.oo)

    k = factor * v["epsilon"] / (2 * s)
    grows = diverges(k)
    # the proof's own step |y - y'| <= 2 L_gy/(mu_g n) gives s this last term: printed without its 1/n, it is a slip
    slip = not diverges(factor * v["epsilon"] / (2 * apply(score_scale, symbolic(), v)))
    common: dict[str, Any] = {"scope": "risk against the rate", "release": claim.releases}
    if grows:
        m = arb(128)
        many = sympy.Integer(10**6)
        inverse = m.real(str(k.subs(n, many).p)) / int(k.subs(n, many).q)
        risk = 1 / inverse - 1 / m.expm1(inverse)
        yield refuted(
            **common,
            claimed=str(sympy.N(rate.subs(n, many), 6)),
            computed=ends(risk, 12),
            at={**{name: str(value) for name, value in at.items()}, "n": str(many)},
            method=f"computer algebra: the inverse temperature is {sympy.factor(k)}, so the risk over the rate diverges"
            + (", faster than any power of log n" if logarithms else ""),
            severity=Severity.MISPRINT if slip else Severity.RATE,
            survives="With 1/n in the last term of s as well, as the proof's |y - y'| <= 2 L_gy/(mu_g n) gives it, it holds "
            "(for Phi_Z convex).",
            rung=Rung.EXACT,
            lemmas=(FAMILY,),
        )
        return
    c = symbols(claim)
    least = 2 * c["d_x"] * apply(scale(claim), symbolic(), c) / (factor * c["epsilon"])
    for constant in (1, 2, 4, 8, 16, 32, 64):
        if never_negative(constant * apply(claim.formulas["rate"], symbolic(), c) - least):
            yield Finding(
                **common,
                verdict=Verdict.CERTIFIED,
                rung=Rung.EXACT,
                method=f"computer algebra: d_x/k <= {constant} times the rate, coefficient by coefficient",
                lemmas=(GIBBS,),
                given=(objective_is_convex, scale_is_positive),
            )
            return
    yield Finding(**common, verdict=Verdict.OPEN, reason="no diverging family and no constant found")


def risk_bound(claim: Claim, factor: Any = 1, inflation: Any = 1) -> Iterator[Finding]:
    """The risk against the printed bound, for epsilon' = factor epsilon and densities within a factor `inflation`."""
    common: dict[str, Any] = {"scope": "empirical excess risk against the bound, s > 0", "release": claim.releases}
    share = sympy.Rational(factor)
    for at in grid(claim, {}, fixed=CONES):
        m = arb(192)
        v = {name: m.real(value) for name, value in at.items()}
        k = v["epsilon"] * m.frac(int(share.p), int(share.q)) / (2 * apply(scale(claim), m, v))
        d, height = int(at["d_x"]), v["D_x"] * m.real(HEIGHT)
        slope = -k * v["L_fx"]
        risk = v["L_fx"] * weight_integral(m, d, slope, height, 1) / weight_integral(m, d, slope, height)
        printed = apply(claim.formulas["bound"], m, v)
        if m.gt(risk, printed) is True:
            yield refuted(
                **common,
                claimed=printed,
                computed=risk,
                at=at,
                method="risk of the exact draw on the cone, every record at z = 1, enclosed",
                severity=Severity.CONSTANT,
                survives="The risk is at most d_x/k, k the inverse temperature.",
                lemmas=(CONE,),
            )
            return
    s = symbols(claim)
    least = inflation * 2 * s["d_x"] * apply(scale(claim), symbolic(), s) / (share * s["epsilon"])
    room = sympy.simplify(apply(claim.formulas["bound"], symbolic(), s) / least)
    if room.is_number and bool(room >= 1):
        yield Finding(
            **common,
            verdict=Verdict.CERTIFIED,
            rung=Rung.EXACT,
            method=f"computer algebra: the bound is {room} times d_x/k" + ("" if inflation == 1 else f" times {inflation}"),
            lemmas=(GIBBS,),
            given=(objective_is_convex,),
        )
        return
    yield Finding(**common, verdict=Verdict.OPEN, reason="no violation on the cones, and the bound is no multiple of d_x/k")
