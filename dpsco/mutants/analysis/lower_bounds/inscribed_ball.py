"""Mutants of the lower bounds by the inscribed ball; false on the segment [-1, 1], by Laplace noise and by two data sets."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from itertools import pairwise
from typing import Any

from dpsco.arguments.formula import apply
from dpsco.mutant import Mutant, scaled, with_formula
from dpsco.mutants.analysis.lower_bounds.private_directions import (
    DIGITS,
    FAR,
    Values,
    line,
    powered,
    private_line,
    tiny_delta,
    tiny_delta_in_laws,
)
from dpsco.reference.numbers.mp import mp
from dpsco.spec.claim import Claim, Relation
from dpsco.spec.numbers import Numbers, Real
from dpsco.spec.register import find

Path = Callable[[Numbers, Real], dict[str, Real]]
Value = Callable[[Numbers, Values], Real]
BODY = {"C_min": 1, "C_norm": 1, "high_exponent": 1}


def laplace(m: Numbers, v: Values) -> Real:
    """A quarter of the variance 2 (2/(n epsilon))^2."""
    return 2 / (v["n"] * v["epsilon"]) ** 2


def laplace_on_laws(m: Numbers, v: Values) -> Real:
    return laplace(m, v) + 1 / (4 * v["n"])


def one(m: Numbers, v: Values) -> Real:
    return m.real(1)


def enough(m: Numbers, v: Values) -> Real:
    """Records at which Laplace noise has root mean squared error alpha."""
    return 2 * m.sqrt(m.real(2)) / (v["alpha"] * v["epsilon"])


def needed(m: Numbers, v: Values) -> Real:
    """Records below which the two data sets of +1 and -1 alone make every error exceed alpha, up to parity.

    At distance M = 1/(2 epsilon) of n the answers' laws differ by at most 1/2: mean squared error at least (M/n)^2/2.
    """
    return 1 / (4 * v["alpha"] * v["epsilon"])


def falls(
    claim: Claim, above: Callable[[Numbers, Values], Real], below: Callable[[Numbers, Values], Real], along: Path
) -> bool | None:
    """Whether above/below falls without end on admitted points of the path."""
    m, found = mp(DIGITS), []
    for t in FAR:
        values = {**{k: m.real(x) for k, x in BODY.items()}, **along(m, m.real(t))}
        if not all(predicate(m, values) is True for predicate in claim.preconditions):
            return None
        found.append(above(m, values) / below(m, values))
    return (bool(found[-1] < 1) and all(bool(b < a / 2) for a, b in pairwise(found))) or None


def printed(claim: Claim, name: str) -> Value:
    return lambda m, v: apply(claim.formulas[name], m, v)


def one_record(m: Numbers, t: Real) -> dict[str, Real]:
    """One record in t dimensions."""
    return {"n": m.real(1), "d": t, "epsilon": m.frac(1, 2), "delta": m.real("1e-4")}


def _rates(claim: Claim, known: Value, tiny: Path, loose: Any) -> Iterator[Mutant]:
    moves: tuple[tuple[str, Callable[..., Real], Path], ...] = (
        ("n^0.9 for n", powered(claim.formulas["rate"], n="0.9"), private_line),
        ("epsilon^1.2 for epsilon", powered(claim.formulas["rate"], epsilon="1.2"), private_line),
        ("ln(1/delta) not capped", loose, tiny),
    )
    for says, formula, path in moves:
        moved = with_formula(claim, "rate", formula)
        yield Mutant(says, moved, partial(falls, moved, known, printed(moved, "rate"), path))
    yield Mutant("half the rate (still true)", scaled(claim, "rate", 1, 2), lambda: False)


def _uncapped(m: Numbers, C_min: Real, d: Real, delta: Real, epsilon: Real, n: Real) -> Real:
    return C_min**2 * m.min(m.real(1), d * m.log(1 / delta) / (n**2 * epsilon**2))


def _unlimited(m: Numbers, C_min: Real, d: Real, delta: Real, epsilon: Real, n: Real) -> Real:
    return C_min**2 * d * m.min(d, m.log(1 / delta)) / (n**2 * epsilon**2)


def of_empirical() -> Iterator[Mutant]:
    claim = find("lp/thm-11-amended")
    yield from _rates(claim, laplace, tiny_delta, _uncapped)
    wide = with_formula(claim, "rate", _unlimited)
    yield Mutant("not capped at 1, as printed", wide, partial(falls, wide, one, printed(wide, "rate"), one_record))
    stiff = scaled(claim, "strong_convexity", 2, 1)
    yield Mutant("twice the modulus, as printed", stiff, partial(_too_stiff, stiff))
    steep = replace(
        claim, asserts=(claim.asserts[0], Relation("|theta - x|_2^2 / 2", "is", claim.asserts[1].right), claim.asserts[2])
    )
    yield Mutant("the loss not halved, as printed", steep, partial(_too_steep, 2))


def _too_stiff(claim: Claim) -> bool:
    """Second difference of theta^2/4 on [-1, 1] against the modulus at C_min = 1."""
    m = mp(DIGITS)
    found = m.frac(1, 4) + m.frac(1, 4)
    return bool(apply(claim.formulas["strong_convexity"], m, {"C_min": m.real(1)}) > found)


def _too_steep(share: int) -> bool:
    """A secant of (theta - 1)^2/share on [-1, -0.99]."""
    m = mp(DIGITS)
    return bool(((m.real(-1) - 1) ** 2 - (m.real("-0.99") - 1) ** 2) / share > m.real("0.01"))


def of_population() -> Iterator[Mutant]:
    claim = find("lp/thm-5-amended")

    def loose(m: Numbers, C_min: Real, d: Real, delta: Real, epsilon: Real, n: Real) -> Real:
        return m.max(_uncapped(m, C_min, d, delta, epsilon, n), 1 / n)

    yield from _rates(claim, laplace_on_laws, tiny_delta_in_laws, loose)

    def slow(m: Numbers, C_min: Real, d: Real, delta: Real, epsilon: Real, n: Real) -> Real:
        rate = claim.formulas["rate"](m, C_min=C_min, d=d, delta=delta, epsilon=epsilon, n=n)
        return m.max(rate, 1 / m.exp(4 * m.log(n) / 5))

    moved = with_formula(claim, "rate", slow)
    yield Mutant("n^(-4/5) for 1/n", moved, partial(falls, moved, laplace_on_laws, printed(moved, "rate"), line))


def accurate(m: Numbers, t: Real) -> dict[str, Real]:
    """alpha = 1/t, n = 100 t, one dimension."""
    return {**line(m, 100 * t), "alpha": 1 / t, "G_C": m.sqrt(2 / m.pi)}


def accurate_tiny_delta(m: Numbers, t: Real) -> dict[str, Real]:
    return {**accurate(m, t), "delta": m.exp(-t)}


def private_accurate(m: Numbers, t: Real) -> dict[str, Real]:
    return {**accurate(m, t), "epsilon": 1 / m.sqrt(t), "alpha": m.frac(1, 40)}


def of_samples() -> Iterator[Mutant]:
    claim = find("lp/lem-9-amended")

    def uncapped(m: Numbers, C_min: Real, d: Real, delta: Real, alpha: Real, epsilon: Real) -> Real:
        return C_min * m.sqrt(d * m.log(1 / delta)) / (alpha * epsilon)

    for says, formula, path in (
        ("alpha^1.2 for alpha from below", powered(claim.formulas["lower_rate"], alpha="1.2"), accurate),
        ("epsilon^1.2 for epsilon from below", powered(claim.formulas["lower_rate"], epsilon="1.2"), private_accurate),
        ("ln(1/delta) not capped", uncapped, accurate_tiny_delta),
    ):
        moved = with_formula(claim, "lower_rate", formula)
        yield Mutant(says, moved, partial(falls, moved, enough, printed(moved, "lower_rate"), path))
    for says, powers, path in (
        ("alpha^0.8 for alpha from above", {"alpha": "0.8"}, accurate),
        ("epsilon^0.8 for epsilon from above", {"epsilon": "0.8"}, private_accurate),
    ):
        moved = with_formula(claim, "upper_rate", powered(claim.formulas["upper_rate"], **powers))
        yield Mutant(says, moved, partial(falls, moved, printed(moved, "upper_rate"), needed, path))
    yield Mutant("twice the upper rate (still true)", scaled(claim, "upper_rate", 2, 1), lambda: False)
