"""Is an inexact minimiser with output noise (epsilon, delta)-DP? One decision for every such claim.

A claim promises sigma_1/L and beta/(n mu), mu the modulus of strong convexity of J, and (sigma_2/s)^2, s the least
l2-sensitivity that an optimiser of accuracy alpha can be held to. Certified by halving the budget between the exact minimiser
and the output noise; refuted by two Gaussians (far records, an optimiser that errs on purpose) or by a kink in the tail.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial

import sympy

from dpsco.arguments.algorithms.objective_perturbation.privacy.noise import (
    Calibration,
    Number,
    by_corners,
    by_far_pair,
    by_kink,
    changing_normaliser,
    lemmas,
)
from dpsco.arguments.algorithms.objective_perturbation.privacy.pairs import Setting, search
from dpsco.arguments.algorithms.objective_perturbation.privacy.steps import failing, never_negative, opened
from dpsco.arguments.comparing import certified, refuted
from dpsco.arguments.formula import threshold
from dpsco.arguments.privacy.noise_scale import TAIL
from dpsco.reference.algorithms.objective_perturbation.privacy import divergence
from dpsco.reference.numbers.enclosure import arb, ends
from dpsco.reference.numbers.symbolic import expression, symbol, symbolic
from dpsco.reference.privacy.gaussian import solve_mu
from dpsco.spec.claim import Adjacency, Claim
from dpsco.spec.numbers import Numbers, Real, Truth
from dpsco.verdict import PROOF_STEP, Finding, Lemma, Reading, Rung, Severity, Verdict

NEAR = Lemma(
    "near the minimiser",
    "J is mu-strongly convex on C and theta_1 its minimiser there, so J(theta_2) - J(theta_1) >= mu |theta_2 - theta_1|^2 / 2: "
    "the distance is at most sqrt(2 alpha/mu), and two such differences are at most 2 sqrt(2 alpha/mu) apart. Both are "
    "attained in one dimension where J is a parabola: the optimiser returns theta_1 + t for D and theta_1 - t for D', "
    "mu t^2 / 2 = alpha.",
)
ADAPTIVE = Lemma(
    "two answers",
    "Given theta_1 (and, at the boundary of C, whatever else of G and of its own coins the optimiser saw) theta_2 - theta_1 "
    "lies in one ball of radius sqrt(2 alpha/mu), for D and for D'. The hockey-stick divergence is jointly convex, so mixtures "
    "of N(e, sigma_2^2 I) over such e are as close as the farthest two of them: theta_2 - theta_1 + H given theta_1 is a "
    "Gaussian mechanism of sensitivity 2 sqrt(2 alpha/mu). Adaptive composition adds epsilons and deltas: each has half.",
)
PROJECTED = Lemma(
    "a function of the pair", "theta_hat is the projection of theta_1 + (theta_2 - theta_1 + H) onto C, a function of the pair."
)
ON_PURPOSE = Lemma(
    "an optimiser that errs on purpose",
    "d = 1, C a long interval, records with the losses +L theta and -L theta (another possible record has curvature, so that "
    "r = 1), every other record without slope; where losses must be strongly convex, all have the same parabola, as flat as "
    "one likes. The optimiser returns theta_1 + t for D, theta_1 - t for D'. Up to what clipping at the ends of C changes, "
    "theta_hat is Gaussian, its means 2 L/(n mu) + 2 t apart, its variance (sigma_1/(n mu))^2 + sigma_2^2. With sigma_2 "
    "proportional to t the accuracy alpha can be chosen so that the two parts have one quotient of shift and variance; then "
    "the shift over the noise is sqrt(mu_1^2 + mu_2^2), mu_1 = 2 L/sigma_1, mu_2 = 2 t/sigma_2.",
)
VANISHING = Lemma(
    "no optimisation error",
    "sigma_2 is proportional to sqrt(alpha). alpha = 0 is allowed and gives theta_hat = theta_1; as alpha tends to 0 theta_hat "
    "tends to theta_1 in law, and what certainly fails for theta_1 fails for small alpha > 0 too.",
)
FAR_OUT = Lemma(
    "accuracy beyond the noise",
    "As alpha grows theta_1's own noise is nothing beside sqrt(alpha/lambda), and theta_hat tells D from D' like N(0, "
    "sigma_2^2) against its shift by 2 sqrt(alpha/lambda). With sigma_2 = c times the rate the shift over the noise, mu, "
    "grows without bound as delta tends to 1, like 1/sqrt(1 - delta), and 1 - profile(epsilon, mu) falls like e^(-mu^2/8): "
    "so theta_hat is not (epsilon, delta)-DP either, whatever c is.",
)
ATTAINED = Lemma(
    "sums are attained",
    "Randomised response with epsilon and one with epsilon/2, both true with positive probability, lose 3 epsilon/2 together: "
    "a general (epsilon, delta)-DP answer and an (epsilon/2, delta/2)-DP one need not be (epsilon, delta)-DP as a pair.",
)
COST = "composition: the sum of what theta_1 and theta_2 - theta_1 + H cost"

NEAR_ONE = "0." + "9" * 24


@dataclass(frozen=True)
class Inexact:
    """`exact`: the promise, with beta/(n mu) as its curvature; `output`: (sigma_2/s)^2, None where its constant is hidden."""

    exact: Calibration
    output: Number | None
    scaled: bool = True
    """Whether all three numbers are the same for every n, L, lambda, alpha: they are read at one value of these."""

    def far(self) -> Calibration:
        """The calibration whose two far records are as far apart as those of `ON_PURPOSE`."""
        if self.output is None:
            return self.exact
        output = self.output

        def scale(m: Numbers, epsilon: Real, delta: Real) -> Real:
            both = 4 / self.exact.scale(m, epsilon, delta) ** 2 + 1 / output(m, epsilon, delta)
            return 2 / m.sqrt(both)

        return replace(self.exact, scale=scale)

    def halved(self) -> Calibration:
        """The exact minimiser at half of the budget: the claim's numbers at (2 epsilon', 2 delta')."""
        scale, curvature = self.exact.scale, self.exact.curvature
        return replace(
            self.exact,
            scale=lambda m, epsilon, delta: scale(m, 2 * epsilon, 2 * delta),
            curvature=lambda m, epsilon, delta: curvature(m, 2 * epsilon, 2 * delta),
        )


def private(c: Inexact) -> Iterator[Finding]:
    """Certified by halves, else refuted by each kind of pair that does it, else open."""
    claim = c.exact.claim
    if claim.adjacency is Adjacency.ADD_REMOVE:
        yield replace(changing_normaliser(c.exact), reading=Reading.PRINTED, lemmas=(VANISHING,))
        return
    proved = by_halves(c)
    if proved is not None:
        coverage = (f"epsilon in {claim.parameter('epsilon').domain}, delta in (0, 1), every alpha, d, n, data set",)
        used = (*lemmas(), NEAR, ADAPTIVE, PROJECTED)
        yield c.exact.finding(Verdict.CERTIFIED, Rung.EXACT, method=proved, lemmas=used, coverage=coverage)
        return
    far = by_far_pair(c.far())
    kinked = by_kink(c.exact) if far is None or claim.amends is None else None  # the longer search, where it is needed
    yield from (_with(f, lemma) for f, lemma in ((far, ON_PURPOSE), (kinked, VANISHING)) if f is not None)
    if far is None and kinked is None:
        yield c.exact.finding(Verdict.OPEN, None, reason="no pair of the search contradicts it, and the halves do not prove it")


def _with(finding: Finding, *more: Lemma) -> Finding:
    return replace(finding, lemmas=(*finding.lemmas, *more))


def by_halves(c: Inexact) -> str | None:
    """Algebra: theta_1 and the output noise each stay within (epsilon/2, delta/2), for every epsilon > 0 and delta < 1."""
    if c.output is None or not c.scaled or not (corners := by_corners(c.halved())):
        return None
    epsilon, s = sympy.symbols("epsilon s", positive=True)
    q = sympy.expand_log(sympy.simplify(c.output(symbolic(), epsilon, sympy.exp(-s))), force=True)
    half = epsilon / 2
    # z^2/2 = (half^2 q - half + 1/(4 q))/2 against ln(1/(2 delta/2)) = s
    spare, positive = sympy.expand((half**2 * q - half) / 2 - s), sympy.expand(epsilon * (half * q - sympy.Rational(1, 2)))
    if not (never_negative(spare) and never_negative(positive)):
        return None
    return f"theta_1 at half the budget: {corners}; output noise: z^2/2 - s >= {spare} >= 0 with s = ln(1/delta), and z >= 0"


def half_budget(c: Inexact) -> Finding:
    """theta_1 against (epsilon/2, delta/2), what its share of the sum would have to be: the kink in the tail, enclosed."""
    m = arb()
    scope = "link: theta_1 with this noise and ridge is (epsilon/2, delta/2)-DP, as the sum of the budgets would need"
    e, d = m.real("1"), m.real("2e-10")
    setting = Setting("0.5", "1e-10", c.exact.scale(m, e, d), c.exact.curvature(m, e, d), True)
    found = search(setting)
    if found is None or m.gt(found.enclosed(), m.real(setting.delta)) is not True:
        return replace(opened(scope, "no kink found that contradicts it"), reading=Reading.ANOTHER)
    shown = failing(
        scope,
        divergence(found.pair(), setting.epsilon),
        m.real(setting.delta),
        {"epsilon": "1", "delta": "2e-10", "r": "1", "n": "1", "kink at": str(found.candidate.y)},
        PROOF_STEP,
        "Half of epsilon is within reach of this noise at twice the ridge, and with ln(4/delta) for ln(1/delta).",
    )
    return replace(shown, reading=Reading.ANOTHER, adjacency=c.exact.adjacency, release="theta_1")


def output_rate(claim: Claim, survives: str) -> Finding:
    """sigma_2 = O(rate) for (epsilon/2, delta/2): along delta -> 1 no constant is enough, not even for theta_hat itself."""
    m = arb(512)
    scope = "link: H with sigma_2 = c sqrt(alpha ln(1/delta)/lambda)/epsilon, for some constant c, is (epsilon/2, delta/2)-DP"
    delta = sympy.Symbol("delta", positive=True)
    s = {"alpha": sympy.Integer(1), "lambda_": sympy.Integer(1), "epsilon": sympy.Integer(1)}
    vanishes = sympy.limit(claim.formulas["sigma_2_rate"](symbolic(), delta=delta, **s), delta, 1, "-") == 0
    one, near = m.real(1), m.real(NEAR_ONE)
    rate = claim.formulas["sigma_2_rate"](m, alpha=one, lambda_=one, epsilon=one, delta=near)
    needed = 2 / solve_mu("0.5", "0.5")
    if not (vanishes and m.gt(needed, 1000 * rate) is True):
        return opened(scope, "the rate does not vanish along delta -> 1")
    return refuted(
        scope,
        "a constant c",
        needed / rate,
        {"epsilon": "1", "delta": NEAR_ONE},
        "epsilon = 1, delta -> 1: the rate tends to 0 (exact limit), while even for delta = 1 the second answer needs "
        "2 sqrt(alpha/lambda)/mu with profile(1/2, mu) = 1/2 > 0; computed: needed over rate at delta = 1 - 1e-24",
        Severity.DOMAIN,
        survives,
        Rung.EXACT,
        lemmas=(NEAR, FAR_OUT),
    )


def square_at_least(claim: Claim, name: str, true_square: Real, scope: str, survives: str) -> Finding:
    """Is the printed length at least the true one? Both are multiples of one root, so the quotient of squares is a number."""
    printed = expression(claim.formulas[name], claim.parameters)
    share = sympy.simplify(printed**2 / true_square)
    if not (share.is_number and printed.is_nonnegative):
        return opened(scope, "the quotient of the printed and the true length is no number")
    if share >= 1:
        return certified(scope, f"computer algebra: (printed/least true)^2 = {share} >= 1", NEAR)
    return failing(scope, sympy.Integer(1), share, {"unit": "square of the true length"}, Severity.CONSTANT, survives, NEAR)


def budgets(claim: Claim) -> Finding:
    """Do the budgets that the proof adds up stay within (epsilon, delta)?"""
    parts = {name: sympy.Symbol(name, positive=True) for name in ("epsilon", "delta")}
    shares = [
        sympy.simplify(claim.formulas[f"composed_{name}"](symbolic(), **{name: value}) / value) for name, value in parts.items()
    ]
    if not all(share.is_number for share in shares):
        return opened(COST, "the sum is no multiple of epsilon and delta")
    worst = max(shares)
    if worst <= 1:
        return certified(COST, f"exact: {shares[0]} epsilon and {shares[1]} delta", ADAPTIVE)
    survives = "The sum is (epsilon, delta) if theta_1 takes (epsilon/2, delta/2)."
    return failing(COST, worst, sympy.Integer(1), {"sum": f"{shares[0]} epsilon"}, PROOF_STEP, survives, ATTAINED)


def only_of_budget(claim: Claim, *expressions: Real) -> bool:
    """Whether the expressions speak of epsilon and delta only."""
    budget = {symbol(claim.parameter(name)) for name in ("epsilon", "delta")}
    return all(sympy.simplify(e).free_symbols <= budget for e in expressions)


def processed() -> Finding:
    """The last link: theta_hat from the pair."""
    return certified("link: theta_hat is a function of (theta_1, theta_2 - theta_1 + H)", "post-processing", PROJECTED)


def largest_beta(claim: Claim) -> tuple[Callable[..., Real], Callable[..., Truth]] | None:
    """The right side of the precondition beta <= f, as a function of a context and values, and the test that it stands in."""
    for predicate in claim.preconditions:
        if {"beta", "lambda_"} <= {*predicate.names}:
            return partial(threshold, "le", predicate.test), predicate.test
    return None


def small_budgets(c: Inexact, most_epsilon: str, most_delta: str, scope: str, *more: Lemma) -> Finding:
    """epsilon and delta at most these: four corners with both answers as one Gaussian each.

    Needs 4/scale^2 + 1/output = k epsilon^2/s and curvature = c epsilon with numbers k, c, s = ln(1/delta).
    """
    narrow = replace(c.exact, scope=scope, reading=Reading.MEANT)
    epsilon, s = sympy.symbols("epsilon s", positive=True)
    delta = sympy.exp(-s)
    far, m = c.far(), arb()
    k = sympy.simplify(sympy.expand_log(4 / far.scale(symbolic(), epsilon, delta) ** 2, force=True) * s / epsilon**2)
    share = sympy.simplify(far.curvature(symbolic(), epsilon, delta) / epsilon)
    if not (k.is_number and share.is_number and 0 < share < 1 and (1 - share) ** 2 >= 2 * k):
        return narrow.finding(Verdict.OPEN, None, reason="the corner bound does not decide it")
    root, top, least = m.sqrt(m.real(str(k))), m.real(most_epsilon), m.log(1 / m.real(most_delta))
    left = m.real(str(1 - share))
    z = left * m.sqrt(least) / root - top * root / (2 * m.sqrt(least))
    spare = z * m.sqrt(2 * m.pi) / (4 * m.exp(left * top / 2))
    if m.ge(spare, m.real(1)) is not True:
        return narrow.finding(Verdict.OPEN, None, reason="the corner bound does not decide it")
    small = Lemma(
        "small epsilon, both answers",
        "Given theta_1 the loss of the second answer is dominated by that of N(0, 1) against its shift by mu_2; with the four "
        "corners of the first, delta <= 4 P(e, mu), mu^2 = mu_1^2 + mu_2^2 = k epsilon^2/s, e >= (1 - c) epsilon, s = "
        "ln(1/delta). z = e/mu - mu/2 gives z^2/2 >= (1 - c)^2 s/(2 k) - (1 - c) epsilon/2 and (1 - c)^2 >= 2 k, so the four "
        "cost at most 4 e^((1 - c) epsilon/2) delta/(z sqrt(2 pi)). z grows with s and falls in epsilon: the corner decides.",
    )
    return narrow.finding(
        Verdict.CERTIFIED,
        Rung.REGION,
        method=f"k = {k}, c = {share}: z sqrt(2 pi) >= 4 e^((1 - c) epsilon/2) enclosed at the worst corner of the range",
        claimed="1",
        computed=ends(spare),
        lemmas=(*lemmas(), small, NEAR, ADAPTIVE, PROJECTED, TAIL, *more),
    )
