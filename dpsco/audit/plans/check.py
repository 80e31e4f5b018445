"""Proves a certificate of `dpsco audit plan` again, from the plan's numbers alone: `python check.py CERTIFICATE`.

It needs python-flint and the standard library only; `dpsco/audit/plans/__init__.py` has the argument. `effort` comes first."""

import hashlib
import json
import math
import re
import sys
from collections import namedtuple
from decimal import Decimal
from pathlib import Path
from typing import Any

from flint import acb, acb_mat, arb, ctx

VERSION = "dpsco plan certificate 1"
BITS, NATS, NODES, SECONDS, MIB, SIZE = 96, 52.0, 10**5, 10.0, 256, 10**6  # the last three: of a check, bytes of a file
DECIMAL = re.compile(r"\d{1,60}(\.\d{1,60})?(e[+-]?\d{1,3})?", re.IGNORECASE | re.ASCII)
ADJACENCIES = ("replace-one", "add-remove", "add-one")
_ZHU, _KOV = "Zhu, Dong and Wang 2022", "randomised response, Kairouz, Oh and Viswanath 2015, Theorem 3.3; attained"
COMPOSITION = f"the product of dominating pairs dominates adaptive composition, in any order: {_ZHU}, Theorem 10"
_SGD = f"Poisson sampling, m = clip/sigma: N(0, 1), q of it N(m, 1), against N(0, 1), both directions, {_ZHU}, Theorem 11; or "
_SGD += "-m for replace-one: a test of N(u, 1)-chance Phi(z) has Phi(z-m) of N(0, 1), Phi(z-2m) of N(v, 1) or more; attained"
MECHANISMS: dict[str, tuple[tuple[str, ...], str]] = {  # fields of a release, and the theorem that its pair dominates
    "gaussian": (("sigma", "sensitivity"), "Gaussian pair, Dong, Roth and Su 2022; attained"),
    "laplace": (("scale", "sensitivity"), f"Laplace pair, {_ZHU}; attained"),
    "randomised-response": (("epsilon",), _KOV),
    "pure": (("epsilon",), f"{_KOV} by it"),
    "exponential": (("range",), "upper: any losses in an interval of length r; lower: two outputs, theta r and theta r - r"),
    "approximate": (("epsilon", "delta"), f"{_KOV} by one mechanism of this kind, told with chance delta"),
    "dp-sgd": (("sigma", "clip", "rate"), _SGD),
}
LINE = {"direction", "side", "theta", "c", "left", "right", "top", "blur", "window", "root"}
CLAIMS = {"epsilon_at": "delta", "delta_at": "epsilon"}
Sampled = namedtuple("Sampled", "m q p r")
"""l = A(x)^p / A(-x)^r, A(x) = 1 - q + q e^{mx - m^2/2}, under Q = A(-x)^r N(0, 1): one step of dp-sgd."""
Terms = list[tuple[Any, Any, bool]]  # (weight, loss, over): M(s) sums weight e^{s loss}, divided by s - 1/2 where `over`
Plan = namedtuple("Plan", "mu2 told cap corner laws")  # mu^2, chance of infinite loss, largest sum, its chance, (count, law)


def need(fact: Any, text: str) -> None:
    if not fact:
        raise ValueError(text)


def number(text: Any, where: str, low: str = "1e-9", high: str = "1e9") -> Any:
    """The ball of a decimal string. Raises ValueError naming the place and what is allowed."""
    if isinstance(text, str) and DECIMAL.fullmatch(text) and Decimal(low) <= Decimal(text) <= Decimal(high):
        return arb(text)
    raise ValueError(f"{where} = {text!r:.80}: a decimal from {low} to {high} is needed")


def compose(plan: dict[str, Any], direction: str = "both", side: str = "both", theta: Any = None) -> Plan:
    """The pair of one direction (`both`: they agree) and side. Raises ValueError naming the release and what is allowed."""
    ctx.prec = BITS
    mu2, told, cap, corner, laws = arb(0), arb(0), arb(0), arb(1), list[tuple[int, Any]]()
    fine = plan["adjacency"] in ADJACENCIES and 1 <= len(plan["releases"]) <= 100
    need(fine, f"adjacency = {plan['adjacency']!r}: one of {', '.join(ADJACENCIES)} is needed, and 1 to 100 releases")
    allowed = "; ".join(f"{name} with {', '.join(v[0])}" for name, v in MECHANISMS.items())
    for i, one in enumerate(plan["releases"], 1):
        kind, count, at = one["mechanism"], one["count"], f"release {i}: "
        fine = kind in MECHANISMS and set(one) == {"mechanism", "count", *MECHANISMS[kind][0]}
        need(fine, f"{at}{kind!r} with {', '.join(set(one) - {'mechanism', 'count'})}; allowed: {allowed}")
        need(type(count) is int and 1 <= count <= 10**9, f"{at}count = {count!r}: a whole number from 1 to 10^9 is needed")
        x = {name: number(one[name], at + name) for name in MECHANISMS[kind][0] if name not in ("rate", "delta")}
        if kind == "gaussian":
            mu2, cap, corner = mu2 + count * (x["sensitivity"] / x["sigma"]) ** 2, arb("inf"), arb(0)
        elif kind == "dp-sgd":
            number(str(Decimal(one["clip"]) / Decimal(one["sigma"])), f"{at}clip / sigma", "1e-6", "100")
            q, both = number(one["rate"], f"{at}rate", high="0.999999"), plan["adjacency"] == "replace-one"
            laws.append((count, Sampled(x["clip"] / x["sigma"], q, int(direction != "add"), int(both or direction == "add"))))
            cap, corner = cap - count * (-q).log1p() if direction == "add" else arb("inf"), arb(0)
        else:
            size = x["sensitivity"] / x["scale"] if kind == "laplace" else x["range" if kind == "exponential" else "epsilon"]
            number(str(float(size)), f"{at}loss of one answer", high="1000")
            told += count * (-number(one["delta"], f"{at}delta", "1e-300", "0.9999")).log1p() if "delta" in one else 0
            law, top, chance = _bounded(kind, size, theta if side == "lower" else None)
            laws.append((count, law))
            cap, corner = cap + count * top, corner * chance**count
    return Plan(mu2, -told.expm1(), cap, corner, laws)


def _bounded(kind: str, x: Any, theta: Any) -> tuple[Terms, Any, Any]:
    """The terms of M, the largest loss and the chance of exactly it."""
    if kind == "laplace":
        down = (-x).exp()
        return [(down / 2, x, False), (arb(1) / 2, -x, False), (down / 4, x, True), (-arb(1) / 4, -x, True)], x, arb(1) / 2
    if kind == "exponential" and theta is None:  # sinh((s - 1/2) x) / (2 sinh(x/2) (s - 1/2))
        half = 4 * (x / 2).sinh()
        return [((-x / 2).exp() / half, x, True), (-(x / 2).exp() / half, -x, True)], x, arb(0)
    top, width = (theta * x, x) if kind == "exponential" else (x, 2 * x)
    up = ((-top).exp() - (-width).exp()) / -(-width).expm1()
    return [(up, top, False), (1 - up, top - width, False)], top, up * top.exp()


def Phi(x: Any) -> Any:
    return (-x / arb(2).sqrt()).erfc() / 2


class Nodes:
    """E_Q l^s on the line Re s = c, |Im s| <= top: the trapezoidal rule, as weights, losses and the radius of a ring."""

    def __init__(self, law: Sampled, c: Any, top: Any) -> None:
        self.law, self.c, p, r = law, c, law.p, law.r
        self.bound, h, strip, first, last = self.sizes(law, c, float(top))
        need(last - first < NODES, f"c = {c.str(6)}, top = {top.str(6)}: {last - first} nodes, at most {NODES} are allowed")
        # |Im x| = strip: |phi| <= e^{strip^2/2} phi, |arg A| <= m strip, cos(m strip/2) A <= |A| <= A
        size = (strip**2 / 2 + (p + r) * top * law.m * strip).exp() * (law.m * strip / 2).cos() ** (r * (1 - c))
        relative = 2 * size / (2 * arb.pi() * strip / h).expm1()
        need(relative < 1, f"c = {c.str(6)}, top = {top.str(6)}: a relative error of the sum below 1 is needed")
        self.ends, pairs = (first * h, last * h), [self.at(j * h) for j in range(first, last + 1)]
        self.losses, self.weights = [loss for loss, _ in pairs], [h * log.exp() for _, log in pairs]
        total, out = sum(self.weights, start=arb(0)), self.outside(arb(0), arb("1.001"))
        self.moment = (total / (1 + relative)).union((total + out) / (1 - relative))
        self.ring = (out + relative * self.moment).upper()

    def at(self, x: Any) -> tuple[Any, Any]:  # the loss at x, and the logarithm of the density of Q times l^c
        m, q, p, r = self.law.m, self.law.q, self.law.p, self.law.r
        up, down = ((1 - q + q * (y * x - m**2 / 2).exp()).log() if on else arb(0) for on, y in ((p, m), (r, -m)))
        return up - down, self.c * (up - down) + r * down - x**2 / 2 - (2 * arb.pi()).log() / 2

    def outside(self, shift: Any, most: Any) -> Any:
        """Bound of l^c e^{shift |x|} outside the nodes, as an integral or, `most` = 1.001 and h <= 1, as a sum."""
        sides = [(w, sign * a, sign * end) for w, a in self.bound for end, sign in zip(self.ends, (-1, 1), strict=True)]
        parts = [(w * (a * shift + shift**2 / 2).exp(), end - a - shift) for w, a, end in sides]
        return sum((w * (Phi(-far) if far >= 0 else most) for w, far in parts), start=arb(0))

    def variation(self) -> Any:
        """V: the integral of g |(ln g)'| over M(c), where g = density l^c / (ln l)' and |(ln (ln l)')'| <= m."""
        m, q, p, r, c = self.law.m, self.law.q, self.law.p, self.law.r, self.c
        odds, total, count = (1 - q) / q * (m**2 / 2).exp(), arb(0), max(64, int(8 * float(self.ends[1] - self.ends[0])))
        half = (self.ends[1] - self.ends[0]) / (2 * count)
        for x in (self.ends[0] + (2 * j + 1) * half for j in range(count)):
            cell = x + arb(0, half.upper())
            up, down = 1 / (1 + odds * (-m * cell).exp()), 1 / (1 + odds * (m * cell).exp())
            slope = abs(-cell + p * c * m * up + r * (c - 1) * m * down).upper()
            total += ((self.at(x)[1] + slope * half).exp() * (slope + m) / (p * up + r * down)).upper() * 2 * half
        for w, d in ((arb(1), arb(0)), (odds, m)):  # beyond: |(ln g)'| <= 2cm + e^|x|, m / (ln l)' <= 1 + odds e^{m |x|}
            total += w * (2 * c * m * self.outside(d, arb(1)) + self.outside(d + 1, arb(1)))
        return (total / (m * self.moment)).upper()

    @staticmethod
    def sizes(law: Sampled, c: Any, top: float) -> tuple[list[tuple[Any, Any]], Any, Any, int, int]:
        """A normal mixture above density times l^c (Jensen, or A >= 1 - q), step, half-width of strip, first and last node."""
        m, q, mixture, flat = law.m, law.q, [(arb(1), arb(0))], (1 - law.q) ** (1 - c)
        for on, size, slope in ((law.p, (-c * m**2 / 2).exp(), c * m), (law.r, ((c - 1) * m**2 / 2).exp(), (c - 1) * m)):
            parts = ((1 - q, 0), (q * size, slope)) if size < 1 or q * size * (slope**2 / 2).exp() < flat else ((flat, 0),)
            mixture = [(w * z, a + b) for w, a in mixture for z, b in parts] if on else mixture
        mixture = [(w * (a**2 / 2).exp(), arb(a)) for w, a in mixture]
        rooms = [(math.sqrt(2 * room), float(a)) for w, a in mixture if (room := NATS + float(w.log())) > 0]
        mf, widest, best = float(m), min(math.sqrt(2 * NATS), math.pi / float(m)), (0.0, 0.0)
        for a in (widest * j / 40 for j in range(2, 40)):
            lost = (law.p + law.r) * top * mf * a - law.r * (float(c) - 1) * math.log(math.cos(mf * a / 2))
            best = max(best, (min(1.0, 2 * math.pi * a / (NATS + 2 + a * a / 2 + lost)), a))
        first, last = (math.ceil(max(x + sign * a for x, a in rooms) / best[0]) + 1 for sign in (-1, 1))
        return mixture, arb(best[0]), arb(best[1]), -first, last


def atoms(law: Terms, s: Any) -> Any:  # M(s) of one release of bounded loss
    return sum(w * (s * x).exp() / (s - arb(1) / 2 if over else 1) for w, x, over in law)


def moment(plan: Plan, c: Any, blur: Any) -> Any:  # M(c) of the whole plan; 1 at c = 1
    total = (c * (c - 1) * (plan.mu2 + blur**2) / 2).exp()
    for count, law in plan.laws:
        total *= (Nodes(law, c, arb(0)).moment if isinstance(law, Sampled) else atoms(law, c)) ** count if c != 1 else 1
    return total


def effort(plan: dict[str, Any], given: dict[str, Any]) -> tuple[float, float, float]:
    """Seconds, bytes kept and bytes beside them that a line takes, about: from counts, before anything is evaluated."""
    (c, *ends), top = (number(given[x], x, "1") for x in ("c", "left", "right")), float(number(given["top"], "top", "1e-12"))
    laws = [law for _, law in compose(plan, given["direction"], given["side"], arb("0.5")).laws]
    n, most = given["root"] ** 2, 0.0
    seconds = n * 8e-6 + sum(n * (4e-6 if isinstance(law, Sampled) else len(law) * 5e-6) for law in laws)
    for law in (x for x in laws if isinstance(x, Sampled)):
        for x, u, points in ((c, top, n), (ends[0], 0.0, 0), (ends[1], 0.0, 0)):
            *_, first, last = Nodes.sizes(law, x, u)
            most = max(most, 500 * (nodes := last - first + 1) * (1 + points**0.5))
            seconds += nodes * (1e-5 + points * 1e-7 + points**0.5 * 4e-6 + 2e-4) + 2e-3 if nodes <= NODES else math.inf
    return seconds, n * 100.0, n * (850.0 if most else 450.0) + most


class Line:
    """delta for one direction and side of a plan, from M on one line; `given` are the numbers of the certificate."""

    def __init__(self, whole_plan: dict[str, Any], given: dict[str, Any]) -> None:
        self.side, self.root, theta = given["side"], given["root"], number(given["theta"], "theta", "0.5", "0.999")
        self.plan = plan = compose(whole_plan, given["direction"], self.side, theta)
        c, left, right, top = (number(given[x], x, "1" if x != "top" else "1e-12") for x in ("c", "left", "right", "top"))
        self.c, self.blur, self.window = c, number(given["blur"], "blur", "0"), number(given["window"], "window", "1", "40")
        need(type(self.root) is int and 2 <= self.root <= 1000 and left < c < right, "needed: root 2 to 1000, left < c < right")
        self.eta, gauss = top / (self.root**2 - 1), plan.mu2 + self.blur**2
        points, drop = [acb(c, j * self.eta) for j in range(self.root**2)], (-gauss * top**2 / 2).exp()
        whole, values = (c * (c - 1) * gauss / 2).exp(), [(s * (s - 1) * gauss / 2).exp() / (s * (s - 1)) for s in points]
        for count, law in plan.laws:
            if isinstance(law, Sampled):
                nodes = Nodes(law, c, top)
                ring, one = acb(arb(0, nodes.ring), arb(0, nodes.ring)), nodes.moment
                steps, pairs = [j * self.eta for j in range(self.root)], list(zip(nodes.weights, nodes.losses, strict=True))
                outer = acb_mat([[w * acb(0, self.root * u * x).exp() for w, x in pairs] for u in steps])
                inner = acb_mat([[acb(0, u * x).exp() for u in steps] for x in nodes.losses])
                found, v = [z + ring for z in (outer * inner).entries()], nodes.variation()
                near, far = (-count * min((top / v) ** 2, arb(2)) / 32).exp(), (v / top) ** count
                drop *= far if top > v and far < near else near
            else:
                found, one = [atoms(law, s) for s in points], atoms(law, c)
            values, whole = [y * z**count for y, z in zip(values, found, strict=True)], whole * one**count
        self.values, period = acb_mat(self.root, self.root, [values[0] / 2, *values[1:]]), 2 * arb.pi() / self.eta
        self.rest = (whole * drop / (arb.pi() * top)).upper()
        self.aliases = [(x, moment(plan, x, self.blur) / (abs(x - c) * period).expm1()) for x in (left, right)]

    def blurred(self, k: Any) -> Any:  # delta of the pair and the blur, without what is told
        outer = acb_mat([[acb(0, -j * self.root * self.eta * k).exp() for j in range(self.root)]])
        inner = acb_mat([[acb(0, -j * self.eta * k).exp()] for j in range(self.root)])
        total, scale = (outer * self.values * inner)[0, 0].real * self.eta / arb.pi(), (-(self.c - 1) * k).exp()
        alias = sum((size * (-(other - 1) * k).exp() for other, size in self.aliases), start=arb(0))
        return ((total - self.rest) * scale - alias).lower().union(((total + self.rest) * scale).upper())

    def upper(self, k: Any) -> Any:
        return self.plan.told + (1 - self.plan.told) * (arb(0) if k >= self.plan.cap else self.blurred(k).upper())

    def lower(self, k: Any) -> Any:
        sharp = self._sharp(k) if self.blur > 0 else self.blurred(k)
        atom = self.plan.corner * -(k - self.plan.cap).expm1() if self.plan.corner > 0 else arb(0)
        return self.plan.told + (1 - self.plan.told) * max(arb(0), atom.lower(), sharp.lower())

    def _sharp(self, k: Any) -> Any:
        """Below delta: the chords over G in [e^-w, 1] and [1, e^w], delta(k - 2w) below that, 1 below e^-2w."""
        half, n, w = self.blur / 2, self.window, self.blur * self.window
        low, far, high = (self.blurred(k + x).upper() for x in (-w, -2 * w, w))
        mean, over = 2 * Phi(half) - 1, Phi(half - n) - w.exp() * Phi(-half - n)  # E (G - 1)_+ = E (1 - G)_+, E (G - e^w)_+
        left, right = mean / -(-w).expm1(), (mean - over) / w.expm1()
        rest = left * low + right * high + Phi(half - n) * far + Phi(half - 2 * n)
        return (self.blurred(k) - rest) / (1 - left - right) if left + right < 1 else arb(0)


def digest(content: Any) -> str:
    """SHA-256 of the content as JSON without spaces, keys sorted."""
    return hashlib.sha256(json.dumps(content, sort_keys=True, separators=(",", ":")).encode()).hexdigest()


def wanted(plan: dict[str, Any]) -> list[tuple[str, str]]:
    """The directions and sides for which a proof has a line."""
    kinds = {one["mechanism"] for one in plan["releases"]}
    directions = ("remove", "add") if "dp-sgd" in kinds and plan["adjacency"] != "replace-one" else ("both",)
    return [(way, side) for way in directions for side in (("upper", "lower") if "exponential" in kinds else ("both",))]


def fixed(plan: dict[str, Any]) -> dict[str, Any]:
    """What a certificate of this plan says besides proof and claims."""
    plan, theorems = {x: plan[x] for x in ("adjacency", "releases")}, [MECHANISMS[x["mechanism"]][1] for x in plan["releases"]]
    return {"version": VERSION, "plan": plan, "plan_sha256": digest(plan), "composition": COMPOSITION, "theorems": theorems}


def check(certificate: dict[str, Any]) -> str | None:
    """Why the certificate is no proof; None if every claim is proved, nothing else said. Raises TimeoutError: too much work."""
    try:
        plan, proof, claims = (certificate[name] for name in ("plan", "proof", "claims"))
        body = fixed(plan) | {"proof": proof, "claims": claims}
        need(certificate == body | {"sha256": digest(body)}, "a digest, theorem, version or key is not that of the content")
        need([(x["direction"], x["side"]) for x in proof] == wanted(plan), f"the proof needs a line for each of {wanted(plan)}")
        need(all(set(x) == LINE and x["root"] in range(2, 1001) for x in proof), f"needed: keys {LINE}, root 2 to 1000")
        keys = {name: {known, "lower", "upper"} for name, known in CLAIMS.items()}
        need({name: set(x) for name, x in claims.items()} == keys, f"the claims have just the keys {keys}")
        seconds, kept, most = zip(*(effort(plan, one) for one in proof), strict=True)
        spent, held = sum(seconds), (40e6 + sum(kept) + max(most)) / 2**20
        if spent > SECONDS or held > MIB:
            raise TimeoutError(f"it takes {spent:.3g} s, {held:.3g} MiB or more; at most {SECONDS:g} s, {MIB} MiB are allowed")
        lines = [Line(plan, one) for one in proof]
        for name, known in CLAIMS.items():
            at, low, high = (number(claims[name][x], x, "0") for x in (known, "lower", "upper"))
            (k, top), (j, least) = ((high, at), (low, at)) if known == "delta" else ((at, high), (at, low))
            need(all(x.upper(k) <= top for x in lines if x.side != "lower"), f"{name}: not proved that delta({k}) <= {top}")
            fine = low == 0 or any(x.lower(j) > least for x in lines if x.side != "upper")
            need(fine, f"{name}: not proved that delta({j}) > {least}")
        return None
    except (KeyError, TypeError, ValueError, AttributeError, ArithmeticError, RecursionError) as error:
        return f"{'' if type(error) is ValueError else f'not of the form, {type(error).__name__}: '}{error!s:.400}"


def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """A JSON object. Raises ValueError where a key comes twice: a reader may believe the first, the last alone is proved."""
    need(len(dict(pairs)) == len(pairs), f"a key comes twice among {', '.join(key for key, _ in pairs):.200}")
    return dict(pairs)


def main() -> int:
    """Exit status: 0 VALID, 1 INVALID, 2 not readable, or too much work."""
    try:
        need(Path(sys.argv[1]).stat().st_size <= SIZE, f"over {SIZE} bytes")
        reason = check(json.loads(Path(sys.argv[1]).read_text("utf-8"), object_pairs_hook=unique))
    except (IndexError, OSError, ValueError, RecursionError) as error:
        return print(f"not checked: {error} (usage: check.py CERTIFICATE)", file=sys.stderr) or 2
    return print("VALID" if reason is None else f"INVALID: {reason}") or int(reason is not None)


if __name__ == "__main__":
    sys.exit(main())
