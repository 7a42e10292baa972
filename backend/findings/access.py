"""FastAPI dependencies: the capture run of a URL, after the access check of its case."""

from __future__ import annotations

from typing import Annotated
from uuid import UUID

from fastapi import Depends

from backend.access.dependencies import AdmissionDep
from backend.findings import queries
from backend.models.capture_run import CaptureRun


def get_run(admission: AdmissionDep, run_id: UUID) -> CaptureRun:
    """Return the capture run named in the URL.

    Raises:
        NotFoundError: It does not exist, was withdrawn, or its case is not visible to the principal.
    """
    return admission.find(queries.run_of_id(run_id), absent=queries.absent(run_id))


def get_deleted_run(admission: AdmissionDep, run_id: UUID) -> CaptureRun:
    """Return the capture run named in the URL, withdrawn or not.

    Raises:
        NotFoundError: It does not exist, or its case is not visible to the principal.
    """
    return admission.find(queries.run_of_id(run_id, with_deleted=True), absent=queries.absent(run_id))


RunDep = Annotated[CaptureRun, Depends(get_run)]
DeletedRunDep = Annotated[CaptureRun, Depends(get_deleted_run)]
