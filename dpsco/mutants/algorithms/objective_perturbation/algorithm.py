"""Moved texts of objective perturbation, and that they are false: by slopes of the whole objective on real data, by roots.

The judge reasons with zero features, limits and signs of formulas; here the risk is the 50-digit reference's, its features are
not zero, and what is looked at is a derivative, a root in epsilon, or plain evaluation.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial

from dpsco.mutant import Mutant, carried_over, scaled, with_formula
from dpsco.reference.algorithms.objective_perturbation.algorithm import objective, promoted
from dpsco.reference.numbers.mp import mp
from dpsco.spec.claim import Claim
from dpsco.spec.domain import Interval, nonnegative
from dpsco.spec.numbers import Numbers, Real
from dpsco.spec.register import find

FEATURES, OUTCOMES, NOISE = [["0.4"], ["-1"], ["0.7"]], ["1.5", "-0.2", "3"], "90"


def no_minimiser(claim: Claim, ridge: str = "0.8") -> bool:
    """Whether the slope of the objective in theta keeps one sign far out on both sides: then a convex one has no least point,
    and another one falls below any of its values."""
    m = mp(50)
    x, y, zero = promoted(m, FEATURES), [m.real(v) for v in OUTCOMES], m.real(0)

    def whole(theta: Real) -> Real:
        risk = objective(m, "logistic", x, y, [zero], m.real("0.5"), m.real("0.3"), zero, [theta])
        ridged = claim.formulas["regulariser"](m, lambda_=m.real(ridge), norm=abs(theta))
        return risk + ridged + claim.formulas["perturbation"](m, b_dot_theta=m.real(NOISE) * theta, n=m.real(len(y)))

    far = [m.real(10) ** k for k in range(3, 10)]
    left, right = ([m.mp.diff(whole, side * s, h=s * m.real("1e-20")) for s in far] for side in (-1, 1))  # type: ignore[attr-defined]
    # a least point needs a slope that is negative far left and positive far right
    return not (all(slope < 0 for slope in left) and all(slope > 0 for slope in right))


def negative(claim: Claim, delta: str) -> bool:
    """Whether the variance has a root in epsilon > 0 at this delta, and changes its sign there: on one side it is negative."""
    m = mp(50)

    def scaled_variance(epsilon: Real) -> Real:
        return claim.formulas["variance"](m, epsilon=epsilon, delta=m.real(delta), L=m.real("1.7")) * epsilon**2

    root = m.mp.findroot(scaled_variance, (m.real("0.1"), m.real(1)))  # type: ignore[attr-defined]
    return bool(root > 0 and scaled_variance(root * m.real("0.9")) * scaled_variance(root * m.real("1.1")) < 0)


def without_value(claim: Claim) -> bool:
    """Whether evaluation at the lower end of delta's domain, which the domain holds, divides by zero."""
    m, domain = mp(50), claim.parameter("delta").domain
    if domain.contains(m, 0) is not True:
        return False
    try:
        claim.formulas["variance"](m, epsilon=m.real(1), delta=m.real(0), L=m.real(1))
    except ZeroDivisionError:
        return True
    return False


def _plain_norm(m: Numbers, lambda_: Real, norm: Real) -> Real:
    return lambda_ * norm


def _none(m: Numbers, lambda_: Real, norm: Real) -> Real:
    return 0 * lambda_ * norm


def _negative_log(m: Numbers, epsilon: Real, delta: Real, L: Real) -> Real:
    return L**2 * (8 * m.log(m.frac(1, 2) / delta) + 4 * epsilon) / epsilon**2


def _less(m: Numbers, epsilon: Real, delta: Real, L: Real) -> Real:
    return L**2 * (8 * m.log(2 / delta) - 4 * epsilon) / epsilon**2


def _concave(m: Numbers, b_dot_theta: Real, n: Real) -> Real:
    return -(b_dot_theta**2) / n


def within(claim: Claim, name: str, domain: Interval) -> Claim:
    """The claim with another domain for one parameter."""
    return replace(claim, parameters=tuple(p.within(domain) if p.name == name else p for p in claim.parameters))


def mutants() -> Iterator[Mutant]:
    """Mutants of the amendment: the printed algorithm is refuted."""
    claim = find("quantile/alg-2-amended")
    unridged = replace(within(claim, "lambda_", nonnegative), preconditions=())
    unproved: tuple[tuple[str, Claim, Callable[[Claim], bool]], ...] = (
        ("regulariser without the square", with_formula(claim, "regulariser", _plain_norm), no_minimiser),
        ("no regulariser", with_formula(claim, "regulariser", _none), no_minimiser),
        ("regulariser subtracted", scaled(claim, "regulariser", -1, 1), no_minimiser),
        ("perturbation -<b, theta>^2/n", with_formula(claim, "perturbation", _concave), no_minimiser),
        ("lambda >= 0 and no precondition", unridged, partial(no_minimiser, ridge="0")),
        ("variance with ln(1/(2 delta))", with_formula(claim, "variance", _negative_log), partial(negative, delta="0.999")),
        ("variance with -4 epsilon", with_formula(claim, "variance", _less), partial(negative, delta="0.999")),
        ("delta in (0, 10)", within(claim, "delta", Interval("0", "10")), partial(negative, delta="5")),
        ("delta in [0, 1)", within(claim, "delta", Interval("0", "1", low_open=False)), without_value),
        ("half the regulariser", scaled(claim, "regulariser", 1, 2), lambda _: False),
        ("delta in (0, 2)", within(claim, "delta", Interval("0", "2")), lambda _: False),
    )
    for says, changed, false in unproved:
        yield Mutant(says, changed, partial(false, changed))


def of_printed() -> Iterator[Mutant]:
    yield from carried_over(find("quantile/alg-2"), find("quantile/alg-2-amended"), mutants(), "regulariser", "perturbation")
