"""Mutants of objective perturbation's risk for the newsvendor; falsity by solving the perturbed problem at 30 digits.

Epanechnikov's kernel, one feature B_x. Where all records are equal the minimiser is solved for each noise value and its risk
integrated; where errors are spread it is solved at the worst errors and at eight standard deviations of the noise.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

import mpmath
from mpmath import mp, mpf

from dpsco.arguments.formula import apply
from dpsco.mutant import Mutant, carried_over, scaled, with_formula
from dpsco.mutants.algorithms.gradient_perturbation.utility import shown, value
from dpsco.reference.numbers.mp import mp as context
from dpsco.spec.algorithms.objective_perturbation import newsvendor_utility as spec
from dpsco.spec.claim import Claim
from dpsco.spec.numbers import Numbers, Real, Truth
from dpsco.spec.predicate import Predicate
from dpsco.spec.register import find

NUMBERS = {"epsilon": "1000", "delta": "1e-300", "n": "1", "d": "1", "B": "2", "B_x": "3", "r_bar": "0.75", "s": "10000"} | {
    "K_bar": "0.75",
    "kappa_2": "0.2",
}
FAR = {"epsilon": "0.0005", "delta": "0.3", "n": "1e12", "B": "2", "B_x": "1e5", "r_bar": "0.7", "s": "2"}
"""Small epsilon, a smoothing that is wide beside the errors, so many records that the noise is out."""
DEVIATIONS = 8
SPREAD = 0.0004
"""What errors in +-1/(2 s), s = 10^4, may change in the risk of equal records: four times their width."""


def integrated(t: mpf) -> mpf:
    """Epanechnikov's distribution function."""
    return (2 + 3 * t - t**3) / 4 if abs(t) < 1 else mpf(t > 0)


def solved(slope: Callable[[mpf], mpf], low: mpf, high: mpf) -> mpf:
    """The root of an increasing function by bisection."""
    while not slope(low) < 0 < slope(high):
        low, high = 2 * low - 1, 2 * high + 1
    for _ in range(110):
        middle = (low + high) / 2
        low, high = (middle, high) if slope(middle) < 0 else (low, middle)
    return low


def mean_risk(claim: Claim, numbers: Mapping[str, str], lambda_: float, h: float, outcome: float) -> float:
    """Expected check loss at the minimiser on equal records (B_x, outcome), by quadrature over the noise."""
    with mp.workdps(30):
        x, r, n = (mpf(numbers[name]) for name in ("B_x", "r_bar", "n"))
        sigma = mpf(value(claim, "sigma", numbers))

        def loss(z: mpf) -> mpf:
            def slope(theta: mpf) -> mpf:
                return x * (integrated((x * theta - outcome) / h) - r) + 2 * lambda_ * theta + sigma * z / n

            u = outcome - x * solved(slope, mpf(-1), mpf(1))
            return max(r * u, (r - 1) * u) * mpmath.npdf(z)

        steps, total = 160, mpf(0)
        for k in range(steps):  # midpoints: the integrand has kinks
            total += loss(DEVIATIONS * (2 * mpf(k) + 1 - steps) / steps)
        return float(total * 2 * DEVIATIONS / steps)


def shifted_risk(claim: Claim, numbers: Mapping[str, str], lambda_: float, h: float) -> float:
    """The excess that is left at the worst errors in +-1/(2 s) and the worst noise; outcomes are the errors."""
    with mp.workdps(30):
        x, r, n, s = (mpf(numbers[name]) for name in ("B_x", "r_bar", "n", "s"))
        w, sigma = 1 / (2 * s), mpf(value(claim, "sigma", numbers))

        def slope(q: mpf) -> mpf:
            return x * (integrated((q + w) / h) - r) + 2 * lambda_ * q / x + DEVIATIONS * sigma / n

        def population(q: mpf) -> mpf:
            points = sorted({-w, min(w, max(-w, q)), w})
            return mpmath.quad(lambda e: s * max(r * (e - q), (r - 1) * (e - q)), points)

        return float(population(solved(slope, mpf(-1), mpf(1))) - population((2 * r - 1) * w))


def exceeds_at_end(claim: Claim, name: str, more: Mapping[str, str], shift: bool = False) -> bool:
    """The risk at the printed lambda and h against the claim's bound, at numbers that its conditions admit."""
    numbers = {**NUMBERS, **more}
    m = context(40)
    given = {key: m.real(number) for key, number in numbers.items()}
    conditions = [p for p in claim.preconditions if {*p.names} <= {*given}]
    if not all(predicate(m, given) is True for predicate in conditions):
        raise ValueError(f"the numbers do not meet the conditions of {claim.id}: {numbers}")
    lambda_, h = (value(find("newsvendor/thm-2"), key, numbers) for key in ("lambda_chosen", "bandwidth"))
    outcome = float(numbers["B"]) * float(numbers["B_x"]) - h
    true = shifted_risk(claim, numbers, lambda_, h) if shift else mean_risk(claim, numbers, lambda_, h, outcome) - SPREAD
    return true > value(claim, name, numbers) * 1.0001


def exceeds_sum(claim: Claim, more: Mapping[str, str], lambda_: float, h: float, outcome: float | None) -> bool:
    """The same at lambda and h of their own; no outcome: spread errors."""
    numbers = {**NUMBERS, **more}
    if outcome is None:
        true = shifted_risk(claim, numbers, lambda_, h)
    else:
        true = mean_risk(claim, numbers, lambda_, h, outcome) - SPREAD
    return true > value(claim, "bound_raw", {**numbers, "lambda_": lambda_, "h": h}) * 1.0001


def terms(numbers: Mapping[str, str]) -> tuple[mpf, mpf, mpf]:
    """V, the statistical and the smoothing term, written anew from the displays."""
    epsilon, delta, n, d, B, B_x, r, K, kappa_2, s = (mpf(numbers[name]) for name in _NAMES)
    V = (r * B_x) ** 2 * (2 / n + d * (8 * mpmath.log(1 / delta) + 4 * epsilon) / (n * epsilon) ** 2)
    return V, 2 * B * mpmath.sqrt(V), s * kappa_2 * (K * B_x**2 * B / (n * epsilon)) ** 2 / V


_NAMES = ("epsilon", "delta", "n", "d", "B", "B_x", "r_bar", "K_bar", "kappa_2", "s")


def chosen_exceed(claim: Claim, more: Mapping[str, str]) -> bool:
    """Whether the displayed sum at the claim's own lambda and h is above its two terms."""
    numbers: dict[str, object] = {**NUMBERS, **more}
    chosen = {"lambda_": value(claim, "lambda_chosen", numbers), "h": value(claim, "bandwidth", numbers)}
    terms_of_claim = value(claim, "statistical_term", numbers) + value(claim, "smoothing_term", numbers)
    return value(claim, "bound_raw", {**numbers, **chosen}) > terms_of_claim * 1.0001


def below_terms(claim: Claim, more: Mapping[str, str]) -> bool:
    """The sum at the printed choices is the two terms: is the claim's right side below them?"""
    numbers = {**NUMBERS, **more}
    claimed = value(claim, "statistical_term", numbers) + value(claim, "smoothing_term", numbers)
    return claimed < float(sum(terms(numbers)[1:])) * 0.9999


def _without(claim: Claim, test: object) -> Claim:
    return replace(claim, preconditions=tuple(p for p in claim.preconditions if p.test != test))


def _conditioned(claim: Claim, threshold: Callable[..., Real]) -> Claim:
    """The claim with another threshold for epsilon."""

    def test(m: Numbers, epsilon: Real, n: Real, B: Real, B_x: Real, r_bar: Real, K_bar: Real, kappa_2: Real, s: Real) -> Truth:
        given = {"n": n, "B": B, "B_x": B_x, "r_bar": r_bar, "K_bar": K_bar, "kappa_2": kappa_2, "s": s}
        return m.ge(epsilon, threshold(m, **given))

    kept = spec.LARGE_ENOUGH_EPSILON
    moved = Predicate("epsilon above another threshold", test, kept.accepts, kept.rejects)
    return replace(claim, preconditions=tuple(moved if p == kept else p for p in claim.preconditions))


def of_theorem() -> Iterator[Mutant]:
    claim = find("newsvendor/thm-2-amended")
    printed = _conditioned(claim, spec.epsilon_threshold)
    yield Mutant("the printed threshold", printed, shown(exceeds_at_end, printed, "bound", FAR, True))
    for name in ("bound", "bound_dominated"):
        less = scaled(claim, name, 1, 12)
        yield Mutant(f"a twelfth of {name}", less, shown(exceeds_at_end, less, name, {}))
    noisy = scaled(claim, "sigma", 1000, 1)
    yield Mutant("a thousand times the noise", noisy, shown(exceeds_at_end, noisy, "bound", {}))
    less = scaled(claim, "bound_raw", 2, 5)
    slope = {"n": "1000000", "B": "1"}
    yield Mutant("0.4 of the displayed sum", less, shown(exceeds_sum, less, slope, 2.25, 1e-6, 3.0))

    def unsmoothed(
        m: Numbers, epsilon: Real, delta: Real, n: Real, d: Real, B: Real, B_x: Real, r_bar: Real, lambda_: Real
    ) -> Real:
        return spec.risk_variance(m, epsilon=epsilon, delta=delta, n=n, d=d, B_x=B_x, r_bar=r_bar) / lambda_ + lambda_ * B**2

    bare = with_formula(claim, "bound_raw", unsmoothed)
    wide = {"n": "1000000", "B": "1", "B_x": "1", "r_bar": "0.7", "s": "1"}
    yield Mutant("no smoothing term", bare, shown(exceeds_sum, bare, wide, 0.001, 1000.0, None))

    def quiet(m: Numbers, n: Real, B: Real, B_x: Real, r_bar: Real, kappa_2: Real, s: Real, lambda_: Real, h: Real) -> Real:
        return 2 * (r_bar * B_x) ** 2 / (n * lambda_) + lambda_ * B**2 + spec.smoothing_error(m, h=h, s=s, kappa_2=kappa_2)

    silent = with_formula(claim, "bound_raw", quiet)
    loud = {"n": "1000", "epsilon": "0.001", "delta": "1e-40", "B": "0.01"}
    yield Mutant("no noise term", silent, shown(exceeds_sum, silent, loud, 0.5, 1e-6, 0.0))
    less = scaled(claim, "statistical_term", 9, 10)
    yield Mutant("0.9 of the statistical term", less, shown(below_terms, less, {"s": "1"}))
    for name, numerator, denominator in (("lambda_chosen", 2, 1), ("bandwidth", 2, 1), ("smoothing_term", 1, 2)):
        moved = scaled(claim, name, numerator, denominator)
        yield Mutant(f"{name} times {numerator}/{denominator}", moved, shown(chosen_exceed, moved, {}))
    every = _without(claim, spec.delta_is_small)
    large = {"epsilon": "1", "delta": "0.999", "n": "1", "d": "9"}
    known = terms({**NUMBERS, **large})
    yield Mutant(
        "every delta", every, lambda: True if float(2 * known[1]) > value(every, "bound", {**NUMBERS, **large}) else None
    )
    yield Mutant("twice the bound (still true)", scaled(claim, "bound", 2, 1), lambda: False)


def dominated_fails(claim: Claim, epsilon: str) -> bool:
    """With n = 10^24 and these numbers the claim's conditions hold and the smoothing term is the larger one."""
    numbers = {**NUMBERS, "n": "1e24", "delta": "0.5", "B": "5", "B_x": "7", "r_bar": "0.6", "s": "3", "epsilon": epsilon}
    m = context(40)
    given = {key: m.real(number) for key, number in numbers.items()}
    _, statistical, smoothing = terms(numbers)
    return all(p(m, given) is True for p in claim.preconditions) and bool(statistical < smoothing)


def of_condition() -> Iterator[Mutant]:
    claim = find("newsvendor/thm-2-condition-amended")
    printed = _conditioned(claim, spec.epsilon_threshold)
    yield Mutant("the printed threshold", printed, shown(dominated_fails, printed, "9e-7"))

    def share(m: Numbers, **given: Real) -> Real:
        return spec.epsilon_threshold_amended(m, **given) * m.frac(4, 5)

    less = _conditioned(claim, share)
    yield Mutant("0.8 of the threshold", less, shown(dominated_fails, less, "2.97e-6"))

    def faster(m: Numbers, n: Real, **given: Real) -> Real:
        return spec.epsilon_threshold_amended(m, n=n, **given) / m.exp(m.log(n) / 10)

    early = _conditioned(claim, faster)
    yield Mutant("n^(-0.35)", early, shown(dominated_fails, early, "2.5e-6"))
    halved = scaled(claim, "statistical_term", 1, 2)
    edge = float(apply(spec.epsilon_threshold_amended, context(40), _numbers())) * 1.1
    yield Mutant("half of the statistical term", halved, lambda: True if _half_fails(edge) else None)
    doubled = scaled(claim, "smoothing_term", 2, 1)
    yield Mutant("twice the smoothing term", doubled, lambda: True if _half_fails(edge) else None)


def _numbers() -> dict[str, Real]:
    m = context(40)
    return {key: m.real(number) for key, number in {**NUMBERS, "n": "1e24", "B": "5", "B_x": "7"}.items()}


def _half_fails(epsilon: float) -> bool:
    _, statistical, smoothing = terms({**NUMBERS, "n": "1e24", "B": "5", "B_x": "7", "epsilon": repr(epsilon), "delta": "0.5"})
    return bool(statistical / 2 < smoothing)


def smoothing_costs_more(claim: Claim) -> bool:
    """The mean of c_h - c, uniform kernel on [-3, 3], h = 1/4, errors uniform on [-1, 1], r = 1/2: by quadrature."""
    h = mpf("0.25")

    def cost(u: mpf) -> mpf:
        return mpmath.quad(
            lambda v: (abs(u + h * v) - abs(u)) / 12, sorted({mpf(-3), mpf(3), max(mpf(-3), min(mpf(3), -u / h))})
        )

    true = mpmath.quad(lambda u: cost(u) / 2, [-1, mpf("-0.75"), 0, mpf("0.75"), 1])
    return bool(true > value(claim, "smoothing_error", {"h": "0.25", "s": "0.5", "kappa_2": "3"}) * 1.0001)


def grows_more(claim: Claim) -> bool:
    """Errors uniform on [-1, 1], s = 1/2: F(v h) - F(-v h) = v h, with v h = 1/8."""
    return value(claim, "increment", {"h": "0.25", "s": "0.5", "v": "0.5"}) < 0.125 * 0.9999


def of_smoothing() -> Iterator[Mutant]:
    claim = find("newsvendor/thm-2-approx-amended")
    printed = with_formula(claim, "increment", spec.increment)
    yield Mutant("the printed increment", printed, shown(grows_more, printed))
    less = scaled(claim, "increment", 19, 20)
    yield Mutant("0.95 of the increment", less, shown(grows_more, less))
    less = scaled(claim, "smoothing_error", 12, 25)
    yield Mutant("0.48 of the cost", less, shown(smoothing_costs_more, less))
    yield Mutant("0.6 of the cost (still true)", scaled(claim, "smoothing_error", 3, 5), lambda: False)


def of_printed_smoothing() -> Iterator[Mutant]:
    claim = find("newsvendor/thm-2-approx")
    yield from carried_over(claim, find("newsvendor/thm-2-approx-amended"), of_smoothing(), "smoothing_error")

    def cubed(m: Numbers, h: Real, s: Real, kappa_2: Real) -> Real:
        return h**3 * s * kappa_2

    def smoother(m: Numbers, h: Real, s: Real, kappa_2: Real) -> Real:
        return h**2 * s**3 * kappa_2

    for says, other in (("h^3", cubed), ("s^3", smoother)):
        less = with_formula(claim, "smoothing_error", other)
        yield Mutant(says, less, shown(smoothing_costs_more, less))
