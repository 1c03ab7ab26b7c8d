"""Gates as JUnit XML, the form in which CI systems read test results."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from xml.etree import ElementTree as ET

from evalcore.evidence import Result
from evalcore.reporting.escaping import xml_text
from evalcore.reporting.outcomes import Outcome


def junit(command: str, outcomes: Sequence[Outcome], properties: Mapping[str, object]) -> str:
    """One suite for a command, one test case a gate, and what the numbers came from as properties.

    A gate that fails is a failure; one that cannot be assessed is an error, never "skipped", which CI systems count as
    no harm. Without a gate the suite is empty.
    """
    results = [outcome.result for outcome in outcomes]
    counts = {
        "name": f"evidence-lab {command}",
        "tests": str(len(results)),
        "failures": str(results.count(Result.FAIL)),
        "errors": str(results.count(Result.NOT_ASSESSED)),
        "skipped": "0",
    }
    root = ET.Element("testsuites")
    suite = ET.SubElement(root, "testsuite", counts)
    kept = ET.SubElement(suite, "properties")
    for name, value in properties.items():
        ET.SubElement(kept, "property", {"name": xml_text(name), "value": xml_text(_shown(value))})
    for outcome in outcomes:
        named = {"classname": f"evidence-lab.{command}", "name": xml_text(outcome.name)}
        case = ET.SubElement(suite, "testcase", named)
        message = {"message": xml_text(outcome.reason)}
        if outcome.result is Result.FAIL:
            ET.SubElement(case, "failure", {**message, "type": "gate fails"}).text = xml_text(outcome.line)
        elif outcome.result is Result.NOT_ASSESSED:
            ET.SubElement(case, "error", {**message, "type": "not assessed"}).text = xml_text(outcome.line)
        else:
            ET.SubElement(case, "system-out").text = xml_text(outcome.line)
    ET.indent(root)
    written: bytes = ET.tostring(root, encoding="utf-8", xml_declaration=True)
    return written.decode("utf-8") + "\n"


def _shown(value: object) -> str:
    """A property's value; null, true and false are spelled as in JSON."""
    return "null" if value is None else str(value).lower() if isinstance(value, bool) else str(value)
