"""Mutants of the steps of the privacy proof; their falsity is shown by values, quadrature and determinants, not by algebra."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from dpsco.mutant import Mutant, carried_over, scaled, with_formula
from dpsco.reference.numbers.mp import mp
from dpsco.spec.claim import Claim
from dpsco.spec.numbers import Numbers, Real, Truth
from dpsco.spec.predicate import Predicate
from dpsco.spec.register import find


def _at(claim: Claim, name: str, **values: str) -> Real:
    m = mp(50)
    return claim.formulas[name](m, **{key: m.real(value) for key, value in values.items()})


def differ(claim: Claim, left: str, right: str) -> bool:
    """Whether two scales differ at epsilon = 0.7, delta = 1e-3."""
    values = [_at(claim, name, epsilon="0.7", delta="1e-3", L="1.3") for name in (left, right)]
    return bool(abs(values[0] - values[1]) > mp(50).real("1e-30"))


def not_a_root(claim: Claim) -> bool:
    """Whether (epsilon sigma^2 - L^2)/(2 L sigma) misses sqrt(2 ln(1/delta)) at one instance."""
    m = mp(50)
    sigma = _at(claim, "sigma_needed", epsilon="0.7", delta="1e-3", L="1.3")
    e, L = m.real("0.7"), m.real("1.3")
    return bool(abs((e * sigma**2 - L**2) / (2 * L * sigma) - m.sqrt(2 * m.log(m.real(1000)))) > m.real("1e-30"))


def of_sigma() -> Iterator[Mutant]:
    claim = find("newsvendor/lem-EC.1-sigma")

    def doubled(m: Numbers, epsilon: Real, delta: Real, L: Real) -> Real:
        return L * 2 * m.sqrt(2 * m.log(1 / delta) + 2 * epsilon) / epsilon

    inside = with_formula(claim, "sigma_displayed_mended", doubled)
    yield Mutant("2 epsilon under the root", inside, lambda: differ(inside, "sigma_displayed_mended", "sigma_lemma"))

    def short(m: Numbers, epsilon: Real, delta: Real, L: Real) -> Real:
        return L * m.sqrt(8 * m.log(1 / delta)) / epsilon

    bare = with_formula(claim, "sigma_lemma", short)
    yield Mutant("4 epsilon dropped", bare, lambda: differ(bare, "sigma_displayed_mended", "sigma_lemma"))

    def half(m: Numbers, epsilon: Real, delta: Real, L: Real) -> Real:
        a = 2 * m.log(1 / delta)
        return L * (m.sqrt(a) + m.sqrt(a + epsilon / 2)) / epsilon

    other = with_formula(claim, "sigma_needed", half)
    yield Mutant("epsilon/2 in the root of the condition", other, lambda: not_a_root(other))


def product_quadrature(t: str, sigma: str) -> Real:
    """Pr[-b Delta(b) >= t] for the further record (1, 0), r = 1/2, uniform kernel, 2 n lambda = h = 1, by quadrature."""
    m = mp(30)
    level, scale = m.real(t), m.real(sigma)

    def counted(b: Real) -> Real:
        theta = -b
        slope = max(min((theta + 1) / 2, m.real(1)), m.real(0)) - m.frac(1, 2)
        return m.phi(b / scale) / scale if -b * slope >= level else m.real(0)

    edge = 2 * level
    inside = [-12 * scale, -edge - scale, -edge]
    return m.mp.quad(counted, inside) + m.mp.quad(counted, [-p for p in reversed(inside)])  # type: ignore[attr-defined]


def spills(moved: Claim) -> bool:
    """Probability of |b| L + L^2/2 > sigma^2 epsilon/2 by quadrature of the normal density, L = 1."""
    m = mp(40)
    sigma = _at(moved, "sigma_lemma", epsilon="0.1", delta="1e-6", L="1")
    start = (sigma**2 * m.real("0.1") - 1) / (2 * sigma)
    return bool(2 * m.mp.quad(m.phi, [start, start + 4, start + 20]) > m.real("1e-6"))  # type: ignore[attr-defined]


def of_tail() -> Iterator[Mutant]:
    claim = find("newsvendor/lem-EC.1-tail-amended")

    def too_small(moved: Claim) -> bool:
        printed = _at(moved, "product_tail", t="20", L="0.5", sigma="10")
        return bool(product_quadrature("20", "10") > printed * mp(30).real("1.001"))

    for numerator, denominator in ((1, 2), (9, 10)):
        less = scaled(claim, "product_tail", numerator, denominator)
        yield Mutant(f"tail times {numerator}/{denominator}", less, lambda less=less: too_small(less))  # type: ignore[misc]
    more = scaled(claim, "gaussian_tail", 2, 1)
    yield Mutant("four normal tails", more, lambda: bool(_at(more, "gaussian_tail", delta="0.999") > mp(50).real("0.999")))
    weak = scaled(claim, "sigma_lemma", 1, 2)
    yield Mutant("half of sigma", weak, lambda: spills(weak))


def of_determinants() -> Iterator[Mutant]:
    claim = find("newsvendor/lem-EC.1-det-amended")

    def below(name: str, moved: Claim, **values: Any) -> bool:
        """Against (2 n lambda + rho)/(2 n lambda) of no record, d = 1: n = 1, lambda = 1/2, rho = beta = 1."""
        return bool(_at(moved, name, **values) < (2 * mp(50).frac(1, 2) + 1))

    last, smooth = scaled(claim, "determinant_ratio_last", 2, 3), scaled(claim, "determinant_ratio_smooth", 2, 3)
    yield Mutant("2/3 of the bound", last, lambda: below("determinant_ratio_last", last, shift="1", n="1", lambda_="0.5"))
    yield Mutant(
        "2/3 of it with beta", smooth, lambda: below("determinant_ratio_smooth", smooth, beta="1", n="1", lambda_="0.5")
    )

    def quarter(m: Numbers, epsilon: Real) -> Real:
        return m.exp(epsilon / 4)

    tight = with_formula(claim, "determinant_budget", quarter)

    def over(moved: Claim, fraction: int) -> bool:
        """1 + beta/(2 n lambda) at lambda = beta/(fraction n epsilon), epsilon = 0.001, against the budget."""
        m = mp(50)
        epsilon = m.real("0.001")
        return bool(1 + fraction * epsilon / 2 > moved.formulas["determinant_budget"](m, epsilon=epsilon))

    yield Mutant("e^(epsilon/4)", tight, lambda: over(tight, 1))

    def enough(m: Numbers, epsilon: Real, n: Real, beta: Real, lambda_: Real) -> Truth:
        return m.ge(lambda_, beta / (4 * n * epsilon))

    kept = tuple(p for p in claim.preconditions if "lambda_" not in p.names)
    accepts, rejects = ({"epsilon": "1", "n": 100, "beta": "2", "lambda_": x} for x in ("0.03", "0.001"))
    weak = replace(claim, preconditions=(Predicate("lambda >= beta/(4 n epsilon)", enough, accepts, rejects), *kept))
    yield Mutant("a quarter of lambda", weak, lambda: over(weak, 4))


def of_printed_determinants() -> Iterator[Mutant]:
    claim, amended = find("newsvendor/lem-EC.1-det"), find("newsvendor/lem-EC.1-det-amended")
    yield from carried_over(claim, amended, of_determinants(), "determinant_ratio_smooth", "determinant_budget")
    tight = scaled(claim, "determinant_budget", 9, 10)

    def too_small() -> bool:
        """1 + beta/(2 n lambda) at n = 1, lambda = 2, beta = 1, which one record attains, against the budget."""
        m = mp(50)
        return bool(1 + m.frac(1, 4) > tight.formulas["determinant_budget"](m, epsilon=m.frac(1, 2)))

    yield Mutant("0.9 of the budget", tight, too_small)


def of_printed_tail() -> Iterator[Mutant]:
    claim = find("newsvendor/lem-EC.1-tail")
    yield from carried_over(claim, find("newsvendor/lem-EC.1-tail-amended"), of_tail(), "sigma_lemma")
    more = scaled(claim, "gaussian_tail", 3, 1)
    yield Mutant("three normal tails", more, lambda: bool(_at(more, "gaussian_tail", delta="0.999") > mp(50).real("0.999")))
    weak = scaled(claim, "sigma_lemma", 1, 3)
    yield Mutant("a third of sigma", weak, lambda: spills(weak))
