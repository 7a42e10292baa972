"""The JSON report of a comparison of builds: `cli/reports/diff.schema.json`."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from ingest.comparison.results import is_failure
from signatures.documents import SCHEMA_VERSION
from signatures.documents.alarm import AlarmDocument
from signatures.rendering.comparison_headline import headline

if TYPE_CHECKING:
    from ingest.comparison.costs import Costs
    from ingest.comparison.results import Growth, Result
    from signatures.documents.comparison_report import (
        BaselineDocument,
        BaselinePointDocument,
        ChangedFindingDocument,
        ComparedRunDocument,
        ComparisonReportDocument,
        ExcludedDocument,
        GrowthDocument,
    )
    from signatures.rendering.comparison_findings import Change
    from signatures.rendering.comparison_headline import Baseline, Comparison


def document(comparison: Comparison, version: str) -> ComparisonReportDocument:
    """Return the JSON report; shares and growths are 0..1."""
    result = comparison.result
    rules = result.rules
    return {
        "schema_version": SCHEMA_VERSION,
        "engine": version,
        "status": str(comparison.status),
        "summary": headline(comparison),
        "fail_on": [
            {"expression": gate.text, "met_by": [_changed(one) for one in gate.changes]}
            for gate in comparison.gates
        ],
        "event": result.new[0].event,
        "unit": result.new[0].unit,
        "per": "unit of work" if comparison.has_work else "run",
        "rules": {
            "alpha": rules.alpha,
            "min_growth": rules.least_growth,
            "detect": rules.asked,
            "detect_function": rules.asked_function,
            "functions": [one.pattern for one in rules.functions],
            "allowed": sorted(rules.allowed),
        },
        "baseline": _baseline(comparison.baseline),
        "base": _runs(comparison.base, result.base, result.disturbed[0]),
        "new": _runs(comparison.new, result.new, result.disturbed[1]),
        "differences": [one._asdict() for one in result.comparability.differences],
        "unchecked": list(result.comparability.unknown),
        "method": result.method or None,
        "runs_needed": result.runs_needed,
        "shortage": str(result.shortage) if result.shortage else None,
        "excluded": _excluded(result),
        "notes": list(result.comparability.notes),
        "interrupts": None if result.foreign is None else _growth(result.foreign, result),
        "totals": [_growth(one, result) for one in result.totals],
        "causes": [
            {
                "function": one.growth.measure.name,
                "measure": one.growth.measure.kind,
                "callers": list(one.callers),
                "is_offset": one.is_offset,
            }
            for one in result.findings
        ],
        "functions": [_growth(one, result) for one in result.functions],
        "untested_functions": result.skipped,
    }


def _baseline(baseline: Baseline | None) -> BaselineDocument | None:
    if baseline is None:
        return None
    points: list[BaselinePointDocument] = [
        {"name": one.name, "commit": one.commit, "at": one.at, "runs": one.runs} for one in baseline.points
    ]
    return {
        "place": baseline.place,
        "is_base": baseline.is_base,
        "failure": baseline.failure,
        "points": points,
    }


def _changed(change: Change) -> ChangedFindingDocument:
    finding = change.document
    return {
        "kind": finding.kind,
        "signature": "" if isinstance(finding, AlarmDocument) else finding.signature,
        "alarm": finding.alarm if isinstance(finding, AlarmDocument) else "",
        "host": finding.host,
        "phase": finding.phase,
        "fingerprint": finding.fingerprint,
        "level": finding.level,
        "level_before": change.before or None,
    }


def _excluded(result: Result) -> ExcludedDocument | None:
    least = result.excluded
    if least is None:
        return None
    functions = None if least.functions is None else _finite(least.functions)
    return {
        "totals": _finite(least.totals),
        "functions": functions,
        "names": list(least.names),
        "least_share": least.least_share,
    }


def _runs(
    paths: tuple[str, ...], runs: tuple[Costs, ...], disturbed: tuple[int, ...]
) -> list[ComparedRunDocument]:
    return [
        {
            "path": path,
            "samples": run.samples,
            "weight": run.weight,
            "counters": dict(run.counters),
            "is_disturbed": at in disturbed,
        }
        for at, (path, run) in enumerate(zip(paths, runs, strict=True))
    ]


def _growth(growth: Growth, result: Result) -> GrowthDocument:
    return {
        "name": growth.measure.name,
        "measure": growth.measure.kind,
        "base": growth.base,
        "new": growth.new,
        "growth": _finite(growth.growth),
        "low": _finite(growth.low),
        "high": _finite(growth.high),
        "p_growth": growth.p_growth,
        "p_decline": growth.p_decline,
        "is_significant": is_failure(growth, result.rules),
        "detectable": _finite(growth.detectable),
        "base_share": growth.base_share,
        "new_share": growth.new_share,
        "line": growth.line or None,
    }


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None
