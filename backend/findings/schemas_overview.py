"""Response schemas of the overview of a case."""

from __future__ import annotations

from pydantic import BaseModel, Field

from backend.findings.schemas import PlaceRead
from signatures.documents.levels import HeadlineKind, Level, Severity
from signatures.overview.model import QuestionName, StatementKind
from signatures.overview.questions import QuestionState


class HeadlineRead(BaseModel):
    """The first sentence: a match, else the strongest statement, else a suspicion, else what was assessed."""

    kind: HeadlineKind
    text: str
    signature: str = Field(description="Signature of the finding; empty for a statement")
    host: str
    severity: Severity | None = Field(None, description="Of the finding or alarm; null for all others")


class QuestionRead(BaseModel):
    """The state of one question over all hosts; `capture` is the command that would answer it.

    `is_partial`: not assessed, but some evidence is about it; `note` says why that does not answer it.
    """

    name: QuestionName
    title: str
    state: QuestionState
    alarms: int
    capture: str
    is_partial: bool
    note: str = ""


class StatementRead(BaseModel):
    """One sentence about the evidence with its lines; its level orders the first screen."""

    question: QuestionName
    kind: StatementKind
    text: str
    host: str
    level: Level = Field("context", description="Of overviews before levels: `context`")
    capture: str
    citations: list[PlaceRead]


class EvaluatedRead(BaseModel):
    """How many signatures were evaluated, and the closest ones that do not match."""

    checked: int
    close: list[str]


class OverviewRead(BaseModel):
    """What the first screen of a case says, for one evidence revision."""

    evidence_rev: int
    judged_rev: int
    headline: HeadlineRead
    suspicion: HeadlineRead | None = Field(
        None, description="The suspected cause, `May be: …`, where the headline is not of it"
    )
    questions: list[QuestionRead]
    statements: list[StatementRead] = Field(description="The worst level first")
    next_capture: str = Field(description="Command to run next; empty when nothing is missing")
    next_capture_reason: str = Field(description="What the output of the command shows")
    first_steps: list[str] = Field(
        description="What to do first where no signature matches, one step for each thing that may turn out"
    )
    is_urgent: bool = Field(
        False, description="Damage grows meanwhile: the first steps come before the next capture"
    )
    signatures: EvaluatedRead
