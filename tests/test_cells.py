"""Formulas on cells: signs by coefficients are right wherever they are claimed, cells cover the parameters, doubt is said."""

from dataclasses import replace
from fractions import Fraction

import pytest
import sympy
from hypothesis import given
from hypothesis import strategies as st

from dpsco.arguments.cells import JOINTS, LEVELS, C, H, P, S, UndecidedError, along, cells, residuals, sign, towards, weakest
from dpsco.arguments.losses.envelope_cells import order_on_cells, shape
from dpsco.spec.domain import closed_unit
from dpsco.spec.losses.moreau import envelope as spec
from dpsco.spec.numbers import Numbers, Real
from dpsco.spec.register import find

positive = st.fractions(Fraction(1, 1000), 1000)
coefficients = st.lists(st.integers(-3, 3), min_size=6, max_size=6)


@given(coefficients, coefficients, positive, positive, st.fractions(0, 100))
def test_a_sign_that_is_claimed_holds_at_every_point(top: list[int], bottom: list[int], h: Fraction, p: Fraction, c: Fraction):
    terms = (sympy.Integer(1), H, P, H * P, C, C * H)
    numerator, denominator = (sum(k * t for k, t in zip(of, terms, strict=True)) for of in (top, bottom))
    if denominator == 0 or (found := sign(numerator / denominator)) is None:
        return
    at = {H: sympy.Rational(h), P: sympy.Rational(p), C: sympy.Rational(c)}
    value = (numerator / denominator).subs(at)
    assert {"=": value == 0, ">": value > 0, ">=": value >= 0, "<": value < 0, "<=": value <= 0}[found]


def test_doubt_is_no_sign():
    assert sign(H - P) is None
    assert sign(H**2 - 2 * H * P + P**2) is None, "a square is not seen: only signs of coefficients are"
    assert sign(1 / (H - P)) is None
    with pytest.raises(UndecidedError, match="not decided"):
        cells().le(H, P)
    with pytest.raises(UndecidedError):
        cells().lt(C, sympy.Integer(0) * C + C * 2)  # equal at c = 0: neither yes nor no


@given(st.fractions(Fraction(1, 10**6), 1 - Fraction(1, 10**6)), st.fractions(-50, 50), positive)
def test_every_level_and_residual_lies_in_a_cell(r: Fraction, u: Fraction, h: Fraction):
    c = (2 * r - 1) / (1 - r) if 2 * r >= 1 else (1 - 2 * r) / r
    level = LEVELS[0 if 2 * r >= 1 else 1]
    assert c >= 0
    assert level.subs(C, sympy.Rational(c)) == sympy.Rational(r)
    found = 0
    for name, place in residuals(sympy.Rational(r)).items():
        equation = place.subs(H, sympy.Rational(h)) - sympy.Rational(u)
        free = equation.free_symbols
        found += bool(sympy.solve(equation, *free)) if free else equation == 0
        assert not free or free <= {S, P}, name
    assert found == 1


@pytest.mark.parametrize(("found", "left"), [((">", "="), ">="), ((">", "<"), None), ((">", None), None), (("=",), "=")])
def test_weakest(found: tuple[str | None, ...], left: str | None):
    assert weakest(found) == left


def test_slopes_and_limits():
    for r in LEVELS:
        places = residuals(r)
        for joint, beside in JOINTS.items():
            for cell in beside:
                assert sympy.simplify(towards(places[cell], cell, joint) - places[joint]) == 0
                assert sympy.simplify(along(places[cell] ** 2, places[cell]) - 2 * places[cell]) == 0
    with pytest.raises(ValueError, match="one symbol"):
        along(H, H)


def test_a_jump_and_a_kink_are_seen():
    claim = find("newsvendor/lem-EC.4")

    def jumping(m: Numbers, u: Real, r: Real, h: Real) -> Real:
        return m.where(m.ge(u, r * h), spec.envelope(m, u, r, h) + h, spec.envelope(m, u, r, h))

    def kinked(m: Numbers, u: Real, r: Real, h: Real) -> Real:
        return spec.check_loss(m, u, r) + 0 * h

    smooth, jump, kink = (shape(f, claim) for f in (spec.envelope, jumping, kinked))
    assert None not in (smooth, jump, kink)
    assert (smooth.convex, jump.smooth, kink.smooth) == (True, False, False)


def test_a_wider_domain_is_not_certified():
    claim = find("newsvendor/lem-EC.4")
    wider = replace(claim, parameters=tuple(p.within(closed_unit) if p.name == "r" else p for p in claim.parameters))
    assert order_on_cells(spec.gap_lower, spec.gap, claim) == "<="
    assert order_on_cells(spec.gap_lower, spec.gap, wider) is None
    assert shape(spec.envelope, wider) is None
