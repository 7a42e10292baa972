"""`casebook api`: the web application alone, on an address or an inherited socket.

Without `--fd` this process listens and supervises `CASEBOOK_API_PROCESSES` server processes, restarting any
that exits. With `--fd` it serves by itself.
"""

from __future__ import annotations

import signal
import socket
import threading

import click


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
    from cli.service.api_processes import keep_serving, open_listener, serve_here  # noqa: PLC0415 - same

    settings = load_settings()
    layout.make_files_private(settings.data_dir)
    if fd is not None:
        serve_here(settings, socket.socket(fileno=fd))
        return
    try:
        require_known_database(settings)
        listener = open_listener(host or settings.host, settings.port if port is None else port)
    except SettingsError as error:
        raise click.ClickException(str(error)) from None
    if settings.api_processes == 1:
        serve_here(settings, listener)
    else:
        keep_serving(listener, settings.api_processes, stopped)
