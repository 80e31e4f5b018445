"""The kernels: densities, distribution functions, deviations and moments, each written once over the number context."""

from dpsco.reference.literal import literal
from dpsco.spec.losses import kernels as spec
from dpsco.spec.losses import polynomial_kernel as own
from dpsco.spec.losses.kernels import Kernel, known
from dpsco.spec.losses.polynomial_kernel import PolynomialKernel
from dpsco.spec.numbers import Numbers, Real


@literal(spec.density)
def density(m: Numbers, kernel: Kernel, v: Real) -> Real:
    return spec.table_density(m, kernel, v)


@literal(spec.integrated)
def integrated(m: Numbers, kernel: Kernel, v: Real) -> Real:
    return spec.table_integrated(m, kernel, v, m.real(1))


def deviation(m: Numbers, kernel: Kernel, t: Real) -> Real:
    """Mean distance E|t + V| of the kernel's variable from -t.

    integral of |t + v| K(v) dv

    Domain   kernel a name, t any number
    Returns  at least |t|; kappa_1 at t = 0
    Source   quantile, Table 1, third column
    Deviation: the logistic entry has t where the table prints 1/t.
    """
    return spec.table_deviation_amended(m, kernel, t, m.real(1))


def upper_moment(m: Numbers, kernel: Kernel, a: Real) -> Real:
    """First moment of the upper tail.

    integral of v K(v) from a to infinity

    Domain   kernel a name, a >= 0
    Returns  kappa_1 / 2 at a = 0, decreasing to 0
    Source   newsvendor, proof of Lemma 5; half of its integral over |v| >= a
    """
    one, zero = m.real(1), m.real(0)
    match kernel:
        case "gaussian":
            return m.exp(-(a**2) / 2) / m.sqrt(2 * m.pi)
        case "logistic":
            return a * m.exp(-a) / (1 + m.exp(-a)) + m.log(1 + m.exp(-a))
        case "uniform":
            return m.where(m.le(a, one), (1 - a**2) / 4, zero)
        case "epanechnikov":
            return m.where(m.le(a, one), 3 * (1 - a**2) ** 2 / 16, zero)
        case PolynomialKernel():
            return own.piecewise(m, own.first_moments(kernel), kernel, a)
    raise known(kernel)


def kappa_1(m: Numbers, kernel: Kernel) -> Real:
    """First absolute moment: integral of |v| K(v) dv. Source: quantile, Condition 1."""
    match kernel:
        case "gaussian":
            return m.sqrt(2 / m.pi)
        case "logistic":
            return 2 * m.log(m.real(2))
        case "uniform":
            return m.frac(1, 2)
        case "epanechnikov":
            return m.frac(3, 8)
        case PolynomialKernel():
            return m.real(own.moment(kernel, 1))
    raise known(kernel)


def kappa_2(m: Numbers, kernel: Kernel) -> Real:
    """Second moment: integral of v^2 K(v) dv. Source: quantile, Condition 1."""
    match kernel:
        case "gaussian":
            return m.real(1)
        case "logistic":
            return m.pi**2 / 3
        case "uniform":
            return m.frac(1, 3)
        case "epanechnikov":
            return m.frac(1, 5)
        case PolynomialKernel():
            return m.real(own.moment(kernel, 2))
    raise known(kernel)


def K_bar(m: Numbers, kernel: Kernel) -> Real:
    """Supremum of the density, taken at zero. Source: quantile, Condition 1."""
    match kernel:
        case "gaussian":
            return 1 / m.sqrt(2 * m.pi)
        case "logistic":
            return m.frac(1, 4)
        case "uniform":
            return m.frac(1, 2)
        case "epanechnikov":
            return m.frac(3, 4)
        case PolynomialKernel():
            return m.real(kernel.pieces[0][0])
    raise known(kernel)


def support(m: Numbers, kernel: Kernel) -> Real:
    """Half the length of the interval outside which the density is zero; infinite if there is none."""
    if isinstance(kernel, PolynomialKernel):
        return m.real(kernel.ends[-1])
    if kernel not in spec.KERNELS:
        raise known(kernel)
    return m.real(1) if kernel in ("uniform", "epanechnikov") else m.inf
