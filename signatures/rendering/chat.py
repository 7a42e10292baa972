"""An analysis as a chat message: short lines, no tables, no headings.

Example:
    **95.6 % of packets met a full backlog of a CPU (17,510,430 of 18,309,755)** (`softnet_stat:3`)
    May be: A CPU cannot keep up with received packets. Decides: `nstat -asz`. [net/softirq-budget-squeeze]
    Alarm: network. Not looked at: kernel log, memory, IO, locks, scheduling, cgroup limits.
    - Packets are dropped at the backlog: 17,510,430 (`softnet_stat:3`)
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from signatures.documents.alarm import FIRING
from signatures.fixes.plan import fixes_now
from signatures.rendering import finding_text, matrix_text, overview_text, words
from signatures.rendering.places import places_of
from signatures.rendering.templates import text_template

if TYPE_CHECKING:
    from signatures.documents.finding import FindingDocument
    from signatures.rendering.report import Report

MAX_CONDITIONS = 3
ALSO = {"match": "also", "suspect": words.MAY_BE}


class Met(NamedTuple):
    """A condition that is met, with `: value`, "" without one."""

    title: str
    value: str
    places: str


def chat(report: Report) -> str:
    """Return headline, suspicion, what was assessed, the reasons, what to do, and what to run next."""
    overview = report.overview
    suspicion = overview_text.suspicion_words(overview)
    firing = [one for one in report.listed() if one.verdict in FIRING]
    first = firing[:1]
    command = overview.next_capture
    return text_template("chat.md.j2").render(
        lead=overview_text.headline_words(overview),
        is_evidence=overview.headline.kind != "no evidence",
        chain=overview_text.chain_words(overview),
        suspicion=suspicion,
        assessed=overview_text.assessed_words(overview),
        other_hosts=overview_text.other_hosts_words(overview),
        met=[condition for finding in first for condition in _met(finding)],
        fixes=[fix for finding in first for fix in fixes_now(finding.fixes)[:1]],
        further=firing[1:],
        also=ALSO,
        statements=overview_text.statements(overview),
        alarms=overview_text.further_alarms(report, overview_text.stated(overview)),
        steps=overview_text.steps_words(overview),
        is_urgent=overview.is_urgent,
        next=matrix_text.next_words(overview.matrix),
        could_be=matrix_text.could_be_words(overview.matrix),
        command="" if command in suspicion else command,
        signatures="" if firing else overview_text.signature_words(overview),
        rejected=overview_text.rejected_words(report),
        read=overview_text.read_words(report),
    )


def _met(finding: FindingDocument) -> list[Met]:
    """Return the first conditions that speak for a finding."""
    met = [one for one in finding.conditions if one.state == "TRUE" and one.role in {"core", "corroborates"}]
    return [
        Met(
            finding_text.title_of(one),
            f": {observed}" if (observed := finding_text.observed_words(one)) else "",
            ", ".join(places_of(one.citations)),
        )
        for one in met[:MAX_CONDITIONS]
    ]
