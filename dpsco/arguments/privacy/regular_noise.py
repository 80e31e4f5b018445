"""Noise whose density falls with the square of a smooth norm: when does its scale suffice?

Above: its Renyi divergences are at most those of a Gaussian whose variance is smaller by the factor kappa, in every regular
space, so one inequality between polynomials certifies a scale. Below: half-spaces, whose probabilities every norm bounds by
the law of the radius, and the Gaussian mechanism itself, which is one of the family or a limit of it.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import sympy

from dpsco.arguments.comparing import admitted
from dpsco.arguments.missing_range import PRINTED_RANGE, TIMES, readings
from dpsco.instances.grid import Instance, grid
from dpsco.instances.privacy import DELTAS, EPSILONS
from dpsco.reference.numbers.enclosure import arb, ends
from dpsco.reference.numbers.symbolic import symbolic, symbols_of
from dpsco.reference.privacy.gaussian import profile
from dpsco.reference.privacy.generalised_gaussian import separated
from dpsco.spec.claim import Claim, Relation
from dpsco.spec.domain import Interval
from dpsco.spec.numbers import Numbers, Real, Truth
from dpsco.verdict import Finding, Lemma, Reading, Rung, Severity, Verdict

Quantity = Callable[[Numbers, Mapping[str, Real]], Real]

RENYI = Lemma(
    "Renyi divergence of GG(sigma^2)",
    "Let F = |.|_+^2/2 be s-smooth in |.|_+, a = z - (alpha - 1) v, b = z + v, alpha > 1. Then z = a/alpha + (1 - 1/alpha) "
    "b, and smoothness at z gives F(a)/alpha + (1 - 1/alpha) F(b) <= F(z) + s (alpha - 1) |v|_+^2 / 2. So p(z)^alpha p(z + "
    "v)^(1 - alpha) is at most the density p(a) times e^(alpha (alpha - 1) s |v|_+^2 / (2 sigma^2)), and p(a) integrates "
    "to 1. As s |v|_+^2 <= kappa |v|_*^2, the divergence of every order alpha is at most alpha rho, rho = kappa |v|_*^2 / "
    "(2 sigma^2), both ways.",
)
CONVERSION = Lemma(
    "from rho to (epsilon, delta)",
    "rho adds up over adaptive answers and post-processing does not raise it (Bun and Steinke 2016). For epsilon > rho the "
    "loss exceeds epsilon with probability at most e^(-(epsilon - rho)^2 / (4 rho)) (Markov at alpha = (epsilon + rho)/(2 "
    "rho)), at most delta = e^(-l) once sqrt(rho) <= sqrt(l + epsilon) - sqrt(l), that is rho <= epsilon^2 / (sqrt(l + "
    "epsilon) + sqrt(l))^2, for which rho <= epsilon^2 / (2 (2 l + epsilon)) is enough.",
)
HALF_SPACE = Lemma(
    "half-spaces",
    "|Z|_+/sigma has the law of chi with d degrees of freedom, and |<Z, a>| <= |Z|_* |a| <= |Z|_+ for |a| = 1. Let answers "
    "differ by v, <v, a> = |v|_* = R sigma. As Z is symmetric, {<., a> > tau sigma} has probability at least 1 - P(chi_d "
    ">= R - tau)/2 on one data set and at most P(chi_d >= tau)/2 on the other, 0 <= tau <= R, whatever the norms are.",
)
DIVERGES = Lemma(
    "no constant is enough",
    "Write sigma^2 = C kappa s^2 q/epsilon^2, l = ln(1/delta), so R^2 = epsilon^2/(C kappa q). If q/epsilon -> 0 as "
    "epsilon -> infinity, then R^2/epsilon -> infinity, and the half-space at tau = 2 sqrt(epsilon) has a least delta that "
    "tends to 1. If q ln(1/l) -> 0 as delta -> 1, then the half-space at tau = R/2 leaves out at most (1 + e^epsilon)/2 "
    "P(chi_d >= R/2), less than any power of l, while 1 - delta ~ l is allowed. Both for every C.",
)
SCALED = Lemma(
    "one dimension",
    "On the line |.|_+ = sqrt(kappa) |.|_* is a smooth norm with s = 1, and GG(sigma^2) is Gaussian of variance "
    "sigma^2/kappa: a query that attains its sensitivity has the profile of mu = sqrt(kappa) s/sigma.",
)
EUCLID = Lemma(
    "the Euclidean limit",
    "As p -> 2 from below, kappa = 1/(p-1) -> 1 and the densities of GG(sigma^2) in the smooth norm l_{p/(p-1)} tend to "
    "the normal one (dominated convergence), so the profile at each epsilon tends to the Gaussian one of mu = sqrt(steps) "
    "s/sigma. A strict violation in the limit is one at some p < 2. Records whose gradients are constant and opposite "
    "attain s in one direction.",
)


@dataclass(frozen=True)
class Noise:
    """What the judge knows of a claim's noise: sigma^2, what it must hide, and where."""

    variance: Quantity
    shift: Quantity
    """Largest |.|_*-distance of one answer on neighbours."""
    steps: Quantity
    """Answers that one record can enter."""
    scope: str
    release: str
    asserts: tuple[Relation, ...]
    above: tuple[Lemma, ...]
    """What a certificate rests on beside the two lemmas on the noise."""
    below: tuple[Lemma, ...]
    """What a refutation rests on."""
    given: tuple[Callable[..., Truth], ...] = ()


def once(m: Numbers, values: Mapping[str, Real]) -> Real:
    """One answer."""
    return m.real(1)


def share(claim: Claim, noise: Noise) -> tuple[Any, Any, Any]:
    """sigma^2 epsilon^2 / (kappa s^2 steps) as an expression in l = ln(1/delta) and epsilon (and what does not cancel)."""
    nats = sympy.Symbol("l", positive=True)
    s = symbols_of(claim.parameters) | {"delta": sympy.exp(-nats)}
    m = symbolic()
    quotient = noise.variance(m, s) * s["epsilon"] ** 2 / (s["kappa"] * noise.shift(m, s) ** 2 * noise.steps(m, s))
    return sympy.expand(sympy.simplify(sympy.expand_log(quotient, force=True))), nats, s["epsilon"]


def covers(difference: Any, *symbols: Any) -> bool:
    """Whether an expression is a polynomial in these nonnegative symbols with nonnegative coefficients."""
    if not difference.free_symbols <= set(symbols) or not difference.is_polynomial(*symbols):
        return False
    return all(bool(c >= 0) for c in sympy.Poly(difference, *symbols).coeffs())


def _finding(claim: Claim, noise: Noise, verdict: Verdict, scope: str, **rest: Any) -> Finding:
    return Finding(
        scope=scope, verdict=verdict, adjacency=claim.adjacency, release=noise.release, asserts=noise.asserts, **rest
    )


def explicit(
    claim: Claim, noise: Noise, axes: Mapping[str, Sequence[str]], beside: Mapping[str, str], survives: str
) -> Iterator[Finding]:
    """A variance without a hidden constant: the Gaussian member at hard instances, then one inequality for all spaces.

    `beside` fixes numbers outside the grid, those of the limit that the Gaussian member is.
    """
    tried = grid(claim, {"epsilon": EPSILONS, "delta": DELTAS, **axes})
    m = arb()
    violations: list[tuple[Instance, Real]] = []
    for instance in tried:
        values = {name: m.real(value) for name, value in {**instance, **beside}.items()}
        hidden = values["kappa"] * noise.shift(m, values) ** 2 * noise.steps(m, values)
        true = profile(m, values["epsilon"], m.sqrt(hidden / noise.variance(m, values)))
        if m.gt(true, values["delta"]) is True:
            violations.append(({**instance, **beside}, true))
    common: dict[str, Any] = {"coverage": tried.coverage}
    if violations:
        usual = [v for v in violations if 1e-10 <= float(v[0]["delta"]) <= 0.1] or violations
        at, true = min(usual, key=lambda v: float(v[0]["epsilon"]))
        yield _finding(
            claim,
            noise,
            Verdict.REFUTED,
            noise.scope,
            rung=Rung.POINT,
            method="Gaussian profile of the member of the family, enclosed",
            claimed=at["delta"],
            computed=ends(true),
            at=at,
            effort=f"{len(tried)} instances enclosed, {len(violations)} of them violate the claim",
            lemmas=noise.below,
            severity=Severity.CONSTANT,
            survives=survives,
            **common,
        )
        return
    q, nats, epsilon = share(claim, noise)
    if covers(sympy.expand(q - 2 * nats - epsilon), nats, epsilon):
        yield _finding(
            claim,
            noise,
            Verdict.CERTIFIED,
            noise.scope,
            rung=Rung.EXACT,
            method=f"computer algebra: sigma^2 epsilon^2/(kappa s^2 steps) = {q} >= 2 l + epsilon, l = ln(1/delta)",
            lemmas=(RENYI, CONVERSION, *noise.above),
            given=noise.given,
            **common,
        )
        return
    reason = f"no violation at {len(tried)} enclosed instances, and {q} is not seen to cover 2 l + epsilon"
    yield _finding(claim, noise, Verdict.OPEN, noise.scope, reason=reason, **common)


CONSTANT = 1000
"""The hidden constant at which a refuting instance is shown; the lemma covers every other."""


def hidden_constant(claim: Claim, noise: Noise, place: Mapping[str, str], d: int, survives: str) -> Iterator[Finding]:
    """A variance up to a constant: does some constant do on the whole domain? Each end of the range is its own finding.

    `place` gives the numbers beside epsilon and delta at which an instance is shown, d an even dimension or 1. For a rebuilt
    claim, whose range is not at hand, both ends count beside it.
    """
    yield from readings(claim, _whole_domain(claim, noise, place, d, survives))


def _whole_domain(claim: Claim, noise: Noise, place: Mapping[str, str], d: int, survives: str) -> Iterator[Finding]:
    """Both ends of the domain as it stands, and what holds within the range that the paper prints elsewhere."""
    q, nats, epsilon = share(claim, noise)
    known = q.free_symbols <= {nats, epsilon}
    grows = known and sympy.limit(q / epsilon, epsilon, sympy.oo) == 0
    fades = known and sympy.limit(q * sympy.log(1 / nats), nats, 0, "+") == 0
    top = claim.parameter("epsilon").domain
    wide = isinstance(top, Interval) and top.high == "inf"
    ends_of_range = [
        (
            "epsilon -> infinity at fixed delta",
            grows and wide,
            [(f"{x}e{k}", "0.1") for k in range(1, 12) for x in "125"],
            False,
        ),
        ("delta -> 1 at fixed epsilon", fades, [("0.5", "0." + "9" * k + x) for k in range(1, 40) for x in "589"], True),
    ]
    refuted = False
    for name, diverges, path, halfway in ends_of_range:
        found = _shown(claim, noise, place, path, halfway, d) if diverges else None
        if found is None:
            continue
        refuted, (at, low) = True, found
        yield _finding(
            claim,
            noise,
            Verdict.REFUTED,
            f"{noise.scope}: every hidden constant, {name}",
            rung=Rung.EXACT,
            method=f"computer algebra: limit of sigma^2 epsilon^2/(kappa s^2 steps) = {q}; a half-space enclosed at one point",
            claimed=at["delta"],
            computed=(ends(low)[0], "1"),
            at=at,
            lemmas=(HALF_SPACE, DIVERGES, *noise.below),
            severity=Severity.DOMAIN,
            survives=survives,
        )
    enough = next((c for c in (1, 2, 3, 4, 8, 16, 64) if _covered_below(q, c, nats, epsilon)), None) if known else None
    if enough is not None:
        yield _finding(
            claim,
            noise,
            Verdict.CERTIFIED,
            f"{noise.scope}: restricted to {PRINTED_RANGE}, hidden constant {enough} where the space is kappa-regular",
            rung=Rung.EXACT,
            method=f"computer algebra: {enough} ({q}) >= 2 l + epsilon for l >= epsilon/{TIMES}",
            lemmas=(RENYI, CONVERSION, *noise.above),
            given=noise.given,
            reading=Reading.MEANT,
        )
    if not refuted:
        yield _finding(claim, noise, Verdict.OPEN, noise.scope, reason="neither end of the range refutes it, not certified")


def _covered_below(q: Any, constant: int, nats: Any, epsilon: Any) -> bool:
    """Whether constant * q >= 2 l + epsilon wherever epsilon <= 2 l."""
    beyond = sympy.Symbol("beyond", positive=True)
    return covers(sympy.expand((constant * q - 2 * nats - epsilon).subs(nats, epsilon / TIMES + beyond)), beyond, epsilon)


def _shown(
    claim: Claim, noise: Noise, place: Mapping[str, str], path: list[tuple[str, str]], halfway: bool, d: int
) -> tuple[Instance, Real] | None:
    """The first instance of the path that certainly violates the claim at the constant shown."""
    m = arb()
    for epsilon, delta in path:
        instance = {**place, "epsilon": epsilon, "delta": delta}
        if not admitted(claim, [instance]):
            continue
        values = {name: m.real(value) for name, value in instance.items()}
        ratio = noise.shift(m, values) / m.sqrt(CONSTANT * noise.variance(m, values))
        tau = ratio / 2 if halfway else 2 * m.sqrt(values["epsilon"])
        if m.gt(ratio, tau) is not True:
            continue
        low = separated(m, values["epsilon"], ratio, tau, d)
        if m.gt(low, values["delta"]) is True:
            return {**instance, "C": str(CONSTANT)}, low
    return None
