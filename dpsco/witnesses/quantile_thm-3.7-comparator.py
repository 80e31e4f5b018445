"""quantile, Appendix A.6, step 1: enlarging ball to box on both sides, answers and comparator, does not keep a lower bound.

d = 2, one record, (0.1, 0)-DP, B_theta = B_x = 1, in units of max(r, 1 - r). Over the ball the answer 0 has excess at most 1.
Over the box: x = v/sqrt(2), v = (1, 1) or (-1, -1), y so far out that the loss is |y - theta'x|; the least loss is at theta =
v, where theta'x = sqrt(2). The excesses of one answer at v and -v add up to 2 sqrt(2); private answers at v and -v differ by at
most tanh(epsilon/2) in total variation, and |theta'x| <= sqrt(2).
"""

from mpmath import mp, mpf, sqrt, tanh

mp.dps = 30
epsilon, d = mpf("0.1"), 2
left = mpf(1)
right = sqrt(d) * (1 - tanh(epsilon / 2))
print(f"claimed: ball at least box; the ball has at most {mp.nstr(left, 6)}, the box at least {mp.nstr(right, 10)}")
assert right > left
