"""Finds what a certificate needs: a line for each direction and side, and both ends of epsilon and delta.

Nothing here is trusted: every number found is proved by `dpsco.audit.plans.check` or not written.
"""

import math
from collections.abc import Callable
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal, localcontext
from typing import Any, NamedTuple

from flint import arb, ctx

from dpsco.audit.plans.check import BITS, NODES, Line, Nodes, Plan, Sampled, compose, digest, fixed, moment, wanted
from dpsco.reference.numbers.enclosure import decimal

SECONDS = 4.5
"""Time that all lines of a plan may take to prove, by the model of `_cost`."""
RELATIVE = 1e-11
"""Error of delta aimed at, beside the blur's."""
BLURS = (0.0, *(x * 10.0**j for j in range(-3, 6) for x in (1, 3)))
"""Deviations of the blur tried, in units of the deviation of the loss."""
COARSE = (1e-3, 1e-2, 0.1, 1.0)
"""The same in units of the largest sum of losses, where there is one: it bounds epsilon anyway."""
THETAS = ("0.5", "0.55", "0.6", "0.65", "0.7", "0.75", "0.8", "0.85", "0.9", "0.97")
LONGEST = 3000
"""Terms of one sampled release on a line that is thought of."""
NARROW = 1e-3
"""Share of the largest sum of losses within which the ends tell delta well enough without a line."""
DIGITS = 12
LARGEST = 1e9
"""The largest number that a line may have."""


class Saddle(NamedTuple):
    """Where the integrand of the inversion is stationary, and what is about found there."""

    c: float
    epsilon: float
    log_delta: float
    spread: float


def certificate(
    plan: dict[str, Any], epsilon: str | None = None, delta: str | None = None, seconds: float = SECONDS
) -> dict[str, Any]:
    """The certificate of a plan: epsilon enclosed at a delta, delta at an epsilon; the one not given is taken from the other.

    Domain   exactly one of epsilon >= 0 and delta in [0, 1), decimal strings; delta = 0 where all losses are bounded;
             seconds: of a check, about; where the plan has no decay of its own, a longer one is narrower
    Returns  JSON content that `check` accepts
    Raises   ValueError outside the domain, or for a plan that would take too long to check
    """
    pairs = {pair: compose(plan, *pair, arb(THETAS[0])) for pair in wanted(plan)}
    told, cap = pairs[wanted(plan)[0]].told, pairs[wanted(plan)[0]].cap
    log_delta = 0.0
    if delta is not None:
        if not (arb(delta) > told or (told == 0 and arb(delta) == 0 and cap.is_finite())):
            least = decimal(told.upper(), 6, ROUND_CEILING)
            raise ValueError(f"delta = {delta}: more than {least} is needed, and 0 goes only with bounded losses")
        log_delta = math.log(max(float(((arb(delta) - told) / (1 - told)).lower()), 1e-300))
    found = [_proved(plan, *pair, epsilon, log_delta, seconds / len(pairs)) for pair in pairs]
    ends = Ends([Line(plan, given) for given, _ in found], max(saddle.epsilon for _, saddle in found), float(cap.mid()))
    if epsilon is None:
        claim = {"delta": str(delta), **ends.epsilon(str(delta))}
        other = {"epsilon": claim["upper"], **ends.delta(claim["upper"])}
    else:
        other = {"epsilon": epsilon, **ends.delta(epsilon)}
        claim = {"delta": other["upper"], **ends.epsilon(other["upper"])}
    body = {**fixed(plan), "proof": [given for given, _ in found], "claims": {"epsilon_at": claim, "delta_at": other}}
    return {**body, "sha256": digest(body)}


class Ends(NamedTuple):
    """Both ends of epsilon and delta, from lines."""

    lines: list[Line]
    guess: float
    cap: float

    def upper(self, k: Any) -> Any:
        return max(line.upper(k).upper() for line in self.lines if line.side != "lower")

    def lower(self, k: Any) -> Any:
        return max(line.lower(k).lower() for line in self.lines if line.side != "upper")

    def delta(self, epsilon: str) -> dict[str, str]:
        """Decimals around delta; what is proved is that delta is above the lower one."""
        low, high = self.lower(arb(epsilon)) * (1 - arb("1e-12")), self.upper(arb(epsilon)).upper()
        tiny = arb("1e-900")
        below = decimal(low.lower(), DIGITS, ROUND_FLOOR).lower() if low > tiny else "0"
        return {"lower": below, "upper": decimal(max(high, tiny).upper(), DIGITS, ROUND_CEILING).lower() if high > 0 else "0"}

    def epsilon(self, delta: str) -> dict[str, str]:
        """Decimals around epsilon: delta(upper) <= delta < delta(lower), unless lower is 0."""
        at = arb(delta)
        log = float(at.log()) if at > 0 else -math.inf
        high = _root(lambda k: self.upper(arb(k)), log, self.guess, self.cap)
        low = _root(lambda k: self.lower(arb(k)), log, self.guess, self.cap)
        texts: dict[str, str] = {}
        for name, start, sign in (("lower", low, -1), ("upper", high, 1)):
            for power in range(-12, 6):
                with localcontext() as context:
                    context.prec, context.rounding = DIGITS, ROUND_CEILING if sign > 0 else ROUND_FLOOR
                    moved = Decimal(start) * (1 + sign * Decimal(10) ** power) + (sign * Decimal(10) ** power)
                    texts[name] = str(max(moved, Decimal(0))).lower()
                if (texts[name] == "0" and sign < 0) or (start == 0 and sign > 0 and self.upper(arb(0)) <= at):
                    texts[name] = "0"
                    break
                if self.upper(arb(texts[name])) <= at if sign > 0 else self.lower(arb(texts[name])) > at:
                    break
            else:
                raise ValueError(f"the {name} end of epsilon at delta = {delta} could not be proved")
        return texts


def _root(value: Callable[[float], Any], log: float, guess: float, cap: float) -> float:
    """Where the logarithm of a decreasing value crosses `log`, by the secant kept in a bracket; 0 if it starts below."""

    def height(k: float) -> float:
        found = value(k)
        return float(found.log()) - log if found > 0 else -math.inf

    guess = min(max(guess, 1e-6), cap)
    for low in (guess * x for x in (0.9999, 0.999, 0.99, 0.95, 0.8, 0.5, 0.2, 0.0)):  # a line is sharp near its saddle only
        if (first := height(low)) > 0:
            break
    else:
        return 0.0
    high = min(guess * 1.0001, cap)
    last = height(high)
    while last > 0 and high < cap:
        low, first, high = high, last, min(high + 2 * (high - low), cap)
        last = height(high)
    for j in range(90):
        if high - low <= 1e-13 * high:
            break
        share = first / (first - last) if math.isfinite(first - last) and j % 3 < 2 else 0.5
        middle = low + (high - low) * min(max(share, 1e-6), 1 - 1e-6)
        found = height(middle)
        low, first, high, last = (middle, found, high, last) if found > 0 else (low, first, middle, found)
    return (low + high) / 2


def _proved(
    plan: dict[str, Any], direction: str, side: str, epsilon: str | None, log_delta: float, seconds: float
) -> tuple[dict[str, Any], Saddle]:
    """The numbers of one line, theta where the lower end asks for one; and its saddle."""
    thetas, at = THETAS if side == "lower" else THETAS[:1], None if epsilon is None else float(epsilon)
    found = [(t, pair := compose(plan, direction, side, arb(t)), _for(pair, at, log_delta)) for t in thetas]

    def worth(one: tuple[str, Plan, Saddle]) -> float:
        cap, saddle = float(one[1].cap), one[2]
        if at is None:
            return min(saddle.epsilon, cap)
        tangent = saddle.log_delta - (saddle.c - 1) * abs(at - saddle.epsilon)
        return -math.inf if at >= cap else max(tangent, float((one[1].corner * -arb(at - cap).expm1() + arb("1e-300")).log()))

    theta, pair, saddle = max(found, key=worth)
    ctx.prec = BITS
    return {"direction": direction, "side": side, "theta": theta, **_line(plan, pair, saddle, seconds)}, saddle


def _height(plan: Plan, c: float) -> float:
    return float(moment(plan, arb(c), arb(0)).log())


def _saddle(plan: Plan, c: float) -> Saddle:
    step = (c - 1) * 1e-3
    low, mid, high = (_height(plan, x) for x in (c - step, c, c + step))
    slope, bend = (high - low) / (2 * step), max((high - 2 * mid + low) / step**2, 1e-300)
    epsilon = slope - 1 / c - 1 / (c - 1)
    width = math.sqrt(bend + c**-2 + (c - 1) ** -2)
    return Saddle(c, epsilon, mid - (c - 1) * epsilon - math.log(c * (c - 1) * width) - 0.919, math.sqrt(bend))


def _for(plan: Plan, epsilon: float | None, log_delta: float) -> Saddle:
    """The saddle of an epsilon, or of a delta; or one on the way to it, where the line would be too long."""
    ctx.prec = 96
    low, high, found = math.log(1e-4), math.inf, _saddle(plan, 1.0001)
    while high - low > 0.02:
        middle = (low + high) / 2 if math.isfinite(high) else low + 1  # from below: far to the right a line is long
        c = 1 + math.exp(middle)
        if middle > math.log(1e7) or _longest(plan, c) > LONGEST:
            break
        tried = _saddle(plan, c)
        if tried.spread < _narrow(plan, tried.epsilon, 0.99):
            break
        if tried.epsilon > epsilon if epsilon is not None else tried.epsilon > 0 and tried.log_delta < log_delta:
            high = middle
        else:
            low, found = middle, tried
    return found


def _narrow(plan: Plan, epsilon: float, share: float) -> float:
    """The least deviation that a line is made for, near the largest sum of losses."""
    return NARROW * float(plan.cap) if epsilon > share * float(plan.cap) else 0.0


def _aliases(saddle: Saddle, heights: dict[float, float], blur: float) -> tuple[float, float, float]:
    """A period and the two places of Chernoff's bound for which the aliases are small."""
    c, k = saddle.c, saddle.epsilon
    period, aim = max(6 * saddle.spread, 1 / (c - 1)), saddle.log_delta + math.log(RELATIVE / 10)
    sizes = [(high + x * (x - 1) * blur**2 / 2 - (x - 1) * k, x) for x, high in heights.items()]
    while True:
        left, right = (min((size - abs(x - c) * period, x) for size, x in sizes if (x - c) * sign > 0) for sign in (-1, 1))
        if max(left[0], right[0]) < aim:
            return period, left[1], right[1]
        period *= 1.1


def _line(whole: dict[str, Any], plan: Plan, saddle: Saddle, seconds: float) -> dict[str, Any]:
    """The line with the least blur that can be proved in the time."""
    c, scale = (
        arb(repr(saddle.c)),
        max(min(saddle.spread, _saddle(plan, 1.001).spread), 1e-9, _narrow(plan, saddle.epsilon, 0.5)),
    )
    sampled = [(count, float(Nodes(law, c, arb(0)).variation())) for count, law in plan.laws if isinstance(law, Sampled)]
    aim = saddle.log_delta + math.log(RELATIVE) + (saddle.c - 1) * saddle.epsilon - _height(plan, saddle.c)
    steps = [saddle.c + x / max(saddle.spread, 1e-9) for x in (-8, -4, -2, -1, 0.02, 0.1, 0.3, 1, 2, 4, 8)]
    steps += [saddle.c * (1 + x) for x in ((1e-3, 0.1, 10) if plan.cap.is_finite() and not sampled else (1e-3,))]
    heights = {1.0: 0.0, **{x: _height(plan, x) for x in steps if 1 < x < LARGEST and _longest(plan, x) < NODES}}
    coarse = [float(plan.cap) * x for x in COARSE] if plan.cap.is_finite() else []
    for blur in (*(x * scale for x in BLURS), *coarse):
        top = 1.0 / max(scale, blur)
        while _log_rest(plan, sampled, top, blur) > aim and top * scale < 1e7:
            top *= 1.2
        if top * scale >= 1e7 or top >= LARGEST:
            continue
        period, left, right = _aliases(saddle, heights, blur)
        nodes = math.ceil(top * period / (2 * math.pi)) + 2
        if nodes > 200_000 or sum(_cost(law, c, top, nodes) for _, law in plan.laws) > seconds:
            continue
        window = max(4.0, math.sqrt((7 - saddle.log_delta) / 2))
        if window > 40:
            raise ValueError("the noise is so small, or delta, that this plan is beyond what is enclosed")
        numbers = {"c": saddle.c, "left": left, "right": right, "top": top, "blur": blur}
        texts = {name: format(Decimal(repr(value)), "f") for name, value in numbers.items()}
        return {
            **texts,
            "window": f"{window:.3g}",
            "root": max(2, math.ceil(math.sqrt(nodes))),
        }
    costs = []
    for i, one in enumerate(whole["releases"], 1):
        alone = compose({**whole, "releases": [one]}, "add" if one["mechanism"] == "dp-sgd" else "both")
        costs.append((sum(_cost(law, c, 300 / scale, 3000) for _, law in alone.laws), i, one["mechanism"]))
    worst = "release {1} ({2})".format(*max(costs))
    raise ValueError(
        f"{worst} is too dear: this plan would take more than its {seconds:.2g} s of a check; fewer distinct releases do"
    )


def _log_rest(plan: Plan, sampled: list[tuple[int, float]], top: float, blur: float) -> float:
    """Logarithm of what is beyond `top`, over M(c)."""
    drop = -(float(plan.mu2) + blur**2) * top**2 / 2 - math.log(math.pi * top)
    for count, v in sampled:
        if math.isfinite(v):
            drop -= count * max(min((top / v) ** 2, 2) / 32, math.log(top / v))
    return drop


def _cost(law: Any, c: Any, top: float, nodes: int) -> float:
    """Seconds that a law takes on a line, about."""
    if not isinstance(law, Sampled):
        return nodes * len(law) * 4e-6
    return _nodes(law, c, top) * (nodes * 8e-8 + math.sqrt(nodes) * 2.6e-6 + 2.5e-5) + nodes * 6e-6


def _longest(plan: Plan, c: float) -> int:
    return max((_nodes(law, arb(c), 0.0) for _, law in plan.laws), default=0)


def _nodes(law: Any, c: Any, top: float) -> int:
    """Terms of M(s) on a line."""
    if not isinstance(law, Sampled):
        return len(law)
    *_, first, last = Nodes.sizes(law, c, top)
    return last - first + 1
