"""JSON schemas of the reports of `upload --wait` and `diff`.

    python -m backend.cli.report_shapes

writes `upload.schema.json` and `diff.schema.json` beside `analyze.schema.json`; a test validates the
reports against them.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, Field

from backend.cases.schemas import CaseRead
from backend.evidence.schemas import EvidenceRead
from backend.findings.schemas import FindingRead, NextCaptureRead

DIALECT = "https://json-schema.org/draft/2020-12/schema"


class Engine(BaseModel):
    """The engine that judged."""

    name: Literal["casebook"]
    version: str


class MeetingFinding(BaseModel):
    """A finding that meets an expression, by its key in `findings`."""

    signature: str
    host: str
    phase: str


class FailOn(BaseModel):
    """One expression of --fail-on."""

    expression: str
    met_by: list[MeetingFinding] = Field(description="Empty: no --fail-on")


class UploadReport(BaseModel):
    """Report of `casebook upload --wait --format json`."""

    page: str | None = Field(description="Address of the case")
    failed: bool = Field(description="Whether an expression is met; exit status 4")
    fail_on: list[FailOn]
    engine: Engine
    case: CaseRead
    evidence: list[EvidenceRead] = Field(description="The uploaded files")
    findings: list[FindingRead] = Field(description="Findings of the whole case, by certainty and severity")
    next_captures: list[NextCaptureRead]


class Side(BaseModel):
    """One recording."""

    path: str
    samples: float


class ExceededLimit(BaseModel):
    """A function above a limit; within noise it fails only with --strict."""

    function: str
    limit: str
    is_sure: bool


class FunctionGrowth(BaseModel):
    """One function in both; shares are 0..1, `low` to `high` is the 95 % interval of the growth."""

    function: str
    base_share: float
    new_share: float
    base_own_share: float
    new_own_share: float
    low: float
    high: float
    line: int | None = Field(description="Where the new recording first has it, 1-based")


class DiffReport(BaseModel):
    """Report of `casebook diff --format json`."""

    engine: str = Field(description="Version of the engine that compared")
    event: str
    unit: str
    base: Side
    new: Side
    limits: list[str] = Field(description="Every --max-growth option")
    failed: bool = Field(description="Whether a limit is exceeded; exit status 4")
    beyond: list[ExceededLimit]
    functions: list[FunctionGrowth] = Field(description="Every function, largest growth first")


FILES: dict[str, type[BaseModel]] = {"upload.schema.json": UploadReport, "diff.schema.json": DiffReport}


def written(report: type[BaseModel]) -> str:
    """Return the JSON Schema of `report` without additional properties."""
    schema = {"$schema": DIALECT, **report.model_json_schema(mode="serialization")}
    for shape in (schema, *schema.get("$defs", {}).values()):
        _close(shape)
    return json.dumps(schema, indent=2, ensure_ascii=False) + "\n"


def _close(shape: dict[str, Any]) -> None:
    if "properties" in shape:
        shape.setdefault("additionalProperties", False)
        shape["required"] = list(shape["properties"])


if __name__ == "__main__":
    for name, report in FILES.items():
        Path(__file__).with_name(name).write_text(written(report), encoding="utf-8")
