"""Plans: many releases under one budget, composed with both ends proved, and the certificate that says so.

What is proved, for pairs P, Q of laws, l = dP/dQ:
Composition  If pairs dominate the releases, their product dominates every adaptive composition (`COMPOSITION`), so delta(k) =
             E_Q (l_1 ... l_T - e^k)_+ at epsilon = k. Directions are composed apart, the largest delta counts.
Inversion    M(s) = E_Q l^s, all releases; delta(k) = integral of M(s) e^{-(s-1)k} / (2 pi s (s-1)) over u, s = c + iu, c > 1.
             The sum over u = j eta adds that over n != 0 of e^{(c-1)nY} delta(k + nY), Y = 2 pi/eta: at least 0, at most what
             Chernoff says at `right` and `left`. Beyond u = `top`, |M(s)| <= D M(c): D has Gaussian factors and, where sampled,
             |f(u)| <= V/u (by parts), so |f(u)|^2 <= 1 - (1 - |f(2^i u)|^2)/4^i <= exp(-min(u^2/V^2, 2)/16).
Blur         A plan without decay gets one more Gaussian release, mu = `blur`: E_G delta(k + ln G) >= delta(k), E G = 1. As
             delta is convex and decreasing in e^k and below that mean, chords to the mean at k +- `window` blur bound it from
             above by a line in delta(k): solved, a lower bound. Where losses are bounded, delta = 0 from their largest sum on,
             and the atom there alone is a lower bound.
"""
