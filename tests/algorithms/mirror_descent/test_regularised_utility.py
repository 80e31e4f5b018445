"""Rates of regularised mirror descent: the printed potential by running it, the range of n, the amendment."""

from dataclasses import replace

import pytest

from dpsco.arguments.algorithms.mirror_descent import overshoot
from dpsco.judging import decided, judge, judge_of
from dpsco.mutant import Fate, scaled, with_formula
from dpsco.mutants.algorithms.mirror_descent.regularised_utility import flat, leaves
from dpsco.reference.algorithms.mirror_descent.proximal_step import proximal_step
from dpsco.reference.numbers.enclosure import arb
from dpsco.reference.numbers.mp import mp
from dpsco.spec.algorithms.mirror_descent import regularised_utility as spec
from dpsco.spec.register import find
from dpsco.verdict import Part, Proof, Reading, Verdict, fold

AMENDED = find("lp/thm-7-amended")


@pytest.fixture(scope="module")
def printed():
    return judge("lp/thm-7")


def excess(T: int, K: int, alpha):
    """Excess of the weighted average on losses along the diagonal, L = beta = 1, in s = <u, w>, without noise."""
    m = mp(30)
    s, total, weights = m.real(0), m.real(0), m.real(0)
    for t in range(1, T + 1):
        s = (s - K * max(m.real(-1), min(m.real(1), s - 1)) / 2) / (1 + alpha)
        weight = (1 + alpha / 2) ** t
        total, weights = total + weight * s, weights + weight
    gap = abs(total / weights - 1)
    return gap - m.frac(1, 2) if gap > 1 else gap**2 / 2


def test_the_line_is_the_algorithm():
    """The step in s = <u, w> against the literal proximal step in d = 27 dimensions."""
    m, d = mp(30), 27
    u, w, s, alpha = [m.frac(1, 3)] * d, [m.real(0)] * d, m.real(0), m.frac(1, 4)
    for _ in range(4):
        slope = max(m.real(-1), min(m.real(1), s - 1))
        assert abs(m.dot(u, w) - s) < m.real("1e-25")
        w = proximal_step(m, w, [slope * x for x in u], m.real(2), m.real(2), alpha, m.real(1))
        s = (s - 3 * slope / 2) / (1 + alpha)
    assert abs(m.norm(u, m.real(3)) - 1) < m.real("1e-25")


@pytest.mark.parametrize(("T", "K"), [(17, 100), (33, 1000), (101, 10201)])
def test_reached_risk_is_below_the_run(T: int, K: int):
    m = mp(30)
    alpha = 4 * m.log(m.real(T)) / m.log(m.real(2)) / (T + 1)
    v = {"L": 1, "beta": 1, "d": m.real(K) ** 3, "kappa": 2, "T": T, "n": T * T, "C": 0, "epsilon": 1, "delta": m.real("0.1")}
    v = {name: m.real(value) for name, value in v.items()} | {"alpha": alpha}
    run = excess(T, K, alpha)
    assert abs(overshoot.after_many_steps(m, v) - run) < m.real("1e-20")  # exact where there is no noise
    assert excess(T, 1, alpha) < 1  # control: steps of the right length


def three(K: int, share):
    """The average of three steps on n = 6 records, alpha = beta = L = 1, slopes times `share`, in s = <u, w>."""
    m = mp(30)
    s, total, weights = m.real(0), m.real(0), m.real(0)
    for t in range(1, 4):
        s = (s - K * share * max(m.real(-1), min(m.real(1), s - 1)) / 2) / 2
        total, weights = total + m.frac(3, 2) ** t * s, weights + m.frac(3, 2) ** t
    return total / weights


def test_three_steps_by_running_them():
    m = mp(30)
    v = {"L": 1, "beta": 1, "alpha": 1, "d": 10**12, "T": 3, "n": 6, "kappa": 2, "C": 0, "epsilon": 1}
    v = {name: m.real(value) for name, value in v.items()} | {"delta": m.real("0.1")}
    assert abs(overshoot.averaged(m, v) - three(10**4, 1) / 5000) < m.real("1e-20")
    apart = three(10**4, 1) - three(10**4, m.frac(5, 6))
    assert abs(overshoot.neighbours_apart(m, v) - apart) < m.real("1e-15")
    assert 169 < apart < 171  # 1.7e2, found by another reader's run
    assert abs(overshoot.after_many_steps(m, v) - excess(3, 10**4, m.real(1))) < m.real("1e-12")
    loud = {**v, "C": m.real(1), "delta": m.real("1e-40"), "epsilon": m.real(184), "d": m.real(10) ** 12}
    assert overshoot.neighbours_apart(m, loud) < 0  # control: the noise is counted


@pytest.mark.parametrize("signs", range(8))
def test_bounded_noise_moves_the_average_by_its_weighted_sum_only(signs: int):
    """PAIR and ALTERNATES at T = 3, y = 1/2: with |xi| = (1 - rho)/4 the slopes stay, on both data sets."""
    m, K = mp(30), 48
    for share in (m.real(1), m.frac(5, 6)):
        x, slopes = m.real(0), []
        for k in range(3):
            s = K * x / 2
            slope = max(m.real(-1), min(m.real(1), s - 1))
            slopes.append(int(slope) if slope == int(slope) else None)
            x = (x - share * slope - m.frac(1, 8) * (1 if signs >> k & 1 else -1)) / 2
        assert slopes == [-1, 1, -1]


def test_printed_potential_is_what_fails(printed):
    assert (printed.verdict, printed.proof) == (Verdict.OPEN, Proof.BROKEN)
    false = [f for f in printed.findings if f.verdict is Verdict.REFUTED and f.asserts]
    assert [str(f.asserts[0]) for f in false] == [str(relation) for relation in spec.RESULT[:3]]
    assert [f.about for f in false] == [Part.STATEMENT, Part.PROOF, Part.PROOF]
    assert [f.reading for f in false] == [Reading.ANOTHER, Reading.PRINTED, Reading.PRINTED]
    for f in printed.findings:
        if f in false:
            assert f.claimed is not None
            assert f.computed is not None
            assert "at least" in f.method
            assert float(f.computed[0]) > 100 * float(f.claimed.split()[-1])
            held = find("lp/thm-7").preconditions[1:]
            m = arb(192)
            values = {name: m.real(value) for name, value in f.at.items()} | {"c_n": m.real(1), "c_T": m.real("1.1")}
            assert all(predicate(m, values) is True for predicate in held)
            assert m.le(values["epsilon"], -2 * m.log(values["delta"])) is True
            alpha = spec.alpha_choice(m, beta=values["beta"], T=values["T"], n=values["n"])
            assert m.le(alpha, values["beta"] * (1 + m.real("1e-30"))) is True
            assert m.ge(values["T"] * (1 + m.real("1e-30")), 2 * values["beta"] / alpha) is True


def test_range_of_n_is_turned_round(printed):
    link = [f for f in printed.findings if f.scope.startswith("link: the condition on n")]
    assert [(f.verdict, f.reading) for f in link] == [
        (Verdict.REFUTED, Reading.PRINTED),
        (Verdict.CERTIFIED, Reading.MEANT),
    ]
    m, quotients = mp(30), []
    for k in (1, 10, 100):  # n = 100, epsilon = 10^(2 k), d and ln(1/delta) fixed: n is below the threshold
        v = {"n": m.real(100), "epsilon": m.real(10) ** (2 * k), "kappa": m.real(2), "d": m.real(3), "delta": m.real("0.1")}
        assert spec.n_is_below_threshold(m, c_n=m.real(1), **v)
        quotients.append(spec.steps_choice(m, **v) / m.sqrt(v["n"] * m.sqrt(v["kappa"])))
    assert quotients[2] > 1e10 * quotients[1] > 1e3 * quotients[0]


def test_amendment_is_certified_and_its_mutants_die():
    found = judge("lp/thm-7-amended")
    assert found.verdict is Verdict.CERTIFIED
    assert set(found.mutants) == {Fate.KILLED}
    assert len(found.mutants[Fate.KILLED]) == 8
    assert not leaves(AMENDED, n=4)
    for p, d in (("1.1", 2), ("1.9", 2), ("1.5", 64), ("1.9", 64)):
        assert not flat(AMENDED, p, d)


def test_amended_conditions_can_be_met():
    m = mp(30)
    v = {"n": 63 * 2**10, "d": 4, "delta": "1e-6", "epsilon": 1, "kappa": 3, "beta": 1, "L": 1, "T": 63, "alpha": "0.625"}
    v |= {"c_n": 1, "c_T": 2, "largest_gradient_norm": 1}
    v = {name: m.real(value) for name, value in v.items()}
    assert abs(spec.alpha_choice(m, beta=v["beta"], T=v["T"], n=v["n"]) - v["alpha"]) < m.real("1e-25")
    assert all(predicate(m, v) is True for predicate in AMENDED.preconditions)


def test_judge_reads_what_it_certifies():
    decide = judge_of(AMENDED.id)
    assert decide is not None

    def verdict(claim):
        return fold(decided(claim, decide))

    assert verdict(scaled(AMENDED, "noise_scale_rate", 3, 1)) is Verdict.CERTIFIED  # a constant
    loud = with_formula(AMENDED, "noise_scale_rate", lambda m, L, n: L**2 / n)
    assert verdict(loud) is Verdict.OPEN
    assert verdict(scaled(AMENDED, "alpha_choice", 1, 2)) is Verdict.OPEN
    assert verdict(with_formula(AMENDED, "stability_rate", lambda m, L, n, alpha: L / (n * alpha))) is Verdict.OPEN
    for predicate in AMENDED.preconditions:
        less = replace(AMENDED, preconditions=tuple(p for p in AMENDED.preconditions if p is not predicate))
        assert verdict(less) is not Verdict.CERTIFIED
    assert verdict(replace(AMENDED, asserts=AMENDED.asserts[:-1])) is not Verdict.CERTIFIED  # the potential is not said
