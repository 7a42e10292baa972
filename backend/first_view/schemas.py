"""Response schema of the first view."""

from __future__ import annotations

from pydantic import BaseModel

from backend.cases.schemas import CaseRead
from backend.cases.schemas_access import CaseAccess
from backend.evidence.schemas import EvidenceRead, FactRead
from backend.findings.schemas import AnalysesRead, FindingsRead
from backend.findings.schemas_captures import CaptureRunRead
from backend.findings.schemas_labels import LabelRead
from backend.findings.schemas_overview import OverviewRead
from backend.handoffs.schemas import OriginRead
from backend.postmortems.schemas_incident import IncidentRead
from backend.profiles.schemas import ProfileRead
from backend.similarity.schemas_seen import SeenBeforeRead
from backend.stories.schemas import StorySummary
from backend.uploads.schemas import UploadRead


class JudgedView(BaseModel):
    """What follows from the evidence alone: it stays as it is until files or findings change."""

    evidence: list[EvidenceRead] | None
    findings: FindingsRead
    overview: OverviewRead
    analyses: AnalysesRead
    facts: dict[str, list[FactRead]]
    profiles: list[ProfileRead] | None


class LiveView(BaseModel):
    """What people and other cases change, and what is still arriving."""

    case: CaseRead
    access: CaseAccess
    uploads: list[UploadRead]
    captures: list[CaptureRunRead]
    labels: list[LabelRead]
    incident: IncidentRead
    origins: list[OriginRead]
    seen_before: SeenBeforeRead
    stories: list[StorySummary]


class FirstViewRead(LiveView, JudgedView):
    """All that the page of a case shows at once; each field is the response of the path of its name.

    Attributes:
        case: `GET /cases/{case}`.
        evidence: Null for more than 500 files; list these by page.
        profiles: Null for more than 500 profiles.
        facts: Facts of the names that the page shows: `human.hung_tool` and `kernel.release`.
    """
