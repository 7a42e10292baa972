"""`casebook upload`: files to a service, in pieces, over a line that breaks; and what they show, for a build.

$ casebook upload perf.script sosreport-db7.tar.xz
http://casebook.internal/cases/12
perf.script: 312 of 900 MB, 4.1 MB/s, 2 min 23 s left

$ casebook upload perf.script --wait --fail-on 'severity>=high' -o casebook.xml -o -
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from backend.cli import exits
from backend.cli.arguments import fail_on, refuse_strangers, report_files, report_format, targets
from backend.cli.output import write_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from signatures.reporting.fail_on import FailOnPolicy


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
    "--name", default="", metavar="TITLE", help="Title of the new case; default: of one directory its name."
)
@click.option("--wait", "does_wait", is_flag=True, help="Wait until it is judged, and say what was found.")
@fail_on
@report_format
@report_files
@click.option(
    "--timeout",
    type=click.FloatRange(min=1),
    default=900.0,
    show_default=True,
    help="Seconds to wait for the verdict.",
)
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
    *,
    paths: tuple[Path, ...],
    case: str | None,
    name: str,
    does_wait: bool,
    gates: Sequence[FailOnPolicy],
    shape: str | None,
    outputs: tuple[str, ...],
    timeout: float,
    url: str,
    token: str,
    anew: bool,
    patience: float,
) -> None:
    """Send evidence to a service, and print the page of its case at once.

    PATH is a file or a directory; files of a directory count as captured at their path below it. Small files
    are sent first. When the line breaks it is tried again; when the command is interrupted, the same command
    goes on where it was. A token made for one case sends to that case and is told nothing of it.

    --wait, and what needs it (--fail-on, --format, --output), prints what was found once all is read and
    judged; the page is then told on the standard error.

    Ends with 0 when all is there and nothing meets --fail-on; 1 when it was interrupted, 2 when it was called
    wrongly, 3 when the service refused, 4 when --fail-on is met, 5 when a file could not be read, 6 when the
    service failed or was not done in time, 7 when it could not be reached.
    """
    from backend.cli import sending, upload_state  # noqa: PLC0415 - keeps `casebook --help` fast
    from backend.cli.awaiting import Await, LateError  # noqa: PLC0415 - same
    from backend.cli.finding_reports import written  # noqa: PLC0415 - same
    from backend.client import Client  # noqa: PLC0415 - same

    does_wait = does_wait or bool(gates or shape or outputs)
    is_drop = token.startswith("cbk_c_")
    if is_drop and (case or name or does_wait):
        raise click.UsageError(
            "this token is for one case, sends there and may not look: leave --case, --name, --wait, "
            "--fail-on, --format and --output out"
        )
    if case and name:
        raise click.UsageError("--name is the title of a new case; leave it or --case out")
    files = sending.files_below(paths)
    if not files:
        raise click.UsageError("there is no file below " + ", ".join(str(path) for path in paths))
    door = "drop" if is_drop else case or ""
    roots = [path.absolute() for path in paths]
    url = url.rstrip("/")
    try:
        if gates:
            with Client(url, token=token) as client:
                refuse_strangers(gates, Await(client, patience_seconds=patience).signatures())
        with upload_state.state_of(url, door, roots, anew=anew) as state:
            send = sending.Send(
                url,
                token,
                case,
                state,
                patience_seconds=patience,
                name=name or ("" if case or is_drop else _name_of(paths)),
                say=_aside if does_wait else click.echo,
            )
            arrived = send.all(files)
            status = 0
            if does_wait:
                with Client(url, token=token) as client:
                    waiting = Await(client, patience_seconds=patience)
                    outcome = waiting.outcome(arrived, gates, timeout_seconds=timeout)
                for path, form in targets(outputs, shape):
                    write_text(path, written(outcome, form))
                status = outcome.status
            state.forget()
        sys.exit(status)
    except upload_state.AlreadyRunningError as error:
        raise click.ClickException(str(error)) from None
    except sending.RefusedError as error:
        click.echo(f"Error: {error}", err=True)
        sys.exit(exits.REFUSED)
    except sending.UnreachableError as error:
        click.echo(f"Error: {error}; the same command goes on where this one stopped", err=True)
        sys.exit(exits.UNREACHABLE)
    except LateError as error:
        click.echo(f"Error: {error}", err=True)
        sys.exit(exits.FAILED)
    except KeyboardInterrupt:
        click.echo("\ninterrupted; the same command goes on where this one stopped", err=True)
        sys.exit(exits.INTERRUPTED)


def _name_of(paths: Sequence[Path]) -> str:
    """Return the name of the one directory that is sent, "" for anything else."""
    return paths[0].resolve().name if len(paths) == 1 and paths[0].is_dir() else ""


def _aside(text: str) -> None:
    click.echo(text, err=True)
