"""A client that sends one file in pieces, tries again as browsers do, and remembers what was acknowledged."""

from __future__ import annotations

import base64
import hashlib
import time
from typing import TYPE_CHECKING, Any

import httpx

if TYPE_CHECKING:
    from collections.abc import Callable

AGAIN = frozenset({409, 423, 429, 502, 503, 504, 507})
"""Answers after which a tus client asks for the offset and goes on; 500 is a bug and reported."""

PIECE_BYTES = 256 << 10
PAUSE_SECONDS = 0.25


class GaveUpError(Exception):
    """A request still failed at the deadline."""


class Sender:
    """One case and one file on its way into it.

    Attributes:
        acknowledged: The largest offset that was ever acknowledged.
        receded: Bytes by which an acknowledged offset was ever taken back.
    """

    def __init__(self, url: str, token: str, content: bytes, *, patience_seconds: float) -> None:
        """Send `content` to the instance at `url`; give up after so many seconds."""
        self.sha256 = hashlib.sha256(content).hexdigest()
        self.acknowledged = 0
        self.receded = 0
        self._content = content
        self._deadline = time.monotonic() + patience_seconds
        headers = {"Authorization": f"Bearer {token}", "Tus-Resumable": "1.0.0"}
        self.http = httpx.Client(base_url=f"{url}/api/v1", headers=headers, timeout=20)

    def begin(self, case_id: str, filename: str) -> None:
        """Create a case and the upload of the file."""
        name = base64.b64encode(filename.encode()).decode()
        headers = {"Upload-Length": str(len(self._content)), "Upload-Metadata": f"filename {name}"}
        made = self.http.post(f"/cases/{case_id}/uploads", headers=headers)
        made.raise_for_status()
        self.location = made.headers["Location"].removeprefix("/api/v1")

    def send(self, before_piece: Callable[[int], None]) -> None:
        """Send all of it; `before_piece` hears each offset first.

        Raises:
            GaveUpError: It was not taken in time.
        """
        offset = 0
        while offset < len(self._content):
            before_piece(offset)
            piece = self._content[offset : offset + PIECE_BYTES]
            headers = {"Upload-Offset": str(offset), "Content-Type": "application/offset+octet-stream"}
            try:
                answer = self.http.patch(self.location, content=piece, headers=headers)
            except httpx.TransportError:
                answer = None
            if answer is not None and answer.status_code == 204:
                offset = int(answer.headers["Upload-Offset"])
            elif answer is None or answer.status_code in AGAIN:
                offset = self.offset()
            else:
                raise GaveUpError(f"PATCH at {offset}: {answer.status_code} {answer.text[:200]}")
            self.receded = max(self.receded, self.acknowledged - offset)
            self.acknowledged = max(self.acknowledged, offset)

    def offset(self) -> int:
        """Return the acknowledged offset, with retries."""
        return int(self.ask("HEAD", self.location).headers["Upload-Offset"])

    def ask(self, method: str, path: str, **request: Any) -> httpx.Response:
        """Return a successful response, with retries.

        Raises:
            GaveUpError: There was none in time.
        """
        failure = ""
        while time.monotonic() < self._deadline:
            try:
                answer = self.http.request(method, path, **request)
            except httpx.TransportError as error:
                failure = repr(error)
            else:
                if answer.is_success:
                    return answer
                failure = f"{answer.status_code} {answer.text[:200]}"
                if answer.status_code not in AGAIN and answer.status_code != 500:
                    break
            time.sleep(PAUSE_SECONDS)
        raise GaveUpError(f"{method} {path}: {failure}")
