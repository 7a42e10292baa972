"""`casebook api`: the web application alone, on an address or on a socket that somebody else opened."""

from __future__ import annotations

import socket

import click


@click.command("api")
@click.option("--host", help="Address to listen on; default: CASEBOOK_HOST.")
@click.option("--port", type=click.IntRange(0, 65535), help="Port to listen on; default: CASEBOOK_PORT.")
@click.option("--fd", type=int, help="Listen on this inherited socket instead.")
def command(host: str | None, port: int | None, fd: int | None) -> None:
    """Run the web application until told to stop."""
    import uvicorn  # noqa: PLC0415 - keeps `casebook --help` fast

    from backend.app import create_app  # noqa: PLC0415 - same
    from backend.core import server  # noqa: PLC0415 - same
    from backend.core.settings import load_settings  # noqa: PLC0415 - same

    settings = load_settings()
    listener = socket.socket(fileno=fd) if fd is not None else None
    config = server.config(
        create_app(settings),
        host=host or settings.host,
        port=settings.port if port is None else port,
        log_level=settings.log_level.lower(),
        access_log=settings.log_level == "DEBUG",
        timeout_graceful_shutdown=3,
    )
    uvicorn.Server(config).run(sockets=[listener] if listener is not None else None)
