"""Is a printed noise scale at least one that is known to be enough? Decided by computer algebra, over the whole domain.

With r = epsilon/mu, mu the shift of the worst pair in units of the noise, and c = sqrt(2 ln(k/delta)), enough is either of

    r >= c                       where mu = epsilon/c is known to be enough on the printed range of epsilon,
    r - epsilon/(2r) >= c        by the tail lemma, for k >= 1/2.

Every parameter is written through variables that are not negative (delta = high e^-t, epsilon = high/(1 + v), x = low + u);
an inequality is shown where each coefficient of what is left of it is not negative: sufficient, never necessary.
"""

from typing import Any

import sympy

from dpsco.reference.numbers.symbolic import symbols_of
from dpsco.spec.claim import Claim
from dpsco.spec.domain import Integers, Interval
from dpsco.verdict import Lemma

LESS = Lemma(
    "more noise",
    "The profile grows with mu: N(0, 1) against N(a, 1) is the image of N(0, 1) against N(b, 1), b > a > 0, under "
    "x -> (a/b) x + sqrt(1 - a^2/b^2) z with a standard normal z of its own. So what is enough remains "
    "enough where sigma is larger.",
)
NATS, LESS_THAN_TOP = "ln(top/delta)", "top/epsilon - 1"
"""Names of the variables that delta and a bounded epsilon are written through; no parameter of a claim can have them."""

USUAL = (sympy.Integer(2), sympy.Rational(5, 4), sympy.Integer(1))
"""Values of k that are tried besides those in the claim's formula."""


def top_of(claim: Claim, name: str) -> Any | None:
    """The upper end of a parameter's domain, exactly; None where there is none."""
    domain = claim.parameter(name).domain
    return sympy.Rational(domain.high) if isinstance(domain, Interval) and domain.high != "inf" else None


def setting(claim: Claim, bounded: bool) -> tuple[dict[str, Any], Any]:
    """The parameters through variables, and ln(1/delta); epsilon through v where `bounded`, which needs an upper end."""
    found = symbols_of(claim.parameters)
    for p in claim.parameters:
        low = p.domain.low if isinstance(p.domain, Interval | Integers) else "0"
        if low not in ("-inf", "0", 0):
            found[p.name] = sympy.Rational(str(low)) + sympy.Symbol(f"{p.name} - {low}", nonnegative=True)
    top, end = top_of(claim, "delta") or sympy.Integer(1), top_of(claim, "epsilon")
    nats = sympy.Symbol(NATS, nonnegative=True)
    found["delta"] = top * sympy.exp(-nats)
    if bounded and end is not None:
        found["epsilon"] = end / (1 + sympy.Symbol(LESS_THAN_TOP, nonnegative=True))
    return found, nats - sympy.log(top)


def flat(expression: Any) -> Any:
    """Logarithms of products as sums, all multiplied out, sqrt(a x + b) as sqrt(a) sqrt(x + b/a) in x = ln(top/delta)."""
    nats = sympy.Symbol(NATS, nonnegative=True)

    def monic(base: Any, power: Any) -> Any:
        slope = sympy.expand(base).coeff(nats, 1)
        return slope**power * sympy.expand(base / slope) ** power if slope.is_number and slope.is_positive else base**power

    logarithms = sympy.expand(sympy.expand_log(expression, force=True))
    return sympy.expand(
        logarithms.replace(lambda e: e.is_Pow and e.base.is_Add and not e.exp.is_Integer, lambda e: monic(*e.args))
    )


def steady(expression: Any, *variables: Any) -> bool:
    """Whether an expression seems not to move with these variables, or with any: a quick no where to simplify takes minutes."""
    free = sorted(expression.free_symbols, key=str)
    first, second = (
        expression.subs({x: sympy.Rational(2 + i, 7 + (more if x in (variables or free) else 0)) for i, x in enumerate(free)})
        for more in (0, 5)
    )
    apart = (first - second).evalf(30)
    return not apart.is_comparable or bool(abs(apart) < 1e-15)


def factor_of(nats_of_c: Any, nats: Any) -> Any | None:
    """The number k of c^2/2 = ln(k/delta), nats = ln(1/delta); None where k depends on delta."""
    if not steady(nats_of_c - nats):
        return None
    level = sympy.simplify(nats_of_c - nats)  # in nats: a power of delta with a long exponent would take minutes to simplify
    return sympy.simplify(sympy.exp(level)) if level.is_number else None


def levels(ratio: Any, nats: Any) -> list[Any]:
    """Values of k to try, each once: wherever a multiple of ln(k/delta), and nothing else, stands in r; then the usual ones."""
    (variable,) = nats.free_symbols
    found = []
    for part in sympy.preorder_traversal(ratio):
        if isinstance(part, sympy.Add) and variable in part.free_symbols:
            alone = part.subs(dict.fromkeys(part.free_symbols - {variable}, 0))
            slope = alone.coeff(variable, 1)
            if slope.is_number and slope.is_positive and not (rest := sympy.expand(alone / slope - nats)).free_symbols:
                found.append(sympy.simplify(sympy.exp(rest)))
    return [k for k in dict.fromkeys([*found, *USUAL]) if k.is_positive]


def enough_by_ratio(ratio: Any, nats: Any, k: Any) -> bool:
    """r >= c everywhere: r >= 0 and r^2/2 - ln(k/delta) >= 0."""
    return not_negative(ratio) and not_negative(ratio**2 / 2 - nats - sympy.log(k))


def enough_by_tail(ratio: Any, epsilon: Any, nats: Any, k: Any) -> bool:
    """r - epsilon/(2r) >= c everywhere: r >= 0 and r^2 - c r - epsilon/2 >= 0."""
    c = sympy.sqrt(2 * nats + 2 * sympy.log(k))
    return not_negative(ratio) and not_negative(ratio**2 - c * ratio - epsilon / 2)


def not_negative(expression: Any) -> bool:
    """Whether the expression is shown to be >= 0 for all values of its variables."""
    above, below = sympy.fraction(sympy.together(flat(expression)))
    return (_sign(flat(above)) and _sign(flat(below), strict=True)) or (
        _sign(flat(-above)) and _sign(flat(-below), strict=True)
    )


def _sign(expression: Any, strict: bool = False) -> bool:
    """Whether every term is >= 0, and with `strict` one of them > 0, like terms taken together."""
    if not expression.free_symbols:
        return bool(expression.is_positive if strict else expression.is_nonnegative)
    match expression:
        case sympy.Add():
            terms: dict[Any, Any] = {}
            for term in expression.args:
                number, rest = term.as_independent(*expression.free_symbols, as_Add=False)
                terms[rest] = terms.get(rest, 0) + number
            signs = [(_sign(sympy.sympify(n)), _sign(rest)) for rest, n in terms.items()]
            return all(a and b for a, b in signs) and (
                not strict or any(_sign(sympy.sympify(n), True) and _sign(rest, True) for rest, n in terms.items())
            )
        case sympy.Mul():
            return all(_sign(factor, strict) for factor in expression.args)
        case sympy.Pow():
            power = expression.exp
            return bool(power.is_real) and _sign(expression.base, strict or not power.is_nonnegative)
        case _:
            return bool(expression.is_positive if strict else expression.is_nonnegative)


def cut_level(epsilon: Any, shift: Any, nats: Any) -> Any | None:
    """The k >= 1/2 for which epsilon/shift - shift/2 = sqrt(2 max(0, ln(k/delta))), nats = ln(1/delta); None where none is."""
    cut = shift.atoms(sympy.Max)
    if len(cut) != 1:
        return None
    root = sympy.Symbol("sqrt(2 max(0, ln(k/delta)))", nonnegative=True)
    whole = shift.subs(dict.fromkeys(cut, root**2 / 2))
    nonzero = [part for part in next(iter(cut)).args if part != 0]
    k = sympy.exp(sympy.expand(nonzero[0] - nats))
    if whole.has(nats) or len(nonzero) != 1 or not (k.is_number and bool(k >= sympy.Rational(1, 2))):
        return None
    left = sympy.simplify(sympy.radsimp(sympy.simplify(epsilon / whole - whole / 2)))
    return k if sympy.simplify(left - root) == 0 else None
