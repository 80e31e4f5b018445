"""Mutants of claims about Gaussian descent; falsity by quadrature, by runs without noise, and by plain evaluation."""

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from functools import partial

from dpsco.arguments.formula import apply
from dpsco.mutant import Mutant, scaled, with_formula
from dpsco.mutants.privacy.gaussian import hockey_stick
from dpsco.reference.numbers.mp import mp
from dpsco.spec.claim import Claim
from dpsco.spec.numbers import Numbers, Real
from dpsco.spec.register import find


def exceeds(claim: Claim, epsilon: str, delta: str, factor: int = 1) -> bool:
    """Whether the quadrature of the hockey stick exceeds delta for one noisy gradient at T = 2, n = 10, L = 7."""
    m = mp(60)
    values = {name: m.real(v) for name, v in {"epsilon": epsilon, "delta": delta, "T": "2", "n": "10", "L": "7"}.items()}
    mu = factor * m.frac(14, 10) / m.sqrt(apply(claim.formulas["sigma_squared"], m, values))
    return bool(hockey_stick(mu, values["epsilon"]) > values["delta"] * m.real("1.000001"))


def of_amended() -> Iterator[Mutant]:
    claim = find("spo/thm-6-amended")
    for part in (36, 25):  # of 100: T = 2 has one noisy step, so half the variance is spare
        less = scaled(claim, "sigma_squared", part, 100)
        yield Mutant(f"variance times 0.{part}", less, partial(exceeds, less, "1", "1e-100"))
    printed = with_formula(claim, "sigma_squared", find("spo/thm-6").formulas["sigma_squared"])
    yield Mutant("2 epsilon dropped (the printed variance)", printed, partial(exceeds, printed, "50", "0.01"))
    more = scaled(claim, "sigma_squared", 2, 1)
    yield Mutant("variance times 2 (still true: more noise)", more, lambda: False)

    def steps_forgotten(m: Numbers, L: Real, T: Real, delta: Real, n: Real, epsilon: Real) -> Real:
        return claim.formulas["sigma_squared"](m, L=L, T=m.real(1), delta=delta, n=n, epsilon=epsilon)

    once = with_formula(claim, "sigma_squared", steps_forgotten)

    def hundred_steps_exceed() -> bool:
        m = mp(60)
        sigma = m.sqrt(steps_forgotten(m, m.real(7), m.real(101), m.real("0.01"), m.real(10), m.real(1)))
        return bool(hockey_stick(10 * m.frac(14, 10) / sigma, m.real(1)) > m.real("0.0100001"))

    yield Mutant("T dropped from the variance", once, hundred_steps_exceed)


def another_variance(claim: Claim, T: int) -> bool:
    """Whether T queries, of the sensitivity that two far records show, do not spend epsilon^2/(2 ln(1/delta)) in all.

    On S = [-1, 1] the gradient of a record (c, x) far out is 2 (w* - w) x with w* = -sign(c) = -w.
    """
    m = mp(40)
    n, x, epsilon = 10, Fraction(7, 4), m.real(3)
    moved = abs(2 * (-1 - 1) * x - 2 * (1 + 1) * x) / n
    values = {"epsilon": epsilon, "delta": m.real("0.01"), "n": m.real(n), "T": m.real(T), "L": m.real(4 * x)}
    spent = T * m.real(moved) ** 2 / apply(claim.formulas["sigma_squared"], m, values)
    return bool(abs(spent / (epsilon**2 / (2 * m.log(m.real(100)))) - 1) > m.real("1e-20"))


def of_text() -> Iterator[Mutant]:
    claim = find("spo/alg-2")
    for says, numerator, denominator in (("a quarter of the variance", 1, 4), ("1.1 of the variance", 11, 10)):
        moved = scaled(claim, "sigma_squared", numerator, denominator)
        yield Mutant(says, moved, partial(another_variance, moved, 5))

    def once(m: Numbers, L: Real, delta: Real, n: Real, epsilon: Real) -> Real:
        return 8 * L**2 * m.log(1 / delta) / (n**2 * epsilon**2)

    def root(m: Numbers, L: Real, T: Real, delta: Real, n: Real, epsilon: Real) -> Real:
        return 8 * L**2 * T * m.log(1 / delta) / (n * epsilon**2)

    for says, formula in (("T dropped", once), ("n for n^2", root)):
        moved = with_formula(claim, "sigma_squared", formula)
        yield Mutant(says, moved, partial(another_variance, moved, 5))

    def again(m: Numbers, L: Real, T: Real, delta: Real, n: Real, epsilon: Real) -> Real:
        return -8 * L**2 * T * m.log(delta) / (n * epsilon) ** 2

    yield Mutant("-ln(delta) for ln(1/delta) (still true)", with_formula(claim, "sigma_squared", again), lambda: False)


SIZES = {"L": 1.0, "B_B": 2.0, "B_x": 0.5, "B_w": 1.0}
"""L = 2 B_w B_x: what the record below shows."""


def excess(eta: float, mu: float, T: int, share: float) -> float:
    """SPO+ loss on S = [0, 1] of the noise-free average on the record x = share/2, c = 2 x B_B, whose least loss is 0; noise of
    mean zero adds to a convex loss."""
    B = total = 0.0
    x = share * SIZES["B_x"]
    c = 2 * x * SIZES["B_B"]
    for _ in range(T):
        total += B
        B += eta * 2 * min(1.0, max(0.0, (c - 2 * x * B) / mu)) * x
    return max(0.0, c - 2 * x * total / T)


def risk_of(claim: Claim, n: int, **more: float) -> tuple[float, float]:
    """The largest of a few runs at the claim's step length, and the claimed bound."""
    m = mp(40)
    v = {**SIZES, "n": n, "p": 1.0, "d": 1.0, "epsilon": 1.0, "delta": 0.5, **more}
    values = {name: m.real(value) for name, value in v.items()}
    values["sigma"] = m.sqrt(8 * m.log(1 / values["delta"])) / values["epsilon"]
    eta = float(apply(claim.formulas["eta_stated"], m, values))
    found = max(excess(eta, 2 * SIZES["B_x"] ** 2 * eta, n * n, share / 20) for share in range(1, 21))
    return found, float(apply(claim.formulas["regret_calibrated"], m, values))


def exceeded(claim: Claim, n: int, **more: float) -> bool:
    true, said = risk_of(claim, n, **more)
    return true > said * (1 + 1e-9)


def outgrows(claim: Claim, name: str, **power: float) -> bool:
    """Whether a run's excess, or with another name the claimed bound, over the rate grows from n = 10 to 40 and to 160."""
    m, quotients = mp(40), []
    for n in (10, 40, 160):
        more = {key: float(n**exponent) for key, exponent in power.items()}
        v = {"n": n, "p": 1.0, "d": 1.0, "epsilon": 1.0, "delta": 0.5, **more}
        rate = float(apply(claim.formulas["rate"], m, {key: m.real(value) for key, value in v.items()}))
        quotients.append(risk_of(claim, n, **more)[name == "regret"] / rate)
    return quotients[1] > 1.1 * quotients[0] and quotients[2] > 1.1 * quotients[1]


def of_risk() -> Iterator[Mutant]:
    claim = find("spo/thm-7-amended")
    less = scaled(claim, "regret_calibrated", 2, 5)
    yield Mutant("0.4 of the bound", less, partial(exceeded, less, 30))
    shorter = scaled(claim, "eta_stated", 1, 5)
    yield Mutant("a fifth of the step length", shorter, partial(exceeded, shorter, 30))

    def no_features(m: Numbers, n: Real, d: Real, epsilon: Real, delta: Real) -> Real:
        return 1 / m.sqrt(n) + m.sqrt(d * m.log(1 / delta)) / (n * epsilon)

    def steeper(m: Numbers, n: Real, p: Real, d: Real, epsilon: Real, delta: Real) -> Real:
        return 1 / n + m.sqrt(p * d * m.log(1 / delta)) / (n * epsilon)

    def no_decisions(m: Numbers, n: Real, p: Real, epsilon: Real, delta: Real) -> Real:
        return 1 / m.sqrt(n) + m.sqrt(p * m.log(1 / delta)) / (n * epsilon)

    for says, formula, power in (
        ("rate without p", no_features, {"p": 1.9}),
        ("1/n for n^(-1/2) in the rate", steeper, {}),
        ("rate without d", no_decisions, {"d": 1.9}),
    ):
        moved = with_formula(claim, "rate", formula)
        yield Mutant(says, moved, partial(outgrows, moved, "risk", **power))
    more = scaled(claim, "regret_calibrated", 2, 1)
    yield Mutant("twice the bound (still true)", more, lambda: False)


def line_breaks(claim: Claim, **more: str) -> bool:
    """Whether a link fails at mu = eta/2, or where the conditions let mu be, in plain evaluation."""
    m = mp(40)
    at = {"T": "4", "eta": "2", "mu": "1", "L": "0.1", "p": "3", "d": "2", "sigma": "1", "B_w": "2", "minimiser_norm": "0.1"}
    v = {name: m.real(value) for name, value in {**at, **more}.items()}
    norm = sum((v["sigma"] ** 2 for _ in range(6)), start=m.real(0))  # entry by entry
    said = apply(claim.formulas["noise_norm"], m, v)
    before = apply(claim.formulas["line_before_last"], m, {**v, "noise_square": said})
    allowed = all(predicate(m, v) is True for predicate in claim.preconditions)
    return allowed and bool(abs(said - norm) > m.real("1e-20") or before > apply(claim.formulas["last_line"], m, v))


def of_chain() -> Iterator[Mutant]:
    claim = find("spo/app-e-smoothing-amended")
    less, noisier = scaled(claim, "last_line", 9, 10), scaled(claim, "noise_norm", 1, 2)
    yield Mutant("0.9 of the last line", less, partial(line_breaks, less))
    yield Mutant("half of the noise", noisier, partial(line_breaks, noisier))
    every = replace(claim, preconditions=())
    yield Mutant("every mu", every, partial(line_breaks, every, mu="1.5"))
    printed = with_formula(claim, "noise_norm", find("spo/app-e-smoothing").formulas["noise_norm"])
    yield Mutant("d sigma^2", printed, partial(line_breaks, printed))
    more = scaled(claim, "line_before_last", 11, 10)
    yield Mutant("1.1 of the line before", more, partial(line_breaks, more))
