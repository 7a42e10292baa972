"""Payloads of alerts, in the names of their sources, and the answer.

Sources: https://prometheus.io/docs/alerting/latest/configuration/#webhook_config
https://grafana.com/docs/grafana/latest/alerting/configure-notifications/manage-contact-points/integrations/webhook-notifier/
"""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field

from backend.core.http.request_body import Line, RequestBody

KNOWN = {"4": "Alertmanager, POST /alerts/alertmanager", "1": "Grafana, POST /alerts/grafana"}
"""Versions of payloads, and where each is sent."""

MAX_KEY_CHARS = 8192


def _known_version(known: str) -> Any:
    def check(version: object) -> object:
        if version == known:
            return version
        elsewhere = f"; that of {KNOWN[version]}" if isinstance(version, str) and version in KNOWN else ""
        raise ValueError(f"unknown version {str(version)[:40]!r}{elsewhere}; known here: {known!r}")

    return BeforeValidator(check)


def _not_blank(text: str) -> str:
    if not text.strip():
        raise ValueError("must not be empty")
    return text


Status = Literal["firing", "resolved"]
GroupKey = Annotated[str, Field(min_length=1, max_length=MAX_KEY_CHARS), AfterValidator(_not_blank)]
Texts = dict[str, str]


class Payload(RequestBody):
    """A payload of another program, whose later versions may add fields."""

    model_config = ConfigDict(extra="ignore")


class AlertmanagerAlert(Payload):
    """One alert of a group; `endsAt` counts only once it has resolved."""

    status: Status
    labels: Texts
    annotations: Texts = Field(default={})
    startsAt: datetime | None = None  # noqa: N815 - the name of its source
    endsAt: datetime | None = None  # noqa: N815 - the name of its source
    generatorURL: str = ""  # noqa: N815 - the name of its source
    fingerprint: str = ""
    silenceURL: str = ""  # noqa: N815 - the name of its source
    dashboardURL: str = ""  # noqa: N815 - the name of its source
    panelURL: str = ""  # noqa: N815 - the name of its source


class PrometheusGroup(Payload):
    """A group of alerts in the form of Alertmanager."""

    groupKey: GroupKey  # noqa: N815 - the name of its source
    truncatedAlerts: int = Field(default=0, ge=0, le=10_000_000)  # noqa: N815 - the name of its source
    alerts: list[AlertmanagerAlert] = Field(min_length=1)


class AlertmanagerAlerts(PrometheusGroup):
    """A notification of Alertmanager, version 4."""

    version: Annotated[Literal["4"], _known_version("4")]


class GrafanaAlerts(PrometheusGroup):
    """A notification of Grafana Alerting, version 1."""

    version: Annotated[Literal["1"], _known_version("1")]


class GenericAlert(RequestBody):
    """One alert of any source; without `fingerprint`, name, host and labels are its identity."""

    name: Line = Field(min_length=1, max_length=300)
    status: Status = "firing"
    host: str = Field(default="", max_length=300)
    severity: Literal["critical", "high", "medium", "low"] | None = None
    text: str = Field(default="", max_length=20_000)
    starts_at: datetime | None = None
    ends_at: datetime | None = None
    labels: Texts = Field(default={})
    links: dict[str, str] = Field(default={}, description="URLs by label")
    fingerprint: str = Field(default="", max_length=300)


class GenericAlerts(RequestBody):
    """Alerts of one `group_key`, which is one case while that is open."""

    version: Annotated[Literal["1"], _known_version("1")]
    group_key: GroupKey
    title: Line = Field(default="", max_length=300, description="Title of a case that is opened")
    alerts: list[GenericAlert] = Field(min_length=1)


class AlertsAccepted(BaseModel):
    """What became of a notification.

    `case_number` is null where no case was opened: nothing fires. `received` counts the alerts of the group,
    `kept` those with rows on the timeline of the case, `firing` those that fire now. `collect` is a command
    for the affected host, with a token that can only add evidence to this case; the answer that opens the
    case has it, others have null. `previous_case_number` is the closed case that the same alerts had opened.
    """

    case_number: int | None
    case_url: str | None
    is_opened: bool
    previous_case_number: int | None
    received: int
    kept: int
    firing: int
    says: str
    collect: str | None
