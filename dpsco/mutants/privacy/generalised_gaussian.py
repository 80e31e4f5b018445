"""Mutants of the amended generalised Gaussian mechanism, shown false by quadrature of densities."""

from collections.abc import Callable, Iterator
from dataclasses import replace

from dpsco.arguments.formula import apply
from dpsco.mutant import Mutant, scaled, with_formula
from dpsco.mutants.privacy.gaussian import hockey_stick
from dpsco.reference.numbers.mp import mp
from dpsco.spec.claim import Claim
from dpsco.spec.numbers import Numbers, Real
from dpsco.spec.register import find


def exceeds(claim: Claim, name: str, steps: int = 1, /, **numbers: str) -> bool:
    """Whether on the line, with the smooth norm sqrt(kappa) |.|, the quadrature exceeds delta: there the noise is normal.

    For claims about gradients the sensitivity is that of opposite gradients of full norm, given in `numbers`.
    """
    m = mp(60)
    values = {key: m.real(value) for key, value in numbers.items()}
    mu = m.sqrt(steps * values["kappa"] / apply(claim.formulas[name], m, values)) * values["sensitivity"]
    return bool(hockey_stick(mu, values["epsilon"]) > values["delta"] * m.real("1.000001"))


def radial(d: int, dps: int = 30) -> Real:
    """E r^2 under the density proportional to r^(d-1) e^(-r^2/2), by two quadratures."""
    context = mp(dps).mp  # type: ignore[attr-defined]

    def moment(k: int) -> Real:
        return context.quad(lambda r: r**k * context.exp(-(r**2) / 2), [0, 1, 2, 4, 8, 16])

    return moment(d + 1) / moment(d - 1)


def of_amended() -> Iterator[Mutant]:
    claim = find("lp/gen-gaussian-amended")
    for numerator in (9, 7):
        less = scaled(claim, "variance", numerator, 10)
        yield Mutant(
            f"variance times 0.{numerator}",
            less,
            lambda less=less: exceeds(less, "variance", kappa="1", sensitivity="1", epsilon="1", delta="1e-40"),  # type: ignore[misc]
        )

    def other(nats: Callable[[Numbers, Real, Real, Real], Real]) -> Claim:
        def variance(m: Numbers, kappa: Real, sensitivity: Real, epsilon: Real, delta: Real) -> Real:
            return nats(m, kappa, epsilon, delta) * sensitivity**2 / epsilon**2

        return with_formula(claim, "variance", variance)

    bare = other(lambda m, kappa, epsilon, delta: 2 * kappa * m.log(1 / delta))
    yield Mutant(
        "epsilon dropped beside the logarithm",
        bare,
        lambda: exceeds(bare, "variance", kappa="1", sensitivity="1", epsilon="20", delta="0.1"),
    )
    quarter = other(lambda m, kappa, epsilon, delta: kappa * (2 * m.log(1 / delta) + epsilon / 4))
    yield Mutant(
        "epsilon/4 for epsilon",
        quarter,
        lambda: exceeds(quarter, "variance", kappa="1", sensitivity="1", epsilon="100", delta="0.1"),
    )
    without = other(lambda m, kappa, epsilon, delta: 2 * m.log(1 / delta) + epsilon)
    yield Mutant(
        "kappa dropped",
        without,
        lambda: exceeds(without, "variance", kappa="40", sensitivity="1", epsilon="1", delta="1e-6"),
    )
    root = other(lambda m, kappa, epsilon, delta: m.sqrt(kappa) * (2 * m.log(1 / delta) + epsilon))
    yield Mutant(
        "sqrt(kappa) for kappa",
        root,
        lambda: exceeds(root, "variance", kappa="40", sensitivity="1", epsilon="1", delta="1e-6"),
    )

    def halved(m: Numbers, d: Real, sigma_squared: Real) -> Real:
        return (d - 1) * sigma_squared

    shorter = replace(claim, formulas={**claim.formulas, "second_moment": halved})
    yield Mutant("(d - 1) sigma^2", shorter, lambda: bool(radial(4) > 3 + mp(30).real("1e-10")))
    more = scaled(claim, "variance", 11, 10)
    yield Mutant("variance times 1.1 (still true: more noise)", more, lambda: False)
