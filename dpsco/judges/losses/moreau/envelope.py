"""Judges of the check loss's Moreau envelope: the closed form, its smoothness, its error, its comparison with convolution."""

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import partial

import sympy

from dpsco.arguments.assertions import Table, reading
from dpsco.arguments.cells import LEVELS, UndecidedError, sign
from dpsco.arguments.comparing import Instance, admitted, compared, every_sign, proved, refuted
from dpsco.arguments.losses.envelope_cells import Joint, Q, infimum_is, on, order_on_cells, shape
from dpsco.arguments.losses.envelope_judgements import COMPARISON
from dpsco.arguments.losses.smoothed_loss import SHAPES, nothing
from dpsco.mutants.losses.moreau import envelope as mutants
from dpsco.reference.losses.moreau import envelope
from dpsco.spec.claim import Claim, Relation
from dpsco.spec.losses.moreau.envelope import proximal_objective
from dpsco.spec.numbers import Numbers, Real
from dpsco.verdict import Finding, Lemma, Rung, Severity

Formula = Callable[..., Real]
CELLS = "on cells of u and r, by the signs of coefficients"
MINIMUM = Lemma(
    "least value",
    "An objective that equals e(u) at one x and is at least e(u) at every other x has the infimum e(u).",
)
SMOOTH = Lemma(
    "joints",
    "A function that is continuous, and smooth between finitely many joints, with one-sided slopes that agree at a joint, is "
    "differentiable there with that slope. Its slope is then continuous, and differentiable at a joint exactly where the "
    "one-sided second derivatives agree. It is convex if no second derivative is negative; its slope's Lipschitz constant is "
    "the largest second derivative, its own the largest slope.",
)
AT = ("0", "0.125", "-0.125", "0.5", "-0.75", "1", "-1", "3", "-20")
PLACES: list[Instance] = [
    {"u": str(float(Fraction(t) * Fraction(h))), "r": r, "h": h}
    for r in ("0.5", "0.25", "0.3", "0.96875", "0.999999999", "1e-9")
    for h in ("1", "0.25", "8", "0.0009765625", "1048576")
    for t in (*AT, *((r, str(Fraction(r) - 1)) if r in ("0.5", "0.25", "0.96875") else ()))
]
"""Residuals at the kink, at both joints exactly, between and beyond them; levels near 0 and 1; parameters tiny and huge."""


def infimum(claim: Claim, relation: str) -> Iterator[Finding]:
    """The least value over x of the printed objective against the printed closed form."""
    objective, printed = claim.formulas["proximal_objective"], claim.formulas["envelope"]
    usual = is_usual(objective)
    yield compared(
        "infimum over x against the closed form, every u, r and h",
        envelope.value if usual else at_least_point(objective),
        relation if usual else {"=": ">=", ">": ">="}.get(relation, relation),
        printed,
        known="=" if infimum_is(objective, printed, claim) else None,
        instances=admitted(claim, PLACES) if usual or relation in ("=", ">", ">=") else [],
        method=f"attained at one x and no smaller at any other, {CELLS}",
        severity=Severity.CONSTANT,
        survives="The infimum of the printed objective.",
        lemmas=(MINIMUM,),
    )


def is_usual(objective: Formula) -> bool:
    """Whether a printed objective is c(x) + (u - x)^2 / (2 h), for x of either sign and at 0."""
    u = sympy.Symbol("u", real=True)
    places = [(r, x) for r in LEVELS for x in (Q, -Q, sympy.Integer(0))]
    try:
        return all(sign(on(objective, r, u, x=x) - on(proximal_objective, r, u, x=x)) == "=" for r, x in places)
    except UndecidedError:
        return False


def at_least_point(objective: Formula) -> Formula:
    """Another objective at the usual minimiser: no less than its infimum."""

    def there(m: Numbers, u: Real, r: Real, h: Real) -> Real:
        right, left = envelope.minimisers(m, u, h, r)
        return objective(m, u=u, x=right + left, r=r, h=h)

    return there


def differentiable(claim: Claim) -> Iterator[Finding]:
    """Once, everywhere."""
    found = shape(claim.formulas["envelope"], claim)
    broken = [] if found is None else [(j, order) for j in found.joints for order in (0, 1) if j.breaks(order)]
    yield from (none_there(joint, order, "The pieces between the joints.") for joint, order in broken[:1])
    if not broken:
        yield proved("differentiable at every u", found is not None and found.smooth, f"slopes agree {CELLS}", lemmas=(SMOOTH,))


def twice_differentiable(claim: Claim, but: tuple[str, ...] = ()) -> Iterator[Finding]:
    """Twice, at every u but the places that formulas of the claim name."""
    found = shape(claim.formulas["envelope"], claim)
    if found is None or not found.smooth:
        yield proved("twice differentiable", False, "")
        return
    let_out = [claim.formulas[name] for name in but]
    broken = [j for j in found.joints if j.breaks(2) and not any(is_at(j, place) for place in let_out)]
    for name in dict.fromkeys(joint.name for joint in broken):
        joint = next(j for j in broken if j.name == name and j.level == LEVELS[1])
        yield none_there(joint, 2, "The first derivative everywhere, and the second at every other u.")
    where = "elsewhere" if broken else "at every u" + (f" but {' and '.join(but)}" if but else "")
    yield proved(f"twice differentiable {where}", True, f"second derivatives agree {CELLS}", lemmas=(SMOOTH,))


def is_at(joint: Joint, place: Formula) -> bool:
    """Whether a printed place is that joint for every h, on the joint's levels."""
    try:
        return sign(on(place, joint.level, 0) - joint.place) == "="
    except UndecidedError:
        return False


def none_there(joint: Joint, order: int, survives: str) -> Finding:
    """That one-sided derivatives of an order differ at a joint, for every level and h; shown at one."""
    low, high = sorted((joint.shown(side) for side in joint.sides[order]), key=float)
    return refuted(
        f"a derivative of order {order} at the {joint.name} of the quadratic piece",
        "one value",
        (low, high),
        {"u": joint.shown(joint.place), "h": "2", "r": joint.shown(joint.level)},
        method=f"one-sided limits {CELLS}, for every h",
        severity=Severity.DOMAIN,
        survives=survives,
        rung=Rung.EXACT,
        lemmas=(SMOOTH,),
        reason="the computed pair are the one-sided limits, not an interval",
    )


def shaped(claim: Claim, word: str) -> Iterator[Finding]:
    """Convex, or another word, by second differences."""
    printed = claim.formulas["envelope"]

    def bulge(m: Numbers, u: Real, r: Real, h: Real) -> Real:
        return printed(m, u - h / 8, r, h) + printed(m, u + h / 8, r, h) - 2 * printed(m, u, r, h)

    found = shape(printed, claim)
    yield compared(
        f"the envelope is {word}",
        bulge,
        SHAPES[word],
        nothing,
        known=">=" if found is not None and found.convex else None,
        instances=admitted(claim, PLACES),
        method=f"second derivatives {CELLS}",
        severity=Severity.CONCLUSION,
        survives="The envelope is convex.",
        lemmas=(SMOOTH,),
    )


def constant(name: str, claim: Claim, relation: str) -> Iterator[Finding]:
    """The largest slope, or the largest second derivative, against its printed bound."""
    printed, found = claim.formulas["envelope"], shape(claim.formulas["envelope"], claim)
    own = order_on_cells(envelope.value, printed, claim) == "="
    of = None if found is None or not found.convex else found.slopes if name == "lipschitz" else found.bends

    def slope(m: Numbers, u: Real, r: Real, h: Real) -> Real:
        return m.abs(printed(m, u + h / 8, r, h) - printed(m, u, r, h)) / (h / 8)

    def bend(m: Numbers, u: Real, r: Real, h: Real) -> Real:
        d = h / 64
        return m.abs(printed(m, u - d, r, h) + printed(m, u + d, r, h) - 2 * printed(m, u, r, h)) / d**2

    lower, tight = (slope, steepest) if name == "lipschitz" else (bend, most_bent)
    yield compared(
        f"the envelope's constant '{name}', every r and h",
        tight if own else lower,
        relation,
        claim.formulas[name],
        known=None if of is None else found.largest(of, claim.formulas[name]) if found is not None else None,
        instances=admitted(claim, PLACES) if own or relation in ("<=", "<") else [],
        method=f"slopes and second derivatives {CELLS}",
        severity=Severity.CONSTANT,
        survives="The constants max(r, 1 - r) and 1/h, which are tight.",
        lemmas=(SMOOTH,),
    )


def steepest(m: Numbers, r: Real) -> Real:
    """The judge's own largest slope, taken beyond the joints."""
    return m.max(1 - r, r)


def most_bent(m: Numbers, h: Real) -> Real:
    """The judge's own largest second derivative, taken between the joints."""
    return m.real(1) / h


def error(left: Formula | None, right: Formula | None, claim: Claim, relation: str) -> Iterator[Finding]:
    """The printed error against a printed bound, once it is proved to be envelope minus loss."""
    sides = [claim.formulas["gap"] if side is None else side for side in (left, right)]
    yield proved(
        "the printed gap is the envelope less the loss",
        order_on_cells(claim.formulas["gap"], envelope.gap, claim) == "=",
        CELLS,
    )
    yield compared(
        "the error at every u, r and h",
        sides[0],
        relation,
        sides[1],
        known=order_on_cells(sides[0], sides[1], claim),
        instances=admitted(claim, PLACES),
        method=f"compared {CELLS}",
        severity=Severity.CONSTANT,
        survives="-h max(r^2, (1 - r)^2) / 2 <= gap <= 0, both ends attained.",
        printed="right" if left is None else "left",
    )


def error_from_below(claim: Claim, relation: str) -> Iterator[Finding]:
    yield from error(claim.formulas["gap_lower"], None, claim, relation)


EXCEPT = Relation("envelope", "is", "twice differentiable in u except at kink_left and kink_right")
LEMMA: Table = {
    Relation("envelope", "is", "differentiable in u"): differentiable,
    Relation("envelope", "is", "twice differentiable in u"): twice_differentiable,
    EXCEPT: partial(twice_differentiable, but=("kink_left", "kink_right")),
    **{Relation("envelope", "is", f"{word} in u"): partial(shaped, word=word) for word in SHAPES},
    **every_sign("largest |slope| of the envelope", "lipschitz", partial(constant, "lipschitz")),
    **every_sign("Lipschitz constant of the envelope's slope", "smoothness", partial(constant, "smoothness")),
    **every_sign("gap_lower", "gap", error_from_below),
    **every_sign("gap", "0", partial(error, None, nothing)),
}


JUDGES = {
    "newsvendor/moreau": reading(every_sign("infimum over x of proximal_objective", "envelope", infimum)),
    "newsvendor/lem-EC.4": reading(LEMMA),
    "newsvendor/lem-EC.4-amended": reading(LEMMA),
    "newsvendor/sec-EC.2-moreau": reading(COMPARISON),
    "newsvendor/sec-EC.2-moreau-amended": reading(COMPARISON),
}
MUTANTS = {
    "newsvendor/moreau": mutants.of_infimum,
    "newsvendor/lem-EC.4-amended": mutants.of_lemma,
    "newsvendor/sec-EC.2-moreau-amended": mutants.of_comparison,
}
