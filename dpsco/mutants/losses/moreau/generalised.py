"""Mutants of the table of functions and of the lemma about the generalised envelope, shown false at one point of a supremum, by
difference quotients, or by the envelope of one loss, in fractions or by a square root."""

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from typing import Any

from dpsco.instances.kernel_integrals import CLEARLY, M
from dpsco.mutant import Mutant, scaled, with_formula
from dpsco.mutants.losses.kernels import flip
from dpsco.spec.claim import Claim, Relation
from dpsco.spec.losses.moreau.generalised import subgradients_are_in_domain
from dpsco.spec.numbers import Numbers, Real
from dpsco.spec.predicate import Predicate
from dpsco.spec.register import find

ONE, HALF = Fraction(1), Fraction(1, 2)
GRID = [Fraction(k, 32) for k in range(-256, 257)]


def huber(x: Fraction) -> Fraction:
    return x * x / 2 if abs(x) <= 1 else abs(x) - HALF


def hellinger(x: Fraction) -> Real:
    return M.sqrt(1 + M.real(x) ** 2)


def reaches(y: Fraction, function: Callable[[Fraction], Fraction]) -> Fraction:
    """A lower bound of the conjugate at y: the best of a grid."""
    return max(y * x - function(x) for x in GRID)


def envelope(u: Fraction) -> Fraction:
    """The envelope of |x| with the squared norm at h = beta = 1, squeezed between the objective and a dual value."""
    g = min(max(u, -ONE), ONE)
    low, high = g * u - g * g / 2, abs(u - g) + g * g / 2
    if low != high:
        raise ArithmeticError(f"the bounds at u = {u} are apart: {low}, {high}")
    return low


def of_table() -> list[Mutant]:
    claim = find("newsvendor/table-EC.3-amended")
    rows, huber_row = claim.asserts, claim.asserts[-1]

    def instead(says: str, old: Relation, new: Relation, false: Callable[[], bool]) -> Mutant:
        return Mutant(says, replace(claim, asserts=tuple(new if a == old else a for a in rows)), false)

    def without_ball() -> Claim:
        return replace(claim, preconditions=claim.preconditions[:1])

    def positive_root(m: Numbers, y_norm: Real, beta: Real) -> Real:
        return m.sqrt(beta**2 - y_norm**2)

    def bend(x: Fraction) -> Fraction:
        """A second difference of the energy for p = 3."""
        return ((x - 1) ** 3 - 2 * x**3 + (x + 1) ** 3) / 3

    def steep(function: Callable[[Fraction], Any], x: Fraction) -> bool:
        """Whether 11/10 of an even function bends by more than beta = 1 around 0."""
        return bool(M.frac(11, 10) * 2 * (M.real(function(x)) - M.real(function(0 * ONE))) > M.real(x * x))

    return [
        Mutant("squared norm times 11/10", scaled(claim, "squared_norm", 11, 10), lambda: steep(lambda x: x * x / 2, ONE)),
        Mutant("Huber times 11/10", scaled(claim, "huber", 11, 10), lambda: steep(huber, HALF)),
        Mutant("Hellinger times 11/10", scaled(claim, "hellinger", 11, 10), lambda: steep(hellinger, HALF / 4)),
        Mutant("energy times 9/10", scaled(claim, "energy", 9, 10), lambda: reaches(ONE, lambda x: x * x * 9 / 20) > HALF),
        Mutant(
            "its conjugate times 9/10",
            scaled(claim, "energy_conjugate", 9, 10),
            lambda: reaches(ONE, lambda x: x * x / 2) > Fraction(9, 20),
        ),
        Mutant(
            "the squared norm's conjugate times 9/10",
            scaled(claim, "squared_norm_conjugate", 9, 10),
            lambda: reaches(ONE, lambda x: x * x / 2) > Fraction(9, 20),
        ),
        Mutant(
            "Huber's conjugate times 9/10",
            scaled(claim, "huber_conjugate", 9, 10),
            lambda: reaches(ONE, huber) > Fraction(9, 20),
        ),
        Mutant("Huber and Hellinger beyond the ball", without_ball(), lambda: reaches(2 * ONE, huber) > 2),
        Mutant(
            "Hellinger's conjugate with the other sign",
            with_formula(claim, "hellinger_conjugate", positive_root),
            lambda: bool(max(-hellinger(x) for x in GRID) < -1 + CLEARLY),  # at y = 0 the supremum is -phi(0) = -1
        ),
        Mutant(
            "strong convexity times 11/10",
            scaled(claim, "strong_convexity_of_conjugate", 11, 10),
            lambda: Fraction(1, 4) ** 2 / 2 * 2 / Fraction(1, 4) ** 2 < Fraction(11, 10),  # a second difference of y^2/2
        ),
        instead(
            "Huber strictly convex",
            huber_row,
            Relation("huber", "is", "continuously differentiable, strictly convex and smooth"),
            lambda: huber(2 * ONE) + huber(4 * ONE) == 2 * huber(3 * ONE),
        ),
        instead("energy 1-smooth for every p", rows[4], Relation("smoothness of energy", "=", "1"), lambda: bend(2 * ONE) > 1),
    ]


def of_lemma() -> list[Mutant]:
    claim = find("newsvendor/lem-EC.5-amended")
    touching = Predicate(
        "the conjugate is finite at every subgradient of the loss",
        subgradients_are_in_domain,
        accepts={"largest_subgradient": "0.7", "conjugate_radius": "2"},
        rejects={"largest_subgradient": "0.7", "conjugate_radius": "0.5"},
    )

    def falls_for_ever() -> bool:
        """c(x) = x, Hellinger, at u = 0: the objective sqrt(1 + w^2) - w over ever larger w; a minimiser would stop it."""
        values = [M.sqrt(1 + M.real(10) ** (2 * k)) - M.real(10) ** k for k in range(9)]
        return all(a > b > 0 for a, b in pairwise(values))

    def bend() -> Fraction:
        return (envelope(HALF) - 2 * envelope(0 * ONE) + envelope(-HALF)) / HALF**2

    def far() -> Fraction:
        return envelope(9 * ONE) - 9

    def unscaled(m: Numbers, phi_conjugate_bar: Real) -> Real:
        return -m.real(1) * phi_conjugate_bar

    def at_kink() -> bool:
        """|x| with the Hellinger function: at u = 0 the objective is least at x = 0, with the value beta."""
        return bool(min(abs(M.real(x)) + hellinger(x) for x in GRID) >= 1)

    return [
        Mutant(
            "subgradients at the edge of the domain",
            replace(claim, preconditions=(claim.preconditions[0], touching)),
            falls_for_ever,
        ),
        Mutant(
            "any Lipschitz constant",
            replace(claim, preconditions=claim.preconditions[1:]),
            lambda: 2 * (envelope(9 * ONE) - envelope(8 * ONE)) > 1,
        ),
        Mutant("smoothness times 9/10", scaled(claim, "envelope_smoothness", 9, 10), lambda: bend() > Fraction(9, 10)),
        Mutant("lower bound times 9/10", scaled(claim, "gap_lower", 9, 10), lambda: far() < -Fraction(9, 20)),
        # lengths times h: at h = 2 the gap of |x| far out is twice as large
        Mutant("lower bound without h", with_formula(claim, "gap_lower", unscaled), lambda: 2 * far() < -HALF),
        Mutant("upper bound times 9/10", scaled(claim, "gap_upper", 9, 10), at_kink),
        flip(claim, "envelope minus loss", "<", "gap_upper", lambda: envelope(0 * ONE) == 0),
        flip(claim, "gap_lower", "<", "envelope minus loss", lambda: far() == -HALF),
    ]
