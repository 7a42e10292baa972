"""Reports for CI servers: JUnit for test pages, SARIF for code scanning.

JUnit is what the schema of Jenkins takes (junit-10.xsd of its xUnit plugin), and GitLab too; SARIF is 2.1.0.

Source: https://github.com/jenkinsci/xunit-plugin and https://docs.oasis-open.org/sarif/sarif/v2.1.0/
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import quote
from xml.etree import ElementTree as ET

from backend.core.version import VERSION
from cli.process.arguments import location
from cli.process.output import bare

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cli.reports.ci_issues import Issue

SARIF_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_NOT_XML = re.compile(r"[\ud800-\udfff\ufffe\uffff]")


@dataclass(frozen=True, slots=True)
class Check:
    """One test case.

    Attributes:
        kind: Failure type, used for grouping.
        failures: Failure messages.
        errors: Reasons for an undecided check.
        output: Further lines.
    """

    group: str
    name: str
    kind: str = ""
    failures: tuple[str, ...] = ()
    errors: tuple[str, ...] = ()
    output: tuple[str, ...] = ()


def junit(name: str, checks: Sequence[Check]) -> str:
    """Return checks as one test suite."""
    suite = ET.Element("testsuite", name=_xml(name), tests=str(len(checks)))
    suite.set("failures", str(sum(bool(check.failures) for check in checks)))
    suite.set("errors", str(sum(bool(check.errors) for check in checks)))
    for check in checks:
        case = ET.SubElement(suite, "testcase", classname=_xml(check.group), name=_xml(check.name))
        for tag, sentences in (("failure", check.failures), ("error", check.errors)):
            if sentences:
                found = ET.SubElement(case, tag, message=_xml(_first(sentences)), type=check.kind)
                found.text = "\n".join(map(_xml, sentences))
        if check.output:
            ET.SubElement(case, "system-out").text = "\n".join(map(_xml, check.output))
    ET.indent(suite)
    return ET.tostring(suite, encoding="unicode", xml_declaration=True) + "\n"


def sarif(
    rules: Sequence[dict[str, Any]], results: Sequence[dict[str, Any]], *, notices: Sequence[str] = ()
) -> str:
    """Return results of `rules` as one run; `notices` name what could not be checked."""
    driver = {
        "name": "casebook",
        "version": VERSION,
        "semanticVersion": VERSION,
        "rules": list(rules),
    }
    invocation = {
        "executionSuccessful": True,
        "toolExecutionNotifications": [
            {"level": "warning", "message": {"text": notice}} for notice in notices
        ],
    }
    run = {"tool": {"driver": driver}, "invocations": [invocation], "results": list(results)}
    return json.dumps({"$schema": SARIF_SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2) + "\n"


def result_of(issue: Issue, places: Sequence[dict[str, Any]] = ()) -> dict[str, Any]:
    """Return an issue as a SARIF result.

    Args:
        issue: Its place is the result's, unless `--report-at` names one; it is related then.
        places: Further locations that show it.
    """
    evidence: dict[str, Any] = {"physicalLocation": place(issue.path, issue.line, issue.line)}
    first = dict(evidence)
    if location():
        first = {"physicalLocation": place(location(), 1, 1)}
    if issue.function:
        first["logicalLocations"] = [{"fullyQualifiedName": bare(issue.function), "kind": "function"}]
    related = [*([evidence] if location() else []), *places]
    return {
        "ruleId": issue.rule,
        "level": issue.level,
        "message": {"text": bare(issue.message)},
        "locations": [first],
        "relatedLocations": [{"id": at, **one} for at, one in enumerate(related, start=1)],
        "partialFingerprints": {"casebook/v1": issue.fingerprint},
    }


def place(path: str, first_line: int, last_line: int) -> dict[str, Any]:
    """Return lines of a file as SARIF's physical location; lines are 1-based."""
    region = {"startLine": max(1, first_line), "endLine": max(1, first_line, last_line)}
    # A path becomes a URI relative to the checkout, percent-encoded.
    return {"artifactLocation": {"uri": quote(path, errors="surrogatepass")}, "region": region}


def _first(sentences: Sequence[str]) -> str:
    return sentences[0] if len(sentences) == 1 else f"{sentences[0]} (and {len(sentences) - 1} more)"


def _xml(text: str) -> str:
    """Return `text` without characters invalid in XML."""
    return _NOT_XML.sub("\ufffd", bare(text))
