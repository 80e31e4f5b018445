"""Mutants of the supplier's loss; falsity by quadrature of profits, exact binomial sums and a solved gradient."""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from itertools import pairwise
from math import log, sqrt

from dpsco.arguments.formula import apply
from dpsco.mutant import Mutant, scaled, with_formula
from dpsco.reference.numbers.mp import mp
from dpsco.spec.claim import Claim, Relation
from dpsco.spec.numbers import Numbers, Real
from dpsco.spec.register import find

COUNT = 4000
"""Records of the exact binomial: its fluctuations are within 0.01 of normal."""


def profits(q: Real) -> tuple[Real, Real]:
    """Newsvendor's and supplier's profit at order q, p = 2, w = 1, cost 1/2, demand N(3, 1), by quadrature."""
    m = mp(30)
    sold = m.mp.quad(lambda y: min(y, q) * m.phi(y - 3), [-12, q, 18])  # type: ignore[attr-defined]
    return 2 * sold - q, q / 2


def off_profits(claim: Claim) -> bool:
    """Whether the claimed share misses the quotient of profits by more than P^(3/2)."""
    m, q = mp(30), mp(30).real("2.9999")
    own, other = profits(q)
    v = {"price": 2, "wholesale": 1, "cost": "0.5", "order": 3, "z": 0}
    values = {**{name: m.real(value) for name, value in v.items()}, "order_private": q, "least_cost": 2 * m.phi(m.real(0))}
    claimed = apply(claim.formulas["share_newsvendor"], m, values)
    return bool(m.abs(own / (own + other) - claimed) > m.real("0.00005") ** m.real("1.5"))


def off_revenue(claim: Claim, name: str) -> bool:
    """Whether the claimed revenue of an order of 3, sold out, p = 2, w = 1, cost 1/2, is not the margins added up."""
    m = mp(30)
    v = {key: m.real(value) for key, value in {"price": 2, "wholesale": 1, "cost": "0.5", "order": 3}.items()}
    earned = sum((m.real(2) - m.real(1 if name == "revenue_newsvendor" else "0.5") for _ in range(3)), start=m.real(0))
    return bool(m.abs(apply(claim.formulas[name], m, v) - earned) > m.real("1e-20"))


def off_derivative(claim: Claim) -> bool:
    """Whether the claimed f'(0)/f(0) differs from a difference quotient of the density of N(-z, 1), z = 1."""
    m, e = mp(40), mp(40).real("1e-12")
    quotient = (m.phi(e + 1) - m.phi(1 - e)) / (2 * e * m.phi(m.real(1)))
    return bool(m.abs(apply(claim.formulas["slope_over_density"], m, {"z": m.real(1)}) - quotient) > m.real("1e-9"))


def chance_below(shift: Real) -> Real:
    """Pr[binomial(n, 1/2) > n/2 - shift sqrt(n)] exactly, ties halved: the minimiser is then below q*, p = 2w, x = 1."""
    m = mp(30)
    least = m.real(COUNT) / 2 - shift * m.sqrt(m.real(COUNT))
    term, total = m.exp(-COUNT * m.log(m.real(2))), m.real(0)
    for k in range(COUNT + 1):
        total += term if k > least else term / 2 if k == least else 0
        term = term * (COUNT - k) / (k + 1)
    return total


def off_binomial(claim: Claim) -> bool:
    """Whether the claimed limit is 0.02 off the exact probability with n records, sqrt(n) lambda = 1/10, theta* = 1."""
    m = mp(30)
    density = m.phi(m.real(0))
    v = {"price": m.real(2), "wholesale": m.real(1), "z": m.real(0), "ridge_limit": m.real("0.1"), "leverage": m.real(1)}
    claimed = apply(claim.formulas["limit_probability"], m, {**v, "u_x": 1 / density})
    return bool(m.abs(claimed - chance_below(m.real("0.2"))) > m.real("0.02"))


def ridge_slope(ridge: Real, theta: Real) -> Real:
    """Slope of the regularised population risk, theta* = 1, p = 2w."""
    m = mp(30)
    return m.Phi(theta - 1) - m.frac(1, 2) + 2 * ridge * theta


def outgrown(claim: Claim) -> bool:
    """Whether the population's own remainder leaves lambda and the rate behind, lambda = n^(-1/8), h = 1/n, sigma = 1."""
    m, ratios = mp(30), []
    for n in (m.real(10) ** 8, m.real(10) ** 16, m.real(10) ** 24):
        ridge = n ** (-m.frac(1, 8))
        slope = partial(ridge_slope, ridge)
        theta = m.mp.findroot(slope, 1 - 4 * ridge)  # type: ignore[attr-defined]
        order = {"wholesale": m.real(3), "cost": m.real(2), "order": m.real(1), "order_private": theta}
        lost = apply(claim.formulas["revenue_loss_supplier"], m, order)
        left = m.abs(lost - loss(claim, ridge, 1 / n, 1 / m.phi(m.real(0)), m.real(0)))
        v = {"n": n, "sigma": m.real(1), "lambda_": ridge, "h": 1 / n}
        ratios.append(left / (ridge + apply(claim.formulas["order_rate"], m, v)))
    return min(ratios) > 0.05


def outgrown_by_smoothing(claim: Claim) -> bool:
    """The same for h^2 at h = n^(-1/16), lambda = 1/n^2: the normal kernel adds h^2 to the error's variance, z = 1."""
    m, ratios = mp(40), []
    for n in (m.real(10) ** 8, m.real(10) ** 16, m.real(10) ** 24):
        h = n ** (-m.frac(1, 16))
        moved = m.sqrt(1 + h**2) - 1  # Phi((delta + 1)/sqrt(1 + h^2)) = Phi(1)
        v = {"n": n, "sigma": m.real(1), "lambda_": 1 / n**2, "h": h}
        left = m.abs(moved + loss(claim, 1 / n**2, h, m.real(0), m.real(-1)))
        ratios.append(left / (h**2 + apply(claim.formulas["order_rate"], m, v)))
    return min(ratios) > 0.05


def fluctuates_more(claim: Claim) -> bool:
    """Whether the mean distance of a binomial(n, 1/2) from n/2, over n f(0), leaves the claimed rate behind; sigma = 1."""
    m, ratios = mp(30), []
    for n in (10**4, 10**8, 10**12):
        spread = m.exp(m.mp.loggamma(n + 1) - 2 * m.mp.loggamma(n // 2 + 1) - n * m.log(m.real(2))) / 2  # type: ignore[attr-defined]
        rate = apply(claim.formulas["order_rate"], m, {"n": m.real(n), "sigma": m.real(1)})
        ratios.append(spread / m.phi(m.real(0)) / rate)  # E|K - n/2| = (n/2) binomial(n, n/2)/2^n
    return all(later > 2 * earlier for earlier, later in pairwise(ratios))


def bandwidth_outgrows() -> bool:
    """h against lambda for the chosen values at epsilon = n^(-1/4), B = B_x = K_bar = 1, r_bar = 1/2, delta = 1/10, d = 1."""
    ratios = []
    for power in (8, 12, 16):
        n, epsilon = 10.0**power, 10.0 ** (-power / 4)
        noise = (8 * log(10) + 4 * epsilon) / epsilon**2 / 4
        ridge = sqrt(0.5 / n + noise / n**2)
        ratios.append(1 / (ridge * n * epsilon) / ridge)
    return all(later > 5 * earlier for earlier, later in pairwise(ratios))


def loss(claim: Claim, ridge: Real, h: Real, u_x: Real, v_x: Real) -> Real:
    """The claim's expansion of the supplier's loss for w - c = 1, the normal kernel."""
    m = mp(40)
    v = {"wholesale": m.real(3), "cost": m.real(2), "lambda_": ridge, "h": h, "kappa_2": m.real(1), "u_x": u_x, "v_x": v_x}
    return apply(claim.formulas["revenue_loss_expansion"], m, v)


def of_amended() -> Iterator[Mutant]:
    claim = find("newsvendor/prop-EC.2-amended")

    def turned(
        m: Numbers, price: Real, wholesale: Real, cost: Real, order: Real, order_private: Real, least_cost: Real, z: Real
    ) -> Real:
        own = (price - wholesale) * (order - z) - least_cost
        return own / (own + (wholesale - cost) * (2 * order - order_private))

    def positive(m: Numbers, z: Real) -> Real:
        return z

    def one_lambda(m: Numbers, price: Real, wholesale: Real, z: Real, ridge_limit: Real, u_x: Real, leverage: Real) -> Real:
        r = (price - wholesale) / price
        return m.Phi(ridge_limit * u_x * m.phi(z) / m.sqrt(r * (1 - r) * leverage))

    def no_smoothing(m: Numbers, wholesale: Real, cost: Real, lambda_: Real, u_x: Real) -> Real:
        return (wholesale - cost) * 2 * lambda_ * u_x

    def one_ridge(m: Numbers, wholesale: Real, cost: Real, lambda_: Real, h: Real, kappa_2: Real, u_x: Real, v_x: Real) -> Real:
        return (wholesale - cost) * (lambda_ * u_x + h**2 * kappa_2 * v_x / 2)

    def fast(m: Numbers, n: Real, sigma: Real) -> Real:
        return (1 + sigma) / n

    def certain(m: Numbers) -> Real:
        return m.real(1)

    moved = with_formula(claim, "share_newsvendor", turned)
    yield Mutant("P with the other sign in the share", moved, partial(off_profits, moved))
    for name in ("revenue_newsvendor", "revenue_chain"):
        moved = scaled(claim, name, 2, 1)
        yield Mutant(f"twice the {name}", moved, partial(off_revenue, moved, name))
    moved = with_formula(claim, "slope_over_density", positive)
    yield Mutant("z for -z", moved, partial(off_derivative, moved))
    for says, formula in (("lambda for 2 lambda in the limit", one_lambda), ("probability 1 again", certain)):
        moved = with_formula(claim, "limit_probability", formula)
        yield Mutant(says, moved, partial(off_binomial, moved))
    moved = with_formula(claim, "revenue_loss_expansion", one_ridge)
    yield Mutant("lambda for 2 lambda in the expansion", moved, partial(outgrown, moved))
    moved = scaled(claim, "revenue_loss_supplier", 2, 1)
    yield Mutant("twice the supplier's loss", moved, partial(outgrown, moved))
    moved = with_formula(claim, "revenue_loss_expansion", no_smoothing)
    yield Mutant("the expansion without h^2", moved, partial(outgrown_by_smoothing, moved))
    moved = with_formula(claim, "order_rate", fast)
    yield Mutant("1/n for 1/sqrt(n)", moved, partial(fluctuates_more, moved))
    order = Relation("lambda_", ">=Omega", "h")
    moved = replace(claim, asserts=tuple(order if r.left == "lambda_" else r for r in claim.asserts))
    yield Mutant("h for h^2", moved, bandwidth_outgrows)
