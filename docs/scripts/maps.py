"""Write dpsco/data/regions.json: the maps of printed noise scales that take longer than a page should wait.

They are those of every mechanism but the Gaussian one, which the site maps by itself.

python docs/scripts/maps.py [MECHANISM ...]
"""

import json
import sys
from collections.abc import Sequence

from dpsco.audit.calibration.formulas import PRINTED, printed
from dpsco.audit.calibration.mechanisms import GAUSSIAN, MECHANISMS
from dpsco.audit.calibration.regions import region
from dpsco.show.report.plot import KEPT, NOTHING, Kept, kept, spent_at


def main(mechanisms: Sequence[str]) -> None:
    rows: dict[tuple[str, str], Kept] = {(row["claim"], row["formula"]): row for row in kept()}
    known = dict.fromkeys(row.mechanism for row in PRINTED if row.mechanism != GAUSSIAN.name)
    for name in mechanisms or known:
        for row in printed(name):
            found = region(MECHANISMS[name], row, {})
            rows[row.claim, row.formula] = {
                "claim": row.claim,
                "formula": row.formula,
                "mechanism": name,
                "epsilons": list(found.epsilons),
                "deltas": list(found.deltas),
                "cells": [" ".join(line) for line in found.cells],
                "largest": [list(each) if each else None for each in found.largest],
                "spent": [
                    " ".join(spent_at(row, epsilon, delta) or NOTHING for epsilon in found.epsilons) for delta in found.deltas
                ],
            }
            KEPT.write_text(json.dumps([*rows.values()], indent=1) + "\n", encoding="utf-8")
            print(row.claim, row.formula, flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
