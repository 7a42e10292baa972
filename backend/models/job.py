"""Work for later; the table itself is `backend.core.jobs.job`, whose floor runs it."""

from backend.core.jobs.job import Job, JobState, QueueClock, QueueSender

__all__ = ["Job", "JobState", "QueueClock", "QueueSender"]
