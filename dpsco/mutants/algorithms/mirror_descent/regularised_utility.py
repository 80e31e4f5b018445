"""Mutants of the amended rate of regularised mirror descent, shown false by numbers along paths and by a second difference."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import pairwise

from dpsco.arguments.formula import apply
from dpsco.mutant import Mutant, changed, scaled, with_formula
from dpsco.reference.numbers.mp import mp
from dpsco.spec.algorithms.mirror_descent import regularised_utility as spec
from dpsco.spec.analysis.geometry.regularity import kappa_amended, kappa_plus, kappa_printed
from dpsco.spec.claim import Claim
from dpsco.spec.numbers import Numbers, Real, Truth
from dpsco.spec.register import find


def leaves(claim: Claim, **powers: int) -> bool:
    """Whether the rate in T at the chosen T over the rate grows by tens along 10^(k powers), the claim's conditions held."""
    m, found = mp(40), []
    for k in range(8, 60, 8):
        v = {name: m.real(10) ** (k * powers.get(name, 0)) for name in ("n", "d", "epsilon", "kappa", "c_n")}
        v |= {"delta": m.exp(-v["epsilon"]), "c_T": m.real(2)}
        v["T"] = apply(claim.formulas["steps_choice"], m, v)
        held = (spec.steps_are_near_choice, spec.records_are_many, spec.steps_are_many, spec.n_is_above_threshold)
        mine = claim.tests
        if not all(_true(m, test, v) for test in held if test in mine):
            return False
        found.append(apply(claim.formulas["rate_in_steps"], m, v) / apply(claim.formulas["rate"], m, v))
    return all(b > 10 * a for a, b in pairwise(found))


def _true(m: Numbers, test: Callable[..., Truth], v: dict[str, Real]) -> bool:
    return apply(test, m, v) is True


def flat(claim: Claim, p: str, d: int) -> bool:
    """Whether the midpoint inequality of 1-strong convexity fails at (1, ..., 1) +- t (1, -1, ...), t = 10^-8, 60 digits."""
    m = mp(60)
    v = {"p": m.real(p), "d": m.real(d)}
    weight, index = (apply(claim.formulas[name], m, v) for name in ("kappa_of_p_and_d", "potential_index"))
    t = m.real("1e-8")
    up, down = ([1 + t * sign * (-1) ** j for j in range(d)] for sign in (1, -1))
    phi = [weight / 2 * m.norm(x, index) ** 2 for x in (up, down, [m.real(1)] * d)]
    gap = m.norm([a - b for a, b in zip(up, down, strict=True)], v["p"]) ** 2 / 8
    return bool(phi[2] > (phi[0] + phi[1]) / 2 - gap)


def of_amended() -> Iterator[Mutant]:
    claim = find("lp/thm-7-amended")

    def third(m: Numbers, kappa: Real, d: Real, delta: Real, n: Real, epsilon: Real, T: Real) -> Real:
        less = (m.sqrt(d * m.log(1 / delta)) / (n * epsilon)) ** m.frac(3, 5)
        return m.log(n / T) / m.log(m.real(2)) * kappa ** m.frac(4, 5) * less

    faster = with_formula(claim, "rate", third)
    yield Mutant("exponent 3/5 for 2/5", faster, lambda: leaves(faster, n=4))

    def flat_kappa(m: Numbers, kappa: Real, d: Real, delta: Real, n: Real, epsilon: Real, T: Real) -> Real:
        return spec.risk_rate_amended(m, kappa=kappa, d=d, delta=delta, n=n, epsilon=epsilon, T=T) / kappa ** m.frac(1, 2)

    weaker = with_formula(claim, "rate", flat_kappa)
    yield Mutant("kappa^(3/10) for kappa^(4/5)", weaker, lambda: leaves(weaker, n=16, kappa=4))

    def more(m: Numbers, n: Real, epsilon: Real, kappa: Real, d: Real, delta: Real) -> Real:
        return (n * epsilon * m.sqrt(kappa) / m.sqrt(d * m.log(1 / delta))) ** m.frac(1, 2)

    longer = with_formula(claim, "steps_choice", more)
    yield Mutant("T with exponent 1/2 for 2/5", longer, lambda: leaves(_near(longer), n=8))
    slow = changed(claim, "rate_in_steps", lambda m, value, v: value * v["T"])
    yield Mutant("T times the rate in T", slow, lambda: leaves(slow, n=4))
    small = replace(claim, preconditions=tuple(p for p in claim.preconditions if p.test != spec.n_is_above_threshold))
    yield Mutant("every n", small, lambda: leaves(small, n=4, epsilon=7))
    for says, name, moved, p, d in (
        ("kappa = min(1/(p-1), 2 ln d), as printed", "kappa_of_p_and_d", kappa_printed, "1.1", 2),
        ("0.9 kappa", "kappa_of_p_and_d", scaled(claim, "kappa_of_p_and_d", 9, 10).formulas["kappa_of_p_and_d"], "1.9", 2),
    ):
        other = with_formula(claim, name, moved)
        yield Mutant(says, other, lambda other=other, p=p, d=d: flat(other, p, d))  # type: ignore[misc]

    def printed(m: Numbers, p: Real, d: Real) -> Real:
        return kappa_plus(m, kappa=kappa_amended(m, p, d))

    plus = with_formula(claim, "potential_index", printed)
    yield Mutant("index kappa/(kappa - 1), as printed", plus, lambda: flat(plus, "1.9", 64))


def _near(claim: Claim) -> Claim:
    """Without the conditions on T, which the moved choice need not meet."""
    tests = (spec.steps_are_near_choice,)
    return replace(claim, preconditions=tuple(p for p in claim.preconditions if p.test not in tests))
