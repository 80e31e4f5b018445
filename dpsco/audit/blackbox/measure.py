"""How often the auditors raise a false alarm, and how often they see a broken mechanism."""

from collections.abc import Mapping

import numpy as np

from dpsco.audit.blackbox.bounds import lower, upper
from dpsco.audit.blackbox.corpus import Mutant
from dpsco.audit.blackbox.faulty import CONFIDENCE, Auditor, Exact, sound
from dpsco.audit.blackbox.sampler import rows
from dpsco.audit.replay.replay import Subject
from dpsco.audit.replay.replay import audit as replay
from dpsco.reference.rounding import upward


def alarms(exact: Exact, auditor: Auditor, times: int, runs: int, seed: int) -> int:
    """How often, of `times` audits of `runs` outputs on each data set, the limit exceeds the epsilon that is kept exactly."""
    found = 0
    for time in range(times):
        rng = _rng(seed, time)
        zero, one = (exact.draw(rng, which, runs) for which in (0, 1))
        found += auditor(zero, one, exact.delta, rng) > exact.epsilon
    return found


def one_run_alarms(epsilon: float, canaries: int, times: int, seed: int) -> int:
    """How often one run's limit exceeds epsilon, where every canary is guessed by a randomised response of it."""
    from dpsco.audit.blackbox.one_run import epsilon_limit

    rights = _rng(seed, canaries).binomial(canaries, 1 / (1 + np.exp(-epsilon)), size=times)
    limits = {v: epsilon_limit(canaries, canaries, v, 0.0, CONFIDENCE) for v in map(int, np.unique(rights))}
    return sum(limits[int(v)] > epsilon for v in rights)


def exposures(mutant: Mutant, broken: bool, times: int, runs: int, seed: int, auditor: Auditor = sound) -> int:
    """How often the claim of a mutant, or of its sound twin, is refuted at confidence 0.95."""
    from dpsco.reference.numbers.enclosure import arb

    epsilon, delta = (upward(arb(192).real(x)) for x in (mutant.epsilon, mutant.delta))
    found = 0
    for time in range(times):
        rng = _rng(seed, time)
        outputs = (mutant.outputs(broken, data, runs, rng) for data in mutant.pair)
        found += auditor(*rows(*outputs), delta, rng) > epsilon
    return found


def leaks(mutant: Mutant, broken: bool, seed: int) -> bool | None:
    """Whether the replay finds a leak; None where it cannot be asked."""
    if not mutant.replayed:
        return None
    algorithm, public = mutant.run(broken)
    width = len(mutant.pair[0][0])
    subject = Subject(
        concept="corpus",
        says=mutant.says,
        run=algorithm,
        sample=lambda random: tuple(random.gauss(0, 1) for _ in range(width)),
        features=width,
        public=public,
        adjacencies=(mutant.adjacency,),
    )
    return bool(replay(subject, seed))


def miscalibrated(mutant: Mutant, broken: bool) -> bool | None:
    """Whether the calibration check refuses the noise that is really added; None where it cannot be asked."""
    from dpsco.audit.calibration.mechanisms import MECHANISMS
    from dpsco.audit.calibration.solver import holds

    if mutant.calibration is None:
        return None
    name, given = mutant.calibration(mutant.run(broken)[1])
    return holds(MECHANISMS[name], {**given, "epsilon": mutant.epsilon, "delta": mutant.delta}) is not True


def share(count: int, times: int) -> Mapping[str, float]:
    """A share with its Clopper-Pearson interval of confidence 0.95."""
    return {"share": count / times, "low": lower(count, times, 0.025), "high": upper(count, times, 0.025)}


def _rng(seed: int, time: int) -> np.random.Generator:
    return np.random.Generator(np.random.Philox([seed, time]))
