"""Mutants of the comparison with two Gaussians; their falsity is shown by quadrature of a concrete pair, in mpmath."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from dpsco.arguments.formula import apply
from dpsco.mutant import Mutant, with_formula
from dpsco.reference.numbers.mp import mp
from dpsco.reference.privacy.gaussian import profile
from dpsco.spec.claim import Claim
from dpsco.spec.numbers import Numbers, Real
from dpsco.spec.predicate import Predicate
from dpsco.spec.register import find


def quadrature(epsilon: str, slope: str, modulus: str, dps: int = 30) -> Real:
    """Curve of e^{-modulus x^2/2} and e^{-modulus x^2/2 - slope x} by integration, normalisers included."""
    context: Any = mp(dps).mp  # type: ignore[attr-defined]
    e, g, c = (context.mpf(value) for value in (epsilon, slope, modulus))

    def first(x: Real) -> Real:
        return context.exp(-c * x**2 / 2)

    def second(x: Real) -> Real:
        return context.exp(-c * x**2 / 2 - g * x)

    width = 1 / context.sqrt(c)
    line = [-g / c + width * step for step in range(-12, 13)]
    base = [width * step for step in range(-12, 13)]
    mass = context.quad(first, base), context.quad(second, line)
    # second/mass > e^epsilon first/mass to the left of this point
    edge = -(e + context.log(mass[1] / mass[0])) / g
    tail = [edge - width * step for step in range(0, 25, 2)]
    return context.quad(lambda x: second(x) / mass[1] - context.exp(e) * first(x) / mass[0], tail[::-1])


def exceeds(claim: Claim, epsilon: str, G: str, mu: str, slope: str, modulus: str) -> bool:
    """Whether the pair meets the claim's preconditions and its integrated curve exceeds the printed bound."""
    m = mp(30)
    given = {"epsilon": epsilon, "G": G, "mu": mu, "slope_difference": slope, "modulus_1": modulus, "modulus_2": modulus}
    values = {name: m.real(value) for name, value in given.items()}
    if not all(predicate(m, values) for predicate in claim.preconditions):
        raise ValueError(f"slope {slope} and modulus {modulus} do not meet the preconditions at G = {G}, mu = {mu}")
    return bool(quadrature(epsilon, slope, modulus) > apply(claim.formulas["bound"], m, values) + m.real("1e-15"))


def _bound(claim: Claim, shift: Callable[[Numbers, Real, Real], Real]) -> Claim:
    def bound(m: Numbers, epsilon: Real, G: Real, mu: Real) -> Real:
        return profile(m, epsilon, shift(m, G, mu))

    return replace(with_formula(claim, "bound", bound), formulas={"shift": shift, "bound": bound})


def _within(claim: Claim, number: int, test: Callable[..., Any], says: str) -> Claim:
    """The claim with one precondition weakened."""
    old = claim.preconditions[number]
    kept = [*claim.preconditions]
    kept[number] = Predicate(
        says, test, old.accepts, {name: "100" if name == "slope_difference" else v for name, v in old.rejects.items()}
    )
    return replace(claim, preconditions=tuple(kept))


def of_comparison() -> Iterator[Mutant]:
    claim = find("bilevel/thm-B.4")
    convex = _bound(claim, lambda m, G, mu: G / m.sqrt(m.frac(11, 10) * mu))
    yield Mutant("1.1 mu for mu", convex, lambda: exceeds(convex, "1", "1", "1", "1", "1"))
    less = _bound(claim, lambda m, G, mu: m.frac(9, 10) * G / m.sqrt(mu))
    yield Mutant("0.9 G for G", less, lambda: exceeds(less, "0.1", "2", "2.5", "2", "2.5"))
    root = _bound(claim, lambda m, G, mu: G / mu)
    yield Mutant("mu for sqrt(mu)", root, lambda: exceeds(root, "1", "1", "2.5", "1", "2.5"))

    def lower_tail(m: Numbers, epsilon: Real, G: Real, mu: Real) -> Real:
        shift = G / m.sqrt(mu)
        return m.Phi(shift / 2 - epsilon / shift) - m.exp(epsilon) * m.Phi(-epsilon / shift)

    moved = with_formula(claim, "bound", lower_tail)
    yield Mutant("shift/2 dropped in the second term", moved, lambda: exceeds(moved, "1", "1", "1", "1", "1"))

    def steeper(m: Numbers, slope_difference: Real, G: Real) -> Any:
        return m.le(slope_difference, 2 * G)

    wide = _within(claim, 0, steeper, "F~ - F is 2G-Lipschitz on K")
    yield Mutant("a 2G-Lipschitz difference", wide, lambda: exceeds(wide, "1", "1", "1", "2", "1"))
    bare = replace(claim, preconditions=claim.preconditions[:1])
    yield Mutant("no strong convexity", bare, lambda: exceeds(bare, "1", "1", "1", "1", "0.3"))
    first = replace(claim, preconditions=claim.preconditions[:2])
    yield Mutant("only F strongly convex (still true)", first, lambda: False)
    second = replace(claim, preconditions=(claim.preconditions[0], claim.preconditions[2]))
    yield Mutant("only F~ strongly convex (still true)", second, lambda: False)
    more = _bound(claim, lambda m, G, mu: 2 * G / m.sqrt(mu))
    yield Mutant("2 G for G (still true)", more, lambda: False)
