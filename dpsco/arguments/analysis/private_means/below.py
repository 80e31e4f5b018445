"""Private means, directions and linear losses on a ball from below: packed codes, two points and fingerprints, with constants.

g(n, d) is the least, over private maps x of n records in {+-1/sqrt(d)}^d into the unit ball, of the largest mean of |Zbar| -
<x, Zbar>; the population form has the mean of the law in the place of Zbar. h > 0 is the constant in delta's range.
"""

from typing import Any

import sympy

from dpsco.arguments.analysis.private_means.rates import LAMBDA
from dpsco.arguments.orders_of_growth import Exponents, form
from dpsco.spec.claim import Adjacency
from dpsco.verdict import Lemma

ONE = (Adjacency.REPLACE_ONE,)
CODE = Lemma(
    "codes of signs",
    "Two random sign vectors differ in at most d/4 places with probability at most e^(-d/8) (Hoeffding). So some N >= max(2, "
    "e^(d/8)) vectors v in {+-1/sqrt(d)}^d differ pairwise in more than d/4 places: |v - w| > 1. N = 2: v and -v.",
)
PACKED = Lemma(
    "packed means",
    "X = max(1, d/8)/epsilon >= 2, as epsilon <= max(1/2, d/16); M <= min(n, X) of n's parity is at least min(n, X/3) and an "
    "integer >= 1. Z_v holds M copies of v and pairs u, -u: Zbar = (M/n) v, data sets of two v differ in M records. Were an "
    "epsilon-DP answer within the radius of its own v with probability above 3/4 for every v, these balls disjoint, then 1 > "
    "3/4 + (3/4)(N - 1) e^(-epsilon M) >= 1, as 3(N - 1) >= max(3, e^(d/8)). So for some v it misses with probability at "
    "least 1/4: an estimate of the mean by M/(2n) >= min(1/2, d/(48 n epsilon)), a direction by 1/2, hence <v - x, Zbar> >= "
    "(M/2n)|x - v|^2 >= M/(8n), and g >= M/(32 n) >= min(1/32, d/(768 n epsilon)).",
    ONE,
)
OPPOSITE = Lemma(
    "two opposite data sets",
    "For (epsilon, delta)-DP every event has P - P' <= beta = (e^epsilon - 1 + 2 delta)/(e^epsilon + 1) <= epsilon/2 + delta "
    "on neighbours, at most M beta at distance M. M copies of v or of -v, the rest pairs, M <= 1/epsilon of n's parity and at "
    "least min(n, 1/(3 epsilon)), epsilon <= 1/2: the two excesses add up to at least 2 (M/n)(1 - M beta), M beta <= 1/2 + "
    "1/64. So g >= 0.48 M/n, enough for epsilon <= 1/2 and d < 2048, where sqrt(d min(d, ln(1/delta))) <= 2048.",
    ONE,
)
FINGERPRINTS = Lemma(
    "fingerprints in groups",
    "p uniform in [-1, 1]^d, s_i independent signs of mean p, i = 1..m; record s_i/sqrt(d) comes k_i <= k times, K = sum k_i "
    "of n's parity, the rest pairs. sigma_i = <x, s_i - p>: E sum sigma_i = 2 E<x, p> (the integral of (1 - p^2) q'(p) over "
    "[-1, 1] is that of 2 p q(p)). With s_i drawn anew P(sigma_i > t) <= e^(-t^2/2) (Hoeffding, |x| <= 1), |sigma_i| <= 2 "
    "sqrt(d); group privacy at distance k, a = k epsilon, delta_k <= k delta e^((k-1) epsilon): E sigma_i <= B = sqrt(2 a) + "
    "1.26 + 2 sqrt(d) delta_k. E|p| >= sqrt(d)/2, so the mean excess is at least (K/n)(1/2 - (m/2 + 1) B/sqrt(d)).",
    ONE,
)
GROUPED = Lemma(
    "the size of the groups",
    "d >= 2048, epsilon <= d/4096, delta <= (64 n)^-(1+h), b = h/(1+h), L = ln(1/delta): 64 n delta e^(b L) <= 1. a0 = min(b "
    "L, d/4096) >= min(4 h, 1/2), k = min(n, 1 + floor(a0/epsilon)), m' = min(floor(n/k), floor(sqrt(d)/(16 (sqrt(2 a) + "
    "1.26)))) >= 1 as a <= d/2048, and one group of size 1 more where m' k has the wrong parity. Then (m/2 + 1)(B - 2 sqrt(d) "
    "delta_k)/sqrt(d) <= 1/8, (m + 2) delta_k <= 4 n delta e^(b L) <= 1/16: g >= K/(4n). K >= n/2 where n caps, else K >= c "
    "sqrt(d min(d, L))/epsilon, c = sqrt(b)/(2900 (1 + 0.9/sqrt(min(4 h, 1/2)))). So g >= min(1/8, c sqrt(d min(d, L))/(4 n "
    "epsilon)).",
    ONE,
)
TWO_RECORDS = Lemma(
    "two opposite data sets, two records apart",
    "1/2 < epsilon <= 1, d < 4096: M copies of v or of -v, M = 1 or 2 of n's parity, the rest pairs. At this distance (2 "
    "epsilon, (1 + e) delta)-DP, delta <= 1/128 where M = 2: every event has P - P' <= (e^2 - 1 + 2 (1 + e) delta)/(e^2 + 1) "
    "<= 0.77. The two excesses add up to at least 0.46 M/n, so g >= 0.23/n, enough as d/(n epsilon) <= 8192/n; an estimate "
    "misses one mean by M/n with probability at least 0.11.",
    ONE,
)
ONE_RECORD = Lemma(
    "packed single records",
    "max(1, d/4096) < epsilon <= d/16. n odd: Z_v holds v and pairs, n Zbar = v; n even: v, a fixed u and pairs, n Zbar = v + "
    "u, for the half N' >= N/2 >= e^(2 epsilon)/2 of the code on u's side: |v + u| >= sqrt(2). A direction e gives v + u = 2 "
    "<e, u> e, a map of slope at most 4, so directions are 1/4 apart. Z_v, Z_w differ in one record: were each v met with "
    "probability above 3/4, 1 > 3/4 + (N' - 1) e^(-epsilon)(3/4 - delta) >= 1, as N' - 1 >= 2.6 e^(epsilon)/e and delta <= "
    "1/64. So some v is missed, by 1/8 as a direction, by 1/(2 n) as a mean, with probability 1/4: n g >= "
    "(sqrt(2)/2)(1/8)^2/4 > 0.0027, enough as d/(n epsilon) < 4096/n.",
    ONE,
)
IN_PROBABILITY = Lemma(
    "from the mean excess to a probability",
    "An estimate A of the mean gives the direction x = A/|A|: |Zbar| - <x, Zbar> <= min(2|A - Zbar|, 2|Zbar|), and |Zbar| <= "
    "K/n on the hard data. A mean excess of K/(4n) makes |A - Zbar| > K/(16 n) with probability at least 1/16 on some Z. "
    "Where one or two records differ the lemmas give the probability themselves.",
    ONE,
)
ON_BALLS = Lemma(
    "from directions to bilevel problems",
    "X, Y balls of diameter D_x and r = min(D_y, L_gy/mu_g) >= D_y/theta, zeta = r/D_x, f = -L_fy <y, z>, g = (mu_g/2)|y - "
    "zeta x|^2: y_Z(x) = zeta x in Y, slope mu_g r <= L_gy, Phi_Z linear, excess (L_fy r/2)(|Zbar| - <u, Zbar>), u = 2 x/D_x. "
    "With f = -L_fx <x, z>, Y = {0}: (L_fx D_x/2)(|Zbar| - <u, Zbar>). A is told the problem, u(Z) is as private as A(Z): the "
    "larger of the two risks is at least g (L_fx D_x + L_fy D_y)/(4 theta).",
    ONE,
)
PACKED_LAWS = Lemma(
    "packed laws",
    "Law P_v: v with probability t, else u or -u, fair; mean t v. The draws for v and w with the same choices differ in K "
    "records, E K = n t, so P_v(B) >= e^(-4 n t epsilon)(P_w(B) - 1/4). With t = min(1, X/(4 n epsilon)), X = max(ln 2, d/8), "
    "not every v is met with probability above 3/4: 3/4 + (N - 1) e^(-X)/2 >= 1. So some law has a mean excess of at least "
    "t/32 >= min(1/32, d/(1024 n epsilon)), for every n, d and epsilon.",
    ONE,
)
TWO_LAWS = Lemma(
    "two laws, no privacy",
    "v with probability (1 + s t)/2, else -v, s = 1 or -1, t = 1/(2 sqrt(n)): the excesses add up to at least 2 t (1 - TV), "
    "divergence of n draws at most 2 n t^2/(1 - t^2) <= 2/3, TV <= sqrt(1/3): the larger is at least 1/(5 sqrt(n)).",
)
OPPOSITE_LAWS = Lemma(
    "two opposite laws",
    "v or -v with probability t = min(1, 1/(n epsilon)), else a fair pair: E K = n t records differ, the mean excess is at "
    "least t (1 - n t (epsilon/2 + delta)) >= 0.48 t for 64 n delta <= 1, enough for d < 400.",
    ONE,
)
FINGERPRINT_LAWS = Lemma(
    "fingerprints in laws",
    "d >= 400, epsilon <= 1: a record is, with probability t, one of s_1, ..., s_m (over sqrt(d)) drawn evenly, else a fair "
    "pair. s_i comes K_i ~ Binomial(n, t/m) times, k = n t/m: by Jensen and E K e^(K epsilon) <= k e^(epsilon + 1.72 k "
    "epsilon) the fingerprints' bound is B = sqrt(2 k epsilon) + 1.26 + 2 sqrt(d) delta k e^(1 + 1.72 k epsilon). With a0 = "
    "min(b L, d/4096), k <= k0 = a0/(1.72 epsilon), m = floor(sqrt(d)/(12 (sqrt(2 k0 epsilon) + 1.26))) >= 1, t = min(1, m "
    "k0/n): excess at least t (1/2 - 1/8 - 3 e/64) >= t/5, m k0 >= sqrt(d a0)/(42 epsilon (1.08 + 1.26/sqrt(min(4 h, 0.09)))).",
    ONE,
)

PURE = (CODE, PACKED)
PURE_UP_TO_ONE = (*PURE, TWO_RECORDS)
GROUPS = (OPPOSITE, FINGERPRINTS, GROUPED, CODE, TWO_RECORDS, ONE_RECORD)
PURE_LAWS = (CODE, PACKED_LAWS)
GROUPS_OF_LAWS = (OPPOSITE_LAWS, FINGERPRINTS, FINGERPRINT_LAWS)


def sizes(dimension: str) -> tuple[Exponents, ...]:
    """n, d >= 1, and epsilon = O(d), as where epsilon <= max(1, d/16)."""
    return form(n=1), form(**{dimension: 1}), form(**{dimension: 1, "epsilon": -1})


def bounded_delta(dimension: str) -> tuple[Exponents, ...]:
    """And ln(1/delta) >= ln 64."""
    return (*sizes(dimension), form(Lambda=1))


def pure_order(dimension: str) -> Any:
    """min(1, d/(n epsilon)), as the reciprocal of a maximum."""
    d, n, epsilon = (sympy.Symbol(name, positive=True) for name in (dimension, "n", "epsilon"))
    return 1 / sympy.Max(1, n * epsilon / d)


def approximate_order(dimension: str) -> Any:
    """min(1, sqrt(d min(d, Lambda))/(n epsilon)), the same way."""
    d, n, epsilon = (sympy.Symbol(name, positive=True) for name in (dimension, "n", "epsilon"))
    return 1 / sympy.Max(1, n * epsilon * sympy.sqrt(sympy.Max(1 / d, 1 / LAMBDA) / d))
