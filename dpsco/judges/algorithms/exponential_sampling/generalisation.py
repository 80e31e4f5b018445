"""Judge of the population risk of the regularised exponential mechanism with every term that the proof needs."""

from dpsco.arguments.algorithms.exponential_sampling.population_excess import population
from dpsco.arguments.assertions import reading
from dpsco.mutants.algorithms.exponential_sampling import generalisation as mutants
from dpsco.spec.claim import Relation

JUDGES = {"bilevel/lem-B.7-amended": reading({Relation("risk", "<=", "bound"): population})}

MUTANTS = {"bilevel/lem-B.7-amended": mutants.of_population}
