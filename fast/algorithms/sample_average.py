"""The order quantity that ignores features, in doubles: a rank in exact arithmetic, and a selection in linear time."""

from fractions import Fraction
from math import ceil
from typing import Any

import numpy as np

from dpsco.fast.kernel import bind
from dpsco.spec.algorithms import sample_average as spec

Array = Any


def empirical_quantile(y: Array, r: float) -> float:
    demands = np.array(y, dtype=np.float64).reshape(-1)
    if demands.size < 1 or not 0 < r < 1:
        raise ValueError(f"at least one demand and a level r in (0, 1), got {demands.size} demands and r={r}")
    place = ceil(Fraction(float(r)) * demands.size) - 1
    demands.partition(place)
    return float(demands[place])


bind(empirical_quantile, spec.empirical_quantile)
