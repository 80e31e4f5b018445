"""The time that is left of a `verify`: on a simulated clock, with costs as skewed as those of judges are."""

import heapq
import json
import random
from collections.abc import Callable, Mapping
from itertools import pairwise
from pathlib import Path

import pytest

from dpsco.running import pace
from dpsco.running.judgements import judgements

WORKERS = 2
Left = Callable[[Mapping[str, float], int, float], float | None]
"""(seconds of what is done, how many there are, elapsed) -> seconds left."""


def profile(seed: int, new: float = 0.0) -> tuple[dict[str, float], dict[str, float]]:
    """What 390 judgements take, the dear ones late in the register; and what is recorded, but for a share that is new."""
    rng = random.Random(seed)
    took = {f"p{i // 10}/c-{i}": rng.lognormvariate(0, 1) * (0.15 if i < 270 else 4) for i in range(390)}
    recorded = {id: seconds / 2.3 * rng.uniform(0.8, 1.25) for id, seconds in took.items() if rng.random() >= new}
    return took, recorded


def clocked(took: Mapping[str, float], left: Left) -> list[tuple[float, float | None]]:
    """The true time left and the one said, at each judgement's end: workers take the next one as they become free."""
    free, ends = [0.0] * WORKERS, []
    for id, seconds in took.items():
        ends.append((heapq.heappushpop(free, free[0] + seconds) + seconds, id))
    whole, done, found = max(free), {}, []
    for end, id in sorted(ends):
        done[id] = took[id]
        found.append((whole - end, left(done, len(took), end)))
    return found


def misses(found: list[tuple[float, float | None]]) -> tuple[float, float]:
    """After a quarter of the time, until a fifth is left: the largest share by which it is off; the largest rise."""
    whole = found[0][0]
    said = [(true, told) for true, told in found if 0.2 * whole < true < 0.75 * whole]
    assert len(said) > 30
    assert all(told is not None for _, told in said)
    off = max(abs((told or 0.0) - true) / true for true, told in said)
    rise = max((b or 0.0) - (a or 0.0) for (_, a), (_, b) in pairwise(said))
    return off, rise / whole


def at_pace(done: Mapping[str, float], total: int, elapsed: float) -> float | None:
    """The control: what was said before."""
    return elapsed * (total - len(done)) / len(done)


def told(seed: int, new: float = 0.0) -> tuple[float, float]:
    took, recorded = profile(seed, new)
    concepts = {id: id.split("/")[0] for id in took}
    return misses(clocked(took, lambda done, _, elapsed: pace.left(recorded, done, concepts, elapsed, WORKERS)))


@pytest.mark.parametrize("seed", range(10))
def test_what_is_left_is_told_from_what_judgements_took(seed: int):
    off, rise = told(seed)
    assert off < 0.3
    assert rise < 0.05
    assert misses(clocked(profile(seed)[0], at_pace))[0] > 0.6  # the control fails


def test_a_few_new_claims_are_guessed_from_their_concepts():
    """One in 20 has no record: a dear one among them near the end cannot be known."""
    assert sum(told(seed, 0.05)[0] < 0.3 for seed in range(10)) >= 8


def test_without_records_it_is_the_pace():
    """Equal costs, nothing recorded; and nothing is said before a twentieth is done."""
    took = {f"p/c-{i}": 2.0 for i in range(200)}
    found = clocked(took, lambda done, _, elapsed: pace.left({}, done, dict.fromkeys(took, "p"), elapsed, WORKERS))
    assert [told for _, told in found[:9]] == [None] * 9
    assert all(told == pytest.approx(true, abs=2.1) for true, told in found[10:-2])


def test_a_judgement_that_is_overdue_is_not_told_to_be_over():
    """Records that are far too low: what waits behind it counts, and by itself it says nothing."""
    took = {f"p/c-{i}": 1.0 if i < 50 else 100.0 for i in range(60)}
    found = clocked(
        took, lambda done, _, elapsed: pace.left(dict.fromkeys(took, 1.0), done, dict.fromkeys(took, "p"), elapsed, 2)
    )
    assert all(told is None or told > 0 for _, told in found)
    assert pace.left({"p/a": 1.0}, {}, {"p/a": "p"}, 50.0, 1) is None


def test_seconds_are_kept_beside_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("DPSCO_CACHE", str(tmp_path))
    pace.record("judgements", {"a/b": 1.5, "a/c": 2.0})
    pace.record("judgements", {"a/b": 1.0})
    assert pace.recorded("judgements") == {"a/b": 1.0, "a/c": 2.0}
    for damaged in ("[]", "{", '{"a/b": "x"}', '{"a/b": null}'):
        (tmp_path / "pace" / "judgements.json").write_text(damaged, encoding="utf-8")
        assert pace.recorded("judgements") == {}


def test_judgements_are_recorded_and_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("DPSCO_CACHE", str(tmp_path))

    class Watch:
        total, current, left = 0, "", None

        def at(self, current: str) -> None:
            self.current = current

        def step(self) -> None:
            self.left_then = self.left(1.0) if self.left is not None else "never asked"

    watch = Watch()
    judgements(["bilevel/lem-A.3"], 1, watch)
    assert watch.left_then is None  # one judgement is too few to tell
    assert set(json.loads((tmp_path / "pace" / "judgements.json").read_text(encoding="utf-8"))) == {"bilevel/lem-A.3"}
