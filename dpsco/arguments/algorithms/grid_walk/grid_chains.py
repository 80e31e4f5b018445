"""Walks on grids of which conductance, least mass or mixing time is known, and what log-concavity proves for all of them."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

import sympy

from dpsco.arguments.comparing import Formula, Instance, order
from dpsco.arguments.formula import apply
from dpsco.reference.algorithms.grid_walk.mixing import conductance, stationary, transitions
from dpsco.reference.algorithms.grid_walk.walk import states
from dpsco.reference.numbers.enclosure import arb
from dpsco.reference.numbers.symbolic import symbolic
from dpsco.spec.claim import Claim
from dpsco.spec.numbers import Numbers, Real
from dpsco.verdict import Lemma

NEEDLES = Lemma(
    "isoperimetry of log-concave densities in the maximum norm",
    "One dimension, length l: the profile I(t) = g(G^{-1}(t)) is concave and the integral of dt/I is l. Among sets of one "
    "mass half-lines are the worst: to shift an interval of S changes the sum of I over its ends concavely, until it merges. "
    "A tangent at t <= 1/2, I(u) <= I(t) (1 + s (u - t)/t), s <= 1: if s > 0, l I(t) >= (t/s) (ln(1 + s (1 - t)/t) - ln(1 - "
    "s)) >= t (ln(1/t) + 1), as ln(1 + s c)/s falls in s and -ln(1 - s) >= s; if s <= 0 Jensen gives l I(t) >= 1. And I(1/2) "
    ">= 1/l: I(t) >= (t/l) max(2, 1 + ln(1/t)), t the lesser mass. Needles (Lovasz and Simonovits; Klartag) split the cube so "
    "that each holds the same share t of S, its density log-concave, its length in the maximum norm at most tau. So the "
    "content of the boundary of S in that norm, for unions of cubes the integral of F over the inner faces, is at least "
    "(t/tau) max(2, 1 + ln(1/t)) times the integral of F.",
)
FACES = Lemma(
    "cells and faces",
    "A point of a cell, or of a face and either centre beside it, are gamma/2 apart at most: F there is within e^{alpha "
    "gamma/2} of F at the centre, and errors cost e^{zeta} once more. So phi_S >= e^{-alpha gamma - 2 zeta}/(4 d m) max(2, 1 "
    "+ ln(1/t)), m = tau/gamma an integer, t <= e^{alpha gamma + 2 zeta} q'(S), for q'(S) <= 1/2. Nothing is used of alpha "
    "gamma.",
)
MASSES = Lemma(
    "least mass",
    "Centres are at most tau - gamma apart: F(u) >= e^{-alpha (tau - gamma)} F(v), so q(u) >= e^{-alpha (tau - gamma)}/m^d, "
    "and e^{-2 zeta} times that with errors.",
)


@dataclass(frozen=True)
class Shown:
    """What is proved, per claim: `conductance` and `mass` in d, alpha, tau, zeta and the claim's own grid spacing."""

    gamma: Any
    conductance: Any
    mass: Any


def quantities() -> dict[str, Any]:
    """Symbols of the claim's parameters, d = (1 + z)^2, so that signs on d >= 1 are seen."""
    names = ("epsilon_mix", "alpha", "tau", "zeta")
    z = sympy.Symbol("z", nonnegative=True)
    return {name: sympy.Symbol(name, positive=True) for name in names} | {"d": (1 + z) ** 2}


def shown(claim: Claim, s: dict[str, Any], errors: bool) -> Shown:
    """The bounds of `FACES` and `MASSES` at the claim's spacing."""
    gamma = apply(claim.formulas["spacing"], symbolic(), s)
    zeta = s["zeta"] if errors else sympy.Integer(0)
    phi = sympy.exp(-s["alpha"] * gamma - 2 * zeta) * gamma / (2 * s["d"] * s["tau"])
    mass = sympy.exp(-s["alpha"] * (s["tau"] - gamma) - 2 * zeta) * (gamma / s["tau"]) ** s["d"]
    return Shown(gamma, phi, mass)


@cache
def compared_logs(proved: Any, printed: Any) -> str | None:
    """How ln(proved) compares with ln(printed) for all values of the symbols."""
    difference = sympy.expand_log(sympy.log(proved), force=True) - sympy.expand_log(sympy.log(printed), force=True)
    return order(sympy.factor(sympy.simplify(sympy.expand(difference))))


def flat(m: Numbers, cells: int, d: int, zeta: Real) -> list[Real]:
    """f = 0, no errors."""
    return [m.real(0)] * cells**d


def ridge(m: Numbers, cells: int, d: int, zeta: Real) -> list[Real]:
    """f = 0, errors zeta at the lower side of the middle, -zeta elsewhere."""
    return [zeta if cell[0] == cells // 2 else -zeta for cell in states(d, cells)]


def ramp(m: Numbers, cells: int, d: int, zeta: Real) -> list[Real]:
    """f = x_1/gamma (slope one a cell), errors zeta in the last cell, -zeta elsewhere."""
    last = (cells - 1,) * d
    return [m.real(cell[0]) + (zeta if cell == last else -zeta) for cell in states(d, cells)]


SHAPES: dict[str, Callable[[Numbers, int, int, Real], list[Real]]] = {"flat": flat, "ridge": ridge, "ramp": ramp}
SIZES = ((1, 2), (1, 4), (1, 12), (2, 3))
ZETAS = ("0.0001", "0.5", "3")


def instances(shapes: tuple[str, ...]) -> Iterator[Instance]:
    """Shape, d, cells to an edge, zeta and alpha tau; epsilon follows from the spacing."""
    for shape in shapes:
        for d, cells in SIZES:
            for zeta in ZETAS if shape != "flat" else ZETAS[:1]:
                reach = str(cells) if shape == "ramp" else "1"
                yield {"shape": shape, "d": str(d), "cells": str(cells), "zeta": zeta, "tau": reach, "alpha": "1"}


def setting(m: Numbers, at: Instance) -> dict[str, Real]:
    """The claim's parameters at an instance: epsilon = 2 alpha tau sqrt(d)/cells puts `cells` cells on an edge as printed."""
    v = {name: m.real(at[name]) for name in ("d", "zeta", "tau", "alpha")}
    cells = m.real(at["cells"])
    return {**v, "epsilon_mix": 2 * v["alpha"] * v["tau"] * m.sqrt(v["d"]) / cells, "gamma_grid": v["tau"] / cells}


def chain(m: Numbers, at: Instance) -> tuple[list[list[Real]], list[Real]]:
    """Transitions and stationary masses of the perturbed walk."""
    d, cells = int(at["d"]), int(at["cells"])
    values = SHAPES[at["shape"]](m, cells, d, m.real(at["zeta"]))
    return transitions(m, values, d, cells), stationary(m, values)


def enumerated(m: Numbers, at: Instance) -> Real:
    """The conductance, over all sets."""
    return _enumerated(at["shape"], at["d"], at["cells"], at["zeta"])


@cache
def _enumerated(shape: str, d: str, cells: str, zeta: str) -> Real:
    m = arb()
    return conductance(m, *chain(m, {"shape": shape, "d": d, "cells": cells, "zeta": zeta}))


def least_mass(m: Numbers, at: Instance) -> Real:
    """The least stationary mass."""
    return m.min(*chain(m, at)[1])


def prints_this_grid(claim: Claim) -> bool:
    """Whether the claim's spacing puts as many cells on an edge as `setting` means."""
    s = quantities()
    spacing: Formula = claim.formulas["spacing"]
    return bool(sympy.simplify(apply(spacing, symbolic(), s) - s["epsilon_mix"] / (2 * s["alpha"] * sympy.sqrt(s["d"]))) == 0)
