"""Judges of several products run apart: composition of their budgets, constants of the summed loss, rates of one and of all."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any

import sympy

from dpsco.arguments.algorithms.objective_perturbation.risk.objective_risk import BOUNDED_DENSITY, LEAST
from dpsco.arguments.algorithms.objective_perturbation.risk.objective_risk_instances import SHRUNK
from dpsco.arguments.algorithms.objective_perturbation.risk.product_shares import (
    CHOSEN,
    GROWING,
    LOUD,
    LOUD_SAYS,
    UNIT,
    on_path,
    shares,
    shrinks,
    vanishes,
)
from dpsco.arguments.assertions import Table, reading
from dpsco.arguments.comparing import UNBOUNDED, proved, refuted
from dpsco.arguments.formula import apply, thresholds
from dpsco.arguments.missing_range import beside
from dpsco.arguments.polynomial_slack import Side, bounded, named, nonnegative
from dpsco.arguments.privacy.composition import HOEFFDING, WORST
from dpsco.mutants.algorithms.objective_perturbation import products as mutants
from dpsco.reference.numbers.enclosure import arb, ends
from dpsco.reference.numbers.symbolic import symbolic
from dpsco.reference.privacy.composition.pure import optimal
from dpsco.spec.algorithms.objective_perturbation import newsvendor_utility as single
from dpsco.spec.algorithms.objective_perturbation import products as spec
from dpsco.spec.claim import Claim, Provenance, Relation
from dpsco.spec.conditions import features_are_bounded, optimum_in_ball
from dpsco.spec.numbers import Numbers, Real, Truth
from dpsco.verdict import PROOF_STEP, Finding, Lemma, Reading, Rung, Severity, Verdict

TWO_POINTS = Lemma(
    "two demands for each product",
    "x = B_x e_1, r = 1/2, every product's demand 0 or B B_x, independent, B B_x with chance (1 + g)/2 or (1 - g)/2, g = 1/(2 "
    "sqrt(n)). theta* is B or 0, and the two excess risks of any theta add up to g B B_x/2 at least. n demands' laws are at "
    "most sqrt(n g ln((1 + g)/(1 - g))/2) <= 1/sqrt(3) apart, so for one of the two an algorithm's mean excess is at least g B "
    "B_x (1 - 1/sqrt(3))/4 >= B B_x/(20 sqrt(n)); under fair coins for the signs the products' sum is S times that at least.",
)
BLOCKS = Lemma(
    "blocks",
    "The gradient of the sum has one block a product, each at most r_bar B_x long, so at most sqrt(S) times as long, as "
    "equal products attain; so has its Hessian: its largest eigenvalue is the largest of theirs, K_bar B_x^2/h at most.",
)
APART = Lemma(
    "a sum of risks",
    "The total is the sum of the products' excess risks, each bounded by Theorem 2 as amended, at epsilon_0.",
)
BY_CHOICE = Lemma(
    "set accordingly",
    "With (epsilon_0, delta_0) set so that Lemma EC.3 gives (epsilon, delta) for S runs, they have it, by that lemma: the "
    "proof says no more, and the values themselves are in the main text.",
)
NO_RANGE = "if no range is meant"
NOT_AT_HAND = (
    "the values that epsilon_0 and delta_0 are set to, the bound M of the demand and the proposition's own range are not at "
    "hand: if delta may be as small as one likes, it fails at every share that Lemma EC.3 admits (beside)."
)
OF_TOTAL = (
    "If the hidden constant is free of S, the order of the total fails at epsilon = 1 and a fixed delta as well, for every "
    "algorithm: S risks of the order 1/sqrt(n) add up to more than sqrt(S/n) (beside)."
)
SURVIVES = (
    "Privacy for epsilon <= 8 ln(2/delta), if each run is private; the rate 1/sqrt(n) + sqrt(S d ln(2S/delta) ln(2/delta))/(n "
    "epsilon) of one product, and S times that for all."
)


def private(claim: Claim) -> Iterator[Finding]:
    """Every composition of S runs at their shares: the exact one of randomised response against Hoeffding's bound."""

    def least(m: Numbers, v: Mapping[str, Real]) -> Real:
        found = shares(claim, m, v)
        return m.real(0) if found is None else optimal(m, v["epsilon"], *found, int(float(v["S"].mid())))

    axes = [
        {"S": S, "epsilon": epsilon, "delta": delta}
        for S in ("1", "2", "100", "400")
        for epsilon in ("0.01", "1", "11", "40", "1000")
        for delta in ("1e-6", "0.5", "0.999")
    ]
    m = arb()
    inside = [at for at in axes if _moderate(claim, m, {name: m.real(value) for name, value in at.items()}) is not False]
    side = Side(
        scope="S runs, each (epsilon_0, delta_0)-DP, together",
        claimed=lambda m, v: v["delta"],
        reached=least,
        holds=composes(claim),
        method="S epsilon_0^2/2 + epsilon_0 sqrt(2 S ln(2/delta)) <= epsilon and S delta_0 + delta/2 <= delta, coefficient by "
        "coefficient",
        instances=inside,
        severity=Severity.DOMAIN,
        survives="It holds for epsilon <= 8 ln(2/delta).",
        lemmas=(WORST, HOEFFDING),
        given=(spec.budget_is_moderate,),
        decisive={"S": "100", "epsilon": "40", "delta": "0.5"},
    )
    found = replace(bounded(side), adjacency=claim.adjacency, release=claim.releases)
    if "rate_raw" not in claim.formulas or found.verdict is not Verdict.REFUTED:
        yield found
        return
    yield proved("S runs at shares that Lemma EC.3 turns into (epsilon, delta)", True, "written lemma", lemmas=(BY_CHOICE,))
    why = "these shares are our rebuilding, those of Theorem 3's proof with S for T; other ones are consistent with the text"
    yield replace(found, scope=f"{found.scope}, Theorem 3's shares", reading=Reading.ANOTHER, reason=why)


def _moderate(claim: Claim, m: Numbers, v: Mapping[str, Real]) -> Truth:
    tests = [p.test for p in claim.preconditions if set(p.names) == {"epsilon", "delta"}]
    return m.all(*(test(m, epsilon=v["epsilon"], delta=v["delta"]) for test in tests))


def composes(claim: Claim) -> bool:
    """With q^2 = ln(2/delta), S = a^2 and epsilon = 8 q^2/(1 + u)."""
    q, a, u = sympy.Symbol("q", positive=True), sympy.Symbol("a", positive=True), sympy.Symbol("u", nonnegative=True)
    top = sympy.Integer(0)
    for predicate in claim.preconditions:
        if set(predicate.names) == {"epsilon", "delta"}:
            given = {"epsilon": sympy.Integer(1), "delta": 2 * sympy.exp(-(q**2))}
            rights = thresholds("le", predicate.test, symbolic(), given)
            top = rights[0] if len(rights) == 1 else top
    values = {"S": a**2, "epsilon": top / (1 + u), "delta": 2 * sympy.exp(-(q**2))}
    found = shares(claim, symbolic(), values)
    if top == 0 or found is None:
        return False
    each, lost = found
    rest = values["epsilon"] - a**2 * each**2 / 2 - sympy.sqrt(2) * each * a * q
    return nonnegative(claim, sympy.simplify(rest)) and nonnegative(claim, sympy.simplify(values["delta"] / 2 - a**2 * lost))


def diverging(scope: str, path: str, ratio: str, lemmas: tuple[Lemma, ...], says: str, **more: Any) -> Finding:
    """Along a path the ratio goes to infinity."""
    method, rest = f"{ratio} has the limit infinity along a path, by computer algebra", {"lemmas": lemmas, **more}
    return refuted(scope, *UNBOUNDED, {"path": path}, method, Severity.RATE, says, Rung.EXACT, **rest)


def one_product(claim: Claim) -> Iterator[Finding]:
    """The rate with a hidden constant free of n, S, d, epsilon, delta, along LOUD."""
    scope = "excess risk of one product, objective perturbation, every share that Lemma EC.3 admits"
    if shrinks(claim) and vanishes(on_path(claim, "rate_product", LOUD)):
        found = diverging(scope, LOUD_SAYS, "risk over rate_product", (SHRUNK, CHOSEN), SURVIVES)
        yield from beside(found, NO_RANGE, NOT_AT_HAND) if _rebuilt(claim) else (found,)
        return
    method = "rate_product^2 times a constant less the square of Theorem 2's bound, coefficient by coefficient"
    yield _rated(scope, _covers(claim, "rate_product", sympy.Integer(1)), method, ())


def _rebuilt(claim: Claim) -> bool:
    """Whether what the proposition assumes is not at hand."""
    return claim.provenance is Provenance.REBUILT and claim.amends is None


def _rated(scope: str, holds: bool, method: str, lemmas: tuple[Lemma, ...]) -> Finding:
    budget: tuple[Callable[..., Truth], ...] = (spec.budget_is_spent, spec.budget_is_moderate, spec.share_is_large_enough)
    given: tuple[Callable[..., Truth], ...] = (*budget, features_are_bounded, optimum_in_ball, single.errors_are_spread)
    return proved(scope, holds, method, lemmas=(*BOUNDED_DENSITY, LEAST, *lemmas), given=given)


def _covers(claim: Claim, name: str, factor: Any) -> bool:
    """Whether the sum of the squares of the rate's terms, times a constant, is at least (factor x bound)^2/(4 B L)^2.

    With half of the shares at least: 1/epsilon_0^2 <= 32 S l/epsilon^2, ln(1/delta_0) <= 2 k, where l = ln(2/delta), k = ln(2S/
    delta) >= l; and 4 epsilon_0 <= 8 sqrt(2 l) <= 14 k, as epsilon <= 8 l and l >= ln 2.
    """
    n, S, d, e, log, more = (sympy.Symbol(name, positive=True) for name in ("n", "S", "d", "epsilon", "l", "k_more"))
    if not composes(claim):
        return False
    rate = apply(claim.formulas[name], symbolic(), {"n": n, "S": S, "d": d, "epsilon": e, "delta": 2 * sympy.exp(-log)})
    terms = sympy.Add.make_args(sympy.expand(sympy.expand_log(rate, force=True)))
    squares = sum(sympy.simplify(term**2).subs(sympy.log(S), more) for term in terms)
    k = log + more
    bound = factor.subs(sympy.Symbol("S"), S) ** 2 * (2 / n + d * (16 * k + 14 * k) * 32 * S * log / (n * e) ** 2)
    return nonnegative(claim, sympy.expand(960 * squares - bound))


def lipschitz(claim: Claim) -> Iterator[Finding]:
    """The length of the gradient of the sum."""
    yield _constant(claim, "Lipschitz constant of the summed loss", "lipschitz_total", lambda v: v["r_bar"] * v["B_x"], True)


def smoothness(claim: Claim) -> Iterator[Finding]:
    """The largest eigenvalue of its Hessian, which has no factor of S."""
    name = "smoothness constant of the summed loss"
    yield _constant(claim, name, "smoothness_total", lambda v: v["K_bar"] * v["B_x"] ** 2 / v["h"], False)


def _constant(claim: Claim, scope: str, name: str, one: Callable[[Mapping[str, Any]], Any], grows: bool) -> Finding:
    root = 1 + sympy.Symbol("root_S_more", nonnegative=True)
    values = {n: sympy.Symbol(f"{n}_", positive=True) for n in ("B_x", "r_bar", "K_bar", "h")} | {"S": root**2}
    slack = apply(claim.formulas[name], symbolic(), values) - one(values) * (root if grows else 1)
    side = Side(
        scope=scope,
        claimed=named(claim, name),
        reached=lambda m, v: one(v) * (m.sqrt(v["S"]) if grows else 1),
        holds=nonnegative(claim, slack),
        method="the difference has nonnegative coefficients in sqrt(S) - 1 and the other numbers",
        instances=[{"S": S, "B_x": "3", "r_bar": "0.7", "K_bar": "0.4", "h": "0.1"} for S in ("1", "4", "1000")],
        severity=PROOF_STEP,
        survives="sqrt(S) times one product's Lipschitz constant, and one product's smoothness constant.",
        lemmas=(BLOCKS,),
        family=(BLOCKS,),
        remark=None if grows else "not tight for S > 1: the block with the largest eigenvalue decides",
    )
    return bounded(side)


def raw(claim: Claim) -> Iterator[Finding]:
    """The displayed sum at every lambda: M a bound of the products' demand together, and M a bound of each."""
    lam, names = sympy.Symbol("lambda_", positive=True), ("S", "n", "d", "epsilon_0")
    v: dict[str, Any] = {name: sympy.Symbol(name, positive=True) for name in names} | {"lambda_": lam}
    log = sympy.Symbol("l", positive=True)
    one = {**UNIT, **v, "delta_0": sympy.exp(-log), "M": v["S"]}
    sigma = apply(single.sigma, symbolic(), {**UNIT, "epsilon": v["epsilon_0"], "delta": one["delta_0"]})
    sums = sympy.Rational(1, 2) / (v["n"] * lam) + v["d"] * sigma**2 / (v["n"] ** 2 * lam)  # Theorem 2, L = 1/2
    each = sums + lam + 1 / (lam * v["n"] * v["epsilon_0"]) ** 2
    more = {v["S"]: 1 + sympy.Symbol("S_more", nonnegative=True)}
    slack = 2 * apply(claim.formulas["rate_raw"], symbolic(), one) - v["S"] * each
    scope, method = "total excess risk at every lambda", "twice the sum less S times Theorem 2's, coefficient by coefficient"
    remark = "constants may depend on B, B_x, r_bar and what Theorem 2 assumes; M = S B B_x grows with S"
    holds = nonnegative(claim, sympy.expand(sympy.expand(slack).subs(more)))
    yield proved(f"{scope}, M a bound of the total demand", holds, method, lemmas=(*BOUNDED_DENSITY, APART), remark=remark)
    path = {"n": GROWING**4, "S": GROWING, "epsilon": sympy.Integer(1), "delta": 2 * sympy.exp(-1)}
    at = on_path(claim, "rate_raw", path, lambda_=lambda v: v["r_bar"] * v["B_x"] / v["B"])
    if vanishes(at / GROWING):
        says = (
            "lambda = L/B, y = B B_x = M for every product and record, S grows, n = S^4, epsilon = d = 1: the risk is S L B/2"
        )
        found = diverging(scope, says, "total risk over rate_raw", (SHRUNK, APART), "It holds with S B^2 for M/B^2.")
        yield replace(found, scope=f"{scope}, M a bound of each demand", reading=Reading.ANOTHER)


def at_printed(claim: Claim) -> Iterator[Finding]:
    """The displayed sum at the printed lambda, n growing; beside it at the root that balances it."""
    still: dict[str, Any] = {"n": GROWING, "S": sympy.Integer(1), "epsilon": sympy.Integer(1), "delta": 2 * sympy.exp(-1)}
    wide = {**still, "n": GROWING**8, "S": GROWING, "d": GROWING**16}
    for name, path, read_as in (("lambda_printed", still, Reading.PRINTED), ("lambda_balanced", wide, Reading.MEANT)):
        scope = f"the displayed sum at the {name.removeprefix('lambda_')} lambda"
        at = on_path(claim, "rate_raw", path, lambda_=lambda v, name=name: apply(claim.formulas[name], symbolic(), v))
        rate = on_path(claim, "rate_total", path)
        # its terms are positive: one of them is enough, the shortest is tried first
        if any(vanishes(rate / term) for term in sorted(sympy.Add.make_args(at), key=sympy.count_ops)[:2]):
            says = "n grows, all else fixed" if read_as is Reading.PRINTED else "S grows, n = S^8, d = n^2, epsilon = 1"
            yield diverging(scope, says, "rate_raw over rate_total", (), SURVIVES, reading=read_as)
        else:
            yield Finding(scope=scope, verdict=Verdict.OPEN, reason="the path tried does not decide", reading=read_as)


def total(claim: Claim) -> Iterator[Finding]:
    """The rate of all products: what every algorithm pays grows like S/sqrt(n)."""
    path = {"n": GROWING**6, "S": GROWING, "epsilon": sympy.Integer(1), "delta": 2 * sympy.exp(-1)}
    scope, apart = "total excess risk", "rate_raw" in claim.formulas  # only there is M, which the rate may hide
    loud = on_path(claim, "rate_total", LOUD)
    if apart and shrinks(claim) and vanishes(sympy.sqrt(LOUD["S"]) * loud / LOUD["S"]):
        ratio = "total risk, 3/8 for each product, over sqrt(M) rate_total, M = S B B_x, the products' demand together,"
        found = diverging(scope, LOUD_SAYS, ratio, (SHRUNK, CHOSEN, APART), SURVIVES)
        yield from beside(found, NO_RANGE, f"{NOT_AT_HAND} {OF_TOTAL}") if _rebuilt(claim) else (found,)
    if vanishes(on_path(claim, "rate_total", path) * GROWING**2):
        found = _every_algorithm(claim, scope)
        own = {"scope": f"{scope}, a constant that is free of S", "reading": Reading.MEANT}
        yield replace(found, **own) if apart else found  # type: ignore[arg-type]
        return
    method = "S times the rate of one product, its squares compared as for one"
    yield _rated(scope, _covers(claim, "rate_total", sympy.Symbol("S")), method, (APART,))


def _every_algorithm(claim: Claim, scope: str) -> Finding:
    """What every algorithm pays for S products, against the rate of all, at one point of the path S -> infinity, n = S^6."""
    m, at = arb(), {"S": "10000", "n": "1e24", "epsilon": "1", "delta": "1e-6", "d": "1", "B": "1", "B_x": "1"}
    v = {name: m.real(value) for name, value in at.items()}
    least = v["S"] * v["B"] * v["B_x"] / (20 * m.sqrt(v["n"]))
    return refuted(
        scope,
        f"at most a constant times {ends(apply(claim.formulas['rate_total'], m, v))[1]}",
        (ends(least)[0], "inf"),
        {"path": "S grows, n = S^6, epsilon = d = 1 (S^(5/4)/n^(1/4) goes to 0)", **at},
        method="S B B_x/(20 sqrt(n)), which every algorithm pays under one of the laws, over rate_total has the limit infinity "
        "along the path, by computer algebra; both at one point of it",
        severity=Severity.RATE,
        survives=SURVIVES,
        rung=Rung.EXACT,
        lemmas=(TWO_POINTS,),
    )


READ: Table = {
    Relation("all S runs", "is", "(epsilon, delta)-DP"): private,
    Relation("excess risk of one product", "<=O", "rate_product"): one_product,
    Relation("Lipschitz constant of the summed loss", "<=", "lipschitz_total"): lipschitz,
    Relation("smoothness constant of the summed loss", "<=", "smoothness_total"): smoothness,
    Relation("total excess risk", "<=O", "rate_raw"): raw,
    Relation("rate_raw at lambda_printed", "<=O", "rate_total"): at_printed,
    Relation("total excess risk", "<=O", "rate_total"): total,
}

JUDGES = dict.fromkeys(("newsvendor/prop-1", "newsvendor/prop-1-amended"), reading(READ))

MUTANTS = {"newsvendor/prop-1-amended": mutants.of_products}
