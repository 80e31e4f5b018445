"""Findings that compare two sides of an assertion, its sign read from the claim: exactly where that is proved, else enclosed
at instances that the claim admits."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import flint
import sympy

from dpsco.reference.numbers.enclosure import arb, ends
from dpsco.reference.numbers.symbolic import expression
from dpsco.spec.claim import Claim, Relation
from dpsco.spec.numbers import Numbers, Real, Truth, names_of
from dpsco.spec.predicate import Predicate
from dpsco.verdict import PROOF_STEP, Finding, Lemma, Rung, Severity, Verdict, about

Formula = Callable[..., Real]
Instance = Mapping[str, str]
"""Values as decimal strings or names, as an author would write them down."""

SIGNS = ("=", "<=", ">=", "<", ">")
FOLLOWS = {"=": ("=", "<=", ">="), "<=": ("<=",), ">=": (">=",), "<": ("<", "<="), ">": (">", ">=")}
"""What a relation that holds everywhere implies."""
FAILS = {"=": ("<", ">"), "<=": (">",), ">=": ("<",), "<": ("=", ">=", ">"), ">": ("=", "<=", "<")}
"""What it excludes at every instance."""

UNBOUNDED = ("a bounded multiple of the rate", "an unbounded one")
"""What is claimed and what is so where no multiple of a rate suffices along a path."""


@dataclass(frozen=True)
class Contradiction:
    """An instance at which the enclosures of the two sides certainly do not have the asserted sign between them."""

    at: Instance
    left: Real
    right: Real


def every_sign(
    left: str, right: str, decide: Callable[[Claim, str], Iterable[Finding]]
) -> dict[Relation, Callable[[Claim], Iterable[Finding]]]:
    """Entries of a table for `assertions.by_assertion`: the two sides with each sign, which the reader gets to know."""
    return {Relation(left, sign, right): partial(_with_sign, decide, sign) for sign in SIGNS}


def _with_sign(decide: Callable[[Claim, str], Iterable[Finding]], sign: str, claim: Claim) -> Iterable[Finding]:
    return decide(claim, sign)


def compare(m: Numbers, left: Real, sign: str, right: Real) -> Truth:
    """Whether `left sign right`, None where undecided."""
    return {"=": m.eq, "<=": m.le, ">=": m.ge, "<": m.lt, ">": m.gt}[sign](left, right)


def evaluate(m: Numbers, formula: Formula, instance: Instance) -> Real:
    """The formula at the entries of the instance that it takes; names stay names."""
    return formula(m, **{name: instance[name] if name == "kernel" else m.real(instance[name]) for name in names_of(formula)})


def truth(predicate: Predicate, m: Numbers, values: Mapping[str, Any]) -> Truth:
    """The predicate's answer, None where a value that it needs is not among those given."""
    return predicate(m, values) if {*predicate.names} <= {*values} else None


def admits(claim: Claim, m: Numbers, values: Mapping[str, Any]) -> bool:
    """Whether values, numbers of m or names, certainly lie in the claim's domains and meet every precondition."""
    inside = all(p.domain.contains(m, values[p.name]) is True for p in claim.parameters if p.name in values)
    return inside and all(truth(predicate, m, values) is True for predicate in claim.preconditions)


def admitted(claim: Claim, instances: Iterable[Instance]) -> list[Instance]:
    """The instances that the claim certainly `admits`."""
    m = arb()

    def numbers(instance: Instance) -> dict[str, Any]:
        return {name: value if name == "kernel" else m.real(value) for name, value in instance.items()}

    return [instance for instance in instances if admits(claim, m, numbers(instance))]


def contradiction(left: Formula, sign: str, right: Formula, instances: Iterable[Instance]) -> Contradiction | None:
    """The first instance where `left sign right` certainly fails; None if there is none."""
    m = arb()
    for instance in instances:
        a, b = evaluate(m, left, instance), evaluate(m, right, instance)
        if a.is_finite() and b.is_finite() and compare(m, a, sign, b) is False:
            return Contradiction(instance, a, b)
    return None


def order(difference: Any) -> str | None:
    """The strongest sign that left has against right, as computer algebra sees it from left - right; None if it sees none."""
    d = sympy.sympify(difference)
    known = [(d == 0, "="), (d.is_negative, "<"), (d.is_positive, ">"), (d.is_nonpositive, "<="), (d.is_nonnegative, ">=")]
    return next((sign for holds, sign in known if holds), None)


def order_of(left: Formula, right: Formula, claim: Claim, **given: Any) -> str | None:
    """`order` of two formulas over the whole domains of the claim's parameters."""
    names = {name for f in (left, right) for name in names_of(f)} - set(given)
    if not names <= {p.name for p in claim.parameters}:
        return None
    a, b = (expression(f, claim.parameters, **_taken(f, given)) for f in (left, right))
    return order(sympy.simplify(a - b))


def _taken(formula: Formula, given: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in given.items() if name in names_of(formula)}


def compared(
    scope: str,
    left: Formula,
    sign: str,
    right: Formula,
    *,
    known: str | None,
    instances: Sequence[Instance],
    method: str,
    severity: Severity | None,
    survives: str,
    lemmas: Sequence[Lemma] = (),
    given: Sequence[Callable[..., Truth]] = (),
    printed: str = "right",
    remark: str | None = None,
) -> Finding:
    """`left sign right` on the whole domain.

    known      the sign that is proved to hold everywhere, None if none is
    instances  admitted instances at which both sides are enclosed
    given      the tests of the preconditions that a proof uses
    printed    which side is the paper's: it is reported as claimed, the other one as computed
    """
    against, rung, how = contradiction(left, sign, right, instances), Rung.POINT, "both sides enclosed at one instance"
    certain = known is not None and sign in FOLLOWS[known]
    if certain and against is not None:
        raise ArithmeticError(f"{scope}: proved with {known}, and yet enclosed against {sign} at {against.at}")
    if against is None and instances and known is not None and sign in FAILS[known]:
        m, rung, how = arb(), Rung.EXACT, f"{method}: {known} holds everywhere"
        against = Contradiction(instances[0], *(evaluate(m, side, instances[0]) for side in (left, right)))
    coverage = (f"{len(instances)} instances",) if instances else ()
    if against is not None:
        claimed, true = (against.right, against.left) if printed == "right" else (against.left, against.right)
        turned = known in ("=", "<=", ">=") and severity is not PROOF_STEP
        if turned:
            severity, survives = Severity.CONCLUSION, f"The same with {known} in the place of {sign}."
        return refuted(scope, claimed, true, against.at, how, severity, survives, rung, coverage=coverage)
    found = proved(scope, certain, method, lemmas=lemmas, given=given, remark=remark, coverage=coverage)
    return replace(found, about=about(severity))


def refuted(
    scope: str | Finding,
    claimed: Real | str,
    computed: Real | str | tuple[str, str] | None,
    at: Instance,
    method: str,
    severity: Severity | None,
    survives: str,
    rung: Rung = Rung.POINT,
    **rest: Any,
) -> Finding:
    """What is claimed against what was computed at an instance or along a path, each a text, an exact number or a ball.

    `scope` may be a finding that is open so far, whose other fields stay. Of a claimed ball the end next to the computed one
    is shown, so that the numbers shown contradict each other as well. The severity `PROOF_STEP` says that it is a step of the
    printed proof.
    """
    shown = None if computed is None else both_ends(computed)
    low, high = both_ends(claimed)
    above = isinstance(claimed, flint.arb) and isinstance(computed, flint.arb) and computed < claimed
    common: dict[str, Any] = {"rung": rung, "method": method, "severity": severity, "survives": survives, "reason": None}
    common |= {"about": about(severity), **rest}
    common |= {"verdict": Verdict.REFUTED, "claimed": low if above else high, "computed": shown, "at": at}
    return replace(scope, **common) if isinstance(scope, Finding) else Finding(scope=scope, **common)


def both_ends(value: Real | str | tuple[str, str]) -> tuple[str, str]:
    """Both ends of a ball, rounded outward; a text or an exact number twice; a pair of texts as it is."""
    if isinstance(value, tuple):
        return value
    if isinstance(value, flint.arb):
        return ends(value)
    return ("inf", "inf") if value == sympy.oo else (str(value), str(value))


def proved(
    scope: str,
    holds: bool,
    method: str,
    *,
    lemmas: Sequence[Lemma] = (),
    given: Sequence[Callable[..., Truth]] = (),
    remark: str | None = None,
    coverage: tuple[str, ...] = (),
) -> Finding:
    """Certified by an exact argument, or open. `given`: the tests of the preconditions that the argument uses."""
    if not holds:
        reason = "neither proved exactly nor contradicted at the instances tried"
        return Finding(scope=scope, verdict=Verdict.OPEN, coverage=coverage, reason=reason)
    return certified(scope, method, *lemmas, given=tuple(given), coverage=coverage, reason=remark)


def certified(scope: str, method: str, *lemmas: Lemma, **rest: Any) -> Finding:
    """What an exact argument proves; `rest` holds further fields, `given` for the tests of the preconditions it uses."""
    return Finding(scope=scope, verdict=Verdict.CERTIFIED, rung=Rung.EXACT, method=method, lemmas=lemmas, **rest)
