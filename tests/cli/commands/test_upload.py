"""`casebook upload`: every byte once, resumable after a dropped connection or an interrupt."""

from __future__ import annotations

import hashlib
import os
import socket
import threading
from contextlib import suppress
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner
from sqlalchemy import func, select

from backend.access.actions import Scope
from backend.accounts import service as accounts
from backend.accounts import tokens
from backend.client import Client
from backend.models import Case, TokenKind
from backend.models.upload import Upload
from cli import main
from tests.backend.applications import create_app
from tests.backend.conftest import serving

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

CONTENT = hashlib.shake_256(b"any bytes").digest(6 << 20)


class Line:
    """A line to the service that is cut after so many bytes of what is sent, while `cuts` are left.

    Of the first `unheard` answers nothing gets through.
    """

    def __init__(self, port: int) -> None:
        self._port = port
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._listener.getsockname()[1]}"
        self.cuts = 0
        self.cut_after = 2 << 20
        self.unheard = 0
        threading.Thread(target=self._accept, daemon=True).start()

    def close(self) -> None:
        self._listener.close()

    def _accept(self) -> None:
        while True:
            try:
                near, _ = self._listener.accept()
            except OSError:
                return
            far = socket.create_connection(("127.0.0.1", self._port))
            threading.Thread(target=self._up, args=(near, far), daemon=True).start()
            threading.Thread(target=self._down, args=(near, far), daemon=True).start()

    def _up(self, near: socket.socket, far: socket.socket) -> None:
        passed = 0
        while piece := _received(near):
            far.sendall(piece)
            passed += len(piece)
            if self.cuts and passed > self.cut_after:
                self.cuts -= 1
                break
        _hang_up(near, far)

    def _down(self, near: socket.socket, far: socket.socket) -> None:
        while piece := _received(far):
            if self.unheard:
                self.unheard -= 1
                _hang_up(near, far)
                return
            try:
                near.sendall(piece)
            except OSError:
                return


def _hang_up(*ends: socket.socket) -> None:
    """Close both ends now: a mere `close` waits for the other thread that reads, and so would the sender."""
    for end in ends:
        with suppress(OSError):
            end.shutdown(socket.SHUT_RDWR)
        end.close()


def _received(end: socket.socket) -> bytes:
    try:
        return end.recv(1 << 16)
    except OSError:
        return b""


@pytest.fixture
def line(pipeline, tmp_path, monkeypatch) -> Iterator[Line]:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    app = create_app(pipeline.settings, sessions=pipeline.sessions, store=pipeline.store)
    with serving(app) as address:
        made = Line(int(address.rpartition(":")[2]))
        yield made
        made.close()


@pytest.fixture
def token(pipeline) -> str:
    with pipeline.sessions.begin() as session:
        return accounts.create_api_token(session, name="test")


@pytest.fixture
def folder(tmp_path) -> Path:
    root = tmp_path / "db7"
    (root / "proc").mkdir(parents=True)
    (root / "proc" / "loadavg").write_text("0.10 0.20 0.30 1/200 4242\n")
    (root / "noise.bin").write_bytes(CONTENT)
    return root


def upload(line: Line, token: str, *words: str | Path):
    environment = {"CASEBOOK_URL": line.url, "CASEBOOK_TOKEN": token}
    return CliRunner().invoke(main, ["upload", *map(str, words)], env=environment)


def evidence(line: Line, token: str, case: str) -> dict[str, str]:
    with Client(line.url, token=token) as casebook:
        return {one.captured_path or one.filename: one.sha256 for one in casebook.evidence(int(case))}


def states(tmp_path: Path) -> list[Path]:
    return list((tmp_path / "state" / "casebook" / "uploads").glob("*.json"))


def sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def test_a_folder_becomes_a_case_of_its_name_whose_page_is_printed(line, token, folder, pipeline, tmp_path):
    sent = upload(line, token, folder)
    assert sent.exit_code == 0, sent.output
    page = sent.stdout.strip()
    pipeline.wait_idle()
    case = page.rpartition("/cases/")[2]
    assert evidence(line, token, case) == {
        "proc/loadavg": sha256(b"0.10 0.20 0.30 1/200 4242\n"),
        "noise.bin": sha256(CONTENT),
    }
    with Client(line.url, token=token) as casebook:
        assert casebook.case(int(case)).title == "db7"
    assert states(tmp_path) == []


def test_a_broken_connection_loses_no_bytes(line, token, folder, pipeline):
    line.cuts = 2
    sent = upload(line, token, folder / "noise.bin")
    assert (sent.exit_code, line.cuts) == (0, 0)
    pipeline.wait_idle()
    assert evidence(line, token, sent.stdout.strip().rpartition("/")[2]) == {"noise.bin": sha256(CONTENT)}


def test_a_lost_response_creates_no_second_case(line, token, folder):
    with Client(line.url, token=token) as casebook:
        before = max((one.number for one in casebook.cases()), default=0)
        line.unheard = 2
        sent = upload(line, token, folder / "proc", "--name", "asked twice")
        assert (sent.exit_code, line.unheard) == (0, 0), sent.output
        made = [one for one in casebook.cases(q="asked twice") if one.number > before]
    assert [f"/cases/{one.number}" for one in made] == [f"/cases/{sent.stdout.strip().rpartition('/')[2]}"]


def test_small_files_share_requests_and_each_is_evidence_once(line, token, pipeline, tmp_path):
    root = tmp_path / "small"
    (root / "proc").mkdir(parents=True)
    for pid in range(40):
        (root / "proc" / f"{pid}").write_text(f"0.{pid} 0.20 0.30 1/200 4242\n")
    line.unheard = 1
    sent = upload(line, token, root, "--phase", "before", "--host", "db7")
    assert (sent.exit_code, line.unheard) == (0, 0), sent.output
    pipeline.wait_idle()
    case = int(sent.stdout.strip().rpartition("/")[2])
    with Client(line.url, token=token) as casebook:
        received = casebook.evidence(case)
    assert sorted(one.captured_path for one in received) == sorted(f"proc/{pid}" for pid in range(40))
    assert {(one.host, one.phase) for one in received} == {("db7", "before")}
    with pipeline.sessions() as session:
        assert session.scalar(select(func.count()).where(Upload.case_id == received[0].case_id)) == 0


def test_of_files_refused_together_all_but_the_refused_one_are_kept(pipeline, token, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    root = tmp_path / "mixed"
    root.mkdir()
    contents = {f"load{at}": f"0.{at} 0.20 0.30 1/200 4242\n".encode() for at in range(5)}
    for name, content in {**contents, "too-large": b"x" * 2000}.items():
        (root / name).write_bytes(content)
    settings = pipeline.settings.model_copy(update={"max_evidence_bytes": 1000})
    with serving(create_app(settings, sessions=pipeline.sessions, store=pipeline.store)) as address:
        sent = upload(Line(int(address.rpartition(":")[2])), token, root)
        assert sent.exit_code == 3
        assert "too-large: " in sent.stderr
        pipeline.wait_idle()
        case = sent.stdout.strip().rpartition("/")[2]
        with Client(address, token=token) as casebook:
            kept = {one.filename: one.sha256 for one in casebook.evidence(int(case))}
    assert kept == {name: sha256(content) for name, content in contents.items()}


def test_an_interrupted_upload_resumes_with_the_same_command(line, token, folder, pipeline, tmp_path):
    line.cuts = 1 << 30
    broken = upload(line, token, folder, "--patience", "0")
    assert broken.exit_code == 7
    assert "the same command goes on" in broken.stderr
    (state,) = states(tmp_path)
    assert token not in state.read_text()
    assert state.stat().st_mode & 0o077 == 0
    line.cuts = 0
    again = upload(line, token, folder)
    assert again.exit_code == 0, again.output
    assert "1 of 2 files are already uploaded" in again.stderr
    assert again.stdout == broken.stdout
    pipeline.wait_idle()
    assert set(evidence(line, token, again.stdout.strip().rpartition("/")[2])) == {
        "proc/loadavg",
        "noise.bin",
    }
    assert states(tmp_path) == []


def test_a_file_that_changed_meanwhile_is_sent_from_its_start(line, token, folder, pipeline):
    line.cuts = 1 << 30
    broken = upload(line, token, folder / "noise.bin", "--patience", "0")
    other = CONTENT[::-1]
    (folder / "noise.bin").write_bytes(other)
    os.utime(folder / "noise.bin", (1, 1))
    line.cuts = 0
    again = upload(line, token, folder / "noise.bin")
    assert again.exit_code == 0, again.output
    pipeline.wait_idle()
    case = broken.stdout.strip().rpartition("/")[2]
    assert evidence(line, token, case) == {"noise.bin": sha256(other)}


def test_a_case_token_uploads_and_prints_no_url(line, token, folder, pipeline):
    with Client(line.url, token=token) as casebook:
        case = casebook.create_case("x")
    with pipeline.sessions.begin() as session:
        owner = session.get_one(Case, case.id).owner_id
        _, secret = tokens.make(
            session,
            owner,
            kind=TokenKind.CASE,
            name="db7",
            scopes=[Scope.DROP],
            lifetime=None,
            case_id=case.id,
        )
    sent = upload(line, secret, folder)
    assert (sent.exit_code, sent.stdout) == (0, ""), sent.output
    pipeline.wait_idle()
    assert len(evidence(line, token, str(case.number))) == 2
    assert upload(line, secret, folder, "--case", str(case.number)).exit_code == 2


def test_a_refused_file_is_reported_and_exits_with_3(line, token, folder):
    absent = upload(line, token, folder, "--case", "999999")
    assert absent.exit_code == 3
    assert "there is no case 999999" in absent.stderr
    assert upload(line, "cbk_p_wrong", folder).exit_code == 3


def test_usage_errors_exit_with_2(line, token, tmp_path):
    (tmp_path / "empty").mkdir()
    assert upload(line, token, tmp_path / "none").exit_code == 2
    assert upload(line, token, tmp_path / "empty").exit_code == 2
    assert upload(line, "", tmp_path).exit_code == 2
