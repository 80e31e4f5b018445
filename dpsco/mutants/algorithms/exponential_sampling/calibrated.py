"""Mutants of the repaired exponential mechanisms; their falsity is shown by closed forms and quadrature in mpmath."""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

from dpsco.arguments.formula import apply
from dpsco.mutant import Mutant, scaled, with_formula
from dpsco.mutants.privacy.gaussian import hockey_stick
from dpsco.reference.numbers.mp import mp
from dpsco.spec.algorithms.exponential_sampling.implemented import inner_tolerance as printed_tolerance
from dpsco.spec.algorithms.exponential_sampling.mechanism import objective_slope
from dpsco.spec.algorithms.exponential_sampling.utility import exponential_rate
from dpsco.spec.claim import Claim
from dpsco.spec.losses.bilevel.sensitivity import score_scale as printed_scale
from dpsco.spec.numbers import Numbers, Real
from dpsco.spec.register import find

CONE = {"L_fx": "1", "D_x": "1", "L_fy": "0", "L_gy": "0", "mu_g": "1", "D_y": "0"}
LINEAR = {
    **{"L_fx": "1", "L_fy": "0", "L_gy": "0", "mu_g": "1", "D_x": "1", "beta_fxy": "0", "beta_fyy": "0", "beta_gxy": "0"},
    **{"beta_gyy": "0", "C_gxy": "0", "C_gyy": "0"},
}


def _values(given: Mapping[str, str], dps: int = 60) -> tuple[Numbers, Any, dict[str, Real]]:
    m = mp(dps)
    return m, m.mp, {name: m.real(value) for name, value in given.items()}  # type: ignore[attr-defined]


def cone_loss(claim: Claim, epsilon: str, d: int) -> bool:
    """Whether the loss at the apex of a cone of height 0.999999 exceeds epsilon, by Kummer's function."""
    m, context, v = _values({**CONE, "epsilon": epsilon, "n": "1"})
    a = v["epsilon"] / (2 * apply(claim.formulas["s"], m, v)) * context.mpf("0.999999")
    return bool(context.log(context.hyp1f1(d, d + 1, a) / context.hyp1f1(d, d + 1, -a)) > v["epsilon"])


def cone_risk(claim: Claim, epsilon: str, d: int, factor: int = 1) -> bool:
    """Whether the cone's risk exceeds the bound at n = 1e6, by incomplete gamma functions; epsilon' = epsilon/factor."""
    m, context, v = _values({**CONE, "epsilon": epsilon, "n": "1000000", "d_x": str(d)})
    k = v["epsilon"] / (2 * factor * apply(claim.formulas["s"], m, v))
    top = k * context.mpf("0.999999")
    risk = context.gammainc(d + 1, 0, top) / context.gammainc(d, 0, top) / k
    return bool(risk > apply(claim.formulas["bound"], m, v))


def ratio_grows(claim: Claim) -> bool:
    """Whether risk over rate on X = [0, 1], f = x + y grows a hundredfold from n = 1e20 to n = 1e60."""

    def ratio(n: str) -> Real:
        one = dict.fromkeys(("L_fx", "L_fy", "L_gy", "mu_g", "D_x", "epsilon", "d_x"), "1")
        m, context, v = _values({**one, "D_y": "0", "n": n}, 150)
        k = v["epsilon"] / (2 * apply(claim.formulas["s"], m, v))
        return (1 / k - 1 / context.expm1(k)) / apply(claim.formulas["rate"], m, v)

    return bool(ratio("1e60") > 100 * ratio("1e20"))


def of_exponential() -> Iterator[Mutant]:
    claim = find("bilevel/thm-3.2-amended")
    less = scaled(claim, "s", 2, 5)
    yield Mutant("0.4 s for s", less, lambda: cone_loss(less, "1", 60))
    low = scaled(claim, "bound", 9, 10)
    yield Mutant("bound times 0.9", low, lambda: cone_risk(low, "20", 60))

    def faster(
        m: Numbers, n: Real, d_x: Real, epsilon: Real, L_fx: Real, L_fy: Real, L_gy: Real, mu_g: Real, D_x: Real, D_y: Real
    ) -> Real:
        return exponential_rate(
            m, n=n, d_x=d_x, epsilon=epsilon, L_fx=L_fx, L_fy=L_fy, L_gy=L_gy, mu_g=mu_g, D_x=D_x, D_y=D_y
        ) / n ** m.frac(1, 10)

    rate = with_formula(claim, "rate", faster)
    yield Mutant("rate times n^-0.1", rate, lambda: ratio_grows(rate))
    flat = with_formula(claim, "s", printed_scale)
    yield Mutant("no 1/n in the last term of s (as printed)", flat, lambda: ratio_grows(flat))
    more = scaled(claim, "s", 6, 5)
    yield Mutant("1.2 s for s, the bound as it was", more, lambda: cone_risk(more, "20", 60))


def rounding_loss(claim: Claim, epsilon: str) -> bool:
    """Whether the two step densities of the rounded minimisers differ by more than epsilon, straight from their values."""
    given = {"epsilon": epsilon, "n": "1", "L_fx": "0", "L_fy": "1", "mu_g": "1", "D_x": "1", "D_y": "0.001", "L_gy": "0.00101"}
    m, context, v = _values(given)
    v["s"] = apply(claim.formulas["s"], m, v)
    v["zeta"] = apply(claim.formulas["zeta_chosen"], m, v)
    off = apply(claim.formulas["inner_tolerance"], m, v)
    k = apply(claim.formulas["epsilon_prime"], m, v) / (2 * v["s"])

    def evaluated(x: Real, shift: Real) -> Real:
        y = off - v["D_y"] / 2 + v["D_y"] * x - shift
        found = 2 * off * context.nint(y / (2 * off))
        if abs(found - y) > off:
            raise ValueError(f"tolerance={off}: the rounded minimiser is farther off")
        return context.exp(-k * found)

    def mass(shift: Real) -> Real:
        return (evaluated(context.mpf("0.25"), shift) + evaluated(context.mpf("0.75"), shift)) / 2  # constant on both halves

    x, moved = context.mpf("0.75"), v["D_y"] * context.mpf("0.51")
    return bool(context.log(evaluated(x, moved) / mass(moved) / (evaluated(x, 0) / mass(m.real(0)))) > v["epsilon"])


def of_sampled() -> Iterator[Mutant]:
    claim = find("bilevel/thm-B.15-amended")
    loose = scaled(claim, "inner_tolerance", 8, 1)
    yield Mutant("8 times the tolerance", loose, lambda: rounding_loss(loose, "100"))
    printed = with_formula(claim, "inner_tolerance", printed_tolerance)
    yield Mutant("tolerance zeta/L_fy (as printed)", printed, lambda: rounding_loss(printed, "1"))
    low = scaled(claim, "bound", 9, 10)
    yield Mutant("bound times 0.9", low, lambda: cone_risk(low, "0.01", 1, factor=2))
    rough, cold = scaled(claim, "zeta_chosen", 1000, 1), scaled(claim, "epsilon_prime", 1000, 1)
    yield Mutant("1000 times the evaluation's error", rough, lambda: rounding_loss(rough, "100"))
    yield Mutant("1000 times epsilon'", cold, lambda: rounding_loss(cold, "1"))
    flat = scaled(claim, "s", 2, 1)
    yield Mutant("twice the scale, the bound as it was", flat, lambda: cone_risk(flat, "0.01", 1, factor=2))
    long = scaled(claim, "distance_of_neighbours", 11, 10)
    links = 2 * (2 * Fraction(1, 12) + Fraction(1, 12)) + Fraction(1, 2)
    yield Mutant("links 1.1 times as long", long, lambda: links * Fraction(11, 10) != 1)


def with_level(claim: Claim, level: str) -> Claim:
    """The claim with ln(level/delta) in the place of ln(1/(2 delta)) in both of its scales."""

    def width(m: Numbers, epsilon: Real, delta: Real) -> Real:
        b = m.sqrt(2 * m.max(m.real(0), m.log(m.real(level) / delta)))
        return b + m.sqrt(b**2 + 2 * epsilon)

    def mu(m: Numbers, n: Real, d_x: Real, epsilon: Real, delta: Real, G: Real, D_x: Real) -> Real:
        return m.sqrt(2 * d_x) * G * width(m, epsilon, delta) / (n * D_x * epsilon)

    def k(m: Numbers, n: Real, epsilon: Real, delta: Real, G: Real, mu: Real) -> Real:
        return mu * n**2 * epsilon**2 / (G**2 * width(m, epsilon, delta) ** 2)

    return with_formula(with_formula(claim, "mu", mu), "k", k)


def needle_delta(claim: Claim, epsilon: str, delta: str, inner: bool = False) -> bool:
    """Whether the needle's pair (raised by e^eta where rare, `inner`) exceeds delta, by quadrature of two Gaussians."""
    m, context, v = _values({**LINEAR, "epsilon": epsilon, "delta": delta, "n": "1", "d_x": "100000000"})
    v["G"] = apply(claim.formulas["G"], m, v)
    at, eta = dict(v), m.real(0)
    if inner:
        eta = apply(claim.formulas["distance"], m, v)
        at["epsilon"], at["delta"] = (apply(claim.formulas[name], m, v) for name in ("inner_epsilon", "inner_delta"))
    at["mu"] = apply(claim.formulas["mu"], m, at)
    shift = 2 * context.sqrt(apply(claim.formulas["k"], m, at) / at["mu"])
    return bool(context.exp(eta) * hockey_stick(shift, v["epsilon"] - 2 * eta) > v["delta"])


def segment_risk(claim: Claim, epsilon: str, n: str, inner: bool = False) -> bool:
    """Whether the risk of f = -x on [0, 1] exceeds the bound: mean of a Gaussian cut off on both sides, in closed form."""
    m, context, v = _values({**LINEAR, "epsilon": epsilon, "delta": "0.001", "n": n, "d_x": "1"}, 60)
    v["G"] = apply(claim.formulas["G"], m, v)
    at = dict(v)
    if inner:
        at["epsilon"], at["delta"] = (apply(claim.formulas[name], m, v) for name in ("inner_epsilon", "inner_delta"))
    at["mu"] = apply(claim.formulas["mu"], m, at)
    spread = 1 / context.sqrt(apply(claim.formulas["k"], m, at) * at["mu"])
    a, b = -1 / at["mu"] / spread, (1 - 1 / at["mu"]) / spread
    context.dps = 60
    between = context.ncdf(b) - context.ncdf(a)
    mean = 1 / at["mu"] + spread * (context.npdf(a) - context.npdf(b)) / between
    return bool(1 - mean > apply(claim.formulas["bound"], m, v))


def pair_delta(claim: Claim, n: int = 1000) -> bool:
    """Whether the density itself, at the claim's mu and k, is not private on the pair that moves the minimiser across X."""
    huber = {"L_fx": "0", "L_fy": "1", "L_gy": str(1 + 2 * n), "beta_gxy": "1", "beta_fyy": "2", "beta_gyy": "1"}
    m, context, v = _values({**LINEAR, **huber, "epsilon": "1", "delta": "0.001", "n": str(n), "d_x": "1"})
    v["G"] = apply(claim.formulas["G"], m, v)
    v["mu"] = apply(claim.formulas["mu"], m, v)
    k = apply(claim.formulas["k"], m, v)
    half = context.mpf("0.5")

    def part(low: Real, high: Real) -> Real:
        return context.quad(lambda x: context.exp(-k * (x + half + v["mu"] * x**2 / 2)), context.linspace(low, high, 30))

    left = part(-half, 0) / (part(-half, 0) + part(0, half))
    return bool(left - context.exp(v["epsilon"]) * (1 - left) > v["delta"])


def of_regularised() -> Iterator[Mutant]:
    claim = find("bilevel/thm-3.3-amended")
    cold = scaled(claim, "k", 2, 1)
    yield Mutant("k doubled", cold, lambda: needle_delta(cold, "1", "1e-40"))
    low = scaled(claim, "bound", 9, 20)
    yield Mutant("bound times 0.45", low, lambda: segment_risk(low, "1", "100000"))
    weak = scaled(claim, "mu", 1, 4)
    yield Mutant("mu divided by 4", weak, lambda: segment_risk(weak, "1", "100000"))
    bare = with_formula(claim, "G", objective_slope)
    yield Mutant("G without the chain rule's second term (as printed)", bare, lambda: pair_delta(bare))

    def without(
        m: Numbers, L_fx: Real, L_fy: Real, mu_g: Real, L_gy: Real, beta_fxy: Real, beta_gxy: Real, beta_gyy: Real
    ) -> Real:
        return L_fx + 2 * L_fy * beta_gxy / mu_g + L_gy * beta_fxy / mu_g + L_fy * beta_gyy * beta_gxy / mu_g**2

    part = with_formula(claim, "G", without)
    yield Mutant("G without L_gy beta_fyy beta_gxy/mu_g^2 and the C", part, lambda: pair_delta(part))
    many = scaled(claim, "G", 1, 2)
    yield Mutant("G halved", many, lambda: needle_delta(many, "1", "1e-40"))
    less = with_level(claim, "0.48")
    yield Mutant("ln(0.48/delta) for ln(1/(2 delta))", less, lambda: needle_delta(less, "700", "0.485"))


def of_near() -> Iterator[Mutant]:
    claim = find("bilevel/thm-B.16-amended")

    def whole(m: Numbers, epsilon: Real) -> Real:
        return epsilon

    spent = with_formula(claim, "inner_epsilon", whole)
    yield Mutant("nothing taken off epsilon", spent, lambda: needle_delta(spent, "1", "0.000001", inner=True))
    far = scaled(claim, "distance", 3, 2)
    yield Mutant("a sampler within 3/8 epsilon", far, lambda: needle_delta(far, "1", "0.000001", inner=True))
    cold = scaled(claim, "k", 2, 1)
    yield Mutant("k doubled", cold, lambda: needle_delta(cold, "1", "1e-40", inner=True))
    low = scaled(claim, "bound", 9, 20)
    yield Mutant("bound times 0.45", low, lambda: segment_risk(low, "0.01", "100000000", inner=True))
    weak = scaled(claim, "mu", 1, 1000)
    yield Mutant("mu divided by 1000", weak, lambda: segment_risk(weak, "0.01", "100000000", inner=True))
    many = scaled(claim, "G", 1, 2)
    yield Mutant("G halved", many, lambda: needle_delta(many, "1", "1e-40", inner=True))
    rare = scaled(claim, "inner_delta", 1000, 1)
    yield Mutant("1000 times the inner delta", rare, lambda: needle_delta(rare, "1", "0.000001", inner=True))
