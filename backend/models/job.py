"""Jobs; the table is `backend.core.jobs.job`, in the layer that runs it."""

from backend.core.jobs.job import Job, JobState, QueueClock, QueueSender

__all__ = ["Job", "JobState", "QueueClock", "QueueSender"]
