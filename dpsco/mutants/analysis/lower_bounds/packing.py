"""Mutants of the packing lower bounds; falsity by risks of private algorithms, evaluated plainly, and by search."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from functools import partial
from itertools import product

from dpsco.mutant import Mutant, scaled, with_formula
from dpsco.reference.numbers.mp import mp
from dpsco.spec.claim import Claim
from dpsco.spec.numbers import Numbers, Real, Truth, names_of
from dpsco.spec.predicate import Predicate
from dpsco.spec.register import find

FAR = 1000
"""Coordinate of a far decision of S."""


def fit(n: float, d: float, epsilon: float, delta: float) -> float:
    """Risk over L B_B of the regularised fit with noise of density e^(-epsilon |z|/D), the best of many lambda."""
    grid = (10 ** (k / 50) for k in range(-2000, 500))
    return min(a / 2 + 2 / (a * n) * (1 + d / epsilon) for a in grid)


def gaussian(n: float, d: float, epsilon: float, delta: float) -> float:
    """The same with Gaussian noise, for delta >= n^(-50): 2 ln(1.25/delta) <= 100 ln(n) + 1."""
    m = mp(20)
    s = float(m.sqrt(100 * m.log(m.real(n)) + 1)) / epsilon
    return min(a / 2 + 2 / (a * n) * (1 + d**0.5 * s) for a in (10 ** (k / 50) for k in range(-2000, 500)))


def zero(n: float, d: float, epsilon: float, delta: float) -> float:
    return 1.0


def subset(n: float, d: float, epsilon: float, delta: float) -> float:
    return float(int(delta * n) ** -0.5)


def halves(n: float, d: float, epsilon: float, delta: float) -> float:
    """Excess of the prediction (1/2, ..., 1/2) on a packed data set, counted coordinate by coordinate."""
    return sum(2 * 0.5 for _ in range(int(d) - 1))


Risk = Callable[[float, float, float, float], float]
Where = Callable[[float], tuple[float, float, float, float]]


def grows(claim: Claim, name: str, risk: Risk, where: Where) -> bool:
    """Whether the claimed rate over an algorithm's risk grows tenfold and more from N = 10^2 to 10^6 and again to 10^10."""
    m, formula = mp(40), claim.formulas[name]
    names = names_of(formula)
    quotients = []
    for N in (1e2, 1e6, 1e10):
        n, d, epsilon, delta = where(N)
        given = {"n": n, "d": d, "epsilon": epsilon, "delta": delta}
        rate = formula(m, **{key: m.real(given[key]) for key in names})
        quotients.append(rate / m.real(risk(n, d, epsilon, delta)))
    return bool(quotients[1] > 10 * quotients[0] and quotients[2] > 10 * quotients[1])


def of_population_risk() -> Iterator[Mutant]:
    claim = find("spo/thm-5")

    def slower(m: Numbers, n: Real, epsilon: Real) -> Real:
        return 1 / n ** m.frac(1, 5)

    def inverse(m: Numbers, n: Real, epsilon: Real) -> Real:
        return 1 / m.sqrt(n) + 1 / (n * epsilon)

    def odds(m: Numbers, n: Real, epsilon: Real) -> Real:
        return 1 / m.sqrt(n) + m.expm1(epsilon) / n

    def root(m: Numbers, n: Real, epsilon: Real) -> Real:
        return 1 / m.sqrt(n) + 1 / m.sqrt(m.sqrt(n))

    def sampling(m: Numbers, n: Real, epsilon: Real) -> Real:
        return 1 / m.sqrt(n)

    for says, formula, risk, where in (
        ("n^(-1/5)", slower, fit, lambda N: (N**2, 1.0, 1.0, 0.25)),
        ("1/(n epsilon) for h/n", inverse, zero, lambda N: (1.0, 1.0, 1 / N, 0.25)),
        ("(e^epsilon - 1)/n for h/n", odds, zero, lambda N: (1.0, 1.0, 3 * len(str(int(N))), 0.25)),
        ("n^(-1/4) added", root, fit, lambda N: (N**2, 1.0, 1.0, 0.25)),
    ):
        moved = with_formula(claim, "rate", formula)
        yield Mutant(says, moved, partial(grows, moved, "rate", risk, where))
    yield Mutant("n^(-1/2) alone (still true)", with_formula(claim, "rate", sampling), lambda: False)


def of_ball_risk() -> Iterator[Mutant]:
    claim = find("spo/thm-8-amended")

    def unbounded(m: Numbers, n: Real, d: Real, epsilon: Real) -> Real:
        return 1 / m.sqrt(n) + m.sqrt(d) / (n * epsilon)

    def with_log(m: Numbers, n: Real, d: Real, epsilon: Real, delta: Real) -> Real:
        return 1 / m.sqrt(n) + m.min(m.real(1), m.sqrt(d * m.log(1 / delta)) / (n * epsilon))

    def linear(m: Numbers, n: Real, d: Real, epsilon: Real) -> Real:
        return 1 / m.sqrt(n) + m.min(m.real(1), d / (n * epsilon))

    def squared(m: Numbers, n: Real, d: Real, epsilon: Real) -> Real:
        return 1 / m.sqrt(n) + m.min(m.real(1), m.sqrt(d) / (n * epsilon**2))

    def slower(m: Numbers, n: Real, d: Real, epsilon: Real) -> Real:
        return 1 / n ** m.frac(1, 5)

    for says, formula, risk, where in (
        ("no minimum", unbounded, zero, lambda N: (1.0, 1.0, 1 / N, 0.25 / N)),
        ("sqrt(d) squared", linear, gaussian, lambda N: (N**4, N**4, 0.5, 0.25 / N**3)),
        ("epsilon squared", squared, fit, lambda N: (N**2, 1.0, 1 / N, 0.25 / N)),
        ("n^(-1/5)", slower, fit, lambda N: (N**2, 1.0, 1.0, 0.25)),
    ):
        moved = with_formula(claim, "rate", formula)
        yield Mutant(says, moved, partial(grows, moved, "rate", risk, where))
    moved = with_formula(claim, "rate", with_log)
    yield Mutant("sqrt(d ln(1/delta)) for sqrt(d)", moved, partial(_log_grows, moved))
    every = replace(claim, preconditions=())
    yield Mutant("every delta", every, partial(grows, every, "rate", subset, lambda N: (N, 1.0, 1 / N, 0.5)))


def _log_grows(claim: Claim) -> bool:
    """The same quotient at delta = e^(-n^2), below every double."""
    m, quotients = mp(40), []
    for n in (1e4, 1e8, 1e12):
        values = {"n": m.real(n), "d": m.real(1), "epsilon": m.real(1), "delta": m.exp(-(m.real(n) ** 2))}
        quotients.append(claim.formulas["rate"](m, **values) / m.real(fit(n, 1.0, 1.0, 0.0)))
    return bool(quotients[1] > 10 * quotients[0] and quotients[2] > 10 * quotients[1])


def searched(c: tuple[Fraction, ...], c_hat: tuple[Fraction, ...]) -> Fraction:
    """SPO+ by search over decisions with coordinates -1, 0 and FAR; where FAR is best, SPO+ has no bound."""
    best = tuple(-a for a in c)
    values = (
        sum(((a - 2 * b) * w for a, b, w in zip(c, c_hat, decision, strict=True)), start=Fraction(0))
        for decision in product((-1, 0, FAR), repeat=len(c))
    )
    return max(values) + sum(((2 * b - a) * w for a, b, w in zip(c, c_hat, best, strict=True)), start=Fraction(0))


COST = (Fraction(1), Fraction(0))
PREDICTION = (Fraction(3, 4), Fraction(2))


def other_loss(claim: Claim) -> bool:
    m = mp(30)
    given = {"c": COST, "c_hat": PREDICTION, "w_star": tuple(-a for a in COST)}
    said = claim.formulas["packed_loss"](m, **{name: [m.real(x) for x in v] for name, v in given.items()})
    return bool(abs(said - m.real(searched(COST, PREDICTION))) > m.real("1e-20"))


def larger_risk(claim: Claim) -> bool:
    """Whether predicting `share` of the largest costs e_1, e_2 is worse than another prediction of a grid."""
    part = Fraction(str(float(claim.formulas["share"](mp(30)))))
    costs = (COST, COST[::-1])

    def mean(c_hat: tuple[Fraction, ...]) -> Fraction:
        return sum((searched(c, c_hat) for c in costs), start=Fraction(0)) / 2

    grid = [Fraction(k, 10) for k in range(16)]
    return min(mean((a, b)) for a in grid for b in grid) < mean((part, part))


def other_distance(claim: Claim) -> bool:
    true = sum(abs(a - b) for a, b in zip(COST, COST[::-1], strict=True))
    return bool(abs(claim.formulas["separation_stated"](mp(30)) - true.numerator) > mp(30).real("1e-20"))


def distance_differs(claim: Claim) -> bool:
    """Whether the claimed distance of e_1 and e_2 is not the stated one."""
    m = mp(30)
    first, second = ([m.real(int(k == j)) for k in range(2)] for j in range(2))
    said = claim.formulas["separation"](m, c_first=first, c_second=second)
    return bool(abs(said - claim.formulas["separation_stated"](m)) > m.real("1e-20"))


def of_loss() -> Iterator[Mutant]:
    claim = find("spo/app-d-1-amended")
    for says, numerator, denominator in (("twice the loss", 2, 1), ("0.9 of the loss", 9, 10)):
        moved = scaled(claim, "packed_loss", numerator, denominator)
        yield Mutant(says, moved, partial(other_loss, moved))
    near = scaled(claim, "separation", 3, 2)
    yield Mutant("3/2 of the distance", near, partial(distance_differs, near))
    far = scaled(claim, "separation_stated", 3, 2)
    yield Mutant("distance 3", far, partial(other_distance, far))
    for says, numerator, denominator in (("the whole cost", 2, 1), ("0.4 of the cost", 4, 5), ("0.6 of the cost", 6, 5)):
        moved = scaled(claim, "share", numerator, denominator)
        yield Mutant(says, moved, partial(larger_risk, moved))


def no_contradiction(claim: Claim, n: int, d: int, epsilon: str) -> bool:
    """Whether the condition is met and the mass is not above the total."""
    m = mp(40)
    v = {"n": m.real(n), "d": m.real(d), "epsilon": m.real(epsilon)}
    said = claim.formulas["packed_mass"](m, d=v["d"], epsilon=v["epsilon"], n=v["n"])
    return all(p(m, v) is True for p in claim.preconditions) and bool(said <= claim.formulas["total_mass"](m))


def _half_as_large(m: Numbers, d: Real, epsilon: Real, n: Real) -> Truth:
    return m.gt(d, m.exp(epsilon * n))


def of_mass() -> Iterator[Mutant]:
    claim = find("spo/app-d-2-amended")

    def twice(m: Numbers, d: Real, epsilon: Real, n: Real) -> Real:
        return d * m.frac(1, 2) * m.exp(-2 * epsilon * n)

    half, total = scaled(claim, "packed_mass", 1, 2), scaled(claim, "total_mass", 2, 1)
    steeper, every = with_formula(claim, "packed_mass", twice), replace(claim, preconditions=())
    given = claim.preconditions[0]
    smaller = Predicate("d > e^(epsilon n)", _half_as_large, accepts=given.accepts, rejects={**given.rejects, "d": 2})
    weaker = replace(claim, preconditions=(smaller,))
    for says, moved, d in (
        ("half the mass", half, 6),
        ("a total of 2", total, 6),
        ("e^(-2 epsilon n)", steeper, 6),
        ("every d", every, 1),
        ("d > e^(epsilon n)", weaker, 3),
    ):
        yield Mutant(says, moved, partial(no_contradiction, moved, 1, d, "1"))


def other_gap(claim: Claim, c_hat: tuple[Fraction, ...]) -> bool:
    """Whether the difference of two searched losses is another, conditions met where the claim has them."""
    m, c_star = mp(30), (Fraction(1, 2), Fraction(0))
    given = {"c": COST, "c_hat": c_hat, "c_star": c_star, "w_star": tuple(-a for a in COST)}
    v = {name: [m.real(x) for x in vector] for name, vector in given.items()}
    said = claim.formulas["loss_gap"](m, c_hat=v["c_hat"], c_star=v["c_star"], w_star=v["w_star"])
    differs = bool(abs(said - m.real(searched(COST, c_hat) - searched(COST, c_star))) > m.real("1e-20"))
    return differs and all(p(m, v) is True for p in claim.preconditions)


def of_gap() -> Iterator[Mutant]:
    claim = find("spo/app-d-3-amended")
    for says, numerator, denominator in (("half the gap", 1, 2), ("the gap with its sign turned", -1, 1)):
        moved = scaled(claim, "loss_gap", numerator, denominator)
        yield Mutant(says, moved, partial(other_gap, moved, PREDICTION))
    every = replace(claim, preconditions=())
    yield Mutant("predictions that do not cover", every, partial(other_gap, every, (Fraction(1, 4), Fraction(0))))

    def odds(m: Numbers, n: Real, epsilon: Real) -> Real:
        return m.expm1(epsilon) / n

    def inverse(m: Numbers, n: Real, epsilon: Real) -> Real:
        return 1 / (n * epsilon)

    def rising(m: Numbers, n: Real, epsilon: Real) -> Real:
        return m.sqrt(n) * m.expm1(epsilon) / (m.exp(epsilon) + 1)

    for name, says, formula, where in (
        ("loss_rate", "(e^epsilon - 1)/n", odds, lambda N: (1.0, 2.0, 3 * len(str(int(N))), 0.25)),
        ("rate", "1/(n epsilon)", inverse, lambda N: (1.0, 2.0, 1 / N, 0.25)),
        ("loss_rate", "sqrt(n) h", rising, lambda N: (N, 2.0, 1.0, 0.25)),
    ):
        moved = with_formula(claim, name, formula)
        yield Mutant(f"{name} {says}", moved, partial(grows, moved, name, halves, where))
