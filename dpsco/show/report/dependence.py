"""What rests on what: the graph of a paper as a drawing, and the results below and above a claim as links."""

from collections.abc import Iterable

from dpsco.show.graph import Fate, Graph, Node
from dpsco.show.layout import BOX, TALL, WIDTH, Layout, layout
from dpsco.show.report.data import Register, claim_of, file_of
from dpsco.show.report.markup import Content, Markup, items, joined, tag
from dpsco.show.report.page import badge, facts, section
from dpsco.show.report.prose import prose

FATES = {
    Fate.SURVIVES: "true all the same, by another proof than the printed one",
    Fate.MENDED: "false or undecided as printed; an amendment is certified here",
    Fate.FALLS: "false as printed, and nothing is certified in its place",
    Fate.UNPROVED: "nothing is known of it but its printed proof",
}
BEND = 36
"""How far a line to a neighbour in the row hangs down."""
MOST = 2
"""Other results that are named beside a lemma."""
LONG = 16
"""Characters of a label that a box has room for."""


def drawing(register: Register, paper: str, up: str) -> Markup:
    """The section of a paper's page that shows its graph."""
    graph = register.graph.part(paper)
    drawn = layout(graph)
    shaken = [id for id in graph.nodes if graph.false_under(id)]
    said = (
        "Each box is a result, above the results that its printed proof uses. "
        f"{len(drawn.places)} of {len(graph.nodes)} results are joined; {len(shaken)} rest on a step or a result that is false "
        f"as printed (thick lines lead to those). {_own_edges(graph)}"
    )
    fates = {fate: [id for id in shaken if graph.nodes[id].fate == fate] for fate in Fate}
    counts: list[Content] = [[tag("strong", str(fate)), f" ({FATES[fate]}): {len(ids)}"] for fate, ids in fates.items() if ids]
    alone = [_link(graph.nodes[id], up) for id in drawn.alone]
    return section(
        "graph",
        "What rests on what",
        tag("p", said),
        items(*counts) if counts else None,
        tag("figure", tag("div", _svg(graph, drawn, paper, up), class_="wide", tabindex="0")),
        tag("p", "Not joined to any other: ", _row(alone), ".") if alone else None,
    )


def _own_edges(graph: Graph) -> str:
    number = sum(len(node.ours) for node in graph.nodes.values())
    lines = "line leads" if number == 1 else "lines lead"
    return f"{number} dashed {lines} to a result that our own proof, or our proof of a repair, uses." if number else ""


def _svg(graph: Graph, drawn: Layout, paper: str, up: str) -> Markup:
    edges = sorted((id, used) for id in drawn.places for used in graph.nodes[id].uses)
    ours = sorted((id, used) for id in drawn.places for used in graph.nodes[id].ours)
    name, said = f"graph-{paper}", f"What rests on what in {paper}"
    return tag(
        "svg",
        tag("title", said),
        tag("desc", _told(graph, edges, "uses"), " ", _told(graph, ours, "in our own proof uses"), id=f"{name}-desc"),
        *(_edge(drawn, id, used, "false" if graph.nodes[used].false else None) for id, used in edges),
        *(_edge(drawn, id, used, "own") for id, used in ours),
        *(_box(graph.nodes[id], x, y, paper, up) for id, (x, y) in drawn.places.items()),
        viewBox=f"0 0 {WIDTH} {drawn.height:g}",
        width=WIDTH,
        height=f"{drawn.height:g}",
        role="group",
        aria_label=said,
        aria_describedby=f"{name}-desc",
        class_="graph",
    )


def _told(graph: Graph, edges: Iterable[tuple[str, str]], verb: str) -> str:
    """The drawing in words, for those who cannot see it."""
    uses: dict[str, list[str]] = {}
    for id, used in edges:
        uses.setdefault(id, []).append(used)
    return " ".join(f"{id} ({_word(graph.nodes[id])}) {verb} {', '.join(below)}." for id, below in uses.items())


def _edge(drawn: Layout, id: str, used: str, kind: str | None) -> Markup:
    """From the lower side of a box to the upper one of what it uses; to the lower one where that is beside it or above."""
    (x, y), (to_x, to_y) = drawn.places[id], drawn.places[used]
    below = to_y > y
    x, y, to_x, to_y = x + BOX / 2, y + TALL, to_x + BOX / 2, to_y + (0 if below else TALL)
    turn, to_turn = ((y + to_y) / 2,) * 2 if below else (y + BEND, to_y + BEND)
    return tag("path", d=f"M{x:g} {y:g}C{x:g} {turn:g} {to_x:g} {to_turn:g} {to_x:g} {to_y:g}", class_=kind)


def _box(node: Node, x: float, y: float, paper: str, up: str) -> Markup:
    label = node.id.removeprefix(f"{paper}/")
    return tag(
        "a",
        tag("title", f"{node.id}, {node.title}: {_word(node)}"),
        tag("rect", x=f"{x:g}", y=f"{y:g}", width=BOX, height=TALL, rx=3),
        tag("text", label, x=f"{x + BOX / 2:g}", y=f"{y + 17:g}", class_="label", **_squeezed(label)),
        tag("text", _word(node), x=f"{x + BOX / 2:g}", y=f"{y + 32:g}"),
        href=up + file_of(node.id),
        class_="refuted" if node.false else node.verdict.split()[0],
    )


def _squeezed(label: str) -> dict[str, str | int]:
    """The width that a long label is set in; a short one has its own."""
    return {"textLength": BOX - 12, "lengthAdjust": "spacingAndGlyphs"} if len(label) > LONG else {}


def _word(node: Node) -> str:
    """The verdict in a word or two; of a step of a proof, whether it is true."""
    if node.verdict == "stated" and node.proof in ("broken", "holds"):
        return "a false step" if node.proof == "broken" else "a true step"
    return f"{node.verdict} ({node.severity})" if node.severity else node.verdict


def around(register: Register, id: str, up: str) -> Markup | None:
    """What the claim rests on and what rests on it, with what becomes of that; of an amendment, its printed claim's."""
    printed = claim_of(id).amends or id
    graph = register.graph
    if printed not in graph.nodes:
        return None
    node = graph.nodes[printed]
    users = graph.used_by[printed]
    below = graph.false_under(printed)
    return section(
        "rests",
        "What rests on what",
        tag("p", "Of the printed statement ", _link(node, up), ":") if printed != id else None,
        facts(
            ("Its printed proof uses", _named(graph, node.uses, up) or "no other result that is registered"),
            ("Used by", _named(graph, users, up) or "no other printed proof"),
            ("Our proof uses", _named(graph, node.ours, up)),
            ("Our proofs that use it", _named(graph, graph.ours_used_by[printed], up)),
            ("Lemmas of our proof", _lemmas(graph, printed, up)),
        ),
        tag("p", "Its printed proof does not stand: below it are false, as printed, ", _links(graph, below, up), ".")
        if below
        else None,
        _falling(graph, printed, up),
        tag("p", tag("a", "The whole graph of the paper", href=f"{up}papers/{printed.split('/')[0]}.html#graph"), "."),
    )


def _lemmas(graph: Graph, id: str, up: str) -> Markup | None:
    """The lemmas that our proof rests on, each with the other results of which our proofs rest on it."""
    rows: list[Content] = []
    for name in graph.nodes[id].lemmas:
        others = [other for other in graph.sharing[name] if other != id]
        more = f" and {len(others) - MOST} more" if len(others) > MOST else ""
        rows.append([prose(name), [": also under ", _links(graph, others[:MOST], up), more] if others else None])
    return items(*rows) if rows else None


def _falling(graph: Graph, id: str, up: str) -> Markup | None:
    """What becomes of the results that rest on a false one."""
    fates = graph.fates(id) if graph.nodes[id].false else {}
    if not fates:
        return None
    shown: list[Content] = [
        [tag("strong", str(fate)), f" ({FATES[fate]}): ", _links(graph, ids, up)] for fate, ids in fates.items()
    ]
    return joined(tag("p", "It is false as printed. What becomes of the results that rest on it:"), items(*shown))


def _named(graph: Graph, ids: Iterable[str], up: str) -> Markup | None:
    rows: list[Content] = [
        [_link(node, up), f", {node.title} ", badge(node.verdict, node.severity)] for node in (graph.nodes[id] for id in ids)
    ]
    return items(*rows) if rows else None


def _links(graph: Graph, ids: Iterable[str], up: str) -> Markup:
    return _row([_link(graph.nodes[id], up) for id in ids])


def _row(links: list[Markup]) -> Markup:
    return Markup(", ".join(links))


def _link(node: Node, up: str) -> Markup:
    return tag("a", tag("code", node.id), href=up + file_of(node.id))
