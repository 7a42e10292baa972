"""A notification of any source in one form, with bounded texts."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from backend.alerts import labels as label_rows
from backend.alerts.labels import one_line
from backend.postmortems.schemas_incident import EARLIEST

if TYPE_CHECKING:
    from collections.abc import Mapping

    from backend.alerts.schemas import AlertmanagerAlert, GenericAlert, GenericAlerts, PrometheusGroup

MAX_LABELS = 40
MAX_NAME_CHARS = 120
MAX_KEY_CHARS = 300
AHEAD = timedelta(days=1)
"""By how much a clock may be ahead; a later time is none."""


@dataclass(frozen=True, slots=True)
class ReceivedAlert:
    """One alert as received.

    Attributes:
        starts_at: When it began to fire; None where the source states no plausible time.
        ends_at: When it resolved; None while it fires, or where that is not stated.
        links: `{"label", "url"}`.
    """

    fingerprint: str
    name: str
    is_firing: bool
    host: str
    severity: str | None
    text: str
    labels: dict[str, str]
    links: list[dict[str, str]]
    starts_at: datetime | None
    ends_at: datetime | None


@dataclass(frozen=True, slots=True)
class Notification:
    """Alerts of one grouping key.

    Attributes:
        key_digest: Of source and grouping key.
        title: As the source calls the group; "" for none.
        truncated: Alerts of the group that the source left out.
        is_whole: The source repeats every alert of the group in every notification.
    """

    source: str
    group_key: str
    key_digest: str
    title: str
    alerts: tuple[ReceivedAlert, ...]
    truncated: int
    is_whole: bool


def of_group(source: str, sent: PrometheusGroup) -> Notification:
    """Return the notification of Alertmanager or of Grafana, which took its form over."""
    return Notification(
        source=source,
        group_key=one_line(sent.groupKey, MAX_KEY_CHARS),
        key_digest=_digest(source, sent.groupKey),
        title="",
        alerts=tuple(_of_alertmanager(one) for one in sent.alerts),
        truncated=sent.truncatedAlerts,
        is_whole=True,
    )


def of_generic(sent: GenericAlerts) -> Notification:
    """Return the notification of any other source."""
    return Notification(
        source="generic",
        group_key=one_line(sent.group_key, MAX_KEY_CHARS),
        key_digest=_digest("generic", sent.group_key),
        title=one_line(sent.title),
        alerts=tuple(_of_generic(one) for one in sent.alerts),
        truncated=0,
        is_whole=False,
    )


def _of_alertmanager(sent: AlertmanagerAlert) -> ReceivedAlert:
    urls = {
        "generatorURL": sent.generatorURL,
        "silenceURL": sent.silenceURL,
        "dashboardURL": sent.dashboardURL,
        "panelURL": sent.panelURL,
    }
    return ReceivedAlert(
        fingerprint=_fingerprint(sent.fingerprint, sent.labels),
        name=one_line(sent.labels.get("alertname", ""), MAX_NAME_CHARS) or "unnamed alert",
        is_firing=sent.status == "firing",
        host=label_rows.host_of(sent.labels),
        severity=label_rows.severity_of(sent.labels),
        text=label_rows.text_of(sent.annotations),
        labels=_bounded(sent.labels),
        links=label_rows.links_of({**sent.annotations, **{name: url for name, url in urls.items() if url}}),
        starts_at=_plausible(sent.startsAt),
        ends_at=_plausible(sent.endsAt) if sent.status == "resolved" else None,
    )


def _of_generic(sent: GenericAlert) -> ReceivedAlert:
    named = {"name": sent.name, "host": sent.host, **sent.labels}
    links = [
        {"label": one_line(label, MAX_NAME_CHARS), "url": url}
        for label, url in list(sent.links.items())[: label_rows.MAX_LINKS]
        if label_rows.is_link(url)
    ]
    stated = _of_alertmanager_labels(sent)
    return replace(
        stated,
        fingerprint=_fingerprint(sent.fingerprint, named),
        is_firing=sent.status == "firing",
        text=one_line(sent.text),
        links=links,
        starts_at=_plausible(sent.starts_at),
        ends_at=_plausible(sent.ends_at) if sent.status == "resolved" else None,
    )


def _of_alertmanager_labels(sent: GenericAlert) -> ReceivedAlert:
    labels = {**sent.labels, **({"host": sent.host} if sent.host else {})}
    return ReceivedAlert(
        fingerprint="",
        name=one_line(sent.name, MAX_NAME_CHARS) or "unnamed alert",
        is_firing=True,
        host=label_rows.host_of(labels),
        severity=sent.severity or label_rows.severity_of(labels),
        text="",
        labels=_bounded(sent.labels),
        links=[],
        starts_at=None,
        ends_at=None,
    )


def _bounded(labels: Mapping[str, str]) -> dict[str, str]:
    shown = list(labels.items())[:MAX_LABELS]
    return {one_line(name, MAX_NAME_CHARS): one_line(value, MAX_KEY_CHARS) for name, value in shown}


def _fingerprint(stated: str, labels: Mapping[str, str]) -> str:
    """Return the identity of an alert: as its source states it, else made of its labels."""
    text = stated or json.dumps(sorted(labels.items()))
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:32]


def _digest(source: str, group_key: str) -> str:
    return hashlib.sha256(f"{source}\n{group_key}".encode("utf-8", "replace")).hexdigest()


def _plausible(at: datetime | None) -> datetime | None:
    """Return a time in UTC; None for the year 1, which Alertmanager sends for no time, and its like."""
    if at is None:
        return None
    at = at.replace(tzinfo=UTC) if at.tzinfo is None else at
    return at.astimezone(UTC) if EARLIEST <= at <= datetime.now(UTC) + AHEAD else None
