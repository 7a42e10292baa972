"""All tables, one per module; importing this package registers every one of them."""

from backend.models.account import Account, Token, TokenKind
from backend.models.base import Base
from backend.models.blob import Blob
from backend.models.case import Case
from backend.models.event import Event
from backend.models.evidence import Evidence, EvidenceState
from backend.models.fact import Fact
from backend.models.finding import Finding
from backend.models.frame import Frame, ProfileFrame
from backend.models.histogram import Histogram
from backend.models.host import Host
from backend.models.job import Job, JobState
from backend.models.log_record import LogRecord
from backend.models.observation import Observation
from backend.models.profile import Profile
from backend.models.reading import Reading
from backend.models.row_set import RowSet
from backend.models.section import Section
from backend.models.upload import Upload, UploadState

__all__ = [
    "Account",
    "Base",
    "Blob",
    "Case",
    "Event",
    "Evidence",
    "EvidenceState",
    "Fact",
    "Finding",
    "Frame",
    "Histogram",
    "Host",
    "Job",
    "JobState",
    "LogRecord",
    "Observation",
    "Profile",
    "ProfileFrame",
    "Reading",
    "RowSet",
    "Section",
    "Token",
    "TokenKind",
    "Upload",
    "UploadState",
]
