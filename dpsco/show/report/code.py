"""Python with its tokens marked, as text that can be copied."""

from dpsco.show.report.markup import Markup, joined, tag

CLASSES = {"Keyword": "k", "Literal.String": "s", "Literal.Number": "n", "Comment": "c", "Name.Function": "f"}
"""The sorts of tokens that are coloured (pygments' names; whatever begins like one belongs to it)."""


def python(source: str) -> Markup:
    """The source as `code`."""
    from pygments.lexers.python import PythonLexer

    parts = (_token(str(sort).removeprefix("Token."), text) for sort, text in PythonLexer(stripnl=False).get_tokens(source))
    return tag("code", joined(parts), class_="python")


def _token(sort: str, text: str) -> Markup:
    name = next((short for start, short in CLASSES.items() if sort.startswith(start)), None)
    return tag("span", text, class_=name) if name else joined(text)
