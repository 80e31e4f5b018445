"""The hockey-stick divergence of two finite laws in doubles: one pass, the terms that are zero left out."""

import math
from typing import Any

from dpsco.fast.kernel import kernel
from dpsco.spec.privacy import finite as spec


@kernel(spec.hockey_stick)
def hockey_stick(p: Any, q: Any, epsilon: Any) -> Any:
    if p.size != q.size:
        raise ValueError("p and q must have one length")
    factor, total = math.exp(epsilon), 0.0
    for i in range(p.size):
        gap = p[i] - factor * q[i]
        if gap > 0.0:
            total += gap
    return total
