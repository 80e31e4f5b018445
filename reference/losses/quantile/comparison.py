"""The check loss's two smoothings compared, literally: their gaps, and the numbers that decide which is larger."""

from dpsco.reference.literal import literal
from dpsco.reference.losses import kernels
from dpsco.reference.losses.moreau import envelope as moreau
from dpsco.reference.losses.quantile import smoothing
from dpsco.spec.losses.quantile import comparison as spec
from dpsco.spec.numbers import Numbers, Real


@literal(spec.convolution_gap)
def convolution_gap(m: Numbers, kernel: str, u: Real, h: Real) -> Real:
    return smoothing.gap(m, kernel, u, h)


@literal(spec.envelope_gap)
def envelope_gap(m: Numbers, u: Real, beta: Real, r: Real) -> Real:
    return -moreau.gap(m, u, 1 / beta, r)


def product(m: Numbers, kernel: str) -> Real:
    """kappa_1 K_bar: twice beta times the largest gap of the convolution whose smoothness is beta; no bandwidth changes it.

    Domain   kernel a name of `KERNELS`
    Returns  at least 1/4, which only a uniform kernel attains; no unit
    Source   quantile, Lemma 3.1, parts 2 and 3
    """
    return kernels.kappa_1(m, kernel) * kernels.K_bar(m, kernel)


def critical_level(m: Numbers, kernel: str) -> Real:
    """The max(r, 1 - r) at which the largest gaps of the convolution and of the envelope are equal at equal smoothness.

    sqrt(kappa_1 K_bar)

    Domain   kernel a name of `KERNELS`
    Returns  at least 1/2; the convolution is closer above it, the envelope below; no unit
    Source   quantile, Section 3.1, comparison to the Moreau envelope
    """
    return m.sqrt(product(m, kernel))
