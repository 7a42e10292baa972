"""What `upload --wait` and `diff` write as JSON, as schemas that a build may hold them against.

    python -m backend.cli.report_shapes

writes `upload.schema.json` and `diff.schema.json` beside `analyze.schema.json`; a test holds them, and what
the commands write, against each other.
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
    """Which engine judged."""

    name: Literal["casebook"]
    version: str


class MetBy(BaseModel):
    """A finding that meets an expression, by what names it in `findings`."""

    signature: str
    host: str
    phase: str


class Asked(BaseModel):
    """One expression of --fail-on."""

    expression: str
    met_by: list[MetBy] = Field(description="Empty: nothing to fail for")


class UploadReport(BaseModel):
    """What `casebook upload --wait --format json` writes."""

    page: str | None = Field(description="Address of the case")
    failed: bool = Field(description="Whether an expression is met; the command ends with 4")
    fail_on: list[Asked]
    engine: Engine
    case: CaseRead
    evidence: list[EvidenceRead] = Field(description="What was sent now, and what was found in it")
    findings: list[FindingRead] = Field(description="Of the whole case, surest and gravest first")
    next_captures: list[NextCaptureRead]


class Side(BaseModel):
    """One recording."""

    path: str
    samples: float


class Beyond(BaseModel):
    """A function that grew more than a limit allows; unsure, it fails only with --strict."""

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
    """What `casebook diff --format json` writes."""

    engine: str = Field(description="Version of the engine that compared")
    event: str
    unit: str
    base: Side
    new: Side
    limits: list[str] = Field(description="Every --max-growth, as it was given")
    failed: bool = Field(description="Whether a limit is exceeded; the command ends with 4")
    beyond: list[Beyond]
    functions: list[FunctionGrowth] = Field(description="Every function, what grew most first")


FILES: dict[str, type[BaseModel]] = {"upload.schema.json": UploadReport, "diff.schema.json": DiffReport}


def written(report: type[BaseModel]) -> str:
    """Return the schema of `report` as its file holds it; a field that nobody names is not taken."""
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
