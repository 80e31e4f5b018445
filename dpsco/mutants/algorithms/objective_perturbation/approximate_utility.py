"""Mutants of the risk of approximate objective perturbation; falsity by quadrature over theta_1, and by exact minimisers."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise

from dpsco.arguments.formula import apply
from dpsco.mutant import Mutant, carried_over, scaled, with_formula
from dpsco.mutants.pointwise import scaled_mutant
from dpsco.reference.numbers.mp import mp
from dpsco.spec.claim import Claim
from dpsco.spec.numbers import Numbers, Real
from dpsco.spec.register import find

Path = Callable[[int], Mapping[str, object]]
"""Values at N = 10, 100, ..., among them `d` of the box and its linear loss's coordinate `a`."""


def box_excess(m: Numbers, v: Mapping[str, Real]) -> Real:
    """Excess of theta_1 for <a, theta> on [-c, c]^d, |C|_2 = c sqrt(d): integrals of P(theta_j > t) over [-c, c]."""
    c = v["C_norm"] / m.sqrt(v["d"])
    spread = m.sqrt(128 * m.log(1 / v["delta"])) * v["L"] / v["epsilon"] / v["n"]

    def above(t: Real) -> Real:
        return m.Phi(-(v["a"] + 2 * v["lambda_"] * t) / spread)

    width = spread / (2 * v["lambda_"])
    middle = -v["a"] / (2 * v["lambda_"])
    points = sorted({-c, c, *(x for k in (-9, -3, 0, 3, 9) if -c < (x := middle + k * width) < c)})
    return v["d"] * v["a"] * m.mp.quad(above, points)  # type: ignore[attr-defined]


def outgrown(
    claim: Claim, name: str, path: Path, left: Callable[[Numbers, Mapping[str, Real]], Real] = box_excess
) -> bool | None:
    """True if left over the formula grows by a tenth at least with every tenfold N, four times."""
    m, found = mp(30), []
    for N in (10**3, 10**4, 10**5, 10**6, 10**7):
        v = {key: m.real(value) for key, value in path(N).items()}
        v["G_C"] = v.get("G_C", v["C_norm"] * m.sqrt(2 * v["d"] / m.pi) if "C_norm" in v else m.real(1))
        found.append(left(m, v) / apply(claim.formulas[name], m, v))
    return all(b > m.real("1.1") * a > 0 for a, b in pairwise(found)) or None


def formula_of(claim: Claim, name: str) -> Callable[[Numbers, Mapping[str, Real]], Real]:
    return lambda m, v: apply(claim.formulas[name], m, v)


BASE = {"L": 1, "C_norm": 1, "d": 1, "epsilon": 1, "delta": "0.36787944117144233"}


def of_empirical_risk() -> Iterator[Mutant]:
    claim = find("lp/lem-6-amended")

    def no_ridge(m: Numbers, L: Real, G_C: Real, delta: Real, epsilon: Real, n: Real) -> Real:
        return L * G_C * m.sqrt(m.log(1 / delta)) / (epsilon * n)

    def no_width(m: Numbers, L: Real, delta: Real, epsilon: Real, n: Real, lambda_: Real, C_norm: Real) -> Real:
        return L * C_norm * m.sqrt(m.log(1 / delta)) / (epsilon * n) + lambda_ * C_norm**2

    bare = with_formula(claim, "rate", no_ridge)
    yield Mutant(
        "a rate without the ridge",
        bare,
        lambda: outgrown(bare, "rate", lambda N: {**BASE, "n": N, "lambda_": "0.5", "a": "0.5"}),
    )
    flat = with_formula(claim, "rate", no_width)

    def wide(N: int) -> Mapping[str, object]:
        return {**BASE, "d": N, "n": 10**6 * N, "lambda_": Fraction(1, 10**12 * N**2), "a": Fraction(11, 10**6 * N)}

    yield Mutant("|C|_2 for the width", flat, lambda: outgrown(flat, "rate", wide))
    less = scaled(claim, "bound", 2, 5)

    def below() -> bool:
        m = mp(30)
        v = {key: m.real(x) for key, x in {**BASE, "n": 10**4, "lambda_": "1e-12", "a": "0.00085"}.items()}
        return bool(box_excess(m, v) > apply(less.formulas["bound"], m, {**v, "G_C": m.sqrt(2 / m.pi)}))

    yield Mutant("2/5 of the bound", less, below)
    step = scaled(claim, "width_step", 99, 100)
    yield Mutant("0.99 of the step", step, lambda: narrow_interval(step, "width_step", 128))
    yield Mutant("twice the bound (still true)", scaled(claim, "bound", 2, 1), lambda: False)


def narrow_interval(claim: Claim, name: str, sigma_squared: int) -> bool:
    """Does E[Z clip(Z, -w, w)], by quadrature of the density, exceed the formula at G_C = w sqrt(2/pi), w = sigma/1000?

    sigma^2 is 128 ln(1/delta) for G (L = epsilon = n = 1) and ln(1/delta) for H (alpha = lambda = epsilon = c_H = 1).
    """
    m = mp(30)
    sigma = m.sqrt(m.real(sigma_squared))
    w, share = sigma / 1000, sigma_squared if name == "width_bound" else m.frac(sigma_squared, 128)
    ones = dict.fromkeys(("L", "epsilon", "n", "lambda_", "alpha", "c_H"), m.real(1))
    inside = m.mp.quad(lambda x: x**2 * m.phi(x / sigma) / sigma, [0, w])  # type: ignore[attr-defined]
    beyond = m.mp.quad(lambda x: x * w * m.phi(x / sigma) / sigma, [w, sigma, 8 * sigma, 30 * sigma])  # type: ignore[attr-defined]
    claimed = apply(claim.formulas[name], m, {**ones, "delta": m.exp(-m.real(share)), "G_C": w * m.sqrt(2 / m.pi)})
    return bool(2 * (inside + beyond) > claimed * m.real("1.0000001"))


def of_stability() -> Iterator[Mutant]:
    claim = find("lp/lem-7")

    def false(moved: Claim, rho: str, ridge: str, n: int) -> bool:
        """D has rho theta, D' -rho theta, the others nothing: minimisers from the derivative, in fractions."""
        slope, own, m = Fraction(rho), Fraction(ridge), mp(40)
        minimiser, other = -slope / n / (2 * own), slope / n / (2 * own)
        change = slope * (other - minimiser)
        values = {"rho": m.real(rho), "lambda_": m.real(ridge), "n": m.real(n)}
        return bool(m.real(change) > apply(moved.formulas["stability"], m, values))

    less = scaled(claim, "stability", 49, 100)
    yield Mutant("0.49 of the bound", less, lambda: false(less, "1", "1", 7))

    def power(m: Numbers, x: Real, tenths: int) -> Real:
        return m.exp(m.log(x) * m.frac(tenths, 10))

    def of_slope(m: Numbers, rho: Real, lambda_: Real, n: Real) -> Real:
        return 2 * power(m, rho, 17) / (lambda_ * n)

    def of_records(m: Numbers, rho: Real, lambda_: Real, n: Real) -> Real:
        return 2 * rho**2 / (lambda_ * power(m, n, 11))

    def of_ridge(m: Numbers, rho: Real, lambda_: Real, n: Real) -> Real:
        return 2 * rho**2 / (power(m, lambda_, 8) * n)

    slope, records, ridge = (with_formula(claim, "stability", f) for f in (of_slope, of_records, of_ridge))
    yield Mutant("rho^1.7", slope, lambda: false(slope, "30", "1", 1))
    yield Mutant("n^1.1", records, lambda: false(records, "1", "1", 10**6))
    yield Mutant("lambda^0.8", ridge, lambda: false(ridge, "1", "0.001", 1))


def of_mean_stability() -> Iterator[Mutant]:
    claim = find("lp/eq-5")
    path = {"L": 1, "lambda_": 1, "delta": BASE["delta"], "epsilon": 1}

    def over(moved: Claim, left: str, right: str, at: Path) -> Callable[[], bool | None]:
        return lambda: outgrown(moved, right, lambda N: {**path, **at(N)}, formula_of(moved, left))

    def steeper(m: Numbers, L: Real, lambda_: Real, n: Real) -> Real:
        return L**2 / (lambda_ * m.exp(m.log(n) * m.frac(11, 10)))

    def unsquared(m: Numbers, L: Real, d: Real, delta: Real, epsilon: Real, n: Real, lambda_: Real) -> Real:
        return L**2 * (1 + m.sqrt(d * m.log(1 / delta)) / (epsilon * n)) / (lambda_ * n)

    def fewer(m: Numbers, L: Real, d: Real, delta: Real, epsilon: Real, n: Real, lambda_: Real) -> Real:
        return 2 * (L**2 + 32 * d * L**2 * m.log(1 / delta) / (epsilon**2 * n)) / (lambda_ * n)

    steep = with_formula(claim, "rate", steeper)
    root = replace(with_formula(claim, "middle", unsquared), preconditions=())
    few, free = with_formula(claim, "left", fewer), replace(claim, preconditions=())
    yield Mutant("n^1.1 in the rate", steep, over(steep, "middle", "rate", lambda N: {"n": N, "d": 1}))
    yield Mutant("no square, no condition on n", root, over(root, "left", "middle", lambda N: {"n": N, "d": N**3}))
    yield Mutant("the noise over n, not n^2", few, over(few, "left", "middle", lambda N: {"n": N, "d": N**2}))
    yield Mutant("no condition on n", free, over(free, "middle", "rate", lambda N: {"n": N, "d": N**3}))


def of_population_risk() -> Iterator[Mutant]:
    claim = find("lp/thm-2")

    def faster(m: Numbers, L: Real, G_C: Real, delta: Real, epsilon: Real, n: Real, C_norm: Real) -> Real:
        return L * G_C * m.sqrt(m.log(1 / delta)) / (epsilon * n) + L * C_norm / m.exp(m.log(n) * m.frac(3, 5))

    def no_width(m: Numbers, L: Real, n: Real, C_norm: Real) -> Real:
        return L * C_norm / m.sqrt(n)

    def no_ridge(
        m: Numbers, L: Real, alpha: Real, delta: Real, lambda_: Real, G_C: Real, epsilon: Real, n: Real, C_norm: Real
    ) -> Real:
        known = {"L": L, "alpha": alpha, "delta": delta, "lambda_": lambda_, "G_C": G_C, "epsilon": epsilon, "n": n}
        return apply(claim.formulas["pre_rate"], m, {**known, "C_norm": C_norm}) - lambda_ * C_norm**2

    fast, flat = with_formula(claim, "rate", faster), with_formula(claim, "rate", no_width)

    def one(N: int) -> Mapping[str, object]:
        return {**BASE, "n": N**2, "epsilon": N, "lambda_": Fraction(1, N), "a": Fraction(1, N)}

    def many(N: int) -> Mapping[str, object]:
        n = 10**6 * N**2
        return {**BASE, "n": n, "d": (10**3 * N) ** 3, "lambda_": Fraction(1, 10**3 * N), "a": Fraction(11, n)}

    yield Mutant("n^0.6 for the root", fast, lambda: outgrown(fast, "rate", one))
    yield Mutant("no width in the rate", flat, lambda: outgrown(flat, "rate", many))
    bare = with_formula(claim, "pre_rate", no_ridge)

    def fixed(N: int) -> Mapping[str, object]:
        return {**BASE, "n": N, "alpha": 0, "lambda_": "0.5", "a": "0.5"}

    yield Mutant("no ridge before the choices", bare, lambda: outgrown(bare, "pre_rate", fixed))

    def beyond(moved: Claim, name: str) -> bool:
        m = mp(40)
        v = {key: m.real(x) for key, x in {**BASE, "n": 100, "G_C": 2}.items()}
        v |= {"alpha": apply(moved.formulas["largest_alpha"], m, v), "lambda_": apply(moved.formulas["lambda_choice"], m, v)}
        return bool(apply(moved.formulas[name], m, v) > m.real("1.0001") * v["L"] * v["C_norm"] / m.sqrt(v["n"]))

    rough, weak = scaled(claim, "largest_alpha", 11, 10), scaled(claim, "lambda_choice", 9, 10)
    yield Mutant("alpha 1.1 times as large", rough, lambda: beyond(rough, "output_noise_term"))
    fewer = scaled(claim, "least_n", 1, 4)

    def below() -> bool:
        """r = beta = 2, |C|_2 = epsilon = L = 1: lambda against r beta/(epsilon n) at the moved least n, in fractions of n."""
        m = mp(40)
        v = {key: m.real(x) for key, x in {"r": 2, "beta": 2, "C_norm": 1, "epsilon": 1, "L": 1}.items()}
        n = apply(fewer.formulas["least_n"], m, v)
        return bool(apply(fewer.formulas["lambda_choice"], m, {**v, "n": n}) < m.real("0.999") * 4 / n)

    yield Mutant("a quarter of the least n", fewer, below)
    yield Mutant("0.9 of the ridge", weak, lambda: beyond(weak, "output_noise_term"))
    chosen = {"L": "1", "d": "1", "c_n": "1", "epsilon": "1", "n": "100", "C_norm": "1", "r": "1", "beta": "1"}
    rule = {"alpha": "largest_alpha", "lambda_": "lambda_choice"}
    wide, narrow = ({**chosen, "G_C": width, "delta": delta, **rule} for width, delta in (("2", "0.001"), ("0.01", "0.9")))
    yield scaled_mutant(claim, "output_noise_term", 11, 10, ("output_noise_term", "<=", "0.1"), wide)
    yield scaled_mutant(claim, "optimisation_term", 11, 10, ("optimisation_term", "<=", "0.1"), narrow)


def of_projection() -> Iterator[Mutant]:
    claim = find("lp/thm-2-projection-amended")
    less = scaled(claim, "width_bound", 99, 100)
    yield Mutant("0.99 of the bound", less, lambda: narrow_interval(less, "width_bound", 2))

    def no_delta(m: Numbers, c_H: Real, alpha: Real, lambda_: Real, G_C: Real, epsilon: Real) -> Real:
        return c_H * m.sqrt(alpha / lambda_) * G_C / epsilon

    def no_ridge(m: Numbers, alpha: Real, delta: Real, G_C: Real, epsilon: Real) -> Real:
        return m.sqrt(alpha * m.log(1 / delta)) * G_C / epsilon

    loose, bare = with_formula(claim, "width_bound", no_delta), with_formula(claim, "rate", no_ridge)
    yield Mutant("no ln(1/delta)", loose, lambda: narrow_interval(loose, "width_bound", 2))

    def soft(N: int) -> Mapping[str, object]:
        return {"alpha": 1, "delta": "0.5", "G_C": 1, "epsilon": 1, "c_H": 1, "lambda_": Fraction(1, N), "d": 1}

    yield Mutant("no ridge in the rate", bare, lambda: outgrown(bare, "rate", soft, formula_of(bare, "width_bound")))


def of_printed_empirical_risk() -> Iterator[Mutant]:
    claim = find("lp/lem-6")
    yield from carried_over(claim, find("lp/lem-6-amended"), of_empirical_risk(), "rate")

    def squared(m: Numbers, L: Real, G_C: Real, delta: Real, epsilon: Real, n: Real, lambda_: Real, C_norm: Real) -> Real:
        return L * G_C * m.sqrt(m.log(1 / delta)) / (epsilon * n**2) + lambda_ * C_norm**2

    falls = with_formula(claim, "rate", squared)

    def long(N: int) -> Mapping[str, object]:
        return {**BASE, "n": 10**6 * N, "lambda_": Fraction(1, 10**12 * N**2), "a": Fraction(11, 10**6 * N)}

    yield Mutant("n^2 for n", falls, lambda: outgrown(falls, "rate", long))
