"""What is true of an exhibit's question: enclosures by dpsco's own profiles, each named in an exhibit's `truth`.

Every function returns the ends of an interval that provably holds the value, as decimals.
"""

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any, Final

from dpsco.audit.blackbox.bounds import lower
from dpsco.reference.numbers.enclosure import arb
from dpsco.reference.privacy import gaussian
from dpsco.reference.privacy.subsampling import epsilon_of
from dpsco.reference.rounding import downward, upward
from dpsco.spec.claim import Adjacency
from dpsco.spec.numbers import Real
from dpsco.spec.privacy.subsampling import Sampling

Ends = tuple[str, str]

BITS: Final = 256


def exact(value: str) -> Ends:
    """A number that needs no computation, or inf."""
    if value == "inf":
        return value, value
    ball = arb(BITS).real(Fraction(value))
    return _ends(ball)


def gaussian_epsilon(delta: str, mu: str) -> Ends:
    """The least epsilon at delta of Gaussian answers with sensitivity over sigma `mu`."""
    return _ends(gaussian.solve_epsilon(delta, mu))


def gaussian_sigma(epsilon: str, delta: str) -> Ends:
    """The least sigma of one Gaussian answer of sensitivity 1 that is (epsilon, delta)-DP."""
    return _ends(1 / gaussian.solve_mu(epsilon, delta))


def sampled_epsilon(delta: str, noise: str, rate: str, steps: int) -> Ends:
    """The least epsilon at delta of DP-SGD with Poisson sampling, for one record more or less."""
    m = arb(BITS)
    found = epsilon_of(
        m.real(Fraction(delta)), 1 / m.real(noise), Fraction(rate), steps, Sampling.POISSON, Adjacency.ADD_REMOVE
    )
    return repr(downward(found.lower)), repr(upward(found.upper))


def sampled_noise(epsilon: str, delta: str, rate: str, steps: int, low: str, high: str) -> Ends:
    """The least noise for which DP-SGD with Poisson sampling is (epsilon, delta)-DP, between two that enclosures decide.

    Raises   ValueError where they do not
    """
    few, many = sampled_epsilon(delta, low, rate, steps), sampled_epsilon(delta, high, rate, steps)
    if not float(few[0]) > float(epsilon) >= float(many[1]):
        raise ValueError(f"low = {low}, high = {high}: epsilon {few} and {many} are not on either side of {epsilon}")
    return low, high


def sampled_zero(delta: str, noise: str, rate: str, steps: int) -> Ends:
    """The least epsilon of DP-SGD where it is 0: delta exceeds steps times rate times the total variation of one sum.

    Raises   ValueError where it does not
    """
    m = arb(BITS)
    variation = gaussian.profile(m, m.real(0), 1 / m.real(noise))
    if m.lt(steps * m.real(Fraction(rate)) * variation, m.real(delta)) is not True:
        raise ValueError(f"delta = {delta}: not above steps * rate * the total variation of one step")
    return "0.0", "0.0"


def steps_sigma(epsilon: str, delta: str, steps: int) -> Ends:
    """The least sigma of `steps` Gaussian answers of sensitivity 1 that are (epsilon, delta)-DP together."""
    m = arb(BITS)
    return _ends(m.sqrt(m.real(steps)) / gaussian.solve_mu(epsilon, delta))


def sampled_sigma(epsilon: str, delta: str, rate: str) -> Ends:
    """The least sigma of one Gaussian sum of sensitivity 1 over a Poisson sample that is (epsilon, delta)-DP.

    Removing a record asks for q profile(ln(1 + (e^epsilon - 1)/q), mu) <= delta, which at epsilon > 0 is more than adding one.
    """
    m = arb(BITS)
    q = m.real(Fraction(rate))
    inner = m.log1p(m.expm1(m.real(epsilon)) / q)
    asked = m.real(delta) / q
    low = gaussian.solve_mu(inner.upper(), asked.upper())
    high = gaussian.solve_mu(inner.lower(), asked.lower())
    return _ends(1 / low.lower().union(high.upper()))


def discrete_laplace_tail(scale: str, least: int) -> Ends:
    """The probability that discrete Laplace noise is `least` or more: e^{-least/s} / (1 + e^{-1/s})."""
    m = arb(BITS)
    s = m.real(scale)
    return _ends(m.exp(-least / s) / (1 + m.exp(-1 / s)))


def discrete_gaussian_tail(sigma: str, least: int) -> Ends:
    """The probability that discrete Gaussian noise is `least` or more; beyond 40 sigma a geometric sum bounds it."""
    m = arb(BITS)
    s = m.real(sigma)
    last = 40 * int(float(sigma) + 1)

    def weight(k: int) -> Real:
        return m.exp(-m.real(k * k) / (2 * s * s))

    beyond = m.real(0).union((weight(last + 1) / (1 - m.exp(-m.real(last) / (s * s)))).upper())
    tail = sum((weight(k) for k in range(least, last + 1)), beyond)
    half = sum((weight(k) for k in range(1, last + 1)), beyond)
    return _ends(tail / (1 + 2 * half))


def permute_and_flip_rho(gap: int, epsilon: str) -> Ends:
    """The rho of permute-and-flip on two scores: at least the divergences of (0, 0) from scores `gap` apart, over their order,
    in both directions, at orders on a grid; at most epsilon^2/2, as of everything that is epsilon-DP.
    """
    m = arb(BITS)
    flip = m.exp(m.real(-gap)) / 2
    even, uneven = (m.frac(1, 2), m.frac(1, 2)), (1 - flip, flip)
    rhos = []
    for p, q in ((even, uneven), (uneven, even)):
        for tenth in range(11, 100):
            order = m.frac(tenth, 10)
            moment = sum((x**order * y ** (1 - order) for x, y in zip(p, q, strict=True)), m.real(0))
            rhos.append(m.log(moment) / (order - 1) / order)
    least = m.max(*rhos)
    return repr(downward(least)), repr(upward(m.real(epsilon) ** 2 / 2))


def wishart_delta(epsilon: str) -> Ends:
    """The delta at every epsilon of x'x + w for one feature, w the sum of two squared normals of deviation 1/(2 epsilon).

    w is below 1 with probability 1 - e^{-2 epsilon^2}; with a record of norm 1 in the data the answer is never below 1.
    """
    m = arb(BITS)
    return _ends(-m.expm1(-2 * m.real(epsilon) ** 2))


def reused_sample(epsilon: str, rate: str, answers: int) -> Ends:
    """The epsilon of `answers` Laplace answers, each epsilon-DP, of one sample: ln(1 + q (e^{k epsilon} - 1)), attained."""
    m = arb(BITS)
    return _ends(m.log1p(m.real(Fraction(rate)) * m.expm1(answers * m.real(epsilon))))


def observed(count: int, size: int) -> Ends:
    """The probability of an event seen `count` times in `size` runs: at least its Clopper-Pearson limit at error 1e-9."""
    return repr(lower(count, size, 1e-9)), "1.0"


def _ends(ball: Real) -> Ends:
    return repr(downward(ball)), repr(upward(ball))


TRUTHS: Final[Mapping[str, Callable[..., Ends]]] = {
    function.__name__: function
    for function in (
        exact,
        gaussian_epsilon,
        gaussian_sigma,
        sampled_epsilon,
        sampled_noise,
        sampled_zero,
        steps_sigma,
        sampled_sigma,
        discrete_laplace_tail,
        discrete_gaussian_tail,
        permute_and_flip_rho,
        wishart_delta,
        reused_sample,
        observed,
    )
}


def enclosed(truth: Mapping[str, Mapping[str, Any]]) -> Ends:
    """The enclosure that a record's `truth` names.

    Raises   ValueError for a name that is no function here
    """
    ((name, arguments),) = truth.items()
    if name not in TRUTHS:
        raise ValueError(f"truth = {name!r}: one of {sorted(TRUTHS)}")
    return TRUTHS[name](**arguments)
