"""The built front end: one page with a fresh nonce, its assets, and speedscope below its own policy."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING

from fastapi import APIRouter
from fastapi.responses import FileResponse, HTMLResponse, PlainTextResponse, Response

from backend.core.errors import NotFoundError
from backend.core.headers import SPEEDSCOPE_POLICY, page_policy

if TYPE_CHECKING:
    from pathlib import Path

NONCE_PLACEHOLDER = "__CSP_NONCE__"
MISSING = "The front end is not built: run `make run`, or `npm run build`, then reload.\n"
ONE_YEAR = "public, max-age=31536000, immutable"


def router_for(folder: Path) -> APIRouter:
    """Return routes that serve the front end built into `folder`."""
    router = APIRouter(include_in_schema=False)

    @router.get("/speedscope/{path:path}")
    def speedscope(path: str) -> Response:
        """Serve speedscope's own files."""
        file = _inside(folder / "speedscope", path or "index.html")
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

    @router.get("/api-reference")
    def api_reference() -> Response:
        """Serve the interactive reference of the API; its files are served as any other."""
        return _with_nonce(_inside(folder, "api-reference/index.html"))

    @router.get("/{path:path}")
    def page(path: str) -> Response:
        """Serve a built file, or the page for every address that the front end routes itself."""
        if path.startswith("api/"):
            raise NotFoundError(f"there is no /{path}")
        file = _inside(folder, path)
        if file is not None and file.name != "index.html":
            hashed = path.startswith("assets/")
            return FileResponse(file, headers={"Cache-Control": ONE_YEAR} if hashed else None)
        if path.startswith("assets/"):
            raise NotFoundError(f"there is no /{path}")
        return _with_nonce(_inside(folder, "index.html"))

    return router


def _with_nonce(page: Path | None) -> Response:
    """Return a built page with a nonce of its own."""
    if page is None:
        return PlainTextResponse(MISSING, status_code=503)
    nonce = secrets.token_urlsafe(16)
    return HTMLResponse(
        page.read_text(encoding="utf-8").replace(NONCE_PLACEHOLDER, nonce),
        headers={"Content-Security-Policy": page_policy(nonce), "Cache-Control": "no-store"},
    )


def _inside(folder: Path, path: str) -> Path | None:
    """Return the file `path` below `folder`; None when there is none or it lies outside."""
    if not path or "\0" in path:
        return None
    file = (folder / path).resolve()
    return file if file.is_relative_to(folder.resolve()) and file.is_file() else None
