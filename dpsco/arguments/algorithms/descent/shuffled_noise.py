"""Noise on every record of a shuffled pass: how much suffices, and what too little of it loses.

B = beta M + lambda bounds a kept gradient, Lambda = ln(n/delta), and sigma = K kappa B Lambda/(epsilon sqrt(n)), epsilon <= 1,
epsilon <= c sqrt(Lambda/n).
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import sympy

from dpsco.arguments.privacy.shuffled import REPLACED, T, tends_to_infinity
from dpsco.reference.numbers.symbolic import symbolic
from dpsco.spec.numbers import Numbers, Real
from dpsco.verdict import Lemma

LEAST = (36, 9)
"""The certificate needs K >= 36 and K >= 9 c."""

SMOOTH = Lemma(
    "noise of a smooth norm",
    "Let |.|_+^2/2 be k-smooth, |.|_* <= |.|_+ and k |.|_+^2 <= kappa |.|_*^2 (kappa-regularity), and p proportional to "
    "exp(-f), f = |z|_+^2/(2 sigma^2). By smoothness f(z - a s) + (a - 1) f(z) - a f(z - s) <= a (a - 1) k |s|_+^2/(2 "
    "sigma^2), so the Renyi divergence of order a of p(. - s) from p is at most a kappa |s|_*^2/(2 sigma^2) for every a > 1. "
    "Two kept gradients differ by at most 2 B: rho-zCDP with rho = 2 kappa B^2/sigma^2, hence (rho + 2 sqrt(rho ln(1/d)), "
    "d)-DP for every d in (0, 1). As kappa >= 1, rho <= 2 epsilon^2 n/(K Lambda)^2.",
    REPLACED,
)
MANY = Lemma(
    "many records: shuffling",
    "Let n >= 16 sqrt(e) ln(4/delta), so n >= 37, Lambda > 3.6. With delta_0 = delta/(22 n), ln(1/delta_0) <= 1.86 Lambda, "
    "every record's step is (epsilon_0, delta_0)-DP with epsilon_0 <= 3.92 epsilon sqrt(n/Lambda)/K <= 1/2 as K >= 9 c. The "
    "shuffling lemma's condition holds with delta/2 <= 1/2, its closed form is 9 * 2 sinh(epsilon_0/2) sqrt(ln(2/delta)/n) "
    "<= 9.1 epsilon_0 sqrt(Lambda/n) <= 36 epsilon/K <= epsilon <= 1, and 4 e n delta_0 <= delta/2 is added.",
    REPLACED,
)
FEW = Lemma(
    "few records: each alone",
    "Let 2 <= n < 16 sqrt(e) ln(4/delta) <= 52.8 Lambda, as (2/delta)^2 >= 4/delta. Given the permutation the changed record "
    "enters one step, so the release is rho-zCDP, rho <= 106 epsilon^2/(K^2 Lambda), Lambda >= ln 2, and rho + 2 sqrt(rho "
    "ln(1/delta)) <= (153/K^2 + 20.6/K) epsilon <= epsilon for K >= 36. A mixture over permutations keeps (epsilon, "
    "delta)-DP.",
    REPLACED,
)
POST = Lemma(
    "the average is computed from the noisy gradients",
    "w_t is a function of w_{t-1} and of the noisy gradients of batch t, w_hat of all w_t, and the batches are consecutive "
    "parts of the shuffled records: the gradient of a record is taken at a point that the outputs before it determine.",
    REPLACED,
)
OUTLIER = Lemma(
    "both signs of one record",
    "Linear losses <x, w> on R^2, one batch: the changed record has gradient B e_1 or -B e_1, the others 0. The event that "
    "the first coordinate of the sum of all noisy gradients is positive (that the first coordinate of w_hat is negative, on "
    "a symmetric C) fails for the one and happens for the other only if some |Z|_+ >= |Z_1| >= B/n. |Z|_+^2/sigma^2 is chi- "
    "squared with 2 degrees of freedom, whatever the norm. Hence 1 - delta(epsilon) <= (1 + e^epsilon) n e^(-B^2/(2 n^2 "
    "sigma^2)).",
    REPLACED,
)
SUM = Lemma(
    "sum of the noisy gradients",
    "The same data on the line, where the noise is N(0, sigma^2): the sum is normal with shift over noise mu = 2 B/(sigma "
    "sqrt(n)). An (epsilon, delta)-DP pair has a total variation 2 Phi(mu/2) - 1 of at most epsilon/2 + delta; and where the "
    "likelihood ratio is at least 2 e^epsilon, which has probability Phi(mu/2 - (epsilon + ln 2)/mu), delta is at least "
    "half.",
    REPLACED,
)


@dataclass(frozen=True)
class Path:
    """Instances in t -> infinity, every number that it does not name being 1 (kappa 2)."""

    values: Mapping[str, Callable[[Numbers, Real], Real]]
    lemma: Lemma
    beats: Callable[[Mapping[str, Real], Real], bool]
    """From the numbers and sigma as expressions in t: whether the lemma defeats sigma times every constant."""

    def at(self, m: Numbers, t: Real) -> dict[str, Real]:
        """The numbers at t."""
        fixed = {name: m.real(1) for name in ("beta", "M", "lambda_", "c_epsilon")} | {"kappa": m.real(2)}
        return fixed | {name: along(m, t) for name, along in self.values.items()}

    def text(self) -> dict[str, str]:
        """The path as text."""
        return {name: str(along(symbolic(), T)) for name, along in self.values.items()}

    def words(self) -> str:
        """The path on one line."""
        return ", ".join(f"{name} = {along}" for name, along in self.text().items())


def outlying(values: Mapping[str, Real], sigma: Real) -> bool:
    """OUTLIER: (B/(n sigma))^2 grows faster than ln(1/(1 - delta))."""
    rest = sympy.log(1 / (1 - values["delta"]))
    b = values["beta"] * values["M"] + values["lambda_"]
    return tends_to_infinity((b / (values["n"] * sigma)) ** 2 / (1 + rest))


def varied(values: Mapping[str, Real], sigma: Real) -> bool:
    """SUM: mu grows faster than epsilon + 2 delta, which vanish."""
    asked = values["epsilon"] + 2 * values["delta"]
    return tends_to_infinity(_shift(values, sigma) / asked) and tends_to_infinity(1 / asked)


def tailed(values: Mapping[str, Real], sigma: Real) -> bool:
    """SUM: ln(1/delta) grows faster than 1/mu^2, epsilon being bounded."""
    nats = sympy.expand_log(sympy.log(1 / values["delta"]), force=True)
    return tends_to_infinity(sympy.simplify(_shift(values, sigma) ** 2 * nats))


def _shift(values: Mapping[str, Real], sigma: Real) -> Real:
    return 2 * (values["beta"] * values["M"] + values["lambda_"]) / (sigma * sympy.sqrt(values["n"]))


def _is(value: int) -> Callable[[Numbers, Real], Real]:
    return lambda m, t: m.real(value)


PATHS = (
    Path({"n": _is(1), "delta": lambda m, t: m.exp(-1 / t), "epsilon": lambda m, t: 1 / (2 * m.sqrt(t))}, OUTLIER, outlying),
    Path({"n": lambda m, t: t, "delta": lambda m, t: 1 / t**2, "epsilon": lambda m, t: 1 / m.sqrt(t)}, SUM, varied),
    Path({"n": _is(2), "delta": lambda m, t: 1 / t**2, "epsilon": lambda m, t: 1 / t}, SUM, varied),
    Path({"n": _is(2), "delta": lambda m, t: m.exp(-t), "epsilon": _is(1)}, SUM, tailed),
    Path(
        {"n": _is(2), "delta": lambda m, t: m.frac(1, 100), "epsilon": lambda m, t: m.frac(1, 10), "lambda_": lambda m, t: t},
        OUTLIER,
        outlying,
    ),
)
"""delta -> 1 at one record; many records; small epsilon; small delta; large gradients."""
