"""One house, a cache of its own, hypothesis profiles (HYPOTHESIS_PROFILE: `dev`, `ci` derandomised, `audit` long)."""

import atexit
import fcntl
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from functools import wraps
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis.internal.conjecture import providers

from dpsco.house import mixed, rooms

settings.register_profile("dev", deadline=None, max_examples=50)
settings.register_profile("ci", deadline=None, max_examples=50, derandomize=True)
settings.register_profile("audit", deadline=None, max_examples=2000, suppress_health_check=list(HealthCheck))
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci" if os.environ.get("CI") else "dev"))
# Hypothesis also tries constants that it reads in every module imported so far: what a derandomised run tries would depend on
# the tests that ran before it.
if hasattr(providers, "_get_local_constants"):
    vars(providers)["_get_local_constants"] = providers.Constants

HOUSE = Path(__file__).resolve().parents[1]
# Before any kernel is imported: no verdict and no kernel of an earlier run is tested. Worker processes share the cache of the
# process that started them, so that each kernel is compiled once and each verdict judged once.
if "PYTEST_XDIST_WORKER" not in os.environ:
    CACHE = tempfile.mkdtemp(prefix="dpsco-tests-")
    atexit.register(shutil.rmtree, CACHE, ignore_errors=True)
    os.environ["DPSCO_CACHE"] = CACHE


KEEPING = [True]


def once(judge: Callable[..., Any]) -> Callable[..., Any]:
    """`judging.judge`, as tests import it: a claim is judged once a process, and whoever compares the whole register with the
    ledger finds it in the cache. A test that patches something judges for itself."""
    from dpsco.running import cache, judgements
    from dpsco.spec.register import concept_of, own

    judged: dict[str, Any] = {}

    @wraps(judge)
    def kept(id: str, with_mutants: bool = True) -> Any:
        if not with_mutants or not KEEPING[0] or concept_of(id) in own():
            return judge(id, with_mutants)
        if id not in judged:
            judged[id] = judge(id)
            cache.store(id, judgements.graded(judged[id]))
        return judged[id]

    return kept


@pytest.fixture(autouse=True)
def nothing_patched_is_kept(request: pytest.FixtureRequest) -> Iterator[None]:
    KEEPING[0] = "monkeypatch" not in request.fixturenames
    yield
    KEEPING[0] = True


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The three laws first; last who needs every verdict, when most are judged."""
    whole = {item.path for item in items if "one_at_a_time" in getattr(item, "fixturenames", ())}
    items.sort(key=lambda item: (item.path in whole, "laws" not in item.path.parts))


def pytest_configure() -> None:
    """Refuse to test another tree than the one that these tests belong to; judge each claim once."""
    strange = {name: place for name, place in rooms().items() if place != HOUSE / name.removeprefix("dpsco.")}
    if strange or mixed() is not None:
        said = ", ".join(f"{name} from {place}" for name, place in strange.items())
        pytest.exit(f"these tests are for {HOUSE}, but {said or mixed()}: python -m pip install -e {HOUSE}", returncode=2)
    from dpsco import judging

    judging.judge = once(judging.judge)


@pytest.fixture(scope="module")
def one_at_a_time() -> Iterator[None]:
    """Held by whoever judges the whole register: who comes second finds every verdict in the cache."""
    with (Path(os.environ["DPSCO_CACHE"]) / "everything.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
