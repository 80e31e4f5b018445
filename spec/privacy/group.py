"""Group privacy: what an (epsilon, delta)-DP mechanism leaves of privacy between data sets that are several steps apart.

Two data sets are at distance k if k steps of the adjacency lead from one to the other. No paper of the register states the
bound by itself; two of them use Vadhan's larger form of it. An add-remove guarantee becomes one for replaced records at
k = 2: (2 epsilon, (1 + e^epsilon) delta).
"""

from dpsco.spec.contract import POSITIVE_PROBABILITY, ULPS, contract
from dpsco.spec.domain import Parameter, naturals
from dpsco.spec.parameters import DELTA, EPSILON

DISTANCE = Parameter("distance", "number of steps between the two data sets", naturals)


@contract(metric=ULPS, range=POSITIVE_PROBABILITY, inputs=(EPSILON, DELTA, DISTANCE))
def delta_at_distance(epsilon: float, delta: float, distance: int) -> float:
    """Least delta' for which every (epsilon, delta)-DP mechanism is (distance epsilon, delta')-DP between such data sets,
    where that is at most 1/(1 + e^epsilon); beyond that an upper bound.

    delta' = min(1, delta (e^{distance epsilon} - 1) / (e^epsilon - 1))

    Attained by one event with p_0 = 0 and p_{j+1} = e^epsilon p_j + delta on a chain of data sets.

    Domain   epsilon > 0 (nats), delta in (0, 1), distance a positive integer
    Returns  delta', a probability
    Source   proved here: an event's probabilities have p_{j+1} <= e^epsilon p_j + delta, `distance` times. Vadhan 2017, Lemma
             2.2, has the larger delta distance e^{distance epsilon}
    """
