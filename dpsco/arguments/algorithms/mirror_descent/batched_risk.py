"""Risk of truncated batched mirror descent: instances whose risk is bounded from below, and orders at the chosen lambda and T.

Along a path every quantity is a function of t and of c, the hidden constant of the choice of lambda; epsilon is such that T is
exactly the chosen one.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import sympy

from dpsco.arguments import comparing
from dpsco.arguments.comparing import refuted
from dpsco.arguments.formula import apply
from dpsco.arguments.orders_of_growth import bounded_above, exponent, form, grows, told
from dpsco.reference.numbers.enclosure import arb, ends
from dpsco.reference.numbers.symbolic import symbolic
from dpsco.spec.claim import Claim
from dpsco.spec.numbers import Numbers, Real
from dpsco.verdict import Finding, Lemma, Rung, Severity

Values = Mapping[str, Real]
Formula = Callable[[Numbers, Values], Real]
Path = Callable[[Numbers, Real], dict[str, Real]]
LOST = Lemma(
    "every gradient is lost",
    "C = {s e_1 : |s| <= M/2}, w_0 = 0, losses (beta/2) (s - M/2)^2 + xi s, xi = +-sigma with chance 1/2 each, sigma > 2 beta "
    "M + lambda: every gradient exceeds beta M + lambda and is set to 0, on every data set. The noise is symmetric: E w_hat = "
    "0, and by Jensen's inequality the risk is at least (beta/2) (M/2)^2.",
)
SHORT = Lemma(
    "steps too short",
    "C = {s e_1 : |s| <= M/2}, w_0 = 0, all losses -S s, S = kappa M/(4 sqrt(T)), Phi = (kappa/2) s^2: s' = s + (S or 0 - z)/"
    "(kappa sqrt(T)) cut to C. Cutting is monotone and moves no two points apart, so s_t is at most t S/(kappa sqrt(T)) above "
    "the walk without a gradient, of mean 0 by symmetry. E w_hat <= M/4, and the risk is at least S M/4, on every data set. "
    "(With (kappa/(8 sqrt(T))) (s - M/2)^2, whose gradient vanishes in C, it is kappa M^2/(128 sqrt(T)) at least.)",
)
LINEAR = Lemma(
    "a long slope",
    "C = {s e_1 : |s| <= M/2}, w_0 = 0, all losses -S s, S > beta M + lambda: every gradient is set to 0, E w_hat = 0 by "
    "symmetry, and the risk is S M/2.",
)
ENDS = Lemma(
    "noise that throws every iterate to an end",
    "d = 1, Phi = s^2/2, C = [0, M], all losses (beta/2) s^2, w_0 = theta* = 0, beta <= gamma: s' is M wherever -z >= gamma M, "
    "of chance at least 1/2 - gamma M/(sigma_1 sqrt(2 pi)) for normal z. By Jensen's inequality the risk is at least (beta/2) "
    "M^2 times its square.",
)
OVERSHOOT = Lemma(
    "one step that overshoots",
    "d = T = 1, Phi = s^2/2, C = [0, M], all losses (beta/2) (s - M/4)^2, beta >= 4, w_0 = 0: the gradient -beta M/4 is kept, "
    "and with chance 1/2 the noise pushes on: s_1 = M. The risk is at least (1/2) (beta/2) (3 M/4)^2.",
)


def few(m: Numbers, t: Real) -> dict[str, Real]:
    """Four steps, sixteen records each."""
    return {"T": m.real(4), "n": m.real(64), "M": m.real(1)}


def large_moment(m: Numbers, t: Real) -> dict[str, Real]:
    return few(m, t) | {"sigma": t}


def sure(m: Numbers, t: Real) -> dict[str, Real]:
    """delta' -> 1; every gradient is lost."""
    return few(m, t) | {"delta_prime": m.exp(-1 / t), "sigma": m.real(100)}


def lossy(m: Numbers, t: Real) -> dict[str, Real]:
    return {"T": t**2, "n": t**4, "M": m.real(1), "sigma": t**2}


def wide(m: Numbers, t: Real) -> dict[str, Real]:
    return {"T": t, "n": t**5, "M": t}


def narrow(m: Numbers, t: Real) -> dict[str, Real]:
    return {"T": t**3, "n": t**4, "M": 1 / t}


def unlucky(m: Numbers, t: Real) -> dict[str, Real]:
    """A small set, delta' -> 0."""
    return narrow(m, t) | {"delta_prime": m.exp(-(t**8))}


def many(m: Numbers, t: Real) -> dict[str, Real]:
    return {"T": t, "n": t**2, "M": m.real(1)}


def placed(claim: Claim, m: Numbers, path: Path, t: Real, c: Real) -> dict[str, Real]:
    """All quantities at t, with lambda c times the claim's choice."""
    v = {"kappa": m.frac(5, 4), "d": m.real(2), "delta": m.frac(1, 2), "delta_prime": m.frac(1, 2)}
    v |= {"beta": m.real(1), "sigma": m.real(1), "c_lambda": c, "c_choice": m.real(10)} | path(m, t)
    nats = m.log(1 / v["delta"])
    v["tau"] = m.log(m.real(2)) + m.log(1 / v["delta_prime"])
    v |= {"gamma_bar": m.sqrt(v["T"]), "divergence": v["kappa"] * v["M"] ** 2 / 2}
    v |= {"largest_moment": v["sigma"], "largest_slope": v["beta"] * v["M"]}
    v["epsilon"] = m.sqrt(c * v["T"]) ** 3 * m.sqrt(v["M"]) ** 5 * m.sqrt(v["d"] * nats) / (v["kappa"] * v["n"])
    v["lambda_"] = c * apply(claim.formulas["lambda_choice"], m, v)
    return v


def at(claim: Claim, path: Path, place: int) -> tuple[Numbers, dict[str, Real]]:
    """The same as enclosures, c = 1."""
    m = arb(512)
    return m, placed(claim, m, path, m.real(place), m.real(1))


def admits(claim: Claim, path: Path, place: int = 10**6) -> bool:
    """Whether the path's point does so, with T as the claim chooses it."""
    m, v = at(claim, path, place)
    chosen = apply(claim.formulas["steps_choice"], m, v) / v["T"]
    return m.le((chosen - 1) ** 2, m.real("1e-60")) is True and comparing.admits(claim, m, v)


def power(claim: Claim, path: Path, value: Formula) -> Any:
    """The power of t with which the value grows on the path, whatever c is."""
    m = symbolic()
    t, c = (sympy.Symbol(name, positive=True) for name in ("t", "c"))
    return exponent(value(m, placed(claim, m, path, t, c)), form(t=1))


def contradiction(
    claim: Claim,
    scope: str,
    path: Path,
    left: Formula,
    right: Formula,
    severity: Severity | None,
    survives: str,
    lemmas: tuple[Lemma, ...] = (),
    place: int = 10**12,
) -> Finding | None:
    """The refutation of left = O(right) along the path, whatever c is; None where the path does not contradict it."""
    if not admits(claim, path) or not admits(claim, path, place):
        return None
    if lemmas == (LOST,) and not (are_lost(claim, path) and are_lost(claim, path, place)):
        return None
    if power(claim, path, left) <= power(claim, path, right):
        return None
    m, v = at(claim, path, place)
    return refuted(
        scope,
        f"bounded multiple of {ends(right(m, v))[1]}",
        left(m, v),
        {"t": f"{place:.0e}"} | {name: ends(v[name], 6)[0] for name in ("n", "T", "M", "sigma", "epsilon", "lambda_")},
        method=f"the quotient grows like a power of t; enclosed at t = {place:.0e}, c = 1",
        severity=severity,
        survives=survives,
        rung=Rung.EXACT,
        lemmas=lemmas,
    )


def lost(m: Numbers, v: Values) -> Real:
    return v["beta"] * v["M"] ** 2 / 8


def are_lost(claim: Claim, path: Path, place: int = 10**6) -> bool:
    """Whether sigma > 2 beta M + lambda at the place."""
    m, v = at(claim, path, place)
    return m.gt(v["sigma"], 2 * v["beta"] * v["M"] + v["lambda_"]) is True


def short(m: Numbers, v: Values) -> Real:
    return v["kappa"] * v["M"] ** 2 / (16 * m.sqrt(v["T"]))


def thrown(claim: Claim, m: Numbers, v: Values) -> Real:
    gamma, scale = m.sqrt(v["T"]), m.sqrt(apply(claim.formulas["sigma_1_squared"], m, v))
    chance = m.frac(1, 2) - gamma * v["M"] / (scale * m.sqrt(2 * m.pi))
    return v["beta"] / 2 * (v["M"] * chance) ** 2 if m.gt(chance, m.real(0)) is True else m.real(0)


def away(
    claim: Claim,
    left: Formula,
    right: Formula,
    *,
    near: bool = True,
    fixed: Iterable[str] = (),
    bounded: Callable[[Mapping[str, Any]], Iterable[Any]] = lambda s: (),
) -> str | None:
    """Where left leaves all multiples of right on the claim's conditions, lambda and T near their choices or not; None nowhere.

    nats is ln(1/delta), fails is ln(1/delta'); `bounded` names further quantities that are bounded.
    """
    names = ("n", "epsilon", "d", "kappa", "M", "sigma", "T", "lambda_", "beta", "nats", "fails", "divergence")
    s = {x: sympy.Symbol(x, positive=True) for x in names}
    tau = {} if any(p.name == "delta_prime" for p in claim.parameters) else {"tau": sympy.Symbol("tau", positive=True)}
    values = {**s, "tau": s["fails"] + sympy.log(2), **tau, "delta": sympy.exp(-s["nats"])}
    values |= {"delta_prime": sympy.exp(-s["fails"]), "gamma_bar": sympy.sqrt(s["T"])}

    def read(value: Formula) -> Any:
        return sympy.expand_log(value(symbolic(), values), force=True)

    small = [1 / s[x] for x in ("n", "T", "d", "kappa")]
    small += [s["T"] / s["n"], s["beta"] * s["M"] / s["lambda_"], s["epsilon"], s["divergence"] / (s["kappa"] * s["M"] ** 2)]
    if near:
        for name, chosen in (("lambda_", "lambda_choice"), ("T", "steps_choice")):
            part = read(lambda m, v, chosen=chosen: apply(claim.formulas[chosen], m, v)) / s[name]  # type: ignore[misc]
            small += [part, 1 / part]
    try:
        found = grows(read(left), read(right), [x for part in (*small, *bounded(s)) for x in bounded_above(part)], fixed)
    except ValueError as other:
        return str(other)
    return None if found is None else told(found)
