"""The minimax risk of private quantile fits, from above by explicit algorithms and from below by explicit distributions.

Every bound is a multiple of w B B_x, w = max(r, 1 - r), or of rho B B_x, rho = min(r, 1 - r), times a monomial in n, d,
epsilon and delta: what the hidden constants may depend on, and what they may not.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

import sympy

from dpsco.arguments.analysis.rate_monomials import Beside, Path, Powers, Space, Term, covered, nothing_beside, paths
from dpsco.arguments.comparing import certified, refuted
from dpsco.reference.numbers.enclosure import arb, ends
from dpsco.spec.claim import Adjacency, Claim
from dpsco.spec.numbers import Numbers, Real, Truth
from dpsco.verdict import Finding, Lemma, Reading, Rung, Severity, Verdict

SPACE = Space(
    {"n": sympy.Integer(8), "d": sympy.Integer(2), "epsilon": sympy.Rational(1, 2), "delta": sympy.Rational(1, 4)},
    {"d": (0, 1, 2, 4, 6), "n": (0, 2, 4), "epsilon": (0, -1, -2), "delta": (0, -1, -2, -3, -20)},
)
NOTHING = SPACE.powers()
SHOWN = 10**12
"""The N at which a path's numbers are shown."""
ONE = (Adjacency.REPLACE_ONE,)
UNBOUNDED = Lemma(
    "outcomes without bound",
    "x = B_x e_1, y = M with probability 1 - r + v t, else 0, v = 1 or -1: the excesses over the least risk on R^d add up to "
    "at least t M, at every decision. For t small enough the n draws for v = 1 and -1 are not told apart with certainty by "
    "any map, so the larger expected excess is at least c M with c > 0, and M is free.",
)
ZERO = Lemma(
    "answering 0",
    "The answer 0 reads no data. The loss is w|x|-Lipschitz in theta, w = max(r, 1 - r), so against every comparator in the "
    "ball its excess is at most w B_x B, against every comparator in the box at most w B_x B sqrt(d).",
    ONE,
)
SUBSET = Lemma(
    "one pass over a random subset",
    "k = floor(delta n) >= 1 records drawn without replacement, one pass of projected subgradient descent over them from 0, "
    "steps B/(w B_x sqrt(k)), the average is the answer. A replaced record is among them with probability k/n <= delta, so the "
    "answers' laws differ by at most delta in total variation: (0, delta)-DP. Its k records are independent draws: excess "
    "over every comparator in the ball at most w B B_x/sqrt(k), k >= delta n/2; a factor sqrt(d) more for the box.",
    ONE,
)
PERTURBED = Lemma(
    "regularised fit plus Gaussian noise",
    "theta_hat minimises the empirical risk + lambda |theta|^2/2 over R^d, L = w B_x: replacing a record moves it by at most "
    "D = 2 L/(lambda n). The answer is theta_hat + N(0, (D s)^2 I), s = sqrt(2 ln(1.25/delta))/epsilon, private for epsilon < "
    "1 (Dwork and Roth 2014, Theorem A.1). Noise enters a loss through its product with x alone, a normal of deviation at most "
    "B_x D s in every dimension. Excess over theta* in the ball: lambda B^2/2 + L D (1 + s), least 2 L B sqrt((1 + s)/n).",
    ONE,
)
FLIPPED = Lemma(
    "what a private answer tells two data sets apart",
    "For (epsilon, delta)-DP answers on neighbours every event has P - P' <= beta = (e^epsilon - 1 + 2 delta)/(e^epsilon + 1): "
    "add P <= e^epsilon P' + delta and 1 - P' <= e^epsilon (1 - P) + delta. By steps, K replaced records give at most K beta, "
    "and for coupled samples at most beta E K. beta <= epsilon/2 + delta.",
    ONE,
)
SPREAD = Lemma(
    "d quantiles of one coordinate each",
    "x = B_x e_j, j uniform, y = a with probability 1 - r + v_j t, else -a, a = B_x B/sqrt(d), v in {-1, 1}^d, 0 < t <= rho. "
    "The risk is least over R^d at (B/sqrt(d)) v, in the ball and in the box, and the excess of any theta in R^d is at least "
    "(t a/d) times the number of j with v_j theta_j <= 0. Samples for v and for v with v_j turned are coupled with E K = 2 t "
    "n/d replaced records; so averaged over v the excess is at least (t a/2)(1 - 2 t n beta/d), by t = min(rho, d/(4 n beta)) "
    "at least B B_x min(rho/(4 sqrt(d)), sqrt(d)/(16 n beta)). For delta <= epsilon beta <= 3 epsilon/2; with d <= n epsilon "
    "it is at least rho B B_x sqrt(d)/(12 n epsilon), as rho <= 1/2.",
    ONE,
)
TWO_POINTS = Lemma(
    "two distributions, no privacy",
    "The same with d = 1, t = rho/(4 sqrt(n)): the divergence of n draws is at most 4 n t^2/(q (1 - q)) <= 4/15, q (1 - q) >= "
    "15 rho/32, their total variation at most sqrt(2/15), and the excess at least (t a/2)(1 - sqrt(2/15)) >= rho B B_x/(13 "
    "sqrt(n)).",
)
FINGERPRINT = Lemma(
    "fingerprints of linear losses",
    "p uniform in [-1, 1]^d; x = 0 with probability 1 - t, else independent signs of mean p times B_x/sqrt(d); y = B B_x for r "
    ">= 1/2, -B B_x below: on the ball the loss is w|y - theta'x|, linear. With theta = B f(data), b_i = 1{x_i not 0}, s_i the "
    "signs: E sum_i b_i f'(s_i - p) = 2 E f'p, since the integral of (1 - p^2) g'(p) over [-1, 1] is that of 2 p g(p). With "
    "record i drawn anew, f'(s_i - p) has mean 0, absolute mean at most 1 and size at most 2 sqrt(d), so privacy keeps the sum "
    "below n t (sinh(epsilon) + 4 sqrt(d) delta). The least risk in the ball is at theta along p, E|p| >= sqrt(d)/2; the mean "
    "excess is at least (w t B B_x/2)(1 - n t (sinh(epsilon) + 4 sqrt(d) delta)/sqrt(d)). For epsilon <= 1 and sqrt(d) delta "
    "<= epsilon the bracket is at least 1 - 5.2 n t epsilon/sqrt(d); t = min(1, sqrt(d)/(10.4 n epsilon)) gives, for sqrt(d) "
    "<= n epsilon, at least w B B_x sqrt(d)/(42 n epsilon).",
    ONE,
)
TWO_LINES = Lemma(
    "two linear losses, no privacy",
    "x = B_x e_1 with probability (1 + v t)/2, else -B_x e_1, v in {-1, 1}, t = 1/(2 sqrt(n)), y as for the fingerprints: the "
    "excesses at v = 1 and v = -1 add up to 2 w B B_x t. Divergence of n draws at most 2 n t^2/(1 - t^2) <= 2/3, total "
    "variation at most sqrt(1/3), so the larger excess is at least w B B_x t (1 - sqrt(1/3)) >= w B B_x/(5 sqrt(n)).",
)
COMBINED = Lemma(
    "geometric means",
    "A monomial that is prod P_i^l_i / prod g_i^u_i with l, u >= 0, sum l = 1 and g_i >= 1 is at most max P_i.",
)


@dataclass(frozen=True)
class Algorithm:
    """An algorithm with its bound: exponents, value over `unit`, where it answers, and when the bound applies."""

    lemma: Lemma
    power: Powers
    over: Callable[[Numbers, Mapping[str, Real]], Real]
    where: str
    at_least_one: Powers = ()
    """A monomial that must not fall below its value at N = 1; none if empty."""


@dataclass(frozen=True)
class Below:
    """What is proved from below: monomials, one constant for their maximum, and what is at least 1 by which conditions."""

    proved: tuple[Powers, ...]
    constant: str
    at_least_one: tuple[Powers, ...]
    given: tuple[Callable[..., Truth], ...]
    lemmas: tuple[Lemma, ...]


@dataclass(frozen=True)
class Question:
    """What is compared with a rate: in words, its unit, bounds from above and below, and what survives a refutation."""

    scope: str
    unit: str
    algorithms: tuple[Algorithm, ...]
    below: Below
    survives: str
    space: Space = SPACE
    beside: Beside = nothing_beside


BALL = "answers and comparator in the ball"
ANSWER_ZERO = Algorithm(ZERO, NOTHING, lambda m, v: m.real(1), BALL)
ONE_PASS = Algorithm(
    SUBSET,
    SPACE.powers(n="-1/2", delta="-1/2"),
    lambda m, v: 1 / m.sqrt(m.floor(v["delta"] * v["n"])),
    BALL,
    SPACE.powers(n=1, delta=1),
)
NOISY_FIT = Algorithm(
    PERTURBED,
    SPACE.powers(n="-1/2", epsilon="-1/2"),
    lambda m, v: 2 * m.sqrt((1 + m.sqrt(2 * m.log(m.frac(5, 4) / v["delta"])) / v["epsilon"]) / v["n"]),
    "answers in R^d, theta* in the ball",
)


def at_least_rate(claim: Claim, rate: Sequence[Term], asked: Question, *beside: Question) -> Iterator[Finding]:
    """Is the quantity Omega(rate)? A finding for each algorithm whose bound over the rate vanishes along a path, else proved.

    beside   the same question on other paths, where it may only fail
    """
    found = {bad.scope: bad for question in (*beside, asked) for bad in _contradictions(claim, rate, question)}
    yield from found.values() or [_certified(claim, rate, asked)]


def _contradictions(claim: Claim, rate: Sequence[Term], asked: Question) -> Iterator[Finding]:
    """An algorithm after the first is shown on a path where those before it do not vanish: for a fault of its own."""
    inside = paths(claim, asked.space, asked.beside)
    for i, algorithm in enumerate(asked.algorithms):
        before = asked.algorithms[:i]
        own = (p for p in inside if vanishes(p, algorithm, rate) and not any(vanishes(p, a, rate) for a in before))
        path = next(own, None)
        if path is not None:
            yield _refuted(claim, rate, algorithm, path, asked)


def vanishes(path: Path, algorithm: Algorithm, rate: Sequence[Term]) -> bool:
    """Whether the algorithm's bound over the rate tends to 0: powers of N decide, logarithms do not."""
    applies = not algorithm.at_least_one or path.growth(algorithm.at_least_one) >= 0
    return applies and any(path.growth(term.powers) > path.growth(algorithm.power) for term in rate)


def _refuted(claim: Claim, rate: Sequence[Term], algorithm: Algorithm, path: Path, asked: Question) -> Finding:
    m = arb()
    at = {name: m.real(value) for name, value in path.at(SHOWN).items()}
    largest = max((_value(m, term, at) for term in rate), key=lambda value: float(value.mid()))
    fixed = path.growth(asked.space.powers(d=1)) == 0
    wide = " (or in the box: d is fixed, a factor sqrt(d))" if algorithm.where == BALL and fixed else ""
    return refuted(
        f"{asked.scope}: {algorithm.lemma.name}",
        f"at least a constant times {ends(largest)[0]}",
        ("0", ends(algorithm.over(m, at))[1]),
        {"path": str(path), "N": str(SHOWN), "unit": asked.unit},
        method=f"the algorithm's bound over the rate tends to 0 along the path; both shown at N = {SHOWN}",
        severity=Severity.DOMAIN,
        survives=asked.survives,
        rung=Rung.EXACT,
        adjacency=claim.adjacency,
        release=algorithm.where + wide,
        lemmas=(algorithm.lemma,),
    )


def _value(m: Numbers, term: Term, at: Mapping[str, Real]) -> Real:
    value = m.real(str(sympy.N(term.factor, 40)))
    for base, power in zip(at.values(), term.powers, strict=True):
        value = value * _power(m, base, power)
    return value * _power(m, m.log(at["d"]), term.logs)


def _power(m: Numbers, base: Real, power: Fraction) -> Real:
    return m.exp(m.log(base) * m.frac(power.numerator, power.denominator)) if power else m.real(1)


def _certified(claim: Claim, rate: Sequence[Term], asked: Question) -> Finding:
    below, scope = asked.below, asked.scope
    if any(test not in claim.tests for test in below.given):
        return Finding(scope=scope, verdict=Verdict.OPEN, reason="no path refutes it, and the proof needs a condition more")
    shown = [covered(term.powers, below.proved, below.at_least_one) for term in rate]
    least_two = claim.parameter("d").domain.contains(arb(), 1) is False
    logs = all(term.logs == 0 or (term.logs < 0 and least_two) for term in rate)
    if not logs or any(multipliers is None for multipliers in shown):
        return Finding(scope=scope, verdict=Verdict.OPEN, reason="no path of those tried refutes it, and no proof")
    factor = sum((term.most for term in rate), start=sympy.Integer(0))
    return certified(
        scope,
        f"at least {below.constant} times the largest proved monomial, and each term of the rate lies below these by "
        f"its exponents; so at least {below.constant}/({factor}) times the rate",
        *below.lemmas,
        COMBINED,
        adjacency=claim.adjacency,
        given=below.given,
    )


def over_the_whole_space(outcomes: str, reading: Reading = Reading.PRINTED) -> Finding:
    """theta* over R^d and outcomes without bound: an infinite supremum is above every rate."""
    printed = ", as printed" if reading is Reading.PRINTED else ""
    return Finding(
        scope=f"theta* over R^d, real {outcomes}{printed}",
        reading=reading,
        verdict=Verdict.VACUOUS,
        rung=Rung.EXACT,
        method=f"two distributions with {outcomes} 0 and M, M without bound",
        lemmas=(UNBOUNDED,),
        reason="true only because the supremum is infinite for every map: it says nothing of n, d or epsilon; with theta* in a "
        "ball it is false, see the findings on that reading",
    )
