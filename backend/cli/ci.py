"""Reports that build servers read: JUnit for test pages, SARIF for code scanning.

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

from backend.cli.output import bare
from backend.core.version import VERSION

if TYPE_CHECKING:
    from collections.abc import Sequence

SARIF_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_NOT_XML = re.compile(r"[\ud800-\udfff\ufffe\uffff]")


@dataclass(frozen=True, slots=True)
class Check:
    """One test case.

    Attributes:
        kind: What fails it, as programs group by.
        failures: Sentences; any makes it fail.
        errors: Sentences of what kept it from being decided.
        said: What else it has to say, line by line.
    """

    group: str
    name: str
    kind: str = ""
    failures: tuple[str, ...] = ()
    errors: tuple[str, ...] = ()
    said: tuple[str, ...] = ()


def junit(name: str, checks: Sequence[Check]) -> str:
    """Return checks as one test suite."""
    suite = ET.Element("testsuite", name=_xml(name), tests=str(len(checks)))
    suite.set("failures", str(sum(bool(check.failures) for check in checks)))
    suite.set("errors", str(sum(bool(check.errors) for check in checks)))
    for check in checks:
        case = ET.SubElement(suite, "testcase", classname=_xml(check.group), name=_xml(check.name))
        for tag, told in (("failure", check.failures), ("error", check.errors)):
            if told:
                found = ET.SubElement(case, tag, message=_xml(_first(told)), type=check.kind)
                found.text = "\n".join(map(_xml, told))
        if check.said:
            ET.SubElement(case, "system-out").text = "\n".join(map(_xml, check.said))
    ET.indent(suite)
    return ET.tostring(suite, encoding="unicode", xml_declaration=True) + "\n"


def sarif(
    rules: Sequence[dict[str, Any]], results: Sequence[dict[str, Any]], *, notices: Sequence[str] = ()
) -> str:
    """Return results of `rules` as one run; `notices` say what it could not look at."""
    driver = {"name": "casebook", "version": VERSION, "rules": list(rules)}
    invocation = {
        "executionSuccessful": True,
        "toolExecutionNotifications": [{"level": "warning", "message": {"text": said}} for said in notices],
    }
    run = {"tool": {"driver": driver}, "invocations": [invocation], "results": list(results)}
    return json.dumps({"$schema": SARIF_SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2) + "\n"


def place(path: str, first_line: int, last_line: int) -> dict[str, Any]:
    """Return lines of a file as SARIF's physical location; lines are 1-based."""
    region = {"startLine": max(1, first_line), "endLine": max(1, first_line, last_line)}
    # A path is told as an address below the checkout; what cannot stand in one is escaped.
    return {"artifactLocation": {"uri": quote(path, errors="surrogatepass")}, "region": region}


def _first(told: Sequence[str]) -> str:
    return told[0] if len(told) == 1 else f"{told[0]} (and {len(told) - 1} more)"


def _xml(text: str) -> str:
    """Return `text` without what XML cannot hold."""
    return _NOT_XML.sub("\ufffd", bare(text))
