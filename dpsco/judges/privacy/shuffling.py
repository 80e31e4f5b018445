"""Judge of amplification by shuffling with hidden constants: a constant that suffices, or a family that defeats all of them."""

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from math import ceil, exp, log

import sympy

from dpsco.arguments.assertions import reading
from dpsco.arguments.comparing import certified, refuted
from dpsco.arguments.formula import apply
from dpsco.arguments.privacy.shuffled import (
    ADDED,
    BOUND,
    CLONES,
    FAMILIES,
    HIDDEN,
    OUTRIGHT,
    OUTRIGHT_FAMILIES,
    Family,
    grows,
    passed,
)
from dpsco.fast.privacy.shuffling import binary as fast_binary
from dpsco.fast.privacy.shuffling import clones as fast_clones
from dpsco.instances.grid import Instance
from dpsco.mutants.privacy import shuffling as mutants
from dpsco.reference.numbers.enclosure import arb, ends
from dpsco.reference.numbers.symbolic import symbolic
from dpsco.reference.privacy.shuffling import delta_lower, delta_upper
from dpsco.spec.claim import Claim, Relation
from dpsco.spec.domain import Integers, Interval
from dpsco.spec.numbers import Real
from dpsco.spec.privacy.shuffling import randomiser_is_private_enough
from dpsco.verdict import Finding, Rung, Severity, Verdict

RELEASE = "all outputs, the records in random order"
EPSILON_OF = Relation("epsilon of the release", "<=O", "rate")
DELTA_OF = Relation("delta of the release minus delta", "<=O", "added_delta_rate")


def amplified(claim: Claim) -> Iterator[Finding]:
    """epsilon of the release: the clones' closed form against the printed rate."""
    if not _covered(claim):
        yield Finding(scope="epsilon of the release", verdict=Verdict.OPEN, reason="the domain is another one")
        return
    least = _least_share(claim)
    if least is None:
        yield from _defeated(claim, "rate", "epsilon of the release", FAMILIES)
        return
    constant = HIDDEN / least
    tightest, at, tried = _sandwich(claim.formulas["rate"])
    yield certified(
        f"epsilon of the release, pure randomisers: at most {constant} rate, for every delta; 0 for delta > 1/2",
        f"computer algebra: with n = e^epsilon_0/x and delta = e^-s the rate is at least {least} (1 - e^-epsilon_0) "
        "sqrt(s x); the clones' closed form is 9 times that",
        CLONES,
        BOUND,
        claimed=str(constant),
        computed=tightest,
        at=at,
        adjacency=claim.adjacency,
        release=RELEASE,
        coverage=tried,
        given=(randomiser_is_private_enough,),
        reason="claimed: the constant that is proved; computed: what it is at least (binary answers) and what suffices (the "
        "clones' pair), both enclosed, at the instance that needs the largest constant of those tried",
    )


def added(claim: Claim) -> Iterator[Finding]:
    """What approximate randomisers add to delta."""
    symbols = {name: sympy.Symbol(name, positive=True) for name in ("epsilon", "delta_0", "n")}
    share = sympy.simplify(
        apply(claim.formulas["added_delta_rate"], symbolic(), symbols)
        / (sympy.exp(symbols["epsilon"]) * symbols["delta_0"] * symbols["n"])
    )
    if share.is_number and share.is_positive:
        yield certified(
            f"delta of the release: at most delta + {ADDED / share} added_delta_rate",
            f"computer algebra: the rate is {share} e^epsilon delta_0 n",
            OUTRIGHT,
            adjacency=claim.adjacency,
            release=RELEASE,
            given=(randomiser_is_private_enough,),
        )
        return
    yield from _defeated(claim, "added_delta_rate", "delta of the release", OUTRIGHT_FAMILIES)


def _covered(claim: Claim) -> bool:
    """Whether the domains are those for which the lemmas were written, or smaller."""
    one, delta, n = (claim.parameter(name).domain for name in ("epsilon_0", "delta", "n"))
    if not (isinstance(one, Interval) and isinstance(delta, Interval) and isinstance(n, Integers)):
        return False
    return float(one.low) >= 0 and float(delta.low) >= 0 and n.low >= 1


def _least_share(claim: Claim) -> Real | None:
    """A positive number that rate / ((1 - e^-epsilon_0) sqrt(s x)) is never below, None where no constant term shows one."""
    s, x, e = (sympy.Symbol(name, positive=True) for name in ("s", "x", "epsilon_0"))
    rate = apply(claim.formulas["rate"], symbolic(), {"epsilon_0": e, "delta": sympy.exp(-s), "n": sympy.exp(e) / x})
    share = sympy.expand(sympy.powsimp(sympy.simplify(rate / ((1 - sympy.exp(-e)) * sympy.sqrt(s * x)))))
    constant, rest = share.as_independent(s, x, e, as_Add=True)
    terms = sympy.Add.make_args(rest)
    return constant if constant.is_positive and all(term.is_nonnegative for term in terms) else None


def _defeated(claim: Claim, name: str, scope: str, families: tuple[Family, ...]) -> Iterator[Finding]:
    """Every family along which the loss certainly outgrows the rate; open if there is none."""
    found = [family for family in families if grows(family, claim.formulas[name])]
    for family in found:
        shown = passed(family, claim.formulas[name])
        if shown is None:
            continue
        yield refuted(
            f"{scope}, against every constant: {', '.join(f'{k} = {v}' for k, v in family.at().items())}, t -> infinity",
            shown[1],
            shown[2],
            {**family.at(), "t": shown[0]},
            method=f"the quotient of the lower bound by the {name} tends to infinity (computer algebra); enclosed at one t",
            severity=Severity.RATE,
            survives="It holds with the rate of Feldman, McMillan and Talwar.",
            rung=Rung.EXACT,
            adjacency=claim.adjacency,
            release=RELEASE,
            lemmas=(family.lemma,),
        )
    if not found:
        yield Finding(scope=scope, verdict=Verdict.OPEN, reason="no constant is proved, and no family defeats them all")


@cache
def _sandwich(formula: Callable[..., Real]) -> tuple[tuple[str, str], Mapping[str, str], tuple[str, ...]]:
    """The constant that hard instances need: [lower, upper] where the upper end is largest, the place, and what was tried."""
    worst, at, tried = ("0", "0"), {}, 0
    for instance in instances():
        m = arb()
        rate = apply(formula, m, {name: m.real(value) for name, value in instance.items()})
        low, high = _epsilons(instance)
        constants = ends(low / rate, 6)[0], ends(high / rate, 6)[1]
        tried += 1
        if float(constants[1]) > float(worst[1]):
            worst, at = constants, dict(instance)
    return worst, at, (f"{tried} instances, each enclosed from both sides",)


def instances() -> list[Instance]:
    """Randomisers of all strengths, usual and extreme delta; n at the side condition's threshold and a hundred times that."""
    found: list[Instance] = []
    for one in ("0.001", "0.5", "2", "5"):
        for delta in ("1e-40", "1e-6", "0.01", "0.4"):
            least = ceil(16 * exp(float(one)) * log(2 / float(delta))) + 1
            found += [{"epsilon_0": one, "delta": delta, "n": str(n)} for n in (least, 100 * least) if n < 20_000]
    return found


def _epsilons(instance: Instance) -> tuple[Real, Real]:
    """An epsilon that binary answers certainly need and one that certainly suffices, close to the least ones."""
    one, delta, n = float(instance["epsilon_0"]), float(instance["delta"]), int(instance["n"])
    m = arb()
    asked, e0 = m.real(instance["delta"]), m.real(instance["epsilon_0"])
    high = _crossing(lambda e: fast_clones(e, one, n) <= delta, one) * 1.000001
    low = _crossing(lambda e: fast_binary(e, one, n) <= delta, one) * 0.999999
    if m.le(delta_upper(m, m.real(high), e0, n), asked) is not True:
        high = one
    if m.gt(delta_lower(m, m.real(low), e0, n), asked) is not True:
        low = 0.0
    return m.real(low), m.real(high)


def _crossing(holds: Callable[[float], bool], top: float) -> float:
    """Where a condition that holds from some epsilon on begins to hold, by bisection in doubles."""
    low, high = 0.0, top
    for _ in range(50):
        middle = (low + high) / 2
        low, high = (low, middle) if holds(middle) else (middle, high)
    return high


READ = {EPSILON_OF: amplified, DELTA_OF: added}

JUDGES = {"lp/lem-16": reading(READ)}

MUTANTS = {"lp/lem-16": mutants.of_lemma}
