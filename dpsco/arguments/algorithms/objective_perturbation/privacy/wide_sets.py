"""Strong convexity measured in the norm of a large set: what is left of it in the l2 norm, and pairs that show it.

C = [-M, M], d = 1, r = 1. Every record has the parabola Delta theta^2/(2 M^2), which is Delta-strongly convex in |.|_C = |.|/M
and only Delta/M^2 in the l2 norm; its slope on C is at most Delta/M. J has the modulus mu = 2 lambda + Delta/M^2.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from dpsco.arguments.formula import apply
from dpsco.reference.numbers.enclosure import arb
from dpsco.reference.privacy.gaussian import solve_mu
from dpsco.spec.claim import Adjacency, Claim
from dpsco.spec.numbers import Numbers, Real
from dpsco.verdict import Lemma

PARABOLAS = Lemma(
    "parabolas on a long interval",
    "d = 1, C = [-M, M]: Delta theta^2/(2 M^2) has the second derivative Delta/M^2, is Delta-strongly convex in |.|_C and has "
    "slopes up to Delta/M on C. With it as every record's loss J is a parabola of second derivative mu = 2 lambda + Delta/M^2 "
    "exactly. |v|_2 <= |C|_2 |v|_C, so mu is the least that any losses leave.",
)
KINK = Lemma(
    "a kink at the origin",
    "n = 1. D: the record's loss is the parabola plus Huber's function of slopes -S, S, S = L - Delta/M, and curvature k = "
    "beta - Delta/M^2 on [-w, w], w = S/k. D': the parabola alone. theta_1 lies in [-w, w] exactly when |G| <= mu w + S for D, "
    "when |G| <= mu w for D'. alpha = 0, so theta_hat = theta_1; small alpha > 0 by continuity.",
)
OFFSET = Lemma(
    "opposite errors",
    "D and D' have the same losses, parabolas of slope at most L on C; the optimiser returns theta_1 + t for D, theta_1 - t "
    "for D', alpha = mu t^2/2, whenever that is in C. theta_1 = -G/(n mu) is N(0, s^2), s = sigma_1/(n mu), but with "
    "probability at most 2 Phi(-(M - t)/s). P_D(theta_hat > 0) and P_D' differ from Phi(t/u), Phi(-t/u), u^2 = s^2 + "
    "sigma_2^2, by no more.",
)

JOINED = Lemma(
    "the common part comes with the record",
    "n = 1, public, and no other record: D has the one loss R(theta) = Delta theta^2/2 on C = [-1, 1] (so c = 0, |C|_2 = 1), "
    "D' has none. theta_1 lies inside C exactly when |G| < 2 lambda + Delta for D, when |G| < 2 lambda for D'. alpha = 0.",
    (Adjacency.ADD_ONE_N_FIXED,),
)


@dataclass(frozen=True)
class Wide:
    """An instance: C = [-size, size], Delta = size/2, L = 1 (so S = 1/2), r beta/(epsilon n) = Delta/ratio."""

    size: int
    ratio: int
    n: int

    def values(self, m: Numbers, epsilon: str, delta: str) -> dict[str, Real]:
        """The claim's numbers."""
        e, modulus = m.real(epsilon), m.frac(self.size, 2)
        one = {name: m.real(1) for name in ("L", "r")}
        return {
            **one,
            "epsilon": e,
            "delta": m.real(delta),
            "alpha": m.real(0),
            "n": m.real(self.n),
            "C_norm": m.real(self.size),
            "Delta": modulus,
            "beta": modulus / self.ratio * e * self.n,
        }

    def modulus(self, claim: Claim, m: Numbers, values: dict[str, Real]) -> Real:
        """mu, from the claim's own choice of lambda."""
        return 2 * apply(claim.formulas["lambda_choice"], m, values) + values["Delta"] / values["C_norm"] ** 2

    def written(self, values: dict[str, Real]) -> dict[str, str]:
        """The instance for a finding."""
        names = ("n", "C_norm", "Delta", "L", "r", "beta", "alpha")
        shown = {name: f"{float(values[name].mid()):.8g}" for name in names}
        return {"epsilon": AT[0], "delta": AT[1], **shown}


KINKED = tuple(Wide(size, ratio, 1) for size in (10, 100) for ratio in (1, 4))
SPREAD = tuple(Wide(100, ratio, 100_000) for ratio in (1, 4))
AT = ("1", "1e-6")


def kinks(claim: Claim) -> Iterator[tuple[Real, dict[str, str]]]:
    """P_D - e^epsilon P_D' of the kink, enclosed, wherever it certainly exceeds delta; and the instance."""
    m = arb()
    for wide in KINKED:
        v = wide.values(m, *AT)
        mu, sigma = wide.modulus(claim, m, v), m.sqrt(apply(claim.formulas["sigma_1_squared"], m, v))
        slope, bend = v["L"] - v["Delta"] / v["C_norm"], v["beta"] - v["Delta"] / v["C_norm"] ** 2
        half = slope / bend
        one, two = (1 - 2 * m.Phi(-end / sigma) for end in (mu * half + slope, mu * half))
        excess = one - m.exp(v["epsilon"]) * two
        if m.gt(excess, v["delta"]) is True and m.lt(half, v["C_norm"]) is True:
            yield excess, wide.written(v)


def offsets(claim: Claim) -> Iterator[tuple[Real, dict[str, str]]]:
    """P_D - e^epsilon P_D' of the sign, enclosed from below, wherever it certainly exceeds delta; and the instance."""
    m = arb()
    for wide in SPREAD:
        v = wide.values(m, *AT)
        mu, sigma = wide.modulus(claim, m, v), m.sqrt(apply(claim.formulas["sigma_1_squared"], m, v))
        t = m.real(wide.size) / 5
        v["alpha"] = mu * t**2 / 2
        outer, own = _output(claim, m, v), sigma / (wide.n * mu)
        spread, missed = m.sqrt(own**2 + outer**2), 2 * m.Phi(-(v["C_norm"] - t) / own)
        excess = m.Phi(t / spread) - missed - m.exp(v["epsilon"]) * (m.Phi(-t / spread) + missed)
        if m.gt(excess, v["delta"]) is True:
            yield excess, {**wide.written(v), "t": str(wide.size // 5)}


def joined(claim: Claim) -> tuple[Real, dict[str, str]] | None:
    """P_D - e^epsilon P_D' of the inside of C, enclosed, if it certainly exceeds delta; and the instance."""
    m = arb()
    written = {"epsilon": AT[0], "delta": AT[1], "alpha": "0", "Delta": "1e6"}
    written |= dict.fromkeys(("n", "C_norm", "L", "r", "beta"), "1")
    v = {name: m.real(value) for name, value in written.items()}
    sigma, ridge = m.sqrt(apply(claim.formulas["sigma_1_squared"], m, v)), 2 * apply(claim.formulas["lambda_choice"], m, v)
    one, two = (1 - 2 * m.Phi(-end / sigma) for end in (ridge + v["Delta"], ridge))
    excess = one - m.exp(v["epsilon"]) * two
    return (excess, written) if m.gt(excess, v["delta"]) is True else None


def _output(claim: Claim, m: Numbers, values: dict[str, Real]) -> Real:
    """sigma_2: printed, or what makes a query of the printed sensitivity (epsilon/2, delta/2)-DP."""
    if "sigma_2_squared" in claim.formulas:
        return m.sqrt(apply(claim.formulas["sigma_2_squared"], m, values))
    reach = apply(claim.formulas["output_sensitivity"], m, values)
    return reach / solve_mu(values["epsilon"] / 2, values["delta"] / 2)
