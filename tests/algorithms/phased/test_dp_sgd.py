"""Phased DP-SGD's noise: the shift of one phase by running it, the profile by quadrature, the judged claim and its mutants."""

from dataclasses import replace
from fractions import Fraction
from math import hypot

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpsco.judges.algorithms.phased.dp_sgd import lengths
from dpsco.judging import decided, judge, judge_of
from dpsco.mutant import Fate, scaled
from dpsco.mutants.algorithms.phased.dp_sgd import average, exceeds
from dpsco.mutants.privacy.gaussian import hockey_stick
from dpsco.reference.algorithms.phased import sgd as reference
from dpsco.reference.numbers.mp import mp
from dpsco.spec.algorithms.phased import sgd
from dpsco.spec.claim import Adjacency
from dpsco.spec.domain import Interval
from dpsco.spec.register import find
from dpsco.verdict import Reading, Severity, Verdict, fold


def huber_gradient(w, record, L: float, beta: float):
    """Gradient of a convex, beta-smooth, L-Lipschitz loss of |w - record|."""
    apart = [a - b for a, b in zip(w, record, strict=True)]
    length = hypot(*apart)
    return [min(beta, L / length if length else beta) * a for a in apart]


def phase(records, step: float, L: float, beta: float):
    """Average of the n + 1 iterates from 0."""
    iterates = [[0.0, 0.0]]
    for record in records:
        gradient = huber_gradient(iterates[-1], record, L, beta)
        iterates.append([a - step * b for a, b in zip(iterates[-1], gradient, strict=True)])
    return [sum(coordinate) / len(iterates) for coordinate in zip(*iterates, strict=True)]


points = st.tuples(st.floats(-3, 3), st.floats(-3, 3))


@given(
    st.lists(points, min_size=1, max_size=8),
    points,
    st.integers(0, 7),
    st.floats(0.01, 2),
    st.floats(0.1, 5),
    st.floats(0.1, 2),
)
def test_a_phase_moves_by_no_more_than_the_lemma_says(records, other, place: int, share: float, L: float, beta: float):
    step, n = share / beta, len(records)
    changed = [other if i == place % n else record for i, record in enumerate(records)]
    a, b = phase(records, step, L, beta), phase(changed, step, L, beta)
    assert hypot(a[0] - b[0], a[1] - b[1]) <= 2 * L * step * n / (n + 1) * (1 + 1e-9) + 1e-12


def test_longer_steps_do_move_further():
    """Negative control: beyond 2/beta the iterates part."""
    records, L, beta, step = [(1e-3, 0.0)] * 12, 1.0, 1.0, 3.0
    a, b = phase(records, step, L, beta), phase([(-1e-3, 0.0), *records[1:]], step, L, beta)
    small = hypot(*(huber_gradient([0.0, 0.0], (1e-3, 0.0), L, beta)))
    assert hypot(a[0] - b[0], a[1] - b[1]) > 2 * small * step * 12 / 13


@pytest.mark.parametrize("n", [1, 2, 50])
def test_linear_losses_attain_the_shift(n: int):
    rest = [Fraction(7)] * (n - 1)
    apart = average([Fraction(3), *rest], Fraction(1, 5)) - average([Fraction(-3), *rest], Fraction(1, 5))
    assert abs(apart) == 2 * 3 * Fraction(1, 5) * Fraction(n, n + 1)


@given(st.floats(0.01, 1), st.floats(1e-6, 300))
def test_profile_by_quadrature_stays_below_delta(share: float, nats: float):
    """The certificate at places that the judge does not use, delta near 1 and tiny, epsilon up to 2 ln(1/delta)."""
    m = mp(40)
    s = m.real(nats)
    epsilon = 2 * m.real(share) * s
    assert hockey_stick(epsilon / (2 * m.sqrt(s)), epsilon, dps=40) < m.exp(-s)


def test_lemma_is_certified_for_both_releases():
    judgement = judge("lp/lem-14")
    assert judgement.verdict is Verdict.CERTIFIED
    assert len({f.release for f in judgement.findings}) == 2
    assert len(judgement.mutants[Fate.KILLED]) == 5
    assert not {Fate.SURVIVED, Fate.UNKNOWN} & {*judgement.mutants}


def test_mutants_measure_finds_nothing_wrong_with_the_claim():
    """Negative control of the quadrature that condemns the mutants."""
    claim = find("lp/lem-14")
    assert not exceeds(claim, "184", "1e-40")
    assert not exceeds(claim, "1", "1e-3")
    assert exceeds(scaled(claim, "phase_sigma", 1, 3), "184", "1e-40")


def test_certificate_is_void_elsewhere():
    claim, decide = find("lp/lem-14"), judge_of("lp/lem-14")
    assert decide is not None
    others = [replace(claim, preconditions=claim.preconditions[:2] + claim.preconditions[3:])]
    others += [replace(claim, preconditions=claim.preconditions[1:]), replace(claim, adjacency=Adjacency.ADD_REMOVE)]
    closed = Interval("0", "1", True, False)
    others += [replace(claim, parameters=tuple(p.within(closed) if p.name == "delta" else p for p in claim.parameters))]
    verdicts = [fold(decided(other, decide)) for other in others]
    assert verdicts[0] is Verdict.REFUTED  # every epsilon: too little noise
    assert verdicts[1:] == [Verdict.OPEN] * 3


@given(st.integers(1, 10**9))
def test_phases_leave_out_a_record_for_each_binary_digit(n: int):
    """Legendre's sum, against the count of digits; no phase is empty."""
    found = sgd.lengths(n)
    assert sum(found) == n - n.bit_count()
    assert all(size >= 1 for size in found)
    assert n >> len(found) == 1


@pytest.mark.parametrize("n", [2, 3, 6, 8, 1000, 1024, 1000001])
def test_judge_reads_the_lengths_that_the_algorithm_takes(n: int):
    assert lengths(find("lp/alg-6"), n) == sgd.lengths(n)


def test_partition_of_all_records_is_a_misprint():
    found = judge("lp/alg-6")
    assert (found.verdict, found.severity, found.amendments) == (Verdict.REFUTED, Severity.MISPRINT, ["lp/alg-6-amended"])
    (wrong,) = [f for f in found.findings if f.verdict is Verdict.REFUTED]
    n = int(wrong.at["n"])
    assert wrong.computed == (str(sum(sgd.lengths(n))),) * 2
    assert wrong.claimed == str(n)
    assert {f.verdict for f in found.findings if f.reading is Reading.MEANT} == {Verdict.CERTIFIED}


def test_amended_text_is_certified_and_its_mutants_die():
    found = judge("lp/alg-6-amended")
    assert found.verdict is Verdict.CERTIFIED
    assert len(found.mutants[Fate.KILLED]) == 4
    assert {*found.mutants} == {Fate.KILLED}


def test_the_printed_formulas_make_the_literal_run():
    """The literal algorithm step by step from the claim's own formulas, on slopes that do not depend on w."""
    claim, m, n = find("lp/alg-6"), mp(40), 7
    X, y, normals = [[float(i + 1)] for i in range(n)], [1e9] * n, [[0.25], [-2.0]]
    values = {"n": m.real(n), "eta": m.real("0.5"), "L": m.real(3), "epsilon": m.real(2), "delta": m.real("0.01")}
    w, used = m.real(0), 0
    for i in range(1, int(claim.formulas["phases"](m, n=values["n"])) + 1):
        v = {**values, "i": m.real(i)}
        step = claim.formulas["phase_step"](m, eta=v["eta"], i=v["i"])
        path = [w]
        for x in X[used : used + int(claim.formulas["phase_length"](m, n=v["n"], i=v["i"]))]:
            path.append(path[-1] + step * m.frac(3, 4) * m.real(x[0]))
            used += 1
        sigma = claim.formulas["phase_sigma"](m, **{name: v[name] for name in ("L", "eta", "i", "epsilon", "delta")})
        w = sum(path, start=m.real(0)) / len(path) + sigma * m.real(normals[i - 1][0])
    over_step = 4 * values["L"] * m.sqrt(m.log(1 / values["delta"])) / values["epsilon"]
    released, _ = reference.descend(m, "check", X, y, normals, values["eta"], m.real(1), m.real("0.75"), over_step)
    assert abs(released[-1][0] - w) < m.real("1e-30")
    assert used == 4
