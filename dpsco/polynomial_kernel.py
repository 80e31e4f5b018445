"""Smoothing kernels of one's own, checked exactly against Condition 1 of the quantile paper before anything rests on them.

>>> from dpsco.polynomial_kernel import polynomial_kernel
>>> biweight = polynomial_kernel("biweight", [("1", ("15/16", 0, "-15/8", 0, "15/16"))])
>>> triangular = polynomial_kernel("triangular", [(1, (1, -1))])
>>> fit(X, y, kernel=triangular, ...)
"""

import json
from collections.abc import Iterator, Sequence
from decimal import Decimal
from fractions import Fraction
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

from dpsco.spec.losses.polynomial_kernel import Polynomial, PolynomialKernel, moment, value

WIDEST = 80
"""Support that is allowed: a wider kernel at h is a narrower one at a larger h, and rounding is bounded up to here."""
DIGITS = 2**20
"""Roundings in a computed tail that are allowed: well below what the noise leaves room for."""
LONGEST = 100
"""Digits of a number, and of its exponent's value, that are read."""
MOST_PIECES, MOST_COEFFICIENTS = 1000, 50
"""More are no kernel that anyone means, and their exact check takes minutes."""
FIELDS = ("name", "pieces")
PIECE = ("end", "coefficients")


def polynomial_kernel(name: str, pieces: Sequence[tuple[Any, Sequence[Any]]]) -> PolynomialKernel:
    """The kernel K(v) = p_i(|v|) between the ends e_{i-1} and e_i, e_0 = 0, and zero beyond the last end.

    Domain   pieces: (e_i, coefficients of 1, |v|, |v|^2, ...), the ends rising; each number an int, a Fraction, a string such
             as "3/4", or a float, which means its exact binary value; the last end at most 80
    Returns  what `fit` and the smoothed losses take in the place of a kernel's name
    Raises   ValueError naming the condition that fails, and where
    Source   quantile, Condition 1: nonnegative, of integral one, symmetric, not increasing in |v|, with finite kappa_1,
             kappa_2 and supremum. Symmetry and finiteness hold by the form; Condition 2, a light tail, does too
    """
    if not isinstance(name, str):
        raise ValueError(f"name of a kernel: must be a text, not a {type(name).__name__}")
    try:
        pairs = [(end, tuple(given)) for end, given in pieces]
    except (TypeError, ValueError):
        raise ValueError(f"pieces of kernel {name!r}: must be pairs (end, coefficients)") from None
    if len(pairs) > MOST_PIECES or any(len(given) > MOST_COEFFICIENTS for _, given in pairs):
        raise ValueError(f"kernel {name!r}: must have at most {MOST_PIECES} pieces of {MOST_COEFFICIENTS} coefficients each")
    ends = tuple(_exact(f"end of piece {i + 1}", end) for i, (end, _) in enumerate(pairs))
    coefficients = tuple(
        tuple(_exact(f"a coefficient of piece {i + 1}", c) for c in given) or (Fraction(0),)
        for i, (_, given) in enumerate(pairs)
    )
    kernel = PolynomialKernel(str(name), ends, coefficients)
    check_kernel(kernel)
    return kernel


def check_kernel(kernel: PolynomialKernel) -> None:
    """ValueError where the kernel breaks Condition 1, or its pieces are none."""
    wrong = fault(kernel)
    if wrong:
        raise ValueError(f"kernel {kernel.name!r}: {wrong}")


@cache
def fault(kernel: PolynomialKernel) -> str:
    """The first condition that fails and where it does, or nothing."""
    return next(_faults(kernel), "")


def _faults(kernel: PolynomialKernel) -> Iterator[str]:
    ends, pieces = kernel.ends, kernel.pieces
    if not ends or len(ends) != len(pieces):
        yield f"has {len(ends)} ends and {len(pieces)} pieces: must be as many, at least one"
        return
    if any(a >= b for a, b in pairwise((Fraction(0), *ends))):
        yield f"ends {', '.join(map(str, ends))}: must rise from above zero"
        return
    if ends[-1] > WIDEST:
        yield f"last end {ends[-1]}: must be at most {WIDEST} (divide all ends, and multiply the bandwidth)"
    for p, (start, end) in zip(pieces, kernel.intervals, strict=True):
        where = _rises(p, start, end)
        if where is not None:
            yield f"must not increase in |v|, but does at |v| = {float(where):.6g}"
    for left, right, end in zip(pieces, pieces[1:], ends, strict=False):
        if value(left, end) < value(right, end):
            yield f"must not increase in |v|, but jumps from {value(left, end)} to {value(right, end)} at |v| = {end}"
    if value(pieces[-1], ends[-1]) < 0:
        yield f"must be nonnegative, but is {value(pieces[-1], ends[-1])} at |v| = {ends[-1]}"
    total = moment(kernel, 0)
    if total != 1:
        yield f"must integrate to one, but integrates to {total}"
    from dpsco.fast.losses.polynomial_kernel import rounding  # numba is slow to import, and few have a kernel of their own

    if not rounding(kernel) <= DIGITS:
        yield f"coefficients so large that doubles may lose {rounding(kernel):.3g} roundings: at most {DIGITS} are allowed"


def _rises(p: Polynomial, start: Fraction, end: Fraction) -> Fraction | None:
    """A place in the open interval where the polynomial's derivative is positive, or None: then it is nowhere there."""
    import sympy

    x = sympy.Symbol("x")
    slope = sympy.Poly([sympy.Rational(k * c) for k, c in reversed(list(enumerate(p)))] or [0], x)
    a, b = sympy.Rational(start), sympy.Rational(end)
    roots = [] if slope.is_zero else slope.sqf_part().intervals(inf=a, sup=b, eps=sympy.Rational(1, 2**40))
    # between two roots the sign is that at any one place: at an end of their isolating intervals, or between these
    ends = [cut for (low, high), _ in roots for cut in (low, high)]
    middles = [(u + v) / 2 for u, v in pairwise([a, *ends, b])]
    found = next((place for place in (*middles, *ends) if a < place < b and slope.eval(place) > 0), None)
    return None if found is None else Fraction(int(found.p), int(found.q))


def summary(kernel: PolynomialKernel) -> dict[str, Fraction]:
    """What bounds ask of a kernel, exactly: K_bar, kappa_1, kappa_2, and from where on K <= 1/|v|^3 (Condition 2)."""
    return {
        "K_bar": kernel.pieces[0][0],
        "kappa_1": moment(kernel, 1),
        "kappa_2": moment(kernel, 2),
        "light tail beyond": kernel.ends[-1],
    }


def read_kernel(path: str | Path) -> PolynomialKernel:
    """A kernel from a file {"name": ..., "pieces": [{"end": "1", "coefficients": ["3/4", "0", "-3/4"]}, ...]}.

    Raises   ValueError naming the file and what is wrong with it; OSError where it cannot be read
    """
    try:
        found = json.loads(Path(path).read_text(encoding="utf-8-sig"), parse_float=str)  # 0.1 in a file is one tenth
    except (ValueError, RecursionError) as error:
        raise ValueError(f"{str(path)!r} is not JSON: {error}") from None
    if not isinstance(found, dict) or set(found) != set(FIELDS) or not isinstance(found["pieces"], list):
        raise ValueError(f"{str(path)!r}: must be an object with {' and '.join(FIELDS)}, pieces being a list")
    for piece in found["pieces"]:
        if not isinstance(piece, dict) or set(piece) != set(PIECE) or not isinstance(piece["coefficients"], list):
            raise ValueError(f"{str(path)!r}: each piece must be an object with {' and '.join(PIECE)}, coefficients a list")
    if not isinstance(found["name"], str):
        raise ValueError(f"{str(path)!r}: name must be a text, got {found['name']!r}")
    return polynomial_kernel(found["name"], [(piece["end"], piece["coefficients"]) for piece in found["pieces"]])


def _exact(what: str, number: Any) -> Fraction:
    long = isinstance(number, int) and abs(number) >= 10**LONGEST
    said = "a whole number" if long else repr(str(number)[:40])  # Python prints no number of thousands of digits
    wrong = ValueError(f"{what}: {said} must be a finite number of at most {LONGEST} digits, such as 1 or '3/4'")
    if isinstance(number, bool) or long:
        raise wrong
    try:
        if isinstance(number, str):
            parts = [Decimal(part) for part in number.split("/")]  # an exponent is read before it is multiplied out
            if any(part.is_finite() and abs(part.adjusted()) > LONGEST for part in parts):
                raise wrong
        if isinstance(number, str | int) and len(str(number)) > LONGEST:
            raise wrong
        return Fraction(number)
    except (TypeError, ValueError, ArithmeticError):
        raise wrong from None
