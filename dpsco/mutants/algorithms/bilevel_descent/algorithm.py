"""Mutants of bilevel descent's amended noise; falsity by quadrature at a query computed from the problem, or by its steps."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial

from dpsco.arguments.formula import apply
from dpsco.mutant import Mutant, scaled, with_formula
from dpsco.mutants.privacy.gaussian import hockey_stick
from dpsco.reference.numbers.mp import mp
from dpsco.spec.algorithms.bilevel_descent.algorithm import GAP, noise_scale, number_of_steps
from dpsco.spec.claim import Claim
from dpsco.spec.numbers import Numbers, Real
from dpsco.spec.register import find


def query_difference(m: Numbers, n: int, b: Real, slope: Real) -> tuple[Real, Real]:
    """How far the adversarial problem's queries at x_1 = 0 lie apart at alpha = K/(b n), and its K."""
    l_fx = slope / (1 - m.frac(5, n))  # slope + 5 b alpha/4 at alpha = 4 l_fx/(b n)
    return numerical_difference(m, n, b, slope, 4 * l_fx / (b * n)), 4 * l_fx


def numerical_difference(m: Numbers, n: int, b: Real, slope: Real, alpha: Real) -> Real:
    """The difference of the queries at x_1 = 0, by differences of f itself.

    f = slope z h(x) + b h(x) psi(y) with h(x) = x and psi(y) = y near 0, and a solver that answers alpha z.
    """
    step = m.real("1e-20")

    def f(x: Real, y: Real, z: int) -> Real:
        return slope * z * x + b * x * y

    def query(z: int) -> Real:
        """One record z among n - 1 that have no loss of their own but feel y."""
        y = alpha * z
        mine = (f(step, y, z) - f(-step, y, z)) / (2 * step)
        others = (f(step, y, 0) - f(-step, y, 0)) / (2 * step)
        return (mine + (n - 1) * others) / n

    return abs(query(1) - query(-1))


def exceeds(claim: Claim, epsilon: str, delta: str, n: int = 1000, steps: int = 1, scale: str = "1") -> bool:
    """Whether at the adversarial problem the quadrature exceeds delta."""
    m = mp(60)
    difference, K = query_difference(m, n, m.real("0.01"), m.real(scale))
    values = {"n": m.real(n), "epsilon": m.real(epsilon), "delta": m.real(delta), "K": K, "T": m.real(steps)}
    mu = m.sqrt(m.real(steps)) * difference / apply(claim.formulas["sigma"], m, values)
    return bool(hockey_stick(mu, epsilon) > m.real(delta) * m.real("1.000001"))


def query_is_longer(claim: Claim, n: int = 1000) -> bool:
    """Whether the adversarial problem's queries lie further apart than the claim's sensitivity."""
    m = mp(60)
    difference, K = query_difference(m, n, m.real("0.01"), m.real(1))
    return bool(difference > apply(claim.formulas["sensitivity"], m, {"n": m.real(n), "K": K}))


def error_exceeds(claim: Claim, epsilon: str, delta: str, n: int = 1000000) -> bool:
    """Whether at the claim's own inner error the adversarial problem's queries, T = 1, exceed delta by quadrature."""
    m = mp(60)
    values = {
        "n": m.real(n),
        "epsilon": m.real(epsilon),
        "delta": m.real(delta),
        "K": m.real(4),
        "C": m.real(1),
        "T": m.real(1),
    }
    alpha = apply(claim.formulas["alpha_limit"], m, values)
    difference = numerical_difference(m, n, m.real(1), 1 - m.frac(5, 4) * alpha, alpha)  # L_fx = b = 1
    return bool(hockey_stick(difference / apply(claim.formulas["sigma"], m, values), epsilon) > m.real(delta))


def steps_differ(claim: Claim) -> bool:
    """Whether two data sets that differ in one record choose different numbers of steps: gaps by the objective's values."""
    m = mp(40)
    chosen = []
    for z in ("1", "1e14"):
        record = m.real(z)

        def objective(x: Real, record: Real = record) -> Real:
            return m.sqrt(1 + (x - record) ** 2) - 1

        gap = objective(m.real(0)) - objective(record)
        values = {"n": 1, "d_x": 1, "epsilon": 1, "delta": "1e-5", "K": 4, "beta_Phi": 1, "gap": gap, "start_gap": gap}
        chosen.append(apply(claim.formulas["T_chosen"], m, {name: m.real(value) for name, value in values.items()}))
    return chosen[0] != chosen[1]


def query_exceeds(claim: Claim, n: int = 1000) -> bool:
    """Whether the numerical difference at L_fx = beta_fxy = 1 is beyond the claim's bound, with its own K, C and alpha."""
    m = mp(60)
    names = ("L_fx", "L_fy", "L_gy", "beta_fxy", "beta_fyy", "beta_gxy", "beta_gyy", "C_gxy", "C_gyy", "mu_g")
    values = {name: m.real(int(name in ("L_fx", "beta_fxy", "beta_gyy", "mu_g"))) for name in names} | {"n": m.real(n)}
    values |= {"K": apply(claim.formulas["K_of_12"], m, values), "C": apply(claim.formulas["C_of_11"], m, values)}
    alpha = apply(claim.formulas["alpha_limit"], m, values)
    slope = 1 - m.frac(5, 4) * alpha  # leaves L_fx = 1 for the part with y
    return bool(slope > 0 and numerical_difference(m, n, m.real(1), slope, alpha) > apply(claim.formulas["bound"], m, values))


def step_differs(claim: Claim) -> bool:
    """Whether at one point the step, or the query as a difference quotient along y(x) = -x, is another: exact decimals."""
    m = mp(60)
    v = {"x_t": m.real(2), "eta": m.real("0.25"), "gradient": m.real(3), "noise": m.real(5)}
    step = apply(claim.formulas["next_iterate"], m, v)
    h = m.real("1e-25")

    def along(x: Real) -> Real:
        """f = x + 3 x y + 2 y on the minimiser of y^2 + 2 x y."""
        return x + 3 * x * -x + 2 * -x

    slope = (along(1 + h) - along(1 - h)) / (2 * h)
    query = {"F_x": m.real(1) + 3 * -1, "F_y": m.real(3) + 2, "G_xy": m.real(2), "G_yy": m.real(2)}
    found = apply(claim.formulas["query"], m, query)
    return bool(abs(step) > m.real("1e-40") or abs(found - slope) > m.real("1e-20"))


def of_step() -> Iterator[Mutant]:
    claim = find("bilevel/alg-1")

    def ascent(m: Numbers, x_t: Real, eta: Real, gradient: Real, noise: Real) -> Real:
        return x_t + eta * (gradient + noise)

    def outside(m: Numbers, x_t: Real, eta: Real, gradient: Real, noise: Real) -> Real:
        return x_t - eta * gradient - noise

    def explicit_only(m: Numbers, F_x: Real) -> Real:
        return F_x

    def other_sign(m: Numbers, F_x: Real, F_y: Real, G_xy: Real, G_yy: Real) -> Real:
        return F_x + G_xy / G_yy * F_y

    for says, name, formula in (
        ("a step up", "next_iterate", ascent),
        ("noise outside the step length", "next_iterate", outside),
        ("only F_x in the query", "query", explicit_only),
        ("the other sign in the query", "query", other_sign),
    ):
        moved = with_formula(claim, name, formula)
        yield Mutant(says, moved, partial(step_differs, moved))


def of_sensitivity() -> Iterator[Mutant]:
    claim = find("bilevel/lem-4.1")
    for says, name, numerator, denominator in (
        ("2K/n for the query", "bound", 1, 2),
        ("half of C", "C_of_11", 1, 2),
        ("an eighth of K", "K_of_12", 1, 8),
        ("twice the inner error", "alpha_limit", 2, 1),
    ):
        moved = scaled(claim, name, numerator, denominator)
        yield Mutant(says, moved, partial(query_exceeds, moved))
    more = scaled(claim, "bound", 2, 1)
    yield Mutant("8K/n for the query (still true)", more, lambda: False)


def of_descent() -> Iterator[Mutant]:
    claim = find("bilevel/thm-4.2-privacy-amended")
    printed = with_formula(claim, "sigma", noise_scale)
    yield Mutant("the printed sigma at every epsilon", printed, partial(exceeds, printed, "700", "0.5"))
    half = scaled(claim, "sigma", 1, 2)
    yield Mutant("half of sigma", half, partial(exceeds, half, "1", "1e-40"))

    def without_steps(m: Numbers, n: Real, epsilon: Real, delta: Real, K: Real) -> Real:
        return claim.formulas["sigma"](m, n=n, epsilon=epsilon, delta=delta, K=K, T=1)

    def small_epsilon(m: Numbers, n: Real, epsilon: Real, delta: Real, K: Real, T: Real) -> Real:
        return 4 * K / n * m.sqrt(2 * T * m.log(1 / delta)) / epsilon

    def without_K(m: Numbers, n: Real, epsilon: Real, delta: Real, T: Real) -> Real:
        return claim.formulas["sigma"](m, n=n, epsilon=epsilon, delta=delta, K=1, T=T)

    moved: tuple[tuple[str, Callable[..., Real], dict[str, object]], ...] = (
        ("sqrt(T) dropped", without_steps, {"steps": 100}),
        ("2 epsilon dropped under the root", small_epsilon, {"epsilon": "20", "delta": "0.5"}),
        ("K dropped", without_K, {"scale": "100"}),
    )
    for says, formula, at in moved:
        less = with_formula(claim, "sigma", formula)
        yield Mutant(says, less, partial(exceeds, less, **{"epsilon": "1", "delta": "1e-6", **at}))  # type: ignore[arg-type]
    data = with_formula(claim, "T_chosen", number_of_steps)
    yield Mutant("T chosen from the gap of the data", data, partial(steps_differ, data))
    start = replace(GAP, name="start_gap")

    def renamed(m: Numbers, n: Real, d_x: Real, epsilon: Real, delta: Real, K: Real, start_gap: Real, beta_Phi: Real) -> Real:
        return number_of_steps(m, n=n, d_x=d_x, epsilon=epsilon, delta=delta, K=K, gap=start_gap, beta_Phi=beta_Phi)

    hidden = replace(with_formula(claim, "T_chosen", renamed), parameters=(*claim.parameters, start))
    yield Mutant("T chosen from the gap under another name", hidden, partial(steps_differ, hidden))
    short = scaled(claim, "sensitivity", 1, 2)
    yield Mutant("half of the sensitivity", short, partial(query_is_longer, short))
    wide = scaled(claim, "alpha_limit", 4, 1)
    yield Mutant("4 times the inner error", wide, partial(error_exceeds, wide, "1", "1e-40"))
    more = scaled(claim, "sigma", 2, 1)
    yield Mutant("twice sigma (still true: more noise)", more, lambda: False)
