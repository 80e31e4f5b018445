"""Judges of the generalised Moreau envelope: the table of functions and conjugates, and the envelope's three properties."""

from collections.abc import Callable, Iterator
from functools import partial

import sympy

from dpsco.arguments.assertions import Table, reading
from dpsco.arguments.comparing import Instance, admitted, compared, contradiction, every_sign, order_of, proved
from dpsco.arguments.formula import apply
from dpsco.arguments.losses.conjugates import BETA, DUALITY, NAMES, RADIAL, is_conjugate, is_own, own_slope, radial
from dpsco.arguments.losses.envelope_properties import LEMMA
from dpsco.mutants.losses.moreau import generalised as mutants
from dpsco.reference.numbers.enclosure import arb, ends
from dpsco.spec.claim import Claim, Relation
from dpsco.spec.domain import nonnegative, positive
from dpsco.spec.losses.moreau.generalised import dual_point_is_in_ball, exponents_are_conjugate
from dpsco.spec.numbers import Numbers, Real
from dpsco.verdict import Finding, Rung, Severity, Verdict

Formula = Callable[..., Real]
RULE = "slopes, joints and limits by computer algebra"
GIVEN = {
    "energy": (exponents_are_conjugate,),
    "squared_norm": (),
    "huber": (dual_point_is_in_ball,),
    "hellinger": (dual_point_is_in_ball,),
}
USUAL = {"x_norm": nonnegative, "y_norm": nonnegative}
PLACES: list[Instance] = [
    {"x_norm": x, "y_norm": y, "beta": beta, "p": p, "q": q}
    for p, q in (("2", "2"), ("3", "1.5"), ("1.5", "3"), ("11", "1.1"))
    for x in ("1", "0.25", "3", "16", "1000")
    for y in ("0.25", "0.5", "1", "2", "12")
    for beta in ("1", "0.5", "4")
]
"""Arguments inside, at and beyond the unit ball, dual points inside, at and beyond the ball of radius beta; all exact."""
KEPT = (
    "The conjugates and all constants but the energy's, which hold for p = q = 2 (the squared norm's for beta = 1); the Huber "
    "function is convex, strictly inside the unit ball only, and the envelope with it keeps its properties."
)


def usual(claim: Claim) -> bool:
    """Whether the parameters range as taken here: exponents and smoothness positive, norms not negative."""
    return all(p.domain == USUAL.get(p.name, positive) for p in claim.parameters)


def conjugate(name: str, claim: Claim, relation: str) -> Iterator[Finding]:
    """The conjugate of one printed function against the printed one; and at any x and y what the supremum cannot be below."""
    function, printed = claim.formulas[name], claim.formulas[f"{name}_conjugate"]
    own, places = is_own(function, name), admitted(claim, PLACES)

    def beneath(m: Numbers, x_norm: Real, y_norm: Real, beta: Real, p: Real) -> Real:
        return x_norm * y_norm - apply(function, m, {"x_norm": x_norm, "beta": beta, "p": p})

    def exact(m: Numbers, x_norm: Real, beta: Real, p: Real) -> Real:
        return x_norm * at(own_slope(name), m, x_norm, beta, p) - at(function, m, x_norm, beta, p)

    def there(m: Numbers, x_norm: Real, beta: Real, p: Real, q: Real) -> Real:
        y = at(own_slope(name), m, x_norm, beta, p)
        return apply(printed, m, {"y_norm": y, "beta": beta, "q": q})

    known = usual(claim) and is_conjugate(function, printed, name)
    yield compared(
        f"conjugate of {name} in every dimension",
        exact,
        relation,
        there,
        known="=" if known else None,
        instances=places if own else [],
        method=RULE,
        severity=Severity.CONSTANT,
        survives="The other rows of the table.",
        lemmas=(RADIAL,),
        given=GIVEN[name],
    )
    if contradiction(beneath, "<=", whole(printed), places) is not None:
        yield compared(
            f"the supremum in the conjugate of {name} is no less than at one point",
            beneath,
            "<=",
            whole(printed),
            known=None,
            instances=places,
            method="both sides enclosed",
            severity=Severity.DOMAIN,
            survives="The conjugate on the ball of radius beta, and the other rows of the table.",
        )


def at(formula: Formula, m: Numbers, x_norm: Real, beta: Real, p: Real) -> Real:
    return apply(formula, m, {"x_norm": x_norm, "beta": beta, "p": p})


def whole(formula: Formula) -> Formula:
    return lambda m, y_norm, beta, q: apply(formula, m, {"y_norm": y_norm, "beta": beta, "q": q})


def energy_smoothness(exponent: int | None, claim: Claim) -> Iterator[Finding]:
    """The energy's smoothness against 1: exactly for a given exponent, else by second differences."""
    found = radial(claim.formulas["energy"], "energy", exponent)
    known = exponent is not None and found is not None and found.smoothness_is(sympy.Integer(1))
    yield compared(
        "smoothness of the energy" + (f" at p = q = {exponent}" if exponent else ""),
        lambda m, p: second_difference(m, lambda x: claim.formulas["energy"](m, x_norm=x, p=m.real(exponent or p))),
        "<=",
        one,
        known="<=" if known else None,
        instances=admitted(claim, [{"x_norm": "2", "y_norm": "0", "beta": "1", "p": p, "q": q} for p, q in EXPONENTS]),
        method=RULE,
        severity=Severity.DOMAIN,
        survives=KEPT,
        lemmas=(RADIAL,),
    )


EXPONENTS = (("3", "1.5"), ("1.5", "3"), ("2", "2"), ("11", "1.1"))


def energy_convexity(exponent: int | None, claim: Claim) -> Iterator[Finding]:
    """The strong convexity of the energy's conjugate against 1: exactly for a given exponent, else by second differences."""
    found = radial(claim.formulas["energy"], "energy", exponent)
    known = (
        exponent is not None
        and found is not None
        and found.smoothness_is(sympy.Integer(1))
        and is_conjugate(claim.formulas["energy"], claim.formulas["energy_conjugate"], "energy")
    )
    yield compared(
        "strong convexity of the energy's conjugate" + (f" at p = q = {exponent}" if exponent else ""),
        lambda m, q: second_difference(m, lambda y: claim.formulas["energy_conjugate"](m, y_norm=y, q=m.real(exponent or q))),
        ">=",
        one,
        known=">=" if known else None,
        instances=admitted(claim, [{"x_norm": "0", "y_norm": "2", "beta": "2", "p": p, "q": q} for p, q in EXPONENTS]),
        method=RULE,
        severity=Severity.DOMAIN,
        survives=KEPT,
        lemmas=(RADIAL, DUALITY),
    )


def second_difference(m: Numbers, power_of: Callable[[Real], Real]) -> Real:
    """Between the least and the largest curvature of the energy or its conjugate: from 1 over 2 to 3, on a line through 0."""
    left, middle, right = (power_of(m.real(x)) for x in (1, 2, 3))
    return left + right - 2 * middle


def one(m: Numbers) -> Real:
    return m.real(1)


def smoothness(claim: Claim) -> Iterator[Finding]:
    """The other functions' least constants of smoothness against beta."""
    for name in NAMES[1:]:
        found = radial(claim.formulas[name], name)
        holds = usual(claim) and found is not None and found.continuous and found.smoothness_is(BETA)
        yield smooth(claim, name, f"smoothness of {name} in every dimension", holds)


def smooth(claim: Claim, name: str, scope: str, holds: bool) -> Finding:
    """f(x) + f(-x) - 2 f(0) <= beta |x|^2, which a beta-smooth function meets, at instances; and the rule's word for all."""

    def bend(m: Numbers, x_norm: Real, beta: Real, p: Real) -> Real:
        rise = at(claim.formulas[name], m, x_norm, beta, p) - at(claim.formulas[name], m, m.real(0), beta, p)
        return 2 * rise / x_norm**2

    return compared(
        scope,
        bend,
        "<=",
        lambda m, beta: beta,
        known="<=" if holds else None,
        instances=admitted(claim, PLACES),
        method=RULE,
        severity=Severity.CONSTANT,
        survives="The other rows of the table.",
        lemmas=(RADIAL,),
    )


def convexity(claim: Claim, relation: str) -> Iterator[Finding]:
    """The other conjugates' constants of strong convexity, 1/beta, against the printed formula."""
    printed = claim.formulas["strong_convexity_of_conjugate"]

    def own(m: Numbers, beta: Real) -> Real:
        return m.real(1) / beta

    for name in NAMES[1:]:
        found, pair = radial(claim.formulas[name], name), (claim.formulas[name], claim.formulas[f"{name}_conjugate"])
        holds = usual(claim) and found is not None and found.smoothness_is(BETA) and is_conjugate(*pair, name)
        yield compared(
            f"strong convexity of the conjugate of {name} in every dimension",
            own,
            relation,
            printed,
            known=order_of(own, printed, claim) if holds else None,
            instances=admitted(claim, PLACES) if holds else [],
            method="the reciprocal of the smoothness, by computer algebra",
            severity=Severity.CONSTANT,
            survives="The constant 1/beta.",
            lemmas=(RADIAL, DUALITY),
            given=GIVEN[name],
        )


def regular(names: tuple[str, ...], strictly: bool, exponent: int | None, claim: Claim) -> Iterator[Finding]:
    """Continuously differentiable, (strictly) convex and smooth with the stated constant, function by function."""
    word = "strictly convex" if strictly else "convex"
    for name in names:
        found = radial(claim.formulas[name], name, exponent if name == "energy" else None)
        scope = f"{name} is continuously differentiable, {word}" + (f" at p = {exponent}" if exponent else "")
        if found is None or not found.convex:
            yield proved(scope, False, RULE)
            continue
        if strictly and not found.strictly_convex:
            yield straight(name, claim.formulas[name])
        else:
            yield proved(scope, usual(claim), RULE, lemmas=(RADIAL,))
        if name == "energy":
            yield from energy_smoothness(exponent, claim)
        else:
            yield smooth(claim, name, f"{name} is beta-smooth", usual(claim) and found.smoothness_is(BETA))


def straight(name: str, function: Formula) -> Finding:
    """That the function is linear from |x| = 2 to 4, which strict convexity excludes."""
    m = arb()
    low, middle, high = (apply(function, m, {"x_norm": m.real(x), "beta": m.real(1)}) for x in (2, 3, 4))
    is_straight = m.eq((low + high) / 2, middle) is True
    return Finding(
        scope=f"{name} is strictly convex",
        verdict=Verdict.REFUTED if is_straight else Verdict.OPEN,
        rung=Rung.EXACT if is_straight else None,
        method="f'' = 0 beyond the joint, by computer algebra; the middle of f(2) and f(4) against f(3), at beta = 1",
        claimed=f"more than {ends(middle)[0]}",
        computed=ends((low + high) / 2),
        at={"x_norm": "3", "beta": "1"},
        lemmas=(RADIAL,),
        severity=Severity.DOMAIN,
        survives=KEPT,
        reason=None if is_straight else "neither strict convexity nor a straight piece is proved",
    )


SMOOTH = "continuously differentiable, {} and smooth"
GROUPS: dict[str, tuple[tuple[str, ...], int | None]] = {
    ", ".join(NAMES): (NAMES, None),
    "squared_norm, hellinger": (("squared_norm", "hellinger"), None),
    "energy at p = q = 2": (("energy",), 2),
    "huber": (("huber",), None),
}
EXAMPLES: Table = {
    **{k: v for n in NAMES for k, v in every_sign(f"conjugate of {n}", f"{n}_conjugate", partial(conjugate, n)).items()},
    Relation("smoothness of energy", "=", "1"): partial(energy_smoothness, None),
    Relation("strong convexity of energy_conjugate", "=", "1"): partial(energy_convexity, None),
    Relation("smoothness of energy at p = q = 2", "=", "1"): partial(energy_smoothness, 2),
    Relation("strong convexity of energy_conjugate at p = q = 2", "=", "1"): partial(energy_convexity, 2),
    Relation("smoothness of squared_norm, huber, hellinger", "=", "beta"): smoothness,
    **every_sign("strong convexity of the other conjugates", "strong_convexity_of_conjugate", convexity),
    **{
        Relation(left, "is", SMOOTH.format(word)): partial(regular, names, strictly, exponent)
        for left, (names, exponent) in GROUPS.items()
        for word, strictly in (("strictly convex", True), ("convex", False))
    },
}


JUDGES = {
    "newsvendor/table-EC.3": reading(EXAMPLES),
    "newsvendor/table-EC.3-amended": reading(EXAMPLES),
    "newsvendor/lem-EC.5": reading(LEMMA),
    "newsvendor/lem-EC.5-amended": reading(LEMMA),
}
MUTANTS = {
    "newsvendor/table-EC.3-amended": mutants.of_table,
    "newsvendor/lem-EC.5-amended": mutants.of_lemma,
}
