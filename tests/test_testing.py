"""The assertions that other projects use: they pass what is right, fail what is wrong, and say why."""

import math
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from dpsco.spec.contract import FINITE, ULPS, contract
from dpsco.spec.domain import Parameter, positive
from dpsco.testing import assert_matches, assert_private

PAIR = np.array([0.0, 0.0]), np.array([0.0, 1.0])


@contract(metric=ULPS, range=FINITE, inputs=(Parameter("x", "argument", positive),))
def root(x: float) -> float:
    """sqrt(x)"""
    raise NotImplementedError


def literally(m: Any, x: Any) -> Any:
    return m.sqrt(x)


def noisy(sigma: float) -> Any:
    def mechanism(data: Any, rng: np.random.Generator, size: int) -> Any:
        return data.sum() + rng.normal(0, sigma, size)

    return mechanism


def test_a_right_kernel_passes():
    assert_matches(root, math.sqrt, budget=0.5, reference=literally, samples=100)


def test_a_wrong_kernel_fails_with_its_worst_input():
    def wrong(x: float) -> float:
        return math.sqrt(x) * (1 + 1e-9 * (x == 2.0))

    with pytest.raises(AssertionError, match=r"largest error 6\.\d+e\+06 ulps, budget 1(?s:.*)1\. 6\.\d+e\+06 at x=2\.0"):
        assert_matches(root, wrong, budget=1, reference=literally, samples=10)


def test_a_raising_kernel_fails_with_what_it_raised():
    def raising(x: float) -> float:
        raise RuntimeError("not today")

    with pytest.raises(AssertionError, match="raised RuntimeError: not today"):
        assert_matches(root, raising, budget=1, reference=literally, samples=3)


@pytest.mark.parametrize(
    ("contract_", "options", "says"),
    [
        (root, {"budget": 1.0}, "no reference|has no reference"),
        (root, {"reference": literally}, "none is recorded"),
        (root, {"reference": literally, "budget": math.nan}, "budget=nan"),
        ("privacy.gaussian.profil", {}, "none of the"),
    ],
)
def test_a_question_that_cannot_be_asked_is_refused(contract_: Any, options: dict[str, Any], says: str):
    with pytest.raises(ValueError, match=says):
        assert_matches(contract_, math.sqrt, **options)


def test_the_packages_own_contracts_have_their_budgets():
    from dpsco.fast.losses.kernels import density

    assert_matches("losses.kernels.density", density, samples=5)
    with pytest.raises(AssertionError, match=r"1\. inf at kernel="):
        assert_matches("losses.kernels.density", lambda kernel, v: 0.5, samples=5)


def test_enough_noise_passes_for_every_seed():
    for seed in range(20):
        assert_private(noisy(3.8), PAIR, 1, 1e-5, runs=2000, seed=seed)


def test_too_little_noise_fails_with_events_and_counts():
    with pytest.raises(AssertionError) as failed:
        assert_private(noisy(1.0), PAIR, 1, 1e-5, runs=20000)
    said = str(failed.value)
    assert "(1, 1e-05)-DP is refuted at confidence 0.999: epsilon >= " in said
    assert "/10000 under pair[1]" in said
    assert "/10000 under pair[0]" in said
    limit = float(said.split("epsilon >= ")[1].split()[0])
    assert 1 < limit < 6.0  # sigma = 1 is (5.1, 1e-5)-DP


def test_the_same_seed_says_the_same():
    said = []
    for _ in range(2):
        with pytest.raises(AssertionError) as failed:
            assert_private(noisy(0.5), PAIR, 1, runs=4000, seed=7)
        said.append(str(failed.value))
    assert said[0] == said[1]


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"epsilon": 5, "runs": 1000}, "at least 2472"),
        ({"epsilon": -1}, "epsilon=-1"),
        ({"epsilon": 1, "delta": 1.0}, "delta=1.0"),
        ({"epsilon": 1, "confidence": 1.0}, "confidence=1.0"),
    ],
)
def test_an_audit_that_cannot_fail_is_an_error(options: dict[str, Any], says: str):
    with pytest.raises(ValueError, match=says):
        assert_private(noisy(3.8), PAIR, **options)


def test_one_data_set_is_no_pair():
    with pytest.raises(ValueError, match="two neighbouring"):
        assert_private(noisy(1.0), PAIR[:1], 1)


PROJECT = {
    "pyproject.toml": '[project]\nname = "theirs"\nversion = "1"\n',
    "theirs.py": (
        "import math\n\n\ndef density(kernel, v):\n    return math.exp(-v * v / 2) / math.sqrt(2 * math.pi)\n\n\n"
        "def answer(data, rng):\n    return sum(data) + rng.laplace(0, 0.5)\n"
    ),
    "test_theirs.py": (
        "from theirs import answer, density\n\nfrom dpsco.testing import assert_matches, assert_private\n\n\n"
        "def test_density():\n    assert_matches('losses.kernels.density', density, samples=5)\n\n\n"
        "def test_answer():\n    assert_private(answer, ([0], [1]), epsilon=1, runs=4000)\n\n\n"
        "def test_more():\n    assert_private(answer, ([0], [1]), epsilon=2, runs=4000)\n"
    ),
}


def test_in_a_project_outside_the_tree(tmp_path: Path):
    for name, text in PROJECT.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_theirs.py"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 1, done.stdout + done.stderr
    assert "2 failed, 1 passed" in done.stdout
    assert "losses.kernels.density: largest error" in done.stdout
    assert "(1, 0.0)-DP is refuted at confidence 0.999" in done.stdout
    assert "dpsco/testing.py" not in done.stdout.replace("\\", "/"), "the failure points at the test, not into this package"
