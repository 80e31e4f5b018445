"""Conditions that claims of several concepts share: one function each, so that a certificate knows them by it.

Each concept says a condition in its own words and gives an instance inside and one outside: see `Predicate`.
"""

from dpsco.spec.expressions import symbol, symbols

B, B_x, L, beta, largest_eigenvalue = symbols("B B_x L beta largest_eigenvalue")
largest_feature_norm, largest_gradient_norm = symbols("largest_feature_norm largest_gradient_norm")
optimum_norm = symbol("optimum_norm")


gradients_are_bounded = largest_gradient_norm <= L
"""Every record's gradient has norm at most L."""

hessians_are_bounded = largest_eigenvalue <= beta
"""Every record's Hessian has eigenvalues at most beta."""

features_are_bounded = largest_feature_norm <= B_x
"""Every feature vector has norm at most B_x."""

optimum_in_ball = optimum_norm <= B
"""The minimiser of the population risk has norm at most B."""
