"""Findings of evidence that says nothing: what signatures alone determine of every finding."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ingest.model.reading import Reading
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


def blank_findings(catalog: Catalog) -> tuple[FindingDocument, ...]:
    """Return a finding of each signature of which nothing is observed."""
    return tuple(finding_document(one) for one in judge([NOTHING], catalog))
