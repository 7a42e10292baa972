"""CI reports of findings: text, Markdown, JSON, JUnit, SARIF, for `upload --wait` and `analyze`.

Findings come as documents, the same from the service and from the engine here
(`signatures.reporting.report`, `signatures.overview.alarm_findings`).
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, NamedTuple

from signatures.documents import SCHEMA_VERSION
from signatures.documents.alarm import ALARM, DERIVED, FIRING, AlarmDocument
from signatures.rendering import issues, junit, sarif
from signatures.rendering.finding_issues import LEVELS, issue_of, sarif_result, sarif_rule
from signatures.rendering.finding_rows import (
    citations_of,
    finding_lines,
    line_of,
    meaning_of,
    rule_of,
    verdict_of,
    verdict_words,
)
from signatures.rendering.lines import bare
from signatures.rendering.places import places_of
from signatures.rendering.templates import cell, code, text_template

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ingest.model.json_value import JsonObject
    from signatures.documents.alarm import AnyFinding
    from signatures.documents.sarif import Rule
    from signatures.rendering.check import Outcome


GATE = "fail-on"
KEY = ("kind", "signature", "alarm", "host", "phase", "fingerprint")


class Row(NamedTuple):
    """A row of the table of findings; its cells are escaped."""

    severity: str
    verdict: str
    rule: str
    meaning: str
    places: str


def written(outcome: Outcome, shape: str, *, version: str, report_at: str) -> str:
    """Return the report in the format `shape`.

    Args:
        outcome: Findings and files of the check.
        shape: One of the formats of reports.
        version: Of Casebook.
        report_at: File of the repository that reports point at; "" for the evidence.
    """
    if shape == "json":
        return json.dumps(_document(outcome), indent=2, ensure_ascii=False) + "\n"
    if shape == "sarif":
        return _sarif(outcome, version, report_at)
    if shape == "junit":
        return _junit(outcome)
    if shape == "annotations":
        return issues.workflow_commands(
            [_issue(outcome, one) for one in outcome.relevant],
            _notices(outcome),
            summary=outcome.sentence,
            report_at=report_at,
        )
    if shape == "codequality":
        return issues.code_quality([_issue(outcome, one) for one in outcome.relevant], report_at=report_at)
    if shape == "metrics":
        return issues.metrics(list(_metrics(outcome)))
    if shape == "markdown":
        return _markdown(outcome)
    return "".join(f"{line}\n" for line in _text(outcome))


def _text(outcome: Outcome) -> Iterator[str]:
    for finding in outcome.relevant:
        yield from finding_lines(finding)
    for one in outcome.unread:
        yield f"{one.state}  {bare(one.name)}: {bare(one.reason)}"
    yield bare(outcome.sentence)
    for finding in outcome.hits:
        yield f"  {line_of(finding)}"
    if outcome.page:
        yield outcome.page


def _markdown(outcome: Outcome) -> str:
    rows = [_row(outcome, finding) for finding in outcome.relevant]
    return text_template("check.md.j2").render(outcome=outcome, rows=rows)


def _row(outcome: Outcome, finding: AnyFinding) -> Row:
    title = finding.headline if isinstance(finding, AlarmDocument) else finding.title
    return Row(
        severity=f"**{finding.severity}**" if finding in outcome.hits else finding.severity,
        verdict=verdict_words(finding),
        rule=rule_of(finding),
        meaning="; ".join(cell(words) for words in (title, meaning_of(finding)) if words),
        places="".join(f"`{code(one)}`" for one in places_of([at for _, at in citations_of(finding)[:1]])),
    )


def _document(outcome: Outcome) -> JsonObject:
    met: list[JsonObject] = [
        {
            "expression": gate.text,
            "met_by": [{key: getattr(one, key, "") for key in KEY} for one in gate.met_by(outcome.findings)],
        }
        for gate in outcome.gates
    ]
    return {
        "schema_version": SCHEMA_VERSION,
        "page": outcome.page or None,
        "failed": bool(outcome.hits),
        "fail_on": met,
        **outcome.document,
    }


def _junit(outcome: Outcome) -> str:
    """Return one test case per expression and per file; without expressions no finding fails."""
    derived = [one for one in outcome.relevant if _is_aside(outcome, one)]
    lines = tuple(
        line for finding in outcome.relevant if finding not in derived for line in finding_lines(finding)
    )
    checks = [
        junit.Check(
            "casebook.findings",
            gate.text,
            GATE,
            failures=tuple(line_of(one) for one in gate.met_by(outcome.findings)),
            output=(*lines, outcome.page),
        )
        for gate in outcome.gates
    ]
    if not checks:
        checks = [junit.Check("casebook.findings", "findings", output=(*lines, outcome.page))]
    for one in outcome.evidence:
        wrong = () if one.state == "read" else (f"{one.state}: {one.reason}",)
        checks.append(junit.Check("casebook.evidence", one.name, one.state, errors=wrong))
    return junit.junit("casebook", checks, [(f"derived.{rule_of(one)}", line_of(one)) for one in derived])


def _sarif(outcome: Outcome, version: str, report_at: str) -> str:
    """Return one result per match, alarm or suspected finding, located at its first citation."""
    rules: dict[str, Rule] = {}
    results = []
    for finding in outcome.relevant:
        name = rule_of(finding)
        rules[name] = sarif_rule(finding)
        if outcome.page and not isinstance(finding, AlarmDocument):
            rules[name]["helpUri"] = f"{outcome.page.partition('/cases/')[0]}/signatures/{name}"
        results.append(sarif_result(_issue(outcome, finding), finding, report_at))
    return sarif.sarif(list(rules.values()), results, version=version, notices=_notices(outcome))


def _notices(outcome: Outcome) -> list[str]:
    return [f"{one.name}: {one.state}: {one.reason}" for one in outcome.unread]


def _metrics(outcome: Outcome) -> Iterator[issues.Metric]:
    """Yield how many relevant findings there are of each severity and verdict."""
    for severity in LEVELS:
        for verdict in (*FIRING, ALARM):
            of_kind = [
                one for one in outcome.relevant if (one.severity, verdict_of(one)) == (severity, verdict)
            ]
            yield issues.Metric("findings", {"severity": severity, "verdict": verdict}, len(of_kind))


def _issue(outcome: Outcome, finding: AnyFinding) -> issues.Issue:
    """Return a finding at its first cited line; --fail-on makes it an error."""
    grave = LEVELS[finding.severity]
    is_note = finding.verdict != "match" or _is_aside(outcome, finding)
    level = "error" if finding in outcome.hits else "note" if is_note else grave
    return issue_of(finding, level, outcome.subject)


def _is_aside(outcome: Outcome, finding: AnyFinding) -> bool:
    """Return whether an engine derived a finding, and no expression asks for it: it is a note."""
    return finding.status == DERIVED and finding not in outcome.hits
