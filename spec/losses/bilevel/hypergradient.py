"""The gradient of a bilevel objective by the implicit function theorem, its approximation, and how both vary.

Derivatives are those of the means over the data: F_x = grad_x F_Z, G_xy = grad_xy G_Z, and so on.
"""

from random import Random

from dpsco.spec.claim import Adjacency, Claim, Kind, Relation
from dpsco.spec.contract import FINITE, SUM_SCALED, Inputs, contract
from dpsco.spec.domain import Parameter, nonnegative, positive, reals
from dpsco.spec.expressions import absolute, symbols
from dpsco.spec.losses.bilevel.assumptions import LIPSCHITZ, LIPSCHITZ_HOLDS, PROBLEMS, SMOOTH, SMOOTH_HOLDS
from dpsco.spec.papers import BILEVEL
from dpsco.spec.parameters import N
from dpsco.spec.predicate import Predicate

C_gxy, C_gyy, F_x, F_y, G_xy, G_yy, L_fx, L_fy = symbols("C_gxy C_gyy F_x F_y G_xy G_yy L_fx L_fy")
L_gy, M_gxy, M_gyy, beta_fxx, beta_fxy, beta_fyy = symbols("L_gy M_gxy M_gyy beta_fxx beta_fxy beta_fyy")
beta_gxy, beta_gyy, matrix_1, matrix_2, mu_g, n = symbols("beta_gxy beta_gyy matrix_1 matrix_2 mu_g n")
norm_difference, norm_inverse_1, norm_inverse_2 = symbols("norm_difference norm_inverse_1 norm_inverse_2")


hypergradient = F_x - G_xy / G_yy * F_y
"""One-dimensional x and y; at y = y_Z(x) the gradient of Phi_Z, elsewhere its approximation."""

gradient_bound = L_fx + beta_gxy * L_fy / mu_g
"""L_bar."""

approximation_constant = beta_fxy + beta_fyy * beta_gxy / mu_g + L_fy * (C_gxy / mu_g + C_gyy * beta_gxy / mu_g**2)
"""C of (11)."""

sensitivity_constant = 2 * (
    beta_fxy * L_gy / mu_g
    + 2 * gradient_bound
    + beta_gxy * beta_fyy * L_gy / mu_g**2
    + L_fy * C_gxy * L_gy / mu_g**2
    + L_fy * beta_gxy * L_gy * C_gyy / mu_g**3
    + L_fy * beta_gyy * beta_gxy / mu_g**2
)
"""K of (12)."""

gradient_sensitivity = 2 * sensitivity_constant / n
response_sensitivity = (
    2 * C_gxy * L_gy / (mu_g**2 * n)
    + beta_gxy * 2 * C_gyy * L_gy / (mu_g**3 * n)
    + beta_gxy * 2 * beta_gyy / (mu_g**2 * n)
    + 2 * beta_gxy / (mu_g * n)
)
"""Bound of the proof on the change of M_Z = grad_xy G_Z [grad_yy G_Z]^{-1} at its own lower minimiser."""

smoothness = (
    beta_fxx
    + 2 * beta_fxy * beta_gxy / mu_g
    + beta_gxy**2 * beta_fyy / mu_g**2
    + L_fy * beta_gxy / mu_g**2 * (M_gyy + C_gyy * beta_gxy / mu_g)
    + L_fy * C_gxy * beta_gxy / mu_g**2
    + L_fy * M_gxy / mu_g
)
"""beta_Phi of (21)."""

inverse_difference = absolute(1 / matrix_1 - 1 / matrix_2)
"""Left side for 1 x 1 matrices."""

inverse_difference_bound = norm_inverse_1 * norm_difference * norm_inverse_2
first_is_invertible = absolute(matrix_1) > 0
second_is_invertible = absolute(matrix_2) > 0
mean_hessian_is_bounded_below = G_yy >= mu_g


def any_system(random: Random) -> Inputs:
    """Derivatives at one point: d_y up to 9, a Hessian B B' + mu I of condition up to about 1e6, scales from 1e-3 to 1e3."""
    d_x, d_y = random.choice((1, 2, 5)), random.choice((1, 2, 3, 9))
    B = [[random.gauss(0, 1) for _ in range(d_y)] for _ in range(d_y)]
    mu = 10 ** random.uniform(-5, 1)
    scale = 10 ** random.uniform(-3, 3)
    return {
        "F_x": [random.gauss(0, 1) for _ in range(d_x)],
        "F_y": [random.gauss(0, scale) for _ in range(d_y)],
        "G_xy": [[random.gauss(0, 1) for _ in range(d_y)] for _ in range(d_x)],
        "G_yy": [[sum(x * y for x, y in zip(a, b, strict=True)) + mu * (a is b) for b in B] for a in B],
    }


@contract(metric=SUM_SCALED, range=FINITE, generate=any_system)
def implicit_gradient(F_x: object, F_y: object, G_xy: object, G_yy: object) -> object:
    """The gradient of a bilevel objective from the derivatives at its lower minimiser, elsewhere its approximation barF.

    grad Phi = F_x - G_xy G_yy^{-1} F_y

    Domain   F_x: d_x, F_y: d_y, G_xy: d_x x d_y, G_yy: d_y x d_y, symmetric, positive definite
    Returns  d_x numbers (loss/decision); their error is measured against |F_x| + |G_xy| |G_yy^{-1}| (|G_yy| |w| + |F_y|), w =
             G_yy^{-1} F_y, entry by entry
    Raises   ValueError for shapes that do not fit, and for a Hessian that is not positive definite
    Source   bilevel, (9)
    """


ASSUMED = (*LIPSCHITZ, *SMOOTH)
HOLDS = (*LIPSCHITZ_HOLDS, *SMOOTH_HOLDS)

claims = [
    Claim(
        id="bilevel/eq-9",
        title="hypergradient and its approximation",
        kind=Kind.IDENTITY,
        source=BILEVEL.at("Section 4.1, display before (9)", "(9)"),
        says="Under Assumptions 2.1 and 2.2: grad Phi_Z(x) = grad_x F_Z - grad_xy G_Z [grad_yy G_Z]^{-1} grad_y F_Z, "
        "everything at (x, y_Z(x)). The approximation barF_Z(x, y) is the same expression at (x, y), and equals the gradient "
        "where y = y_Z(x).",
        parameters=(
            *ASSUMED,
            Parameter("F_x", "grad_x F_Z(x, y)", reals, "loss/decision"),
            Parameter("F_y", "grad_y F_Z(x, y)", reals, "loss/inner"),
            Parameter("G_xy", "grad_xy G_Z(x, y)", reals, "inner loss/(decision inner)"),
            Parameter("G_yy", "grad_yy G_Z(x, y), positive by strong convexity", positive, "inner loss/inner^2"),
        ),
        formulas={"hypergradient": hypergradient},
        asserts=(Relation("grad Phi_Z(x)", "=", "hypergradient"),),
        preconditions=(
            *HOLDS,
            Predicate(
                "grad_yy G_Z >= mu_g, as strong convexity has it",
                mean_hessian_is_bounded_below,
                accepts={"G_yy": "2", "mu_g": "2"},
                rejects={"G_yy": "1.99", "mu_g": "2"},
            ),
        ),
        over=(PROBLEMS, "every x and y, X = R^{d_x}"),
        note="Needs the unconstrained lower minimiser and twice differentiable g; the formula is the case d_x = d_y = 1, in "
        "general grad_xy G_Z is the d_x x d_y matrix and the quotient a product with the inverse.",
    ),
    Claim(
        id="bilevel/eq-11",
        title="error of the approximate hypergradient",
        kind=Kind.SENSITIVITY,
        source=BILEVEL.at("(11)", "(19)"),
        says="For all x and y: |grad Phi_Z(x) - barF_Z(x, y)| <= C |y_Z(x) - y|, C = beta_fxy + beta_fyy beta_gxy/mu_g + L_fy "
        "(C_gxy/mu_g + C_gyy beta_gxy/mu_g^2).",
        parameters=(
            *ASSUMED,
            Parameter(
                "quotient", "supremum of |grad Phi_Z(x) - barF_Z(x, y)| / |y_Z(x) - y|", nonnegative, "loss/(decision inner)"
            ),
        ),
        symbols={"quotient": r"\sup \|\nabla \hat{\Phi}_Z(x) - \bar{\nabla} \hat{F}_Z(x, y)\| / \|\hat{y}^{*}_{Z}(x) - y\|"},
        formulas={"C": approximation_constant},
        asserts=(Relation("quotient", "<=", "C"),),
        preconditions=HOLDS,
        over=(PROBLEMS, "every Z, x and y"),
        note="Main text: any x, y; the appendix: any (x, y) in X x Y. Uses L_fy and the Hessian bounds off Y too.",
    ),
    Claim(
        id="bilevel/eq-20",
        title="sensitivity of the hypergradient",
        kind=Kind.SENSITIVITY,
        source=BILEVEL.at("(12)", "(20)", "Lemma C.1, proof", "definition of L_bar before (11)"),
        says="For neighbours and every x: |grad Phi_Z(x) - grad Phi_Z'(x)| <= 2K/n, K of (12). On the way: L_bar = L_fx + "
        "beta_gxy L_fy/mu_g bounds |grad f(x, y_Z(x), z)| for every z, and M_Z = grad_xy G_Z [grad_yy G_Z]^{-1}, each at its "
        "own lower minimiser, changes by at most 2 C_gxy L_gy/(mu_g^2 n) + 2 beta_gxy C_gyy L_gy/(mu_g^3 n) + 2 beta_gxy "
        "beta_gyy/(mu_g^2 n) + 2 beta_gxy/(mu_g n).",
        uses=("bilevel/eq-9", "bilevel/inverse-perturbation", "bilevel/lem-B.5", "bilevel/thm-3.2-sensitivity"),
        parameters=(
            N,
            *ASSUMED,
            Parameter(
                "gradient_change", "supremum of |grad Phi_Z - grad Phi_Z'| over neighbours and x", nonnegative, "loss/decision"
            ),
            Parameter("record_gradient", "supremum of |grad f(x, y_Z(x), z)| over Z, x and z", nonnegative, "loss/decision"),
            Parameter("response_change", "supremum of |M_Z - M_Z'| over neighbours and x", nonnegative, "inner/decision"),
        ),
        formulas={
            "K": sensitivity_constant,
            "bound": gradient_sensitivity,
            "L_bar": gradient_bound,
            "response": response_sensitivity,
        },
        asserts=(
            Relation("gradient_change", "<=", "bound"),
            Relation("record_gradient", "<=", "L_bar"),
            Relation("response_change", "<=", "response"),
        ),
        preconditions=HOLDS,
        over=(PROBLEMS, "all neighbours Z, Z'", "every x"),
        adjacency=Adjacency.REPLACE_ONE,
        note="grad f is the total derivative in x along y_Z. The terms of the proof add up to K/n (the last term of the "
        "response times L_fy is at most 2 L_bar/n), so 2K/n holds with a factor 2 to spare.",
    ),
    Claim(
        id="bilevel/lem-C.2",
        title="smoothness of the bilevel objective",
        kind=Kind.SENSITIVITY,
        source=BILEVEL.at("Lemma C.2", "(21)"),
        says="Under Assumptions 2.1 and 2.2, |grad Phi_Z(x1) - grad Phi_Z(x2)| <= beta_Phi |x1 - x2| with beta_Phi = beta_fxx "
        "+ 2 beta_fxy beta_gxy/mu_g + beta_gxy^2 beta_fyy/mu_g^2 + (L_fy beta_gxy/mu_g^2)(M_gyy + C_gyy beta_gxy/mu_g) + L_fy "
        "C_gxy beta_gxy/mu_g^2 + L_fy M_gxy/mu_g.",
        uses=("bilevel/eq-9", "bilevel/inverse-perturbation", "bilevel/lem-B.5"),
        parameters=(
            *ASSUMED,
            Parameter("quotient", "largest difference quotient of grad Phi_Z", nonnegative, "loss/decision^2"),
        ),
        formulas={"beta_Phi": smoothness},
        asserts=(Relation("quotient", "<=", "beta_Phi"),),
        preconditions=HOLDS,
        over=(PROBLEMS, "every Z, x1 and x2"),
        note="Displays of the proof write Phi_Z(x, y) and F_Z for grad_x F_Z and grad_y F_Z.",
    ),
    Claim(
        id="bilevel/inverse-perturbation",
        title="perturbation of an inverse matrix",
        kind=Kind.BOUND,
        source=BILEVEL.at("after Lemma 4.1", "proof of Lemma C.1", "proof of Lemma C.2"),
        says="For invertible matrices M and N of one shape, in operator norm: |M^{-1} - N^{-1}| <= |M^{-1}| |M - N| |N^{-1}|.",
        parameters=(
            Parameter("matrix_1", "M, of size 1 x 1", reals),
            Parameter("matrix_2", "N, of size 1 x 1", reals),
            Parameter("norm_inverse_1", "|M^{-1}|", positive),
            Parameter("norm_inverse_2", "|N^{-1}|", positive),
            Parameter("norm_difference", "|M - N|", nonnegative),
        ),
        formulas={"left": inverse_difference, "bound": inverse_difference_bound},
        asserts=(Relation("left", "<=", "bound"),),
        preconditions=(
            Predicate("M is invertible", first_is_invertible, accepts={"matrix_1": "-2"}, rejects={"matrix_1": "0"}),
            Predicate("N is invertible", second_is_invertible, accepts={"matrix_2": "3"}, rejects={"matrix_2": "0"}),
        ),
        over=("all pairs of invertible square matrices of one size, and any submultiplicative norm",),
        note="Follows from M^{-1} - N^{-1} = M^{-1} (N - M) N^{-1}; an equality for 1 x 1 matrices.",
    ),
]
