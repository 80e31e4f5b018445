"""Mutants of amplification by shuffling; their falsity is shown by the exact profile of shuffled answers.

The judge goes by lower bounds in closed form and computer algebra; here the quotient of the least epsilon by the moved rate
is computed at three places that lie far apart, and must grow by more than its error each time.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import pairwise

from dpsco.fast.privacy.shuffling import binary
from dpsco.mutant import Mutant, scaled, with_formula
from dpsco.reference.numbers.mp import mp
from dpsco.spec.claim import Claim
from dpsco.spec.numbers import Numbers, Real
from dpsco.spec.register import find

Place = tuple[float, float, int]
"""epsilon_0, delta, n."""
GROWTH = 1.25
MANY: Sequence[Place] = ((1.0, 1e-5, 10**4), (1.0, 1e-7, 10**6), (1.0, 1e-9, 10**8))
STRONG: Sequence[Place] = ((0.1, 1e-8, 10**4), (1e-3, 1e-10, 10**4), (1e-5, 1e-12, 10**4))
WEAK: Sequence[Place] = ((2.0, 1e-3, 200 * 10), (8.0, 1e-5, 200 * 6000), (14.0, 1e-6, 300 * 1_300_000))
RARE: Sequence[Place] = ((1.0, 1e-3, 500), (1.0, 1e-30, 12000), (1.0, 1e-300, 130000))


def least_epsilon(epsilon_0: float, delta: float, n: int) -> float:
    """The epsilon at which the exact profile of shuffled binary answers falls to delta."""
    low, high = 0.0, epsilon_0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (low, middle) if binary(middle, epsilon_0, n) <= delta else (middle, high)
    return low


def outgrows(claim: Claim, places: Sequence[Place]) -> bool | None:
    """Whether the least epsilon over the claim's rate grows along the places; None where the growth is too little to tell."""
    m = mp(30)
    quotients = [
        least_epsilon(*place)
        / float(claim.formulas["rate"](m, epsilon_0=m.real(place[0]), delta=m.real(place[1]), n=m.real(place[2])))
        for place in places
    ]
    return True if all(b > GROWTH * a > 0 for a, b in pairwise(quotients)) else None


def outpublishes(claim: Claim, records: Callable[[int], int]) -> bool | None:
    """The same for a record published with probability delta_0 = 1/t: at least 1/t - 1/t^2 is added to delta = 1/t^2."""
    m = mp(30)
    quotients = []
    for t in (10**6, 10**12, 10**18):
        rate = claim.formulas["added_delta_rate"](m, epsilon=m.real(1), delta_0=m.frac(1, t), n=m.real(records(t)))
        quotients.append((m.frac(1, t) - m.frac(1, t**2)) / rate)
    return True if all(b > 2 * a for a, b in pairwise(quotients)) else None


def of_lemma() -> Iterator[Mutant]:
    claim = find("lp/lem-16")

    def spread(change: Callable[[Numbers, Real, Real, Real], Real]) -> Claim:
        def rate(m: Numbers, epsilon_0: Real, delta: Real, n: Real) -> Real:
            return change(m, m.exp(epsilon_0), m.log(1 / delta), n)

        return with_formula(claim, "rate", rate)

    for says, change, places in (
        ("n to the power 0.6", lambda m, a, s, n: (1 - 1 / a) * (m.sqrt(a * s) / n ** m.frac(3, 5) + a / n), MANY),
        ("spread dropped", lambda m, a, s, n: (1 - 1 / a) * a / n, MANY),
        ("e^epsilon_0 to the power 0.3", lambda m, a, s, n: (1 - 1 / a) * (a ** m.frac(3, 10) * m.sqrt(s / n) + a / n), WEAK),
        ("(1 - e^-epsilon_0)^1.1", lambda m, a, s, n: (1 - 1 / a) ** m.frac(11, 10) * (m.sqrt(a * s / n) + a / n), STRONG),
        ("ln(1/delta) to the power 0.3", lambda m, a, s, n: (1 - 1 / a) * (s ** m.frac(3, 10) * m.sqrt(a / n) + a / n), RARE),
    ):
        moved = spread(change)
        yield Mutant(says, moved, partial(outgrows, moved, places))

    def slower(m: Numbers, epsilon: Real, delta_0: Real, n: Real) -> Real:
        return m.exp(epsilon) * delta_0 ** m.frac(11, 10) * n

    less = with_formula(claim, "added_delta_rate", slower)
    yield Mutant("delta_0 to the power 1.1", less, partial(outpublishes, less, lambda t: 1000 * len(str(t))))

    def shared(m: Numbers, epsilon: Real, delta_0: Real, n: Real) -> Real:
        return m.exp(epsilon) * delta_0 / n

    divided = with_formula(claim, "added_delta_rate", shared)
    yield Mutant("divided by n, not multiplied", divided, partial(outpublishes, divided, lambda t: t))
    half = scaled(claim, "rate", 1, 2)
    yield Mutant("rate halved (still true: the constant is hidden)", half, lambda: False)
