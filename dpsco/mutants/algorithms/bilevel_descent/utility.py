"""Mutants of bilevel descent's utility: one step enumerated in rationals, whole runs by their exact moments in mpmath."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial

from dpsco.arguments.algorithms.descent.bilevel_gradients import constants
from dpsco.arguments.formula import apply
from dpsco.mutant import Mutant, scaled, with_formula
from dpsco.reference.numbers.mp import mp
from dpsco.spec.algorithms.bilevel_descent.utility import (
    NOISE_BOUNDED,
    bias_is_bounded,
    mean_bias_is_bounded,
    noise_is_uncorrelated,
    noise_power,
    step_is_short,
    three_terms,
)
from dpsco.spec.claim import Claim
from dpsco.spec.numbers import Numbers, Real, Truth
from dpsco.spec.predicate import Predicate
from dpsco.spec.register import find

Law = Sequence[tuple[Fraction, Fraction]]
"""Pairs (b, N), equally likely."""
LAWS: tuple[Law, ...] = tuple(
    tuple((Fraction(b), Fraction(noise)) for b, noise in pairs)
    for pairs in (
        ((0, 0),),
        ((-2, 0),),
        ((0, 3), (0, -3)),
        ((-1, 3), (-1, -3)),
        ((1, 0), (-1, 0)),
        ((1, 3), (-1, -3)),
        ((1, 3), (-1, -3), (1, -3), (-1, 3)),
    )
)


def step_exceeds(claim: Claim) -> bool:
    """Whether a parabola and a law of (b, N), enumerated in rationals, meet the claim's conditions and exceed its bound."""
    m = mp(60)
    for eta, beta in ((Fraction(1, 4), Fraction(2)), (Fraction(1, 8), Fraction(1)), (Fraction(3, 4), Fraction(2))):
        for a in (Fraction(0), Fraction(1), Fraction(2)):
            for law in LAWS:
                count = len(law)
                start = a / beta
                after = [start - eta * (a + b + noise) for b, noise in law]
                change = sum((beta * x**2 / 2 for x in after), Fraction(0)) / count - beta * start**2 / 2
                mean_b = sum((b for b, _ in law), Fraction(0)) / count
                square_b = sum((b**2 for b, _ in law), Fraction(0)) / count
                square_N = sum((noise**2 for _, noise in law), Fraction(0)) / count
                product = sum((b * noise for b, noise in law), Fraction(0)) / count
                v = {
                    "eta": m.real(eta),
                    "beta": m.real(beta),
                    "gradient_norm": m.real(a),
                    "mean_bias": m.real(abs(mean_b)),
                    "mean_noise": m.real(0),
                    "root_mean_square_bias": m.sqrt(m.real(square_b)),
                    "root_mean_square_noise": m.sqrt(m.real(square_N)),
                    "bias_noise_product": m.real(product),
                    "noise_level": m.sqrt(m.real(square_N)),
                }
                whole = bias_is_bounded in claim.tests
                v["bias"] = v["root_mean_square_bias"] if whole else v["mean_bias"]
                if all(predicate(m, v) is True for predicate in claim.preconditions):
                    bound = apply(claim.formulas["bound"], m, v)
                    if m.real(change) > bound + m.real("1e-40"):
                        return True
    return False


def longer_steps(m: Numbers, eta: Real, beta: Real) -> Truth:
    return m.le(2 * beta * eta, 4)


def of_one_step() -> Iterator[Mutant]:
    claim = find("bilevel/lem-C.4-amended")

    def moved(**by: int) -> Claim:
        factors = {"noise_level": 1, "bias": 1, "gradient_norm": 1, **by}

        def bound(m: Numbers, eta: Real, beta: Real, gradient_norm: Real, bias: Real, noise_level: Real) -> Real:
            a, B, Sigma = factors["gradient_norm"] * gradient_norm, factors["bias"] * bias, factors["noise_level"] * noise_level
            return claim.formulas["bound"](m, eta=eta, beta=beta, gradient_norm=a, bias=B, noise_level=Sigma)

        return with_formula(claim, "bound", bound)

    def half_noise(m: Numbers, eta: Real, beta: Real, gradient_norm: Real, bias: Real, noise_level: Real) -> Real:
        return claim.formulas["bound"](
            m, eta=eta, beta=beta, gradient_norm=gradient_norm, bias=bias, noise_level=noise_level / 2
        )

    mean = next(p for p in find("bilevel/lem-C.4").preconditions if p.test == mean_bias_is_bounded)
    long = Predicate("eta <= 2/beta", longer_steps, {"eta": "1", "beta": "2"}, {"eta": "1.1", "beta": "2"})
    others = {
        "the noise term dropped": moved(noise_level=0),
        "the bias term dropped": moved(bias=0),
        "twice the gradient": moved(gradient_norm=2),
        "half of Sigma": with_formula(claim, "bound", half_noise),
        "half of the bound": scaled(claim, "bound", 1, 2),
        "only the mean of the bias bounded": _exchanged(claim, bias_is_bounded, mean),
        "bias correlated with the noise": _exchanged(claim, noise_is_uncorrelated, NOISE_BOUNDED),
        "steps up to 2/beta": _exchanged(claim, step_is_short, long),
    }
    for says, other in others.items():
        yield Mutant(says, other, partial(step_exceeds, other))
    more = moved(noise_level=2)
    yield Mutant("twice Sigma (still true)", more, lambda: False)


def _exchanged(claim: Claim, test: object, by: Predicate) -> Claim:
    return replace(claim, preconditions=tuple(by if p.test == test else p for p in claim.preconditions))


def run_exceeds(claim: Claim, epsilon: str, T: int, gap: str, n: str = "1") -> bool:
    """Whether a run's mean square, by exact moments, exceeds the bound: |x| far from the bend, or x_0 at rest, d_x = 1.

    L_fx = 1 and beta_Phi = 1, K = 4; gap "rest": 0. The noise is so small that no run of 60 digits leaves the straight part.
    """
    m = mp(60)
    v = {**constants(m, L_fx=1, beta_fxx=1, beta_fxy=1, beta_gyy=1), "d_x": m.real(1), "n": m.real(n), "T": m.real(T)}
    v |= {"epsilon": m.real(epsilon), "delta": m.real("0.5")}
    sigma = apply(claim.formulas["sigma"], m, v)
    if gap == "rest":
        v["gap"] = m.real(0)
        square, total = m.real(0), m.real(0)
        for _ in range(T):  # g_{t+1} = (g_t - u_t)/2
            square = (square + sigma**2) / 4
            total += square
        assert sigma * 40 < 1
        kept = total / T
    else:  # slope 1 from the bend at |x| = 1 on: T steps of length 1/2, a margin for the noise
        margin = m.real("1e-20")
        assert sigma * T < margin / 20
        v["gap"] = m.frac(1, 2) + m.frac(T, 2) + margin
        kept = 1 - m.real("1e-30")
    return bool(kept > apply(claim.formulas["bound"], m, v))


def power_differs(claim: Claim) -> bool:
    """d_x sigma^2 against the formula at one point."""
    m = mp(40)
    v = {"n": 3, "d_x": 5, "epsilon": 2, "delta": "0.1", "K": 7, "T": 4}
    values = {name: m.real(value) for name, value in v.items()}
    left = values["d_x"] * apply(claim.formulas["sigma"], m, values) ** 2
    return bool(abs(left - apply(claim.formulas["noise_power"], m, values)) > left * m.real("1e-30"))


def of_three_terms() -> Iterator[Mutant]:
    claim = find("bilevel/thm-C.3-bound")

    def with_shares(of_gap: tuple[int, int], of_noise: tuple[int, int]) -> Claim:
        def bound(
            m: Numbers, n: Real, d_x: Real, epsilon: Real, delta: Real, K: Real, gap: Real, beta_Phi: Real, T: Real
        ) -> Real:
            less_gap = (1 - m.frac(*of_gap)) * 4 * beta_Phi * gap / T
            less_noise = (1 - m.frac(*of_noise)) * noise_power(m, n=n, d_x=d_x, epsilon=epsilon, delta=delta, K=K, T=T)
            return (
                three_terms(m, n=n, d_x=d_x, epsilon=epsilon, delta=delta, K=K, gap=gap, beta_Phi=beta_Phi, T=T)
                - less_gap
                - less_noise
            )

        return with_formula(claim, "bound", bound)

    at_rest = {"epsilon": "1e6", "T": 1000, "gap": "rest"}
    on_slope = {"epsilon": "1e40", "T": 10, "gap": "slope"}
    for says, other, at in (
        ("the noise dropped", with_shares((1, 1), (0, 1)), at_rest),
        ("a quarter of the noise", with_shares((1, 1), (1, 4)), at_rest),
        ("the gap dropped", with_shares((0, 1), (1, 1)), on_slope),
        ("a quarter of the gap's term", with_shares((1, 4), (1, 1)), on_slope),
        ("a tenth of the bound", scaled(claim, "bound", 1, 10), on_slope),
    ):
        yield Mutant(says, other, partial(run_exceeds, other, **at))  # type: ignore[arg-type]
    half = with_shares((1, 1), (1, 2))
    yield Mutant("half of the noise (still true)", half, lambda: False)
    power = scaled(claim, "noise_power", 1, 2)
    yield Mutant("half of the printed power", power, partial(power_differs, power))
    sigma = scaled(claim, "sigma", 2, 1)
    yield Mutant("twice sigma, its power as it was", sigma, partial(power_differs, sigma))
