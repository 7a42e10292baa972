"""Errors as RFC 9457 problem documents: one sentence, and the class name as the code.

    {"type": "/problems/NotFound", "title": "Not Found", "status": 404, "detail": "there is no case 7",
     "code": "NotFound", "instance": "/api/v1/cases/7"}

`type` links to a page with the remedy (`backend.core.http.problem_pages`).

Source: https://www.rfc-editor.org/rfc/rfc9457
"""

from __future__ import annotations

import logging
import re
from difflib import get_close_matches
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, Response
from pydantic import BaseModel, ConfigDict
from sqlalchemy.exc import DataError, OperationalError
from starlette.exceptions import HTTPException

from backend.core.errors import (
    AuditUnavailableError,
    CasebookError,
    QueueFullError,
    TooManyAttemptsError,
    WrongContentError,
)
from backend.core.http.problem_pages import type_of
from backend.core.logs.context import REQUEST_ID

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from fastapi import FastAPI, Request
    from pydantic.config import JsonDict

logger = logging.getLogger(__name__)


EXAMPLE: JsonDict = {
    "type": "/problems/NotFound",
    "title": "Not Found",
    "status": 404,
    "detail": "there is no case 7",
    "code": "NotFound",
    "instance": "/api/v1/cases/7",
}


class Problem(BaseModel):
    """An error, for people (`detail`) and programs (`code`)."""

    model_config = ConfigDict(json_schema_extra={"examples": [EXAMPLE]})

    type: str
    title: str
    status: int
    detail: str
    code: str
    instance: str
    fields: list[str] | None = None


_QUOTED = re.compile(r"'([^']*)'")

MAX_SHOWN_CHARACTERS = 500
MAX_FIELDS = 100
MAX_DETAIL_CHARACTERS = 20_000
"""Limit of what a problem document repeats of a request: every element of a 1 MB body may be wrong."""

JSON = "application/json"
TOO_MANY = "TooManyRequests"
NOT_STORABLE = (
    "a value of this request cannot be stored: text must not contain NUL or lone surrogates, "
    "and a number must fit into 64 bits"
)
AWAY = "Unavailable"
AUDIT_RETRY_SECONDS = 5


def install(app: FastAPI) -> None:
    """Answer every error of `app` with a problem document."""
    app.add_exception_handler(CasebookError, _casebook_error)
    app.add_exception_handler(AuditUnavailableError, _audit_away)
    app.add_exception_handler(RequestValidationError, _validation_error)
    app.add_exception_handler(HTTPException, _http_error)
    app.add_exception_handler(OperationalError, _database_away)
    app.add_exception_handler(DataError, _not_storable)
    app.add_exception_handler(UnicodeEncodeError, _not_storable)
    app.add_exception_handler(Exception, _bug)


def code_of(error: CasebookError) -> str:
    """Return the class name without its `Error`: `NotSignedInError` is `NotSignedIn`."""
    return type(error).__name__.removesuffix("Error")


def respond(
    request: Request,
    status: int,
    code: str,
    detail: str,
    *,
    fields: list[str] | None = None,
    headers: Mapping[str, str] | None = None,
) -> JSONResponse:
    """Return one problem document."""
    problem = Problem(
        type=type_of(code),
        title=_phrase(status),
        status=status,
        detail=shown(detail, MAX_DETAIL_CHARACTERS),
        code=code,
        # `request.url.path` would be parsed together with the Host header.
        instance=shown(request.scope["path"]),
        fields=fields,
    )
    return JSONResponse(
        problem.model_dump(exclude_none=True),
        status_code=status,
        headers=dict(headers or {}),
        media_type="application/problem+json",
    )


def _phrase(status: int) -> str:
    """Return the reason phrase of a status; empty for statuses beyond HTTP, such as 460."""
    try:
        return HTTPStatus(status).phrase
    except ValueError:
        return "Error"


def shown(text: str, most: int = MAX_SHOWN_CHARACTERS) -> str:
    """Return `text` of a request for use in a response: encodable, and truncated."""
    cut = text if len(text) <= most else f"{text[:most]}…"
    return cut.encode("utf-8", "replace").decode()


def refuse(request: Request, error: CasebookError) -> JSONResponse:
    """Return the problem document of an error."""
    headers = {"WWW-Authenticate": "Bearer"} if error.status == HTTPStatus.UNAUTHORIZED else {}
    if isinstance(error, TooManyAttemptsError | QueueFullError):
        headers["Retry-After"] = str(error.retry_after_seconds)
    return respond(request, error.status, code_of(error), str(error), headers=headers)


async def _casebook_error(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, CasebookError)  # noqa: S101 - registered for it
    return refuse(request, error)


async def _audit_away(request: Request, error: Exception) -> Response:
    """Answer without a body: nothing may leave while it cannot be recorded."""
    logger.error("%s %s: %s", request.method, request.scope["path"], error)
    return Response(status_code=503, headers={"Retry-After": str(AUDIT_RETRY_SECONDS)})


async def _validation_error(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, RequestValidationError)  # noqa: S101 - registered for it
    wrong = error.errors()
    sent = _other_type(request, wrong)
    if sent is not None:
        return refuse(request, WrongContentError(f"the body was sent as {sent}; send Content-Type: {JSON}"))
    fields = [
        shown(f"{'.'.join(shown(str(part)) for part in item['loc'])}: {item['msg']}{near_name(item)}")
        for item in wrong[:MAX_FIELDS]
    ]
    if len(wrong) > MAX_FIELDS:
        fields.append(f"and {len(wrong) - MAX_FIELDS:,} more")
    return respond(request, 422, "InvalidRequest", "; ".join(fields), fields=fields)


def near_name(item: Mapping[str, Any]) -> str:
    """Return the value that was meant with one that is none of the known ones; "" without a guess."""
    sent = item.get("input")
    if item.get("type") not in {"literal_error", "enum"} or not isinstance(sent, str):
        return ""
    known = _QUOTED.findall(str(item.get("ctx", {}).get("expected", "")))
    near = get_close_matches(sent[:MAX_SHOWN_CHARACTERS].lower(), known, n=1)
    return f"; unknown value {shown(sent, 40)!r}: did you mean {near[0]}?" if near else ""


def _other_type(request: Request, wrong: Sequence[Any]) -> str | None:
    """Return the type of a body that was not read as JSON since its Content-Type names another, or none."""
    sent = request.headers.get("content-type", "")
    kind = sent.partition(";")[0].strip().lower()
    if kind == JSON or kind.endswith("+json"):
        return None
    is_unread = any(item["loc"] == ("body",) and isinstance(item.get("input"), bytes | str) for item in wrong)
    return (shown(sent) or "no type") if is_unread else None


async def _http_error(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, HTTPException)  # noqa: S101 - registered for it
    code = HTTPStatus(error.status_code).phrase.title().replace(" ", "")
    return respond(request, error.status_code, code, str(error.detail), headers=error.headers)


async def _database_away(request: Request, error: Exception) -> JSONResponse:
    logger.warning("%s %s: the database is unavailable: %s", request.method, request.scope["path"], error)
    return respond(request, 503, "Unavailable", "the database is unavailable; retry in a moment")


async def _not_storable(request: Request, error: Exception) -> JSONResponse:
    """Refuse values no column can store: NUL and lone surrogates in text, numbers beyond 64 bits."""
    logger.warning("%s %s: %s", request.method, request.scope["path"], error)
    return respond(request, 422, "InvalidRequest", NOT_STORABLE)


async def _bug(request: Request, error: Exception) -> JSONResponse:
    logger.error("%s %s failed", request.method, request.scope["path"], exc_info=error)
    return respond(
        request, 500, "InternalError", f"internal error; the log has it as request {REQUEST_ID.get()}"
    )
