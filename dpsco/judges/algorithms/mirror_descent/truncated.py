"""Judges of the shuffled truncated mirror descent's privacy: the proof's chain, its two scales, and the conclusion."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import cache, partial
from math import inf

import sympy

from dpsco.arguments.algorithms.descent.shuffled_noise import FEW, LEAST, MANY, PATHS, POST, SMOOTH, Path
from dpsco.arguments.assertions import Table, by_assertion
from dpsco.arguments.comparing import admits, certified, every_sign, refuted
from dpsco.arguments.formula import apply
from dpsco.arguments.privacy.shuffled import BOUND, CLONES, OUTRIGHT, T, tends_to_infinity
from dpsco.arguments.rate_links import bounded, chain_link
from dpsco.mutants.algorithms.mirror_descent import truncated as mutants
from dpsco.reference.numbers.enclosure import arb, ends
from dpsco.reference.numbers.symbolic import symbolic
from dpsco.spec.algorithms.mirror_descent.truncated import epsilon_is_small
from dpsco.spec.claim import Claim, Provenance, Relation
from dpsco.spec.domain import Integers, Interval, open_unit
from dpsco.spec.numbers import Numbers, Real
from dpsco.verdict import PROOF_STEP, Finding, Reading, Rung, Severity, Verdict

ONE_RECORD = (
    "the theorem's least n is not at hand, and Lemma 16, on which its proof rests, asks n >= 16 e^epsilon_0 ln(2/delta): it "
    "fails at n = 1, delta -> 1"
)
RELEASES = ("every noisy gradient, in shuffled order", "w_hat alone")
Formulas = tuple[Callable[..., Real], ...]
Quotient = Callable[[Formulas, Numbers, dict[str, Real]], Real]


def _never(values: object, sigma: object) -> bool:
    return False


RATE_PATHS = {
    "many records": Path(
        {"n": lambda m, t: t, "delta": lambda m, t: m.frac(1, 2), "epsilon": lambda m, t: 1 / m.sqrt(t)}, POST, _never
    ),
    "one record": Path(PATHS[0].values, POST, _never),
}
"""Paths along which the proof's rates are followed: many records, and delta -> 1 at one record."""


def private(claim: Claim) -> Iterator[Finding]:
    """The printed scale times every constant: the shuffling lemma where n >= 2, and a path for each way to fail."""
    scale = claim.formulas["sigma_rate"]
    defeated = [path for i, path in enumerate(PATHS) if _admits(claim, path.at) and _beaten(scale, i)]
    for path in defeated:
        found = _shown(claim, path)
        yield from (replace(found, release=release) for release in RELEASES)
    share = _share(claim) if _covered(claim) else None
    if share is None:
        if not defeated:
            yield Finding(scope="the conclusion", verdict=Verdict.OPEN, reason="no certificate, and no path defeats the scale")
        return
    constant = tuple(sympy.sympify(least) / share for least in LEAST)
    reading = Reading.PRINTED if _least_n(claim) >= 2 else Reading.MEANT
    for release in RELEASES:
        yield certified(
            f"sigma >= K sigma_rate, K = max({constant[0]}, {constant[1]} c_epsilon), n >= 2, every kappa-regular norm",
            f"computer algebra: sigma_rate is {share} kappa (beta M + lambda) ln(n/delta)/(epsilon sqrt(n)); the lemmas",
            SMOOTH,
            CLONES,
            BOUND,
            OUTRIGHT,
            MANY,
            FEW,
            POST,
            adjacency=claim.adjacency,
            release=release,
            given=(epsilon_is_small,),
            reading=reading,
        )


def _least_n(claim: Claim) -> int:
    domain = claim.parameter("n").domain
    return domain.low if isinstance(domain, Integers) else 0


def _covered(claim: Claim) -> bool:
    """Whether the other domains are those for which the lemmas were written, or smaller."""
    within = {"epsilon": (0, 1), "delta": (0, 1), "kappa": (1, inf), "epsilon_0": (0, 0.5), "c_epsilon": (0, inf)}
    for name, (low, high) in within.items():
        domain = claim.parameter(name).domain
        if not isinstance(domain, Interval) or float(domain.low) < low or float(domain.high) > high:
            return False
    return _least_n(claim) >= 1 and claim.parameter("delta").domain == open_unit


def _share(claim: Claim) -> Real | None:
    """sigma_rate over kappa B Lambda/(epsilon sqrt(n)) if that is a positive number."""
    s = {name: sympy.Symbol(name, positive=True) for name in ("kappa", "beta", "M", "lambda_", "epsilon", "n", "delta")}
    b = s["beta"] * s["M"] + s["lambda_"]
    unit = s["kappa"] * b * sympy.log(s["n"] / s["delta"]) / (s["epsilon"] * sympy.sqrt(s["n"]))
    share = sympy.simplify(apply(claim.formulas["sigma_rate"], symbolic(), s) / unit)
    return share if share.is_number and share.is_positive else None


def _admits(claim: Claim, at: Callable[[Numbers, Real], dict[str, Real]]) -> bool:
    """Whether the path stays in the claim's domains and preconditions, as far as two places show."""
    for power in (3, 8):
        m = arb(512)
        if not admits(claim, m, at(m, m.real(10) ** power)):
            return False
    return True


@cache
def _beaten(scale: Callable[..., Real], index: int) -> bool:
    """Whether the path's lemma defeats the scale times every constant."""
    values = PATHS[index].at(symbolic(), T)
    return PATHS[index].beats(values, sympy.expand_log(apply(scale, symbolic(), values), force=True))


def _shown(claim: Claim, path: Path) -> Finding:
    """The refutation along the path; where it is the one-record path, enclosed at K = 1 and t = 400."""
    m = arb(256)
    values = path.at(m, m.real(400))
    sigma = apply(claim.formulas["sigma_rate"], m, values)
    b, n = values["beta"] * values["M"] + values["lambda_"], values["n"]
    least = 1 - (1 + m.exp(values["epsilon"])) * n * m.exp(-((b / (n * sigma)) ** 2) / 2)
    enclosed = m.gt(least, values["delta"]) is True
    return refuted(
        f"the conclusion, against every constant: {path.words()}, t -> infinity",
        ends(values["delta"])[1] if enclosed else None,
        ends(least) if enclosed else None,
        {**path.text(), "kappa": "2", "beta, M, lambda, c_epsilon": "1", **({"t": "400"} if enclosed else {})},
        method="the lemma's lower bound exceeds delta for sigma_rate times every constant in the end (computer algebra)"
        + ("; enclosed at t = 400 with sigma = sigma_rate" if enclosed else ""),
        severity=Severity.DOMAIN,
        survives="It holds for n >= 2, where ln(n/delta) >= ln 2, with explicit constants.",
        rung=Rung.EXACT,
        adjacency=claim.adjacency,
        lemmas=(path.lemma,),
    )


def amplified_over_epsilon(formulas: Formulas, m: Numbers, values: dict[str, Real]) -> Real:
    """epsilon-hat at a scale, over epsilon; the formulas are the scale and amplified_rate."""
    scale, amplified = formulas
    return apply(amplified, m, {**values, "sigma_1": apply(scale, m, values)}) / values["epsilon"]


def local_over_half(formulas: Formulas, m: Numbers, values: dict[str, Real]) -> Real:
    """epsilon_0 at a scale, over 1/2, for delta_0 as the proof chooses it (c_2 = 1)."""
    scale, chosen, local = formulas
    found = {"sigma_1": apply(scale, m, values), "delta_0": apply(chosen, m, values)}
    return 2 * apply(local, m, {**values, **found})


def _order(scope: str, quotient: Quotient, names: tuple[str, ...], claim: Claim) -> Iterator[Finding]:
    """Whether the quotient is bounded on the domain, for every fixed c_epsilon."""
    formulas, found = tuple(claim.formulas[name] for name in names), False
    for name, path in RATE_PATHS.items():
        if _admits(claim, path.at) and _grows(quotient, formulas, name):
            found = True
            yield _unbounded(scope, path, partial(quotient, formulas), many=name == "many records")
    printed = _least_n(claim)
    for low, reading in ((printed, Reading.PRINTED), (2, Reading.MEANT)):
        if (reading is Reading.MEANT and low <= printed) or (reading is Reading.PRINTED and found):
            continue
        square = _square(quotient, formulas, low) if _covered(claim) else None
        if square is not None:
            yield certified(
                f"{scope}, n >= {low}: at most sqrt({square}) max(1, c_epsilon)",
                f"computer algebra: with n = {low} e^w, delta = e^-s, {square} times the square's denominator less its "
                "numerator is a polynomial in s and w without a negative coefficient",
                given=(epsilon_is_small,),
                reading=reading,
            )
        elif reading is Reading.PRINTED:
            yield Finding(scope=scope, verdict=Verdict.OPEN, reason="neither bounded by algebra nor unbounded on a path")


@cache
def _grows(quotient: Quotient, formulas: Formulas, name: str) -> bool:
    along = quotient(formulas, symbolic(), RATE_PATHS[name].at(symbolic(), T))
    return tends_to_infinity(sympy.simplify(sympy.expand_log(along, force=True)))


@cache
def _square(quotient: Quotient, formulas: Formulas, low: int) -> int | None:
    return bounded(partial(quotient, formulas, symbolic()), low)


def _unbounded(scope: str, path: Path, quotient: Callable[[Numbers, dict[str, Real]], Real], many: bool) -> Finding:
    for power in range(2, 300):
        m = arb(1024)
        shown = quotient(m, path.at(m, m.real(10) ** power))
        if m.gt(shown, m.real(3)) is True:
            break
    return refuted(
        f"{scope}: {path.words()}, t -> infinity",
        "3",
        shown,
        {**path.text(), "t": f"1e{power}"},
        method="the quotient tends to infinity (computer algebra); enclosed at one t",
        severity=PROOF_STEP if many else Severity.DOMAIN,
        survives="The final scale, larger by ln(n/delta)/sqrt(ln(1/delta)), makes it of order epsilon for n >= 2."
        if many
        else "It is bounded for n >= 2.",
        rung=Rung.EXACT,
        reason="3 stands for the hidden constant; every other one is passed further along the path",
    )


MIDDLE, FINAL = ("sigma_rate_intermediate", "amplified_rate"), ("sigma_rate", "amplified_rate")
LOCAL = ("sigma_rate", "delta_0_choice", "local_epsilon_rate")
READ: Table = {
    **every_sign("chain_start", "chain_second", partial(chain_link, "chain_start", "chain_second")),
    **every_sign("chain_second", "chain_third", partial(chain_link, "chain_second", "chain_third")),
    **every_sign("chain_third", "chain_end", partial(chain_link, "chain_third", "chain_end")),
    Relation("amplified_rate at sigma_rate_intermediate", "<=O", "epsilon"): partial(
        _order, "amplified_rate / epsilon at the intermediate scale", amplified_over_epsilon, MIDDLE
    ),
    Relation("amplified_rate at sigma_rate", "<=O", "epsilon"): partial(
        _order, "amplified_rate / epsilon at the final scale", amplified_over_epsilon, FINAL
    ),
    Relation("local_epsilon_rate at sigma_rate", "<=O", "1/2"): partial(
        _order, "local_epsilon_rate / (1/2) at the final scale", local_over_half, LOCAL
    ),
    Relation("the noisy gradients of all records", "is", "(epsilon, delta)-DP"): private,
}


def by_steps(claim: Claim) -> Iterator[Finding]:
    """The conclusion, and every link of the proof, the last one first."""
    rebuilt = claim.provenance is Provenance.REBUILT
    read = {relation: partial(_readings, decide) if rebuilt else decide for relation, decide in READ.items()}
    yield from by_assertion(replace(claim, asserts=claim.asserts[::-1]), read)


def _readings(decide: Callable[[Claim], Iterable[Finding]], claim: Claim) -> Iterator[Finding]:
    """What fails for one record only is beside a rebuilt claim, whose least n is not at hand, and leaves it open as printed."""
    for finding in decide(claim):
        if finding.verdict is Verdict.REFUTED and finding.at.get("n") == "1":
            yield replace(finding, reading=Reading.ANOTHER, scope=f"if one record is meant, {finding.scope}")
            yield Finding(
                scope="the least number of records",
                verdict=Verdict.OPEN,
                adjacency=finding.adjacency,
                release=finding.release,
                reason=f"{ONE_RECORD}. {finding.survives}",
            )
        else:
            yield finding


JUDGES = {"lp/thm-9": by_steps, "lp/thm-9-amended": by_steps}

MUTANTS = {"lp/thm-9-amended": mutants.of_amended}
