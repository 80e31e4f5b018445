"""Judge of the amended lower bounds of private means, directions and bilevel problems: the readers of the printed ones.

A sum of two rates is read as one rate; the probability of a large error is part of the assertion and decides which private
answers contradict it.
"""

from dpsco.judges.analysis.lower_bounds.bilevel import READER
from dpsco.mutants.analysis.lower_bounds import private_directions as mutants

JUDGES = dict.fromkeys(
    ("bilevel/thm-3.9-amended", "bilevel/lem-B.18-amended", "bilevel/eq-18-amended", "bilevel/rem-3.10-amended"), READER
)
MUTANTS = {
    "bilevel/thm-3.9-amended": mutants.of_theorem,
    "bilevel/lem-B.18-amended": mutants.of_marginals,
    "bilevel/eq-18-amended": mutants.of_directions,
    "bilevel/rem-3.10-amended": mutants.of_remark,
}
