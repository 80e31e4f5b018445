"""SPO+ values and subgradients on grids and knapsacks, ours against PyEPO with an exact solver behind it.

    python docs/scripts/spo_peers.py PYTHON > docs/spo_peers.md

PYTHON is that of PyEPO's own environment (pyepo, torch, ortools). Both sides get the same doubles: gamma costs,
predictions that are off by normal errors, so that no two decisions tie.

PyEPO runs on tensors of doubles, torch's default type set to float64. Even so its OR-tools models round each row of costs to
single precision on the way to the solver (`costToNumpy` in `setObj`), so the objective value that enters the loss, and only it,
is that of rounded costs: column "as shipped". The same models with that one cast left out hand doubles to the solver: column
"in doubles". Beside it stands the loss that PyEPO's own decisions give in doubles.
"""

import json
import subprocess
import sys
import time
from typing import Any

import numpy as np

from dpsco.fast.losses.spo.loss import optima_over, spo_plus_loss, spo_plus_subgradient, subgradients_over
from dpsco.fast.losses.spo.regions import packed, workspace

PEER = """
import json, sys, time
import numpy as np, torch
from pyepo.func import SPOPlus
from pyepo.model.ort import knapsackModel, shortestPathModel

class InDoubles:
    def setObj(self, c):
        objective = self._model.Objective()
        for variable, cost in zip(self._vars_list, np.asarray(c, dtype=np.float64).tolist()):
            objective.SetCoefficient(variable, cost)

class Paths(InDoubles, shortestPathModel): pass
class Knapsack(InDoubles, knapsackModel): pass

torch.set_default_dtype(torch.float64)
asked, done = json.load(sys.stdin), {}
for name, case in asked.items():
    sign, table = (1.0 if name.startswith("paths") else -1.0), case["table"]
    c, c_hat = (sign * np.array(case[key]) for key in ("C", "C_hat"))
    done[name] = {}
    for way, on_grid, packing in (("shipped", shortestPathModel, knapsackModel), ("double", Paths, Knapsack)):
        if name.startswith("paths"):
            model = on_grid(tuple(int(x) for x in table[0]))
        else:  # PyEPO packs for the largest value: our cost is minus its value
            model = packing(weights=[table[0]], capacity=table[1])
        best, least = [], []
        for row in c:
            model.setObj(row)
            w, value = model.solve()
            best.append(w), least.append([value])
        predicted = torch.tensor(c_hat, requires_grad=True)
        costs, best, least = (torch.tensor(np.array(a, dtype=float)) for a in (c, best, least))
        start = time.perf_counter()
        losses = SPOPlus(model, processes=1, reduction="none")(predicted, costs, best, least)
        losses.sum().backward()
        spent = time.perf_counter() - start
        slopes = predicted.grad.numpy()
        decided = ((2 * c_hat - c) * slopes / 2).sum(axis=1)
        told = {"losses": losses.tolist(), "decided": decided.tolist(), "gradients": (sign * slopes).tolist()}
        done[name][way] = {**told, "seconds": spent}
import pyepo
done["version"] = pyepo.__version__
json.dump(done, sys.stdout)
"""


def cases() -> dict[str, dict[str, Any]]:
    """1,000 instances of the 5 x 5 grid, and fewer of other sets."""
    random = np.random.default_rng(20240615)

    def case(table: list[list[float]], d: int, n: int, sign: float = 1.0) -> dict[str, Any]:
        C = sign * random.gamma(2.0, 1.0, (n, d))
        return {"table": table, "C": C.tolist(), "C_hat": (C + random.normal(0.0, 1.0, C.shape)).tolist()}

    weights = [float(w) for w in random.integers(3, 9, 16)]
    return {
        "paths 5 x 5": case([[5.0, 5.0]], 40, 1000),
        "paths 3 x 8": case([[3.0, 8.0]], 37, 200),
        "knapsack of 16": case([weights, [30.0]], 16, 200, -1.0),
    }


def seconds(shape: str, table: list[list[float]], C: Any, C_hat: Any) -> float:
    """Least time of a subgradient, of ten passes over the records."""
    kind, T = packed(shape, table)
    work, best, G, steered = workspace(shape, table), np.empty_like(C), np.empty_like(C), np.empty(C.shape[1])
    optima_over(kind, T, C, best, work)
    spent = []
    for _ in range(11):
        start = time.perf_counter()
        subgradients_over(kind, T, C, C_hat, best, G, steered, work)
        spent.append(time.perf_counter() - start)
    return min(spent[1:]) / len(C)


def main(python: str) -> None:
    asked = cases()
    run = subprocess.run([python, "-c", PEER], input=json.dumps(asked), capture_output=True, text=True)
    if run.returncode:
        raise SystemExit(run.stderr)
    answers = json.loads(run.stdout[run.stdout.index("{") :])
    lines, apart, faster = [], [], []
    head = "\n\n".join((__doc__ or "").strip().split("\n\n")[2:])
    for name, case in asked.items():
        shape, table = name.split()[0], case["table"]
        ours = [spo_plus_loss(shape, table, c, c_hat) for c, c_hat in zip(case["C"], case["C_hat"], strict=True)]
        slopes = [spo_plus_subgradient(shape, table, c, c_hat) for c, c_hat in zip(case["C"], case["C_hat"], strict=True)]
        shipped, double = answers[name]["shipped"], answers[name]["double"]
        rounded, off, decided = (
            np.abs(np.array(ours) - found).max() for found in (shipped["losses"], double["losses"], double["decided"])
        )
        turned = np.abs(np.array(slopes) - double["gradients"]).max()
        mine = seconds(shape, table, np.array(case["C"]), np.array(case["C_hat"]))
        times = f"{1e6 * mine:.2f} us | {1e6 * shipped['seconds'] / len(ours):.0f} us"
        lines.append(f"| {name} | {len(ours)} | {rounded:.0e} | {off:.0e} | {decided:.0e} | {turned:.0e} | {times} |")
        assert max(off, decided, turned) <= 1e-9, name
        apart.append(max(off, decided, turned))
        faster.append(shipped["seconds"] / len(ours) / mine)
    print("# SPO+ against PyEPO\n")
    factors = f"{min(faster):.0f} to {max(faster):.0f}"
    print(f"In doubles losses and subgradients agree to {max(apart):.0e}; ours take {factors} times less time.\n")
    print(f"{head}\n")
    print(f"PyEPO {answers['version']} with OR-tools. Largest differences over all instances; time of one subgradient.\n")
    print("| set | instances | loss, as shipped | loss, in doubles | loss of its decisions | subgradient | ours | PyEPO |")
    print(f"|{'---|' * 8}")
    print("\n".join(lines))


if __name__ == "__main__":
    main(sys.argv[1])
