"""Oracles: what quantities of the statements about privacy are, computed from their definitions.

They share nothing with the lemmas about these quantities: hockey-stick divergences are integrals or finite sums over the worst
event, split where the densities cross. An oracle is exact, or is attained by a named pair and so never above the quantity; on
the large side of a relation, where that would say too much, one that is not exact is a bound from above.
"""

from collections.abc import Callable, Mapping
from functools import cache
from itertools import product

from mpmath import binomial, exp, expm1, floor, log1p, mp, mpf, pi, quad, sin, sqrt
from mpmath import cos as cosine

from dpsco.reference.numbers.mp import mp as mp_numbers
from dpsco.spec.expressions import Condition, Expr, symbol
from dpsco.spec.numbers import Real

DIGITS = 40


def gaussian_hockey_stick(sigma: Real, shift: Real, epsilon: Real) -> Real:
    """Integral of max(0, p - e^epsilon q) for p = N(shift, sigma^2), q = N(0, sigma^2).

    p/q increases, so the integrand is p - e^epsilon q beyond the place where the two cross, and 0 before it. The range is cut
    at the bumps of both densities, and just after the crossing by the length at which p decays there. The largest value of p is
    taken out, since a quadrature stops at an absolute error.
    """
    crossing = sigma**2 * epsilon / shift + shift / 2
    bumps = (centre + width * sigma for centre in (mpf(0), shift) for width in (-40, -20, -10, -5, -2, 0, 2, 5, 10, 20, 40))
    decay = sigma / max(mpf(1), (crossing - shift) / sigma)
    near = (crossing + decay * step for step in (0, 1, 4, 16, 64))
    ends = sorted(one for one in {*bumps, *near} if one >= crossing)

    peak = max(mpf(0), (crossing - shift) / sigma) ** 2 / 2

    def difference(x: Real) -> Real:
        return exp(peak - ((x - shift) / sigma) ** 2 / 2) * -expm1((crossing - x) * shift / sigma**2)

    return exp(-peak) * quad(difference, ends, method="gauss-legendre") / (sigma * sqrt(2 * pi))


def finite_hockey_stick(pairs: list[tuple[Real, Real]], epsilon: Real) -> Real:
    """The same for laws on finitely many outputs: the sum of the positive p - e^epsilon q.

    A difference within the rounding of p is 0: the quotients of pure mechanisms meet e^epsilon exactly.
    """
    gaps = ((p, p - exp(epsilon) * q) for p, q in pairs)
    return sum((gap for p, gap in gaps if gap > p * mpf(10) ** (5 - mp.dps)), mpf(0))


def composed_responses(epsilon: Real, delta: Real, k: int, total: Real) -> Real:
    """k independent randomised responses that tell the truth outright with probability delta and else with the odds e^epsilon.

    The outputs of one are (truth 0, truth 1, says 0, says 1); they are counted, not listed. Of k that only say, j right,
    p/q = e^{epsilon (2 j - k)} increases with j, so the terms are added from the first positive one on, until those that are
    left, which fall at least as fast as the last two, no longer count.
    """
    delta = min(mpf(1), delta)
    outright = -expm1(k * log1p(-delta)) if delta < 1 else mpf(1)
    if delta == 1 or total == mpf("inf"):
        return outright
    right, wrong = (1 - delta) * exp(epsilon) / (exp(epsilon) + 1), (1 - delta) / (exp(epsilon) + 1)
    first = max(0, int(floor((k + total / epsilon) / 2))) if epsilon else 0
    rounding, found = mpf(10) ** (5 - mp.dps), mpf(0)
    p = binomial(k, first) * right**first * wrong ** (k - first) if first <= k else mpf(0)
    for j in range(first, k + 1):
        share = -expm1(total - epsilon * (2 * j - k))
        found += p * share if share > rounding else 0
        quotient = (k - j) * right / ((j + 1) * wrong)
        if quotient < 1 and p * quotient < (1 - quotient) * found * rounding:
            break
        p *= quotient
    return outright + found


def half_spheres(share: Real) -> list[list[tuple[Real, Real]]]:
    """Laws of the direction on the two halves about an axis: of opposite gradients, of one that is 0."""
    laws = [(share, 1 - share), (1 - share, share), (mpf(1) / 2, mpf(1) / 2)]
    return [list(zip(p, q, strict=True)) for p, q in product(laws, laws)]


def two_outputs(factor: Real, change: Real) -> list[list[tuple[Real, Real]]]:
    """Exponential mechanism on outputs of utilities (0, m), and of (change, m - change) on the neighbour, for many m."""
    found = []
    for m in range(-60, 61):
        before, after = (mpf(0), m / factor), (change, m / factor - change)
        p, q = ([1 / sum(exp(factor * (other - u)) for other in us) for u in us] for us in (before, after))
        found += [list(zip(p, q, strict=True)), list(zip(q, p, strict=True))]
    return found


def concentrated_above(rho: Real, epsilon: Real) -> Real:
    """What no rho-zCDP mechanism exceeds: P(loss > epsilon) <= e^{(a - 1) (a rho - epsilon)} for all a > 1, by Markov."""
    orders = [1 + mpf(2) ** (mpf(step) / 8) for step in range(-160, 161)]
    return min([mpf(1), *(exp((order - 1) * (order * rho - epsilon)) for order in orders)])


def half_sphere_mean(d: int) -> Real:
    """Mean of cos(angle) over the half-sphere, the angle having a density proportional to sin^(d-2)."""
    if d == 1:
        return mpf(1)
    top = quad(lambda t: cosine(t) * sin(t) ** (d - 2), [0, pi / 4, pi / 2])
    return top / quad(lambda t: sin(t) ** (d - 2), [0, pi / 4, pi / 2])


def turned_mean(share: Real, d: int) -> Real:
    """Mean of cos(angle) under the mixture of the two halves, in one integral over the sphere."""
    if d == 1:
        return share - (1 - share)
    whole = quad(lambda t: sin(t) ** (d - 2), [0, pi / 2, pi])

    def halves(low: Real, high: Real) -> Real:
        return quad(lambda t: cosine(t) * sin(t) ** (d - 2), [low, high]) / (whole / 2)

    return share * halves(0, pi / 2) + (1 - share) * halves(pi / 2, pi)


def chi_squared_mean(variance: Real, d: int) -> Real:
    """E|Z|^2 of the Gaussian member of the family, by the density of its radius.

    In units of the standard deviation, the largest value of the density about taken out: a quadrature stops at an absolute
    error.
    """
    peak = sqrt(mpf(d))
    cuts = [0, peak / 2, peak, peak + 12, peak + 40]

    def radius(power: int) -> Real:
        return quad(lambda r: r ** (power - d) * (r / peak) ** d * exp((d - r**2) / 2), cuts)

    return variance * radius(d + 1) / radius(d - 1)


def argmin_shift(alpha: Real, slopes: tuple[Real, Real]) -> Real:
    """How far apart the minimisers of two functions of one variable are, alpha x^2/2 plus these slopes times x."""
    first, second = (-slope / alpha for slope in slopes)
    return abs(first - second)


def regularised_argmin_shift(bound: Real, n: int, alpha: Real) -> Real:
    """The same for the mean of n losses, each bound x but one that is -bound x on the neighbour, plus alpha x^2/2."""
    before, after = [bound] * n, [-bound, *[bound] * (n - 1)]
    return argmin_shift(alpha, (sum(before) / n, sum(after) / n))


def sign_error(n: int, epsilon: Real, delta: Real, d: Real, bound: Real) -> Real:
    """What no private map of n equal records undercuts. In n changes of a record one sign of all of them becomes the other, so
    that a wrong answer on the two has probabilities a and b with 1 - a <= e^{n epsilon} b + n e^{(n-1) epsilon} delta.
    """
    wrong = (1 - n * exp((n - 1) * epsilon) * delta) / (1 + exp(n * epsilon))
    return max(mpf(0), wrong) * sqrt(d) * bound


def least_delta(mechanism: Expr, epsilon: Real, read: Callable[[Expr], Real]) -> Real:
    """LeastDelta of a kind: exact, or attained by one of the kind."""
    name, args = mechanism.value[0], mechanism.args
    match name:
        case "GaussianNoise":
            return gaussian_hockey_stick(read(args[0]), read(args[1]), epsilon)
        case "Concentrated":
            return gaussian_hockey_stick(mpf(1), sqrt(2 * read(args[0])), epsilon)
        case "RegularNoise":
            variance, sensitivity, kappa, _ = map(read, args)
            return gaussian_hockey_stick(sqrt(variance / kappa), sensitivity, epsilon)
        case "PointwisePrivate":
            return gaussian_hockey_stick(mpf(1), mpf(200), epsilon)
        case "Private":
            return composed_responses(read(args[0]), read(args[1]), 1, epsilon)
        case "Adaptive":
            one, k = args
            return composed_responses(read(one.args[0]), read(one.args[1]), int(read(k)), epsilon)
        case "Processed":
            return least_delta(args[0], epsilon, read)
        case "HalfSphereDraw":
            return max(finite_hockey_stick(pair, epsilon) for pair in half_spheres(read(args[0])))
        case "ExponentialMechanism":
            return max(finite_hockey_stick(pair, epsilon) for pair in two_outputs(read(args[0]), read(args[1])))
    raise KeyError(name)


def quantity(e: Expr, read: Callable[[Expr], Real], above: bool = False) -> Real:
    """The value of one quantity, `above`: or a bound from above; KeyError where it has no oracle."""
    name = e.value[0]
    match name:
        case "LeastDelta" if above and e.args[0].value[0] == "Concentrated":
            return concentrated_above(read(e.args[0].args[0]), read(e.args[1]))
        case "LeastDelta":
            return least_delta(e.args[0], read(e.args[1]), read)
        case "LeastDeltaAtInfinity":
            return least_delta(e.args[0], mpf("inf"), read)
        case "LeastQuotient" if e.args[0].value[0] == "HalfSphereDraw":
            pairs = half_spheres(read(e.args[0].args[0]))
            return min(q / p for pair in pairs for p, q in pair if p > 0)
        case "HalfSphereMean":
            return half_sphere_mean(int(read(e.args[0])))
        case "TurnedMean" | "RotationMean":
            return turned_mean(read(e.args[0]), int(read(e.args[1])))
        case "LargestLogConcaveCurve":
            epsilon, slope, modulus, _ = map(read, e.args)
            return gaussian_hockey_stick(1 / sqrt(modulus), slope / modulus, epsilon)
        case "RegularSecondMoment":
            return chi_squared_mean(read(e.args[0]), int(read(e.args[2])))
        case "ArgminDistance":
            alpha, gap = map(read, e.args)
            return argmin_shift(alpha, (mpf(0), gap))
        case "RegularisedArgminDistance":
            bound, n, alpha = map(read, e.args)
            return regularised_argmin_shift(bound, int(n), alpha)
        case "SignError":
            n, epsilon, delta, d, bound = map(read, e.args)
            return sign_error(int(n), epsilon, delta, d, bound)
        case "SignSamples":
            alpha, _, _, d, bound = map(read, e.args)
            if bound * sqrt(d) <= alpha * (1 + mpf(10) ** (5 - mp.dps)):  # one record, each of its d signs wrong
                return mpf(1)
    raise KeyError(name)


class Oracle:
    """Values of expressions at one instance; quantities are computed once, with so many digits."""

    def __init__(self, at: Mapping[str, Expr], digits: int = DIGITS) -> None:
        self.at, self.known, self.digits, self.numbers = at, cache(self._quantity), digits, mp_numbers(DIGITS)

    def _quantity(self, e: Expr, above: bool) -> Real:
        with mp.workdps(self.digits):
            return quantity(e, lambda part: mpf(self.value(part)), above)

    def value(self, e: Expr, above: bool = False) -> Real:
        """The value at the instance, to about 25 digits. Raises KeyError for a quantity without an oracle."""
        names: dict[str, Real] = {}
        plain = _without_quantities(e.where(self.at), names, lambda part: self.known(part, above))
        return plain(self.numbers, **{name: self.numbers.real(value) for name, value in names.items()})

    def sides(self, shown: Condition) -> tuple[Real, Real] | None:
        """Both sides of the condition with its sign upward; None where one has no real value."""
        up = shown.upward
        try:
            left, right = self.value(up.left), self.value(up.right, up.sign != "=")
        except (ZeroDivisionError, ValueError, TypeError, OverflowError):
            return None
        return (left, right) if all(hasattr(side, "_mpf_") for side in (left, right)) else None


def _without_quantities(e: Expr, names: dict[str, Real], known: Callable[[Expr], Real]) -> Expr:
    """The expression with its outermost quantities as symbols, whose values are put into `names`."""
    if e.op == "noun":
        name = f"quantity{len(names)}"
        names[name] = known(e)
        return symbol(name)
    return Expr(e.op, (_without_quantities(arg, names, known) for arg in e.args), e.value) if e.args else e
