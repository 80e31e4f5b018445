"""Regression results as a JUnit report, the format in which continuous integration servers read test results."""

import math
from collections.abc import Sequence
from xml.etree import ElementTree

from dpsco.regression.regress import NO_KERNEL, OK, QUANTILES, Regression, shown

INDENT = "   "


def document(results: Sequence[Regression], accepted: Sequence[str] = (OK,)) -> str:
    """One test case for each contract: its concept as the class name, a failure where the verdict is not accepted.

    A failure's message is the verdict with the largest error; its text says at which input.
    """
    failed = sum(not _passed(result, accepted) for result in results)
    counts = {"tests": str(len(results)), "failures": str(failed), "errors": "0", "skipped": "0"}
    root = ElementTree.Element("testsuites", counts)
    suite = ElementTree.SubElement(root, "testsuite", {"name": "dpsco regress", **counts})
    for result in results:
        contract = result.contract
        case = ElementTree.SubElement(suite, "testcase", {"classname": contract.concept, "name": contract.name})
        if not _passed(result, accepted):
            failure = ElementTree.SubElement(case, "failure", {"type": result.verdict, "message": _legible(_message(result))})
            failure.text = _legible("\n".join(explained(result)))
    ElementTree.indent(root)
    return ElementTree.tostring(root, encoding="unicode", xml_declaration=True) + "\n"


def explained(result: Regression) -> list[str]:
    """What a reader of a failure needs: error, budget, the input of the largest error, what was raised there."""
    if result.verdict == NO_KERNEL:
        return [f"{result.contract.id}: there is no fast kernel"]
    limit = "no budget is recorded" if result.budget is None else f"budget {result.budget:.4g}"
    head = f"{result.contract.id}: largest error {result.largest:.4g} {result.contract.metric}, {limit}"
    return [head, f"median {result.typical:.4g} of {result.samples} inputs", *details(result)]


def details(result: Regression) -> list[str]:
    """The quantiles of the error, how often it exceeds the budget, and where most, with what was got and expected."""
    shares = ", ".join(
        f"{100 * share.numerator // share.denominator} % at most {result.quantile(share):.4g}" for share in QUANTILES
    )
    beyond = sum(result.exceeds(off) for off in result.errors)
    over = f"; {beyond} of {result.samples} exceed the budget" if result.budget is not None else ""
    lines = [f"errors in {result.contract.metric}: {shares}{over}"]
    for number, miss in enumerate(result.beyond, 1):
        lines.append(f"{number}. {miss.error:.4g} at {shown(miss.at)}")
        values = ", ".join(f"{name} {value}" for name, value in (("got", miss.got), ("expected", miss.expected)) if value)
        lines += [f"{INDENT}{text}" for text in (miss.remark, values) if text]
    return lines


def _passed(result: Regression, accepted: Sequence[str]) -> bool:
    return result.verdict in accepted and math.isfinite(result.largest)


def _message(result: Regression) -> str:
    return result.verdict if result.verdict == NO_KERNEL else f"{result.verdict}: {result.largest:.4g} {result.contract.metric}"


def _legible(text: str) -> str:
    """Without the control characters that XML cannot carry (a kernel's own error message may hold any)."""
    return "".join(c if c in "\n\t" or (c.isprintable() and c not in "\ufffe\uffff") else "?" for c in text)
