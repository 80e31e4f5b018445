"""Judge of sampling a point of small gradient: the gradient's sensitivity, the sample's privacy, its mean, a fixed point."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial

import sympy

from dpsco.arguments.algorithms.descent.bilevel_gradients import (
    CHAIN,
    GRADIENT,
    MINIMISERS,
    SIZE_TESTS,
    SLOPE_TESTS,
    TESTS,
    beta_of_21,
    gradient_change,
    gradient_size,
    gradient_slope,
    never_below,
)
from dpsco.arguments.algorithms.exponential_sampling.gradient_sampling import (
    CURVED,
    GIBBS,
    HUBER,
    LINEAR,
    RANGE,
    RATIO,
    SCORES,
    TWO_REGIONS,
    at,
    curved,
    expressions,
    k_at,
    linear,
    mean_of_well,
    moved_score,
    quotient,
    rate_with_n,
    symbols,
    temperature,
    with_n,
)
from dpsco.arguments.assertions import reading
from dpsco.arguments.comparing import refuted
from dpsco.arguments.formula import apply
from dpsco.mutants.algorithms.exponential_sampling import stationarity as mutants
from dpsco.reference.numbers.enclosure import arb, ends
from dpsco.reference.numbers.symbolic import symbolic
from dpsco.spec.algorithms.exponential_sampling.stationarity import BOUNDED
from dpsco.spec.claim import Claim, Relation
from dpsco.spec.numbers import Numbers, Real
from dpsco.verdict import Finding, Rung, Severity, Verdict

EPSILONS, SIZES = ("0.01", "1", "10", "100"), (1, 2, 3, 104, 208, 1000, 1000000)
UNDECIDED = "neither proved nor contradicted at the problems tried"
N = sympy.Symbol("n", positive=True)


def _open(scope: str, claim: Claim) -> Finding:
    return Finding(scope=scope, verdict=Verdict.OPEN, adjacency=claim.adjacency, reason=UNDECIDED)


def sensitivity(claim: Claim) -> Iterator[Finding]:
    """The printed bound on the change of the gradient."""
    base = _open("neighbours' gradients differ by at most the printed sensitivity", claim)
    m = arb(192)
    problems = [((CURVED,), *curved(m, n, B), {"n": str(n), "B": str(B)}) for n, B in ((3, 10), (1000, 10**6))]
    problems += [((LINEAR,), *linear(m, n), {"n": str(n)}) for n in (1, 2, 1000)]
    for lemmas, values, change, instance in problems:
        printed = apply(claim.formulas["sensitivity"], m, values)
        if m.gt(change, printed) is True:
            yield refuted(
                base,
                printed,
                change,
                instance,
                method="the gradients of two neighbours, in closed form",
                severity=Severity.RATE,
                survives="Under all of Assumption 2.2 it is at most K/n, K of (12), which contains the bound on grad_yy g.",
                rung=Rung.EXACT,
                lemmas=lemmas,
            )
            return
    printed = sympy.expand(apply(claim.formulas["sensitivity"], symbolic(), {**expressions(), "n": N}) * N)
    if N not in printed.free_symbols and never_below(printed, gradient_change()):
        yield replace(
            base,
            verdict=Verdict.CERTIFIED,
            rung=Rung.EXACT,
            method="computer algebra: the printed bound less the proved one has no negative term",
            lemmas=(MINIMISERS, CHAIN),
            given=TESTS,
            reason=None,
        )
    else:
        yield base


def privacy(claim: Claim) -> Iterator[Finding]:
    """The sampler's privacy where it exists, and whether it exists."""
    base = replace(_open("X of finite volume: the sample is epsilon-DP", claim), release=claim.releases)
    m = arb(256)
    share = m.real("1e-9")
    for epsilon in EPSILONS:
        for n in SIZES:
            values = {**linear(m, n)[0], "epsilon": m.real(epsilon)}
            found = m.log(quotient(m, k_at(claim, m, values), moved_score(m, n), share))
            if m.gt(found, values["epsilon"]) is True:
                yield refuted(
                    base,
                    epsilon,
                    found,
                    {"epsilon": epsilon, "n": str(n), "share of A": "1e-9"},
                    method="logarithm of the quotient of the probabilities of one region",
                    severity=Severity.CONSTANT,
                    survives="At k = epsilon n/(2K) it is epsilon-DP.",
                    lemmas=(TWO_REGIONS,),
                )
                return
    k, epsilon_symbol = temperature(claim, expressions()), sympy.Symbol("epsilon", positive=True)
    room = None if k is None else sympy.cancel(epsilon_symbol / (2 * k))  # the change of the score that k can bear
    certified = replace(base, verdict=Verdict.CERTIFIED, rung=Rung.EXACT, reason=None)
    if room is not None and never_below(sympy.expand(room), gradient_size()):
        method = "2 k times the range of the score is at most epsilon, by computer algebra: private for any two data sets"
        yield replace(certified, method=method, lemmas=(RATIO, RANGE, GRADIENT), given=SIZE_TESTS)
    elif room is not None and never_below(sympy.expand(room * N), gradient_change()):
        method = "2 k times the proved change of the gradient is at most epsilon, by computer algebra"
        yield replace(certified, method=method, lemmas=(RATIO, SCORES, MINIMISERS, CHAIN), given=TESTS)
    else:
        yield base
    if claim.amends is None:
        yield with_n(base)
    if k is not None and BOUNDED not in claim.over:
        yield replace(
            base,
            scope="X of infinite volume, as R^{d_x} in Section 4.1: there is a density to sample from",
            verdict=Verdict.REFUTED,
            rung=Rung.EXACT,
            method="the weight is at least e^(-k (L_fx + beta_gxy L_fy/mu_g)) > 0 everywhere",
            claimed="a finite total weight",
            computed=("inf", "inf"),
            lemmas=(GRADIENT,),
            reason=None,
            severity=Severity.DOMAIN,
            survives="Where X has finite volume the density exists.",
        )


def rate(claim: Claim) -> Iterator[Finding]:
    """(24): E |grad Phi_Z| = O(G d_x/(epsilon n))."""
    base = _open("the mean gradient of the sample is of the printed order", claim)
    epsilon, d = sympy.symbols("epsilon d_x", positive=True)
    values = {**expressions(), "epsilon": epsilon, "n": N, "d_x": d}
    printed = apply(claim.formulas["rate"], symbolic(), values)
    if sympy.limit(printed, N, sympy.oo) != 0:
        yield base
        return
    survives = "With k = epsilon n/(2K) in the weight the mean falls like 1/n, up to a logarithm."
    broken = replace(base, verdict=Verdict.REFUTED, rung=Rung.EXACT, reason=None, severity=Severity.RATE, survives=survives)
    k = temperature(claim, expressions())
    if k is not None and N not in k.free_symbols:
        m = arb(192)
        n = 1000000
        numbers = {**at(m, L_fx=1, beta_fxx=1, beta_gyy=1), "epsilon": m.real(1), "n": m.real(n), "d_x": m.real(1)}
        mean = mean_of_well(m, k_at(claim, m, numbers), m.real(2))
        yield replace(
            broken,
            scope=f"{base.scope}: the printed weight, which has no n",
            method="Phi = x^2/2 on X = [-1, 1], with a stationary point inside: the law of the sample, and so its mean, is the "
            "same for every n",
            claimed=ends(apply(claim.formulas["rate"], m, numbers))[1],
            computed=ends(mean),
            at={"n": str(n), "epsilon": "1", "d_x": "1", "L_fx": "1", "D_x": "2"},
            lemmas=(HUBER,),
        )
    yield replace(
        broken,
        scope=f"{base.scope}: X without a point of small gradient (X bounded, which Section 4.1's R^{{d_x}} is not)",
        method="f = x on X = [0, 1]: |grad Phi_Z| = 1 at every point, for every n, while the printed order tends to 0",
        claimed="0",
        computed=("1", "1"),
        at={"n": "to infinity", "L_fx": "1", "d_x": "1"},
        survives="With a weight at the right temperature the excess over the least |grad Phi_Z| on X tends to 0.",
    )
    if claim.amends is None:
        yield rate_with_n(claim, broken)


def excess(claim: Claim) -> Iterator[Finding]:
    """The bound on the mean gradient over the least one on X."""
    base = _open("the mean gradient exceeds the least one on X by at most the printed bound", claim)
    m = arb(256)
    for epsilon in EPSILONS:
        for n in SIZES:
            for D in ("2", "1e3", "1e6", "1e12"):
                fixed = at(m, L_fx=1, beta_fxx=1, beta_gyy=1)
                values = {**fixed, "epsilon": m.real(epsilon), "n": m.real(n), "d_x": m.real(1), "D_x": m.real(D)}
                mean = mean_of_well(m, k_at(claim, m, values), values["D_x"])
                bound = apply(claim.formulas["rate"], m, values)
                if m.gt(mean, bound) is True:
                    yield refuted(
                        base,
                        bound,
                        mean,
                        {"epsilon": epsilon, "n": str(n), "d_x": "1", "D_x": D},
                        method="the mean, in closed form",
                        severity=Severity.RATE,
                        survives="(d_x/k)(1 + ln max(1, k beta_Phi D_x/d_x)) bounds it.",
                        lemmas=(HUBER,),
                    )
                    return
    names = symbols()
    k = temperature(claim, names)
    printed = apply(claim.formulas["rate"], symbolic(), names)
    # beta_Phi is the constant of (21): it bounds the slope of the gradient if it is not below the sum proved here
    if k is not None and _is_gibbs(printed, k, names) and never_below(beta_of_21(), gradient_slope()):
        method = "computer algebra: the printed bound is that of the lemma; beta_Phi of (21) bounds the gradient's slope"
        yield replace(
            base, verdict=Verdict.CERTIFIED, rung=Rung.EXACT, method=method, lemmas=(GIBBS,), given=SLOPE_TESTS, reason=None
        )
    else:
        yield base


def _is_gibbs(printed: Real, k: Real, names: Mapping[str, Real]) -> bool:
    d = names["d_x"]
    proved = d / k * (1 + sympy.log(sympy.Max(1, k * names["beta_Phi"] * names["D_x"] / d)))
    return bool(sympy.simplify(printed - proved) == 0)


def fixed_point(claim: Claim) -> Iterator[Finding]:
    """The gradient at a point that is fixed whatever the data."""
    base = _open("the gradient at a fixed point is at most the printed bound", claim)
    m = arb(128)
    printed: Callable[[Numbers, dict[str, Real]], Real] = partial(apply, claim.formulas["trivial"])
    for values, says in (
        (at(m, L_fy=1, beta_gxy=1, mu_g=1, beta_gyy=1, L_gy=2), "f = y, g = (y - x)^2/2"),
        (at(m, L_fx=1, beta_gyy=1), "f = x"),
    ):
        if m.lt(printed(m, values), 1) is True:
            yield refuted(
                base,
                printed(m, values),
                ("1", "1"),
                {name: str(v.unique_fmpz()) for name, v in values.items() if name in ("L_fx", "L_fy", "beta_gxy", "mu_g")},
                method=f"{says}: Phi_Z = x on X = [-1, 1]",
                severity=Severity.CONSTANT,
                survives="|grad Phi_Z(x0)| <= L_fx + beta_gxy L_fy/mu_g.",
                rung=Rung.EXACT,
            )
            return
    if never_below(printed(symbolic(), expressions()), gradient_size()):
        yield replace(
            base,
            verdict=Verdict.CERTIFIED,
            rung=Rung.EXACT,
            method="computer algebra: the printed bound less the proved one has no negative term",
            lemmas=(GRADIENT,),
            given=SIZE_TESTS,
            reason=None,
        )
    else:
        yield base


READ = {
    Relation("largest_change", "<=", "sensitivity"): sensitivity,
    Relation("the sample", "is", "epsilon-DP"): privacy,
    Relation("E |grad Phi_Z(x)| of the sample", "<=O", "rate"): rate,
    Relation("E |grad Phi_Z(x)| of the sample - inf |grad Phi_Z|", "<=", "rate"): excess,
    Relation("|grad Phi_Z(x0)|", "<=", "trivial"): fixed_point,
}

JUDGES = dict.fromkeys(("bilevel/sec-C.3", "bilevel/sec-C.3-amended"), reading(READ, "x"))

MUTANTS = {"bilevel/sec-C.3-amended": mutants.of_sampling}
