"""Judges of the privacy of approximate objective perturbation, and of the exact minimiser that it starts from."""

from collections.abc import Callable, Iterator
from dataclasses import replace

from dpsco.arguments.algorithms.objective_perturbation.privacy import inexact_minimiser as inexact
from dpsco.arguments.algorithms.objective_perturbation.privacy.determinant_ranks import by_rank
from dpsco.arguments.algorithms.objective_perturbation.privacy.noise import Calibration, Number, by_far_pair, judged, lemmas
from dpsco.arguments.assertions import reading
from dpsco.arguments.missing_range import readings
from dpsco.mutants.algorithms.objective_perturbation import approximate as mutants
from dpsco.reference.numbers.enclosure import arb, ends
from dpsco.reference.numbers.symbolic import expression, symbol, symbolic, symbols_of
from dpsco.spec.algorithms.objective_perturbation import approximate as spec
from dpsco.spec.claim import Claim, Relation
from dpsco.spec.conditions import gradients_are_bounded, hessians_are_bounded
from dpsco.spec.numbers import Numbers, Real
from dpsco.verdict import Finding, Lemma, Reading, Rung, Severity, Verdict

ANY_SET = Lemma(
    "a closed convex set",
    "Outside {<x, theta>: theta in C} let c go on with its last slope: still convex, L-Lipschitz and beta-smooth, and "
    "unchanged on C. Add k dist(theta, C)^2 to the objective and take C = R^d: a common term, convex with a Lipschitz "
    "gradient, so the density, the determinants and the corners are as before for every k. As k grows the minimiser tends to "
    "the one over C for every noise, and the inequality E f <= e^epsilon E' f + delta for continuous f with values in [0, 1], "
    "hence for events, passes to the limit.",
)
ONE_RANK = Lemma(
    "linear predictors",
    "A loss c(<x, theta>; y) has the gradient c' x and, where it exists, the Hessian c'' x x' of rank at most one, so r >= 1 "
    "and beta/(2 n lambda) <= epsilon/(2 r) <= epsilon/2. In one dimension every loss is of this form.",
)
BOUNDED_SET = Lemma(
    "clipped outputs",
    "On an interval C the minimiser is the unconstrained one clipped to C; an event {theta > t}, t inside C, has the same "
    "probability. The pair's losses are +-L theta on C.",
)
MOST_EPSILON, MOST_DELTA = "1", "0.05"


def scale(claim: Claim) -> Number:
    """sigma_1/L from the printed variance."""
    return lambda m, epsilon, delta: m.sqrt(claim.formulas["sigma_1_squared"](m, L=1, epsilon=epsilon, delta=delta))


def curvature(claim: Claim) -> Number:
    """beta/(2 n lambda) at the largest beta, r = 1."""

    def share(m: Numbers, epsilon: Real, delta: Real) -> Real:
        one = m.real(1)
        return claim.formulas["largest_beta"](m, r=one, lambda_=one, epsilon=epsilon, n=one) / 2

    return share


def exact_minimiser(claim: Claim) -> Iterator[Finding]:
    """Every epsilon and delta; what survives for linear predictors; the ridge of the algorithm's own text; other losses."""
    base = Calibration(
        claim,
        scale(claim),
        curvature(claim),
        replaced=True,
        scope="losses of a linear predictor, every epsilon, delta, d, n, C",
        release="the exact minimiser theta_1",
        survives=f"For losses of a linear predictor it holds for epsilon <= {MOST_EPSILON} and delta <= {MOST_DELTA}.",
        severity=Severity.DOMAIN,
        given=(gradients_are_bounded, hessians_are_bounded, spec.smooth_enough),
    )
    for finding in judged(base):
        yield replace(
            finding, lemmas=(*finding.lemmas, ONE_RANK, ANY_SET if finding.verdict is Verdict.CERTIFIED else BOUNDED_SET)
        )
    if claim.amends is not None:
        return
    yield near_one(base)
    yield _usual(base)
    yield Finding(
        scope="losses that are no function of one linear predictor, d >= 2, epsilon <= 1",
        verdict=Verdict.OPEN,
        adjacency=claim.adjacency,
        release=base.release,
        asserts=claim.asserts,
        reason="the gradient may turn with the noise in more than one direction, where neither the corner bound nor the cited "
        "proof's independence of noise and gradient holds; no pair is known that refutes it",
    )
    half = replace(
        base,
        curvature=lambda m, epsilon, delta: 2 * base.curvature(m, epsilon, delta),
        scope="the ridge of Algorithm 5's own text, lambda = r beta/(2 epsilon n)",
        reading=Reading.ANOTHER,
        severity=Severity.CONSTANT,
        survives="With the lemma's ridge, twice as large, it holds for linear predictors and small epsilon.",
    )
    yield from (f for f in judged(half) if f.at.get("kernel") or f.verdict is not Verdict.REFUTED)


def near_one(base: Calibration) -> Finding:
    """delta near 1 at a moderate epsilon: the printed noise vanishes as delta tends to 1."""
    narrow = replace(base, scope="losses of a linear predictor, delta near 1")
    found = by_far_pair(replace(narrow, only=({"epsilon": "1", "delta": "0.999"},)))
    if found is not None:
        return found
    return narrow.finding(Verdict.OPEN, None, reason="no violation at epsilon = 1, delta = 0.999")


def _usual(base: Calibration) -> Finding:
    """epsilon <= 1 and delta <= 0.05 for linear predictors: the tail's own factor pays for the four corners."""
    m = arb()
    epsilon, delta = m.real(MOST_EPSILON), m.real(MOST_DELTA)
    q = base.scale(m, epsilon, delta) ** 2 / 4
    left = epsilon - base.curvature(m, epsilon, delta)
    z = left * m.sqrt(q) - 1 / (2 * m.sqrt(q))
    spare = z * m.sqrt(2 * m.pi) / (4 * m.exp(epsilon / 4))
    holds = m.ge(spare, m.real(1)) is True and _is_inherited(base)
    narrow = replace(
        base, scope=f"losses of a linear predictor, epsilon <= {MOST_EPSILON}, delta <= {MOST_DELTA}", reading=Reading.MEANT
    )
    if not holds:
        return narrow.finding(Verdict.OPEN, None, reason="the corner bound does not decide it")
    root = Lemma(
        "small epsilon",
        "With sigma = L sqrt(32 ln(1/delta))/epsilon and e >= epsilon/2: z >= w - epsilon/(4 w), w = sqrt(2 ln(1/delta)), so "
        "z^2/2 >= ln(1/delta) - epsilon/4 and four corners cost at most 4 e^(epsilon/4) delta/(z sqrt(2 pi)). z grows with w "
        "and falls in epsilon: the corner of the range with the largest epsilon and delta decides.",
    )
    return narrow.finding(
        Verdict.CERTIFIED,
        Rung.REGION,
        method="z sqrt(2 pi) >= 4 e^(epsilon/4) enclosed at the worst corner of the range",
        claimed="1",
        computed=ends(spare),
        lemmas=(*lemmas(), root, ONE_RANK, ANY_SET),
    )


def _is_inherited(base: Calibration) -> bool:
    """Whether the noise and the ridge are the ones that the lemma on small epsilon speaks of."""
    m = arb()
    for epsilon, delta in (("0.5", "0.01"), ("0.01", "1e-10")):
        e, d = m.real(epsilon), m.real(delta)
        square, share = base.scale(m, e, d) ** 2, base.curvature(m, e, d)
        same = m.abs(square * e**2 - 32 * m.log(1 / d))
        if m.lt(same, m.real("1e-40")) is not True or m.le(share, e / 2) is False:
            return False
    return True


DISTANCE = Relation("|theta_2 - theta_1|_2", "<=", "distance_bound")
SENSITIVITY = Relation("l2-sensitivity of theta_2 - theta_1 given theta_1", "<=", "output_sensitivity")
PRIVATE = Relation("theta_hat", "is", "(epsilon, delta)-DP")
USUAL_CONSTANT = 8
"""A constant for the hidden one of sigma_2 = O(...) at which the printed noise is enough for a small epsilon."""
HALVES = "the other reading, theta_1 with half of the budget, fails too: see what theta_1 itself costs"
WIDE = "It holds with the distance sqrt(alpha/lambda), J being 2 lambda-strongly convex."
UNIT = Lemma("units", "n = lambda = alpha = 1: both answers' shifts over noise are free of n, lambda and alpha.")


def _radius(claim: Claim) -> Real:
    """The square of the largest distance: 2 alpha/mu, mu = 2 lambda."""
    return symbol(claim.parameter("alpha")) / symbol(claim.parameter("lambda_"))


def distance(claim: Claim) -> Iterator[Finding]:
    """The printed distance against the attained one."""
    yield inexact.square_at_least(claim, "distance_bound", _radius(claim), "distance of theta_2 from the minimiser", WIDE)


def sensitivity(claim: Claim) -> Iterator[Finding]:
    """The printed sensitivity against twice that distance."""
    scope = "sensitivity of theta_2 - theta_1 given theta_1"
    yield inexact.square_at_least(claim, "output_sensitivity", 4 * _radius(claim), scope, WIDE)


def inexact_minimiser(claim: Claim) -> Iterator[Finding]:
    """theta_hat as a whole, and every link of the chain that is to prove it, in the readings that the missing range leaves."""
    yield from readings(claim, _every_range(claim))


def _every_range(claim: Claim) -> Iterator[Finding]:
    ridge = inexact.largest_beta(claim)
    if ridge is None:
        yield Finding(scope="theta_hat", verdict=Verdict.OPEN, reason="no condition on beta and lambda is read")
        return
    bound, condition = ridge

    def share(m: Numbers, epsilon: Real, delta: Real) -> Real:
        one = m.real(1)
        return bound(m, {"beta": one, "r": one, "lambda_": one, "epsilon": epsilon, "n": one}) / 2

    base = Calibration(
        claim,
        scale(claim),
        share,
        replaced=True,
        scope="losses of a linear predictor, every epsilon, delta, alpha, d, n, C",
        release="the projected point theta_hat",
        survives=f"For losses of a linear predictor, epsilon <= {MOST_EPSILON}, delta <= {MOST_DELTA} and sigma_2 = "
        f"{USUAL_CONSTANT} sqrt(alpha ln(1/delta)/lambda)/epsilon it holds.",
        severity=Severity.DOMAIN,
        given=(gradients_are_bounded, hessians_are_bounded, condition),
    )
    printed = inexact.Inexact(base, _output(claim), _scaled(claim, bound))
    for finding in inexact.private(printed):
        yield replace(finding, lemmas=(*finding.lemmas, UNIT, ONE_RANK, ANY_SET))
    yield by_rank(claim, bound)
    yield inexact.processed()
    if "composed_epsilon" in claim.formulas:
        whole, half = inexact.budgets(claim), inexact.half_budget(printed)
        both = {whole.verdict, half.verdict} == {Verdict.REFUTED}
        rest = f"{(whole.survives or '').rstrip('.')}; {base.survives[0].lower()}{base.survives[1:]}"
        yield from (replace(whole, reason=HALVES, survives=rest) if both else whole, half)
    if claim.amends is None:
        yield from _links(printed)


def _output(claim: Claim) -> Number | None:
    """(sigma_2/s)^2 with s = 2 sqrt(alpha/lambda), None where only a rate is printed."""
    if "sigma_2_squared" not in claim.formulas:
        return None

    def share(m: Numbers, epsilon: Real, delta: Real) -> Real:
        one = m.real(1)
        return claim.formulas["sigma_2_squared"](m, alpha=one, lambda_=one, epsilon=epsilon, delta=delta) / 4

    return share


def _scaled(claim: Claim, bound: Callable[..., Real]) -> bool:
    """Whether sigma_1/L, n lambda/(r beta) and sigma_2^2 lambda/alpha are functions of epsilon and delta only."""
    s = symbols_of(claim.parameters)
    shares = [
        expression(claim.formulas["sigma_1_squared"], claim.parameters) / s["L"] ** 2,
        bound(symbolic(), s) * s["r"] / (s["n"] * s["lambda_"]),
    ]
    if "sigma_2_squared" in claim.formulas:
        shares.append(expression(claim.formulas["sigma_2_squared"], claim.parameters) / _radius(claim))
    return inexact.only_of_budget(claim, *shares)


def _links(printed: inexact.Inexact) -> Iterator[Finding]:
    """What is beside the printed statement: delta near 1, the scale of H, the other variance, what survives."""
    base, claim = printed.exact, printed.exact.claim
    narrow = replace(base, scope="losses of a linear predictor, delta near 1", only=({"epsilon": "2", "delta": "0.999"},))
    near = by_far_pair(narrow)
    yield near if near is not None else narrow.finding(Verdict.OPEN, None, reason="no violation at epsilon = 2, delta = 0.999")
    usual_range = f"delta <= {MOST_DELTA}, epsilon <= {MOST_EPSILON}"
    survives = f"For losses of a linear predictor, {usual_range} the constant {USUAL_CONSTANT} is enough for theta_hat."
    yield inexact.output_rate(claim, survives)

    def constant(m: Numbers, epsilon: Real, delta: Real) -> Real:
        one = m.real(1)
        rate = claim.formulas["sigma_2_rate"](m, alpha=one, lambda_=one, epsilon=epsilon, delta=delta)
        return (USUAL_CONSTANT * rate) ** 2 / 4

    small = f"linear predictors, epsilon <= {MOST_EPSILON}, delta <= {MOST_DELTA}, sigma_2 with the constant {USUAL_CONSTANT}"
    usual = inexact.Inexact(base, constant)
    yield inexact.small_budgets(usual, MOST_EPSILON, MOST_DELTA, small, ONE_RANK, ANY_SET)
    display = replace(
        base,
        scale=lambda m, epsilon, delta: m.sqrt(
            claim.formulas["sigma_1_squared_display_5"](m, L=1, epsilon=epsilon, delta=delta)
        ),
        scope="the variance 32 of the displays around (5)",
        reading=Reading.ANOTHER,
    )
    other = by_far_pair(display)
    if other is not None:
        yield other
    yield inexact.small_budgets(replace(usual, exact=display), MOST_EPSILON, MOST_DELTA, f"{display.scope}, {small}")
    yield Finding(
        scope="losses that are no function of one linear predictor, d >= 2, epsilon <= 1",
        verdict=Verdict.OPEN,
        adjacency=claim.adjacency,
        release=base.release,
        reason="as for the exact minimiser (Lemma 5): neither a proof nor a pair that refutes it is known",
    )


READ = {DISTANCE: distance, SENSITIVITY: sensitivity, PRIVATE: inexact_minimiser}

JUDGES = {
    **dict.fromkeys(("lp/lem-5", "lp/lem-5-amended"), exact_minimiser),
    **dict.fromkeys(("lp/thm-1", "lp/thm-1-amended"), reading(READ)),
}

MUTANTS = {"lp/lem-5-amended": mutants.of_amended, "lp/thm-1-amended": mutants.of_inexact}
