"""Single events of many sampled steps: each needs its delta, so each bounds the least delta from below."""

from dpsco.spec.numbers import Numbers, Real


def largest(m: Numbers, epsilon: Real, mu: Real, q: Real, steps: int, threshold: Real) -> Real:
    """What the event max_t x_t > threshold needs of delta: a lower bound, near the truth where mu is large.

    delta >= 1 - ((1 - q) Phi(a) + q Phi(a - mu))^T - e^epsilon (1 - Phi(a)^T)

    Domain   steps >= 1, any real threshold a
    """
    above, drawn = m.Phi(-threshold), m.Phi(mu - threshold)
    hit, missed = (-m.expm1(steps * m.log1p(-p)) for p in ((1 - q) * above + q * drawn, above))
    return hit - m.exp(epsilon) * missed
