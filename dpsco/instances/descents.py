"""Instances for claims about averaged noisy descent: step lengths, noise and constants that fit one another exactly.

Numbers are products of decimals, written out. Each instance has every quantity that such a claim may speak of; a claim takes
those that it names. theta* lies on the boundary of its ball, features reach their bound.
"""

from collections.abc import Callable, Iterator
from decimal import Context, Decimal
from functools import cache
from itertools import product
from typing import Any

from dpsco.instances.grid import Grid, Instance
from dpsco.reference.numbers.mp import mp
from dpsco.spec.claim import Claim
from dpsco.spec.domain import Domain
from dpsco.spec.numbers import Truth

EXACT = Context(prec=120)
MOMENTS = (("0.8", "0.4"), ("1000000", "1"))
"""First absolute moment and supremum: near the Gaussian kernel's, and of a narrow peak on a wide base."""


def _text(x: Decimal) -> str:
    return format(x.normalize(EXACT), "f")


def _times(*factors: str) -> Decimal:
    total = Decimal(1)
    for factor in factors:
        total = EXACT.multiply(total, Decimal(factor))
    return total


def descents(square: bool) -> Iterator[dict[str, str]]:
    """A step length and a number of iterates (n^2 where `square`); the ball is `share` times what slope L can cross."""
    records = ("1", "2", "3", "1000") if square else ("1", "3", "1000000000000")
    for n, T in product(records, ("",) if square else ("1", "2", "1000")):
        count = _text(_times(n, n)) if square else T
        for r_bar, B_x, (kappa_1, K_bar) in product(("0.5", "0.9"), ("0.3", "7"), MOMENTS):
            L = _times(r_bar, B_x)
            for eta, share, (d, sigma) in product(("0.001", "2"), ("0.05", "1", "3"), (("1", "0.001"), ("9", "4"))):
                B = _times(share, str(L), count, eta)
                yield {
                    **{"n": n, "T": count, "t": count, "d": d, "eta": eta, "sigma": sigma, "L": _text(L), "B_x": B_x},
                    **{"r_bar": r_bar, "kappa_1": kappa_1, "K_bar": K_bar, "B": _text(B), "optimum_norm": _text(B)},
                    "h": _text(_times(eta, K_bar, B_x, B_x, "0.5")),
                    "beta": _text(EXACT.divide(Decimal(2), Decimal(eta))),
                    "largest_feature_norm": B_x,
                }


def targets() -> Iterator[dict[str, str]]:
    """Privacy, sizes and constants, for bounds at their own step length."""
    for n, d, (kappa_1, K_bar) in product(("1", "2", "10", "100", "1000000"), ("1", "10000"), MOMENTS):
        privacy = product(("0.01", "1"), ("1e-40", "0.999"))
        for (epsilon, delta), r_bar, B_x, B in product(privacy, ("0.5", "0.9"), ("0.01", "7"), ("1", "300")):
            yield {
                **{"n": n, "d": d, "epsilon": epsilon, "delta": delta, "kappa_1": kappa_1, "K_bar": K_bar},
                **{"r_bar": r_bar, "B_x": B_x, "L": _text(_times(r_bar, B_x)), "B": B, "optimum_norm": B},
                "largest_feature_norm": B_x,
            }


@cache
def _all(kind: str) -> tuple[dict[str, str], ...]:
    return tuple(targets()) if kind == "targets" else tuple(descents(kind == "square"))


@cache
def _inside(domain: Domain, value: str) -> bool:
    return domain.contains(mp(50), value) is True


@cache
def _meets(test: Callable[..., Truth], given: tuple[tuple[str, str], ...]) -> bool:
    m = mp(50)
    return test(m, **{name: m.real(value) for name, value in given}) is True


def admitted(claim: Claim, kind: str) -> Grid:
    """Those of a kind ("targets", "square", "free") that the claim's domains and preconditions admit."""
    domains: Any = tuple((parameter.name, parameter.domain) for parameter in claim.parameters)
    conditions = tuple((predicate.test, predicate.names) for predicate in claim.preconditions)
    return _admitted(domains, conditions, kind)


@cache
def _admitted(
    domains: tuple[tuple[str, Domain], ...], conditions: tuple[tuple[Callable[..., Truth], tuple[str, ...]], ...], kind: str
) -> Grid:
    known: dict[str, Any] = dict(domains)
    found: dict[tuple[str, ...], Instance] = {}
    for one in _all(kind):
        cut = {name: value for name, value in one.items() if name in known}
        key = tuple(cut.values())
        if key in found or not all(_inside(known[name], value) for name, value in cut.items()):
            continue
        said = [(test, names) for test, names in conditions if {*names} <= {*cut}]
        if all(_meets(test, tuple((name, cut[name]) for name in names)) for test, names in said):
            found[key] = cut
    return Grid(tuple(found.values()))
