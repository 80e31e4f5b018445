"""Judges of the smoothing bias in a linear quantile model: the conditional bias, the gradient at theta*, the minimiser.

The minimiser is judged by an argument that does not use the gradient's bound, which is false: see `RADIAL`.
"""

from collections.abc import Iterator
from functools import cache, partial
from typing import Any

import sympy

from dpsco.arguments.analysis.linear_quantile_laws import DISTANCES, Model, Side, Try, decide, models, no_negative, norm
from dpsco.arguments.assertions import Table, by_assertion
from dpsco.arguments.comparing import certified, proved, refuted
from dpsco.arguments.formula import apply
from dpsco.mutants.analysis.smoothing import bias as mutants
from dpsco.reference.analysis.smoothing.bias import gradient, smoothed
from dpsco.reference.numbers.enclosure import arb, ends
from dpsco.reference.numbers.symbolic import symbolic, symbols_of
from dpsco.spec.analysis.smoothing.bias import RISE, RISE_ON_SEGMENT, SMALL_BANDWIDTH, features_have_these, margin_is_positive
from dpsco.spec.claim import Claim, Relation
from dpsco.spec.numbers import Real
from dpsco.verdict import PROOF_STEP, Finding, Lemma, Reading

CONDITIONAL = Lemma(
    "conditional bias",
    "E[calK(-error/h) | x] - r = E[F(-hV) - F(0)] = E[integral of f(t) - f(0) from 0 to -hV], since E[V] f(0) = 0 for an even "
    "kernel. The integrand is at most l_1 |t| in size, so the absolute value is at most c = h^2 l_1 kappa_2/2.",
)
ALIGNED = Lemma(
    "gradient at theta*",
    "grad L_h(theta*) = E[bias(x) x] with |bias(x)| <= c, so for a unit vector v = (v_1, w) it is at most c E|v_1 + w'z| along "
    "v, x = (1, z), E[z] = 0. |z| <= a = sqrt(B_x^2 - 1) and convexity of the absolute value put the mean at no more than that "
    "of w'z = +-|w| a with equal probability: max(|v_1|, |w| a) <= max(1, a). Entry j is at most c E|x_j|.",
)
CURVED = Lemma(
    "growth of the gradient",
    "With Z = |(theta - theta*)'x| the slope given x grows by at least (f - h l_1 kappa_1) Z^2 - l_1 Z^3/2 along theta - "
    "theta*: its derivative is E f(s - hV) >= f - h l_1 kappa_1 - l_1 |s|. Where f >= h l_1 kappa_1, E[Z^2] >= rho_1 |theta - "
    "theta*|^2 and Z <= B_x |theta - theta*| give the printed growth.",
)
ALONG = Lemma(
    "along the bias",
    "grad L_h(theta_h*) = 0, so (20) and (23) bound the component of -grad L_h(theta*) along theta_h* - theta*, at most its "
    "norm. In the models whose window (twice) stays inside the line, residuals -q given x_2 > 0 and q given x_2 < 0 make every "
    "slope zero: theta_h* - theta* is -(q/a) e_2, opposite to the gradient, and the component is the norm.",
)
RADIAL = Lemma(
    "minimiser, without the gradient's bound",
    "Let b = f - h l_1 kappa_1 > 0, u a unit vector, s > 0, Z = |u'x|. The derivative of L_h along u at theta* + s u is at "
    "least b s E[Z^2] - l_1 s^2 E[Z^3]/2 - c E[Z] >= sqrt(E Z^2) ((b s - l_1 B_x s^2/2) sqrt(rho_1) - c) wherever b >= l_1 B_x "
    "s/2. That is positive for s just above the smaller root of l_1 B_x sqrt(rho_1) s^2/2 - b sqrt(rho_1) s + c, which exists "
    "if b^2 sqrt(rho_1) > l_1^2 B_x h^2 kappa_2, and is at most 2c/(b sqrt(rho_1)). L_h is convex: positive on that sphere in "
    "every direction, it has minimisers, all inside. The condition follows from margin > 0 as rho_1 <= 1 <= B_x.",
)

NORM = "|grad L_h(theta*)|"
UNDER_THE_CONDITION = {"d": "2", "B_x": "2.6", "f": "0.1", "l_1": "1", "h": "0.02"}
DECISIVE = {"d": "2", "B_x": "10.025", "f": "0.1", "l_1": "1", "h": "0.02"}


def at_least(claim: Claim, name: str, tight: Any) -> bool:
    """Whether the claim's formula is a constant multiple, at least 1, of the tight value."""
    ratio = sympy.simplify(apply(claim.formulas[name], symbolic(), symbols_of(claim.parameters)) / tight)
    return bool(ratio.is_number and ratio >= 1)


def c_of(claim: Claim) -> Any:
    """c = h^2 l_1 kappa_2/2: the judge's own."""
    s = symbols_of(claim.parameters)
    return s["h"] ** 2 * s["l_1"] * s["kappa_2"] / 2


@cache
def slope_at_zero(model: Model) -> Real:
    m = arb()
    return smoothed(m, model.leaning[0][2], m.real(0), m.real(model.bandwidth)) - m.real(model.number("r"))


@cache
def gradient_at_zero(model: Model) -> list[Real]:
    m = arb()
    zero = [m.real(0)] * model.d
    return gradient(m, model.leaning, zero, m.real(model.bandwidth), m.real(model.number("r")))


def conditional(name: str, claim: Claim) -> Iterator[Finding]:
    """The conditional bias, and its lower counterpart, which the norm needs and nobody prints."""
    holds = at_least(claim, name, c_of(claim))
    tries = [Try(model.at, partial(slope_at_zero, model)) for model in models() if model.d == 1]
    method = "a constant multiple, at least 1, of the lemma's constant"
    scope = "E[calK(-error/h) | x] - r, every kernel"
    yield decide(claim, Side(scope=scope, name=name, tries=tries, holds=holds, method=method, lemmas=(CONDITIONAL,)))
    if holds:
        yield certified(
            "the lower counterpart, which the gradient's norm needs: at least minus the same",
            method,
            CONDITIONAL,
            reading=Reading.MEANT,
        )


def conditioned(model: Model) -> bool:
    """Whether the model meets the bandwidth condition of Lemma 4.2, with twice the window inside the line."""
    m = arb()
    small = SMALL_BANDWIDTH(m, {name: m.real(value) for name, value in model.at.items()}) is True
    return small and 2 * model.bandwidth <= model.number("f") / model.number("l_1")


def whole_gradient(quantity: str, name: str, claim: Claim) -> Iterator[Finding]:
    """The norm of the gradient at theta*, and the component of it that displays (20) and (23) bound."""
    s, norms = symbols_of(claim.parameters), quantity == NORM
    largest = sympy.sqrt(sympy.Max(s["B_x"] ** 2 - 1, 1))
    tries = [  # a quantity at theta*, or along a direction: no distance is part of it
        Try(
            {quantity: value for quantity, value in model.at.items() if quantity != "distance"},
            lambda model=model: norm(arb(), gradient_at_zero(model)),  # type: ignore[misc]
        )
        for model in models()
        if model.at["h"] in ("0.00001", "0.001", "0.02") and (norms or conditioned(model))
    ]
    side = Side(
        scope=f"{quantity}, every distribution",
        name=name,
        tries=tries,
        holds=at_least(claim, name, largest * c_of(claim)),
        method="a constant multiple, at least 1, of the lemma's tight constant",
        lemmas=(CONDITIONAL, ALIGNED) if norms else (CONDITIONAL, ALIGNED, ALONG),
        given=(features_have_these,),
        severity=PROOF_STEP,
        decisive=DECISIVE if norms else UNDER_THE_CONDITION,
        survives="It holds for d = 1 and for B_x <= sqrt(2), and always with the factor max(1, sqrt(B_x^2 - 1)), which Lemma "
        "4.4's (28) needs too; Lemma 4.2's bound on the minimiser survives, by another argument.",
    )
    yield decide(claim, side)
    if norms and at_least(claim, name, c_of(claim)):
        yield certified(
            "|grad L_h(theta*)| for d = 1, or B_x <= sqrt(2)",
            "the same with max(1, sqrt(B_x^2 - 1)) = 1, or x = 1",
            CONDITIONAL,
            ALIGNED,
            reading=Reading.MEANT,
        )


def one_entry(name: str, claim: Claim) -> Iterator[Finding]:
    """Each entry of the gradient at theta* against a multiple of the mean of x_j, or of |x_j|."""

    def entry(model: Model, j: int) -> Real:
        return gradient_at_zero(model)[j]

    tries = []
    for model in models():
        for j in range(min(model.d, 2)):
            magnitude = str(float(model.a)) if j else "1"
            at = {**model.at, "mean_feature": "0" if j else "1", "mean_magnitude": magnitude}
            tries.append(Try(at, partial(entry, model, j)))
    s = symbols_of(claim.parameters)
    tight = c_of(claim) * s["mean_magnitude"] if "mean_magnitude" in s else None
    side = Side(
        scope="entry j of grad L_h(theta*), every distribution",
        name=name,
        tries=tries,
        holds=tight is not None and at_least(claim, name, tight),
        method="a constant multiple, at least 1, of c E|x_j|",
        lemmas=(CONDITIONAL, ALIGNED),
        severity=PROOF_STEP,
        decisive=DECISIVE,
        survives="It holds for the first entry, and for every entry with E|x_j| in the place of E[x_j].",
    )
    yield decide(claim, side)


def rooms(claim: Claim) -> dict[str, Any]:
    """The parameters on margin > 0, rho_1 <= 1 <= B_x: rho_1 = 1/(1 + q)^2, B_x = (1 + w)^2, kappa_2 = k^2, f by its margin."""
    s = symbols_of(claim.parameters)
    q, w = sympy.symbols("q w", nonnegative=True)
    k, g = sympy.symbols("k g", positive=True)
    bound = s["h"] * s["l_1"] * (s["kappa_1"] + (1 + w) ** 3 * k * (1 + q) ** 2)
    return {**s, "rho_1": 1 / (1 + q) ** 2, "B_x": (1 + w) ** 2, "kappa_2": k**2, "f": bound + g}


def minimiser(claim: Claim) -> Iterator[Finding]:
    """|theta_h* - theta*| against the printed bias."""
    s = rooms(claim)
    b = s["f"] - s["h"] * s["l_1"] * s["kappa_1"]
    proven = s["h"] ** 2 * s["l_1"] * s["kappa_2"] / (b * sympy.sqrt(s["rho_1"]))
    side = Side(
        scope="|theta_h* - theta*|, every distribution and kernel",
        name="bias",
        tries=[Try(model.at, model.distance) for model in models()],
        holds=no_negative(apply(claim.formulas["bias"], symbolic(), s) - proven),
        method="printed less proved bound: nonnegative coefficients in the margin, 1/sqrt(rho_1) - 1 and sqrt(B_x) - 1",
        lemmas=(CONDITIONAL, RADIAL),
        given=(margin_is_positive, features_have_these),
        remark="(20) and (23), on which the printed proof rests, are false (quantile/lem-4.2-gradient); the conclusion stands, "
        "and with sqrt(rho_1) in the place of rho_1",
    )
    yield decide(claim, side)


@cache
def inner(model: Model, distance: str, j: int) -> Real:
    """<grad L_h(theta) - grad L_h(theta*), theta - theta*> where the density is peaked and theta - theta* = distance e_j."""
    m = arb()
    zero, step, s = m.real(0), m.real(distance), [m.real(0)] * model.d
    moved = [step if i == j else zero for i in range(model.d)]
    width, r = m.real(model.bandwidth), m.real(model.number("r"))
    there, here = (gradient(m, model.peaked, at, width, r) for at in (moved, s))
    return step * (there[j] - here[j])


def growth(claim: Claim) -> Iterator[Finding]:
    """Display (21): the inner product of the change of the gradient with the change of theta."""
    s = rooms(claim)
    b, t = s["f"] - s["h"] * s["l_1"] * s["kappa_1"], s["distance"]
    proven = s["rho_1"] * b * t**2 - s["l_1"] * s["B_x"] ** 3 * t**3 / 2
    tries = [
        Try({**model.at, "distance": distance}, partial(inner, model, distance, j))
        for model in models()
        if model.at["B_x"] in ("1", "1.25", "3") and model.at["h"] != "1"
        for distance in DISTANCES
        for j in range(model.d)
    ]
    side = Side(
        scope="link: growth of the gradient, display (21), every theta",
        name="gradient_growth",
        tries=tries,
        sign=">=",
        holds=no_negative(proven - apply(claim.formulas["gradient_growth"], symbolic(), s)),
        method="proved growth less the printed one: nonnegative coefficients",
        lemmas=(CURVED,),
        given=(margin_is_positive,),
    )
    yield decide(claim, side)


def enough(claim: Claim) -> Iterator[Finding]:
    """margin > 0 => discriminant > 0, with the claim's own two formulas."""
    scope, m = "link: margin > 0 suffices for a positive discriminant", arb()
    for model in (model for model in models() if model.at["f"] == "0.4"):
        values = {name: m.real(value) for name, value in model.at.items()}
        for factor in ("1.0001", "1.5", "30"):  # f just above what a margin of 0 asks for, and far above
            without = {**values, "f": m.real(0)}
            f = -apply(claim.formulas["margin"], m, without) * m.real(factor)
            at = {**values, "f": f}
            margin, found = (apply(claim.formulas[name], m, at) for name in ("margin", "discriminant"))
            if m.gt(margin, 0) is True and m.le(found, 0) is True:
                yield refuted(
                    scope,
                    "0",
                    found,
                    {**model.at, "f": ends(f)[1]},
                    method="both sides enclosed at one choice of numbers",
                    severity=PROOF_STEP,
                    survives="The condition with sqrt(B_x^3 kappa_2)/rho_1 and the discriminant b^2 - 4ac.",
                )
                return
    s = rooms(claim)
    g = sympy.Symbol("g", positive=True)
    margin = sympy.simplify(apply(claim.formulas["margin"], symbolic(), s) - g)
    found = sympy.simplify(sympy.powdenest(apply(claim.formulas["discriminant"], symbolic(), s), force=True))
    holds = margin == 0 and no_negative(found) and bool(sympy.expand(found.subs({"q": 0, "w": 0})).is_positive)
    method = "with f written by its margin g, the discriminant has nonnegative coefficients, and is positive"
    yield proved(scope, holds, method, given=(features_have_these,))


def table(claim: Claim) -> Table:
    """Readers of the claim's assertions, the right side being any of its formulas."""
    names = claim.formulas
    return {
        **{Relation("E[calK(-error/h) | x] - r", "<=", name): partial(conditional, name) for name in names},
        **{Relation(q, "<=", name): partial(whole_gradient, q, name) for q in (NORM, RISE, RISE_ON_SEGMENT) for name in names},
        **{Relation("entry j of grad L_h(theta*)", "<=", name): partial(one_entry, name) for name in names},
        Relation("|theta_h* - theta*|", "<=", "bias"): minimiser,
        Relation("<grad L_h(theta) - grad L_h(theta*), theta - theta*>", ">=", "gradient_growth"): growth,
        Relation("margin > 0", "=>", "discriminant > 0"): enough,
    }


def smoothing_bias(claim: Claim) -> Iterator[Finding]:
    """Each assertion by its own argument."""
    yield from by_assertion(claim, table(claim))


IDS = ("lem-4.2", "lem-4.2-gradient", "lem-4.2-vector", "lem-4.2-gradient-amended", "lem-4.2-vector-amended")
JUDGES = {f"quantile/{id}": smoothing_bias for id in IDS}

MUTANTS = {
    "quantile/lem-4.2": mutants.of_minimiser,
    "quantile/lem-4.2-gradient-amended": mutants.of_gradient,
    "quantile/lem-4.2-vector-amended": mutants.of_vector,
}
