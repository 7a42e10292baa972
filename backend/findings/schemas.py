"""What the finding and signature endpoints give."""

from __future__ import annotations

from typing import Any, Literal
from uuid import UUID

from pydantic import BaseModel, ConfigDict

Verdict = Literal["match", "suspect", "unknown", "no_match", "not_applicable"]
ClauseState = Literal["TRUE", "FALSE", "UNKNOWN", "NOT_OBSERVABLE"]


class CitationRead(BaseModel):
    """Lines, and stack nodes where the pattern completes, that a clause rests on."""

    evidence_id: UUID | None
    evidence: str
    section: int
    first_line: int
    last_line: int
    profile_id: UUID | None = None
    nodes: list[int] = []


class ClauseRead(BaseModel):
    """One condition of a signature as it was seen in this scope; numbers are in `unit`."""

    id: str
    title: str
    role: str
    weight: float
    veto: bool
    state: ClauseState
    reason: str
    observed: float | str | None
    threshold: float | str | None
    unit: str
    distance: float | None
    strength: float
    is_seen: bool
    assumed: bool
    note: str
    caps: list[str]
    remarks: list[str]
    citations: list[CitationRead]


class CapRead(BaseModel):
    """Why confidence is held down."""

    reason: str
    clause: str


class AspectRead(BaseModel):
    """One face of a defect, judged by itself."""

    aspect: str
    verdict: str
    basis: str


class AffectedRead(BaseModel):
    """Is the running kernel one that has the defect, by which basis, and what follows from it."""

    verdict: str
    basis: str
    sentence: str
    reported: list[dict[str, Any]]
    aspects: list[AspectRead] = []


class FixRead(BaseModel):
    """A cure or relief, with its risk and the check that shows it worked."""

    model_config = ConfigDict(extra="allow")

    kind: str = ""
    title: str = ""
    run: str | None = None
    scope: str | None = None
    first_on: str | None = None
    risk: str | None = None
    undo: str | None = None
    unsafe_if: list[str] = []
    verify: str | None = None
    status: str | None = None


class CaptureRead(BaseModel):
    """A safe command of the capture catalogue."""

    name: str
    title: str
    run: str
    cost: str
    needs: list[str]
    alternatives: list[str]
    unsafe_if: list[str]


class ClauseCaptureRead(CaptureRead):
    """A capture that would settle `clause`."""

    clause: str


class SettledRead(BaseModel):
    """A condition of a signature."""

    signature: str
    clause: str


class NextCaptureRead(CaptureRead):
    """A capture and every condition it would settle."""

    settles: list[SettledRead]


class FindingRead(BaseModel):
    """A signature judged against one host and phase of a case.

    `is_provisional` is one that rests on the first part of evidence whose rest still comes: it may change.
    """

    id: UUID
    signature: str
    version: int
    title: str
    severity: str
    status: str
    host: str
    phase: str
    verdict: Verdict
    because: str
    score: float
    confidence: float | None
    confidence_word: str | None
    coverage: float
    coverage_word: str
    caps: list[CapRead]
    rivals_open: list[str]
    affected: AffectedRead
    entity: dict[str, str]
    extract: dict[str, str]
    clauses: list[ClauseRead]
    fixes: list[FixRead]
    next: list[ClauseCaptureRead]
    references: list[dict[str, Any]]
    superseded_by: str
    is_near_miss: bool
    is_provisional: bool = False


class FindingsRead(BaseModel):
    """All findings of a case as of `judged_rev`; more is to come while it is below `evidence_rev`."""

    judged_rev: int
    evidence_rev: int
    findings: list[FindingRead]
    next_captures: list[NextCaptureRead]


class ProofRead(BaseModel):
    """Evidence a signature brings along, where it is from, and the verdict it must get."""

    name: str
    kind: Literal["pos", "neg", "unk", "ver"]
    provenance: str
    verdict: Verdict
    same_as: str


class SignatureSummary(BaseModel):
    """One signature as the library lists it."""

    id: str
    version: int
    title: str
    severity: str
    status: str
    area: str
    symptoms: list[str]
    aliases: list[str]


class SignatureRead(SignatureSummary):
    """A whole signature: its document as written and its story as Markdown."""

    document: dict[str, Any]
    story: str
    evidence: list[ProofRead]


class PlaceRead(BaseModel):
    """Lines that a figure of an analysis was read from."""

    evidence_id: UUID
    evidence: str
    section: int
    first_line: int
    last_line: int


class FigureRead(BaseModel):
    """One number in `unit`, or a word, and where it stands."""

    label: str
    value: float | str
    unit: str
    is_notable: bool
    note: str
    citations: list[PlaceRead]


class PanelRead(BaseModel):
    """The answer of one general analysis for one host and phase; `lacks` says what would tell more."""

    name: str
    title: str
    host: str
    phase: str
    state: Literal["calm", "notable", "unknown"]
    summary: str
    figures: list[FigureRead]
    lacks: list[str]


class AnalysesRead(BaseModel):
    """All general analyses of a case, of one revision of its evidence."""

    evidence_rev: int
    panels: list[PanelRead]
