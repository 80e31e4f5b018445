"""Neighbours of a data set for the replay: random records, and the ones that break careless code."""

import math
from collections.abc import Callable, Iterator
from random import Random

from dpsco.spec.claim import Adjacency
from dpsco.spec.mechanism import Data, Record

Sample = Callable[[Random], Record]
FACTORS = (0.0, -1.0, 1e-300, 1e-8, 2.0, 1e6, 1e150)
"""What a record is multiplied by: nothing left, the opposite, denormal, tiny, twice, huge, beyond the root of a double."""
EVERYWHERE = 5
"""Up to how many records the hard ones are put in every place."""


def gaussian_record(features: int, rest: int, scale: float) -> Sample:
    """Features of length about 1, outcomes or costs of size `scale`."""

    def sample(random: Random) -> Record:
        return (*(random.gauss(0, 0.7) for _ in range(features)), *(random.gauss(0, scale) for _ in range(rest)))

    return sample


def hard_records(data: Data, at: int, bound: float, features: int) -> Iterator[tuple[str, Record]]:
    """Records to put in the place of `data[at]`, each with its name.

    `features` is how many of a record's first numbers are features in a ball of radius `bound`.
    """
    old = data[at]
    for factor in FACTORS:
        yield f"record times {factor:g}", tuple(factor * x for x in old)
    size = math.sqrt(sum(x * x for x in old[:features]))
    if size > 0:
        for says, length in (
            ("on", bound),
            ("an ulp inside", bound * (1 - 2.0**-52)),
            ("an ulp outside", bound * (1 + 2.0**-52)),
        ):
            yield f"features {says} the sphere", (*(x / size * length for x in old[:features]), *old[features:])
    yield "features zero, the rest kept", (*(0.0 for _ in old[:features]), *old[features:])
    yield "the rest huge, features kept", (*old[:features], *(math.copysign(1e12, x) for x in old[features:]))
    yield "the rest of the other sign", (*old[:features], *(-x for x in old[features:]))
    yield "a copy of another record", data[(at + 1) % len(data)]
    yield "a value that is not a number", (math.nan, *old[1:])
    yield "an infinite value", (*old[:-1], math.inf)


def neighbours(
    data: Data, sample: Sample, adjacency: Adjacency, bound: float, features: int, random: Random, count: int
) -> Iterator[tuple[str, Data]]:
    """Named neighbours of `data`: a record replaced, or one more or less, at every place.

    In small data `count` random records and every hard one are put in every place; in larger data in one that is drawn, and
    the first of them in each other.
    """
    size, replaces = len(data), adjacency is Adjacency.REPLACE_ONE
    more = [(f"random record {k}", sample(random)) for k in range(count)]
    places = range(size if replaces else size + 1)
    hard = random.choice(places)
    for at in places:
        records = [*more, *hard_records(data, at % size, bound, features)]
        for says, record in records if size <= EVERYWHERE or at == hard else records[:1]:
            said = f"record {at + 1} of {size} replaced" if replaces else f"added as record {at + 1}"
            yield f"{said}: {says}", (*data[:at], record, *data[at + replaces :])
    for at in range(size) if size > 1 and not replaces else ():
        yield f"removed: record {at + 1} of {size}", (*data[:at], *data[at + 1 :])
