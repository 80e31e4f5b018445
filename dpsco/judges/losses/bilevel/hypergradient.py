"""Judge of the gradient of a bilevel objective: the identity by algebra without commutation, each constant term by term.

A printed constant is certified where it is a proved sum plus terms with positive coefficients, and refuted by a problem that
meets every assumption and moves further. Those problems attain every term: no term can be left out unnoticed.
"""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import product

import sympy

from dpsco.arguments.algorithms.descent.bilevel_gradients import (
    GRADIENT,
    MINIMISERS,
    SIZE_TESTS,
    SYMBOLS,
    TESTS,
    gradient_size,
    gradient_slope,
    inexact_change,
)
from dpsco.arguments.assertions import reading
from dpsco.arguments.comparing import certified, refuted
from dpsco.arguments.formula import apply
from dpsco.arguments.losses.bilevel import attained_gradients as attained
from dpsco.arguments.losses.bilevel.gradient_bounds import (
    ELSEWHERE,
    IMPLICIT,
    ONE_RECORD,
    RESPONSE,
    SLOPE,
    replaced_change,
    response_change,
    suffices,
)
from dpsco.arguments.losses.bilevel.sides import in_domain
from dpsco.arguments.polynomial_slack import Given, Side, Value, bounded, named
from dpsco.instances.grid import Instance
from dpsco.mutants.losses.bilevel import hypergradient as mutants
from dpsco.reference.numbers.enclosure import arb
from dpsco.reference.numbers.symbolic import symbolic
from dpsco.spec.claim import Claim, Relation
from dpsco.spec.losses.bilevel import assumptions as assumed
from dpsco.spec.losses.bilevel import hypergradient as spec
from dpsco.spec.numbers import Numbers, Real
from dpsco.verdict import Finding, Lemma, Rung, Severity, Verdict

RECORDS = sympy.Symbol("n", positive=True)
MATRICES = ("-3", "-1", "-0.001", "0.001", "0.5", "1", "2", "1000")
EXACT = "computer algebra: the printed constant is a proved sum plus terms with positive coefficients"
BOTH_RADII = Lemma(
    "difference of inverses",
    "M^{-1} - N^{-1} = M^{-1} (N - M) N^{-1}, for matrices of any size; a submultiplicative norm of the product is at most the "
    "product of the three norms, and |N - M| = |M - N|. Where A, B >= mu I in operator norm this is at most |A - B|/mu^2.",
)
IDENTITY_TESTS: Given = (
    assumed.g_is_strongly_convex,
    assumed.curvature_f_xx_is_bounded,
    assumed.curvature_f_xy_is_bounded,
    assumed.curvature_f_yy_is_bounded,
    assumed.hessians_vary_slowly_in_x,
    assumed.hessians_vary_slowly_in_y,
    spec.mean_hessian_is_bounded_below,
)
ELSEWHERE_TESTS: Given = (
    assumed.f_is_lipschitz_in_y,
    assumed.g_is_strongly_convex,
    assumed.curvature_f_xy_is_bounded,
    assumed.curvature_f_yy_is_bounded,
    assumed.curvature_g_xy_is_bounded,
    assumed.hessians_vary_slowly_in_y,
)
SLOPE_TESTS: Given = (*ELSEWHERE_TESTS, assumed.curvature_f_xx_is_bounded, assumed.hessians_vary_slowly_in_x)
RESPONSE_TESTS: Given = (
    assumed.g_is_strongly_convex,
    assumed.g_is_lipschitz_in_y,
    assumed.curvature_g_xy_is_bounded,
    assumed.curvature_g_yy_is_bounded,
    assumed.hessians_vary_slowly_in_y,
)


def flat_minimum(claim: Claim, scope: str) -> Finding | None:
    """Where mu_g = 0 and G_yy = 0 are admitted: a lower minimiser without a derivative."""
    m = arb(192)
    if any(claim.parameter(name).domain.contains(m, "0") is not True for name in ("mu_g", "G_yy")):
        return None
    return refuted(
        scope,
        "F_x - G_xy F_y/0",
        1 / m.real("1e-9") ** m.frac(2, 3),
        {"mu_g": "0", "G_yy": "0", "G_xy": "-1", "F_x": "0", "F_y": "1"},
        method="f = y, g_y = y^3 - x for |y| <= 1, linear in y beyond: y_Z(x) = x^{1/3}; Phi_Z has no derivative at x = 0: its "
        "difference quotient between 0 and 1e-9 is 1e6, and grows without end nearer to 0",
        severity=Severity.DOMAIN,
        survives="The identity holds where mu_g > 0.",
        rung=Rung.EXACT,
    )


def gradient_identity(claim: Claim) -> Iterator[Finding]:
    """F_x + Dy^T F_y with G_yx + G_yy Dy = 0, over symbols that do not commute, against the printed expression."""
    scope = "grad Phi_Z(x) by the implicit function theorem, d_x and d_y arbitrary"
    names = ("F_x", "F_y", "G_xy", "G_yy")
    F_x, F_y, G_xy, G_yy = (sympy.Symbol(name, commutative=False) for name in names)
    printed = apply(claim.formulas["hypergradient"], symbolic(), dict(zip(names, (F_x, F_y, G_xy, G_yy), strict=True)))
    flat = flat_minimum(claim, scope)
    if flat is not None:
        yield flat
        return
    if sympy.expand(printed - (F_x - G_xy * G_yy**-1 * F_y)) == 0:
        yield certified(
            scope,
            "the printed expression over symbols that do not commute is F_x - G_xy G_yy^{-1} F_y",
            IMPLICIT,
            given=IDENTITY_TESTS,
            reason="The lower minimum is over all of R^{d_y}.",
        )
        return
    m = arb(192)
    for values in product(("-2", "1", "3"), ("-1", "5"), ("-3", "0.5"), ("0.25", "7")):
        at = dict(zip(names, values, strict=True))
        v = {name: m.real(value) for name, value in at.items()}
        true, said = v["F_x"] - v["G_xy"] * v["F_y"] / v["G_yy"], apply(claim.formulas["hypergradient"], m, v)
        if m.eq(true, said) is False:
            yield refuted(
                scope,
                said,
                true,
                at,
                method="f = F_x x + F_y y, g = G_yy y^2/2 + G_xy x y: y_Z(x) = -G_xy x/G_yy, and Phi_Z is linear",
                severity=Severity.CONCLUSION,
                survives="F_x - G_xy G_yy^{-1} F_y is the gradient.",
                lemmas=(IMPLICIT,),
            )
            return
    yield Finding(scope=scope, verdict=Verdict.OPEN, reason="neither the expression proved here, nor contradicted by a problem")


def term_by_term(
    claim: Claim,
    scope: str,
    value: Value,
    proved: Real,
    reached: Value,
    problems: Callable[[], Iterator[dict[str, str]]],
    lemmas: Sequence[Lemma],
    given: Given,
    family: Lemma,
) -> Finding:
    """The printed constant against the proved sum (for statements with 1/n: both times n) and against what is attained."""
    printed = value(symbolic(), {**SYMBOLS, "n": RECORDS})
    holds = in_domain(claim) and suffices(
        sympy.expand(printed * (RECORDS if sympy.sympify(printed).has(RECORDS) else 1)), proved
    )
    instances: tuple[Instance, ...] = attained.admitted(claim, tuple(problems()))
    found = bounded(
        Side(
            scope=scope,
            claimed=value,
            reached=reached,
            holds=holds,
            method=EXACT,
            instances=instances,
            severity=Severity.CONSTANT,
            survives="The sum of the proof's terms holds.",
            lemmas=tuple(lemmas),
            given=given,
            family=(family,),
            remark=f"Attained: {_share(value, reached, instances)} of it, by a problem of '{family.name}'." if holds else None,
        )
    )
    return replace(found, adjacency=claim.adjacency)


def _share(value: Value, reached: Value, instances: Sequence[Instance]) -> str:
    """The largest share of the printed constant that a problem attains, rounded down."""
    m, best = arb(256), -1.0
    for at in instances:
        v = {name: m.real(x) for name, x in at.items()}
        share = reached(m, v) / value(m, v)
        best = max(best, float(share.lower())) if share.is_finite() else best
    return f"{math.floor(best * 1e6) / 1e6}"


def inexact_minimiser(claim: Claim) -> Iterator[Finding]:
    scope = "every Z, x and y: barF_Z(x, y) against grad Phi_Z(x), on and off Y"
    lemmas = (ELSEWHERE, IMPLICIT)
    reached = attained.inexactness, attained.aligned
    yield term_by_term(claim, scope, named(claim, "C"), inexact_change(), *reached, lemmas, ELSEWHERE_TESTS, attained.ALIGNED)


def smoothness(claim: Claim) -> Iterator[Finding]:
    scope, proved = "difference quotients of grad Phi_Z between any two points, every Z", sympy.expand(gradient_slope())
    lemmas = (SLOPE, RESPONSE, IMPLICIT)
    reached = attained.slope, attained.aligned
    yield term_by_term(claim, scope, named(claim, "beta_Phi"), proved, *reached, lemmas, SLOPE_TESTS, attained.ALIGNED)


def replaced_record(claim: Claim) -> Iterator[Finding]:
    """The printed 2K/n, both as the formula of the bound and from the printed K."""

    def from_K(m: Numbers, v: Mapping[str, Real]) -> Real:
        return 2 * apply(claim.formulas["K"], m, v) / v["n"]

    scope, lemmas = "neighbours' gradients at one x, every x", (MINIMISERS, ONE_RECORD, ELSEWHERE, IMPLICIT)
    reached = attained.gradient_change, attained.replaced
    for which, value in (("the printed bound", named(claim, "bound")), ("2K/n with the printed K", from_K)):
        found = term_by_term(claim, f"{scope}: {which}", value, replaced_change(), *reached, lemmas, TESTS, attained.REPLACED)
        half = sympy.expand(value(symbolic(), {**SYMBOLS, "n": RECORDS}) * RECORDS / 2)
        if found.verdict is Verdict.CERTIFIED and suffices(half, replaced_change()):
            found = replace(found, reason=f"Half of it suffices. {found.reason}")
        yield found


def gradient_of_a_record(claim: Claim) -> Iterator[Finding]:
    scope = "total derivative of one record's loss along y_Z, every Z, x and z, X = R^{d_x}"
    reached = attained.record_gradient, attained.replaced
    lemmas = (GRADIENT, IMPLICIT)
    yield term_by_term(claim, scope, named(claim, "L_bar"), gradient_size(), *reached, lemmas, SIZE_TESTS, attained.REPLACED)


def change_of_response(claim: Claim) -> Iterator[Finding]:
    scope = "G_xy G_yy^{-1} of neighbours, each at its own lower minimiser"
    value, lemmas = named(claim, "response"), (MINIMISERS, ONE_RECORD, ELSEWHERE)
    reached = attained.response_change, attained.replaced
    found = term_by_term(claim, scope, value, response_change(), *reached, lemmas, RESPONSE_TESTS, attained.REPLACED)
    last = 2 * SYMBOLS["beta_gxy"] / SYMBOLS["mu_g"]
    less = sympy.expand(value(symbolic(), {**SYMBOLS, "n": RECORDS}) * RECORDS - last)
    if found.verdict is Verdict.CERTIFIED and suffices(less, response_change()):
        found = replace(found, reason=f"2 beta_gxy/(mu_g n) can be left out, since beta_gyy >= mu_g. {found.reason}")
    yield found


def difference_of_inverses(claim: Claim) -> Iterator[Finding]:
    """The identity over symbols that do not commute, and the printed product of norms; numbers for what is moved."""
    scope = "all pairs of invertible matrices of one size, every submultiplicative norm"
    M, N = sympy.symbols("M N", commutative=False)
    identity = sympy.expand(M**-1 * (N - M) * N**-1 - (M**-1 - N**-1)) == 0
    s = {name: sympy.Symbol(name, positive=True) for name in ("norm_inverse_1", "norm_difference", "norm_inverse_2")}
    share = sympy.simplify(apply(claim.formulas["bound"], symbolic(), s) / sympy.Mul(*s.values()))
    number = {name: sympy.Symbol(name, real=True) for name in ("matrix_1", "matrix_2")}
    meant = sympy.Abs(1 / number["matrix_1"] - 1 / number["matrix_2"])
    named_left = sympy.simplify(apply(claim.formulas["left"], symbolic(), number) - meant) == 0
    m = arb(192)
    for first, second in product(MATRICES, repeat=2):
        a, b = m.real(first), m.real(second)
        v = {"matrix_1": a, "matrix_2": b, "norm_inverse_1": m.abs(1 / a), "norm_inverse_2": m.abs(1 / b)}
        v["norm_difference"] = m.abs(a - b)
        left, bound = (apply(claim.formulas[name], m, v) for name in ("left", "bound"))
        if m.gt(left, bound) is True:
            yield refuted(
                scope,
                bound,
                left,
                {"matrix_1": first, "matrix_2": second},
                method="matrices of size 1 x 1, both sides enclosed",
                severity=Severity.CONSTANT,
                survives="|M^{-1} - N^{-1}| <= |M^{-1}| |M - N| |N^{-1}|.",
            )
            return
    if not (identity and named_left and share.is_number and share >= 1):
        yield Finding(scope=scope, verdict=Verdict.OPEN, reason="not the product of the three norms, and not contradicted")
        return
    yield certified(
        scope,
        "the identity over symbols that do not commute; the printed bound is the product of the three norms",
        BOTH_RADII,
        given=(spec.first_is_invertible, spec.second_is_invertible),
        reason="An equality for 1 x 1 matrices.",
    )


READ = {
    Relation("grad Phi_Z(x)", "=", "hypergradient"): gradient_identity,
    Relation("quotient", "<=", "C"): inexact_minimiser,
    Relation("quotient", "<=", "beta_Phi"): smoothness,
    Relation("gradient_change", "<=", "bound"): replaced_record,
    Relation("record_gradient", "<=", "L_bar"): gradient_of_a_record,
    Relation("response_change", "<=", "response"): change_of_response,
    Relation("left", "<=", "bound"): difference_of_inverses,
}
IDS = ("bilevel/eq-9", "bilevel/eq-11", "bilevel/eq-20", "bilevel/lem-C.2", "bilevel/inverse-perturbation")
JUDGES = dict.fromkeys(IDS, reading(READ))
MUTANTS = {id: partial(mutants.of, id) for id in IDS}
