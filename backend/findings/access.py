"""FastAPI dependencies: the capture run of a URL, after the access check of its case."""

from __future__ import annotations

from typing import Annotated
from uuid import UUID

from fastapi import Depends

from backend.access.dependencies import AdmissionDep, SessionDep
from backend.findings import queries
from backend.models.capture_run import CaptureRun


def get_run(session: SessionDep, admission: AdmissionDep, run_id: UUID) -> CaptureRun:
    """Return the capture run named in the URL.

    Raises:
        NotFoundError: It does not exist, was withdrawn, or its case is not visible to the principal.
    """
    run = queries.run_of_id(session, run_id)
    admission.enter(run.case_id, absent=queries.absent(run_id))
    return run


def get_deleted_run(session: SessionDep, admission: AdmissionDep, run_id: UUID) -> CaptureRun:
    """Return the capture run named in the URL, withdrawn or not.

    Raises:
        NotFoundError: It does not exist, or its case is not visible to the principal.
    """
    run = queries.run_of_id(session, run_id, with_deleted=True)
    admission.enter(run.case_id, absent=queries.absent(run_id))
    return run


RunDep = Annotated[CaptureRun, Depends(get_run)]
DeletedRunDep = Annotated[CaptureRun, Depends(get_deleted_run)]
