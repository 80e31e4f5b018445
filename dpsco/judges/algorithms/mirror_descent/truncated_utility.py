"""Judge of truncated batched mirror descent: noise on the mean of truncated gradients of disjoint batches, its privacy, and
what becomes of the risk's bound when gamma, T and lambda are chosen."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any

import sympy

from dpsco.arguments.algorithms.mirror_descent import batched_risk as risk
from dpsco.arguments.algorithms.mirror_descent.batched_risk import Formula, Path, contradiction
from dpsco.arguments.analysis.regular_spaces import regular
from dpsco.arguments.assertions import Table, by_assertion, known_release
from dpsco.arguments.comparing import admitted, certified
from dpsco.arguments.formula import apply
from dpsco.arguments.privacy.regular_noise import EUCLID, Noise, explicit, hidden_constant, once
from dpsco.mutants.algorithms.mirror_descent import truncated_utility as mutants
from dpsco.reference.numbers.symbolic import expression, symbolic
from dpsco.spec.algorithms.mirror_descent.truncated import batch_size, batches_are_filled, batches_are_whole, threshold
from dpsco.spec.algorithms.mirror_descent.truncated_utility import batch_sensitivity
from dpsco.spec.claim import Adjacency, Claim, Relation
from dpsco.spec.numbers import Numbers, Real
from dpsco.spec.register import find
from dpsco.verdict import PROOF_STEP, Finding, Lemma, Reading, Rung, Severity, Verdict

RELEASE = "w_hat (batches are disjoint, so the transcript is covered)"
SENSITIVITY = Relation("dual-norm sensitivity of the mean of g_x over a batch", "<=", "batch_sensitivity")
PRIVATE = Relation("w_hat", "is", "(epsilon, delta)-DP")
EXCESS = "E[population loss of w_hat] - population loss of theta*"
WITH_POWERS = "lp/thm-14-amended-risk: with other powers of M, with sigma^2 and ln(1/delta'), and under its conditions."
NOT_AT_HAND = (
    "Assumption 4 is not at hand: with the moment bound alone it fails (beside), and what else it asks is not known; "
    "lp/thm-14-amended-risk is proved"
)
AT_CHOICES = "t -> infinity, lambda and T as chosen"
PLACE = {
    "M": "3", "beta": "0.5", "lambda_": "7", "n": "5", "T": "1", "kappa": "1.25", "d": "4", "sigma": "2",
    "largest_moment": "2", "c_lambda": "10", "delta_prime": "0.1", "tau": "3", "gamma_bar": "1", "divergence": "1",
}  # fmt: skip
"""One batch; 1/(p-1) = 1.25 at p = 1.8 is less than ln 4, so Algorithm 7's constant is right: l_{2.25} is the smooth norm."""
TRUNCATED = Lemma(
    "replacing a record of a batch",
    "Each kept gradient has |g_x|_* <= beta M + lambda, the others are 0, whatever the loss and the iterate. A replaced "
    "record lies in one batch (the division is public), whose mean moves by 2 (beta M + lambda)/|B_t| or less. The losses "
    "<x, w> with the gradients x = +-(beta M + lambda) u, |u|_* = 1, are convex, smooth, just kept, and attain it against "
    "0 in the other records.",
    (Adjacency.REPLACE_ONE,),
)
DISJOINT = Lemma(
    "one noisy mean for each record",
    "w_0, T, gamma_t, lambda and the batches do not depend on the records. Steps before the batch of the replaced record "
    "have one law on both data sets; those after it are functions of w_t and of records that both share. So the transcript "
    "costs what one answer costs, and the truncation is inside the noised mean: no count or norm of it is released.",
)
SIGN = Lemma(
    "the sign of one coordinate is released",
    "T = 1, w_0 = 0, C the segment {t a : |t| <= M/2}, |a| = 1, <u, a> = 1, the other records' gradients 0: w_hat = t a, t "
    "= -<noisy mean, a>/(gamma kappa |a|_{kappa_+}^2) cut to |t| <= M/2. Its sign is that of <noisy mean, a>: the "
    "half-space through the middle of the two means +-(beta M + lambda) u/n, at tau = R/2, is an event of w_hat.",
)

WEIGHTS = Lemma(
    "large weights release the first mean",
    "C a segment {t a} about w_0 = 0: with gamma_1 so large that t is cut with as little probability as one likes, and "
    "gamma_t/gamma_1 as large as one likes for t > 1, w_hat is as near as one likes to a decreasing function of <noisy "
    "mean of the first batch, a>. For normal noise and a along the shift, half-lines of it attain the profile.",
)
RAGGED = Lemma(
    "a batch of few records",
    "T batches of n records: one of them has at most floor(n/T), whatever the division. Its mean moves by 2 (beta M + "
    "lambda)/floor(n/T) at least.",
)
UNEVEN = {"n": "3", "T": "2"}
"""Batches of one and of two records, where n/T = 3/2."""


def _shift(m: Numbers, values: Mapping[str, Real]) -> Real:
    """The attained sensitivity, from the algorithm and not from the claim."""
    return 2 * apply(threshold, m, values) / apply(batch_size, m, values)


def _ragged_shift(m: Numbers, values: Mapping[str, Real]) -> Real:
    """The same in the smallest batch."""
    return 2 * apply(threshold, m, values) / m.floor(apply(batch_size, m, values))


def sensitivity(claim: Claim, printed: Callable[..., Real] | None = None) -> Iterator[Finding]:
    """The sensitivity of a truncated mean against the attained one."""
    formula = claim.formulas["batch_sensitivity"] if printed is None else printed
    names = {name: sympy.Symbol(name, positive=True) for name in ("beta", "M", "lambda_", "n", "T")}
    quotient = sympy.simplify(expression(formula, None, **names) / _shift(symbolic(), names))
    scope = "the mean of the truncated gradients of a batch on neighbours"
    if not quotient.is_number:
        reason = "not a multiple of (beta M + lambda)/|B_t|"
        yield Finding(scope=scope, verdict=Verdict.OPEN, adjacency=claim.adjacency, reason=reason)
        return
    holds = bool(quotient >= 1)
    yield Finding(
        scope=scope,
        verdict=Verdict.CERTIFIED if holds else Verdict.REFUTED,
        rung=Rung.EXACT,
        method="computer algebra: the stated sensitivity over 2 (beta M + lambda)/|B_t|, which is attained",
        claimed=str(quotient),
        computed=("1", "1"),
        adjacency=claim.adjacency,
        lemmas=(TRUNCATED,),
        given=(batches_are_whole,) if printed is None else (batches_are_filled,),
        severity=None if holds else Severity.CONSTANT,
        survives=None if holds else "The sensitivity is 2 (beta M + lambda)/|B_t|.",
    )


def privacy(claim: Claim) -> Iterator[Finding]:
    """The noise of Algorithm 7, up to a constant as printed there, or written out."""
    written = "sigma_1_squared" in claim.formulas
    formula = claim.formulas["sigma_1_squared"] if written else find("lp/alg-7").formulas["sigma_1_squared_rate"]

    def variance(m: Numbers, values: Mapping[str, Real]) -> Real:
        return apply(formula, m, values)

    noise = Noise(
        variance,
        _shift,
        once,
        "every n, T dividing n, d, M, beta and lambda",
        "w_hat",
        (PRIVATE,),
        above=(TRUNCATED, DISJOINT),
        below=(TRUNCATED, SIGN),
        given=(batches_are_whole,) if written else (batches_are_filled,),
    )
    if written:
        survives = "It holds with kappa (2 (beta M + lambda)/|B_t|)^2 (2 ln(1/delta) + epsilon) / epsilon^2."
        axes: dict[str, tuple[str, ...]] = {
            "n": ("2", "1000"),
            "T": ("1", "2"),
            "M": ("0.3",),
            "beta": ("7",),
            "lambda_": ("0.3", "7"),
        }
        released = replace(noise, release="the transcript, and so w_hat", below=(TRUNCATED, EUCLID, WEIGHTS))
        yield from explicit(claim, released, axes, {"kappa": "1"}, survives)
        if admitted(claim, [UNEVEN]):
            scope, below = "T that does not divide n: a batch of floor(n/T) records", (*released.below, RAGGED)
            uneven = replace(released, shift=_ragged_shift, scope=scope, below=below)
            sizes: dict[str, tuple[str, ...]] = {name: (value,) for name, value in UNEVEN.items()}
            yield from explicit(claim, uneven, axes | sizes, {"kappa": "1"}, "It holds where T divides n.")
        return
    survives = "Privacy: with epsilon <= 2 ln(1/delta), so for delta <= e^(-1/2), some hidden constant does, for every loss."
    yield from hidden_constant(claim, noise, PLACE, 4, survives)


def _links(claim: Claim) -> Iterator[Finding]:
    """What the printed privacy rests on without an assertion of its own: the sensitivity and Algorithm 7's kappa."""
    for finding in sensitivity(claim, batch_sensitivity):
        yield replace(finding, scope=f"link: {finding.scope}")
    formula = find("lp/alg-7").formulas["kappa_of_p_and_d"]
    scope = "link: the dual space is kappa-regular with Algorithm 7's kappa"
    survives = "It is with min(1/(p-1), 2 e ln d) for d >= 2, which a hidden constant absorbs."
    yield from regular(claim, formula, scope, severity=PROOF_STEP, survives=survives, asserts=())


def _formula(claim: Claim, name: str) -> Formula:
    if name == "(28)":
        first, second = (claim.formulas[part] for part in ("optimisation_and_truncation", "batch_noise_term"))
        return lambda m, v: apply(first, m, v) + apply(second, m, v)
    return lambda m, v: apply(claim.formulas[name], m, v)


def excess(claim: Claim) -> Iterator[Finding]:
    """The risk of three instances against the rate: beside, as the theorem's conditions are not all at hand."""
    rate, refuted = _formula(claim, "rate"), "the risk against the rate"
    found = [
        contradiction(claim, f"{refuted}: {says}", path, reached, rate, severity, WITH_POWERS, (lemma,))
        for says, path, reached, severity, lemma in (
            ("sigma = t^2, T = t^2, n = t^4", risk.lossy, risk.lost, Severity.RATE, risk.LOST),
            ("sigma fixed, M = t, T = t, n = t^5, gamma >= 2 beta", risk.wide, risk.short, Severity.RATE, risk.SHORT),
            ("delta' = e^(-1/t) -> 1", risk.sure, risk.lost, Severity.DOMAIN, risk.LOST),
        )
    ]
    for finding in found:
        if finding is not None:
            scope = f"if Assumption 4 is the moment bound alone, {finding.scope}"
            yield replace(finding, scope=scope, reading=Reading.ANOTHER)
    bounded = "bounded along the paths tried; lp/thm-14-amended-risk is proved"
    yield Finding(scope=refuted, verdict=Verdict.OPEN, reason=NOT_AT_HAND if any(found) else bounded)


def _meant(claim: Claim, scope: str, left: str, right: str, **held: Any) -> Iterator[Finding]:
    away = risk.away(claim, _formula(claim, left), _formula(claim, right), **held)
    if away is None:
        yield certified(
            scope,
            "each monomial of the left is a mean of the right's, by exponents on the claim's conditions",
            given=tuple(predicate.test for predicate in claim.preconditions),
            reading=Reading.MEANT,
        )
    else:
        yield Finding(scope=scope, verdict=Verdict.OPEN, reason=f"not bounded: {away}", reading=Reading.MEANT)


def _step(
    claim: Claim, left: str, right: str, paths: Mapping[str, Path], severity: Severity | None, survives: str
) -> Iterator[Finding]:
    """One display against the next, at the chosen lambda and T."""
    before, after = _formula(claim, left), _formula(claim, right)
    scope = f"{left} against {right}"
    found = [contradiction(claim, f"{scope}: {says}", path, before, after, severity, survives) for says, path in paths.items()]
    yield from (finding for finding in found if finding is not None)
    if not any(found):
        yield Finding(scope=scope, verdict=Verdict.OPEN, reason="bounded along the paths tried")


def at_gamma(claim: Claim) -> Iterator[Finding]:
    paths, survives = {f"sigma = {AT_CHOICES}": risk.large_moment}, "For M and sigma fixed, and lambda, T as chosen."
    yield from _step(claim, "(28)", "after_gamma", paths, Severity.RATE, survives)
    narrow = {f"sigma fixed, delta' = e^(-t^8), M = 1/t, {AT_CHOICES}": risk.unlucky}
    for finding in _step(claim, "(28)", "after_gamma", narrow, Severity.RATE, survives):
        yield replace(finding, reading=Reading.ANOTHER)
    scope = "(28) against after_gamma at the chosen lambda and T, M and sigma fixed"
    held: dict[str, Any] = {"fixed": ("M", "sigma"), "bounded": lambda s: [s["M"] / s["lambda_"]]}
    yield from _meant(claim, scope, "(28)", "after_gamma", **held)


def at_steps(claim: Claim) -> Iterator[Finding]:
    paths = {f"M = {AT_CHOICES}": risk.wide, f"M = 1/t, {AT_CHOICES}": risk.narrow}
    survives = "For M fixed; kappa M^2/sqrt(T) is kappa M^(5/2) ..., and the noise is M^(-3/2) ... at the chosen T."
    yield from _step(claim, "after_gamma", "after_steps", paths, Severity.RATE, survives)


def at_lambda(claim: Claim) -> Iterator[Finding]:
    survives = "For delta' bounded away from 1."
    yield from _step(claim, "after_steps", "rate", {"delta' = e^(-1/t) -> 1": risk.sure}, Severity.DOMAIN, survives)
    scope = "after_steps against rate at the chosen lambda, delta' away from 1"
    yield from _meant(claim, scope, "after_steps", "rate", bounded=lambda s: [1 / s["fails"]])


READ: Table = {
    SENSITIVITY: sensitivity,
    PRIVATE: privacy,
    Relation(EXCESS, "<=O", "rate"): excess,
    Relation("(28) at gamma_choice", "<=O", "after_gamma"): at_gamma,
    Relation("after_gamma at steps_choice", "<=O", "after_steps"): at_steps,
    Relation("after_steps at lambda_choice", "<=O", "rate"): at_lambda,
}


def batched(claim: Claim) -> Iterator[Finding]:
    """Each assertion, and the links behind the printed privacy."""
    yield from known_release(claim, RELEASE)
    yield from by_assertion(claim, READ)
    if SENSITIVITY not in claim.asserts:
        yield from _links(claim)


JUDGES = {"lp/thm-14": batched, "lp/thm-14-amended": batched}

MUTANTS = {"lp/thm-14-amended": mutants.of_amended}
