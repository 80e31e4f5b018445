"""One step's likelihood ratio on a grid of losses, with whole-number masses: one grid for a bound above, one below.

R is the ratio of the mixture's density to that of N(0, 1), a random variable under N(0, 1); put(k) = E(e^k - R_1 ... R_T)_+
over independent steps. As (e^k - r)_+ is convex and falls in each factor r >= 0:

Above. Let R' be one of the two grid points around R, drawn so that its mean given R is R: by Jensen put(k) grows.
Below. Let R'' be the mean of R given its cell, rounded up to a grid point, and leave cells out: put(k) falls.

A mass is rounded to a multiple of 2^-bits, up for the one and down for the other. Ratios from e^k on add nothing to put(k), and
no ratio is less than e^start, so that the product of T steps needs the grid of one step only up to k - (T - 1) start.
"""

import math
from dataclasses import dataclass
from functools import cache

import flint

from dpsco.reference.numbers.enclosure import ArbNumbers
from dpsco.reference.rounding import downward, upward
from dpsco.spec.numbers import Real

CENTRES = 16
"""Taylor polynomials of Phi for each unit of x."""
RADIUS = 4
"""Of the circle on which Taylor coefficients are bounded."""
NEAREST = 0.05
"""Steps of the grid from the start of a cell to its grid point, at least."""
TRIES = 60
FAR = 40
"""Beyond it Phi is computed by itself."""


class Normal:
    """Phi by Taylor's polynomials: many values at one precision.

    |phi(c + z)| <= e^{r^2/2} / sqrt(2 pi) on |z| = r, so what is left out after n terms of Phi's series at |t| <= r/2 is at
    most 2 r e^{r^2/2} (|t|/r)^(n+1), by Cauchy's bound on the coefficients of phi.
    """

    def __init__(self, m: ArbNumbers) -> None:
        self.m = m
        reach = RADIUS * 2 * CENTRES
        self.terms = math.ceil((m.bits + RADIUS**2) / math.log2(reach)) + 2
        rest = 2 * RADIUS * m.exp(m.real(RADIUS**2) / 2) / m.real(reach) ** self.terms
        self.rest = m.ball(-rest, rest)
        self.near = cache(self._around)

    def _around(self, place: int) -> tuple[Real, Real]:
        """Centre, and the polynomial: phi's derivatives are d_{n+1} = -c d_n - n d_{n-1}."""
        m = self.m
        c = m.real(place) / CENTRES
        before, now, factorial, terms = m.real(0), m.phi(c), 1, [m.Phi(c)]
        for n in range(1, self.terms):
            factorial *= n
            terms.append(now / factorial)
            before, now = now, -c * now - (n - 1) * before
        terms[0] += self.rest
        return c, flint.arb_poly(terms)

    def Phi(self, x: Real) -> Real:
        """Phi(x); the working precision is that of the context, as its caller has set it."""
        near = float(x)
        if not abs(near) < FAR:
            return self.m.Phi(x)
        centre, polynomial = self.near(round(near * CENTRES))
        return polynomial(x - centre)


@dataclass(frozen=True)
class Grid:
    """Masses / 2^bits, of N(0, 1), at the losses start + j width, j = 0, 1, ...: doubles, taken as exact."""

    start: float
    width: float
    masses: tuple[int, ...]


@dataclass(frozen=True)
class Step:
    """One step, mu and q, to be put on grids with masses of so many bits."""

    mu: Real
    q: Real
    bits: int

    @property
    def m(self) -> ArbNumbers:
        """A precision that leaves the masses' last bit right, as widths down to 2^-40 divide by their square."""
        return ArbNumbers(self.bits + 100)

    def lowest(self) -> float:
        """A double below every loss: ln(1 - q), rounded down."""
        return downward(self.m.log1p(-self.q))

    def above(self, width: float, last: int) -> Grid:
        """R' on the grid from `lowest` on, up to the point `last`.

        A cell with ratios from r to r e^width, masses Q of N(0, 1) and P = r' Q of the mixture, gives
        (P - r Q) / (r e^width - r) to its upper end and the rest of Q to its lower one. Where N(0, 1) has less than a unit
        left, since Phi(-x) <= e^{-x^2/2}, a unit is enough for each point.
        """
        m, start = self.m, self.lowest()
        normal, scale, far = Normal(m), m.real(2) ** self.bits, math.sqrt(2 * self.bits * math.log(2))
        ratio, growth = m.exp(m.real(start)), m.exp(m.real(width))
        rise, log_q, half = growth - 1, m.log(self.q), self.mu / 2
        before, carried, masses = (m.real(0), m.real(0)), m.real(0), []
        m.real(0)
        for _ in range(last + 1):
            following = ratio * growth
            x = ((following - 1 + self.q).log() - log_q) / self.mu + half
            here = normal.Phi(x), normal.Phi(x - self.mu)
            plain = here[0] - before[0]
            mixed = plain + self.q * (here[1] - before[1] - plain)
            up = (mixed - ratio * plain) / (ratio * rise)
            masses.append(max(0, _above((plain - up + carried) * scale)))
            before, carried, ratio = here, up, following
            if x > far:
                break
        masses += [1 + max(0, _above(carried * scale)), *[1] * last]
        return Grid(start, width, tuple(masses[: last + 1]))

    def below(self, width: float, last: int) -> Grid:
        """R'' on a grid that begins with the mean of the first cell, up to the point `last`.

        The first cell ends about one step above the least loss, or where it holds 2^-bits of N(0, 1) or so. Each next one
        begins where the last one ended, and ends where its mean meets a grid point, which Newton's method finds; that the mean
        is no larger is proved, or the cell left out. In v = e^loss - (1 - q) the density of N(0, 1) is phi(x) / (mu v), with
        the logarithmic slope -(x / mu + 1) / v, from which the first guess comes.
        """
        m = self.m
        normal, scale, q, mu = Normal(m), m.real(2) ** self.bits, float(self.q), float(self.mu)
        lowest, growth, unit = float(m.log1p(-self.q)), m.exp(m.real(width)), 2.0**-self.bits
        far = math.sqrt(2 * self.bits * math.log(2))  # beyond it N(0, 1) has less than a unit

        def place(v: float) -> float:
            return math.log(v / q) / mu + mu / 2

        def masses_below(x: Real) -> tuple[Real, Real]:
            plain = normal.Phi(x)
            return plain, plain + self.q * (normal.Phi(x - self.mu) - plain)

        near = min(max(place((1 - q) * math.expm1(min(width, 1.0))), -math.sqrt(self.bits)), 2.0)
        before, v = masses_below(m.real(near)), q * math.exp(mu * (near - mu / 2))
        start = upward(m.log(before[1] / before[0]))
        masses = [0] * (last + 1)
        masses[0] = max(0, _below(before[0] * scale))
        j, ratio = 0, m.exp(m.real(start))
        m.real(0)
        while True:
            end = lowest + math.log1p(v / (1 - q))
            skip = max(1, math.ceil((end - start) / width + NEAREST) - j)
            j, ratio = j + skip, ratio * (growth if skip == 1 else growth**skip)
            if j > last:
                return Grid(start, width, tuple(masses))
            meant = math.expm1(start + j * width) + q
            least, left = place(meant), meant - v
            bend = -(least / mu + 1) / meant * left * 2 / 3
            x = flint.arb(place(meant + left * (1 - bend if abs(bend) < 0.5 else 1)))
            for _ in range(TRIES):
                here = masses_below(x)
                plain, mixed = here[0] - before[0], here[1] - before[1]
                short = float(mixed - ratio * plain) + 2 * unit
                near = float(x)
                if abs(short) < unit or near > far:
                    break
                slope = math.exp(-near * near / 2) / math.sqrt(2 * math.pi) * (q * math.exp(mu * (near - mu / 2)) - meant)
                move = min(max(short / slope, -1.0), 1.0) if slope > 0 else math.inf
                x = (x - move).mid() if near - move > least else (x + least).mid() / 2
            if mixed <= ratio * plain:
                masses[j] = max(0, _below(plain * scale))
            if near > far:
                return Grid(start, width, tuple(masses))
            before, v = here, q * math.exp(mu * (near - mu / 2))


def _above(x: Real) -> int:
    return int(x.upper().ceil().unique_fmpz())


def _below(x: Real) -> int:
    return int(x.lower().floor().unique_fmpz())
