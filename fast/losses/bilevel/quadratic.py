"""Bilevel problems with quadratic levels in doubles, and the hard instance of the lower bound, which is one of them."""

import math
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np

from dpsco.fast.doubles import DOUBLES
from dpsco.fast.kernel import bind
from dpsco.fast.losses.bilevel.hypergradient import response
from dpsco.fast.losses.bilevel.problem import UP, Constants, Problem
from dpsco.spec.losses.bilevel import quadratic as spec

Array = Any


@dataclass(frozen=True)
class Records:
    """n records (a, b, B, C, H, P, q); see `dpsco.spec.losses.bilevel.quadratic`.

    Domain   a: n x d_x, b, q: n x d_y, B: n x d_x x d_y, C, H: n x d_y x d_y, symmetric, H positive definite, P: n x d_y x d_x
    Raises   ValueError for shapes that do not fit, entries that are not finite, matrices that are not symmetric
    """

    a: Array
    b: Array
    B: Array
    C: Array
    H: Array
    P: Array
    q: Array

    def __post_init__(self) -> None:
        for part in fields(self):
            object.__setattr__(self, part.name, np.asarray(getattr(self, part.name), dtype=np.float64))
        if self.a.ndim != 2 or self.b.ndim != 2 or not self.a.size or not self.b.size:
            raise ValueError(f"a and b have shapes {self.a.shape}, {self.b.shape}: n x d_x and n x d_y, no size 0")
        (n, d_x), d_y = self.a.shape, self.b.shape[1]
        shapes = {"a": (n, d_x), "b": (n, d_y), "q": (n, d_y), "B": (n, d_x, d_y), "P": (n, d_y, d_x)}
        for name, shape in {**shapes, "C": (n, d_y, d_y), "H": (n, d_y, d_y)}.items():
            part = getattr(self, name)
            if part.shape != shape or not np.all(np.isfinite(part)):
                raise ValueError(f"{name} has shape {part.shape}: must be {shape}, with finite entries")
        for name in ("C", "H"):
            if not np.array_equal(getattr(self, name), getattr(self, name).transpose(0, 2, 1)):
                raise ValueError(f"{name}: every matrix must be symmetric")

    def part(self, chosen: Any) -> "Records":
        """The records of these indices."""
        return Records(*(getattr(self, part.name)[chosen] for part in fields(self)))

    def mean(self) -> tuple[Array, ...]:
        return tuple(getattr(self, part.name).mean(axis=0) for part in fields(self))


def constants_of(universe: Records, x_radius: float) -> tuple[Constants, float]:
    """The constants that every data set of these records shares for |x| <= x_radius, and the radius of its lower minimisers.

    The universe is public: constants that are to calibrate noise must not be computed from the data.

    Raises   ValueError for an x_radius that is not positive and finite, for a Hessian that is not positive definite
    """
    if not 0 < x_radius < math.inf:
        raise ValueError(f"x_radius={x_radius!r}: must be positive and finite, quadratic losses are Lipschitz on balls only")
    curved = np.linalg.eigvalsh(universe.H)
    error = 1e-14 * universe.H.shape[1] * np.max(np.abs(curved))
    mu = float(np.min(curved) - error)
    if not mu > 0:
        raise ValueError(f"H: its least eigenvalue is {mu!r} among the records, mu_g must be positive")
    largest = {name: float(np.max(np.linalg.norm(getattr(universe, name), axis=1))) for name in ("a", "b", "q")}
    largest |= {name: float(np.max(np.linalg.norm(getattr(universe, name), 2, axis=(1, 2)))) for name in ("B", "C", "P")}
    largest["H"] = float(np.max(curved) + error)
    raised = {name: value * UP for name, value in largest.items()}
    found = spec.constants(DOUBLES, **raised, x_radius=x_radius, mu_g=mu)
    found = {name: value if name == "mu_g" else value * UP for name, value in found.items()}
    return Constants(**found), float(spec.radius(DOUBLES, P=raised["P"], q=raised["q"], x_radius=x_radius, mu_g=mu)) * UP


def problem(records: Records, constants: Constants, radius: float, x_radius: float) -> Problem:
    """The problem of the records, under constants that were declared or found from their universe by `constants_of`.

    Domain   radius: of a ball that holds every lower minimiser for |x| <= x_radius
    """
    a, b, B, C, H, P, q = records.mean()
    return Problem(
        records=len(records.a),
        d_x=a.size,
        d_y=b.size,
        constants=constants,
        radius=radius,
        x_radius=x_radius,
        upper=lambda x, y: float(a @ x + b @ y + x @ B @ y + y @ C @ y / 2),
        upper_x=lambda x, y: a + B @ y,
        upper_y=lambda x, y: b + B.T @ x + C @ y,
        lower=lambda x, y: float(y @ H @ y / 2 - y @ (P @ x + q)),
        lower_y=lambda x, y: H @ y - P @ x - q,
        lower_yy=lambda x, y: H,
        lower_xy=lambda x, y, v: -(P.T @ v),
        of_record=lambda i: problem(records.part(slice(i, i + 1)), constants, radius, x_radius),
    )


def hard_instance(Z: Any, L_fy: float, mu_g: float, D_x: float, D_y: float) -> Problem:
    """The instance of the lower bound: f = -L_fy <y, z>, g = (mu_g/2) |y - (D_y/D_x) x|^2, on the balls |x| <= D_x, |y| <= D_y.

    D_x and D_y are radii, as in the paper's proof: as diameters they are half of what its assumptions count. The constants
    hold for every z in the unit ball.

    Domain   Z: n x d; the paper's entries are 1/sqrt(d) or -1/sqrt(d); L_fy, mu_g, D_x, D_y > 0
    Raises   ValueError for rows longer than 1, for constants that are not positive
    Source   bilevel, Theorem 3.9, Case 1 of the proof
    """
    z = np.atleast_2d(np.asarray(Z, dtype=np.float64))
    for name, value in {"L_fy": L_fy, "mu_g": mu_g, "D_x": D_x, "D_y": D_y}.items():
        if not 0 < value < math.inf:
            raise ValueError(f"{name}={value!r}: must be positive and finite")
    if z.ndim != 2 or not z.size or not np.all(np.linalg.norm(z, axis=1) <= UP):
        raise ValueError(f"Z has shape {z.shape}: n x d with rows of norm at most 1")
    n, d = z.shape
    identity = np.broadcast_to(np.eye(d), (n, d, d))
    zeros, nothing = np.zeros((n, d)), np.zeros((n, d, d))
    given = Records(zeros, -L_fy * z, nothing, nothing, mu_g * identity, mu_g * D_y / D_x * identity, zeros)
    ones = replace(given.part(slice(0, 1)), b=L_fy * np.eye(1, d))
    constants, radius = constants_of(ones, D_x)
    return problem(given, constants, radius, D_x)


def objective_gradient(x: Array, a: Array, b: Array, B: Array, C: Array, H: Array, P: Array, q: Array) -> tuple[Array, Array]:
    at = np.asarray(x, dtype=np.float64)
    records = Records(a, b, B, C, H, P, q)
    if at.shape != records.a.shape[1:]:
        raise ValueError(f"x has shape {at.shape}: must be {records.a.shape[1:]}")
    a, b, B, C, H, P, q = records.mean()
    y = response(H, P @ at + q)
    return y, a + B @ y + P.T @ response(H, b + B.T @ at + C @ y)


bind(objective_gradient, spec.objective_gradient)
