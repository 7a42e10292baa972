"""Request and response schemas of baselines."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal
from uuid import UUID

from pydantic import AfterValidator, BaseModel, Field

from backend.core.http.request_body import RequestBody, Shown
from backend.core.http.request_times import RequestTime
from ingest.comparison import costs_document, stacks_document

MAX_RUNS = 100
MAX_FUNCTIONS = 5000
MAX_NAME_CHARS = 200


def _not_blank(text: str) -> str:
    if not text.strip():
        raise ValueError("must not be blank")
    return text


def _costs(document: dict[str, Any]) -> dict[str, Any]:
    """Check all costs of a run with one error: an error for each function would block the event loop."""
    made = costs_document.from_document(document)
    if len(made.functions) + len(made.counters) > MAX_FUNCTIONS:
        raise ValueError(f"the costs of a run have more than {MAX_FUNCTIONS:,} functions")
    return costs_document.to_document(made)


def _stacks(document: dict[str, Any] | None) -> dict[str, Any] | None:
    if document is None:
        return None
    stacks_document.from_document(document)
    return {
        name: document[name]
        for name in ("event", "unit", "samples", "names", "kinds", "depth", "frame", "self")
    }


Name = Annotated[str, Field(max_length=MAX_NAME_CHARS), AfterValidator(_not_blank), Shown]
Measure = Annotated[str, Field(max_length=10_000)]
Digest = Annotated[str, Field(pattern="^[0-9a-f]{64}$")]
Costs = Annotated[
    dict[str, Any],
    AfterValidator(_costs),
    Field(description="Event, unit, weight, samples, functions, counters and conditions of a run"),
]
Stacks = Annotated[
    dict[str, Any] | None,
    AfterValidator(_stacks),
    Field(description="Merged call tree of the runs in preorder: names, kinds, depth, frame, self"),
]


class RunWrite(RequestBody):
    """One run: its recordings, its units of work and what it cost."""

    sha256: Annotated[list[Digest], Field(min_length=1, max_length=20)]
    work: Annotated[float, Field(gt=0, allow_inf_nan=False)]
    costs: Costs


class PointCreate(RequestBody):
    """Runs of one build, and the series that they belong to."""

    format: Literal[1] = 1
    project: Name
    benchmark: Name
    machine: Name
    kernel: Annotated[str, Field(max_length=MAX_NAME_CHARS), Shown]
    commit: Annotated[str, Field(max_length=MAX_NAME_CHARS), Shown] = ""
    measured_at: RequestTime
    is_work_known: bool
    comms: Annotated[list[Annotated[str, Field(max_length=MAX_NAME_CHARS), Shown]], Field(max_length=100)]
    runs: Annotated[list[RunWrite], Field(min_length=1, max_length=MAX_RUNS)]
    stacks: Stacks = None


class SeriesFilter(BaseModel):
    """Which baselines are listed: those with all of these names."""

    project: Annotated[str | None, Field(max_length=MAX_NAME_CHARS)] = None
    benchmark: Annotated[str | None, Field(max_length=MAX_NAME_CHARS)] = None
    machine: Annotated[str | None, Field(max_length=MAX_NAME_CHARS)] = None
    kernel: Annotated[str | None, Field(max_length=MAX_NAME_CHARS)] = None


class BaselineRead(BaseModel):
    """One series; without a team everybody sees it."""

    id: UUID
    project: str
    benchmark: str
    machine: str
    kernel: str
    team_id: UUID | None
    team: str | None
    points: int
    latest_at: datetime
    latest_commit: str


class PointRead(BaseModel):
    """One point; `value` is the measure per unit of work, null where no run has it."""

    id: UUID
    commit: str
    measured_at: datetime
    author: str
    runs: int
    is_work_known: bool
    comms: list[str]
    value: float | None


class ChangeRead(BaseModel):
    """A change point: position of the first point of the new level, and its growth, 0.1 for 10 %."""

    at: int
    growth: float


class TrendRead(BaselineRead):
    """A series with its points, oldest first, and the change points of one measure.

    `measures` are all of the latest point, the most expensive first; `unit` is that of `measure`.
    """

    measure: str
    unit: str
    trend: list[PointRead]
    changes: list[ChangeRead]
    measures: list[str]


class PointAdded(BaseModel):
    """The point that was added, or that had the same recordings before (`is_new` false)."""

    id: UUID
    baseline_id: UUID
    is_new: bool


class PointDocument(BaseModel):
    """A point as it was added."""

    id: UUID
    baseline_id: UUID
    commit: str
    measured_at: datetime
    is_work_known: bool
    comms: list[str]
    runs: list[dict[str, Any]]
    stacks: dict[str, Any] | None
