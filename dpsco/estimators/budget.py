"""An account of epsilon and delta that several fits draw from, one after the other or in threads.

Standard library only. Epsilons and deltas add up (basic composition), which is proved for fits chosen one after the other in
the light of what earlier ones released, as long as the totals are fixed beforehand: the account refuses the fit that would pass
them.
"""

import os
from fractions import Fraction
from threading import Lock
from typing import Any

from dpsco.noise.asked import EPSILONS, adjacency_of, number, within


class BudgetError(ValueError):
    """A fit that nobody has paid for."""


class Budget:
    """A total of epsilon and delta, for one adjacency, and what was drawn from it so far.

    Copies within a process (`copy.copy`, `copy.deepcopy`, `sklearn.base.clone`) are the account itself: a search over clones
    draws from one total, in threads too. A pickled copy, or one in a forked process, is closed: it refuses every draw, since
    what it spent would be missing here. So a saved model can be read anywhere, and a search in several processes is refused.

    Numbers count as the decimals that they print as: ten fits at 0.1 exhaust a total of 1.0. The doubles differ from those by
    2^-53 of themselves at most, and so do the totals.

    Domain   epsilon in [1e-9, 1e9]; delta in [0, 1); adjacency: "replace-one", "add-one" or its full name
    Raises   ValueError naming the argument, its value and what is allowed
    Source   Rogers, Roth, Ullman and Vadhan 2016, on totals that are fixed beforehand
    """

    def __init__(self, epsilon: float, delta: float, adjacency: str = "replace-one") -> None:
        self.epsilon, self.delta = number("epsilon", epsilon), number("delta", delta)
        within("epsilon", self.epsilon, *EPSILONS)
        if not 0 <= self.delta < 1:
            raise ValueError(f"delta={delta}: must lie in [0, 1)")
        self.adjacency = adjacency_of(adjacency)
        self.closed = False
        self._process = os.getpid()
        self._drawn: list[tuple[float, float, str]] = []
        self._lock = Lock()

    def draw(self, epsilon: float, delta: float, adjacency: str, what: str) -> None:
        """Take (epsilon, delta) off the account before the data are used; what a failed fit drew stays drawn.

        Raises   BudgetError where the account is closed, is for another adjacency, or has less left: nothing is drawn then
        """
        if self.closed or os.getpid() != self._process:
            raise BudgetError(
                "budget: a pickled copy, or one in a forked process, is closed and pays for no fit; fit in the process that "
                "made it, in threads if need be"
            )
        if adjacency != self.adjacency:
            raise BudgetError(f"budget: is for adjacency={self.adjacency!r}, the fit for {adjacency!r}; these do not add up")
        with self._lock:
            left = self._left()
            if _decimal(epsilon) > left[0] or _decimal(delta) > left[1]:
                raise BudgetError(
                    f"budget: {what} asks for epsilon={epsilon:g}, delta={delta:g}; "
                    f"left are epsilon={float(left[0]):g}, delta={float(left[1]):g} of {self.epsilon:g}, {self.delta:g}"
                )
            self._drawn.append((epsilon, delta, what))

    @property
    def left(self) -> tuple[float, float]:
        """(epsilon, delta) that no fit has drawn yet."""
        with self._lock:
            epsilon, delta = self._left()
        return float(epsilon), float(delta)

    @property
    def drawn(self) -> tuple[tuple[float, float, str], ...]:
        """(epsilon, delta, what for) of each draw, in order: public."""
        with self._lock:
            return tuple(self._drawn)

    def _left(self) -> tuple[Fraction, Fraction]:
        epsilon, delta = _decimal(self.epsilon), _decimal(self.delta)
        for one, other, _ in self._drawn:
            epsilon, delta = epsilon - _decimal(one), delta - _decimal(other)
        return epsilon, delta

    def __copy__(self) -> "Budget":
        return self

    def __deepcopy__(self, memo: Any) -> "Budget":
        return self

    def __reduce__(self) -> Any:
        return _closed, (self.epsilon, self.delta, self.adjacency)

    def __repr__(self) -> str:
        return f"Budget({self.epsilon!r}, {self.delta!r}, {self.adjacency!r}{', closed' if self.closed else ''})"


def _closed(epsilon: float, delta: float, adjacency: str) -> Budget:
    found = Budget(epsilon, delta, adjacency)
    found.closed = True
    return found


def _decimal(value: float) -> Fraction:
    return Fraction(repr(float(value)))
