"""Mutants of the newsvendor calibrations; their falsity is shown by quadrature of the two densities of theta."""

from collections.abc import Iterator
from dataclasses import replace

from dpsco.mutant import Mutant
from dpsco.mutants.algorithms.objective_perturbation.privacy import Family, of_family
from dpsco.spec.claim import Claim
from dpsco.spec.numbers import Numbers, Real
from dpsco.spec.register import find


def _curvature(m: Numbers, claim: Claim, epsilon: Real, delta: Real) -> Real:
    one = m.real(1)
    return one / (2 * claim.formulas["lambda_least"](m, epsilon=epsilon, n=one, beta=one))


def _lemma_scale(m: Numbers, claim: Claim, epsilon: Real, delta: Real) -> Real:
    return claim.formulas["sigma_lemma"](m, epsilon=epsilon, delta=delta, L=m.real(1))


def _theorem_scale(m: Numbers, claim: Claim, epsilon: Real, delta: Real) -> Real:
    return claim.formulas["sigma_theorem"](m, epsilon=epsilon, delta=delta, L=m.real(1))


LEMMA = Family("sigma_lemma", False, "lambda_least", (1, 4), _lemma_scale, _curvature)
THEOREM = replace(LEMMA, noise="sigma_theorem", scale=_theorem_scale)


def without_epsilon(m: Numbers, epsilon: Real, delta: Real, L: Real) -> Real:
    return L * m.sqrt(8 * m.log(1 / delta)) / epsilon


def without_epsilon_replaced(m: Numbers, epsilon: Real, delta: Real, L: Real) -> Real:
    return L * m.sqrt(32 * m.log(2 / delta)) / epsilon


def of_lemma() -> Iterator[Mutant]:
    yield from of_family(LEMMA, find("newsvendor/lem-EC.1-amended"), without_epsilon)


def of_replaced() -> Iterator[Mutant]:
    claim = find("newsvendor/thm-1-amended")
    yield from of_family(THEOREM, claim, without_epsilon_replaced)


def of_added() -> Iterator[Mutant]:
    claim = find("newsvendor/thm-1-amended-added")
    yield from of_family(THEOREM, claim, without_epsilon)
