"""The numbers of a risk bound written so that its roots are rational: powers for numbers, and d by the noise that it brings.

n = 2 N^4, B = b^2 and so on are all positive numbers. With V = 2 L^2/n + d sigma^2/n^2 = (1 + z)^2 2 L^2/n, z >= 0, the noise
term is whatever it may be, and d with it; epsilon is its threshold, where the claim has one, plus a number that is at least 0.
"""

from collections.abc import Callable, Hashable, Mapping
from functools import lru_cache
from typing import Any

import sympy

from dpsco.arguments.formula import apply
from dpsco.arguments.polynomial_slack import Value, nonnegative, quantity
from dpsco.reference.numbers.symbolic import SymbolicNumbers
from dpsco.spec.algorithms.objective_perturbation.newsvendor_utility import delta_is_small, sigma
from dpsco.spec.claim import Claim
from dpsco.spec.numbers import Real

POWERS = {"B": 2, "B_x": 2, "r_bar": 2, "kappa_2": 2, "s": 2, "K_bar": 1}
"""Which root of a number is one of its symbols."""
OWN = {"epsilon", "delta", "n", "d", *POWERS}


_PROVED: dict[Hashable, bool] = {}


@lru_cache(maxsize=1024)  # the claim's mutants ask for most of them again
def _factored(value: Any) -> Any:
    return sympy.factor(value)


class RootNumbers(SymbolicNumbers):
    """Expressions whose roots of squares come out."""

    def __init__(self) -> None:
        super().__init__()
        self.sqrt = lambda x: sympy.sqrt(_factored(x))


def rooted(claim: Claim) -> Mapping[str, Real] | None:
    """The claim's numbers so written; None where one of them may be zero or less, or delta above 1."""
    m = RootNumbers()
    signs = [quantity(claim, parameter) for parameter in claim.parameters if parameter.name in OWN]
    if not all(symbol.is_positive or symbol.func is sympy.exp for symbol in signs):
        return None
    if claim.parameter("delta").domain.contains(m, "2") is not sympy.false:
        return None
    values: dict[str, Any] = {name: sympy.Symbol(f"root_{name}", positive=True) ** power for name, power in POWERS.items()}
    values["n"] = 2 * sympy.Symbol("root_n", positive=True) ** 4
    values["epsilon"] = _threshold(claim, m, values) + sympy.Symbol("epsilon_more", nonnegative=True)
    small = delta_is_small in claim.tests
    log = sympy.Symbol("log_more", nonnegative=True) + (values["epsilon"] / 2 if small else 0)
    values["delta"] = sympy.exp(-log)
    noise = 8 * log + 4 * values["epsilon"]  # sigma^2 epsilon^2 / L^2
    if sympy.simplify(apply(sigma, m, values) ** 2 * values["epsilon"] ** 2 - noise * lipschitz(values) ** 2) != 0:
        raise ArithmeticError(f"{claim.id}: the variance is not the one that these numbers are written for")
    z = sympy.Symbol("noise_more", nonnegative=True)
    values["d"] = 2 * values["n"] * values["epsilon"] ** 2 * ((1 + z) ** 2 - 1) / noise
    return {**values, "L": lipschitz(values)}


def lipschitz(values: Mapping[str, Real]) -> Real:
    """L = r_bar B_x."""
    return values["r_bar"] * values["B_x"]


def _threshold(claim: Claim, m: Any, values: Mapping[str, Any]) -> Any:
    """The right side of the claim's precondition `epsilon >= right side`, 0 if it has none."""
    epsilon = sympy.Symbol("epsilon", positive=True)
    for predicate in claim.preconditions:
        if "epsilon" in predicate.names and {*predicate.names} <= {"epsilon", *values}:
            found = predicate(m, {"epsilon": epsilon, **values})
            if isinstance(found, sympy.Ge) and found.lhs == epsilon and not found.rhs.has(epsilon):
                return found.rhs
    return sympy.Integer(0)


def at_least_zero(claim: Claim, value: Value) -> bool:
    """Whether the value is nonnegative on the claim's whole domain, by coefficients in the roots."""
    numbers = rooted(claim)
    if numbers is None:
        return False
    difference = _factored(value(RootNumbers(), numbers))
    return bool(difference == 0) or nonnegative(claim, difference)


def square_at_least(claim: Claim, larger: Value, smaller: Value) -> bool:
    """Whether larger^2 >= smaller^2, both being nonnegative, in the same way: where a root stays."""
    return at_least_zero(claim, lambda m, v: sympy.expand(larger(m, v) ** 2) - sympy.expand(smaller(m, v) ** 2))


def once(claim: Claim, names: tuple[str, ...], prove: Callable[[], bool]) -> bool:
    """A proof that speaks of these formulas, the claim's conditions and domains only: not repeated for the claim's mutants."""
    key = (names, *(claim.formulas[name] for name in names), tuple(p.test for p in claim.preconditions), claim.parameters)
    if key not in _PROVED:
        _PROVED[key] = prove()
    return _PROVED[key]
