"""dpsco: an executable specification of differentially private stochastic convex optimization, with a verified reference."""

from dpsco import moved

__version__ = "0.1.0"
moved.install()
