"""Inputs for regression runs: from the domains of a contract's scalars, or from the contract's own generator.

Reals are drawn log-uniformly, near 1 and over the whole range of doubles, and near both ends of their interval; the edge
values of all parameters are combined with each other.
"""

import math
import sys
from collections.abc import Iterator
from itertools import islice, product
from random import Random

from dpsco.reference.numbers.mp import mp
from dpsco.spec.contract import Contract, Inputs
from dpsco.spec.domain import Choice, Domain, Integers, Interval

DECADES = ((3.0, 0.5), (30.0, 0.3), (300.0, 0.2))
"""Half widths, in decades around 1, of the ranges that magnitudes are drawn from, with their shares."""
SPECIAL = (5e-324, sys.float_info.min, 1e-8, 0.5, 1.0, 2.0, 700.0, 1e8, 1e154, sys.float_info.max)
MOST_EDGES = 600
"""Combinations of edge values that are tried."""


def inputs(contract: Contract, samples: int, seed: int) -> Iterator[Inputs]:
    """The contract's hard inputs, the combined edge values of its scalars, then `samples` random ones."""
    random = Random(f"{contract.id} {seed}")
    yield from first(contract, random)
    for _ in range(samples):
        yield one(contract, random)


def first(contract: Contract, random: Random) -> Iterator[Inputs]:
    """The hard inputs, and the combined edge values of the scalars where these are all there is; chance picks some of many."""
    yield from contract.hard
    if contract.generate is None:
        domains = _domains(contract)
        for chosen in _edges([edges(domain) for domain in domains.values()], random):
            yield dict(zip(domains, chosen, strict=True))


def one(contract: Contract, random: Random) -> Inputs:
    """A random input: what regressions, vectors, the fuzzers and the laws try is made here and in `first`."""
    if contract.generate is not None:
        return contract.generate(random)
    return {name: draw(domain, random) for name, domain in _domains(contract).items()}


def _domains(contract: Contract) -> dict[str, Domain]:
    domains = {p.name: p.domain for p in contract.inputs}
    if set(domains) != set(contract.signature.parameters):
        raise ValueError(f"{contract.id} must describe all of its parameters in `inputs`, or have `generate`")
    return {name: domains[name] for name in contract.signature.parameters}


def draw(domain: Domain, random: Random) -> object:
    """One value of the domain."""
    match domain:
        case Choice():
            return random.choice(domain.names)
        case Integers():
            top = domain.high if domain.high is not None else 10**6
            return min(domain.low + int(math.expm1(random.uniform(0, math.log1p(top - domain.low + 1)))), top)
        case Interval():
            return next(x for x in iter(lambda: _real(domain, random), None) if _holds(domain, x))
    raise ValueError(f"no values are drawn from {domain}; the contract needs `generate`")


def edges(domain: Domain) -> list[object]:
    """The ends of the domain, their neighbours among the doubles, and special doubles inside."""
    match domain:
        case Choice():
            return list(domain.names)
        case Integers():
            top = [domain.high, domain.high - 1] if domain.high is not None else [1000, 1_000_000]
            return [k for k in sorted({domain.low, domain.low + 1, *top}) if domain.low <= k]
        case Interval():
            low, high = float(domain.low), float(domain.high)
            found = {x for s in SPECIAL for x in (s, -s, low + s, high - s)} | {0.0, low, high}
            found |= {math.nextafter(low, math.inf), math.nextafter(high, -math.inf)}
            return [x for x in sorted(found) if _holds(domain, x)]
    raise ValueError(f"{domain} has no edge values; the contract needs `generate`")


def _edges(values: list[list[object]], random: Random) -> Iterator[tuple[object, ...]]:
    total = math.prod(map(len, values))
    if total <= MOST_EDGES:
        yield from product(*values)
        return
    # each value of each parameter at least once, then combinations by chance
    longest = max(map(len, values))
    shuffled = [random.sample(some, len(some)) for some in values]
    yield from islice(zip(*([some[i % len(some)] for i in range(longest)] for some in shuffled), strict=True), MOST_EDGES)
    for _ in range(MOST_EDGES - longest):
        yield tuple(random.choice(some) for some in values)


def _magnitude(random: Random) -> float:
    widths, shares = zip(*DECADES, strict=True)
    (width,) = random.choices(widths, shares)
    return float(10.0 ** random.uniform(-width, width))


def _real(domain: Interval, random: Random) -> float:
    low, high = float(domain.low), float(domain.high)
    if math.isinf(low) and math.isinf(high):
        return random.choice((-1.0, 1.0)) * _magnitude(random)
    if math.isinf(high):
        return low + _magnitude(random)
    if math.isinf(low):
        return high - _magnitude(random)
    width = high - low
    near = width * 10.0 ** -random.uniform(0.0, random.choice((1.0, 16.0, 300.0)))
    return random.choice((low + near, high - near, random.uniform(low, high)))


def _holds(domain: Domain, x: float) -> bool:
    return math.isfinite(x) and domain.contains(mp(), x) is True
