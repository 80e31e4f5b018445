"""The checks behind the pytest plugin: neighbours of a strategy, broken mechanisms beside sound twins, replay, one run."""

import functools
import math
import zlib
from collections.abc import Callable
from fractions import Fraction
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import strategies as st

from dpsco.audit import foreign
from dpsco.audit.checks import Claim, Found, one_run, two_sample
from dpsco.audit.foreign import OUTSIDE, leaks
from dpsco.audit.neighbours import ADJACENCIES, Pair, explicit, neighbours
from dpsco.spec.claim import Adjacency

REPLACE, ADD, KNOWN = Adjacency.REPLACE_ONE, Adjacency.ADD_REMOVE, Adjacency.ADD_ONE_N_FIXED
LEVEL, RUNS = Fraction(1, 1000), 4000
UNIT = st.floats(0, 1)


def rng(seed: int = 0) -> np.random.Generator:
    return np.random.Generator(np.random.Philox(seed))


def tried(mechanism: Any, adjacency: Adjacency = REPLACE, rows: Any = UNIT, delta: object = 0, epsilon: object = 1) -> Found:
    pairs = neighbours(rows, adjacency, sizes=(1, 4))
    return two_sample(mechanism, pairs, Claim.of(epsilon, delta, adjacency), LEVEL, RUNS, rng())


KINDS = {
    "a number": st.floats(-2, 3),
    "a vote": st.integers(0, 2),
    "a truth": st.booleans(),
    "any float": st.floats(),
    "two numbers": st.tuples(st.floats(0, 1), st.floats(-1, 1)),
    "words": st.sampled_from(["red", "green", "blue"]),
    "named": st.fixed_dictionaries({"age": st.integers(0, 99), "town": st.sampled_from("ab")}),
}


@pytest.mark.parametrize("word", ADJACENCIES)
@pytest.mark.parametrize("kind", KINDS)
def test_pairs_are_neighbours_none_twice_and_the_same_again(kind: str, word: str):
    adjacency = ADJACENCIES[word]
    pairs = neighbours(KINDS[kind], adjacency, seed=7)
    for pair in pairs:
        zero, one = (list(map(repr, data)) for data in (pair.zero, pair.one))
        assert zero != one
        if adjacency is REPLACE:
            assert sum(a != b for a, b in zip(zero, one, strict=True)) == 1
        else:
            assert any(one[:k] + one[k + 1 :] == zero for k in range(len(one)))
        assert pair.n == (None if adjacency is ADD else len(zero))
    assert len({(repr(pair.zero), repr(pair.one)) for pair in pairs}) == len(pairs)
    again = neighbours(KINDS[kind], adjacency, seed=7)
    assert [(p.says, repr(p.zero), repr(p.one)) for p in again] == [(p.says, repr(p.zero), repr(p.one)) for p in pairs]


@pytest.mark.parametrize("seed", range(4))
def test_zero_extreme_and_equal_rows_are_among_them(seed: int):
    pairs = neighbours(st.floats(-2, 3), REPLACE, sizes=(3,), seed=seed)
    made = [(sorted(pair.zero), sorted(pair.one)) for pair in pairs]
    low, high = min(min(*zero, *one) for zero, one in made), max(max(*zero, *one) for zero, one in made)
    assert -2 <= low < -1.9
    assert 3 >= high > 2.9
    for equal, other in ((low, high), (high, low), (0.0, high), (0.0, low)):
        wanted = [equal] * 3, sorted([equal, equal, other])
        assert wanted in made or wanted[::-1] in made
    odd = neighbours(st.floats(), ADD, seed=seed)
    assert any(any(map(math.isnan, pair.one)) or any(map(math.isinf, pair.one)) for pair in odd)


def test_no_row_is_in_what_a_pair_says():
    pairs = neighbours(st.floats(0.12345, 0.54321), REPLACE)
    assert not [pair.says for pair in pairs if "." in pair.says]


def test_data_sets_are_built_as_is_said_and_may_be_given():
    assert all(isinstance(pair.zero, np.ndarray) for pair in neighbours(UNIT, REPLACE, build=np.array))
    assert [(p.zero, p.one, p.n) for p in explicit([([1], [2])], REPLACE)] == [([1], [2], 1)]
    assert explicit([([1], [1, 2])], ADD)[0].n is None
    assert explicit([([1, 2], [1])], KNOWN)[0].n == 1
    both = st.lists(UNIT, min_size=1).map(lambda rows: (rows, rows[1:]))
    assert all(pair.zero[1:] == pair.one for pair in explicit(both, ADD))


def on_every_other_call(sound: bool) -> Callable[..., Any]:
    """A counter of calls: harmless where it is only kept, and where it decides about the noise it is not."""
    calls = iter(range(10**9))

    def mechanism(data: Any, rng: np.random.Generator) -> float:
        noised = next(calls) % 2 == 0 or sound
        return float(sum(data) + rng.laplace(0, 1) * noised)

    return mechanism


def with_chance(chance: float) -> Callable[..., Any]:
    """The data themselves, with a chance that delta should allow for."""

    def mechanism(data: Any, rng: np.random.Generator, size: int) -> Any:
        return sum(data) + np.where(rng.random(size) < chance, 0.0, rng.laplace(0, 1, size))

    return mechanism


def scaled(scale: float) -> Callable[..., Any]:
    return lambda data, rng, size: sum(data) + rng.laplace(0, scale, size)


def own_seed(of: Callable[[Any], bytes]) -> Callable[..., Any]:
    def mechanism(data: Any, rng: np.random.Generator) -> float:
        return float(sum(data) + np.random.default_rng([zlib.crc32(of(data)), int(rng.integers(2**63))]).laplace(0, 1))

    return mechanism


def seeded_by_data(data: Any, rng: np.random.Generator) -> float:
    return float(sum(data) + np.random.default_rng(zlib.crc32(repr(data).encode())).laplace(0, 1))


def public_count(data: Any, rng: np.random.Generator, n: int, size: int) -> Any:
    return sum(data) / n + rng.laplace(0, 1 / n, size)


def own_count(data: Any, rng: np.random.Generator, size: int) -> Any:
    return sum(data) / len(data) + rng.laplace(0, 1 / len(data), size)


def noisiest(scale: float) -> Callable[..., Any]:
    def mechanism(data: Any, rng: np.random.Generator) -> int:
        return int(np.argmax(np.bincount(data, minlength=3) + rng.laplace(0, scale, 3)))

    return mechanism


VOTES = st.integers(0, 2)
TWINS: dict[str, tuple[Callable[..., Any], Callable[..., Any], dict[str, Any]]] = {
    "half the scale": (scaled(0.5), scaled(1.0), {}),
    "every other call": (on_every_other_call(False), on_every_other_call(True), {}),
    "delta ignored": (with_chance(0.1), with_chance(0.0), {"delta": "1e-6"}),
    "delta too small": (with_chance(0.1), with_chance(0.01), {"delta": "0.01"}),
    "seeded by the data": (seeded_by_data, own_seed(lambda data: b"public"), {}),
    "the count in the denominator": (own_count, public_count, {"adjacency": KNOWN}),
    "half the budget": (noisiest(0.5), noisiest(2.0), {"rows": VOTES}),
    "the other adjacency": (scaled(1.0), scaled(2.0), {"rows": st.floats(-1, 1)}),
}


@pytest.mark.parametrize("name", TWINS)
def test_a_broken_mechanism_is_refuted_and_its_sound_twin_is_not(name: str):
    broken, sound, options = TWINS[name]
    bad, good = tried(broken, **options), tried(sound, **options)
    assert (bad.verdict, good.verdict) == ("refuted", "not refuted")
    assert bad.bad
    assert float(bad.epsilon or 0) > 1 >= float(good.epsilon or 0)


def test_the_pair_that_tells_is_found_among_many():
    """A leak on one row alone, which few pairs have; only that pair's outputs refute."""

    def mechanism(data: Any, rng: np.random.Generator, size: int) -> Any:
        return len(data) * 0.0 + rng.laplace(0, 1, size) + 5 * (max(data) == 1.0)

    found = tried(mechanism, KNOWN)
    assert found.verdict == "refuted"
    blind = [pair for pair in neighbours(UNIT, KNOWN) if (max(pair.zero) == 1.0) == (max(pair.one) == 1.0)]
    assert blind
    claim = Claim.of(1, 0, KNOWN)
    assert two_sample(mechanism, blind, claim, LEVEL, RUNS, rng()).verdict == "not refuted"


def test_a_smaller_level_shows_less():
    claim, pairs = Claim.of(1, 0, REPLACE), [Pair("", [0.0], [1.0], None)]
    low = [two_sample(scaled(0.5), pairs, claim, Fraction(1, k), RUNS, rng()).epsilon for k in (10, 10**4, 10**12)]
    numbers = [float(x or 0) for x in low]
    assert numbers == sorted(numbers, reverse=True)
    assert len(set(numbers)) == 3
    with pytest.raises(ValueError, match=r"level=1e-15 a check: must be at least 1e-14"):
        two_sample(scaled(0.5), pairs, claim, Fraction(1, 10**15), RUNS, rng())


def flips(data: Any, rng: np.random.Generator, size: int) -> Any:
    """Randomised response of epsilon = 1, exactly."""
    return np.where(rng.random(size) < 1 / (1 + math.exp(-1)), data[0], 1 - data[0])


def test_false_alarms_are_as_rare_as_the_level_says():
    """At a level of 1/4; the control's claim is a little below what it keeps, so that alarms are right and frequent."""
    pairs, times = neighbours(st.integers(0, 1), REPLACE, sizes=(1,)), 120
    for epsilon, most, least in ((1, 0.25 + 4 * math.sqrt(0.25 * 0.75 / times), 0), (Fraction(1, 2), 1, 0.9)):
        claim = Claim.of(epsilon, 0, REPLACE)
        alarms = sum(two_sample(flips, pairs, claim, Fraction(1, 4), 400, rng(k)).bad for k in range(times))
        assert least * times <= alarms <= most * times


def library(**functions: Any) -> SimpleNamespace:
    """A foreign module with a function that adds noise, looked up on it at each call."""

    def laplace(value: Any, scale: float, rng: np.random.Generator) -> Any:
        while (noise := rng.laplace(0, scale)) > scale:  # by rejection: how much is drawn depends on chance
            pass
        return value + noise

    return SimpleNamespace(laplace=laplace, **functions)


def replayed(mechanism: Callable[..., Any], held: Any, monkeypatch: pytest.MonkeyPatch, **options: Any) -> dict[str, Any]:
    monkeypatch.setattr(foreign, "held", held, raising=False)
    before = held.laplace
    found = leaks(mechanism, neighbours(UNIT, ADD, sizes=(1, 3)), "dpsco.audit.foreign.held.laplace", **options)
    assert held.laplace is before
    return {leak.what: leak for leak in found}


def test_what_comes_through_the_noise_is_no_leak(monkeypatch: pytest.MonkeyPatch):
    lib = library()

    def mechanism(data: Any, rng: np.random.Generator) -> Any:
        rng.random()
        first = lib.laplace(sum(data), 1.0, rng)
        second = lib.laplace(sum(x * x for x in data), scale=1.0 + abs(first), rng=rng)
        return {"sums": np.array([first, second]), "public": rng.permutation(5)}

    assert replayed(mechanism, lib, monkeypatch) == {}
    assert replayed(mechanism, lib, monkeypatch, sensitivity=1) == {}
    assert set(replayed(mechanism, lib, monkeypatch, sensitivity=0.5)) == {
        "sensitivity of laplace, call 1",
        "sensitivity of laplace, call 2",
    }


LEAKING: dict[str, Callable[[Any], Callable[..., Any]]] = {
    "output 'rows'": lambda lib: lambda data, rng: {"sum": lib.laplace(sum(data), 1, rng), "rows": len(data)},
    "laplace, call 1: scale": lambda lib: lambda data, rng: lib.laplace(sum(data), 1 / len(data), rng),
    "number of queries": lambda lib: lambda data, rng: [lib.laplace(x, 1, rng) for x in data],
    "output": lambda lib: lambda data, rng: lib.laplace(sum(data), 1, rng) + 1e-9 * max(data),
    "refusal": lambda lib: lambda data, rng: lib.laplace(sum(data), 1, rng) if len(data) < 4 else [][0],
    "size of laplace, call 1": lambda lib: lambda data, rng: lib.laplace(np.array(data), 1, rng).sum(),
}


@pytest.mark.parametrize("what", LEAKING)
def test_what_does_not_come_through_the_noise_is_shown(what: str, monkeypatch: pytest.MonkeyPatch):
    lib = library()
    assert what in replayed(LEAKING[what](lib), lib, monkeypatch)


def test_memory_and_randomness_of_its_own_are_told_as_that(monkeypatch: pytest.MonkeyPatch):
    lib, calls = library(), iter(range(10**6))
    assert set(replayed(lambda data, rng: lib.laplace(sum(data), 1, rng) + next(calls), lib, monkeypatch)) == {OUTSIDE}


class Service:
    """Answers calls, and keeps something for the next one."""

    def __init__(self, lib: Any, keeps: str) -> None:
        self.lib, self.keeps, self.calls, self.seen = lib, keeps, 0, {}

    def answer(self, data: Any, rng: np.random.Generator) -> float:
        self.calls += 1
        found = self.lib.laplace(sum(data), 1.0, rng)
        kept = {"the answer": found, "the sum": sum(data), "rows": len(data), "nothing": None}
        self.seen[self.calls] = kept[self.keeps]
        return found

    def __call__(self, data: Any, rng: np.random.Generator) -> float:
        return self.answer(data, rng)


@pytest.mark.parametrize("keeps", ["the answer", "the sum", "rows", "nothing"])
@pytest.mark.parametrize("called", ["method", "object", "partly"])
def test_what_is_kept_between_calls_is_looked_at(keeps: str, called: str, monkeypatch: pytest.MonkeyPatch):
    """A count of calls and a noised answer may be kept; it is put back as it was."""
    lib = library()
    service = Service(lib, keeps)
    mechanism = {"method": service.answer, "object": service, "partly": functools.partial(service)}[called]
    found = replayed(mechanism, lib, monkeypatch)
    assert set(found) == ({"kept between calls: seen"} if keeps in ("the sum", "rows") else set())
    assert (service.calls, service.seen) == (0, {})


class Noise:
    """A mechanism object as libraries have them."""

    def __init__(self, scale: float) -> None:
        self.scale = scale

    def randomise(self, value: float, rng: np.random.Generator) -> float:
        return value + rng.laplace(0, self.scale)

    @staticmethod
    def plainly(value: float, rng: np.random.Generator) -> float:
        return value + rng.laplace()

    @classmethod
    def of_class(cls, value: float, rng: np.random.Generator) -> float:
        return value + rng.laplace()


class Inherited(Noise):
    pass


@pytest.mark.parametrize("owner", ["Noise", "Inherited"])
@pytest.mark.parametrize("method", ["randomise", "plainly", "of_class"])
def test_methods_are_hooks_too_and_are_put_back(owner: str, method: str, monkeypatch: pytest.MonkeyPatch):
    kind = {"Noise": Noise, "Inherited": Inherited}[owner]
    monkeypatch.setattr(foreign, "held", SimpleNamespace(kind=kind), raising=False)
    before = dict(vars(kind))
    name = f"dpsco.audit.foreign.held.kind.{method}"
    pairs = neighbours(UNIT, ADD, sizes=(2,))
    assert leaks(lambda data, rng: getattr(kind(2.0), method)(sum(data), rng), pairs, name) == []
    found = leaks(lambda data, rng: getattr(kind(2.0), method)(sum(data), rng) + len(data), pairs, name)
    assert [leak.what for leak in found] == ["output"]
    assert dict(vars(kind)) == before


def guessed(mechanism: Any, score: Any, **options: Any) -> Found:
    wanted = {"canaries": list(range(400)), "guesses": None, "rows": None, "build": list, "seed": 0, "rng": rng()}
    adjacency = options.pop("adjacency", ADD)
    return one_run(mechanism, score, Claim.of(1, 0, adjacency), LEVEL, **{**wanted, **options})


def bins(scale: float) -> Callable[..., Any]:
    return lambda data, rng: np.bincount(data, minlength=800) + rng.laplace(0, scale, 800)


def test_canaries_in_one_run():
    good, bad = (guessed(bins(scale), lambda out, i: out[i]) for scale in (1.0, 0.25))
    assert (good.verdict, bad.verdict) == ("not refuted", "refuted")
    assert 0 < float(good.epsilon or 0) <= 1 < float(bad.epsilon or 0) <= float(bad.exposed or 0)
    blind = guessed(bins(0.25), lambda out, i: 0.0)
    assert blind.verdict == "not refuted"


def test_canaries_that_replace_one_another():
    """A row in one of two bins: both move, so that the scale of the sound one is 2."""
    pairs = [(i, i + 400) for i in range(400)]
    good, bad = (guessed(bins(s), lambda out, i: out[i], canaries=pairs, adjacency=REPLACE) for s in (2.0, 0.5))
    assert (good.verdict, bad.verdict) == ("not refuted", "refuted")


def test_canaries_of_a_strategy():
    drawn = guessed(bins(0.25), lambda out, i: out[i], canaries=200, rows=st.integers(0, 799))
    assert drawn.verdict == "refuted"
    with pytest.raises(ValueError, match=r"canaries=200: the strategy `rows` has only 2 different rows"):
        guessed(bins(0.25), lambda out, i: out[i], canaries=200, rows=st.booleans())
    with pytest.raises(ValueError, match=r"canaries: pairs \(a, b\) are needed"):
        guessed(bins(1.0), lambda out, i: out[i], adjacency=REPLACE)
    with pytest.raises(ValueError, match=r"guesses=401: at most the 400 canaries"):
        guessed(bins(1.0), lambda out, i: out[i], guesses=401)
    with pytest.raises(ValueError, match="score: a number for each row is needed, not a str"):
        guessed(bins(1.0), lambda out, i: "much")
