"""Group privacy in doubles: e^{(k - 1) epsilon} (1 - e^{-k epsilon}) / (1 - e^{-epsilon}), whose quotient is tame.

exp multiplies the error of its argument by the argument, so (k - 1) epsilon is kept as a sum of two doubles; where it
overflows although delta is tiny, delta is multiplied into two halves of the power.
"""

import math
from typing import Any

from dpsco.fast.kernel import kernel
from dpsco.fast.privacy.gaussian import product
from dpsco.spec.privacy import group as spec

LARGEST = 745.0
"""Beyond it e^x times the smallest double exceeds 1."""
LIFT = 2.0**200
"""Takes the smallest doubles out of the subnormal range, exactly."""


@kernel(spec.delta_at_distance)
def delta_at_distance(epsilon: Any, delta: Any, distance: Any) -> Any:
    if not (epsilon > 0.0 and 0.0 < delta < 1.0 and distance >= 1):
        return math.nan
    k = float(distance)
    power, rest = product(k - 1.0, epsilon)
    if power > LARGEST:
        return 1.0
    half = 0.5 * power
    quotient = math.expm1(-k * epsilon) / math.expm1(-epsilon)
    lifted = (math.exp(half) * (LIFT * delta)) * (math.exp(half) * (1.0 + rest)) * quotient
    return min(1.0, lifted / LIFT)
