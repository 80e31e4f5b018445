"""Judge of phased DP-SGD: the partition of the records that its text prints, and its noise."""

from collections.abc import Callable, Iterator

import sympy

from dpsco.arguments.algorithms.descent.phased_noise import noise_of_phases
from dpsco.arguments.assertions import reading
from dpsco.arguments.comparing import certified, refuted
from dpsco.arguments.formula import apply
from dpsco.mutants.algorithms.phased import dp_sgd as mutants
from dpsco.reference.numbers.enclosure import arb
from dpsco.reference.numbers.symbolic import symbolic
from dpsco.spec.algorithms.phased import dp_sgd as spec
from dpsco.spec.claim import Claim, Relation
from dpsco.verdict import Finding, Lemma, Reading, Rung, Severity, Verdict

SIZES = (2, 3, 5, 6, 7, 8, 9, 1000, 1023, 1024, 999999)
UNUSED = (
    "The phases take the first records; as many are not used as n has binary digits 1, at least one. The algorithm, its "
    "privacy and its bounds are not touched: lp/alg-6-amended."
)
HALVES = Lemma(
    "halving in whole numbers",
    "floor(2^{-i} n) >= 1 for 2^i <= n, that is for i <= floor(log2 n) = k; the sum over i = 1, ..., k of floor(2^{-i} n) is n "
    "less the number of binary digits 1 of n (Legendre), so at most n - 1 for n >= 1.",
)


def lengths(claim: Claim, n: int) -> list[int] | None:
    """n_1, ..., n_k by the claim's formulas; None where k is not decided (the printed quotient of logarithms at 2^j)."""
    m = arb(256)
    if as_printed(claim, "phases"):
        count = n.bit_length() - 1
    else:
        found = _whole(apply(claim.formulas["phases"], m, {"n": m.real(n)}))
        if found is None:
            return None
        count = found
    sizes = [_whole(apply(claim.formulas["phase_length"], m, {"n": m.real(n), "i": m.real(i)})) for i in range(1, count + 1)]
    return None if None in sizes else [size for size in sizes if size is not None]


def _whole(x: object) -> int | None:
    found = x.unique_fmpz()  # type: ignore[attr-defined]
    return None if found is None else int(found)


def as_printed(claim: Claim, name: str) -> bool:
    """Whether the claim's formula is, as an expression, floor(log2 n) or floor(2^{-i} n)."""
    values = {"n": sympy.Symbol("n", positive=True), "i": sympy.Symbol("i", positive=True)}
    mine, printed = (apply(form, symbolic(), values) for form in (claim.formulas[name], getattr(spec, name)))
    return bool(mine == printed)


def partition(claim: Claim) -> Iterator[Finding]:
    """Whether the phases use all records; and, as meant, whether they fit."""
    off = [(n, sum(found)) for n in SIZES if (found := lengths(claim, n)) is not None and sum(found) != n]
    scope = "the phases use the whole data set"
    if not off:
        yield Finding(scope=scope, verdict=Verdict.OPEN, reason="they do at every size tried, and no proof for all")
        return
    n, used = max(off)
    yield refuted(
        scope,
        str(n),
        str(used),
        {"n": str(n)},
        method="the printed lengths summed in whole numbers; for every n >= 1 the sum is less than n",
        severity=Severity.MISPRINT,
        survives=UNUSED,
        rung=Rung.EXACT,
        effort=f"another sum at {len(off)} of {len(SIZES)} sizes",
    )
    yield from (_fits(claim, says, holds, Reading.MEANT) for says, holds in FITS)


FITS: tuple[tuple[str, Callable[[int, list[int]], bool]], ...] = (
    ("the phases have room: n_1 + ... + n_k <= n - 1 for n >= 2", lambda n, sizes: sum(sizes) <= n - 1),
    ("no phase is empty", lambda n, sizes: all(size >= 1 for size in sizes)),
)


def _fits(claim: Claim, scope: str, holds: Callable[[int, list[int]], bool], how: Reading = Reading.PRINTED) -> Finding:
    found = {n: sizes for n in SIZES if (sizes := lengths(claim, n)) is not None}
    off = [n for n, sizes in found.items() if not holds(n, sizes)]
    if off:
        sizes = found[off[0]]
        return refuted(
            scope,
            f"at most {off[0] - 1}, each at least 1",
            str(sum(sizes)),
            {"n": str(off[0]), "lengths": ", ".join(map(str, sizes))},
            method="the lengths in whole numbers",
            severity=Severity.CONSTANT,
            survives="It holds for n_i = floor(2^{-i} n), i <= floor(log2 n).",
            rung=Rung.EXACT,
            reading=how,
        )
    if not (as_printed(claim, "phases") and as_printed(claim, "phase_length")):
        return Finding(scope=scope, verdict=Verdict.OPEN, reason="other lengths than floor(2^{-i} n)", reading=how)
    return certified(scope, "computer algebra: the lengths are floor(2^{-i} n), k is floor(log2 n)", HALVES, reading=how)


def text(claim: Claim) -> Iterator[Finding]:
    """What the algorithm says of its own numbers; the rest of it is a definition, whose steps `phased.sgd` carries out."""
    yield from by_phases(claim)
    yield Finding(scope="the steps of the algorithm", verdict=Verdict.STATED, method="a definition")


by_phases = reading(
    {
        spec.PARTITION: partition,
        spec.FIT[0]: lambda claim: [_fits(claim, *FITS[0])],
        spec.FIT[1]: lambda claim: [_fits(claim, *FITS[1])],
        Relation("w_1, ..., w_k", "is", "(epsilon, delta)-DP"): noise_of_phases,
    }
)

JUDGES = {"lp/alg-6": text, "lp/alg-6-amended": text, "lp/lem-14": by_phases}

MUTANTS = {"lp/alg-6-amended": mutants.of_lengths, "lp/lem-14": mutants.of_lemma}
