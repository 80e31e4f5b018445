"""The answer to a question about one mechanism, as plain data: the command writes it, the functions of the package wrap it."""

from typing import Any

from dpsco.audit.asking import Asked, decimal


def answered(what: Asked) -> dict[str, Any]:
    """What was solved for with both ends of its enclosure, or the verdict on what was given.

    Raises   ValueError where nothing is proved at these values, or nothing holds
    """
    from dpsco.audit.calibration.mechanism import resolve
    from dpsco.audit.calibration.solver import besides, check, realised, solve
    from dpsco.reference.numbers.enclosure import arb

    mechanism, given, unknown = what.mechanism, what.given, what.unknown
    accuracy = None if what.accuracy is None else float(what.accuracy)
    if mechanism.admits is not None and {"epsilon", *(q.name for q in mechanism.quantities)} <= {*given, "sigma", "bound"}:
        m = arb(192)
        values = realised(m, mechanism, given)
        wrong = resolve(mechanism.admits)(m, values["epsilon"], values)
        if wrong is not None:
            raise ValueError(wrong)
    try:
        answer = check(mechanism, given, accuracy) if unknown is None else solve(mechanism, given, unknown, accuracy)
        at = given if unknown is None else {**given, unknown: answer.value}
        beside = besides(mechanism, at)
    except (ValueError, OverflowError) as error:
        raise ValueError(f"no answer: {error}") from error
    words = {choice.name: given[choice.name] for choice in mechanism.choices}
    return {
        "given": {k: v if isinstance(v, int) else decimal(v) for k, v in given.items() if k not in words},
        **({"chosen": words} if words else {}),
        **{name: {"value": value, "derived": says} for name, (value, says) in what.derived.items()},
        "solved": unknown,
        "value": answer.value,
        "enclosure": None if answer.enclosure is None else list(answer.enclosure),
        **{name: list(pair) for name, pair in beside.items()},
        "beside": list(beside),
        "verdict": answer.verdict,
        "not_judged": None if unknown is None else solved_for(unknown),
        "least": {name: list(pair) for name, pair in answer.least.items()} or None,
        "slack": {name: list(pair) for name, pair in answer.slack.items()} or None,
        "unanswered": dict(answer.unanswered) or None,
        "accuracy": what.accuracy,
        "group": what.group,
        "exact": mechanism.exact,
        "basis": mechanism.basis,
    }


def solved_for(name: str) -> str:
    """Why nothing was judged: the number was open, and whatever it is was found."""
    return f"{name} was solved for"
