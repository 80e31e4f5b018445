"""The constants of a bilevel problem, and the two standing assumptions as conditions on numbers.

An assumption bounds a slope or a curvature of f or g; the problem's own slopes and curvatures are parameters, named
`slope_...`, `curvature_...` and `variation_...`, and the assumption says which constant bounds them.
"""

from dpsco.spec.conjunction import all_of
from dpsco.spec.domain import Parameter, naturals, nonnegative, positive
from dpsco.spec.expressions import symbols
from dpsco.spec.predicate import Predicate

C_gxy, C_gyy, L_fx, L_fy, L_gy, M_gxy, M_gyy = symbols("C_gxy C_gyy L_fx L_fy L_gy M_gxy M_gyy")
beta_fxx, beta_fxy, beta_fyy, beta_gxy, beta_gyy = symbols("beta_fxx beta_fxy beta_fyy beta_gxy beta_gyy")
convexity_defect, curvature_G_xy, curvature_f_x_y = symbols("convexity_defect curvature_G_xy curvature_f_x_y")
curvature_f_xx, curvature_f_xy, curvature_f_yy = symbols("curvature_f_xx curvature_f_xy curvature_f_yy")
curvature_g_xy, curvature_g_yy = symbols("curvature_g_xy curvature_g_yy")
least_curvature_g_yy, mu_g, slope_f_x, slope_f_y = symbols("least_curvature_g_yy mu_g slope_f_x slope_f_y")
slope_g_y, variation_g_xy_x, variation_g_xy_y = symbols("slope_g_y variation_g_xy_x variation_g_xy_y")
variation_g_yy_x, variation_g_yy_y = symbols("variation_g_yy_x variation_g_yy_y")

D_X_DIM = Parameter("d_x", "dimension of the upper variable x", naturals)
D_Y_DIM = Parameter("d_y", "dimension of the lower variable y", naturals)
D_X = Parameter("D_x", "l2-diameter of the domain of x (the paper also admits infinity)", nonnegative, "decision")
D_Y = Parameter("D_y", "diameter of the set of lower minimisers (never defined by the paper)", nonnegative, "inner")

L_FX = Parameter("L_fx", "Lipschitz constant of f in x", nonnegative, "loss/decision")
L_FY = Parameter("L_fy", "Lipschitz constant of f in y", nonnegative, "loss/inner")
L_GY = Parameter("L_gy", "Lipschitz constant of g in y on the compact set Y", nonnegative, "inner loss/inner")
MU_G = Parameter("mu_g", "strong convexity constant of g in y", positive, "inner loss/inner^2")

BETA_FXX = Parameter("beta_fxx", "Lipschitz constant of grad_x f in x", nonnegative, "loss/decision^2")
BETA_FXY = Parameter(
    "beta_fxy", "Lipschitz constant of grad_x f in y and of grad_y f in x", nonnegative, "loss/(decision inner)"
)
BETA_FYY = Parameter("beta_fyy", "Lipschitz constant of grad_y f in y", nonnegative, "loss/inner^2")
BETA_GXY = Parameter("beta_gxy", "bound on the operator norm of grad_xy g", nonnegative, "inner loss/(decision inner)")
BETA_GYY = Parameter("beta_gyy", "bound on the operator norm of grad_yy g", nonnegative, "inner loss/inner^2")
M_GXY = Parameter("M_gxy", "Lipschitz constant of grad_xy g in x", nonnegative, "inner loss/(decision^2 inner)")
M_GYY = Parameter("M_gyy", "Lipschitz constant of grad_yy g in x", nonnegative, "inner loss/(decision inner^2)")
C_GXY = Parameter("C_gxy", "Lipschitz constant of grad_xy g in y", nonnegative, "inner loss/(decision inner^2)")
C_GYY = Parameter("C_gyy", "Lipschitz constant of grad_yy g in y", nonnegative, "inner loss/inner^3")

CONVEXITY_DEFECT = Parameter(
    "convexity_defect",
    "supremum over x, x', Z and t in [0, 1] of Phi_Z(t x + (1-t) x') - t Phi_Z(x) - (1-t) Phi_Z(x')",
    nonnegative,
    "loss",
)


f_is_lipschitz_in_x = slope_f_x <= L_fx
f_is_lipschitz_in_y = slope_f_y <= L_fy
g_is_strongly_convex = least_curvature_g_yy >= mu_g
g_is_lipschitz_in_y = slope_g_y <= L_gy
curvature_f_yy_is_bounded = curvature_f_yy <= beta_fyy
curvature_f_xx_is_bounded = curvature_f_xx <= beta_fxx
curvature_f_xy_is_bounded = curvature_f_xy <= beta_fxy
curvature_g_xy_is_bounded = curvature_g_xy <= beta_gxy
mean_gradient_is_lipschitz = curvature_G_xy <= beta_gxy
outer_gradient_is_lipschitz = curvature_f_x_y <= beta_fxy
curvature_g_yy_is_bounded = curvature_g_yy <= beta_gyy
hessians_vary_slowly_in_x = all_of(variation_g_xy_x <= M_gxy, variation_g_yy_x <= M_gyy)
hessians_vary_slowly_in_y = all_of(variation_g_xy_y <= C_gxy, variation_g_yy_y <= C_gyy)
objective_is_convex = convexity_defect <= 0


def summary(name: str, meaning: str, like: Parameter) -> Parameter:
    """A number that summarises the problem at hand, in the unit of the constant that bounds it."""
    return Parameter(name, meaning, nonnegative, like.unit)


CURVATURE_G_YY = summary("curvature_g_yy", "largest operator norm of grad_yy g", BETA_GYY)

LIPSCHITZ = (
    L_FX,
    L_FY,
    L_GY,
    MU_G,
    summary("slope_f_x", "largest difference quotient of f in x", L_FX),
    summary("slope_f_y", "largest difference quotient of f in y", L_FY),
    summary("slope_g_y", "largest difference quotient of g in y between points of Y", L_GY),
    summary("least_curvature_g_yy", "largest modulus of strong convexity of every g(x, ., z)", MU_G),
)
LIPSCHITZ_HOLDS = (
    Predicate(
        "f is L_fx-Lipschitz in x",
        f_is_lipschitz_in_x,
        accepts={"slope_f_x": "2", "L_fx": "2"},
        rejects={"slope_f_x": "2.01", "L_fx": "2"},
    ),
    Predicate(
        "f is L_fy-Lipschitz in y",
        f_is_lipschitz_in_y,
        accepts={"slope_f_y": "3", "L_fy": "3"},
        rejects={"slope_f_y": "3.01", "L_fy": "3"},
    ),
    Predicate(
        "g is mu_g-strongly convex in y",
        g_is_strongly_convex,
        accepts={"least_curvature_g_yy": "2", "mu_g": "2"},
        rejects={"least_curvature_g_yy": "1.99", "mu_g": "2"},
    ),
    Predicate(
        "g is L_gy-Lipschitz in y on a compact set Y that contains every lower minimiser",
        g_is_lipschitz_in_y,
        accepts={"slope_g_y": "5", "L_gy": "5"},
        rejects={"slope_g_y": "5.01", "L_gy": "5"},
    ),
)

MIXED = (
    BETA_FXY,
    BETA_GXY,
    summary("curvature_f_xy", "largest difference quotient of grad_x f in y, and of grad_y f in x", BETA_FXY),
    summary("curvature_g_xy", "largest operator norm of grad_xy g", BETA_GXY),
)
MIXED_HOLDS = (
    Predicate(
        "grad_x f is beta_fxy-Lipschitz in y, grad_y f is beta_fxy-Lipschitz in x",
        curvature_f_xy_is_bounded,
        accepts={"curvature_f_xy": "1.5", "beta_fxy": "1.5"},
        rejects={"curvature_f_xy": "1.51", "beta_fxy": "1.5"},
    ),
    Predicate(
        "|grad_xy g| and |grad_yx g| are at most beta_gxy",
        curvature_g_xy_is_bounded,
        accepts={"curvature_g_xy": "0.5", "beta_gxy": "0.5"},
        rejects={"curvature_g_xy": "0.51", "beta_gxy": "0.5"},
    ),
)

MEAN_MIXED = (
    BETA_GXY.means("Lipschitz constant of grad_y G_Z in x"),
    summary("curvature_G_xy", "largest difference quotient of grad_y G_Z in x", BETA_GXY),
)
MEAN_MIXED_HOLDS = Predicate(
    "grad_y G_Z is beta_gxy-Lipschitz in x",
    mean_gradient_is_lipschitz,
    accepts={"curvature_G_xy": "0.5", "beta_gxy": "0.5"},
    rejects={"curvature_G_xy": "0.51", "beta_gxy": "0.5"},
)
OUTER_MIXED = (
    BETA_FXY.means("Lipschitz constant of grad_x f in y"),
    summary("curvature_f_x_y", "largest difference quotient of grad_x f in y", BETA_FXY),
)
OUTER_MIXED_HOLDS = Predicate(
    "grad_x f is beta_fxy-Lipschitz in y",
    outer_gradient_is_lipschitz,
    accepts={"curvature_f_x_y": "1.5", "beta_fxy": "1.5"},
    rejects={"curvature_f_x_y": "1.51", "beta_fxy": "1.5"},
)

SMOOTH = (
    *MIXED,
    BETA_FXX,
    BETA_FYY,
    BETA_GYY,
    M_GXY,
    M_GYY,
    C_GXY,
    C_GYY,
    summary("curvature_f_xx", "largest difference quotient of grad_x f in x", BETA_FXX),
    summary("curvature_f_yy", "largest difference quotient of grad_y f in y", BETA_FYY),
    CURVATURE_G_YY,
    summary("variation_g_xy_x", "largest difference quotient of grad_xy g in x", M_GXY),
    summary("variation_g_yy_x", "largest difference quotient of grad_yy g in x", M_GYY),
    summary("variation_g_xy_y", "largest difference quotient of grad_xy g in y", C_GXY),
    summary("variation_g_yy_y", "largest difference quotient of grad_yy g in y", C_GYY),
)
SMOOTH_HOLDS = (
    Predicate(
        "grad_y f is beta_fyy-Lipschitz in y",
        curvature_f_yy_is_bounded,
        accepts={"curvature_f_yy": "4", "beta_fyy": "4"},
        rejects={"curvature_f_yy": "4.01", "beta_fyy": "4"},
    ),
    Predicate(
        "grad_x f is beta_fxx-Lipschitz in x",
        curvature_f_xx_is_bounded,
        accepts={"curvature_f_xx": "0.25", "beta_fxx": "0.25"},
        rejects={"curvature_f_xx": "0.26", "beta_fxx": "0.25"},
    ),
    *MIXED_HOLDS,
    Predicate(
        "|grad_yy g| is at most beta_gyy",
        curvature_g_yy_is_bounded,
        accepts={"curvature_g_yy": "6", "beta_gyy": "6"},
        rejects={"curvature_g_yy": "6.01", "beta_gyy": "6"},
    ),
    Predicate(
        "grad_xy g, grad_yx g and grad_yy g are M_gxy-, M_gxy- and M_gyy-Lipschitz in x",
        hessians_vary_slowly_in_x,
        accepts={"variation_g_xy_x": "0.1", "M_gxy": "0.2", "variation_g_yy_x": "0.2", "M_gyy": "0.3"},
        rejects={"variation_g_xy_x": "0.1", "M_gxy": "0.2", "variation_g_yy_x": "0.31", "M_gyy": "0.3"},
    ),
    Predicate(
        "grad_xy g, grad_yx g and grad_yy g are C_gxy-, C_gxy- and C_gyy-Lipschitz in y",
        hessians_vary_slowly_in_y,
        accepts={"variation_g_xy_y": "0.3", "C_gxy": "0.4", "variation_g_yy_y": "0.6", "C_gyy": "0.7"},
        rejects={"variation_g_xy_y": "0.41", "C_gxy": "0.4", "variation_g_yy_y": "0.6", "C_gyy": "0.7"},
    ),
)
CONVEX_HOLDS = (
    Predicate(
        "Phi_Z is convex",
        objective_is_convex,
        accepts={"convexity_defect": "0"},
        rejects={"convexity_defect": "0.01"},
    ),
)
PROBLEMS = "every data set of n records from any universe, and every f and g that meet the assumptions"
