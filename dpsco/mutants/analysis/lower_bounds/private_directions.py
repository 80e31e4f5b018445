"""Mutants of the amended lower bounds; false by the numbers of private answers in one dimension, computed in mpmath."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial, wraps
from itertools import pairwise
from typing import Any

from dpsco.arguments.formula import apply
from dpsco.mutant import Mutant, scaled, with_formula
from dpsco.reference.numbers.mp import mp
from dpsco.spec.analysis.lower_bounds.bilevel import DELTA_RANGE
from dpsco.spec.analysis.lower_bounds.bilevel import approximate_lower as uncapped_risk
from dpsco.spec.analysis.lower_bounds.bilevel import marginal_approximate as uncapped
from dpsco.spec.claim import Claim, Relation
from dpsco.spec.numbers import Numbers, Real, names_of
from dpsco.spec.register import find

Values = Mapping[str, Real]
DIGITS = 60
FAR = (10**16, 10**32, 10**64)
UNIT = {"L_fx": 1, "L_fy": 1, "L_gy": 1, "mu_g": 1, "D_x": 1, "D_y": 1, "theta": 1, "low_exponent": 2, "high_exponent": 1}


def mechanism(m: Numbers, v: Values) -> Real:
    """Risk of the exponential mechanism on any convex problem in one dimension, range 2 L_fx, L_gy/mu_g <= theta D_y.

    2 s/epsilon with s = (2/n) 2 L_fx + 4 theta L_fy D_y/n
    """
    return 2 * (4 * v["L_fx"] + 4 * v["theta"] * v["L_fy"] * v["D_y"]) / (v["n"] * v["epsilon"])


def median(m: Numbers, v: Values) -> Real:
    """Error of the mean of signs that Laplace noise (scale 2/(n epsilon)) exceeds with probability 1/32."""
    return 2 * m.log(m.real(32)) / (v["n"] * v["epsilon"])


def drawn(m: Numbers, v: Values) -> Real:
    """Population risk in one dimension of naming a point among n^(1/3), range 2: 20 n^(-1/3) and the privacy's share."""
    return 40 * v["theta"] * m.exp(-m.log(v["n"]) / 3) + 60 * v["theta"] * m.log(v["n"]) / (v["n"] * v["epsilon"])


def vanishes(claim: Claim, names: tuple[str, ...], known: Callable[[Numbers, Values], Real], along: Any) -> bool | None:
    """Whether the known bound over the rate falls without end on admitted points of a path."""
    m, found = mp(DIGITS), []
    for t in FAR:
        values = {**{k: m.real(x) for k, x in UNIT.items()}, **{k: m.real(x) for k, x in along(m, m.real(t)).items()}}
        if not all(predicate(m, values) is True for predicate in claim.preconditions):
            return None
        rate = sum((apply(claim.formulas[name], m, values) for name in names), start=m.real(0))
        found.append(known(m, values) / rate)
    return (bool(found[-1] < 1) and all(bool(b < a / 2) for a, b in pairwise(found))) or None


def line(m: Numbers, t: Real) -> dict[str, Real]:
    """n = t records in one dimension."""
    return {"n": t, "d": m.real(1), "d_x": m.real(1), "epsilon": m.frac(1, 2), "delta": 1 / (64 * t) ** 3}


def private_line(m: Numbers, t: Real) -> dict[str, Real]:
    return {**line(m, t), "epsilon": 1 / m.sqrt(t)}


def tiny_delta(m: Numbers, t: Real) -> dict[str, Real]:
    return {**line(m, t), "delta": m.exp(-t)}


def more_private_line(m: Numbers, t: Real) -> dict[str, Real]:
    return {**line(m, t), "epsilon": m.exp(-3 * m.log(t) / 5)}


def tiny_delta_in_laws(m: Numbers, t: Real) -> dict[str, Real]:
    return {**line(m, t), "epsilon": m.exp(-m.log(t) / 4), "delta": m.exp(-t)}


def powered(formula: Callable[..., Real], **powers: str) -> Callable[..., Real]:
    """The formula with quantities replaced by powers of themselves; every argument of the formula stays one."""

    @wraps(formula)
    def moved(m: Numbers, *args: Any, **kwargs: Any) -> Real:
        names = names_of(formula)
        values = {**dict(zip(names, args, strict=False)), **kwargs}
        return formula(m, **{k: m.exp(m.real(powers[k]) * m.log(x)) if k in powers else x for k, x in values.items()})

    return moved


def _moved(claim: Claim, name: str, **powers: str) -> Claim:
    return with_formula(claim, name, powered(claim.formulas[name], **powers))


def _rates(claim: Claim, known: Callable[[Numbers, Values], Real], extra: tuple[str, ...], capless: Any) -> Iterator[Mutant]:
    slow = more_private_line if extra else private_line
    for says, name, powers, path in (
        ("n^0.9 for n in the pure rate", "pure_rate", {"n": "0.9"}, slow),
        ("epsilon^1.2 for epsilon in the pure rate", "pure_rate", {"epsilon": "1.2"}, slow),
        ("n^0.9 for n in the approximate rate", "approximate_rate", {"n": "0.9"}, slow),
        ("epsilon^1.2 for epsilon in the approximate rate", "approximate_rate", {"epsilon": "1.2"}, slow),
    ):
        moved = _moved(claim, name, **powers)
        yield Mutant(says, moved, partial(vanishes, moved, (name, *extra), known, path))
    loose = with_formula(claim, "approximate_rate", capless)
    tiny = tiny_delta_in_laws if extra else tiny_delta
    yield Mutant(
        "ln(1/delta) not capped, as printed", loose, partial(vanishes, loose, ("approximate_rate", *extra), known, tiny)
    )
    weaker = _moved(claim, "pure_rate", n="1.1")
    yield Mutant("n^1.1 for n in the pure rate (still true)", weaker, lambda: False)


def of_theorem() -> Iterator[Mutant]:
    claim = find("bilevel/thm-3.9-amended")
    yield from _rates(claim, mechanism, (), uncapped_risk)
    steep = _moved(claim, "pure_rate", L_fx="1.2")
    yield Mutant("L_fx^1.2 for L_fx", steep, partial(vanishes, steep, ("pure_rate",), mechanism, _steep))
    wide = replace(claim, preconditions=claim.preconditions[1:])
    yield Mutant("every epsilon", wide, partial(vanishes, wide, ("pure_rate",), _named, _large_epsilon))
    flat = with_formula(claim, "beta_gxy_of_instance", lambda m, mu_g, D_y, D_x: mu_g * D_y / (2 * D_x))
    yield Mutant("half the mixed curvature", flat, partial(_flatter, flat))
    for name, numerator, denominator in (("zeta", 2, 1), ("radius_x", 2, 1), ("radius_y", 2, 1), ("slope_of_g", 9, 10)):
        moved = scaled(claim, name, numerator, denominator)
        yield Mutant(f"{name} times {numerator}/{denominator}", moved, partial(_misfit, moved))


def _steep(m: Numbers, t: Real) -> dict[str, Real]:
    return {**line(m, t), "L_fx": t}


def _large_epsilon(m: Numbers, t: Real) -> dict[str, Real]:
    return {**line(m, m.real(1)), "epsilon": m.log(t)}


def _named(m: Numbers, v: Values) -> Real:
    """One record: the better end of the interval by randomised response on a fine grid, range 2."""
    return 6 * m.exp(-v["epsilon"] / 2)


def _flatter(claim: Claim) -> bool:
    """Finite differences of (mu_g/2)(y - zeta x)^2 in x and y, in one dimension, against the formula."""
    m = mp(DIGITS)
    mu, big_x, big_y, h = m.real(2), m.real(5), m.real(3), m.real("1e-6")

    def g(x: Real, y: Real) -> Real:
        return mu / 2 * (y - big_y / big_x * x) ** 2

    mixed = abs(g(h, h) - g(h, -h) - g(-h, h) + g(-h, -h)) / (4 * h * h)
    v = {"mu_g": mu, "D_x": big_x, "D_y": big_y, "L_gy": m.real(7)}
    return bool(mixed > apply(claim.formulas["beta_gxy_of_instance"], m, v) * m.real("1.01"))


def _misfit(claim: Claim) -> bool:
    """Whether the instance on the line, with the claim's zeta and radii, is too wide, too steep or too curved, by differences.

    mu_g = 2, D_x = 5, D_y = 3, L_gy = mu_g D_y; g = (mu_g/2)(y - zeta x)^2, steepest at opposite ends.
    """
    m = mp(DIGITS)
    v = {"mu_g": m.real(2), "D_x": m.real(5), "D_y": m.real(3), "L_gy": m.real(6)}
    names = ("zeta", "radius_x", "radius_y", "slope_of_g", "beta_gxy_of_instance")
    zeta, x, y, steep, mixed = (apply(claim.formulas[name], m, v) for name in names)
    h, more = m.real("1e-20"), m.real("1.000001")

    def g(a: Real, b: Real) -> Real:
        return (b - zeta * a) ** 2

    slope = abs(g(-x, y + h) - g(-x, y - h)) / (2 * h)
    cross = abs(g(h, h) - g(h, -h) - g(-h, h) + g(-h, -h)) / (4 * h * h)
    wide = 2 * x > v["D_x"] * more or 2 * y > v["D_y"] * more
    return bool(wide or slope > v["L_gy"] * more or slope > steep * more or cross > mixed * more)


def of_marginals() -> Iterator[Mutant]:
    claim = find("bilevel/lem-B.18-amended")
    yield from _rates(claim, median, (), uncapped)
    wide = replace(claim, preconditions=(DELTA_RANGE,), parameters=find("bilevel/lem-B.18").parameters)
    half = replace(
        wide, asserts=(Relation("error of epsilon-DP A, with probability 1/2", ">=Omega", "pure_rate"), *claim.asserts[1:])
    )
    yield Mutant("probability 1/2 and every epsilon, as printed", half, partial(_counts, "0.5"))


def _counts(share: str) -> bool:
    """Geometric noise at epsilon = 2, its masses summed: an error with probability below the share, on every Z."""
    m = mp(DIGITS)
    q = m.exp(m.real(-2))
    mass = [q ** abs(k) for k in range(-60, 61)]
    return bool(1 - mass[60] / sum(mass) < m.real(share))


def of_directions() -> Iterator[Mutant]:
    claim = find("bilevel/eq-18-amended")
    wide = replace(claim, preconditions=())
    yield Mutant("every epsilon", wide, partial(_response, "2", "0.25"))
    often = replace(
        claim, asserts=(Relation("direction_error, with probability 1/2", ">=", "least_direction_error"), claim.asserts[1])
    )
    yield Mutant("probability 1/2", often, partial(_response, "0.5", "0.5"))
    for says, value in (("an error of 1.1", "1.1"), ("an error of 3", "3")):
        far = with_formula(claim, "least_direction_error", partial(_constant, value))
        yield Mutant(says, far, lambda: True)  # the answer 0 is at distance 1 from every unit vector
    tight = with_formula(claim, "rescaled", lambda m, n, M, direction_error, c: M / n * direction_error)
    yield Mutant("no |c| in the rescaled error", tight, partial(_shorter, tight))
    less = with_formula(claim, "rescaled", lambda m, n, M, direction_error, c: M / n * direction_error / 2 + abs(c))
    yield Mutant("half the direction error", less, partial(_shorter, less))


def _constant(value: str, m: Numbers) -> Real:
    return m.real(value)


def _response(epsilon: str, share: str) -> bool:
    """Odds of randomised response by its definition: p/(1 - p) = e^epsilon; wrong with a probability below the share."""
    m = mp(DIGITS)
    right = m.exp(m.real(epsilon)) / (1 + m.exp(m.real(epsilon)))
    return bool(1 - right < m.real(share))


def _shorter(claim: Claim) -> bool:
    """d = 1, M = 3, n = 8, Zbar = 4/8, A = 1/2: the error |3/8 A - 4/8| above the formula."""
    m = mp(DIGITS)
    v = {"n": m.real(8), "M": m.real(3), "direction_error": m.frac(1, 2), "c": m.frac(1, 8)}
    return bool(abs(m.frac(3, 16) - m.frac(1, 2)) > apply(claim.formulas["rescaled"], m, v) + m.real("1e-9"))


def of_remark() -> Iterator[Mutant]:
    claim = find("bilevel/rem-3.10-amended")
    yield from _rates(claim, drawn, ("statistical_term",), uncapped_risk)
    slow = _moved(claim, "statistical_term", n="0.4")
    yield Mutant(
        "n^(-1/5) for the statistical term",
        slow,
        partial(vanishes, slow, ("pure_rate", "statistical_term"), drawn, line),
    )
