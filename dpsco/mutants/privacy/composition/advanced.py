"""Mutants of advanced composition; their falsity is shown by convolving losses step by step."""

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from inspect import Parameter, Signature

from dpsco.mutant import Mutant, with_formula
from dpsco.mutants.privacy.composition.pure import exceeds
from dpsco.spec.claim import Claim
from dpsco.spec.numbers import Numbers, Real
from dpsco.spec.register import find

Formula = Callable[..., Real]


def of_names(claim: Claim, epsilon: str, total: str, slack: str, count: str) -> Iterator[Mutant]:
    """The same mutants for any claim of this form, whatever it calls its formulas and numbers."""

    def at(k: str, lost: str, spare: str) -> Mapping[str, str]:
        return {count: k, "delta": lost, slack: spare}

    def moved(name: str, formula: Formula) -> Claim:
        return with_formula(claim, name, _renamed(formula, slack, count))

    flat = moved(epsilon, lambda m, e, lost, x, k: e * m.sqrt(2 * k * m.log(1 / x)))
    yield Mutant("k epsilon (e^epsilon - 1) dropped", flat, partial(exceeds, flat, "1", epsilon, at("100", "0", "0.1"), total))
    half = moved(epsilon, lambda m, e, lost, x, k: e * m.sqrt(k * m.log(1 / x)) + k * e * m.expm1(e))
    yield Mutant("1 for 2 under the root", half, partial(exceeds, half, "0.01", epsilon, at("100", "0", "1e-40"), total))
    slow = moved(epsilon, lambda m, e, lost, x, k: e * (2 * k * m.log(1 / x)) ** m.frac(2, 5) + k * e * m.expm1(e))
    yield Mutant("power 0.4 for the root", slow, partial(exceeds, slow, "0.01", epsilon, at("100", "0", "1e-40"), total))
    once = moved(total, lambda m, e, lost, x, k: lost + x)
    yield Mutant("delta for k delta", once, partial(exceeds, once, "0", epsilon, at("10", "0.1", "0.1"), total))
    free = moved(total, lambda m, e, lost, x, k: k * lost)
    yield Mutant("delta' dropped", free, partial(exceeds, free, "0.01", epsilon, at("100", "1e-40", "0.999"), total))


def _renamed(formula: Formula, slack: str, count: str) -> Formula:
    """A formula of (m, epsilon, delta, slack, count) under the claim's own argument names."""
    names = ("m", "epsilon", "delta", slack, count)

    def moved(m: Numbers, **values: Real) -> Real:
        return formula(m, *(values[name] for name in names[1:]))

    moved.__signature__ = Signature([Parameter(name, Parameter.POSITIONAL_OR_KEYWORD) for name in names])  # type: ignore[attr-defined]
    return moved


def of_rule(id: str) -> Iterator[Mutant]:
    return of_names(find(id), "epsilon_composed", "delta_composed", "delta_slack", "k")
