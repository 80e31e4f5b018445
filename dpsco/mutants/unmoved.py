"""Why no mutant moves certain formulas of certified claims: what the judge made of them when they were moved.

Tried were twice, half, a thousand times and a thousandth of each formula, and for most its products with its arguments. A
formula that another one or a condition calls needs no entry unless the judge says more of it: `dpsco.running.power` finds it.
"""

from collections.abc import Mapping

SILENT = "no assertion rests on it (displayed beside, a choice of another theorem, a second reading): the verdict stays"
TRUE = "multiplied by a constant it makes the assertion no less true"
OPEN = "a moved one is not certified, but open: the judge refutes no false one"
UNREAD = "the judge stops with an error at some moved ones: it reads an order from simpler expressions only"
STEP = "it stands in a printed step that is false, or whose amendment moves it: the statement's verdict does not rest on it"

REASONS: Mapping[str, Mapping[str, str]] = {
    SILENT: {
        "bilevel/eq-18-amended": "M_pure norm_high",
        "bilevel/thm-4.2-amended": "beta_Phi_of_21",
        "lp/alg-6-amended": "phase_sigma",
        "lp/lem-14": "eta_proof eta_theorem_13",
        "lp/lem-14-risk-amended": "eta_theorem_13",
        "lp/regular-amended": "kappa_plus",
        "lp/thm-10-freedman-amended": "largest_tau_theorem_10 largest_tau_theorem_14",
        "lp/thm-5-amended": "strong_convexity",
        "newsvendor/alg-GP": "steps",
        "newsvendor/prop-EC.1": "sigma_least",
        "newsvendor/sec-EC.2-moreau-amended": "smoothness_moreau smoothness_convolution",
        "newsvendor/thm-7-reduction-amended": "label_change",
        "newsvendor/thm-EC.1-condition-amended": "statistical_term",
        "quantile/alg-1": "variance",
        "quantile/alg-2": "variance lipschitz smoothness",
        "quantile/alg-2-amended": "lipschitz smoothness",
        "quantile/app-C-coefficient": "phase_noise",
        "quantile/lem-4.3-amended": "variance",
        "quantile/thm-3.2-amended": "gradient_sensitivity",
        "quantile/thm-3.6-2-amended": "variance",
        "quantile/thm-4.5-amended": "variance regularisation regularisation_in_order bandwidth_in_order "
        "privacy_rate condition_left_at condition_right_at rate",
    },
    TRUE: {
        "quantile/alg-1-amended": "variance",
    },
    OPEN: {
        "bilevel/eq-3-amended": "s Psi_defined",
        "bilevel/grid-walk-amended": "density_error enough_steps",
        "bilevel/lem-3.7": "spacing",
        "bilevel/thm-3.1-amended": "mu",
        "bilevel/thm-3.8-amended": "cells time",
        "bilevel/thm-4.2-amended": "eta_chosen",
        "bilevel/thm-4.3-amended": "alpha_chosen eta_chosen Psi_defined L_bar_defined",
        "bilevel/thm-B.13-amended": "cells time",
        "lp/thm-14-amended-risk": "sigma_1_squared",
        "lp/thm-7-amended": "alpha_choice",
        "lp/thm-9-amended": "delta_0_choice",
        "newsvendor/prop-EC.2-amended": "revenue_loss_uncertainty",
        "newsvendor/thm-4-amended": "bandwidth",
        "newsvendor/thm-5-amended": "steps",
        "newsvendor/thm-6-amended": "bandwidth",
        "newsvendor/thm-EC.1-amended": "lambda_chosen sigma",
        "quantile/lem-4.2": "margin",
        "quantile/lem-B.2": "regulariser_deviation covering_scale",
        "quantile/thm-3.4-amended": "bandwidth",
        "quantile/thm-3.7-comparator-amended": "excess_over_ball excess_over_box",
        "quantile/thm-4.6-amended": "excess_cost",
        "spo/thm-3-and-4-amended": "smoothing step_length",
        "spo/thm-4-amended": "smoothing step_length",
        "spo/thm-7-amended": "smoothing",
    },
    STEP: {
        "bilevel/lem-3.5": "ratio_printed_below ratio_printed_above",
        "lp/lem-6": "largest_mean mean_largest",
        "lp/thm-4": "output_noise_term optimisation_term generalisation_step noise_distance noise_excess noise_rate "
        "lambda_choice",
        "newsvendor/lem-EC.8": "slope_left",
        "quantile/lem-4.2": "conditional_bias",
        "quantile/thm-3.4": "variance bandwidth closed_form closed_form_inside_root rate",
    },
    UNREAD: {
        "lp/thm-4-amended": "lambda_choice",
        "lp/thm-7-amended": "noise_scale_rate stability_rate empirical_excess_rate",
        "quantile/thm-3.4-amended": "rate",
    },
}
"""By reason and claim: names of formulas, with blanks between them."""
