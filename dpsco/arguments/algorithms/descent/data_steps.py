"""A number of steps taken from the data: what the released iterate, and the transcript, then give away.

The pair of data sets: n - 1 records without any loss, and one with f(x, y, z) = sqrt(1 + (x_1 - z)^2) - 1; g = |y|^2/2, x_0 =
0. Phi_Z has slope and curvature at most 1 whatever z is, while its gap (sqrt(1 + z^2) - 1)/n grows without limit.
"""

from collections.abc import Iterator
from dataclasses import replace

from dpsco.arguments.algorithms.descent.bilevel_gradients import constants
from dpsco.arguments.comparing import refuted
from dpsco.arguments.formula import apply
from dpsco.instances.grid import Instance, grid
from dpsco.reference.numbers.enclosure import arb, ends
from dpsco.spec.algorithms.bilevel_descent.algorithm import BETA_PHI, GAP, GAP_BOUND, K_SENS
from dpsco.spec.claim import Claim, Relation
from dpsco.spec.losses.bilevel.assumptions import D_X_DIM
from dpsco.spec.numbers import Numbers, Real, names_of
from dpsco.spec.parameters import DELTA, EPSILON, N, T
from dpsco.verdict import Finding, Lemma, Severity, Verdict

STEPS, NOISE = "T_chosen", "sigma"
PUBLIC = (EPSILON, DELTA, N, D_X_DIM, T, K_SENS, GAP_BOUND, BETA_PHI)
"""What the number of steps and the noise may depend on and still be public: nothing else is known to be."""
NEAR = "1e-9"
"""The record of the one data set: a gap so small that one step is chosen."""
FAR = tuple(f"1e{2**k}" for k in range(1, 13))
"""Records of the other data set, tried in this order."""
WIDTH = 6
"""Half width of the event, in standard deviations of the noise of the one step."""
AXES = {"epsilon": ("0.001", "1", "10", "100"), "delta": ("1e-40", "1e-5", "0.5", "0.999"), "n": ("1", "2", "1000")}
SURVIVES = (
    "A number of steps that is fixed without the data releases nothing of this. The sentence on privacy by itself leaves T "
    "free; read so, it is refuted for large epsilon only (domain)."
)

PAIR = Lemma(
    "one distant record",
    "All assumptions hold with L_fx = beta_fxx = beta_fxy = beta_gyy = mu_g = 1, L_gy = 0 on Y = {0} and the other constants "
    "0, for every z. So K = 4 and C = beta_Phi = 1, the query is the exact gradient, and only the gap depends on z.",
)
SPREAD = Lemma(
    "where the iterates lie",
    "Let S = {|x_1| <= eta (1/n + 6 sigma)} for the sigma of one step. After one step from 0, along a gradient of at most "
    "1/n, the iterate misses S with probability at most 2 Phi(-6). With T' steps each iterate is, given those before it, "
    "normal with standard deviation eta sigma', whatever its mean: its density is at most 1/(eta sigma' sqrt(2 pi)), so each "
    "of the T' iterates, and the one drawn, lies in S with probability at most 2 (1/n + 6 sigma)/(sigma' sqrt(2 pi)).",
)


def not_public(claim: Claim, *formulas: str) -> tuple[str, ...]:
    """What the chosen number of steps and the noise read that is not known to be public, as the parameter is described."""
    asked = [name for key in formulas or (STEPS, NOISE) if key in claim.formulas for name in names_of(claim.formulas[key])]
    public = {(p.name, p.meaning) for p in PUBLIC}
    described = {p.name: p.meaning for p in claim.parameters}
    return tuple(dict.fromkeys(name for name in asked if (name, described.get(name)) not in public))


def from_the_data(claim: Claim) -> tuple[str, ...]:
    """What the number of steps reads that is the gap, a function of the data, under whatever name."""
    described = {GAP.name: GAP.meaning} | {p.name: p.meaning for p in claim.parameters}
    return tuple(name for name in not_public(claim, STEPS) if described.get(name) == GAP.meaning)


def leaks(claim: Claim, asserts: Relation) -> Iterator[Finding]:
    """The findings on both releases when T is chosen from the data; open where it reads what is not known to be public."""
    unknown = [name for name in not_public(claim) if name not in from_the_data(claim)]
    if unknown:
        reason = f"the number of steps or the noise takes {', '.join(unknown)}: not known to be public"
        yield Finding(scope="what T and sigma depend on", verdict=Verdict.OPEN, reason=reason, asserts=(asserts,))
        return
    tried = grid(claim, AXES)
    found = [(instance, event) for instance in tried if (event := separated(claim, instance)) is not None]
    shown = next((v for v in found if v[0] == {"epsilon": "1", "delta": "1e-5", "n": "1000"}), found[0] if found else None)
    if shown is None:
        reason = "the number of steps reads the data; no pair of data sets was found that this separates"
        yield Finding(scope="T as chosen from the data", verdict=Verdict.OPEN, reason=reason, asserts=(asserts,))
        return
    instance, (event, far, steps) = shown
    at = {**instance, "d_x": "1", "z": NEAR, "z'": far, "T": "1", "T'": _shown(steps)}
    output = refuted(
        "T as chosen from the data: the output iterate",
        instance["delta"],
        event,
        at,
        "least delta that the event S needs, enclosed from below",
        Severity.CONCLUSION,
        SURVIVES,
        adjacency=claim.adjacency,
        release="the output iterate, uniform among x_1, ..., x_T",
        effort=f"{len(found)} of {len(tried)} instances are separated",
        coverage=tried.coverage,
        lemmas=(PAIR, SPREAD),
        asserts=(asserts,),
    )
    yield output
    yield replace(
        output,
        scope="T as chosen from the data: the transcript",
        method="the two data sets choose different numbers of steps, with certainty",
        computed=("1", "1"),
        release="all noisy steps",
        lemmas=(PAIR,),
    )


def separated(claim: Claim, instance: Instance) -> tuple[Real, str, Real] | None:
    """A lower bound on the least delta, the record z' and its number of steps; None if no z' tried exceeds the delta asked."""
    m = arb(256)
    values = problem(m, instance)
    one, sigma = chosen(claim, m, values, m.real(NEAR))
    if m.eq(one, 1) is not True:
        return None
    reach = 1 / values["n"] + WIDTH * sigma
    inside = 1 - 2 * m.Phi(m.real(-WIDTH))
    for far in FAR:
        steps, spread = chosen(claim, m, values, m.real(far))
        other = 2 * reach / (spread * m.sqrt(2 * m.pi))
        event = inside - m.exp(values["epsilon"]) * other
        if m.gt(steps, one) is True and m.gt(event, values["delta"]) is True:
            return event, far, steps
    return None


def problem(m: Numbers, instance: Instance) -> dict[str, Real]:
    """The instance with the constants of the pair."""
    given = {name: m.real(value) for name, value in instance.items()}
    return {**constants(m, L_fx=1, beta_fxx=1, beta_fxy=1, beta_gyy=1), **given, "d_x": m.real(1)}


def chosen(claim: Claim, m: Numbers, values: dict[str, Real], record: Real) -> tuple[Real, Real]:
    """The number of steps and the noise that the claim's formulas choose for the data set with this record."""
    gap = (m.sqrt(1 + record**2) - 1) / values["n"]
    known = {**values, "gap": gap, **dict.fromkeys(from_the_data(claim), gap)}
    steps = apply(claim.formulas[STEPS], m, known)
    return steps, apply(claim.formulas[NOISE], m, {**known, "T": steps})


def _shown(steps: Real) -> str:
    exact = steps.unique_fmpz()
    return str(exact) if exact is not None and exact < 10**15 else ends(steps, 6)[0]
