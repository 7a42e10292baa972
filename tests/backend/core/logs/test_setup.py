"""No log line holds a secret, whichever logger wrote it."""

from __future__ import annotations

import contextlib
import logging
import os
import re
import secrets
import signal
import socket
import subprocess
import sys
from typing import TYPE_CHECKING

import httpx
import pytest

from backend.accounts import service as accounts
from backend.core.logs import redaction, setup
from backend.core.sessions import create_sessions
from backend.core.settings import Settings
from tests.waiting import until

if TYPE_CHECKING:
    from pathlib import Path

SECRET = secrets.token_urlsafe(32)
PLANTED = [
    f"GET /sign-in?token={SECRET} HTTP/1.1",
    f"token={SECRET}&next=/",
    f"Authorization: Bearer {SECRET}",
    f"{{'authorization': 'Basic {SECRET}='}}",
    f"(b'cookie', b'casebook_session={SECRET}; other={SECRET}')",
    f"Set-Cookie: casebook_session={SECRET}; Max-Age=1",
    f"casebook_session={SECRET}",
    f"cbk_{SECRET}",
    f"cannot connect to postgresql+psycopg://casebook:{SECRET}@database/casebook",
    f"redis://:{SECRET}@broker:6379/0",
    f'{{"client_secret": "{SECRET}", "code": "{SECRET}"}}',
]
ORDINARY = [
    "job 0190-aa (evidence.read) failed, attempt 2",
    'GET /api/v1/cases/7?q=shrink_lruvec HTTP/1.1" 200',
    "state=queued queue=light key=read:0190",
    "https://docs.kernel.org/mm/multigen_lru.html",
    "connect to postgresql://casebook@/casebook?host=%2Frun",
]


@pytest.mark.parametrize("line", PLANTED, ids=range(len(PLANTED)))
def test_secrets_are_redacted_by_their_shape(line: str):
    output = redaction.redact(line)
    assert SECRET not in output
    assert redaction.SECRET in output


@pytest.mark.parametrize("line", ORDINARY)
def test_ordinary_lines_stay_as_they_are(line: str):
    assert redaction.redact(line) == line


def test_tracebacks_are_redacted():
    formatter = setup.Redacting(("planted-password",))
    error = ValueError(f"planted-password and cbk_{SECRET}")
    record = logging.LogRecord("x", logging.ERROR, "x.py", 1, "it failed", None, (ValueError, error, None))
    output = formatter.format(record)
    assert output.endswith("ValueError: [secret] and [secret]")


def test_passwords_and_keys_of_the_settings_are_redacted_wherever_they_stand(tmp_path: Path):
    planted = {
        "database_url": f"postgresql://app:{secrets.token_hex(12)}@db/casebook",
        "broker_url": f"redis://:{secrets.token_hex(12)}@broker/0",
        "seal_key": secrets.token_hex(32),
        "oidc_client_secret": secrets.token_urlsafe(24),
    }
    words = [re.sub(r".*:(\w+)@.*", r"\1", value) for value in planted.values()]
    formatter = setup.Redacting(tuple(setup._secrets_of(Settings(data_dir=tmp_path, **planted))))
    record = logging.LogRecord("x", logging.ERROR, "x.py", 1, "sent %s", (" ".join(words),), None)
    assert formatter.format(record).endswith("sent [secret] [secret] [secret] [secret]")


def test_a_line_break_in_a_path_does_not_forge_a_record():
    forged = "/x\r\n2026-11-22 03:00:12,345 INFO casebook: signed in\x1b[2J\x9b"
    record = logging.LogRecord("x", logging.INFO, "x.py", 1, "GET %s failed", (forged,), None)
    output = setup.Redacting(()).format(record)
    assert output.endswith(r"GET /x\r\n2026-11-22 03:00:12,345 INFO casebook: signed in\x1b[2J\x9b failed")


@pytest.fixture
def planted(settings: Settings, monkeypatch) -> dict[str, str]:
    """Return what must not be found; the passwords are in the settings of every process started after."""
    found = {name: secrets.token_urlsafe(24) for name in ("password", "key", "cookie", "bearer", "typed")}
    database = settings.effective_database_url.replace("_app@", f"_app:{found['password']}@")
    monkeypatch.setenv("CASEBOOK_DATABASE_URL", database)
    monkeypatch.setenv("CASEBOOK_BROKER_URL", settings.effective_broker_url)
    monkeypatch.setenv("CASEBOOK_DATA_DIR", str(settings.data_dir))
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", found["key"])
    monkeypatch.setenv("CASEBOOK_LOG_LEVEL", "DEBUG")
    return found


@contextlib.contextmanager
def running(log: Path, *words: str, descriptor: int = -1):
    """Run a command of ours with all it writes in `log`, and stop it."""
    with log.open("wb") as stream:
        process = subprocess.Popen(
            [sys.executable, "-m", "cli", *words],
            stdout=stream,
            stderr=stream,
            pass_fds=[descriptor] if descriptor >= 0 else [],
            env=os.environ,
        )
        try:
            yield
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait(300)


def logged(log: Path, words: str) -> str:
    """Return the log once it holds `words`."""

    def output() -> str:
        return log.read_text(errors="replace")

    until(lambda: words in output(), every=0.1, output=lambda: output()[-3000:])
    return output()


def test_the_logs_of_a_real_run_hold_no_secret(settings: Settings, planted: dict[str, str], tmp_path: Path):
    sessions = create_sessions(settings, pool_size=1)
    with sessions.begin() as session:
        planted["link"] = accounts.create_sign_in_token(session)
        planted["token"] = accounts.create_api_token(session, name="logs")
    sessions.kw["bind"].dispose()

    log = tmp_path / "api.log"
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.set_inheritable(True)
        url = f"http://127.0.0.1:{listener.getsockname()[1]}"
        descriptor = listener.fileno()
        with (
            running(log, "api", "--fd", str(descriptor), descriptor=descriptor),
            httpx.Client(base_url=url, timeout=300) as web,
        ):
            web.get("/sign-in", params={"token": planted["link"], "next": "/cases/1"})
            answer = web.post("/api/v1/session", json={"token": planted["link"]})
            planted["session"] = answer.cookies["casebook_session"]
            bearer = {"Authorization": f"Bearer {planted['token']}"}
            assert web.get("/api/v1/me", headers=bearer).status_code == 200
            web.get("/api/v1/me", headers={"Authorization": f"Bearer {planted['bearer']}"})
            web.get("/api/v1/me", headers={"Cookie": f"casebook_session={planted['cookie']}"})
            web.get(f"/api/v1/cases?access_token={planted['typed']}")
            output = logged(log, "/api/v1/cases?")
    output = log.read_text()
    assert re.search(r"GET /sign-in\?token=\[secret\]&next=", output), output[-3000:]
    assert [name for name, value in planted.items() if value in output] == []


def test_the_logs_of_a_worker_hold_no_secret(planted: dict[str, str], tmp_path: Path):
    log = tmp_path / "worker.log"
    with running(log, "worker", "--queues", "light"):
        logged(log, "ready.")
    output = log.read_text()
    assert [name for name, value in planted.items() if value in output] == []


def test_a_fatal_exception_is_logged_without_secrets(planted: dict[str, str], tmp_path: Path, monkeypatch):
    log = tmp_path / "crash.log"
    nowhere = f"postgresql://casebook:{planted['password']}@/casebook?host=/nowhere&bad={planted['password']}"
    monkeypatch.setenv("CASEBOOK_DATABASE_URL", nowhere)
    with running(log, "reap"):
        output = logged(log, "Error")
    assert planted["password"] not in output
