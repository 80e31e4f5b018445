"""Judge of phased empirical risk minimisation's coefficient: the identity, its growth, and what the printed noise is worth."""

from collections.abc import Callable, Iterator
from dataclasses import replace

import sympy

from dpsco.arguments.assertions import reading
from dpsco.arguments.comparing import compared, every_sign, order, proved, refuted
from dpsco.arguments.formula import apply
from dpsco.arguments.privacy.noise_scale import MONOTONE, TAIL
from dpsco.instances.grid import grid
from dpsco.mutants.algorithms.phased import coefficient as mutants
from dpsco.reference.numbers.enclosure import arb
from dpsco.reference.numbers.symbolic import symbolic
from dpsco.reference.privacy.gaussian import profile
from dpsco.spec.claim import Adjacency, Claim
from dpsco.spec.numbers import Numbers, Real
from dpsco.verdict import Finding, Lemma, Reading, Rung, Severity, Verdict

AXES = {"n": ("1", "3", "1000"), "i": ("1", "2", "9"), "eta": ("0.1", "1", "7")}
NOISE_AXES = {"epsilon": ("0.1", "1", "10"), "delta": ("1e-40", "1e-6", "0.01"), "L": ("0.3", "7"), "eta": ("2",), "i": ("2",)}
MOST_NATS = 20
"""epsilon up to this many ln(1/delta) is where the noise of a phase's own step is certified."""

MINIMISER = Lemma(
    "one record of a phase moves its minimiser",
    "The objective of a phase is 2/(n_i eta_i)-strongly convex, and a replaced record moves its gradient by at most 2 L/n_i: "
    "the minimiser moves by at most L eta_i. Losses <g, theta> and -<g, theta>, |g| = L, attain it. Records of other phases "
    "do not enter, so all later estimates are post-processing of this one's noisy value.",
)


def simplified(claim: Claim, sign: str) -> Iterator[Finding]:
    """The identity as printed, the definition of its left side, and the growth that is read off it."""
    left, right = claim.formulas["coefficient"], claim.formulas["coefficient_simplified"]
    tried = list(grid(claim, AXES))

    def defined(m: Numbers, n: Real, eta: Real, i: Real) -> Real:
        values = {"n": n, "eta": eta, "i": i}
        return 1 / (apply(claim.formulas["batch_size"], m, values) * apply(claim.formulas["phase_step"], m, values))

    for scope, a, wanted, b in (
        ("1/(n_i eta_i) and its simplified form, every n, i and eta", left, sign, right),
        ("link: the coefficient is 1/(n_i eta_i) with the printed n_i and eta_i", left, "=", defined),
    ):
        yield compared(
            scope,
            a,
            wanted,
            b,
            known=_order(a, b),
            instances=tried,
            method="computer algebra: the logarithm of the quotient",
            severity=Severity.MISPRINT,
            survives="1/(n_i eta_i) = 8^i/(n eta).",
        )
    n, eta, i = sympy.symbols("n eta i", positive=True)
    growth = sympy.simplify(apply(right, symbolic(), {"n": n, "eta": eta, "i": i + 1}) / right(symbolic(), n=n, eta=eta, i=i))
    grows = growth.is_number and bool(growth > 1)
    yield proved("link: it grows exponentially in i", grows, f"computer algebra: by the factor {growth} from phase to phase")
    yield from noise(claim)


def _order(left: Callable[..., Real], right: Callable[..., Real]) -> str | None:
    """The sign between two positive formulas of n, eta, i: that of the logarithm of their quotient."""
    values = dict(zip(("n", "eta", "i"), sympy.symbols("n eta i", positive=True), strict=True))
    a, b = (sympy.log(apply(f, symbolic(), values)) for f in (left, right))
    return order(sympy.simplify(sympy.expand_log(a - b, force=True)))


def shift(claim: Claim, m: Numbers, values: dict[str, Real], behind: int) -> Real:
    """Shift over noise of an estimate whose own phase is `behind` phases before the one whose step scales the noise."""
    own = {**values, "i": values["i"] - behind}
    moved = values["L"] * apply(claim.formulas["phase_step"], m, own)
    return moved / apply(claim.formulas["phase_noise"], m, values)


def noise(claim: Claim) -> Iterator[Finding]:
    """Beside the identity: xi_{t-1} of the previous estimate with the step of the phase that uses it, and with its own."""
    base = Finding(
        scope="xi added to the estimate of phase i - 1 with eta_i, read literally, is (epsilon, delta)-DP",
        verdict=Verdict.OPEN,
        adjacency=Adjacency.REPLACE_ONE,
        release="the noisy estimates",
        lemmas=(MINIMISER,),
        reason="no violation at the instances tried",
        reading=Reading.ANOTHER,
    )
    m, broken = arb(), []
    for instance in grid(claim, NOISE_AXES):
        values = {name: m.real(value) for name, value in instance.items()}
        true = profile(m, values["epsilon"], shift(claim, m, values, 1))
        if m.gt(true, values["delta"]) is True:
            broken.append((instance, true))
    if broken:
        instance, true = max(broken, key=lambda v: float(v[1].mid()) / float(v[0]["delta"]))
        yield refuted(
            base,
            instance["delta"],
            true,
            instance,
            method="Gaussian profile of the attaining pair of linear losses, enclosed",
            severity=Severity.CONSTANT,
            survives="With the step of the estimate's own phase, four times as large, the noise is enough.",
        )
    else:
        yield base
    method = _own_noise(claim)
    scope = f"the same with the estimate's own eta_i, for epsilon <= {MOST_NATS} ln(1/delta)"
    own = replace(base, scope=scope, reading=Reading.MEANT)
    if method is None:
        yield replace(own, reason="the argument does not see the printed scale")
    else:
        lemmas = (MINIMISER, MONOTONE, TAIL)
        yield replace(own, verdict=Verdict.CERTIFIED, rung=Rung.EXACT, method=method, lemmas=lemmas, reason=None)


def _own_noise(claim: Claim) -> str | None:
    """Exact: z = epsilon/mu - mu/2 at the largest epsilon has Phi(-z) <= e^(-z^2/2)/2 <= delta."""
    s, epsilon, L, eta, i = sympy.symbols("s epsilon L eta i", positive=True)
    values = {"epsilon": epsilon, "delta": sympy.exp(-s), "L": L, "eta": eta, "i": i}
    c = sympy.simplify(epsilon / shift(claim, symbolic(), values, 0))
    if c.free_symbols - {s}:
        return None
    z = sympy.simplify(c - MOST_NATS * s / (2 * c))
    share = sympy.simplify(z**2 / (2 * s))
    if not (z.is_positive and share.is_number and bool(share >= 1)):
        return None
    return f"computer algebra: epsilon/mu = {c}, s = ln(1/delta); epsilon = {MOST_NATS} s is worst, there z = {z} >= sqrt(2 s)"


READ = every_sign("coefficient", "coefficient_simplified", simplified)

JUDGES = {"quantile/app-C-coefficient": reading(READ)}

MUTANTS = {"quantile/app-C-coefficient": mutants.of_coefficient}
