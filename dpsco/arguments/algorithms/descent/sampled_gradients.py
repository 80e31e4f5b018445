"""Does a printed noise scale suffice for about n^2 noisy gradients of single records, each drawn uniformly from n?

Refuted by the named pair (records with constant opposite gradients), for the transcript and for the average of the iterates;
certified, where it can be, for every pair by one inequality in ln(1/delta).
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

import sympy

from dpsco.arguments.comparing import refuted
from dpsco.arguments.regions import Region, box, certify
from dpsco.instances.grid import Instance, grid
from dpsco.reference.numbers.enclosure import arb, ends
from dpsco.reference.numbers.symbolic import symbolic
from dpsco.reference.privacy.subsampling import composed, largest, linear
from dpsco.spec.claim import Adjacency, Claim, Relation
from dpsco.spec.domain import Interval
from dpsco.spec.numbers import Numbers, Real
from dpsco.spec.predicate import Predicate
from dpsco.verdict import Finding, Lemma, Rung, Severity, Verdict

Sigma = Callable[[Numbers, Mapping[str, Real]], Real]
TRANSCRIPT, AVERAGE_ONLY = "all iterates", "the average of the iterates"
HALF = Fraction(1, 2)
LOG_FAR = 7
B = sympy.Symbol("b", positive=True)
"""ln(1/delta)."""
TILTS = ((3, 2), (2, 1), (5, 2), (3, 1))

PAIR = Lemma(
    "one record against the others",
    "A record whose loss is linear wherever the iterates go has one gradient; outcomes far beyond every prediction and "
    "opposite features give +g and -g with |g| = L (what the noise makes of the tails tends to nothing as outcomes grow). Let "
    "n - 1 records have -g, the last one -g or +g. In units of sigma a step then releases N(0, 1), or (1 - 1/n) N(0, 1) + "
    "(1/n) N(mu, 1) with mu = 2L/sigma, and steps are independent. The drawn index is not released.",
    (Adjacency.REPLACE_ONE,),
)
LINEAR_STATISTIC = Lemma(
    "a linear statistic",
    "Under constant gradients the last iterate is the start minus eta times the sum of the noisy gradients; the average of "
    "theta_1, ..., theta_{T+1} weighs them T, T - 1, ..., 1. Either is a mixture of Gaussians over the subsets of steps that "
    "drew the record, with an increasing likelihood ratio; each is a function of the transcript.",
)
DOMINATED = Lemma(
    "every pair is dominated",
    "Given the past, the steps on neighbours are (1-q) B + q G and (1-q) B + q G', G, G' and the parts of B Gaussians whose "
    "means are within 2L of each other. For a >= 1, by advanced joint convexity (Balle, Barthe and Gaboardi 2018, Theorem 2) "
    "their hockey-stick divergence of order a is at most that of (1-q) N(0,1) + q N(mu,1) against N(0,1); for a < 1 exchange "
    "the two. Dominating pairs compose (Zhu, Dong and Wang 2022, Theorem 10). With l the likelihood ratio the moment of order "
    "w > 1 of the dominating pair is M = integral over x > mu/2 of phi (l^w + l^(1-w)), plus an atom.",
    (Adjacency.REPLACE_ONE,),
)
MOMENT = Lemma(
    "moment of the dominating pair",
    "With y = mu x - mu^2/2 > 0, v = e^y - 1, l = 1 + q v: l^w <= 1 + w q v + w(w-1)/2 (q v)^2 l^max(w-2, 0) and l^(1-w) <= 1 "
    "- (w-1) q v + w(w-1)/2 (q v)^2; the terms below second order add up to 1 with the atom. So T ln M <= T q^2 w(w-1)/2 mu^2 "
    "j, where ln l <= q y + y^2/8 (Hoeffding) and v <= mu x e^(mu x/2 + (mu x)^2/24) give j <= H(mu, mu^2/12) + H(mu + w q mu, "
    "mu^2/12 + w mu^2/8), H(a, g) = integral over x > 0 of phi(x) x^2 e^(a x + g x^2).",
)
TAIL = Lemma(
    "from a moment to delta",
    "delta <= M^T e^(-(w-1) epsilon) (w-1)^(w-1)/w^w. With variance at least C L^2 b/epsilon^2, b = ln(1/delta), T <= n^2, "
    "n^2 >= k b, and w = t b/epsilon this is at most delta if (t b - epsilon)(1 - 2 t j/C) + w ln w - (w-1) ln(w-1) >= b. "
    "j increases with epsilon; w ln w - (w-1) ln(w-1) increases with w. So the largest epsilon, E(b), is worst, where "
    "the bracket is positive; where it is not, t b stands for t b - epsilon. For b <= ln 4, w = 2 alone will do: delta <= "
    "e^(A - epsilon)/4, A = 2 mu^2 H(mu, mu^2/12) at most (epsilon/E)^2 times its value at E, so the exponent is convex in it. "
    "Where C/E does not fall (E = 1 with C fixed, E = sqrt(b) with C = c_1 b + c_0, b >= c_0/c_1 >= 0) j decreases with b; so "
    "once w >= 1 and b (t (1 - 2 t j/C) - 1) >= E it stays so, and is enough, as w ln w - (w-1) ln(w-1) >= 0.",
)


@dataclass(frozen=True)
class Sampled:
    """One scale of a claim: sigma from its numbers, instances and the claim's assertions for each release."""

    name: str
    sigma: Sigma
    transcript: Sequence[Instance]
    average: Sequence[Instance]
    asserts: Mapping[str, tuple[Relation, ...]]
    decisive: Sequence[Instance] = ()


def findings(claim: Claim, scale: Sampled) -> Iterator[Finding]:
    """Transcript and average, for delta up to one half and beyond."""
    proved = certificate(claim, scale.sigma)
    for release, instances in ((TRANSCRIPT, scale.transcript), (AVERAGE_ONLY, scale.average)):
        inside = grid(claim, {}, instances)
        for small, part in ((True, "delta <= 1/2"), (False, "delta > 1/2")):
            tried = [i for i in inside if (Fraction(i["delta"]) <= HALF) is small]
            if tried:
                yield _decide(claim, scale, release, part, tried, proved if small else None)


def _decide(claim: Claim, scale: Sampled, release: str, part: str, tried: Sequence[Instance], proved: Region | None) -> Finding:
    m = arb(128)
    coverage = tuple(f"{name}: {', '.join(sorted({i[name] for i in tried}, key=float))}" for name in ("epsilon", "delta", "n"))
    common = {
        "scope": f"{scale.name}: {part}",
        "adjacency": claim.adjacency,
        "release": release,
        "coverage": coverage,
        "asserts": scale.asserts.get(release, ()),
    }
    quotients = []
    for instance in tried:
        true = pair(claim, scale.sigma, instance, release)
        quotients.append((true / m.real(instance["delta"]), instance))
    bad = [(quotient, instance) for quotient, instance in quotients if m.gt(quotient, m.real(1)) is True]
    if bad:
        _, at = next((b for b in bad if b[1] in scale.decisive), max(bad, key=lambda b: float(b[0].mid())))
        exact, method = _exact(claim, scale.sigma, at, release)
        return refuted(
            **common,  # type: ignore[arg-type]
            claimed=at["delta"],
            computed=exact,
            at=at,
            method=method,
            effort=f"{len(tried)} instances enclosed, {len(bad)} violate the claim",
            lemmas=(PAIR, LINEAR_STATISTIC),
            severity=Severity.DOMAIN,
            survives="It holds, for every pair of data sets and both releases, with variance at least 16 L^2 ln(1/delta) / "
            "epsilon^2 where epsilon <= 1, delta <= 1/2 and n^2 >= 4 ln(1/delta).",
        )
    if proved is not None and proved.holds is True:
        return Finding(
            **common,  # type: ignore[arg-type]
            verdict=Verdict.CERTIFIED,
            rung=Rung.REGION,
            method="moments of the dominating pair: one inequality in b = ln(1/delta), "
            f"{proved.decided} boxes up to b = e^{LOG_FAR} and monotone beyond",
            lemmas=(DOMINATED, MOMENT, TAIL),
            given=tuple(p.test for p in claim.preconditions if {*p.names} <= {"n", "epsilon", "delta"}),
        )
    largest = max((quotient for quotient, _ in quotients), key=lambda x: float(x.mid()))
    return Finding(
        **common,  # type: ignore[arg-type]
        verdict=Verdict.OPEN,
        lemmas=(PAIR, LINEAR_STATISTIC),
        reason=f"for records with constant gradients the least delta is at most {ends(largest, 3)[1]} of the one asked for at "
        f"{len(tried)} instances; a bound for gradients that depend on the iterates goes through the transcript, whose moments "
        "do not stay below delta for this scale",
    )


def _exact(claim: Claim, sigma: Sigma, at: Instance, release: str) -> tuple[Real, str]:
    """What the pair needs, and how that was found: the transcript's enclosure where it is within reach."""
    if release == TRANSCRIPT:
        m, (mu, q, steps) = arb(192), _pair(claim, sigma, at)
        if m.lt(mu, m.real(1)) is not True:  # hardly any noise: the characteristic function decays slowly
            return pair(claim, sigma, at, release), "one event of the named pair, its two probabilities enclosed: a lower bound"
        exact = composed(at["epsilon"], mu, q, steps, relative=1e-8)
        return exact, "characteristic function of the named pair's privacy loss, tilted, inverted and enclosed"
    return pair(claim, sigma, at, release), "the average's two laws on the named pair, one threshold, enclosed: a lower bound"


def pair(claim: Claim, sigma: Sigma, at: Instance, release: str) -> Real:
    """A lower bound of the least delta of the named pair at an instance: events of the average, or of the last iterate and of
    the largest noisy gradient."""
    m = arb(128)
    mu, q, steps = _pair(claim, sigma, at)
    epsilon = m.real(at["epsilon"])
    if not steps:
        return m.real(0)
    if release == AVERAGE_ONLY:
        return linear(m, epsilon, mu, q, list(range(1, steps + 1)))
    beside = m.real(0)
    if mu > 1:
        middle = epsilon / mu + mu / 2
        thresholds = [m.real(a) for a in ("2.5", "3", "3.5", "4", "5")] + [middle, mu - 2, (middle + mu) / 2]
        beside = m.max(*(largest(m, epsilon, mu, q, steps, a) for a in thresholds))
    return m.max(beside, linear(m, epsilon, mu, q, [1] * steps))


def _pair(claim: Claim, sigma: Sigma, at: Instance) -> tuple[Real, Real, int]:
    m = arb(192)
    values = {name: m.real(value) for name, value in {"L": "1", **at}.items()}
    return 2 * values["L"] / sigma(m, values), 1 / values["n"], round(float(claim.formulas["steps"](m, n=values["n"])))


def least_factor(claim: Claim, sigma: Sigma) -> Real | None:
    """The least C over n >= 2 with variance >= C L^2 b/epsilon^2, b = ln(1/delta): a number or c_1 b + c_0; None if unknown."""
    s = {name: sympy.Symbol(name, positive=True) for name in ("n", "L", "epsilon", "delta")}
    c = sympy.simplify(sigma(symbolic(), s) ** 2 * s["epsilon"] ** 2 / (s["L"] ** 2 * sympy.log(1 / s["delta"])))
    if c.is_number:
        return c
    c = sympy.expand_log(c, force=True)
    if not sympy.diff(c, s["n"]).is_nonnegative or s["epsilon"] in c.free_symbols:
        return None
    return sympy.expand(sympy.expand_log(c.subs({s["n"]: 2, s["delta"]: sympy.exp(-B)}), force=True))


def _on_records(claim: Claim) -> list[Predicate]:
    return [predicate for predicate in claim.preconditions if set(predicate.names) == {"n", "delta"}]


def records_for_delta(claim: Claim) -> Real | None:
    """The k of a precondition n^2 >= k ln(1/delta), None without one."""
    n, delta = sympy.symbols("n delta", positive=True)
    for predicate in _on_records(claim):
        relation = predicate.test(symbolic(), n=n, delta=delta)
        if isinstance(relation, sympy.GreaterThan) and relation.lhs == n**2:
            return sympy.simplify(relation.rhs / sympy.log(1 / delta))
    return None


def certificate(claim: Claim, sigma: Sigma) -> Region | None:
    """The inequality of TAIL over every b >= ln 2, or None where the claim is not of the form that it needs."""
    most = largest_epsilon(claim)
    factor, k = least_factor(claim, sigma), records_for_delta(claim)
    n = sympy.Symbol("n", positive=True)
    spare = sympy.simplify(n**2 - claim.formulas["steps"](symbolic(), n=n))
    if most is None or factor is None or k is None or not k.is_number or not (spare.is_number and spare >= 0):
        return None
    parts = [sympy.expand(factor).coeff(B, power) for power in (1, 0)]
    if sympy.expand(factor - parts[0] * B - parts[1]) != 0 or not all(part.is_number and part >= 0 for part in parts):
        return None
    m = arb(128)
    slope, level, per = (m.real(Fraction(str(sympy.nsimplify(sympy.floor(x * 1000) / 1000)))) for x in (*parts, k))

    def holds(m: Numbers, log_b: Real) -> bool | None:
        b = m.exp(log_b)
        e, c = most(m, b), slope * b + level
        if m.le(m.max(second_order(m, b, e, c) - e, m.real(0)) + b, m.log(m.real(4))) is True:
            return True
        for numerator, denominator in TILTS:
            if m.ge(room(m, b, m.frac(numerator, denominator), e, c, per), m.real(0)) is True:
                return True
        return None

    searched = certify(m, holds, box(("-0.36652", LOG_FAR)), most=2000)
    far = m.exp(m.real(LOG_FAR))
    e, c = most(m, far), slope * far + level
    grows = m.le(e, m.real(1)) is True or (parts[0] > 0 and m.le(level, slope * far) is True)
    beyond = grows and any(_stays(m, far, m.frac(*tilt), e, c, per) for tilt in TILTS)
    return searched if beyond else Region(searched.decided, (box((LOG_FAR, LOG_FAR)),), None)


def largest_epsilon(claim: Claim) -> Callable[[Numbers, Real], Real] | None:
    """E(b): 1, or max(1, sqrt(b)) where a precondition says epsilon^2 <= max(1, ln(1/delta)); None where neither is known."""
    domain = claim.parameter("epsilon").domain
    if isinstance(domain, Interval) and domain.high == "1":
        return lambda m, b: m.real(1)
    epsilon, delta = sympy.symbols("epsilon delta", positive=True)
    enough = sympy.Max(1, sympy.log(1 / delta))
    for predicate in claim.preconditions:
        if {*predicate.names} == {"epsilon", "delta"}:
            relation = predicate.test(symbolic(), epsilon=epsilon, delta=delta)
            if isinstance(relation, sympy.LessThan) and relation.lhs == epsilon**2 and relation.rhs == enough:
                return lambda m, b: m.max(m.real(1), m.sqrt(b))
    return None


def _stays(m: Numbers, b: Real, t: Real, e: Real, c: Real, k: Real) -> bool:
    """Whether the inequality holds at b without its entropy, and so beyond."""
    bracket = 1 - 2 * t * bulk(m, b, t, e, c, k) / c
    return m.ge(b * (t * bracket - 1), e) is True and m.ge(t * b, e) is True


def room(m: Numbers, b: Real, t: Real, e: Real, c: Real, k: Real) -> Real:
    """What is left of the inequality at epsilon = e (or at 0 in the first factor, if that is worse)."""
    bracket = 1 - 2 * t * bulk(m, b, t, e, c, k) / c
    w = t * b / e
    if m.gt(w, m.real(1)) is not True:
        return m.real(-1)
    entropy = m.max(1 + m.log(w - 1), w * m.log(w) - (w - 1) * m.log(w - 1))  # the first is a lower bound without cancellation
    return b * (t * bracket - 1) - e * m.max(bracket, m.real(0)) + entropy


def second_order(m: Numbers, b: Real, e: Real, c: Real) -> Real:
    """A at epsilon = e."""
    square = 4 * e**2 / (c * b)
    return 2 * square * _second(m, m.sqrt(square), square / 12)


def bulk(m: Numbers, b: Real, t: Real, e: Real, c: Real, k: Real) -> Real:
    """j at epsilon = e: mu = 2 e/sqrt(C b), w q mu <= 2 t/sqrt(C k), w mu^2/8 = t e/(2 C)."""
    mu = 2 * e / m.sqrt(c * b)
    return _second(m, mu, mu**2 / 12) + _second(m, mu + 2 * t / m.sqrt(c * k), mu**2 / 12 + t * e / (2 * c))


def _second(m: Numbers, a: Real, g: Real) -> Real:
    """H(a, g) = s e^{(a s)^2/2} ((s^2 + a^2 s^4) Phi(a s) + a s^3 phi(a s)), s = (1 - 2g)^{-1/2}."""
    s = 1 / m.sqrt(1 - 2 * g)
    return s * m.exp((a * s) ** 2 / 2) * ((s**2 + a**2 * s**4) * m.Phi(a * s) + a * s**3 * m.phi(a * s))
