"""Projecting a private decision onto the ball of admitted decisions, after its risk was bounded."""

from dataclasses import replace

from dpsco.spec.algorithms.objective_perturbation.newsvendor_utility import OPTIMUM, OPTIMUM_IN_BALL
from dpsco.spec.claim import Claim, Kind, Relation
from dpsco.spec.domain import Parameter, positive
from dpsco.spec.expressions import minimum, symbol
from dpsco.spec.papers import NEWSVENDOR
from dpsco.spec.parameters import RISK, B

output_norm = symbol("output_norm")


projection_factor = minimum(1, B / output_norm)
"""The projection onto the ball multiplies the output by this."""


PARAMETERS = (
    B,
    RISK,
    Parameter("output_norm", "l2-norm of the output before projection", positive, "decision"),
    OPTIMUM,
)
IN_EVERY_STEP = "the minimiser over the ball; the average of iterates that are projected after every step"
POLICIES = "objective perturbation, gradient perturbation and its stochastic form"

PRINTED = Claim(
    id="newsvendor/projection",
    title="risk before and after the final projection",
    kind=Kind.BOUND,
    source=NEWSVENDOR.at("opening of the proofs of Theorems 2, 4 and 6"),
    says="The private policies return the projection of their output onto the ball of radius B; a bound on the expected "
    "excess risk that is proved for the output before projection is a looser bound for the projected output.",
    parameters=PARAMETERS,
    formulas={"projection_factor": projection_factor},
    asserts=(
        Relation("population risk of the projected output", "<=", "population risk of the output", step=True),
        Relation("expected excess risk with projection", "<=", "expected excess risk without projection", step=True),
        Relation("expected excess risk with projection", "<=", "the bound proved without projection", step=True),
    ),
    preconditions=(OPTIMUM_IN_BALL,),
    over=("distributions", "dimensions", POLICIES),
    note="Nothing is proved in the text: three readings, by output, in expectation, for the bounds. Projection brings the "
    "output nearer to the minimiser, which lowers a convex risk for d = 1 but not for d >= 2 with elongated level sets. "
    "Whether the gradient policies project at the end or in every step is in the main text, which is not at hand; in every "
    "step their proofs go through.",
)

claims = [
    PRINTED,
    replace(
        PRINTED,
        id="newsvendor/projection-amended",
        amends="newsvendor/projection",
        says="Objective perturbation that minimises over the ball, and gradient perturbation and its stochastic form with a "
        "projection onto the ball after every step, keep the bounds on the expected excess risk that are proved without "
        "projection, in every dimension.",
        asserts=(Relation("expected excess risk", "<=", "the bound proved without projection"),),
        releases=IN_EVERY_STEP,
        note="In one dimension projecting at the end does no harm either. From two dimensions on it does: the noise across the "
        "features makes the projection shrink what they need.",
    ),
]
