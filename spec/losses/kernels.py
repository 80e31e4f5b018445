"""Smoothing kernels: the conditions that a kernel meets, and the closed forms of four of them.

With V distributed by the density K, and t = u/h: K(t), its distribution function, and E|t + V|, from which the smoothed
check loss is made.
"""

from functools import reduce
from typing import TypeAlias

from dpsco.spec.claim import Claim, Kind, Provenance, Relation
from dpsco.spec.contract import PROBABILITY, ULPS, between, contract
from dpsco.spec.expressions import E, absolute, exp, maximum, pi, sqrt, symbol, symbols
from dpsco.spec.inputs import any_argument, arguments
from dpsco.spec.losses import polynomial_kernel as own
from dpsco.spec.losses.polynomial_kernel import PolynomialKernel
from dpsco.spec.numbers import Numbers, Real
from dpsco.spec.papers import QUANTILE
from dpsco.spec.parameters import KERNEL, H, U, V
from dpsco.spec.predicate import Predicate
from dpsco.spec.statement import Statement, Symbol, asserted, bounded_by, statement

v = symbol("v")

KERNELS = ("gaussian", "logistic", "uniform", "epanechnikov")
Kernel: TypeAlias = str | PolynomialKernel
"""A name of `KERNELS`, or a kernel of one's own."""


def known(kernel: object) -> ValueError:
    """The error for what is no kernel."""
    return ValueError(f"kernel is one of {', '.join(KERNELS)}, got {kernel!r}")


@contract(metric=ULPS, range=between("0", "0.75"), inputs=(KERNEL, V), generate=any_argument, hard=arguments)
def density(kernel: str, v: float) -> float:
    """The kernel's density.

    K(v)

    Domain   kernel a name of `KERNELS`, v any number
    Returns  K(v), no unit
    Raises   ValueError for another name
    Source   quantile, Table 1, second column
    """


@contract(metric=ULPS, range=PROBABILITY, inputs=(KERNEL, V), generate=any_argument, hard=arguments)
def integrated(kernel: str, v: float) -> float:
    """The kernel's distribution function.

    integral of K from -infinity to v

    Domain   kernel a name of `KERNELS`, v any number
    Returns  a probability, accurate in the lower tail
    Raises   ValueError for another name
    Source   quantile, Section 3.1 and Table 1, fourth column
    """


def table_density(m: Numbers, kernel: Kernel, v: Real) -> Real:
    match kernel:
        case "gaussian":
            return 1 / m.sqrt(2 * m.pi) * m.exp(-(v**2) / 2)
        case "logistic":
            return m.exp(-v) / (1 + m.exp(-v)) ** 2
        case "uniform":
            return m.where(m.le(m.abs(v), m.real(1)), m.frac(1, 2), m.real(0))
        case "epanechnikov":
            return m.where(m.le(m.abs(v), m.real(1)), m.frac(3, 4) * (1 - v**2), m.real(0))
        case PolynomialKernel():
            return own.density(m, kernel, v)
    raise known(kernel)


def table_integrated(m: Numbers, kernel: Kernel, u: Real, h: Real) -> Real:
    t, zero, one = u / h, m.real(0), m.real(1)
    match kernel:
        case "gaussian":
            return m.Phi(t)
        case "logistic":
            return 1 / (1 + m.exp(-t))
        case "uniform":
            return m.min((t + 1) / 2, one) * m.where(m.ge(t, -one), one, zero)
        case "epanechnikov":
            inside = -(t**3) / 4 + 3 * t / 4 + m.frac(1, 2)
            return m.where(m.le(m.abs(t), one), inside, m.where(m.ge(t, one), one, zero))
        case PolynomialKernel():
            return own.integrated(m, kernel, t)
    raise known(kernel)


def table_deviation(m: Numbers, kernel: Kernel, u: Real, h: Real) -> Real:
    t = u / h
    if kernel == "logistic":
        return 1 / t + 2 * m.log(1 + m.exp(-t))
    return table_deviation_amended(m, kernel, u, h)


def table_deviation_amended(m: Numbers, kernel: Kernel, u: Real, h: Real) -> Real:
    t, one = u / h, m.real(1)
    match kernel:
        case "gaussian":
            return m.sqrt(2 / m.pi) * m.exp(-(t**2) / 2) + t * (1 - 2 * m.Phi(-t))
        case "logistic":
            return t + 2 * m.log(1 + m.exp(-t))
        case "uniform":
            return m.where(m.le(m.abs(t), one), t**2 / 2 + m.frac(1, 2), m.abs(t))
        case "epanechnikov":
            return m.where(m.le(m.abs(t), one), -(t**4) / 8 + 3 * t**2 / 4 + m.frac(3, 8), m.abs(t))
        case PolynomialKernel():
            return own.deviation(m, kernel, t)
    raise known(kernel)


cubic_tail = 1 / v**3
cubic_tail_amended = 1 / absolute(v) ** 3
not_zero = absolute(v) > 0


NOT_ZERO = Predicate("v is not zero", not_zero, accepts={"v": "-2"}, rejects={"v": "0"})


def tail_starts(m: Numbers, kernel: str) -> Real:
    """From where on the kernel is below the cubic tail; the printed condition only says that such a place exists."""
    return m.real(5) if kernel == "logistic" else m.real(1)


NO_BARS = (
    "The table as it came to us has lost every vertical bar. Restored: 1{|u| <= 1} in the second column of the uniform and the "
    "Epanechnikov rows, where '1{ u <= 1}' stands"
)
RESTORED = (
    NO_BARS
    + "; |u/h + v| in the head of the third column, where ' u/h + v ' stands; 'if |u/h| <= 1' and '|u/h|, otherwise' in "
    "the cases of the uniform and the Epanechnikov rows, where ' u/h ' stands. A stray prime is dropped from u^{4'} in the "
    "Epanechnikov entry of the third column."
)

claims = [
    Claim(
        id="quantile/cond-1",
        title="smoothing kernels",
        kind=Kind.DEFINITION,
        source=QUANTILE.at("Condition 1", "Table 1"),
        says="A kernel is nonnegative, integrates to one, is symmetric, does not increase in |u|, and has finite kappa_1, "
        "kappa_2 and supremum; the Gaussian, logistic, uniform and Epanechnikov kernels are such.",
        parameters=(KERNEL, V),
        formulas={"K": table_density},
        asserts=(
            Relation("K(v)", ">=", "0"),
            Relation("integral of K", "=", "1"),
            Relation("K(v)", "=", "K(-v)"),
            Relation("K(u) for |u| >= |v|", "<=", "K(v)"),
            Relation("kappa_1 = integral of |v| K(v)", "<", "infinity"),
            Relation("kappa_2 = integral of v^2 K(v)", "<", "infinity"),
            Relation("K_bar = sup K", "<", "infinity"),
        ),
        provenance=Provenance.REPAIRED,
        note=NO_BARS
        + ". That any function with these properties is suitable is the paper's remark; what it needs of them stands in "
        "quantile/lem-3.1-1 to quantile/lem-3.1-3, judged there.",
    ),
    Claim(
        id="quantile/cond-2",
        title="light-tailed kernels",
        kind=Kind.DEFINITION,
        source=QUANTILE.at("Condition 2", "the paragraph after Theorem 3.6"),
        says="A kernel has a light tail if for some threshold above zero K(v) <= 1/v^3 wherever |v| exceeds it; all kernels of "
        "Table 1 qualify.",
        parameters=(KERNEL, V),
        formulas={"K": table_density, "tail": cubic_tail},
        preconditions=(NOT_ZERO,),
        asserts=(Relation("K(v) for all |v| > threshold, some threshold > 0", "<=", "tail"),),
        provenance=Provenance.REPAIRED,
        note=NO_BARS + ". The bound itself is left as it stands, 1/u^3 without bars, hence negative for v < 0: a misprint, or "
        "damage of the scan, which the text at hand does not tell (the bars of |u| > v stand in the same line).",
    ),
    Claim(
        id="quantile/cond-2-amended",
        amends="quantile/cond-2",
        kind=Kind.DEFINITION,
        source=QUANTILE.at("Condition 2", "the paragraph after Theorem 3.6"),
        says="With the modulus, K(v) <= 1/|v|^3 wherever |v| > 5 for the logistic kernel and wherever |v| > 1 for the "
        "Gaussian, uniform and Epanechnikov kernels.",
        parameters=(KERNEL, V),
        formulas={"K": table_density, "tail": cubic_tail_amended, "threshold": tail_starts},
        provenance=Provenance.REPAIRED,
        note=NO_BARS + ".",
        preconditions=(NOT_ZERO,),
        asserts=(Relation("K(v) for all |v| > threshold", "<=", "tail"),),
    ),
    Claim(
        id="quantile/table-1",
        title="closed forms for four kernels",
        kind=Kind.IDENTITY,
        unproved=True,
        source=QUANTILE.at("Table 1"),
        says="Closed forms of the integral of |u/h + v| K(v) over v and of the integral of K up to u/h, for four kernels, "
        "every residual and every bandwidth.",
        uses=("quantile/eq-2",),
        parameters=(KERNEL, V, U, H),
        formulas={"K": table_density, "deviation": table_deviation, "integrated": table_integrated},
        asserts=(
            Relation("integral of |u/h + v| K(v) dv", "=", "deviation"),
            Relation("integral of K from -infinity to u/h", "=", "integrated"),
        ),
        provenance=Provenance.REPAIRED,
        note=RESTORED
        + " The logistic entry of the third column is left as it stands, 1/(u/h) + 2 ln(1 + e^(-u/h)): a misprint, "
        "or damage of the scan, which the text at hand does not tell; display (2) needs u/h.",
    ),
    Claim(
        id="quantile/table-1-amended",
        amends="quantile/table-1",
        kind=Kind.IDENTITY,
        source=QUANTILE.at("Table 1"),
        says="The table with u/h in the place of 1/(u/h) in the logistic entry of the third column.",
        provenance=Provenance.REPAIRED,
        note=RESTORED,
        parameters=(KERNEL, V, U, H),
        formulas={"K": table_density, "deviation": table_deviation_amended, "integrated": table_integrated},
        asserts=(
            Relation("integral of |u/h + v| K(v) dv", "=", "deviation"),
            Relation("integral of K from -infinity to u/h", "=", "integrated"),
        ),
    ),
]

_v = symbols("v")[0]
_inside_one = (1 + (1 - absolute(_v)) / absolute(1 - absolute(_v))) / 2
"""1 for |v| < 1, 0 for |v| > 1; the statements here ask for no |v| = 1."""
DENSITIES = {
    "gaussian": 1 / sqrt(2 * pi) * exp(-(_v**2) / 2),
    "logistic": exp(-_v) / (1 + exp(-_v)) ** 2,
    "uniform": E(1) / 2 * _inside_one,
    "epanechnikov": E(3) / 4 * (1 - _v**2) * _inside_one,
}


_far = symbols("far")[0]
_largest = reduce(maximum, DENSITIES.values())
statements: list[Statement] = [
    statement(
        "quantile/cond-2",
        "Beyond some threshold every kernel of Table 1 is at most 1/v^3",
        bounded_by(absolute(_v), 1),
        source=str(QUANTILE.at("Condition 2", "the paragraph after Theorem 3.6")),
        says="For each kernel of Table 1 some threshold above zero has K(v) <= 1/v^3 wherever |v| exceeds it. That is: the |v| "
        "at which one of the four exceeds 1/v^3 are bounded. (1/v^3 is written v/|v|^4, and |v| <= 1 is left out.)",
        symbols=(Symbol("v", "an argument beyond 1 at which a kernel exceeds 1/v^3"),),
        domain={absolute(_v) > 1: {"v": -1}, _largest > _v / absolute(_v) ** 4: {"v": 10}},
        inside={"v": -2},
        note=NO_BARS + ".",
    ),
    statement(
        "quantile/cond-2-amended",
        "The logistic kernel is at most 1/|v|^3 for |v| > 5, the other kernels of Table 1 are for |v| > 1",
        *(
            asserted(DENSITIES[name].where({"v": of}) <= 1 / absolute(of) ** 3)
            for name, of in (("gaussian", _v), ("logistic", _far), ("uniform", _v), ("epanechnikov", _v))
        ),
        source=str(QUANTILE.at("Condition 2", "the paragraph after Theorem 3.6")),
        symbols=(
            Symbol("v", "an argument of the kernel with |v| > 1"),
            Symbol("far", "an argument of the kernel with |far| > 5"),
        ),
        domain={absolute(_v) > 1: {"v": 1}, absolute(_far) > 5: {"far": 5}},
        inside={"v": -2, "far": -10},
        amends="quantile/cond-2",
        note=NO_BARS + ".",
    ),
]
