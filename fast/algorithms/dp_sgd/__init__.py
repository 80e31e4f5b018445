"""Differentially private stochastic gradient descent."""
