"""One signature on evidence, condition by condition, as lines: the core of `signature explain`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from signatures.rendering.evidence_lines import evidence_lines
from signatures.rendering.lines import Line
from signatures.rendering.terminal import finding_lines

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cli.evidence.analysis import Analysis


def explanation_lines(analysis: Analysis, signature_id: str) -> Iterator[Line]:
    """Yield the evidence, then every finding of one signature, if anything could be read."""
    yield from evidence_lines(analysis.evidences)
    for finding in analysis.report.findings:
        if finding.signature == signature_id and analysis.has_read:
            yield Line()
            yield from finding_lines(finding, with_rivals=True)
