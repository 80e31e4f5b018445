"""Mutants of the estimation error; falsity by numbers along a path, the distance reached shown by exact binomials."""

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from itertools import pairwise

from dpsco.arguments.formula import apply
from dpsco.mutant import Mutant, changed, scaled, with_formula
from dpsco.reference.numbers.mp import mp
from dpsco.spec.algorithms.objective_perturbation import estimation as spec
from dpsco.spec.claim import Claim
from dpsco.spec.numbers import Numbers, Real
from dpsco.spec.register import find

Path = Callable[[Real], Mapping[str, Real]]
STEPS = ("1e9", "1e13", "1e17")
MODEL = {
    "d": 1,
    "L": "0.5",
    "B_x": 1,
    "B": 1,
    "kappa_1": "0.5",
    "kappa_2": "0.3333333333",
    "K_bar": "0.5",
    "l_1": 1,
    "f": "0.5",
}
MODEL |= {"rho_1": 1, "epsilon": 1, "delta": "0.1", "gamma": "0.4", "lambda_": "1e-30", "r": "0.5"}


def chosen(claim: Claim, given: Mapping[str, Real]) -> dict[str, Real]:
    """The model's numbers, with sigma, lambda and h as the claim's formulas have them."""
    m = mp(40)
    v = {**{name: m.real(value) for name, value in MODEL.items()}, **given}
    for name, formula in (("sigma", "variance"), ("lambda_", "regularisation"), ("h", "bandwidth")):
        if formula in claim.formulas:
            found = apply(claim.formulas[formula], m, v)
            v[name] = m.sqrt(found) if name == "sigma" else found
    return v


def outgrown(claim: Claim, name: str, left: Callable[[Mapping[str, Real]], Real | None], path: Path) -> bool:
    """Whether left over the claim's formula doubles at least from each step of the path to the next."""
    m, ratios = mp(40), []
    for step in STEPS:
        v = chosen(claim, path(m.real(step)))
        reached = left(v)
        if reached is None:
            return False
        ratios.append(reached / apply(claim.formulas[name], m, v))
    return all(later > 2 * earlier for earlier, later in pairwise(ratios))


def error(claim: Claim) -> Callable[[Mapping[str, Real]], Real]:
    """The claim's own private part, as a number."""
    return lambda v: apply(claim.formulas["privacy_error"], mp(40), v)


def count_exceeds(n: Real, p: Real, least: Real) -> Real:
    """A lower bound of Pr[binomial(n, p) >= least]: its first terms, each an exact probability."""
    m = mp(40)
    k = m.ceil(least)
    log = m.lgamma(n + 1) - m.lgamma(k + 1) - m.lgamma(n - k + 1) + k * m.log(p) + (n - k) * m.log(1 - p)
    term = total = m.exp(log)
    for _ in range(200):
        term *= (n - k) / (k + 1) * p / (1 - p)
        total, k = total + term, k + 1
    return total


def low_quantile(v: Mapping[str, Real]) -> Real | None:
    """A distance that the sample leaves with probability above gamma, theta* = 0, window of no width; None if not shown."""
    m, g = mp(40), mp(40).log(1 / v["gamma"])
    eta = m.sqrt(g / v["n"]) / (16 * v["f"])
    held = count_exceeds(v["n"], m.real("0.5") - v["f"] * eta, v["n"] * (m.real("0.5") + 2 * v["lambda_"] * eta) + 1)
    return eta if held > v["gamma"] else None


def shrunk(v: Mapping[str, Real]) -> Real | None:
    """The same by the ridge, theta* = B: a binomial count is at least its mean, rounded down, with probability 1/2 or more."""
    m = mp(40)
    eta = v["lambda_"] * v["B"] / (v["f"] + 2 * v["lambda_"])
    mean = v["n"] * (m.real("0.5") - v["f"] * eta)
    return eta if m.floor(mean) > v["n"] * (m.real("0.5") - 2 * v["lambda_"] * (v["B"] - eta)) else None


def half_of(found: Callable[[Mapping[str, Real]], Real | None]) -> Callable[[Mapping[str, Real]], Real | None]:
    """The private minimiser is at least half as far in expectation."""

    def half(v: Mapping[str, Real]) -> Real | None:
        far = found(v)
        return None if far is None else far / 2

    return half


def rare(t: Real) -> Mapping[str, Real]:
    """gamma = exp(-sqrt(n)); a lambda that is free falls like 1/n^2."""
    m = mp(40)
    return {"n": t, "gamma": m.exp(-m.sqrt(t)), "epsilon": t, "lambda_": 1 / t**2}


def of_noise() -> Iterator[Mutant]:
    claim, m = find("quantile/lem-4.3-amended"), mp(40)

    def no_epsilon(
        m: Numbers, L: Real, B: Real, B_x: Real, kappa_1: Real, K_bar: Real, d: Real, delta: Real, n: Real, epsilon: Real
    ) -> Real:
        return L * B / (B_x * m.sqrt(kappa_1 * K_bar)) * m.sqrt(d * m.log(2 / delta) / (n * epsilon))

    def in_n(
        m: Numbers, L: Real, B: Real, B_x: Real, kappa_1: Real, K_bar: Real, d: Real, delta: Real, n: Real, epsilon: Real
    ) -> Real:
        return no_epsilon(m, L, B, B_x, kappa_1, K_bar, d, delta, n, epsilon) / m.sqrt(n) * m.sqrt(1 + epsilon)

    def no_kernel(m: Numbers, B: Real, L: Real, n: Real, d: Real, sigma: Real) -> Real:
        return m.sqrt(2 * L**2 / n + d * sigma**2 / n**2) / B

    moved = with_formula(claim, "privacy_rate", spec.privacy_rate)
    path: Path = lambda t: {"n": m.real(100), "delta": 1 - 1 / t}  # noqa: E731
    yield Mutant("ln(1/delta) again", moved, partial(outgrown, moved, "privacy_rate", error(moved), path))
    moved = with_formula(claim, "privacy_rate", no_epsilon)
    kernel: Path = lambda t: {"n": t, "epsilon": t, "K_bar": t}  # noqa: E731
    yield Mutant("without epsilon", moved, partial(outgrown, moved, "privacy_rate", error(moved), kernel))
    moved = with_formula(claim, "privacy_rate", in_n)
    yield Mutant("1/n for 1/sqrt(n)", moved, partial(outgrown, moved, "privacy_rate", error(moved), lambda t: {"n": t}))
    moved = scaled(claim, "privacy_error", 2, 5)
    yield Mutant("privacy_error times 2/5", moved, partial(below_half, moved))
    moved = with_formula(claim, "regularisation", no_kernel)

    def order_of_lemma(v: Mapping[str, Real]) -> Real:
        return apply(moved.formulas["regularisation_in_order"], m, v)

    larger = changed(claim, "regularisation_in_order", lambda m, value, v: value * v["n"])

    def large_order(v: Mapping[str, Real]) -> Real:
        return apply(larger.formulas["regularisation_in_order"], m, v)

    many: Path = lambda t: {"n": t}  # noqa: E731
    yield Mutant("n times the lemma's order", larger, partial(outgrown, larger, "regularisation", large_order, many))
    slow: Path = lambda t: {"n": t, "epsilon": 1 / m.sqrt(t)}  # noqa: E731
    yield Mutant("lambda without its kernel term", moved, partial(outgrown, moved, "regularisation", order_of_lemma, slow))


def below_half(claim: Claim) -> bool:
    """Whether the claimed private part is below the mean move of a linear loss, by quadrature over b."""
    m = mp(30)
    v = {"d": m.real(1), "sigma": m.real(2), "n": m.real(7), "lambda_": m.real("0.3")}
    move = 2 * m.mp.quad(lambda b: b / (14 * v["lambda_"]) * m.phi(b / 2) / 2, [0, 10, 60])  # type: ignore[attr-defined]
    return bool(apply(claim.formulas["privacy_error"], m, v) < move)


def of_sampling() -> Iterator[Mutant]:
    claim = find("quantile/lem-4.4-amended")

    def ridge(m: Numbers, rho_1: Real, f: Real, B: Real, lambda_: Real) -> Real:
        return B * lambda_ / (rho_1 * f)

    def fast(m: Numbers, rho_1: Real, f: Real, L: Real, d: Real, gamma: Real, n: Real, B: Real, lambda_: Real) -> Real:
        return (L * (d + m.log(1 / gamma)) / n + B * lambda_) / (rho_1 * f)

    def no_gamma(m: Numbers, rho_1: Real, f: Real, L: Real, d: Real, n: Real, B: Real, lambda_: Real) -> Real:
        return (L * m.sqrt(d / n) + B * lambda_) / (rho_1 * f)

    def sample(m: Numbers, rho_1: Real, f: Real, L: Real, d: Real, gamma: Real, n: Real) -> Real:
        return L * m.sqrt((d + m.log(1 / gamma)) / n) / (rho_1 * f)

    for says, formula in (("without the sample", ridge), ("without the root", fast), ("without ln(1/gamma)", no_gamma)):
        moved = with_formula(claim, "sampling_rate", formula)
        yield Mutant(says, moved, partial(outgrown, moved, "sampling_rate", low_quantile, rare))
    moved = with_formula(claim, "sampling_rate", sample)
    ridged: Path = lambda t: {"n": t, "lambda_": mp(40).real("1e-4")}  # noqa: E731
    yield Mutant("without B lambda", moved, partial(outgrown, moved, "sampling_rate", shrunk, ridged))


def of_everything() -> Iterator[Mutant]:
    claim, m = find("quantile/thm-4.5-amended"), mp(40)

    def public(m: Numbers, rho_1: Real, f: Real, d: Real, n: Real, gamma: Real) -> Real:
        return m.sqrt((d + m.log(1 / gamma)) / n) / (rho_1 * f)

    def by_n(m: Numbers, rho_1: Real, f: Real, d: Real, n: Real, delta: Real, epsilon: Real, gamma: Real) -> Real:
        private = m.sqrt(d * m.log(2 / delta)) / (n * epsilon)
        return m.max(m.sqrt((d + m.log(1 / gamma)) / n), private) / (rho_1 * f)

    def no_gamma(m: Numbers, rho_1: Real, f: Real, d: Real, n: Real, delta: Real, epsilon: Real) -> Real:
        return m.max(m.sqrt(d / n), m.sqrt(d * m.log(2 / delta) / (n * epsilon))) / (rho_1 * f)

    def bias_in_n(m: Numbers, rho_1: Real, f: Real, n: Real, epsilon: Real) -> Real:
        return 1 / (rho_1 * f * n**2 * epsilon)

    slow: Path = lambda t: {"n": t, "epsilon": 1 / m.sqrt(t)}  # noqa: E731
    ends: Path = lambda t: {"n": t, "epsilon": 1 / m.sqrt(t), "delta": 1 - 1 / t}  # noqa: E731
    for says, formula, left, path in (
        ("without privacy", public, shrunk, slow),
        ("n epsilon for its root", by_n, shrunk, slow),
        ("ln(1/delta) again", spec.rate_with_confidence, shrunk, ends),
        ("without ln(1/gamma)", no_gamma, low_quantile, rare),
    ):
        moved = with_formula(claim, "rate_with_confidence", formula)
        yield Mutant(says, moved, partial(outgrown, moved, "rate_with_confidence", half_of(left), path))
    moved = with_formula(claim, "smoothing_rate", bias_in_n)

    def bias(v: Mapping[str, Real]) -> Real:
        return apply(claim.formulas["bias"], m, v)

    yield Mutant("smoothing of order 1/n^2", moved, partial(outgrown, moved, "smoothing_rate", bias, lambda t: {"n": t}))

    def bias_of(claim: Claim, v: Mapping[str, Real]) -> Real:
        return apply(claim.formulas["bias"], m, {**v, "h": apply(claim.formulas["bandwidth"], m, v)})

    wide = changed(claim, "bandwidth", lambda m, value, v: value * v["n"] ** m.frac(1, 4))
    linear = changed(claim, "bias", lambda m, value, v: value / v["h"])
    for says, moved in (("n^(1/4) times the bandwidth", wide), ("h for h^2 in the bias", linear)):
        yield Mutant(says, moved, partial(outgrown, moved, "smoothing_rate", partial(bias_of, moved), lambda t: {"n": t}))
