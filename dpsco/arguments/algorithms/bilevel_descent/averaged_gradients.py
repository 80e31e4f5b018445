"""The mean gradient at the output of private bilevel descent: what is proved of the average, of the chosen T, and what is kept.

The number of steps is the ceiling of x, the quotient of the square roots of the first and the last term of the bound.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import sympy

from dpsco.arguments.algorithms.bilevel_descent.biased_steps import EXPANSION
from dpsco.arguments.algorithms.bilevel_descent.hard_paths import REST, SLOPE, Kept, at_rest, on_a_slope
from dpsco.arguments.algorithms.descent.bilevel_gradients import SLOPE_TESTS, constants
from dpsco.arguments.comparing import refuted
from dpsco.arguments.formula import apply
from dpsco.arguments.polynomial_slack import Side, bounded, expressed, named, nonnegative
from dpsco.instances.grid import Instance, grid
from dpsco.reference.numbers.enclosure import arb
from dpsco.reference.numbers.symbolic import symbolic
from dpsco.spec.algorithms.bilevel_descent.calibrated import FROM_START, gap_is_bounded
from dpsco.spec.algorithms.bilevel_descent.utility import bias_is_bounded, noise_is_bounded, step_is_short_for_phi
from dpsco.spec.claim import Claim
from dpsco.spec.numbers import Numbers, Real
from dpsco.verdict import Finding, Lemma, Reading, Rung, Severity, Verdict

TELESCOPE = Lemma(
    "sum of the steps",
    "By the expansion of one step (eta/2) E|grad Phi(x_t)|^2 <= E Phi(x_t) - E Phi(x_{t+1}) + (eta/2) B^2 + (eta^2 beta/2) "
    "Sigma^2. Summed over t = 0, ..., T-1 it bounds the mean over x_0, ..., x_{T-1}. Over x_1, ..., x_T: the sum's first "
    "gradient is dropped and Phi(x_T) - inf Phi, left over, is at least |grad Phi(x_T)|^2/(2 beta) >= (eta/2)|grad "
    "Phi(x_T)|^2 for a beta-smooth Phi that is bounded below. Both means are at most 2 gap/(eta T) + B^2 + eta beta Sigma^2.",
)
UNBIASED = Lemma(
    "noise and bias of the steps",
    "u_t is drawn apart from x_t and y_{t+1}: E<b_t, u_t> = 0 and E|u_t|^2 = d_x sigma^2. For every solver |b_t| <= C alpha: "
    "from y_Z(x) to y the query F_x - M F_y, M = G_xy G_yy^-1, moves by at most beta_fxy + beta_fyy beta_gxy/mu_g + L_fy "
    "(C_gxy/mu_g + C_gyy beta_gxy/mu_g^2) = C per unit of |y - y_Z(x)|.",
)
START = Lemma(
    "output at the start",
    "T = 1 and the output among x_0, ..., x_{T-1}: it is x_0, and |grad Phi(x_0)|^2 <= 2 beta gap since Phi is beta-smooth and "
    "bounded below.",
)
COUNTED = Lemma(
    "T between x and 2x",
    "For x > 1 the ceiling T of x has x <= T < x + 1 < 2x: 4 beta gap/T is at most that at T = x, the noise at most that at T "
    "= 2x.",
)
RESTING = Lemma(
    "bias at rest",
    "Phi = beta x^2/2, |b_t| = B of constant sign, x_0 where grad Phi = -b: the gap is B^2/(2 beta), and without noise x_t "
    "stays, with |grad Phi|^2 = B^2. (Quadratic only as far as the path goes; f = h(x) + b x psi(y) gives the bias.)",
)
MEAN_ONLY = Lemma(
    "solver that errs on either side",
    "f = h(x) + h'(x) psi(y), g = y^2/2, h = beta x^2/2 near the path, the solver answers y = s or -s with equal chance: b_t = "
    "beta s or - beta s, of mean 0: B = 0, and the query has one more noise, of power beta^2 s^2, taken as 1.",
)
AXES = {
    "eta": ("0.001", "0.25", "0.5", "50"),
    "beta_Phi": ("0.01", "1", "2", "100"),
    "gap": ("0", "0.125", "3"),
    "T": ("1", "2", "3", "1000", "1000000"),
    "bias": ("0", "0.5"),
    "noise_level": ("0", "1"),
}
RUNS = {
    "epsilon": ("0.01", "1", "1000000"),
    "delta": ("1e-5", "0.5"),
    "n": ("1", "1000", "1000000", "1000000000000"),
}
GAPS = ("1e-40", "1e-12", "0.001", "0.4", "1e6")
PARABOLA = {"L_fx": 1, "beta_fxx": 1, "beta_fxy": 1, "beta_gyy": 1}
"""Of the hard paths: K = 4, C = beta_Phi = 1."""
GIVEN = SLOPE_TESTS


def average(claim: Claim) -> Iterator[Finding]:
    """2 gap/(eta T) + B^2 + eta beta Sigma^2 for every eta, T, bias and noise."""
    claimed, whole = named(claim, "averaged_bound"), bias_is_bounded in claim.tests

    def proved(m: Numbers, v: Mapping[str, Real]) -> Real:
        return 2 * v["gap"] / (v["eta"] * v["T"]) + v["bias"] ** 2 + v["eta"] * v["beta_Phi"] * v["noise_level"] ** 2

    short = step_is_short_for_phi in claim.tests
    holds = short and nonnegative(claim, expressed(claim, claimed) - expressed(claim, proved))
    side = Side(
        scope="mean square over the output, |b_t| or its mean square bounded",
        claimed=claimed,
        reached=lambda m, v: _kept(claim, m, v, v["noise_level"] ** 2),
        holds=holds,
        method="the bound less the proved one has nonnegative coefficients",
        instances=grid(claim, AXES),
        severity=Severity.CONSTANT,
        survives="2 gap/(eta T) + B^2 + eta beta_Phi Sigma^2.",
        lemmas=(EXPANSION, TELESCOPE, UNBIASED),
        given=(*GIVEN, step_is_short_for_phi, *((bias_is_bounded, noise_is_bounded) if whole else ())),
        family=(RESTING, REST, SLOPE),
        release="the output iterate",
    )
    found = bounded(side)
    if whole:
        yield found
        return
    yield _as_meant(found)
    yield bounded(
        Side(
            scope="mean square over the output, only the mean of b_t bounded",
            claimed=claimed,
            reached=lambda m, v: _kept(claim, m, v, v["noise_level"] ** 2 + 1),
            holds=False,
            method="",
            instances=grid(claim, {**AXES, "gap": ("0",)}),
            severity=Severity.DOMAIN,
            survives="With E|b_t|^2 <= B^2 it holds, for the outputs x_1, ..., x_T too; in the use here |b_t| <= C alpha.",
            family=(MEAN_ONLY, REST),
            release="the output iterate",
            decisive={"eta": "0.25", "beta_Phi": "2", "bias": "0", "noise_level": "0", "T": "1000"},
        )
    )


def _as_meant(found: Finding) -> Finding:
    return replace(found, reading=Reading.MEANT) if found.verdict is Verdict.CERTIFIED else found


def _kept(claim: Claim, m: Numbers, v: Mapping[str, Real], noise: Real) -> Real:
    """The largest mean square that a long slope without noise, bias at rest, or noise at rest comes near to, d_x = 1."""
    eta, beta, gap, T, B = (v[name] for name in ("eta", "beta_Phi", "gap", "T", "bias"))
    ratio = (1 - eta * beta) ** 2
    settled = T - (1 - ratio**T) / (1 - ratio) * (1 if FROM_START in claim.over else ratio)
    found = m.max(gap / (1 / (2 * beta) + T * eta), eta * beta / (2 - eta * beta) * noise * settled / T)
    return m.max(found, B**2) if m.ge(2 * beta * gap, B**2) is True else found


@dataclass(frozen=True)
class Shares:
    """The terms of the proved bound over the square of the claimed one, at T = 2x for the noise and T = x for the gap."""

    gap: Any
    bias: Any
    noise: Any
    first: Any
    """2 beta gap at x = 1."""

    @property
    def total(self) -> Any:
        """None where a share is not a number."""
        parts = (self.gap, self.bias, self.noise, self.first)
        return self.gap + self.bias + self.noise if all(p is not None and p.is_number for p in parts) else None


def shares(claim: Claim, name: str, stage: int = 1) -> Shares | None:
    """The shares, None where T is no ceiling, the noise's square no multiple of T, or eta too long.

    The descent's own epsilon is epsilon/stage.
    """
    b, more = sympy.symbols("b more", positive=True)
    v = {p.name: sympy.Symbol(p.name, positive=True) for p in claim.parameters}
    c = b + more
    v |= {"delta": sympy.exp(-(b**2) / 2), "epsilon": stage * (c**2 - b**2) / 2}
    m = symbolic()

    def of(formula: str) -> Any:
        found = apply(claim.formulas[formula], m, v)
        return found.replace(sympy.log, lambda x: sympy.expand_log(sympy.log(sympy.simplify(x)), force=True))

    steps, alpha = of("T_chosen"), of("alpha_chosen")
    if not isinstance(steps, sympy.ceiling) or not isinstance(alpha, sympy.Min):
        return None
    x = steps.args[0]
    eta, beta = of("eta_chosen"), v["beta_Phi"]
    reach = sympy.simplify(2 * beta * eta)
    if not (reach.is_number and reach <= 1):
        return None
    square, noise = of(name) ** 2, sympy.factor(eta * beta * v["d_x"] * of("sigma") ** 2)
    if v["T"] in sympy.cancel(noise / v["T"]).free_symbols:
        return None
    gap = v["gap_bound" if "gap_bound" in v else "gap"]

    def share(term: Any) -> Any:
        found = sympy.simplify(sympy.factor(term / square))
        return found if found.is_number else None

    biases = [share((v["C"] * part) ** 2) for part in alpha.args]
    bias = min((s for s in biases if s is not None), default=None)
    return Shares(share(2 * gap / (eta * x)), bias, share(noise.subs(v["T"], 2 * x)), share(2 * beta * gap / x))


def chosen_steps(claim: Claim, name: str, stage: int = 1) -> Iterator[Finding]:
    """The claimed bound at the chosen T: refuted on a hard path, certified by the shares, or open."""
    common: dict[str, Any] = {"scope": "mean gradient at the chosen T, alpha and sigma", "release": "the output iterate"}
    broken = beyond(claim, name)
    if broken is not None:
        at, claimed, kept = broken
        yield refuted(
            **common,
            claimed=claimed,
            computed=kept,
            at=at,
            method="mean gradient on a hard path, enclosed from below",
            severity=Severity.CONSTANT,
            survives="E |grad Phi_Z| <= sqrt(21 target), by the sum of its three terms.",
            lemmas=(REST, SLOPE),
        )
        return
    found = shares(claim, name, stage)
    start = FROM_START in claim.over
    if found is None or found.total is None or not (start and found.total <= 1 and found.first <= 1):
        reason = "no hard path exceeds it, and the terms do not add up to it"
        yield Finding(**common, verdict=Verdict.OPEN, reason=reason)
        return
    yield Finding(
        **common,
        verdict=Verdict.CERTIFIED,
        rung=Rung.EXACT,
        method=f"computer algebra: shares of the bound's square for T > 1: gap {found.gap}, bias {found.bias}, noise "
        f"{found.noise}; for T = 1: {found.first}",
        lemmas=(EXPANSION, TELESCOPE, UNBIASED, START, COUNTED),
        given=(*GIVEN, *((gap_is_bounded,) if gap_is_bounded in claim.tests else ())),
    )


def beyond(claim: Claim, name: str) -> tuple[Instance, Real, Real] | None:
    """An instance, the claimed value and a larger mean gradient that is kept on a hard path; None if none is seen."""
    worst: tuple[Instance, Real, Real] | None = None
    for at in grid(claim, RUNS):
        for gap in GAPS:
            m = arb(128)
            v = {**constants(m, **PARABOLA), **{key: m.real(value) for key, value in at.items()}, "d_x": m.real(1)}
            v |= {key: m.real(gap) for key in ("gap", "gap_bound")}
            if m.eq(2 * v["beta_Phi"] * apply(claim.formulas["eta_chosen"], m, v), 1) is not True:
                return None  # the hard paths are for this step length
            kept, claimed = kept_at(claim, m, v), apply(claim.formulas[name], m, v)
            larger = kept is not None and (worst is None or m.gt(kept.norm / claimed, worst[2] / worst[1]) is True)
            if kept is not None and larger and m.gt(kept.norm, claimed) is True:
                worst = ({**at, "gap_bound": gap, "d_x": "1", "L_fx": "1", "K": "4", "C": "1"}, claimed, kept.norm)
    return worst


def kept_at(claim: Claim, m: Numbers, v: Mapping[str, Real]) -> Kept | None:
    """The larger mean gradient of the two hard paths at the claim's own T and sigma; None where T is not enclosed."""
    steps = apply(claim.formulas["T_chosen"], m, v).unique_fmpz()
    if steps is None or steps < 1 or steps > 10**15:
        return None
    T, start = int(steps), FROM_START in claim.over
    sigma = apply(claim.formulas["sigma"], m, {**v, "T": m.real(T)})
    rest = at_rest(m, T, sigma, v["L_fx"], start)
    far = on_a_slope(m, T, sigma, v["beta_Phi"], v["gap"], v["L_fx"])
    return Kept(m.max(rest.norm, far.norm), m.max(rest.square, far.square))
