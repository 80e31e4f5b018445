"""How an audit looks on the screen."""

from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from typing import Any

from dpsco.audit.calibration.mechanism import Effect, Mechanism
from dpsco.show.command.screen import console, line, table
from dpsco.show.command.showing import folded, interval, short

NAMES = {"rho": "rho (zCDP)"}
TINY = "1e-300"
AS_GIVEN = "as given"
FEW = 11
"""Digits of an enclosure's ends."""


def show(mechanism: Mechanism, result: dict[str, Any], digits: bool = False) -> None:
    """The result of one mechanism, in at most 80 columns; enclosures with few digits, or with all of them."""
    for text in _heading(mechanism, result):
        for part in folded(text, "  ", ""):
            line(part)
    line()
    shown = table("", "value", "enclosed in", flexible="enclosed in")
    for name in ("epsilon", "delta", *(q.name for q in mechanism.quantities)):
        if name == result["solved"]:
            shown.add_row(name, short(result["value"], digits=17), _enclosed(result["enclosure"], digits))
        else:
            shown.add_row(name, _plain(str(result["given"][name])), _remark(mechanism, result, name))
    for name in result["beside"]:
        shown.add_row(NAMES.get(name, name), interval(result[name]), _enclosed(result[name], digits) if digits else "")
    console().print(shown)
    line()
    for text in _closing(mechanism, result):
        for part in folded(text, "  ", ""):
            line(part)


def _heading(mechanism: Mechanism, result: dict[str, Any]) -> list[str]:
    steps = result["given"].get("steps", 1)
    answers = "" if "steps" not in result["given"] else f", {steps} answer{'s' if steps != 1 else ''}"
    title = f"{mechanism.title[0].upper()}{mechanism.title[1:]}"
    heading = [f"{title}{answers}" if mechanism.name in ("gaussian", "laplace") else title, mechanism.says]
    if result["group"] != 1:
        heading.append(f"neighbours differ in up to {result['group']} records, or one user has so many")
    heading += [f"{name} {word}" for name, word in result.get("chosen", {}).items()]
    for derived in mechanism.derived:
        found = result.get(derived.quantity)
        if found is not None and found["derived"] != AS_GIVEN:
            heading.append(f"{derived.quantity} {_plain(found['value'])} ({found['derived']})")
    return heading


def _enclosed(ends: list[str], digits: bool) -> str:
    """Both ends, rounded outward unless all of their digits are wanted."""
    low, high = ends if digits else (short(ends[0], ROUND_FLOOR, FEW), short(ends[1], ROUND_CEILING, FEW))
    return f"[{low}, {high}]"


def _plain(number: str) -> str:
    """A quotient as a decimal, to six digits; any other number with those of a double."""
    above, line_, below = number.partition("/")
    return short(str(Decimal(above) / Decimal(below))) if line_ else short(number, digits=17)


def _remark(mechanism: Mechanism, result: dict[str, Any], name: str) -> str:
    least = result["least"] and result["least"].get(name)
    if not least:
        return "given"
    if mechanism.quantity(name).effect is Effect.GROWS:
        return f"given; at most {short(least[0], ROUND_FLOOR)} is proved enough"
    if least[0] == "0" and Decimal(least[1]) <= Decimal(TINY):
        return "given; 0 is enough" if Decimal(least[1]) == 0 else f"given; less than {TINY} is needed"
    needed = f"given; at least {short(least[1], ROUND_CEILING)} is needed"
    if mechanism.exact or interval(least) == short(least[1]):
        return needed
    return f"given; {short(least[1], ROUND_CEILING)} is enough, {short(least[0], ROUND_FLOOR)} is not"


def _closing(mechanism: Mechanism, result: dict[str, Any]) -> list[str]:
    closing = []
    if result["slack"]:
        slack = ", ".join(f"{name} {short(value[0], ROUND_FLOOR)}" for name, value in result["slack"].items())
        closing.append(f"slack (given less least): {slack}")
    for name, why in (result["unanswered"] or {}).items():
        closing.append(f"no bound for {name}: {why}")
    if result["solved"] is None:
        explained = " (between the two bounds: neither proved nor refuted)" if result["verdict"] == "undecided" else ""
        closing.append(f"VERDICT  {result['verdict']}{explained}")
    elif mechanism.quantity(result["solved"]).turns:
        closing.append(f"this {result['solved']} holds, one beside it does not, a larger one may not: look at each by itself")
    elif mechanism.quantity(result["solved"]).effect is Effect.GROWS:
        closing.append(f"{result['solved']} is rounded down: a larger one may not hold")
    else:
        closing.append(f"{result['solved']} is rounded up: a smaller one may not hold")
    if not mechanism.exact:
        if result["solved"] is not None:
            low, high = (Decimal(end) for end in result["enclosure"])
            enough = Decimal(result["accuracy"] or "1e-6")
            if result["accuracy"] is not None and 0 < high <= low * (1 + 2 * enough):
                closing.append(f"enclosed to a relative width of {enough}: --accuracy asks for another one")
            elif low > 0 and high > low * (1 + enough):
                closing.append(
                    f"the bounds are a factor {short(str(high / low), ROUND_CEILING, 4)} apart: between them neither is proved"
                )
        closing.append(f"bounds: {mechanism.basis}")
    return closing
