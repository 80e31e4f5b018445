"""Mutants of the mean of a Gibbs density; their falsity is shown by quadrature in mpmath on a cone."""

from collections.abc import Iterator

from dpsco.arguments.formula import apply
from dpsco.mutant import Mutant, scaled, with_formula
from dpsco.reference.numbers.mp import mp
from dpsco.spec.claim import Claim
from dpsco.spec.numbers import Numbers, Real
from dpsco.spec.register import find


def cone_mean(claim: Claim, d: int, k: str) -> bool:
    """Whether the mean of x^{d-1} e^{-kx} on the half-line, by quadrature, exceeds the bound."""
    m = mp(30)
    context = m.mp  # type: ignore[attr-defined]
    at = {"d": m.real(d), "k": m.real(k)}
    ends = [0, d / at["k"], 4 * d / at["k"], context.inf]

    def moment(power: int) -> Real:
        return context.quad(lambda x: x ** (d - 1 + power) * context.exp(-at["k"] * x), ends)

    return bool(moment(1) / moment(0) > apply(claim.formulas["bound"], m, at) * (1 + context.mpf(10) ** -12))


def of_gibbs() -> Iterator[Mutant]:
    claim = find("bilevel/lem-B.2")
    low = scaled(claim, "bound", 9, 10)
    yield Mutant("bound times 0.9", low, lambda: cone_mean(low, 3, "1"))

    def fewer(m: Numbers, d: Real, k: Real) -> Real:
        return (d - m.frac(1, 10)) / k

    less = with_formula(claim, "bound", fewer)
    yield Mutant("(d - 0.1)/k", less, lambda: cone_mean(less, 60, "7"))

    def rooted(m: Numbers, d: Real, k: Real) -> Real:
        return m.exp(m.frac(9, 10) * m.log(d)) / k

    root = with_formula(claim, "bound", rooted)
    yield Mutant("d^0.9/k", root, lambda: cone_mean(root, 60, "1"))

    def colder(m: Numbers, d: Real, k: Real) -> Real:
        return d / m.exp(m.frac(11, 10) * m.log(k))

    cold = with_formula(claim, "bound", colder)
    yield Mutant("d/k^1.1", cold, lambda: cone_mean(cold, 1, "7"))
