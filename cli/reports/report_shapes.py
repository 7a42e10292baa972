"""JSON schemas of the reports of `upload --wait` and `diff`.

    python -m cli.reports.report_shapes

writes `upload.schema.json` and `diff.schema.json` beside `analyze.schema.json`; a test validates the
reports against them.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, Field

from backend.cases.schemas import CaseRead
from backend.evidence.schemas import EvidenceRead
from backend.findings.schemas import AnyFinding
from signatures.documents.capture import NextCaptureDocument

VERSION = "Raised when a field is removed or changes its meaning; fields may be added at any time"
DIALECT = "https://json-schema.org/draft/2020-12/schema"


class Engine(BaseModel):
    """The engine that judged."""

    name: Literal["casebook"]
    version: str


class MeetingFinding(BaseModel):
    """A finding that meets an expression, by its key in `findings`."""

    kind: Literal["signature", "alarm"]
    signature: str = Field(description="Empty for an alarm")
    alarm: str = Field(description="Empty for a signature")
    host: str
    phase: str
    fingerprint: str


class FailOn(BaseModel):
    """One expression of --fail-on."""

    expression: str
    met_by: list[MeetingFinding] = Field(description="Empty: no --fail-on")


class ChangedFinding(MeetingFinding):
    """A finding of the new build that is new or worse and meets an expression."""

    level: str
    level_before: str | None = Field(description="The worst of the base; null: no run of the base has it")


class FailOnChange(BaseModel):
    """One expression of --fail-on of `diff`."""

    expression: str
    met_by: list[ChangedFinding] = Field(description="New and worse findings; any fails the build")


class UploadReport(BaseModel):
    """Report of `casebook upload --wait --format json`."""

    schema_version: int = Field(description=VERSION)
    page: str | None = Field(description="Address of the case")
    failed: bool = Field(description="Whether an expression is met; exit status 4")
    fail_on: list[FailOn]
    engine: Engine
    case: CaseRead
    evidence: list[EvidenceRead] = Field(description="The uploaded files")
    findings: list[AnyFinding] = Field(
        description="Findings and alarms of the whole case, by certainty and severity"
    )
    next_captures: list[NextCaptureDocument]


class RecordedRun(BaseModel):
    """One run of a build."""

    path: str = Field(description="Its recording")
    samples: float = Field(description="Idle ones excluded")
    weight: float = Field(description="CPU time in `unit`")
    counters: dict[str, float] = Field(description="Totals of perf stat; task-clock in milliseconds")
    is_disturbed: bool = Field(description="Much further from the median than the others: not counted")


class ComparedPoint(BaseModel):
    """A point of a baseline."""

    name: str = Field(description="Its folder, or that it is of the service")
    commit: str = Field(description="Of its build; empty where none was named")
    at: str = Field(description="ISO 8601, UTC")
    runs: int


class ComparedBaseline(BaseModel):
    """The baseline of a comparison."""

    place: str = Field(description="Directory, or URL of the service")
    is_base: bool = Field(description="Its points are `base`; else they add their variation")
    failure: str = Field(description="Why the service did not answer; empty where it did")
    points: list[ComparedPoint] = Field(description="Oldest first; empty where there is none of the series")


class ComparisonRules(BaseModel):
    """What fails; shares are 0..1."""

    alpha: float = Field(description="Family-wise error")
    min_growth: float
    detect: float | None = Field(description="Growth of the totals that was asked for")
    detect_function: float | None = Field(description="Growth of functions that was asked for")
    functions: list[str] = Field(description="Every --function option")
    allowed: list[str] = Field(description="Every --allow option")


class RecordingDifference(BaseModel):
    """A difference between recordings that is not the build."""

    kind: str
    sentence: str
    is_allowed: bool


class MeasureGrowth(BaseModel):
    """A total, or the own or inclusive CPU time of a function; growths and shares are 0..1."""

    name: str = Field(description="`cpu`, a counter's event, or kind.function")
    measure: Literal["total", "foreign", "own", "inclusive"]
    base: float = Field(
        description="Mean cost, see `per`; task-clock in milliseconds, other counters in counts"
    )
    new: float
    growth: float | None = Field(description="Of the geometric means")
    low: float | None = Field(description="Lower end of the 95 % interval, null with a single run")
    high: float | None
    p_growth: float = Field(description="Family-wise, one-sided")
    p_decline: float
    is_significant: bool = Field(description="Significant growth of at least `min_growth`")
    detectable: float | None = Field(description="Growth that is found in 9 of 10 cases")
    base_share: float = Field(description="Of the CPU time")
    new_share: float
    line: int | None = Field(description="Where the first new recording first has it, 1-based")


class ExcludedGrowth(BaseModel):
    """The smallest growth that the runs exclude at 95 %; null where none is."""

    totals: float | None
    functions: float | None = Field(description="Of every function of the scope together")
    names: list[str] = Field(description="Functions that were asked for by name; they are then the scope")
    least_share: float = Field(
        description="Else the scope is functions of at least this share of the CPU time"
    )


class Cause(BaseModel):
    """One cause of growth."""

    function: str
    measure: Literal["own", "inclusive"]
    callers: list[str] = Field(description="Functions that grew because they call it")
    is_offset: bool = Field(description="The total did not grow by as much: no failure")


class DiffReport(BaseModel):
    """Report of `casebook diff --format json`."""

    schema_version: int = Field(description=VERSION)
    engine: str = Field(description="Version of the engine that compared")
    status: Literal["pass", "fail", "inconclusive", "not comparable"]
    summary: str
    fail_on: list[FailOnChange] = Field(description="Empty: no --fail-on")
    event: str
    unit: str = Field(description="Of CPU time: ns, the event's name, or samples")
    per: Literal["unit of work", "run"]
    rules: ComparisonRules
    baseline: ComparedBaseline | None = Field(description="Null without --baseline")
    base: list[RecordedRun]
    new: list[RecordedRun]
    differences: list[RecordingDifference]
    unchecked: list[str] = Field(description="Conditions that the recordings do not state")
    method: Literal["maxT", "Holm"] | None = Field(description="How p-values were adjusted; null: not tested")
    runs_needed: int | None = Field(
        description="On each side, to find a growth of `detect` or `detect_function`; null above 500"
    )
    shortage: str | None = Field(description="Why the runs do not suffice")
    excluded: ExcludedGrowth | None = Field(description="Null where nothing could be tested")
    notes: list[str] = Field(description="What decides nothing, such as runs of another length")
    interrupts: MeasureGrowth | None = Field(description="Time of interrupts, which fails nothing")
    totals: list[MeasureGrowth]
    causes: list[Cause] = Field(description="Largest increase first")
    functions: list[MeasureGrowth] = Field(description="Every measured function, largest increase first")
    untested_functions: int


FILES: dict[str, type[BaseModel]] = {"upload.schema.json": UploadReport, "diff.schema.json": DiffReport}


def written(report: type[BaseModel]) -> str:
    """Return the JSON Schema of `report`, of which every field is there and others may be added."""
    schema = {"$schema": DIALECT, **report.model_json_schema(mode="serialization")}
    for shape in (schema, *schema.get("$defs", {}).values()):
        if "properties" in shape:
            shape["required"] = list(shape["properties"])
    return json.dumps(schema, indent=2, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    for name, report in FILES.items():
        Path(__file__).with_name(name).write_text(written(report), encoding="utf-8")
