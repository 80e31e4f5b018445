"""Estimation errors up to constants: the claim's quantities and domain in exponents, and findings on `left = O(right)`."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

import sympy

from dpsco.arguments.comparing import proved, refuted
from dpsco.arguments.formula import apply
from dpsco.arguments.orders_of_growth import Exponents, exponent, form, grows, told
from dpsco.reference.numbers.symbolic import symbolic
from dpsco.spec.analysis.smoothing.bias import a_density_has_these, features_have_these
from dpsco.spec.claim import Claim
from dpsco.spec.losses.quantile.summaries import a_kernel_has_these, some_level_gives_lipschitz, unimodal_moments
from dpsco.verdict import Finding, Lemma, Rung, Severity, Verdict

Values = dict[str, Any]
BOUNDS: Mapping[Any, tuple[Exponents, ...]] = {
    some_level_gives_lipschitz: (form(L=1, B_x=-1), form(L=-1, B_x=1)),
    a_kernel_has_these: (form(kappa_1=1, K_bar=1),),
    unimodal_moments: (form(kappa_2=1, kappa_1=-2),),
    a_density_has_these: (form(l_1=1, f=-2),),
    features_have_these: (form(rho_1=-1), form(B_x=1), form(B_x=2, d=-1, rho_1=-1)),
}
"""What each precondition says about exponents; n and d are at least 1."""
FAMILIES: tuple[tuple[str, set[str] | None], ...] = (
    ("delta -> 1, all else fixed", {"s"}),
    ("epsilon grows, all else fixed", {"epsilon"}),
    ("n and epsilon grow, all else fixed", {"n", "epsilon"}),
    ("every path", None),
)


def undecided(decide: Callable[[Claim], Iterable[Finding]], claim: Claim) -> Iterator[Finding]:
    """The findings of `decide`, and an open one where it meets a formula that no order can be read from: 0, a difference."""
    try:
        yield from decide(claim)
    except ValueError as error:
        yield Finding(scope="orders of growth", verdict=Verdict.OPEN, reason=f"not decided: {error}")


def values(claim: Claim, ridge: str = "regularisation") -> Values:
    """The parameters as symbols, delta = e^-s, gamma = e^-g, with sigma, lambda and h as the claim's formulas have them."""
    v: Values = {p.name: sympy.Symbol(p.name, positive=True) for p in claim.parameters}
    v |= {"g": sympy.Symbol("g", positive=True), "s": sympy.Symbol("s", positive=True)}
    v |= {"delta": sympy.exp(-v["s"]), "gamma": sympy.exp(-v["g"])}
    for name, formula in (("sigma", "variance"), ("lambda_", ridge), ("h", "bandwidth")):
        if formula in claim.formulas:
            found = apply(claim.formulas[formula], symbolic(), v)
            v[name] = sympy.sqrt(found) if name == "sigma" else found
    return v


def bounds(claim: Claim) -> list[Exponents]:
    """The claim's domain in exponents."""
    held = [BOUNDS[predicate.test] for predicate in claim.preconditions if predicate.test in BOUNDS]
    return [form(n=1), form(d=1), *(side for sides in held for side in sides)]


def stays(
    scope: str,
    left: Any,
    right: Any,
    domain: Sequence[Exponents],
    fixed: Iterable[str],
    *,
    survives: str,
    severity: Severity | None,
    families: Iterable[tuple[str, set[str] | None]] = FAMILIES,
    lemmas: tuple[Lemma, ...] = (),
    given: tuple[Any, ...] = (),
    remark: str | None = None,
) -> Iterator[Finding]:
    """left = O(right): a finding for each family of paths that contradicts it, else one that certifies it."""
    names = {x.name for x in (left + right).free_symbols} | {name for side in domain for name in side}
    wrong: list[str] = []
    for says, moving in families:
        if moving is None and wrong:
            break
        held = [*fixed, *(names - moving if moving is not None else ())]
        path = grows(left, right, domain, held)
        if path is not None and told(path) not in wrong:
            wrong.append(told(path))
            powers = (exponent(right, path), exponent(left, path))
            yield refuted(
                f"{scope}: {says}",
                f"at most of order t^{powers[0]}",
                f"of order t^{powers[1]}",
                {"path, t -> infinity": told(path)},
                method="exponents along the path: left and right are sums of monomials up to constants",
                severity=severity,
                survives=survives,
                rung=Rung.EXACT,
                lemmas=lemmas,
            )
    if not wrong:
        method = "every monomial of left is a weighted geometric mean of monomials of right and of bounded quantities"
        yield proved(scope, True, method, lemmas=lemmas, given=given, remark=remark)
