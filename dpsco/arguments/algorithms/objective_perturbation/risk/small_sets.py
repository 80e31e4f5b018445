"""A set of size below one, where the printed choice of lambda for strongly convex losses need not be zero."""

from typing import Any

import sympy

from dpsco.arguments.algorithms.objective_perturbation.privacy.steps import never_negative
from dpsco.arguments.comparing import admitted
from dpsco.arguments.formula import apply
from dpsco.reference.numbers.symbolic import symbolic
from dpsco.spec.claim import Claim

SMALL_SET = {
    **{
        "L": "1",
        "C_norm": "0.1",
        "n": "100",
        "Delta": "0.015625",
        "least_modulus": "0.015625",
        "r": "1",
        "beta": "900",
        "d": "1",
    },
    **{"epsilon": "10", "delta": "0.999999", "c_n": "1", "alpha": "1e-30", "c_alpha": "1", "G_C": "0.08"},
    **{"largest_gradient_norm": "0.234375", "largest_eigenvalue": "1.5625"},
}


def beside(claim: Claim) -> tuple[Any, Any, Any, Any] | None:
    """theta' - theta_1 at G = 0, mu, |C|_2 and lambda of `parabolas.INSIDE`, in fractions; None if the claim excludes it."""
    if not admitted(claim, [SMALL_SET]):
        return None
    v = {key: symbolic().real(value) for key, value in SMALL_SET.items()}
    mu = v["Delta"] / v["C_norm"] ** 2
    ridge = apply(claim.formulas["lambda_choice"], symbolic(), v)
    a = mu * v["C_norm"] / 2
    return a / mu - a / (mu + 2 * ridge), mu, v["C_norm"], ridge


def no_ridge(claim: Claim) -> bool:
    """Whether lambda = 0 for |C|_2 >= 1: r beta/(epsilon n) = L/(sqrt(n) c) - v, Delta = L c/sqrt(n) + u, c^2 = 1 + w."""
    u, w, L, root, x = sympy.symbols("u w L root x", positive=True)
    c = sympy.sqrt(1 + w)
    known = {"r": sympy.Integer(1), "epsilon": sympy.Integer(1), "n": sympy.Integer(1), "beta": x}
    modulus = sympy.Symbol("modulus", positive=True)
    chosen = apply(claim.formulas["lambda_choice"], symbolic(), {**known, "Delta": modulus})
    if not isinstance(chosen, sympy.Max) or len(chosen.args) != 2 or 0 not in chosen.args:
        return False
    (other,) = (part for part in chosen.args if part != 0)
    largest = other.subs({x: L / (root * c), modulus: L * c / root + u})
    grows = sympy.diff(other, x).is_positive
    return bool(grows) and never_negative(
        sympy.expand(sympy.simplify(-largest * root * c)).subs(c, sympy.Symbol("c", positive=True))
    )
