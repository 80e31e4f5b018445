"""What exponential descent with a public step length costs: exact, as its directions can be independent randomised responses.

With the printed step eta |gradient| there is nothing to compute: the run is private with no epsilon and no delta < 1.
"""

from dpsco.reference.bracket import bracket
from dpsco.reference.numbers.enclosure import arb
from dpsco.reference.privacy.composition.pure import optimal_pure
from dpsco.spec.numbers import Numbers, Real


def least_delta(m: Numbers, epsilon: Real, epsilon_0: Real, T: int) -> Real:
    """Least delta for which the run is (epsilon, delta)-DP, all iterates released.

    delta = optimal_pure(epsilon, epsilon_0, T - 1)

    Domain   epsilon >= 0, epsilon_0 >= 0 (nats, one step), T >= 1
    Returns  a probability; attained on the line, by records with opposite gradients at every step
    Source   Kairouz, Oh and Viswanath 2015, Theorem 3.3
    """
    return optimal_pure(m, epsilon, epsilon_0, T - 1)


def solve_step_epsilon(epsilon: object, delta: object, T: int) -> Real:
    """Enclosure of the largest parameter of one step for which the run is (epsilon, delta)-DP.

    Domain   epsilon > 0, 0 < delta < 1, T >= 2: one step is the least that costs anything
    Returns  nats; to about twelve digits
    Raises   ValueError for T < 2
    """
    if T < 2:
        raise ValueError(f"T={T}: must be at least 2, as a run without a step costs nothing")

    def below(one: Real) -> bool | None:
        m = arb(256)
        answer: bool | None = m.lt(least_delta(m, m.real(epsilon), m.real(one), T), m.real(delta))
        return answer

    return bracket(below, arb(256).real(1), relative_bits=40).ball()
