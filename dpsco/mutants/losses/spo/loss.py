"""Mutants of the SPO losses, shown false in fractions on lists of vertices: no algebra of inner products, no oracle."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction

from dpsco.mutant import Mutant, scaled, with_formula
from dpsco.mutants.losses.kernels import flip
from dpsco.spec.claim import Claim, Relation
from dpsco.spec.numbers import Numbers, Real
from dpsco.spec.register import find

Vector = Sequence[Fraction]
LINE = [(Fraction(-1),), (Fraction(1),)]
SQUARE = [(Fraction(a), Fraction(b)) for a in (-1, 1) for b in (-1, 1)]
TENTH, HALF = Fraction(1, 10), Fraction(1, 2)


def cost(c: Sequence[int], w: Vector) -> Fraction:
    return sum((a * x for a, x in zip(c, w, strict=True)), Fraction(0))


def worst(S: Sequence[Vector], c: Sequence[int], c_hat: Sequence[int]) -> Vector:
    """The dearest of the decisions that look cheapest."""
    least = min(cost(c_hat, w) for w in S)
    return max((w for w in S if cost(c_hat, w) == least), key=lambda w: cost(c, w))


def spo(S: Sequence[Vector], c: Sequence[int], c_hat: Sequence[int]) -> Fraction:
    return cost(c, worst(S, c, c_hat)) - min(cost(c, w) for w in S)


def relaxed(S: Sequence[Vector], alpha: Fraction | int, c: Sequence[int], c_hat: Sequence[int]) -> Fraction:
    """The right side of (2)."""
    top = max(cost(c, w) - alpha * cost(c_hat, w) for w in S)
    return top + alpha * min(cost(c_hat, w) for w in S) - min(cost(c, w) for w in S)


def spo_plus(S: Sequence[Vector], c: Sequence[int], c_hat: Sequence[int]) -> Fraction:
    """With the first of the minimisers of c'w."""
    best = min(S, key=lambda w: cost(c, w))
    return max(cost(c, w) - 2 * cost(c_hat, w) for w in S) + 2 * cost(c_hat, best) - cost(c, best)


def of_definition() -> list[Mutant]:
    claim = find("spo/def-4")
    true = spo(SQUARE, (1, -2), (0, 0))  # 6: everything is best for a prediction of 0

    def moved(says: str, formula: Callable[..., Real], false: Callable[[], bool]) -> Mutant:
        return Mutant(says, with_formula(claim, "spo", formula), false)

    def turned(m: Numbers, c: Real, w_hat: Real, w_star: Real) -> Real:
        return m.dot(c, w_star) - m.dot(c, w_hat)

    def added(m: Numbers, c: Real, w_hat: Real, w_star: Real) -> Real:
        return m.dot(c, w_hat) + m.dot(c, w_star)

    def predicted(m: Numbers, c_hat: Real, w_hat: Real, w_star: Real) -> Real:
        return m.dot(c_hat, w_star) - m.dot(c_hat, w_hat)

    return [
        Mutant("9/10 of the loss", scaled(claim, "spo", 9, 10), lambda: true * 9 * TENTH != true),
        moved("the two costs exchanged", turned, lambda: true != -true),
        moved("the least cost added", added, lambda: min(cost((1, -2), w) for w in SQUARE) != 0),
        moved("costs as predicted", predicted, lambda: true != 0),
        flip(claim, "SPO loss", "<", "spo", lambda: true == spo(SQUARE, (1, -2), (0, 0))),
        flip(claim, "SPO loss", ">", "spo", lambda: true == spo(SQUARE, (1, -2), (0, 0))),
    ]


def of_family() -> list[Mutant]:
    claim = find("spo/eq-2")
    wide = claim.formulas["spo_relaxed"]

    def moved(says: str, name: str, formula: Callable[..., Real], false: Callable[[], bool]) -> Mutant:
        return Mutant(says, with_formula(claim, name, formula), false)

    def one_sided(m: Numbers, alpha: Real, c: Real, c_hat: Real, w_hat: Real, w_star: Real) -> Real:
        return m.dot(c, w_hat) - alpha * m.dot(c_hat, w_hat) - m.dot(c, w_star)

    def without(m: Numbers, alpha: Real, c: Real, c_hat: Real, w_max: Real, w_star: Real) -> Real:
        return m.dot(c, w_max) - alpha * m.dot(c_hat, w_max) - m.dot(c, w_star)

    def doubled(m: Numbers, alpha: Real, c: Real, c_hat: Real, w_max: Real, w_hat: Real, w_star: Real) -> Real:
        return wide(m, alpha, c, c_hat, w_max, w_hat, w_star) + alpha * m.dot(c_hat, w_hat)

    return [
        moved(
            "alpha z*(c_hat) not added back in (1)",
            "spo_shifted",
            one_sided,
            lambda: spo(LINE, (1,), (-1,)) != spo(LINE, (1,), (-1,)) - cost((-1,), worst(LINE, (1,), (-1,))),
        ),
        moved(
            "alpha z*(c_hat) not added back in (2)",
            "spo_relaxed",
            without,
            lambda: spo(LINE, (1,), (-1,)) > relaxed(LINE, -1, (1,), (-1,)) + min(cost((-1,), w) for w in LINE),
        ),
        moved(
            "twice alpha z*(c_hat) in (2)",
            "spo_relaxed",
            doubled,
            lambda: spo(LINE, (1,), (-1,)) > relaxed(LINE, 2, (1,), (-1,)) + 2 * min(cost((-1,), w) for w in LINE),
        ),
        Mutant(
            "9/10 of the right side of (2)",
            scaled(claim, "spo_relaxed", 9, 10),
            lambda: spo(LINE, (1,), (-1,)) > relaxed(LINE, 0, (1,), (-1,)) * 9 * TENTH,
        ),
        Mutant(
            "11/10 of the SPO loss",
            scaled(claim, "spo", 11, 10),
            lambda: spo(LINE, (1,), (-1,)) * 11 * TENTH > relaxed(LINE, 0, (1,), (-1,)),
        ),
        flip(claim, "spo", ">=", "spo_relaxed", lambda: spo(LINE, (1,), (1,)) < relaxed(LINE, 0, (1,), (1,))),
        flip(claim, "spo", "=", "spo_relaxed", lambda: spo(LINE, (1,), (1,)) != relaxed(LINE, 0, (1,), (1,))),
        flip(claim, "spo", "<", "spo_shifted", lambda: spo(LINE, (1,), (1,)) == 0 == relaxed(LINE, 1, (1,), (1,))),
    ]


def of_surrogate() -> list[Mutant]:
    claim = find("spo/def-5")
    true = spo_plus(LINE, (1,), (-1,))  # 6

    def moved(says: str, formula: Callable[..., Real], value: Fraction | int) -> Mutant:
        return Mutant(says, with_formula(claim, "spo_plus", formula), lambda: value != true)

    def single(m: Numbers, c: Real, c_hat: Real, w_max: Real, w_star: Real) -> Real:
        return m.dot(c, w_max) - m.dot(c_hat, w_max) + 2 * m.dot(c_hat, w_star) - m.dot(c, w_star)

    def dropped(m: Numbers, c: Real, c_hat: Real, w_max: Real, w_star: Real) -> Real:
        return m.dot(c, w_max) - 2 * m.dot(c_hat, w_max) - m.dot(c, w_star)

    def turned(m: Numbers, c: Real, c_hat: Real, w_max: Real, w_star: Real) -> Real:
        return m.dot(c, w_max) - 2 * m.dot(c_hat, w_max) - 2 * m.dot(c_hat, w_star) - m.dot(c, w_star)

    return [
        Mutant("11/10 of the loss", scaled(claim, "spo_plus", 11, 10), lambda: true * 11 * TENTH != true),
        moved("1 for the first 2", single, max(w[0] + w[0] for w in LINE) + 2 + 1),
        moved("2 c_hat'w*(c) dropped", dropped, max(3 * w[0] for w in LINE) + 1),
        moved("2 c_hat'w*(c) taken off", turned, max(3 * w[0] for w in LINE) - 2 + 1),
        flip(claim, "SPO+ loss", "<", "spo_plus", lambda: true == spo_plus(LINE, (1,), (-1,))),
        flip(claim, "SPO+ loss", ">", "spo_plus", lambda: true == spo_plus(LINE, (1,), (-1,))),
    ]


def of_conjugate() -> list[Mutant]:
    claim = find("spo/sec-3.1")
    true, top = spo_plus(LINE, (1,), (-1,)), "max over w in S of conjugate_integrand"

    def moved(says: str, name: str, formula: Callable[..., Real], false: Callable[[], bool]) -> Mutant:
        return Mutant(says, with_formula(claim, name, formula), false)

    def single(m: Numbers, c: Real, c_hat: Real, w: Real, w_star: Real) -> Real:
        dual = [-a + 2 * b for a, b in zip(w, w_star, strict=True)]
        return m.dot(dual, c_hat) - m.dot([-a + b for a, b in zip(w, w_star, strict=True)], c)

    def plus(m: Numbers, c: Real, c_hat: Real, w: Real, w_star: Real) -> Real:
        dual = [-2 * a + 2 * b for a, b in zip(w, w_star, strict=True)]
        return m.dot(dual, c_hat) + m.dot([-a + b for a, b in zip(w, w_star, strict=True)], c)

    def without(m: Numbers, c: Real, c_hat: Real, w: Real, w_star: Real) -> Real:
        return m.dot(c, w) - 2 * m.dot(c_hat, w) + 2 * m.dot(c_hat, w_star)

    # on the line with c = 1, c_hat = -1 and w*(1) = -1
    return [
        moved("-w for -2w", "conjugate_integrand", single, lambda: max(w[0] + 2 - (-w[0] - 1) for w in LINE) != true),
        moved("plus <-w + w*(c), c>", "conjugate_integrand", plus, lambda: max(2 * w[0] + 2 - w[0] - 1 for w in LINE) != true),
        moved("z*(c) dropped", "integrand", without, lambda: max(3 * w[0] + 2 for w in LINE) != true),
        Mutant("9/10 of the integrand", scaled(claim, "integrand", 9, 10), lambda: true * 9 * TENTH != true),
        flip(claim, "integrand", "<", "conjugate_integrand", lambda: max(3 * w[0] + 2 + 1 for w in LINE) == true),
        flip(claim, "SPO+ loss", "<", top, lambda: max(3 * w[0] + 2 + 1 for w in LINE) == true),
        Mutant(
            "concave in c_hat",
            shaped(claim, "concave in c_hat"),
            lambda: sum(s * spo_plus(LINE, (2,), (h,)) for s, h in ((1, 0), (-2, 1), (1, 2))) > 0,
        ),
    ]


def shaped(claim: Claim, word: str) -> Claim:
    """The claim with another property of SPO+ in c_hat."""
    return replace(claim, asserts=tuple(Relation(a.left, a.sign, word) if a.sign == "is" else a for a in claim.asserts))


def of_sphere() -> list[Mutant]:
    claim = find("spo/notation-s")

    def sums(m: Numbers, w: Real) -> Real:
        return m.norm(w, 1)

    def two(m: Numbers) -> Real:
        return m.real(2)

    def size(w: Sequence[Fraction]) -> Fraction:
        return sum((x * x for x in w), Fraction(0))

    inner = (HALF, HALF)
    return [
        Mutant("radius 2", with_formula(claim, "unit_radius", two), lambda: size((Fraction(2), Fraction(0))) != 1),
        Mutant("the l1 norm", with_formula(claim, "euclidean_norm", sums), lambda: sum(inner) == 1 != size(inner)),
        flip(claim, "euclidean_norm", "<=", "unit_radius", lambda: size(inner) < 1),
        flip(claim, "euclidean_norm", ">=", "unit_radius", lambda: size((Fraction(2), Fraction(0))) > 1),
    ]


MUTANTS = {
    "spo/def-4": of_definition,
    "spo/eq-2": of_family,
    "spo/def-5": of_surrogate,
    "spo/sec-3.1": of_conjugate,
    "spo/notation-s": of_sphere,
}
