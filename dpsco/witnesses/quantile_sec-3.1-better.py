"""quantile, abstract: convolution "leads to a better approximation than ... Moreau Envelope". At equal smoothness beta = 1 and
r = 1/2 the envelope's largest gap to the check loss is smaller than the Gaussian convolution's.

Convolution: second derivative at most K(0)/h, so h = K(0); the largest gap is at u = 0, E|h Z|/2 = h sqrt(2/pi)/2. Envelope:
the quadratic u^2/2 between -1/2 and 1/2, the loss less 1/8 outside. Far from 0 the convolution is closer, as Section 3.1 says.
"""

from mpmath import mp, mpf, npdf, quad, sqrt

mp.dps = 20
h = npdf(0)
convolution = quad(lambda z: abs(h * z) / 2 * npdf(z), [-30, 0, 30])
points = [mpf(k) / 1000 for k in range(-3000, 3001)]
envelope = max(abs(u) / 2 - (u**2 / 2 if abs(u) <= 0.5 else abs(u) / 2 - mpf(1) / 8) for u in points)
print(f"largest gap: claimed at most the envelope's {mp.nstr(envelope, 8)}, it is {mp.nstr(convolution, 8)}")
assert abs(convolution - h / sqrt(2 * mp.pi)) < 1e-12
assert convolution > envelope
