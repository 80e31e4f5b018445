"""Judge of exponential descent's risk: the bound at every step length, at the chosen one, and the rate of both."""

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any

import sympy

from dpsco.arguments.algorithms.descent import rotated_descent as known
from dpsco.arguments.algorithms.descent.rotated_descent import C, H, reduced
from dpsco.arguments.assertions import Table, by_assertion, false_displays
from dpsco.arguments.comparing import certified, refuted
from dpsco.arguments.polynomial_slack import Side, Value, bounded, named, nonnegative, quantities
from dpsco.instances.grid import Grid, grid
from dpsco.judges.algorithms.exponential_descent import utility_steps
from dpsco.mutants.algorithms.exponential_descent import utility as mutants
from dpsco.reference.numbers.symbolic import symbolic
from dpsco.spec.claim import Claim, Relation
from dpsco.spec.conditions import features_are_bounded, gradients_are_bounded
from dpsco.spec.losses.spo.smoothing import decision_bounded, minimiser_bounded
from dpsco.spec.numbers import Numbers, Real
from dpsco.verdict import Finding, Rung, Severity, Verdict

AVERAGE = "the average of the iterates, not projected"
PROJECTED = "the output: the average projected onto the ball of radius B_B"
SURVIVES = (
    "spo/thm-4-amended: the same with 1/q in the place of the factor (e^epsilon - 1)/(e^epsilon + 1), q that number times the "
    "mean of a half-sphere, and with the smoothing charged; the bound grows as epsilon falls."
)
DECISIVE = {"n": "100", "epsilon": "0.001", "L": "4"}
STEPS = ("step_length", "eta_appendix", "eta_main_text")
GIVEN = (gradients_are_bounded, decision_bounded, features_are_bounded)
PROOF = (known.TURNED, known.LENGTH, known.MEAN_STEP, known.PARTED, known.REGRET)
AXES = {
    "n": ("1", "3", "100", "1000000", "1000000000000"),
    "T": ("1", "4", "1000", "1000000"),
    "epsilon": ("0.001", "0.1", "1", "100"),
    "delta": ("1e-40", "1e-6", "0.999"),
    "eta": ("0.000001", "0.01", "1"),
    "d": ("1", "9", "1000000"),
}
SETS = (
    {"L": "4", "B_B": "1", "minimiser_norm": "1", "B_w": "1", "B_x": "1"},
    {"L": "0.2", "B_B": "3", "minimiser_norm": "3", "B_w": "0.5", "B_x": "0.1"},
)
N4 = sympy.Symbol("N", positive=True)
PATHS: Mapping[str, tuple[Any, Any, Any]] = {
    "n = N^4, h = N^-2, d = 1": (N4**4, N4**-2, sympy.Integer(1)),
    "n = N^4, h = N^-6, d = 1": (N4**4, N4**-6, sympy.Integer(1)),
    "n = N^4, h = 1/2, d = N^16": (N4**4, sympy.Rational(1, 2), N4**-8),
    "n = N^4, h = 1/2, d = 1": (N4**4, sympy.Rational(1, 2), sympy.Integer(1)),
}
"""n, h = (e^epsilon - 1)/(e^epsilon + 1) and c_d; c_d is within a bounded factor of d^(-1/2), which changes no limit."""


def instances(claim: Claim, *without: str) -> Grid:
    """Hard values of the claim's own parameters."""
    names = {p.name for p in claim.parameters} - set(without)
    axes = {name: values for name, values in AXES.items() if name in names}
    return grid(claim, axes, [{name: value for name, value in fixed.items() if name in names} for fixed in SETS])


def proved(claim: Claim, mu: Value | None = None) -> Value | None:
    """The proved bound at every step length; None where the claim does not choose a smoothing that is proved to suffice."""
    if "smoothing" not in claim.formulas:
        return None
    mu = mu or named(claim, "smoothing")
    return lambda m, v: known.excess(m, v, known.factor(m, v), mu(m, v))


def smooth_enough(claim: Claim, one: Any = None, q: Value = known.factor) -> bool:
    """Whether mu >= 2 B_x^2 eta/q identically, so that a step does not expand in mean."""
    if "smoothing" not in claim.formulas:
        return False
    mu = named(claim, "smoothing")
    return nonnegative(claim, reduced(claim, lambda m, v: mu(m, v) - 2 * v["B_x"] ** 2 * v["eta"] / q(m, v), one))


def at_step_length(claim: Claim) -> Iterator[Finding]:
    """The risk at every number of steps and every step length."""
    claimed, true = named(claim, "regret_before_eta"), proved(claim)
    for release, reach in releases(claim):
        yield bounded(
            Side(
                scope="risk at every step length, every n and T",
                claimed=claimed,
                reached=lambda m, v, reach=reach: reach(  # type: ignore[misc]
                    m, v, v["minimiser_norm"], v["eta"], known.factor(m, v), v["T"]
                ),
                holds=true is not None
                and smooth_enough(claim)
                and nonnegative(claim, reduced(claim, lambda m, v: claimed(m, v) - true(m, v))),
                method="the bound less the proved one has nonnegative coefficients",
                instances=instances(claim),
                severity=Severity.RATE,
                survives=SURVIVES,
                lemmas=PROOF,
                given=GIVEN,
                family=(known.SLOW,),
                release=release,
                decisive={"n": "1000000", "T": "4", "epsilon": "0.001", "eta": "0.01", "L": "4"},
            )
        )


def releases(claim: Claim) -> tuple[tuple[str, Callable[..., Real]], ...]:
    """The average; for the printed claims, whose algorithm projects it, the projected one as well."""
    both = ((AVERAGE, known.reached), (PROJECTED, known.kept))
    return both if claim.amends is None else both[:1]


def proved_square(claim: Claim, step: str, q: Value = known.factor, one: Any = None) -> Any:
    """The square of the proved bound at T = n^2 and the claim's own step length, reduced; None where it has no such form."""
    if not smooth_enough(claim, one, q):
        return None
    mu, eta = named(claim, "smoothing"), sympy.Symbol("eta", positive=True)

    def raw(m: Numbers, v: Mapping[str, Real]) -> Real:
        w = {**v, "T": v["n"] ** 2, "minimiser_norm": v["B_B"]}
        return known.excess(m, w, q(m, v), mu(m, v), more=2)  # T + 1 for T - 1 in the gap: the displays' own rounding

    top = sympy.expand(reduced(claim, raw, one, eta=eta) * eta)
    a, b = sympy.cancel(sympy.diff(top, eta, 2) / 2), sympy.cancel(top.subs(eta, 0))
    if a.has(eta) or sympy.cancel(top - a * eta**2 - b) != 0:
        return None
    square = reduced(claim, lambda m, v: named(claim, step)(m, v) ** 2, one)
    return sympy.cancel(a**2 * square + 2 * a * b + b**2 / square)


def at_chosen_step(
    claim: Claim,
    name: str,
    step: str,
    says: str = "",
    q: Value = known.factor,
    one: Any = None,
    eta: Value | None = None,
    survives: str = SURVIVES,
    decisive: Mapping[str, str] = DECISIVE,
) -> Iterator[Finding]:
    """The risk at T = n^2 and the chosen step length against the claim's closed form."""
    claimed, taken = named(claim, name), eta or named(claim, step)
    square = proved_square(claim, step, q, one) if eta is None and step in claim.formulas else None
    for release, reach in releases(claim):
        yield bounded(
            Side(
                scope=f"risk at T = n^2{says}",
                claimed=claimed,
                reached=lambda m, v, reach=reach: reach(m, v, v["B_B"], taken(m, v), q(m, v), v["n"] ** 2),  # type: ignore[misc]
                holds=square is not None and nonnegative(claim, reduced(claim, lambda m, v: claimed(m, v) ** 2, one) - square),
                method="the claimed bound's square less that of the proved one at the step length has nonnegative coefficients",
                instances=instances(claim, "T", "eta", "minimiser_norm"),
                severity=Severity.RATE,
                survives=survives,
                lemmas=PROOF,
                given=(*GIVEN, minimiser_bounded),
                family=(known.SLOW,),
                release=release,
                decisive=decisive,
            )
        )


def at_end(claim: Claim) -> Iterator[Finding]:
    """Each printed step length."""
    for step in STEPS:
        if step in claim.formulas:
            yield from at_chosen_step(claim, "regret", step, f" and eta = {step}")


def squares(claim: Claim) -> Any:
    """Sum of the squares of the rate's terms, at most the rate's square."""
    rate = named(claim, "rate")(symbolic(), quantities(claim))
    return sum(reduced(claim, lambda m, v, part=part: part**2) for part in sympy.Add.make_args(rate))  # type: ignore[misc]


def constant(claim: Claim, square: Any) -> Any:
    """A C^2, free of n, epsilon and d, with square <= C^2 rate^2 on the whole domain; None if that is not found.

    The square's terms are c n^-i q^-j or c n^-i h^j: C^2 is its value at n = 1 and h = c_d = 1.
    """
    found = sympy.cancel(square.subs({quantities(claim)["n"]: 1, H: 0, C: 0}))
    return found if nonnegative(claim, found * squares(claim) - square) else None


def closed_form_rate(claim: Claim) -> Iterator[Finding]:
    """The closed form against the rate."""
    found = constant(claim, reduced(claim, lambda m, v: named(claim, "regret")(m, v) ** 2))
    if found is not None:
        yield _certified("the closed form's rate", found, (known.LENGTH,), ())
    else:
        yield Finding(scope="the closed form's rate", verdict=Verdict.OPEN, reason="no constant found")


def _certified(scope: str, square: Any, lemmas: tuple[Any, ...], given: tuple[Any, ...]) -> Finding:
    return certified(
        f"{scope}: constants depend on L, B_B, B_w and B_x only",
        f"C^2 rate^2 less the square has nonnegative coefficients, C^2 = {sympy.sstr(sympy.factor(square))}",
        *lemmas,
        coverage=tuple(PATHS),
        given=given,
    )


def risk_rate(claim: Claim) -> Iterator[Finding]:
    """The risk against the rate: paths on which it leaves every multiple, else the constant of the proved bound."""
    for step in (name for name in STEPS if name in claim.formulas):
        scope = f"the risk's rate at eta = {step}"
        away = {says: found for says, path in PATHS.items() if (found := diverges(claim, step, path))}
        for says, release in away.items():
            yield refuted(
                f"{scope}, {says}",
                "bounded",
                "inf",
                {"path": says},
                method="a reached risk over the rate has the limit infinity along the path, at B_B = L = 4 B_w B_x = 1",
                severity=Severity.RATE,
                survives=SURVIVES,
                rung=Rung.EXACT,
                lemmas=(known.SLOW, known.LENGTH),
                release=release,
            )
        if away:
            continue
        square = proved_square(claim, step)
        found = None if square is None else constant(claim, square)
        if found is None:
            yield Finding(scope=scope, verdict=Verdict.OPEN, reason="no constant found, and no path of those tried diverges")
        else:
            yield _certified(scope, found, PROOF, (*GIVEN, minimiser_bounded))


def diverges(claim: Claim, step: str, path: tuple[Any, Any, Any]) -> str | None:
    """What is released if its reached risk leaves every multiple of the rate along a path; None if no risk is seen to."""
    n, h, c = path
    at = {**quantities(claim), "n": n, "B_B": sympy.Integer(1), "L": sympy.Integer(1), "B_w": sympy.Rational(1, 4)}
    at |= {"B_x": sympy.Integer(1)} if "B_x" in at else {}

    def along(name: str) -> Any:
        return reduced(claim, lambda m, v: named(claim, name)(m, {**v, **at}) ** 2).subs({H: 1 / h - 1, C: 1 / c - 1})

    def limit(value: Any) -> Any:
        return sympy.limit(sympy.cancel(value), N4, sympy.oo)

    reach, rate = along(step) * n**4 / 4, along("rate")
    moved = (c * h) ** 2 * reach
    far = limit(moved)
    if far == 0:  # nearly nothing is gained: the risk tends to L B_B
        return None if limit(rate) != 0 else f"{AVERAGE}, and projected" if limit(reach) == 0 else AVERAGE
    return AVERAGE if far == sympy.oo and limit(1 / (moved * rate)) == sympy.oo else None


READ: Table = {
    Relation("risk", "<=", "regret_before_eta"): at_step_length,
    Relation("risk", "<=", "regret"): at_end,
    Relation("risk", "<=O", "rate"): risk_rate,
    Relation("regret", "<=O", "rate"): closed_form_rate,
}


def printed(claim: Claim) -> Iterator[Finding]:
    """Each assertion, and the displays of the proof that are a claim of their own."""
    yield from by_assertion(claim, READ)
    yield from false_displays("spo/thm-4-c", utility_steps.JUDGES["spo/thm-4-c"])


JUDGES = {"spo/thm-4": printed, "spo/thm-4-amended": partial(by_assertion, table=READ)}

MUTANTS = {"spo/thm-4-amended": mutants.of_amended}
