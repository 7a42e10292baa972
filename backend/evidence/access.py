"""The evidence a URL names, once it is decided that its case may be seen."""

from __future__ import annotations

from typing import Annotated
from uuid import UUID

from fastapi import Depends

from backend.access.dependencies import AdmissionDep, SessionDep
from backend.evidence import queries
from backend.models.evidence import Evidence


def get_evidence(session: SessionDep, admission: AdmissionDep, evidence_id: UUID) -> Evidence:
    """Return the evidence that the URL names.

    Raises:
        NotFoundError: There is none, it was deleted, or whoever asks does not see its case.
    """
    evidence = queries.evidence_of_id(session, evidence_id)
    admission.enter(evidence.case_id, absent=queries.absent(evidence_id))
    return evidence


def get_deleted_evidence(session: SessionDep, admission: AdmissionDep, evidence_id: UUID) -> Evidence:
    """Return the evidence that the URL names, deleted or not.

    Raises:
        NotFoundError: There is none, or whoever asks does not see its case.
    """
    evidence = queries.evidence_of_id(session, evidence_id, with_deleted=True)
    admission.enter(evidence.case_id, absent=queries.absent(evidence_id))
    return evidence


EvidenceDep = Annotated[Evidence, Depends(get_evidence)]
DeletedEvidenceDep = Annotated[Evidence, Depends(get_deleted_evidence)]
