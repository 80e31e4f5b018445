"""Every name in a statement has a symbol, in LaTeX that can be set, and no two names of a statement share one."""

import re
from dataclasses import replace

import pytest

from dpsco.spec.claim import Claim
from dpsco.spec.domain import Parameter, positive
from dpsco.spec.papers import PAPERS
from dpsco.spec.register import amendments, find, register
from dpsco.spec.symbols import GREEK, OF_PAPER, WORDS, letter, symbols

ALL = {**register(), **amendments()}
OPERATORS = (
    "inf max min lim ln Pr sqrt sum sup in le mid langle rangle ldots psi cdot operatorname nabla partial infty star ell"
)
SHAPES = "varepsilon varphi hat bar tilde underline overline text mathcal mathbf mathbb"
COMMANDS = {*GREEK, *OPERATORS.split(), *SHAPES.split()}


def unset(shown: str) -> list[str]:
    """What of the LaTeX cannot be set: unknown commands, braces that do not close."""
    open_ = 0
    for sign in re.sub(r"\\[{}]", "", shown):
        open_ += (sign == "{") - (sign == "}")
        if open_ < 0:
            return ["}"]
    unknown = [name for name in re.findall(r"\\([A-Za-z]+)", shown) if name not in COMMANDS]
    return unknown + (["{"] if open_ else [])


def shared(claim: Claim) -> list[str]:
    shown = symbols(claim)
    return [name for name, said in shown.items() if [*shown.values()].count(said) > 1]


@pytest.mark.parametrize("paper", PAPERS)
def test_every_name_has_a_symbol_of_its_own(paper: str):
    for id, claim in ALL.items():
        if claim.paper == paper:
            shown = symbols(claim)
            assert {*shown} == {p.name for p in claim.parameters} | {*claim.formulas}, id
            assert not shared(claim), id
            assert not {name: bad for name, said in shown.items() if (bad := unset(said))}, id
            assert not [p.name for p in claim.parameters if shown[p.name].startswith(r"\text")], id


def test_the_papers_symbols():
    assert symbols(find("quantile/thm-3.5"))["variance"] == r"\sigma^2"
    assert symbols(find("bilevel/lem-A.3"))["sensitivity"] == r"\Delta"
    assert symbols(find("bilevel/thm-3.2"))["L_fx"] == "L_{f,x}"
    assert symbols(find("quantile/thm-3.4"))["B"] == r"B_\theta"
    assert (symbols(find("lp/thm-1"))["epsilon"], symbols(find("spo/thm-1"))["epsilon"]) == (r"\epsilon", r"\varepsilon")


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("delta_hat", r"\hat{\delta}"),
        ("kappa_1", r"\kappa_{1}"),
        ("lambda_", r"\lambda"),
        ("sigma_1_squared", r"\sigma_{1}^{2}"),
        ("epsilon_prime", r"\varepsilon^{'}"),
        ("eta_main_text", r"\eta_{\text{main text}}"),
        ("K_bar_heavier", r"\bar{K}_{\text{heavier}}"),
    ],
)
def test_a_letter_reads_itself(name: str, shown: str):
    claim = replace(find("spo/thm-2"), parameters=(Parameter(name, "", positive),), formulas={})
    assert symbols(claim) == {name: shown}


def test_a_word_without_an_entry_is_refused():
    claim = replace(find("spo/thm-2"), parameters=(Parameter("largest_surprise", "", positive),))
    with pytest.raises(KeyError, match="largest_surprise has no symbol"):
        symbols(claim)


def test_bad_latex_and_shared_symbols_are_seen():
    assert unset(r"\hat{x") == ["{"]
    assert unset(r"\sgima") == ["sgima"]
    claim = find("spo/thm-2")
    assert {*shared(replace(claim, symbols={"epsilon": r"\delta"}))} == {"epsilon", "delta"}


def test_no_entry_is_idle():
    names = {p.name for c in ALL.values() for p in c.parameters} | {name for c in ALL.values() for name in c.formulas}
    statements = {"phi_regularised"}
    assert not {name for name in WORDS if name not in names | statements}
    assert {*OF_PAPER} <= {c.paper for c in ALL.values()}
    for id, claim in register().items():
        family = [claim, *(other for other in amendments().values() if other.amends == id)]
        assert {*claim.symbols} <= {name for one in family for name in symbols(one)}, id


def test_words_are_no_letters():
    assert letter("variance") is None
    assert letter("epsilon_0") is not None
