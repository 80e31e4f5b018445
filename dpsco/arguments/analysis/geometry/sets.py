"""Lemmas on convex sets: their Gaussian widths, the second moments of their support functions, balls inside and around."""

from dpsco.verdict import Lemma

CHI = Lemma(
    "the l2 ball", "sup over |theta|_2 <= 1 of <g, theta> is |g|_2, of the law of chi: E = sqrt(2) Gamma((d+1)/2)/Gamma(d/2)."
)
SUM = Lemma("the l_inf ball", "sup over |theta|_inf <= 1 of <g, theta> is |g|_1, and E|g_1| = sqrt(2/pi).")
MAXIMUM = Lemma(
    "the l_1 ball",
    "sup over |theta|_1 <= 1 of <g, theta> is max |g_j|. For t > 0, E max |g_j| <= ln(E sum (e^(t g_j) + e^(-t g_j)))/t = "
    "ln(2 d)/t + t/2 by Jensen, sqrt(2 ln(2 d)) at t = sqrt(2 ln(2 d)).",
)
SIMPLEX = Lemma(
    "the simplex",
    "sup over the simplex of <g, theta> is max g_j. For t > 0, E max g_j <= ln(E sum e^(t g_j))/t = ln(d)/t + t/2, at t "
    "= sqrt(2 ln d) the bound; for d = 1 both are 0.",
)
JENSEN = Lemma(
    "l_p balls",
    "sup over |theta|_p <= 1 of <g, theta> is |g|_q, q = p/(p-1) > 1, and E|g|_q <= (E|g|_q^q)^(1/q) = (d E|g_1|^q)^(1/q), "
    "E|g_1|^q = 2^(q/2) Gamma((q+1)/2)/sqrt(pi).",
)
CONTAINED = Lemma(
    "a ball around C",
    "v in r C means v = r theta with |theta|_2 <= |C|_2, so |v|_2 <= r |C|_2, for the least such r and (there is none) for r = "
    "infinity.",
)
BALL = Lemma(
    "a ball inside C",
    "If the l2 ball of radius rho lies in C, then rho x/|x|_2 is in C, x in (|x|_2/rho) C, so |x|_C <= |x|_2/rho, and C_min <= "
    "rho = the inradius. Around the origin an l2 ball of radius rho has |x|_C = |x|_2/rho, C_min = |C|_2 = rho.",
)
ORIGIN = Lemma(
    "second moment of a support function",
    "h(g) = sup over C of <g, theta> is |C|_2-Lipschitz, so its variance is at most |C|_2^2 (Gaussian Poincare). With 0 and "
    "theta_0, |theta_0|_2 = |C|_2, in C, h >= max(<g, theta_0>, 0): G_C >= |C|_2/sqrt(2 pi), E h^2 <= (1 + 2 pi) G_C^2. With C "
    "symmetric h >= |<g, theta_0>|: G_C >= |C|_2 sqrt(2/pi), E h^2 <= (1 + pi/2) G_C^2. sigma^2 comes out of G = sigma g.",
)
POINT = Lemma(
    "intervals",
    "C = [c - rho, c + rho] in one dimension: sup <G, theta> = c G + rho |G|, so G_C = rho sqrt(2/pi), |C|_2 = |c| + rho, and "
    "the second moment is sigma^2 (c^2 + rho^2), as E G|G| = 0.",
)
