"""A supplier and a newsvendor who orders by objective perturbation: who gains from the newsvendor's privacy.

The newsvendor's critical ratio is (price - wholesale) / price; demand is linear with standard normal error.
"""

from dataclasses import replace

from dpsco.spec.algorithms.objective_perturbation.asymptotics import order_rate
from dpsco.spec.claim import Claim, Kind, Relation
from dpsco.spec.conjunction import all_of
from dpsco.spec.domain import Interval, Parameter, nonnegative, positive, reals
from dpsco.spec.expressions import Phi, equal, phi, sqrt, symbols
from dpsco.spec.papers import NEWSVENDOR
from dpsco.spec.parameters import KAPPA_2, LAMBDA, SIGMA, H, N
from dpsco.spec.predicate import Predicate

cost, h, kappa_2, lambda_, least_cost, leverage = symbols("cost h kappa_2 lambda_ least_cost leverage")
order, order_private, price, ridge_limit = symbols("order order_private price ridge_limit")
smallest_order, u_x, v_x, wholesale, z = symbols("smallest_order u_x v_x wholesale z")


revenue_newsvendor = (price - wholesale) * order
revenue_chain = (price - cost) * order
revenue_loss_uncertainty = (price - wholesale) * z
revenue_loss_supplier = (wholesale - cost) * (order - order_private)

_fixed = least_cost + revenue_loss_uncertainty
_chain = revenue_chain - revenue_loss_supplier
share_newsvendor = (revenue_newsvendor - _fixed) / (_chain - _fixed)
revenue_loss_expansion = (wholesale - cost) * (2 * lambda_ * u_x + h**2 * kappa_2 * v_x / 2)
slope_over_density = -z
"""f'(0)/f(0) for the density f of N(-z, 1)."""

_r = (price - wholesale) / price
limit_probability = Phi(2 * ridge_limit * u_x * phi(z) / sqrt(_r * (1 - _r) * leverage))
"""Limit of Pr[q_private(x) < q*(x)]: sqrt(n) (q* - q_private) tends to a normal variable around 2 ridge_limit u'x."""

newsvendor_gains = revenue_newsvendor > least_cost + revenue_loss_uncertainty
prices_are_ordered = all_of(price > wholesale, wholesale > cost)
orders_are_positive = smallest_order > 0
is_critical_quantile = equal(Phi(z), (price - wholesale) / price)


claims = [
    Claim(
        id="newsvendor/prop-EC.2",
        title="supplier's share of the profit",
        kind=Kind.ASYMPTOTIC,
        source=NEWSVENDOR.at("Proposition EC.2", "Proposition 4", "display (EC.70)"),
        says="Production cost c > 0, wholesale price w > c, retail price p > w; y = <theta, x> + N(0, 1); <theta*, x> > 0 for "
        "all x, theta* the minimiser of the cost C(theta) = E[(p - w)(y - theta'x)^+ + w (theta'x - y)^+]. With order q(x), "
        "the newsvendor expects p E min(y, q) - w q, the supplier earns (w - c) q. Under objective perturbation the "
        "newsvendor's share of the joint profit is (RevN - C - U) / (Rev - C - U - P), up to terms of smaller order than P, "
        "where RevN = (p - w) q*, Rev = (p - c) q*, U = (p - w) z with z = Phi^{-1}((p - w)/p), C = C(theta*), P = (w - c)(q* "
        "- q_private). With high probability P > 0, so the supplier's share falls: P = (w - c)(2 lambda u'x + h^2 kappa_2 v'x "
        "/ 2) + O_p(1/sqrt(n) + sigma/n), as in Proposition 2; u'x > 0 for all x because <theta*, x> > 0; v'x = f'(0)/f(0), "
        "nonnegative if w >= p/2; and if w < p/2 the first term wins because lambda is at least of the order of h^2, by the "
        "chosen values and the analysis around (EC.19).",
        uses=("newsvendor/lem-EC.8", "newsvendor/prop-2", "newsvendor/thm-2"),
        parameters=(
            N,
            LAMBDA,
            H,
            KAPPA_2,
            SIGMA.means("standard deviation of the noise vector b, per coordinate"),
            Parameter("price", "retail price p", positive, "money/outcome"),
            Parameter("wholesale", "wholesale price w", positive, "money/outcome"),
            Parameter("cost", "production cost", positive, "money/outcome"),
            Parameter("order", "q*(x), optimal order", positive, "outcome"),
            Parameter("order_private", "private order at x", reals, "outcome"),
            Parameter("least_cost", "C(theta*)", positive, "money"),
            Parameter("z", "Phi^{-1}((p - w)/p)", reals, "outcome"),
            Parameter("u_x", "u'x, u = J^{-1} theta*", reals),
            Parameter("v_x", "v'x, v = J^{-1} E[f'(0) x]", reals),
            Parameter("smallest_order", "infimum of q*(x) over feature vectors", reals, "outcome"),
        ),
        symbols={"least_cost": r"C(\theta^{*})"},
        formulas={
            "revenue_newsvendor": revenue_newsvendor,
            "revenue_chain": revenue_chain,
            "revenue_loss_uncertainty": revenue_loss_uncertainty,
            "revenue_loss_supplier": revenue_loss_supplier,
            "share_newsvendor": share_newsvendor,
            "revenue_loss_expansion": revenue_loss_expansion,
            "slope_over_density": slope_over_density,
            "order_rate": order_rate,
        },
        asserts=(
            Relation("newsvendor's share of the joint profit", "~", "share_newsvendor, up to o(revenue_loss_supplier)"),
            Relation(
                "revenue_loss_supplier - revenue_loss_expansion",
                "<=O",
                "order_rate (in probability), up to o(lambda) + o(h^2)",
            ),
            Relation("smallest_order > 0", "=>", "u_x > 0 for every x", step=True),
            Relation("v_x", "=", "slope_over_density", step=True),
            Relation("lambda_", ">=Omega", "h^2", step=True),
            Relation("Pr[revenue_loss_supplier > 0]", "~", "1"),
        ),
        preconditions=(
            Predicate(
                "p > w > production cost",
                prices_are_ordered,
                accepts={"price": "2", "wholesale": "1", "cost": "0.5", "order": "3", "least_cost": "0.8"},
                rejects={"price": "2", "wholesale": "1", "cost": "1.5"},
            ),
            Predicate(
                "the optimal order is positive at every x",
                orders_are_positive,
                accepts={"smallest_order": "0.5"},
                rejects={"smallest_order": "-0.5"},
            ),
            Predicate(
                "z = Phi^{-1}((p - w)/p)",
                is_critical_quantile,
                accepts={"price": "2", "wholesale": "1", "z": "0"},
                rejects={"price": "2", "wholesale": "1", "z": "1"},
            ),
        ),
        over=("feature distributions, standardised", "new feature vectors x"),
        note="Proposition EC.2 is the formal version of Proposition 4, printed here; 'with high probability' has no level. "
        "Faults: (1) the chosen lambda is of order 1/sqrt(n) + sigma sqrt(d)/n, as is the random term, so Pr[P > 0] tends to "
        "a number below 1 (for d = 1, x = 1 and fixed epsilon about Phi(2 sqrt(2) r_bar theta* / (B sqrt(r (1 - r)))), r = (p "
        "- w)/p, near 1/2 if B is large against theta*); (2) u'x = theta*' J^{-1} x is not positive because theta*'x is, "
        "where standardised features are correlated (standardised: mean 0 and variance 1 each; elsewhere the paper has a "
        "covariance Sigma, so not E[x x'] = I); (3) lambda >= h^2 in order holds for epsilon >= C n^(-1/4), which the "
        "analysis around (EC.19) demands; the constant may still let v'x < 0 win; (4) P = Theta(|theta - theta*|) is needed "
        "for the o(P). C(theta*) = p phi(z). The scan's symbol v is both cost and vector. 'Recall Proposition 2': up to "
        "o(lambda) + o(h^2), as there.",
    ),
]

PRINTED = claims[0]

claims += [
    replace(
        PRINTED,
        id="newsvendor/prop-EC.2-amended",
        amends="newsvendor/prop-EC.2",
        says="The same where the newsvendor's optimal profit at x is positive, lambda and h tend to 0 and, for the order of "
        "h^2, epsilon >= C n^(-1/4); u'x is positive on average over the features, not at every x; and if sqrt(n) lambda tends "
        "to a limit, sqrt(n) h^2 and sigma/sqrt(n) to 0, as for the chosen values at a fixed epsilon, Pr[P > 0] tends to Phi(2 "
        "ridge_limit u'x f(0)/sqrt(r (1-r) x'E[x x']^{-1}x)), r = (p - w)/p.",
        parameters=(
            *PRINTED.parameters,
            Parameter("ridge_limit", "limit of sqrt(n) lambda", nonnegative),
            Parameter("leverage", "x'E[x x']^{-1}x", Interval("1", "inf", low_open=False)),
        ),
        formulas={**PRINTED.formulas, "limit_probability": limit_probability},
        asserts=(
            *PRINTED.asserts[:2],
            Relation("smallest_order > 0", "=>", "mean of u_x over the features > 0"),
            *PRINTED.asserts[3:5],
            Relation("Pr[revenue_loss_supplier > 0]", "~", "limit_probability"),
        ),
        preconditions=(
            *PRINTED.preconditions,
            Predicate(
                "the newsvendor's optimal profit at x is positive",
                newsvendor_gains,
                accepts={"price": "2", "wholesale": "1", "order": "3", "least_cost": "0.8", "z": "0"},
                rejects={"price": "2", "wholesale": "1", "order": "0.6", "least_cost": "0.8", "z": "0"},
            ),
        ),
        note="",
    ),
]
