"""`GET /metrics`: the state of the service and its requests in the text format of Prometheus.

Outside of the API, where Prometheus looks; with a bearer token that may read the state of the service.
"""

from __future__ import annotations

from fastapi import APIRouter
from fastapi.responses import Response
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, generate_latest

from backend.access.actions import Action
from backend.access.dependencies import SessionDep, SettingsDep, needs
from backend.core.http import request_metrics
from backend.operations.metrics.service_state import ServiceState

router = APIRouter(include_in_schema=False)


@router.get("/metrics", dependencies=[needs(Action.SERVICE_READ)])
def read_metrics(session: SessionDep, settings: SettingsDep) -> Response:
    """Return all metrics."""
    state = CollectorRegistry()
    state.register(ServiceState(session, settings.data_dir))
    content = generate_latest(state) + generate_latest(request_metrics.registry())
    return Response(content, media_type=CONTENT_TYPE_LATEST, headers={"Cache-Control": "no-store"})
