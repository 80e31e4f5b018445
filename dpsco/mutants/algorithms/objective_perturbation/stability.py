"""Moved stability claims, and that they are false: by minimisers of the 50-digit solver, not by the judge's instances."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache, partial

from dpsco.arguments.formula import apply
from dpsco.mutant import Mutant, scaled, with_formula
from dpsco.reference.algorithms.objective_perturbation.algorithm import objective, promoted, solve
from dpsco.reference.numbers.mp import mp
from dpsco.spec.algorithms.objective_perturbation import stability as spec
from dpsco.spec.claim import Adjacency, Claim, Relation
from dpsco.spec.numbers import Numbers, Real, Truth
from dpsco.spec.register import find

WIDTH, LEVEL, RIDGE, NOISE, STAR = "0.5", "0.75", "0.5", "0.3", "0.6"


def _minimiser(x: str, b: str, n: int = 1, y: str = "40", ridge: str = RIDGE) -> Real:
    """One record with feature x and outcome y, n - 1 with feature 0, Epanechnikov kernel, one dimension."""
    m = mp()
    rows = [[x], *[["0"]] * (n - 1)]
    theta, _ = solve(m, "epanechnikov", rows, [y] * n, [b], WIDTH, LEVEL, ridge, "1e-40")
    return theta[0]


def _objective(x: str, b: str, theta: Real) -> Real:
    m = mp()
    scalars = (m.real(WIDTH), m.real(LEVEL), m.real(RIDGE))
    return objective(m, "epanechnikov", promoted(m, [[x]]), [m.real("40")], [m.real(b)], *scalars, [theta])


@cache
def _moved(n: int) -> Real:
    return abs(_minimiser("1", NOISE, n) - _minimiser("-1", NOISE, n))


def _distance_exceeds(claim: Claim, n: int = 1) -> Callable[[], bool]:
    m = mp()
    return lambda: bool(
        _moved(n) > claim.formulas["distance"](m, L=m.real(LEVEL), n=m.real(n), lambda_=m.real(RIDGE)) * (1 + m.real("1e-20"))
    )


def _shift_exceeds(claim: Claim) -> bool:
    m = mp()
    shift = abs(_minimiser("1", NOISE) - _minimiser("1", "0"))
    bound = claim.formulas["noise_distance"](m, b_norm=m.real(NOISE), n=m.real(1), lambda_=m.real(RIDGE))
    return bool(shift > bound * (1 + m.real("1e-20")))


def _noise_gap_exceeds(claim: Claim) -> bool:
    """lambda |shift|^2 against the gap of the perturbed objective, for the moved formula."""
    m = mp()
    own, bare = _minimiser("1", NOISE), _minimiser("1", "0")
    gap = _objective("1", NOISE, bare) - _objective("1", NOISE, own)
    return bool(claim.formulas["noise_growth"](m, lambda_=m.real(RIDGE), shift=abs(own - bare)) > gap * (1 + m.real("1e-20")))


def _growth_exceeds(claim: Claim) -> bool:
    m = mp()
    own, other = _minimiser("1", NOISE), _minimiser("-1", NOISE)
    gap = _objective("1", NOISE, other) - _objective("1", NOISE, own)
    return bool(claim.formulas["growth"](m, lambda_=m.real(RIDGE), moved=abs(own - other)) > gap * (1 + m.real("1e-20")))


def _risk_exceeds(claim: Claim) -> bool:
    """Excess smoothed risk at the aligned target and noise, the ridge taken off the objective again."""
    m = mp()
    star = m.real("0.8") * m.real(LEVEL) / m.real(RIDGE)
    own = _minimiser("1", "0.3")
    risk = [_objective("1", "0", theta) - m.real(RIDGE) * theta**2 for theta in (own, star)]
    bound = claim.formulas["risk_gap_bound"](m, b_norm=m.real("0.3"), norm_star=star, lambda_=m.real(RIDGE), n=m.real(1))
    return bool(risk[0] - risk[1] > bound * (1 + m.real("1e-20")))


def _normaliser_exceeds() -> bool:
    """All features 0: one record against two, with the normaliser that changes."""
    m = mp()
    one, two = _minimiser("0", "1000", 1), _minimiser("0", "1000", 2)
    return bool(abs(one - two) > spec.distance(m, L=m.real(LEVEL), n=m.real(1), lambda_=m.real(RIDGE)))


def _steeper(m: Numbers, L: Real, n: Real, lambda_: Real) -> Real:
    return 2 * L / (n ** m.frac(11, 10) * lambda_)


def _without_ridge(m: Numbers, b_norm: Real, norm_star: Real, lambda_: Real, n: Real) -> Real:
    return b_norm**2 / (n**2 * lambda_)


def _flipped(claim: Claim, left: str) -> Claim:
    asserts = tuple(Relation(a.left, ">=", a.right) if a.left == left and a.sign == "<=" else a for a in claim.asserts)
    return replace(claim, asserts=asserts)


def _gap_below_zero() -> bool:
    """Expected gap against 2/5 of L^2/(n lambda): features +-1 with equal chances, n = 1, noise 0."""
    m = mp()
    one, two = _minimiser("1", "0"), _minimiser("-1", "0")
    # E[population - empirical risk] = E over both features of the loss at the other feature less the own, by 2
    losses = [
        (_objective("1", "0", two) - _objective("1", "0", one) - m.real(RIDGE) * (two**2 - one**2)) / 2,
        (_objective("-1", "0", one) - _objective("-1", "0", two) - m.real(RIDGE) * (one**2 - two**2)) / 2,
    ]
    return bool(sum(losses) / 2 > m.real("0.4") * m.real(LEVEL) ** 2 / m.real(RIDGE))


def _expected_noise_exceeds(claim: Claim) -> bool:
    """E |b|^2 by quadrature of the normal density, theta* at the ball's boundary."""
    m = mp()
    square = 2 * m.integral(lambda t: t**2 * m.phi(t), m.real(0), m.real(40))
    given = {"n": m.real(1), "lambda_": m.real(RIDGE)}
    mean = claim.formulas["expected_gap"](m, b_square=square, norm_star=m.real(1), **given)
    bound = claim.formulas["expected_gap_bound"](m, d=m.real(1), sigma=m.real(1), B=m.real(1), **given)
    return bool(mean > bound * (1 + m.real("1e-6")))


def _steep_slope(claim: Claim) -> bool:
    """Distance where L is a hundredth of the gradients' norm, which nothing then forbids."""
    m = mp()
    return bool(_moved(1) > claim.formulas["distance"](m, L=m.real(LEVEL) / 100, n=m.real(1), lambda_=m.real(RIDGE)))


def _far_star(claim: Claim) -> bool:
    """Expected excess at theta* of norm 7 and B = 1."""
    m = mp()
    given = {"n": m.real(1), "lambda_": m.real(RIDGE)}
    mean = claim.formulas["expected_gap"](m, b_square=m.real(1), norm_star=m.real(7), **given)
    return bool(mean > claim.formulas["expected_gap_bound"](m, d=m.real(1), sigma=m.real(1), B=m.real(1), **given))


def _noise_gap_differs(claim: Claim) -> bool:
    """Both printed forms of the gap at minimisers of the solver, noise 20: the perturbed minimum is negative."""
    m = mp()
    own, bare, b = _minimiser("1", "20"), _minimiser("1", "0"), m.real(20)
    perturbed = {"op_min": _objective("1", "20", bare), "op_op": _objective("1", "20", own)}
    parts = {"sharp_min": _objective("1", "0", bare), "sharp_op": _objective("1", "0", own), "b_min": b * bare, "b_op": b * own}
    gap = claim.formulas["noise_gap"](m, **perturbed)
    return bool(abs(gap - claim.formulas["noise_gap_split"](m, **parts, n=m.real(1))) > m.real("1e-20"))


def _neighbour_gap_differs(claim: Claim) -> bool:
    """The gap and its form through the neighbour, whose objective is negative at its minimiser: noise 20."""
    m = mp()
    own, other, b = _minimiser("1", "20"), _minimiser("-1", "20"), m.real(20)

    def loss(x: str, theta: Real) -> Real:
        return _objective(x, "20", theta) - m.real(RIDGE) * theta**2 - b * theta

    through = claim.formulas["gap_through_neighbour"](
        m,
        J2_other=_objective("-1", "20", other),
        J2_own=_objective("-1", "20", own),
        loss_other=loss("1", other),
        loss_own=loss("1", own),
        loss2_own=loss("-1", own),
        loss2_other=loss("-1", other),
        n=m.real(1),
    )
    return bool(abs(through - (_objective("1", "20", other) - _objective("1", "20", own))) > m.real("1e-20"))


def _absolute_gap(m: Numbers, op_min: Real, op_op: Real) -> Real:
    return m.abs(op_min) - m.abs(op_op)


def _absolute_products(m: Numbers, sharp_min: Real, sharp_op: Real, b_min: Real, b_op: Real, n: Real) -> Real:
    return sharp_min - sharp_op + m.abs(b_min) / n - m.abs(b_op) / n


def _absolute_neighbour(
    m: Numbers, J2_other: Real, J2_own: Real, loss_other: Real, loss_own: Real, loss2_own: Real, loss2_other: Real, n: Real
) -> Real:
    return m.abs(J2_other) - J2_own + (loss_other - loss_own) / n + (loss2_own - loss2_other) / n


def without(claim: Claim, *tests: Callable[..., Truth]) -> Claim:
    """The claim less the preconditions with these tests."""
    return replace(claim, preconditions=tuple(p for p in claim.preconditions if p.test not in tests))


def _gap_small() -> bool:
    """The objective's gap between the two minimisers is less than 2 L moved/n."""
    own, other = _minimiser("1", NOISE), _minimiser("-1", NOISE)
    gap = _objective("1", NOISE, other) - _objective("1", NOISE, own)
    return bool(gap < mp().real("1.5") * mp().real(LEVEL) * abs(own - other))


@cache
def _links() -> dict[str, Real]:
    """What the displayed chains are about, at minimisers of the solver: one record, noise 0.3, its neighbour, a theta*."""
    m = mp()
    b, star = m.real(NOISE), m.real(STAR)
    own, bare, other = _minimiser("1", NOISE), _minimiser("1", "0"), _minimiser("-1", NOISE)
    sharp = {name: _objective("1", "0", theta) for name, theta in (("op", own), ("min", bare), ("star", star))}
    ridge = {name: m.real(RIDGE) * theta**2 for name, theta in (("op", own), ("star", star))}
    loss, loss2 = (
        {name: _objective(x, "0", theta) - m.real(RIDGE) * theta**2 for name, theta in (("own", own), ("other", other))}
        for x in ("1", "-1")
    )
    return {
        **{f"sharp_{name}": value for name, value in sharp.items()},
        **{f"risk_{name}": sharp[name] - ridge[name] for name in ridge},
        **{f"loss_{name}": value for name, value in loss.items()},
        **{f"loss2_{name}": value for name, value in loss2.items()},
        **{"op_op": _objective("1", NOISE, own), "op_min": _objective("1", NOISE, bare), "b_op": b * own, "b_min": b * bare},
        **{"J_own": _objective("1", NOISE, own), "J_other": _objective("1", NOISE, other)},
        **{"J2_own": _objective("-1", NOISE, own), "J2_other": _objective("-1", NOISE, other)},
        **{"norm_op": abs(own), "norm_star": abs(star), "b_norm": abs(b), "shift": abs(own - bare), "moved": abs(own - other)},
        **{"L": m.real(LEVEL), "lambda_": m.real(RIDGE), "n": m.real(1)},
    }


def _link_breaks(claim: Claim, left: str, right: str) -> bool:
    """Whether the two displayed quantities differ (where the claim says "=") or are in the wrong order, by more than 1e-20."""
    m, tiny = mp(), mp().real("1e-20")
    signs = {each.sign for each in claim.asserts if (each.left, each.right) == (left, right)}
    a, b = (apply(claim.formulas[name], m, _links()) for name in (left, right))
    return bool(abs(a - b) > tiny if signs == {"="} else signs == {"<="} and a > b + tiny)


def _moved_links(claim: Claim, moves: Sequence[tuple[str, int, int, str, str]]) -> list[Mutant]:
    """A displayed quantity times a rational, and the link that this breaks."""
    made = []
    for name, numerator, denominator, left, right in moves:
        moved = scaled(claim, name, numerator, denominator)
        made.append(Mutant(f"{name} times {numerator}/{denominator}", moved, partial(_link_breaks, moved, left, right)))
    return made


LINKS = (
    ("objective_gap", 3, 2, "objective_gap", "gap_through_neighbour"),
    ("lipschitz_gap", 1, 4, "gap_through_neighbour", "lipschitz_gap"),
    ("risk_gap", 3, 2, "risk_gap", "risk_gap_regularised"),
    ("risk_gap_regularised", 3, 2, "risk_gap", "risk_gap_regularised"),
    ("risk_gap_minimised", 1, 4, "risk_gap_regularised", "risk_gap_minimised"),
    ("risk_gap_dropped", 3, 2, "risk_gap_dropped", "risk_gap_perturbed"),
    ("risk_gap_perturbed", 3, 2, "risk_gap_dropped", "risk_gap_perturbed"),
    ("risk_gap_replaced", 1, 4, "risk_gap_perturbed", "risk_gap_replaced"),
    ("risk_gap_noise", 1, 4, "risk_gap_replaced", "risk_gap_noise"),
)
"""Of the newsvendor's chains: what is moved, by how much, and the link that breaks."""


def mutants(id: str) -> list[Mutant]:
    """The moved claims of both papers' stability statements."""
    claim = find(id)
    short, steep = scaled(claim, "distance", 9, 20), with_formula(claim, "distance", _steeper)
    unbounded = without(claim, spec.lipschitz_slope)
    absolute, products = (
        with_formula(claim, "noise_gap", _absolute_gap),
        with_formula(claim, "noise_gap_split", _absolute_products),
    )
    near, grown = scaled(claim, "noise_distance", 9, 20), scaled(claim, "noise_growth", 21, 20)
    made = [
        Mutant("distance 0.9 L/(n lambda)", short, _distance_exceeds(short)),
        Mutant("distance falls with n^1.1", steep, _distance_exceeds(steep, 1100)),
        Mutant("noise distance 0.45 |b|/(n lambda)", near, lambda: _shift_exceeds(near)),
        Mutant("noise growth 1.05 lambda shift^2", grown, lambda: _noise_gap_exceeds(grown)),
        Mutant("normaliser changes with the record", replace(claim, adjacency=Adjacency.ADD_REMOVE), _normaliser_exceeds),
        Mutant("stability 0.4 L^2/(n lambda)", scaled(claim, "uniform_stability", 1, 5), _gap_below_zero),
        Mutant("gradients not bounded by L", unbounded, lambda: _steep_slope(unbounded)),
        Mutant("noise gap of absolute values", absolute, lambda: _noise_gap_differs(absolute)),
        Mutant("noise gap with absolute products", products, lambda: _noise_gap_differs(products)),
        *_moved_links(claim, [("noise_gap_bound", 1, 4, "noise_gap_split", "noise_gap_bound")]),
    ]
    if id == "newsvendor/thm-2-stability":
        ridge, taller = scaled(claim, "risk_gap_bound", 3, 5), scaled(claim, "growth", 21, 20)
        short_noise = scaled(claim, "expected_gap_bound", 9, 10)
        bare = with_formula(claim, "risk_gap_bound", _without_ridge)
        anywhere = without(claim, spec.star_in_ball)
        unconditional = without(claim, spec.star_in_ball, spec.lipschitz_slope)
        through = with_formula(claim, "gap_through_neighbour", _absolute_neighbour)
        more_noise = scaled(claim, "expected_gap", 11, 10)
        made += _moved_links(claim, LINKS)
        made += [
            Mutant("expected gap times 11/10", more_noise, lambda: _expected_noise_exceeds(more_noise)),
            Mutant("growth 1.05 lambda moved^2", taller, lambda: _growth_exceeds(taller)),
            Mutant("excess risk bound times 0.6", ridge, lambda: _risk_exceeds(ridge)),
            Mutant("excess risk bound without lambda |theta*|^2", bare, lambda: _risk_exceeds(bare)),
            Mutant("expected noise times 0.9", short_noise, lambda: _expected_noise_exceeds(short_noise)),
            Mutant("theta* anywhere", anywhere, lambda: _far_star(anywhere)),
            Mutant("no precondition", unconditional, lambda: _steep_slope(unconditional)),
            Mutant("neighbour's objective in absolute value", through, lambda: _neighbour_gap_differs(through)),
            Mutant("objective gap at least 2 L moved/n", _flipped(claim, "gap_through_neighbour"), _gap_small),
        ]
    return made
