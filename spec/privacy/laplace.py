"""The Laplace mechanism: a number answered with Laplace noise of a scale.

A query of sensitivity `sensitivity`, answered with noise of density e^{-|x|/scale} / (2 scale), is epsilon_0-DP with
epsilon_0 = sensitivity / scale. No paper of the register makes a claim about it: it is here as a mechanism to calibrate.
"""

from dpsco.spec.contract import PROBABILITY, ULPS, contract
from dpsco.spec.domain import Parameter, nonnegative, positive
from dpsco.spec.parameters import EPSILON

EPSILON_0 = Parameter("epsilon_0", "sensitivity over scale, the pure privacy parameter", positive, "nat")


@contract(metric=ULPS, range=PROBABILITY, inputs=(EPSILON.within(nonnegative), EPSILON_0))
def profile(epsilon: float, epsilon_0: float) -> float:
    """Least delta for which one answer with Laplace noise is (epsilon, delta)-DP.

    delta = 1 - e^{(epsilon - epsilon_0)/2} for epsilon < epsilon_0, else 0

    Domain   epsilon >= 0, epsilon_0 > 0 (nats)
    Returns  delta, a probability
    Source   Balle, Barthe and Gaboardi 2018, Theorem 3
    """
