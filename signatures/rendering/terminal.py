"""A report as terminal lines: evidence, findings, fixes, what else it could be and the capture that decides.

Example:
    IS        mm/memcg-limit-reclaim
              A memory cgroup at its limit reclaims its own page cache …
              host vm. Very likely: every distinguishing condition is met, …
                + Charges hit the limit, again and again [hits_limit]: 6,041,560 (threshold 1,000)  …
              score 12, confidence 1.00, coverage 1.00
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from signatures.documents.alarm import FIRING
from signatures.fixes.plan import fixes_now
from signatures.rendering import finding_text, matrix_text, words
from signatures.rendering.evidence_lines import evidence_lines
from signatures.rendering.finding_text import title_of, verdict_words
from signatures.rendering.lines import Line
from signatures.rendering.overview_lines import brief_lines, head_lines
from signatures.rendering.panel_lines import panel_lines
from signatures.rendering.places import places_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from signatures.documents.finding import ConditionDocument, FindingDocument
    from signatures.documents.hypotheses import MatrixDocument
    from signatures.rendering.report import Report

COLOURS = {"match": "red", "suspect": "yellow"}
MARKS = {"TRUE": "+", "FALSE": "-", "UNKNOWN": "?", "NOT_OBSERVABLE": " "}
MARK_COLOURS = {"+": "green", "!": "yellow"}
"""`+` met, `-` not met, `?` not decided, `!` an excluding condition is met."""
MAX_LACKING = 3


def report_lines(report: Report, *, with_all: bool = False) -> Iterator[Line]:
    """Yield the whole report; without a match at most twelve lines unless `with_all`."""
    if report.has_read and not report.has_verdict and not with_all:
        yield from brief_lines(report)
        return
    if report.has_read:
        yield from head_lines(report)
        yield Line()
    yield from evidence_lines(report.evidences, with_all=with_all)
    if not report.has_read:
        yield Line()
        yield Line("Nothing could be read.")
        return
    listed = report.listed(with_all=with_all)
    for finding in listed:
        yield Line()
        yield from finding_lines(finding)
    if not any(finding.is_listed for finding in listed):
        yield Line()
        yield from _nothing_found(report)
    matrix = report.overview.matrix
    if matrix.hypotheses or matrix.captures:
        yield Line()
        yield from _matrix(matrix)
    if report.panels:
        yield Line()
        yield from panel_lines(report.panels, with_all=with_all)


def finding_lines(finding: FindingDocument, *, with_rivals: bool = False) -> Iterator[Line]:
    """Yield one finding: verdict, certainty, conditions with citations, fixes.

    Excluding conditions are shown when met; all of them with `with_rivals`.
    """
    verdict = verdict_words(finding).upper()
    colour = COLOURS.get(finding.verdict, "")
    yield Line(f"{verdict:<9} {finding_text.signature_words(finding)}", colour)
    yield Line(f"          {finding.headline}", colour)
    during = "" if finding.phase == "during" else f", {finding.phase} the incident"
    yield Line(f"          host {finding.host or 'unknown'}{during}. {finding.certainty}")
    yield Line(f"          {finding_text.version_words(finding)}")
    yield from (Line(f"          caveat: {cap}") for cap in finding_text.caps(finding))
    shown = finding.conditions if with_rivals else finding_text.shown_conditions(finding)
    yield from map(_condition_line, shown)
    yield Line(f"          {finding_text.numbers(finding)}")
    if finding.verdict in FIRING:
        yield from _fix_lines(finding)


def _condition_line(condition: ConditionDocument) -> Line:
    mark = "!" if finding_text.speaks_against(condition) else MARKS[condition.state]
    text = f"            {mark} {title_of(condition)} [{condition.id}]"
    if condition.state in ("TRUE", "FALSE"):
        observed = finding_text.observed_words(condition)
        threshold = finding_text.threshold_words(condition)
        text += f": {observed}" if observed else ""
        text += f" (threshold {threshold})" if threshold else ""
    if condition.note and condition.state != "UNKNOWN":
        text += f", {condition.note}"
    reason = finding_text.open_words(condition)
    text += f" - {reason}" if reason else ""
    places = ", ".join(places_of(condition.citations))
    return Line(f"{text}  {places}" if places else text, MARK_COLOURS.get(mark, ""))


def _fix_lines(finding: FindingDocument) -> Iterator[Line]:
    yield from (Line(f"          Careful: {warning}", "yellow") for warning in finding_text.warnings(finding))
    now, later = fixes_now(finding.fixes), finding_text.fixes_later(finding)
    if now:
        yield Line("          Do this now:")
    for fix in now:
        yield Line(f"            * {fix.title}")
        for command in (fix.run or "").strip().splitlines():
            yield Line(f"                {command}", is_command=True)
        yield from (Line(f"              {detail}") for detail in finding_text.fix_details(fix))
    if later:
        yield Line(f"          Needs planning (details: `casebook signature show {finding.signature}`):")
    for fix in later:
        details = "; ".join(finding_text.fix_details(fix, finding_text.LATER))
        yield Line(f"            * {fix.title} ({fix.scope or 'any time'}; {details})")


def _nothing_found(report: Report) -> Iterator[Line]:
    judged = len({finding.signature for finding in report.findings})
    yield Line(f"{words.NO_SIGNATURE}; {judged} signatures were evaluated.")
    undecided = [
        finding
        for finding in report.findings
        if finding.verdict == "unknown"
        and not (finding.superseded_by or finding.is_listed or finding.is_near_miss)
    ]
    for verdict in (words.NOT_DECIDED, words.NOT_LOOKED_AT):
        found = [finding for finding in undecided if verdict_words(finding) == verdict]
        if found:
            yield Line(f"{words.capital(verdict)}:")
        for finding in found:
            lacking = [title_of(one) for one in finding.conditions if one.state == "UNKNOWN"]
            yield Line(f"  {finding.signature}  {words.several(lacking, MAX_LACKING)}")


def _matrix(matrix: MatrixDocument) -> Iterator[Line]:
    """Yield what else it could be, and the capture that decides most."""
    yield from map(Line, matrix_text.matrix_lines(matrix))
    for capture in matrix.captures[:1]:
        yield Line(f"{matrix_text.capture_words(capture)}:")
        yield from (Line(f"  {line}", is_command=True) for line in capture.run.strip().splitlines())
