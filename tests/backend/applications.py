"""Applications that share the routes of the API, and its schema: both take seconds of CPU to build."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from backend import app as product

if TYPE_CHECKING:
    from fastapi import FastAPI
    from sqlalchemy.orm import Session, sessionmaker

    from backend.core.settings import Settings
    from backend.core.storage.object_store import Store

SCHEMA = Path("frontend/openapi.json")


@cache
def described() -> FastAPI:
    """Return the application with the API only, its routes built."""
    described = product.describe_api()
    product.build_routes(described)
    return described


@cache
def api_schema() -> dict[str, Any]:
    """Return the committed OpenAPI schema, to be read only; `test_app.py` compares it with the code."""
    schema: dict[str, Any] = json.loads(SCHEMA.read_text())
    return schema


def create_app(settings: Settings, *, sessions: sessionmaker[Session], store: Store) -> FastAPI:
    """Return the application of `backend.app.create_app` with the built routes of `described`."""
    app = product.create_app(settings, sessions=sessions, store=store)
    shared = described().router.routes
    app.router.routes[: len(shared)] = shared
    return app
