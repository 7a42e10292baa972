"""`casebook serve`: the whole service on this machine, in one terminal.

$ casebook serve
sandbox of evidence: Landlock (version 7), network namespace, seccomp, no privileges, limits
starting PostgreSQL
starting Valkey
preparing the database
starting the service

Casebook is ready. Sign in:

    http://127.0.0.1:8765/sign-in?token=q0Xk…

Stop with Ctrl-C. Logs: /home/me/var/log
"""

from __future__ import annotations

from pathlib import Path

import click

from backend.core.errors import SettingsError


@click.command("serve")
@click.option(
    "--port",
    metavar="N",
    type=click.IntRange(0, 65535),
    help="Port; 0: a free one. Default: CASEBOOK_PORT, 8765.",
)
@click.option("--host", metavar="ADDRESS", help="Address to listen on. Default: CASEBOOK_HOST, 127.0.0.1.")
@click.option(
    "--data-dir", type=click.Path(file_okay=False, path_type=Path), help="Default: CASEBOOK_DATA_DIR, ./var."
)
@click.option("--with-parent", is_flag=True, hidden=True, help="Stop when the parent process exits.")
def command(port: int | None, host: str | None, data_dir: Path | None, *, with_parent: bool) -> None:
    """Run the whole service on this machine and print a URL to sign in."""
    from backend.core.settings_environment import load_settings  # noqa: PLC0415 - keeps `casebook --help` fast
    from backend.core.supervisor.processes import end_with_parent  # noqa: PLC0415 - same
    from cli.service.local_service import serve  # noqa: PLC0415 - same

    if with_parent:
        end_with_parent()

    options = {"port": port, "host": host, "data_dir": data_dir}
    try:
        serve(load_settings(**{name: value for name, value in options.items() if value is not None}))
    except SettingsError as error:
        raise click.ClickException(str(error)) from None
