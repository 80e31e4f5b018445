"""Sets and functions on which a grid walk with less than it needs fails: paths, wells of errors, a cube, a diagonal."""

from collections.abc import Callable, Mapping
from dataclasses import replace

from dpsco.arguments.comparing import refuted
from dpsco.arguments.formula import apply
from dpsco.instances.grid import Instance, grid
from dpsco.reference.numbers.enclosure import arb
from dpsco.spec.algorithms.exponential_sampling import walk_sampler as spec
from dpsco.spec.claim import Claim
from dpsco.spec.numbers import Real
from dpsco.verdict import Finding, Lemma, Severity

PATH = Lemma(
    "walk on a path",
    "d = 1, f = 0, C = A = [-r, r]: N cells, P = 1/4 to each side. From one end the other has after T steps P^T/q = 1 + sum "
    "over j < N of 2 (-1)^j cos^2(pi j/(2N)) ((1 + cos(pi j/N))/2)^T, and 0 for T < N - 1.",
)
WELLS = Lemma(
    "walk between wells",
    "The same C = A with errors -zeta, zeta, -zeta, ... by cell (at the centre and throughout the cell): a cell of -zeta is "
    "left with probability e^{-2 zeta} 1/4 to each side, one of zeta with 1/4. Every acceptance is 1/e, so the accepted point "
    "has the law of the last cell, P^T from one end, a power of the N x N matrix.",
)
CUBES = Lemma(
    "cube in a cube",
    "C = [-r, r]^d, f = 0, A three times as wide: by the gauge's layers the mass outside over that inside is the integral of "
    "d s^{d-1} e^{-alpha(s-1)} over [1, 3]. A walk near q ends in C with probability at most (1 + t) e^{1/4 - 1} P(C).",
)
STEEP = Lemma(
    "linear function along the diagonal",
    "C a ball, f = L <x, (1, ..., 1)>/sqrt(d): over half a cell of side g f moves by L sqrt(d) g/2. Where that exceeds 1 the "
    "acceptance is cut off, and near the corner the law falls short of pi by e^{1 - L sqrt(d) g/2} relative to the rest: "
    "distance at least half of that.",
)


def formulas(claim: Claim) -> dict[str, Callable[..., Real]]:
    """What the proof needs, by formula: with errors where the claim has them."""
    return spec.FORMULAS_WITH_ERRORS if has_errors(claim) else spec.FORMULAS


def has_errors(claim: Claim) -> bool:
    return "zeta" in {p.name for p in claim.parameters}


def chosen(claim: Claim, at: Mapping[str, str]) -> dict[str, Real]:
    """The claim's own alpha, slope, cells, steps and walks at an instance."""
    m = arb(256)
    v = {name: m.real(value) for name, value in at.items()}
    for name in formulas(claim):
        v[name] = apply(claim.formulas[name], m, v)
    return v


def on_a_path(claim: Claim) -> Finding | None:
    """The law after the printed number of steps on a path of cells."""
    at = {"d": "1", "L": "1e-9", "xi": "0.01", "tau": "2", "inner_radius": "1", "radius": "1"}
    at = _exact(claim, at)
    if not _inside(claim, at):
        return None
    m = arb(256)
    v = chosen(claim, at)
    cells, steps = int(v["cells"].floor().unique_fmpz()), int(v["steps"].floor().unique_fmpz())
    ratio = m.real(0) if steps < cells - 1 else path_ratio(cells, steps)
    far = m.inf if steps < cells - 1 else -m.log(ratio)
    stated = _stated(claim, v)
    if m.gt(far, stated) is not True:
        return None
    return refuted(
        "law after the printed number of steps",
        stated,
        far,
        at,
        method=f"{steps} steps on a path of {cells} cells, from one end to the other",
        severity=Severity.CONSTANT,
        survives="8 e d^2 N^2 (a tau + d ln N - ln tanh(xi/2)) steps are enough.",
        lemmas=(PATH,),
    )


def between_wells(claim: Claim) -> Finding | None:
    """The law after the printed number of steps where the errors make wells of every other cell."""
    if not has_errors(claim):
        return None
    at = {"d": "1", "L": "1e-9", "xi": "1", "tau": "2", "inner_radius": "1", "radius": "1", "zeta": "10", "largest_error": "10"}
    if not _inside(claim, at):
        return None
    v = chosen(claim, at)
    cells, steps = (int(v[name].floor().unique_fmpz()) for name in ("cells", "steps"))
    if cells > 50:
        return None
    far, stated = wells_distance(cells, steps, v["zeta"]), _stated(claim, v)
    if arb(256).gt(far, stated) is not True:
        return None
    method = f"{steps} steps on a path of {cells} cells, powers of its matrix enclosed"
    found = _refuted("law after the printed number of steps", at, stated, far, WELLS, "With e^{4 zeta} as many steps it holds.")
    return replace(found, method=method)


def wells_distance(cells: int, steps: int, zeta: Real) -> Real:
    """sup |ln(P^T/(1/N))| from one end, errors -zeta and zeta in turn."""
    m = arb(512)
    leave = [m.exp(-2 * zeta) / 4 if i % 2 == 0 else m.real(1) / 4 for i in range(cells)]
    power = [[leave[i] if abs(i - j) == 1 else m.real(0) for j in range(cells)] for i in range(cells)]
    for i, row in enumerate(power):
        row[i] = 1 - sum(row, m.real(0))
    law = [m.real(int(i == 0)) for i in range(cells)]
    for bit in bin(steps)[:1:-1]:
        if bit == "1":
            law = [sum((law[i] * power[i][j] for i in range(cells)), m.real(0)) for j in range(cells)]
        columns = list(zip(*power, strict=True))
        power = [[sum((a * b for a, b in zip(row, column, strict=True)), m.real(0)) for column in columns] for row in power]
    far = m.real(0)
    for chance in law:
        far = m.max(far, m.abs(m.log(chance * cells)) if m.gt(chance, 0) is True else m.real(0))
    return far


def path_ratio(cells: int, steps: int) -> Real:
    """P^T/q at the far end of the path."""
    m = arb(256)
    total = m.real(1)
    for j in range(1, cells):
        angle = m.pi * j / cells
        total += 2 * (-1) ** j * m.cos(angle / 2) ** 2 * ((1 + m.cos(angle)) / 2) ** steps
    return total


def on_a_diagonal(claim: Claim) -> Finding | None:
    """The slope that cuts the acceptance off."""
    m = arb(256)
    steep = {"d": "1000000", "L": "1", "xi": "1", "tau": "2e12", "inner_radius": "1e12", "radius": "1e12"}
    steep = _exact(claim, steep)
    if _inside(claim, steep):
        v = chosen(claim, steep)
        short = (v["L"] * m.sqrt(v["d"]) / (4 * v["slope_of_target"]) - 1) / 2
        stated = _stated(claim, v)
        if m.gt(short, stated) is True:
            return _refuted(
                "law of the accepted point", steep, stated, short, STEEP, "The slope in the maximum norm has sqrt(d)."
            )
    return None


def in_a_cube(claim: Claim) -> Finding | None:
    """The walks that end outside C."""
    wide = {"d": "30", "L": "1e-9", "xi": "0.01", "tau": "6", "inner_radius": "1", "radius": "6"}
    wide = _exact(claim, wide)
    if not _inside(claim, wide):
        return None
    m, v = arb(256), chosen(claim, wide)
    outside = m.integral(lambda s: 30 * s**29 * m.exp(-v["alpha"] * (s - 1)), m.real(1), m.real(3))
    least = m.exp(m.frac(3, 4)) * (1 + outside) / (1 + m.tanh(v["xi"] / 2))
    if m.gt(least, v["walks"]) is True:
        return _refuted(
            "number of walks", wide, v["walks"], least, CUBES, "With alpha = 2 L R + 2 d - 1 half of the mass lies in C."
        )
    return None


def _stated(claim: Claim, v: Mapping[str, Real]) -> Real:
    """The distance that the claim names, xi where it has no formula for it."""
    return apply(claim.formulas["distance"], arb(256), v) if "distance" in claim.formulas else v["xi"]


def _refuted(scope: str, at: Instance, claimed: Real, computed: Real, lemma: Lemma, survives: str) -> Finding:
    return refuted(scope, claimed, computed, at, "enclosed", Severity.CONSTANT, survives, lemmas=(lemma,))


def _exact(claim: Claim, at: Mapping[str, str]) -> dict[str, str]:
    """The instance without errors, zeta as small as can be."""
    return {**at, **({"zeta": "1e-30", "largest_error": "0"} if has_errors(claim) else {})}


def _inside(claim: Claim, at: Instance) -> bool:
    return len(grid(claim, {}, fixed=[at])) == 1
