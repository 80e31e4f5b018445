"""Theorem 6: two links of its proof fail, sigma^2 = C L^2 kappa T ln(1/delta)/(n epsilon)^2 and kappa = min(1/(p-1), 2 ln d).

Advanced composition of T steps, each (e, d)-DP, gives (e sqrt(2 T ln(1/d')) + T e (exp(e) - 1), T d + d'): a total of
(epsilon, delta) needs e <= epsilon/sqrt(2 T ln(1/delta)) and d <= delta/T, and the mechanism then asks for sigma^2 of order
kappa (2 L/n)^2 ln(1/d)/e^2. Over the printed one this is 8 ln(T/delta), unbounded in T. (Renyi divergences give the printed
order.)

kappa: a kappa-regular norm has E|X + Y|^2 <= kappa (E|X|^2 + E|Y|^2) for independent centred X, Y. Two vectors of random signs
in l_q^2, q = p/(p-1): all 16 pairs are listed. As p -> 1 they ask for 1.5, printed 2 ln 2.
"""

from itertools import product

from mpmath import log, mp, mpf, sqrt

mp.dps = 30
epsilon, delta, kappa, L, n = mpf("0.3"), mpf("1e-6"), mpf(2), mpf(7), 3
quotients = []
for T in (1, 10**6, 10**60, 10**600):
    e, d = epsilon / sqrt(2 * T * log(1 / delta)), delta / T
    asked = kappa * (2 * L / n) ** 2 * log(1 / d) / e**2
    printed = L**2 * kappa * T * log(1 / delta) / (n * epsilon) ** 2
    quotients.append(asked / printed)
    print(f"T = 1e{len(str(T)) - 1}: sigma^2 asked for over sigma^2 printed {mp.nstr(asked / printed, 12)}", end=" ")
    print(f"(claimed bounded; 8 ln(T/delta) = {mp.nstr(8 * log(T / delta), 12)})")
assert quotients[-1] > 90 * quotients[0]

q = mpf(1001)  # p = 1.001
signs = list(product((-1, 1), repeat=2))
mean = sum(sum(abs(mpf(a + b)) ** q for a, b in zip(x, y, strict=True)) ** (2 / q) for x in signs for y in signs) / 16
needed = mean / (2 * 2 ** (2 / q))
print(f"kappa of l_1001^2: printed {mp.nstr(2 * log(2), 10)}, needed {mp.nstr(needed, 10)}")
assert needed > 2 * log(2)
