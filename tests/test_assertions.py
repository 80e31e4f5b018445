"""The judge that reads each assertion by a table: what it leaves open, and what of the release."""

from dataclasses import replace

from dpsco.arguments.assertions import reading
from dpsco.arguments.comparing import certified
from dpsco.spec.register import find
from dpsco.verdict import Verdict

CLAIM = find("lp/gen-gaussian")
TABLE = {relation: lambda claim: [certified("as printed", "a test")] for relation in CLAIM.asserts}


def test_every_relation_by_its_own_entry():
    assert [found.asserts for found in reading(TABLE)(CLAIM)] == [(relation,) for relation in CLAIM.asserts]


def test_a_relation_outside_the_table_is_open():
    assert {found.verdict for found in reading({})(CLAIM)} == {Verdict.OPEN}


def test_another_release_is_open_beside_the_assertions():
    assert reading(TABLE, CLAIM.releases)(CLAIM) == reading(TABLE)(CLAIM)
    other = replace(CLAIM, releases="the data")
    first, *rest = reading(TABLE, CLAIM.releases)(other)
    assert first.verdict is Verdict.OPEN
    assert rest == reading(TABLE)(CLAIM)
    assert reading(TABLE)(other) == reading(TABLE)(CLAIM)
