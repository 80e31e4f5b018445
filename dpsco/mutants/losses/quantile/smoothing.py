"""Mutants of the claims about the smoothed check loss, shown false by quadrature of the definition, difference quotients of
it, or fractions for the uniform kernel."""

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

from dpsco.instances import kernel_integrals as by_hand
from dpsco.instances.kernel_integrals import (
    CLEARLY,
    HALF,
    ONE,
    QUARTER,
    M,
    apart,
    bend,
    convolved,
    gap,
    gap_at_zero,
    quotient,
    sides_differ,
    straight,
    uniform_gap,
    uniform_slope,
)
from dpsco.mutant import Mutant, scaled, with_formula
from dpsco.mutants.losses.kernels import flip
from dpsco.spec.claim import Claim, Relation
from dpsco.spec.losses.kernels import table_density, table_integrated
from dpsco.spec.losses.quantile.smoothing import below, from_minus, second, slope, smoothed
from dpsco.spec.numbers import Numbers, Real, Truth
from dpsco.spec.predicate import Predicate
from dpsco.spec.register import find

AT = (M.real(1), M.real(3), M.real("0.3"))
"""Residual, bandwidth and level at which formulas are evaluated."""


def false(test: Callable[[], object]) -> Callable[[], bool]:
    return lambda: bool(test())


def off_one(m: Numbers, kernel: str, u: Real) -> Truth:
    return m.no(m.eq(m.abs(u), m.real(1))) if kernel == "uniform" else True


AT_ONE = Predicate("|u| is not 1", off_one, accepts={"kernel": "uniform", "u": "2"}, rejects={"kernel": "uniform", "u": "1"})


def jumps_met(claim: Claim) -> list[Mutant]:
    """The claim with the kernel's jumps let in, all of them or those at other bandwidths than 1."""
    return [
        Mutant("kernels with a jump at u/h included", replace(claim, preconditions=()), lambda: sides_differ(ONE, ONE)),
        Mutant(
            "|u| = h excluded at h = 1 only", replace(claim, preconditions=(AT_ONE,)), lambda: sides_differ(2 * ONE, 2 * ONE)
        ),
    ]


def uniform_form_is_exact() -> bool:
    """At u = 2, h = 1 the uniform kernel's closed form is the convolution, in exact arithmetic."""
    closed = smoothed(M, "uniform", M.real(2), M.real(1), M.real("0.25"))
    return bool(by_hand.uniform_loss(2 * ONE, ONE, QUARTER) == Fraction(str(closed)))


def shaped(claim: Claim, word: str, false: Callable[[], bool]) -> Mutant:
    """The mutant that has c_h of another shape than convex."""
    convex = Relation("c_h", "is", "convex")
    moved = tuple(replace(a, right=word) if a == convex else a for a in claim.asserts)
    return Mutant(f"c_h is {word}", replace(claim, asserts=moved), false)


def off_slope(kernel: str, moved: Callable[..., Real], sign: int) -> Callable[[], bool]:
    """Whether a formula is apart from sign times the difference quotient of c_h."""
    return lambda: apart(sign * quotient(kernel, "1", "3", "0.3"), moved(M, kernel, *AT))


def off_bend(kernel: str, moved: Callable[..., Real]) -> Callable[[], bool]:
    """Whether a formula is apart from the second difference quotient of c_h."""
    return lambda: apart(bend(kernel, "0.999", "1.001", "3"), moved(M, kernel, *AT[:2]))


def of_equation() -> list[Mutant]:
    claim = find("quantile/eq-2-amended")

    def doubled(m: Numbers, kernel: str, u: Real, h: Real, r: Real) -> Real:
        return 2 * smoothed(m, kernel, u, h, r) - (r - m.frac(1, 2)) * u

    def centred(m: Numbers, kernel: str, u: Real, h: Real, r: Real) -> Real:
        return slope(m, kernel, u, h, r) + m.frac(1, 2)

    def unscaled(m: Numbers, kernel: str, u: Real, h: Real) -> Real:
        return table_density(m, kernel, u / h)

    def bowl() -> bool:
        low, middle, high = (convolved("logistic", u, 1, "0.3") for u in (-1, 0, 1))
        return bool(low + high > 2 * middle + CLEARLY)

    return [
        Mutant(
            "h in the place of h/2",
            with_formula(claim, "c_h", doubled),
            false(lambda: apart(convolved("logistic", *AT), doubled(M, "logistic", *AT))),
        ),
        Mutant("r - 1/2 in the slope", with_formula(claim, "slope", centred), off_slope("gaussian", centred, 1)),
        Mutant("second derivative without 1/h", with_formula(claim, "second", unscaled), off_bend("logistic", unscaled)),
        Mutant(
            "c times 11/10",
            scaled(claim, "c", 11, 10),
            false(lambda: apart(M.real("0.3"), claim.formulas["c"](M, u=M.real(1), r=M.real("0.3")) * 11 / 10)),
        ),
        flip(claim, "second", "<=", "0", false(lambda: bend("logistic", "0.9", "1.1", "1") > CLEARLY)),
        flip(claim, "second", ">", "0", straight),
        flip(claim, "convolution of c with K_h", "<", "c_h", uniform_form_is_exact),
        flip(
            claim,
            "derivative of c_h",
            ">",
            "slope",
            lambda: 4 * uniform_slope(2 * ONE) == Fraction(str(slope(M, "uniform", M.real(2), M.real(1), M.real("0.25")))),
        ),
        shaped(claim, "strictly convex", straight),
        shaped(claim, "concave", bowl),
        *jumps_met(claim),
    ]


def turned(m: Numbers, kernel: str, u: Real, h: Real, r: Real) -> Real:
    return table_integrated(m, kernel, u, h) - r


def of_derivatives() -> list[Mutant]:
    claim = find("quantile/lem-3.1-1-amended")

    def other_level(m: Numbers, kernel: str, u: Real, h: Real, r: Real) -> Real:
        return table_integrated(m, kernel, -u, h) - (1 - r)

    def squared(m: Numbers, kernel: str, u: Real, h: Real) -> Real:
        return second(m, kernel, u, h) / h

    return [
        Mutant("calK at y - theta'x", with_formula(claim, "gradient", turned), off_slope("gaussian", turned, -1)),
        Mutant("1 - r for r", with_formula(claim, "gradient", other_level), off_slope("logistic", other_level, -1)),
        Mutant("Hessian over h^2", with_formula(claim, "hessian", squared), off_bend("gaussian", squared)),
        flip(
            claim,
            "gradient in theta",
            "<",
            "gradient x",
            lambda: -4 * uniform_slope(2 * ONE) == by_hand.uniform_below(-2 * ONE) - QUARTER,
        ),
        flip(
            claim, "Hessian in theta", ">", "hessian xx'", lambda: straight() and bool(second(M, "uniform", M.real(2), 1) >= 0)
        ),
        flip(claim, "hessian", ">", "0", straight),
        flip(claim, "hessian", "<=", "0", false(lambda: bend("gaussian", "0.9", "1.1", "1") > CLEARLY)),
        *jumps_met(claim),
    ]


def higher_than(value: str) -> Callable[[], bool]:
    """Whether the uniform kernel's gap at 0, h = 1, is beyond the value."""
    return false(lambda: gap("uniform", "0", "1") > M.real(value) + CLEARLY)


def of_constants() -> list[Mutant]:
    claim = find("quantile/lem-3.1-2")

    def smaller_side(m: Numbers, r: Real, B_x: Real) -> Real:
        return m.min(r, 1 - r) * B_x

    def one_power(m: Numbers, K_bar: Real, B_x: Real, h: Real) -> Real:
        return K_bar * B_x / h

    def steeper_than(share: str) -> Callable[[], bool]:
        return false(lambda: abs(quotient("uniform", "-2", "1", "0.3")) > M.real(share) + CLEARLY)

    def bent_more_than(share: str) -> Callable[[], bool]:
        return false(lambda: bend("uniform", "-0.1", "0.1", "1") > M.real(share) + CLEARLY)

    def level(x: int) -> Real:
        """How far ell_h of one record with y = 1 moves between theta = 0 and theta = 1."""
        return abs(convolved("gaussian", 1 - x, 1, "0.3") - convolved("gaussian", 1, 1, "0.3"))

    return [
        Mutant("L times 9/10", scaled(claim, "L", 9, 10), steeper_than("0.63")),
        Mutant("min(r, 1 - r)", with_formula(claim, "L", smaller_side), steeper_than("0.3")),
        Mutant("beta times 9/10", scaled(claim, "beta", 9, 10), bent_more_than("0.45")),
        Mutant("B_x for B_x^2", with_formula(claim, "beta", one_power), bent_more_than("0.25")),
        flip(claim, "Lipschitz constant", ">=", "L", false(lambda: level(0) < M.real("0.7") - CLEARLY)),
        flip(
            claim, "Lipschitz constant", "<", "L", lambda: abs(uniform_slope(-3 * ONE)) == max(QUARTER, 1 - QUARTER) * QUARTER
        ),
        flip(claim, "smoothness constant", ">", "beta", false(lambda: level(0) < CLEARLY)),
    ]


def squared_rate(m: Numbers, h: Real, kappa_1: Real) -> Real:
    return h**2 * kappa_1 / 2


def too_fast() -> bool:
    """At h = 1/1000 the uniform kernel's gap at 0 is far above h^2 kappa_1 / 2."""
    return bool(gap("uniform", "0", "0.001") > 2 * M.real("0.25e-6"))


def lifted(m: Numbers, h: Real) -> Real:
    return below(m, h=h) + h / 1000


def of_gap() -> list[Mutant]:
    claim = find("quantile/lem-3.1-3")
    return [
        Mutant("upper bound times 9/10", scaled(claim, "upper", 9, 10), higher_than("0.225")),
        Mutant(
            "upper bound times 11/10, called tight",
            scaled(claim, "upper", 11, 10),
            lambda: max(uniform_gap(Fraction(k, 16), ONE) for k in range(-48, 49)) < QUARTER * Fraction(11, 10),
        ),
        Mutant("h^2", with_formula(claim, "upper", squared_rate), too_fast),
        Mutant(
            "a positive lower bound",
            with_formula(claim, "lower", lifted),
            lambda: uniform_gap(3 * ONE, ONE) < Fraction(1, 1000),
        ),
        flip(claim, "c_h - c", ">=", "upper", lambda: uniform_gap(3 * ONE, ONE) < QUARTER),
        flip(claim, "c_h - c", "<", "upper", gap_at_zero),
        flip(claim, "c_h - c", ">", "lower", lambda: uniform_gap(3 * ONE, ONE) == 0),
        flip(claim, "c_h - c", "<=", "lower", higher_than("0")),
        flip(claim, "largest c_h - c", "<", "upper", gap_at_zero),
    ]


def of_convergence() -> list[Mutant]:
    claim = find("quantile/sec-3.1-epi")

    def one_sided(m: Numbers, u: Real, r: Real) -> Real:
        return m.max(u, m.real(0)) * r

    return [
        Mutant("rate times 9/10", scaled(claim, "rate", 9, 10), higher_than("0.225")),
        Mutant("rate h^2", with_formula(claim, "rate", squared_rate), too_fast),
        Mutant(
            "limit r u+", with_formula(claim, "limit", one_sided), false(lambda: convolved("uniform", "-2", "0.001", "0.3") > 1)
        ),
        flip(claim, "largest |c_h - limit|", "<", "rate", gap_at_zero),
        shaped(
            claim,
            "strictly concave",
            false(lambda: convolved("gaussian", 0, 1, "0.5") < convolved("gaussian", 1, 1, "0.5") - CLEARLY),
        ),
        shaped(claim, "strictly convex", straight),
    ]


def off_form(name: str) -> Callable[[], bool]:
    """Whether 11/10 of a form of lemma 5 is apart from the convolution by quadrature."""
    form = find("newsvendor/lem-5").formulas[name]
    return false(lambda: apart(convolved("gaussian", *AT), form(M, "gaussian", *AT) * 11 / 10))


def of_companion() -> list[Mutant]:
    claim = find("newsvendor/lem-5")

    def minus_turned(m: Numbers, kernel: str, u: Real, h: Real, r: Real) -> Real:
        return from_minus(m, kernel, -u, h, r)

    def outer(u: str) -> Real:
        return by_hand.mean(lambda v: abs(v) / 2 if abs(v) >= M.real(u) else M.real(0), "uniform", "-inf", "inf", u, f"-{u}")

    return [
        Mutant(
            "the form with |u - h v| at -u",
            with_formula(claim, "minus", minus_turned),
            false(lambda: apart(convolved("gaussian", *AT), minus_turned(M, "gaussian", *AT))),
        ),
        Mutant("gradient at y - theta'x", with_formula(claim, "gradient", turned), off_slope("gaussian", turned, -1)),
        Mutant("middle bound times 9/10", scaled(claim, "middle", 9, 10), higher_than("0.225")),
        Mutant("last bound times 9/10", scaled(claim, "upper", 9, 10), higher_than("0.225")),
        Mutant("beta times 9/10", scaled(claim, "beta", 9, 10), of_constants()[2].false),
        Mutant("L times 9/10", scaled(claim, "L", 9, 10), of_constants()[0].false),
        Mutant("a positive lower bound", with_formula(claim, "lower", lifted), of_gap()[3].false),
        *(Mutant(f"{name} times 11/10", scaled(claim, name, 11, 10), off_form(name)) for name in ("plus", "both")),
        flip(claim, "c_h - c", ">=", "middle", false(lambda: gap("uniform", "0.5", "1") < outer("0.5") - CLEARLY)),
        flip(claim, "c_h - c", "<", "middle", gap_at_zero),
        flip(claim, "middle", ">=", "upper", false(lambda: outer("0.5") < M.real("0.25") - CLEARLY)),
        flip(claim, "plus", "<", "minus", lambda: by_hand.uniform_distance(HALF) == by_hand.uniform_distance(-HALF)),
        flip(claim, "c_h", "<", "plus", uniform_form_is_exact),
    ]


MUTANTS = {
    "quantile/eq-2-amended": of_equation,
    "quantile/lem-3.1-1-amended": of_derivatives,
    "quantile/lem-3.1-2": of_constants,
    "quantile/lem-3.1-3": of_gap,
    "quantile/sec-3.1-epi": of_convergence,
    "newsvendor/lem-5": of_companion,
}
