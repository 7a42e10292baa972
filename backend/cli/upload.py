"""`casebook upload`: files to a service, in pieces, over a line that breaks.

$ casebook upload perf.script sosreport-db7.tar.xz
http://casebook.internal/cases/12
perf.script: 312 of 900 MB, 4.1 MB/s, 2 min 23 s left
"""

from __future__ import annotations

import sys
from pathlib import Path

import click

INTERRUPTED = 1
REFUSED = 3


@click.command("upload")
@click.argument(
    "paths",
    metavar="PATH...",
    nargs=-1,
    required=True,
    type=click.Path(exists=True, readable=True, path_type=Path),
)
@click.option("--case", "case", metavar="N", help="Number or UUID of the case; default: a new one.")
@click.option(
    "--url",
    envvar="CASEBOOK_URL",
    default="http://127.0.0.1:8765",
    show_default=True,
    show_envvar=True,
    help="The service.",
)
@click.option("--token", envvar="CASEBOOK_TOKEN", required=True, show_envvar=True, help="A bearer token.")
@click.option("--new", "anew", is_flag=True, help="Begin anew instead of going on with what was interrupted.")
@click.option(
    "--patience",
    type=click.FloatRange(min=0),
    default=300.0,
    show_default=True,
    help="Seconds without a byte getting through before it gives up.",
)
def command(
    paths: tuple[Path, ...], case: str | None, url: str, token: str, patience: float, *, anew: bool
) -> None:
    """Send evidence to a service, and print the page of its case at once.

    PATH is a file or a directory; files of a directory count as captured at their path below it. Small files
    are sent first. When the line breaks it is tried again; when the command is interrupted, the same command
    goes on where it was. A token made for one case sends to that case and is told nothing of it.

    Ends with 0 when all is sent; 1 when it was interrupted, 2 when it was called wrongly, 3 when the
    service refused.
    """
    from backend.cli import sending, upload_state  # noqa: PLC0415 - keeps `casebook --help` fast

    is_drop = token.startswith("cbk_c_")
    if is_drop and case:
        raise click.UsageError("this token is for one case and sends there; leave --case out")
    files = sending.files_below(paths)
    if not files:
        raise click.UsageError("there is no file below " + ", ".join(str(path) for path in paths))
    door = "drop" if is_drop else case or ""
    roots = [path.absolute() for path in paths]
    try:
        with upload_state.state_of(url.rstrip("/"), door, roots, anew=anew) as state:
            sending.Send(url.rstrip("/"), token, case, state, patience_seconds=patience).all(files)
    except upload_state.AlreadyRunningError as error:
        raise click.ClickException(str(error)) from None
    except sending.RefusedError as error:
        click.echo(f"Error: {error}", err=True)
        sys.exit(REFUSED)
    except sending.UnreachableError as error:
        click.echo(f"Error: {error}; the same command goes on where this one stopped", err=True)
        sys.exit(INTERRUPTED)
    except KeyboardInterrupt:
        click.echo("\ninterrupted; the same command goes on where this one stopped", err=True)
        sys.exit(INTERRUPTED)
