"""Judges of the privacy of objective perturbation on the smoothed quantile loss, and of the conditions it is derived from."""

from collections.abc import Iterator
from dataclasses import replace

import sympy

from dpsco.arguments.algorithms.objective_perturbation.privacy.noise import (
    Calibration,
    Number,
    changing_normaliser,
    judged,
)
from dpsco.arguments.comparing import certified, proved, refuted
from dpsco.arguments.formula import apply
from dpsco.mutants.algorithms.objective_perturbation import privacy as mutants
from dpsco.reference.losses.kernels import density
from dpsco.reference.numbers.enclosure import arb
from dpsco.reference.numbers.symbolic import expression
from dpsco.spec.algorithms.objective_perturbation.algorithm import regularised_enough
from dpsco.spec.algorithms.objective_perturbation.privacy import features_in_ball
from dpsco.spec.claim import Adjacency, Claim, Relation
from dpsco.spec.numbers import Numbers, Real
from dpsco.spec.register import find
from dpsco.verdict import FALSE, PROOF_STEP, Finding, Lemma, Reading, Rung, Severity, Verdict

RANK_ONE = Lemma(
    "Hessian of one record",
    "Where it exists the Hessian of c_h(y - <x, theta>) is K_h(y - <x, theta>) x x', of rank one with the eigenvalue "
    "K_h |x|^2 in [0, K_bar |x|^2/h]; the gradient -c_h' x has c_h' in [-(1-r), r]. Both ends are approached: K_bar at "
    "the residual where the kernel is largest, max(r, 1-r) as the residual grows on one side; |x| = B_x.",
)
BY_CHOICE = "a choice of the algorithm, among the claim's preconditions"
SURVIVES_CONDITIONS = (
    "The argument needs a Lipschitz gradient and rank one of each record's Hessian, which hold for every kernel."
)


def scale(claim: Claim) -> Number:
    """sigma/L from the printed variance."""
    return lambda m, epsilon, delta: m.sqrt(claim.formulas["variance"](m, epsilon=epsilon, delta=delta, L=1))


def curvature(claim: Claim) -> Number:
    """beta/(2 n lambda) at the least lambda."""

    def share(m: Numbers, epsilon: Real, delta: Real) -> Real:
        one = m.real(1)
        return one / (2 * claim.formulas["regularisation_least"](m, beta=one, n=one, epsilon=epsilon))

    return share


def calibrated(claim: Claim) -> Iterator[Finding]:
    """The printed adjacency, then the other two as readings beside."""
    printed = claim.adjacency is Adjacency.REPLACE_ONE
    base = Calibration(
        claim,
        scale(claim),
        curvature(claim),
        replaced=printed,
        scope="every epsilon, delta, d, n, kernel, level",
        survives="With one record more or less and n fixed the printed noise and ridge suffice."
        if printed
        else "More noise or a larger ridge makes it true.",
        given=(regularised_enough,),
    )
    yield from judged(base)
    if claim.amends is not None:
        return
    for step in conditions(find("quantile/thm-3.5-conditions")):  # Appendix A.4 is the proof: the cited theorem's conditions
        if step.verdict in FALSE:
            yield replace(step, scope=f"Appendix A.4: {step.scope}", asserts=())
    beside = replace(base, replaced=not printed, scope="delta < 1, one record more or less, n fixed", reading=Reading.MEANT)
    yield from judged(beside)
    yield changing_normaliser(base)


def conditions(claim: Claim) -> Iterator[Finding]:
    """One finding for each condition of the cited theorem."""
    for relation in claim.asserts:
        yield replace(_condition(claim, relation), asserts=(relation,))


def _condition(claim: Claim, relation: Relation) -> Finding:
    text = str(relation)
    match relation.left, relation.sign, relation.right:
        case "largest jump in theta of the Hessian of ell_h", "=", "0":
            return _jump(text)
        case "rank of the Hessian of Lhat_h", "<=", "1":
            return _average_rank(text)
        case "rank of the Hessian of ell_h", "<=", "1":
            return _exact(text, "an outer product x x' times a number", RANK_ONE)
        case "L", "=", "lipschitz":
            return _constant(claim, text, "lipschitz", ("=",))
        case "beta", "=", "smoothness":
            return _constant(claim, text, "smoothness", ("=",))
        case "largest norm of the gradient of ell_h", "<=", "L":
            return _constant(claim, text, "lipschitz", ("=", ">"))
        case "largest eigenvalue of the Hessian of ell_h", "<=", "beta":
            return _constant(claim, text, "smoothness", ("=", ">"))
        case "sigma^2", ">=", "variance":
            return _chosen(claim, text, "sigma")
        case "lambda", ">=", "regularisation_least":
            return _chosen(claim, text, "lambda_")
    return Finding(scope=text, verdict=Verdict.OPEN, reason="no procedure for this condition")


def _exact(scope: str, method: str, *lemmas: Lemma) -> Finding:
    return certified(scope, method, *lemmas)


def _jump(scope: str) -> Finding:
    """The uniform kernel at |u| = h, the Hessian on both sides."""
    m = arb()
    inside, outside = density(m, "uniform", m.real("0.999")), density(m, "uniform", m.real("1.001"))
    return refuted(
        scope,
        "0",
        inside - outside,
        {"kernel": "uniform", "h": "1", "x": "1", "y": "0", "theta": "-1"},
        method="the Hessian K_h(y - theta x) x^2 on the two sides of y - theta x = h, constant on each",
        severity=PROOF_STEP,
        survives=SURVIVES_CONDITIONS,
        rung=Rung.EXACT,
    )


def _average_rank(scope: str) -> Finding:
    """Two records with orthogonal features, each on the kernel's support."""
    features = (sympy.Matrix([1, 0]), sympy.Matrix([0, 1]))
    at_zero = sympy.Rational(1, 2)  # the uniform kernel there
    average = sum((at_zero * x * x.T for x in features), start=sympy.zeros(2)) / len(features)
    rank = str(average.rank())
    return refuted(
        scope,
        "1",
        rank,
        {"kernel": "uniform", "h": "1", "n": "2", "D": "x = (1, 0), (0, 1), y = 0, 0", "theta": "(0, 0)"},
        method="rank of the averaged Hessian of two records, rational",
        severity=PROOF_STEP,
        survives=SURVIVES_CONDITIONS,
        rung=Rung.EXACT,
    )


def _constant(claim: Claim, scope: str, name: str, allowed: tuple[str, ...]) -> Finding:
    """The printed constant over the best one, which is a supremum that data approach."""
    r, width, feature, supremum = sympy.symbols("r h B_x K_bar", positive=True)
    best = sympy.Max(r, 1 - r) * feature if name == "lipschitz" else supremum * feature**2 / width
    share = sympy.simplify(expression(claim.formulas[name]) / best)
    how = f"the printed {name} over the best constant"
    if share == 1 or (share.is_number and share > 1 and ">" in allowed):
        needs = (features_in_ball,) if ">" in allowed else ()
        return proved(scope, True, how, lemmas=(RANK_ONE,), given=needs)
    at = {"r": "0.9", "B_x": "2", "K_bar": "0.5", "h": "0.25"}
    value = share.subs({s: sympy.Rational(at[s.name]) for s in share.free_symbols})
    if value != 1 and not (value > 1 and ">" in allowed):
        kept = "L = max(r, 1-r) B_x and beta = K_bar B_x^2/h are the best constants."
        return refuted(scope, "1", value, at, how, Severity.CONSTANT, kept, Rung.EXACT, lemmas=(RANK_ONE,))
    return Finding(scope=scope, verdict=Verdict.OPEN, reason=f"printed over best constant is {share}")


def _chosen(claim: Claim, scope: str, name: str) -> Finding:
    """A condition on what the algorithm chooses: there must be a precondition that asks exactly for it."""
    asks = [predicate for predicate in claim.preconditions if name in predicate.names]
    if not asks:
        return Finding(scope=scope, verdict=Verdict.OPEN, reason=f"nothing among the preconditions bounds {name}")
    m = arb()
    formula = claim.formulas["variance" if name == "sigma" else "regularisation_least"]
    at = {"epsilon": "0.5", "delta": "0.001", "L": "0.7", "beta": "3", "n": "5"}
    given = {key: m.real(at[key]) for key in at}
    needed = apply(formula, m, given)
    value = m.sqrt(needed) if name == "sigma" else needed
    less = [p for p in asks if p(m, {**given, name: value * m.frac(99, 100)}) is not False]
    if less:
        return refuted(
            scope,
            value,
            value * m.frac(99, 100),
            at,
            method="the preconditions admit a value 1 % below",
            severity=Severity.CONSTANT,
            survives="It holds with the printed choice.",
        )
    return certified(scope, BY_CHOICE)


JUDGES = {
    "quantile/thm-3.5": calibrated,
    "quantile/thm-3.5-amended": calibrated,
    "quantile/thm-3.5-amended-added": calibrated,
    "quantile/thm-3.5-conditions": conditions,
    "quantile/thm-3.5-conditions-amended": conditions,
}

MUTANTS = {
    "quantile/thm-3.5-amended": mutants.of_replaced,
    "quantile/thm-3.5-amended-added": mutants.of_added,
    "quantile/thm-3.5-conditions-amended": mutants.of_conditions,
}
