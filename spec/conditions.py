"""Conditions that claims of several concepts share: one function each, so that a certificate knows them by it.

Each concept says a condition in its own words and gives an instance inside and one outside: see `Predicate`.
"""

from dpsco.spec.numbers import Numbers, Real, Truth


def gradients_are_bounded(m: Numbers, largest_gradient_norm: Real, L: Real) -> Truth:
    """Every record's gradient has norm at most L."""
    return m.le(largest_gradient_norm, L)


def hessians_are_bounded(m: Numbers, largest_eigenvalue: Real, beta: Real) -> Truth:
    """Every record's Hessian has eigenvalues at most beta."""
    return m.le(largest_eigenvalue, beta)


def features_are_bounded(m: Numbers, largest_feature_norm: Real, B_x: Real) -> Truth:
    """Every feature vector has norm at most B_x."""
    return m.le(largest_feature_norm, B_x)


def optimum_in_ball(m: Numbers, optimum_norm: Real, B: Real) -> Truth:
    """The minimiser of the population risk has norm at most B."""
    return m.le(optimum_norm, B)
