"""Judges that find proof objects; they are not trusted. Every module has a dict `JUDGES` from the claim's id to its judge."""

from collections.abc import Callable

from dpsco.spec.expressions import Json
from dpsco.spec.statement import Statement

Judge = Callable[[Statement], Json]
