"""`casebook api`: the web application alone, on an address or an inherited socket.

Without `--fd` this process listens and supervises `CASEBOOK_API_PROCESSES` server processes, restarting any
that exits. With `--fd` it serves by itself.
"""

from __future__ import annotations

import signal
import socket
import subprocess
import threading
import time
from typing import TYPE_CHECKING

import click

from cli import PROGRAM

if TYPE_CHECKING:
    from backend.core.settings import Settings

LOOK_SECONDS = 0.2
RESTART_SECONDS = 1.0
STOP_SECONDS = 10.0
GRACEFUL_SECONDS = 3


@click.command("api")
@click.option("--host", help="Address to listen on; default: CASEBOOK_HOST.")
@click.option("--port", type=click.IntRange(0, 65535), help="Port to listen on; default: CASEBOOK_PORT.")
@click.option("--fd", type=int, help="Listen on this inherited socket instead, in one process.")
def command(host: str | None, port: int | None, fd: int | None) -> None:
    """Run the web application until stopped."""
    stopped = threading.Event()
    # As PID 1 of a container, a signal without a handler would be ignored.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stopped.set())

    from backend.core import layout  # noqa: PLC0415 - keeps `casebook --help` fast
    from backend.core.db.migrate import require_known_database  # noqa: PLC0415 - same
    from backend.core.errors import SettingsError  # noqa: PLC0415 - same
    from backend.core.settings_environment import load_settings  # noqa: PLC0415 - same

    settings = load_settings()
    layout.make_files_private(settings.data_dir)
    if fd is not None:
        _serve(settings, socket.socket(fileno=fd))
        return
    try:
        require_known_database(settings)
        listener = open_listener(host or settings.host, settings.port if port is None else port)
    except SettingsError as error:
        raise click.ClickException(str(error)) from None
    if settings.api_processes == 1:
        _serve(settings, listener)
    else:
        _keep_serving(listener, settings.api_processes, stopped)


def open_listener(host: str, port: int) -> socket.socket:
    """Return a listening socket, open across restarts, so no connection is refused.

    Raises:
        SettingsError: The address cannot be bound.
    """
    from backend.core.errors import SettingsError  # noqa: PLC0415 - same
    from backend.core.http.server import BACKLOG  # noqa: PLC0415 - same

    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
    except OSError as error:
        listener.close()
        raise SettingsError(
            f"cannot listen on {host} port {port}: {error.strerror}; "
            "choose another with --port, or --port 0 for a free one"
        ) from None
    listener.listen(BACKLOG)
    return listener


def _serve(settings: Settings, listener: socket.socket) -> None:
    """Serve in this process until SIGINT or SIGTERM."""
    from backend.app import create_app  # noqa: PLC0415 - same
    from backend.core.http import server  # noqa: PLC0415 - same
    from backend.core.logs import setup  # noqa: PLC0415 - same
    from backend.sandbox import fork_server  # noqa: PLC0415 - same

    setup.install(settings)
    server.prepare_process()
    app = create_app(settings)
    # The first view need not wait until a process has imported the engine.
    app.state.forks.prepare()
    config = server.config(
        app,
        log_config=None,
        access_log=settings.log_level == "DEBUG",
        timeout_graceful_shutdown=GRACEFUL_SECONDS,
    )
    serving = server.Server(
        config, on_started=server.freeze_objects, end_streams=app.state.events.end_streams
    )
    try:
        serving.run(sockets=[listener])
    finally:
        fork_server.close()


def _keep_serving(listener: socket.socket, count: int, stopped: threading.Event) -> None:
    """Supervise `count` processes serving `listener` until stopped."""
    from backend.core.supervisor.processes import end_with_parent  # noqa: PLC0415 - same

    descriptor = listener.fileno()
    command = [*PROGRAM, "api", "--fd", str(descriptor)]

    def start() -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            command,
            pass_fds=[descriptor],
            preexec_fn=end_with_parent,  # noqa: PLW1509 - this process has one thread
        )

    children = [start() for _ in range(count)]
    while not stopped.wait(LOOK_SECONDS):
        for at, child in enumerate(children):
            if child.poll() is not None and not stopped.wait(RESTART_SECONDS):
                click.echo(
                    f"a process of the API ended (status {child.returncode}); starting another", err=True
                )
                children[at] = start()
    for child in children:
        child.terminate()
    deadline = time.monotonic() + STOP_SECONDS
    for child in children:
        try:
            child.wait(max(0.0, deadline - time.monotonic()))
        except subprocess.TimeoutExpired:
            child.kill()
            child.wait()
