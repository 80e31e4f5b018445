"""What a command line asks of a mechanism: numbers as they were written, the unknown, and what other options stand for."""

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from typing import Any

from dpsco.auditing.mechanism import DELTA, EPSILON, Choice, Derived, Mechanism, Quantity, resolve
from dpsco.command.screen import BadInputError, known
from dpsco.spec.domain import Integers, Interval

RANGE = (Decimal("1e-290"), Decimal("1e290"))
LEAST_DELTA = Decimal("1e-300")
NOT_PURE = "delta = 0 asks for pure epsilon-DP, which this mechanism gives at no finite {}; delta in (0, 1) is needed"


@dataclass(frozen=True)
class Asked:
    """Everything but the unknown: decimal strings, Fractions, ints and words."""

    given: dict[str, Any]
    unknown: str | None
    derived: dict[str, tuple[str, str]]
    """For each quantity that may be derived: its value, and how it came about."""


def asked(mechanism: Mechanism, options: Mapping[str, Any], solve: str | None) -> Asked:
    """The numbers of a command line.

    Raises   BadInputError naming the option, its value and what is allowed
    """
    given: dict[str, Any] = {}
    quantities = (EPSILON, DELTA, *mechanism.quantities)
    if solve is not None:
        solvable = [q.name for q in quantities if q.effect is not None]
        known(solve, solvable, "quantity to solve for")
        if options.get(solve) is not None:
            raise BadInputError(f"--{solve} is given: it cannot be solved for")
    for q in quantities:
        text = options.get(q.name)
        if text is not None:
            given[q.name] = number(q, text)
    if mechanism.pure and Decimal(given.get("delta0", "0")) == 0 and "delta" not in given and solve != "delta":
        given["delta"] = "0"  # what such a mechanism promises is pure, unless another delta is asked for
    unknown = _unknown(mechanism, given, solve)
    words = {choice.name: _word(choice, options) for choice in mechanism.choices}
    notes: dict[str, tuple[str, str]] = {}
    for derived in mechanism.derived:
        value, says = _derived(mechanism, derived, given, options, derived.quantity == unknown)
        if value is not None:
            given[derived.quantity] = value
            notes[derived.quantity] = (decimal(value), says)
    for q in mechanism.quantities:
        if q.name not in given and q.name != unknown and q.default is not None:
            given[q.name] = number(q, q.default)
    if unknown is not None and given.get("delta") == "0" and not mechanism.pure:
        raise BadInputError(NOT_PURE.format(unknown))
    return Asked({**given, **words}, unknown, notes)


def number(quantity: Quantity, text: str) -> Any:
    """An int, or a decimal as it was written, inside the quantity's domain."""
    option = f"--{quantity.name}"
    try:
        value = Decimal(text.strip())
    except InvalidOperation as error:
        raise BadInputError(f"{option} must be a number, got {text!r}") from error
    if not value.is_finite():
        raise BadInputError(f"{option} must be a finite number, got {text}")
    domain = quantity.domain
    if isinstance(domain, Integers):
        most = domain.high if domain.high is not None else 10**18
        if value != value.to_integral_value() or not domain.low <= value <= most:
            raise BadInputError(
                f"{option} must be an integer from {domain.low} to {most if most < 10**9 else '1e18'}, got {text}"
            )
        return int(value)
    low = Decimal(domain.low)
    if value < low or (domain.low_open and value == low) or _above(domain, value):
        allowed = "be positive" if domain == Interval("0") else f"lie in {domain}"
        raise BadInputError(f"{option} must {allowed}, got {text}")
    if value == 0:
        return "0"
    least = LEAST_DELTA if quantity.name in ("delta", "delta0") else RANGE[0]
    if not least <= value <= RANGE[1]:
        bounded = f"lie between {least} and {RANGE[1]}" if domain.high == "inf" else f"be at least {least}"
        raise BadInputError(f"{option} must {bounded}{'' if domain.low_open else ', or 0'}, got {text}")
    return str(value)


def _above(domain: Interval, value: Decimal) -> bool:
    if domain.high == "inf":
        return False
    return value > Decimal(domain.high) or (domain.high_open and value == Decimal(domain.high))


def _unknown(mechanism: Mechanism, given: Mapping[str, Any], solve: str | None) -> str | None:
    """What is solved for; quantities with a default or with options that stand for them are not missed."""
    needed, missing = _needed(mechanism), _missing(mechanism, given, solve)
    if solve is not None:
        if missing:
            raise BadInputError(f"to solve for {solve}, also {_options(missing)} {'is' if len(missing) == 1 else 'are'} needed")
        return solve
    if len(missing) > 1:
        words = {1: "one", 2: "two", 3: "three", 4: "four", 5: "five", 6: "six", 7: "seven"}
        least = words.get(len(needed) - 1, str(len(needed) - 1))
        raise BadInputError(
            f"at least {least} of {_options(needed)} {'is' if least == 'one' else 'are'} needed; missing: {', '.join(missing)}"
        )
    if not missing:
        return None
    if mechanism.quantity(missing[0]).effect is None:
        raise BadInputError(f"--{missing[0]} is needed: it cannot be solved for")
    return missing[0]


def _needed(mechanism: Mechanism) -> list[str]:
    derivable = {d.quantity for d in mechanism.derived}
    return [q.name for q in (EPSILON, DELTA, *mechanism.quantities) if q.default is None and q.name not in derivable]


def _missing(mechanism: Mechanism, given: Mapping[str, Any], solve: str | None) -> list[str]:
    return [name for name in _needed(mechanism) if name not in given and name != solve]


def _options(names: list[str]) -> str:
    return ", ".join(f"--{name}" for name in names)


def _word(choice: Choice, options: Mapping[str, Any]) -> str:
    word = options.get(choice.name)
    if word is None:
        word = choice.default
    if word is None:
        raise BadInputError(f"--{choice.name} is needed, one of {', '.join(choice.allowed)}")
    return known(word, choice.allowed, choice.name)


def _derived(
    mechanism: Mechanism, derived: Derived, given: Mapping[str, Any], options: Mapping[str, Any], is_unknown: bool
) -> tuple[Any, str]:
    """The value that other options stand for, None where the quantity itself is given or unknown."""
    name = derived.quantity
    numbers = [q.name for q in derived.numbers]
    words = [choice.name for choice in derived.choices if choice.default is None]
    used = [option for option in numbers if options.get(option) is not None]
    if is_unknown:
        if used:
            raise BadInputError(f"{_options(used)} stands for {name}, which is what is solved for")
        return None, ""
    if name in given:
        if used:
            raise BadInputError(f"--{name} and --{used[0]} exclude each other: {' and '.join(numbers + words)} fix the {name}")
        for word in words:
            if options.get(word) is not None:
                raise BadInputError(f"--{word} goes with --{numbers[0]}; a {name} given as a number already is for one {word}")
        return given[name], "as given"
    metavar = name[0].upper()
    if not used:
        together = " ".join(f"--{option} {option[0].upper()}" for option in numbers + words)
        raise BadInputError(f"one of --{name} {metavar} and {together} is needed (--solve {name} asks for it)")
    for option in numbers:
        if option not in used:
            raise BadInputError(f"--{used[0]} needs --{option}")
    for choice in derived.choices:
        if choice.default is None and options.get(choice.name) is None:
            raise BadInputError(f"--{numbers[0]} needs --{choice.name}, one of {', '.join(choice.allowed)}")
    exact = {q.name: Decimal(number(q, options[q.name])) for q in derived.numbers}
    try:
        value, says = resolve(derived.value)(exact, {choice.name: _word(choice, options) for choice in derived.choices})
    except ValueError as error:
        raise BadInputError(str(error)) from error
    quantity = mechanism.quantity(name)
    _inside(quantity, value)
    return (str(value) if isinstance(value, Decimal) else value), says


def _inside(quantity: Quantity, value: Decimal | Fraction) -> None:
    domain = quantity.domain
    if isinstance(domain, Interval) and domain.high != "inf" and value > Fraction(domain.high):
        raise BadInputError(f"--{quantity.name} must lie in {domain}, got {decimal(value)}")


def decimal(value: Any) -> str:
    """As it was written; a quotient as a decimal where it is one, else as a quotient."""
    if isinstance(value, Fraction):
        exact = Decimal(value.numerator) / Decimal(value.denominator)
        return str(exact) if Fraction(exact) == value else str(value)
    return str(value)
