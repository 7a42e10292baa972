"""The receiver of docs/webhooks.md, as it stands there, takes what is sent."""

from __future__ import annotations

import os
import re
import socket
import subprocess
import sys
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

import httpx

from backend.core.settings_environment import load_settings
from backend.destinations import sending, signing
from backend.destinations.schemas import CaseOfEvent, EventData, Message, as_json
from backend.models.base import uuid7
from tests.reserved_port import reserved_port
from tests.waiting import until

PAGE = Path(__file__).parents[3] / "docs/webhooks.md"
EXAMPLE = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def is_open(port: int) -> bool:
    with suppress(OSError), socket.create_connection(("127.0.0.1", port)):
        return True
    return False


def message() -> bytes:
    url = "https://cases.example/cases/7"
    case = CaseOfEvent(id=uuid7(), number=7, headline="db7", status="mitigated", severity=None, url=url)
    data = EventData(event=812, actor="ada", changed=[], case=case)
    return as_json(Message(type="case.created", timestamp=datetime.now(UTC), data=data)).encode()


def test_the_receiver_of_the_guide_verifies_and_drops_repetitions():
    (example,) = EXAMPLE.findall(PAGE.read_text())
    settings = load_settings(outgoing_allow="127.0.0.1/32", seal_key="5e" * 32)
    row_id, secrets = uuid7(), signing.Secrets(signing.mint())
    with reserved_port() as port:
        url = f"http://127.0.0.1:{port}/"
        call = sending.Call(row_id, uuid7(), url, signing.seal(settings, row_id, secrets), message())
        environment = os.environ | {"WEBHOOK_SECRET": secrets.secret, "PORT": str(port)}
        command = [sys.executable, "-c", example]
        with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as receiver:
            try:
                until(lambda: is_open(port))
                assert [sending.send(settings, call).status for _ in range(2)] == [204, 204]
                assert httpx.post(url, content=b"{}").status_code == 401
            finally:
                receiver.terminate()
            assert receiver.stdout is not None
            assert receiver.stdout.read().splitlines() == ["case.created https://cases.example/cases/7"]
