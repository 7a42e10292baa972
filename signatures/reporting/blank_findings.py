"""Findings of evidence that says nothing: what signatures alone determine of every finding.

Conditions of evidence that is missing are absent; those of a log without a known record state what they lack.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ingest.model.citation import Lines
from ingest.model.reading import LogRecord, Reading
from signatures.judging.judge import judge
from signatures.judging.scope import Item
from signatures.reporting.report import finding_document

if TYPE_CHECKING:
    from signatures.documents.finding import FindingDocument
    from signatures.language.model import Catalog

NOTHING = Item(
    evidence="",
    captured_path="",
    host="",
    boot="",
    phase="during",
    section=0,
    format="text",
    reading=Reading(),
    first_line=1,
    last_line=1,
)


QUIET_LOG = replace(
    NOTHING,
    format="kernel-log",
    reading=Reading(log_records=(LogRecord("other", "", Lines.at(1)),)),
)


def blank_findings(catalog: Catalog) -> tuple[tuple[FindingDocument, ...], ...]:
    """Return the findings of nothing, and those of a log without a known record, less what is the same."""
    of_nothing = tuple(finding_document(one) for one in judge([NOTHING], catalog))
    of_a_log = tuple(
        replace(finding_document(one), fixes=(), next=(), references=())
        for one in judge([QUIET_LOG], catalog)
    )
    return of_nothing, of_a_log
