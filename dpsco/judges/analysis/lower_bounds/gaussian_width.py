"""Judge of the reduction from empirical to population risk: run A on n draws with replacement from the data set.

The lower bounds by the Gaussian width are read beside those by the inscribed ball.

Theorem 12 says that some private B exists; the construction is judged where it proves that, and every B where it fails.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import sympy

from dpsco.arguments.assertions import reading
from dpsco.arguments.comparing import certified, refuted
from dpsco.arguments.formula import apply
from dpsco.instances.grid import Instance, grid
from dpsco.judges.analysis.lower_bounds.inscribed_ball import READER
from dpsco.mutants.analysis.lower_bounds import gaussian_width as mutants
from dpsco.reference.numbers.enclosure import arb
from dpsco.reference.numbers.symbolic import symbolic
from dpsco.spec.analysis.lower_bounds.gaussian_width import copies_are_covered
from dpsco.spec.claim import Adjacency, Claim, Relation
from dpsco.spec.numbers import Numbers, Real
from dpsco.verdict import Finding, Lemma, Reading, Severity, Verdict

COPIES = Lemma(
    "copies of the replaced record",
    "Both data sets with the same n draws: the drawn records differ in K places, K ~ Binomial(n, 1/n), and A's answers on them "
    "are (K e, K d e^((K-1) e))-close by K steps of (e, d)-DP. So the least delta of B at epsilon is at most P(K >= t) + the "
    "sum over 1 <= k < t of P(K = k) k d e^((k-1) e), for every t with (t - 1) e <= epsilon.",
    (Adjacency.REPLACE_ONE,),
)
FACTORIAL = Lemma(
    "tail of the copies",
    "P(K >= t) <= E binomial(K, t) = binomial(n, t)/n^t <= 1/t!, and P(K >= 1) = 1 - (1 - 1/n)^n <= 3/4 for n >= 2, since "
    "(1 - 1/n)^n grows with n. E K = 1.",
)
STEPS = Lemma(
    "one number of copies at a time",
    "With e = epsilon/(c s), s = ln(1/delta), and d = delta e^(-epsilon) h(s), h falling: for (t-1)/c <= s < t/c it holds that "
    "(t-1) e <= epsilon, and each k < t costs at most k delta h(s), together delta h(s), nothing for t = 1. Enough is "
    "1/t! <= e^(-t/c) (1 - h((t-1)/c)); from t to t + 1 the left side falls by 1/(t+1), the right by e^(-1/c) at most.",
)
SINGLE = Lemma("one record", "n = 1: the only draw is the record itself, B = A.", (Adjacency.REPLACE_ONE,))
EMPIRICAL = Lemma(
    "the empirical distribution",
    "n draws with replacement from D are n independent draws from the uniform distribution on D's records; its population loss "
    "is the empirical loss on D. A's guarantee holds for every distribution, so for this one.",
)
NAMES = Lemma(
    "guessing one of N names",
    "n = 1, records 1..N, decisions a_i and w_i: l(w_i, i) = 0, l(a_i, i) = 1, else l(a_i, .) = 5, l(w_i, .) = 9. (Or, "
    "convex: probability vectors over these decisions, the loss linear.) A answers a_x with probability 1 - eta, each other"
    " a_i as likely as any, eta = (N-1)/(e^e + N - 1): (e, 0)-DP. At a distribution with largest probability p its risk is "
    "at most 5 - 4 (1 - eta) p^2 and the least one is min(5 - 4 p, 9 (1 - p)), so its excess at most 1 + 4 eta (4 p (1 - p)"
    " <= 1 for p <= 4/5, 9 p - 4 p^2 - 4 <= 1 above). Any (epsilon, delta)-DP B: P(B(x) in S_x) <= e^epsilon P(B(x') in "
    "S_x) + delta, S_x = {a_x, w_x} disjoint; averaged over x and x' the left is at most e^epsilon/N + delta, so on some "
    "record B's excess is at least 5 (1 - delta - e^epsilon/N).",
    (Adjacency.REPLACE_ONE,),
)
CHAIN = Lemma(
    "counting copies",
    "A(D) = 1 with probability f(K), K the copies of a marked record, f(k+1) the largest that (e, d)-DP allows after f(k): "
    "min(e^e f + d, 1 - e^-e (1 - f - d), 1). B on a data set with the record once, against none: E f(K) - e^epsilon f(0).",
    (Adjacency.REPLACE_ONE,),
)
LOST = "It holds for n >= 2, and for n = 1 where delta <= e^(-1/4)."
AXES = {
    "n": ("1", "2", "3", "10"),
    "delta": ("1e-10", "0.001", "0.1", "0.2", "0.5", "0.61", "0.7", "0.79", "0.9", "0.999"),
    "epsilon": ("0.001", "1", "5", "20", "100", "1000"),
}
NAMED = {"n": ("1",), "delta": ("0.78", "0.785", "0.79", "0.795"), "epsilon": ("200", "1000")}
EXISTS = Relation("B", "is", "(epsilon, delta)-DP")
RESAMPLED = Relation("A on n draws with replacement from the data set", "is", "(epsilon, delta)-DP")
EXCESS = Relation("E[empirical loss of B(D)] - least empirical loss", "<", "gamma")


@dataclass(frozen=True)
class Budget:
    """c and h of `STEPS`, read from the printed budget of A."""

    c: Any
    h: Any


def budget(claim: Claim) -> Budget | None:
    """epsilon_of_A = epsilon/(c s) and delta_of_A = delta e^(-epsilon) h(s) with h positive, falling and at most 1."""
    epsilon, s = sympy.symbols("epsilon s", positive=True)
    m, delta = symbolic(), sympy.exp(-s)
    own = apply(claim.formulas["epsilon_of_A"], m, {"epsilon": epsilon, "delta": delta})
    lost = apply(claim.formulas["delta_of_A"], m, {"epsilon": epsilon, "delta": delta})
    c = sympy.simplify(sympy.expand_log(epsilon / (own * s), force=True))
    h = sympy.simplify(sympy.expand_log(lost * sympy.exp(epsilon) / delta, force=True))
    slope = sympy.simplify(sympy.diff(h, s))
    known = c.is_number and c.is_positive and h.free_symbols <= {s} and h.is_positive and slope.is_nonpositive
    return Budget(c, h) if known and h.subs(s, 0) <= 1 else None


def covers_two_records(claim: Claim) -> str | None:
    """The inequalities of `STEPS` for every s, enclosed; what was shown, or None."""
    b, m = budget(claim), arb()
    if b is None:
        return None
    each = m.real(str(1 / b.c))
    if m.le(m.frac(3, 4), m.exp(-each)) is not True:
        return None
    last = 2
    while m.ge(m.real(last + 1), m.exp(each)) is not True:
        last += 1
    for t in range(2, last + 1):
        if m.le(1 / m.gamma(m.real(t + 1)), m.exp(-t * each) * (1 - _lost(claim, m, (t - 1) * each))) is not True:
            return None
    return f"c = {b.c}, h = {b.h}: 3/4 <= e^(-1/c), and 1/t! <= e^(-t/c) (1 - h((t-1)/c)) for t = 2, ..., {last} and beyond"


def _lost(claim: Claim, m: Numbers, s: Real) -> Real:
    """h(s), from the printed formula at epsilon = 1."""
    one, delta = m.real(1), m.exp(-s)
    return apply(claim.formulas["delta_of_A"], m, {"epsilon": one, "delta": delta}) * m.exp(one) / delta


def _certified(claim: Claim, scope: str, method: str, *used: Lemma, **rest: Any) -> Finding:
    return certified(scope, method, *used, adjacency=claim.adjacency, release="the output of B", **rest)


def construction(claim: Claim) -> Iterator[Finding]:
    """A on the draws, as B: certified for n >= 2 and for one record, or contradicted by an A that counts copies."""
    bad = next(counted(claim), None)
    if bad is not None:
        yield _refuted(claim, *bad)
        return
    many = covers_two_records(claim)
    if many is not None:
        yield _certified(claim, "n >= 2, every epsilon and delta", many, COPIES, FACTORIAL, STEPS)
    else:
        yield Finding(scope="n >= 2", verdict=Verdict.OPEN, reason="no A of the search contradicts it, and no proof")
    yield _one_record(claim)
    if all(predicate.test != copies_are_covered for predicate in claim.preconditions):
        yield Finding(scope="n = 1, delta > e^(-1/4)", verdict=Verdict.OPEN, reason="A's epsilon may exceed B's")


def _one_record(claim: Claim) -> Finding:
    scope, b = "n = 1, delta <= e^(-1/4)", budget(claim)
    if b is None or not b.c >= 4:
        return Finding(scope=scope, verdict=Verdict.OPEN, reason="A's epsilon may exceed B's")
    given = (copies_are_covered,) if claim.preconditions else ()
    method = f"exact: s >= 1/4 >= 1/c with c = {b.c}, so A's epsilon is at most B's, and A's delta at most B's"
    return _certified(claim, scope, method, SINGLE, given=given)


def counted(claim: Claim) -> Iterator[tuple[Instance, Real]]:
    """Instances, largest delta first, with the least delta that `CHAIN` shows, certainly above the one asked for."""
    m = arb()
    tried = grid(claim, AXES)
    for instance in tried:
        v = {name: m.real(value) for name, value in instance.items()}
        own, lost = (apply(claim.formulas[name], m, v) for name in ("epsilon_of_A", "delta_of_A"))
        n, factor = int(instance["n"]), m.exp(own)
        starts = [m.real(0), *(1 / (factor**t * (1 + factor)) for t in range(4))]
        for start in starts:
            excess = _mean(m, n, _chain(m, start, factor, lost, n)) - m.exp(v["epsilon"]) * start
            if m.gt(excess, v["delta"]) is True:
                yield instance, excess
                break


def _chain(m: Numbers, start: Real, factor: Real, lost: Real, n: int) -> list[Real]:
    """f(0), ..., f(n) of `CHAIN`."""
    f = [start]
    for _ in range(n):
        f.append(m.min(factor * f[-1] + lost, 1 - (1 - f[-1] - lost) / factor, m.real(1)))
    return f


def _mean(m: Numbers, n: int, f: list[Real]) -> Real:
    """E f(K), K ~ Binomial(n, 1/n)."""
    share = m.frac(1, n)
    return sum((m.binomial(m.real(n), k) * share**k * (1 - share) ** (n - k) * f[k] for k in range(n + 1)), start=m.real(0))


def _refuted(claim: Claim, at: Instance, excess: Real) -> Finding:
    return refuted(
        f"A on n draws with replacement, n = {at['n']}",
        at["delta"],
        excess,
        at,
        method="E f(K) - e^epsilon f(0), enclosed",
        severity=Severity.DOMAIN,
        survives=LOST,
        adjacency=claim.adjacency,
        release="the output of B",
        lemmas=(CHAIN,),
    )


def existence(claim: Claim) -> Iterator[Finding]:
    """The printed statement, that some B exists: by the construction where it is private, against every B at n = 1."""
    many = covers_two_records(claim)
    if many is not None:
        yield _certified(claim, "n >= 2, every epsilon and delta", many, COPIES, FACTORIAL, STEPS)
    else:
        yield Finding(scope="n >= 2", verdict=Verdict.OPEN, reason="the construction is not proved to be private")
    yield _one_record(claim)
    bad = next(counted(claim), None)
    if bad is not None:
        yield replace(_refuted(claim, *bad), reading=Reading.MEANT)
    yield named(claim) or Finding(scope="n = 1", verdict=Verdict.OPEN, reason="no problem found on which every B fails")


def named(claim: Claim) -> Finding | None:
    """A problem with one record on which A keeps its excess below gamma, and no private B does."""
    m = arb(1024)
    for instance in grid(claim, NAMED):
        v = {name: m.real(value) for name, value in instance.items()}
        own, epsilon = apply(claim.formulas["epsilon_of_A"], m, v), v["epsilon"]
        count = m.floor(m.exp((own + epsilon) / 2)).unique_fmpz() if m.gt(own, epsilon) is True else None
        if count is None:
            continue
        most = 1 + 4 * (count - 1) / (m.exp(own) + count - 1)
        least = 5 * (1 - v["delta"] - m.exp(epsilon) / count)
        if m.lt(most, least) is True:
            return refuted(
                "every B, n = 1, delta between e^(-1/4) and 4/5",
                most,
                least,
                {**instance, "N": f"floor(e^(({instance['epsilon']} + epsilon_of_A)/2))"},
                method="excess risk of A from above (gamma) and of every private B from below, enclosed",
                severity=Severity.DOMAIN,
                survives=LOST,
                adjacency=claim.adjacency,
                release="the output of B",
                lemmas=(NAMES,),
            )
    return None


def excess_risk(claim: Claim) -> Iterator[Finding]:
    """B's empirical excess is A's population excess at one distribution."""
    yield _certified(claim, "excess empirical loss of A on the draws", "exact: one distribution of A's guarantee", EMPIRICAL)


READ = {EXISTS: existence, RESAMPLED: construction, EXCESS: excess_risk}

JUDGES: dict[str, Any] = {
    **dict.fromkeys(("lp/lem-9", "lp/thm-5", "lp/thm-11"), READER),
    **dict.fromkeys(("lp/thm-12", "lp/thm-12-amended"), reading(READ)),
}
MUTANTS = {"lp/thm-12-amended": mutants.of_reduction}
