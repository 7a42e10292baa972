"""Endpoints that monitoring systems send alerts to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fastapi import APIRouter

from backend.access.actions import Action
from backend.access.dependencies import BaseUrlDep, PrincipalDep, SessionDep, needs
from backend.alerts import intake, notification
from backend.alerts.schemas import AlertmanagerAlerts, AlertsAccepted, GenericAlerts, GrafanaAlerts
from ingest import collect

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from backend.access.principals import Principal
    from backend.alerts.notification import Notification

router = APIRouter(prefix="/alerts", tags=["alerts"])


@router.post("/alertmanager", dependencies=[needs(Action.ALERTS_SEND)])
def receive_alertmanager_alerts(
    body: AlertmanagerAlerts, session: SessionDep, principal: PrincipalDep, base_url: BaseUrlDep
) -> AlertsAccepted:
    """Receive a notification of Alertmanager (webhook version 4): one case per `groupKey`."""
    return _accept(session, principal, notification.of_group("alertmanager", body), base_url)


@router.post("/grafana", dependencies=[needs(Action.ALERTS_SEND)])
def receive_grafana_alerts(
    body: GrafanaAlerts, session: SessionDep, principal: PrincipalDep, base_url: BaseUrlDep
) -> AlertsAccepted:
    """Receive a notification of Grafana Alerting (webhook version 1): one case per `groupKey`."""
    return _accept(session, principal, notification.of_group("grafana", body), base_url)


@router.post("/generic", dependencies=[needs(Action.ALERTS_SEND)])
def receive_generic_alerts(
    body: GenericAlerts, session: SessionDep, principal: PrincipalDep, base_url: BaseUrlDep
) -> AlertsAccepted:
    """Receive alerts of any other source: one case per `group_key`."""
    return _accept(session, principal, notification.of_generic(body), base_url)


def _accept(session: Session, principal: Principal, sent: Notification, base_url: str) -> AlertsAccepted:
    accepted = intake.accept(session, principal, sent)
    return AlertsAccepted(
        case_number=accepted.case.number if accepted.case else None,
        case_url=f"{base_url}/cases/{accepted.case.number}" if accepted.case else None,
        is_opened=accepted.is_opened,
        previous_case_number=accepted.previous.number if accepted.previous else None,
        received=accepted.received,
        kept=accepted.kept,
        firing=accepted.firing,
        says=accepted.says,
        collect=_command(base_url, accepted.secret) if accepted.secret else None,
    )


def _command(base_url: str, secret: str) -> str:
    """Return the command that collects on the affected host, as the page of the case shows it."""
    return f"curl -fsS -H 'Authorization: Bearer {secret}' {base_url}/{collect.NAME} | sudo sh"
