"""Judge of the lower bound of the private newsvendor: the rates, the comparator, and the reduction to sign classifiers."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial

import sympy

from dpsco.arguments.analysis import sign_errors
from dpsco.arguments.analysis.comparator_sets import ANY_COMPARATOR
from dpsco.arguments.analysis.private_minimax import (
    ANSWER_ZERO,
    FINGERPRINT,
    ONE_PASS,
    SPACE,
    TWO_LINES,
    Below,
    Question,
    at_least_rate,
    over_the_whole_space,
)
from dpsco.arguments.analysis.rate_monomials import covered, paths, terms
from dpsco.arguments.analysis.sign_errors import RESIDUAL, levels, nonnegative, resolved
from dpsco.arguments.analysis.sign_reduction import changed, classifier, private_signs
from dpsco.arguments.assertions import Table, reading
from dpsco.arguments.comparing import compared, proved, refuted
from dpsco.arguments.formula import apply
from dpsco.instances.grid import grid
from dpsco.mutants.analysis.lower_bounds import newsvendor_minimax as mutants
from dpsco.reference.analysis.lower_bounds.quantile_minimax import least_loss_in_ball
from dpsco.reference.numbers.enclosure import arb, ends
from dpsco.reference.numbers.symbolic import expression, symbolic
from dpsco.spec.analysis.lower_bounds.newsvendor_minimax import (
    delta_at_most,
    epsilon_at_most_one,
    private_term_at_most_one,
)
from dpsco.spec.claim import Claim, Relation
from dpsco.spec.numbers import Numbers, Real
from dpsco.spec.register import find
from dpsco.verdict import PROOF_STEP, Finding, Lemma, Part, Reading, Rung, Severity, Verdict, as_step

MORE_ANSWERS = Lemma(
    "more answers",
    "The ball lies in the box: every private map into the ball is one into the box, and with the same comparator on both sides "
    "its risk is the same. An infimum over more maps is no larger.",
)
EQUAL_ROWS = Lemma(
    "equal rows",
    "All rows (B_x/sqrt(d), ..., B_x/sqrt(d)), labels of half-width h: y = h B_x sqrt(d), the least loss over the box of that "
    "half-width is 0, over the ball of radius B r B_x max(h sqrt(d) - B, 0). With h sqrt(d) <= B every perfect fit h sign(mean "
    "row) lies in the ball, so for all hard data both least losses are 0.",
)
WHOLE_SPACE = Lemma(
    "perfect fit",
    "y_i = B <x_i, sign of the mean row>: the fit B sign(mean row) has loss 0 and lies in the box and in R^d, where no loss is "
    "below 0. The excess risk over either is the expected risk itself, for all hard data.",
)
DISTANT = Lemma(
    "a box that misses the ball",
    "Over a box of half-width h < B: x = B_x e_1, y = B B_x for certain; B e_1 in the ball has loss 0, every answer at least r "
    "B_x (B - h). Over the ball: with probability delta the empirical minimiser, else 0, is (0, delta)-DP; for the first the "
    "risk is at most twice the Rademacher mean, 2 max(r, 1 - r) B_x B/sqrt(n), for 0 at most max(r, 1 - r) B_x B.",
)
STANDS = "For sqrt(d) <= n epsilon, epsilon <= 1 and sqrt(d) delta <= epsilon it holds, without the logarithm: the amendment."
BELOW = Below(
    proved=(SPACE.powers(n="-1/2"), SPACE.powers(n=-1, d="1/2", epsilon=-1)),
    constant="max(r, 1 - r) B B_x/42",
    at_least_one=(
        SPACE.powers(n=1),
        SPACE.powers(d=1),
        SPACE.powers(epsilon=-1),
        SPACE.powers(n=1, epsilon=1, d="-1/2"),
    ),
    given=(private_term_at_most_one, epsilon_at_most_one, delta_at_most),
    lemmas=(FINGERPRINT, TWO_LINES),
)
ASKED = Question("minimax risk", "max(r, 1 - r) B B_x", (ANSWER_ZERO, ONE_PASS), BELOW, STANDS)
SIZES = {"r": ("0.5", "0.1", "0.9"), "B": ("1", "3"), "B_x": ("1", "0.5"), "d": ("1", "2", "4", "9")}


def rate(name: str, claim: Claim) -> Iterator[Finding]:
    """The minimax risk against one of the printed rates."""
    found = terms(expression(claim.formulas[name]), SPACE)
    asked = replace(ASKED, scope=f"minimax risk against {name}")
    if found is None:
        yield Finding(scope=asked.scope, verdict=Verdict.OPEN, reason="the rate is no sum or maximum of monomials")
    elif claim.amends is not None:
        yield from at_least_rate(claim, found, asked)
    else:
        for finding in at_least_rate(claim, found, asked):
            scope = f"if no range is meant, answers and theta* in the ball; {finding.scope}"
            yield replace(finding, scope=scope, reading=Reading.ANOTHER)
        yield Finding(
            scope=f"the range of epsilon, delta and d; {asked.scope}",
            verdict=Verdict.OPEN,
            adjacency=claim.adjacency,
            reason=f"it is not at hand: without one it fails, answers and theta* in the ball (beside). {STANDS}",
        )
        if name == "rate":
            yield over_the_whole_space("demands", Reading.ANOTHER)
            for step in classifier(PRINTED, claim):
                yield replace(step, scope=f"the step into display (EC.38): {step.scope}", severity=PROOF_STEP, about=Part.PROOF)


def maximum_covers_sum(claim: Claim) -> Iterator[Finding]:
    """rate_maximum against rate: monomial by monomial."""
    scope = "rate_maximum against rate"
    large, small = (terms(expression(claim.formulas[name]), SPACE) for name in ("rate_maximum", "rate"))
    plain = large and small and all(term.logs == 0 for term in (*large, *small))
    if not plain or large is None or small is None:
        yield proved(scope, False, "")
        return
    known = [SPACE.powers(n=1), SPACE.powers(d=1)]
    holds = all(covered(term.powers, [t.powers for t in large], known) for term in small)
    if not holds:
        for path in paths(claim, SPACE):
            left, right = (max(path.growth(t.powers) for t in side) for side in (large, small))
            if left < right:
                yield refuted(
                    scope,
                    "at least a constant times N^0",
                    (f"N^({left - right})",) * 2,
                    {"path": str(path)},
                    method="rate_maximum/rate tends to 0 along the path",
                    severity=PROOF_STEP,
                    survives="The minimax risk is at least of order rate_maximum where it is shown to be.",
                    rung=Rung.EXACT,
                )
                return
    yield proved(scope, holds, f"exact: a sum of {len(small)} terms, each at most a multiple of the maximum")


def inclusion(claim: Claim) -> Iterator[Finding]:
    """The relaxation alone: whether the box of the answers holds the ball, or else what a box that does not costs."""
    half, scope, c = claim.formulas.get("half_width_of_answers", _radius), "relaxation of the answers, one comparator", arb()
    at = {"n": "1000000", "d": "4", "r": "0.5", "B": "1", "B_x": "1", "delta": "0.999", "epsilon": "1"}
    v = {name: c.real(value) for name, value in at.items()}
    least = v["r"] * v["B_x"] * (v["B"] - apply(half, c, v))  # over the box, of DISTANT
    most = c.max(v["r"], 1 - v["r"]) * v["B_x"] * v["B"] * (2 / c.sqrt(v["n"]) + 1 - v["delta"])  # over the ball
    if c.gt(least, most) is True:
        yield refuted(
            scope,
            f"at least {ends(least)[0]}",
            ("0", ends(most)[1]),
            at,
            method="minimax risk over the ball from above, over the box from below, both enclosed",
            severity=PROOF_STEP,
            survives="It holds for a box that holds the ball, of half-width B at least.",
            lemmas=(DISTANT,),
        )
        return
    root, B = 1 + sympy.Symbol("z", nonnegative=True), sympy.Symbol("B", positive=True)  # d = root^2 >= 1
    wide = sympy.expand(apply(half, symbolic(), {"B": B, "d": root**2}) - B).is_nonnegative is True
    method = "exact: the box's half-width is at least the ball's radius"
    yield proved(scope, wide, method, lemmas=(MORE_ANSWERS,), remark=None if claim.amends else ANY_COMPARATOR)


def _radius(m: Numbers, B: Real) -> Real:
    return B


def _half_width(claim: Claim) -> Callable[..., Real]:
    return claim.formulas.get("half_width", _radius)


def least_in_ball(claim: Claim, m: Numbers, r: Real, B: Real, B_x: Real, d: Real) -> Real:
    """The least loss over the ball of the data of `EQUAL_ROWS`, from the claim's labels."""
    half = apply(_half_width(claim), m, {"B": B, "d": d})
    return least_loss_in_ball(m, r, B, half, d) * B_x / m.sqrt(d)


def comparators(claim: Claim) -> Iterator[Finding]:
    """The least losses of the data, computed, over ball and box: their difference is that of the excess risks."""

    def ball(m: Numbers, r: Real, B: Real, B_x: Real, d: Real) -> Real:
        return least_in_ball(claim, m, r, B, B_x, d)

    def box(m: Numbers) -> Real:
        return m.real(0)

    inside = _equal(claim, "least losses over ball and box, all rows equal", ball, box)
    if claim.amends is not None:
        yield inside
        return
    scope, method = "least losses over R^d and box, all hard data", "exact: B sign(mean row) is a perfect fit in both"
    yield proved(scope, True, method, lemmas=(WHOLE_SPACE,))
    scope = "theta* in the ball, as in the upper bounds; least losses over ball and box, all rows equal"
    yield replace(as_step(inside), scope=scope, reading=Reading.MEANT)


def least_losses(claim: Claim) -> Iterator[Finding]:
    """The stated least losses against each other, and the one over the ball against the computed one."""
    left, right = (claim.formulas[f"least_loss_in_{where}"] for where in ("ball", "box"))

    def ball(m: Numbers, r: Real, B: Real, B_x: Real, d: Real) -> Real:
        return least_in_ball(claim, m, r, B, B_x, d)

    yield _equal(claim, "least_loss_in_ball against least_loss_in_box", left, right)
    yield _equal(claim, "least_loss_in_ball, computed, against the stated one", ball, left)


def _equal(claim: Claim, scope: str, left: Callable[..., Real], right: Callable[..., Real]) -> Finding:
    root = 1 + sympy.Symbol("z", nonnegative=True)  # d = root^2 >= 1
    difference = (expression(left) - expression(right)).subs(sympy.Symbol("d", positive=True), root**2)
    return compared(
        scope,
        left,
        "=",
        right,
        known="=" if sympy.simplify(resolved(difference)) == 0 else None,
        instances=list(grid(claim, SIZES)),
        method="identical by computer algebra",
        severity=PROOF_STEP,
        survives="Both are 0 for labels of half-width B/sqrt(d): the amendment. With the excess over the least "
        "loss in the box on both sides, which (EC.34) prints, the step holds.",
        lemmas=(EQUAL_ROWS,),
    )


def risk_of_signs(claim: Claim) -> Iterator[Finding]:
    """The printed factor against min(r, 1 - r) B, and against exact risks."""
    factor, B = claim.formulas["risk_of_sign_error"], sympy.Symbol("B", positive=True)
    m, scope = symbolic(), "empirical excess risk over the box against the sign error"

    def bound(c: Numbers, r: Real, B: Real, x: Real, t: Real) -> Real:
        wrong = [c.where(c.all(c.lt(a * b, 0)), c.abs(a), 0) for a, b in zip(x, t, strict=True)]
        return apply(factor, c, {"r": r, "B": B}) * sum(wrong, start=c.real(0))

    bad = sign_errors.above_risk(bound, False)
    if bad is not None:
        at, risk, claimed = bad
        yield refuted(
            scope,
            f"at least {ends(claimed)[0]}",
            risk,
            at,
            method="the risk in exact arithmetic; features in units of B_x/sqrt(d)",
            severity=Severity.CONSTANT,
            survives="The factor min(r, 1 - r) B.",
        )
        return
    holds = all(nonnegative(resolved(m.min(r, 1 - r) * B - apply(factor, m, {"r": r, "B": B}))) for r in levels())
    method = "exact: the factor is at most min(r, 1 - r) B, and B - theta_j sign(xbar_j) >= B where the signs differ"
    yield proved(scope, holds, method, lemmas=(RESIDUAL,))


PRINTED, OF_SIGNS = ("epsilon", "delta"), ("epsilon_of_signs", "delta_of_signs")
READ: Table = {
    Relation("risk", ">=Omega", "rate_private"): partial(rate, "rate_private"),
    Relation("risk", ">=Omega", "rate_maximum"): partial(rate, "rate_maximum"),
    Relation("risk", ">=Omega", "rate"): partial(rate, "rate"),
    Relation("rate_maximum", ">=Omega", "rate"): maximum_covers_sum,
    Relation("minimax risk over the ball", ">=", "minimax risk over the box, one comparator"): inclusion,
    Relation("excess risk on the hard data", "=", "excess risk over the least loss in the box"): comparators,
    **dict.fromkeys(find("newsvendor/thm-7-comparator-amended").asserts[:1], inclusion),
    **dict.fromkeys(find("newsvendor/thm-7-comparator-amended").asserts[1:2], comparators),
    Relation("least_loss_in_ball", "=", "least_loss_in_box"): least_losses,
    Relation("sign of B(S(X)), as a map of X", "is", "(epsilon', delta')-DP"): partial(private_signs, PRINTED),
    Relation("sign of B(S(X)), as a map of X", "is", "(epsilon_of_signs, delta_of_signs)-DP"): partial(private_signs, OF_SIGNS),
    Relation("X, X' differ in one row", "=>", "S(X), S(X') differ in one record"): partial(changed, lambda c, m, n: m.real(1)),
    Relation("X, X' differ in one row", "=>", "S(X), S(X') differ in at most labels_changed records"): partial(
        changed, lambda c, m, n: apply(c.formulas["labels_changed"], m, {"n": n if isinstance(n, sympy.Basic) else m.real(n)})
    ),
    Relation("least worst-case error over B of S", ">=", "least worst-case error over C of X"): partial(classifier, PRINTED),
    Relation("least worst-case error over B of S", ">=", "least worst-case error over C of X, budget of signs"): partial(
        classifier, OF_SIGNS
    ),
    Relation("empirical excess risk over the box", ">=", "risk_of_sign_error times the sign error"): risk_of_signs,
}

JUDGES = dict.fromkeys(
    (f"newsvendor/thm-7{part}{kind}" for part in ("", "-comparator", "-reduction") for kind in ("", "-amended")), reading(READ)
)

MUTANTS = {
    "newsvendor/thm-7-amended": mutants.of_minimax,
    "newsvendor/thm-7-comparator-amended": mutants.of_comparator,
    "newsvendor/thm-7-reduction-amended": mutants.of_reduction,
}
