"""Findings as issues of pipelines and as rules and results of SARIF."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from signatures.rendering import sarif
from signatures.rendering.finding_rows import citations_of, help_of, line_of, meaning_of, rule_of
from signatures.rendering.issues import Issue
from signatures.rendering.lines import bare

if TYPE_CHECKING:
    from signatures.documents.alarm import AnyFinding
    from signatures.documents.sarif import Location, Result, Rule

LEVELS = {"critical": "error", "high": "error", "medium": "warning", "low": "note"}
MAX_PLACES = 10


def issue_of(finding: AnyFinding, level: str, subject: str) -> Issue:
    """Return a finding at its first cited line, else at `subject`."""
    first = next((at for _, at in citations_of(finding)), None)
    return Issue(
        rule_of(finding),
        level,
        f"{line_of(finding)} {meaning_of(finding)}".rstrip(),
        first.evidence if first else subject,
        max(1, first.first_line) if first else 1,
        finding.fingerprint,
    )


def sarif_rule(finding: AnyFinding) -> Rule:
    """Return the signature or alarm of a finding."""
    name = rule_of(finding)
    return {
        "id": name,
        "name": "".join(word.title() for word in re.findall(r"[a-z0-9]+", name)),
        "shortDescription": {"text": bare(finding.title)},
        "fullDescription": {"text": bare(finding.title)},
        "help": {"text": bare(help_of(finding))},
        "defaultConfiguration": {"level": LEVELS[finding.severity]},
        "properties": {
            "kind": finding.kind,
            "severity": finding.severity,
            "level": finding.level,
            "status": finding.status,
        },
    }


def sarif_result(issue: Issue, finding: AnyFinding, report_at: str) -> Result:
    """Return a finding with the lines that show it."""
    places: list[Location] = [
        {
            "physicalLocation": sarif.place(at.evidence, at.first_line, at.last_line),
            "message": {"text": bare(words)},
        }
        for words, at in citations_of(finding)[1:MAX_PLACES]
    ]
    return sarif.result_of(issue, places, report_at=report_at)
