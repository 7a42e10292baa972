"""Answers that never change for one reading: named by an ETag, computed only when the browser lacks them."""

from __future__ import annotations

import hashlib
from functools import lru_cache
from typing import TYPE_CHECKING

from fastapi import Response

from backend.core.version import VERSION

if TYPE_CHECKING:
    from collections.abc import Callable

    from fastapi import Request

# The address holds an id, so who may see it is asked every time; the bytes are kept by the browser alone.
CACHE_CONTROL = "private, no-cache"


def respond(request: Request, digest: str, question: str, compute: Callable[[], bytes]) -> Response:
    """Return the JSON that `compute` gives, or 304 when the browser has it already."""
    etag = _etag(digest, question)
    headers = {"ETag": etag, "Cache-Control": CACHE_CONTROL}
    told = request.headers.get("if-none-match", "")
    if etag in (candidate.strip().removeprefix("W/") for candidate in told.split(",")):
        return Response(status_code=304, headers=headers)
    return Response(compute(), media_type="application/json", headers=headers)


@lru_cache(maxsize=1024)
def _etag(digest: str, question: str) -> str:
    return '"' + hashlib.sha256(f"{VERSION} {digest} {question}".encode()).hexdigest()[:32] + '"'
