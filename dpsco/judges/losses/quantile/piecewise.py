"""Judge of the smoothing of piecewise linear functions: linear in the function, so knot by knot, and each knot exactly."""

from collections.abc import Callable, Iterator
from itertools import product
from typing import Any

import sympy

from dpsco.arguments.assertions import Table, reading
from dpsco.arguments.comparing import Instance, admitted, compared, every_sign, order
from dpsco.arguments.formula import apply
from dpsco.arguments.losses.kernel_facts import LIMITS, facts
from dpsco.arguments.losses.smoothed_loss import FARTHEST, WHOLE, every_kernel
from dpsco.mutants.losses.quantile import piecewise as mutants
from dpsco.reference.losses import kernels
from dpsco.reference.losses.quantile import smoothing
from dpsco.reference.numbers.symbolic import symbol, symbolic
from dpsco.spec.claim import Claim
from dpsco.spec.domain import Vectors, nonnegative, positive
from dpsco.spec.losses.kernels import KERNELS
from dpsco.spec.numbers import Numbers, Real
from dpsco.verdict import Finding, Lemma, Severity

Formula = Callable[..., Real]
LINEAR = Lemma(
    "linear",
    "A continuous function with finitely many linear pieces is a + s u + (1/2) sum of J_j |u - t_j|: the difference has no "
    "kinks and outer slopes of sum zero. Convolution with K_h is linear, leaves a + s u as it is (mass one, mean zero), and "
    "makes E|u - t + h V| of |u - t|. A formula that is a sum over knots is known from one to four of them.",
)
SUMMED = Lemma(
    "summed gaps",
    "0 <= E|u - t + h V| - |u - t| <= h kappa_1 at every knot, with equality on the right at u = t. So f_h - f is at most (h "
    "kappa_1/2) sum of |J_j| in absolute value, with equality for one knot at u = t, and for knots that coincide.",
)
MOST_KNOTS = 4
SIZES = tuple(range(1, MOST_KNOTS + 1))
USUAL = {
    "h": positive,
    "kappa_1": positive,
    "jumps": Vectors("knots"),
    "knots": Vectors("knots"),
    "smoothed_distances": Vectors("knots", nonnegative),
}
SURVIVES = "f_h = a + s u + (1/2) sum of J_j E|u - t_j + h V|, within (h kappa_1/2) sum of |J_j| of f."


def places(kernel: str) -> list[Instance]:
    """Two knots with jumps of one sign and of both; the point at a knot, a bandwidth from it, between them, far away."""
    functions = (("0", "0", "1", "0"), ("-1", "2", "1.5", "-1.5"), ("0.5", "0.5", "-2", "-3"), ("0", "4", "0.25", "8"))
    return [
        {"kernel": kernel, "u": u, "h": h, "intercept": "-2", "mean_slope": "0.75", "t1": t1, "t2": t2, "j1": j1, "j2": j2}
        for (t1, t2, j1, j2), u, h in product(functions, ("0", "0.5", "1", "-3", "30"), ("1", "0.25", "6"))
    ]


def at_two(formula: Formula) -> Formula:
    """A formula of the vectors at two knots, with a kernel's own mean distances and first moment."""

    def with_two(
        m: Numbers, kernel: str, u: Real, h: Real, intercept: Real, mean_slope: Real, t1: Real, t2: Real, j1: Real, j2: Real
    ) -> Real:
        distances = [h * kernels.deviation(m, kernel, (u - t) / h) for t in (t1, t2)]
        values = {"u": u, "h": h, "intercept": intercept, "mean_slope": mean_slope, "kappa_1": kernels.kappa_1(m, kernel)}
        return apply(formula, m, {**values, "jumps": [j1, j2], "knots": [t1, t2], "smoothed_distances": distances})

    return with_two


def own_function(m: Numbers, u: Real, intercept: Real, mean_slope: Real, jumps: Real, knots: Real) -> Real:
    """By ramps: the slope left of all knots, and each jump from its knot on."""
    ramps = sum(J * (m.abs(u - t) + u - t) / 2 for J, t in zip(jumps, knots, strict=True))
    first, level = mean_slope - sum(jumps) / 2, intercept + sum(J * t for J, t in zip(jumps, knots, strict=True)) / 2
    return level + first * u + ramps


def own_smoothed(
    m: Numbers, kernel: str, u: Real, h: Real, intercept: Real, mean_slope: Real, t1: Real, t2: Real, j1: Real, j2: Real
) -> Real:
    """The function and each knot's gap: |u - t| is twice the check loss of level 1/2, and so is its gap."""
    gaps = sum(j * smoothing.gap(m, kernel, u - t, h) for j, t in ((j1, t1), (j2, t2)))
    return own_function(m, u, intercept, mean_slope, [j1, j2], [t1, t2]) + gaps


def symbols(claim: Claim, size: int) -> dict[str, Any]:
    """The claim's parameters as symbols, the vectors with `size` entries."""
    scalars = {p.name: symbol(p) for p in claim.parameters if not isinstance(p.domain, Vectors)}
    return scalars | {
        "jumps": list(sympy.symbols(f"J1:{size + 1}", real=True)),
        "knots": list(sympy.symbols(f"t1:{size + 1}", real=True)),
        "smoothed_distances": list(sympy.symbols(f"D1:{size + 1}", nonnegative=True)),
    }


def usual(claim: Claim) -> bool:
    """Whether the bandwidth and the first moment are positive and the vectors what they are called."""
    return all(USUAL.get(p.name, p.domain) == p.domain for p in claim.parameters)


def is_function(claim: Claim) -> bool:
    """Whether the printed function is the one by ramps, at every size tried."""
    m, printed = symbolic(), claim.formulas["piecewise_linear"]
    return all(
        sympy.expand(apply(printed, m, given) - apply(own_function, m, given)) == 0
        for given in (symbols(claim, size) for size in SIZES)
    )


def is_smoothed(claim: Claim) -> bool:
    """Whether the printed smoothed function is the function with mean distances for distances, at every size tried."""
    m, printed = symbolic(), claim.formulas["smoothed"]
    for size in SIZES:
        given = symbols(claim, size)
        pairs = zip(*(given[name] for name in ("jumps", "knots", "smoothed_distances")), strict=True)
        gaps = sum(J * (D - sympy.Abs(given["u"] - t)) / 2 for J, t, D in pairs)
        if sympy.expand(apply(printed, m, given) - apply(own_function, m, given) - gaps) != 0:
            return False
    return True


def identified(claim: Claim) -> bool:
    return usual(claim) and is_function(claim) and is_smoothed(claim)


def convolution(claim: Claim, relation: str) -> Iterator[Finding]:
    """The printed form against the convolution of the printed function, kernel by kernel and then for every kernel."""
    smoothed, function = at_two(claim.formulas["smoothed"]), at_two(claim.formulas["piecewise_linear"])
    sides = (
        ("the convolution of f with K_h against the printed form", smoothed, relation, own_smoothed, "left"),
        ("the printed f by its ramps", at_two(own_function), "=", function, "right"),
    )
    found = [
        compared(
            f"{kernel}: {scope}",
            left,
            between,
            right,
            known="=" if identified(claim) and all(facts(kernel)[fact] for fact in WHOLE) else None,
            instances=admitted(claim, places(kernel)),
            method="one to four knots, by computer algebra",
            severity=Severity.CONSTANT,
            survives=SURVIVES,
            lemmas=(LIMITS, LINEAR),
            printed=printed,
        )
        for kernel in KERNELS
        for scope, left, between, right, printed in sides
    ]
    yield from found
    yield every_kernel("every kernel, every number of knots: the convolution of f with K_h", found, LINEAR)


def distance(claim: Claim) -> Formula:
    """|smoothed - piecewise_linear| as printed."""
    smoothed, function = (at_two(claim.formulas[name]) for name in ("smoothed", "piecewise_linear"))

    def apart(
        m: Numbers, kernel: str, u: Real, h: Real, intercept: Real, mean_slope: Real, t1: Real, t2: Real, j1: Real, j2: Real
    ) -> Real:
        given = (kernel, u, h, intercept, mean_slope, t1, t2, j1, j2)
        return m.abs(smoothed(m, *given) - function(m, *given))

    return apart


def bound_is_wide(claim: Claim) -> bool:
    """Whether the printed bound is at least (h kappa_1/2) sum of |J_j|, at every size tried."""
    m, printed = symbolic(), claim.formulas["largest_gap"]
    for size in SIZES:
        given = symbols(claim, size)
        sizes = [sympy.Symbol(f"a{i}", nonnegative=True) for i in range(size)]
        own = given["h"] * given["kappa_1"] * sum(sizes) / 2
        for signs in product((1, -1), repeat=size):
            turned = [s * a for s, a in zip(signs, sizes, strict=True)]
            if order(sympy.expand(own - apply(printed, m, {**given, "jumps": turned}))) not in ("=", "<", "<="):
                return False
    return True


def gap(claim: Claim, relation: str) -> Iterator[Finding]:
    """The distance of the two printed functions against the printed bound."""
    found = [
        compared(
            f"{kernel}: distance of the smoothed function",
            distance(claim),
            relation,
            at_two(claim.formulas["largest_gap"]),
            known="<=" if identified(claim) and bound_is_wide(claim) else None,
            instances=admitted(claim, places(kernel)),
            method="the bound against (h kappa_1/2) sum of |J_j|, one to four knots, by computer algebra",
            severity=Severity.CONSTANT,
            survives=SURVIVES,
            lemmas=(FARTHEST, SUMMED),
            remark="attained at a knot",
        )
        for kernel in KERNELS
    ]
    yield from found
    yield every_kernel("every kernel, every number of knots: distance of the smoothed function", found, FARTHEST, SUMMED)


TABLE: Table = {
    **every_sign("smoothed", "f * K_h", convolution),
    **every_sign("|smoothed - piecewise_linear|", "largest_gap", gap),
}
JUDGES = {"quantile/sec-3.1-piecewise": reading(TABLE)}
MUTANTS = {"quantile/sec-3.1-piecewise": mutants.of_smoothing}
