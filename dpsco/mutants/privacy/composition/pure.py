"""Mutants of the composition of pure mechanisms; their falsity is shown by convolving losses step by step."""

from collections.abc import Iterator, Mapping
from functools import partial

from dpsco.arguments.formula import apply
from dpsco.mutant import Mutant, scaled, with_formula
from dpsco.mutants.pointwise import scaled_mutant
from dpsco.reference.numbers.mp import mp
from dpsco.spec.claim import Claim
from dpsco.spec.numbers import Numbers, Real
from dpsco.spec.register import find


def convolved(m: Numbers, total: Real, one: Real, k: int, lost: Real = 0) -> Real:
    """Least delta of k randomised responses at `total`, the law of the loss built up one step at a time: not the binomial sum.

    With probability `lost` a step gives its data set away outright.
    """
    yes = m.exp(one) / (1 + m.exp(one))
    losses = {0: m.real(1)}
    for _ in range(k):
        longer: dict[int, Real] = {}
        for steps, mass in losses.items():
            longer[steps + 1] = longer.get(steps + 1, m.real(0)) + mass * yes * (1 - lost)
            longer[steps - 1] = longer.get(steps - 1, m.real(0)) + mass * (1 - yes) * (1 - lost)
        losses = longer
    outright = 1 - sum(losses.values())
    return outright + sum(mass * m.max(0, 1 - m.exp(total - steps * one)) for steps, mass in losses.items())


def exceeds(claim: Claim, epsilon: str, total: str, at: Mapping[str, str], asked: str | None = None) -> bool:
    """Whether k randomised responses need more than the delta (or the formula `asked`) that the claim gives at its total."""
    m = mp(60)
    values = {"epsilon": m.real(epsilon), **{name: m.real(value) for name, value in at.items()}}
    lost = values.get("delta", m.real(0)) if asked else m.real(0)
    k = int(at["k"] if "k" in at else at["T"])
    claimed = apply(claim.formulas[asked], m, values) if asked else values.get("delta", m.real(0))
    true = convolved(m, apply(claim.formulas[total], m, values), values["epsilon"], k, lost)
    return bool(true > claimed + m.real("1e-45"))


def of_rules(id: str) -> Iterator[Mutant]:
    claim = find(id)
    less = scaled(claim, "basic", 9, 10)
    yield Mutant("0.9 k epsilon", less, partial(_basic_exceeds, less))

    def flat(m: Numbers, k: Real, epsilon: Real, delta: Real) -> Real:
        return m.sqrt(6 * k * m.log(1 / delta)) * epsilon

    dropped = with_formula(claim, "advanced", flat)
    yield Mutant("(3k/2) epsilon^2 dropped", dropped, partial(exceeds, dropped, "1", "advanced", {"k": "100", "delta": "0.5"}))

    def narrow(m: Numbers, k: Real, epsilon: Real, delta: Real) -> Real:
        return 3 * k * epsilon**2 / 2 + m.sqrt(k * m.log(1 / delta)) * epsilon

    slim = with_formula(claim, "advanced", narrow)
    yield Mutant("1 for 6 under the root", slim, partial(exceeds, slim, "0.01", "advanced", {"k": "100", "delta": "1e-10"}))

    def slow(m: Numbers, k: Real, epsilon: Real, delta: Real) -> Real:
        return 3 * epsilon**2 * k / 2 + (6 * k * m.log(1 / delta)) ** m.frac(2, 5) * epsilon

    power = with_formula(claim, "advanced", slow)
    yield Mutant("power 0.4 for the root", power, partial(exceeds, power, "0.01", "advanced", {"k": "100", "delta": "1e-40"}))

    def tight(m: Numbers, k: Real, epsilon: Real, delta: Real) -> Real:
        return k * epsilon**2 / 2 + m.sqrt(2 * k * m.log(1 / delta)) * epsilon

    yield Mutant("1/2 for 3/2 and 2 for 6 (still true)", with_formula(claim, "advanced", tight), lambda: False)


def _basic_exceeds(claim: Claim) -> bool:
    m = mp(60)
    total = apply(claim.formulas["basic"], m, {"k": m.real(3), "epsilon": m.real(1)})
    return bool(convolved(m, total, m.real(1), 3) > 0)


def of_step() -> Iterator[Mutant]:
    claim = find("spo/eps0")

    def differs(moved: Claim) -> bool:
        """In decimals, from the printed rule written out again."""
        m = mp(40)
        k, epsilon, delta = m.real(7), m.real(2), m.real("1e-3")
        one = moved.formulas["per_step"](m, epsilon=epsilon, delta=delta, k=k)
        return bool(abs(m.frac(3, 2) * k * one**2 + one * m.sqrt(6 * k * m.log(1 / delta)) - epsilon) > m.real("1e-3"))

    point = {"epsilon": "2", "delta": "0.001", "k": "7", "epsilon_0": "per_step"}
    yield scaled_mutant(claim, "rule", 101, 100, ("rule", "=", "target"), point)
    yield scaled_mutant(claim, "target", 101, 100, ("rule", "=", "target"), point)

    def single(m: Numbers, epsilon: Real, delta: Real, k: Real) -> Real:
        b = 2 * m.log(1 / delta)
        return (m.sqrt(b + epsilon) - m.sqrt(b)) / m.sqrt(3 * k)

    def two(m: Numbers, epsilon: Real, delta: Real, k: Real) -> Real:
        b = 2 * m.log(1 / delta)
        return (m.sqrt(b + 2 * epsilon) - m.sqrt(b)) / m.sqrt(2 * k)

    def halved(m: Numbers, epsilon: Real, delta: Real, k: Real) -> Real:
        b = m.log(1 / delta)
        return (m.sqrt(b + 2 * epsilon) - m.sqrt(b)) / m.sqrt(3 * k)

    def plus(m: Numbers, epsilon: Real, delta: Real, k: Real) -> Real:
        b = 2 * m.log(1 / delta)
        return (m.sqrt(b + 2 * epsilon) + m.sqrt(b)) / m.sqrt(3 * k)

    for says, formula in (
        ("epsilon for 2 epsilon", single),
        ("2k for 3k", two),
        ("ln for 2 ln", halved),
        ("the other root", plus),
    ):
        moved = with_formula(claim, "per_step", formula)
        yield Mutant(says, moved, partial(differs, moved))
