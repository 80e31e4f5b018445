"""Measure the auditor of black boxes and write dpsco/audit/blackbox/auditor.txt (a quarter of an hour).

python docs/scripts/auditor.py
"""

import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from dpsco.audit.blackbox.corpus import corpus
from dpsco.audit.blackbox.faulty import ENCLOSED, FAULTY, LEVEL, exact, sound, unfitted
from dpsco.audit.blackbox.measure import alarms, exposures, leaks, miscalibrated, one_run_alarms, share

TIMES, RUNS = 2000, 1000
SEEDS, OUTPUTS = 60, 4000
CONTROLS = ("randomised-response", "identical-10")


def shown(count: int, times: int) -> str:
    found = share(count, times)
    return f"{100 * found['share']:5.1f} %  [{100 * found['low']:5.1f}, {100 * found['high']:5.1f}]"


def seen(answer: bool | None) -> str:
    return {None: "-", True: "yes", False: "no"}[answer]


def false_alarms() -> Iterator[str]:
    yield f"False alarms at level {100 * LEVEL:g} %, on inputs that keep their claim exactly: {TIMES} audits of {RUNS} outputs"
    yield "on each data set (95 % Clopper-Pearson interval of the share)"
    for one in exact().values():
        yield f"  {one.says:42}{shown(alarms(one, sound, TIMES, RUNS, 1), TIMES)}"
    yield f"  {'one run, 200 canaries, randomised response':42}{shown(one_run_alarms(1.0, 200, TIMES, 1), TIMES)}"


def faulty_auditors() -> Iterator[str]:
    yield ""
    yield "Auditors with a fault: their false alarms, the same way (found out where the interval lies above the level)"
    for name, (says, auditor) in FAULTY.items():
        yield f"  {name}: {says}"
        for control in CONTROLS:
            yield f"    {exact()[control].says:40}{shown(alarms(exact()[control], auditor, TIMES, RUNS, 2), TIMES)}"


def mutants() -> Iterator[str]:
    yield ""
    yield f"Broken mechanisms: share refuted by `audit sampler` with {OUTPUTS} outputs each, {SEEDS} seeds; that of the sound"
    yield "twin; whether the replay and the calibration check see it (-: it cannot be asked; neither objects to any sound twin)"
    yield f"  {'':24}{'broken':>28}{'sound':>8}  replay  calibration"
    for name, mutant in corpus().items():
        found = [exposures(mutant, broken, SEEDS, OUTPUTS, 3) for broken in (True, False)]
        other = [seen(look) for look in (leaks(mutant, True, 0), miscalibrated(mutant, True))]
        assert not leaks(mutant, False, 0), name
        assert not miscalibrated(mutant, False), name
        yield f"  {name:24}{shown(found[0], SEEDS):>28}{100 * found[1] / SEEDS:6.1f} %  {other[0]:6}  {other[1]}"
    blind = exposures(corpus()["other-mechanisms-proof"], True, SEEDS, OUTPUTS, 3, unfitted)
    yield f"  the auditor's own fitting step never taken: other-mechanisms-proof{shown(blind, SEEDS):>28}"


def enclosed() -> Iterator[str]:
    yield ""
    yield f"Accountants with a fault that is seen without sampling: share of {SEEDS} random inputs, broken and sound"
    for name, (says, who, look) in ENCLOSED.items():
        counts = [sum(look(np.random.default_rng([4, i]), broken) for i in range(SEEDS)) for broken in (True, False)]
        yield f"  {name} ({who}): {says}"
        yield f"    {shown(counts[0], SEEDS)}{100 * counts[1] / SEEDS:6.1f} %"


def main() -> None:
    lines = []
    for part in (false_alarms, faulty_auditors, mutants, enclosed):
        for line in part():
            print(line, flush=True)
            lines.append(line)
    package = Path(__file__).parents[2] / "dpsco"
    (package / "audit" / "blackbox" / "auditor.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
