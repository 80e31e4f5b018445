"""Old import paths: the same modules, a warning, and pickles that are read."""

import subprocess
import sys
from importlib.util import find_spec

import pytest

import dpsco
from dpsco import moved

TRY = """
import pickle, sys, warnings
import dpsco
dpsco.MOVED["dpsco.trial_of_an_old_room"] = "dpsco.sweeping"
with warnings.catch_warnings(record=True) as seen:
    warnings.simplefilter("always")
    import dpsco.trial_of_an_old_room.cluster
    from dpsco.trial_of_an_old_room import cluster as again
import dpsco.sweeping.cluster as new
assert dpsco.trial_of_an_old_room.cluster is again is new
assert new.__name__ == new.__spec__.name == "dpsco.sweeping.cluster"
assert {str(one.message).split(":")[0] for one in seen} == {
    "dpsco.trial_of_an_old_room has moved", "dpsco.trial_of_an_old_room.cluster has moved"
}, seen
assert {one.category for one in seen} == {FutureWarning}
kind = pickle.loads(b"cdpsco.trial_of_an_old_room.cluster\\njoblib\\n.")
assert kind.__name__ == "joblib"
try:
    import dpsco.trial_of_an_old_room.nowhere
except ModuleNotFoundError as error:
    print(error)
"""


def test_an_old_path_gives_the_new_module_and_warns():
    done = subprocess.run([sys.executable, "-c", TRY], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout == "No module named 'dpsco.sweeping.nowhere'\n"


@pytest.mark.parametrize("old", sorted(dpsco.MOVED))
def test_what_has_moved_is_there_and_its_old_place_is_empty(old: str):
    assert find_spec(dpsco.MOVED[old]) is not None
    spec = dpsco._OldPaths.find_spec(f"{old}.below")
    assert spec is not None
    assert spec.loader == moved.Loader(f"{dpsco.MOVED[old]}.below")


def test_what_has_not_moved_is_left_alone():
    assert dpsco._OldPaths.find_spec("dpsco.sweeping") is None
    assert dpsco._OldPaths.find_spec("numpy") is None
    assert find_spec("dpsco.nowhere") is None
