"""All tables, one per module; importing this package registers every one of them."""

from backend.core.audit_entry import AuditEntry, AuditHead
from backend.core.db.instance import Instance
from backend.core.db.schema_version import SchemaVersion
from backend.models.account import Account, Role, Token, TokenKind
from backend.models.alert import Alert, AlertGroup
from backend.models.base import Base
from backend.models.baseline import Baseline, BaselinePoint
from backend.models.blob import Blob
from backend.models.capture_run import CaptureResult, CaptureRun
from backend.models.case import Case, Status, Visibility
from backend.models.case_access import CaseLink, CasePerson
from backend.models.case_findings import CaseFindings, FindingDictionary
from backend.models.case_index import CaseFact, CaseFrame, FrameCount, FrameCountChange
from backend.models.case_pair import CasePair, CaseTraits, PairLabel, PairOpinion, TraitPosting
from backend.models.case_screen import CaseScreen
from backend.models.case_search import CaseNumber, CaseSearch, SavedSearch, SearchMatch
from backend.models.destination import Channel, Delivery, DeliveryState, Destination, Outbox, Posted
from backend.models.event import Event
from backend.models.evidence import Evidence, EvidenceState
from backend.models.fact import Fact
from backend.models.finding import Finding
from backend.models.frame import Frame, ProfileFrame
from backend.models.handoff import Handoff, HandoffMessage, HandoffState, Redaction, Share, SharePass
from backend.models.histogram import Histogram
from backend.models.host import Host
from backend.models.hunt import Hunt, HuntedCase
from backend.models.idempotency_key import IdempotencyKey
from backend.models.incident_event import IncidentEvent, IncidentEventKind
from backend.models.invitation import Invitation, LoginAttempts
from backend.models.job import Job, JobState, QueueClock, QueueSender
from backend.models.kernel_fleet import CaseKernel, Inventory, InventoryHost
from backend.models.label import Label, Opinion
from backend.models.library_entry import LibraryEntry
from backend.models.log_record import LogRecord
from backend.models.made_problem import MadeProblem, ProblemPart
from backend.models.note import Note, NoteVersion
from backend.models.observation import Observation
from backend.models.oidc_flow import OidcFlow
from backend.models.passkey import Passkey, PasskeyChallenge
from backend.models.profile import Profile
from backend.models.reading import Reading
from backend.models.reprocessing import Change, ReprocessedCase, ReprocessRun, RunState
from backend.models.row_set import RowSet
from backend.models.sandbox_host import SandboxHost
from backend.models.section import Section
from backend.models.signature_draft import DraftState, SignatureDraft
from backend.models.signature_proposal import ProposalState, SignatureProposal
from backend.models.space import SpaceReservation, StoredBytes
from backend.models.story import Story, StoryRevision
from backend.models.team import Team, TeamMember
from backend.models.team_library import (
    LibrarySource,
    LibraryVersion,
    ShadowFinding,
    TeamLibrary,
    VersionState,
)
from backend.models.upload import Upload, UploadState

__all__ = [
    "Account",
    "Alert",
    "AlertGroup",
    "AuditEntry",
    "AuditHead",
    "Base",
    "Baseline",
    "BaselinePoint",
    "Blob",
    "CaptureResult",
    "CaptureRun",
    "Case",
    "CaseFact",
    "CaseFindings",
    "CaseFrame",
    "CaseKernel",
    "CaseLink",
    "CaseNumber",
    "CasePair",
    "CasePerson",
    "CaseScreen",
    "CaseSearch",
    "CaseTraits",
    "Change",
    "Channel",
    "Delivery",
    "DeliveryState",
    "Destination",
    "DraftState",
    "Event",
    "Evidence",
    "EvidenceState",
    "Fact",
    "Finding",
    "FindingDictionary",
    "Frame",
    "FrameCount",
    "FrameCountChange",
    "Handoff",
    "HandoffMessage",
    "HandoffState",
    "Histogram",
    "Host",
    "Hunt",
    "HuntedCase",
    "IdempotencyKey",
    "IncidentEvent",
    "IncidentEventKind",
    "Instance",
    "Inventory",
    "InventoryHost",
    "Invitation",
    "Job",
    "JobState",
    "Label",
    "LibraryEntry",
    "LibrarySource",
    "LibraryVersion",
    "LogRecord",
    "LoginAttempts",
    "MadeProblem",
    "Note",
    "NoteVersion",
    "Observation",
    "OidcFlow",
    "Opinion",
    "Outbox",
    "PairLabel",
    "PairOpinion",
    "Passkey",
    "PasskeyChallenge",
    "Posted",
    "ProblemPart",
    "Profile",
    "ProfileFrame",
    "ProposalState",
    "QueueClock",
    "QueueSender",
    "Reading",
    "Redaction",
    "ReprocessRun",
    "ReprocessedCase",
    "Role",
    "RowSet",
    "RunState",
    "SandboxHost",
    "SavedSearch",
    "SchemaVersion",
    "SearchMatch",
    "Section",
    "ShadowFinding",
    "Share",
    "SharePass",
    "SignatureDraft",
    "SignatureProposal",
    "SpaceReservation",
    "Status",
    "StoredBytes",
    "Story",
    "StoryRevision",
    "Team",
    "TeamLibrary",
    "TeamMember",
    "Token",
    "TokenKind",
    "TraitPosting",
    "Upload",
    "UploadState",
    "VersionState",
    "Visibility",
]
