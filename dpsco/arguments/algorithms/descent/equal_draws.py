"""Two runs of exponential descent with the same random numbers, in the place of one rotation: a step drives them apart."""

from dpsco.arguments.comparing import refuted, truth
from dpsco.reference.numbers.enclosure import arb
from dpsco.spec.algorithms.exponential_descent import stability as spec
from dpsco.spec.claim import Claim
from dpsco.spec.numbers import Numbers, Real
from dpsco.verdict import Finding, Lemma, Reading, Severity, Verdict

SAME_NUMBERS = Lemma(
    "the same normals and the same coin",
    "Let each side turn the same uniform direction to its own gradient's side. Gradients of norm 1 at an angle are served by "
    "opposite directions with probability angle/pi: the iterates then part by at least 2 a - |u|, and keep |u| otherwise, so "
    "that E >= |u| + (2 angle/pi) (a - |u|). With the quadratic loss of Hessian I/mu, |u| = 2 mu sin(angle/2).",
)
AT = {"mu": "1", "n": "2", "eta": "0.1", "epsilon": "1", "angle": "0.02", "|gradient|": "1"}
"""The quadratic loss of Hessian I/mu, gradients of norm 1 at this angle."""


def least(m: Numbers, drift: Real, angle: Real, a: Real) -> Real:
    """Least mean distance after the step: |u| + (2 angle/pi) (a - |u|), a = eta (n - 1)/n."""
    return drift + 2 * angle / m.pi * (a - drift)


def parted(claim: Claim) -> Finding:
    """The draws of Algorithm 1 themselves, equal random numbers on both sides: they part at every step length.

    The claim has no formula for these draws: the distance after the step is held against `drift`, the distance before it.
    """
    m = arb()
    v = {name: m.real(value) for name, value in AT.items()}
    u = 2 * v["mu"] * m.sin(v["angle"] / 2)
    v |= {"drift": u, "gradient_drift": u / v["mu"], "correlation": u**2 / v["mu"]}
    after = least(m, u, v["angle"], v["eta"] * (v["n"] - 1) / v["n"])
    scope = "expected distance after the step, the draws of Algorithm 1 made with the same random numbers, every epsilon"
    # Hessian I/mu: co-coercivity and the inequality of Cauchy and Schwarz hold with equality
    others = [predicate for predicate in claim.preconditions if predicate.test not in (spec.cocoercive, spec.cauchy_schwarz)]
    if not all(truth(predicate, m, v) is True for predicate in others) or m.gt(after, v["drift"]) is not True:
        reason = "the pair of the lemma is not admitted, or does not part"
        return Finding(scope=scope, verdict=Verdict.OPEN, reason=reason, reading=Reading.ANOTHER)
    return refuted(
        scope,
        v["drift"],
        after,
        AT,
        method="a bound from below on the mean, enclosed, against the distance before",
        severity=Severity.CONCLUSION,
        survives="The coupling by one rotation of all vectors, with shorter steps: here smaller angles defeat all steps.",
        reading=Reading.ANOTHER,
        lemmas=(SAME_NUMBERS,),
    )
