"""Mutants of the links for regularised mirror descent, shown false by sums that are added up term by term at one instance."""

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise

from dpsco.arguments.formula import apply
from dpsco.mutant import Mutant, changed, scaled, with_formula
from dpsco.mutants.pointwise import scaled_mutant
from dpsco.reference.numbers.mp import mp
from dpsco.spec.algorithms.mirror_descent.regularised_steps import decay, growth
from dpsco.spec.claim import Claim
from dpsco.spec.numbers import Numbers, Real
from dpsco.spec.register import find


def at(claim: Claim, name: str, **values: str | int) -> Real:
    """The formula at an instance, 40 digits."""
    m = mp(40)
    return apply(claim.formulas[name], m, {key: m.real(value) for key, value in values.items()})


def added(alpha: str, beta: str, T: int, shrink: bool) -> Real:
    """Sum over t = 1, ..., T of r^t, or of (r a)^t, by multiplying on."""
    m = mp(40)
    step = 1 + m.real(alpha) / m.real(beta) / 2
    if shrink:
        step = step / m.exp(m.log(m.real(2)) * m.real(alpha) / m.real(beta) / 4)
    total, term = m.real(0), m.real(1)
    for _ in range(T):
        term = term * step
        total = total + term
    return total


def of_contraction() -> Iterator[Mutant]:
    claim = find("lp/thm-7-contraction")

    def faster(m: Numbers, alpha: Real, beta: Real, T: Real) -> Real:
        return m.real(2) ** (-m.frac(51, 100) * alpha * T / beta)

    moved = with_formula(claim, "right", faster)
    yield Mutant(
        "exponent 0.51 for 1/2", moved, lambda: bool(mp(40).real(2) ** -3 > at(moved, "right", alpha="4", beta="2", T=3))
    )
    free = replace(claim, preconditions=claim.preconditions[1:])
    yield Mutant("every alpha", free, lambda: bool(mp(40).real(3) ** -1 > at(free, "right", alpha="8", beta="2", T=1)))
    flat = replace(claim, preconditions=claim.preconditions[:1])
    yield Mutant("every Phi, as printed", flat, lambda: overshot(1)[0] > 10**6 * overshot(0)[0])
    quarter = scaled(claim, "one_step_factor", 1, 4)
    yield Mutant("a quarter of the factor", quarter, lambda: stays(quarter))

    def squared(m: Numbers, alpha: Real, beta: Real, a: Real, noise_norm: Real) -> Real:
        return noise_norm**2 / (alpha + beta - 1 / (2 * a)) ** 2

    little = with_formula(claim, "one_step_noise", squared)
    yield Mutant("noise |g|^2/(alpha + beta - 1/(2a))^2 in a step", little, lambda: shaken(little))
    ratio = with_formula(claim, "one_step_noise_rate", lambda m, beta, noise_norm: noise_norm**2 / beta**2)
    yield Mutant("noise of order |g|^2/beta^2", ratio, lambda: shaken(ratio, "one_step_noise_rate"))

    def other(m: Numbers, alpha: Real, beta: Real, a: Real) -> Real:
        return beta / (alpha + beta - 1 / a)

    late = with_formula(claim, "one_step_factor", other)
    yield Mutant(
        "1/a for 1/(2a)", late, lambda: bool(mp(40).real(1) > at(late, "one_step_factor_at_choice", alpha="1", beta="1"))
    )

    def slow(m: Numbers, alpha: Real, beta: Real, g_squared: Real) -> Real:
        return g_squared / (alpha * beta)

    rate = with_formula(claim, "accumulated_noise_rate", slow)
    yield Mutant("noise of one step for the sum", rate, lambda: leaves(rate))
    steps = changed(claim, "accumulated_noise", lambda m, value, v: value * v["beta"] / v["alpha"])
    yield Mutant("beta/alpha times the accumulated noise", steps, lambda: piles_up(steps))
    less = with_formula(claim, "accumulated_noise_rate", lambda m, alpha, g_squared: m.real(7) * g_squared / alpha**2)
    yield Mutant("rate times 7 (still true)", less, lambda: False)
    yield scaled_mutant(claim, "left", 21, 20, ("left", "<=", "right"), {"alpha": "2", "beta": "1", "T": "1"})
    asserted, once = ("one_step_factor", "<=", "one_step_factor_at_choice"), {"alpha": "1", "beta": "1", "T": "1", "a": "1"}
    yield scaled_mutant(claim, "one_step_factor_at_choice", 99, 100, asserted, once)


def moved_on(w: Fraction, g: Fraction, alpha: Fraction, beta: Fraction) -> Fraction:
    """One step on the line with Phi = w^2/2 and losses that vanish."""
    return (beta * w - g) / (alpha + beta)


def stays(claim: Claim) -> bool:
    """Whether a step without noise leaves more of the divergence than the factor says, alpha = 1, beta = 100."""
    left = moved_on(Fraction(1), Fraction(0), Fraction(1), Fraction(100)) ** 2
    m = mp(40)
    factor = apply(claim.formulas["one_step_factor"], m, {"alpha": m.real(1), "beta": m.real(100), "a": m.real(1)})
    return bool(m.real(left) > factor)


def shaken(claim: Claim, name: str = "one_step_noise") -> bool:
    """Whether what the noise adds beyond 1/(1 + y) times the divergence leaves the formula's multiples as alpha falls.

    |g| = 1; the start -1/alpha, which is nearly the worst, and its mirror image's divergence are taken in fractions.
    """
    m, found = mp(40), []
    for k in range(2, 12, 2):
        alpha, beta, w = Fraction(1, 10**k), Fraction(1), -Fraction(10**k) / 3
        factor = 2 * beta / (2 * beta + alpha)
        more = (moved_on(w, Fraction(1), alpha, beta) ** 2 - factor * w**2) / 2
        v = {"alpha": m.real(alpha), "beta": m.real(beta), "a": m.real(1 / alpha), "noise_norm": m.real(1)}
        found.append(m.real(more) / apply(claim.formulas[name], m, v))
    return all(b > 50 * a > 0 for a, b in pairwise(found))


def overshot(steps: int, K: int = 10**4) -> tuple[Fraction, Fraction]:
    """(D_Phi(w*_alpha, w_{steps + 1}), s) of the printed Phi = |w|_2^2 at p = 3/2, alpha = beta = L = 1, exact, without noise.

    On the diagonal, in s = <u, w>, with phi' = s - 1 cut to [-1, 1] and K = d^(1/3).
    """
    s = Fraction(0)
    for _ in range(steps):
        s = (s - K * max(Fraction(-1), min(Fraction(1), s - 1)) / 2) / 2
    return (s - 1 / (1 + Fraction(2, K))) ** 2 / K, s


def leaves(claim: Claim) -> bool:
    """Whether the noise, added up at T = 2 beta/alpha, leaves the rate's multiples: a quotient that doubles with beta/alpha."""
    m, found = mp(40), []
    for k in range(3, 9):
        steps = 2**k  # alpha = 2, beta = 2^k
        ratio = 1 / (1 + m.real(1) / steps)
        total = sum((ratio**j for j in range(steps)), m.real(0)) / (2 * m.real(steps))
        found.append(total / at(claim, "accumulated_noise_rate", alpha="2", beta=steps, g_squared="1", T=steps))
    return all(b > m.real("1.9") * a for a, b in pairwise(found))


def piles_up(claim: Claim) -> bool:
    """Whether the claim's accumulated noise over its rate grows eightfold with beta = T = 8^k, alpha = 1."""
    found = []
    for k in range(1, 5):
        given = {"alpha": "1", "beta": 8**k, "g_squared": "1", "T": 8**k}
        found.append(at(claim, "accumulated_noise", **given) / at(claim, "accumulated_noise_rate", **given))
    return all(b > 7 * a for a, b in pairwise(found))


def of_average() -> Iterator[Mutant]:
    claim = find("lp/thm-7-average")
    m = mp(40)
    half = scaled(claim, "start_closed", 1, 2)
    yield Mutant("half the closed form", half, lambda: _start_differs(half))
    third = scaled(claim, "start_bound", 2, 3)
    yield Mutant(
        "alpha D/3",
        third,
        lambda: bool(3 / (2 * added("1", "1", 2, shrink=False)) > at(third, "start_bound", alpha="1", divergence="1")),
    )
    flat = replace(claim, preconditions=tuple(p for p in claim.preconditions if "Phi" not in p.says))
    yield Mutant("every Phi, as printed", flat, lambda: averaged(10**8) > 1000 * averaged(10**4) > 0)
    early = replace(claim, preconditions=tuple(p for p in claim.preconditions if "T >=" not in p.says))
    yield Mutant("every T", early, lambda: bool(3 / (2 * added("1", "1", 1, shrink=False)) > m.frac(1, 2)))

    def no_power(m: Numbers, alpha: Real, beta: Real, T: Real) -> Real:
        r, a = growth(m, alpha=alpha, beta=beta), decay(m, alpha=alpha, beta=beta)
        return (r**T * a - 1) / (r**T - 1)

    scan = with_formula(claim, "last_factor", no_power)
    yield Mutant("a for a^T in the last factor, as scanned", scan, lambda: _last(scan))
    tight = scaled(claim, "decayed_bound", 3, 8)
    yield Mutant("3/2 for 4 in (16)", tight, lambda: _decays(tight))
    low = scaled(claim, "middle_factor_bound", 3, 4)
    yield Mutant("middle factor's bound times 3/4", low, lambda: _middle(low))
    few, many = ({"alpha": a, "beta": "1", "T": T, "divergence": "1"} for a, T in (("1", "5"), ("0.01", "200")))
    yield scaled_mutant(claim, "start_sum", 101, 100, ("start_sum", "=", "start_closed"), few)
    yield scaled_mutant(claim, "decayed_sum", 101, 100, ("decayed_sum", "=", "decayed_closed"), few)
    yield scaled_mutant(claim, "decayed_closed", 101, 100, ("decayed_sum", "=", "decayed_closed"), few)
    yield scaled_mutant(claim, "middle_factor", 4, 3, ("middle_factor", "<=", "middle_factor_bound"), many)
    yield scaled_mutant(claim, "last_factor_bound", 3, 4, ("last_factor", "<=", "last_factor_bound"), many)


def averaged(K: int) -> Fraction:
    """A lower bound on the excess of the average of two such steps, weights 3/2 and 9/4, over alpha D = 1/K at most."""
    s = sum(weight * overshot(t, K)[1] for t, weight in ((1, Fraction(3, 2)), (2, Fraction(9, 4)))) / Fraction(15, 4)
    return (abs(s - 1) - 2) * K


def _start_differs(claim: Claim) -> bool:
    m = mp(40)
    return bool(
        abs(at(claim, "start_closed", alpha="1", beta="1", T=2, divergence="1") - 3 / (2 * added("1", "1", 2, False)))
        > m.real("1e-9")
    )


def _last(claim: Claim) -> bool:
    return at(claim, "last_factor", alpha="1", beta="1", T=9) > at(claim, "last_factor_bound", alpha="1", beta="1", T=9)


def _decays(claim: Claim) -> bool:
    """Sums at the end of the range, alpha = beta, T = 200."""
    quotient = added("1", "1", 200, True) / added("1", "1", 200, False)
    return bool(quotient > at(claim, "decayed_bound", alpha="1", beta="1", T=200))


def _middle(claim: Claim) -> bool:
    """The middle factor as a quotient of finite sums: (sum of (r a)^t over that of r^t) over its two other factors."""
    alpha, beta, T = "1", "1000", 3
    m = mp(40)
    a = m.exp(-m.log(m.real(2)) * m.real(alpha) / m.real(beta) / 4)
    r = 1 + m.real(alpha) / m.real(beta) / 2
    last = ((r * a) ** T - 1) / (r**T - 1)
    middle = added(alpha, beta, T, True) / added(alpha, beta, T, False) / a / last
    return bool(middle > at(claim, "middle_factor_bound", alpha=alpha, beta=beta))
