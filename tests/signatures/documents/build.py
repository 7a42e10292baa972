"""Wire values for tests, of the fields that a test is about."""

from __future__ import annotations

from signatures.documents.codec import from_document
from signatures.documents.finding import FindingDocument

LEAST = {
    "signature": "mm/example",
    "title": "An example",
    "severity": "high",
    "host": "",
    "phase": "during",
    "verdict": "match",
}


def finding(**fields) -> FindingDocument:
    """Return a finding with these fields of its JSON; conditions need no id."""
    conditions = [{"id": "example"} | one for one in fields.get("clauses", ())]
    return from_document(FindingDocument, LEAST | fields | {"clauses": conditions})
