"""Errors as RFC 9457 problem documents: one sentence, and the class name as the code.

    {"type": "about:blank", "title": "Not Found", "status": 404, "detail": "there is no case 7",
     "code": "NotFound", "instance": "/api/v1/cases/7"}

Source: https://www.rfc-editor.org/rfc/rfc9457
"""

from __future__ import annotations

import logging
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import BaseModel
from sqlalchemy.exc import OperationalError
from starlette.exceptions import HTTPException

from backend.core.errors import CasebookError, TooManyAttemptsError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fastapi import FastAPI, Request

logger = logging.getLogger(__name__)


class Problem(BaseModel):
    """What went wrong, for a person (`detail`) and for a program (`code`)."""

    type: str = "about:blank"
    title: str
    status: int
    detail: str
    code: str
    instance: str
    fields: list[str] | None = None


PROBLEM_RESPONSES: dict[int | str, dict[str, Any]] = {
    "4XX": {
        "description": "The request cannot be fulfilled; `detail` says why.",
        "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}},
    }
}


RATE_HEADERS = {
    "RateLimit-Policy": "The budget that the request was counted in: its name, requests `q` in `w` seconds.",
    "RateLimit": "Where the sender stands: `r` requests left, more of them in `t` seconds.",
    "Retry-After": "Seconds until the next request is let through.",
}
TOO_MANY = "TooManyRequests"
TOO_MANY_RESPONSE = {
    "description": "Too many requests or attempts to sign in; `Retry-After` says when to come again.",
    "headers": {
        name: {"description": says, "schema": {"type": "string"}} for name, says in RATE_HEADERS.items()
    },
    "content": PROBLEM_RESPONSES["4XX"]["content"],
}
"""What every operation may answer, as a component of the schema."""


def install(app: FastAPI) -> None:
    """Answer every error of `app` with a problem document."""
    app.add_exception_handler(CasebookError, _casebook_error)
    app.add_exception_handler(RequestValidationError, _validation_error)
    app.add_exception_handler(HTTPException, _http_error)
    app.add_exception_handler(OperationalError, _database_away)
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
        title=_phrase(status),
        status=status,
        detail=detail,
        code=code,
        instance=request.url.path,
        fields=fields,
    )
    return JSONResponse(
        problem.model_dump(exclude_none=True),
        status_code=status,
        headers=dict(headers or {}),
        media_type="application/problem+json",
    )


def _phrase(status: int) -> str:
    """Return the words for a status; a status that only a protocol above HTTP knows has none."""
    try:
        return HTTPStatus(status).phrase
    except ValueError:
        return "Error"


def refuse(request: Request, error: CasebookError) -> JSONResponse:
    """Return the problem document of what is refused."""
    headers = {"WWW-Authenticate": "Bearer"} if error.status == HTTPStatus.UNAUTHORIZED else {}
    if isinstance(error, TooManyAttemptsError):
        headers["Retry-After"] = str(error.retry_after_seconds)
    return respond(request, error.status, code_of(error), str(error), headers=headers)


async def _casebook_error(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, CasebookError)  # noqa: S101 - registered for it
    return refuse(request, error)


async def _validation_error(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, RequestValidationError)  # noqa: S101 - registered for it
    fields = [f"{'.'.join(str(part) for part in item['loc'])}: {item['msg']}" for item in error.errors()]
    return respond(request, 422, "InvalidRequest", "; ".join(fields), fields=fields)


async def _http_error(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, HTTPException)  # noqa: S101 - registered for it
    code = HTTPStatus(error.status_code).phrase.title().replace(" ", "")
    return respond(request, error.status_code, code, str(error.detail), headers=error.headers)


async def _database_away(request: Request, error: Exception) -> JSONResponse:
    logger.warning("%s %s: the database is away: %s", request.method, request.url.path, error)
    return respond(request, 503, "Unavailable", "the database is away; try again in a moment")


async def _bug(request: Request, error: Exception) -> JSONResponse:
    logger.error("%s %s failed", request.method, request.url.path, exc_info=error)
    return respond(request, 500, "InternalError", "this is a bug of ours; it was logged with this path")
