"""Amplification by shuffling: the pair that dominates every shuffled pure randomiser, and one that is attained.

Both profiles have one form, g b(j - 1) - h P(K >= j), with b the probabilities of a binomial K: the records that hide the
changed one. `clones` and `binary` are the sums as they stand; `delta_upper` and `delta_lower` enclose them for a million
records, by recurrences, with what is left out charged.
"""

from dpsco.reference.literal import literal
from dpsco.spec.numbers import Numbers, Real
from dpsco.spec.privacy import shuffling as spec

LARGEST = 10_000_000
BITS_OF_MASS = (160, 640, 2560, 10240)
"""Binary orders of magnitude of the probability of C that are kept, one after the other until little is left out."""


@literal(spec.clones)
def clones(m: Numbers, epsilon: Real, epsilon_0: Real, n: Real) -> tuple[Real, Real]:
    others, (g, h), share = int(n) - 1, factors(m, epsilon, epsilon_0), 1 / m.exp(epsilon_0)
    total = size = m.real(0)
    if g == 0:
        return total, size
    for c in range(others + 1):
        weight = m.binomial(others, c) * share**c * (-m.expm1(-epsilon_0)) ** (others - c)
        j = int(m.floor((c + 1) * (1 + lean(m, epsilon, epsilon_0)) / 2)) + 1
        tail = sum((m.binomial(c, k) for k in range(j, c + 1)), start=m.real(0))
        one, two = g * m.binomial(c, j - 1) / m.real(2) ** c, h * tail / m.real(2) ** c
        total, size = total + weight * (one - two), size + weight * (one + two)
    return total, size


@literal(spec.binary)
def binary(m: Numbers, epsilon: Real, epsilon_0: Real, n: Real) -> tuple[Real, Real]:
    others, (g, h), a = int(n) - 1, factors(m, epsilon, epsilon_0), m.exp(epsilon_0)
    if g == 0:
        return m.real(0), m.real(0)

    def b(k: int) -> Real:
        return m.binomial(others, k) * a ** (others - k) / (1 + a) ** others

    above, below = thresholds(m, epsilon, epsilon_0, n)
    j, i = int(m.floor(above)) + 1, int(m.ceil(below)) - 1
    high = g * b(j - 1), h * sum((b(k) for k in range(j, others + 1)), start=m.real(0))
    low = g * b(i), h * sum((b(k) for k in range(i)), start=m.real(0))
    return m.max(high[0] - high[1], low[0] - low[1]), m.max(high[0] + high[1], low[0] + low[1])


def factors(m: Numbers, epsilon: Real, epsilon_0: Real) -> tuple[Real, Real]:
    """g = max(0, e^epsilon_0 - e^epsilon) / (e^epsilon_0 + 1) and h = e^epsilon - 1."""
    a = m.exp(epsilon_0)
    return m.max(m.real(0), m.exp(epsilon) * m.expm1(epsilon_0 - epsilon)) / (a + 1), m.expm1(epsilon)


def lean(m: Numbers, epsilon: Real, epsilon_0: Real) -> Real:
    """tanh(epsilon/2) / tanh(epsilon_0/2): the share of a lead among the clones from which P > e^epsilon Q."""
    up, top = m.expm1(epsilon), m.expm1(epsilon_0)
    return up * (top + 2) / (top * (up + 2))


def thresholds(m: Numbers, epsilon: Real, epsilon_0: Real, n: Real) -> tuple[Real, Real]:
    """The numbers of ones above which P > e^epsilon Q, and below which Q > e^epsilon P."""
    a, e = m.exp(epsilon_0), m.exp(epsilon)
    up, down = m.expm1(epsilon + epsilon_0), e * m.expm1(epsilon_0 - epsilon)
    return n * up / (a * down + up), n * down / (down + a * up)


def delta_upper(m: Numbers, epsilon: Real, epsilon_0: Real, n: int) -> Real:
    """Enclosure of `clones`: n shuffled epsilon_0-DP randomisers are (epsilon, delta)-DP at its upper end.

    Domain   epsilon >= 0, epsilon_0 > 0 (numbers of the arb context m), n an int in [1, 10^7]
    Returns  a ball; its width counts rounding, and the numbers of clones that were not looked at
    Raises   ValueError for a number out of its domain
    """
    epsilon, epsilon_0 = _checked(m, epsilon, epsilon_0, n)
    g, h = factors(m, epsilon, epsilon_0)
    if m.ge(epsilon, epsilon_0) is True:
        return m.real(0)
    found = m.real(0)
    for bits in BITS_OF_MASS:
        low, high, weight = _window(m, epsilon_0, n - 1, bits)
        found, missed = _over_clones(m, (epsilon, epsilon_0, n), (g, h), (low, high, weight))
        found = found + missed * m.ball(0, 1)  # type: ignore[attr-defined]
        if m.le(missed, m.real(2) ** -60 * found.lower()) is True or (low, high) == (0, n - 1):
            break
    return m.max(m.real(0), found)


def delta_lower(m: Numbers, epsilon: Real, epsilon_0: Real, n: int) -> Real:
    """Enclosure of `binary`: n shuffled binary randomised responses are not (epsilon, delta)-DP below its lower end.

    Domain   as for `delta_upper`
    Returns  a ball
    Raises   ValueError for a number out of its domain
    """
    epsilon, epsilon_0 = _checked(m, epsilon, epsilon_0, n)
    if m.ge(epsilon, epsilon_0) is True:
        return m.real(0)
    (g, h), (above, below) = factors(m, epsilon, epsilon_0), thresholds(m, epsilon, epsilon_0, m.real(n))
    others, ratio = n - 1, m.exp(epsilon_0)
    # any j and i give events, so that a floor that is not certain costs nothing but tightness
    j, i = _whole(above, n - 1) + 1, min(-_whole(-below, 0), n - 1) - 1
    found = m.real(0)
    if j <= n:
        b = _mass(m, others, j - 1, -m.log1p(ratio), -m.log1p(1 / ratio))
        found = m.max(found, b * (g - h * _tail_ratio(m, others, j - 1, 1 / ratio)))
    if 0 <= i <= others:
        b = _mass(m, others, i, -m.log1p(ratio), -m.log1p(1 / ratio))
        found = m.max(found, b * (g - h * _tail_ratio(m, others, others - i, ratio)))
    return found


def delta_bound(m: Numbers, epsilon: Real, epsilon_0: Real, n: int) -> tuple[Real, Real]:
    """(`delta_lower`, `delta_upper`): what shuffling n epsilon_0-DP randomisers costs at most lies between the two."""
    return delta_lower(m, epsilon, epsilon_0, n), delta_upper(m, epsilon, epsilon_0, n)


def delta_upper_approximate(m: Numbers, epsilon: Real, epsilon_0: Real, delta_0: Real, n: int) -> Real:
    """The same for (epsilon_0, delta_0)-DP randomisers.

    delta = delta_upper + (1 + e^epsilon) (1 + 2 (n - 1) e^-epsilon_0) delta_0, at most 1

    Domain   as for `delta_upper`, delta_0 in [0, 1]
    Returns  a ball: n shuffled (epsilon_0, delta_0)-DP randomisers are (epsilon, delta)-DP at its upper end
    Raises   ValueError for a number out of its domain
    Source   proved here: the changed record's randomiser is within delta_0 in total variation of one to which the clones apply,
             every other one within 2 e^-epsilon_0 delta_0
    """
    lost = m.real(delta_0)
    if m.all(m.ge(lost, m.real(0)), m.le(lost, m.real(1))) is not True:
        raise ValueError(f"delta_0 must lie in [0, 1], got {delta_0}")
    outright = (1 + m.exp(epsilon)) * (1 + 2 * (n - 1) * m.exp(-epsilon_0)) * lost
    return m.min(m.real(1), delta_upper(m, epsilon, epsilon_0, n) + outright)


def epsilon_closed_form(m: Numbers, delta: Real, epsilon_0: Real, n: Real) -> Real:
    """An epsilon for which n shuffled epsilon_0-DP randomisers are (epsilon, delta)-DP.

    epsilon = ln(1 + (e^epsilon_0 - 1)/(e^epsilon_0 + 1) (8 sqrt(e^epsilon_0 ln(4/delta)/n) + 8 e^epsilon_0/n))

    Domain   delta in (0, 1], epsilon_0 <= ln(n / (16 ln(2/delta)))
    Source   Feldman, McMillan and Talwar 2022, Theorem 3.1
    """
    a = m.exp(epsilon_0)
    return m.log1p((a - 1) / (a + 1) * (8 * m.sqrt(a * m.log(4 / delta) / n) + 8 * a / n))


def _checked(m: Numbers, epsilon: Real, epsilon_0: Real, n: int) -> tuple[Real, Real]:
    e, one = m.real(epsilon), m.real(epsilon_0)
    if m.ge(e, m.real(0)) is not True:
        raise ValueError(f"epsilon must be at least 0, got {epsilon}")
    if m.gt(one, m.real(0)) is not True:
        raise ValueError(f"epsilon_0 must be positive, got {epsilon_0}")
    if not (isinstance(n, int) and 1 <= n <= LARGEST):
        raise ValueError(f"n must be an int in [1, {LARGEST}], got {n!r}")
    return e, one


def _whole(x: Real, most: int) -> int:
    """An integer near the ball, at most `most`."""
    return min(int(x.mid().floor().unique_fmpz()), most)


def _mass(m: Numbers, trials: int, k: int, log_hit: Real, log_miss: Real) -> Real:
    """P(K = k) of a binomial K, from the logarithms of both probabilities."""
    choose = m.lgamma(m.real(trials + 1)) - m.lgamma(m.real(k + 1)) - m.lgamma(m.real(trials - k + 1))
    return m.exp(choose + k * log_hit + ((trials - k) * log_miss if trials > k else m.real(0)))


def _tail_ratio(m: Numbers, trials: int, k: int, odds: Real) -> Real:
    """P(K > k) / P(K = k), `odds` those of a hit; the rest of the series is charged as geometric."""
    term, total, small = m.real(1), m.real(0), m.real(2) ** -180
    for at in range(k, trials):
        step = odds * m.frac(trials - at, at + 1)
        term = term * step
        total = total + term
        if m.lt(step, m.frac(999999, 1000000)) is True and m.lt(term, small * total * (1 - step)) is True:
            return total + term * step / (1 - step) * m.ball(0, 1)  # type: ignore[attr-defined]
    return total


def _window(m: Numbers, epsilon_0: Real, others: int, bits: int) -> tuple[int, int, Real]:
    """Numbers of clones that hold all but about 2^-bits of the probability, and the probability of the largest of them."""
    share = float(m.exp(-epsilon_0))
    mean, slack = others * share, 0.7 * bits
    reach = (2 * others * share * (1 - share) * slack) ** 0.5 + 2 * slack
    low, high = max(0, int(mean - reach)), min(others, int(mean + reach) + 1)
    return low, high, _mass(m, others, high, -epsilon_0, m.log(-m.expm1(-epsilon_0)))


def _over_clones(
    m: Numbers, at: tuple[Real, Real, int], factor: tuple[Real, Real], window: tuple[int, int, Real]
) -> tuple[Real, Real]:
    """The sum over the window, from its upper end down, and a bound on the rest: delta falls with the number of clones."""
    (epsilon, epsilon_0, n), (g, h), (low, high, weight) = at, factor, window
    share, odds = (1 + lean(m, epsilon, epsilon_0)) / 2, m.expm1(epsilon_0)
    total, missed, c = m.real(0), m.real(0), high
    k = _whole((c + 1) * share, c)
    mass = _mass(m, c, k, -m.log(m.real(2)), -m.log(m.real(2)))
    tail = mass * _tail_ratio(m, c, k, m.real(1))
    rising = m.frac(n - 1 - high, high + 1) / odds  # of the weights, beyond the window smaller still
    if high < n - 1:
        missed = weight * m.max(m.real(0), g * mass) * rising / (1 - rising)
    while True:
        gain = g * mass - h * tail
        if m.floor((c + 1) * share).unique_fmpz() is None:  # k may be off by one: the best event of the three is the true one
            before, after = mass * m.frac(k, c - k + 1), mass * m.frac(c - k, k + 1)
            gain = m.max(gain, g * before - h * (tail + mass), g * after - h * (tail - after))
        total = total + weight * m.max(m.real(0), gain)
        if c == low:
            break
        weight = weight * m.frac(c, n - c) * odds
        following = _whole(c * share, c - 1)
        while following < k:  # to P(K >= k) and b(k - 1), still of c
            tail, mass, k = tail + mass, mass * m.frac(k, c - k + 1), k - 1
        mass = mass * m.frac(2 * (c - k), c)
        tail = tail - mass / 2
        c -= 1
    if low > 0:
        falling = m.frac(low, n - low) * odds
        missed = missed + weight * g * falling / (1 - falling)
    return total, missed
