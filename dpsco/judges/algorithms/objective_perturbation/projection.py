"""Judges of the remark that projecting onto the ball only lowers the risk: by output, in expectation, against the bounds."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from dpsco.arguments.algorithms.descent.descent_chain import projected_at_end
from dpsco.arguments.algorithms.objective_perturbation.risk import objective_risk as known
from dpsco.arguments.algorithms.objective_perturbation.risk.projected_minimiser import against
from dpsco.arguments.algorithms.objective_perturbation.risk.root_parameters import lipschitz
from dpsco.arguments.assertions import Table, reading
from dpsco.arguments.cells import H, P, S, UndecidedError, cells, sign
from dpsco.arguments.comparing import admitted, proved, refuted
from dpsco.arguments.formula import apply
from dpsco.arguments.polynomial_slack import Side, bounded, named
from dpsco.instances.grid import Grid, grid
from dpsco.judges.algorithms.dp_sgd import stochastic_gradient_perturbation as sampled
from dpsco.judges.algorithms.gradient_perturbation import utility as full
from dpsco.mutants.algorithms.objective_perturbation import projection as mutants
from dpsco.reference.numbers.enclosure import arb
from dpsco.spec.algorithms.objective_perturbation.projection import IN_EVERY_STEP
from dpsco.spec.claim import Claim, Relation
from dpsco.spec.conditions import optimum_in_ball
from dpsco.spec.numbers import Numbers, Real
from dpsco.spec.register import find
from dpsco.verdict import Finding, Lemma, Reading, Severity, Verdict

TOWARDS = Lemma(
    "between the output and the minimiser",
    "In one dimension the risk is convex and least at theta* in [-B, B]. An output in there is returned; one outside goes to a "
    "point between itself and the nearer end, so between itself and theta*, where a convex function is no larger.",
)
FLAT = Lemma(
    "a risk that is flat across",
    "r = 1/2, every record x = e_1 and y = theta*: the risk is half the distance of the first coordinate to theta*. From two "
    "dimensions on the output may have the first coordinate right and others beside; in one it is output_norm itself.",
)
INSIDE = Lemma(
    "the ball in every step",
    "The ball is convex and holds theta*. Minimised over it the perturbed objective grows by lambda |u - theta|^2 from its "
    "minimum at every u in the ball, so that the distance of neighbours' minimisers and the excess over theta* are bounded "
    "as before. A projection after every step brings iterates of neighbours no further apart and each iterate no further "
    "from theta*, so that stability and regret are bounded as before.",
)
SURVIVES = (
    "In one dimension all of it holds; in every dimension the bounds hold for the minimiser over the ball, for descent "
    "projected in every step, and for the outputs before projection."
)
NORMS = ("0.5", "1", "1.25", "2")
OPTIMA = ("0", "0.6", "1", "3")
FEW = {"epsilon": "1", "delta": "1e-6", "n": "1000000", "d": "1", "B": "1", "B_x": "1", "r_bar": "0.5"}
"""Numbers of a bound far below 1."""


def outputs(claim: Claim) -> Grid:
    """Balls, norms and optima that the claim admits."""
    return grid(claim, {"B": ("1",), "output_norm": NORMS, "optimum_norm": OPTIMA})


UP = ("=", ">", ">=")


def lengths(claim: Claim) -> list[Any] | None:
    """Lengths inside the ball, on its sphere and beyond it, each as it was and as the claim's factor leaves it."""
    m, factor = cells(), named(claim, "projection_factor")
    try:
        return [(norm, factor(m, {"B": H, "output_norm": norm}) * norm) for norm in (H / (1 + P), H, H + S)]
    except UndecidedError:
        return None


def moves_towards(claim: Claim) -> bool:
    """Whether the claim's factor leaves what is inside and takes what is outside to between itself and the sphere."""
    found = lengths(claim)
    if found is None:
        return False
    (inside, within), (_, edge), (outside, beyond) = found
    return sign(within - inside) == "=" == sign(edge - H) and sign(beyond - H) in UP and sign(outside - beyond) in UP


def stays_in_ball(claim: Claim) -> bool:
    """Whether the claim's factor takes every output into the ball, turning none around: what the refutations rest on."""
    found = lengths(claim)
    return found is not None and all(sign(H - moved) in UP and sign(moved) in UP for _, moved in found)


def is_projection(claim: Claim) -> bool:
    """Whether it leaves what is inside and takes what is outside to the sphere."""
    return moves_towards(claim) and stays_in_ball(claim)


def shortened(claim: Claim, finding: Finding) -> Finding:
    """A refutation that rests on outputs shortened to the ball, open where the claim's own factor does not do so."""
    return finding if stays_in_ball(claim) else proved(finding.scope, False, "")


def by_output(claim: Claim) -> Iterator[Finding]:
    """Each output, the noise and the data whatever they are: in two dimensions and more, and in one."""
    factor = named(claim, "projection_factor")

    def first(m: Numbers, v: Mapping[str, Real]) -> Real:
        return v["optimum_norm"] if m.ge(v["output_norm"], v["optimum_norm"]) is True else v["output_norm"]

    def risk(m: Numbers, v: Mapping[str, Real], share: Real) -> Real:
        return m.abs(share * first(m, v) - v["optimum_norm"]) / 2

    side = Side(
        scope="population risk of the projected output, each output",
        claimed=lambda m, v: risk(m, v, m.real(1)),
        reached=lambda m, v: risk(m, v, factor(m, v)),
        holds=False,
        method="",
        instances=outputs(claim),
        severity=Severity.CONCLUSION,
        survives=SURVIVES,
        family=(FLAT,),
        decisive={"output_norm": "1.25", "optimum_norm": "1"},
    )
    yield bounded(side)
    method = "the factor is 1 inside the ball and leads to between output and sphere outside, on both cells"
    held = optimum_in_ball in claim.tests
    given = (optimum_in_ball,)
    one = proved("the same in one dimension", held and moves_towards(claim), method, lemmas=(TOWARDS,), given=given)
    yield replace(one, reading=Reading.ANOTHER)


def in_expectation(claim: Claim) -> Iterator[Finding]:
    """Objective perturbation at Theorem 2's choices: the projected risk from below, the other from above."""
    scope = "expected excess risk with projection against that without, objective perturbation"
    theorem = find("newsvendor/thm-2")
    chosen = [named(theorem, name) for name in ("sigma", "lambda_chosen", "bandwidth")]

    def without(m: Numbers, v: Mapping[str, Real]) -> Real:
        sigma, lambda_, h = (value(m, v) for value in chosen)
        one = m.real(1)  # the risk is a matter of the first coordinate, a problem of one dimension
        return known.risk_spread(m, lipschitz(v), v["n"], lambda_, one, sigma, v["B"], h, v["kappa_2"], v["s"])

    found = shortened(claim, against(theorem, scope, without, SURVIVES))
    yield replace(found, lemmas=(*found.lemmas, *known.BOUNDED_DENSITY)) if found.verdict is Verdict.REFUTED else found


def against_bounds(claim: Claim) -> Iterator[Finding]:
    """The three policies' last bounds, their outputs projected at the end."""
    for name in ("bound_dominated", "bound"):
        theorem = find("newsvendor/thm-2")
        scope = f"Theorem 2's {name} for the projected minimiser"
        yield shortened(claim, against(theorem, scope, named(theorem, name), SURVIVES))
    for label, how in (("4", full.descent), ("6", sampled.descent)):
        theorem = find(f"newsvendor/thm-{label}")
        found = projected_at_end(theorem, how(theorem))
        scope = f"Theorem {label}'s bound for the average projected at the end"
        remark = "one instance: how far beyond the bound the risk may be is not decided"
        found = replace(found, scope=scope)
        if found.verdict is Verdict.REFUTED:
            found = replace(found, survives=SURVIVES, severity=Severity.CONSTANT, reason=remark)
        yield shortened(claim, found)
    yield replace(
        proved(KEPT, is_projection(claim), UNCHANGED, lemmas=(INSIDE,), given=(optimum_in_ball,)), reading=Reading.MEANT
    )


KEPT = "the three bounds for the minimiser over the ball, and for descent projected in every step"
UNCHANGED = "the projection is onto the ball, cell by cell, and the proved sums of Theorems 2, 4 and 6 are unchanged"


def farthest(claim: Claim) -> Real:
    """An upper bound of the length of what outputs between 0.001 and 10^6 times B are taken to, B = 1, cell by cell."""
    m, factor, low, best = arb(), named(claim, "projection_factor"), 0.001, arb().real(0)
    while low < 1e6:
        t = m.ball(low, low * 1.05)  # type: ignore[attr-defined]
        best, low = m.max(best, (factor(m, {"B": m.real(1), "output_norm": t}) * t).upper()), low * 1.05
    return best


def in_every_step(claim: Claim) -> Iterator[Finding]:
    """The bounds where the projection is part of the policy: refuted where it is not, or where it holds answers off theta*."""
    theorem, m = find("newsvendor/thm-2"), arb()
    if claim.releases != IN_EVERY_STEP:
        scope = "Theorem 2's bound for the projected minimiser"
        yield shortened(claim, against(theorem, scope, named(theorem, "bound"), SURVIVES))
        return
    held = optimum_in_ball in claim.tests
    bound = apply(theorem.formulas["bound"], m, {k: m.real(x) for k, x in FEW.items()})
    optimum = "1" if held else "3"
    lost = (m.real(optimum) - farthest(claim)) / 2
    if m.gt(lost, bound) is True and admitted(claim, [{"B": "1", "optimum_norm": optimum}]):
        yield refuted(
            KEPT,
            bound,
            lost,
            {**FEW, "optimum_norm": optimum},
            method="x = 1, y = theta*, r = 1/2: every decision is short of theta*, for outputs of up to 10^6 B",
            severity=Severity.CONCLUSION,
            survives=SURVIVES,
        )
        return
    yield proved(KEPT, held and is_projection(claim), UNCHANGED, lemmas=(INSIDE,), given=(optimum_in_ball,))


READ: Table = {
    Relation("population risk of the projected output", "<=", "population risk of the output"): by_output,
    Relation("expected excess risk with projection", "<=", "expected excess risk without projection"): in_expectation,
    Relation("expected excess risk with projection", "<=", "the bound proved without projection"): against_bounds,
    Relation("expected excess risk", "<=", "the bound proved without projection"): in_every_step,
}

JUDGES = dict.fromkeys(("newsvendor/projection", "newsvendor/projection-amended"), reading(READ))

MUTANTS = {"newsvendor/projection-amended": mutants.of_every_step}
