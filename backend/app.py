"""The web application: routes, problem documents, headers and the front end."""

from __future__ import annotations

import gzip
import json
import threading
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

import anyio
from fastapi import Depends, FastAPI, Request, Response
from sqlalchemy import Engine

from backend.access import idempotency
from backend.access.actions import Action
from backend.access.declarations import KEY
from backend.accounts.router import router as accounts
from backend.alerts.router import router as alerts
from backend.baselines.router import router as baselines
from backend.cases.all_events import AllEvents
from backend.cases.event_hub import EventHub
from backend.cases.router import router as cases
from backend.core import tracing
from backend.core.db.notifications import listen_conninfo
from backend.core.http import (
    admission,
    conditional_requests,
    envelope,
    equivalent_paths,
    locations,
    middleware,
    pagination,
    problem_pages,
    problems,
    query_parameters,
    request_examples,
    responses,
    schema_titles,
    shared_parts,
    static_pages,
)
from backend.core.http.admission import Load
from backend.core.http.api_tags import TAGS
from backend.core.http.compression import Compression
from backend.core.http.computing import Computing
from backend.core.http.locations import PREFIX
from backend.core.http.probes import Probes
from backend.core.http.rate_limits import Rates
from backend.core.jobs.task_modules import load_task_modules
from backend.core.sessions import create_api_sessions
from backend.core.settings_environment import load_settings
from backend.core.storage.object_store import Store
from backend.core.version import VERSION
from backend.destinations import callbacks
from backend.destinations.router import router as destinations
from backend.evidence import routes_collect
from backend.evidence.router import router as evidence
from backend.findings import fault_log
from backend.findings.router import router as findings
from backend.first_view.router import router as first_view
from backend.guests.router import router as guests
from backend.handoffs.router import router as handoffs
from backend.hunts.router import router as hunts
from backend.kernels.router import router as kernels
from backend.libraries.router import router as libraries
from backend.library.router import router as library
from backend.operations import routes_probes
from backend.operations.metrics import routes as routes_metrics
from backend.operations.router import router as operations
from backend.postmortems.router import router as postmortems
from backend.problems.router import router as problems_of_cases
from backend.profiles.router import router as profiles
from backend.proposals.router import router as proposals
from backend.reprocessing.router import router as reprocessing
from backend.sandbox.envelope import limits_of_request
from backend.sandbox.kept_forks import KeptForks
from backend.search.router import router as search
from backend.signature_drafts.router import router as signature_drafts
from backend.similarity.router import router as similarity
from backend.stories.router import router as stories
from backend.uploads.router import router as uploads

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from fastapi.routing import APIRoute
    from sqlalchemy.orm import Session, sessionmaker

    from backend.core.settings import Settings

FEATURES = (
    operations,
    accounts,
    cases,
    search,
    destinations,
    uploads,
    evidence,
    guests,
    findings,
    first_view,
    handoffs,
    signature_drafts,
    reprocessing,
    libraries,
    hunts,
    proposals,
    postmortems,
    alerts,
    problems_of_cases,
    kernels,
    library,
    similarity,
    stories,
    profiles,
    baselines,
)
"""Their routes are matched in this order."""

GZIP_FROM_BYTES = 1024
BRINGS_EVIDENCE = frozenset({Action.CASE_OPEN, Action.CASE_DROP, Action.EVIDENCE_ADD, Action.GUEST_SEND})


def create_app(
    settings: Settings | None = None,
    *,
    sessions: sessionmaker[Session] | None = None,
    store: Store | None = None,
) -> FastAPI:
    """Return the application for `settings`, by default those of the environment.

    `sessions` and `store` replace those of `settings` when passed.
    """
    fault_log.install()
    load_task_modules()
    settings = settings or load_settings()
    app = describe_api()
    app.state.settings = settings
    app.state.rates = Rates(settings)
    app.state.store = store or Store.open(settings)
    app.state.sessions = sessions or create_api_sessions(settings)
    app.state.load = Load(settings)
    app.state.computing = Computing()
    app.state.forks = KeptForks(settings, limits_of_request(settings))
    app.state.probes = Probes(settings, app.state.sessions, app.state.store)
    hub = app.state.events = EventHub(listen_conninfo(settings, app.state.sessions))
    app.state.all_events = AllEvents(app.state.sessions, lambda: hub.is_stopping)
    app.include_router(routes_collect.router)
    app.include_router(routes_metrics.router)
    app.include_router(routes_probes.absent)
    app.include_router(problem_pages.router())
    app.include_router(static_pages.router_for(settings.frontend_dir))
    return app


def describe_api() -> FastAPI:
    """Return the application with the API only, without database or store: for exporting its schema."""
    app = FastAPI(
        title="Casebook",
        version=VERSION,
        summary="Cited findings from perf, bpftrace, dmesg and sosreport evidence.",
        description="Cases, evidence, profiles, findings and handoffs of one Casebook instance.",
        license_info={"name": "Apache-2.0", "identifier": "Apache-2.0"},
        servers=[{"url": "/", "description": "This instance"}],
        openapi_tags=[{"name": name, "description": text} for name, text in TAGS.items()],
        # `_serve_schema` does, off the event loop.
        openapi_url=None,
        # A redirection would repeat whatever the Host header says.
        redirect_slashes=False,
        docs_url=None,
        redoc_url=None,
        lifespan=_lifespan,
        generate_unique_id_function=_route_name,
    )
    # First, so that it matches before any other route.
    app.include_router(routes_probes.router)
    known_parameters = [Depends(query_parameters.reject_unknown)]
    for feature in FEATURES:
        # A router in between would have FastAPI build every route twice.
        app.include_router(feature, prefix=PREFIX, dependencies=known_parameters)
    _serve_schema(app)
    problems.install(app)
    admission.install(app)
    idempotency.install(app)
    conditional_requests.install(app)
    app.add_middleware(Compression, minimum_size=GZIP_FROM_BYTES, compresslevel=5)
    middleware.install(app)
    _document_problems(app)
    return app


def _serve_schema(app: FastAPI) -> None:
    """Serve the OpenAPI schema of `app`, generated and compressed in a thread at the first request."""
    making = threading.Lock()
    made: list[bytes] = []

    @app.get(f"{PREFIX}/openapi.json", include_in_schema=False)
    def openapi_schema(request: Request) -> Response:
        """Return the OpenAPI schema."""
        with making:
            if not made:
                content = json.dumps(app.openapi(), ensure_ascii=False, separators=(",", ":")).encode()
                made.extend([content, gzip.compress(content, 5)])
                # Otherwise every full garbage collection would scan its objects in the event loop.
                app.openapi_schema = None
        if "gzip" in request.headers.get("accept-encoding", ""):
            headers = {"Content-Encoding": "gzip", "Vary": "Accept-Encoding"}
            return Response(made[1], headers=headers, media_type="application/json")
        return Response(made[0], media_type="application/json")


@asynccontextmanager
async def _lifespan(app: FastAPI) -> AsyncIterator[None]:
    tracing.install(app.state.settings, "api")
    build_routes(app)
    # No request waits for a thread: as many are at work as there are threads.
    anyio.to_thread.current_default_thread_limiter().total_tokens = app.state.settings.api_threads
    # Logs problems from the start, such as too few connections; a database that is away stops nothing.
    await app.state.probes.database.result()
    await app.state.probes.is_behind()
    yield
    tracing.flush()
    await anyio.to_thread.run_sync(app.state.forks.close)
    await app.state.events.close()
    await app.state.all_events.close()
    await app.state.probes.close()
    await app.state.rates.close()
    bind = app.state.sessions.kw["bind"]
    if isinstance(bind, Engine):
        bind.dispose()


def build_routes(app: FastAPI) -> None:
    """Build the routes of FastAPI now, which takes half a second, rather than at the first request."""
    for path in (f"{PREFIX}/", "/"):
        scope = {"type": "http", "method": "TRACE", "path": path, "root_path": "", "headers": []}
        for route in app.router.routes:
            route.matches(scope)


def _route_name(route: APIRoute) -> str:
    return route.name


def _brings_evidence(operation: dict[str, Any]) -> bool:
    return operation[KEY] in BRINGS_EVIDENCE


def _is_open(operation: dict[str, Any]) -> bool:
    return operation[KEY] in {Action.ENTER, Action.GUEST_SEND}


def _document_problems(app: FastAPI) -> None:
    """Document in the OpenAPI schema of `app` the errors of every operation."""
    original = app.openapi

    def openapi() -> dict[str, Any]:
        if app.openapi_schema is not None:
            return app.openapi_schema
        # Only the schema has them, and they take 25 ms of CPU.
        callbacks.describe(app)
        schema = original()
        conditional_requests.document(schema)
        pagination.document(schema)
        envelope.document(schema)
        locations.document(schema)
        request_examples.document(schema)
        callbacks.document(schema)
        responses.document(schema, brings_evidence=_brings_evidence, is_open=_is_open)
        schema_titles.document(schema)
        equivalent_paths.document(schema)
        shared_parts.document(schema)
        return schema

    app.openapi = openapi  # type: ignore[method-assign]
