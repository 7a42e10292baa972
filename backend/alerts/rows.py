"""Rows of the alerts of one group: each alert once, a bounded number of them, the others counted."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from backend.models.alert import Alert

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from backend.alerts.notification import Notification, ReceivedAlert
    from backend.models.alert import AlertGroup

MAX_KEPT = 50
"""Rows of one group."""


@dataclass(slots=True)
class Change:
    """What a notification changed.

    Attributes:
        fired: Rows that began to fire, or fire again.
        resolved: Rows that resolved.
        early: Rows whose end was received before their firing.
        late: Alerts whose firing was received after their end, and changes nothing.
    """

    fired: list[Alert] = field(default_factory=list)
    resolved: list[Alert] = field(default_factory=list)
    early: list[Alert] = field(default_factory=list)
    late: int = 0


def write(session: Session, group: AlertGroup, kept: list[Alert], sent: Notification) -> Change:
    """Write the alerts of `sent` to the rows of `group`, of which `kept` is extended."""
    change, now = Change(), datetime.now(UTC)
    rows = {(row.fingerprint, row.starts_at): row for row in kept}
    newest = {row.fingerprint: row for row in kept}
    beyond: list[ReceivedAlert] = []
    for alert in sent.alerts:
        # Without a time of its own, it is the alert that was received last.
        row = rows.get((alert.fingerprint, alert.starts_at)) if alert.starts_at else None
        if row is None and alert.starts_at is None:
            row = _without_time(newest.get(alert.fingerprint), alert)
        if row is not None:
            _update(row, alert, change, now)
        elif len(kept) < MAX_KEPT:
            row = _row(group, alert, now)
            session.add(row)
            kept.append(row)
            rows[row.fingerprint, row.starts_at] = newest[row.fingerprint] = row
            (change.fired if alert.is_firing else change.early).append(row)
        else:
            beyond.append(alert)
    _count(group, beyond, sent)
    return change


def _without_time(newest: Alert | None, alert: ReceivedAlert) -> Alert | None:
    """Return the row that an alert without a time is about: it fires again once the last one resolved."""
    if newest is None or (alert.is_firing and newest.ends_at is not None):
        return None
    return newest


def _update(row: Alert, alert: ReceivedAlert, change: Change, now: datetime) -> None:
    if not alert.is_firing:
        if row.ends_at is None:
            row.ends_at = max(alert.ends_at or now, row.starts_at)
            change.resolved.append(row)
    elif not row.is_fired:
        # Delivered after its end. A source that still sees it firing says so again.
        row.is_fired = True
        change.late += 1
    elif row.ends_at is not None:
        row.ends_at = None
        change.fired.append(row)


def _row(group: AlertGroup, alert: ReceivedAlert, now: datetime) -> Alert:
    starts_at = alert.starts_at or alert.ends_at or now
    return Alert(
        group_id=group.id,
        case_id=group.case_id,
        fingerprint=alert.fingerprint,
        name=alert.name,
        host=alert.host,
        severity=alert.severity,
        text=alert.text,
        labels=alert.labels,
        links=alert.links,
        starts_at=starts_at,
        ends_at=None if alert.is_firing else max(alert.ends_at or now, starts_at),
        is_fired=alert.is_firing,
    )


def _count(group: AlertGroup, beyond: list[ReceivedAlert], sent: Notification) -> None:
    """Count the alerts without rows: a whole group by its largest notification, single ones as they come."""
    firing = sum(alert.is_firing for alert in beyond)
    if sent.is_whole:
        group.beyond = max(group.beyond, len(beyond) + sent.truncated)
        is_over = not any(alert.is_firing for alert in sent.alerts)
        group.beyond_firing = firing + (0 if is_over else sent.truncated)
        return
    group.beyond += firing
    group.beyond_firing = max(0, group.beyond_firing + firing - (len(beyond) - firing))
