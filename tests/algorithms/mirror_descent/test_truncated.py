"""Privacy of the shuffled truncated mirror descent: lemmas by number, the refutation by quadrature, verdicts and mutants."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpsco.arguments.algorithms.descent.shuffled_noise import LEAST
from dpsco.judging import decided, judge, judge_of
from dpsco.mutant import Fate
from dpsco.mutants.algorithms.mirror_descent.truncated import of_amended
from dpsco.mutants.privacy.gaussian import hockey_stick
from dpsco.reference.numbers.mp import mp
from dpsco.spec.claim import Adjacency
from dpsco.spec.domain import positive
from dpsco.spec.register import find
from dpsco.verdict import Proof, Reading, Verdict, fold


@pytest.fixture(scope="module")
def printed():
    return judge("lp/thm-9")


@pytest.fixture(scope="module")
def amended():
    return judge("lp/thm-9-amended")


def test_printed_theorem_is_refuted_in_its_intermediate_scale_only(printed):
    assert (printed.verdict, printed.proof) == (Verdict.OPEN, Proof.BROKEN)
    refuted = [f for f in printed.findings if f.verdict is Verdict.REFUTED]
    (step,) = [f for f in refuted if f.reading is Reading.PRINTED]
    assert "intermediate scale" in step.scope
    m = mp(50)
    n = m.real(step.at["t"])
    assert m.real(step.computed[0]) == pytest.approx(m.sqrt(m.log(2 * n * m.exp(1 / m.sqrt(n)))), rel=1e-12)


def test_one_record_counts_beside_the_missing_least_n(printed):
    """Lemma 16 asks n >= 16 e^epsilon_0 ln(2/delta); the conclusion (both releases) and two rates fail at n = 1."""
    alone = [f for f in printed.findings if f.verdict is Verdict.REFUTED and f.reading is Reading.ANOTHER]
    assert [f.at["n"] for f in alone] == ["1"] * 4
    assert sum("the conclusion" in f.scope for f in alone) == 2
    unknown = [f for f in printed.findings if f.verdict is Verdict.OPEN]
    assert [f.scope for f in unknown] == ["the least number of records"] * 4
    held = [f for f in printed.findings if f.verdict is Verdict.CERTIFIED and f.reading is Reading.MEANT]
    assert len(held) == 4


def test_one_record_would_count_if_it_were_printed():
    """Negative control: the amended claim with every n >= 1, which is not rebuilt, is refuted."""
    (whole,) = [mutant for mutant in of_amended() if "every n >= 1" in mutant.says]
    decide = judge_of("lp/thm-9")
    assert decide is not None
    assert fold(decided(whole.claim, decide)) is Verdict.REFUTED


def test_links_of_the_chain_are_certified(printed):
    links = [f for f in printed.findings if any(r.left.startswith("chain") for r in f.asserts)]
    assert [f.verdict for f in links] == [Verdict.CERTIFIED] * 3


@pytest.mark.parametrize("constant", [1, 10, 1000])
def test_one_record_by_quadrature(constant: int):
    """The second computation: the pair on the line, for hidden constants up to 1000, c_epsilon = 1, kappa = 2."""
    claim, m = find("lp/thm-9"), mp(50)
    t = 3000 * m.real(constant) ** 2
    values = {"kappa": m.real(2), "beta": m.real("0.3"), "M": m.real(7), "lambda_": m.real(4), "n": m.real(1)}
    values |= {"delta": m.exp(-1 / t), "epsilon": 1 / (2 * m.sqrt(t))}
    assert claim.preconditions[0](m, {**values, "c_epsilon": m.real(1)}) is True
    sigma = constant * claim.formulas["sigma_rate"](m, **values)
    mu = 2 * (values["beta"] * values["M"] + values["lambda_"]) / sigma
    assert hockey_stick(mu, values["epsilon"], dps=50) > values["delta"]


def test_two_records_survive_there():
    """Negative control: with n = 2 the same path is private."""
    claim, m, constant = find("lp/thm-9"), mp(50), LEAST[0]
    t = 3000 * m.real(constant) ** 2
    values = {"kappa": m.real(2), "beta": m.real("0.3"), "M": m.real(7), "lambda_": m.real(4), "n": m.real(2)}
    values |= {"delta": m.exp(-1 / t), "epsilon": 1 / (2 * m.sqrt(t))}
    sigma = constant * claim.formulas["sigma_rate"](m, **values)
    mu = 2 * (values["beta"] * values["M"] + values["lambda_"]) / sigma
    assert hockey_stick(mu, values["epsilon"], dps=50) < values["delta"]


def spent(n: int, nats: float, share: float, c: float, least: tuple[int, int]):
    """epsilon that the two lemmas grant at sigma = max(K) sigma_rate, over the epsilon asked for: step by step in numbers."""
    m = mp(40)
    log_n = m.log(m.real(n))
    s, big = m.real(nats), log_n + m.real(nats)
    delta, constant = m.exp(-s), max(least[0], least[1] * c)
    epsilon = share * min(m.real(1), c * m.sqrt(big / n))
    rho = 2 * epsilon**2 * n / (constant * big) ** 2
    if n < 16 * m.exp(m.frac(1, 2)) * m.log(4 / delta):
        return (rho + 2 * m.sqrt(rho * s)) / epsilon
    one = rho + 2 * m.sqrt(rho * m.log(22 * n / delta))
    if one > m.frac(1, 2):
        return m.inf
    shuffled = 9 * (m.exp(one / 2) - m.exp(-one / 2)) * m.sqrt(m.log(2 / delta) / n)
    assert 4 * m.exp(m.real(1)) * n / (22 * n) <= m.frac(1, 2)
    return shuffled / epsilon


numbers = (st.integers(2, 10**12), st.floats(1e-9, 1000), st.floats(1e-6, 1), st.floats(0.01, 50))


@given(*numbers)
def test_lemmas_leave_room(n: int, nats: float, share: float, c: float):
    assert spent(n, nats, share, c, LEAST) <= 1


def test_a_smaller_constant_does_not_suffice_for_them():
    """Negative control."""
    assert spent(10**6, 20.0, 1.0, 1.0, (12, 3)) > 1
    assert spent(30, 20.0, 1.0, 1.0, (2, 2)) > 1


def norm(x, r: float) -> float:
    return sum(abs(a) ** r for a in x) ** (1 / r)


plane = st.tuples(st.floats(-3, 3), st.floats(-3, 3))


@given(plane, plane, st.floats(1.01, 30), st.sampled_from([2.0, 3.0, 4.0, 8.0]))
def test_noise_of_a_smooth_norm(z, s, order: float, r: float):
    """The inequality behind the Renyi bound, for l_r on the plane, whose half square is (r - 1)-smooth."""

    def f(factor: float) -> float:
        return norm([a - factor * b for a, b in zip(z, s, strict=True)], r) ** 2 / 2

    left = f(order) + (order - 1) * f(0) - order * f(1)
    assert left <= order * (order - 1) * (r - 1) * norm(s, r) ** 2 / 2 * (1 + 1e-9) + 1e-9


def test_a_smoothness_of_one_would_not_do():
    """Negative control: at r = 4 the factor r - 1 is needed, not 1."""
    z, s, order, r = (1.0, 1.0), (0.1, -0.1), 2.0, 4.0
    values = [norm([a - k * b for a, b in zip(z, s, strict=True)], r) ** 2 / 2 for k in (order, 0.0, 1.0)]
    assert values[0] + (order - 1) * values[1] - order * values[2] > order * (order - 1) * norm(s, r) ** 2 / 2


def test_amendment_is_certified(amended):
    assert amended.verdict is Verdict.CERTIFIED
    assert len(amended.mutants[Fate.KILLED]) == 12
    assert not {Fate.SURVIVED, Fate.UNKNOWN} & {*amended.mutants}


def test_certificate_is_void_elsewhere():
    claim, decide = find("lp/thm-9-amended"), judge_of("lp/thm-9-amended")
    assert decide is not None
    others = [replace(claim, preconditions=()), replace(claim, adjacency=Adjacency.ADD_REMOVE)]
    others += [replace(claim, parameters=tuple(p.within(positive) if p.name == "kappa" else p for p in claim.parameters))]
    assert [fold(decided(other, decide)) for other in others] == [Verdict.OPEN] * 3


def test_halving_a_hidden_constant_is_no_falsehood():
    (true,) = [mutant for mutant in of_amended() if "still true" in mutant.says]
    assert true.false() is False
