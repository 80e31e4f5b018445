"""The subsampled Gaussian mechanism: enclosures of what one step and many need."""

from dpsco.reference.numbers.inversion import OutOfReachError
from dpsco.reference.privacy.subsampling.events import largest, linear, subset_sums
from dpsco.reference.privacy.subsampling.many_steps import Run, composed, deltas, epsilon
from dpsco.reference.privacy.subsampling.sampling import Enclosed, delta_of, epsilon_of

__all__ = [
    "Enclosed",
    "OutOfReachError",
    "Run",
    "composed",
    "delta_of",
    "deltas",
    "epsilon",
    "epsilon_of",
    "largest",
    "linear",
    "subset_sums",
]
