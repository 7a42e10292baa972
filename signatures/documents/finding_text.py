"""Findings as one text: what a computation leaves of all of them, and what is stored of a case.

A case has a finding of every signature, host and phase, and nearly all of them say that nothing is known. Who
stores them passes the text on; only the few that say something become values (`telling`).
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from signatures.documents.alarm import FIRING
from signatures.documents.codec import to_document
from signatures.documents.shared import text_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from signatures.documents.finding import FindingDocument

DERIVED = ("kind", "level", "fingerprint")
"""Fields that reading derives from others (`FindingDocument.completed`)."""

SHARED = ("fixes", "next", "references")
"""Fields that findings take over from their signature; they come last in the text."""

BETWEEN = ",\n"
"""Between two findings. JSON has no newline elsewhere, so one can be parsed without the others."""

_NOT_OWN = frozenset({*DERIVED, *SHARED})


def findings_text(findings: Iterable[FindingDocument]) -> str:
    """Return findings as JSON text, by signature, without what reading derives."""
    ordered = sorted(findings, key=lambda one: (one.signature, one.host, one.phase))
    return f"[{BETWEEN.join(map(_row, ordered))}]"


def _row(finding: FindingDocument) -> str:
    own = json.dumps(to_document(finding, without=_NOT_OWN), allow_nan=False)
    shared = (f', "{name}": {text_of(getattr(finding, name))}' for name in SHARED)
    return f"{own[:-1]}{''.join(shared)}}}"


def telling(findings: Sequence[FindingDocument]) -> tuple[FindingDocument, ...]:
    """Return the findings of the signatures that fire or are listed in any scope, in their order."""
    told = {one.signature for one in findings if one.is_listed or one.verdict in FIRING}
    return tuple(one for one in findings if one.signature in told)
