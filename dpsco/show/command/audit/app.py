"""`dpsco audit`: where its subcommands are put together."""

import re

import typer

from dpsco.audit.calibration.mechanisms import MECHANISMS
from dpsco.show.command.audit.mechanism import command
from dpsco.show.command.audit.reading import read
from dpsco.show.command.audit.sampler import sampler
from dpsco.show.command.plan import plan
from dpsco.show.command.replay import replay

audit = typer.Typer(
    no_args_is_help=True, add_completion=False, rich_markup_mode=None, help="Audit the calibration of a mechanism."
)


@audit.callback()
def mechanisms() -> None:
    """Audit the calibration of a mechanism."""


for mechanism in MECHANISMS.values():
    short = re.split(r", (?![^(]*\))", mechanism.title)[0]  # what stands after a comma, its own help says
    audit.command(mechanism.name, short_help=f"{short[0].upper()}{short[1:]}.")(command(mechanism))

# Further subcommands, a line each: audit.command("name")(function)
audit.command("plan")(plan)
audit.command("read")(read)
audit.command("replay")(replay)
audit.command("sampler")(sampler)
