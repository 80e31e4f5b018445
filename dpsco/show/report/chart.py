"""Curves over two logarithmic axes, drawn as SVG: told apart by colour, mark and dashes, so that grey print can be read."""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from dpsco.show.report.markup import Markup, joined, tag
from dpsco.show.report.prose import prose

WIDTH, HEIGHT, LEFT, TOP, RIGHT, BOTTOM = 288, 232, 50, 10, 12, 42
SHAPES = (
    "M-3.5 0a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0-7 0z",
    "M-3-3h6v6h-6z",
    "M0-4.5L4.5 0L0 4.5L-4.5 0z",
    "M-4-3h8L0 4z",
    "M-4 3h8L0-4z",
    "M-4 0h8M0-4v8",
    "M-3-3L3 3M-3 3L3-3",
)
"""Circle, square, diamond, two triangles, plus, cross, about the origin."""
DASHES = (None, None, "7 3", "2 3", "7 3 2 3", "4 2", "1 3")
DEEPEST = 0.8
"""Largest share of a value that its range takes downwards: a logarithmic axis has no zero."""
APART = 40
"""Least distance of two labels, in units of the drawing."""
Point: TypeAlias = tuple[float, float, float, float]
"""Place, value, and the ends of its range."""


@dataclass(frozen=True)
class Curve:
    """Points of one look, joined by a line or not; without marks a line alone."""

    look: int
    points: Sequence[Point]
    line: bool = True
    marks: bool = True
    hollow: bool = False


def chart(curves: Sequence[Curve], across: str, up: str, said: str) -> Markup:
    """One drawing; `across` and `up` name the axes in plain words (an SVG has no HTML in it), `said` is what one hears of it.

    Domain   places and values positive
    """
    every = [point for curve in curves for point in curve.points]
    columns = sorted({x for x, *_ in every})
    values = [v for _, y, low, high in every for v in (max(low, (1 - DEEPEST) * y), high)]
    x, y = _scale(columns, LEFT + 12, WIDTH - RIGHT - 12), _scale(values, HEIGHT - BOTTOM - 8, TOP + 8)
    return tag(
        "svg",
        _axes(columns, values, x, y),
        tag("text", across, x=(LEFT + WIDTH - RIGHT) // 2, y=HEIGHT - 6, text_anchor="middle"),
        tag("text", up, transform=f"translate(11 {(TOP + HEIGHT - BOTTOM) // 2}) rotate(-90)", text_anchor="middle"),
        *(_curve(curve, x, y) for curve in curves),
        viewBox=f"0 0 {WIDTH} {HEIGHT}",
        width=WIDTH,
        height=HEIGHT,
        role="img",
        aria_label=said,
        class_="chart",
    )


def keys(names: Mapping[str, int], hollow: Sequence[str] = (), bare: Sequence[str] = ()) -> Markup:
    """What the looks stand for; those of `hollow` have no line and no filling, those of `bare` no mark."""

    def sample(look: int, empty: bool, alone: bool) -> Markup:
        line = None if empty else tag("path", d="M1 7h34", class_="line", stroke_dasharray=DASHES[look])
        mark = (
            None if alone else tag("path", d=SHAPES[look], transform="translate(18 7)", class_="hollow" if empty else "mark-of")
        )
        drawn = tag("g", line, mark, class_=f"look-{look}")
        return tag("svg", drawn, viewBox="0 0 36 14", width=36, height=14, aria_hidden="true", class_="chart")

    return tag(
        "ul",
        *(tag("li", sample(look, name in hollow, name in bare), " ", prose(name)) for name, look in names.items()),
        class_="keys looks",
    )


def _scale(values: Sequence[float], first: float, last: float) -> Callable[[float], float]:
    """Logarithms of the values between two places of the drawing."""
    low, high = math.log(min(values)), math.log(max(values))
    wide = max(high - low, 1e-9)
    return lambda value: round(first + (last - first) * (math.log(value) - low) / wide, 1)


def _axes(
    columns: Sequence[float], values: Sequence[float], x: Callable[[float], float], y: Callable[[float], float]
) -> Markup:
    bottom, right = HEIGHT - BOTTOM, WIDTH - RIGHT
    drawn = [tag("path", d=f"M{LEFT} {TOP}V{bottom}H{right}", class_="axis")]
    labelled = -math.inf
    for value in columns:
        if x(value) - labelled >= APART or value == columns[-1]:
            labelled = x(value)
            drawn.append(tag("text", number(value), x=str(x(value)), y=bottom + 17, text_anchor="middle"))
        drawn.append(tag("path", d=f"M{x(value)} {bottom}v4", class_="axis"))
    for value in ticks(min(values), max(values)):
        drawn.append(tag("path", d=f"M{LEFT} {y(value)}H{right}", class_="grid"))
        drawn.append(tag("text", number(value), x=LEFT - 5, y=str(round(y(value) + 4, 1)), text_anchor="end"))
    return joined(*drawn)


def ticks(low: float, high: float) -> list[float]:
    """Powers of ten between the two, at most six; fewer than two: their halves and fifths as well, then both ends."""
    first, last = math.floor(math.log10(low)), math.ceil(math.log10(high))
    for parts in ((1,), (1, 2, 5), (1, 1.5, 2, 3, 4, 5, 6, 7, 8, 9)):
        found = [part * 10.0**k for k in range(first, last + 1) for part in parts if low <= part * 10.0**k <= high]
        if len(found) >= 2:
            return found[:: -(-len(found) // 6)]
    return sorted({float(f"{low:.3g}"), float(f"{high:.3g}")})


def number(value: float) -> str:
    """Three digits that count, without zeros in the exponent."""
    rounded = float(f"{value:.3g}")
    mantissa, _, exponent = format(rounded, "g" if rounded >= 1e-3 else ".2e").partition("e")
    return f"{float(mantissa):g}e{int(exponent)}" if exponent else mantissa


def _curve(curve: Curve, x: Callable[[float], float], y: Callable[[float], float]) -> Markup:
    return tag("g", *_drawn(curve, x, y), class_=f"look-{curve.look}")


def _drawn(curve: Curve, x: Callable[[float], float], y: Callable[[float], float]) -> Iterator[Markup]:
    if curve.line:
        way = "L".join(f"{x(at)} {y(value)}" for at, value, *_ in curve.points)
        yield tag("path", d=f"M{way}", class_="line", stroke_dasharray=DASHES[curve.look])
    for at, value, low, high in curve.points if curve.marks else ():
        low = max(low, (1 - DEEPEST) * value)
        if high > low:
            yield tag("path", d=f"M{x(at)} {y(low)}V{y(high)}", class_="line")
        place = f"translate({x(at)} {y(value)})"
        yield tag("path", d=SHAPES[curve.look], transform=place, class_="hollow" if curve.hollow else "mark-of")
