"""Mutants of the proved rates; their falsity is shown as for the mechanisms, and by answers that ignore the data."""

from collections.abc import Iterator

from dpsco.arguments.formula import apply
from dpsco.mutant import Mutant, scaled, with_formula
from dpsco.mutants.algorithms.exponential_sampling.calibrated import LINEAR, cone_loss, needle_delta, ratio_grows
from dpsco.reference.numbers.mp import mp
from dpsco.spec.algorithms.exponential_sampling.utility import pure_rate
from dpsco.spec.claim import Claim
from dpsco.spec.numbers import Numbers, Real
from dpsco.spec.register import find


def exceeds_trivial(claim: Claim) -> bool:
    """Whether the lower rate passes every constant at n = epsilon = 1, while some answer's risk is at most L_fx D_x = 1."""
    m = mp(30)
    found = [
        apply(claim.formulas["lower_rate"], m, {"n": m.real(1), "epsilon": m.real(1), "d_x": m.real(10) ** e}) for e in (9, 18)
    ]
    return bool(found[1] > 100 * found[0] > 100)


def cut_off_grows(claim: Claim) -> bool:
    """Whether the risk of f = -x on [0, 1], a Gaussian cut off on both sides, leaves the rate: n = 1e10, 1e20, 1e30."""
    ratios = []
    for exponent in (10, 20, 30):
        m = mp(300)
        v = {**{name: m.real(value) for name, value in LINEAR.items()}, "n": m.real(10) ** exponent}
        v |= {"epsilon": m.real(1), "delta": m.real("0.001"), "d_x": m.real(1)}
        v["G"] = apply(claim.formulas["G"], m, v)
        v["mu"] = apply(claim.formulas["mu"], m, v)
        spread = 1 / m.sqrt(apply(claim.formulas["k"], m, v) * v["mu"])
        a, b = -1 / v["mu"] / spread, (1 - 1 / v["mu"]) / spread
        mean = 1 / v["mu"] + spread * (m.phi(a) - m.phi(b)) / (m.Phi(b) - m.Phi(a))
        ratios.append((1 - mean) / apply(claim.formulas["approximate_rate"], m, v))
    return bool(ratios[1] > 9 * ratios[0] > 0 and ratios[2] > 9 * ratios[1])


def of_rates() -> Iterator[Mutant]:
    claim = find("bilevel/thm-3.1-amended")
    less = scaled(claim, "s", 2, 5)
    yield Mutant("0.4 s for s", less, lambda: cone_loss(less, "1", 60))

    def faster(m: Numbers, n: Real, d_x: Real, epsilon: Real) -> Real:
        return pure_rate(m, n=n, d_x=d_x, epsilon=epsilon) / n ** m.frac(1, 10)

    quick = with_formula(claim, "pure_rate", faster)
    yield Mutant("pure rate times n^-0.1", quick, lambda: ratio_grows(with_formula(quick, "rate", faster)))
    cold = scaled(claim, "k", 2, 1)
    yield Mutant("k doubled", cold, lambda: needle_delta(cold, "1", "1e-40"))
    many = scaled(claim, "G", 1, 2)
    yield Mutant("G halved", many, lambda: needle_delta(many, "1", "1e-40"))

    def sharper(m: Numbers, n: Real, d_x: Real, epsilon: Real, delta: Real) -> Real:
        return claim.formulas["approximate_rate"](m, n=n, d_x=d_x, epsilon=epsilon, delta=delta) / n ** m.frac(1, 10)

    narrow = with_formula(claim, "approximate_rate", sharper)
    yield Mutant("approximate rate times n^-0.1", narrow, lambda: cut_off_grows(narrow))
    uncapped = with_formula(claim, "lower_rate", pure_rate)
    yield Mutant("lower rate without the minimum (as printed)", uncapped, lambda: exceeds_trivial(uncapped))
