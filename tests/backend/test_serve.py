"""`casebook serve`: one command, one URL, and no data lost when it is killed."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import stat
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import httpx
import pytest
from click.testing import CliRunner

from backend.core.settings import Settings
from backend.core.supervisor.processes import start_ticks
from cli import COMMANDS, main
from tests.waiting import until

if TYPE_CHECKING:
    from collections.abc import Iterator

SIGN_IN = re.compile(r"(http://127\.0\.0\.1:\d+)/sign-in\?token=(\S+)")


class Service:
    """One running `casebook serve`."""

    def __init__(self, data_dir: Path) -> None:
        self.data_dir = data_dir
        self.process = subprocess.Popen(
            [sys.executable, "-m", "cli", "serve", "--port", "0", "--data-dir", str(data_dir)],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env={**os.environ, "CASEBOOK_REAPER_SECONDS": "1"},
        )
        self.said = ""
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.said += line
            found = SIGN_IN.search(line)
            if found:
                self.url, self.token = found.groups()
                return
        raise AssertionError(self.said)

    def new_token(self) -> str:
        more = CliRunner().invoke(main, ["sign-in", "--data-dir", str(self.data_dir)])
        found = SIGN_IN.match(more.output)
        assert found, more.output
        assert found[1] == self.url
        return found[2]

    @contextmanager
    def sign_in(self, token: str = "") -> Iterator[httpx.Client]:
        with httpx.Client(base_url=f"{self.url}/api/v1") as client:
            answer = client.post("/session", json={"token": token or self.new_token()})
            assert answer.status_code == 200, answer.text
            yield client

    def pids(self) -> dict[str, int]:
        noted = json.loads((Settings(data_dir=self.data_dir).run_dir / "processes.json").read_text())
        return {row["name"]: row["pid"] for row in noted["processes"]}

    def end(self, how: signal.Signals) -> int:
        if self.process.poll() is None:
            self.process.send_signal(how)
        assert self.process.stdout is not None
        self.process.stdout.read()
        self.process.stdout.close()
        return self.process.wait(300)


@pytest.fixture(scope="module")
def data_dir(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("service")


@pytest.fixture(scope="module")
def services() -> Iterator[list[Service]]:
    started: list[Service] = []
    yield started
    for service in started:
        if service.process.poll() is None:
            service.end(signal.SIGTERM)


@pytest.fixture(scope="module")
def service(services: list[Service], data_dir: Path) -> Service:
    """The service of this file, which its tests disturb and the last one kills."""
    return start(services, data_dir)


def is_open(path: Path) -> bool:
    """Return whether anybody but the owner may do anything with a file, directory or socket."""
    try:
        mode = path.lstat().st_mode
    except FileNotFoundError:
        return False
    return not stat.S_ISLNK(mode) and bool(mode & 0o077)


def start(services: list[Service], data_dir: Path) -> Service:
    services.append(Service(data_dir))
    return services[-1]


def test_serve_prints_one_url_that_signs_in_once(service: Service):
    assert len(SIGN_IN.findall(service.said)) == 1
    with service.sign_in(service.token) as browser:
        assert browser.get("/me").json()["is_owner"] is True
    again = httpx.post(f"{service.url}/api/v1/session", json={"token": service.token})
    assert again.status_code == 401
    assert service.new_token() != service.token
    running = service.pids()
    workers = ["worker-heavy", "worker-light", "worker-light-2"]
    assert sorted(running) == ["api", "api-2", "postgres", "reaper", "valkey", *workers]
    assert re.search(r"^sandbox of evidence: Landlock \(version \d+\), ", service.said, re.MULTILINE)
    niceness = {name: os.getpriority(os.PRIO_PROCESS, running[name]) for name in workers}
    assert niceness["worker-heavy"] > niceness["worker-light"] == niceness["worker-light-2"]


def test_killed_apis_come_back_and_refuse_no_connection(service: Service):
    before = service.pids()
    with service.sign_in() as browser:
        for name in ("api", "api-2"):
            os.kill(before[name], signal.SIGKILL)
        assert httpx.get(f"{service.url}/api/v1/health").status_code == 200
        assert browser.get("/me").status_code == 200
    until(lambda: all(service.pids()[name] != before[name] for name in ("api", "api-2")), every=0.1)


def test_a_service_whose_broker_hangs_is_not_ready_and_says_so(service: Service):
    assert ready_once(service, 200)["status"] == "ok"
    broker = service.pids()["valkey"]
    os.kill(broker, signal.SIGSTOP)
    try:
        result = ready_once(service, 503)
        alive = httpx.get(f"{service.url}/healthz")
    finally:
        os.kill(broker, signal.SIGCONT)
    assert result["status"] == "unavailable"
    assert result["components"] == {
        "database": "ok",
        "migrations": "ok",
        "broker": result["components"]["broker"],
        "store": "ok",
    }
    assert result["components"]["broker"].startswith("the broker")
    assert alive.status_code == 200
    assert ready_once(service, 200)["components"]["broker"] == "ok"


def ready_once(service: Service, status: int) -> dict[str, Any]:
    """Return what /readyz says once it answers `status`: it keeps a result for some seconds."""
    answers: list[httpx.Response] = []

    def answers_so() -> bool:
        answers.append(httpx.get(f"{service.url}/readyz"))
        return answers[-1].status_code == status

    until(answers_so, every=0.1)
    result: dict[str, Any] = answers[-1].json()
    return result


def paths_below(folder: Path) -> Iterator[Path]:
    """Yield the folder and what is in it; directories of readings go while they are listed."""
    for directory, _, files in os.walk(folder):
        yield Path(directory)
        yield from (Path(directory, name) for name in files)


def test_a_killed_service_starts_again_with_everything_it_acknowledged(
    service: Service, services: list[Service], data_dir: Path
):
    with service.sign_in() as browser:
        case = browser.post("/paste", json={"text": "main;read_file;copy_to_user 42\n"}).json()["case"]
    before = service.pids()
    assert service.end(signal.SIGKILL) == -signal.SIGKILL
    second = start(services, data_dir)
    assert [name for name, pid in before.items() if start_ticks(pid)] == []
    with second.sign_in(second.token) as browser:
        assert browser.get(f"/cases/{case['id']}").json()["number"] == case["number"]
        until(lambda: browser.get(f"/cases/{case['id']}").json()["judged"], every=0.2)
        [sandbox] = browser.get("/status").json()["sandboxes"]
        assert (sandbox["is_complete"], sandbox["files"], sandbox["missing"]) == (True, "landlock", [])
        [evidence] = browser.get(f"/cases/{case['id']}/evidence").json()["items"]
    assert (evidence["state"], evidence["line_count"]) == ("read", 1)
    assert [path for path in paths_below(data_dir) if is_open(path)] == []
    running = second.pids()
    assert second.end(signal.SIGINT) == 0
    assert [name for name, pid in running.items() if start_ticks(pid)] == []


def test_a_port_in_use_is_reported_with_a_remedy(tmp_path: Path):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        result = CliRunner().invoke(main, ["serve", "--port", str(port), "--data-dir", str(tmp_path)])
    assert result.exit_code == 1
    assert result.output == (
        f"Error: cannot listen on 127.0.0.1 port {port}: Address already in use; "
        "choose another with --port, or --port 0 for a free one\n"
    )


def test_help_imports_no_subcommand():
    taken = []
    # What disturbs on a busy machine costs processor time, too.
    while len(taken) < 10 and min(taken, default=1.0) >= 0.5:
        before = os.times()
        done = subprocess.run(
            [sys.executable, "-X", "importtime", "-m", "cli", "--help"],
            capture_output=True,
            text=True,
            check=True,
        )
        taken.append(os.times().children_user - before.children_user)
    assert min(taken) < 0.5
    assert "serve" in done.stdout
    assert not re.search(r"\b(sqlalchemy|fastapi|celery|numpy|pydantic)\b", done.stderr)


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_every_command_has_help(name: str):
    result = CliRunner().invoke(main, [name, "--help"])
    assert result.exit_code == 0, result.output
    assert result.output.startswith("Usage: ")
