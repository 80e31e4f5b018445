"""Where the walk does not cross the middle of a cube: what the printed sign of the curvature admits."""

from collections.abc import Iterator
from dataclasses import replace

from dpsco.arguments.algorithms.grid_walk.grid_chains import NEEDLES
from dpsco.arguments.algorithms.grid_walk.output_density import LARGEST, NEARLY, OUTPUT, SPECTRUM, runs_as_written
from dpsco.arguments.comparing import Instance, admitted, proved, refuted
from dpsco.arguments.formula import apply
from dpsco.reference.algorithms.grid_walk.mixing import stationary
from dpsco.reference.numbers.enclosure import arb, ends
from dpsco.spec.algorithms.grid_walk.walk import f_is_nearly_concave
from dpsco.spec.claim import Claim
from dpsco.spec.numbers import Numbers, Real
from dpsco.verdict import Finding, Lemma, Reading, Severity, Verdict

VALLEY: Instance = {
    "d": "1",
    "alpha": "1",
    "beta": "0",
    "kappa": "44",
    "gamma_grid": "0.1",
    "epsilon_density": "0.2",
    "slope_max_norm": "1",
    "concavity_defect": "0",
}
"""f = -|theta - kappa/2|, concave; the spacing is epsilon/(2 alpha sqrt(d)), as Lemma B.12 has it: 440 cells."""
BOTTLENECK = Lemma(
    "a middle that is hard to cross",
    "Started from the stationary law on the lower half S, the chain is outside S at time T with probability at most T phi_S, "
    "phi_S the flow out of S over q(S). So some start in S has P^T(x0, outside) <= T phi_S. All cells keep a point with one "
    "probability, f being linear on each with slopes of one size: the output lies above the middle with probability at most T "
    "phi_S, and on the last stretch of length 1/2 its density is on average at most 2 T phi_S below what c F is there.",
)
MEANT = "the same for nearly convex f, as in the source and in Lemma B.12, with the amendment's enough_steps"


def missed(m: Numbers, claim: Claim, at: Instance) -> tuple[Real, Real]:
    """T of the claim's own mixing_steps, and a lower bound of the largest |nu - c F| after T steps from some start."""
    v = {name: m.real(value) for name, value in at.items()}
    steps = apply(claim.formulas["mixing_steps"], m, v)
    cells = int((v["kappa"] / v["gamma_grid"]).unique_fmpz())
    values = [-m.abs(v["gamma_grid"] * (x + m.frac(1, 2)) - v["kappa"] / 2) for x in range(cells)]
    q, half = stationary(m, values), cells // 2
    step = apply(claim.formulas["transition"], m, {"d": v["d"], "f_here": values[half - 1], "f_there": values[half]})
    out = q[half - 1] * step / sum(q[:half], start=m.real(0))
    last, length = (m.exp(v["kappa"] / 2) - m.exp(v["kappa"] / 2 - m.frac(1, 2))), m.frac(1, 2)
    target = last / (2 * m.expm1(v["kappa"] / 2))  # the share of c F on the last stretch
    return steps, (target - m.ceil(steps) * out) / length


def crosses(claim: Claim) -> Iterator[Finding]:
    """The density after the number of steps that Section B.3.4 determines."""
    scope, m = "density of the output after the steps of Section B.3.4", arb()
    concave = f_is_nearly_concave in claim.tests
    if not (concave and runs_as_written(claim) and admitted(claim, [VALLEY])):
        reason = "decided for the walk as it is described, and nearly concave f, only"
        yield Finding(scope=scope, verdict=Verdict.OPEN, reason=reason)
        return
    steps, least = missed(m, claim, VALLEY)
    if m.gt(least, m.real(VALLEY["epsilon_density"])) is not True:
        yield Finding(scope=scope, verdict=Verdict.OPEN, reason="not contradicted where the middle is hard to cross")
        return
    yield refuted(
        scope,
        VALLEY["epsilon_density"],
        least,
        {**VALLEY, "T": ends(steps)[1]},
        method="F = e^{|theta - kappa/2|}, log-convex as the printed sign has it; the flow through the middle enclosed, T "
        "steps from some start below it",
        severity=Severity.MISPRINT,
        survives="For nearly convex f, as meant, polynomially many steps will do (the amendment); for any F some T will.",
        lemmas=(OUTPUT, BOTTLENECK),
    )
    lemmas = (OUTPUT, LARGEST, NEEDLES, NEARLY, SPECTRUM)
    meant = proved(MEANT, True, "exact: the law of the kept point, and conductance of the walk", lemmas=lemmas)
    yield replace(meant, reading=Reading.MEANT)
