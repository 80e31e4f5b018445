"""A preview says which of its two sizes is none."""

from typing import Any

import pytest

sklearn = pytest.importorskip("sklearn")

from dpsco.estimators import PrivateNewsvendor, PrivatePredictThenOptimize, PrivateQuantileRegressor, PrivateRidgeSelection  # noqa: E402
from dpsco.spec.losses.spo.regions import REGIONS  # noqa: E402

MODELS: dict[str, Any] = {
    "quantile": lambda: PrivateQuantileRegressor(feature_bound=1.0),
    "newsvendor": lambda: PrivateNewsvendor(underage=1.0, overage=1.0, feature_bound=1.0),
    "decisions": lambda: PrivatePredictThenOptimize(region=REGIONS[0], feature_bound=1.0),
    "ridge": lambda: PrivateRidgeSelection(interval=(0.1, 1.0), feature_bound=1.0, outcome_bound=1.0),
}


@pytest.mark.parametrize("wrong", [0, -1, 2.5, "3", None, True, 2**60, float("nan")])
@pytest.mark.parametrize("name", ["n", "d"])
@pytest.mark.parametrize("model", MODELS)
def test_a_size_that_is_none_is_named(model: str, name: str, wrong: Any):
    with pytest.raises(ValueError, match=f"^{name}="):
        MODELS[model]().preview(**{"n": 100, "d": 2, name: wrong})
    MODELS[model]().preview(n=100, d=2)
