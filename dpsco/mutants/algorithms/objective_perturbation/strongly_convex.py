"""Mutants of objective perturbation for strongly convex losses; their falsity is shown by quadrature and exact parabolas."""

from collections.abc import Iterator
from dataclasses import replace

from dpsco.arguments.formula import apply
from dpsco.mutant import Mutant, scaled, with_formula
from dpsco.mutants.algorithms.objective_perturbation.approximate import two_gaussians
from dpsco.mutants.algorithms.objective_perturbation.privacy import kink_quadrature, rescaled_quadrature
from dpsco.reference.numbers.mp import mp
from dpsco.spec.algorithms.objective_perturbation.approximate import least_lambda
from dpsco.spec.claim import Adjacency, Claim
from dpsco.spec.numbers import Numbers, Real
from dpsco.spec.register import find


def kink_on_a_wide_set(claim: Claim, size: int, ratio: int, epsilon: str = "1", delta: str = "1e-6") -> Real:
    """Integral of p - e^epsilon q over Huber's kink, p and q the densities of theta_1 on [-size, size]; n = L = r = 1.

    Delta = size/2, beta = epsilon Delta/ratio: the densities themselves, not the judge's probabilities of G.
    """
    m = mp(40)
    e, M = m.real(epsilon), m.real(size)
    Delta = M / 2
    beta = e * Delta / ratio
    known = {"epsilon": e, "delta": m.real(delta), "L": m.real(1), "r": m.real(1), "n": m.real(1)}
    known |= {"beta": beta, "Delta": Delta, "C_norm": M}
    mu = 2 * apply(claim.formulas["lambda_choice"], m, known) + Delta / M**2
    sigma = m.sqrt(apply(claim.formulas["sigma_1_squared"], m, known))
    slope, bend = 1 - Delta / M, beta - Delta / M**2

    def gap(theta: Real) -> Real:
        p = m.phi((mu + bend) * theta / sigma) * (mu + bend)
        return (p - m.exp(e) * m.phi(mu * theta / sigma) * mu) / sigma

    return 2 * m.mp.quad(gap, [0, slope / bend])  # type: ignore[attr-defined]


def inside_by_quadrature(claim: Claim, Delta: int = 10**6) -> Real:
    """P_D(|theta_1| < 1) - e P_D'(|theta_1| < 1), D with the loss Delta theta^2/2 alone and D' empty, by densities of theta_1.

    C = [-1, 1], n = L = r = beta = epsilon = 1, delta = 1e-6; without a ridge and a record theta_1 is an end of C.
    """
    m = mp(40)
    known = {name: m.real(1) for name in ("epsilon", "L", "r", "beta", "n", "C_norm")}
    known |= {"delta": m.real("1e-6"), "Delta": m.real(Delta)}
    ridge = 2 * apply(claim.formulas["lambda_choice"], m, known)
    sigma = m.sqrt(apply(claim.formulas["sigma_1_squared"], m, known))

    def inside(modulus: Real) -> Real:
        if modulus == 0:
            return m.real(0)
        own = sigma / modulus
        return 2 * m.mp.quad(lambda x: m.phi(x / own) / own, [0, *(k * own for k in (1, 4, 16) if k * own < 1), 1])  # type: ignore[attr-defined]

    return inside(ridge + known["Delta"]) - m.exp(m.real(1)) * inside(ridge)


def modulus_of_a_parabola(claim: Claim) -> bool:
    """Is the printed modulus more than the second difference of J on [-1, 1], Delta = 1/2, r = beta = epsilon = n = 1?"""
    m = mp(40)
    one = {name: m.real(1) for name in ("r", "beta", "epsilon", "n", "C_norm")}
    values = {**one, "Delta": m.frac(1, 2)}
    ridge = apply(claim.formulas["lambda_choice"], m, values)

    def objective(theta: Real) -> Real:
        return theta**2 / 4 + ridge * theta**2

    h = m.frac(1, 8)
    second = (objective(3 * h) - 2 * objective(2 * h) + objective(h)) / h**2
    return bool(apply(claim.formulas["modulus"], m, values) > second * m.real("1.000001"))


def of_strongly_convex() -> Iterator[Mutant]:
    claim = find("lp/thm-3-amended")

    def far(moved: Claim, epsilon: str, delta: str) -> bool:
        m = mp(60)
        return two_gaussians(moved, epsilon, delta, 4 / m.real(epsilon), {"r": m.real(1), "beta": m.real(1)})

    def unconverted(m: Numbers, r: Real, beta: Real, epsilon: Real, n: Real, Delta: Real) -> Real:
        return m.max(2 * least_lambda(m, r=r, beta=beta, epsilon=epsilon, n=n) - Delta / 2, m.real(0))

    unit = with_formula(claim, "lambda_choice", unconverted)
    yield Mutant("Delta for Delta/|C|_2^2", unit, lambda: bool(kink_on_a_wide_set(unit, 10, 4) > mp(40).real("1.000001e-6")))

    def quarter(m: Numbers, r: Real, beta: Real, epsilon: Real, n: Real, Delta: Real, C_norm: Real) -> Real:
        return m.max(least_lambda(m, r=r, beta=beta, epsilon=epsilon, n=n) / 2 - Delta / (2 * C_norm**2), m.real(0))

    weak = with_formula(claim, "lambda_choice", quarter)
    bare = replace(weak, asserts=claim.asserts[2:])

    def kinked() -> bool:
        m = mp(60)
        values = {"L": m.real(1), "epsilon": m.real("0.1"), "delta": m.real("1e-10")}
        sigma = m.sqrt(apply(bare.formulas["sigma_1_squared"], m, values))
        return bool(kink_quadrature(sigma, m.real("0.1"), True, "0.1", 118) > m.real("1.000001e-10"))

    yield Mutant("a quarter of the modulus", weak, lambda: modulus_of_a_parabola(weak))
    yield Mutant("a quarter of the modulus, privacy alone", bare, kinked)
    fifth, outer = scaled(claim, "sigma_1_squared", 1, 25), scaled(claim, "sigma_2_squared", 1, 16)
    yield Mutant("sigma_1 times 0.2", fifth, lambda: far(fifth, "1", "1e-40"))
    yield Mutant("sigma_2 times 0.25", outer, lambda: far(outer, "1", "1e-40"))
    twice = scaled(claim, "modulus", 2, 1)
    yield Mutant("twice the modulus", twice, lambda: modulus_of_a_parabola(twice))
    narrow = scaled(claim, "output_sensitivity", 1, 2)

    def steps_apart() -> bool:
        """J = theta^2/2, so mu = 1 = 4 r beta/(epsilon n); two steps of 1/2, alpha = 1/8, are 1 apart."""
        m = mp(40)
        values = {"alpha": m.frac(1, 8), "r": m.real(1), "beta": m.frac(1, 4), "epsilon": m.real(1), "n": m.real(1)}
        return bool(apply(narrow.formulas["output_sensitivity"], m, values) < 1)

    yield Mutant("half the sensitivity", narrow, steps_apart)
    counted = replace(claim, adjacency=Adjacency.ADD_REMOVE)
    yield Mutant("n counts the records", counted, lambda: rescaled_quadrature("1") > mp(60).real("1e-10"))
    added = replace(claim, adjacency=Adjacency.ADD_ONE_N_FIXED)
    yield Mutant("one record more or less, n fixed", added, lambda: bool(inside_by_quadrature(added) > mp(40).real("1e-6")))
    more = scaled(claim, "sigma_1_squared", 11, 10)
    yield Mutant("sigma_1^2 times 1.1 (still true: more noise)", more, lambda: False)
