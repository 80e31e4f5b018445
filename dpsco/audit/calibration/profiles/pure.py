"""Mechanisms known by their privacy parameters alone: approximate, bounded range, shuffled local ones."""

from collections.abc import Mapping
from decimal import Decimal

from dpsco.audit.calibration.mechanism import Bounds, Values
from dpsco.reference.privacy import exponential as exponential_reference
from dpsco.reference.privacy.composition.pure import optimal, optimal_pure
from dpsco.spec.numbers import Numbers, Real

PLACES = ((1, 2), (3, 5), (7, 10), (4, 5), (9, 10))
"""Larger of the two losses over the range."""
MANY = 1_000


def composition(m: Numbers, epsilon: Real, values: Values) -> Bounds:
    """k-fold adaptive composition of (epsilon_0, delta_0)-DP mechanisms: the exact worst case."""
    steps = values["steps"]
    exact = optimal(m, epsilon, values["epsilon0"], values["delta0"], steps)
    if m.eq(values["delta0"], m.real(0)) is True:
        exact = optimal_pure(m, epsilon, values["epsilon0"], steps)
    return Bounds(exact, exact)


def composition_beside(m: Numbers, values: Values) -> dict[str, Real]:
    """The epsilons of two textbook theorems at the same delta: basic, and advanced where it leaves some delta over.

    Source   Dwork, Rothblum and Vadhan 2010, Theorem III.3: epsilon_0 sqrt(2 k ln(1/delta')) + k epsilon_0 (e^epsilon_0 - 1)
    """
    e, k, spent = values["epsilon0"], values["steps"], values["steps"] * values["delta0"]
    found = {"basic epsilon": k * e, "basic delta": spent}
    left = values["delta"] - spent
    if left > 0:
        found["advanced epsilon"] = e * m.sqrt(2 * k * m.log(1 / left)) + k * e * m.expm1(e)
    return found


def exponential(m: Numbers, epsilon: Real, values: Values) -> Bounds:
    """Losses in an interval of length `range`. One draw: the exact worst case. More: two proved upper bounds and some pairs.

    Upper: optimal composition of range-DP mechanisms, and range^2/8-zCDP (`ZCDP`). Lower: the same two outputs at every draw,
    with losses at the ends of an interval; one draw is a post-processing of all.
    """
    length, steps = values["range"], values["steps"]
    one = exponential_reference.profile(m, epsilon, length)
    if steps == 1:
        return Bounds(one, one)
    upper = m.min(optimal_pure(m, epsilon, length, steps), concentrated(m, epsilon, steps * length**2 / 8))
    places = PLACES if steps <= MANY else PLACES[:1]
    pairs = (two_outputs(m, epsilon, length, length * m.frac(*place), steps) for place in places)
    return Bounds(m.max(one, *pairs), upper)


def two_outputs(m: Numbers, epsilon: Real, length: Real, top: Real, k: int) -> Real:
    """Least delta of k draws from {a, b}, where a has the loss `top` and b the loss top - length.

    sum_j C(k, j) max(0, p^(k-j) (1-p)^j - e^epsilon q^(k-j) (1-q)^j), q = (e^(length - top) - 1)/(e^length - 1), p = e^top q

    Domain   epsilon >= 0, 0 < top < length, k >= 1
    Source   p/q = e^top, (1-p)/(1-q) = e^(top - length), solved for q
    """
    q = m.expm1(length - top) / m.expm1(length)
    p, total, choose = m.exp(top) * q, m.real(0), 1
    fewer, other = m.exp(top - length) * (1 - q), 1 - q
    for j in range(k + 1):
        if m.le(k * top - j * length, epsilon) is True:
            break  # this and all later terms are zero
        total += choose * m.max(m.real(0), p ** (k - j) * fewer**j - m.exp(epsilon) * q ** (k - j) * other**j)
        choose = choose * (k - j) // (j + 1)
    return total


ZCDP = (
    "Let psi(s) = ln E_Q (P/Q)^s, L = ln(P/Q) in an interval of length R. psi'' is the variance of L under a tilted law, at "
    "most R^2/4, and psi(0) = psi(1) = 0. So s(s-1) R^2/8 - psi(s) is convex and zero at 0 and 1, hence not negative for s > "
    "1: the mechanism is R^2/8-zCDP (Cesar and Rogers 2021, Lemma 3.4), and zCDP adds up under adaptive composition."
)
CONVERSION = (
    "E_P (1 - e^(epsilon - L))_+ <= E_P e^((a-1)(L - epsilon)) max over y > 0 of (1 - e^-y) e^(-(a-1) y), and the maximum, at "
    "e^-y = 1 - 1/a, is (1 - 1/a)^(a-1)/a. Right for every a > 1 (Canonne, Kamath and Steinke 2020, Proposition 7)."
)


def concentrated(m: Numbers, epsilon: Real, rho: Real) -> Real:
    """Upper bound on delta of a rho-zCDP mechanism: the arguments ZCDP and CONVERSION at an order that is about the best.

    e^{(a-1)(a rho - epsilon)} (1 - 1/a)^{a-1} / a

    Domain   epsilon >= 0, rho > 0
    """
    order = m.max((epsilon + rho) / (2 * rho), m.frac(11, 10)).mid()
    return m.exp((order - 1) * (order * rho - epsilon) + (order - 1) * m.log(1 - 1 / order)) / order


def exponential_beside(m: Numbers, values: Values) -> dict[str, Real]:
    return {"pure epsilon": values["steps"] * values["range"], "rho": values["steps"] * values["range"] ** 2 / 8}


def weighed(numbers: Mapping[str, Decimal], words: Mapping[str, str]) -> tuple[Decimal, str]:
    """Range of the loss of a draw with weights e^(factor score)."""
    one_sided = words["scores"] == "monotone"
    units = 1 if one_sided else 2
    says = f"{'' if one_sided else '2 '}factor sensitivity: weights exp(factor score), {words['scores']} scores"
    return units * numbers["factor"] * numbers["sensitivity"], says


def shuffle(m: Numbers, epsilon: Real, values: Values) -> Bounds:
    """n outputs of one epsilon_0-DP local randomiser, released in random order; one record replaced."""
    from dpsco.reference.privacy import shuffling

    n, local = values["n"], values["epsilon0"]
    return Bounds(shuffling.delta_lower(m, epsilon, local, n), shuffling.delta_upper(m, epsilon, local, n))
