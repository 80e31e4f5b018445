"""Write docs/privacy_claims.md: every claim that promises differential privacy, as judged now."""

from collections import Counter
from collections.abc import Sequence
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from pathlib import Path

from dpsco.running.judgements import judgements
from dpsco.running.record import Record, broken, decisive
from dpsco.show.command.showing import short, sides
from dpsco.spec.claim import Claim, Kind
from dpsco.spec.register import find, register

HEAD = """# What the five papers promise about privacy, and what holds

{finding}

Written by `python docs/scripts/privacy_claims.py` from the judgements of the committed code. *Printed domain* is the range of
the privacy parameters in the text. *The text* and *the fact* decide: what the claim says of a number and what was computed,
at the instance where it fails or where it is tightest; slack is the first less the second. `dpsco claims ID` shows a claim
whole, `dpsco witness ID` the refutation as a script of its own.

| claim | printed domain | verdict | the text | the fact | slack | at | amendment |
|---|---|---|---|---|---|---|---|
"""
BUDGET = ("epsilon", "delta", "epsilon_0", "delta_0", "epsilon0", "delta0")


def promises(claim: Claim) -> bool:
    """Whether the claim says of something that it is private."""
    return claim.kind is Kind.PRIVACY or any("-DP" in f"{relation}" for relation in claim.asserts)


def domain(claim: Claim) -> str:
    """The printed range of the privacy parameters."""
    return ", ".join(f"{p.name} in {p.domain}" for p in claim.parameters if p.name in BUDGET) or "any"


def slack(finding: Record) -> str:
    """Claimed less computed, both ends; empty where one of them is no number."""
    if finding["claimed"] is None or finding["computed"] is None:
        return ""
    claimed, (low, high) = Decimal(finding["claimed"]), map(Decimal, finding["computed"])
    if not (claimed.is_finite() and low.is_finite() and high.is_finite()):
        return ""
    least, most = short(str(claimed - high), ROUND_FLOOR, 3), short(str(claimed - low), ROUND_CEILING, 3)
    return least if least == most else f"[{least}, {most}]"


def row(record: Record) -> str:
    """One line of the table."""
    claim, finding = find(record["id"]), decisive(record)
    verdict = f"**{record['verdict']}**" + (f" ({record['severity']})" if record["severity"] else "")
    verdict += "; proof broken" if broken(record) else ""
    said = [" ".join(side) if side is not None else "" for side in sides(finding)]
    repairs = [f"`{r['id'].split('/')[1]}`: {r['verdict']}" for r in judgements(record["amendments"])]
    cells = (
        f"`{record['id']}`",
        domain(claim),
        verdict,
        *said,
        slack(finding),
        ", ".join(f"{name} = {short(value)}" for name, value in finding["at"].items())
        or (finding["reason"] or finding["scope"] if record["verdict"] == "open" else ""),
        "; ".join(repairs),
    )
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"


def finding(records: Sequence[Record]) -> str:
    """How many promises have which verdict, in one sentence."""
    counts = Counter(str(record["verdict"]) for record in records)
    said = ", ".join(f"{count} are {verdict}" for verdict, count in counts.most_common())
    return f"Of the {len(records)} printed claims that promise differential privacy, {said}."


def main() -> None:
    ids = [id for id, claim in register().items() if promises(claim)]
    records = [*judgements(ids, jobs=2)]
    table = "\n".join(map(row, records))
    (Path(__file__).parents[1] / "privacy_claims.md").write_text(f"{HEAD.format(finding=finding(records))}{table}\n")


if __name__ == "__main__":
    main()
