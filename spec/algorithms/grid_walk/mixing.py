"""Conductance and mixing time of the grid walk when the function is evaluated with errors.

The perturbed walk runs on f' = f + zeta(.), |zeta(.)| <= zeta. Distances are suprema of |log ratio|.
"""

from dataclasses import replace

from dpsco.spec.claim import Claim, Kind, Relation
from dpsco.spec.conjunction import all_of
from dpsco.spec.domain import Interval, Parameter, nonnegative, positive, reals
from dpsco.spec.expressions import E, equal, exp, expm1, floor, integral, log, maximum, sqrt, symbols
from dpsco.spec.papers import BILEVEL
from dpsco.spec.parameters import D
from dpsco.spec.predicate import Predicate

alpha, d, epsilon_any, epsilon_mix, f_here = symbols("alpha d epsilon_any epsilon_mix f_here")
f_there, gamma_grid, largest_error, phi, pi_star = symbols("f_there gamma_grid largest_error phi pi_star")
tau, x, zeta = symbols("tau x zeta")


perturbed_conductance = exp(-6 * zeta) * phi
ratio_printed_below = exp(-(f_there - f_here - 2 * zeta))
"""Left end of the proof's first chain of inequalities on exp(-(f'(y) - f'(x))); the right end is the next one."""

ratio_printed_above = exp(-(f_there - f_here + 2 * zeta))
factor_low = exp(-2 * zeta)
factor_high = exp(2 * zeta)
flow_factor = exp(-4 * zeta)
weight_ratio_low = exp(-zeta)
weight_ratio_high = exp(zeta)
target_distance = 2 * zeta
evolving_set_bound = 1 + integral(4 / (x * phi**2), x, 4 * pi_star, 4 / epsilon_mix)
"""For a conductance profile that is constant."""

log_distance_bound = evolving_set_bound.where({"epsilon_mix": -expm1(-epsilon_any)})
"""The same up to 4/(1 - e^{-epsilon}): a relative error of 1 - e^{-epsilon} is a log-distance of at most epsilon."""

grid_spacing = epsilon_mix / (2 * alpha * sqrt(d))
walk_conductance = epsilon_mix / (8 * alpha * tau * d ** E("3/2") * exp(epsilon_mix))
perturbed_walk_conductance = perturbed_conductance.where({"phi": walk_conductance})
least_stationary_mass = exp(-alpha * tau - 2 * zeta) / (tau / gamma_grid) ** d

_scale = exp(12 * zeta) * alpha**2 * tau**2 * d**2 / epsilon_mix**2 * exp(epsilon_mix)
mixing_rate = _scale * maximum(d * log(alpha * tau * sqrt(d) / epsilon_mix), alpha * tau)
errors_are_bounded = largest_error <= zeta
walk_is_run = alpha * tau >= 1

_cells = tau / gamma_grid
cells_divide = all_of(equal(floor(_cells), _cells), _cells >= 2)
distance_is_small = epsilon_mix <= 1


ALPHA = Parameter("alpha", "Lipschitz constant of f = -log F in the maximum norm", positive, "nat/decision")
ZETA = Parameter("zeta", "bound on the evaluation errors", positive, "nat")
ERROR = Parameter("largest_error", "supremum of |f' - f|", nonnegative, "nat")
PHI = Parameter("phi", "conductance of the exact walk", Interval("0", "1", high_open=False))
EPSILON_MIX = Parameter("epsilon_mix", "log-distance to stationarity that is asked for (epsilon)", positive, "nat")
BOUNDED = Predicate(
    "|f' - f| <= zeta",
    errors_are_bounded,
    accepts={"largest_error": "0.25", "zeta": "0.25"},
    rejects={"largest_error": "0.26", "zeta": "0.25"},
)

claims = [
    Claim(
        id="bilevel/lem-3.5",
        title="conductance under evaluation errors",
        kind=Kind.BOUND,
        source=BILEVEL.at("Lemma 3.5", "Lemma B.9"),
        says="The conductance phi of a chain with stationary q is the minimum over sets S with 0 < q(S) <= 1/2 of the flow "
        "out of S over q(S). If f is evaluated with errors at most zeta on Omega, the walk's conductance is phi' >= e^{-6 "
        "zeta} phi. Steps: e^{-(f(y)-f(x)-2 zeta)} <= e^{-(f'(y)-f'(x))} <= e^{-(f(y)-f(x)+2 zeta)}; P' and P, q' and q "
        "differ by factors in [e^{-2 zeta}, e^{2 zeta}]; flows fall by e^{-4 zeta} at most, masses rise by e^{2 zeta} at most.",
        uses=("bilevel/grid-walk",),
        parameters=(
            ZETA,
            ERROR,
            PHI,
            Parameter("f_here", "f(x)", reals, "nat"),
            Parameter("f_there", "f(y)", reals, "nat"),
            Parameter("phi_perturbed", "conductance of the walk on f'", nonnegative),
            Parameter("transition_ratio", "P'_xy/P_xy for adjacent x and y", positive),
            Parameter("mass_ratio", "q'(x)/q(x)", positive),
            Parameter("flow_ratio", "flow out of a set on f' over the one on f", positive),
            Parameter("lesser_ratio", "lesser mass of a set and its complement on f' over the one on f", positive),
        ),
        formulas={
            "bound": perturbed_conductance,
            "ratio_printed_below": ratio_printed_below,
            "ratio_printed_above": ratio_printed_above,
            "factor_low": factor_low,
            "factor_high": factor_high,
            "flow_factor": flow_factor,
        },
        asserts=(
            Relation("phi_perturbed", ">=", "bound"),
            Relation("ratio_printed_below", "<=", "e^{-(f'(y) - f'(x))}", step=True),
            Relation("e^{-(f'(y) - f'(x))}", "<=", "ratio_printed_above", step=True),
            Relation("transition_ratio", ">=", "factor_low", step=True),
            Relation("transition_ratio", "<=", "factor_high", step=True),
            Relation("mass_ratio", ">=", "factor_low", step=True),
            Relation("mass_ratio", "<=", "factor_high", step=True),
            Relation("flow_ratio", ">=", "flow_factor", step=True),
            Relation("lesser_ratio", "<=", "factor_high", step=True),
        ),
        preconditions=(BOUNDED,),
        over=("every f and every error function on the centres", "every dimension and grid"),
        note="The bound holds with room: flows are minima of F(x), F(y), so e^{-2 zeta} suffices. The proof's first chain has "
        "its ends exchanged (step only: the next line is right). The proof divides by min(q(S), q(S^c)) over all S, the "
        "definition by q(S) over q(S) <= 1/2; the minima agree. A one-state Omega has no such S.",
    ),
    Claim(
        id="bilevel/lem-3.6",
        title="distance of the sampled laws under evaluation errors",
        kind=Kind.BOUND,
        source=BILEVEL.at("Lemma 3.6", "Lemma B.10", "(13)"),
        says="With F = e^{-f}, F' = e^{-f'}, |f' - f| <= zeta on A: e^{-zeta} <= F'/F <= e^{zeta}, and the normalised "
        "densities have Dist_infinity(pi', pi) = sup |log(pi'/pi)| <= 2 zeta.",
        parameters=(
            ZETA,
            ERROR,
            Parameter("weight_ratio", "F'(theta)/F(theta)", positive),
            Parameter("log_distance", "sup over A of |log(pi'/pi)|", nonnegative, "nat"),
        ),
        formulas={"low": weight_ratio_low, "high": weight_ratio_high, "bound": target_distance},
        asserts=(
            Relation("weight_ratio", ">=", "low"),
            Relation("weight_ratio", "<=", "high"),
            Relation("log_distance", "<=", "bound"),
        ),
        preconditions=(BOUNDED,),
        over=("every f with integrable e^{-f} on A and every measurable error function",),
        note="Tight in the limit: error -zeta on a set of vanishing mass, +zeta elsewhere.",
    ),
    Claim(
        id="bilevel/lem-B.11",
        title="mixing time by conductance",
        kind=Kind.BOUND,
        unproved=True,
        source=BILEVEL.at("(6)", "(14)", "Lemma B.11", "(15)"),
        says="A lazy reversible chain on a finite set with stationary pi is within epsilon of pi, in the supremum over starts "
        "and states of |log(P^t(x, y)/pi(y))|, after at most 1 + integral from 4 pi* to 4/epsilon of 4 dx/(x phi(x)^2) steps, "
        "phi(x) = inf{phi_S : pi(S) <= x}, phi_S the conductance of S, pi* the least mass.",
        parameters=(
            EPSILON_MIX,
            Parameter("pi_star", "least stationary mass of a state", Interval("0", "1", high_open=False)),
            PHI.means("value of the conductance profile, where it is constant"),
            Parameter("mixing_time", "least t with log-distance at most epsilon_mix from every start", nonnegative, "step"),
        ),
        formulas={"bound": evolving_set_bound},
        asserts=(Relation("mixing_time", "<=", "bound"),),
        over=("all lazy reversible chains on finite sets", "every epsilon, which (6) and (14) take >= 0"),
        note="False for large epsilon (domain): the source bounds sup |P^t/pi - 1|, of which epsilon >= 1 says nothing of log "
        "ratios from below; for epsilon > 1/pi* the integral is negative, which neither distance bears. For x >= 1 the infimum "
        "includes the whole set; the source freezes phi at 1/2. The formula is the case of a constant profile.",
    ),
    Claim(
        id="bilevel/lem-3.7",
        title="mixing time under evaluation errors",
        kind=Kind.BOUND,
        source=BILEVEL.at("Lemma 3.7", "Lemma B.12"),
        says="Grid spacing gamma = epsilon/(2 alpha sqrt(d)) on a cube of edge tau, evaluation errors at most zeta: the exact "
        "walk has conductance at least epsilon/(8 alpha tau d^{3/2} e^epsilon), the perturbed one at least e^{-6 zeta} times "
        "that, its stationary masses are at least e^{-alpha tau - 2 zeta}/(tau/gamma)^d, and it comes within log-distance "
        "epsilon of stationarity in e^{12 zeta} O((alpha^2 tau^2 d^2/epsilon^2) e^epsilon max(d ln(alpha tau "
        "sqrt(d)/epsilon), alpha tau)) steps.",
        uses=("bilevel/lem-3.5", "bilevel/lem-B.11"),
        parameters=(
            *(EPSILON_MIX, D, ALPHA),
            Parameter("tau", "edge of the cube", positive, "decision"),
            ZETA,
            ERROR,
            PHI,
            Parameter("gamma_grid", "grid spacing", positive, "decision"),
            Parameter("phi_perturbed", "conductance of the walk on f'", nonnegative),
            Parameter("pi_star", "least stationary mass of the perturbed walk", Interval("0", "1", high_open=False)),
            Parameter("mixing_time", "mixing time of the perturbed walk", nonnegative, "step"),
        ),
        formulas={
            "spacing": grid_spacing,
            "conductance": walk_conductance,
            "perturbed_conductance": perturbed_walk_conductance,
            "least_mass": least_stationary_mass,
            "rate": mixing_rate,
        },
        asserts=(
            Relation("gamma_grid", "=", "spacing"),
            Relation("phi", ">=", "conductance"),
            Relation("phi_perturbed", ">=", "perturbed_conductance"),
            Relation("pi_star", ">=", "least_mass"),
            Relation("mixing_time", "<=O", "rate"),
        ),
        preconditions=(
            BOUNDED,
            Predicate(
                "tau/gamma is an integer, at least 2 (step 1 of the grid walk; a single cell has no conductance)",
                cells_divide,
                accepts={"tau": "1", "gamma_grid": "0.5"},
                rejects={"tau": "1", "gamma_grid": "0.4"},
            ),
            Predicate(
                "the walk is run at all: tau >= 1/alpha (step 3 of the grid walk)",
                walk_is_run,
                accepts={"alpha": "2", "tau": "1.5"},
                rejects={"alpha": "2", "tau": "0.4"},
            ),
        ),
        over=("every convex f, alpha-Lipschitz in the maximum norm, on the cube", "every error function"),
        note="The rate does not follow from the links: conductance with d^{3/2} e^epsilon in Lemma B.11 gives d^3 e^{2 "
        "epsilon}, not d^2 e^epsilon. The known spectral gap gives d^2, so the conclusion may survive by another proof. gamma "
        "<= 1/(2 alpha) of the walk means epsilon <= sqrt(d), not said; for alpha tau sqrt(d) < epsilon the logarithm is "
        "negative. f includes the gauge penalty in use, so alpha must too.",
    ),
]

claims += [
    replace(
        claims[0],
        id="bilevel/lem-3.5-amended",
        amends="bilevel/lem-3.5",
        says="The same with the ends of the chain exchanged: e^{-(f(y)-f(x)+2 zeta)} <= e^{-(f'(y)-f'(x))} <= "
        "e^{-(f(y)-f(x)-2 zeta)}.",
        formulas={
            **{name: f for name, f in claims[0].formulas.items() if not name.startswith("ratio")},
            "ratio_low": ratio_printed_above,
            "ratio_high": ratio_printed_below,
        },
        asserts=(
            claims[0].asserts[0],
            Relation("ratio_low", "<=", "e^{-(f'(y) - f'(x))}"),
            Relation("e^{-(f'(y) - f'(x))}", "<=", "ratio_high"),
            *claims[0].asserts[3:],
        ),
    ),
    replace(
        claims[2],
        id="bilevel/lem-B.11-amended",
        amends="bilevel/lem-B.11",
        says="A lazy reversible chain on a finite set with stationary pi is within epsilon of pi, in the supremum over starts "
        "and states of |log(P^t(x, y)/pi(y))|, after at most 1 + integral from 4 pi* to 4/epsilon of 4 dx/(x phi(x)^2) steps, "
        "if epsilon <= 1; for every epsilon with 4/(1 - e^{-epsilon}) in the place of 4/epsilon. phi(x) = inf{phi_S : pi(S) <= "
        "min(x, 1/2)}, phi_S the flow out of S over pi(S), pi* the least mass.",
        parameters=(
            *claims[2].parameters,
            Parameter("epsilon_any", "a log-distance of any size", positive, "nat"),
            Parameter("mixing_time_any", "least t with log-distance at most epsilon_any from every start", nonnegative, "step"),
        ),
        formulas={"bound": evolving_set_bound, "any_bound": log_distance_bound},
        asserts=(Relation("mixing_time", "<=", "bound"), Relation("mixing_time_any", "<=", "any_bound")),
        preconditions=(
            Predicate("epsilon <= 1", distance_is_small, accepts={"epsilon_mix": "1"}, rejects={"epsilon_mix": "1.01"}),
        ),
        over=(claims[2].over[0],),
        note="The source bounds |P^t/pi - 1|: 1 - e^{-epsilon} of it is enough. Profile frozen beyond 1/2, as there.",
    ),
]
