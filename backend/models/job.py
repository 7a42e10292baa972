"""Work for later; the table itself is `backend.core.job`, whose floor runs it."""

from backend.core.job import Job, JobState, QueueClock, QueueSender

__all__ = ["Job", "JobState", "QueueClock", "QueueSender"]
