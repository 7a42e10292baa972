"""JUnit reports for the test pages of CI servers.

What the schema of Jenkins takes (junit-10.xsd of its xUnit plugin), and GitLab too.

Source: https://github.com/jenkinsci/xunit-plugin
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

from signatures.rendering.lines import bare

if TYPE_CHECKING:
    from collections.abc import Sequence

_NOT_XML = re.compile(r"[\ud800-\udfff\ufffe\uffff]")


@dataclass(frozen=True, slots=True)
class Check:
    """One test case.

    Attributes:
        kind: Failure type, used for grouping.
        failures: Failure messages.
        errors: Reasons for a check that is not decided.
        output: Further lines.
    """

    group: str
    name: str
    kind: str = ""
    failures: tuple[str, ...] = ()
    errors: tuple[str, ...] = ()
    output: tuple[str, ...] = ()


def junit(name: str, checks: Sequence[Check], properties: Sequence[tuple[str, str]] = ()) -> str:
    """Return checks as one test suite, with properties that no check depends on."""
    suite = ET.Element("testsuite", name=_xml(name), tests=str(len(checks)))
    suite.set("failures", str(sum(bool(check.failures) for check in checks)))
    suite.set("errors", str(sum(bool(check.errors) for check in checks)))
    if properties:
        told = ET.SubElement(suite, "properties")
        for key, value in properties:
            ET.SubElement(told, "property", name=_xml(key), value=_xml(value))
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


def _first(sentences: Sequence[str]) -> str:
    return sentences[0] if len(sentences) == 1 else f"{sentences[0]} (and {len(sentences) - 1} more)"


def _xml(text: str) -> str:
    """Return `text` without characters invalid in XML."""
    return _NOT_XML.sub("\ufffd", bare(text))
