"""The grid walk of Applegate and Kannan: a lazy nearest-neighbour walk on the cells of a cube, then one rejection step."""

from dataclasses import replace
from random import Random

from dpsco.spec.algorithms.grid_walk.mixing import ALPHA, evolving_set_bound, least_stationary_mass, walk_conductance
from dpsco.spec.claim import Claim, Kind, Relation
from dpsco.spec.contract import FINITE, SUM_SCALED, ULPS, Inputs, between, contract
from dpsco.spec.domain import Parameter, closed_unit, nonnegative, positive, reals
from dpsco.spec.expressions import E, absolute, equal, exp, expm1, floor, log, minimum, symbol, symbols
from dpsco.spec.numbers import Numbers, Real, Truth
from dpsco.spec.papers import BILEVEL
from dpsco.spec.parameters import D, T
from dpsco.spec.predicate import Predicate

F_value, alpha, beta, c, cells, concavity_defect = symbols("F_value alpha beta c cells concavity_defect")
convexity_defect, d, density, epsilon_density = symbols("convexity_defect d density epsilon_density")
epsilon_mix, f_center, f_here, f_least, f_point = symbols("epsilon_mix f_center f_here f_least f_point")
f_there, gamma_grid, kappa, slope_max_norm, tau = symbols("f_there gamma_grid kappa slope_max_norm tau")
zeta = symbol("zeta")


transition = minimum(1, exp(f_here - f_there)) / (4 * d)
"""Probability of a step from one cell to a given adjacent one."""

direction_probability = 1 / (2 * d)
"""Of one signed coordinate direction, given that the walk does not rest."""

acceptance_in_cell = exp(f_center - f_point - 1)
"""F(theta) / (e F(x)), x the centre of the cell of theta."""

acceptance_in_small_cube = exp(f_least - f_point - 1)
"""F(theta) / (e max F over the cube)."""

density_error = absolute(density - c * F_value)

_mass = least_stationary_mass.where({"tau": kappa, "zeta": E(0)})
mixing_steps = evolving_set_bound.where(
    {
        "epsilon_mix": epsilon_density,
        "pi_star": _mass,
        "phi": walk_conductance.where({"epsilon_mix": epsilon_density, "tau": kappa}),
    }
)
"""Section B.3.4: the conductance and the least mass of Lemma B.12's proof (no errors) in (15), epsilon as in B.3.1."""

_side = kappa / gamma_grid
_relative = epsilon_density * kappa**d * exp(-alpha * kappa)
_phi = exp(-E("1/2") - beta * (1 + log(d) / log(2))) / (2 * d * _side)
enough_steps = 2 / _phi**2 * (alpha * kappa + d * log(_side) + log(1 + 2 / _relative))
"""(2/phi^2) ln(1/(eta pi*)), phi the conductance where f lies within beta (1 + log2(d)) above a convex function, eta
the relative error of the walk's law at which the density's absolute error is epsilon_density."""

_w = 2 * zeta + alpha * tau / cells
sufficient_steps = 1 + 16 * (d * cells) ** 2 * exp(2 * _w) * (3 + _w + log(4 / -expm1(-epsilon_mix)))
"""Steps after which the perturbed walk is within log-distance epsilon_mix of its stationary law, from every start.

1 + 16 d^2 cells^2 e^{2w} (3 + w + ln(4/(1 - e^{-epsilon}))), w = 2 zeta + alpha tau/cells

Domain   f convex, alpha-Lipschitz in the maximum norm on a cube of edge tau, errors at most zeta; cells >= 2 to an edge
Source   the judgement of bilevel, Lemma 3.7
"""

grid_is_fine = 2 * alpha * gamma_grid <= 1
f_is_lipschitz_in_max_norm = slope_max_norm <= alpha
f_is_nearly_concave = concavity_defect <= beta
f_is_nearly_convex = convexity_defect <= beta
cubes_divide = equal(floor(kappa / gamma_grid), kappa / gamma_grid)


def walk_is_long(
    m: Numbers, T: Real, d: Real, alpha: Real, beta: Real, gamma_grid: Real, kappa: Real, epsilon_density: Real
) -> Truth:
    short = m.lt(alpha * kappa, m.real(1))
    return m.any(
        short,
        m.ge(
            T, enough_steps(m, d=d, alpha=alpha, beta=beta, gamma_grid=gamma_grid, kappa=kappa, epsilon_density=epsilon_density)
        ),
    )


def _table(random: Random) -> Inputs:
    """f on the centres: rough or smooth, small or steep; up to thirty steps."""
    d, cells = random.choice(((1, 1), (1, 2), (1, 7), (2, 2), (2, 4), (3, 3)))
    size, scale = cells**d, 10 ** random.uniform(-2, 2)
    uniforms = [[random.random() for _ in range(3)] for _ in range(random.randrange(31))]
    values = [random.gauss(0, scale) for _ in range(size)]
    return {"values": values, "dimension": d, "cells": cells, "start": random.randrange(size), "uniforms": uniforms}


@contract(
    metric=ULPS,
    range=between("0", lambda m, dimension, cells: cells**dimension - 1),
    generate=_table,
    hard=({"values": [0.0], "dimension": 1, "cells": 1, "start": 0, "uniforms": []},),
)
def walk(values: object, dimension: int, cells: int, start: int, uniforms: object) -> object:
    """Cells that the lazy walk visits, for given uniform numbers.

    Step (u, v, w): rest where u < 1/2; else coordinate k // 2, k = floor(2 d v), up for even and down for odd k; stay where
    the adjacent cube leaves A; else move to its centre y where w < min(1, e^{f(x) - f(y)})

    Domain   values: f (or f', with errors) at the cells^d centres, the last coordinate fastest; start: a cell's index;
             uniforms: T x 3 in [0, 1)
    Returns  T + 1 indices of cells, the start first
    Source   bilevel, Section B.3.1, step 3(b), (c)
    """


def _problem(random: Random) -> Inputs:
    """f the maximum of a few affine functions on a cube, few or many steps, errors on half of the problems."""
    d, cells = random.choice(((1, 3), (1, 8), (2, 3), (3, 2)))
    steps, side = random.choice((1, 4, 12)), 10 ** random.uniform(-1, 1)
    slopes = [[random.gauss(0, 2 / side) for _ in range(d)] for _ in range(random.choice((1, 2, 4)))]
    alpha, size, low = max(sum(abs(a) for a in row) for row in slopes), random.choice((0.0, 0.5)), random.gauss(0, 1)
    intercepts = [random.gauss(0, 1) for _ in slopes]
    return {
        "slopes": slopes,
        "intercepts": intercepts,
        "errors": [random.uniform(-size, size) for _ in range(cells**d)],
        "alpha": alpha,
        "least": max(intercepts) - alpha * (abs(low) + side),
        "low": low,
        "side": side,
        "cells": cells,
        "start": random.randrange(cells**d),
        "uniforms": [[random.random() for _ in range(d + 1 + 3 * steps)] for _ in range(8)],
    }


@contract(metric=SUM_SCALED, range=FINITE, generate=_problem)
def sample(
    slopes: object,
    intercepts: object,
    errors: object,
    alpha: float,
    least: float,
    low: float,
    side: float,
    cells: int,
    start: int,
    uniforms: object,
) -> object:
    """The grid walk's output for given uniform numbers, F = e^{-f}, f(theta) = max_k (<slopes_k, theta> + intercepts_k).

    A gauge penalty of a polytope is such a maximum. f is evaluated with `errors` at the centres, exactly elsewhere.

    Domain   slopes: K x d, intercepts: K, errors: cells^d (nat), alpha > 0: the Lipschitz constant that decides between steps
             2 and 3, least: a number at most the least f on A = [low, low + side]^d, side > 0, start: a cell's index,
             uniforms: attempts x (d + 1 + 3 T) in [0, 1), of an attempt first the place in the cube, then the coin of step 2
             or (e), then the steps
    Returns  number of the attempt whose point is kept (0: none was, and zeros follow), then the d coordinates (decision)
    Source   bilevel, Section B.3.1
    """


LONG = {"d": "1", "alpha": "1", "beta": "0", "gamma_grid": "0.5", "kappa": "1", "epsilon_density": "0.1"}
SOME_STEPS = "some number T of steps, every start"
EVERY_STEPS = "every number T of steps that the conditions admit, every start"
GRID = Parameter("gamma_grid", "side of the small cubes", positive, "decision")

claims = [
    Claim(
        id="bilevel/grid-walk",
        title="grid walk",
        kind=Kind.ALGORITHM,
        source=BILEVEL.at("Section 3.2", "Section B.3.1", "Lemma B.9, proof"),
        says="F > 0 on the cube A = [a, b]^d of side kappa = b - a, f = -log F, with |f(x) - f(y)| <= alpha max_i |x_i - y_i| "
        "and f(t x + (1-t) y) >= t f(x) + (1-t) f(y) - beta for t in [0, 1]; gamma <= 1/(2 alpha). (1) Divide A into cubes of "
        "side gamma, Omega their centres. (2) If kappa < 1/alpha: draw theta uniformly from A, output it with probability "
        "F(theta)/(e max_A F), else restart. (3) If kappa >= 1/alpha: (a) start at any x0 in Omega; (b) a step: rest with "
        "probability 1/2; else choose one of the 2d signed coordinate directions, each with probability 1/(2d); if the "
        "adjacent cube leaves A, stay; else move to its centre y with probability min(1, F(y)/F(x)), stay otherwise; (c) make "
        "T steps, x the last state; (d) draw theta uniformly from the cube of x; (e) output theta with probability "
        "F(theta)/(e F(x)), else restart at (a). Claimed: for some T the output's density nu has |nu(theta) - c F(theta)| <= "
        "epsilon on A, c the normalising constant; Section B.3.4 determines a T. For adjacent x and y, P_xy = min(1, "
        "F(y)/F(x))/(4d), and P_xx is the rest.",
        parameters=(
            D,
            T.means("steps of the walk; their number is determined in Section B.3.4"),
            ALPHA,
            Parameter("beta", "tolerance of the near-convexity condition", nonnegative, "nat"),
            GRID,
            Parameter("kappa", "side of the cube A", positive, "decision"),
            Parameter("f_here", "f at x", reals, "nat"),
            Parameter("f_there", "f at y", reals, "nat"),
            Parameter("f_center", "f at the cell's centre", reals, "nat"),
            Parameter("f_point", "f at theta", reals, "nat"),
            Parameter("f_least", "least f on A", reals, "nat"),
            Parameter("slope_max_norm", "largest difference quotient of f in the maximum norm", nonnegative, "nat/decision"),
            Parameter("concavity_defect", "supremum of t f(x) + (1-t) f(y) - f(t x + (1-t) y)", nonnegative, "nat"),
            Parameter("density", "nu(theta)", nonnegative, "1/decision^d"),
            Parameter("error_after_mixing", "density_error for T = mixing_steps", nonnegative, "1/decision^d"),
            Parameter("step_probability", "P_xy, x and y adjacent", closed_unit),
            Parameter("F_value", "F(theta)", positive, "weight"),
            Parameter("c", "normalising constant", positive, "1/(weight decision^d)"),
            Parameter("epsilon_density", "accuracy asked of the output's density (epsilon, in the main text zeta)", positive),
        ),
        symbols={"density": r"\nu(\theta)"},
        formulas={
            "transition": transition,
            "direction_probability": direction_probability,
            "acceptance_in_cell": acceptance_in_cell,
            "acceptance_in_small_cube": acceptance_in_small_cube,
            "density_error": density_error,
            "mixing_steps": mixing_steps,
        },
        asserts=(
            Relation("step_probability", "=", "transition"),
            Relation("density_error", "<=", "epsilon_density"),
            Relation("error_after_mixing", "<=", "epsilon_density"),
            Relation("acceptance_in_cell", "<=", "1"),
            Relation("acceptance_in_small_cube", "<=", "1"),
        ),
        preconditions=(
            Predicate(
                "gamma <= 1/(2 alpha)",
                grid_is_fine,
                accepts={"gamma_grid": "0.25", "alpha": "2"},
                rejects={"gamma_grid": "0.26", "alpha": "2"},
            ),
            Predicate(
                "f is alpha-Lipschitz in the maximum norm",
                f_is_lipschitz_in_max_norm,
                accepts={"slope_max_norm": "2", "alpha": "2"},
                rejects={"slope_max_norm": "2.01", "alpha": "2"},
            ),
            Predicate(
                "f(t x + (1-t) y) >= t f(x) + (1-t) f(y) - beta",
                f_is_nearly_concave,
                accepts={"concavity_defect": "0.5", "beta": "0.5"},
                rejects={"concavity_defect": "0.51", "beta": "0.5"},
            ),
        ),
        over=("all F on cubes in R^d that meet the two conditions", SOME_STEPS),
        note="A misprint: with f = -log F the condition says that f is nearly concave, F nearly log-convex; the source has f "
        "= +log F, and Lemma B.12 speaks of log-concave F. As printed F = exp(-x^2) fails it with beta = 0, and e^{alpha |x - "
        "kappa/2|}, which the walk does not cross in mixing_steps steps, meets it. Some T will do for every F; epsilon is "
        "absolute on the density here, a log-distance in B.3.4. Step 1 takes kappa/gamma to be an integer. The factor e of "
        "step 2 is not needed; that of step (e) could be e^{1/4}.",
    ),
]

claims.append(
    replace(
        claims[0],
        id="bilevel/grid-walk-amended",
        amends="bilevel/grid-walk",
        says="The grid walk with its number of steps, for nearly log-concave F: f = -log F is alpha-Lipschitz in the maximum "
        "norm and f(t x + (1-t) y) <= t f(x) + (1-t) f(y) + beta, gamma <= 1/(2 alpha) divides kappa. With kappa < 1/alpha, or "
        "T at least enough_steps, the output's density nu has |nu(theta) - c F(theta)| <= epsilon on A, c = 1/(the integral of "
        "F), from every start.",
        parameters=tuple(
            Parameter("convexity_defect", "supremum of f(t x + (1-t) y) - t f(x) - (1-t) f(y)", nonnegative, "nat")
            if p.name == "concavity_defect"
            else p
            for p in claims[0].parameters
            if p.name != "error_after_mixing"
        ),
        formulas={**{k: f for k, f in claims[0].formulas.items() if k != "mixing_steps"}, "enough_steps": enough_steps},
        asserts=tuple(relation for relation in claims[0].asserts if relation.left != "error_after_mixing"),
        over=(claims[0].over[0], EVERY_STEPS),
        preconditions=(
            *claims[0].preconditions[:2],
            Predicate(
                "f(t x + (1-t) y) <= t f(x) + (1-t) f(y) + beta",
                f_is_nearly_convex,
                accepts={"convexity_defect": "0.5", "beta": "0.5"},
                rejects={"convexity_defect": "0.51", "beta": "0.5"},
            ),
            Predicate(
                "kappa/gamma is an integer",
                cubes_divide,
                accepts={"gamma_grid": "0.25", "kappa": "1"},
                rejects={"gamma_grid": "0.26", "kappa": "1"},
            ),
            Predicate(
                "kappa < 1/alpha, or T >= enough_steps",
                walk_is_long,
                accepts={**LONG, "T": "2000"},
                rejects={**LONG, "T": "20"},
            ),
        ),
        note="The paper writes the curvature of log F for that of -log F, and determines T for a log-distance; the absolute "
        "error of a density has the unit of the density, so kappa^d must enter the number of steps. enough_steps is crude: "
        "e^{alpha kappa} enters only through its logarithm.",
    )
)
