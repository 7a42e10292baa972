"""The run of a capture that a URL names, once it is decided that its case may be seen."""

from __future__ import annotations

from typing import Annotated
from uuid import UUID

from fastapi import Depends

from backend.access.dependencies import AdmissionDep, SessionDep
from backend.findings import queries
from backend.models.capture_run import CaptureRun


def get_run(session: SessionDep, admission: AdmissionDep, run_id: UUID) -> CaptureRun:
    """Return the run that the URL names.

    Raises:
        NotFoundError: There is none, it was taken back, or whoever asks does not see its case.
    """
    run = queries.run_of_id(session, run_id)
    admission.enter(run.case_id, absent=queries.absent(run_id))
    return run


def get_deleted_run(session: SessionDep, admission: AdmissionDep, run_id: UUID) -> CaptureRun:
    """Return the run that the URL names, taken back or not.

    Raises:
        NotFoundError: There is none, or whoever asks does not see its case.
    """
    run = queries.run_of_id(session, run_id, with_deleted=True)
    admission.enter(run.case_id, absent=queries.absent(run_id))
    return run


RunDep = Annotated[CaptureRun, Depends(get_run)]
DeletedRunDep = Annotated[CaptureRun, Depends(get_deleted_run)]
