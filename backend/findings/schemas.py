"""Response schemas of the finding and signature endpoints."""

from __future__ import annotations

from typing import Annotated, Any, Literal
from uuid import UUID

from pydantic import BaseModel, ConfigDict, Field, model_validator

from backend.core.http.envelope import Listed
from signatures.documents.levels import Level
from signatures.reporting.finding_fields import completed
from signatures.reporting.fix_plan import danger_of

Verdict = Literal["match", "suspect", "unknown", "no_match", "not_applicable"]
ClauseState = Literal["TRUE", "FALSE", "UNKNOWN", "NOT_OBSERVABLE"]


class CitationRead(BaseModel):
    """Lines, and stack nodes completing the pattern, that a condition rests on."""

    evidence_id: UUID | None
    evidence: str
    section: int
    first_line: int
    last_line: int
    profile_id: UUID | None = None
    nodes: list[int] = []


class ClauseRead(BaseModel):
    """One evaluated condition of a signature; numbers are in `unit`."""

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
    """The reason for a cap on confidence."""

    reason: str
    clause: str


class AspectRead(BaseModel):
    """One variant of a defect, judged separately."""

    aspect: str
    verdict: str
    basis: str


class AffectedRead(BaseModel):
    """Whether the running kernel is affected, the basis, and the consequence."""

    verdict: str
    basis: str
    sentence: str
    reported: list[dict[str, Any]]
    aspects: list[AspectRead] = []


class FixRead(BaseModel):
    """A fix or workaround with its risk and verification."""

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
    effect: str | None = Field(None, description="`cure`: ends what the finding describes")
    endangers: str | None = Field(
        None, description="`data`, `security` or `hardware`: never done at once, whatever its scope"
    )

    @model_validator(mode="before")
    @classmethod
    def _with_danger(cls, fix: Any) -> Any:
        """Add what a fix costs though its author does not say so; null for nothing."""
        return {**fix, "endangers": danger_of(fix) or None} if isinstance(fix, dict) else fix


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
    """A capture that would decide `clause`."""

    clause: str


class SettledRead(BaseModel):
    """A condition of a signature; without a title in cases judged before it was kept."""

    signature: str
    clause: str
    title: str = ""


class NextCaptureRead(CaptureRead):
    """A capture and every condition it would decide."""

    settles: list[SettledRead]


class FindingBase(BaseModel):
    """What findings of signatures and alarms have in common; `verdict` of an alarm is `match`.

    `is_provisional` rests on the preview of an upload in progress and may change. `fingerprint` is the same
    in other cases with the same finding of the same host and phase.
    """

    id: UUID
    title: str
    severity: str
    level: Level
    status: str
    host: str
    phase: str
    verdict: Verdict
    headline: str = ""
    certainty: str = ""
    fingerprint: str
    superseded_by: str
    is_near_miss: bool
    is_provisional: bool = False


class FindingRead(FindingBase):
    """A signature judged against one host and phase of a case."""

    kind: Literal["signature"]
    signature: str
    version: int
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
    caused_by: str = Field(default="", description="Signature that explains it and comes first")
    suspected_cause: str = Field(default="", description="Suspected signature that may explain this match")

    @model_validator(mode="before")
    @classmethod
    def complete(cls, document: Any) -> Any:
        """Add what documents lack that were written before there were alarms."""
        return completed(document) if isinstance(document, dict) else document


class AlarmRead(FindingBase):
    """An alarm of one host and phase: a state of the machine that the evidence shows, whatever its cause."""

    kind: Literal["alarm"]
    alarm: str = Field(description="Class of the kernel log, or area")
    areas: list[str] = Field(description="Questions that it is an alarm on, such as `io`")
    log_classes: list[str] = Field(description="Classes of the kernel log, the cause first; else empty")
    citations: list[CitationRead]
    first_steps: list[str] = Field(description="One step for each thing that may turn out")
    next_capture: str = Field(description="Command that shows more; empty without one")
    next_capture_reason: str
    explained_by: str = Field(description="Signature of the match that cites the same lines")


AnyFinding = Annotated[FindingRead | AlarmRead, Field(discriminator="kind")]


class JudgementQueued(BaseModel):
    """A queued judgement: it is done when the findings have this revision."""

    evidence_rev: int


class FindingsRead(Listed[AnyFinding]):
    """Findings and alarms of a case as of `judged_rev`; while it is below `evidence_rev` they may change."""

    judged_rev: int
    evidence_rev: int
    next_captures: list[NextCaptureRead]


class PlaceRead(BaseModel):
    """Line citation of a figure of an analysis."""

    evidence_id: UUID
    evidence: str
    section: int
    first_line: int
    last_line: int


class FigureRead(BaseModel):
    """One figure: a number in `unit` or a word, with its citation."""

    label: str
    value: float | str
    unit: str
    is_notable: bool
    note: str
    citations: list[PlaceRead]


class PanelRead(BaseModel):
    """The result of one analysis for one host and phase; `lacks` names missing evidence.

    `assesses` are the questions that its evidence answers completely; a calm panel without any is not judged.
    """

    name: str
    title: str
    host: str
    phase: str
    state: Literal["calm", "notable", "unknown"]
    summary: str
    figures: list[FigureRead]
    lacks: list[str]
    assesses: list[str]


class AnalysesRead(BaseModel):
    """All system-wide analyses of a case for one evidence revision."""

    evidence_rev: int
    panels: list[PanelRead]
