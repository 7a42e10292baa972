"""Order of findings: by certainty, causes before consequences, then by severity."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from signatures.documents.finding import FindingDocument

VERDICT_RANK = {"match": 0, "suspect": 1}
"""Rank of the verdicts that are shown."""

RANK = VERDICT_RANK | {"unknown": 2, "not_applicable": 3, "no_match": 4}
SEVERITY_RANK = {"critical": 0, "high": 1, "medium": 2, "low": 3}


def place_of(finding: FindingDocument) -> tuple[bool, int, bool, int, float, float, str, str, str]:
    """Return the sort key of the document of a signature."""
    return (
        bool(finding.superseded_by),
        RANK[finding.verdict],
        bool(finding.caused_by),
        SEVERITY_RANK[finding.severity],
        1.0 if finding.confidence is None else -finding.confidence,
        -finding.coverage,
        finding.signature,
        finding.host,
        finding.phase,
    )
