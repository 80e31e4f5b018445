"""What is true of perturbed minimisers, whatever the data: the facts that the judge of stability combines, and their lemmas."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction

from dpsco.arguments.chains import Formula
from dpsco.instances.stability import Pair
from dpsco.reference.numbers.symbolic import symbol
from dpsco.spec.algorithms.objective_perturbation.stability import lipschitz_slope, star_in_ball
from dpsco.spec.claim import Adjacency, Claim
from dpsco.spec.numbers import Numbers, Real, Truth
from dpsco.verdict import Lemma

STRONG = Lemma(
    "growth from the minimiser",
    "A convex function plus lambda |theta|^2 is 2 lambda-strongly convex; at its minimiser a subgradient is zero, so it "
    "exceeds its minimum by at least lambda |theta - minimiser|^2. The linear term <b, theta>/n changes nothing.",
)
GRADIENT_AT_OTHER = Lemma(
    "gradient at the other minimiser",
    "J is 2 lambda-strongly convex, so |theta - argmin J| <= |grad J(theta)|/(2 lambda). At the minimiser for D' the gradient "
    "of D's objective is (g - g')/n with |g|, |g'| <= L: distance at most L/(n lambda); with one record more, n fixed, L/(2 n "
    "lambda). Equality at opposite features of norm B_x with outcomes far out, where every loss is affine.",
    adjacencies=(Adjacency.REPLACE_ONE, Adjacency.ADD_ONE_N_FIXED),
)
GRADIENT_AT_BARE = Lemma(
    "gradient at the minimiser without noise",
    "J is 2 lambda-strongly convex, so |theta - argmin J| <= |grad J(theta)|/(2 lambda). At the minimiser without noise the "
    "gradient is b/n: distance at most |b|/(2 n lambda). Equality where all features are 0.",
)
SWAP = Lemma(
    "objectives of neighbours",
    "D and D' differ in one record, which another replaces, n and b are the same: at any decision their objectives differ by "
    "the difference of the two records' losses over n.",
    adjacencies=(Adjacency.REPLACE_ONE,),
)
PARTS = Lemma(
    "parts of the objective",
    "Perturbed objective = regularised risk + <b, theta>/n; regularised risk = smoothed empirical risk + lambda |theta|^2.",
)
GAUSSIAN = Lemma("mean square of Gaussian noise", "For b from N(0, sigma^2 I) in d dimensions E |b|^2 = d sigma^2.")
LIPSCHITZ = Lemma("Lipschitz loss", "A loss whose gradients have norm at most L changes by at most L times the distance.")
MINIMUM = Lemma("minimality", "A minimiser's value is at most the value anywhere else.")
CAUCHY = Lemma("Cauchy-Schwarz", "<b, theta - theta'> <= |b| |theta - theta'|.")
SIGNS = Lemma("squares", "A square is nonnegative; theta* lies in the ball of radius B.")
REPLACE = Lemma(
    "stability bounds the generalisation gap",
    "Let the records z_1, ..., z_n, z' be independent with one law, theta(D) the released decision, D_i the data with z_i "
    "replaced by z'. Exchanging the names of z_i and z', E[population risk - empirical risk] is the mean over i of "
    "E[l(theta(D_i); z_i) - l(theta(D); z_i)], which is at most L E|theta(D_i) - theta(D)|. The risk must be finite.",
)


def grows(m: Numbers, J_other: Real, J_own: Real, lambda_: Real, moved: Real) -> Real:
    return J_other - J_own - lambda_ * moved**2


def neighbour_minimised(m: Numbers, J2_own: Real, J2_other: Real) -> Real:
    return J2_own - J2_other


def record_lipschitz(m: Numbers, L: Real, moved: Real, loss_other: Real, loss_own: Real, n: Real) -> Real:
    return (L * moved - loss_other + loss_own) / n


def replacement_lipschitz(m: Numbers, L: Real, moved: Real, loss2_own: Real, loss2_other: Real, n: Real) -> Real:
    return (L * moved - loss2_own + loss2_other) / n


def noise_grows(m: Numbers, op_min: Real, op_op: Real, lambda_: Real, shift: Real) -> Real:
    return op_min - op_op - lambda_ * shift**2


def perturbed_minimised(m: Numbers, op_min: Real, op_op: Real) -> Real:
    return op_min - op_op


def regularised_minimised(m: Numbers, sharp_op: Real, sharp_min: Real) -> Real:
    return sharp_op - sharp_min


def star_not_below(m: Numbers, sharp_star: Real, sharp_min: Real) -> Real:
    return sharp_star - sharp_min


def inner_product(m: Numbers, b_norm: Real, shift: Real, b_min: Real, b_op: Real, n: Real) -> Real:
    return (b_norm * shift - b_min + b_op) / n


def shift_short(m: Numbers, b_norm: Real, shift: Real, n: Real, lambda_: Real) -> Real:
    return b_norm / n * (b_norm / (2 * n * lambda_) - shift)


def noise_square(m: Numbers, b_norm: Real, n: Real, lambda_: Real) -> Real:
    return b_norm**2 / (n**2 * lambda_)


def decision_square(m: Numbers, norm_op: Real, lambda_: Real) -> Real:
    return lambda_ * norm_op**2


def inside_ball(m: Numbers, B: Real, norm_star: Real, lambda_: Real) -> Real:
    return lambda_ * (B**2 - norm_star**2)


FACTS: dict[str, Formula] = {
    "J grows from its minimiser": grows,
    "D' objective is least at its minimiser": neighbour_minimised,
    "the record's loss is L-Lipschitz": record_lipschitz,
    "its replacement's loss is L-Lipschitz": replacement_lipschitz,
    "the perturbed objective grows from its minimiser": noise_grows,
    "the perturbed objective is least at its minimiser": perturbed_minimised,
    "the regularised risk is least at its minimiser": regularised_minimised,
    "the regularised risk is not lower at theta*": star_not_below,
    "Cauchy-Schwarz": inner_product,
    "the shift is at most |b|/(2 n lambda)": shift_short,
    "|b|^2 >= 0": noise_square,
    "|theta|^2 >= 0": decision_square,
    "|theta*| <= B": inside_ball,
}


def swap_at_other(m: Numbers, J_other: Real, J2_other: Real, loss_other: Real, loss2_other: Real, n: Real) -> Real:
    return J_other - J2_other - (loss_other - loss2_other) / n


def swap_at_own(m: Numbers, J_own: Real, J2_own: Real, loss_own: Real, loss2_own: Real, n: Real) -> Real:
    return J_own - J2_own - (loss_own - loss2_own) / n


def noise_at_min(m: Numbers, op_min: Real, sharp_min: Real, b_min: Real, n: Real) -> Real:
    return op_min - sharp_min - b_min / n


def noise_at_op(m: Numbers, op_op: Real, sharp_op: Real, b_op: Real, n: Real) -> Real:
    return op_op - sharp_op - b_op / n


def ridge_at_op(m: Numbers, risk_op: Real, sharp_op: Real, norm_op: Real, lambda_: Real) -> Real:
    return risk_op + lambda_ * norm_op**2 - sharp_op


def ridge_at_star(m: Numbers, risk_star: Real, sharp_star: Real, norm_star: Real, lambda_: Real) -> Real:
    return risk_star + lambda_ * norm_star**2 - sharp_star


def gaussian_square(m: Numbers, b_square: Real, d: Real, sigma: Real, n: Real, lambda_: Real) -> Real:
    return (b_square - d * sigma**2) / (n**2 * lambda_)


IDENTITIES: dict[str, Formula] = {
    "objectives of D and D' at the minimiser for D'": swap_at_other,
    "objectives of D and D' at the minimiser for D": swap_at_own,
    "perturbed = regularised + <b, theta>/n, without noise": noise_at_min,
    "perturbed = regularised + <b, theta>/n, with noise": noise_at_op,
    "regularised = risk + lambda |theta|^2": ridge_at_op,
    "regularised = risk + lambda |theta|^2 at theta*": ridge_at_star,
    "E |b|^2 = d sigma^2": gaussian_square,
}
_OF_FACTS = (
    STRONG,
    MINIMUM,
    LIPSCHITZ,
    LIPSCHITZ,
    STRONG,
    MINIMUM,
    MINIMUM,
    MINIMUM,
    CAUCHY,
    GRADIENT_AT_BARE,
    SIGNS,
    SIGNS,
    SIGNS,
)
_OF_IDENTITIES = (SWAP, SWAP, PARTS, PARTS, PARTS, PARTS, GAUSSIAN)
LEMMAS = dict(zip((*FACTS, *IDENTITIES), (*_OF_FACTS, *_OF_IDENTITIES), strict=True))
GIVEN: dict[str, Callable[..., Truth]] = {
    "the record's loss is L-Lipschitz": lipschitz_slope,
    "its replacement's loss is L-Lipschitz": lipschitz_slope,
    "|theta*| <= B": star_in_ball,
}
"""The facts that hold only under a precondition, and which."""
POSITIVE = ("L", "n", "lambda_", "B", "d", "sigma", "b_square")
NONNEGATIVE = ("b_norm", "moved", "shift", "norm_op", "norm_star")
REPLACEMENT = frozenset(("J2_other", "J2_own", "loss_other", "loss_own", "loss2_own", "loss2_other"))
"""Quantities that are named for a record and the one that replaces it."""
NEIGHBOURS = REPLACEMENT | {"moved", "J_other", "J_own"}
"""Quantities of a data set and its neighbour."""


def ungrounded(claim: Claim) -> list[str]:
    """What the facts take for granted of the claim's domains and the claim does not say."""
    return [
        f"{parameter.name} in {parameter.domain}"
        for parameter in claim.parameters
        if (parameter.name in POSITIVE and not symbol(parameter).is_positive)
        or (parameter.name in NONNEGATIVE and not symbol(parameter).is_nonnegative)
    ]


def distance_unit(m: Numbers, L: Real, n: Real, lambda_: Real) -> Real:
    return L / (n * lambda_)


def shift_unit(m: Numbers, b_norm: Real, n: Real, lambda_: Real) -> Real:
    return b_norm / (n * lambda_)


def stability_unit(m: Numbers, L: Real, n: Real, lambda_: Real) -> Real:
    return L**2 / (n * lambda_)


def instances(pairs: Iterable[Pair]) -> Iterator[tuple[Pair, Mapping[str, Fraction]]]:
    """The pairs with all quantities of the chains: theta* on the ball's boundary, Gaussian noise in 1 and in 4 dimensions."""
    for number, pair in enumerate(pairs):
        values = pair.values()
        d, sigma = (Fraction(1), Fraction(1)) if number % 2 else (Fraction(4), Fraction(3))
        yield pair, {**values, "d": d, "sigma": sigma, "b_square": d * sigma**2, "B": values["norm_star"] or Fraction(1)}


def loosened(values: Mapping[str, Fraction]) -> Iterator[Mapping[str, Fraction]]:
    """The quantities as they are, and with the constants L and B a hundred times too small: only preconditions forbid that."""
    yield values
    for name in ("L", "B"):
        if name in values:
            yield {**values, name: values[name] / 100}
