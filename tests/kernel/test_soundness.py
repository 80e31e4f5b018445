"""What the kernel computes from expressions, against values of the same expressions at random points (mpmath, 120 digits).

Sums, products and the like are small; the points include ends of ranges, zero, and points where factors are negative.
"""

from fractions import Fraction
from random import Random

import pytest

from dpsco.kernel.limits import limit
from dpsco.kernel.ranges import FUNCTIONS, Range, Rejected, Work
from dpsco.kernel.scope import Scope
from dpsco.reference.numbers.mp import mp
from dpsco.spec.evaluation import value
from dpsco.spec.expressions import E, Expr, TooLargeError, absolute, exp, log, maximum, minimum, sqrt, summation, symbols

M = mp(120)
x, y, n, t = symbols("x y n t")
SMALL = M.real("1e-40")
SCOPES = {
    "no facts": ((), (-3, "-1/2", 0, "1/3", 2)),
    "nonnegative": ((x >= 0, y >= 0), (0, "1/7", 1, "5/2", 9)),
    "positive": ((x > 0, y > 0), ("1/9", 1, "4/3", 7)),
    "in (0, 1)": ((x > 0, x < 1, y > 0, y <= 1), ("1/9", "1/2", "99/100")),
    "negative": ((x < 0, y <= -1), (-1, "-7/3", -4)),
    "above 1, ordered": ((x >= 1, y > x), (1, "3/2", 2, 5)),
}
UNARY = [*FUNCTIONS]


def random_expression(random: Random, depth: int) -> Expr:
    if depth == 0 or random.random() < 0.1:
        return random.choice(
            [x, x, y, n, E(random.choice([-2, -1, 0, 1, 2, 3])), E(Fraction(random.randint(-5, 5), random.randint(1, 6)))]
        )
    a, b = random_expression(random, depth - 1), random_expression(random, depth - 1)
    match random.randrange(13):
        case 0 | 1:
            return a + b
        case 2 | 3:
            return a * b
        case 4:
            return a / b
        case 5:
            return a ** random.choice([-2, -1, 2, 3])
        case 6:
            return maximum(a, b) if random.random() < 0.5 else minimum(a, b)
        case 7:
            return sqrt(a * b) if random.random() < 0.5 else exp(a - log(b))
        case 8:
            return a - b
        case 9:
            return random.choice([a ** Fraction(1, 2), a ** Fraction(2, 3), exp(log(a) * 2), log(exp(a) * b), absolute(a) * b])
        case _:
            return Expr(random.choice(UNARY), (a,))


def scope_of(name: str) -> tuple[Scope, list[dict[str, object]]]:
    """The scope, and the points of a grid at which its facts hold."""
    facts, numbers = SCOPES[name]
    made = Scope({"x": "real", "y": "real", "n": "integer"}, (*facts, n >= 2), {}, Work(10**8))
    points = [
        {"x": M.real(Fraction(a)), "y": M.real(Fraction(b)), "n": M.real(k)}
        for a in numbers
        for b in numbers
        for k in (2, 3, 8)
    ]
    return made, [point for point in points if all(fact(M, **point) for fact in facts)]


def at(e: Expr, point: dict[str, object]) -> object | None:
    """The value if there is a real one of a moderate size."""
    try:
        found = value(e, M, point)
        return found if abs(found) < 10**12 else None
    except (ValueError, ZeroDivisionError, OverflowError, TypeError):
        return None


def real(found: object) -> bool:
    return found is not None and type(found).__name__ == "mpf"


def holds(e_range: Range, found: object) -> bool:
    low, high = (M.real(end[1]) for end in (e_range.low, e_range.high))
    above = e_range.low[0] < 0 or found > low - SMALL * (1 + abs(low))
    return above and (e_range.high[0] > 0 or found < high + SMALL * (1 + abs(high)))


SATURATED = {"erf", "erfc", "Phi", "tanh"}
"""Their values may differ from an end by less than the digits show."""


def strictly(e_range: Range, found: object, e: Expr) -> bool:
    """Zero is not in the interval where it claims a sign."""
    signed = e_range.positive or (-e_range).positive
    return not (found == 0 and signed) or any(node.op in SATURATED for node in e.walk())


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("name", [*SCOPES])
def test_ranges_and_normal_forms_hold_the_values(name: str, seed: int):
    random, compared = Random(f"{name}{seed}"), 0
    scope, points = scope_of(name)
    for _ in range(60):
        e = random_expression(random, random.choice([2, 3, 4]))
        try:
            scope.defined(e)
            found = scope.range(e), scope.ring.range(e)
            again = scope.ring.expression(scope.ring.normal(e))
        except (Rejected, TooLargeError):
            continue
        for point in points:
            exact = at(e, point)
            if exact is None:
                continue
            assert real(exact), f"{e!r} is said to be defined at {point}"
            assert all(holds(one, exact) and strictly(one, exact, e) for one in found), (e, point, found)
            same = at(again, point)
            if real(same):
                assert abs(same - exact) <= SMALL * (1 + abs(exact)), (e, again, point)
                compared += 1
    assert compared > 100


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("name", [*SCOPES])
def test_what_is_said_to_be_equal_is_equal(name: str, seed: int):
    """Expressions that agree nowhere near by chance: those with the same value at one point, and others, are compared."""
    random, agreed = Random(f"same {name}{seed}"), 0
    scope, points = scope_of(name)
    pool: list[Expr] = []
    while len(pool) < 30:
        e = random_expression(random, random.choice([1, 2, 2]))
        try:
            scope.defined(e)
            scope.ring.normal((e + 1) ** 2)
            pool += [e, (e + 1) ** 2, e * (e + 2) + 1]
        except (Rejected, TooLargeError):
            continue
    for i, a in enumerate(pool):
        for b in pool[:i]:
            try:
                if not scope.ring.same(a, b):
                    continue
            except (Rejected, TooLargeError):
                continue
            for point in points:
                left, right = at(a, point), at(b, point)
                assert left is None or right is None or abs(left - right) <= SMALL * (1 + abs(left)), (a, b, point)
            agreed += 1
    assert agreed >= 10


@pytest.mark.parametrize("seed", range(4))
def test_limits_are_approached(seed: int):
    random, found, wide = Random(f"limits {seed}"), 0, mp(1500)
    scope = Scope({"t": "real"}, (t >= 3,), {}, Work(10**8))
    pieces = [
        t,
        t**2,
        1 / t,
        log(t),
        sqrt(t),
        exp(-t),
        exp(t),
        log(t) ** 3,
        E(2),
        E(-1),
        Expr("Phi", (-t,)),
        t + 1,
        exp(-(t**2)),
        log(t) - t,
    ]
    for _ in range(150):
        a, b, c = (random.choice(pieces) for _ in range(3))
        e = random.choice(
            [a + b, a * b, a / (b + c) if random.random() < 0.5 else a / b, a - b * c, sqrt(t + 1) * a, exp(log(t) / 2) * a / b]
        )
        try:
            scope.defined(e)
            end = limit(e, "t", scope)
        except (Rejected, TooLargeError):
            continue
        near, far = (value(e, wide, {"t": wide.real(10) ** power}) for power in (40, 400))
        if isinstance(end, int):
            assert (far > near and far > 1) if end > 0 else (far < near and far < -1), (e, end, near, far)
        else:
            exact = value(end, wide, {})
            assert abs(far - exact) < abs(near - exact) or abs(far - exact) < M.real("1e-20"), (e, end, near, far)
        found += 1
    assert found > 30


@pytest.mark.parametrize(
    "e",
    [
        log(log(t)) / log(t),
        exp(log(t) ** 2) / t,
        Expr("sin", (t,)),
        exp(exp(-t) * t) - 1 / Expr("Phi", (t,)) * log(t + 1) / log(t),
    ],
)
def test_what_the_theorems_do_not_give_has_no_limit_here(e: Expr):
    scope = Scope({"t": "real"}, (t >= 3,), {}, Work())
    with pytest.raises(Rejected):
        limit(e, "t", scope)


@pytest.mark.parametrize("seed", range(4))
def test_derivatives_are_slopes(seed: int):
    random, compared = Random(f"slopes {seed}"), 0
    step = M.real("1e-20")
    for _ in range(200):
        e = random_expression(random, 3)
        try:
            slope = e.derivative("x")
        except ValueError:
            continue
        for a in ("1/3", "7/5", "4"):
            point = {"x": M.real(Fraction(a)), "y": M.real(Fraction(2, 3)), "n": M.real(3)}
            before, after, exact = (
                at(e, {**point, "x": point["x"] - step}),
                at(e, {**point, "x": point["x"] + step}),
                at(slope, point),
            )
            if real(before) and real(after) and real(exact) and abs(exact) < 10**6:
                assert abs((after - before) / (2 * step) - exact) < M.real("1e-8") * (1 + abs(exact)), (e, slope, a)
                compared += 1
    assert compared > 50


def test_a_wrong_range_would_be_seen():
    """The control: an interval that misses the values, or a sign that is not there, is found out."""
    assert not holds(Range((0, Fraction(1)), (0, Fraction(2)), False, False), M.real(3))
    assert not strictly(Range((0, Fraction(0)), (0, Fraction(2)), True, False), M.real(0), x)


def test_sums_are_read_as_they_are_evaluated():
    scope = Scope({"n": "integer"}, (n >= 2,), {}, Work())
    total = summation(1 / (x + 1), x, 1, n)
    scope.defined(total)
    assert scope.range(total).nonnegative
    assert abs(value(total, M, {"n": M.real(4)}) - M.frac(77, 60)) < SMALL
