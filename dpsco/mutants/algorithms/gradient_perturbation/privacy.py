"""Mutants of claims about gradient perturbation's noise; their falsity is shown by quadrature and by convolution."""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from dpsco.arguments.formula import apply
from dpsco.mutant import Mutant, scaled, with_formula
from dpsco.mutants.privacy.gaussian import hockey_stick
from dpsco.reference.numbers.mp import mp
from dpsco.spec.claim import Claim
from dpsco.spec.domain import positive
from dpsco.spec.numbers import Real
from dpsco.spec.register import find


def exceeds(claim: Claim, sigma: str, epsilon: str, delta: str) -> bool:
    """Whether the quadrature of the hockey stick exceeds delta at this instance, for T = 100, n = 10, L = 7.

    Then the gradients differ by 1.4 at each of 100 steps, so the shift over noise is 14/sigma.
    """
    m = mp(60)
    at = {"epsilon": epsilon, "delta": delta, "T": "100", "n": "10", "L": "7"}
    values = {name: m.real(value) for name, value in at.items()}
    mu = 14 / apply(claim.formulas[sigma], m, values)
    return bool(hockey_stick(mu, values["epsilon"]) > values["delta"] * m.real("1.000001"))


def moves_further(claim: Claim) -> bool:
    """Whether the averages of ten gradients, nine zero and one +7 or -7, differ by more than the printed sensitivity."""
    m = mp(60)
    averages = [sum(gradients) / m.real(10) for gradients in ([7] + [0] * 9, [-7] + [0] * 9)]
    return bool(averages[0] - averages[1] > apply(claim.formulas["sensitivity"], m, {"n": m.real(10), "L": m.real(7)}))


def disagrees(claim: Claim) -> bool:
    """Whether the per-step line at the stated epsilon_0, delta_0 and scale (b) differ, at one instance."""
    m = mp(60)
    at = {"epsilon": "1", "delta": "1e-5", "T": "100", "n": "10", "L": "7"}
    values = {name: m.real(value) for name, value in at.items()}
    values["epsilon_0"] = apply(claim.formulas["epsilon_step"], m, values)
    values["delta_0"] = apply(claim.formulas["delta_step"], m, values)
    step, whole = (apply(claim.formulas[name], m, values) for name in ("sigma_step", "sigma_advanced"))
    return bool(abs(step / whole - 1) > m.real("1e-30"))


def of_scale() -> Iterator[Mutant]:
    claim = find("newsvendor/thm-3-amended")
    for part in (9, 7):
        less = scaled(claim, "sigma_moments", part, 10)
        yield Mutant(f"scale times 0.{part}", less, partial(exceeds, less, "sigma_moments", "1", "1e-100"))
    printed = with_formula(claim, "sigma_moments", find("newsvendor/thm-3").formulas["sigma_moments"])
    yield Mutant("2 epsilon dropped (the printed scale)", printed, partial(exceeds, printed, "sigma_moments", "20", "0.01"))
    halved = scaled(claim, "sensitivity", 1, 2)
    yield Mutant("sensitivity L/n for replaced records", halved, partial(moves_further, halved))


def of_links() -> Iterator[Mutant]:
    claim = find("newsvendor/thm-3-amended-composition")
    printed = with_formula(claim, "sigma_step", find("newsvendor/thm-3").formulas["sigma_step"])

    def one_step_exceeds() -> bool:
        m = mp(60)
        known = {"epsilon_0": m.real("0.5"), "delta_0": m.real("1e-5"), "n": m.real(1), "L": m.real(1)}
        mu = 2 / apply(printed.formulas["sigma_step"], m, known)
        return bool(hockey_stick(mu, m.real("0.5")) > m.real("1e-5"))

    yield Mutant("2 L^2 for 8 L^2 in the per-step line", printed, one_step_exceeds)
    for says, name, numerator in (
        ("scale (b) times 2", "sigma_advanced", 2),
        ("twice the step's epsilon", "epsilon_step", 2),
        ("twice the step's delta", "delta_step", 2),
    ):
        double = scaled(claim, name, numerator, 1)
        yield Mutant(says, double, partial(disagrees, double))
    halved = scaled(claim, "sensitivity", 1, 2)
    yield Mutant("sensitivity L/n for replaced records", halved, partial(moves_further, halved))
    free = replace(claim, preconditions=())

    def composition_exceeds() -> bool:
        """The distribution of the privacy loss of 100-fold randomised response, by repeated convolution."""
        m = mp(60)
        values = {"T": m.real(100), "epsilon": m.real(50), "delta": m.real("0.1")}
        one = apply(free.formulas["epsilon_step"], m, values)
        yes = m.exp(one) / (1 + m.exp(one))
        losses = {0: m.real(1)}
        for _ in range(100):
            longer: dict[int, Real] = {}
            for steps, mass in losses.items():
                longer[steps + 1] = longer.get(steps + 1, m.real(0)) + mass * yes
                longer[steps - 1] = longer.get(steps - 1, m.real(0)) + mass * (1 - yes)
            losses = longer
        total = sum(mass * m.max(0, 1 - m.exp(values["epsilon"] - steps * one)) for steps, mass in losses.items())
        return bool(total > values["delta"])

    yield Mutant("every epsilon, the two conditions dropped", free, composition_exceeds)
    wide = replace(
        claim, parameters=tuple(replace(p, domain=positive) if p.name == "epsilon_0" else p for p in claim.parameters)
    )

    def one_step_fails_beyond_one() -> bool:
        m = mp(60)
        known = {"epsilon_0": m.real(20), "delta_0": m.real("0.1"), "n": m.real(1), "L": m.real(1)}
        return bool(hockey_stick(2 / apply(wide.formulas["sigma_step"], m, known), m.real(20)) > m.real("0.1"))

    yield Mutant("every epsilon_0 > 0 in the per-step line", wide, one_step_fails_beyond_one)
