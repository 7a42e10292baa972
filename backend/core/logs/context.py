"""What a log record is about: the request or the job that was at work when it was made.

    2026-11-22 03:00:12,345 ERROR backend.core.http.problems [request 0b6f…]: GET /api/v1/cases/7 failed

The ids are taken when a record is made, in the thread and the task that make it; it is written by another.
"""

from __future__ import annotations

import logging
from contextvars import ContextVar
from typing import Any

REQUEST_ID: ContextVar[str] = ContextVar("request_id", default="")
JOB_ID: ContextVar[str] = ContextVar("job_id", default="")


class Record(logging.LogRecord):
    """A log record with the ids of what it is about; "" where there is none."""

    request_id: str
    job_id: str

    def __init__(self, *args: Any, **options: Any) -> None:
        """Take the ids of this moment."""
        super().__init__(*args, **options)
        self.request_id = REQUEST_ID.get()
        self.job_id = JOB_ID.get()


def subject_of(record: logging.LogRecord) -> dict[str, str]:
    """Return the ids that `record` has, by their names: `{"request_id": …}`."""
    found = {name: getattr(record, name, "") for name in ("request_id", "job_id")}
    return {name: value for name, value in found.items() if value}
