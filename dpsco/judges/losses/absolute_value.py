"""Judges of the smoothed l1-norm, and of losses written as an l1-norm plus a smooth term."""

from collections.abc import Callable, Iterator
from functools import lru_cache, partial

import sympy

from dpsco.arguments.assertions import Table, reading
from dpsco.arguments.cells import LEVELS, UndecidedError, cells, sign, weakest
from dpsco.arguments.comparing import Instance, admitted, compared, every_sign, order, refuted
from dpsco.arguments.formula import apply
from dpsco.arguments.losses.envelope_cells import Q
from dpsco.arguments.losses.envelope_comparison import GAUSSIAN, gaussian_gap
from dpsco.arguments.losses.kernel_facts import is_upper_moment
from dpsco.arguments.losses.smoothed_loss import SHAPES, nothing
from dpsco.mutants.losses import absolute_value as mutants
from dpsco.reference.numbers.enclosure import arb
from dpsco.reference.numbers.symbolic import symbolic
from dpsco.spec.claim import Claim, Relation
from dpsco.spec.domain import Vectors, naturals, nonnegative, open_unit, positive, reals
from dpsco.spec.numbers import Numbers, Real
from dpsco.verdict import Finding, Lemma, Reading, Severity

Formula = Callable[..., Real]
RULE = "the sum over coordinates at sizes 1 to 4, each coordinate by computer algebra"
COORDINATES = Lemma(
    "coordinates",
    "|u + h V|_1 is a sum over coordinates, so its mean is the sum of E|u_j + h V_j| = |u_j| + 2 h G(|u_j|/h), whatever the "
    "size and the dependence of the V_j. A formula that is a sum over the entries is known from one entry.",
)
CURVED = Lemma(
    "coordinate slopes",
    "E|u_j + h V| has the derivative 2 Phi(u_j/h) - 1, which rises strictly from -1 to 1, and the second derivative 2 "
    "phi(u_j/h)/h, between 0 and its value sqrt(2/pi)/h at 0. So the sum is strictly convex; its gradient's norm has the "
    "supremum sqrt(size), and its Hessian, a diagonal matrix, the largest norm sqrt(2/pi)/h.",
)
BOUND = Lemma("cut off", "|u_j| Phi(-|u_j|/h) >= 0, with equality at u_j = 0 only: leaving it out gives an upper bound.")
USUAL = {"residuals": Vectors("size"), "size": naturals, "h": positive, "r": open_unit, "tau": nonnegative}
POINTS: list[Instance] = [
    {"first": first, "second": second, "h": h, "size": size}
    for first in ("0", "0.125", "-1", "3", "-8")
    for second in ("0", "0.5", "-2", "20")
    for h in ("1", "0.25", "16")
    for size in ("1", "2", "9")
]
"""Two residuals at the kink, near it and far from it, of both signs; a size for the constants."""


def usual(claim: Claim) -> bool:
    """Whether the parameters have the ranges that are covered here."""
    return all(p.domain == USUAL.get(p.name, reals) for p in claim.parameters)


def at_two(formula: Formula) -> Formula:
    """A formula of a vector at two entries."""
    return lambda m, first, second, h: apply(formula, m, {"residuals": [first, second], "h": h})


def own_gap(m: Numbers, u: Real, h: Real) -> Real:
    """One coordinate's gap: |u| is E|u + h V| with twice the check loss's at r = 1/2."""
    return 2 * gaussian_gap(m, u, h)


def own_bound(m: Numbers, u: Real, h: Real) -> Real:
    """One coordinate's gap without the term that is subtracted."""
    return own_gap(m, u, h) + 2 * m.abs(u) * m.Phi(-m.abs(u) / h)


def own_norm(m: Numbers, u: Real, h: Real) -> Real:
    return m.abs(u) + 0 * h


def own_smoothed(m: Numbers, u: Real, h: Real) -> Real:
    return own_norm(m, u, h) + own_gap(m, u, h)


@lru_cache(64)
def is_sum_of(formula: Formula, own: Formula) -> bool:
    """Whether a printed formula of a vector is the sum of one own formula over its entries: additive at sizes 1 to 4, and
    the same at one entry of either sign and at zero."""
    m = symbolic()
    h, a = sympy.symbols("h a", positive=True)
    entries = sympy.symbols("u1:5", real=True)

    def printed(vector: object) -> Real:
        return apply(formula, m, {"residuals": vector, "h": h})

    parts = [printed([u]) for u in entries]
    additive = all(sympy.expand(printed(list(entries[:k])) - sum(parts[:k])) == 0 for k in (2, 3, 4))
    ones = [sympy.simplify(printed([u]) - own(m, u, h)) for u in (a, -a, sympy.Integer(0))]
    written = [one.replace(m.Phi, lambda x: (1 + sympy.erf(x / sympy.sqrt(2))) / 2) for one in ones]
    return additive and is_upper_moment("gaussian") and all(sympy.simplify(one) == 0 for one in written)


def identity(left: str, own: Formula, name: str, claim: Claim, relation: str) -> Iterator[Finding]:
    """What a coordinate's own formula sums to against a printed formula of the vector."""
    printed = claim.formulas[name]
    yield compared(
        f"{left} against '{name}', every size",
        lambda m, first, second, h: own(m, first, h) + own(m, second, h),
        relation,
        at_two(printed),
        known="=" if usual(claim) and is_sum_of(printed, own) else None,
        instances=admitted(claim, POINTS),
        method=RULE,
        severity=Severity.CONSTANT,
        survives="E|u + h V|_1 = |u|_1 + sum over j of 2 h G(|u_j|/h), G(t) = phi(t) - t Phi(-t).",
        lemmas=(GAUSSIAN, COORDINATES),
    )


def difference(claim: Claim, relation: str) -> Iterator[Finding]:
    """The printed smoothed norm and the printed norm, and their difference against the printed gap."""
    yield from identity("|u|_1", own_norm, "absolute_sum", claim, "=")
    yield from identity("E|u + h V|_1", own_smoothed, "smoothed", claim, "=")
    yield from identity("E|u + h V|_1 - |u|_1", own_gap, "gap", claim, relation)


def shaped(claim: Claim, word: str) -> Iterator[Finding]:
    """Convex, or another word, by second differences along the first coordinate."""
    printed = at_two(claim.formulas["smoothed"])

    def bulge(m: Numbers, first: Real, second: Real, h: Real) -> Real:
        ends = printed(m, first - h / 2, second, h) + printed(m, first + h / 2, second, h)
        return ends - 2 * printed(m, first, second, h)

    yield compared(
        f"the smoothed norm is {word}",
        bulge,
        SHAPES[word],
        nothing,
        known=">" if identified(claim) else None,
        instances=admitted(claim, POINTS),
        method=RULE,
        severity=Severity.CONCLUSION,
        survives="It is strictly convex.",
        lemmas=(COORDINATES, CURVED),
    )


def identified(claim: Claim) -> bool:
    return usual(claim) and is_sum_of(claim.formulas["smoothed"], own_smoothed)


def steepest(m: Numbers, size: Real) -> Real:
    """The supremum of the gradient's norm: every coordinate's slope tends to 1 or -1."""
    return m.sqrt(size)


def most_bent(m: Numbers, h: Real) -> Real:
    """The largest eigenvalue of the Hessian, at any vector with a zero entry."""
    return m.sqrt(2 / m.pi) / h


def constant(own: Formula, name: str, claim: Claim, relation: str) -> Iterator[Finding]:
    """A tight constant against the printed one."""
    yield compared(
        f"'{name}' against the tight constant, every size",
        own,
        relation,
        claim.formulas[name],
        known=order_of_squares(own, claim.formulas[name]) if identified(claim) else None,
        instances=admitted(claim, POINTS) if identified(claim) else [],
        method="difference of squares, by computer algebra, for every size of at least 1",
        severity=Severity.CONSTANT,
        survives="The constants sqrt(size) and sqrt(2/pi)/h, which are tight.",
        lemmas=(COORDINATES, CURVED),
    )


def order_of_squares(left: Formula, right: Formula) -> str | None:
    """The sign between two formulas of size >= 1 and h > 0 that are nowhere negative."""
    more, h = sympy.Symbol("k", nonnegative=True), sympy.Symbol("h", positive=True)
    a, b = (apply(formula, symbolic(), {"size": 1 + more, "h": h}) for formula in (left, right))
    if not (a.is_nonnegative and b.is_nonnegative):
        return None
    constant_part, rest = sympy.expand(sympy.simplify((a**2 - b**2) * h**2)).as_independent(more, h, as_Add=True)
    signs = {order(constant_part), order(rest)} - {"="}
    strict = next((word for word in ("<", ">") if signs <= {word, word + "="} and word in signs), None)
    return "=" if not signs else strict or (signs.pop() if len(signs) == 1 else None)


def bounded(claim: Claim, relation: str) -> Iterator[Finding]:
    """The printed gap, once identified, against the printed upper bound."""
    gap, upper = claim.formulas["gap"], claim.formulas["gap_upper"]
    yield compared(
        "gap against its upper bound, every size",
        at_two(gap),
        relation,
        at_two(upper),
        known="<=" if usual(claim) and is_sum_of(gap, own_gap) and is_sum_of(upper, own_bound) else None,
        instances=admitted(claim, POINTS),
        method=RULE,
        severity=Severity.CONSTANT,
        survives="gap <= sqrt(2/pi) h sum over j of exp(-u_j^2 / (2 h^2)), with equality at u = 0.",
        lemmas=(COORDINATES, BOUND),
    )
    if usual(claim) and is_sum_of(gap, own_gap):
        yield at_kink(gap)


def at_kink(gap: Formula) -> Finding:
    """The remark beside the display, that the gap is exponentially small, read of every u: at 0 it is linear in h."""
    m = arb()
    return refuted(
        "the remark 'exponentially small', read of every u as h -> 0",
        m.exp(-m.real(8)),
        apply(gap, m, {"residuals": [m.real(0)], "h": m.frac(1, 8)}),
        {"residuals": "(0)", "size": "1", "h": "0.125"},
        method="size h sqrt(2/pi) at u = 0 for every h; enclosed at h = 1/8 against exp(-1/h)",
        severity=Severity.DOMAIN,
        survives="Where every |u_j| is large against h.",
        reading=Reading.ANOTHER,
    )


RESIDUALS = (Q, -Q, sympy.Integer(0))
TAU = sympy.Symbol("tau", positive=True)
THRESHOLDS = [
    *((TAU, s * u) for s in (1, -1) for u in (TAU + Q, TAU, TAU / (1 + Q))),
    (TAU, sympy.Integer(0)),
    *((sympy.Integer(0), u) for u in RESIDUALS),
]
"""The threshold with residuals beyond it, at it and inside, of both signs; and the threshold 0."""
VALUES: list[Instance] = [
    {"u": u, "y": y, "prediction": p, "r": r, "tau": tau}
    for u, y, p in (("1", "1", "0"), ("-2", "-1", "1"), ("0", "3", "3"), ("0.25", "0", "-0.25"))
    for r in ("0.25", "0.5", "0.96875")
    for tau in ("0", "0.25", "1", "3")
]


def on_cells(left: Formula, right: Formula, claim: Claim) -> str | None:
    """The sign between two formulas of u, y, prediction, r and tau on all cells; y is prediction plus residual."""
    prediction = sympy.Symbol("prediction", real=True)
    places = [
        {"r": r, "u": u, "tau": tau, "prediction": prediction, "y": prediction + u} for r in LEVELS for tau, u in THRESHOLDS
    ]
    try:
        return weakest(sign(apply(left, cells(), p) - apply(right, cells(), p)) for p in places) if usual(claim) else None
    except UndecidedError:
        return None


def written(left: str, right: str, residual: bool, claim: Claim, relation: str) -> Iterator[Finding]:
    """A loss against its form as an l1-norm plus a smooth term; `residual`: the loss is taken at y - prediction."""
    loss, form = claim.formulas[left], claim.formulas[right]

    def at_residual(m: Numbers, y: Real, prediction: Real, r: Real) -> Real:
        return loss(m, u=y - prediction, r=r)

    yield compared(
        f"{left} against {right}",
        at_residual if residual else loss,
        relation,
        form,
        known=on_cells(at_residual if residual else loss, form, claim),
        instances=admitted(claim, VALUES),
        method="on cells of the residual, the level and the threshold, by the signs of coefficients",
        severity=Severity.MISPRINT,
        survives="With f(t) = (r - 1/2) t of the residual in the first example; the other two examples.",
    )


NORM: Table = {
    **every_sign("E |u + h v|_1", "smoothed", partial(identity, "E|u + h V|_1", own_smoothed, "smoothed")),
    **{Relation("smoothed", "is", f"{word} in u"): partial(shaped, word=word) for word in SHAPES},
    **every_sign("l2-Lipschitz constant of smoothed", "lipschitz", partial(constant, steepest, "lipschitz")),
    **every_sign("l2-Lipschitz constant of its gradient", "smoothness", partial(constant, most_bent, "smoothness")),
    **every_sign("smoothed minus absolute_sum", "gap", difference),
    **every_sign("gap", "gap_upper", bounded),
}
FORMS: Table = {
    **every_sign(
        "check_loss at u = y - prediction", "newsvendor_form", partial(written, "check_loss", "newsvendor_form", True)
    ),
    **every_sign(
        "check_loss", "newsvendor_form_of_residual", partial(written, "check_loss", "newsvendor_form_of_residual", False)
    ),
    **every_sign("relu", "relu_form", partial(written, "relu", "relu_form", False)),
    **every_sign("soft_threshold", "soft_threshold_form", partial(written, "soft_threshold", "soft_threshold_form", False)),
}


JUDGES = {
    "newsvendor/lem-EC.6": reading(NORM),
    "newsvendor/sec-EC.2.3-examples": reading(FORMS),
    "newsvendor/sec-EC.2.3-examples-amended": reading(FORMS),
}
MUTANTS = {
    "newsvendor/lem-EC.6": mutants.of_norm,
    "newsvendor/sec-EC.2.3-examples-amended": mutants.of_forms,
}
