"""Mutants of the proved rates; their falsity is shown as for the mechanisms, and by answers that ignore the data."""

from collections.abc import Iterator

from dpsco.arguments.formula import apply
from dpsco.mutant import Mutant, scaled, with_formula
from dpsco.mutants.algorithms.exponential_sampling.calibrated import cone_loss, needle_delta, ratio_grows
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


def of_rates() -> Iterator[Mutant]:
    claim = find("bilevel/thm-3.1-amended")
    less = scaled(claim, "s", 2, 5)
    yield Mutant("0.4 s for s", less, lambda: cone_loss(less, "1", 60))

    def faster(m: Numbers, n: Real, d_x: Real, epsilon: Real) -> Real:
        return pure_rate(m, n, d_x, epsilon) / n ** m.frac(1, 10)

    quick = with_formula(claim, "pure_rate", faster)
    yield Mutant("pure rate times n^-0.1", quick, lambda: ratio_grows(with_formula(quick, "rate", faster)))
    cold = scaled(claim, "k", 2, 1)
    yield Mutant("k doubled", cold, lambda: needle_delta(cold, "1", "1e-40"))
    many = scaled(claim, "G", 1, 2)
    yield Mutant("G halved", many, lambda: needle_delta(many, "1", "1e-40"))
    uncapped = with_formula(claim, "lower_rate", pure_rate)
    yield Mutant("lower rate without the minimum (as printed)", uncapped, lambda: exceeds_trivial(uncapped))
