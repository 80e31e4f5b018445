"""Judge of the grid walk under evaluation errors: conductance, densities, mixing time from conductance, number of steps."""

from functools import partial

from dpsco.arguments.algorithms.grid_walk.evolving_sets import mixing_time
from dpsco.arguments.algorithms.grid_walk.perturbation import conductance_falls, densities_are_near, ratio, step, weight
from dpsco.arguments.algorithms.grid_walk.walk_mixing import link, spacing_is_chosen, steps_are_of_order
from dpsco.arguments.assertions import Table, reading
from dpsco.arguments.comparing import every_sign
from dpsco.mutants.algorithms.grid_walk import mixing as mutants
from dpsco.spec.claim import Relation

RATIO = "e^{-(f'(y) - f'(x))}"
OF_CONDUCTANCE: Table = {
    **every_sign("phi_perturbed", "bound", conductance_falls),
    **every_sign("ratio_printed_below", RATIO, ratio("ratio_printed_below", "left")),
    **every_sign(RATIO, "ratio_printed_above", ratio("ratio_printed_above", "right")),
    **every_sign("ratio_low", RATIO, ratio("ratio_low", "left")),
    **every_sign(RATIO, "ratio_high", ratio("ratio_high", "right")),
    **every_sign("transition_ratio", "factor_low", step("transition", "factor_low")),
    **every_sign("transition_ratio", "factor_high", step("transition", "factor_high")),
    **every_sign("mass_ratio", "factor_low", step("mass", "factor_low")),
    **every_sign("mass_ratio", "factor_high", step("mass", "factor_high")),
    **every_sign("flow_ratio", "flow_factor", step("flow", "flow_factor")),
    **every_sign("lesser_ratio", "factor_high", step("lesser", "factor_high")),
}
OF_DENSITIES: Table = {
    **every_sign("weight_ratio", "low", weight("low")),
    **every_sign("weight_ratio", "high", weight("high")),
    **every_sign("log_distance", "bound", densities_are_near),
}
OF_CHAINS: Table = {
    **every_sign("mixing_time", "bound", partial(mixing_time, "bound", "epsilon_mix")),
    **every_sign("mixing_time_any", "any_bound", partial(mixing_time, "any_bound", "epsilon_any")),
}
OF_WALKS: Table = {
    **every_sign("gamma_grid", "spacing", spacing_is_chosen),
    **every_sign("phi", "conductance", partial(link, "conductance", "phi")),
    **every_sign("phi_perturbed", "perturbed_conductance", partial(link, "perturbed_conductance", "perturbed")),
    **every_sign("pi_star", "least_mass", partial(link, "least_mass", "mass")),
    Relation("mixing_time", "<=O", "rate"): steps_are_of_order,
}

JUDGES = {
    "bilevel/lem-3.5": reading(OF_CONDUCTANCE),
    "bilevel/lem-3.5-amended": reading(OF_CONDUCTANCE),
    "bilevel/lem-3.6": reading(OF_DENSITIES),
    "bilevel/lem-B.11": reading(OF_CHAINS),
    "bilevel/lem-B.11-amended": reading(OF_CHAINS),
    "bilevel/lem-3.7": reading(OF_WALKS),
}

MUTANTS = {
    "bilevel/lem-3.5": mutants.of_printed_conductance,
    "bilevel/lem-3.5-amended": mutants.of_conductance,
    "bilevel/lem-3.6": mutants.of_densities,
    "bilevel/lem-B.11-amended": mutants.of_chains,
    "bilevel/lem-3.7": mutants.of_walks,
}
