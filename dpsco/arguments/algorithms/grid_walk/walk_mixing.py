"""The chain of bounds for the grid walk's mixing: conductance, least mass, and the order of its number of steps."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import sympy

from dpsco.arguments.algorithms.grid_walk.evolving_sets import EVOLVING, LOGARITHM, PROFILE
from dpsco.arguments.algorithms.grid_walk.grid_chains import (
    FACES,
    MASSES,
    NEEDLES,
    compared_logs,
    enumerated,
    instances,
    least_mass,
    prints_this_grid,
    quantities,
    setting,
    shown,
)
from dpsco.arguments.comparing import FOLLOWS, Instance, compare, proved, refuted
from dpsco.arguments.formula import apply
from dpsco.arguments.orders_of_growth import form, grows
from dpsco.reference.numbers.enclosure import arb, ends
from dpsco.reference.numbers.symbolic import symbolic
from dpsco.spec.algorithms.grid_walk.mixing import cells_divide, errors_are_bounded, walk_is_run
from dpsco.spec.claim import Claim
from dpsco.spec.numbers import Numbers, Real
from dpsco.verdict import PROOF_STEP, Finding, Lemma, Rung, Severity, Verdict

STEPS = Lemma(
    "steps of the walk",
    "The profile of `cells and faces` in the proved mixing time: with w = 2 zeta + alpha gamma and v = ln(1/x), the integral "
    "of 4 dx/(x phi^2) is at most 64 d^2 m^2 e^{2w} times that of dv/max(2, 1 + v - w)^2 over v >= -ln(4/e), e = 1 - "
    "e^{-epsilon}: t <= 1 + 16 d^2 m^2 e^{2w} (3 + w + ln(4/e)), whatever the least mass. Here d^2 m^2 = 4 d^3 alpha^2 "
    "tau^2/epsilon^2 and alpha gamma = epsilon/(2 sqrt(d)) <= alpha tau.",
)
THREE = Lemma(
    "three cells or more to an edge",
    "With a = alpha tau >= 1 and Lambda = ln(a sqrt(d)/epsilon) = ln(m/2) >= ln 1.5: ln(1/e) <= ln(1 + 1/epsilon) <= ln 2 + "
    "Lambda, as 1/epsilon = m/(2 a sqrt(d)); e^{2 alpha gamma} (1 + alpha gamma) is at most a multiple of e^epsilon for d >= "
    "2, and for d = 1, e^{2 alpha gamma} = e^epsilon, alpha gamma <= a; 1 + 2 zeta <= e^{2 zeta}. So t is at most a multiple "
    "of e^{6 zeta} d^3 (a/epsilon)^2 e^epsilon (Lambda + a/d).",
)
TWO = Lemma(
    "two cells to an edge",
    "epsilon = a sqrt(d), Lambda = 0: e^{epsilon/sqrt(d)} = e^a = e^epsilon/e^{(sqrt(d) - 1) a} is at most a multiple of "
    "e^epsilon/d^3, and ln(1/e) <= 1: t is at most a multiple of e^{6 zeta} (a/epsilon)^2 e^epsilon a. One cell: no steps.",
)
EIGENVALUE = Lemma(
    "steps from below",
    "Log-distance epsilon makes every |P^t/q - 1| <= e^epsilon - 1, so lambda^t <= e^epsilon - 1 for every eigenvalue. The "
    "flat walk has 1 - (1 - cos(pi/m))/(2 d) >= 1 - pi^2/(4 d m^2): t >= (4 d m^2/pi^2 - 1) ln(1/(e^epsilon - 1)).",
)
BOTTLENECK = Lemma(
    "a cell that is hard to cross",
    "From the stationary law on S the chain is outside S after t steps with probability at most t phi_S, and at log-distance "
    "epsilon with e^{-epsilon} q(S^c) at least. d = 1, three cells, f = 0, errors -zeta, zeta, -zeta: S the first, q(S^c) >= "
    "1/2, phi_S = e^{-2 zeta}/4, so t >= 2 e^{2 zeta - epsilon}.",
)
REMARK = (
    "The printed constants in the printed Lemma B.11 give d^3 e^{2 epsilon} times the maximum, not d^2 e^epsilon: the rate "
    "does not follow by the paper's proof, and is proved by the profile of conductance. gamma <= 1/(2 alpha) of the walk is "
    "not needed."
)


def link(name: str, what: str, claim: Claim, sign: str) -> Iterator[Finding]:
    """A printed lower bound against the proved one and enumerated chains; what: "phi", "perturbed" or "mass"."""
    s, scope = quantities(), f"{name}: every convex f, grid and error"
    errors = what != "phi"
    bounds = shown(claim, s, errors)
    value = bounds.mass if what == "mass" else bounds.conductance
    printed = apply(claim.formulas[name], symbolic(), {**s, "gamma_grid": bounds.gamma})
    known = {">": ">", ">=": ">=", "=": ">="}.get(compared_logs(value, printed) or "")
    exact: Callable[[Numbers, Instance], Real] = least_mass if what == "mass" else enumerated
    shapes = {"phi": ("flat",), "perturbed": ("flat", "ridge"), "mass": ("flat", "ramp")}[what]
    m, tried = arb(), list(instances(shapes)) if prints_this_grid(claim) else []
    for at in tried:
        claimed = apply(claim.formulas[name], m, setting(m, at))
        if compare(m, found := exact(m, at), sign, claimed) is False:
            yield refuted(
                scope,
                " to ".join(ends(claimed)),
                found,
                {**at, "epsilon_mix": ends(setting(m, at)["epsilon_mix"])[0]},
                method="the chain enumerated and enclosed",
                severity=Severity.CONSTANT,
                survives="The bound that is proved, gamma/(2 d tau) e^{-alpha gamma - 2 zeta}, and for the mass e^{-alpha tau "
                "- 2 zeta}/m^d.",
            )
            return
    yield proved(
        scope,
        known is not None and sign in FOLLOWS[known],
        "computer algebra: the proved bound is at least the printed one for all d >= 1",
        lemmas=(MASSES,) if what == "mass" else (NEEDLES, FACES),
        given=(cells_divide, errors_are_bounded) if errors else (cells_divide,),
        coverage=(f"{len(tried)} chains enumerated",),
        remark="Were alpha meant in the Euclidean norm, the mass would be as small as e^{-alpha tau sqrt(d)}/m^d."
        if what == "mass"
        else None,
    )


def rate_of(claim: Claim, logarithm: Any) -> Any | None:
    """The printed rate in a = alpha tau, d, epsilon, Z = e^zeta, X = e^epsilon, its logarithm put in; None if unread."""
    a, d, epsilon, Z, X, tau = (sympy.Symbol(name, positive=True) for name in ("a", "d", "epsilon", "Z", "X", "tau"))
    ratio = sympy.Symbol("ratio", positive=True)
    zeta = sympy.Symbol("zeta", positive=True)
    printed = apply(
        claim.formulas["rate"],
        symbolic(),
        {"epsilon_mix": epsilon, "alpha": a / tau, "tau": tau, "d": d, "zeta": zeta},
    )
    printed = sympy.powsimp(sympy.sympify(printed)).replace(
        lambda part: isinstance(part, sympy.exp), lambda part: _power(part.args[0], zeta, epsilon, Z, X)
    )
    printed = printed.replace(
        lambda part: isinstance(part, sympy.log),
        lambda part: logarithm if sympy.simplify(part.args[0] - a * sympy.sqrt(d) / epsilon) == 0 else sympy.log(ratio),
    )
    return None if printed.free_symbols & {ratio, zeta, tau} or printed.has(sympy.exp) else printed


def _power(exponent: Any, zeta: Any, epsilon: Any, Z: Any, X: Any) -> Any:
    parts = sympy.Poly(exponent, zeta, epsilon).as_dict() if exponent.is_polynomial(zeta, epsilon) else {}
    if not parts or not set(parts) <= {(1, 0), (0, 1)}:
        return sympy.exp(exponent)
    return Z ** parts.get((1, 0), 0) * X ** parts.get((0, 1), 0)


def is_covered(claim: Claim) -> bool:
    """Whether the proved number of steps is of the printed order, on two cells to an edge and on three or more."""
    a, d, epsilon, Z, X, log = (sympy.Symbol(name, positive=True) for name in ("a", "d", "epsilon", "Z", "X", "log"))
    domain = [form(a=1), form(d=1), form(Z=1), form(X=1)]
    cases = (
        (log, d**3 * (a / epsilon) ** 2 * Z**6 * X * (log + a / d), [*domain, form(log=1), form(a=1, d="1/2", epsilon=-1)]),
        (sympy.Integer(0), (a / epsilon) ** 2 * Z**6 * X * a, domain),
    )
    for logarithm, steps, where in cases:
        rate = rate_of(claim, logarithm)
        try:
            if rate is None or grows(steps, rate, where) is not None:
                return False
        except ValueError:
            return False
    return True


def paths() -> Iterator[tuple[str, dict[str, Any], Any, Lemma]]:
    """Families of walks: the path in words, the parameters in k, and a proved lower bound of the mixing time."""
    k = sympy.Symbol("k", positive=True)
    one, tiny = sympy.Integer(1), sympy.Rational(1, 10**6)
    least = (4 * k**2 / sympy.pi**2 - 1) * sympy.log(k / 4)  # e^{2/k} - 1 <= 4/k
    yield "f = 0, d = 1, alpha = tau = 1, epsilon = 2/k", _at(one, one, 2 / k, tiny), least, EIGENVALUE
    epsilon = sympy.log(sympy.Rational(3, 2))
    least = (100 * k**4 / sympy.pi**2 - 1) * sympy.log(2)
    yield "f = 0, d = k^2, epsilon = ln 1.5, 5k cells", _at(k**2, 5 * epsilon / 2, epsilon, tiny), least, EIGENVALUE
    epsilon = sympy.Rational(2, 3)
    least = 2 * sympy.exp(2 * k - epsilon)
    yield "f = 0, d = 1, alpha = tau = 1, three cells, zeta = k", _at(one, one, epsilon, k), least, BOTTLENECK


def _at(d: Any, tau: Any, epsilon: Any, zeta: Any) -> dict[str, Any]:
    return {"d": d, "alpha": sympy.Integer(1), "tau": tau, "epsilon_mix": epsilon, "zeta": zeta}


def steps_are_of_order(claim: Claim) -> Iterator[Finding]:
    """The mixing time of the perturbed walk against the printed rate."""
    scope, k = (
        "mixing time of the perturbed walk, every epsilon, d, alpha tau >= 1, zeta, f and error",
        sympy.Symbol("k", positive=True),
    )
    here = prints_this_grid(claim)
    covered = here and is_covered(claim)
    for says, at, least, lemma in paths() if here and not covered else ():
        rate = sympy.sympify(apply(claim.formulas["rate"], symbolic(), at)).replace(sympy.Max, sympy.Add)  # at least Max
        if sympy.limit(sympy.expand_log(sympy.simplify(rate / least), force=True), k, sympy.oo) == 0:
            yield refuted(
                scope,
                "a constant times the rate",
                (str(least),) * 2,
                {"path": says},
                method="the printed rate over a proved lower bound tends to 0",
                severity=Severity.RATE,
                survives="1 + 16 d^2 m^2 e^{2w} (3 + w + ln(4/(1 - e^{-epsilon}))) steps, w = 2 zeta + alpha gamma, are "
                "enough.",
                rung=Rung.EXACT,
                lemmas=(lemma,),
            )
            return
    yield proved(
        scope,
        covered,
        "exact: t <= 1 + 16 d^2 m^2 e^{2w} (3 + w + ln(4/e)), its exponents under those of the rate on the whole domain",
        lemmas=(NEEDLES, FACES, EVOLVING, PROFILE, LOGARITHM, STEPS, THREE, TWO),
        given=(errors_are_bounded, cells_divide, walk_is_run),
        remark=REMARK,
    )
    yield from printed_route(claim)


def printed_route(claim: Claim) -> Iterator[Finding]:
    """The printed conductance put into Lemma B.11: 1/phi^2 times the maximum, against the rate without errors."""
    m, shown = arb(), []
    for d in ("2", "1000000"):
        at = {"epsilon_mix": "1", "alpha": "1", "tau": "2", "d": d, "zeta": "0"}
        v = {name: m.real(value) for name, value in at.items()}
        largest = m.max(v["d"] * m.log(v["alpha"] * v["tau"] * m.sqrt(v["d"]) / v["epsilon_mix"]), v["alpha"] * v["tau"])
        steps = largest / apply(claim.formulas["conductance"], m, v) ** 2
        shown.append((at, steps / apply(claim.formulas["rate"], m, v)))
    (_, few), (at, many) = shown
    if m.gt(many, 1000 * few) is True:
        yield refuted(
            "link: the printed conductance in Lemma B.11 gives steps of the order of the rate",
            f"at most a constant times {ends(few)[1]}",
            many,
            at,
            method="steps by both over the rate, enclosed at d = 2 and d = 1000000: 64 d e^epsilon, without bound in d",
            severity=PROOF_STEP,
            survives="The rate itself, by the profile of conductance.",
        )


def spacing_is_chosen(claim: Claim, sign: str) -> Iterator[Finding]:
    """The spacing is a choice; the other assertions are judged with it."""
    finding = Finding(
        scope="grid spacing",
        verdict=Verdict.STATED,
        reason="a choice; conductance, mass and mixing time are judged with it. It keeps to the walk's gamma <= 1/(2 alpha) "
        "where epsilon <= sqrt(d), and divides the cube where 2 alpha tau sqrt(d)/epsilon is an integer.",
    )
    yield finding if sign == "=" else replace(finding, verdict=Verdict.OPEN)
