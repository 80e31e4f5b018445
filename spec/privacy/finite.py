"""Finite mechanisms: finitely many data sets, finitely many answers, everything about their privacy decided exactly.

A mechanism is a table of rows of probabilities, a row for each data set; an adjacency is a relation between data sets. The
laws of differential privacy (group privacy, post-processing, joint convexity, composition, one adjacency from another) can
be tested on them without rounding. No paper of the register makes a claim about them.
"""

from collections.abc import Sequence
from random import Random

from dpsco.spec.contract import SUM_SCALED, Inputs, between, contract


def _rows(random: Random) -> Inputs:
    """Two laws on up to nine answers, some of them impossible, and an epsilon."""
    size = random.randint(1, 9)
    spread = random.choice((1.0, 8.0, 60.0))

    def law() -> list[float]:
        weights = [0.0 if random.random() < 0.2 else 10.0 ** -(spread * random.random()) for _ in range(size)]
        total = sum(weights) or 1.0
        return [w / total for w in weights]

    return {"p": law(), "q": law(), "epsilon": random.choice((0.0, 1e-9, 0.1, 1.0, 30.0)) * random.random()}


@contract(
    metric=SUM_SCALED,
    range=between("0", lambda m, p: sum(p)),
    generate=_rows,
    hard=(
        {"p": [0.5, 0.5], "q": [0.5, 0.5], "epsilon": 0.0},
        {"p": [1.0, 0.0], "q": [0.0, 1.0], "epsilon": 700.0},
        {"p": [0.75, 0.25], "q": [0.25, 0.75], "epsilon": 1.0986122886681098},
    ),
)
def hockey_stick(p: Sequence[float], q: Sequence[float], epsilon: float) -> float:
    """Least delta for which the law p is within (epsilon, delta) of the law q: the hockey-stick divergence.

    sum over the answers of max(0, p - e^epsilon q)

    Domain   p and q of one length, nonnegative, each of sum 1 (not enforced); 0 <= epsilon <= 700 (nats)
    Returns  delta, a probability; terms for the error: p + e^epsilon q where p > e^epsilon q
    Raises   ValueError where the lengths differ
    Source   Balle and Wang 2018, Theorem 5
    """
