"""Where the results of a graph stand when it is drawn: what rests on others above what it rests on, in rows."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from dpsco.show.graph import Graph

ACROSS = 8
"""Boxes in a row."""
WIDTH, BOX, TALL, DOWN = 1120, 132, 40, 92
"""Width of the drawing, of a box; height of a box, and from one row to the next."""


@dataclass(frozen=True)
class Layout:
    """The upper left corner of each box, and the height of the drawing."""

    places: Mapping[str, tuple[float, float]]
    height: float
    alone: tuple[str, ...]
    """Results that rest on no other and that none rests on, in either relation: they are not drawn."""


def layout(graph: Graph) -> Layout:
    """Rows from the top down, each result above all that its proof uses and as near to them as its users allow."""
    joined = {id for id, node in graph.nodes.items() if node.uses or node.ours or graph.used_by[id] or graph.ours_used_by[id]}
    alone = tuple(id for id in graph.nodes if id not in joined)
    rows = _rows(graph, {*graph.nodes} - {*alone})
    places = {}
    for down, row in enumerate(rows):
        gap = WIDTH / len(row)
        for across, id in enumerate(row):
            places[id] = (round(gap * (across + 0.5) - BOX / 2, 1), 8.0 + DOWN * down)
    return Layout(places, 16 + DOWN * max(len(rows) - 1, 0) + TALL, alone)


def _rows(graph: Graph, drawn: set[str]) -> list[Sequence[str]]:
    level: dict[str, int] = {}
    for id in sorted(drawn, key=lambda one: -graph.heights[one]):
        level[id] = min((level[user] for user in graph.used_by[id]), default=graph.heights[id] + 1) - 1
    rows: list[Sequence[str]] = []
    place: dict[str, float] = {}
    for height in sorted({*level.values()}, reverse=True):
        row = [id for id in graph.nodes if level.get(id) == height]
        centre = {id: _mean([place[user] for user in graph.used_by[id] if user in place]) for id in row}
        row.sort(key=lambda id: centre[id])
        for cut in _cuts(row):
            place |= {id: (across + 0.5) / len(cut) for across, id in enumerate(cut)}
            rows.append(cut)
    return rows


def _cuts(row: Sequence[str]) -> list[Sequence[str]]:
    """A row that is too long as several, of nearly one length, neighbours one below the other."""
    parts = -(-len(row) // ACROSS)
    return [row[part::parts] for part in range(parts)]


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 0.5
