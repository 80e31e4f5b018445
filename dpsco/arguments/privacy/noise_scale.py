"""Does a printed noise scale suffice? One decision for every claim of the form "N(0, sigma^2) makes it (epsilon, delta)-DP".

A claim enters as the function `mu` from its numbers to the shift-over-noise of the worst pair; the least delta is then the
Gaussian profile at (epsilon, mu), exactly. Three routes, the strongest that applies: an algebraic one (the tail lemma), a
region (the monotone lemma and branch and bound in one variable), enclosures at points (to refute).
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

import sympy

from dpsco.arguments.emptiness import nothing_admitted
from dpsco.arguments.privacy import more_noise
from dpsco.arguments.regions import box, certify
from dpsco.instances.grid import Grid, Instance, grid
from dpsco.instances.inside import points
from dpsco.instances.texts import written
from dpsco.reference.bracket import bracket
from dpsco.reference.numbers.enclosure import arb, ends
from dpsco.reference.numbers.mp import mp
from dpsco.reference.numbers.symbolic import symbol, symbolic, symbols_of
from dpsco.reference.privacy.gaussian import profile, solve_delta
from dpsco.spec.claim import Adjacency, Claim, Relation
from dpsco.spec.domain import Interval, within
from dpsco.spec.numbers import Numbers, Real, Truth
from dpsco.verdict import Finding, Lemma, Reading, Rung, Severity, Verdict

Mu = Callable[[Numbers, Mapping[str, Real]], Real]

TAIL = Lemma(
    "Gaussian tail",
    "If z = epsilon/mu - mu/2 >= 0 then profile(epsilon, mu) <= Phi(-z) (its second term is negative), and Phi(-z) is at "
    "most e^(-z^2/2)/2 and at most e^(-z^2/2)/(z sqrt(2 pi)).",
)
MONOTONE = Lemma(
    "monotone in epsilon at fixed epsilon/mu",
    "Along mu = epsilon/c the profile is g(epsilon) = Phi(epsilon/(2c) - c) - e^epsilon Phi(-x), x = epsilon/(2c) + c. With "
    "e^epsilon phi(x) = phi(epsilon/(2c) - c), g' = e^epsilon (phi(x)/c - Phi(-x)) > 0, since Phi(-x) < phi(x)/x and x > c. "
    "So a claim for all epsilon < E holds if it holds in the limit epsilon = E.",
)
POST = Lemma(
    "tight pair",
    "Post-processing and adaptive composition never exceed the profile of N(0, 1) against N(mu, 1), mu^2 = steps "
    "(sensitivity/sigma)^2, and a pair of data sets whose answers differ by the full sensitivity in the same direction at "
    "every step attains it.",
)


@dataclass(frozen=True)
class Scale:
    """What the judge knows about the claim beyond its text."""

    mu: Mu
    axes: Mapping[str, Sequence[str]]
    scope: str
    adjacency: Adjacency | None
    release: str
    fixed: Sequence[Instance] = ({},)
    lemmas: tuple[Lemma, ...] = (POST,)
    decisive: Mapping[str, str] = field(default_factory=dict)
    """Values that the instance shown for a refutation should have, if one does."""
    asserts: tuple[Relation, ...] = ()
    """The claim's assertions that this decides."""
    given: tuple[Callable[..., Truth], ...] = ()
    """The preconditions that `mu` rests on."""


def suffices(claim: Claim, scale: Scale) -> Iterator[Finding]:
    """Findings on the claim's whole printed domain, and where that fails on the smaller range that survives."""
    tried = grid(claim, scale.axes, scale.fixed) or Grid(tuple(map(written, points(claim))))
    if not tried:
        yield replace(nothing_admitted(claim, scale.scope), asserts=scale.asserts, coverage=tuple(scale.axes))
        return
    violations = [(instance, true) for instance in tried if (true := _violation(scale.mu, instance)) is not None]
    if violations:
        yield _refuted(claim, scale, tried, violations)
        yield from _surviving(claim, scale)
        return
    proved = _by_tail(claim, scale) or _by_region(claim, scale) or _by_more(claim, scale)
    if proved is not None:
        yield replace(proved, coverage=tried.coverage)
    else:
        reason = f"no violation at {len(tried)} enclosed instances, and no certificate for the whole domain"
        yield _finding(scale, Verdict.OPEN, None, reason=reason, coverage=tried.coverage)


def _finding(scale: Scale, verdict: Verdict, rung: Rung | None, **rest: object) -> Finding:
    return Finding(
        scope=scale.scope,
        verdict=verdict,
        rung=rung,
        adjacency=scale.adjacency,
        release=scale.release,
        asserts=scale.asserts,
        given=scale.given,
        **rest,  # type: ignore[arg-type]
    )


def _violation(mu: Mu, instance: Instance) -> Real | None:
    """The least delta at the instance if it certainly exceeds the one asked for."""
    m = arb(192)
    values = {name: m.real(value) for name, value in instance.items()}
    true = profile(m, values["epsilon"], mu(m, values))
    return true if m.gt(true, values["delta"]) is True else None


def _refuted(claim: Claim, scale: Scale, tried: Grid, violations: list[tuple[Instance, Real]]) -> Finding:
    # the instance that is easiest to meet in practice: least epsilon at a usual delta, then the largest excess
    shown = [v for v in violations if {**v[0], **scale.decisive} == v[0]] or violations
    usual = [v for v in shown if 1e-10 <= float(v[0]["delta"]) <= 0.1]
    small = usual or [v for v in shown if float(v[0]["delta"]) <= 0.1] or shown
    least = min(float(instance["epsilon"]) for instance, _ in small)
    instance, _ = max(
        (v for v in small if float(v[0]["epsilon"]) == least), key=lambda v: float(v[1].mid()) / float(v[0]["delta"])
    )
    m = arb(192)
    values = {name: m.real(value) for name, value in instance.items()}
    return _finding(
        scale,
        Verdict.REFUTED,
        Rung.POINT,
        method="Gaussian profile of the tight pair at the printed sigma, enclosed",
        claimed=instance["delta"],
        computed=ends(solve_delta(values["epsilon"], scale.mu(m, values))),
        at=instance,
        effort=f"{len(tried)} instances enclosed, {len(violations)} of them violate the claim",
        coverage=tried.coverage,
        lemmas=scale.lemmas,
        severity=Severity.DOMAIN,
        survives=_survivors(claim, scale),
    )


def _ratio(claim: Claim, scale: Scale) -> Real | None:
    """epsilon/mu as a sympy expression without epsilon, None if it depends on epsilon."""
    s = symbols_of(claim.parameters)
    c = s["epsilon"] / scale.mu(symbolic(), s)
    if not more_noise.steady(c, s["epsilon"]):
        return None
    c = sympy.simplify(c)
    return None if s["epsilon"] in c.free_symbols else c


def largest_epsilon(scale: Scale, delta: str) -> Real:
    """Up to which epsilon a scale proportional to 1/epsilon suffices at this delta, for every T of the axes (a lower end)."""
    m = arb(256)
    asked = m.real(delta)
    others = {name: m.real(values[0]) for name, values in scale.axes.items() if name not in ("epsilon", "delta")}

    def up_to(fixed: Mapping[str, Real]) -> Real:
        def holds(epsilon: Real) -> bool | None:
            answer = m.le(profile(m, epsilon, scale.mu(m, {**fixed, "epsilon": epsilon, "delta": asked})), asked)
            return None if answer is None else bool(answer)

        return bracket(holds, m.real("0.01"), relative_bits=30).low

    return min((up_to({**others, "T": m.real(steps)}) for steps in scale.axes.get("T", ("1",))), key=float)


def _survivors(claim: Claim, scale: Scale) -> str:
    """For a scale proportional to 1/epsilon: up to which epsilon it holds, for three deltas, rounded down."""
    if _ratio(claim, scale) is None:
        return "where it holds is not known in closed form"
    asked = claim.parameter("delta").domain
    deltas = [d for d in ("1e-10", "1e-5", "0.1") if asked.contains(mp(50), d) is True]
    if not deltas:
        return "It holds for small epsilon."
    found = [f"delta = {d}: {_up_to(claim, scale, d)}" for d in deltas]
    extra = ", for every T" if "T" in scale.axes else ""
    # the excess grows with epsilon by the monotone lemma, so one bracket decides
    return "It holds for small epsilon, exactly up to (rounded down): " + "; ".join(found) + extra + "."


def _up_to(claim: Claim, scale: Scale, delta: str) -> str:
    """The part of epsilon's printed domain on which the scale suffices at this delta, rounded down."""
    domain, least, m = claim.parameter("epsilon").domain, largest_epsilon(scale, delta), arb(256)
    if isinstance(domain, Interval) and m.ge(least, m.real(domain.high)) is True:
        return f"all of {domain}"
    if isinstance(domain, Interval) and m.le(least, m.real(domain.low)) is True:
        return f"not on {domain}"
    return f"epsilon <= {ends(least, 4)[0]}"


def _surviving(claim: Claim, scale: Scale) -> Iterator[Finding]:
    """The same claim on epsilon <= 1, delta <= 1/2, where such scales are commonly used."""
    small = {"epsilon": Interval("0", "1", high_open=False), "delta": Interval("0", "0.5", high_open=False)}
    parameters = (
        p.within(small[p.name]) if p.name in small and within(small[p.name], p.domain) else p for p in claim.parameters
    )
    narrowed = replace(claim, parameters=tuple(parameters))
    proved = _by_region(narrowed, scale)
    if proved is not None:
        yield replace(proved, scope=f"{scale.scope}, restricted to epsilon <= 1 and delta <= 1/2", reading=Reading.MEANT)


def _by_tail(claim: Claim, scale: Scale) -> Finding | None:
    """Exact: if epsilon/mu - mu/2 = sqrt(2 ln(k/delta)) with a constant k >= 1/2, the tail lemma gives delta/(2k) or less;
    with max(0, ln(k/delta)) it gives 1/2 for delta > k as well."""
    s = symbols_of(claim.parameters)
    nats = sympy.Symbol("s", positive=True)
    s["delta"] = sympy.exp(-nats)  # delta < 1, so that its logarithm has a sign
    shift = sympy.expand_log(scale.mu(symbolic(), s), force=True)
    if (k := more_noise.cut_level(s["epsilon"], shift, nats)) is not None:
        return _at_level(scale, f"max(0, ln(({k})/delta))", f"delta/{2 * k} up to delta = {k} and <= 1/2 beyond")
    if not more_noise.steady((s["epsilon"] / shift - shift / 2) ** 2 / 2 - nats):
        return None
    z = sympy.simplify(sympy.radsimp(sympy.simplify(s["epsilon"] / shift - shift / 2)))
    k = more_noise.factor_of(sympy.expand(z**2) / 2, nats)
    top = claim.parameter("delta").domain
    if not (k is not None and k.is_positive and bool(k >= sympy.Rational(1, 2)) and isinstance(top, Interval)):
        return None
    # z is the positive root, and it is real on the whole domain, only if ln(k/delta) >= 0 there
    if sympy.Rational(top.high) > k or sympy.simplify(z - sympy.sqrt(2 * nats + 2 * sympy.log(k))) != 0:
        return None
    return _at_level(scale, f"ln({k}/delta)", f"delta/{2 * k}")


def _at_level(scale: Scale, nats: str, reached: str) -> Finding:
    method = f"computer algebra: epsilon/mu - mu/2 = sqrt(2 {nats}) identically; profile <= {reached}"
    return _finding(scale, Verdict.CERTIFIED, Rung.EXACT, method=method, lemmas=(*scale.lemmas, TAIL))


def _by_region(claim: Claim, scale: Scale) -> Finding | None:
    """For mu = epsilon/c, c^2 = 2 ln(k/delta), epsilon < E: delta = k e^(-c^2/2), so one inequality in c decides it."""
    c = _ratio(claim, scale)
    epsilon, delta = claim.parameter("epsilon").domain, claim.parameter("delta").domain
    if c is None or not (isinstance(epsilon, Interval) and isinstance(delta, Interval)):
        return None
    nats = sympy.Symbol("s", positive=True)
    square = _least_square(claim, c).subs(symbol(claim.parameter("delta")), sympy.exp(-nats))
    k = more_noise.factor_of(sympy.expand_log(square / 2, force=True), nats)
    return None if k is None else _of_factor(claim, scale, k)


def _of_factor(claim: Claim, scale: Scale, k: Real) -> Finding | None:
    """mu = epsilon/c, c^2 = 2 ln(k/delta), for all epsilon below the bounded end of its domain."""
    epsilon, delta = claim.parameter("epsilon").domain, claim.parameter("delta").domain
    if not (isinstance(epsilon, Interval) and isinstance(delta, Interval) and k.is_Rational) or epsilon.high == "inf":
        return None
    if k <= sympy.Rational(delta.high):
        return None
    m = arb(128)
    top, factor = m.real(epsilon.high), m.frac(int(k.p), int(k.q))
    start = m.sqrt(2 * m.log(factor / m.real(delta.high)))
    far = _far_enough(m, top, factor)
    if far is None:
        return None

    def holds(m: Numbers, x: Real) -> Truth:
        return m.lt(profile(m, top, top / x), factor * m.exp(-(x**2) / 2))

    searched = certify(m, holds, box((ends(start)[0], far)))
    if searched.holds is not True:
        return None
    return _finding(
        scale,
        Verdict.CERTIFIED,
        Rung.REGION,
        method=f"epsilon -> {epsilon.high} is worst; profile < {k} e^(-c^2/2) = delta for every c, by "
        f"{searched.decided} boxes up to c = {far} and the tail lemma beyond",
        lemmas=(*scale.lemmas, MONOTONE, TAIL),
    )


def _by_more(claim: Claim, scale: Scale) -> Finding | None:
    """At least as much noise as a scale that is enough: one of the two above, with a k that the printed scale suggests."""
    if (top := more_noise.top_of(claim, "delta")) is None:
        return None
    for bounded in (True, False):
        values, nats = more_noise.setting(claim, bounded)
        ratio = more_noise.flat(values["epsilon"] / scale.mu(symbolic(), values))
        for k in more_noise.levels(ratio, nats):
            what = f"computer algebra: epsilon/mu {'' if bounded else '- mu/2 '}>= sqrt(2 ln({k}/delta)) on the whole domain"
            if bounded and more_noise.enough_by_ratio(ratio, nats, k) and (least := _of_factor(claim, scale, k)) is not None:
                return replace(least, method=f"{what}; with equality, {least.method}", lemmas=(*least.lemmas, more_noise.LESS))
            known = not bounded and k >= max(top, sympy.Rational(1, 2))
            if known and more_noise.enough_by_tail(ratio, values["epsilon"], nats, k):
                method = f"{what}; profile <= delta/{2 * k}"
                return _finding(scale, Verdict.CERTIFIED, Rung.EXACT, method=method, lemmas=(*scale.lemmas, TAIL))
    return None


def _least_square(claim: Claim, c: Real) -> Real:
    """c^2, or where c is a parameter bounded below by a precondition c^2 > f, that f (more noise is more private)."""
    for predicate in claim.preconditions:
        relation = predicate(symbolic(), {name: sympy.Symbol(name, positive=True) for name in predicate.names})
        if isinstance(relation, sympy.StrictGreaterThan) and relation.lhs == sympy.sympify(c) ** 2:
            return relation.rhs
    return sympy.expand(c**2)


def _far_enough(m: Numbers, top: Real, factor: Real) -> int | None:
    """A c beyond which e^(E/2)/(z sqrt(2 pi)) <= k, z = c - E/(2c) > 0 increasing: there Phi(-z) <= k e^(-c^2/2)."""
    for candidate in range(2, 60):
        far = m.real(candidate)
        z = far - top / (2 * far)
        if m.gt(z, m.real(0)) is True and m.le(m.exp(top / 2), factor * z * m.sqrt(2 * m.pi)) is True:
            return candidate
    return None
