"""Mutants of calibrations of objective perturbation; their falsity is shown by quadrature of the two densities of theta."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial

from dpsco.arguments.formula import apply
from dpsco.mutant import Mutant, scaled, with_formula
from dpsco.mutants.privacy.gaussian import hockey_stick
from dpsco.reference.numbers.mp import mp
from dpsco.spec.claim import Adjacency, Claim
from dpsco.spec.numbers import Numbers, Real
from dpsco.spec.register import find

Share = Callable[[Numbers, Claim, Real, Real], Real]
"""sigma/L, or beta/(2 n lambda), of a claim at (epsilon, delta)."""


def kink_quadrature(scale: Real, curvature: Real, replaced: bool, epsilon: str, y: int, r: str = "0.5") -> Real:
    """Integral of (p - e^epsilon q)_+ over the kink [y - 1, y + 1], for the uniform kernel with B_x = h = 1.

    p is the density of theta for the one record (1, y), q for the record (-1, 0) or for none: not the judges' route.
    """
    m = mp(60)
    context = m.mp  # type: ignore[attr-defined]
    level, weight = m.real(r), m.exp(m.real(epsilon))
    sigma = scale * m.max(level, 1 - level)
    ridge, half = m.frac(1, 2) / curvature, m.frac(1, 2)
    aside = level if replaced else m.real(0)

    def gap(theta: Real) -> Real:
        one = m.phi((ridge * theta + half * (theta - y + 1) - level) / sigma) * (ridge + half)
        two = m.phi((ridge * theta + aside) / sigma) * ridge
        return (one - weight * two) / sigma

    low, end = m.real(y - 1), m.real(y + 1)
    if gap(low) <= 0:
        return m.real(0)
    top = end
    for _ in range(60 if gap(end) < 0 else 0):  # gap changes its sign once: the shift shrinks along the kink
        middle = (low + top) / 2
        low, top = (middle, top) if gap(middle) > 0 else (low, middle)
    return context.quad(gap, [y - 1, (y - 1 + low) / 2, low] if top < end else [y - 1, y, y + 1])


def rescaled_quadrature(epsilon: str) -> Real:
    """Integral of (p - e^epsilon q)_+ over [2, 5], p = N(0, 1) and q = N(0, 1/4): one record of feature 0 and then two."""
    m = mp(60)
    weight = m.exp(m.real(epsilon))
    return m.mp.quad(lambda x: m.phi(x) - 2 * weight * m.phi(2 * x), [2, 3, 5])  # type: ignore[attr-defined]


@dataclass(frozen=True)
class Family:
    """Where a claim keeps its noise and its ridge, and how to read them."""

    noise: str
    squared: bool
    ridge: str
    ridge_factor: tuple[int, int]
    """The factor that makes the ridge's formula allow a quarter of lambda."""
    scale: Share
    curvature: Share

    def false(self, claim: Claim, epsilon: str, delta: str, y: int, r: str = "0.5") -> bool:
        """Whether the quadrature at this kink exceeds delta by more than its own error."""
        m = mp(60)
        e, d = m.real(epsilon), m.real(delta)
        replaced = claim.adjacency is Adjacency.REPLACE_ONE
        true = kink_quadrature(self.scale(m, claim, e, d), self.curvature(m, claim, e, d), replaced, epsilon, y, r)
        return bool(true > d * m.real("1.000001"))

    def false_far(self, claim: Claim, epsilon: str, delta: str) -> bool:
        """The same for records with far outcomes."""
        m = mp(60)
        times = 2 if claim.adjacency is Adjacency.REPLACE_ONE else 1
        shift = times / self.scale(m, claim, m.real(epsilon), m.real(delta))
        return bool(hockey_stick(shift, m.real(epsilon)) > m.real(delta) * m.real("1.000001"))


def less(family: Family, claim: Claim, numerator: int, denominator: int) -> Claim:
    """The claim with its sigma multiplied by a rational."""
    power = 2 if family.squared else 1
    return scaled(claim, family.noise, numerator**power, denominator**power)


def of_family(family: Family, claim: Claim, without_epsilon: Callable[..., Real]) -> Iterator[Mutant]:
    """Less noise by 10 % and by half, a quarter of the ridge, no epsilon under the root, and more noise (which is true)."""
    replaced = claim.adjacency is Adjacency.REPLACE_ONE
    tenth, half = less(family, claim, 9, 10), less(family, claim, 1, 2)
    far = 790 if replaced else 710
    yield Mutant("sigma times 0.9", tenth, lambda: family.false(tenth, "0.1", "1e-100", far, "0.5" if replaced else "0.9"))
    yield Mutant("sigma times 0.5", half, lambda: family.false(half, "1", "1e-10", 33 if replaced else 16))
    weak = scaled(claim, family.ridge, *family.ridge_factor)
    yield Mutant("a quarter of lambda", weak, lambda: family.false(weak, "0.5", "1e-10", 40 if replaced else 20))
    bare = with_formula(claim, family.noise, without_epsilon)
    yield Mutant("epsilon dropped under the root", bare, lambda: family.false_far(bare, "100", "0.1"))
    if not replaced:
        other = replace(claim, adjacency=Adjacency.REPLACE_ONE)
        yield Mutant("replaced records, the same noise", other, lambda: family.false(other, "1", "1e-10", 33))
    counted = replace(claim, adjacency=Adjacency.ADD_REMOVE)
    yield Mutant("n counts the records", counted, lambda: rescaled_quadrature("1") > mp(60).real("1e-10"))
    more = less(family, claim, 11, 10)
    yield Mutant("sigma times 1.1 (still true: more noise)", more, lambda: False)


def _scale(m: Numbers, claim: Claim, epsilon: Real, delta: Real) -> Real:
    return m.sqrt(claim.formulas["variance"](m, epsilon=epsilon, delta=delta, L=m.real(1)))


def _curvature(m: Numbers, claim: Claim, epsilon: Real, delta: Real) -> Real:
    one = m.real(1)
    return one / (2 * claim.formulas["regularisation_least"](m, beta=one, n=one, epsilon=epsilon))


QUANTILE = Family("variance", True, "regularisation_least", (1, 4), _scale, _curvature)


def of_replaced() -> Iterator[Mutant]:
    def bare(m: Numbers, epsilon: Real, delta: Real, L: Real) -> Real:
        return 32 * L**2 * m.log(2 / delta) / epsilon**2

    yield from of_family(QUANTILE, find("quantile/thm-3.5-amended"), bare)


def of_added() -> Iterator[Mutant]:
    def bare(m: Numbers, epsilon: Real, delta: Real, L: Real) -> Real:
        return 8 * L**2 * m.log(2 / delta) / epsilon**2

    yield from of_family(QUANTILE, find("quantile/thm-3.5-amended-added"), bare)


def largest_slope(r: str, feature: str) -> Real:
    """Largest |c_h'(u) x| of the uniform kernel over a list of residuals, by the piecewise formula: the other route."""
    m = mp(40)
    level = m.real(r)
    residuals = [m.real(k) / 10 for k in range(-30, 31)]
    return max(abs(min(max((u + 1) / 2, m.real(0)), m.real(1)) + level - 1) * m.real(feature) for u in residuals)


def of_conditions() -> Iterator[Mutant]:
    claim = find("quantile/thm-3.5-conditions-amended")
    m = mp(40)

    def below(moved: Claim) -> bool:
        printed = moved.formulas["lipschitz"](m, r=m.real("0.9"), B_x=m.real(2))
        return bool(printed < largest_slope("0.9", "2"))

    def least(m: Numbers, r: Real, B_x: Real) -> Real:
        return m.min(r, 1 - r) * B_x

    swapped, level = (
        with_formula(claim, "lipschitz", least),
        with_formula(claim, "lipschitz", lambda m, r, B_x: m.max(r, 1 - r)),
    )
    yield Mutant("min(r, 1-r) for max(r, 1-r)", swapped, lambda: below(swapped))
    yield Mutant("B_x dropped from L", level, lambda: below(level))

    def flat(moved: Claim) -> bool:
        """The second difference of the uniform kernel's loss at u = 0, x = 2, against the printed beta: K_bar x^2/h = 8."""
        h, x, step = m.frac(1, 4), m.real(2), m.real("0.001")

        def ell(theta: Real) -> Real:
            t = -x * theta / h
            return h / 2 * (t**2 + 1) / 2

        second = (ell(step) - 2 * ell(m.real(0)) + ell(-step)) / step**2
        return bool(moved.formulas["smoothness"](m, K_bar=m.frac(1, 2), B_x=x, h=h) < second * m.real("0.999"))

    halved, linear = (
        scaled(claim, "smoothness", 1, 2),
        with_formula(claim, "smoothness", lambda m, K_bar, B_x, h: K_bar * B_x / h),
    )
    yield Mutant("beta halved", halved, lambda: flat(halved))
    yield Mutant("B_x for B_x^2 in beta", linear, lambda: flat(linear))

    def admitted(moved: Claim, name: str, formula: str) -> bool:
        """Whether the preconditions admit what the claim's own formula is above, half-way to twice the registered one."""
        v = {key: m.real(text) for key, text in {"epsilon": "2", "delta": "0.01", "L": "3", "beta": "5", "n": "7"}.items()}
        half_way = apply(claim.formulas[formula], m, v) * m.frac(3, 2)
        v[name] = m.sqrt(half_way) if name == "sigma" else half_way
        asks = [p for p in moved.preconditions if name in p.accepts]
        return all(p(m, v) is True for p in asks) and bool(half_way < apply(moved.formulas[formula], m, v))

    for name, formula in (("sigma", "variance"), ("lambda_", "regularisation_least")):
        double = scaled(claim, formula, 2, 1)
        yield Mutant(f"twice the {formula}", double, partial(admitted, double, name, formula))
