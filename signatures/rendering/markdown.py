"""An analysis as Markdown for a ticket.

Example:
    ## A memory cgroup at its limit reclaims its own page cache with every fault
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from signatures.documents.alarm import FIRING
from signatures.fixes.plan import fixes_now
from signatures.rendering import finding_text, matrix_text, overview_text
from signatures.rendering.places import places_of
from signatures.rendering.report import flat
from signatures.rendering.templates import text_template
from signatures.rendering.verdict import claim_and_decides

if TYPE_CHECKING:
    from collections.abc import Sequence

    from signatures.documents.finding import ConditionDocument, FindingDocument
    from signatures.documents.fix import FixDocument
    from signatures.rendering.report import Report


class Plan(NamedTuple):
    """Fixes below one heading; `keys` are the details that are shown."""

    heading: str
    fixes: Sequence[FixDocument]
    keys: Sequence[str]
    with_commands: bool


class FindingSection(NamedTuple):
    """A finding in words; `rows` are its conditions, each with the cells of a table."""

    claim: str
    decides: str
    signature: str
    host: str
    certainty: str
    version: str
    caps: Sequence[str]
    rows: Sequence[tuple[str, ...]]
    numbers: str
    warnings: Sequence[str]
    plans: Sequence[Plan]


def markdown(report: Report, *, with_all: bool = False) -> str:
    """Return headline, findings, fixes, recommended captures and evidence."""
    overview = report.overview
    stated = {overview.headline.detail} if report.has_verdict else overview_text.stated(overview)
    files = list(flat(report.evidences))
    return text_template("report.md.j2").render(
        report=report,
        overview=overview,
        lead=overview_text.headline_words(overview),
        said=overview_text.lead_words(overview) if report.has_verdict else None,
        chain=overview_text.chain_words(overview),
        suspicion=overview_text.suspicion_words(overview),
        is_evidence=overview.headline.kind != "no evidence",
        assessed=overview_text.assessed_words(overview),
        other_hosts=overview_text.other_hosts_words(overview),
        statements=overview_text.statements(overview),
        alarms=list(overview_text.further_alarms(report, stated)),
        first_steps=overview.first_steps,
        matrix=overview.matrix,
        columns=matrix_text.columns(overview.matrix),
        rows=[
            (matrix_text.marks(row), matrix_text.observation_words(row))
            for row in overview.matrix.observations
        ],
        legend=matrix_text.LEGEND,
        could_be=matrix_text.could_be_words(overview.matrix),
        next=matrix_text.next_words(overview.matrix),
        signatures=overview_text.signature_words(overview),
        read=overview_text.read_words(report),
        with_findings=report.has_verdict or with_all or not report.has_read,
        findings=[_section(finding) for finding in report.listed(with_all=with_all)],
        panels=[panel for panel in report.panels if panel.state == "notable"],
        files=len(files),
        rejected=[one for one in files if one.state != "read"],
    )


def _section(finding: FindingDocument) -> FindingSection:
    claim, decides = claim_and_decides(finding.headline)
    is_firing = finding.verdict in FIRING
    plans = (
        Plan("Do this now", fixes_now(finding.fixes), finding_text.NOW, with_commands=True),
        Plan("Needs planning", finding_text.fixes_later(finding), finding_text.LATER, with_commands=False),
    )
    return FindingSection(
        claim=claim,
        decides=decides,
        signature=finding_text.signature_words(finding),
        host=finding.host,
        certainty=finding.certainty,
        version=finding_text.version_words(finding),
        caps=finding_text.caps(finding),
        rows=[_row(one) for one in finding_text.shown_conditions(finding)],
        numbers=finding_text.numbers(finding).capitalize(),
        warnings=finding_text.warnings(finding) if is_firing else (),
        plans=plans if is_firing else (),
    )


def _row(condition: ConditionDocument) -> tuple[str, ...]:
    state = finding_text.state_words(condition)
    return (
        finding_text.title_of(condition),
        f"**{state}**" if finding_text.speaks_against(condition) else state,
        finding_text.observed_words(condition),
        finding_text.threshold_words(condition),
        ", ".join(f"`{place}`" if ":" in place else place for place in places_of(condition.citations)),
    )
