"""Claims by what people call them: an id, "Theorem 3.5", "thm. 3.5", a paper, an author's name, words of what is stated."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher, get_close_matches

from dpsco.nearest import abridged
from dpsco.show.command.screen import BadInputError
from dpsco.spec.claim import Claim
from dpsco.spec.library import statements
from dpsco.spec.papers import PAPERS
from dpsco.spec.register import amendments, concept_of, register

CALLED = {
    "theorem": ("theorems", "theo", "thm", "thms"),
    "lemma": ("lemmas", "lem", "lemm"),
    "proposition": ("propositions", "prop"),
    "corollary": ("corollaries", "cor"),
    "definition": ("definitions", "def", "defn"),
    "assumption": ("assumptions", "asm"),
    "condition": ("conditions", "cond"),
    "algorithm": ("algorithms", "alg", "algo"),
    "equation": ("equations", "eq", "eqs", "eqn", "display", "displays"),
    "section": ("sections", "sec", "sect"),
    "appendix": ("appendices", "app"),
    "figure": ("figures", "fig", "figs"),
    "table": ("tables", "tab", "tbl"),
    "remark": ("remarks", "rem"),
}
"""What a numbered thing in a paper is called, and how that is shortened."""
FULL = {short: full for full, shorter in CALLED.items() for short in (full, *shorter)}
NUMBER = r"\(?(?:[a-z]{1,2}\.?)?\d+(?:\.\d+)*\)?|\(?\b[a-z]\b\)?"
SEVERAL = rf"(?:{NUMBER})(?:(?:, | and | to )(?:{NUMBER}))*"
NUMBERED = re.compile(
    rf"\b({'|'.join(sorted(FULL, key=len, reverse=True))})\b\.?[\s-]*({SEVERAL})(?![a-z])|(?<!\w)(\([a-z]*\.?\d+\))"
)
WORD = re.compile(r"[a-z]+(?:'[a-z]+)?|\d[\d.]*")
LONGEST_RANGE = 50
SHORT = 3
"""Letters that the beginning of a word needs to stand for the word."""


def places(text: str) -> list[str]:
    """The numbered things that a text names: "thm. 3.5" is theorem:3.5, "Lemmas 1 to 3" are three, "(20)" is equation:20."""
    found = []
    for name, numbers, alone in NUMBERED.findall(text.lower()):
        for number in _each(numbers or alone):
            found.append(f"{FULL[name] if name else 'equation'}:{number}")
    return list(dict.fromkeys(found))


def _each(numbers: str) -> list[str]:
    """The single numbers of "1, 3 and 5", "9 to 11"."""
    parts = re.split(r"(, | and | to )", numbers)
    found = [parts[0].strip("()")]
    for link, part in zip(parts[1::2], parts[2::2], strict=True):
        number = part.strip("()")
        if link == " to " and found[-1].isdigit() and number.isdigit() and int(number) - int(found[-1]) < LONGEST_RANGE:
            found += [str(between) for between in range(int(found[-1]) + 1, int(number))]
        found.append(number)
    return found


def words(text: str) -> list[str]:
    """The words of a text that are not parts of such a name."""
    return WORD.findall(NUMBERED.sub(" ", text.lower()))


def every() -> dict[str, Claim]:
    """All claims and amendments by id."""
    return {**register(), **amendments()}


def meant(text: str) -> list[str]:
    """The claims that an argument means: the one of that id, all of a paper that it names, or all that stand under the label,
    of one paper where it is named as well.

    Raises  BadInputError where it is none of these, with what may have been meant
    """
    claims = every()
    if text in claims:
        return [text]
    labels, names = places(text), [word for word in words(text) if word != "and"]
    papers = {key: _names(key) for key in PAPERS}
    if "/" not in text and (labels or names) and all(any(name in known for known in papers.values()) for name in names):
        called = [key for key, known in papers.items() if {*names} <= known]
        candidates = {id: claim for id, claim in claims.items() if claim.paper in called}
        found = [id for id, claim in candidates.items() if {*labels} <= _heads(claim)]
        found = found or [id for id, claim in candidates.items() if {*labels} <= {*_labels(claim)}]
        if found:
            return found
    raise BadInputError(_unknown(text, claims))


def single(found: Sequence[str]) -> str | None:
    """The one that is meant where several are called alike: the only one, the only printed one, or the only printed one that
    has the label to itself (thm-3.5, not thm-3.5-conditions); None where there is none such."""
    printed = [id for id in found if id in register()]
    whole = [id for id in printed if NUMBERED.fullmatch(id.split("/")[1].lower())]
    return next((few[0] for few in (found, printed, whole) if len(few) == 1), None)


def one(text: str) -> str:
    """The id that is meant where a single claim is needed.

    Raises  BadInputError where there is none, or more than one
    """
    found = meant(text)
    id = single(found)
    if id is None:
        raise BadInputError(f"{text!r} is {abridged(found, 3)}; one id is needed")
    return id


@dataclass(frozen=True)
class Words:
    """The words by which something is found: what it is called itself, and all that it says."""

    own: frozenset[str]
    said: frozenset[str]


def words_of(id: str) -> Words:
    """Those of a claim: id, labels and its paper's names; title, statement, source and kind."""
    claim = every()[id]
    own = frozenset({*_labels(claim), *words(id), *_names(claim.paper)})
    return Words(own, own | {*_said(claim)})


def words_in(title: str, more: str = "") -> Words:
    """Those of a page or a section by its title; `more` is said as well."""
    own = frozenset({*words(title), *places(title)})
    return Words(own, own | {*words(more), *places(more)})


def searched(text: str, ids: Iterable[str]) -> list[str]:
    """The claims in which each word of the text is found, first those that are called so themselves. The beginning of a word
    stands for it, a number only for itself. The site's search is the same (`report/assets/search.js`)."""
    wanted = [*places(text), *words(text)]
    found: list[tuple[bool, str]] = []
    for id in ids if wanted else ():
        entry = words_of(id)
        if all(_within(word, entry.said) for word in wanted):
            found.append((not all(_within(word, entry.own) for word in wanted), id))
    return [id for _, id in sorted(found, key=lambda one: one[0])]


def _within(word: str, among: frozenset[str]) -> bool:
    if word in among:
        return True
    name = FULL.get(word)
    if name is not None and any(label.startswith(f"{name}:") for label in among):  # "lemma" finds every lemma
        return True
    return word.isalpha() and len(word) >= SHORT and any(other.startswith(word) for other in among if ":" not in other)


def _labels(claim: Claim) -> list[str]:
    """The numbered things that its id and its source name."""
    return places("; ".join((claim.id.split("/")[1], *claim.source.labels)))


def _heads(claim: Claim) -> set[str]:
    """Those of them that it is itself, and does not only stand near to: not the theorem in "proof of Theorem 6"."""
    called = (claim.id.split("/")[1], *claim.source.labels)
    return {place for label in called if NUMBERED.match(label.lower()) for place in places(label)}


def _names(paper: str) -> set[str]:
    """What a paper is called: its key, and its authors' names."""
    return {*words(paper), *words(PAPERS[paper].authors)} - {"and"}


def _said(claim: Claim) -> list[str]:
    """Every word by which a claim may be looked for."""
    statement = statements().get(claim.id)
    texts = (
        claim.title,
        claim.says,
        str(claim.source),
        PAPERS[claim.paper].title,
        concept_of(claim.id).replace("_", " "),
        claim.kind.value,
        statement.title if statement is not None else "",
        "" if claim.amends is None else f"amendment amends {claim.amends}",
    )
    return [word for text in texts for word in (*WORD.findall(text.lower()), *places(text))]


def _unknown(text: str, claims: Mapping[str, Claim]) -> str:
    """One line: that nothing is called so, and what is called almost so: by the part after the paper, by the label, in the
    paper, and only then by the letters."""
    said, near = f"unknown claim {text!r}", _nearest(text, claims)
    if near:
        return f"{said}; did you mean {' or '.join(map(repr, near))}?"
    found = searched(text, claims)
    return f"{said}; dpsco claims {'--search ' + repr(text) + ' has ' + str(len(found)) if found else 'lists them'}"


def _nearest(text: str, claims: Mapping[str, Claim]) -> list[str]:
    alike = ends_alike(text, claims, "/")
    if alike:
        return alike
    paper, _, rest = text.rpartition("/")
    labels = {*places(rest)}
    of_paper = [id for id, claim in claims.items() if claim.paper == paper]
    for among in (of_paper, [*claims]):
        labelled = [id for id in among if labels and labels <= {*_labels(claims[id])}]
        near = get_close_matches(text, labelled, n=1, cutoff=0.0)
        if near:
            return near
    return spelt_alike(text, of_paper, claims)


def ends_alike(text: str, ids: Iterable[str], mark: str, most: int = 3) -> list[str]:
    """The ids that end in as many of the text's last parts as any does, parts being what stands between marks; the likest
    first."""
    parts, known = text.split(mark), [*ids]
    tails = (mark + mark.join(parts[start:]) for start in range(len(parts)) if parts[-1])
    found = next(filter(None, ([id for id in known if (mark + id).endswith(tail)] for tail in tails)), [])
    return sorted(found, key=lambda id: -SequenceMatcher(None, text, id).ratio())[:most]


def spelt_alike(text: str, *among: Iterable[str]) -> list[str]:
    """The id that is spelt most like the text: one of the first collection, if any there is like it, else of the next."""
    return next(filter(None, (get_close_matches(text, [*ids], n=1, cutoff=0.5) for ids in among)), [])
