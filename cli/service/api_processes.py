"""Processes of the web application: one that serves a socket, or several with a supervisor.

The supervisor opens the socket, so that connections wait while a process is started again.
"""

from __future__ import annotations

import os
import socket
import subprocess
import tempfile
import time
from typing import TYPE_CHECKING

import click

from backend.core import layout
from cli import PROGRAM

if TYPE_CHECKING:
    import threading

    from backend.core.settings import Settings

LOOK_SECONDS = 0.2
RESTART_SECONDS = 1.0
STOP_SECONDS = 10.0
GRACEFUL_SECONDS = 3


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


def serve_here(settings: Settings, listener: socket.socket) -> None:
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


def keep_serving(listener: socket.socket, count: int, stopped: threading.Event) -> None:
    """Supervise `count` processes serving `listener` until stopped."""
    from backend.core.supervisor.processes import end_with_parent  # noqa: PLC0415 - same

    descriptor = listener.fileno()
    command = [*PROGRAM, "api", "--fd", str(descriptor)]
    with tempfile.TemporaryDirectory(prefix="casebook-metrics-") as metrics:
        environment = {**os.environ, layout.SHARED_METRICS: metrics}

        def start() -> subprocess.Popen[bytes]:
            return subprocess.Popen(
                command,
                env=environment,
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
        _stop(children)


def _stop(children: list[subprocess.Popen[bytes]]) -> None:
    for child in children:
        child.terminate()
    deadline = time.monotonic() + STOP_SECONDS
    for child in children:
        try:
            child.wait(max(0.0, deadline - time.monotonic()))
        except subprocess.TimeoutExpired:
            child.kill()
            child.wait()
