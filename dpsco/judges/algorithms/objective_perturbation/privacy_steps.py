"""Judges of the steps by which objective perturbation is shown to be private: sigma, the product's tail, the determinants."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

import sympy

from dpsco.arguments.algorithms.objective_perturbation.privacy.steps import (
    ALONG,
    CORNER_TAIL,
    EXPONENTIAL,
    INVERSE,
    MEDIAN,
    MOMENT,
    failing,
    never_negative,
    opened,
    ridge_least,
    roots,
)
from dpsco.arguments.comparing import certified
from dpsco.arguments.formula import apply
from dpsco.arguments.privacy.noise_scale import TAIL
from dpsco.instances.privacy import DELTAS
from dpsco.mutants.algorithms.objective_perturbation import privacy_steps as mutants
from dpsco.reference.numbers.enclosure import arb
from dpsco.reference.numbers.symbolic import expression, symbolic
from dpsco.spec.algorithms.objective_perturbation import newsvendor_privacy as spec
from dpsco.spec.algorithms.objective_perturbation import privacy_steps as steps
from dpsco.spec.claim import Claim, Relation
from dpsco.spec.conditions import gradients_are_bounded
from dpsco.spec.numbers import Real
from dpsco.verdict import PROOF_STEP, Finding, Reading, Severity

Step = Callable[[Claim, Relation], Finding]


def every(table: Mapping[tuple[str, str, str], Step], claim: Claim) -> Iterator[Finding]:
    """One finding for each assertion."""
    for relation in claim.asserts:
        step = table.get((relation.left, relation.sign, relation.right))
        found = step(claim, relation) if step is not None else opened(str(relation), "no procedure for this assertion")
        yield replace(found, asserts=(relation,))


def _two(claim: Claim, relation: Relation) -> Finding:
    """Two printed scales of sigma: identity or inequality in u = sqrt(2 ln(1/delta)) and v, epsilon = (u + v)^2 - u^2."""
    left, right = (roots(claim.formulas[name]) for name in (relation.left, relation.right))
    rest = sympy.simplify(left - right)
    if rest == 0 or (relation.sign == ">=" and never_negative(sympy.numer(sympy.together(rest)))):
        return certified(str(relation), f"computer algebra: the difference is {rest} with u, v > 0")
    m = arb()
    for epsilon in ("1", "0.5", "10", "0.001"):
        for delta in ("0.01", "1e-6", "0.9"):
            values = {"epsilon": m.real(epsilon), "delta": m.real(delta), "L": m.real(1)}
            one, two = (apply(claim.formulas[name], m, values) for name in (relation.left, relation.right))
            wrong = m.lt(one, two) if relation.sign == ">=" else m.any(m.lt(one, two), m.gt(one, two))
            if wrong is True:
                at = {"epsilon": epsilon, "delta": delta, "L": "1"}
                return failing(str(relation), one, two, at, Severity.MISPRINT, "The other forms agree with each other.")
    return opened(str(relation), "no identity, and no contradiction at the grid")


def _root(claim: Claim, relation: Relation) -> Finding:
    """epsilon sigma^2 - 2 L sigma sqrt(2 ln(1/delta)) - L^2 = 0 at sigma_needed, whose other root is negative."""
    u, v, L = sympy.symbols("u v L", positive=True)
    sigma = roots(claim.formulas["sigma_needed"])
    rest = sympy.simplify(((u + v) ** 2 - u**2) * sigma**2 - 2 * L * sigma * u - L**2)
    if rest == 0:
        return certified(str(relation), "computer algebra: it solves epsilon sigma^2 - 2 L sigma u - L^2 = 0")
    m = arb()
    values = {"epsilon": m.real(1), "delta": m.real("0.01"), "L": m.real(1)}
    a = m.sqrt(2 * m.log(m.real(100)))
    true, printed = a + m.sqrt(a**2 + 1), apply(claim.formulas["sigma_needed"], m, values)
    if m.any(m.lt(true, printed), m.gt(true, printed)) is True:
        at = {"epsilon": "1", "delta": "0.01", "L": "1"}
        return failing(
            str(relation), true, printed, at, Severity.CONSTANT, "The condition is a quadratic one with one root > 0."
        )
    return opened(str(relation), "neither an identity nor contradicted")


SIGMA = {
    ("sigma_displayed_mended", "=", "sigma_lemma"): _two,
    ("sigma_lemma", ">=", "sigma_needed"): _two,
    ("sigma_needed", "is", "the least sigma of the condition"): _root,
}


def sigma(claim: Claim) -> Iterator[Finding]:
    """The choice of sigma; beside it the display as the text at hand has it."""
    yield from every(SIGMA, claim)
    yield replace(_two(claim, Relation("sigma_displayed", "=", "sigma_lemma")), reading=Reading.ANOTHER)


def _variance(claim: Claim, relation: Relation) -> Finding:
    return certified(str(relation), "second moment of |<b, Delta>| <= (L/B_x)|<b, x>|", MOMENT, given=(gradients_are_bounded,))


def _product(claim: Claim, relation: Relation) -> Finding:
    """The printed tail over the least one, 2 Phi(-t/(L sigma)), which the median record has."""
    s = sympy.symbols("t L sigma", positive=True)
    least = 2 * symbolic().Phi(-s[0] / (s[1] * s[2]))
    share = sympy.simplify(expression(claim.formulas["product_tail"]) / least)
    if share.is_number and share >= 1:
        method = f"{share} times the tail of |N(0, L^2 sigma^2)|"
        return certified(str(relation), method, CORNER_TAIL, given=(gradients_are_bounded,))
    m = arb()
    at = {"epsilon": "1", "delta": "0.01", "t": "20", "L": "0.5", "sigma": "10", "2 n lambda": "1", "h": "1", "r": "0.5"}
    at |= {"kernel": "uniform", "D'": "(x, y) = (1, 0)"}
    values = {name: m.real(at[name]) for name in ("t", "L", "sigma")}
    true, printed = 2 * m.Phi(-values["t"] / (values["L"] * values["sigma"])), apply(claim.formulas["product_tail"], m, values)
    if m.gt(true, printed) is True:
        survives = "Twice the printed tail holds, and twice Phi(-sqrt(2 ln(1/delta))) is still at most delta."
        return failing(str(relation), true, printed, at, PROOF_STEP, survives, MEDIAN)
    return opened(str(relation), f"printed over least tail is {share}")


def _gaussian(claim: Claim, relation: Relation) -> Finding:
    """k Phi(-sqrt(2 ln(1/delta))) <= delta exactly for k <= 2: the tail lemma, and delta -> 1."""
    delta = sympy.Symbol("delta", positive=True)
    share = sympy.simplify(expression(claim.formulas["gaussian_tail"]) / symbolic().Phi(-sympy.sqrt(2 * sympy.log(1 / delta))))
    if share.is_number and share <= 2:
        return certified(str(relation), f"{share} Phi(-z) <= e^(-z^2/2) = delta", TAIL)
    m = arb()
    for text in DELTAS:
        printed = claim.formulas["gaussian_tail"](m, delta=m.real(text))
        if m.gt(printed, m.real(text)) is True:
            at = {"delta": text}
            return failing(str(relation), printed, m.real(text), at, Severity.CONSTANT, "2 Phi(-sqrt(2 ln(1/delta))) <= delta.")
    return opened(str(relation), f"{share} times the tail of N(0, 1)")


def _ratio(claim: Claim, relation: Relation) -> Finding:
    """2 Phi(-z) <= delta, z = epsilon sigma/(2 L) - L/(2 sigma), sigma the least that is allowed."""
    epsilon, s = sympy.symbols("epsilon s", positive=True)
    square = sympy.expand(claim.formulas["sigma_lemma"](symbolic(), epsilon=epsilon, delta=sympy.exp(-s), L=1) ** 2)
    q = sympy.expand(sympy.expand_log(square, force=True))
    spare, positive = sympy.expand((q * epsilon**2 / 4 - epsilon / 2) / 2 - s), sympy.expand((q * epsilon - 1) * epsilon)
    if never_negative(spare) and never_negative(positive):
        method = f"computer algebra: z^2/2 - ln(1/delta) >= {spare}, s = ln(1/delta)"
        return certified(str(relation), method, CORNER_TAIL, TAIL, given=(spec.noise_suffices, gradients_are_bounded))
    m = arb()
    for delta in DELTAS:
        values = {"epsilon": m.real("0.1"), "delta": m.real(delta), "L": m.real(1)}
        scale = apply(claim.formulas["sigma_lemma"], m, values)
        true = 2 * m.Phi(-(values["epsilon"] * scale / 2 - 1 / (2 * scale)))
        if m.gt(true, values["delta"]) is True:
            at = {"epsilon": "0.1", "delta": delta, "L": "1"}
            return failing(
                str(relation), true, values["delta"], at, Severity.CONSTANT, "It holds with the lemma's sigma.", MEDIAN
            )
    return opened(str(relation), "no contradiction at the grid, no proof")


TAILS = {
    ("Var <b, Delta>", "<=", "L^2 sigma^2"): _variance,
    ("Pr[-<b, Delta> >= t]", "<=", "product_tail"): _product,
    ("gaussian_tail", "<=", "delta"): _gaussian,
    ("Pr[log density ratio > epsilon / 2]", "<=", "delta"): _ratio,
}


def tail(claim: Claim) -> Iterator[Finding]:
    """The product's variance and tail, the normal tail, and what the step is for."""
    yield from every(TAILS, claim)


def _against(name: str) -> Step:
    """The true ratio of determinants, 1 + rho_1' <v, H^-1 v>, largest along the least eigenvalue."""

    def step(claim: Claim, relation: Relation) -> Finding:
        shift, n, ridge = sympy.symbols("shift n lambda", positive=True)
        formula, known = claim.formulas[name], "the eigenvector of the least eigenvalue attains 1 + rho_1'/(rho_d + 2 n lambda)"
        printed = expression(formula, eigenvalues=[sympy.Integer(3), sympy.Integer(1)])
        if name != "determinant_ratio_middle" and never_negative(
            sympy.expand((printed - 1 - shift / (2 * n * ridge)) * ridge * n)
        ):
            return certified(str(relation), "at least 1 + rho_1'/(2 n lambda)", ALONG)
        at = {"eigenvalues": "3, 1", "shift": "1", "n": "1", "lambda_": "0.5", "E": "along the second eigenvector"}
        given = {shift: 1, n: 1, ridge: sympy.Rational(1, 2)}
        for eigenvalues, true in (((3, 1), sympy.Rational(3, 2)), ((0, 0), sympy.Integer(2))):
            value = expression(formula, eigenvalues=[sympy.Integer(e) for e in eigenvalues]).subs(given)
            if value < true:
                at = {**at, "eigenvalues": ", ".join(map(str, eigenvalues))}
                survives = "The ratio is at most 1 + rho_1'/(2 n lambda), which the end of the chain uses."
                return failing(str(relation), true, value, at, PROOF_STEP, survives, ALONG)
        return opened(str(relation), f"not decided; {known}")

    return step


def _equal(claim: Claim, relation: Relation) -> Finding:
    """middle = last, at the eigenvalues (3, 1)."""
    given = {"eigenvalues": [sympy.Integer(3), sympy.Integer(1)], "shift": 1, "n": 1, "lambda_": sympy.Rational(1, 2)}
    left, right = (apply(claim.formulas[name], symbolic(), given) for name in (relation.left, relation.right))
    if left != right:
        at = {"eigenvalues": "3, 1", "shift": "1", "n": "1", "lambda_": "0.5"}
        return failing(str(relation), left, right, at, PROOF_STEP, "The middle is at most the last; equal for rho_1 = 0.")
    return opened(str(relation), "equal at one instance")


def _curvature(claim: Claim, relation: Relation) -> Finding:
    """last <= smooth, with beta = rho_1' + g."""
    g, shift, n, ridge = sympy.symbols("g shift n lambda", positive=True)
    left, right = (expression(claim.formulas[name]) for name in (relation.left, relation.right))
    rest = sympy.expand((right.subs(sympy.Symbol("beta", positive=True), shift + g) - left) * n * ridge)
    if never_negative(rest):
        return certified(str(relation), f"n lambda times the difference is {rest}", given=(steps.shift_is_a_curvature,))
    given = {"shift": 1, "beta": 1, "n": 1, "lambda_": sympy.Rational(1, 2)}
    one, two = (apply(claim.formulas[name], symbolic(), given) for name in (relation.left, relation.right))
    if one > two:
        at = {"shift": "1", "beta": "1", "n": "1", "lambda_": "0.5"}
        return failing(str(relation), one, two, at, Severity.CONSTANT, "1 + rho_1'/(2 n lambda) <= 1 + beta/(2 n lambda).")
    return opened(str(relation), "no proof, no contradiction")


def _budget(upper: str | None) -> Step:
    """upper (1 where there is none) at the least lambda is 1 + k epsilon, the budget e^(c epsilon): k <= c decides."""

    def step(claim: Claim, relation: Relation) -> Finding:
        epsilon = sympy.Symbol("epsilon", positive=True)
        rate = sympy.simplify(sympy.log(expression(claim.formulas["determinant_budget"])) / epsilon)
        whole = expression(claim.formulas[upper]) if upper else sympy.Integer(1)
        share = sympy.simplify((whole.subs(sympy.Symbol("lambda", positive=True), ridge_least(claim)) - 1) / epsilon)
        needs = (spec.regularisation_suffices, steps.shift_is_a_curvature) if upper else ()
        if share.is_number and rate.is_number and share <= rate:
            return certified(
                str(relation), f"1 + {share} epsilon <= e^({rate} epsilon)", EXPONENTIAL, ALONG, INVERSE, given=needs
            )
        m = arb()
        small = m.real("0.001")
        true, budget = (
            1 + m.real(str(share)) * small if share.is_number else small,
            claim.formulas["determinant_budget"](m, epsilon=small),
        )
        if share.is_number and m.gt(true, budget) is True:
            return failing(
                str(relation), true, budget, {"epsilon": "0.001"}, Severity.CONSTANT, "lambda >= beta/(n epsilon) does."
            )
        return opened(str(relation), f"rates {share} and {rate}")

    return step


DETERMINANTS = {
    ("ratio of determinants", "<=", "determinant_ratio_middle"): _against("determinant_ratio_middle"),
    ("ratio of determinants", "<=", "determinant_ratio_last"): _against("determinant_ratio_last"),
    ("determinant_ratio_middle", "=", "determinant_ratio_last"): _equal,
    ("determinant_ratio_last", "<=", "determinant_ratio_smooth"): _curvature,
    ("determinant_ratio_smooth", "<=", "determinant_budget"): _budget("determinant_ratio_smooth"),
    ("ratio of determinants", "<=", "determinant_budget"): _budget("determinant_ratio_smooth"),
    ("inverse ratio of determinants", "<=", "determinant_budget"): _budget(None),
}


def determinants(claim: Claim) -> Iterator[Finding]:
    """Every link of the chain."""
    yield from every(DETERMINANTS, claim)


PREFIX: Real = "newsvendor/lem-EC.1"
JUDGES = {
    f"{PREFIX}-sigma": sigma,
    f"{PREFIX}-tail": tail,
    f"{PREFIX}-tail-amended": tail,
    f"{PREFIX}-det": determinants,
    f"{PREFIX}-det-amended": determinants,
}

MUTANTS = {
    f"{PREFIX}-sigma": mutants.of_sigma,
    f"{PREFIX}-tail": mutants.of_printed_tail,
    f"{PREFIX}-tail-amended": mutants.of_tail,
    f"{PREFIX}-det": mutants.of_printed_determinants,
    f"{PREFIX}-det-amended": mutants.of_determinants,
}
