"""Distribution of a demand that is a linear function of normal features plus an error: a convolution, smooth and increasing."""

from dpsco.spec.claim import Claim, Kind, Relation
from dpsco.spec.domain import Parameter, nonnegative, positive, reals
from dpsco.spec.expressions import Phi, phi, symbols
from dpsco.spec.papers import NEWSVENDOR

density, t, v, z = symbols("density t v z")


demand_integrand = Phi(t / z - v) * density * z
"""Integrand over v of F_y(t): Phi(t/z - v) f(v z) z, with density = f(v z)."""

slope_integrand = phi(t / z - v) * (density * z) / z
"""Integrand over v of F_y'(t): phi(t/z - v) (f(v z) z) / z."""


claims = [
    Claim(
        id="newsvendor/lem-EC.7",
        title="distribution of demand under Gaussian features",
        kind=Kind.IDENTITY,
        source=NEWSVENDOR.at("Lemma EC.7"),
        says="Let y = <theta, x> + error with x from N(0, Sigma), error independent with density f, and z = |Sigma^(1/2) "
        "theta|. Then F_y(t) is the integral over v of Phi(t/z - v) f(v z) z, the convolution of Phi with f(. z) z at t/z. F_y "
        "is differentiable with F_y'(t) = (1/z) times the convolution of Phi' with f(. z) z at t/z, positive everywhere; so "
        "the r-quantile, the least t with F_y(t) >= r, is the only solution of F_y(t) = r.",
        parameters=(
            Parameter("t", "demand", reals, "outcome"),
            Parameter("z", "l2-norm of Sigma^(1/2) theta", positive, "outcome"),
            Parameter("v", "variable of integration", reals),
            Parameter("density", "f(v z)", nonnegative, "1/outcome"),
        ),
        symbols={"density": r"f_{\epsilon^{\star}}(v z)"},
        formulas={"demand_integrand": demand_integrand, "slope_integrand": slope_integrand},
        asserts=(
            Relation("F_y(t)", "=", "integral of demand_integrand over v"),
            Relation("F_y'(t)", "=", "integral of slope_integrand over v"),
            Relation("F_y'(t)", ">", "0"),
        ),
        over=("error densities", "positive definite Sigma"),
        note="The assumptions are those of Theorem 8, which is not at hand; the proof uses Gaussian x with mean 0, which is "
        "neither bounded nor has a constant first feature, as other statements ask. theta = 0 (z = 0) must be excluded: then "
        "F_y is the error's, and part 2 may fail.",
    ),
]
