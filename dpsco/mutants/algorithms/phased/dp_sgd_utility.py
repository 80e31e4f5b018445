"""Mutants of what phased DP-SGD reaches; falsity by descents in fractions, by summing the phases' drift, by quadrature.

A rate is false where a value that is reached leaves it by tens along a path inside the claim's conditions.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from functools import partial
from itertools import pairwise

from dpsco.arguments.formula import apply
from dpsco.mutant import Mutant, changed, scaled, with_formula
from dpsco.reference.numbers.mp import mp
from dpsco.spec.algorithms.phased import dp_sgd_utility as spec
from dpsco.spec.algorithms.phased.dp_sgd import eta_theorem_13, phase_sigma, phase_step
from dpsco.spec.claim import Claim
from dpsco.spec.domain import Interval, Parameter
from dpsco.spec.numbers import Numbers, Real
from dpsco.spec.register import find


def gap(up: Fraction, down: Fraction, start: Fraction, eta: Fraction, T: int) -> Fraction:
    """The loss max(up w, -down w) at the average of T + 1 iterates of gradient descent from `start`, in fractions."""
    w = total = start
    for _ in range(T):
        w -= eta * (up if w > 0 else -down)
        total += w
    average = total / (T + 1)
    return max(up * average, -down * average)


def tens(ratios: list[Real]) -> bool:
    """Whether each value is at least ten times the one before."""
    return all(b >= 10 * a > 0 for a, b in pairwise(ratios))


def descends_worse(claim: Claim, runs: list[tuple[Fraction, Fraction, int]]) -> bool:
    """Whether the gap over the rate grows by tens over the runs (slope below 0, start, T), with L = eta = 1."""
    m, ratios = mp(40), []
    for down, start, T in runs:
        true = gap(Fraction(1), down, start, Fraction(1), T)
        v = {"distance": m.real(start), "eta": m.real(1), "T": m.real(T), "L": m.real(1)}
        ratios.append(m.real(true) / apply(claim.formulas["rate"], m, v))
    return tens(ratios)


ZIGZAG = [(Fraction(1, 2), Fraction(1, 4 * 10**j), 5) for j in (0, 1, 2, 3)]
LONG = [(Fraction(1, 2), Fraction(1, 10**9), T) for T in (5, 59, 599, 5999)]
STRAIGHT = [(Fraction(0), Fraction(T), T) for T in (10, 100, 1000, 10000)]


def of_descent() -> Iterator[Mutant]:
    claim = find("lp/lem-15")

    def form(says: str, rate: Callable[..., Real], runs: list[tuple[Fraction, Fraction, int]]) -> Mutant:
        moved = with_formula(claim, "rate", rate)
        return Mutant(says, moved, partial(descends_worse, moved, runs))

    def distance_only(m: Numbers, distance: Real, eta: Real, T: Real) -> Real:
        return distance**2 / (eta * T)

    def faster(m: Numbers, distance: Real, eta: Real, T: Real, L: Real) -> Real:
        return distance**2 / (eta * T) + eta * L**2 / T

    def squared(m: Numbers, distance: Real, eta: Real, T: Real, L: Real) -> Real:
        return distance**2 / (eta * T**2) + eta * L**2

    def linear(m: Numbers, distance: Real, eta: Real, T: Real, L: Real) -> Real:
        return distance / (eta * T) + eta * L**2

    yield form("eta L^2 dropped", distance_only, ZIGZAG)
    yield form("eta L^2 / T", faster, LONG)
    yield form("T^2 for T", squared, STRAIGHT)
    yield form("|w_0 - w| for its square", linear, STRAIGHT)
    yield Mutant("half of the rate (still true)", scaled(claim, "rate", 1, 2), lambda: False)


def drift(m: Numbers, n: int, step: Real) -> Real:
    """How far k phases carry the mean at most: in phase i the average of 0, ..., n_i steps of 4^{-i} `step`."""
    return sum(((n >> i) * step / 4**i / 2 for i in range(1, n.bit_length())), start=m.real(0))


def falls_short(claim: Claim, at: Callable[[int], Mapping[str, int]], p: int = 2) -> bool:
    """Whether a risk that the mean's drift leaves, over the rate, grows by tens along n = 2^(40 j), ..., L = 1.

    The loss is Huber's function of slope s and width W/4 of the distance to W in one coordinate: at least s (W - w) - s W/8.
    """
    m, ratios = mp(60), []
    for j in (2, 4, 6, 8):
        v = {name: m.real(2) ** exponent for name, exponent in at(j).items()}
        v = {"L": m.real(1), "epsilon": m.real(1), "nats": m.real(1), "d": m.real(1), "W": m.real(1), "p": m.real(p), **v}
        v |= {"delta": m.exp(-v["nats"]), "optimum_norm": v["W"], "optimum_p_norm": v["W"]}
        eta = apply(claim.formulas["eta"], m, v)
        slope = m.min(v["L"], v["W"] / (eta * v["n"]))
        risk = slope * (v["W"] * m.frac(7, 8) - drift(m, 2 ** at(j)["n"], eta * slope))
        inside = v["epsilon"] <= 2 * v["nats"] and 4 * eta * slope <= v["W"]
        if not inside:
            raise ValueError(f"j={j}: the instance must meet the claim's conditions")
        ratios.append(risk / apply(claim.formulas["rate"], m, v))
    return tens(ratios)


def stays_noisy(claim: Claim) -> bool:
    """n = 2, d = 1: the mean loss of the noise by quadrature, over the rate as theta* shrinks; p = 3 where p is asked for."""
    m, ratios = mp(30), []
    v = {"L": 1, "n": 2, "d": 1, "epsilon": 1, "i": 1, "p": 3}
    at = {**{name: m.real(value) for name, value in v.items()}, "delta": m.real("0.001")}
    eta = apply(claim.formulas["eta"], m, at)
    sigma = apply(phase_sigma, m, {**at, "eta": eta})

    def loss(z: Real) -> Real:
        x = abs(sigma * z)
        return (x**2 / (2 * eta) if x <= eta else x - eta / 2) * m.phi(z)

    true = 2 * (m.integral(loss, m.real(0), eta / sigma) + m.integral(loss, eta / sigma, m.real(20)))
    for j in range(1, 5):
        short = m.real(10) ** -j
        ratios.append(true / apply(claim.formulas["rate"], m, {**at, "optimum_norm": short, "optimum_p_norm": short}))
    return tens(ratios)


def terms_leave(claim: Claim) -> bool:
    """Whether the three terms together over the rate grow by tens along n = 2^(10 j), the other numbers fixed."""
    m, ratios = mp(60), []
    for j in (2, 4, 6, 8):
        n = 2 ** (10 * j)
        v = {name: m.real(value) for name, value in {"L": 1, "n": n, "d": 1, "epsilon": 1, "optimum_norm": 1}.items()}
        v |= {"delta": m.real("0.001"), "k": m.real(10 * j), "i": m.real(1)}
        v["eta"] = apply(claim.formulas["eta"], m, v)
        terms = [apply(claim.formulas[name], m, v) for name in ("last_noise_term", "first_phase_term", "later_phases_term")]
        ratios.append(sum(terms, start=m.real(0)) / apply(claim.formulas["rate"], m, v))
    return tens(ratios)


def is_longer(claim: Claim) -> bool:
    """Whether L E|zeta_k| over term A grows by tens with d, by the mean of a chi variable; n = 2."""
    m, ratios = mp(40), []
    for d in (10**2, 10**4, 10**6, 10**8):
        v = {name: m.real(value) for name, value in {"L": 1, "n": 2, "d": d, "epsilon": 1, "i": 1, "k": 1}.items()}
        v["delta"] = m.real("0.001")
        v["eta"] = apply(claim.formulas["eta"], m, v)
        mean = apply(phase_sigma, m, v) * m.sqrt(m.real(2)) * m.exp(m.lgamma((v["d"] + 1) / 2) - m.lgamma(v["d"] / 2))
        ratios.append(v["L"] * mean / apply(claim.formulas["last_noise_term"], m, v))
    return all(b > 9 * a for a, b in pairwise(ratios))


def of_risk() -> Iterator[Mutant]:
    claim = find("lp/lem-14-risk-amended")

    def form(
        says: str, per_record: Callable[[Numbers, Real, Real, Real, Real], Real], at: Callable[[int], dict[str, int]]
    ) -> Mutant:
        def rate(m: Numbers, L: Real, optimum_norm: Real, n: Real, d: Real, epsilon: Real, delta: Real) -> Real:
            return L * m.max(m.real(1), optimum_norm**2) * per_record(m, n, d, epsilon, m.log(1 / delta))

        moved = with_formula(claim, "rate", rate)
        return Mutant(says, moved, partial(falls_short, moved, at))

    yield form(
        "n^(-0.6) for 1/sqrt(n)",
        lambda m, n, d, epsilon, nats: n ** m.frac(-3, 5) + m.sqrt(d * nats) / (epsilon * n),
        lambda j: {"n": 40 * j},
    )
    yield form(
        "without the term of privacy", lambda m, n, d, epsilon, nats: 1 / m.sqrt(n), lambda j: {"n": 40 * j, "d": 60 * j}
    )
    yield form(
        "d^0.4 for sqrt(d)",
        lambda m, n, d, epsilon, nats: 1 / m.sqrt(n) + d ** m.frac(2, 5) * m.sqrt(nats) / (epsilon * n),
        lambda j: {"n": 40 * j, "d": 60 * j},
    )

    def first_power(m: Numbers, L: Real, optimum_norm: Real, n: Real, d: Real, epsilon: Real, delta: Real) -> Real:
        return L * m.max(m.real(1), optimum_norm) * spec.per_record(m, n=n, d=d, epsilon=epsilon, delta=delta)

    linear = with_formula(claim, "rate", first_power)
    yield Mutant("|theta*| for its square", linear, partial(falls_short, linear, lambda j: {"n": 40 * j, "W": 10 * j}))
    bare = with_formula(claim, "rate", spec.risk_rate)
    yield Mutant("no maximum with 1, as printed", bare, partial(stays_noisy, bare))

    def flat(m: Numbers, L: Real, eta: Real, k: Real, epsilon: Real, delta: Real) -> Real:
        return L**2 * m.sqrt(m.log(1 / delta)) * phase_step(m, eta=eta, i=k) / epsilon

    tiny = changed(claim, "eta", lambda m, value, v: value / v["n"])
    yield Mutant("1/n of the step length", tiny, partial(falls_short, tiny, lambda j: {"n": 40 * j}))
    proof = changed(claim, "eta_proof", lambda m, value, v: value / v["n"])
    run = with_formula(claim, "eta", proof.formulas["eta_proof"])
    yield Mutant("1/n of the proof's step length", proof, partial(falls_short, run, lambda j: {"n": 40 * j}))
    for name in ("first_phase_term", "later_phases_term"):
        more = changed(claim, name, lambda m, value, v: value * v["n"])
        yield Mutant(f"n times the {name}", more, partial(terms_leave, more))
    short = with_formula(claim, "last_noise_term", flat)
    yield Mutant("term A without sqrt(d)", short, partial(is_longer, short))
    yield Mutant("twice the rate (still true)", scaled(claim, "rate", 2, 1), lambda: False)


def of_normed() -> Iterator[Mutant]:
    claim = find("lp/thm-8-amended")
    outside = with_formula(claim, "eta", eta_theorem_13)
    yield Mutant(
        "ln(1/delta) outside the root of eta, as printed",
        outside,
        partial(falls_short, outside, lambda j: {"n": 40 * j, "nats": 40 * j - 2}),
    )
    bare = with_formula(claim, "rate", spec.normed_rate)
    yield Mutant("no maximum with 1, as printed", bare, partial(stays_noisy, bare))

    def less(m: Numbers, L: Real, d: Real, p: Real, optimum_p_norm: Real, n: Real, epsilon: Real, delta: Real) -> Real:
        return (
            L
            * m.max(m.real(1), d ** (1 - 3 / p) * optimum_p_norm**2)
            * spec.per_record(m, n=n, d=d, epsilon=epsilon, delta=delta)
        )

    lower = with_formula(claim, "rate", less)
    at: Callable[[int], dict[str, int]] = lambda j: {"n": 40 * j, "d": 40 * j, "W": 10 * j}  # noqa: E731
    yield Mutant("d^(1 - 3/p)", lower, partial(falls_short, lower, at))
    wide = replace(claim, parameters=tuple(_from_one(parameter) for parameter in claim.parameters))
    bound = claim.formulas["euclidean_norm_bound"]
    near = scaled(claim, "euclidean_norm_bound", 9, 10)
    yield Mutant("0.9 of the norm's bound", near, partial(ones_are_longer, near))
    yield Mutant(
        "every p > 1",
        wide,
        lambda: bool(bound(mp(40), d=mp(40).real(2), p=mp(40).real("1.5"), optimum_p_norm=mp(40).real(1)) < 1),
    )
    yield Mutant("twice the rate (still true)", scaled(claim, "rate", 2, 1), lambda: False)


def ones_are_longer(claim: Claim) -> bool:
    """Whether (1, ..., 1) in d = 16 has a Euclidean norm, 4, above its bound at p = 3."""
    m = mp(40)
    v = {"d": m.real(16), "p": m.real(3), "optimum_p_norm": m.exp(m.log(m.real(16)) / 3)}
    return bool(apply(claim.formulas["euclidean_norm_bound"], m, v) < 4)


def _from_one(parameter: Parameter) -> Parameter:
    """The range of p as far as it is legible."""
    return parameter.within(Interval("1", "inf", high_open=False)) if parameter.name == "p" else parameter
