"""Judges of objective perturbation's risk for the newsvendor: the sum, its minimum, the condition on epsilon, the end."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

from dpsco.arguments.algorithms.objective_perturbation.risk import objective_risk as known
from dpsco.arguments.algorithms.objective_perturbation.risk.objective_risk_instances import EVEN, even
from dpsco.arguments.algorithms.objective_perturbation.risk.projected_minimiser import against
from dpsco.arguments.algorithms.objective_perturbation.risk.root_parameters import (
    at_least_zero,
    lipschitz,
    once,
    square_at_least,
)
from dpsco.arguments.algorithms.objective_perturbation.risk.spread_errors import FAMILY, reached
from dpsco.arguments.assertions import Table, reading
from dpsco.arguments.missing_range import beside
from dpsco.arguments.polynomial_slack import Side, Value, bounded, expressed, named, nonnegative
from dpsco.instances.grid import grid
from dpsco.instances.objective_risk import SHOWN, at_threshold, ends, laws, sums
from dpsco.mutants.algorithms.objective_perturbation import newsvendor_utility as mutants
from dpsco.spec.algorithms.objective_perturbation import newsvendor_utility as spec
from dpsco.spec.claim import Claim, Provenance, Relation
from dpsco.spec.conditions import features_are_bounded, optimum_in_ball
from dpsco.spec.numbers import Numbers, Real
from dpsco.verdict import PROOF_STEP, Finding, Lemma, Reading, Severity, Verdict

PROBLEM = (features_are_bounded, optimum_in_ball, spec.errors_are_spread)
REPAIRED = "K_bar sqrt(s kappa_2 B B_x)/(2 r_bar^(3/2)) n^(-1/4)"
STANDS = (
    f"The risk bound at every lambda and h, and its least value; with epsilon >= {REPAIRED} the end, for the minimiser before "
    "projection."
)
NOT_AT_HAND = (
    "the theorem's own range of epsilon is not at hand: from the threshold on that the proof calls sufficient, which is too "
    "low where B_x is large, the bound fails (beside)."
)
ENDS = {"bound": "the bound in epsilon and delta", "bound_dominated": "twice its statistical term"}
UNHURT = "The bounds for the minimiser before projection, and for the minimiser over the ball."
INTERVAL = Lemma("an interval of length 2 v h", "An s-Lipschitz distribution function grows by at most s times the length.")
UNIFORM = Lemma("uniform errors", "Errors that are uniform on an interval of length 1/s around a attain it while 2 v h <= 1/s.")
RELEASE = "the minimiser before projection"
CHOICES = ("sigma", "lambda_chosen", "bandwidth")


def lazily(side: Side, prove: Callable[[], bool]) -> Finding:
    """Refuted at an instance, or else proved, or else open: a proof is looked for only where nothing contradicts."""
    found = bounded(replace(side, holds=False))
    return found if found.verdict is Verdict.REFUTED else bounded(replace(side, holds=prove()))


def chosen(claim: Claim, value: Value) -> Value:
    """The value at the claim's lambda and h."""
    lambda_, h = named(claim, "lambda_chosen"), named(claim, "bandwidth")
    return lambda m, v: value(m, {**v, "lambda_": lambda_(m, v), "h": h(m, v)})


def proved(claim: Claim) -> Value:
    """The proved risk bound at the claim's sigma, for lambda and h as given."""
    sigma = named(claim, "sigma")

    def value(m: Numbers, v: Mapping[str, Real]) -> Real:
        given = (lipschitz(v), v["n"], v["lambda_"], v["d"], sigma(m, v), v["B"], v["h"], v["kappa_2"], v["s"])
        return known.risk_spread(m, *given)

    return value


def risk_reached(claim: Claim) -> Value:
    """What the risk reaches at the claim's sigma."""
    sigma = named(claim, "sigma")
    return lambda m, v: reached(m, v, sigma(m, v), v["lambda_"], v["h"])


def at_every_choice(claim: Claim) -> Iterator[Finding]:
    """The displayed sum, for every lambda and h."""
    raw = named(claim, "bound_raw")
    side = Side(
        scope="excess risk at every lambda and h",
        claimed=raw,
        reached=risk_reached(claim),
        holds=False,
        method="the bound less the proved one has nonnegative coefficients",
        instances=sums(claim),
        severity=Severity.CONSTANT,
        survives="Its half is proved in the same way.",
        lemmas=known.BOUNDED_DENSITY,
        given=PROBLEM,
        family=FAMILY,
        release=RELEASE,
    )
    yield lazily(side, lambda: nonnegative(claim, expressed(claim, raw) - expressed(claim, proved(claim))))


def minimum(claim: Claim) -> Iterator[Finding]:
    """The displayed sum at the printed lambda and h against the printed two terms."""
    terms = [named(claim, name) for name in ("statistical_term", "smoothing_term")]
    at_choice = chosen(claim, named(claim, "bound_raw"))

    def claimed(m: Numbers, v: Mapping[str, Real]) -> Real:
        return terms[0](m, v) + terms[1](m, v)

    side = Side(
        scope="the displayed sum at the chosen lambda and bandwidth",
        claimed=claimed,
        reached=at_choice,
        holds=False,
        method="the difference has no negative coefficient in the roots of the numbers; it is 0 as printed",
        instances=ends(claim),
        severity=PROOF_STEP,
        survives=STANDS,
        lemmas=(known.LEAST,),
    )
    names = ("statistical_term", "smoothing_term", "bound_raw", *CHOICES)
    yield lazily(side, lambda: once(claim, names, lambda: at_least_zero(claim, lambda m, v: claimed(m, v) - at_choice(m, v))))


def dominates(claim: Claim) -> bool:
    """Whether bound_dominated is at least the proved bound at the printed choices, under the claim's condition."""
    last, at_choice = named(claim, "bound_dominated"), chosen(claim, proved(claim))
    return once(claim, ("bound_dominated", *CHOICES), lambda: at_least_zero(claim, lambda m, v: last(m, v) - at_choice(m, v)))


def small_enough(claim: Claim) -> bool:
    """Whether bound_dominated <= bound."""
    names = ("bound", "bound_dominated")
    return once(claim, names, lambda: square_at_least(claim, *(named(claim, name) for name in names)))


def end(name: str, claim: Claim) -> Iterator[Finding]:
    """The risk at the printed choices against one of the last two bounds; beside it what the policy hands out."""
    last = name == "bound"
    side = Side(
        scope=f"excess risk at the chosen lambda and bandwidth against {ENDS[name]}",
        claimed=named(claim, name),
        reached=chosen(claim, risk_reached(claim)),
        holds=False,
        method="the claimed bound less the proved one, epsilon above its threshold, has nonnegative coefficients in the roots"
        + (", and the squares of the last two bounds" if last else ""),
        instances=ends(claim),
        severity=Severity.DOMAIN,
        survives=STANDS,
        lemmas=(*known.BOUNDED_DENSITY, known.LEAST),
        given=(*PROBLEM, spec.epsilon_is_large_enough, *((spec.delta_is_small,) if last else ())),
        family=FAMILY,
        release=RELEASE,
        remark="at least that much; the projected minimiser reaches it as well: d = 1, and the shift stays inside the ball",
        decisive=SHOWN,
    )
    found = lazily(side, lambda: dominates(claim) and (small_enough(claim) if last else True))
    if found.verdict is Verdict.REFUTED and last and claim.provenance is Provenance.REBUILT and claim.amends is None:
        yield from beside(found, "if the proof's condition on epsilon is the theorem's", NOT_AT_HAND)
    else:
        yield replace(found, reason=None) if found.verdict is Verdict.CERTIFIED else found
    if last and claim.releases != spec.UNPROJECTED:
        scope = "excess risk of the minimiser projected onto the ball, which the policy hands out"
        yield replace(against(claim, scope, named(claim, name), UNHURT), reading=Reading.MEANT)


def last_link(claim: Claim) -> Iterator[Finding]:
    """The link that asks for a small delta."""
    side = Side(
        scope="twice the statistical term against the bound in epsilon and delta",
        claimed=named(claim, "bound"),
        reached=named(claim, "bound_dominated"),
        holds=False,
        method="the squares' difference has nonnegative coefficients with ln(1/delta) = epsilon/2 + a number >= 0",
        instances=ends(claim),
        severity=Severity.DOMAIN,
        survives=STANDS,
        given=(spec.delta_is_small,),
    )
    yield lazily(side, lambda: small_enough(claim))


def condition(claim: Claim) -> Iterator[Finding]:
    """The condition on epsilon, at its threshold."""
    terms = [named(claim, name) for name in ("statistical_term", "smoothing_term")]
    test = claim.preconditions[0].test if claim.preconditions else None
    side = Side(
        scope="the statistical term dominates the smoothing term",
        claimed=terms[0],
        reached=terms[1],
        holds=False,
        method="the difference has nonnegative coefficients in the roots of the numbers, epsilon counted from its threshold",
        instances=at_threshold(claim),
        severity=Severity.DOMAIN,
        survives=f"It holds for epsilon >= {REPAIRED}; the printed threshold is enough where s kappa_2 >= B_x^2/sqrt(2).",
        given=() if test is None else (test,),
        decisive={"n": "1000000000000000", "B": "300", "B_x": "1", "s": "1"},
    )
    yield lazily(side, lambda: at_least_zero(claim, lambda m, v: terms[0](m, v) - terms[1](m, v)))


def cost(claim: Claim) -> Iterator[Finding]:
    """Smoothed minus true risk, at the minimiser and at every other decision."""
    claimed = named(claim, "smoothing_error")

    def attained(m: Numbers, v: Mapping[str, Real]) -> Real:
        if m.eq(v["kappa_2"], 3) is not True:
            return m.real(0)
        return even(m, {**v, "L": m.frac(1, 2), "B_x": m.real(1), "kappa_1": m.frac(3, 2)})  # uniform on [-3, 3], r = 1/2

    side = Side(
        scope="smoothed minus true population risk at the minimiser",
        claimed=claimed,
        reached=attained,
        holds=False,
        method="at least s h^2 kappa_2/2, coefficient by coefficient",
        instances=grid(claim, laws()),
        severity=Severity.CONSTANT,
        survives="s h^2 kappa_2/2, which is attained.",
        lemmas=(known.SPREAD,),
        given=(spec.errors_are_spread,),
        family=(EVEN,),
        remark="twice what is attained, for every kernel and at every decision",
    )
    proof = known.smoothing_spread
    yield lazily(
        side,
        lambda: nonnegative(
            claim, expressed(claim, claimed) - expressed(claim, lambda m, v: proof(m, v["h"], v["kappa_2"], v["s"]))
        ),
    )


def growth(claim: Claim) -> Iterator[Finding]:
    """The increment of the distribution function over [a - v h, a + v h]."""
    claimed = named(claim, "increment")

    def attained(m: Numbers, v: Mapping[str, Real]) -> Real:
        rise = 2 * v["s"] * v["v"] * v["h"]
        return rise if m.le(rise, 1) is True else m.real(0)

    side = Side(
        scope="F(a + v h) - F(a - v h)",
        claimed=claimed,
        reached=attained,
        holds=False,
        method="at least 2 s v h, coefficient by coefficient",
        instances=grid(claim, laws()),
        severity=PROOF_STEP,
        survives="2 s v h in its place; the next line of the proof has the factor 2, and h^2 s kappa_2 stands.",
        lemmas=(INTERVAL,),
        given=(spec.errors_are_spread,),
        family=(UNIFORM,),
    )
    rise = expressed(claim, lambda m, v: 2 * v["s"] * v["v"] * v["h"])
    yield lazily(side, lambda: nonnegative(claim, expressed(claim, claimed) - rise))


READ: Table = {
    Relation("risk", "<=", "bound_raw"): at_every_choice,
    Relation("bound_raw at lambda_chosen, bandwidth", "<=", "statistical_term + smoothing_term"): minimum,
    Relation("risk", "<=", "bound_dominated"): lambda claim: end("bound_dominated", claim),
    Relation("bound_dominated", "<=", "bound"): last_link,
    Relation("risk", "<=", "bound"): lambda claim: end("bound", claim),
    Relation("statistical_term", ">=", "smoothing_term"): condition,
    Relation("smoothed minus true population risk at the minimiser", "<=", "smoothing_error"): cost,
    Relation("F(a + v h) - F(a - v h)", "<=", "increment"): growth,
}


IDS = ("thm-2", "thm-2-condition", "thm-2-approx")
JUDGES = dict.fromkeys((f"newsvendor/{id}{more}" for id in IDS for more in ("", "-amended")), reading(READ))

MUTANTS = {
    "newsvendor/thm-2-amended": mutants.of_theorem,
    "newsvendor/thm-2-condition-amended": mutants.of_condition,
    "newsvendor/thm-2-approx": mutants.of_printed_smoothing,
    "newsvendor/thm-2-approx-amended": mutants.of_smoothing,
}
