"""Mutants of gradient sampling; falsity by derivatives taken numerically, by quadrature, and by densities on a grid."""

from collections.abc import Callable, Iterator
from functools import partial

from dpsco.arguments.formula import apply
from dpsco.mutant import Mutant, scaled, with_formula
from dpsco.reference.numbers.mp import mp
from dpsco.spec.algorithms.exponential_sampling.stationarity import inverse_temperature, log_weight, trivial_gradient
from dpsco.spec.claim import Claim
from dpsco.spec.numbers import Numbers, Real
from dpsco.spec.register import find


def derivative(m: Numbers, function: Callable[[Real], Real], x: Real) -> Real:
    step = m.real("1e-15")
    return (function(x + step) - function(x - step)) / (2 * step)


def gradients_differ(claim: Claim, n: int, B: int | None) -> bool:
    """Whether the printed sensitivity is below the change of a numerical gradient: f = y with a curved record, or f = z x."""
    m = mp(40)
    x, K = m.real("0.3"), m.real(4) if B is None else m.real(2 * (2 + B))
    pair: tuple[Callable[[Real], Real], Callable[[Real], Real]] = (lambda x: x / n, lambda x: -x / n)
    if B is not None:  # lower minimisers from the first-order conditions: sum of (y + x) and B y
        pair = (lambda x: -x, lambda x: -(n - 1) * x / (n - 1 + m.real(B)))
    first, second = (derivative(m, f, x) for f in pair)
    values = {"n": m.real(n), "K": K, "G": m.real(1), "mu_g": m.real(1)}
    return bool(abs(first - second) > apply(claim.formulas["sensitivity"], m, values) * m.real("1.000001"))


def densities_differ(claim: Claim, epsilon: str, n: int) -> bool:
    """Whether two neighbours' densities, with smooth transitions on a grid of [0, 1], have a quotient beyond e^epsilon."""
    m = mp(30)
    cells, share, width = 4000, m.real("0.01"), m.real("0.0005")
    values = {"epsilon": m.real(epsilon), "n": m.real(n), "K": m.real(4), "G": m.real(1)}
    k = -apply(claim.formulas["log_weight"], m, {**values, "gradient_norm": m.real(1)})

    def law(sign: int) -> list[Real]:
        slopes = [((n - 1) - sign * m.tanh((m.frac(2 * i + 1, 2 * cells) - share) / width)) / n for i in range(cells)]
        weights = [m.exp(-k * abs(slope)) for slope in slopes]
        total = sum(weights)
        return [w / total for w in weights]

    most = max(p / q for p, q in zip(law(-1), law(1), strict=True))
    return bool(m.log(max(most, 1 / min(p / q for p, q in zip(law(-1), law(1), strict=True)))) > m.real(epsilon))


def mean_exceeds(claim: Claim, epsilon: str, n: int, D: str) -> bool:
    """Whether the mean of min(|x|, 1) under its weight, by quadrature, is beyond the printed bound."""
    m = mp(30)
    given = {"epsilon": epsilon, "n": n, "K": 4, "G": 1, "d_x": 1, "beta_Phi": 1, "D_x": D}
    values = {name: m.real(value) for name, value in given.items()}
    k = -apply(claim.formulas["log_weight"], m, {**values, "gradient_norm": m.real(1)})
    quad = m.mp.quad  # type: ignore[attr-defined]
    ends = [0, m.real(1) / 16, m.real(1) / 4, 1, values["D_x"] / 2]
    mass = quad(lambda x: m.exp(-k * m.min(x, 1)), ends)
    mean = quad(lambda x: m.min(x, 1) * m.exp(-k * m.min(x, 1)), ends) / mass
    return bool(mean > apply(claim.formulas["rate"], m, values) * m.real("1.000001"))


def fixed_exceeds(claim: Claim) -> bool:
    """Whether the numerical gradient of Phi_Z = x (f = y, y_Z = x) is beyond the printed bound."""
    m = mp(30)
    values = {"L_fx": m.real(0), "L_fy": m.real(1), "beta_gxy": m.real(1), "mu_g": m.real(1)}
    return bool(derivative(m, lambda x: x, m.real(0)) > apply(claim.formulas["trivial"], m, values) + m.real("1e-9"))


def without_logarithm(m: Numbers, n: Real, d_x: Real, epsilon: Real, K: Real) -> Real:
    return d_x / inverse_temperature(m, epsilon=epsilon, n=n, K=K)


def slope_of_5(m: Numbers, n: Real, L_fx: Real, L_fy: Real, L_gy: Real, mu_g: Real, beta_fxy: Real, beta_gxy: Real) -> Real:
    return 2 * (L_fx + L_fy * beta_gxy / mu_g + L_gy * beta_fxy / mu_g) / n


def of_sampling() -> Iterator[Mutant]:
    claim = find("bilevel/sec-C.3-amended")
    less = scaled(claim, "sensitivity", 1, 4)
    yield Mutant("K/(4n) for the change of the gradient", less, partial(gradients_differ, less, 2, None))
    printed = with_formula(claim, "sensitivity", slope_of_5)

    def beyond_printed() -> bool:
        m = mp(30)
        one = {"n": 3, "L_fx": 0, "L_fy": 1, "L_gy": 10, "mu_g": 1, "beta_fxy": 0, "beta_gxy": 1}
        bound = apply(slope_of_5, m, {name: m.real(value) for name, value in one.items()})
        moved = derivative(m, lambda x: -x, m.real(0)) - derivative(m, lambda x: -2 * x / 12, m.real(0))
        return bool(abs(moved) > bound)

    yield Mutant("2G/n for the change of the gradient (as printed)", printed, beyond_printed)
    colder = scaled(claim, "log_weight", 5, 2)
    yield Mutant("5/2 times k", colder, partial(densities_differ, colder, "1", 3))
    warm = with_formula(claim, "log_weight", log_weight)
    yield Mutant("the weight without n", warm, partial(mean_exceeds, warm, "1", 1000000, "2"))
    bare = with_formula(claim, "rate", without_logarithm)
    yield Mutant("the logarithm dropped", bare, partial(mean_exceeds, bare, "1", 104, "1e6"))
    half = scaled(claim, "rate", 1, 2)
    yield Mutant("half of the bound on the mean", half, partial(mean_exceeds, half, "1", 104, "1e6"))
    short = with_formula(claim, "trivial", trivial_gradient)
    yield Mutant("L_fx at a fixed point (as printed)", short, partial(fixed_exceeds, short))
    more = scaled(claim, "sensitivity", 2, 1)
    yield Mutant("2K/n for the change of the gradient (the paper's (20): still true)", more, lambda: False)
