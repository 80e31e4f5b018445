"""Claims about envelopes and the l1-norm moved by one sign, one domain or one condition: what is false is not certified."""

from dataclasses import replace

import pytest

from dpsco.arguments.comparing import FOLLOWS, SIGNS
from dpsco.judging import decided, judge_of
from dpsco.spec.claim import Claim
from dpsco.spec.domain import reals
from dpsco.spec.register import find
from dpsco.verdict import Verdict, fold

NUMBERS = {
    "newsvendor/moreau": ("r", "h"),
    "newsvendor/lem-EC.4-amended": ("r", "h"),
    "newsvendor/sec-EC.2-moreau-amended": ("r", "h"),
    "newsvendor/table-EC.3-amended": ("x_norm", "y_norm", "beta", "p", "q"),
    "newsvendor/lem-EC.5-amended": ("L", "beta", "h", "largest_subgradient", "conjugate_radius"),
    "newsvendor/lem-EC.6": ("size", "h"),
    "newsvendor/sec-EC.2.3-examples-amended": ("r", "tau"),
}
"""The certified claims, with the parameters whose domains the certificates need."""
TIGHT = {
    ("largest |slope| of the envelope", "="),
    ("largest |slope| of the envelope", ">="),
    ("Lipschitz constant of the envelope's slope", "="),
    ("Lipschitz constant of the envelope's slope", ">="),
    ("l2-Lipschitz constant of smoothed", "="),
    ("l2-Lipschitz constant of smoothed", ">="),
    ("l2-Lipschitz constant of its gradient", "<"),
}
"""Signs that hold too: these constants are tight, the last one is not."""


def verdict(claim: Claim) -> Verdict:
    return fold(decided(claim, judge_of(claim.id)))


@pytest.mark.parametrize("id", NUMBERS)
def test_a_turned_sign_is_certified_only_where_it_holds_too(id: str):
    claim = find(id)
    for relation in claim.asserts:
        for sign in SIGNS if relation.sign in SIGNS else ():
            if sign in FOLLOWS[relation.sign]:
                continue
            found = verdict(replace(claim, asserts=(replace(relation, sign=sign),)))
            assert (found is Verdict.CERTIFIED) == ((relation.left, sign) in TIGHT), (relation, sign)


@pytest.mark.parametrize(("id", "name"), [(id, name) for id, names in NUMBERS.items() for name in names])
def test_a_wider_domain_is_not_certified(id: str, name: str):
    claim = find(id)
    wider = tuple(p.within(reals) if p.name == name else p for p in claim.parameters)
    assert verdict(replace(claim, parameters=wider)) is not Verdict.CERTIFIED


@pytest.mark.parametrize("id", [id for id in NUMBERS if find(id).preconditions])
def test_a_condition_less_is_not_certified(id: str):
    claim = find(id)
    for k in range(len(claim.preconditions)):
        assert (
            verdict(replace(claim, preconditions=(*claim.preconditions[:k], *claim.preconditions[k + 1 :])))
            is not Verdict.CERTIFIED
        )


@pytest.mark.parametrize("id", NUMBERS)
def test_an_assertion_that_nobody_argued_stays_open(id: str):
    claim = find(id)
    strange = replace(claim.asserts[0], right="something else")
    assert verdict(replace(claim, asserts=(*claim.asserts, strange))) is Verdict.OPEN
