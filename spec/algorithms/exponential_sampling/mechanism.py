"""The exponential mechanism and its regularised form for a bilevel objective."""

from random import Random

from dpsco.spec.claim import Adjacency, Claim, Kind, Relation
from dpsco.spec.contract import ULPS, Inputs, between, contract
from dpsco.spec.domain import Interval, Parameter, positive, reals
from dpsco.spec.expressions import log, symbols
from dpsco.spec.losses.bilevel.assumptions import D_X, D_Y, LIPSCHITZ, LIPSCHITZ_HOLDS, MIXED, MIXED_HOLDS, PROBLEMS
from dpsco.spec.losses.bilevel.sensitivity import score_scale
from dpsco.spec.papers import BILEVEL
from dpsco.spec.parameters import DELTA, EPSILON, N

G, L_fx, L_fy, L_gy, Phi_Z, beta_fxy, beta_gxy = symbols("G L_fx L_fy L_gy Phi_Z beta_fxy beta_gxy")
delta, epsilon, k, mu, mu_g, n, norm_x, s = symbols("delta epsilon k mu mu_g n norm_x s")


def any_density(random: Random) -> Inputs:
    """A piecewise linear loss on up to six pieces of [-1, 1], flat or steep, warm or cold, and a uniform number."""
    inner = sorted({random.uniform(-1, 1) for _ in range(random.randint(0, 5))} - {-1.0, 1.0})
    knots = [-1.0, *inner, 1.0]
    height = 10 ** random.uniform(-3, 1)
    values = [random.choice((0.0, height, random.uniform(-height, height))) for _ in knots]
    uniform = random.choice((random.random(), 10 ** random.uniform(-12, -1), 1 - 10 ** random.uniform(-12, -1)))
    return {"knots": knots, "values": values, "k": 10 ** random.uniform(-6, 2), "uniform": uniform}


HARD_DENSITIES: tuple[Inputs, ...] = tuple(
    {"knots": knots, "values": values, "k": k, "uniform": u}
    for knots, values in (
        ([0.0, 1.0], [0.0, 0.0]),
        ([0.0, 1.0], [0.0, 1.0]),
        ([-1.0, 1.0], [1.0, -1.0]),
        ([-1.0, 0.0, 1.0], [1.0, 0.0, 1.0]),
        ([-1.0, -0.999999, 0.5, 1.0], [0.0, 700.0, 0.0, -1.0]),
    )
    for k in (1e-300, 1e-9, 1.0, 1e4)
    for u in (2.0**-53, 0.25, 0.5, 0.75, 1 - 2.0**-53)
)
"""Constant and linear losses, a kink, a wall; no temperature to speak of, and next to none; the middle and both ends."""


@contract(
    metric=ULPS,
    range=between(lambda m, knots: knots[0], lambda m, knots: knots[-1]),
    generate=any_density,
    hard=HARD_DENSITIES,
    floor=1.0,
)
def draw(knots: object, values: object, k: float, uniform: float) -> float:
    """One draw of the exponential mechanism in one dimension, exactly: the inverse of its distribution function.

    x with P(X <= x) = uniform, X with density proportional to exp(-k Phi), Phi linear between its values at the knots

    Domain   knots: two or more, increasing (decision); values: as many (loss); k > 0 (1/loss), for (4) epsilon/(2s); 0 <
             uniform < 1
    Returns  x in [first knot, last knot] (decision); its law is the density itself where `uniform` is uniform: no error enters
             epsilon. An error of at most zeta in k Phi at every x adds 2 zeta to epsilon, zeta for each data set
    Raises   ValueError for knots that do not increase, lengths that do not fit, k or uniform outside the domain
    Source   bilevel, (4)
    """


log_weight = -epsilon / (2 * s) * Phi_Z
"""Logarithm of the density up to a constant."""

objective_slope = L_fx + L_fy * beta_gxy / mu_g + L_gy * beta_fxy / mu_g
"""G."""

inverse_temperature = mu * n**2 * epsilon**2 / (G**2 * log(1 / delta))
"""k without its absolute constant."""

log_weight_main_text = -k * (Phi_Z + mu * norm_x**2)
log_weight_appendix = -k * (Phi_Z + mu * norm_x**2 / 2)


PHI = Parameter("Phi_Z", "empirical objective at x", reals, "loss")
NORM_X = Parameter("norm_x", "l2-norm of x", Interval(low="0", low_open=False), "decision")
K_TEMPERATURE = Parameter("k", "inverse temperature", positive, "1/loss")
MU_REG = Parameter("mu", "regularisation parameter of the mechanism, not mu_g", positive, "loss/decision^2")
G_SLOPE = Parameter("G", "G of (5)", positive, "loss/decision")

claims = [
    Claim(
        id="bilevel/eq-4",
        title="exponential mechanism on the bilevel objective",
        kind=Kind.ALGORITHM,
        source=BILEVEL.at("(4)", "Theorem B.1"),
        says="Given Z, draw x from X with density proportional to exp(-(epsilon/(2s)) Phi_Z(x)), where s = (2/n)(L_fx D_x + "
        "L_fy D_y) + 4 L_fy L_gy/mu_g. Release x.",
        parameters=(
            EPSILON,
            N,
            *LIPSCHITZ,
            D_X,
            D_Y,
            Parameter("s", "sensitivity scale of the score", positive, "loss"),
            PHI,
        ),
        formulas={"log_weight": log_weight, "s": score_scale},
        asserts=(Relation("log density of x", "=", "log_weight + a constant"),),
        preconditions=LIPSCHITZ_HOLDS,
        over=(PROBLEMS,),
        adjacency=Adjacency.REPLACE_ONE,
        releases="x",
        note="s as printed (both transcriptions) lacks 1/n in its last term: private, but the temperature does not fall with "
        "n, which the stated risk needs. X must have finite volume (D_x = infinity is admitted by the notation); s = 0 if all "
        "of L_fx D_x, L_fy D_y, L_fy L_gy vanish. D_y is undefined, see the problem's definition.",
    ),
    Claim(
        id="bilevel/eq-5",
        title="regularised exponential mechanism on the bilevel objective",
        kind=Kind.ALGORITHM,
        source=BILEVEL.at("(5)", "Lemma B.7", "Theorem B.8"),
        says="Given Z and mu > 0, draw x from X with density proportional to exp(-k(Phi_Z(x) + mu |x|^2)) in the main text, "
        "exp(-k(Phi_Z(x) + mu |x|^2/2)) in the appendix, where k = O(mu n^2 epsilon^2/(G^2 ln(1/delta))) and G = L_fx + L_fy "
        "beta_gxy/mu_g + L_gy beta_fxy/mu_g. Release x.",
        parameters=(EPSILON, DELTA, N, *LIPSCHITZ, *MIXED, PHI, NORM_X, K_TEMPERATURE, MU_REG, G_SLOPE),
        formulas={
            "log_weight_main_text": log_weight_main_text,
            "log_weight_appendix": log_weight_appendix,
            "G": objective_slope,
            "k_rate": inverse_temperature,
        },
        asserts=(Relation("k", "<=O", "k_rate"),),
        preconditions=(*LIPSCHITZ_HOLDS, *MIXED_HOLDS),
        over=(PROBLEMS,),
        adjacency=Adjacency.REPLACE_ONE,
        releases="x",
        note="k is printed as k = O(...) where utility needs equality up to a constant that is nowhere given. Main text and "
        "appendix differ by a factor 2 in the regulariser. If kPhi_Z moved by a (2kG/n)-Lipschitz function, the Gaussian "
        "shift would be 2 G sqrt(k)/(n sqrt(mu)) = 2 c epsilon/sqrt(ln(1/delta)), c^2 the constant of k, for the appendix's "
        "form.",
    ),
]
