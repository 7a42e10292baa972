"""Alerts of a case as entries of its timeline, on the clock of what sent them.

of_case(session, case)[0].says  ->  "Alert fired: HighLoad on db7 (critical)"
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlalchemy import select

from backend.models.account import Account
from backend.models.alert import Alert, AlertGroup
from backend.models.case import Case
from backend.postmortems.schemas import EntryLink, TimelineEntry

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime
    from uuid import UUID

    from sqlalchemy.orm import Session

MAX_GROUPS = 100


def of_case(session: Session, case: Case) -> list[TimelineEntry]:
    """Return when each alert fired and resolved, how many are not shown, and the cases before and after."""
    groups = session.execute(
        select(AlertGroup, Account.name)
        .join(Account, Account.id == AlertGroup.account_id)
        .where((AlertGroup.case_id == case.id) | (AlertGroup.previous_case_id == case.id))
        .order_by(AlertGroup.id)
        .limit(MAX_GROUPS)
    ).all()
    entries: list[TimelineEntry] = []
    for group, sender in groups:
        if group.case_id == case.id:
            entries.extend(_of_group(session, group, sender))
        elif group.case_id is not None:
            entries.extend(_case_link(session, group, group.case_id, "Its alerts fired again, in"))
    return entries


def _of_group(session: Session, group: AlertGroup, sender: str) -> Iterator[TimelineEntry]:
    if group.previous_case_id is not None:
        yield from _case_link(session, group, group.previous_case_id, "These alerts had fired before, in")
    rows = session.scalars(select(Alert).where(Alert.group_id == group.id).order_by(Alert.id)).all()
    for row in rows:
        severity = f" ({row.severity})" if row.severity else ""
        links = [EntryLink(**link) for link in row.links]
        yield _entry(row, "fired", row.starts_at, sender, severity=severity, text=row.text, links=links)
        if row.ends_at is not None:
            early = "" if row.is_fired else "; its end was received before its firing"
            yield _entry(row, "resolved", row.ends_at, sender, severity=early)
    if group.beyond:
        yield TimelineEntry(
            id=f"alerts:{group.id}:count",
            at=group.updated_at,
            kind="alert",
            says=f"{len(rows) + group.beyond:,} alerts, {len(rows):,} shown",
            text=group.group_key,
            actor=sender,
        )


def _entry(
    row: Alert, what: str, at: datetime, sender: str, *, severity: str = "", **more: Any
) -> TimelineEntry:
    where = f" on {row.host}" if row.host else ""
    return TimelineEntry(
        id=f"alert:{row.id}:{what}",
        at=at,
        kind="alert",
        says=f"Alert {what}: {row.name}{where}{severity}",
        actor=sender,
        host=row.host,
        clock="alerts",
        **more,
    )


def _case_link(session: Session, group: AlertGroup, case_id: UUID, says: str) -> Iterator[TimelineEntry]:
    number = session.scalar(select(Case.number).where(Case.id == case_id, Case.deleted_at.is_(None)))
    if number is not None:
        yield TimelineEntry(
            id=f"alerts:{group.id}:{case_id}",
            at=group.created_at,
            kind="alert",
            says=f"{says} case {number}",
            links=[EntryLink(label=f"Case {number}", url=f"/cases/{number}")],
        )
