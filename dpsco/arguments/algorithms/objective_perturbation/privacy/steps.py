"""What the steps of the privacy proof rest on: lemmas, algebra on positive symbols, and the making of findings."""

from collections.abc import Callable, Mapping

import sympy

from dpsco.arguments.comparing import refuted
from dpsco.arguments.formula import threshold
from dpsco.reference.numbers.symbolic import symbolic
from dpsco.spec.claim import Claim
from dpsco.spec.numbers import Real
from dpsco.verdict import Finding, Lemma, Rung, Severity, Verdict

MOMENT = Lemma(
    "second moment",
    "|<b, Delta>| = |c'| |<b, x>| with |c'| |x| <= L, so E <b, Delta>^2 <= (L/|x|)^2 E <b, x>^2 = L^2 sigma^2; a variance is "
    "at most the second moment.",
)
CORNER_TAIL = Lemma(
    "tail without independence",
    "|<b, Delta>| <= (L/|x|) |<b, x>|, and (L/|x|) <b, x> is N(0, L^2 sigma^2), however Delta depends on b. So the upper tail "
    "of -<b, Delta> is at most that of |N(0, L^2 sigma^2)|, and the log ratio at most (|N(0, L^2 sigma^2)| + L^2/2)/sigma^2.",
)
MEDIAN = Lemma(
    "a record at the median",
    "d = 1, r = 1/2, the uniform kernel, no other record, the further one (1, 0), L = 1/2. Before it comes theta = -b/(2 n "
    "lambda); beyond the kink, |theta| >= h, its gradient is sign(theta)/2, so -<b, Delta> = |b| L, with twice the tail of "
    "N(0, L^2 sigma^2) at every level t >= 2 n lambda h L. The kink is as narrow as h is small.",
)
ALONG = Lemma(
    "matrix determinant lemma",
    "det(H + k v v') = det(H)(1 + k <v, H^-1 v>) for a unit vector v, k >= 0 and H >= 2 n lambda I: between 1 and "
    "1 + k/(2 n lambda), and 1 + k/(rho_i + 2 n lambda) where v is the eigenvector of rho_i.",
)
INVERSE = Lemma("inverse ratio", "The ratio is at least 1, so its inverse is at most 1.")
EXPONENTIAL = Lemma("exponential", "1 + x <= e^x, and e^(k epsilon) <= e^(c epsilon) for k <= c.")


def failing(
    scope: str, true: Real, printed: Real, at: Mapping[str, str], severity: Severity | None, survives: str, *lemmas: Lemma
) -> Finding:
    """A link that fails at an instance; both sides are balls or exact rationals."""
    exact = isinstance(true, sympy.Basic)
    how, rung = ("both sides in exact rationals", Rung.EXACT) if exact else ("both sides enclosed", Rung.POINT)
    return refuted(scope, printed, true, at, how, severity, survives, rung, lemmas=lemmas)


def opened(scope: str, reason: str) -> Finding:
    """A link that is not decided."""
    return Finding(scope=scope, verdict=Verdict.OPEN, reason=reason)


def never_negative(expression: Real) -> bool:
    """Whether a polynomial in positive symbols has no negative coefficient."""
    expanded = sympy.expand(expression)
    symbols = sorted(expanded.free_symbols, key=str)
    if not symbols:
        return bool(expanded >= 0)
    if not expanded.is_polynomial(*symbols):
        return False
    return all(bool(sympy.simplify(k) >= 0) for k in sympy.Poly(expanded, *symbols).coeffs())


def roots(formula: Callable[..., Real]) -> Real:
    """A scale with u = sqrt(2 ln(1/delta)) and epsilon = (u + v)^2 - u^2: every root under which a square stands is taken."""
    u, v, L = sympy.symbols("u v L", positive=True)
    value = formula(symbolic(), epsilon=(u + v) ** 2 - u**2, delta=sympy.exp(-(u**2) / 2), L=L)
    value = sympy.expand_log(value, force=True)
    return value.replace(
        lambda e: e.is_Pow and e.exp == sympy.Rational(1, 2), lambda e: sympy.sqrt(sympy.factor(sympy.expand(e.base)))
    )


def ridge_least(claim: Claim) -> Real:
    """The right side of the precondition lambda >= f, as an expression."""
    s = {name: sympy.Symbol(name, positive=True) for name in ("epsilon", "n", "beta")}
    ridge = sympy.Symbol("lambda", positive=True)
    for predicate in claim.preconditions:
        if "lambda_" in predicate.names:
            return threshold("ge", predicate.test, symbolic(), {**s, "lambda_": ridge})
    return sympy.oo
