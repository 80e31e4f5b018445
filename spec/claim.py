"""A claim: one statement of a paper, in a form that a judge can decide."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from dpsco.spec.domain import Parameter
from dpsco.spec.numbers import Real, Truth
from dpsco.spec.papers import Source
from dpsco.spec.predicate import Predicate


class Kind(StrEnum):
    """What sort of statement it is."""

    DEFINITION = "definition"
    IDENTITY = "identity"
    BOUND = "bound"
    SENSITIVITY = "sensitivity"
    PRIVACY = "privacy"
    UTILITY = "utility"
    RATE = "rate"
    LOWER = "lower"
    ASYMPTOTIC = "asymptotic"
    ALGORITHM = "algorithm"
    EXPERIMENT = "experiment"


class Provenance(StrEnum):
    """How the statement came to us."""

    PRINTED = "printed"
    """As the paper prints it."""
    REPAIRED = "repaired"
    """Damage of the scan mended; the note says what."""
    REBUILT = "rebuilt"
    """The statement's own text is not at hand; rebuilt from its proof."""


class Adjacency(StrEnum):
    """Which data sets are neighbours."""

    REPLACE_ONE = "replace-one"
    ADD_REMOVE = "add-remove"
    ADD_ONE_N_FIXED = "add-one, n fixed"
    """One record more or less, the normaliser n public and unchanged."""


@dataclass(frozen=True)
class Relation:
    """What the claim asserts: `left sign right`, each side the name of a formula or a quantity in words.

    Signs: "<=", "<", ">=", ">", "=", "<=O" (left is O of right), ">=Omega", "~" (asymptotically equal), "=>" (left implies
    right), "is" (left has the property right).
    """

    left: str
    sign: str
    right: str
    step: bool = field(default=False, compare=False)
    """It is asserted on the way: a step of the printed proof, on which the statement's verdict does not depend."""

    def __str__(self) -> str:
        return f"{self.left} {self.sign} {self.right}"


@dataclass(frozen=True, kw_only=True)
class Claim:
    """One registered statement. A formula is called with a number context and values by name: an expression, or a function
    where it is none (`dpsco.spec.expressions`, `dpsco.spec.numbers`)."""

    id: str
    title: str = ""
    """What it is about, as a noun phrase that stands behind its label: "privacy of DP-SGD". An amendment has its claim's."""
    kind: Kind
    source: Source
    says: str
    """The statement in our own words."""
    parameters: tuple[Parameter, ...] = ()
    formulas: Mapping[str, Callable[..., Real]] = field(default_factory=dict)
    asserts: tuple[Relation, ...] = ()
    preconditions: tuple[Predicate, ...] = ()
    over: tuple[str, ...] = ()
    """What the claim quantifies over that is not a number: data sets, losses, distributions, algorithms."""
    adjacency: Adjacency | None = None
    releases: str = ""
    """Where privacy is meant: what is released (the average, the transcript, the last iterate, the decision)."""
    provenance: Provenance = Provenance.PRINTED
    note: str = ""
    """Damage, ambiguity, and the readings that the text admits."""
    unproved: bool = False
    """The text at hand has no proof of it. A definition, an algorithm or an experiment needs none."""
    amends: str | None = None
    """For an amendment: the id of the claim that it repairs."""
    uses: tuple[str, ...] = ()
    """Ids of the claims that the printed proof cites or restates on its way; where the text has no proof, of those that it
    cites for the statement. What our own proof uses is read off its verdict (`dpsco.show.graph`). An amendment has its
    claim's."""
    symbols: Mapping[str, str] = field(default_factory=dict)
    """LaTeX of the names that its text writes otherwise than the paper does elsewhere (`dpsco.spec.symbols` has the tables).

    Title, uses and symbols are for readers: no verdict depends on them, and the signed digest of a statement
    (`dpsco.running.statements`) does not cover them."""

    @property
    def paper(self) -> str:
        return self.id.split("/", 1)[0]

    @property
    def proof_is_printed(self) -> bool:
        """Whether the text at hand has a proof of it."""
        needs_none = self.kind in (Kind.DEFINITION, Kind.ALGORITHM, Kind.EXPERIMENT)
        return not (self.unproved or needs_none or self.amends)

    @property
    def tests(self) -> frozenset[Callable[..., Truth]]:
        """The preconditions' test functions."""
        return frozenset(predicate.test for predicate in self.preconditions)

    def parameter(self, name: str) -> Parameter:
        """The parameter of that name; KeyError if the claim has none."""
        for parameter in self.parameters:
            if parameter.name == name:
                return parameter
        raise KeyError(f"{self.id} has no parameter {name!r}")
