"""Mutants of claims about one answer of the Gaussian mechanism; their falsity is shown by quadrature, not by the profile."""

from collections.abc import Callable, Iterator
from dataclasses import replace

from dpsco.arguments.formula import apply
from dpsco.mutant import Mutant, scaled
from dpsco.reference.numbers.mp import mp
from dpsco.reference.privacy.gaussian import composed
from dpsco.spec.claim import Adjacency, Claim
from dpsco.spec.domain import positive
from dpsco.spec.numbers import Numbers, Real, Truth
from dpsco.spec.predicate import Predicate
from dpsco.spec.register import find


def hockey_stick(mu: Real, epsilon: Real, dps: int = 60) -> Real:
    """The least delta by quadrature of max(0, p - e^epsilon q), p and q the densities: the route that judges do not take."""
    m = mp(dps)
    context = m.mp  # type: ignore[attr-defined]
    start = m.real(epsilon) / mu + m.real(mu) / 2
    fall = 1 / m.max(m.real(1), start)  # the excess falls by a factor e over about this length
    points = [start, *(start + fall * 2**k for k in range(7)), start + 128 * fall + 40]
    return context.quad(lambda x: m.phi(x - mu) - m.exp(m.real(epsilon)) * m.phi(x), points)


def exceeds(claim: Claim, epsilon: str, delta: str, factor: int = 1, c: str | None = None) -> bool:
    """Whether at this instance of the claim the quadrature exceeds delta by more than its own error."""
    m = mp(60)
    values = {"epsilon": m.real(epsilon), "delta": m.real(delta), "sensitivity": m.real(1)}
    if c is not None:
        values["c"] = m.real(c)
        if not all(predicate(m, values) for predicate in claim.preconditions):
            raise ValueError(f"c = {c} does not meet the preconditions of {claim.id}")
    mu = factor * composed(m, apply(claim.formulas["sigma"], m, values), values["sensitivity"], 1)
    return bool(hockey_stick(mu, values["epsilon"]) > values["delta"] * m.real("1.000001"))


def _threshold(claim: Claim, square: Callable[[Numbers, Real], Real], says: str) -> Claim:
    """The claim with c^2 > square(m, delta) in the place of its threshold."""

    def test(m: Numbers, c: Real, delta: Real) -> Truth:
        return m.gt(c**2, square(m, delta))

    return replace(claim, preconditions=(Predicate(says, test, claim.preconditions[0].accepts, {"c": "0.1", "delta": "1e-3"}),))


def of_threshold() -> Iterator[Mutant]:
    claim = find("spo/thm-2")
    longer = replace(claim, parameters=tuple(p.within(positive) if p.name == "epsilon" else p for p in claim.parameters))
    yield Mutant("every epsilon > 0", longer, lambda: exceeds(longer, "20", "0.01", c="3.11"))
    less = scaled(claim, "sigma", 9, 10)
    yield Mutant("sigma times 0.9", less, lambda: exceeds(less, "0.999", "1e-40", c="13.6"))
    weak = _threshold(claim, lambda m, delta: 2 * m.log(m.frac(9, 10) / delta), "c^2 > 2 ln(0.9/delta)")
    yield Mutant("0.9 for 1.25 under the logarithm", weak, lambda: exceeds(weak, "0.999", "0.899", c="0.05"))
    slow = _threshold(claim, lambda m, delta: m.frac(19, 10) * m.log(m.frac(5, 4) / delta), "c^2 > 1.9 ln(1.25/delta)")
    yield Mutant("1.9 for 2 before the logarithm", slow, lambda: exceeds(slow, "0.999", "1e-300", c="36.24"))
    other = replace(claim, adjacency=Adjacency.REPLACE_ONE)
    yield Mutant("replaced records, the same Delta_2", other, lambda: exceeds(other, "0.999", "1e-6", factor=2, c="5.31"))
    more = scaled(claim, "sigma", 11, 10)
    yield Mutant("sigma times 1.1 (still true: more noise)", more, lambda: False)


def of_amended() -> Iterator[Mutant]:
    claim = find("bilevel/lem-A.3-amended")
    for numerator in (9, 7):
        less = scaled(claim, "sigma", numerator, 10)
        yield Mutant(f"sigma times 0.{numerator}", less, lambda less=less: exceeds(less, "1", "1e-40"))  # type: ignore[misc]

    def dropped(m: Numbers, epsilon: Real, delta: Real, sensitivity: Real) -> Real:
        return sensitivity * m.sqrt(2 * m.log(2 / delta)) / epsilon

    bare = replace(claim, formulas={"sigma": dropped})
    yield Mutant("2 epsilon dropped under the root (the printed scale)", bare, lambda: exceeds(bare, "20", "0.01"))

    def single(m: Numbers, epsilon: Real, delta: Real, sensitivity: Real) -> Real:
        b = m.sqrt(2 * m.log(2 / delta))
        return sensitivity * (b + m.sqrt(b**2 + epsilon)) / (2 * epsilon)

    less = replace(claim, formulas={"sigma": single})
    yield Mutant("epsilon for 2 epsilon under the root", less, lambda: exceeds(less, "100", "0.01"))
