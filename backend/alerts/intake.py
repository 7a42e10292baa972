"""Intake of alerts: a notification opens a case, extends the open one of its key, or resolves it.

The grouping key of the source decides. A key whose case was closed opens another one, linked to it. Alerts
that resolve set the case to mitigated; people close it.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from backend.accounts import tokens
from backend.alerts import queries, rows
from backend.alerts.labels import SEVERITIES
from backend.cases import service
from backend.core import derived_rows, events
from backend.models.alert import AlertGroup
from backend.models.case import Case, Status
from backend.models.incident_event import IncidentEvent, IncidentEventKind
from backend.postmortems import incident_events

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from sqlalchemy.orm import Session

    from backend.access.principals import Principal
    from backend.alerts.notification import Notification
    from backend.alerts.rows import Change
    from backend.models.alert import Alert

COLLECT_LIFETIME = timedelta(days=7)
MAX_TITLE_CHARS = 300
NAMED = 2
"""Names and hosts in a title; others are counted."""


@dataclass(frozen=True, slots=True)
class Accepted:
    """What became of a notification.

    Attributes:
        case: None where nothing fires and no case was open.
        received: Alerts of the group.
        kept: Those with rows.
        firing: Those that fire now.
        secret: Of a token that adds evidence to the case; only for the notification that opened it.
    """

    case: Case | None
    previous: Case | None
    received: int
    kept: int
    firing: int
    says: str
    secret: str | None = None

    @property
    def is_opened(self) -> bool:
        """Whether the notification opened the case."""
        return self.secret is not None


def accept(session: Session, principal: Principal, sent: Notification) -> Accepted:
    """Store a notification, and open, extend or mitigate the case of its key."""
    queries.lock_key(session, principal, sent.key_digest)
    group = queries.latest_group(session, principal, sent.key_digest)
    case = queries.case_of(session, principal, group.case_id if group else None)
    is_firing = any(alert.is_firing for alert in sent.alerts)
    previous = None
    if group is None or (case is None and group.case_id is not None):
        group, case = _new_group(session, principal, sent), None
    elif case is not None and case.status is Status.RESOLVED and is_firing:
        previous, (group, case) = case, (_new_group(session, principal, sent), None)
        group.previous_case_id = previous.id
    kept = queries.alerts_of(session, group)
    change = rows.write(session, group, kept, sent)
    firing = sum(row.ends_at is None for row in kept) + group.beyond_firing
    group.updated_at = datetime.now(UTC)
    secret = None
    if case is None and firing:
        case, secret = _open(session, principal, group, kept, sent)
    if case is not None:
        _follow(session, case, group, change, kept, firing=firing, actor=principal.name)
    session.flush()
    received = len(kept) + group.beyond
    says = _says(case, change, received, len(kept), firing, is_opened=secret is not None)
    return Accepted(case, previous, received, len(kept), firing, says, secret)


def _new_group(session: Session, principal: Principal, sent: Notification) -> AlertGroup:
    queries.forget_caseless(session, principal)
    group = AlertGroup(
        account_id=principal.id,
        source=sent.source,
        group_key=sent.group_key,
        key_digest=sent.key_digest,
        beyond=0,
        beyond_firing=0,
    )
    session.add(group)
    session.flush()
    return group


def _open(
    session: Session, principal: Principal, group: AlertGroup, kept: list[Alert], sent: Notification
) -> tuple[Case, str]:
    """Open the case of a group; return it with the secret of a token for the collector."""
    firing = [row for row in kept if row.ends_at is None] or kept
    title = sent.title or title_of(firing)
    case = service.create(session, title=title[:MAX_TITLE_CHARS], actor=principal.name, owner=principal)
    group.case_id = case.id
    for row in kept:
        row.case_id = case.id
    first = min(firing, key=lambda row: row.starts_at)
    incident_events.add(
        session,
        case,
        IncidentEventKind.STARTED,
        at=first.starts_at,
        text=f"Alert: {_subject(first)}",
        actor=principal.name,
    )
    _, secret = tokens.make_for_case(
        session, principal, case.id, name="collect.sh", lifetime=COLLECT_LIFETIME
    )
    return case, secret


def _follow(
    session: Session,
    case: Case,
    group: AlertGroup,
    change: Change,
    kept: Sequence[Alert],
    *,
    firing: int,
    actor: str,
) -> None:
    """Record what changed on the case, its severity and its status."""
    for kind, changed in (
        ("alert.fired", change.fired),
        ("alert.resolved", [*change.resolved, *change.early]),
    ):
        if changed:
            payload = {
                "source": group.source,
                "group_key": group.group_key,
                "names": sorted({row.name for row in changed}),
                "hosts": sorted({row.host for row in changed if row.host}),
                "count": len(changed),
                "firing": firing,
            }
            events.record(session, kind, case_id=case.id, actor=actor, payload=payload)
    if change.fired or change.early:
        derived_rows.mark(session, case.id)
    _raise_severity(session, case, group, change.fired, actor)
    if case.status is Status.RESOLVED:
        return
    if not firing and (change.resolved or change.early):
        _mitigate(session, case, group, kept, actor)
    elif firing and change.fired:
        _fire_again(session, case, group, actor)


def _raise_severity(
    session: Session, case: Case, group: AlertGroup, fired: Iterable[Alert], actor: str
) -> None:
    """Set the severity of the case to the highest of its alerts, unless a person set another."""
    highest = max((row.severity for row in fired if row.severity), key=SEVERITIES.index, default=None)
    if highest is None or (group.severity and SEVERITIES.index(highest) <= SEVERITIES.index(group.severity)):
        return
    if case.severity == group.severity:
        service.update(session, case, {"severity": highest}, actor=actor)
    group.severity = highest


def _mitigate(session: Session, case: Case, group: AlertGroup, kept: Sequence[Alert], actor: str) -> None:
    """State when the last alert resolved: one event, whose time moves when alerts fire again."""
    at = max((row.ends_at for row in kept if row.ends_at), default=datetime.now(UTC))
    text = "The alert resolved" if len(kept) + group.beyond == 1 else "All alerts resolved"
    event = session.get(IncidentEvent, group.mitigated_event_id) if group.mitigated_event_id else None
    if event is None:
        event = incident_events.add(session, case, IncidentEventKind.MITIGATED, at=at, text=text, actor=actor)
        group.mitigated_event_id = event.id
        return
    incident_events.restore(session, event, actor=actor)
    incident_events.change(session, event, at=at, text=text, revision=event.revision, actor=actor)
    service.update(session, case, {"status": Status.MITIGATED}, actor=actor)


def _fire_again(session: Session, case: Case, group: AlertGroup, actor: str) -> None:
    """Take back the mitigation that resolved alerts stated."""
    event = session.get(IncidentEvent, group.mitigated_event_id) if group.mitigated_event_id else None
    if event is None or event.deleted_at is not None or case.status is not Status.MITIGATED:
        return
    incident_events.delete(session, event, actor=actor)
    service.update(session, case, {"status": Status.INVESTIGATING}, actor=actor)


def title_of(alerts: Sequence[Alert]) -> str:
    """Return the title of a case: names and hosts of its alerts."""
    names = _listed([row.name for row in alerts])
    hosts = _listed([row.host for row in alerts if row.host])
    return f"{names} on {hosts}" if hosts else names


def _subject(row: Alert) -> str:
    return f"{row.name} on {row.host}" if row.host else row.name


def _listed(values: list[str]) -> str:
    distinct = list(dict.fromkeys(values))
    more = len(distinct) - NAMED
    return ", ".join(distinct[:NAMED]) + (f" and {more:,} more" if more > 0 else "")


def _says(
    case: Case | None, change: Change, received: int, kept: int, firing: int, *, is_opened: bool
) -> str:
    """Return what became of the notification, in sentences."""
    says = []
    if case is None:
        says.append("Nothing fires: no case was opened.")
    elif is_opened:
        says.append(f"Case {case.number} was opened.")
    elif case.status is Status.RESOLVED:
        says.append(f"Case {case.number} is closed; it stays closed.")
    else:
        says.append(f"Case {case.number} was extended.")
    if change.early:
        says.append(f"{len(change.early):,} resolved before their firing was received.")
    if change.late:
        says.append(
            f"{change.late:,} had resolved before their firing was received: they do not count as firing."
        )
    if received > kept:
        says.append(f"{received:,} alerts, {kept:,} shown.")
    says.append(f"{firing:,} firing." if firing else "None is firing.")
    return " ".join(says)
