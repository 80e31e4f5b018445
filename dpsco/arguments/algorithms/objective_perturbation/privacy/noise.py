"""Does a printed noise and ridge make objective perturbation (epsilon, delta)-DP? One decision for every such claim.

A calibration is sigma/L and beta/(2 n lambda), as functions of epsilon and delta. Certified by the bound over the corners of
the two slopes (any dimension, any linear predictor) and algebra; refuted by a far pair (the Gaussian profile) or by a kink in
the tail (the exact divergence in one dimension), both enclosed.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice

import sympy

from dpsco.arguments.algorithms.objective_perturbation.privacy.pairs import Found, Setting, search
from dpsco.arguments.comparing import refuted
from dpsco.arguments.privacy.noise_scale import TAIL
from dpsco.instances.grid import Instance, grid
from dpsco.instances.privacy import DELTAS, EPSILONS
from dpsco.reference.algorithms.objective_perturbation.calibration import CORNERS, DENSITY, DETERMINANTS
from dpsco.reference.algorithms.objective_perturbation.privacy import divergence
from dpsco.reference.numbers.enclosure import arb, ends
from dpsco.reference.numbers.symbolic import symbolic
from dpsco.reference.privacy.gaussian import profile
from dpsco.spec.claim import Adjacency, Claim
from dpsco.spec.domain import Interval
from dpsco.spec.numbers import Numbers, Real, Truth
from dpsco.verdict import Finding, Lemma, Reading, Rung, Severity, Verdict

Number = Callable[[Numbers, Real, Real], Real]
"""A number of the calibration from (m, epsilon, delta)."""

CHANGE = Lemma("density of the minimiser", DENSITY)
DETERMINANT = Lemma("determinants", DETERMINANTS)
AT_CORNERS = Lemma("slopes at their corners", CORNERS)
SHORT = Lemma(
    "lengths of the corners",
    "Each corner a' x' - a x has |a x| <= L and |a' x'| <= L, so a length of at most 2 L for a replaced record (four corners), "
    "of at most L for one record more or less (two corners). The profile grows with the shift, falls in sigma and in epsilon: "
    "delta <= k P(e, s L/sigma), e = epsilon - beta/(2 n lambda) <= epsilon - ln(1 + beta/(2 n lambda)), (k, s) = (4, 2) or "
    "(2, 1). With q = (sigma/(s L))^2: z^2/2 = (e^2 q - e + 1/(4 q))/2 in the tail lemma.",
    (Adjacency.REPLACE_ONE, Adjacency.ADD_ONE_N_FIXED),
)
FAR = Lemma(
    "far outcomes",
    "Two records with outcomes beyond every theta of interest have constant gradients; they differ by 2 L (replaced: opposite "
    "features) or L (added) and the curvatures agree there. The event {theta beyond t} has as its least delta the profile of "
    "N(0, sigma^2) against its shift, up to what tends to nothing as the outcomes move out.",
)
KINK = Lemma(
    "minimiser of one record",
    "In one dimension theta is released exactly when -b = G(theta) = sum of gradients + 2 n lambda theta, an increasing "
    "function; the probability of an interval is a difference of two normal distribution functions.",
)
CHANGING_N = Lemma(
    "a normaliser that changes",
    "If n counts the records and lambda stays, G contains 2 n lambda theta with n and n + 1: for records with x = 0 the output "
    "is N(0, (sigma/(2 n lambda))^2) against N(0, (sigma/(2 (n+1) lambda))^2), whatever sigma and lambda are. The ratio of the "
    "densities grows without bound as |theta| does.",
)
TRIED = ("1", "0.1", "0.5", "2", "10")
SMALL = ("1e-10", "1e-6", "1e-40", "1e-100")
UNDERRATED = 10
"""By how much the search's few cells may fall short of the event that is enclosed."""
KERNELS = ("uniform", "epanechnikov", "gaussian", "logistic")


@dataclass(frozen=True)
class Calibration:
    """What a claim promises: sigma/L, beta/(2 n lambda), for neighbours that replace a record or add one (n fixed)."""

    claim: Claim
    scale: Number
    curvature: Number
    replaced: bool
    scope: str
    reading: Reading = Reading.PRINTED
    release: str = "the exact minimiser"
    severity: Severity = Severity.CONSTANT
    survives: str = "The same calibration holds if a neighbour has one record more or less and n is fixed."

    only: Sequence[Instance] = ()
    """The far pairs to try, instead of the whole grid."""
    given: tuple[Callable[..., Truth], ...] = ()
    """Tests of the preconditions that a certificate needs: on the ridge, the noise, the gradients, the curvatures."""

    @property
    def adjacency(self) -> Adjacency:
        return Adjacency.REPLACE_ONE if self.replaced else Adjacency.ADD_ONE_N_FIXED

    @property
    def instances(self) -> Sequence[Instance]:
        """Pairs (epsilon, delta) with delta < 1 that the printed domain admits."""
        return self.only or [i for i in grid(self.claim, {"epsilon": EPSILONS, "delta": DELTAS}) if float(i["delta"]) < 1]

    def setting(self, epsilon: str, delta: str) -> Setting:
        """The numbers at one instance."""
        m = arb()
        e, d = m.real(epsilon), m.real(delta)
        return Setting(epsilon, delta, self.scale(m, e, d), self.curvature(m, e, d), self.replaced)

    def finding(self, verdict: Verdict, rung: Rung | None, **rest: object) -> Finding:
        """A finding on this scope."""
        return Finding(
            scope=self.scope,
            verdict=verdict,
            rung=rung,
            adjacency=self.adjacency,
            release=self.release,
            reading=self.reading,
            asserts=self.claim.asserts,
            given=self.given if verdict is Verdict.CERTIFIED else (),
            **rest,  # type: ignore[arg-type]
        )


def judged(c: Calibration) -> Iterator[Finding]:
    """Certified by the corners, else refuted by each kind of pair that does it, else open."""
    if c.claim.adjacency is Adjacency.ADD_REMOVE and c.reading is Reading.PRINTED:
        yield replace(changing_normaliser(c), reading=Reading.PRINTED)
        return
    coverage = (f"epsilon in {c.claim.parameter('epsilon').domain}, delta in (0, 1), every d, n, kernel, data set",)
    proved = by_corners(c)
    if proved is not None:
        yield c.finding(Verdict.CERTIFIED, Rung.EXACT, method=proved, lemmas=lemmas(), coverage=coverage)
        return
    found = [finding for finding in (by_far_pair(c), by_kink(c)) if finding is not None]
    yield from found
    if not found:
        reason = f"no pair contradicts it ({len(c.instances)} far pairs, kinks at {len(TRIED) * len(SMALL)} settings); no proof"
        yield c.finding(Verdict.OPEN, None, reason=reason)


def lemmas() -> tuple[Lemma, ...]:
    """What every certificate rests on."""
    return (CHANGE, DETERMINANT, AT_CORNERS, SHORT, TAIL)


def by_corners(c: Calibration) -> str | None:
    """Algebra: k e^(-z^2/2)/2 <= delta and z >= 0 for every epsilon > 0 and delta < 1; what was shown, or None."""
    epsilon, s = sympy.symbols("epsilon s", positive=True)
    delta = sympy.exp(-s)
    count, times = (4, 2) if c.replaced else (2, 1)
    top = c.claim.parameter("delta").domain
    if c.reading is Reading.PRINTED and not (isinstance(top, Interval) and float(top.high) <= 1):
        return None
    q = sympy.expand(sympy.expand_log(sympy.expand(c.scale(symbolic(), epsilon, delta) ** 2), force=True)) / times**2
    left = sympy.simplify(epsilon - c.curvature(symbolic(), epsilon, delta))
    spare = (left**2 * q - left) / 2 - sympy.log(sympy.Rational(count, 2)) - s
    spare, positive = (
        sympy.expand(sympy.expand_log(sympy.simplify(x), force=True)) for x in (spare, left * q - sympy.Rational(1, 2))
    )
    if not all(_never_negative(x, epsilon, s) for x in (left, spare, positive * epsilon)):
        return None
    return f"computer algebra: z^2/2 - ln({sympy.Rational(count, 2)}/delta) >= {spare} >= 0 with s = ln(1/delta), and z >= 0"


def _never_negative(expression: Real, *symbols: Real) -> bool:
    """Whether a polynomial in positive symbols has no negative coefficient."""
    expanded = sympy.expand(expression)
    if not expanded.is_polynomial(*symbols):
        return False
    return all(bool(sympy.simplify(k) >= 0) for k in sympy.Poly(expanded, *symbols).coeffs())


def by_far_pair(c: Calibration) -> Finding | None:
    """The Gaussian profile of the far pair, enclosed at every instance of the grid."""
    m = arb()
    times = 2 if c.replaced else 1
    violations = []
    for instance in c.instances:
        setting = c.setting(instance["epsilon"], instance["delta"])
        if m.gt(setting.scale, m.real(0)) is not True:
            continue
        true = profile(m, m.real(setting.epsilon), times / setting.scale)
        if m.gt(true, m.real(setting.delta)) is True:
            violations.append((instance, true))
    if not violations:
        return None
    usual = [v for v in violations if 1e-10 <= float(v[0]["delta"]) <= 0.1] or violations
    instance, true = min(usual, key=lambda v: (float(v[0]["epsilon"]), -float(v[1].mid()) / float(v[0]["delta"])))
    shown = c.finding(
        Verdict.REFUTED,
        Rung.POINT,
        method="Gaussian profile of two records with far outcomes, enclosed",
        claimed=instance["delta"],
        computed=ends(true),
        at=instance,
        effort=f"{len(c.instances)} instances enclosed, {len(violations)} violate the claim",
        lemmas=(FAR,),
        severity=Severity.DOMAIN,
        survives=c.survives,
    )
    return replace(shown, scope=f"{c.scope}; far outcomes")


def kinks(c: Calibration, kernels: Sequence[str] = KERNELS[:1]) -> Iterator[tuple[Found, Real]]:
    """Pairs with a kink in the tail whose enclosed event exceeds delta, for the settings that the domain admits."""
    m = arb()
    for instance in grid(c.claim, {"epsilon": TRIED, "delta": SMALL}):
        setting = c.setting(instance["epsilon"], instance["delta"])
        if m.gt(setting.scale, m.real(0)) is not True or m.gt(setting.curvature, m.real(0)) is not True:
            continue
        found = search(setting, kernels)
        if found is not None and found.delta > float(setting.delta) / UNDERRATED:
            bound = found.enclosed()
            if m.gt(bound, m.real(setting.delta)) is True:
                yield found, bound


def by_kink(c: Calibration) -> Finding | None:
    """The searched pair in one dimension: its event enclosed, and at the one shown the divergence itself."""
    whole = c.reading is Reading.PRINTED
    violations = list(islice(kinks(c), None if whole else 1))
    if not violations:
        return None
    found, event = violations[0]
    plain = search(found.setting, KERNELS[:1], ("0.5",))
    if plain is not None and arb().gt(plain.enclosed(), arb().real(found.setting.delta)) is True:
        found, event = plain, plain.enclosed()  # the level that is easiest to check by hand
    pair = found.pair()
    others = sorted({v.candidate.kernel for kernel in KERNELS[1:] for v in _one(c, kernel)})
    scope = f"{c.scope}; a kink in the tail"
    shown = c.finding(
        Verdict.REFUTED,
        Rung.POINT,
        method="exact divergence of a pair in one dimension, by cells of balls",
        claimed=found.setting.delta,
        computed=ends(divergence(pair, found.setting.epsilon)),
        at={
            "epsilon": found.setting.epsilon,
            "delta": found.setting.delta,
            "n": "1",
            "kernel": pair.kernel,
            "r": str(pair.r),
            "B_x": "1",
            "h": "1",
            "2 n lambda": ends(pair.ridge, 8)[1],
            "sigma": ends(pair.sigma, 12)[1],
            "D": _written(pair.rows),
            "D'": _written(pair.other),
            "event": " or ".join(f"[{low}, {high}]" for low, high in found.event),
            "event needs delta": ends(event, 8)[0],
        },
        effort=f"search in doubles at {len(TRIED) * len(SMALL)} settings, {len(violations)} enclosed violations"
        if whole
        else "search in doubles, stopped at the first enclosed violation",
        coverage=(f"kernels that refute it at epsilon = 0.5, delta = 1e-40: {', '.join(['uniform', *others])}",),
        lemmas=(KINK,),
        severity=c.severity,
        survives=c.survives,
    )
    return replace(shown, scope=scope)


def _one(c: Calibration, kernel: str) -> Iterator[Found]:
    """The kernel's pair at one setting, if it certainly violates the claim."""
    setting = c.setting("0.5", "1e-40")
    found = search(setting, (kernel,))
    if found is not None and arb().gt(found.enclosed(), arb().real(setting.delta)) is True:
        yield found


def _written(rows: Sequence[tuple[object, object]]) -> str:
    return ", ".join(f"(x, y) = ({x}, {y})" for x, y in rows) or "no record"


def changing_normaliser(c: Calibration) -> Finding:
    """One record more or less where n counts the records: the noise of the output changes its scale."""
    m = arb()
    two = m.real(2)
    true = 2 * m.Phi(-two) - 2 * m.exp(m.real(1)) * m.Phi(-2 * two)
    return refuted(
        "one record more or less, n the number of records, lambda unchanged",
        "1e-10",
        true,
        {"epsilon": "1", "delta": "1e-10", "n": "1", "n'": "2"},
        method="event |theta| > 2 sigma/(2 lambda) for D of one record, D' of two, all with x = 0",
        severity=Severity.CONCLUSION,
        survives="With n lambda and b/n kept the same for both data sets it is the adjacency with n fixed.",
        adjacency=Adjacency.ADD_REMOVE,
        release=c.release,
        lemmas=(CHANGING_N,),
        reading=Reading.ANOTHER,
        asserts=c.claim.asserts,
    )
