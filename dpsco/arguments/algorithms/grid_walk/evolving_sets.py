"""The mixing time that conductance gives: evolving sets, and paths on which it is computed exactly."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from functools import cache
from typing import Any

import sympy

from dpsco.arguments.comparing import Instance, admitted, compared
from dpsco.arguments.formula import apply
from dpsco.reference.algorithms.grid_walk.mixing import steps_to
from dpsco.reference.numbers.enclosure import arb
from dpsco.reference.numbers.symbolic import symbolic, symbols_of
from dpsco.spec.algorithms.grid_walk.mixing import distance_is_small
from dpsco.spec.claim import Claim
from dpsco.spec.numbers import Numbers, Real
from dpsco.verdict import Finding, Lemma, Reading, Severity, Verdict

KEPT = (
    "It holds for epsilon <= 1, and for every epsilon up to the limit 4/(1 - e^{-epsilon}) in the place of 4/epsilon (the "
    "amendment); in the relative distance |P^t/pi - 1|, which the source bounds, for epsilon <= 1 as well."
)
Steps = Callable[[str, str, str], str]
ANY_CHAIN = "every start and state; the integrand for any profile"

EVOLVING = Lemma(
    "evolving sets",
    "S_{n+1} = {y: Q(S_n, y) >= U pi(y)}, U uniform; P^n(x, .) is the mean of pi conditioned on S_n under the law with weight "
    "pi(S_n)/pi(x), S_0 = {x}. S' = S if pi(S) <= 1/2, else its complement, which evolves alike. Lazy: pi(S_1)/pi(S) has mean "
    "1 + 2 phi_S for U < 1/2 and 1 - 2 phi_S above, so the root's mean is at most (sqrt(1 + 2 phi) + sqrt(1 - 2 phi))/2 <= 1 "
    "- phi^2/2. With Z = sqrt(pi(S'))/pi(S): the chi-distance of P^n(x, .) is at most L_n = E Z_n, and E(Z_{n+1} | S_n) <= "
    "Z_n (1 - phi(1/Z_n^2)^2/2), the profile frozen beyond 1/2 (Z^2 >= 2 if pi(S) <= 1/2; else S' has at most 1/2 and Z^2 < "
    "2). Half of E Z comes from Z >= L/2: L_{n+1} <= L_n (1 - phi(4/L_n^2)^2/4). Reversible: |P^{2n}(x, y)/pi(y) - 1| <= "
    "L_n(x) L_n(y).",
)
PROFILE = Lemma(
    "steps from the profile",
    "e = 1 - e^{-epsilon}, I = integral of 2 dx/(x phi(x)^2) from 4 pi* to 4/e, p = phi(1/2) <= 1/2 (lazy). L_0 <= 1/sqrt(pi*) "
    "(two states at least), and by the recursion L_n^2 <= 8 after 1 + (the part of I up to 1/2) steps; then each step "
    "multiplies L by 1 - p^2/2 at least: 1 + (1/p^2) ln(8/e) more bring L_n^2 to e, half of what I has beyond 1/2, (2/p^2) "
    "ln(8/e) >= 16. If 4 pi* >= 1/2 only the second part: 1 + I/2 <= I. So an n <= I will do, and 2 n <= 1 + 2 I steps.",
)
LOGARITHM = Lemma(
    "relative error and log-distance",
    "|r - 1| <= 1 - e^{-epsilon} gives -epsilon <= ln r <= ln(2 - e^{-epsilon}) <= epsilon. One state: no steps, no sets.",
)
SMALL = Lemma(
    "epsilon up to 1",
    "The steps of `steps from the profile`, e = 1 - e^{-epsilon}, against the limit 4/epsilon. If 4 pi* < 1/2, 2 n <= 4 + the "
    "part of 2I up to 1/2 + (2/p^2) ln(8/e), which is at most 2I with (4/p^2) ln(8/epsilon) for its other part, as 2 p^2 <= "
    "1/2 <= ln 8 + ln(e/epsilon^2). Else 2 n <= 2 + (2/p^2) ln(1/(pi* e)) <= 1 + (4/p^2) ln(1/(pi* epsilon)), as p^2/2 <= 1/8 "
    "<= ln(1/pi*) + ln(e/epsilon^2), pi* <= 1/2. e/epsilon^2 falls in epsilon, and ln(1 - 1/e_0) > -0.46 at epsilon = 1 (e_0 "
    "Euler's number): 1.62 and 0.23. For the relative error put epsilon for e: the same, with ln(1/epsilon) >= 0.",
)
TIMES = ("0.001", "0.1", "1", "1.9", "2", "4", "20", "100")
SLOW: tuple[Instance, ...] = tuple({"cells": "2", "flip": flip, "epsilon": e} for flip in ("0.01", "0.1", "0.5") for e in TIMES)
LONG: tuple[Instance, ...] = tuple(
    {"cells": cells, "flip": "0.25", "epsilon": e} for cells in ("3", "8", "48") for e in ("1e-12", "0.01", "1")
)


@cache
def path_steps(cells: str, flip: str, epsilon: str) -> str:
    """Mixing time in the log-distance of the path of `cells` states with probability `flip` of each step."""
    m, k = arb(), int(cells)
    P = [[m.real(flip) if abs(x - y) == 1 else m.real(0) for y in range(k)] for x in range(k)]
    for x, row in enumerate(P):
        row[x] = 1 - sum(row, start=m.real(0))
    return str(steps_to(m, P, [1 / m.real(k)] * k, m.real(epsilon)))


@cache
def relative_steps(cells: str, flip: str, epsilon: str) -> str:
    """The same in the relative distance max |P^t/pi - 1|, for two states: |1 - 2 flip|^t, 1 at t = 0."""
    if cells != "2":
        raise ValueError(f"cells={cells}: must be 2")
    m = arb()
    share, t = 1 - 2 * m.real(flip), 0
    while m.le(share**t, m.real(epsilon)) is not True:
        t += 1
    return str(t)


def needed(m: Numbers, steps: Real) -> Real:
    """The instance's exact mixing time."""
    return steps


def covers(claim: Claim, name: str, epsilon: str) -> tuple[bool, bool]:
    """Whether the bound is 1 + integral of c dx/(x phi^2) from a to b, c >= 4, a <= 4 pi*, and (b >= 4/(1 - e^{-epsilon}), b >=
    4/epsilon)."""
    s = symbols_of(claim.parameters)
    printed = sympy.sympify(apply(claim.formulas[name], symbolic(), s))
    found = [(factor, part) for part in printed.atoms(sympy.Integral) if (factor := printed.coeff(part)) != 0]
    if len(found) != 1:
        return False, False
    factor, integral = found[0]
    v, low, high = integral.limits[0]
    shares: list[Any] = [
        printed - factor * integral,
        factor * integral.function * v * s["phi"] ** 2 / 4,
        4 * s["pi_star"] / low,
    ]
    tops = [high * (1 - sympy.exp(-s[epsilon])) / 4, high * s[epsilon] / 4]
    common = all(_at_least_one(share) for share in shares)
    return common and _at_least_one(tops[0]), common and _at_least_one(tops[1])


def _at_least_one(share: Any) -> bool:
    simple = sympy.simplify(share)
    return bool(simple.is_number and simple >= 1)


def mixing_time(name: str, epsilon: str, claim: Claim, sign: str) -> Iterator[Finding]:
    """The bound against the proved one, and against exact mixing times of paths; where it fails, the other distance."""
    any_epsilon, up_to_one = covers(claim, name, epsilon)
    restricted = epsilon == "epsilon_mix" and distance_is_small in claim.tests
    tried = [at for at in (*SLOW, *LONG) if admitted(claim, [{"epsilon_mix": "1", epsilon: at["epsilon"]}])]

    asked = epsilon

    def bound(m: Numbers, cells: Real, flip: Real, epsilon: Real) -> Real:
        # on a path pi is uniform, and the least quotient of a set is that of a half
        return apply(claim.formulas[name], m, {asked: epsilon, "pi_star": 1 / cells, "phi": flip / m.floor(cells / 2)})

    def against(scope: str, steps: Steps, known: bool, instances: list[Instance], lemmas: tuple[Lemma, ...]) -> Finding:
        return compared(
            scope,
            needed,
            sign,
            bound,
            known="<=" if known else None,
            instances=[{**at, "steps": steps(at["cells"], at["flip"], at["epsilon"])} for at in instances],
            method="exact: 1, the integrand and both limits are at least those of the argument",
            severity=Severity.DOMAIN,
            survives=KEPT,
            lemmas=lemmas,
        )

    lemmas = (EVOLVING, PROFILE, LOGARITHM) if any_epsilon else (EVOLVING, PROFILE, SMALL, LOGARITHM)
    known = any_epsilon or (up_to_one and restricted)
    found = against(f"log-distance, every lazy reversible chain, {ANY_CHAIN}", path_steps, known, tried, lemmas)
    small = found.verdict is Verdict.CERTIFIED and not any_epsilon
    yield replace(found, given=(distance_is_small,)) if small else found
    if found.verdict is not Verdict.REFUTED or sign != "<=":
        return
    two = [at for at in tried if at["cells"] == "2"]
    yield replace(
        against(f"relative distance |P^t/pi - 1|, {ANY_CHAIN}", relative_steps, False, two, ()), reading=Reading.ANOTHER
    )
    low = [at for at in two if Fraction(at["epsilon"]) <= 1]
    scope = f"relative distance |P^t/pi - 1|, epsilon <= 1, {ANY_CHAIN}"
    yield replace(against(scope, relative_steps, up_to_one, low, (EVOLVING, PROFILE, SMALL)), reading=Reading.MEANT)
