"""Judge of the grid walk's text: its acceptance probabilities, and the density of what it puts out.

The steps themselves are executed: `dpsco.reference.algorithms.grid_walk.walk` literally, the kernel against it.
"""

from dpsco.arguments.algorithms.grid_walk.crossing import crosses
from dpsco.arguments.algorithms.grid_walk.output_density import CELL, LEAST, accepted, density_is_near, step_is_as_described
from dpsco.arguments.assertions import Table, reading
from dpsco.mutants.algorithms.grid_walk import walk as mutants
from dpsco.spec.claim import Relation

READ: Table = {
    Relation("step_probability", "=", "transition"): step_is_as_described,
    Relation("error_after_mixing", "<=", "epsilon_density"): crosses,
    Relation("density_error", "<=", "epsilon_density"): density_is_near,
    Relation("acceptance_in_cell", "<=", "1"): accepted("acceptance_in_cell", "f_center", "0.25", CELL),
    Relation("acceptance_in_small_cube", "<=", "1"): accepted("acceptance_in_small_cube", "f_least", "0", LEAST),
}
text = reading(READ)

JUDGES = {"bilevel/grid-walk": text, "bilevel/grid-walk-amended": text}

MUTANTS = {"bilevel/grid-walk-amended": mutants.of_text}
