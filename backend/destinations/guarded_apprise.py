"""Apprise in a process of its own, whose every connection goes to a checked address.

Apprise brings HTTP and mail clients that resolve names themselves. The child replaces the connection of all
sockets (`backend.destinations.apprise_child`), so a name that rebinds, or a redirect, leads nowhere else.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from typing import TYPE_CHECKING

from backend.core import ssrf_guard
from backend.destinations.calls import Answer

if TYPE_CHECKING:
    from backend.core.settings import Settings

CHILD = "backend.destinations.apprise_child"
SECONDS = 30.0
PASSED_ON = ("PATH", "LANG", "SSL_CERT_FILE", "SSL_CERT_DIR", "REQUESTS_CA_BUNDLE", "PYTHONPATH")


def notify(settings: Settings, url: str, title: str, body: str) -> Answer:
    """Send a message to the service that `url` names; never raises for what it does."""
    began = time.monotonic()
    asked = {"url": url, "title": title, "body": body, "allowed": ssrf_guard.allowed_networks(settings)}
    environment = {name: os.environ[name] for name in PASSED_ON if name in os.environ}
    try:
        done = subprocess.run(
            [sys.executable, "-P", "-m", CHILD],
            input=json.dumps(asked),
            env=environment,
            capture_output=True,
            text=True,
            timeout=SECONDS,
            check=False,
        )
        error = "" if done.returncode == 0 else _last_line(done.stdout) or "the service did not take it"
    except subprocess.TimeoutExpired:
        error = f"no answer within {SECONDS:.0f} s"
    return Answer(None, "", error, 0.0, int((time.monotonic() - began) * 1000))


def _last_line(text: str) -> str:
    lines = text.strip().splitlines()
    return lines[-1][:300] if lines else ""
