"""What the grid walk's output is distributed like: exactly on small chains, and by a proved number of steps in general."""

from collections.abc import Iterator
from typing import Any

import flint
import sympy

from dpsco.arguments.algorithms.grid_walk.grid_chains import NEEDLES
from dpsco.arguments.comparing import Instance, admitted, compared, proved, refuted
from dpsco.arguments.formula import apply
from dpsco.reference.algorithms.grid_walk.mixing import transitions
from dpsco.reference.numbers.enclosure import arb
from dpsco.reference.numbers.symbolic import symbolic
from dpsco.spec.algorithms.grid_walk.walk import (
    SOME_STEPS,
    cubes_divide,
    enough_steps,
    f_is_lipschitz_in_max_norm,
    f_is_nearly_convex,
    grid_is_fine,
    walk_is_long,
)
from dpsco.spec.claim import Claim
from dpsco.spec.numbers import Numbers, Real
from dpsco.verdict import Finding, Lemma, Severity

OUTPUT = Lemma(
    "density of the output",
    "An attempt that starts at x0 keeps a point theta of the cell of x with density P^T(x0, x) gamma^{-d} F(theta)/(e F(x)). "
    "With P^T(x0, x) = q(x)(1 + r_x), q(x) = F(x) over the sum, that is a constant times F(theta)(1 + r_x): nu/(c F) = (1 + "
    "r_x)/(1 + rbar), rbar a mean of the r_x, and with |r_x| <= eta nu/(c F) - 1 is at most 2 eta/(1 - eta) in absolute "
    "value. Restarts from any x0 mix such densities. kappa < 1/alpha: the kept point has the density c F itself.",
)
LARGEST = Lemma(
    "largest density",
    "F >= F(theta) e^{-alpha kappa} on A, so c F(theta) <= e^{alpha kappa}/kappa^d; eta = r/(2 + r), r = epsilon kappa^d "
    "e^{-alpha kappa}, makes 2 eta/(1 - eta) = r.",
)
NEARLY = Lemma(
    "nearly convex functions",
    "Combinations of two points cost beta, of 2^k points k beta (halving), and d + 1 points give every value of the convex "
    "envelope g (Caratheodory): g <= f <= g + B, B = beta (1 + log2(d)) >= beta ceil(log2(d + 1)). Over e^{-g} the faces of S "
    "carry at least (2/kappa) times the lesser mass, over F e^{-B} times that; cells and faces cost e^{-alpha gamma} >= "
    "e^{-1/2}: phi >= e^{-1/2 - B}/(2 d m), m = kappa/gamma.",
)
SPECTRUM = Lemma(
    "relative error from conductance",
    "Lazy and reversible: eigenvalues in [0, 1 - phi^2/2] but one, |P^T(x, y)/q(y) - 1| <= (1 - phi^2/2)^T/q*, q* >= e^{-alpha "
    "kappa}/m^d. At most eta after (2/phi^2) ln(1/(eta q*)) steps, from every start.",
)
CELL = Lemma(
    "a cell is small",
    "theta and the centre of its cell are gamma/2 apart at most: f(x) - f(theta) <= alpha gamma/2 <= 1/4, attained by slopes "
    "of alpha at gamma = 1/(2 alpha).",
)
LEAST = Lemma("the least value", "f(theta) >= f_least, with equality where it is attained.")
STANDS = "With T at least the amendment's number of steps it holds from every start."
WALKS: tuple[Instance, ...] = tuple(
    {"d": "1", "alpha": "1", "beta": "0", "gamma_grid": "0.5", "kappa": str(kappa), "slope_max_norm": slope, "T": T}
    | {"epsilon_density": e, "concavity_defect": "0", "convexity_defect": "0"}
    for kappa in (1, 2)
    for slope in ("0", "1")
    for T in ("1", "2", "4", "1000000")
    for e in ("0.3", "0.1", "0.02")
)
SCOPE = "density of the output against c F"


def density_at(m: Numbers, claim: Claim, at: Instance) -> list[tuple[Real, Real]]:
    """(nu, c F) at the left end and the middle of each cell, for f(theta) = slope theta on the line, start in cell 0.

    The law of the last state by the claim's own transition, the acceptance by its own formula.
    """
    alpha, gamma, kappa = (m.real(at[name]) for name in ("slope_max_norm", "gamma_grid", "kappa"))
    cells = int((kappa / gamma).unique_fmpz())
    centres = [gamma * (x + m.frac(1, 2)) for x in range(cells)]
    P = transitions(m, [alpha * x for x in centres], 1, cells, claim.formulas["transition"])
    law = (flint.arb_mat(P) ** int(at["T"])).tolist()[0]

    def kept(x: int, theta: Real) -> Real:
        values = {"f_center": alpha * centres[x], "f_point": alpha * theta}
        return law[x] / gamma * apply(claim.formulas["acceptance_in_cell"], m, values)

    def whole(low: Real, high: Real, x: int) -> Real:
        return m.integral(lambda theta: kept(x, theta), low, high)

    total = sum((whole(gamma * x, gamma * (x + 1), x) for x in range(cells)), start=m.real(0))
    mass = m.integral(lambda theta: m.exp(-alpha * theta), m.real(0), kappa)
    places = [(x, place) for x in range(cells) for place in (gamma * x, centres[x])]
    return [(kept(x, theta) / total, m.exp(-alpha * theta) / mass) for x, theta in places]


def contradicted(claim: Claim) -> Finding | None:
    """The first walk among WALKS whose density is certainly further from c F than epsilon."""
    m = arb()
    for at in admitted(claim, WALKS):
        if m.lt(m.real(at["alpha"]) * m.real(at["kappa"]), 1) is True:
            continue
        for nu, target in density_at(m, claim, at):
            error = apply(claim.formulas["density_error"], m, {"density": nu, "c": m.real(1), "F_value": target})
            if m.gt(error, m.real(at["epsilon_density"])) is True:
                return refuted(
                    SCOPE,
                    at["epsilon_density"],
                    error,
                    at,
                    method="the walk's law by matrix powers, enclosed; f = slope theta on [0, kappa], start in the first cell",
                    severity=Severity.DOMAIN,
                    survives=STANDS,
                )
    return None


def runs_as_written(claim: Claim) -> bool:
    """Whether transition, acceptance and error are those that the lemmas speak of."""
    m, d = symbolic(), sympy.Symbol("d", positive=True)
    here, step = sympy.Symbol("f", real=True), sympy.Symbol("s", nonnegative=True)
    ends_of_a_step = ((here, here + step), (here + step, here))
    up, down = (apply(claim.formulas["transition"], m, {"d": d, "f_here": a, "f_there": b}) for a, b in ends_of_a_step)
    center, point = sympy.symbols("x theta", real=True)
    kept = apply(claim.formulas["acceptance_in_cell"], m, {"f_center": center, "f_point": point})
    whole = apply(claim.formulas["acceptance_in_small_cube"], m, {"f_least": center, "f_point": point})
    nu, c, F = sympy.symbols("nu c F", positive=True)
    error = apply(claim.formulas["density_error"], m, {"density": nu, "c": c, "F_value": F})
    rests = [
        _resolved(up, step) - sympy.exp(-step) / (4 * d),
        _resolved(down, step) - 1 / (4 * d),
        kept - sympy.exp(center - point - 1),
        whole - sympy.exp(center - point - 1),
        error - sympy.Abs(nu - c * F),
    ]
    return all(sympy.simplify(rest) == 0 for rest in rests)


def _resolved(expression: Any, step: Any) -> Any:
    """min(1, e^{-s}) = e^{-s} and min(1, e^s) = 1 for s >= 0."""
    simple = sympy.simplify(expression)
    return simple.subs({sympy.Min(1, sympy.exp(-step)): sympy.exp(-step), sympy.Min(1, sympy.exp(step)): 1})


def density_is_near(claim: Claim) -> Iterator[Finding]:
    """The output's density: for every T that the claim admits, or, where it says so, for some T."""
    as_written = runs_as_written(claim)
    if SOME_STEPS in claim.over:
        yield proved(
            f"{SCOPE}, some T: every positive F, whatever its curvature, every d and start",
            as_written,
            "exact: the chain is lazy, reversible and irreducible on finitely many states, so r_x -> 0 as T grows",
            lemmas=(OUTPUT,),
            remark="How many steps depends on F. Step 1 takes kappa/gamma to be an integer.",
        )
        return
    found = contradicted(claim)
    if found is not None:
        yield found
        return
    yield proved(
        f"{SCOPE}, every F, d, start and T that is long enough",
        claim.formulas.get("enough_steps") is enough_steps and as_written,
        "exact: the law of the kept point, and conductance of the walk",
        lemmas=(OUTPUT, LARGEST, NEEDLES, NEARLY, SPECTRUM),
        given=(grid_is_fine, f_is_lipschitz_in_max_norm, f_is_nearly_convex, cubes_divide, walk_is_long),
    )


def step_is_as_described(claim: Claim) -> Iterator[Finding]:
    """Half for not resting, the printed probability of the direction, and the acceptance of step iv: what P_xy must be."""

    def described(m: Numbers, d: Real, f_here: Real, f_there: Real) -> Real:
        direction = apply(claim.formulas["direction_probability"], m, {"d": d})
        return direction / 2 * m.min(m.real(1), m.exp(f_here - f_there))

    def signed(m: Numbers, d: Real) -> Real:
        return 1 / (2 * d)

    here, there = (sympy.Symbol(name, real=True) for name in ("f_here", "f_there"))
    d = sympy.Symbol("d", positive=True)
    values = {"d": d, "f_here": here, "f_there": there}
    steps = apply(claim.formulas["transition"], symbolic(), values) - described(symbolic(), d, here, there)
    instances = [{"d": d, "f_here": a, "f_there": b} for d in ("1", "7") for a, b in (("0", "2"), ("2", "0"))]
    for scope, left, right, zero in (
        ("P_xy of adjacent cells, from steps i to iv", described, claim.formulas["transition"], steps),
        ("one of the 2d signed directions", signed, claim.formulas["direction_probability"], _direction(claim, d)),
    ):
        yield compared(
            scope,
            left,
            "=",
            right,
            known="=" if sympy.simplify(zero) == 0 else None,
            instances=instances,
            method="computer algebra: the difference is 0",
            severity=Severity.CONSTANT,
            survives="P_xy = min(1, F(y)/F(x))/(4d).",
        )


def _direction(claim: Claim, d: Any) -> Any:
    return apply(claim.formulas["direction_probability"], symbolic(), {"d": d}) - 1 / (2 * d)


def accepted(name: str, reference: str, reach: str, lemma: Lemma) -> Any:
    """An acceptance probability is at most 1: at f(reference) - f(theta) = reach, the largest that is possible."""

    def decide(claim: Claim) -> Iterator[Finding]:
        m, formula, scope = arb(), claim.formulas[name], f"{name}: every F, cell and point"
        top = apply(formula, m, {reference: m.real(reach), "f_point": m.real(0)})
        if m.gt(top, 1) is True:
            yield refuted(
                scope,
                "1",
                top,
                {reference: reach, "f_point": "0", "alpha": "1", "gamma_grid": "0.5"},
                method="the formula enclosed where the reference value is as far above f(theta) as it can be",
                severity=Severity.CONSTANT,
                survives="F(theta)/(e F(x)) in a cell and F(theta)/(e max F) in the cube are probabilities.",
                lemmas=(lemma,),
            )
            return
        base, point = sympy.symbols("f theta", real=True)
        log = sympy.expand_log(sympy.log(apply(formula, symbolic(), {reference: base, "f_point": point})), force=True)
        rest = sympy.simplify(log - (base - point))
        holds = rest.is_number and bool(rest + sympy.Rational(reach) <= 0)
        given = (grid_is_fine, f_is_lipschitz_in_max_norm) if reach != "0" else ()
        method = f"exact: ln of it is f({reference[2:]}) - f(theta) + ({rest}), at most {reach} + ({rest})"
        yield proved(scope, holds, method, lemmas=(lemma,), given=given)

    return decide
