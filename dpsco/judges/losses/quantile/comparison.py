"""Judges of convolution smoothing against the Moreau envelope, and of kernels against each other."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial

import sympy

from dpsco.arguments.assertions import reading
from dpsco.arguments.comparing import Instance, admitted, compared, every_sign, order_of, proved, refuted, truth
from dpsco.arguments.formula import apply
from dpsco.arguments.losses import largest_gaps as facts
from dpsco.arguments.losses.kernel_facts import facts as kernel_facts
from dpsco.arguments.losses.smoothed_loss import FARTHEST
from dpsco.arguments.losses.two_smoothings import MOREAU, far_out
from dpsco.mutants.losses.quantile import comparison as mutants
from dpsco.reference.losses import kernels
from dpsco.reference.losses.quantile.comparison import critical_level, product
from dpsco.reference.numbers.enclosure import arb, ends
from dpsco.reference.numbers.symbolic import symbolic
from dpsco.spec.claim import Claim
from dpsco.spec.losses.kernels import KERNELS
from dpsco.spec.losses.quantile.comparison import SUFFICIENT_LEVELS, far_enough_from_the_median
from dpsco.spec.numbers import Numbers, Real
from dpsco.verdict import Finding, Reading, Severity, Verdict

Formula = Callable[..., Real]
EQUAL = "For the uniform kernel at every level (equality at r = 1/2), and where kappa_1 K_bar <= max(r, 1 - r)^2."
ORDERED = (
    "For kernels whose densities cross once, at equal smoothness once scaled to equal suprema; among those of Table 1 with "
    "strictly ordered tails, in both measures."
)


def gap_of(printed: Formula) -> Formula:
    """The printed largest gap at equal smoothness with a kernel's own numbers."""

    def with_numbers(m: Numbers, kernel: str, beta: Real) -> Real:
        return printed(m, kappa_1=kernels.kappa_1(m, kernel), K_bar=kernels.K_bar(m, kernel), beta=beta)

    return with_numbers


def own_gap(m: Numbers, kernel: str, beta: Real) -> Real:
    """kappa_1 K_bar / (2 beta)."""
    return product(m, kernel) / beta / 2


def is_own(printed: Formula, kernel: str) -> bool:
    """Whether a formula of a kernel and beta is its largest gap at the smoothness beta."""
    m, beta = symbolic(), sympy.Symbol("beta", positive=True)
    proved_numbers = all(kernel_facts(kernel)[fact] for fact in ("supremum", "kappa_1", "decreasing"))
    return proved_numbers and sympy.simplify(printed(m, kernel=kernel, beta=beta) - own_gap(m, kernel, beta)) == 0


def square_against(kernel: str, level: Real) -> str | None:
    """The sign of kappa_1 K_bar - level^2, enclosed or exact."""
    m = arb()
    difference = product(m, kernel) - level**2
    return "=" if m.eq(difference, 0) else "<" if m.lt(difference, 0) else ">" if m.gt(difference, 0) else None


def with_kernel(claim: Claim, instances: list[Instance]) -> list[Instance]:
    """The instances in the claim's domains at which the kernel's own numbers meet its preconditions."""
    m = arb()

    def met(at: Instance) -> bool:
        numbers = {"kappa_1": kernels.kappa_1(m, at["kernel"]), "K_bar": kernels.K_bar(m, at["kernel"])}
        return all(truth(predicate, m, numbers) is True for predicate in claim.preconditions)

    return admitted(replace(claim, preconditions=()), [at for at in instances if met(at)])


def better(claim: Claim, relation: str) -> Iterator[Finding]:
    """The sense of Section 3.1, far from 0."""
    yield from far_out(claim, relation)


def equally_smooth(claim: Claim, relation: str) -> Iterator[Finding]:
    """The abstract's sentence, at equal smoothness: the table's kernels at all levels, every kernel; then other readings."""
    printed, envelope = claim.formulas["convolution_largest_gap_at_smoothness"], claim.formulas["envelope_largest_gap"]
    m = arb()
    exact = facts.usual(claim) and facts.largest_gap_order(envelope) == "="
    for kernel in KERNELS:
        low, high = ends(critical_level(m, kernel), 5)
        never_worse = exact and is_own(gap_of(printed), kernel) and square_against(kernel, m.frac(1, 2)) in ("<", "=")
        yield compared(
            f"{kernel}: the largest gaps at equal smoothness, every level",
            gap_of(printed),
            relation,
            envelope,
            known="<=" if never_worse else None,
            instances=with_kernel(claim, [{"kernel": kernel, "r": r, "beta": b} for r in ("0.5", "0.3") for b in ("1", "8")]),
            method="kappa_1 K_bar against 1/4, the least max(r, 1 - r)^2",
            severity=Severity.DOMAIN,
            survives=f"For the {kernel} kernel where max(r, 1 - r) >= {high}; the envelope is closer where it is below {low}.",
            lemmas=(facts.SCALED, FARTHEST),
            remark="equal at r = 1/2",
            printed="right",
        )
    yield compared(
        "the largest gaps at equal smoothness, a kernel of the paper's conditions that loses at every level: two steps",
        printed,
        relation,
        envelope,
        known=None,
        instances=admitted(claim, [{**facts.TWO_STEP, "r": r, "beta": "1"} for r in ("0.999", "0.7", "0.5")]),
        method="both sides enclosed",
        severity=Severity.DOMAIN,
        survives=EQUAL,
        lemmas=(facts.TWO_STEPS,),
    )
    yield from figure(claim, exact)


def figure(claim: Claim, exact: bool) -> Iterator[Finding]:
    """Other readings: the level of the paper's figure; after the best additive constants; at every residual."""
    m, printed = arb(), claim.formulas["convolution_largest_gap_at_smoothness"]
    won = all(is_own(gap_of(printed), kernel) and square_against(kernel, m.frac(7, 10)) == "<" for kernel in KERNELS)
    scope = "read of the figure: r = 0.7, the four kernels, every beta, largest gaps at equal smoothness"
    finding = proved(scope, exact and won, "kappa_1 K_bar < 0.49, enclosed", lemmas=(facts.SCALED, FARTHEST))
    yield replace(finding, reading=Reading.ANOTHER)
    half, envelope = gap_of(printed), claim.formulas["envelope_largest_gap"]
    shifted = compared(
        "read after the best additive constants, which halve both largest gaps (each gap comes down to 0): gaussian",
        lambda m, kernel, beta: half(m, kernel, beta) / 2,
        "<=",
        lambda m, r, beta: envelope(m, r=r, beta=beta) / 2,
        known=None,
        instances=with_kernel(claim, [{"kernel": "gaussian", "r": "0.5", "beta": "1"}]),
        method="both sides enclosed",
        severity=Severity.DOMAIN,
        survives=EQUAL,
        lemmas=(FARTHEST,),
    )
    yield replace(shifted, reading=Reading.ANOTHER)
    yield refuted(
        "read at every u: at u = 0 the envelope is exact, the convolution is not",
        "0",
        own_gap(m, "uniform", m.real(1)),
        {"kernel": "uniform", "u": "0", "beta": "1", "h": "0.5"},
        "uniform kernel, enclosed; the envelope's infimum at u = 0 is 0, at x = 0",
        Severity.DOMAIN,
        "From some |u| on the convolution is closer, for every kernel.",
        reading=Reading.ANOTHER,
    )


def far_from_median(claim: Claim, relation: str) -> Iterator[Finding]:
    """The same from a printed level on, for each kernel of the table."""
    printed, envelope = claim.formulas["kernel_largest_gap_at_smoothness"], claim.formulas["envelope_largest_gap"]
    exact = facts.usual(claim) and facts.largest_gap_order(envelope) == "="
    m = arb()
    for kernel in KERNELS:
        beyond_level = square_against(kernel, m.frac(*SUFFICIENT_LEVELS[kernel]))
        conditioned = beyond_level == "=" or far_enough_from_the_median in claim.tests
        known = {"=": "<=", "<": "<"}.get(beyond_level or "") if exact and conditioned and is_own(printed, kernel) else None
        tried = [{"kernel": kernel, "r": r, "beta": b} for r in LEVELS_NEAR for b in ("1", "0.125", "8")]
        finding = compared(
            f"{kernel}: largest gaps at equal smoothness, levels far enough from 1/2",
            printed,
            relation,
            envelope,
            known=known,
            instances=admitted(claim, tried),
            method="kappa_1 K_bar enclosed against the square of the least max(r, 1 - r) that the condition lets in",
            severity=Severity.CONSTANT,
            survives=EQUAL,
            lemmas=(facts.SCALED, FARTHEST),
            printed="left",
        )
        if finding.verdict is Verdict.CERTIFIED and beyond_level != "=":
            finding = replace(finding, given=(far_enough_from_the_median,))
        yield finding


LEVELS_NEAR = tuple(f"0.{n:03}" for n in (500, 470, 460, 530, 540, 436, 564, 565, 588, 589, 411, 700, 10, 990))


def lighter(left: str, right: str, claim: Claim, relation: str) -> Iterator[Finding]:
    """The printed comparison for the table's kernels in the order of their tails; then, read of every pair, for others."""
    first, second = claim.formulas[left], claim.formulas[right]
    for pair in facts.ORDER:
        yield in_table(pair, left, right, claim, relation)
    found = []
    for scope, pairs in facts.LIGHTER.items():
        finding = compared(
            f"read of every pair of kernels, {scope}: '{left}' against '{right}'",
            first,
            "<=",
            second,
            known=None,
            instances=admitted(claim, facts.at_scales(*pairs)),
            method="both sides enclosed",
            severity=Severity.DOMAIN,
            survives=ORDERED,
            lemmas=(facts.TWO_STEPS,) if "two steps" in scope else (),
        )
        found.append(finding)
    bad = [finding for finding in found if finding.verdict is Verdict.REFUTED]
    yield from (replace(finding, reading=Reading.ANOTHER) for finding in bad or found)


def in_table(pair: tuple[str, str], left: str, right: str, claim: Claim, relation: str) -> Finding:
    """The printed sides at the numbers of two kernels of the table, the one with the lighter tail first."""
    m, (low, high) = arb(), pair
    measure = kernels.kappa_1 if left == "lighter_gap" else product
    numbers = {"kappa_1": high, "K_bar": high, "kappa_1_lighter": low, "K_bar_lighter": low}

    def side(name: str) -> Formula:
        def with_numbers(m: Numbers, h: Real, beta: Real) -> Real:
            own = {key: getattr(kernels, key.removesuffix("_lighter"))(m, kernel) for key, kernel in numbers.items()}
            return apply(claim.formulas[name], m, {"h": h, "beta": beta, **own})

        return with_numbers

    known_numbers = all(kernel_facts(kernel)[fact] for kernel in pair for fact in ("supremum", "kappa_1", "decreasing"))
    smaller = known_numbers and m.lt(measure(m, low), measure(m, high)) is True and identified(left, right, claim)
    return compared(
        f"{low} against {high}, which has the heavier tail: '{left}' against '{right}'",
        side(left),
        relation,
        side(right),
        known="<" if smaller else None,
        instances=admitted(replace(claim, preconditions=()), [{"h": h, "beta": b} for h, b in (("1", "1"), ("0.25", "8"))]),
        method="kappa_1 enclosed" if measure is kernels.kappa_1 else "kappa_1 K_bar enclosed",
        severity=Severity.CONSTANT,
        survives=ORDERED,
        lemmas=(facts.TAILS, FARTHEST),
    )


def identified(left: str, right: str, claim: Claim) -> bool:
    """Whether the printed left side is at most the lighter kernel's own gap and the right at least the other's."""

    def own_lighter(m: Numbers, kappa_1_lighter: Real, K_bar_lighter: Real, h: Real, beta: Real) -> Real:
        return (h if left == "lighter_gap" else K_bar_lighter / beta) * kappa_1_lighter / 2

    def own_heavier(m: Numbers, kappa_1: Real, K_bar: Real, h: Real, beta: Real) -> Real:
        return (h if left == "lighter_gap" else K_bar / beta) * kappa_1 / 2

    low, high = order_of(claim.formulas[left], own_lighter, claim), order_of(own_heavier, claim.formulas[right], claim)
    return facts.usual(claim) and {low, high} <= {"=", "<", "<="}


def crossing_once(left: str, right: str, claim: Claim, relation: str) -> Iterator[Finding]:
    """The comparison for kernels whose densities cross once."""
    yield compared(
        f"every pair that crosses once: '{left}' against '{right}'",
        claim.formulas[left],
        relation,
        claim.formulas[right],
        known="<=" if identified(left, right, claim) else None,
        instances=admitted(claim, facts.at_scales(*facts.CROSSING_ONCE[left])),
        method="written lemma; both sides identified by computer algebra",
        severity=Severity.CONSTANT,
        survives="The kernel that is lighter from the one crossing on has the smaller gap at every u.",
        lemmas=(facts.ONCE, FARTHEST),
    )
    slopes = all(kernel_facts(kernel)[fact] for kernel in KERNELS for fact in ("decreasing", "supremum", "symmetric"))
    scope = f"the neighbours in Table 1's order of tails (compact, Gaussian, logistic) are such pairs: '{left}'"
    yield proved(scope, slopes, "written lemma; the densities' relative slopes by computer algebra", lemmas=(facts.TABLE_ONCE,))


SIDES = (("lighter_gap", "heavier_gap"), ("lighter_gap_at_smoothness", "heavier_gap_at_smoothness"))


def of_pairs(decide: Callable[..., Iterator[Finding]]) -> Callable[[Claim], list[Finding]]:
    return reading({key: value for sides in SIDES for key, value in every_sign(*sides, partial(decide, *sides)).items()})


JUDGES = {
    "quantile/sec-3.1-moreau": reading(MOREAU),
    "quantile/sec-3.1-better": reading(
        every_sign("c_h - quantile_loss for all large |u|", "quantile_loss - envelope", better)
        | every_sign("convolution_largest_gap_at_smoothness", "envelope_largest_gap", equally_smooth)
    ),
    "quantile/sec-3.1-better-amended": reading(
        every_sign("kernel_largest_gap_at_smoothness", "envelope_largest_gap", far_from_median)
    ),
    "quantile/fig-1b": of_pairs(lighter),
    "quantile/fig-1b-amended": of_pairs(crossing_once),
}
MUTANTS = {
    "quantile/sec-3.1-moreau": mutants.of_envelope,
    "quantile/sec-3.1-better": mutants.of_far_out,
    "quantile/fig-1b": mutants.of_table,
    "quantile/sec-3.1-better-amended": mutants.of_levels,
    "quantile/fig-1b-amended": mutants.of_pairs,
}
