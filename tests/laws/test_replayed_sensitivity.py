"""Law 2, sensitivity: whatever an algorithm asks of a mechanism moves between neighbours by no more than it declares, by
nearly as much where it says so, and nothing else moves at all.

Every subject of the replay, every adjacency that it names: random and hard neighbours of random data (`audit`), and pairs on
which one record pulls with all its weight and then against it (`search`). Given the same answers, an honest run is a function
of public numbers.
"""

import ast
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

import dpsco
from dpsco.fast.closure import source_of
from dpsco.noise import gradient_perturbation, methods
from dpsco.noise.asked import ADJACENCIES, asked
from dpsco.replay import fits
from dpsco.replay.extremes import NEARLY, Search, search
from dpsco.replay.fitted import FIT, NO_DATA, NOISES
from dpsco.replay.replay import REFUSAL, Leak, Subject, audit
from dpsco.replay.subjects import WITHOUT, subjects
from dpsco.spec.claim import Adjacency
from dpsco.spec.mechanism import Query
from dpsco.spec.register import concepts

pytest.importorskip("dpsco.estimators", reason="scikit-learn")
LAW = "law 2, sensitivity:"
NOISE_MAKERS = {"dpsco.noise.release", "dpsco.noise.exponential_draw", "dpsco.noise.discrete"}


@cache
def searched(name: str) -> Search:
    return search(subjects()[name])


def leak_sentence(name: str, leak: Leak) -> str:
    where = f"{LAW} {name} ({leak.adjacency}, {leak.size} records) on the pair [{leak.pair}]"
    if leak.what.startswith("sensitivity of "):
        asked = leak.what.removeprefix("sensitivity of ")
        return f"{where}: expected neighbours to move {asked} by at most what is {leak.here}; got it {leak.there}"
    return f"{where}: expected the same {leak.what} from both, given the same answers; got {leak.here} and {leak.there}"


def broken(name: str, subject: Subject, found: Search | None = None) -> list[str]:
    """What of the law does not hold for a subject, on the extreme pairs: one sentence each, none where all of it does."""
    found = found or search(subject)
    said = [leak_sentence(name, leak) for leak in found.leaks if leak.what not in subject.known]
    said += [f"{LAW} {name}: expected no finite data to be refused; got {refusal}" for refusal in found.refused]
    return said + [
        f"{LAW} {name} ({one.adjacency}, {one.size} records), {one.query}: expected some pair to move it by at least "
        f"{NEARLY:.0%} of the declared {one.declared:.6g}, as it is said to be tight; got {one.moved:.6g} on [{one.pair}]"
        for one in found.reached
        if one.tight and not one.share >= NEARLY
    ]


@pytest.mark.parametrize("name", subjects())
def test_no_declared_sensitivity_is_exceeded_and_the_tight_ones_are_reached(name: str) -> None:
    assert not broken(name, subjects()[name], searched(name))


@pytest.mark.parametrize("name", subjects())
def test_nothing_but_noised_queries_differs_between_neighbours(name: str) -> None:
    subject = subjects()[name]
    leaks = {leak.what: leak for leak in audit(subject, count=1)}
    assert not [leak_sentence(name, leak) for what, leak in leaks.items() if what not in subject.known]
    gone = set(subject.known) - set(leaks)
    assert not gone, f"{LAW} {name} is said to leak {gone}; got no such leak: its entry in `known` is out of date"


def halved(subject: Subject) -> Subject:
    """Its own declarations, each half as large."""

    def run(data, public, ask):
        def asks_half(query: Query):
            return ask(query if query.sensitivity is None else replace(query, sensitivity=query.sensitivity / 2))

        return subject.run(data, public, asks_half)

    return replace(subject, run=run)


def half_reached() -> list[str]:
    return [name for name in subjects() if any(one.share > 0.5 for one in searched(name).reached)]


@pytest.mark.parametrize("name", subjects())
def test_control_a_sensitivity_halved_is_caught(name: str) -> None:
    """Each query that is moved by more than half of what it declares, by name; the others may be halved unseen."""
    expected = {f"sensitivity of {one.query}" for one in searched(name).reached if one.share > 0.5}
    if not expected:
        assert not any(one.tight for one in searched(name).reached)
        return
    said = broken(name, halved(subjects()[name]))
    print(next(iter(said)))
    assert {f"sensitivity of {one}" for one in moved_too_far(said)} >= expected


def moved_too_far(said: list[str]) -> set[str]:
    """The queries that the law's sentences name as moved by more than they declare."""
    return {sentence.split(" to move ")[1].split(" by at most ")[0] for sentence in said if " by at most what is " in sentence}


@pytest.mark.parametrize("name", ["gradient-perturbation-fit", "gradient-perturbation-fit-add-one", "PrivateNewsvendor"])
def test_control_noise_for_half_the_sensitivity_is_caught(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A calibration that takes a record's part of the gradient for half as long, as the release itself calls it."""
    sound = fits.calibrate

    def careless(*given):
        spent = sound(*given)
        return replace(spent, sigma=spent.sigma / 2)

    monkeypatch.setattr(fits, "calibrate", careless)
    said = broken(name, subjects()[name])
    print(said[0])
    assert moved_too_far(said) == {"gradient 1", "gradient 2", "gradient 3"}


def test_control_the_exit_of_gradient_perturbation_by_the_number_of_rows_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    """The leak that was there: rounding grows with the rows, and was compared with what a public n had paid for."""
    sound = gradient_perturbation.run

    def leaky(blocks, *given):
        if blocks.rows > 4:
            raise ValueError("coefficient_scale=1.0: must be larger")
        return sound(blocks, *given)

    monkeypatch.setattr(gradient_perturbation, "run", leaky)
    fit = replace(subjects()["gradient-perturbation-fit-add-one"], sizes=(4,))
    said = [leak_sentence("gradient-perturbation-fit-add-one", leak) for leak in audit(fit, count=0)]
    refusals = [sentence for sentence in said if f"the same {REFUSAL} " in sentence and "coefficient_scale" in sentence]
    print(refusals)
    assert refusals
    assert any(leak.what == REFUSAL and "coefficient_scale" in leak.here + leak.there for leak in search(fit).leaks)


def test_control_a_tight_sensitivity_that_no_pair_reaches_is_caught() -> None:
    doubled = subjects()["output-perturbation"]

    def run(data, public, ask):
        return doubled.run(data, public, lambda query: ask(replace(query, sensitivity=2 * query.sensitivity)))

    (said,) = broken("output-perturbation", replace(doubled, run=run))
    print(said)
    assert "to move it by at least 99% of the declared 20" in said


def runnable_algorithms() -> set[str]:
    def runs(concept: str) -> bool:
        return any(source_of(f"dpsco.{room}.{concept}") is not None for room in ("reference", "fast"))

    return {
        concept
        for concept in concepts()
        if concept.startswith("algorithms.") and concept.endswith(".algorithm") and runs(concept)
    }


def test_every_algorithm_is_replayed_or_listed() -> None:
    joined = {subject.concept for subject in subjects().values()}
    assert not runnable_algorithms() - joined - set(WITHOUT)
    assert set(WITHOUT) <= set(concepts())
    assert all(len(reason) > 20 for reason in WITHOUT.values())


def names_noise(source: str) -> bool:
    """Whether a module imports what draws noise for a release."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found = {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found = {str(node.module), *(f"{node.module}.{alias.name}" for alias in node.names)}
        else:
            continue
        if found & NOISE_MAKERS:
            return True
    return False


def modules() -> Iterator[tuple[str, str]]:
    """Of the package's own room, outside the replay: name and source."""
    house = Path(dpsco.__file__).parent
    for file in sorted(house.rglob("*.py")):
        name = ".".join(["dpsco", *file.relative_to(house).with_suffix("").parts])
        if not name.startswith("dpsco.replay."):
            yield name, file.read_text(encoding="utf-8")


def unjoined(sources: dict[str, str]) -> set[str]:
    return {name for name, source in sources.items() if names_noise(source)} - set(NOISES) - set(NO_DATA)


def test_every_module_that_adds_noise_has_a_subject_in_which_its_noise_is_asked_for() -> None:
    sources = dict(modules())
    assert not unjoined(sources)
    assert all(names_noise(sources[name]) for name in (*NOISES, *NO_DATA)), "an entry without a module that adds noise"
    assert all(searched(name).reached for name in NOISES.values())
    # control: a new one that does not join
    new = {"dpsco.new": "from dpsco.noise.release import plus\n", "dpsco.other": "from dpsco.noise import discrete\n"}
    assert unjoined({**sources, **new}) == set(new)


def accepted() -> Iterator[tuple[str, str]]:
    """(method, adjacency) that a fit takes."""
    for method in methods.METHODS:
        for adjacency in ADJACENCIES:
            public = {**FIT, "steps": None if method == methods.OBJECTIVE else 3}
            options = {**fits.OPEN, **fits.CHOSEN, **public, "adjacency": str(adjacency)}
            try:
                methods.calibrate(method, 8, 2, asked(**options))
            except ValueError:
                continue
            yield method, str(adjacency)


def test_every_method_of_a_fit_is_replayed_with_every_adjacency_that_it_takes() -> None:
    pairs = list(accepted())
    assert len(pairs) >= 5
    there = {
        (subject.public.get("method", methods.OBJECTIVE), str(adjacency))
        for subject in subjects().values()
        if subject.run is fits.quantile_fit
        for adjacency in subject.adjacencies
    }
    assert set(pairs) == there
    assert {Adjacency(adjacency) for _, adjacency in pairs} == set(ADJACENCIES)


def test_every_private_estimator_is_replayed() -> None:
    from dpsco import estimators
    from dpsco.estimators.private import Private

    private = {
        name
        for name in estimators.__all__
        if isinstance(getattr(estimators, name), type) and issubclass(getattr(estimators, name), Private)
    }
    assert len(private) >= 4
    missing = {name for name in private if not any(subject.says.startswith(name) for subject in subjects().values())}
    assert not missing
