"""Response schemas of the finding and signature endpoints: wire values, with the ids of their rows."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated
from uuid import UUID

from pydantic import BaseModel, Field

from backend.core.http.envelope import Listed
from backend.core.http.wire_models import response
from signatures.documents.alarm import AlarmDocument
from signatures.documents.capture import NextCaptureDocument
from signatures.documents.citation import Citation
from signatures.documents.finding import Affected, FindingDocument
from signatures.documents.panel import PanelDocument


@response
@dataclass(frozen=True, slots=True, kw_only=True)
class FindingRead(FindingDocument):
    """A signature judged against one host and phase of a case."""

    id: UUID


@response
@dataclass(frozen=True, slots=True, kw_only=True)
class AlarmRead(AlarmDocument):
    """An alarm of one host and phase: a state of the machine that the evidence shows, whatever its cause.

    The fields from `signature` on are those without which clients of 0.1.0 read no finding; they are empty.
    """

    id: UUID
    citations: tuple[Citation, ...] = ()
    signature: str = ""
    version: int = 0
    because: str = ""
    score: float = 0.0
    confidence: float | None = None
    confidence_word: str | None = None
    coverage: float = 0.0
    coverage_word: str = ""
    caps: tuple[str, ...] = ()
    rivals_open: tuple[str, ...] = ()
    affected: Affected = field(default_factory=Affected)
    entity: dict[str, str] = field(default_factory=dict)
    extract: dict[str, str] = field(default_factory=dict)
    clauses: tuple[str, ...] = ()
    fixes: tuple[str, ...] = ()
    next: tuple[str, ...] = ()
    references: tuple[str, ...] = ()


AnyFinding = Annotated[FindingRead | AlarmRead, Field(discriminator="kind")]


class JudgementQueued(BaseModel):
    """A queued judgement: it is done when the findings have this revision."""

    evidence_rev: int


class FindingsRead(Listed[AnyFinding]):
    """Findings and alarms of a case as of `judged_rev`; while it is below `evidence_rev` they may change."""

    judged_rev: int
    evidence_rev: int
    next_captures: tuple[NextCaptureDocument, ...]


class IssueRead(BaseModel):
    """The text of an issue; `labels` are suggested by severity and tags of the case."""

    title: str
    body: str
    labels: list[str]


class ChartsRead(BaseModel):
    """Which charts of a case have something to show.

    Attributes:
        numbers: Histograms or values over time (`/histograms`, `/series`).
        waits: Tasks in a wait graph (`/waits`).
    """

    numbers: bool
    waits: bool


class AnalysesRead(BaseModel):
    """All system-wide analyses of a case for one evidence revision, and the charts that have data."""

    evidence_rev: int
    panels: tuple[PanelDocument, ...]
    charts: ChartsRead
