"""The measures of error measure: exact cases, limits of the doubles, and values that two precisions do not agree on."""

import math
import sys
from collections.abc import Mapping
from random import Random
from typing import Any

import numpy
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpsco.reference.numbers.mp import mp
from dpsco.regression.errors import DIGITS, agreed, error, sum_scaled, ulps
from dpsco.regression.inputs import draw, edges, inputs
from dpsco.regression.ranges import OutOfRangeError
from dpsco.regression.values import flat, shape
from dpsco.spec.contract import FINITE, SUM_SCALED, ULPS, Contract, contract
from dpsco.spec.domain import Choice, Domain, Integers, Interval, Parameter, nonnegative, open_unit, positive, reals

M = mp(80)
SMALLEST, LARGEST = 5e-324, sys.float_info.max
finite = st.floats(allow_nan=False, allow_infinity=False)


@given(finite)
def test_the_value_itself_has_no_error(x: float):
    assert ulps(x, M.real(x)) == 0


@given(finite.filter(lambda x: 0 < abs(x) < LARGEST))
def test_the_next_double_away_from_zero_is_one_ulp_off(x: float):
    assert ulps(math.nextafter(x, math.copysign(math.inf, x)), M.real(x)) == 1


@given(finite.filter(lambda x: abs(x) < LARGEST))
def test_python_and_ulps_agree(x: float):
    y = math.nextafter(x, math.inf)
    assert ulps(y, M.real(x)) == (y - x) / math.ulp(x)


@pytest.mark.parametrize(
    ("given", "exact", "off"),
    [
        (0.0, "0", 0.0),
        (SMALLEST, "0", 1.0),
        (0.0, "1e-400", 0.0),
        (SMALLEST, "1e-400", 1.0),
        (math.inf, "1e400", 0.0),
        (LARGEST, "1e400", math.inf),
        (-math.inf, "1e400", math.inf),
        (math.inf, "1", math.inf),
        (math.nan, "1", math.inf),
        (math.nan, "nan", math.inf),
        (1.0, "nan", math.inf),
        (math.inf, "inf", 0.0),
        (-math.inf, "-inf", 0.0),
        (1.0, "inf", math.inf),
    ],
)
def test_ulps_at_the_limits(given: float, exact: str, off: float):
    assert ulps(given, M.real(exact)) == pytest.approx(off, abs=1e-70)


def test_a_floor_bounds_the_unit_from_below():
    assert ulps(1e-17, M.real(0), floor=1.0) == pytest.approx(1e-17 * 2**52)
    assert ulps(1e-17, M.real(0)) > 1e300


def test_sums_are_measured_by_their_terms():
    assert sum_scaled(2.0**-53, M.real(0), M.real(1)) == 1
    assert sum_scaled(0.0, M.real(0), M.real(0)) == 0
    assert sum_scaled(1e-300, M.real(0), M.real(0)) == math.inf


@contract(metric=ULPS, range=FINITE, inputs=(Parameter("x", "", positive), Parameter("y", "", positive)))
def cancelling(x: float, y: float) -> float:
    """(1 + x) - 1 + y."""
    raise NotImplementedError


@contract(
    metric=SUM_SCALED,
    range=FINITE,
    generate=lambda random: {"v": [random.gauss(0, 1) for _ in range(50)]},
    hard=({"v": [1.0]},),
)
def total(v: object) -> float:
    """Sum of v."""
    raise NotImplementedError


def literally_cancelling(m: Any, x: Any, y: Any) -> Any:
    return (1 + x) - 1 + y


def literally_total(m: Any, v: Any) -> Any:
    return m.dot(v, [1] * len(v)), m.norm(v, 1)


@pytest.mark.parametrize(("x", "y"), [(1e-100, 1e-110), (5e-324, 1e-300), (1e-200, 1e-308), (1.0, 1e-300)])
def test_a_cancelled_value_is_not_taken_for_the_exact_one(x: float, y: float):
    assert error(cancelling, literally_cancelling, {"x": x, "y": y}, x + y) <= 0.5
    assert error(cancelling, literally_cancelling, {"x": 1e-100, "y": 1e-110}, 1e-110) > 1e10


def test_exact_zeros_are_zeros():
    _, ((value, _),) = agreed(lambda m, x: m.sqrt(x) * m.sqrt(x) - m.sqrt(x * x), {"x": 4.0}, False, 0.0, DIGITS)
    assert value == 0


def test_a_value_on_which_precisions_never_agree_is_no_value():
    def wavering(m: Any, x: Any) -> Any:
        return m.real(m.mp.dps)

    with pytest.raises(ValueError, match="no 20 certain digits"):
        agreed(wavering, {"x": 1.0}, False, 0.0, DIGITS)


def test_sums_compare_by_shape():
    v = [1e16, 1.0, -1e16]
    assert error(total, literally_total, {"v": v}, 1.0) == 0
    assert 0 < error(total, literally_total, {"v": v}, 0.0) < 1
    assert error(total, literally_total, {"v": v}, [1.0, 1.0]) == math.inf
    assert error(total, literally_total, {"v": v}, numpy.array(1.0)) == 0
    assert error(total, literally_total, {"v": v}, numpy.array([1.0])) == math.inf


def test_arrays_compare_by_shape():
    def rows(m: Any, v: Any) -> Any:
        return [[v[0], v[1], v[2]], [v[3], v[4], v[5]]], m.real(1)

    v = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]
    whole = numpy.array(v)
    assert error(total, rows, {"v": v}, whole.reshape(2, 3)) == 0
    for wrong in (whole, whole.reshape(3, 2), whole.reshape(1, 2, 3), whole[:5], 1.0):
        assert error(total, rows, {"v": v}, wrong) == math.inf


def test_shapes_are_nested():
    assert shape(numpy.zeros((2, 1))) == shape([[1.0], [2.0]]) == ((None,), (None,))
    assert shape(numpy.float64(1.0)) is shape(numpy.array(1.0)) is shape(3) is None
    assert shape((numpy.zeros(2), 1.0)) == ((None, None), None)
    assert shape([]) == ()


def test_sizes_go_with_values():
    with pytest.raises(ValueError, match="3 values and 2 sizes"):
        error(total, lambda m, v: ([1, 2, 3], [1, 2]), {"v": [1.0]}, [1.0, 2.0, 3.0])


@pytest.mark.parametrize("result", [math.nan, 0.0, math.inf])
def test_a_reference_that_is_not_a_number_is_out_of_range(result: float):
    def lost(m: Any, v: Any) -> Any:
        return m.real("nan"), m.real(1)

    with pytest.raises(OutOfRangeError, match=r"nan is outside of \(-inf, \+?inf\)"):
        error(total, lost, {"v": [1.0]}, result)


def test_flat_goes_through_arrays_and_tuples():
    assert flat((1.0, numpy.array([[2.0, 3.0], [4.0, 5.0]]))) == [1, 2, 3, 4, 5]


domains: list[Domain] = [
    positive,
    nonnegative,
    reals,
    open_unit,
    Interval("1", "inf"),
    Interval("-inf", "0"),
    Interval("0", "0.1", high_open=False),
    Interval("2", "3"),
    Integers(1),
    Integers(2, 9),
    Choice(("a", "b")),
]


@pytest.mark.parametrize("domain", domains, ids=str)
def test_inputs_lie_in_their_domain(domain: Domain):
    random = Random(1)
    drawn = [draw(domain, random) for _ in range(300)]
    for value in [*drawn, *edges(domain)]:
        assert domain.contains(M, value if isinstance(value, str) else M.real(value)) is True
    assert len(set(drawn)) > 1


def test_draws_span_the_doubles():
    random = Random(1)
    drawn = [float(str(draw(positive, random))) for _ in range(2000)]
    assert min(drawn) < 1e-250
    assert max(drawn) > 1e250
    assert sum(1e-3 < x < 1e3 for x in drawn) > 500


def test_inputs_repeat_with_their_seed():
    def tried(which: Contract, seed: int) -> list[Mapping[str, object]]:
        return list(inputs(which, 20, seed))

    for which in (cancelling, total):
        assert tried(which, 3) == tried(which, 3)
        assert tried(which, 3) != tried(which, 4)
    assert tried(total, 0)[0] == {"v": [1.0]}


@given(st.floats(1e6, 1e300))
def test_reduced_exponentials_are_exact(x: float):
    m, far = mp(50), mp(700)
    for sign in (1, -1):
        value = m.exp(m.real(sign * x))
        log = far.log(far.real(value))
        assert abs(log - sign * far.real(x)) < far.real("1e-45")


@pytest.mark.parametrize("x", ["9.9e99", "1.1e100", "1e120", "1e154"])
def test_far_complements_match_mpmath(x: str):
    m = mp(60)
    mine, theirs = m.erfc(m.real(x)), m.mp.erfc(m.real(x))
    assert abs(m.log(mine) - m.log(theirs)) < m.real("1e-40") * abs(m.log(theirs))
    assert m.erfc(-m.real(x)) == 2


@pytest.mark.parametrize("x", ["1e160", "1e300", "1e1000"])
def test_far_complements_obey_their_bounds(x: str):
    m = mp(60)
    z = m.real(x)
    ratio = m.erfc(z) * z * m.sqrt(m.pi) / m.exp(-z * z)
    assert 1 - 1 / z - m.real("1e-55") <= ratio <= 1 + m.real("1e-55")
