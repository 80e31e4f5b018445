"""The uniform deviation and the sphere: lemmas by enumeration and on random convex functions, verdicts, mutants."""

from dataclasses import replace
from fractions import Fraction
from itertools import product

import pytest
import sympy
from hypothesis import given
from hypothesis import strategies as st

from dpsco.judges.analysis.concentration.uniform_deviation import LANDSCAPES, proved_part, tail, uniform_deviation
from dpsco.judging import decided, judge
from dpsco.mutant import Fate, scaled
from dpsco.mutants.analysis.concentration import uniform_deviation as mutants
from dpsco.reference.numbers.mp import mp
from dpsco.spec.register import find
from dpsco.verdict import Reading, Severity, Verdict, fold

F = Fraction
thirds = st.fractions(F(-5), F(5), max_denominator=6)


def test_sphere_fails_for_arbitrary_functions_and_algebra_agrees():
    found = judge("quantile/lem-B.1", with_mutants=False)
    (finding,) = (f for f in found.findings if f.reading is Reading.ANOTHER)
    assert (finding.verdict, finding.severity) == (Verdict.REFUTED, Severity.DOMAIN)
    t = sympy.Symbol("t", real=True)
    lhat = t**2 * (t - 3) ** 2 - t**2
    least = min(sympy.solve(sympy.diff(lhat, t), t), key=lambda root: lhat.subs(t, root))
    assert sympy.simplify(least - (9 + sympy.sqrt(17)) / 4) == 0
    assert finding.computed is not None
    assert finding.computed[0] < str(least.evalf(20)) < finding.computed[1]
    assert min(lhat.subs(t, 1), lhat.subs(t, -1)) - lhat.subs(t, 0) == int(finding.at["least_increase"])


def test_landscapes_are_what_they_say():
    """Increase on the sphere, hill and a minimiser, from the functions themselves."""
    functions = (
        lambda t: t**2 * (t - 3) ** 2 - t**2,
        lambda t: F("0.49") - t if t <= F("0.49") else 1000 * (t - F("0.49")),
        lambda t: F("0.99") - t if t <= F("0.99") else 1000 * (t - F("0.99")),
        lambda t: F(0),
        lambda t: abs(t - 2),
    )
    for land, lhat in zip(LANDSCAPES, functions, strict=True):
        assert min(lhat(F(1)), lhat(F(-1))) - lhat(F(0)) == F(land.increase)
        middle = (F(land.distance[0]) + F(land.distance[1])) / 2
        assert lhat(middle) <= min(lhat(t) for t in mutants.GRID) + F(1, 10**6)
        ahead = [lhat(t * middle / 100) for t in (F(k) for k in range(101))]
        assert (max(ahead) - max(ahead[0], ahead[-1]) > 0) == (F(land.hill) > 0)


@given(st.lists(st.tuples(thirds, thirds), min_size=1, max_size=5), st.fractions(F(1, 6), F(5), max_denominator=6))
def test_segment_lemma_on_convex_functions(lines: list[tuple[Fraction, Fraction]], radius: Fraction):
    """Lhat the largest of some lines and 3|t| - 9: its minimisers are among the kinks; those of a larger value need not be."""
    lines = [*lines, (F(3), F(-9)), (F(-3), F(-9))]

    def lhat(t: Fraction) -> Fraction:
        return max(a * t + b for a, b in lines)

    kinks = [(d - b) / (a - c) for (a, b), (c, d) in product(lines, lines) if a != c]
    lowest = min(lhat(t) for t in kinks)
    if min(lhat(radius), lhat(-radius)) > lhat(F(0)):
        assert all(abs(t) <= radius for t in kinks if lhat(t) == lowest)


@pytest.mark.parametrize(("id", "killed"), [("lem-B.1", 4), ("lem-B.2", 8)])
def test_certified_with_every_mutant_killed(id: str, killed: int):
    found = judge(f"quantile/{id}")
    assert found.verdict is Verdict.CERTIFIED
    assert len(found.mutants[Fate.KILLED]) == killed
    assert not {Fate.SURVIVED, Fate.UNKNOWN} & set(found.mutants)


def test_constants_decide_the_certificate():
    """C = 3, k = 4 leaves room; the least C that bounded differences prove with k = 4 is sqrt(3)."""
    claim = find("quantile/lem-B.2")
    assert proved_part(claim, "deviation") == (True, "C^2 = 9, k = 4: C^2 >= 2 + 4/k")
    assert not proved_part(scaled(claim, "deviation", 1, 2), "deviation")[0]
    flat = replace(claim, formulas={**claim.formulas, "covering_scale": lambda m: m.frac(1, 10)})
    assert fold(decided(flat, uniform_deviation)) is Verdict.OPEN


@given(st.fractions(F(4, 7), F(9), max_denominator=7), st.fractions(F(0), F(2000), max_denominator=3))
def test_cauchy_step(k: Fraction, s: Fraction):
    m = mp(40)
    left = (2 + m.sqrt(2 * m.real(s))) ** 2
    assert left <= (4 / m.real(k) + 2) * m.real(k + s) * (1 + m.real("1e-30"))


def test_tail_by_enumeration():
    for n, above in product((1, 2, 7), (-3, -1, 0, 2, 5)):
        counted = sum(1 for signs in product((1, -1), repeat=n) if sum(signs) > above)
        assert tail(n, above) == F(counted, 2**n)
        assert tail(n, above) == sum((p for total, p in mutants.sums_of_signs(n).items() if total > above), F(0))


@given(
    st.lists(st.tuples(st.sampled_from([-1, 0, 1]), st.integers(-3, 3)), min_size=1, max_size=3),
    st.integers(1, 3),
    st.fractions(F(1, 10), F(9, 10), max_denominator=10),
)
def test_expected_supremum_by_enumeration(records: list[tuple[int, int]], n: int, r: Fraction):
    """All samples of n equally likely records, d = 1, |x| <= 1, r_0 = 1: the mean supremum is at most 2 max(r, 1-r)/sqrt(n)."""

    def change(record: tuple[int, int], delta: int) -> Fraction:
        x, y = record
        return max(r * (y - delta * x), (r - 1) * (y - delta * x)) - max(r * y, (r - 1) * y)

    means = {delta: sum((change(z, delta) for z in records), F(0)) / len(records) for delta in (1, -1)}
    samples = list(product(records, repeat=n))
    suprema = [max(means[delta] - sum((change(z, delta) for z in sample), F(0)) / n for delta in (1, -1)) for sample in samples]
    average = sum(suprema, F(0)) / len(samples)
    assert average**2 * n <= 4 * max(r, 1 - r) ** 2
    assert average >= 0
