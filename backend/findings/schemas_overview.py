"""Response schemas of the overview of a case."""

from __future__ import annotations

from dataclasses import dataclass

from backend.core.http.wire_models import response
from signatures.documents.overview import OverviewDocument


@response
@dataclass(frozen=True, slots=True, kw_only=True)
class OverviewRead(OverviewDocument):
    """What the first screen of a case says, for one evidence revision."""

    evidence_rev: int
    judged_rev: int
