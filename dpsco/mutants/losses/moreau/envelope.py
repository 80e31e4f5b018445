"""Mutants of the claims about the check loss's Moreau envelope, shown false in fractions: the envelope is squeezed between the
objective at one x and the dual value at one slope; and by quadrature of the Gaussian convolution."""

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

from dpsco.instances.kernel_integrals import CLEARLY, HALF, ONE, QUARTER, M
from dpsco.instances.kernel_integrals import gap as gaussian_gap
from dpsco.mutant import Mutant, scaled, with_formula
from dpsco.mutants.losses.kernels import flip
from dpsco.spec.claim import Relation
from dpsco.spec.numbers import Numbers, Real
from dpsco.spec.register import find


def loss(x: Fraction, r: Fraction) -> Fraction:
    return max(r * x, (r - 1) * x)


def objective(u: Fraction, x: Fraction, r: Fraction, h: Fraction) -> Fraction:
    """No less than the envelope at u, for any x."""
    return loss(x, r) + (u - x) ** 2 / (2 * h)


def dual(u: Fraction, g: Fraction, r: Fraction, h: Fraction) -> Fraction:
    """No more than the envelope at u, for any slope g in [r - 1, r]: c(x) >= g x."""
    if not r - 1 <= g <= r:
        raise ValueError(f"a slope of the loss lies in [{r - 1}, {r}], got {g}")
    return g * u - h * g**2 / 2


def squeezed(u: Fraction, r: Fraction = HALF, h: Fraction = ONE) -> Fraction:
    """The envelope at u: the dual value at the best slope, once the objective attains it."""
    g = min(max(u / h, r - 1), r)
    low, high = dual(u, g, r, h), objective(u, u - h * g, r, h)
    if low != high:
        raise ArithmeticError(f"the bounds at u = {u} are apart: {low}, {high}")
    return low


def quotient(u: Fraction, step: Fraction) -> Fraction:
    """The second difference quotient from u on, at r = 1/2 and h = 1."""
    return (squeezed(u + 2 * step) - 2 * squeezed(u + step) + squeezed(u)) / step**2


def bends(u: Fraction) -> bool:
    """Whether second difference quotients on both sides of u stay apart."""
    steps = [Fraction(1, 10**k) for k in (2, 4, 8)]
    return all(abs(quotient(u, s) - quotient(u, -s)) > HALF for s in steps)


def of_infimum() -> list[Mutant]:
    claim = find("newsvendor/moreau")
    envelope = claim.formulas["envelope"]

    def moved(says: str, formula: Callable[..., Real], false: Callable[[], bool]) -> Mutant:
        return Mutant(says, with_formula(claim, "envelope", formula), false)

    def off(formula: Callable[..., Real], u: str) -> Callable[[], bool]:
        """Whether a formula is not the envelope at r = 1/2, h = 1."""
        return lambda: (
            abs(Fraction(str(formula(M, M.real(u), M.real("0.5"), M.real(1)))) - squeezed(Fraction(u))) > Fraction(1, 999)
        )

    def no_offset(m: Numbers, u: Real, r: Real, h: Real) -> Real:
        return m.where(m.ge(u, r * h), r * u, envelope(m, u, r, h))

    def twice(m: Numbers, u: Real, r: Real, h: Real) -> Real:
        return m.where(m.ge(u, r * h), envelope(m, u, r, h), m.where(m.le(u, (r - 1) * h), envelope(m, u, r, h), u**2 / h))

    def sooner(m: Numbers, u: Real, r: Real, h: Real) -> Real:
        return m.where(m.ge(u, r * h / 2), r * u - h * r**2 / 2, envelope(m, u, r, h))

    return [
        Mutant(
            "envelope times 11/10",
            scaled(claim, "envelope", 11, 10),
            lambda: squeezed(ONE) * 11 / 10 > objective(ONE, HALF, HALF, ONE),
        ),
        Mutant(
            "envelope times 9/10", scaled(claim, "envelope", 9, 10), lambda: squeezed(ONE) * 9 / 10 < dual(ONE, HALF, HALF, ONE)
        ),
        moved("no offset on the right", no_offset, off(no_offset, "1")),
        moved("u^2/h between the joints", twice, off(twice, "0.25")),
        moved("the right piece from r h/2 on", sooner, off(sooner, "0.375")),
        Mutant(
            "objective times 9/10",
            scaled(claim, "proximal_objective", 9, 10),
            lambda: objective(ONE, HALF, HALF, ONE) * 9 / 10 < squeezed(ONE),
        ),
        flip(claim, "infimum over x of proximal_objective", "<", "envelope", lambda: squeezed(ONE) == Fraction(3, 8)),
    ]


def of_lemma() -> list[Mutant]:
    claim = find("newsvendor/lem-EC.4-amended")
    but, shape = claim.asserts[1], claim.asserts[2]

    def other_side(m: Numbers, r: Real, h: Real) -> Real:
        return (1 - r) * h * 2

    def slope() -> Fraction:
        return (squeezed(2 * ONE) - squeezed(ONE)) / ONE

    def gap(u: Fraction) -> Fraction:
        return squeezed(u) - loss(u, HALF)

    def word(other: str, false: Callable[[], bool]) -> Mutant:
        return Mutant(
            other, replace(claim, asserts=tuple(replace(a, right=other) if a == shape else a for a in claim.asserts)), false
        )

    everywhere = Relation("envelope", "is", "twice differentiable in u")
    return [
        Mutant("the right kink at r h/2", scaled(claim, "kink_right", 1, 2), lambda: bends(HALF)),
        Mutant("the left kink at 2 (1 - r) h", with_formula(claim, "kink_left", other_side), lambda: bends(-HALF)),
        Mutant(
            "twice differentiable everywhere",
            replace(claim, asserts=tuple(everywhere if a == but else a for a in claim.asserts)),
            lambda: bends(HALF),
        ),
        Mutant("Lipschitz constant times 9/10", scaled(claim, "lipschitz", 9, 10), lambda: slope() > HALF * 9 / 10),
        Mutant(
            "smoothness times 9/10",
            scaled(claim, "smoothness", 9, 10),
            lambda: quotient(QUARTER / 2, Fraction(1, 64)) > Fraction(9, 10),
        ),
        Mutant("lower bound of the gap times 9/10", scaled(claim, "gap_lower", 9, 10), lambda: gap(ONE) < -Fraction(9, 80)),
        Mutant("envelope times 11/10", scaled(claim, "envelope", 11, 10), lambda: slope() * 11 / 10 > HALF),
        Mutant("gap times 11/10", scaled(claim, "gap", 11, 10), lambda: gap(ONE) * 11 / 10 < -Fraction(1, 8)),
        flip(claim, "gap", "<", "0", lambda: gap(0 * ONE) == 0),
        flip(claim, "gap_lower", "<", "gap", lambda: gap(ONE) == -Fraction(1, 8)),
        flip(
            claim,
            "Lipschitz constant of the envelope's slope",
            "<",
            "smoothness",
            lambda: quotient(0 * ONE, Fraction(1, 8)) == 1,
        ),
        word("strictly convex in u", lambda: quotient(ONE, ONE) == 0),
        word("concave in u", lambda: quotient(0 * ONE, Fraction(1, 8)) > 0),
    ]


def of_comparison() -> list[Mutant]:
    claim = find("newsvendor/sec-EC.2-moreau-amended")
    far, hellinger = "gap_convolution_gaussian where |u| >= far", "Hellinger envelope minus loss"

    def near() -> bool:
        u = M.sqrt(M.log(M.real(2))) / 2
        return bool(gaussian_gap("gaussian", str(u), "1") > u / 2 - u**2 / 2 + CLEARLY)

    def at_zero() -> Real:
        """The Gaussian gap at u = 0, h = 1; the Hellinger gap is beta there, as c >= 0 and phi >= beta."""
        return gaussian_gap("gaussian", "0", "1")

    def at_kink() -> Real:
        """The objective's least value over a grid, r = 1/2, u = 0, h = beta = 1."""
        return min(M.sqrt(1 + x**2) + abs(x) / 2 for x in (M.frac(k, 64) for k in range(-256, 257)))

    def steep() -> bool:
        """r = 1/4, h = beta = 1, u = -8: the objective at one x is an upper bound of the envelope."""
        s = M.real("0.75")
        w = s / M.sqrt(1 - s**2)
        return bool(s * (8 - w) + M.sqrt(1 + w**2) - s * 8 < M.sqrt(1 - s**2) * 11 / 10 - CLEARLY)

    def outgrows() -> bool:
        ratios = [gaussian_gap("gaussian", t, "1") * M.exp(M.real(t) ** 2) for t in ("2", "4", "6")]
        return bool(ratios[0] * 100 < ratios[1] and ratios[1] * 100 < ratios[2])

    rate = Relation("gap_convolution_gaussian", "<=O", "exp(-u^2 / h^2) h for u fixed, h -> 0")
    faster = tuple(rate if a.sign == "<=O" else a for a in claim.asserts)
    return [
        Mutant("far from the kink: a quarter of it", scaled(claim, "far", 1, 4), near),
        flip(claim, far, ">", "|gap_moreau|", lambda: bool(gaussian_gap("gaussian", "2", "1") < M.frac(1, 8))),
        Mutant(
            "uniform kernel's error times 11/10",
            scaled(claim, "gap_uniform_largest", 11, 10),
            lambda: Fraction(11, 80) > ONE / 8,
        ),
        Mutant(
            "the envelope's error times 9/10",
            scaled(claim, "gap_moreau_largest", 9, 10),
            lambda: loss(ONE, HALF) - squeezed(ONE) > Fraction(9, 80),
        ),
        Mutant(
            "Gaussian error doubled", scaled(claim, "gap_convolution_gaussian", 2, 1), lambda: bool(2 * at_zero() > HALF_REAL)
        ),
        Mutant(
            "a thousandth of the envelope's error",
            scaled(claim, "gap_moreau", 1, 1000),
            lambda: bool(gaussian_gap("gaussian", "2", "1") > M.frac(1, 8000)),
        ),
        Mutant("the error's decay squared", replace(claim, asserts=faster), outgrows),
        Mutant("lower bound times 11/10", scaled(claim, "gap_hellinger_lower", 11, 10), steep),
        Mutant("upper bound times 9/10", scaled(claim, "gap_hellinger_upper", 9, 10), lambda: at_kink() > M.real("0.9")),
        # beta = 1/2, r = 3/4, h = 1, u = 4: the objective at x = 0 is beta sqrt(17), the loss 3
        Mutant(
            "beta below the slopes",
            replace(claim, preconditions=()),
            lambda: bool(HALF_REAL * M.sqrt(M.real(17)) < 3 - CLEARLY),
        ),
        flip(claim, "gap_convolution_gaussian", ">", hellinger, lambda: bool(at_zero() < HALF_REAL)),
    ]


HALF_REAL = M.real("0.5")
"""The least Hellinger gap at u = 0, h = 1: beta >= 1/2."""
