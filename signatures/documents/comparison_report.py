"""The JSON report of a comparison of builds (`cli/reports/diff.schema.json`); growths and shares are 0..1."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypedDict

if TYPE_CHECKING:
    from ingest.model.json_value import JsonObject


class ComparedRunDocument(TypedDict):
    """One run of a build; `weight` is CPU time in the unit of the report."""

    path: str
    samples: float
    weight: float
    counters: dict[str, float]
    is_disturbed: bool


class BaselinePointDocument(TypedDict):
    """A point of a baseline; `at` is a time in ISO 8601, UTC."""

    name: str
    commit: str
    at: str
    runs: int


class BaselineDocument(TypedDict):
    """The baseline: the base, or runs whose variation helps."""

    place: str
    is_base: bool
    failure: str
    points: list[BaselinePointDocument]


class GrowthDocument(TypedDict):
    """A total, or the own or inclusive CPU time of a function.

    Attributes:
        growth: Of the geometric means; null where it is not finite, as `low`, `high` and `detectable`.
        line: Where the first new recording first has it, 1-based.
    """

    name: str
    measure: str
    base: float
    new: float
    growth: float | None
    low: float | None
    high: float | None
    p_growth: float
    p_decline: float
    is_significant: bool
    detectable: float | None
    base_share: float
    new_share: float
    line: int | None


class RulesDocument(TypedDict):
    """What fails."""

    alpha: float
    min_growth: float
    detect: float | None
    detect_function: float | None
    functions: list[str]
    allowed: list[str]


class ExcludedDocument(TypedDict):
    """The smallest growth that the runs exclude at 95 %; null where none is."""

    totals: float | None
    functions: float | None
    names: list[str]
    least_share: float


class CauseDocument(TypedDict):
    """One cause of growth."""

    function: str
    measure: str
    callers: list[str]
    is_offset: bool


class ChangedFindingDocument(TypedDict):
    """A finding that the base has not (`level_before` is null), or at a lower level or verdict."""

    kind: str
    signature: str
    alarm: str
    host: str
    phase: str
    fingerprint: str
    level: str
    level_before: str | None


class MetExpressionDocument(TypedDict):
    """One expression of --fail-on with what meets it."""

    expression: str
    met_by: list[ChangedFindingDocument]


class ComparisonReportDocument(TypedDict):
    """The report; `differences` have the fields of `ingest.comparison.comparability.Difference`."""

    schema_version: int
    engine: str
    status: str
    summary: str
    fail_on: list[MetExpressionDocument]
    event: str
    unit: str
    per: str
    rules: RulesDocument
    baseline: BaselineDocument | None
    base: list[ComparedRunDocument]
    new: list[ComparedRunDocument]
    differences: list[JsonObject]
    unchecked: list[str]
    method: str | None
    runs_needed: int | None
    shortage: str | None
    excluded: ExcludedDocument | None
    notes: list[str]
    interrupts: GrowthDocument | None
    totals: list[GrowthDocument]
    causes: list[CauseDocument]
    functions: list[GrowthDocument]
    untested_functions: int
