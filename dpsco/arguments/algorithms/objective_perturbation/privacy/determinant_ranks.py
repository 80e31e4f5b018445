"""What the change of the determinant costs where Hessians have any rank: a step that needs no linear predictor."""

from collections.abc import Callable
from dataclasses import replace

import sympy

from dpsco.arguments.algorithms.objective_perturbation.privacy.steps import failing, opened
from dpsco.arguments.comparing import certified
from dpsco.reference.numbers.symbolic import symbolic, symbols_of
from dpsco.spec.claim import Adjacency, Claim
from dpsco.spec.conditions import hessians_are_bounded
from dpsco.spec.numbers import Real
from dpsco.verdict import PROOF_STEP, Finding, Lemma, Reading

RANKS = Lemma(
    "determinants at any rank",
    "Where G is differentiable G_D' = H + A, G_D'' = H + A' with H >= 2 n lambda I from the common records, A and A' one "
    "record's Hessians: between 0 and beta I, of rank at most k. det(H + A)/det H = det(I + H^(-1/2) A H^(-1/2)) has at most k "
    "factors other than 1, each at most 1 + beta/(2 n lambda), and det(H + A') >= det H. k <= min(d, 2 k) = r. So the log "
    "ratio is at most r ln(1 + beta/(2 n lambda)) <= r beta/(2 n lambda).",
    (Adjacency.REPLACE_ONE,),
)
ONE_FACTOR = Lemma(
    "one factor",
    "d = 1, r = 1, no other record: A = beta at the kink of one record, A' = 0: the ratio is 1 + beta/(2 n lambda) exactly.",
)
SCOPE = "link: the determinants cost at most epsilon/2, losses whose Hessians have any rank"


def by_rank(claim: Claim, bound: Callable[..., Real]) -> Finding:
    """Does the printed condition beta <= f leave r f/(2 n lambda) <= epsilon/2?

    bound  the right side f, a function of a context and the values by name
    """
    s = symbols_of(claim.parameters)
    share = sympy.simplify(s["r"] * bound(symbolic(), s) / (2 * s["n"] * s["lambda_"] * s["epsilon"]))
    if not share.is_number:
        return opened(SCOPE, "the printed condition does not bound r beta/(2 n lambda) by a multiple of epsilon")
    if share <= sympy.Rational(1, 2):
        method = f"computer algebra: r beta/(2 n lambda) <= {share} epsilon"
        return certified(SCOPE, method, RANKS, given=(hessians_are_bounded,))
    for power in range(1, 20):
        epsilon = sympy.Rational(1, 2**power)
        factor = 1 + share * epsilon
        most = sympy.Rational(str(sympy.exp(epsilon / 2).evalf(20))) + sympy.Rational(1, 10**15)
        if factor > most:  # most is above e^(epsilon/2)
            survives = f"They cost at most {share} epsilon."
            at = {"epsilon": str(epsilon), "r": "1", "beta": "as large as allowed"}
            found = failing(SCOPE, factor, most, at, PROOF_STEP, survives, ONE_FACTOR)
            return replace(found, reading=Reading.MEANT)
    return opened(SCOPE, f"they cost up to {share} epsilon by this argument")
