"""bilevel, Theorem 3.2: with the printed s = (2/n)(...) + 4 L_fy L_gy/mu_g the risk does not fall with n (1/n is missing).

X = [0, 1], f = x + y, g = (y - z)^2/2, z = 1/2 or -1/2: Y must hold both, so L_gy = sup |y - z| = 1; L_fx = L_fy = mu_g = D_x =
1, D_y = 0. Every data set has Phi_Z(x) = x + a constant, and mechanism (4) draws x with density ~ exp(-k x), k = epsilon/(2s).
"""

from mpmath import exp, expm1, mp, mpf, quad

mp.dps = 30
epsilon = mpf(1)
L_gy = max(abs(y - z) for y in (mpf(-1) / 2, mpf(1) / 2) for z in (mpf(-1) / 2, mpf(1) / 2))
for n in (10**2, 10**4, 10**6):
    k = epsilon / (2 * (2 * mpf(1) / n + 4 * L_gy))
    closed = 1 / k - 1 / expm1(k)
    integral = quad(lambda x, k=k: x * exp(-k * x), [0, 1]) / quad(lambda x, k=k: exp(-k * x), [0, 1])
    rate = 1 / (epsilon * n) * (1 + 0 + L_gy)
    mended = epsilon / (2 * (2 * mpf(1) / n + 4 * L_gy / n))
    risk = 1 / mended - 1 / expm1(mended)
    print(f"n = {n}: claimed O({mp.nstr(rate, 4)}), risk {mp.nstr(closed, 12)} (quadrature {mp.nstr(integral, 12)})")
    print(f"    with 4 L_fy L_gy/(mu_g n) in s the risk is {mp.nstr(risk, 6)}")
    assert abs(closed - integral) < mpf("1e-20") and closed > mpf("0.48") and risk < 8 * rate
