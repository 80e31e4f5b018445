"""Mutants of the amended moments of truncated gradients, shown false by laws of few atoms, enumerated in exact rationals."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial

from dpsco.arguments.formula import apply
from dpsco.mutant import Mutant, scaled, with_formula
from dpsco.mutants.pointwise import scaled_mutant
from dpsco.reference.numbers.mp import mp
from dpsco.spec.claim import Claim
from dpsco.spec.numbers import Real
from dpsco.spec.register import find

Law = Sequence[tuple[Fraction, Fraction]]
"""Gradients on the line and their chances."""
POWERS = {"error": (0, 1), "bias": (1, 1), "spread": (2, 1), "square": (0, 2), "square_mean": (2, 2), "square_spread": (4, 2)}
"""Moment of the error that a bound is for (0: the largest), and the power of |x| that the bound has."""


def errors(law: Law, height: Fraction) -> Law:
    """The truncated gradient less the mean, with its chances."""
    mean = sum((g * q for g, q in law), start=Fraction(0))
    return [((g if abs(g) <= height else Fraction(0)) - mean, q) for g, q in law]


def breaks(claim: Claim, name: str, law: Law, beta: int, M: int, lambda_: Fraction | int) -> bool:
    """Whether the law's moment exceeds the claim's formulas `name`_sharp or `name`_plain at sigma = its standard deviation."""
    m, mean = mp(40), sum((g * q for g, q in law), start=Fraction(0))
    x = errors(law, beta * M + Fraction(lambda_))
    variance = sum(((g - mean) ** 2 * q for g, q in law), start=Fraction(0))
    sigma = m.sqrt(m.real(variance))
    assert abs(mean) <= beta * M <= lambda_
    values = {"beta": m.real(beta), "M": m.real(M), "lambda_": m.real(Fraction(lambda_)), "sigma": sigma}
    order, power = POWERS[name]
    reached: Real = m.real(max(abs(a) for a, _ in x)) ** power
    if order:
        moment = m.real(abs(sum(((a if order == 1 else a**order) * q for a, q in x), start=Fraction(0))))
        reached = moment ** (m.real(power) / order)
    bounds = [apply(claim.formulas[f"{name}_{kind}"], m, values) for kind in ("sharp", "plain")]
    return bool(any(reached > bound for bound in bounds))


def far_kept(q: Fraction = Fraction(1, 10**6)) -> Law:
    """beta M = 4, lambda = 5: the mean -4, and 9, just kept, with chance q."""
    return [(Fraction(9), q), ((-4 - 9 * q) / (1 - q), 1 - q)]


def just_lost(q: Fraction = Fraction(1, 10**6)) -> Law:
    """beta M = 4, lambda = 5: the mean -4, and -9.001, just set to zero, with chance q."""
    lost = Fraction(-9001, 1000)
    return [(lost, q), ((-4 - lost * q) / (1 - q), 1 - q)]


def nothing_lost() -> Law:
    """Mean 0, atoms +-1."""
    return [(Fraction(1), Fraction(1, 2)), (Fraction(-1), Fraction(1, 2))]


WIDE = (2, 2, 5)
"""beta, M, lambda."""
FLAT = (1, 1, 10**6)


def of_gradients() -> Iterator[Mutant]:
    claim = find("lp/lem-17-amended")
    for name, law, at, says, share in (
        ("error_sharp", far_kept(), WIDE, "size times 0.95", (19, 20)),
        ("bias_sharp", just_lost(), WIDE, "bias times 0.95", (19, 20)),
        ("spread_sharp", nothing_lost(), FLAT, "spread times 0.95", (19, 20)),
        ("spread_plain", nothing_lost(), FLAT, "plain spread sigma times 0.9", (9, 20)),
    ):
        moved = scaled(claim, name, *share)
        which = name.rsplit("_", 1)[0]
        yield Mutant(says, moved, lambda moved=moved, which=which, law=law, at=at: breaks(moved, which, law, *at))  # type: ignore[misc]
    lost = with_formula(claim, "error_sharp", lambda m, beta, M, lambda_: beta * M + lambda_)
    yield Mutant("beta M once in the size", lost, lambda: breaks(lost, "error", far_kept(), *WIDE))
    free = replace(claim, preconditions=claim.preconditions[:2])
    yield Mutant(
        "no condition on the population gradient", free, lambda: all(x == 1000 for x, _ in errors(LINEAR, Fraction(2)))
    )
    more = scaled(claim, "error_sharp", 11, 10)
    yield Mutant("size times 1.1, no longer at most 3 lambda", more, lambda: beyond_plain(more))
    for name, kind in (("error", "sharp"), ("bias", "sharp")):
        yield scaled_mutant(claim, f"{name}_plain", 9, 10, (f"{name}_{kind}", "<=", f"{name}_plain"), EQUAL)
    for name, order, law, at, share in (
        ("product_bound", 0, far_kept(), WIDE, (4, 5)),
        ("product_bias", 1, just_lost(), WIDE, (1, 2)),
        ("product_spread", 2, nothing_lost(), FLAT, (9, 20)),
    ):
        moved = scaled(claim, name, *share)
        says = f"{name} times {share[0]}/{share[1]}"
        yield Mutant(says, moved, partial(product_breaks, moved, name, order, law, *at))


EQUAL = {"beta": "1", "M": "1", "lambda_": "1", "sigma": "1", "largest_moment": "1", "largest_slope": "1"}
"""beta M = lambda: the plain bounds are the sharp ones."""


def product_breaks(claim: Claim, name: str, order: int, law: Law, beta: int, M: int, lambda_: int) -> bool:
    """Whether x_t (z - w), M apart on the line, exceeds the bound on its size (order 0), its mean or its root mean square."""
    m, mean = mp(40), sum((g * q for g, q in law), start=Fraction(0))
    products = [(x * M, q) for x, q in errors(law, beta * M + Fraction(lambda_))]
    variance = sum(((g - mean) ** 2 * q for g, q in law), start=Fraction(0))
    values = {"beta": m.real(beta), "M": m.real(M), "lambda_": m.real(lambda_), "sigma": m.sqrt(m.real(variance))}
    if order == 0:
        reached = m.real(max(abs(x) for x, _ in products))
    else:
        moment = abs(sum((x**order * q for x, q in products), start=Fraction(0)))
        reached = m.real(moment) if order == 1 else m.sqrt(m.real(moment))
    return bool(reached > apply(claim.formulas[name], m, values))


def beyond_plain(claim: Claim) -> bool:
    """Whether error_sharp exceeds error_plain at beta = M = lambda = 1."""
    m = mp(30)
    at = {name: m.real(1) for name in ("beta", "M", "lambda_")}
    return bool(apply(claim.formulas["error_sharp"], m, at) > apply(claim.formulas["error_plain"], m, at))


LINEAR: Law = [(Fraction(-1000), Fraction(1))]
"""One loss -1000 w, beta = M = lambda = 1: every gradient is set to zero, and the error is 1000 against a bound of 3."""


def of_squares() -> Iterator[Mutant]:
    claim, printed = find("lp/lem-19-amended"), find("lp/lem-19")
    for name, law, at, says, share in (
        ("square_sharp", far_kept(), WIDE, "size times 0.95", (19, 20)),
        ("square_mean_sharp", nothing_lost(), FLAT, "mean times 0.95", (19, 20)),
        ("square_mean_plain", nothing_lost(), FLAT, "plain mean 0.9 sigma^2", (9, 40)),
        ("square_spread_plain", far_kept(), WIDE, "plain spread times 0.4", (2, 5)),
        ("square_spread_sharp", far_kept(), WIDE, "spread times 0.4", (2, 5)),
    ):
        moved = scaled(claim, name, *share)
        which = name.rsplit("_", 1)[0]
        yield Mutant(says, moved, lambda moved=moved, which=which, law=law, at=at: breaks(moved, which, law, *at))  # type: ignore[misc]
    lost = with_formula(claim, "square_sharp", printed.formulas["square_sharp"])
    yield Mutant("M for beta M in the size, as printed", lost, lambda: breaks(lost, "square", far_kept(), *WIDE))
    free = replace(claim, preconditions=claim.preconditions[:2])
    yield Mutant(
        "no condition on the population gradient", free, lambda: all(x == 1000 for x, _ in errors(LINEAR, Fraction(2)))
    )
    yield scaled_mutant(claim, "square_plain", 9, 10, ("square_sharp", "<=", "square_plain"), EQUAL)
