"""One HTTP call to a receiver, and what its answer means."""

from __future__ import annotations

import re
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from backend.core import ssrf_guard
from backend.core.version import VERSION

if TYPE_CHECKING:
    from collections.abc import Mapping

    from backend.core.settings import Settings

STEP_SECONDS, TOTAL_SECONDS = 10.0, 15.0
HEAD_BYTES, HEAD_CHARACTERS = 16_384, 1024
GONE, TOO_MANY, UNAVAILABLE = 410, 429, 503
MOST_WAIT_SECONDS = 3600.0


@dataclass(frozen=True, slots=True)
class Answer:
    """Result of a call.

    Attributes:
        status: HTTP status; None without a response.
        head: The beginning of the body.
        error: Why it counts as failed, one sentence; "" when it was delivered.
        wait_seconds: How long the receiver asks to wait; 0 for nothing.
        duration_ms: Duration.
        reference: Name of the message at the receiver, by which it is changed later; "" for none.
    """

    status: int | None
    head: str
    error: str
    wait_seconds: float = 0.0
    duration_ms: int = 0
    reference: str = ""

    @property
    def is_gone(self) -> bool:
        """Whether the receiver says that it wants no more."""
        return self.status == GONE


def call(
    settings: Settings, url: str, body: bytes, headers: Mapping[str, str], *, method: str = "POST"
) -> Answer:
    """Call `url` once with JSON; never raises for what a receiver does. Redirects are not followed."""
    began = time.monotonic()
    status, head, wait = None, "", 0.0
    sent = {
        "Content-Type": "application/json",
        "User-Agent": f"Casebook/{VERSION}",
        "Accept-Encoding": "identity",
        **headers,
    }
    try:
        with (
            ssrf_guard.client(settings, timeout_seconds=STEP_SECONDS, total_seconds=TOTAL_SECONDS) as client,
            client.stream(method, url, content=body, headers=sent) as response,
        ):
            status, wait = response.status_code, _wait(response.headers.get("Retry-After", ""))
            content = b""
            for part in response.iter_raw():
                content += part
                if len(content) >= HEAD_BYTES:
                    break
            head = content[:HEAD_BYTES].decode("utf-8", "replace")
        error = _error(status)
    except (ssrf_guard.CallError, ssrf_guard.InvalidUrlError, ValueError, OSError) as failure:
        # A receiver that answered and then broke off may have done its work: its status decides.
        error = _error(status) if status is not None else f"no answer: {failure or type(failure).__name__}"
    wait = wait if status in {TOO_MANY, UNAVAILABLE} else 0.0
    return Answer(status, head, error, wait, int((time.monotonic() - began) * 1000))


def number_in(head: str) -> int | None:
    """Return the first `number` of a JSON object whose end was cut off."""
    found = re.search(r'"number":\s*(\d{1,12})', head)
    return int(found[1]) if found else None


def _error(status: int) -> str:
    if 200 <= status < 300:
        return ""
    if 300 <= status < 400:
        return f"the answer was {status}: redirects are not followed"
    return f"the answer was {status}"


def _wait(text: str) -> float:
    """Return the seconds of `Retry-After`; 0 for none or a date."""
    is_seconds = text.isascii() and text.isdigit() and len(text) < 10
    return min(float(text), MOST_WAIT_SECONDS) if is_seconds else 0.0
