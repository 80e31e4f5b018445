"""Judge of resampling before a private algorithm: the tail of the number of draws, each link of the proof, and the whole."""

from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal
from functools import partial

import sympy

from dpsco.arguments.analysis.draws_tail import Names as TailNames
from dpsco.arguments.analysis.draws_tail import bounded
from dpsco.arguments.analysis.resampling import (
    BERNSTEIN,
    BOTH_MEANS,
    COUNTED,
    COUPLED,
    DRAWS,
    GAMMAS,
    GROUP,
    LEAST,
    MOST,
    REDRAWN,
    SIZES,
    UNION,
    WITHIN,
    Names,
    few_draws,
    few_draws_down_to,
    group_is_paid,
    means_suffice,
    more_than,
    read,
    worst_excess,
)
from dpsco.arguments.assertions import Table, reading
from dpsco.arguments.comparing import certified, every_sign, refuted
from dpsco.arguments.formula import apply
from dpsco.instances.grid import Grid, grid
from dpsco.mutants.analysis.lower_bounds import resampling as mutants
from dpsco.reference.numbers.enclosure import arb
from dpsco.reference.numbers.symbolic import symbolic
from dpsco.spec.analysis.lower_bounds.resampling import tail
from dpsco.spec.claim import Claim, Relation
from dpsco.verdict import Finding, Lemma, Reading, Rung, Severity, Verdict

NAMES = Names("epsilon_after", "delta_after")
EPSILONS = ("0.1", "1", "10", "100")
DELTAS = ("0", "1e-6", "1e-30000")
"""The last: a delta whose share in delta' vanishes even at the largest epsilon and number of draws."""
SURVIVES_TAIL = f"It holds for every n and every gamma >= {LEAST} (certified)."
SURVIVES = (
    f"It holds for every gamma >= {LEAST}, for every gamma at every epsilon <= {MOST} (both certified), and for every gamma "
    "with Pr[Binomial(n, 1/n) > u] for it in delta'."
)


def resampled(claim: Claim, names: Names) -> Iterator[Finding]:
    """The links of the proof that B is (epsilon', delta')-DP, and the statement itself."""
    tried = grid(claim, {"n": SIZES, "gamma": GAMMAS, "epsilon": EPSILONS, "delta": DELTAS})
    yield from _links(claim, names, tried)
    whole = Finding(
        scope="resampling, then A, is (epsilon', delta')-DP",
        verdict=Verdict.OPEN,
        adjacency=claim.adjacency,
        release=claim.releases,
        coverage=tried.coverage,
        reason="neither proved nor contradicted by the counting algorithm",
    )
    worst = [(instance, found) for instance in tried if (found := worst_excess(claim, names, instance)) is not None]
    parts = read(claim, names)
    paid = parts is not None and group_is_paid(parts)
    if worst:
        # easiest to meet: the largest gamma that shows it, and there the least epsilon
        instance, (delta, needed) = max(worst, key=lambda v: (Decimal(v[0]["gamma"]), -Decimal(v[0]["epsilon"])))
        least = min((i["epsilon"] for i, _ in worst), key=Decimal)
        yield refuted(
            whole,
            delta,
            needed,
            instance,
            method="one event of a counting algorithm, enclosed",
            severity=Severity.DOMAIN,
            survives=SURVIVES,
            effort=f"{len(tried)} instances, {len(worst)} of them violate the claim, the least epsilon among them {least}",
            lemmas=(DRAWS, COUNTED),
        )
        boxes = few_draws_down_to(parts.s, parts.w, LEAST) if parts is not None else None
        if parts is not None and paid and boxes is not None and parts.lost == sympy.exp(-parts.s):
            method = f"1/Gamma(u + 1) <= gamma by {boxes} boxes, the rest by algebra"
            large = _certain(whole, method, UNION, Rung.REGION)
            yield large
            if means_suffice(parts.s, parts.w, LEAST, MOST):
                yield replace(
                    large,
                    scope=f"{whole.scope}, for epsilon <= {MOST} and every gamma",
                    method=f"gamma >= {LEAST}: {method}; gamma below: 2 sinh({MOST}) <= {MOST} u at gamma = {LEAST}, enclosed",
                    lemmas=(*large.lemmas, REDRAWN, BOTH_MEANS, WITHIN),
                )
        return
    if parts is not None and paid and few_draws(parts.s, parts.w, parts.lost):
        certain = _certain(whole, "computer algebra on the printed epsilon' and delta'", BERNSTEIN, Rung.EXACT)
        yield replace(certain, scope=whole.scope, reading=Reading.PRINTED)
    else:
        yield whole


def _certain(whole: Finding, method: str, lemma: Lemma, rung: Rung) -> Finding:
    return replace(
        whole,
        scope=f"{whole.scope}, for gamma >= {LEAST}",
        verdict=Verdict.CERTIFIED,
        rung=rung,
        method=method,
        lemmas=(DRAWS, lemma, GROUP, COUPLED),
        reason=None,
        reading=Reading.ANOTHER,
    )


def _links(claim: Claim, names: Names, tried: Grid) -> Iterator[Finding]:
    parts = read(claim, names)
    first = Finding(
        scope="link: Pr[draws > epsilon'/epsilon] is at most what delta' keeps at delta = 0",
        verdict=Verdict.OPEN,
        reason="neither proved nor contradicted",
    )
    m = arb(320)
    broken = None
    for instance in {(i["n"], i["gamma"]): i for i in tried}.values():
        values = {**{name: m.real(value) for name, value in instance.items()}, "delta": m.real(0)}
        lost = apply(claim.formulas[names.delta], m, values)
        more = more_than(m, int(instance["n"]), apply(claim.formulas[names.epsilon], m, values) / values["epsilon"])
        if m.gt(more, lost) is True:
            broken = refuted(
                first,
                lost,
                more,
                {name: instance[name] for name in ("n", "gamma")},
                method="the binomial tail, enclosed; the case draws = u, counted on both sides, is left out here",
                severity=Severity.DOMAIN,
                survives=SURVIVES_TAIL,
                lemmas=(DRAWS,),
            )
            break
    if broken is not None:
        yield broken
    elif parts is not None and few_draws(parts.s, parts.w, parts.lost):
        lemmas = (DRAWS, BERNSTEIN)
        yield replace(first, verdict=Verdict.CERTIFIED, rung=Rung.EXACT, method="algebra", lemmas=lemmas, reason=None)
    else:
        yield first
    paid = parts is not None and group_is_paid(parts)
    yield Finding(
        scope="link: group privacy at every number of draws up to epsilon'/epsilon is within delta'",
        verdict=Verdict.CERTIFIED if paid else Verdict.OPEN,
        rung=Rung.EXACT if paid else None,
        method="computer algebra: the printed term over delta w e^((w - 1) epsilon) is at least 1",
        lemmas=(GROUP,),
        reason=None if paid else "the term with delta is not seen to be delta w e^((w - 1) epsilon) or more",
    )
    yield certified(
        "link: conditioning on few draws, averaging over the indices, and dropping the condition",
        "the printed third line has Delta(I) outside its average; read vector by vector it is right",
        COUPLED,
    )


def tail_is_small(claim: Claim) -> Iterator[Finding]:
    """Pr[X >= u] <= gamma, with the printed tail and u."""
    tried = grid(claim, {"n": SIZES, "gamma": GAMMAS})
    scope = "at least u drawn records change with probability at most gamma"
    m = arb(320)
    base = Finding(scope=scope, verdict=Verdict.OPEN, coverage=tried.coverage, reason="neither proved nor contradicted")
    for instance in tried:
        values = {name: m.real(value) for name, value in instance.items()}
        printed = apply(claim.formulas["tail_at_changes"], m, values)
        if m.gt(printed, values["gamma"]) is True:
            yield refuted(
                base,
                instance["gamma"],
                printed,
                instance,
                method="the sum of binomial probabilities, enclosed",
                severity=Severity.DOMAIN,
                survives=SURVIVES_TAIL,
                lemmas=(DRAWS,),
            )
            break
    gamma, n, s = sympy.symbols("gamma n s", positive=True)
    w = apply(claim.formulas["changes"], symbolic(), {"gamma": gamma})
    same = apply(claim.formulas["tail_at_changes"], symbolic(), {"n": n, "gamma": gamma}).dummy_eq(tail(symbolic(), n, w - 1))
    w = sympy.simplify(sympy.expand_log(w.subs(gamma, sympy.exp(-s)), force=True))
    if same and few_draws(s, w, sympy.exp(-s)):
        method = "computer algebra: u - 1 - sqrt(2s) - s/3 >= 0 at gamma = e^(-s)"
        yield replace(base, verdict=Verdict.CERTIFIED, rung=Rung.EXACT, method=method, lemmas=(DRAWS, BERNSTEIN), reason=None)
    elif same and (boxes := few_draws_down_to(s, w, LEAST)) is not None:
        yield replace(
            base,
            scope=f"{scope}, for gamma >= {LEAST}",
            verdict=Verdict.CERTIFIED,
            rung=Rung.REGION,
            method=f"ln Gamma(u + 1) >= ln(1/gamma) by {boxes} boxes",
            lemmas=(DRAWS, UNION),
            reason=None,
            reading=Reading.ANOTHER,
        )
    else:
        yield base


READ: Table = {
    **every_sign("tail", "tail_bound", partial(bounded, TailNames("tail", "tail_bound"))),
    Relation("tail_at_changes", "<=", "gamma"): tail_is_small,
    Relation("the answer of B", "is", "(epsilon_after, delta_after)-DP"): partial(resampled, names=NAMES),
}

JUDGES = dict.fromkeys(
    (f"quantile/thm-3.7-{part}{kind}" for part in ("binomial", "resampling") for kind in ("", "-amended")), reading(READ)
)

MUTANTS = {
    "quantile/thm-3.7-binomial-amended": mutants.of_binomial,
    "quantile/thm-3.7-resampling-amended": mutants.of_resampling,
}
