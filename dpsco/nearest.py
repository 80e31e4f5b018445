"""What is said of a name that is none: the nearest one, or those that there are."""

from collections.abc import Iterable, Sequence
from difflib import get_close_matches


def unknown(value: str, among: Iterable[str], what: str) -> str | None:
    """One line for a name that is not among them; None for one that is."""
    names = list(among)
    if value in names:
        return None
    near = get_close_matches(value, names, n=1, cutoff=0.5)
    allowed = f"did you mean {near[0]!r}?" if near else f"allowed: {abridged(names) or 'none'}"
    return f"unknown {what} {value!r}; {allowed}"


def abridged(names: Sequence[str], most: int = 12) -> str:
    """The first names, and how many more there are."""
    return ", ".join(names[:most]) + (f" and {len(names) - most} more" if len(names) > most else "")
