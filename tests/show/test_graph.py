"""What rests on what: titles and uses of every claim, the graph of the printed proofs, and what a false lemma does to it."""

from dataclasses import replace

import pytest

from dpsco.running import ledger
from dpsco.show.graph import Fate, Graph, Node, circle, judged, last_known, node
from dpsco.show.layout import BOX, DOWN, TALL, WIDTH, layout
from dpsco.spec.papers import PAPERS
from dpsco.spec.register import amendments, find, register

BESIDE = {
    "spo/thm-3-and-4": "both theorems together",
    "bilevel/thm-3.2-nonconvex": "a further statement",
    "bilevel/thm-4.2-privacy": "the theorem's other half",
    "lp/lem-14-risk": "the lemma's other half",
}
"""Claims whose id goes on from another's, and which are no step of its proof."""


def signed() -> Graph:
    """The graph of all papers with the verdicts of the ledger."""
    said = ledger.read()
    mended: dict[str, dict[str, str]] = {id: {} for id in register()}
    for other, claim in amendments().items():
        mended[claim.amends or ""][other] = said[other]["verdict"]
    return Graph(
        {
            id: node(claim, said[id]["verdict"], said[id]["severity"], said[id]["proof"], mended[id])
            for id, claim in register().items()
        }
    )


@pytest.fixture(scope="module")
def graph() -> Graph:
    return signed()


def steps_left_out(uses: dict[str, tuple[str, ...]]) -> list[str]:
    """Steps of a proof, by their ids, that the proof does not use, not even through another step."""
    whole = Graph({id: replace(blank(id), uses=used) for id, used in uses.items()})
    parents = {id: max((one for one in uses if id.startswith(f"{one}-")), key=len, default=None) for id in uses}
    return [id for id, over in parents.items() if over is not None and id not in BESIDE and over not in whole.supports(id)]


def blank(id: str, *uses: str, verdict: str = "certified", proof: str = "not judged", **more: str) -> Node:
    return Node(id, id, "", verdict, None, proof, more, uses)


def test_every_claim_has_a_title():
    for id, claim in register().items():
        assert 3 <= len(claim.title) <= 64, id
        assert claim.title == claim.title.strip().rstrip("."), id
        assert not claim.title.lower().startswith(("the ", "a ", "an ", "theorem", "lemma", "proposition")), id
    for paper in PAPERS:
        titles = [claim.title for claim in register().values() if claim.paper == paper]
        assert len({*titles}) == len(titles) > 40


def test_an_amendment_has_the_title_and_the_uses_of_its_claim():
    assert len(amendments()) > 150
    for id, claim in amendments().items():
        printed = find(claim.amends or "")
        assert printed.amends is None, id
        assert (claim.title, claim.uses) == (printed.title, printed.uses), id


def test_uses_name_registered_claims_in_order():
    for id, claim in register().items():
        assert {*claim.uses} <= {*register()} - {id}, id
        assert list(claim.uses) == sorted({*claim.uses}), id


def test_a_use_that_is_not_registered_is_seen():
    with pytest.raises(ValueError, match=r"spo/lem-99, which the graph does not have"):
        Graph({"spo/lem-1": blank("spo/lem-1", "spo/lem-99")})


def test_printed_proofs_go_in_no_circle(graph: Graph):
    assert graph.circle() == ()
    assert max(graph.heights.values()) == 10


def test_a_circle_is_found():
    assert circle({"a": ("b",), "b": ("c",), "c": ("b",)}) == ("b", "c", "b")
    assert circle({"a": ("b", "c"), "b": ("c",), "c": ()}) == ()
    with pytest.raises(ValueError, match="in a circle: a uses b uses a"):
        _ = Graph({"a": blank("a", "b"), "b": blank("b", "a")}).heights


def test_a_proof_uses_its_steps():
    uses = {id: claim.uses for id, claim in register().items()}
    assert not steps_left_out(uses)
    assert {*BESIDE} <= {*uses}
    assert steps_left_out({**uses, "quantile/thm-3.7-resampling": ()}) == ["quantile/thm-3.7-binomial"]


def test_a_false_lemma_by_hand(graph: Graph):
    """Lemma 5 of the SPO paper is false outside a range. Theorem 9 cites it ("because of Lemma 5"), the proof of Corollary 1
    restates Theorem 9, and the last display of Section 6 is drawn from the corollary; nothing else cites any of them."""
    assert graph.nodes["spo/lem-5"].false
    assert graph.supports("spo/lem-5") == ("spo/thm-9", "spo/cor-1", "spo/sec-6-rate")
    assert graph.fates("spo/lem-5") == {Fate.MENDED: ("spo/thm-9", "spo/cor-1", "spo/sec-6-rate")}
    assert graph.false_under("spo/thm-9") == ("spo/app-g-vector", "spo/lem-5")


def test_a_true_theorem_over_a_false_step_survives(graph: Graph):
    """Theorem 5 of the SPO paper is true, and each of the three parts of its printed proof is false."""
    assert {"spo/app-d-1", "spo/app-d-2", "spo/app-d-3"} == {*graph.false_under("spo/thm-5")}
    assert "spo/thm-5" in graph.fates("spo/app-d-1")[Fate.SURVIVES]


def test_a_proof_taken_from_another_paper_is_an_edge(graph: Graph):
    assert "newsvendor/thm-3" in graph.nodes["spo/thm-6"].uses
    assert "newsvendor/thm-3" in graph.part("spo").nodes
    assert graph.part("spo").nodes["newsvendor/thm-3"].uses == ()


def test_every_fate_occurs():
    nodes = [
        blank("lemma", verdict="refuted"),
        blank("true", "lemma"),
        blank("a true step", "lemma", verdict="stated", proof="holds"),
        blank("mended", "lemma", verdict="refuted", other="certified"),
        blank("no better", "lemma", verdict="refuted", other="open"),
        blank("empty", "true", verdict="vacuous"),
        blank("unknown", "mended", verdict="open"),
        blank("elsewhere"),
    ]
    graph = Graph({node.id: node for node in nodes})
    assert graph.fates("lemma") == {
        Fate.SURVIVES: ("true", "a true step"),
        Fate.MENDED: ("mended",),
        Fate.FALLS: ("no better", "empty"),
        Fate.UNPROVED: ("unknown",),
    }
    assert graph.false_under("unknown") == ("mended", "lemma")
    assert graph.false_under("elsewhere") == ()


def test_what_is_known_around_one_claim_is_a_part_of_the_whole(graph: Graph):
    part = last_known("spo/lem-5")
    assert part.supports("spo/lem-5") == graph.supports("spo/lem-5")
    assert {*part.nodes} == {"spo/lem-5", *graph.supports("spo/lem-5"), *graph.rests_on("spo/lem-5")}
    with pytest.raises(KeyError):
        last_known("spo/lem-99")


def test_what_was_not_judged_is_left_out():
    found = {"verdict": "certified", "severity": None, "proof": {"word": "holds"}, "grounds": None, "findings": []}
    graph = judged({"spo/thm-9": {**found, "amendments": ["spo/thm-9-amended"]}})
    assert {*graph.nodes} == {"spo/thm-9"}
    assert graph.nodes["spo/thm-9"].uses == ()


@pytest.mark.parametrize("paper", PAPERS)
def test_a_drawing_has_room_for_every_box(paper: str, graph: Graph):
    part = graph.part(paper)
    drawn = layout(part)
    assert {*drawn.places} | {*drawn.alone} == {*part.nodes}
    assert len(drawn.places) > len(drawn.alone)
    rows: dict[float, list[float]] = {}
    for x, y in drawn.places.values():
        assert 0 <= x <= WIDTH - BOX
        assert 0 <= y <= drawn.height - TALL
        rows.setdefault(y, []).append(x)
    assert all(right - left >= BOX for row in rows.values() for left, right in zip(sorted(row), sorted(row)[1:], strict=False))
    for id in drawn.places:
        for used in part.nodes[id].uses:
            assert drawn.places[used][1] >= drawn.places[id][1] + DOWN, (id, used)
