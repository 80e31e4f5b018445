"""bilevel, Lemma 3.7: the printed conductance put into the printed Lemma B.11 does not give the printed rate.

phi = epsilon/(8 alpha tau d^{3/2} e^epsilon), and 1/phi^2 times the maximum many steps, against alpha^2 tau^2 d^2/epsilon^2
e^epsilon times the same maximum. The quotient is 64 d e^epsilon, without bound in d. The rate is true, by another proof.
"""

from math import exp

epsilon, alpha, tau = 1.0, 1.0, 2.0
for d in (2, 1000, 1000000):
    phi = epsilon / (8 * alpha * tau * d**1.5 * exp(epsilon))
    rate = alpha**2 * tau**2 * d**2 / epsilon**2 * exp(epsilon)
    print(f"d = {d}: steps over the rate, claimed a constant: {1 / phi**2 / rate:.6g}")
