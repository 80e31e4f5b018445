"""Mutants of the amended risk of shuffled truncated mirror descent, shown false by a linear loss, or by the mean of a reflected
walk in its diffusion limit, a half-normal law."""

from collections.abc import Callable, Iterator
from dataclasses import replace

from dpsco.arguments.formula import apply
from dpsco.mutant import Mutant, scaled, with_formula
from dpsco.reference.numbers.mp import mp
from dpsco.spec.algorithms.mirror_descent.shuffled_utility import risk_rate_amended, shuffled_lambda
from dpsco.spec.algorithms.mirror_descent.truncated import sigma_final
from dpsco.spec.algorithms.mirror_descent.truncated_gradients import slopes_are_covered
from dpsco.spec.claim import Claim
from dpsco.spec.numbers import Numbers, Real
from dpsco.spec.register import find


def half_normal(claim: Claim, name: str, powers: tuple[int, ...] = (400, 4000, 40000)) -> bool | None:
    """Whether the stationary half-normal walk's risk exceeds the formula by growing factors, t = 10^power.

    The walk s' = max(0, (1 - a) s - eta z) has in its diffusion limit the law of |N(0, eta v/(2 beta))|, of mean sqrt(eta v/(pi
    beta)); the average of many steps is near the mean, and its risk is eta v/(2 pi). Half of it is taken.
    """
    m, last = mp(60), None
    for power in powers:
        t = m.real(10) ** power
        v = {x: m.real(1) for x in ("M", "beta", "sigma")} | {"kappa": m.frac(5, 4), "d": m.real(2), "delta": m.frac(1, 2)}
        v |= {"T": t, "n": t**2, "epsilon": 1 / t, "tau": m.log(m.real(4)), "divergence": m.real(0)}
        v["lambda_"] = apply(shuffled_lambda, m, v)
        noise = apply(sigma_final, m, v) ** 2 * v["T"] / v["n"]
        v["noise_squared"] = v["kappa"] * v["d"] * noise
        reached = noise / (v["kappa"] * m.sqrt(t)) / (4 * m.pi)
        factor = reached / apply(claim.formulas[name], m, v)
        if not factor > (1 if last is None else 2 * last):
            return None
        last = factor
    return True


def long_slope(claim: Claim) -> bool:
    """beta = M = lambda = 1, the loss 10^9 s on |s| <= 1/2: the risk 10^9/2 against the bound with tau = sigma = T = 1."""
    m = mp(30)
    v = {x: m.real(1) for x in ("divergence", "T", "M", "sigma", "lambda_", "tau", "noise_squared")}
    free = all(predicate.test != slopes_are_covered for predicate in claim.preconditions)
    return bool(free and apply(claim.formulas["bound"], m, v) < m.real(10) ** 9 / 2)


def of_amended() -> Iterator[Mutant]:
    claim = find("lp/thm-10-amended")
    free = replace(claim, preconditions=tuple(p for p in claim.preconditions if p.test != slopes_are_covered))
    yield Mutant("no condition on the population gradient", free, lambda: long_slope(free))

    def rate(factor: Callable[[Numbers, Real, Real, Real], Real]) -> Claim:
        def moved(m: Numbers, M: Real, sigma: Real, kappa: Real, d: Real, delta: Real, n: Real, epsilon: Real) -> Real:
            return risk_rate_amended(m, M=M, sigma=sigma, kappa=kappa, d=d, delta=delta, n=n, epsilon=epsilon) * factor(
                m, n, epsilon, delta
            )

        return with_formula(claim, "rate", moved)

    for says, factor in (
        ("(n epsilon)^0.6", lambda m, n, epsilon, delta: 1 / (n * epsilon) ** m.frac(1, 10)),
        ("n^0.6", lambda m, n, epsilon, delta: 1 / n ** m.frac(1, 10)),
        ("one logarithm of n/delta", lambda m, n, epsilon, delta: 1 / m.log(n / delta)),
        ("no logarithm of n/delta, as printed", lambda m, n, epsilon, delta: 1 / m.log(n / delta) ** 2),
    ):  # fmt: skip
        moved = rate(factor)
        yield Mutant(says, moved, lambda moved=moved: half_normal(moved, "rate"))  # type: ignore[misc]

    def quiet(m: Numbers, divergence: Real, T: Real, M: Real, sigma: Real, lambda_: Real, tau: Real) -> Real:
        gamma = m.sqrt(T)
        products = 2 * M * sigma**2 / lambda_ + 6 * sigma * M * m.sqrt(tau / T)
        return divergence / gamma + products + 2 * (4 * sigma**2 + 18 * lambda_ * sigma * m.sqrt(tau / T)) / gamma

    silent = with_formula(claim, "bound", quiet)
    yield Mutant("no noise in the bound", silent, lambda: half_normal(silent, "bound"))
    more = scaled(claim, "bound", 11, 10)
    yield Mutant("bound times 1.1 (still true)", more, lambda: False)
