"""The whole service on this machine: its servers, its processes, the first sign-in.

The database is prepared before any process starts; the supervisor restarts what exits.
"""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING, Any

import click

from backend.core import layout
from backend.core.errors import SettingsError
from cli import PROGRAM
from cli.service.api_processes import open_listener
from cli.service.running import address_path

if TYPE_CHECKING:
    import socket
    from collections.abc import Iterator

    from backend.core.settings import Settings
    from backend.core.supervisor.processes import Child, Program
    from backend.core.supervisor.supervisor import Supervisor
    from backend.core.supervisor.template import Template

READY_SECONDS = 300.0
API = "api"
DEATHS = 3
"""Give up after this many exits of the API; a live one gets the start-up time of a busy machine."""
HEAVY_NICENESS = 10
SHARED_MODULES = ("backend.app", "backend.worker", "backend.core.http.server", "backend.operations.reaper")
"""Imported once for all our processes."""


def serve(settings: Settings) -> None:
    """Start all processes, print the URL, and supervise until SIGINT or SIGTERM.

    Raises:
        SettingsError: A process cannot start with these settings.
    """
    from backend.core.db.migrate import upgrade  # noqa: PLC0415 - same
    from backend.core.supervisor.supervisor import Supervisor  # noqa: PLC0415 - same
    from backend.core.supervisor.template import Template  # noqa: PLC0415 - same
    from backend.library.index import fill  # noqa: PLC0415 - same
    from backend.sandbox import availability, fork_server  # noqa: PLC0415 - same
    from backend.stories import publishing  # noqa: PLC0415 - same

    layout.make_files_private(settings.data_dir)
    listener = open_listener(settings.host, settings.port)
    layers = availability.require(settings)
    fork_server.close()
    _say(f"sandbox of evidence: {layers.describe()}")
    template = Template(SHARED_MODULES, _environment(settings))
    with listener, Supervisor(settings, say=_say, template=template) as supervisor:
        supervisor.stop_on_signals()
        supervisor.open_servers()
        layout.empty_metrics_dir(settings.data_dir)
        _say("preparing the database")
        # What survived an earlier start can reach an embedded database only.
        upgrade(settings, renews=settings.embeds_database)
        fill(settings)
        publishing.fill(settings)
        _fill(settings)
        _say("starting the service")
        children = supervisor.start(programs(settings, listener, template))
        url = settings.public_url or _url(listener)
        address_path(settings).write_text(url, encoding="utf-8")
        if _wait_ready(supervisor, listener, children[0]):
            _say(f"\nCasebook is ready. Sign in:\n\n    {url}/sign-in?token={_sign_in_token(settings)}\n")
            _say(f"Stop with Ctrl-C. Logs: {settings.log_dir}")
            supervisor.watch()
        _say("stopping")


def programs(settings: Settings, listener: socket.socket, template: Template) -> list[Program]:
    """Return our processes, forks of `template`: API, workers by queue, reaper."""
    from backend.core.supervisor.processes import Program  # noqa: PLC0415 - same

    def ours(name: str, *arguments: str, **details: Any) -> Program:
        command = [*PROGRAM, *arguments]
        return Program(name=name, command=command, template=template, **details)

    return [
        *(
            ours(name, "api", "--fd", str(listener.fileno()), fds=(listener.fileno(),))
            for name in api_names(settings)
        ),
        *(ours(name, *arguments) for name, arguments in _workers(settings)),
        ours("reaper", "reap"),
    ]


def api_names(settings: Settings) -> list[str]:
    """Return the names of the API processes: `api`, `api-2`, `api-3` and so on."""
    return [API, *(f"{API}-{number}" for number in range(2, settings.api_processes + 1))]


def _workers(settings: Settings) -> Iterator[tuple[str, list[str]]]:
    """Yield name and arguments of each worker; heavy ones run at a lower priority."""
    for queue, niceness in (("light", 0), ("heavy", HEAVY_NICENESS)):
        for number in range(1, settings.workers_of(queue) + 1):
            name = queue if number == 1 else f"{queue}-{number}"
            yield f"worker-{name}", ["worker", "--queues", queue, "--name", name, "--nice", str(niceness)]


def _environment(settings: Settings) -> dict[str, str]:
    """Return the environment of the children: settings given as options, and where they count requests."""
    return {
        "CASEBOOK_DATA_DIR": str(settings.data_dir),
        "CASEBOOK_HOST": settings.host,
        "CASEBOOK_PORT": str(settings.port),
        layout.SHARED_METRICS: str(layout.metrics_dir(settings.data_dir)),
    }


def _url(listener: socket.socket) -> str:
    host, port = listener.getsockname()[:2]
    host = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(host, f"[{host}]" if ":" in host else host)  # noqa: S104 - for display, not bound
    return f"http://{host}:{port}"


def _wait_ready(supervisor: Supervisor, listener: socket.socket, api: Child) -> bool:
    """Wait until the API is ready; False when stopped before.

    Raises:
        SettingsError: It did not start in time or exited repeatedly; the message has the end of its log.
    """
    import httpx  # noqa: PLC0415 - same

    deadline = time.monotonic() + READY_SECONDS
    died: set[int] = set()
    while not supervisor.is_stopping:
        try:
            if httpx.get(f"{_url(listener)}/api/v1/health", timeout=2.0, trust_env=False).is_success:
                return True
        except httpx.HTTPError:
            pass
        if not api.is_alive:
            died.add(api.pid)
        if len(died) >= DEATHS or time.monotonic() > deadline:
            raise SettingsError(f"the API did not start\n{api.last_lines(20)}")
        supervisor.look()
        time.sleep(0.1)
    return False


def _sign_in_token(settings: Settings) -> str:
    from backend.accounts.service import create_sign_in_token  # noqa: PLC0415 - same
    from backend.core.sessions import create_sessions  # noqa: PLC0415 - same

    sessions = create_sessions(settings, pool_size=1)
    with sessions.begin() as session:
        token = create_sign_in_token(session)
    sessions.kw["bind"].dispose()
    return token


def _fill(settings: Settings) -> None:
    """Requeue jobs of killed workers, and load the sample cases into a new database."""
    from backend.core.jobs.runner import expire_all_leases  # noqa: PLC0415 - same
    from backend.core.sessions import create_sessions  # noqa: PLC0415 - same
    from backend.core.storage.object_store import Store  # noqa: PLC0415 - same
    from backend.evidence.samples import load_on_first_start  # noqa: PLC0415 - same

    sessions = create_sessions(settings, pool_size=1)
    if settings.embeds_database:
        # Workers elsewhere cannot reach this database, and local ones exited before we could start.
        expire_all_leases(sessions)
    with sessions.begin() as session:
        if load_on_first_start(session, Store.open(settings), settings):
            _say("loading the sample cases")
    sessions.kw["bind"].dispose()


def _say(text: str) -> None:
    click.echo(text)
    sys.stdout.flush()
