"""Mutants of the two stages; falsity by adding up the outcomes of one bit asked twice."""

from collections.abc import Iterator
from functools import partial
from itertools import product

from dpsco.arguments.formula import apply
from dpsco.mutant import Mutant, scaled, with_formula
from dpsco.reference.numbers.mp import mp
from dpsco.spec.claim import Claim
from dpsco.spec.numbers import Numbers, Real
from dpsco.spec.register import find


def asked_twice_exceeds(claim: Claim) -> bool:
    """Whether the hockey-stick divergence of sixteen outcomes exceeds delta at some epsilon and delta."""
    m = mp(80)
    for epsilon, delta in product(("0.1", "1", "5"), ("1e-20", "0.01", "0.3")):
        v = {"epsilon": m.real(epsilon), "delta": m.real(delta)}
        a, q = apply(claim.formulas["epsilon_stage"], m, v), apply(claim.formulas["delta_stage"], m, v)
        right = (1 - q) / (1 + m.exp(-a))
        law = {"told 1": q, "says 1": right, "says 0": 1 - q - right, "told 0": m.real(0)}
        other = {"told 1": m.real(0), "says 1": 1 - q - right, "says 0": right, "told 0": q}
        excess = sum(
            (max(m.real(0), law[i] * law[j] - m.exp(v["epsilon"]) * other[i] * other[j]) for i, j in product(law, law)),
            m.real(0),
        )
        if excess > v["delta"] * m.real("1.0000001"):
            return True
    return False


def of_stages() -> Iterator[Mutant]:
    claim = find("bilevel/alg-2")

    def all_of_it(m: Numbers, delta: Real) -> Real:
        return delta

    for says, moved in (
        ("all of delta for each stage", with_formula(claim, "delta_stage", all_of_it)),
        ("all of epsilon for each stage", scaled(claim, "epsilon_stage", 2, 1)),
        ("a tenth more of epsilon", scaled(claim, "epsilon_stage", 11, 10)),
        ("a tenth more of delta", scaled(claim, "delta_stage", 11, 10)),
    ):
        yield Mutant(says, moved, partial(asked_twice_exceeds, moved))
    less = scaled(claim, "delta_stage", 1, 2)
    yield Mutant("a quarter of delta for each stage (still true)", less, lambda: False)
