"""SARIF 2.1.0 reports for code scanning.

Source: https://docs.oasis-open.org/sarif/sarif/v2.1.0/
"""

from __future__ import annotations

import json
import string
from types import MappingProxyType
from typing import TYPE_CHECKING

from signatures.rendering.lines import bare

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from signatures.documents.sarif import Location, PhysicalLocation, Region, Result, Rule
    from signatures.rendering.issues import Issue

SARIF_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_UNRESERVED = frozenset(f"{string.ascii_letters}{string.digits}_.-~/".encode())
"""Bytes of a path that a URI holds as they are."""


def sarif(
    rules: Sequence[Rule],
    results: Sequence[Result],
    *,
    version: str,
    notices: Sequence[str] = (),
    properties: Mapping[str, str] = MappingProxyType({}),
) -> str:
    """Return results of `rules` as one run of `version`.

    Args:
        rules: Of all results.
        results: What was found.
        version: Of the engine.
        notices: What could not be checked.
        properties: What else is known of the run; viewers show them as they are.
    """
    driver = {
        "name": "casebook",
        "version": version,
        "semanticVersion": version,
        "rules": list(rules),
    }
    invocation = {
        "executionSuccessful": True,
        "toolExecutionNotifications": [
            {"level": "warning", "message": {"text": notice}} for notice in notices
        ],
    }
    run = {"tool": {"driver": driver}, "invocations": [invocation], "results": list(results)}
    if properties:
        run["properties"] = {name: bare(value) for name, value in properties.items()}
    return json.dumps({"$schema": SARIF_SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2) + "\n"


def result_of(issue: Issue, places: Sequence[Location] = (), *, report_at: str = "") -> Result:
    """Return an issue as a SARIF result.

    Args:
        issue: Its place is the result's, unless `report_at` names one; it is related then.
        places: Further locations that show it.
        report_at: File of the repository that the result points at, "" for the evidence.
    """
    evidence: Location = {"physicalLocation": place(issue.path, issue.line, issue.line)}
    first = evidence.copy()
    if report_at:
        first = {"physicalLocation": place(report_at, 1, 1)}
    if issue.function:
        first["logicalLocations"] = [{"fullyQualifiedName": bare(issue.function), "kind": "function"}]
    related = [*([evidence] if report_at else []), *places]
    return {
        "ruleId": issue.rule,
        "level": issue.level,
        "message": {"text": bare(issue.message)},
        "locations": [first],
        "relatedLocations": [{"id": at, **one} for at, one in enumerate(related, start=1)],
        "partialFingerprints": {"casebook/v1": issue.fingerprint},
    }


def place(path: str, first_line: int, last_line: int) -> PhysicalLocation:
    """Return lines of a file as SARIF's physical location; lines are 1-based."""
    region: Region = {"startLine": max(1, first_line), "endLine": max(1, first_line, last_line)}
    # A path becomes a URI relative to the checkout, percent-encoded.
    return {"artifactLocation": {"uri": _quoted(path)}, "region": region}


def _quoted(path: str) -> str:
    """Return a path percent-encoded."""
    return "".join(
        chr(byte) if byte in _UNRESERVED else f"%{byte:02X}" for byte in path.encode("utf-8", "surrogatepass")
    )
