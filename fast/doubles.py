"""The number context of plain doubles, for formulas of `spec/` that a fast method computes its constants with.

A whole number stays one, so that an expression computes with it what the same line of Python would.
"""

import math
from types import SimpleNamespace
from typing import Final, cast

from dpsco.spec.numbers import Numbers

DOUBLES: Final = cast(
    Numbers,
    SimpleNamespace(
        real=lambda value: value,
        frac=lambda numerator, denominator: numerator / denominator,
        pi=math.pi,
        inf=math.inf,
        sqrt=math.sqrt,
        log=math.log,
        exp=math.exp,
        ceil=math.ceil,
        min=min,
        max=max,
    ),
)
"""Values are rounded at every step: whoever needs a bound turns them in its direction."""
