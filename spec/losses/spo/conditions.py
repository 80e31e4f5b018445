"""Conditions under which a prediction's SPO risk is told by something else: the paper's, and those of the works that it cites.

    the paper's                      Lemma 4, Lemma 5 and Theorem 9
    Elmachtoub and Grigas 2022       E[c|x] minimises the SPO and the SPO+ risk (Theorem 1)
    El Balghiti et al. 2023          the decision is Lipschitz in the prediction away from ties, with the strength of S

A condition is a predicate on numbers of the law of c given x and of S. Where they are met for the law of c given one x they are
met for that x; "almost surely" asks for all.
"""

from collections.abc import Mapping

from dpsco.spec.expressions import symbols
from dpsco.spec.losses.spo.calibration import BELOW_TWICE_MEAN, NONNEGATIVE, SINGLETON
from dpsco.spec.losses.spo.excess_risk import CONTINUOUS, SOLID, SYMMETRIC
from dpsco.spec.predicate import Predicate

cost_distance, degeneracy, degeneracy_distance = symbols("cost_distance degeneracy degeneracy_distance")
margin, other_degeneracy, strength = symbols("margin other_degeneracy strength")


margin_kept = degeneracy_distance >= margin
"""The distance of E[c|x] to the nearest cost with more than one best decision, against gamma > 0 (both costs)."""

is_strong = strength > 0
"""Of the largest proved mu >= 0 with c'(w - w*(c)) >= mu/2 * (distance of c to degeneracy) * |w - w*(c)|^2 for all c and w
in S (1/decision)."""


MARGIN_KEPT = Predicate(
    "E[c|x] is at least gamma away from degeneracy",
    margin_kept,
    accepts={"degeneracy_distance": "2", "margin": "1"},
    rejects={"degeneracy_distance": "0.5", "margin": "1"},
)
STRONG = Predicate(
    "S has the strength property: mu > 0",
    is_strong,
    accepts={"strength": "0.5"},
    rejects={"strength": "0"},
)

CONDITIONS: Mapping[str, tuple[Predicate, ...]] = {
    "the paper, Lemma 4": (),
    "the paper, Lemma 5": (BELOW_TWICE_MEAN,),
    "the paper, Theorem 9": (SINGLETON, BELOW_TWICE_MEAN, NONNEGATIVE),
    "Elmachtoub and Grigas": (SINGLETON, SYMMETRIC, CONTINUOUS, SOLID),
    "El Balghiti et al.": (MARGIN_KEPT, STRONG),
}
"""By statement. The paper's Corollary 1 asks for those of its Theorem 9 and of Elmachtoub and Grigas together."""


decision_distance = 2 * cost_distance / (strength * (degeneracy + other_degeneracy))
"""A bound on |w*(a) - w*(b)|, from the strength property at a and at b added up.

2 |a - b| / (mu (nu(a) + nu(b)))

Domain   cost_distance |a - b|, the distances nu of a and b to degeneracy (cost), not both 0; strength mu > 0 (1/decision)
Returns  decision
Source   El Balghiti, Elmachtoub, Grigas, Tewari 2023, Generalization Bounds in the Predict-then-Optimize Framework
"""
