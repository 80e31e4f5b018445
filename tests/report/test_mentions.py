"""A mention of a result becomes a link where it is prose, and nowhere else."""

import pytest

from dpsco.report.mentions import linked
from dpsco.report.prose import prose
from dpsco.spec.register import amendments, register

IDS = [*register(), *amendments()]
LINK = '<a href="../claims/spo_thm-4.html">spo/thm-4</a>'


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("<p>See spo/thm-4.</p>", f"<p>See {LINK}.</p>"),
        ("<p>spo/thm-4, and (spo/thm-4)</p>", f"<p>{LINK}, and ({LINK})</p>"),
        ("<p><code>spo/thm-4</code></p>", f"<p><code>{LINK}</code></p>"),
        ("<p>spo/thm-4-c</p>", '<p><a href="../claims/spo_thm-4-c.html">spo/thm-4-c</a></p>'),
        ("<p>see lp/phi</p>", '<p>see <a href="../claims/lp_phi.html">lp/phi</a></p>'),
        ('<a href="x"><b>spo/thm-4</b></a> spo/thm-4', f'<a href="x"><b>spo/thm-4</b></a> {LINK}'),
    ],
)
def test_mentions_are_links(before: str, after: str):
    assert linked(before, "guide/index.html", IDS) == after


@pytest.mark.parametrize(
    "text",
    [
        "<p>spo/thm-99 spo/thm-4x spo/thm-4.7 docs/spo/thm-4 spo/thm-4/x</p>",
        '<p title="spo/thm-4">x</p>',
        "<pre>dpsco verify spo/thm-4</pre>",
        "<svg><title>spo/thm-4</title><text>spo/thm-4</text></svg>",
        "<select><option>spo/thm-4</option></select>",
    ],
)
def test_other_text_stays(text: str):
    assert linked(text, "guide/index.html", IDS) == text


def test_a_page_does_not_link_to_itself():
    assert linked("<h1>spo/thm-4</h1> spo/thm-9", "claims/spo_thm-4.html", IDS) == (
        '<h1>spo/thm-4</h1> <a href="../claims/spo_thm-9.html">spo/thm-9</a>'
    )


def test_an_id_in_prose_is_not_typeset():
    assert prose("as lp/phi says, phi < 1") == "as lp/phi says, φ &lt; 1"
    assert prose("bilevel/lem-B.6, x^2") == "bilevel/lem-B.6, x<sup>2</sup>"


def test_what_has_no_page_is_not_linked():
    assert linked("spo/thm-4 spo/thm-9", "guide/index.html", ["spo/thm-4"]) == f"{LINK} spo/thm-9"
