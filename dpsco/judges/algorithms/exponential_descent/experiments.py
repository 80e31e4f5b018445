"""Judges of the experiments on private predict-then-optimize: their calibration, the printed table by itself, the trends read
from it, and what our own runs say of them."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from inspect import signature

import sympy

from dpsco.arguments.algorithms.descent.shown_privacy import exponential, gaussian
from dpsco.arguments.algorithms.printed_trends import formula_trend, printed_trend, sampled_trend
from dpsco.arguments.algorithms.simulated_trends import Row, rows, selected, simulated_trend
from dpsco.arguments.assertions import by_assertion, known_release
from dpsco.arguments.comparing import compare, every_sign, proved, refuted
from dpsco.arguments.formula import apply
from dpsco.mutants.algorithms.exponential_descent import experiments as mutants
from dpsco.reference.numbers.enclosure import arb
from dpsco.reference.numbers.symbolic import expression
from dpsco.reference.privacy.gaussian import profile, solve_mu
from dpsco.spec.algorithms.exponential_descent import algorithm
from dpsco.spec.algorithms.exponential_descent.experiments import EXPONENTIAL_BY_EPSILON, GAUSSIAN_BY_DELTA, GAUSSIAN_BY_EPSILON
from dpsco.spec.algorithms.exponential_descent.experiments import loss_exceeds as tail
from dpsco.spec.claim import Claim, Relation
from dpsco.spec.privacy.randomised_response import favoured, unfavoured
from dpsco.verdict import Finding, Reading, Rung, Severity, Verdict

RELEASES = ("the output c_hat and w*(c_hat), or the transcript", "the transcript, and so c_hat and w*(c_hat)")
METHODS = ("non-private", "exponential", "gaussian")
LOSS = "mean_spo_loss"
PRINTED = {
    f"{LOSS} of exponential descent by epsilon": (EXPONENTIAL_BY_EPSILON, "EXPONENTIAL_BY_EPSILON"),
    f"{LOSS} of Gaussian descent by epsilon": (GAUSSIAN_BY_EPSILON, "GAUSSIAN_BY_EPSILON"),
    f"{LOSS} of Gaussian descent by delta": (GAUSSIAN_BY_DELTA, "GAUSSIAN_BY_DELTA"),
}
TABLES = {
    ("exponential descent", "epsilon"): EXPONENTIAL_BY_EPSILON,
    ("Gaussian descent", "epsilon"): GAUSSIAN_BY_EPSILON,
    ("Gaussian descent", "delta"): GAUSSIAN_BY_DELTA,
}
REPEATS = 5
"""Repetitions of the figure; the table names none."""
SURVIVES_TREND = "The means fall for Gaussian descent in epsilon, for exponential descent up to 5, in delta up to 0.25."
SURVIVES_LOSS = "The privacy loss exceeds epsilon with a probability above the least delta: spo/sec-7-trend-amended."


def figure(claim: Claim) -> Iterator[Finding]:
    """Whether the private runs are private, and whether losses fall in n."""
    table: dict[Relation, Callable[[Claim], Iterator[Finding]]] = {Relation(LOSS, "is", "decreasing in n"): falls_in_n}
    for relation in claim.asserts:
        asked = re.fullmatch(r"\(([\d.]+), ([\d.]+)\)-DP", relation.right)
        if asked is not None and (relation.left, relation.sign) == ("the private runs", "is"):
            table[relation] = partial(private, asked[1], asked[2])
    yield from known_release(claim, *RELEASES)
    yield from by_assertion(claim, table)


def private(epsilon: str, delta: str, claim: Claim) -> Iterator[Finding]:
    """Both descents at the printed calibration."""
    yield from gaussian(claim, epsilon, delta)
    yield from exponential(claim, epsilon, delta)


def falls_in_n(claim: Claim) -> Iterator[Finding]:
    """The curves are a picture; beside it our own runs of each method, and of exponential descent at Theorem 3's epsilon_0."""
    yield Finding(scope="the curves of the figure", verdict=Verdict.OPEN, reason="the picture is not at hand")
    found = selected(rows(), experiment="fig-3")
    for method in (*METHODS, "exponential, epsilon_0"):
        yield simulated_trend(f"our own runs, {method}, losses against n", selected(found, method=method), "n")


def measured(claim: Claim) -> Iterator[Finding]:
    """The table by itself: measurements at settings that are not printed, and ours beside them."""
    table: dict[Relation, Callable[[Claim], Iterator[Finding]]] = {
        Relation(left, "=", right): partial(cells, left, numbers) for left, (numbers, right) in PRINTED.items()
    }
    yield from by_assertion(claim, table)


def cells(left: str, numbers: dict[str, tuple[str, str]], claim: Claim) -> Iterator[Finding]:
    """Means and variances of losses that are not negative: no sample variance of k such exceeds k times the mean's square."""
    scope = f"{len(numbers)} printed means and variances: {left}"
    ratios = [float(variance) / float(mean) ** 2 for mean, variance in numbers.values()]
    most = max(ratios)
    if most > REPEATS:
        yield Finding(
            scope=scope, verdict=Verdict.OPEN, reason=f"a variance of {most:.3g} squared means needs more repetitions"
        )
        return
    reason = f"variances are at most {most:.2g} squared means, as for {REPEATS} losses that are not negative"
    yield Finding(
        scope=scope,
        verdict=Verdict.STATED,
        method="arithmetic on the printed decimals",
        reason=f"measured; the law of the features, eta, L, delta or epsilon and the repetitions are not printed. {reason}",
    )
    method = "exponential" if "exponential" in left else "gaussian"
    name = "delta" if left.endswith("delta") else "epsilon"
    held = {} if name == "delta" else {"delta": 0.4}
    for variant in (method, "exponential, epsilon_0") if method == "exponential" else (method,):
        found = selected(rows(), experiment="table-1", method=variant, **held)
        yield _beside(f"our own runs, {variant}", numbers, {f"{row[name]:g}": row for row in found}, name)


def _beside(scope: str, numbers: dict[str, tuple[str, str]], ours: Mapping[str, Row], name: str) -> Finding:
    """Our means against the printed ones, setting by setting: quotients. A thousandfold everywhere is another experiment."""
    both = [(key, ours[key]["mean"] / float(mean)) for key, (mean, _) in numbers.items() if key in ours]
    if len(both) < len(numbers):
        return Finding(scope=scope, verdict=Verdict.OPEN, reason="no runs at hand", reading=Reading.MEANT)
    shown = ", ".join(f"{name} {key}: {ratio:.3g}" for key, ratio in both)
    far = max(ratio for _, ratio in both) > 1000
    return Finding(
        scope=scope,
        verdict=Verdict.INCONSISTENT if far else Verdict.OPEN,
        rung=Rung.SAMPLE,
        method="quotients of our means and the printed ones",
        effort=f"{len(both)} settings, {min(int(ours[key]['repeats']) for key, _ in both)} repeats each",
        reason=f"{'more than a thousandfold somewhere' if far else 'settings differ, no quotient can decide'}: {shown}",
        reading=Reading.MEANT,
    )


def trends(claim: Claim) -> Iterator[Finding]:
    """The sentences on epsilon and delta against the table, the paper's own rates, Algorithm 1 and the privacy loss."""
    table: dict[Relation, Callable[[Claim], Iterable[Finding]]] = {
        Relation(LOSS, "is", "decreasing in epsilon"): partial(whole_trend, "epsilon"),
        Relation(LOSS, "is", "decreasing in delta"): partial(whole_trend, "delta"),
        Relation("P[the run is epsilon-DP]", "=", "1 - delta"): probability,
        **every_sign("loss_exceeds", "least_delta", lambda claim, sign: [loss_against_delta(claim, sign)]),
    }
    for relation in claim.asserts:
        trend = re.fullmatch(r"(decreasing|increasing) in (epsilon|delta)", relation.right)
        column = re.fullmatch(rf"{LOSS} of (\w+ descent) in Table 1(?: up to ([\d.]+))?", relation.left)
        if trend is None or relation.sign != "is":
            continue
        falling, name = trend[1] == "decreasing", trend[2]
        if column is not None and (column[1], name) in TABLES:
            table[relation] = partial(one_column, column[1], name, falling, column[2])
        elif relation.left in claim.formulas:
            table[relation] = partial(one_rate, relation.left, name, falling)
    # the decided sentence first: the two on losses are open, and their remarks long
    yield from sorted(by_assertion(claim, table), key=lambda f: (f.verdict, f.reading) != (Verdict.REFUTED, Reading.PRINTED))


def one_column(method: str, name: str, falling: bool, largest: str | None, claim: Claim) -> Iterator[Finding]:
    yield printed_trend(f"Table 1, {method}", TABLES[method, name], name, falling, largest, SURVIVES_TREND)


def one_rate(formula: str, name: str, falling: bool, claim: Claim) -> Iterator[Finding]:
    yield formula_trend(claim, claim.formulas[formula], name, falling)


def whole_trend(name: str, claim: Claim) -> Iterator[Finding]:
    """Decreasing in epsilon or delta: what the printed means can tell, and beside it the rates and our own runs."""
    for (method, by), numbers in TABLES.items():
        if by == name:
            yield sampled_trend(f"Table 1, {method}, means that samples estimate", numbers, name, REPEATS)
    drawn = (algorithm.step, favoured, unfavoured, claim.formulas["rate_exponential"])
    if name == "delta" and not any("delta" in signature(formula).parameters for formula in drawn):
        yield Finding(
            scope="exponential descent as Algorithm 1 and Theorem 4 have it, every step with epsilon",
            verdict=Verdict.REFUTED,
            rung=Rung.EXACT,
            method="delta enters neither the odds of a direction nor the step length nor the rate: the run's law is free of it",
            severity=Severity.CONCLUSION,
            survives="With the per-step epsilon_0 of Theorem 3 delta does enter.",
            reading=Reading.ANOTHER,  # the sentence names no algorithm, and the table varies delta for Gaussian descent only
        )
    for rate in ("rate_exponential", "rate_gaussian"):
        seen = formula_trend(claim, claim.formulas[rate], name, True)
        yield replace(seen, scope=f"the paper's own {rate}: {seen.scope}", reading=Reading.ANOTHER)
    held = {"epsilon": 10.0} if name == "delta" else {"delta": 0.4}
    for method in METHODS[1:] if name == "epsilon" else METHODS[2:]:
        found_rows = selected(rows(), experiment="table-1", method=method, **held)
        yield simulated_trend(f"our own runs, {method}, losses against {name}", found_rows, name)


def probability(claim: Claim) -> Iterator[Finding]:
    """delta as the probability that the run is not epsilon-DP."""
    m = arb()
    at = {"epsilon": "10", "delta": "0.4"}
    mu = m.real(solve_mu(*at.values()))
    within = 1 - apply(tail, m, {"epsilon": m.real(10), "mu": mu})
    if m.lt(within, m.real("0.6")) is True:
        scope = "Gaussian descent whose noise makes it exactly (10, 0.4)-DP: privacy loss at most epsilon"
        how = "shift from the profile, tail of the privacy loss, both enclosed; probability on the worst pair"
        yield refuted(scope, "0.6", within, at, how, Severity.CONCLUSION, SURVIVES_LOSS)
    if m.gt(profile(m, m.real(1000), mu), 0) is True:
        scope = "Gaussian descent, 'epsilon-DP' to the letter"
        how = (
            "epsilon-DP is a property of the algorithm's law, no event; a Gaussian's least delta is positive at every "
            "epsilon (its loss is unbounded), so the probability is 0"
        )
        yield refuted(scope, "0.6", "0", at, how, Severity.CONCLUSION, SURVIVES_LOSS, Rung.EXACT)


def loss_against_delta(claim: Claim, sign: str) -> Finding:
    """P(loss > epsilon) less the least delta, to the letter e^epsilon Phi(-mu/2 - epsilon/mu) > 0; else enclosed."""
    scope, m = "every epsilon > 0 and mu > 0", arb()
    left, right = (claim.formulas[name] for name in ("loss_exceeds", "least_delta"))
    e, mu = sympy.Symbol("epsilon", positive=True), sympy.Symbol("mu", positive=True)
    rest = sympy.exp(e) * sympy.Function("Phi")(-mu / 2 - e / mu)
    exact = sympy.simplify(expression(left, claim.parameters) - expression(right, claim.parameters) - rest) == 0
    for one, two in (("1", "1"), ("10", "3"), ("0.1", "5"), ("3", "0.5"), ("5", "20")):
        values = {"epsilon": m.real(one), "mu": m.real(two)}
        a, b = apply(left, m, values), apply(right, m, values)
        if compare(m, a, sign, b) is False:
            return refuted(
                scope,
                b,
                a,
                {"epsilon": one, "mu": two},
                method="both sides enclosed",
                severity=Severity.CONCLUSION,
                survives="The tail of the loss exceeds the least delta by e^epsilon Phi(-mu/2 - epsilon/mu).",
            )
    return proved(scope, exact and sign in (">", ">="), "computer algebra: the difference is e^epsilon Phi(-mu/2 - epsilon/mu)")


JUDGES = {
    "spo/fig-3": figure,
    "spo/fig-3-amended": figure,
    "spo/table-1": measured,
    "spo/sec-7-trend": trends,
    "spo/sec-7-trend-amended": trends,
}

MUTANTS = {"spo/fig-3-amended": mutants.of_calibration, "spo/sec-7-trend-amended": mutants.of_trends}
