"""Mutants of the amended risk of truncated batched mirror descent, shown false by exact runs: iterates in rationals without
noise, averages of fair draws of the two ends in the limit of large noise."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise

from dpsco.arguments.formula import apply
from dpsco.mutant import Mutant, scaled, with_formula
from dpsco.reference.numbers.mp import mp
from dpsco.spec.algorithms.mirror_descent.batched_utility import batched_bound, batched_rate_amended
from dpsco.spec.algorithms.mirror_descent.truncated_gradients import slopes_are_covered
from dpsco.spec.algorithms.mirror_descent.truncated_utility import batch_noise_scale, steps_are_enough
from dpsco.spec.claim import Claim
from dpsco.spec.numbers import Numbers, Real
from dpsco.spec.register import find

UNIT = {"M": "1", "beta": "1", "lambda_": "1", "kappa": "1.25", "d": "1", "delta": "0.5", "sigma": "1e-4", "tau": "1e-10"}


def run(slope: Fraction, kappa: Fraction, root: int, M: Fraction) -> Fraction:
    """Risk of the average of root^2 steps on the loss -slope s over |s| <= M/2, from 0, gamma = root, without noise."""
    s = total = Fraction(0)
    for _ in range(root**2):
        s = min(s + slope / (kappa * root), M / 2)
        total += s
    return slope * (M / 2 - total / root**2)


def short_steps(claim: Claim, width: Callable[[int], int], roots: tuple[int, ...] = (4, 16, 64)) -> bool | None:
    """Whether runs of T = root^2 steps exceed the rate by factors that grow threefold in all, lambda and T as chosen.

    A small slope on a wide set; noise symmetric about 0 does not raise the mean of a walk that the set cuts on the far side.
    """
    m, kappa, factors = mp(40), Fraction(5, 4), []
    for root in roots:
        M, T = width(root), root**2
        product = (m.real(T) ** m.frac(3, 2) * m.real(M) ** m.frac(5, 2)) / m.real(kappa)  # n epsilon/sqrt(d ln(1/delta))
        nats, d, n = m.log(m.real(2)), m.real(2), m.real(T) ** 9
        v = {"M": m.real(M), "sigma": m.real(1), "tau": m.real(1), "kappa": m.real(kappa), "d": d, "n": n}
        v |= {"delta": m.frac(1, 2), "epsilon": product * m.sqrt(d * nats) / n}
        reached = m.real(run(kappa * M / (4 * root), kappa, root, Fraction(M)))
        factors.append(reached / apply(claim.formulas["rate"], m, v))
    grow = all(2 * first < 3 * second for first, second in pairwise(factors))
    return True if grow and factors[-1] > 3 * factors[0] else None


def fair_ends(claim: Claim, T: int = 10**8, epsilon: str = "1e-6") -> bool | None:
    """Whether the bound is below half the risk of averages of T fair draws of the ends 0 and M, loss s^2/2, d = 1.

    sigma_1/gamma is over 500 at kappa >= 1: all but a 2/500 of the steps end at 0 or M.
    """
    m = mp(40)
    v = {name: m.real(value) for name, value in UNIT.items()} | {"T": m.real(T), "n": m.real(T), "epsilon": m.real(epsilon)}
    v["divergence"] = m.real(0)
    spread = m.sqrt(apply(batch_noise_scale, m, v)) / m.sqrt(v["T"])
    risk = m.frac(1, 8) * (1 + 1 / v["T"])  # E avg^2/2 = (1/4 + 1/(4 T))/2
    return True if spread > 500 and apply(claim.formulas["bound"], m, v) < risk / 2 else None


def overshoot(claim: Claim) -> bool | None:
    """One step from 0 on (beta/2) (s - 1/4)^2 over [0, 1], gamma = 1: no draw or one that pushes on."""
    if steps_are_enough in claim.tests:
        return None
    m, beta = mp(40), 400
    v = {name: m.real(value) for name, value in UNIT.items()} | {"T": m.real(1), "n": m.real(10) ** 14, "epsilon": m.frac(1, 2)}
    v |= {"beta": m.real(beta), "lambda_": m.real(beta), "divergence": m.frac(1, 32)}
    quarter = Fraction(1, 4)
    ends = [min(max(beta * quarter - z, Fraction(0)), Fraction(1)) for z in (Fraction(0), Fraction(-1))]
    best = Fraction(beta, 4) * min((end - quarter) ** 2 for end in ends)  # half of beta/2 (s - 1/4)^2
    return True if apply(claim.formulas["bound"], m, v) < m.real(best) else None


def long_slope(claim: Claim) -> bool | None:
    """The loss 10^40 s on |s| <= 1/2, whose gradients are all set to 0, so that the run does not move but for the noise."""
    if slopes_are_covered in claim.tests:
        return None
    m = mp(40)
    v = {name: m.real(value) for name, value in UNIT.items()} | {"T": m.real(4), "n": m.real(8), "epsilon": m.frac(1, 2)}
    still = run(Fraction(0), Fraction(1), 2, Fraction(1)) + Fraction(10**40, 2)
    return True if apply(claim.formulas["bound"], m, v | {"divergence": m.real(1)}) < m.real(still) else None


def of_amended() -> Iterator[Mutant]:
    claim = find("lp/thm-14-amended-risk")

    def without(test: Callable[..., object]) -> Claim:
        return replace(claim, preconditions=tuple(p for p in claim.preconditions if p.test != test))

    sloped, coarse = without(slopes_are_covered), without(steps_are_enough)
    yield Mutant("no condition on the population gradient", sloped, lambda: long_slope(sloped))
    yield Mutant("no T >= 4 beta^2", coarse, lambda: overshoot(coarse))

    def faster(m: Numbers, M: Real, sigma: Real, tau: Real, kappa: Real, d: Real, delta: Real, n: Real, epsilon: Real) -> Real:
        given = {"M": M, "sigma": sigma, "tau": tau, "kappa": kappa, "d": d, "delta": delta, "n": n, "epsilon": epsilon}
        return batched_rate_amended(m, **given) / (n * epsilon) ** m.frac(1, 6)

    def printed(m: Numbers, M: Real, sigma: Real, tau: Real, kappa: Real, d: Real, delta: Real, n: Real, epsilon: Real) -> Real:
        scale = kappa ** m.frac(2, 3) * (d * m.log(1 / delta)) ** m.frac(1, 6) / (n * epsilon) ** m.frac(1, 3)
        return scale * M ** m.frac(4, 3) * (1 + sigma**2) * tau

    quick, narrow = with_formula(claim, "rate", faster), with_formula(claim, "rate", printed)
    yield Mutant("(n epsilon)^(1/2)", quick, lambda: short_steps(quick, lambda root: 1))
    yield Mutant("M^(4/3) as printed", narrow, lambda: short_steps(narrow, lambda root: root**2))

    def noise(share: Callable[[Numbers, Real], Real]) -> Claim:
        def bound(
            m: Numbers,
            divergence: Real,
            T: Real,
            M: Real,
            sigma: Real,
            lambda_: Real,
            tau: Real,
            d: Real,
            kappa: Real,
            beta: Real,
            delta: Real,
            n: Real,
            epsilon: Real,
        ) -> Real:
            whole = batched_bound(
                m,
                divergence=divergence,
                T=T,
                M=M,
                sigma=sigma,
                lambda_=lambda_,
                tau=tau,
                d=d,
                kappa=kappa,
                beta=beta,
                delta=delta,
                n=n,
                epsilon=epsilon,
            )
            noisy = (
                2
                * d
                * batch_noise_scale(m, kappa=kappa, beta=beta, M=M, lambda_=lambda_, delta=delta, n=n, T=T, epsilon=epsilon)
                / m.sqrt(T)
            )
            return whole - noisy * (1 - share(m, T))

        return with_formula(claim, "bound", bound)

    silent, averaged = noise(lambda m, T: m.real(0)), noise(lambda m, T: 1 / T**2)
    yield Mutant("no noise in the bound", silent, lambda: fair_ends(silent))
    yield Mutant("n for the batch size in the noise", averaged, lambda: fair_ends(averaged))
    more = scaled(claim, "bound", 11, 10)
    yield Mutant("bound times 1.1 (still true)", more, lambda: False)
