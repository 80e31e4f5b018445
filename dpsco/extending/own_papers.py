"""Register a paper of one's own: a module with PAPER, claims, JUDGES and, for claims that hold, MUTANTS.

It is found by path (a file, or a package's folder), or by the name under which an installed package announces it in the
entry point group `dpsco.papers`. Witness scripts stand in a folder `witnesses` beside the module's file, named as the
tree's are: `mine/thm-1` has `witnesses/mine_thm-1.py`.
"""

import sys
from importlib import import_module
from importlib.metadata import entry_points
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType

from dpsco.extending.sources import root_of, sources_of
from dpsco.running import cache
from dpsco.spec.claim import Claim, Relation
from dpsco.spec.domain import Choice, Integers, Interval, Parameter, Vectors
from dpsco.spec.numbers import names_of
from dpsco.spec.papers import PAPERS, Paper
from dpsco.spec.predicate import Predicate
from dpsco.spec.register import adopt, own

GROUP = "dpsco.papers"
DOMAINS = (Interval, Integers, Choice, Vectors)


def bring(place: str) -> str:
    """Register the paper that a path or an entry point names; its key. A second time changes nothing.

    Raises  ValueError where there is no such module, where it cannot be imported, or where it is not a paper
    """
    return enter(*_found(place))


def enter(name: str, file: Path) -> str:
    """The same for a module whose name and file are known: a worker is told both."""
    if own().get(name) == file:
        return _key(import_module(name))
    module = _imported(name, file)
    paper = _checked(module, file)
    adopt(name, file)
    PAPERS[paper.key] = paper
    return paper.key


def _key(module: ModuleType) -> str:
    paper: Paper = module.PAPER
    return paper.key


def _found(place: str) -> tuple[str, Path]:
    """Name and file of the module."""
    announced = {entry.name: entry.module for entry in entry_points(group=GROUP)}
    if place in announced:
        spec = find_spec(announced[place])
        if spec is None or spec.origin is None:
            raise ValueError(f"the paper {place!r} is announced by {announced[place]!r}, a module that is not there")
        return announced[place], Path(spec.origin).resolve()
    path = Path(place).resolve()
    file = path / "__init__.py" if path.is_dir() else path
    if file.suffix != ".py" or not file.is_file():
        names = ", ".join(sorted(announced)) or "none"
        raise ValueError(f"no paper at {place!r}: a .py file, a package's folder or an installed paper ({names}) is needed")
    return file.parent.name if file.name == "__init__.py" else file.stem, file


def _imported(name: str, file: Path) -> ModuleType:
    """The module, imported by its name as its neighbours would import it; a name that means another module is refused."""
    if not all(part.isidentifier() for part in name.split(".")):
        raise ValueError(f"{str(file)!r} cannot be imported: {name!r} is no name of a module")
    folder = str(root_of(name, file))
    if folder not in sys.path:
        sys.path.append(folder)  # at the end: nothing beside the paper takes the place of what others import
    cache.watch(sources_of(name, file))
    try:
        module = import_module(name)
    except (Exception, SystemExit) as error:
        raise ValueError(f"importing {str(file)!r} raised {type(error).__name__}: {error}") from error
    there = getattr(module, "__file__", None)
    if there is None or Path(there).resolve() != file:
        raise ValueError(f"{str(file)!r}: the name {name!r} belongs to another module ({there}); rename the file")
    return module


def _checked(module: ModuleType, file: Path) -> Paper:
    """The module's paper, if its tables are those of a paper."""
    paper, claims = getattr(module, "PAPER", None), getattr(module, "claims", None)
    if not isinstance(paper, Paper):
        raise ValueError(f"{str(file)!r} has no PAPER = Paper(key, authors, title, at_hand)")
    if paper.key in PAPERS:
        raise ValueError(f"{str(file)!r}: the key {paper.key!r} is that of a registered paper, {PAPERS[paper.key].title!r}")
    if not isinstance(claims, list) or not claims or not all(isinstance(claim, Claim) for claim in claims):
        raise ValueError(f"{str(file)!r} has no list `claims` of claims")
    ids = [claim.id for claim in claims]
    strange = [claim.id for claim in claims if claim.paper != paper.key or claim.source.paper != paper.key]
    if strange:
        raise ValueError(f"{str(file)!r}: {', '.join(strange)} must start with {paper.key}/ and come from PAPER.at(...)")
    for table in ("JUDGES", "MUTANTS"):
        unknown = sorted(set(getattr(module, table, {})) - set(ids))
        if unknown:
            raise ValueError(f"{str(file)!r}: {table} names {', '.join(unknown)}, which `claims` does not have")
    lost = [claim.id for claim in claims if claim.amends is not None and claim.amends not in ids]
    if lost:
        raise ValueError(f"{str(file)!r}: {', '.join(lost)} amends a claim that `claims` does not have")
    for claim in claims:
        _plain(claim, file)
        _named_alike(claim, file)
    return paper


def _plain(claim: Claim, file: Path) -> None:
    """Refuse a claim that is not made of the register's own parts, or in which a name means two things."""
    parts: list[tuple[object, tuple[type, ...]]] = [(claim, (Claim,))]
    parts += [(parameter, (Parameter,)) for parameter in claim.parameters]
    parts += [(parameter.domain, DOMAINS) for parameter in claim.parameters]
    parts += [(p.domain.entry, DOMAINS) for p in claim.parameters if isinstance(p.domain, Vectors)]
    parts += [(relation, (Relation,)) for relation in claim.asserts] + [(p, (Predicate,)) for p in claim.preconditions]
    texts = [claim.id, claim.says, claim.releases, claim.note, *claim.over, *claim.formulas]
    texts += [text for relation in claim.asserts for text in (relation.left, relation.sign, relation.right)]
    parts += [(text, (str,)) for text in [*texts, *(p.name for p in claim.parameters), *(p.says for p in claim.preconditions)]]
    for part, known in parts:
        if type(part) not in known:
            allowed = " or ".join(one.__name__ for one in known)
            raise ValueError(f"{str(file)!r}: {claim.id}: {part!r} is of type {type(part).__name__}; {allowed} is needed")
    names = [parameter.name for parameter in claim.parameters]
    for name in (*names, *claim.formulas):
        if not name.isidentifier():
            raise ValueError(f"{str(file)!r}: {claim.id}: {name!r} is no name; letters, digits and _ are needed")
        if names.count(name) + (name in claim.formulas) > 1:
            raise ValueError(
                f"{str(file)!r}: {claim.id}: {name!r} means two things; each parameter and formula has its own name"
            )


def _named_alike(claim: Claim, file: Path) -> None:
    """Refuse a formula or a precondition with an argument that no parameter of the claim is called."""
    names = [parameter.name for parameter in claim.parameters]
    conditions = {f"precondition {predicate.says!r}": predicate.test for predicate in claim.preconditions}
    for what, function in {**{f"formula {name!r}": made for name, made in claim.formulas.items()}, **conditions}.items():
        strange = [name for name in names_of(function) if name not in names]
        if strange:
            known = ", ".join(names) or "none"
            raise ValueError(f"{str(file)!r}: {claim.id}: the {what} asks for {', '.join(strange)}; the parameters are {known}")
