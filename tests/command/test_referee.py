"""`dpsco review CLAIM --format latex`: the paragraph says what was found, and LaTeX reads every character of it."""

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpsco.__main__ import run
from dpsco.command.referee import ESCAPES, SIGNS, escaped, paragraph
from dpsco.running import ledger
from dpsco.running.record import finding_record
from dpsco.spec.register import amendments, register
from dpsco.verdict import Finding, Rung, Severity, Verdict

EVERY = {**register(), **amendments()}
REFUTED = "bilevel/lem-A.3"
WORDS = {"paragraph", "texttt", "left", "right", "begin", "end", "text", "ln", "sqrt", "frac", "mathrm", "cdot", "infty"}


def faults(text: str) -> list[str]:
    """What LaTeX would stumble over: braces, environments and dollars without their other half, special characters in the text.

    Comments are left out; maths is what stands between dollars.
    """
    text = re.sub(r"^%.*$", "", text, flags=re.MULTILINE)
    found = [] if text.isascii() else [f"not ASCII: {[c for c in text if not c.isascii()]}"]
    depth, maths, place = 0, False, 0
    opened: list[str] = []
    for piece in re.finditer(r"\\(begin|end)\{(\w+)\}|\\[A-Za-z]+|\\.|[{}$]|[&#%_^~<>|]", text):
        token, place = piece[0], piece.start()
        if piece[1] == "begin":
            opened.append(piece[2])
        elif piece[1] == "end":
            if not opened or opened.pop() != piece[2]:
                found.append(f"environment closed at {place}")
        elif token in "{}":
            depth += 1 if token == "{" else -1
            if depth < 0:
                found.append(f"brace closed at {place}")
        elif token == "$":
            maths = not maths
        elif len(token) == 1 and (token in "#%" or (token == "&" and not opened) or (token != "&" and not maths)):
            found.append(f"{token!r} at {place}: {text[max(0, place - 20) : place + 20]!r}")
    if depth or maths or opened:
        found.append(f"left open: {depth} braces, {opened}, maths {maths}")
    return found


def record_of(id: str, **more: Any) -> dict[str, Any]:
    """A record as a judge of this claim might give it."""
    finding = Finding(
        scope="all of 100% & more_things #1",
        verdict=Verdict.REFUTED,
        rung=Rung.POINT,
        method="x^2 < y_1 ~ {z}",
        claimed="1e-300",
        computed=("1.23456789", "1.2345679"),
        at={"lambda_": "0.5", "L_fy": "1e-7", "kernel": "gaussian", "d": "3"},
        severity=Severity.DOMAIN,
        survives="It holds for x <= 50% of a\\b.",
        **more,
    )
    record = {"id": id, "verdict": "refuted", "severity": "domain", "findings": [finding_record(finding)], "amendments": []}
    return {**record, "grounds": None, "proof": {"word": "not judged", "step": None, "number": None}}


@pytest.mark.parametrize("id", sorted(EVERY)[::7])
def test_the_paragraph_of_any_claim_compiles(id: str):
    claim = EVERY[id]
    text = paragraph(claim, record_of(id), [(claim, "certified")], True)
    assert not faults(text)
    assert escaped(claim.says.rstrip(".")) in text


def test_what_is_not_certified_is_a_proposal():
    claim = EVERY[REFUTED]
    said = {
        verdict: paragraph(claim, record_of(REFUTED), [(claim, verdict)], False) for verdict in ("certified", "open", "refuted")
    }
    assert "Amended (certified): " in said["certified"]
    assert "proposed" not in said["certified"]
    for verdict in ("open", "refuted"):
        assert f"Amended (proposed, not proved; {verdict}): " in said[verdict]
        assert not faults(said[verdict])


def test_every_registered_text_can_be_escaped():
    for claim in EVERY.values():
        for text in (claim.says, str(claim.source)):
            assert not faults(escaped(text))


def test_it_says_what_was_found(capsys: pytest.CaptureFixture[str]):
    assert run(["review", REFUTED, "--format", "latex"]) == 0
    text = capsys.readouterr().out
    assert not faults(text)
    for part in (
        "Lemma A.3",
        "Lowy and Liu",
        r"$\varepsilon = 8$",
        r"the statement asks $\delta$ $0.1$, and it needs at least $0.141362$: 1.41 times.",
        "As printed it is refuted: domain too wide.",
        "What survives",
        "Amended (certified)",
    ):
        assert part in text


def test_in_markdown_it_is_the_point_of_the_report(capsys: pytest.CaptureFixture[str]):
    assert run(["review", REFUTED]) == 0
    text = capsys.readouterr().out
    assert text.startswith("### Definition A.2, Lemma A.3\n")
    for part in ("As printed this is false: domain too wide.", r"$\Delta = 0.3$", "Repair (proved)"):
        assert part in text


def test_only_refuted_claims_have_one(capsys: pytest.CaptureFixture[str]):
    stated = next(id for id, entry in ledger.read().items() if entry["verdict"] == "stated")
    assert run(["review", stated, "--format", "latex"]) == 2
    assert "is stated" in capsys.readouterr().err


def test_values_in_words_and_without_instance():
    record = record_of(REFUTED)
    bare = {"claimed": None, "relation": None, "computed": None, "symbolic": {"claimed": "O(n^2)", "computed": "n^3"}, "at": {}}
    text = paragraph(EVERY[REFUTED], {**record, "findings": [{**record["findings"][0], **bare}]}, [], False)
    assert r"The statement says O(n\textasciicircum{}2), and it is n\textasciicircum{}3." in text
    bare = {"claimed": None, "relation": None, "computed": None, "symbolic": {}}
    text = paragraph(EVERY[REFUTED], {**record, "findings": [{**record["findings"][0], **bare}]}, [], False)
    assert r"It fails at $\lambda = 0.5$, $L_{\mathrm{fy}} = 10^{-7}$, $\mathrm{kernel} = \texttt{gaussian}$, $d = 3$." in text
    assert not faults(text)


@given(st.text(alphabet=st.characters(min_codepoint=32, max_codepoint=126)))
def test_escaped_text_prints_itself(text: str):
    shown = escaped(text)
    assert not faults(shown)
    back, known = shown, {**ESCAPES, **SIGNS}
    for place, escape in sorted(enumerate(known.values()), key=lambda pair: -len(pair[1])):
        back = back.replace(escape, f"\0{place}\1")
    assert re.sub(r"\x00(\d+)\x01", lambda found: [*known][int(found[1])], back) == text


@pytest.mark.parametrize("wrong", ["{", "}", "$x", "a_b", "50% of", "a & b", "x^2", r"\begin{cases} 1", "a < b", "é"])
def test_a_fault_is_seen(wrong: str):
    assert faults(f"text {wrong}")


def test_signs_and_greek_letters_are_typeset():
    assert escaped("epsilon <= 10.75, delta -> 0") == r"$\varepsilon$ $\le$ 10.75, $\delta$ $\to$ 0"
    assert escaped("my_delta, deltas, eta_x, x.mu") == r"my\_delta, deltas, eta\_x, x.mu"
