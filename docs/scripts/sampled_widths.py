"""Write docs/sampled_widths.md: how wide the enclosures of DP-SGD's epsilon and delta are over 200 random settings.

    python docs/scripts/sampled_widths.py PYTHON [COUNT] > docs/sampled_widths.md

PYTHON is that of an environment with dp-accounting. Hours where the machine is shared; COUNT settings are the first of them.
"""

import json
import resource
import statistics
import subprocess
import sys
import time
from decimal import Decimal
from random import Random
from typing import Any

from dpsco.audit.calibration.mechanisms import DP_SGD
from dpsco.audit.calibration.solver import solve
from dpsco.fast.privacy.subsampling import add, remove

COUNT, SEED, BRACKETS = 200, 18, 20
FLOOR = Decimal("1e-3")
"""Below it the width of an epsilon is absolute."""
PEER = """
import json, sys
from dp_accounting.pld import privacy_loss_distribution as pld

for line in sys.stdin:
    q, sigma, steps, delta, epsilon = json.loads(line)
    ends = []
    for pessimistic in (False, True):
        made = pld.from_gaussian_mechanism(sigma, sampling_prob=q, pessimistic_estimate=pessimistic).self_compose(steps)
        ends.append((float(made.get_epsilon_for_delta(delta)), float(made.get_delta_for_epsilon(epsilon))))
    print(json.dumps(list(zip(*ends))), flush=True)
"""
HEAD = """# Widths of DP-SGD's enclosures

{finding}

Written by `python docs/scripts/sampled_widths.py PYTHON`. Random settings, seed {seed}: rate 10^U(-4, -0.2), sigma 10^U(-0.3,
1), steps 10^U(0, 4.3), delta 10^U(-9, -3), clip 1, Poisson sampling, a record more or less. First epsilon is asked at delta,
then delta at that epsilon, to four digits (0.001 where it is 0). `width` is relative, below an epsilon of 0.001 the absolute
one times 1000: at most 1e-6 is aimed at. Beside stands whether the enclosure meets the bracket of dp-accounting, its
optimistic and its pessimistic privacy-loss distribution at its own discretisation. Seconds are processor time, in a warm
process.

| rate | sigma | steps | delta | epsilon | width | s | peer | epsilon | delta | width | s | peer |
|---|---|---|---|---|---|---|---|---|---|---|---|---|"""
REPLACED = """
## One record replaced, batches of fixed size

The same settings, the first {count}, sampling without replacement with the same chance of being drawn: a pair of data sets
below, the pair that dominates above. `width` is that of the bracket, relative.

| rate | sigma | steps | delta | epsilon at least | at most | width |
|---|---|---|---|---|---|---|"""


def settings(count: int) -> list[tuple[str, str, int, str]]:
    """Rate, sigma, steps, delta: four digits each."""
    random = Random(SEED)
    found = []
    for _ in range(count):
        q, sigma = 10 ** random.uniform(-4, -0.2), 10 ** random.uniform(-0.3, 1)
        steps, delta = round(10 ** random.uniform(0, 4.3)), 10 ** random.uniform(-9, -3)
        found.append((f"{q:.4g}", f"{sigma:.4g}", steps, f"{delta:.4g}"))
    return found


def asked(unknown: str, **given: Any) -> tuple[Decimal, Decimal, float]:
    """Both ends of the enclosure, and the seconds."""
    start = time.process_time()
    found = solve(DP_SGD, {"clip": "1", **given}, unknown).enclosure
    assert found is not None
    return Decimal(found[0]), Decimal(found[1]), time.process_time() - start


def meets(low: Decimal, high: Decimal, bracket: tuple[float, float]) -> bool:
    return float(low) <= bracket[1] * (1 + 1e-12) and float(high) >= bracket[0] * (1 - 1e-12)


def row(*cells: object) -> str:
    return f"| {' | '.join(map(str, cells))} |"


def main(python: str, count: int) -> None:
    pipes: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
    peer = subprocess.Popen([python, "-c", PEER], text=True, **pipes)
    assert peer.stdin is not None
    assert peer.stdout is not None
    widths: list[Decimal] = []
    seconds: list[float] = []
    rows: list[str] = []
    apart: list[str] = []
    for q, sigma, steps, delta in settings(count):
        given = {"rate": q, "sigma": sigma, "steps": steps, "sampling": "poisson"}
        low, high, spent = asked("epsilon", **given, delta=delta)
        epsilon = f"{float(high):.4g}" if high > 0 else "0.001"
        least, most, later = asked("delta", **given, epsilon=epsilon)
        print(json.dumps([float(q), float(sigma), steps, float(delta), float(epsilon)]), file=peer.stdin, flush=True)
        of_epsilon, of_delta = json.loads(peer.stdout.readline())
        widths += [(high - low) / max(high, FLOOR), (most - least) / most]
        seconds += [spent, later]
        agree = meets(low, high, of_epsilon), meets(least, most, of_delta)
        first = f"{high:.10g}", f"{widths[-2]:.0e}", f"{spent:.1f}", "meets" if agree[0] else "apart"
        second = f"{most:.10g}", f"{widths[-1]:.0e}", f"{later:.1f}", "meets" if agree[1] else "apart"
        rows.append(row(q, sigma, steps, delta, *first, epsilon, *second))
        print(rows[-1], file=sys.stderr, flush=True)
        if not all(agree):
            third = max(f(float(epsilon), 1 / float(sigma), float(q), steps) for f in (remove, add))
            ours = f"[{low:.10g}, {high:.10g}], [{least:.10g}, {most:.10g}]"
            apart.append(
                f"- {q}, {sigma}, {steps}, {delta}: {ours}; dp-accounting {of_epsilon}, {of_delta}; doubles {third:.10g}"
            )
    peer.stdin.close()
    peer.wait()
    wide = sum(width > Decimal("1e-6") for width in widths)
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    finding = f"{wide} of {len(widths)} enclosures are wider than 1e-6, the widest {max(widths):.0e}; an answer takes "
    finding += f"{statistics.median(seconds):.1f} s in the\nmedian, {max(seconds):.1f} s at most, and {memory:.2f} GiB."
    print(HEAD.format(finding=finding, seed=SEED), *rows, sep="\n")
    print(
        f"\n{len(apart)} settings are apart from dp-accounting (enclosures of epsilon and delta, its brackets, and delta at the"
    )
    print("same epsilon by the inversion in doubles):\n" if apart else "same epsilon by the inversion in doubles).")
    print("\n".join(apart))
    print(REPLACED.format(count=min(count, BRACKETS)))
    for q, sigma, steps, delta in settings(min(count, BRACKETS)):
        low, high, _ = asked("epsilon", rate=q, sigma=sigma, steps=steps, sampling="without-replacement", delta=delta)
        print(row(q, sigma, steps, delta, f"{low:.10g}", f"{high:.10g}", f"{(high - low) / max(high, FLOOR):.0e}"), flush=True)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]) if sys.argv[2:] else COUNT)
