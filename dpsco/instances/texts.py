"""Instances in texts: written down as a reader would, read as an author writes them, and numbers in traced formulas."""

import re
from collections.abc import Mapping, Sequence
from fractions import Fraction

from dpsco.instances.inside import Values
from dpsco.spec.claim import Claim
from dpsco.spec.domain import Choice, Vectors

LARGEST_EXPONENT = 50_000


def written(values: Values) -> dict[str, str]:
    """The values as a reader would write them down, exactly."""
    return {name: _written(value) for name, value in values.items()}


def _written(value: object) -> str:
    if isinstance(value, tuple):
        return f"({', '.join(map(_written, value))})"
    if not isinstance(value, Fraction):
        return str(value)
    rest = value.denominator
    for prime in (2, 5):
        while rest % prime == 0:
            rest //= prime
    if rest != 1 or value.denominator == 1:
        return str(value)
    digits = next(d for d in range(1, 10_000) if 10**d % value.denominator == 0)
    whole = str(abs(value.numerator) * 10**digits // value.denominator)
    sign = "-" if value < 0 else ""
    short = f"{sign}{whole.rstrip('0')}e{len(whole) - len(whole.rstrip('0')) - digits}"
    plain = f"{sign}{whole[:-digits] or '0'}.{whole[-digits:].zfill(digits)}"
    return plain if digits <= 12 else short


def read(claim: Claim, at: Mapping[str, str]) -> dict[str, object] | None:
    """The values of the claim's parameters that texts give; None where one is missing or is no value."""
    found: dict[str, object] = {}
    for parameter in claim.parameters:
        text = str(at.get(parameter.name, "")).strip()
        if not text:
            return None
        try:
            match parameter.domain:
                case Choice():
                    found[parameter.name] = text
                case Vectors():
                    found[parameter.name] = tuple(fraction(part) for part in text.strip("()[]").split(",") if part.strip())
                case _:
                    found[parameter.name] = fraction(text)
        except (ValueError, ZeroDivisionError):
            return None
    return found


def fraction(text: str) -> Fraction:
    """The number that a text writes down.

    Raises  ValueError where it is none, or has an exponent that nobody would write out
    """
    _, _, exponent = text.lower().partition("e")
    if exponent and abs(int(exponent)) > LARGEST_EXPONENT:
        raise ValueError(f"an exponent of at most {LARGEST_EXPONENT} is needed, got {text}")
    return Fraction(text.strip())


def clues_in(texts: Sequence[str]) -> list[Fraction]:
    """The numbers that stand in formulas as they were traced, each once."""
    written = r"(?<![\w./])-?\d+(?:/[1-9]\d*)?(?![\w./])"
    return list(dict.fromkeys(Fraction(number) for text in texts for number in re.findall(written, text)))[:20]
