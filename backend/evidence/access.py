"""FastAPI dependencies: the evidence of a URL, after the access check of its case."""

from __future__ import annotations

from typing import Annotated
from uuid import UUID

from fastapi import Depends

from backend.access.dependencies import AdmissionDep
from backend.evidence import queries
from backend.models.evidence import Evidence


def get_evidence(admission: AdmissionDep, evidence_id: UUID) -> Evidence:
    """Return the evidence named in the URL.

    Raises:
        NotFoundError: It does not exist, was deleted, or its case is not visible to the principal.
    """
    return admission.find(queries.evidence_of_id(evidence_id), absent=queries.absent(evidence_id))


def get_deleted_evidence(admission: AdmissionDep, evidence_id: UUID) -> Evidence:
    """Return the evidence named in the URL, deleted or not.

    Raises:
        NotFoundError: It does not exist, or its case is not visible to the principal.
    """
    return admission.find(
        queries.evidence_of_id(evidence_id, with_deleted=True), absent=queries.absent(evidence_id)
    )


EvidenceDep = Annotated[Evidence, Depends(get_evidence)]
DeletedEvidenceDep = Annotated[Evidence, Depends(get_deleted_evidence)]
