"""Lower bounds for private bilevel optimisation, by a linear upper and a quadratic lower loss, from private means.

Hard instance of the first case: f = -L_fy <y, z>, g = (mu_g/2)|y - (D_y/D_x) x|^2, z in {-1/sqrt(d), 1/sqrt(d)}^d, X and Y
balls of radius D_x and D_y; of the second: f = -L_fx <x, z>, Y a point.
"""

from dpsco.spec.claim import Adjacency, Claim, Kind, Relation
from dpsco.spec.conjunction import all_of
from dpsco.spec.domain import Interval, Parameter, Vectors, closed_unit, nonnegative, positive
from dpsco.spec.expressions import absolute, exp, log, minimum, sqrt, symbols
from dpsco.spec.losses.bilevel.assumptions import BETA_GXY, D_X, D_X_DIM, D_Y, L_FX, L_FY, L_GY, MU_G
from dpsco.spec.numbers import Numbers, Real, Truth
from dpsco.spec.papers import BILEVEL
from dpsco.spec.parameters import DELTA, EPSILON, RISK, D, N
from dpsco.spec.predicate import Predicate

D_x, D_y, L_fx, L_fy, L_gy, M, c, d, d_x, delta = symbols("D_x D_y L_fx L_fy L_gy M c d d_x delta")
direction_error, epsilon, high_exponent = symbols("direction_error epsilon high_exponent")
low_exponent, mu_g, n, norm_Z_bar, theta = symbols("low_exponent mu_g n norm_Z_bar theta")


pure_lower = (L_fx * D_x + L_fy * D_y) * minimum(1, d_x / (n * epsilon))
approximate_lower = (L_fx * D_x + L_fy * D_y) * minimum(1, sqrt(d_x * log(1 / delta)) / (n * epsilon))
coupling = D_y / D_x
inner_slope = 2 * L_gy
mixed_curvature = mu_g * D_y / D_x


def excess_exact(m: Numbers, zeta: Real, norm_Z_bar: Real, x: Real, x_star: Real) -> Real:
    return zeta * norm_Z_bar * (1 - m.dot(x, x_star))


def excess_quadratic(m: Numbers, zeta: Real, norm_Z_bar: Real, x: Real, x_star: Real) -> Real:
    return zeta / 2 * norm_Z_bar * m.norm([a - b for a, b in zip(x, x_star, strict=True)]) ** 2


marginal_pure = minimum(1, d / (epsilon * n))
marginal_approximate = minimum(1, sqrt(d * log(1 / delta)) / (epsilon * n))
weight_pure = minimum(n, d / epsilon)
weight_approximate = minimum(n, sqrt(d * log(1 / delta)) / epsilon)
norm_low = (M - 1) / n
norm_high = (M + 1) / n
rescaled_error = M / n * direction_error + absolute(c)
"""Bound on |(M/n) A(Z) - Zbar| by the error of A(Z) as a direction, |Zbar| = M/n + c."""

statistical_term = L_fx * D_x / sqrt(n)
delta_is_admitted = all_of(delta >= exp(-low_exponent * n * log(2)), delta <= exp(-(1 + high_exponent) * log(n)))
curvature_matches = all_of(mu_g * D_y <= theta * L_gy, theta * mu_g * D_y >= L_gy)


def x_is_in_ball(m: Numbers, x: Real) -> Truth:
    return m.le(m.norm(x), 1)


def x_star_is_a_direction(m: Numbers, x_star: Real) -> Truth:
    return m.eq(m.norm(x_star), 1)


mean_is_in_range = all_of(norm_Z_bar * n >= M - 1, norm_Z_bar * n <= M + 1)


DELTA_RANGE = Predicate(
    "2^{-Omega(n)} <= delta <= 1/n^{1 + Omega(1)}, the two constants given",
    delta_is_admitted,
    accepts={"n": 100, "delta": "1e-5", "low_exponent": "1", "high_exponent": "1"},
    rejects={"n": 100, "delta": "1e-3", "low_exponent": "1", "high_exponent": "1"},
)
CURVATURE = Predicate(
    "mu_g = Theta(L_gy/D_y)",
    curvature_matches,
    accepts={"mu_g": "2", "L_gy": "5", "D_y": "2", "theta": "2"},
    rejects={"mu_g": "2", "L_gy": "5", "D_y": "8", "theta": "2"},
)
THETA = Parameter("theta", "constant of Theta: mu_g D_y/L_gy lies in [1/theta, theta]", Interval("1", low_open=False))
EXPONENTS = (
    Parameter("low_exponent", "constant of Omega(n) in the lower end of delta's range", positive),
    Parameter("high_exponent", "constant of Omega(1) in its upper end", positive),
)
M_WEIGHT = Parameter("M", "number that the norm of the hard mean is near to, times n", positive, "record")
NORM_MEAN = Parameter("norm_Z_bar", "norm of the mean of the records", nonnegative)
ZETA = Parameter("zeta", "slope of the lower minimiser, y_Z(x) = zeta x", positive, "inner/decision")
TOLD = "every private A that is told f, g and X, as every algorithm of the paper is"
CONSTANTS = (EPSILON, N, D_X_DIM, L_FX, L_FY, L_GY, MU_G, D_X.within(positive), D_Y.within(positive))
SMALL_M = (
    "Needs M well above 1: with d of order epsilon or below, M is of order 1 or less and the offset c of size 1/n is not "
    "negligible against M/n. "
)

claims = [
    Claim(
        id="bilevel/thm-3.9",
        title="lower bounds for bilevel empirical risk",
        kind=Kind.LOWER,
        source=BILEVEL.at("Theorem 3.9", "Theorem B.17", "proof, cases 1 and 2"),
        says="(1) For every epsilon-DP A there are Z and a convex bilevel ERM problem under Assumptions 2.1 and 2.2, mu_g = "
        "Theta(L_gy/D_y), with E Phi_Z(A(Z)) - min Phi_Z = Omega((L_fx D_x + L_fy D_y) min(1, d_x/(n epsilon))). (2) For "
        "(epsilon, delta)-DP, 2^{-Omega(n)} <= delta <= 1/n^{1 + Omega(1)}, the same with sqrt(d_x ln(1/delta)) for d_x. "
        "Instances: if L_fx D_x <= O(L_fy D_y), d_x = d_y = d, X = D_x B, Y = D_y B, z in {+-1/sqrt(d)}^d, f = -L_fy <y, z>, "
        "g = (mu_g/2)|y - zeta x|^2, zeta = D_y/D_x; then g is 2 L_gy-Lipschitz as L_gy >= mu_g D_y, beta_gxy <= mu_g "
        "D_y/D_x, and beta_fxx, beta_fxy, beta_fyy, M_gxy, M_gyy, C_gxy, C_gyy vanish. Else Y = {y_0}, |y_0| <= D_y, f = "
        "-L_fx <x, z>, g = (mu_g/2)|y|^2.",
        uses=("bilevel/eq-18", "bilevel/lem-B.18", "bilevel/thm-3.9-identity"),
        parameters=(
            *CONSTANTS,
            DELTA,
            *EXPONENTS,
            BETA_GXY,
            THETA,
            RISK.means("largest expected excess empirical risk over Z and problems of the class"),
        ),
        formulas={
            "pure_rate": pure_lower,
            "approximate_rate": approximate_lower,
            "zeta": coupling,
            "slope_of_g": inner_slope,
            "beta_gxy_of_instance": mixed_curvature,
        },
        asserts=(
            Relation("risk of every epsilon-DP algorithm", ">=Omega", "pure_rate"),
            Relation("risk of every (epsilon, delta)-DP algorithm", ">=Omega", "approximate_rate"),
            Relation("beta_gxy", "<=", "beta_gxy_of_instance"),
        ),
        preconditions=(DELTA_RANGE, CURVATURE),
        over=(TOLD, "some Z and some problem"),
        adjacency=Adjacency.REPLACE_ONE,
        releases="A(Z)",
        note="Printed: let A be private, then there are a data set and a problem. Here A is told f, g and X, so that it is one "
        "map for each problem and the order of the quantifiers does not matter; for an A that is not told the problem the "
        "bound is trivial. " + SMALL_M + "False (domain) for epsilon large against d, and in (2) for ln(1/delta) above d. Sets "
        "have diameter 2 D_x; the instance has 2 L_gy, not L_gy. Displays: one lacks the square on |x - x*|, the opening of "
        "case 1 lacks ln(1/delta). Case 2: the argmin of |y|^2 over R^d is 0, so y_0 = 0. f is linear in y: Phi_Z is convex.",
    ),
    Claim(
        id="bilevel/thm-3.9-identity",
        title="excess over the best direction",
        kind=Kind.BOUND,
        source=BILEVEL.at("Theorem B.17, proof, (17)"),
        says="On the unit ball, with x* = Zbar/|Zbar|: Phi_Z(x) - Phi_Z(x*) = zeta |Zbar| (1 - <x, x*>) >= (zeta/2) |Zbar| |x "
        "- x*|^2.",
        parameters=(
            D,
            ZETA,
            NORM_MEAN,
            Parameter("x", "upper decision", Vectors("d")),
            Parameter("x_star", "its minimiser", Vectors("d")),
        ),
        formulas={"exact": excess_exact, "quadratic": excess_quadratic},
        asserts=(Relation("exact", ">=", "quadratic", step=True),),
        preconditions=(
            Predicate("|x| <= 1", x_is_in_ball, accepts={"x": ("0.5", "-0.5")}, rejects={"x": ("1", "0.5")}),
            Predicate("|x*| = 1", x_star_is_a_direction, accepts={"x_star": ("0", "-1")}, rejects={"x_star": ("0.5", "0")}),
        ),
        over=("every d",),
        note="Equality where |x| = 1: the difference is (zeta/2)|Zbar|(1 - |x|^2). Zbar = 0 has no x*.",
    ),
    Claim(
        id="bilevel/lem-B.18",
        title="lower bounds for private means",
        kind=Kind.LOWER,
        unproved=True,
        source=BILEVEL.at("Lemma B.18"),
        says="n, d >= 1, epsilon > 0, 2^{-Omega(n)} <= delta <= 1/n^{1 + Omega(1)}. (1) There is M = Omega(min(n, d/epsilon)) "
        "such that for every epsilon-DP A some Z in ({+-1/sqrt(d)}^d)^n with |Zbar| in [(M-1)/n, (M+1)/n] has, with "
        "probability at least 1/2, |A(Z) - Zbar| = Omega(min(1, d/(epsilon n))). (2) The same for (epsilon, delta)-DP with M "
        "= Omega(min(n, sqrt(d ln(1/delta))/epsilon)), probability at least 1/3 and error Omega(min(1, sqrt(d "
        "ln(1/delta))/(epsilon n))).",
        parameters=(
            *(N, D, EPSILON, DELTA, *EXPONENTS, M_WEIGHT, NORM_MEAN),
            Parameter("error", "|A(Z) - Zbar|", nonnegative),
            Parameter("probability", "of a large error", closed_unit),
        ),
        symbols={"probability": r"\Pr[\text{large error}]"},
        formulas={
            "pure_rate": marginal_pure,
            "approximate_rate": marginal_approximate,
            "M_pure": weight_pure,
            "M_approximate": weight_approximate,
            "norm_low": norm_low,
            "norm_high": norm_high,
        },
        asserts=(
            Relation("error of epsilon-DP A, with probability 1/2", ">=Omega", "pure_rate"),
            Relation("error of (epsilon, delta)-DP A, with probability 1/3", ">=Omega", "approximate_rate"),
        ),
        preconditions=(
            DELTA_RANGE,
            Predicate(
                "|Zbar| lies in [(M-1)/n, (M+1)/n]",
                mean_is_in_range,
                accepts={"norm_Z_bar": "0.5", "M": "50", "n": 100},
                rejects={"norm_Z_bar": "0.6", "M": "50", "n": 100},
            ),
        ),
        over=("every private A with values in R^d", "some Z"),
        adjacency=Adjacency.REPLACE_ONE,
        releases="A(Z)",
        note="False: at d = 1 the probability 1/2 at every epsilon (constant; M/n times a private sign errs with probability "
        "1/(1 + e^epsilon)), and any fixed one at large epsilon (domain; geometric noise on the count errs with 2/(e^epsilon "
        "+ 1)). (1) holds as printed for d >= 16 and epsilon <= d/32. The hidden constants of M and of delta's range are not "
        "given.",
    ),
    Claim(
        id="bilevel/eq-18",
        title="error of private directions",
        kind=Kind.LOWER,
        source=BILEVEL.at("Theorem B.17, proof, (18)"),
        says="For every epsilon-DP A with values in the unit ball some Z with |Zbar| in [(M-1)/n, (M+1)/n] has |A(Z) - "
        "Zbar/|Zbar|| >= a positive absolute constant with probability at least 1/2. Argument: with |Zbar| = M/n + c, |c| <= "
        "1/n, and A~ = (M/n) A: |A~(Z) - Zbar| <= (M/n)|A(Z) - Zbar/|Zbar|| + c, which, were the direction error small, would "
        "be below (M+1)/n and contradict Lemma B.18.",
        uses=("bilevel/lem-B.18",),
        parameters=(
            N,
            D,
            EPSILON,
            M_WEIGHT,
            NORM_MEAN,
            Parameter("direction_error", "|A(Z) - Zbar/|Zbar||", nonnegative),
            Parameter("c", "|Zbar| - M/n", Interval("-1", "1", low_open=False, high_open=False)),
        ),
        formulas={"rescaled": rescaled_error, "M_pure": weight_pure, "norm_high": norm_high},
        asserts=(
            Relation("direction_error, with probability 1/2", ">=Omega", "1", step=True),
            Relation("|A~(Z) - Zbar|", "<=", "rescaled", step=True),
        ),
        preconditions=(
            Predicate(
                "|Zbar| lies in [(M-1)/n, (M+1)/n]",
                mean_is_in_range,
                accepts={"norm_Z_bar": "0.5", "M": "50", "n": 100},
                rejects={"norm_Z_bar": "0.6", "M": "50", "n": 100},
            ),
        ),
        over=("every epsilon-DP A", "some Z"),
        adjacency=Adjacency.REPLACE_ONE,
        releases="A(Z)",
        note=SMALL_M
        + "(M+1)/n is no contradiction by itself: the contradiction needs (M/n) times a small constant plus 1/n to be below "
        "the lemma's constant times min(1, d/(epsilon n)). The interval admits |Zbar| = 0, without a direction. False "
        "(constant): at d = 1 a private sign of the sum is wrong with probability below 1/2 at every epsilon. It holds as "
        "printed, with the constant 1/2, for d >= 16 and epsilon <= d/32.",
    ),
    Claim(
        id="bilevel/rem-3.10",
        title="lower bounds for bilevel stochastic optimization",
        kind=Kind.LOWER,
        unproved=True,
        source=BILEVEL.at("Remark 3.10"),
        says="For bilevel SO the excess population risk has lower bounds that exceed those of Theorem 3.9 by an additive term "
        "L_fx D_x/sqrt(n), by the known reduction from ERM; so (5) is nearly optimal for convex bilevel SO.",
        uses=("bilevel/thm-3.3", "bilevel/thm-3.9"),
        parameters=(*CONSTANTS, DELTA, *EXPONENTS, THETA, RISK),
        formulas={"statistical_term": statistical_term, "pure_rate": pure_lower, "approximate_rate": approximate_lower},
        asserts=(
            Relation("population risk of every epsilon-DP algorithm", ">=Omega", "pure_rate + statistical_term"),
            Relation(
                "population risk of every (epsilon, delta)-DP algorithm", ">=Omega", "approximate_rate + statistical_term"
            ),
        ),
        preconditions=(DELTA_RANGE, CURVATURE),
        over=(TOLD, "some distribution P and some problem"),
        adjacency=Adjacency.REPLACE_ONE,
        releases="A(Z)",
        note="No proof. A is told f, g and X. The half on epsilon-DP holds as printed, the other not where ln(1/delta) is "
        "above d_x (domain). The reduction resamples the data set and loses logarithms and constants in epsilon and delta. "
        "The statistical term has L_fx D_x only; near-optimality of (5) would need one in G D_x.",
    ),
]
