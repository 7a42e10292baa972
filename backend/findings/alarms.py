"""Headline and alarms of a case: what every list and outlet shows of it, stored with its judgement."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from sqlalchemy import select

from backend.cases.overview import SEVERITY_RANK, VERDICT_RANK
from backend.cases.queries import hold
from backend.evidence import readings
from backend.findings.items import item_of
from backend.models.case import Case
from backend.models.finding import Finding
from signatures.overview import run
from signatures.overview.alarm_findings import alarm_findings
from signatures.overview.first_screen import overview_of
from signatures.overview.screen_document import headline_document
from signatures.reporting.finding_fields import completed

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from uuid import UUID

    from sqlalchemy.orm import Session

    from backend.core.storage.object_store import Store
    from signatures.judging.scope import Item

RANK = VERDICT_RANK | {"unknown": 2, "not_applicable": 3, "no_match": 4}


class Screen(NamedTuple):
    """What a case shows in lists: its headline, empty without evidence that is read, and its alarms."""

    headline: dict[str, Any]
    alarms: list[dict[str, Any]]


def place_of(finding: Mapping[str, Any]) -> tuple[bool, int, bool, int, float, float, str, str, str]:
    """Return the sort key of the document of a signature: by certainty, causes first, then by severity."""
    return (
        bool(finding["superseded_by"]),
        RANK[finding["verdict"]],
        bool(finding.get("caused_by")),
        SEVERITY_RANK[finding["severity"]],
        1.0 if finding["confidence"] is None else -finding["confidence"],
        -finding["coverage"],
        finding["signature"],
        finding["host"],
        finding["phase"],
    )


def screen_of(
    items: Sequence[Item], findings: Sequence[dict[str, Any]], captures: Sequence[Mapping[str, Any]]
) -> Screen:
    """Return headline and alarms of a case.

    Args:
        items: Its readings, without previews.
        findings: Documents of all signatures; provisional ones do not count.
        captures: Its next captures.
    """
    if not items:
        return Screen({}, [])
    certain = sorted((one for one in findings if not one.get("is_provisional")), key=place_of)
    panels = run(items)
    alarms = alarm_findings(panels, certain)
    commands = [str(row["run"]) for row in captures]
    overview = overview_of(panels, certain, commands, {item.format for item in items})
    return Screen(headline_document(overview, certain, alarms), alarms)


def fill(session: Session, store: Store, case_id: UUID) -> None:
    """Store headline and alarms of a case that was judged before they were stored."""
    revision = session.scalar(select(Case.judged_rev).where(Case.id == case_id))
    placed = readings.of_case(session, case_id)
    items = [item_of(store, one) for one in placed if not one.is_provisional]
    documents = [
        {"is_provisional": one.is_provisional, **completed(one.document)}
        for one in session.scalars(select(Finding).where(Finding.case_id == case_id))
    ]
    captures = session.scalar(select(Case.next_captures).where(Case.id == case_id)) or []
    screen = screen_of(items, documents, captures)
    case = hold(session, case_id)
    if case is not None and case.judged_rev == revision:
        case.headline, case.alarms = screen.headline, screen.alarms
