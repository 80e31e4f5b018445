"""`--picture`: what can be drawn is known before the work begins."""

from importlib.util import find_spec
from pathlib import Path

from dpsco.show.command.screen import BadInputError, writable


def drawable(picture: Path | None) -> None:
    """Refuse a picture that could not be written, or that nothing here can draw."""
    if picture is None:
        return
    if picture.suffix.lower() != ".png":
        raise BadInputError(f"--picture must end in .png, got {str(picture)!r}")
    try:
        writable(picture)
    except BadInputError as error:
        raise BadInputError(str(error).replace("--json", "--picture")) from error
    if find_spec("matplotlib") is None:
        raise BadInputError("--picture needs matplotlib, an optional extra: pip install 'dpsco[report]'")
