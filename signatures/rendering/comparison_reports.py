"""Reports of a comparison of builds: text, Markdown, JSON, JUnit, SARIF, a picture."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from ingest.comparison.results import is_failure
from signatures.documents.finding import fingerprint
from signatures.rendering import comparison_svg, issues, junit, sarif
from signatures.rendering.amounts import percent
from signatures.rendering.comparison import (
    amount,
    conditions,
    finding_sentence,
    markdown_lines,
    sentences,
    text_lines,
)
from signatures.rendering.comparison_base import base_words, baseline_words
from signatures.rendering.comparison_document import document
from signatures.rendering.comparison_headline import UNDECIDED, Comparison, cost_headline, headline, name_of
from signatures.rendering.finding_issues import issue_of, sarif_result, sarif_rule
from signatures.rendering.lines import bare

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ingest.comparison.results import Growth
    from signatures.documents.sarif import Rule

RULES = {
    "total-growth": "A build costs more CPU time or instructions than the base.",
    "function-growth": "A function costs more CPU time than in the base.",
}

HELP = (
    "Compare the flame graphs of both builds. Repeat the runs before you accept the growth: "
    "`casebook diff` with more runs of each build finds smaller growths."
)
GATE = "fail-on"
MOST_METRICS = 20
"""Functions in a metrics report."""


def written(comparison: Comparison, shape: str, *, version: str, report_at: str) -> str:
    """Return the comparison in the format `shape`.

    Args:
        comparison: A result with the paths of its runs.
        shape: `text`, `markdown`, `json`, `sarif`, `junit`, `annotations`, `codequality`, `metrics` or
            `svg`.
        version: Of the engine that compared.
        report_at: File of the repository that issues point at, "" for the recordings.
    """
    if shape == "json":
        return json.dumps(document(comparison, version), indent=2) + "\n"
    if shape == "sarif":
        return _sarif(comparison, version, report_at)
    if shape == "junit":
        return _junit(comparison)
    if shape == "annotations":
        return issues.workflow_commands(
            list(_issues(comparison)),
            _notices(comparison),
            summary=_with_base(headline(comparison), comparison),
            report_at=report_at,
        )
    if shape == "codequality":
        return issues.code_quality(list(_issues(comparison)), report_at=report_at)
    if shape == "svg":
        return comparison_svg.picture(comparison)
    if shape == "metrics":
        return issues.metrics(list(_metrics(comparison)))
    lines = markdown_lines(comparison) if shape == "markdown" else text_lines(comparison)
    return "".join(f"{line}\n" for line in lines)


def _junit(comparison: Comparison) -> str:
    """Return one test case for each expression, each total, and all functions; undecided ones are errors."""
    result = comparison.result
    undecided: tuple[str, ...] = ()
    if result.status in UNDECIDED:
        undecided = (_with_base(cost_headline(comparison), comparison),)
    output = (*conditions(comparison), *sentences(comparison))
    checks = [
        junit.Check(
            "casebook.findings", gate.text, GATE, failures=tuple(change.line for change in gate.changes)
        )
        for gate in comparison.gates
    ]
    for one in result.totals:
        grown = (_total_sentence(comparison, one),) if is_failure(one, result.rules) else ()
        checks.append(junit.Check("casebook.diff", name_of(one), "total-growth", grown, undecided))
    failures = tuple(
        _with_base(finding_sentence(one), comparison) for one in result.findings if not one.is_offset
    )
    checks.append(junit.Check("casebook.diff", "functions", "function-growth", failures, undecided, output))
    return junit.junit("casebook diff", checks)


def _issues(comparison: Comparison) -> Iterator[issues.Issue]:
    """Yield each finding that failed, then each total and cause, at its first line in the first new run."""
    path = comparison.new[0]
    yield from (issue_of(one.document, "error", path) for one in comparison.changes)
    for one in comparison.result.totals:
        if is_failure(one, comparison.result.rules):
            sentence = _total_sentence(comparison, one)
            yield issues.Issue(
                "total-growth", "error", sentence, path, 1, fingerprint("total-growth", one.measure.name)
            )
    for finding in comparison.result.findings:
        if not finding.is_offset:
            name, line = finding.growth.measure.name, max(1, finding.growth.line)
            sentence = _with_base(finding_sentence(finding), comparison)
            yield issues.Issue(
                "function-growth", "error", sentence, path, line, fingerprint("function-growth", name), name
            )


def _notices(comparison: Comparison) -> list[str]:
    is_undecided = comparison.result.status in UNDECIDED
    return [_with_base(cost_headline(comparison), comparison)] if is_undecided else []


def _metrics(comparison: Comparison) -> Iterator[issues.Metric]:
    """Yield the totals, and the largest functions by their own time."""
    result = comparison.result
    own = sorted((one for one in result.functions if one.measure.kind == "own"), key=lambda one: -one.new)
    for one in (*result.totals, *own[:MOST_METRICS]):
        name = "total_per_unit" if one.measure.kind == "total" else "function_own_per_unit"
        labels = {"measure": bare(one.measure.name)}
        yield issues.Metric(name, {**labels, "build": "base"}, one.base)
        yield issues.Metric(name, {**labels, "build": "new"}, one.new)


def _sarif(comparison: Comparison, version: str, report_at: str) -> str:
    rules: list[Rule] = [
        {
            "id": name,
            "name": "".join(word.title() for word in name.split("-")),
            "shortDescription": {"text": text},
            "fullDescription": {"text": text},
            "help": {"text": HELP, "markdown": HELP},
            "defaultConfiguration": {"level": "error"},
        }
        for name, text in RULES.items()
    ]
    findings = [one.document for one in comparison.changes]
    rules += {one["id"]: one for one in map(sarif_rule, findings)}.values()
    issued = list(_issues(comparison))
    found = [
        *(sarif_result(issue, one, report_at) for issue, one in zip(issued, findings, strict=False)),
        *(sarif.result_of(issue, report_at=report_at) for issue in issued[len(findings) :]),
    ]
    properties = {"base": base_words(comparison)}
    if comparison.baseline is not None:
        properties["baseline"] = baseline_words(comparison.baseline)
    return sarif.sarif(rules, found, version=version, notices=_notices(comparison), properties=properties)


def _total_sentence(comparison: Comparison, growth: Growth) -> str:
    unit = comparison.result.new[0].unit
    sentence = (
        f"{name_of(growth)} {percent(growth.growth)}: {amount(growth.base, growth, unit)} -> "
        f"{amount(growth.new, growth, unit)} {'per unit of work' if comparison.has_work else 'per run'}"
    )
    return _with_base(sentence, comparison)


def _with_base(sentence: str, comparison: Comparison) -> str:
    """Return a sentence that stands without the rest of the report, with what it compares with."""
    return f"{sentence}; base: {base_words(comparison)}"
