"""Private quantiles of one column, several at once on one budget: they never cross.

    >>> from dpsco.quantiles import fit
    >>> result = fit(y, levels=[0.1, 0.5, 0.9], epsilon=1.0, outcome_bound=1000.0)
    >>> result.quantiles

One public bound is all that is needed, and it may be many times too wide: a median and a spread are drawn first, for a small
part of epsilon, and the quantiles among places that lie dense around them. All come from one draw of the joint exponential
mechanism (`dpsco.noise.joint_quantiles`), which is exact, and (epsilon, 0)-DP for the replacement of a row. With features:
`dpsco.quantile_regression`, one level at a time. Outside the guarantee: how long it takes.
"""

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from dpsco.blocks.source import from_arrays
from dpsco.noise import joint_quantiles
from dpsco.noise.asked import EPSILONS, SIZES, number, numbers, shown, within
from dpsco.noise.joint_quantiles import Joint
from dpsco.noise.records import doubles

MOST = 20
"""Levels: each takes more digits of the weights."""


@dataclass(frozen=True)
class Result:
    """Quantiles, what they cost, and whether they may be released. The quantiles alone depend on the data."""

    quantiles: tuple[float, ...]
    """In the order of the levels, which rises, and so do they."""
    spent: Joint
    private: bool
    """False where a seed was given: then they are for experiments only."""


def fit(y: Any, *, levels: Any, epsilon: float, outcome_bound: float, seed: int | None = None) -> Result:
    """Quantiles of the values y at several levels.

    Domain   y: n >= 1 real numbers, n is public; one that is no finite number counts as 0; levels: a number, or up to 20 that
             rise, in (0, 1); epsilon in [1e-9, 1e9], at least about 0.002 beyond a million rows; outcome_bound in
             [1e-100, 1e100], public: quantiles beyond it are not found; seed: for experiments
    Returns  `Result`: quantiles (outcome) in [-outcome_bound, outcome_bound], what was spent, and whether they are private
    Raises   ValueError naming the argument, its value and what is allowed; ImportError where two copies of the package mix
    Source   Gillenwater, Joseph and Kulesza 2021; the proof: `dpsco.noise.joint_quantiles`
    """
    values = doubles("y", y)
    if values.ndim != 1 or not len(values):
        raise ValueError(f"y has shape {values.shape}: must be (n,), with at least one value")
    asked = numbers("levels", levels)
    if asked.ndim > 1 or not 1 <= asked.size <= MOST:
        raise ValueError(f"levels has shape {asked.shape}: must be a number, or 1 to {MOST} of them")
    rising = tuple(np.atleast_1d(asked).tolist())
    if not all(0 < level < 1 for level in rising) or any(a >= b for a, b in pairwise(rising)):
        raise ValueError(f"levels={shown(rising)}: must rise, and lie in (0, 1)")
    budget, bound = number("epsilon", epsilon), number("outcome_bound", outcome_bound)
    within("epsilon", budget, *EPSILONS)
    within("outcome_bound", bound, *SIZES)
    spent = joint_quantiles.calibrate(len(values), rising, budget, bound)
    found = joint_quantiles.run(from_arrays(np.zeros((len(values), 1)), values), spent, seed)
    return Result(tuple(found), spent, private=seed is None)
