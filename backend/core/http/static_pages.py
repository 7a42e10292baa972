"""Static files of the front end: the page with its nonce, assets, and speedscope.

    GET /cases/7           200, the page: a route of the front end
    GET /assets/a-1.js     200, a built file
    GET /nothing           404, the page for a browser that accepts HTML, else a problem document
    GET /metrics, /.env    404, a problem document: probes never get a page
    GET /api/nothing       404, a problem document

Only short, plain paths are looked up: any other never reaches the file system or the page.
"""

from __future__ import annotations

import re
import secrets
import stat
from http import HTTPStatus
from typing import TYPE_CHECKING

from fastapi import APIRouter, Request
from fastapi.responses import FileResponse, HTMLResponse, PlainTextResponse, Response

from backend.core.errors import NotFoundError
from backend.core.http import problems
from backend.core.http.security_headers import SPEEDSCOPE_POLICY, page_policy

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

NONCE_PLACEHOLDER = "__CSP_NONCE__"
MISSING = "The front end is not built: run `make run`, or `npm run build`, then reload.\n"
ONE_YEAR = "public, max-age=31536000, immutable"
READS = ["GET", "HEAD"]

ROUTES = (
    "/",
    "/baselines",
    "/baselines/$baseline",
    "/case-problems",
    "/case-problems/$key",
    "/case-problems/$area/$name",
    "/cases/$caseId",
    "/compare",
    "/help",
    "/help/$page",
    "/join",
    "/kernel",
    "/kernels",
    "/library",
    "/library/$story",
    "/library/$story/edit",
    "/open",
    "/s",
    "/settings",
    "/settings/$page",
    "/sign-in",
    "/signatures",
    "/signatures/$area/$name",
    "/signatures/$area/$name/story",
    "/signatures/$area/$name/edit",
    "/signatures/new",
    "/signature-proposals",
    "/signature-proposals/$proposal",
)
"""Routes of the front end in its own notation; `$name` is any one segment."""

PROBES = frozenset({"actuator", "debug", "healthz", "livez", "metrics", "readyz", "server-status", "status"})
"""First segments requested by machines; a page with status 200 would look like a valid response to them."""

MAX_SEGMENTS = 8
MAX_SEGMENT_CHARACTERS = 255
_FILE = re.compile(r"(?:[\w@+-][\w@+.-]{0,127}/){0,4}[\w@+-][\w@+.-]{0,127}", re.ASCII)
_HTML = re.compile(r"text/html(?![\w.+-])", re.IGNORECASE)
_KNOWN = tuple(tuple(route.strip("/").split("/")) for route in ROUTES)


def router_for(folder: Path) -> APIRouter:
    """Return routes that serve the front end built into `folder`."""
    router = APIRouter(include_in_schema=False)

    @router.get("/api")
    @router.get("/api/{path:path}")
    async def no_operation(path: str = "") -> Response:
        """Answer 404 for an unknown API path."""
        raise NotFoundError(f"there is no {problems.shown(f'/api/{path}')}")

    @router.api_route("/speedscope/{path:path}", methods=READS)
    async def speedscope(path: str) -> Response:
        """Serve the files of speedscope."""
        file = _file(folder / "speedscope", path or "index.html")
        if file is None:
            raise NotFoundError("no such file below /speedscope/")
        return FileResponse(
            file,
            headers={
                "Content-Security-Policy": SPEEDSCOPE_POLICY,
                # The frame is sandboxed without allow-same-origin, so its own files come from origin "null".
                "Access-Control-Allow-Origin": "*",
                "Cross-Origin-Resource-Policy": "cross-origin",
            },
        )

    @router.api_route("/api-reference", methods=READS)
    async def api_reference() -> Response:
        """Serve the interactive API reference; its assets are ordinary files."""
        return _with_nonce(_file(folder, "api-reference/index.html"))

    @router.api_route("/{path:path}", methods=READS)
    async def page(path: str, request: Request) -> Response:
        """Serve a built file, or the page for every route of the front end."""
        file = _file(folder, path)
        if file is not None and file.name != "index.html":
            is_hashed = path.startswith("assets/")
            return FileResponse(file, headers={"Cache-Control": ONE_YEAR} if is_hashed else None)
        segments = _segments(path)
        if is_page(segments):
            return _with_nonce(_file(folder, "index.html"))
        if _may_be_page(segments) and _HTML.search(request.headers.get("accept", "")):
            return _with_nonce(_file(folder, "index.html"), HTTPStatus.NOT_FOUND)
        raise NotFoundError(f"there is no {problems.shown(f'/{path}')}")

    return router


def is_page(segments: Sequence[str]) -> bool:
    """Return whether `segments` is a route of the front end."""
    return any(
        len(route) == len(segments)
        and all(
            name == one or (name.startswith("$") and one) for name, one in zip(route, segments, strict=True)
        )
        for route in _KNOWN
    )


def _segments(path: str) -> tuple[str, ...]:
    """Return the segments of a `path` without its first slash; empty for an invalid path."""
    segments = path.removesuffix("/").split("/", MAX_SEGMENTS)
    is_plain = len(segments) <= MAX_SEGMENTS and path.isprintable() and {".", ".."}.isdisjoint(segments)
    return tuple(segments) if is_plain and max(map(len, segments)) <= MAX_SEGMENT_CHARACTERS else ()


def _may_be_page(segments: Sequence[str]) -> bool:
    """Return whether a person may have followed a broken link to this path."""
    if not segments or segments[0] in PROBES or segments[0] == "assets":
        return False
    return "." not in segments[-1] and not any(segment.startswith(".") for segment in segments)


def _with_nonce(page: Path | None, status: int = HTTPStatus.OK) -> Response:
    """Return a built page with a fresh nonce."""
    if page is None:
        return PlainTextResponse(MISSING, status_code=503)
    nonce = secrets.token_urlsafe(16)
    return HTMLResponse(
        page.read_text(encoding="utf-8").replace(NONCE_PLACEHOLDER, nonce),
        status_code=status,
        headers={"Content-Security-Policy": page_policy(nonce), "Cache-Control": "no-store"},
    )


def _file(folder: Path, path: str) -> Path | None:
    """Return the file `path` below `folder`, if `path` is a plain name and the file exists."""
    if _FILE.fullmatch(path) is None:
        return None
    file = folder / path
    try:
        return file if stat.S_ISREG(file.lstat().st_mode) else None
    except OSError:
        return None
