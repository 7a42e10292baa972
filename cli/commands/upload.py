"""`casebook upload`: resumable uploads to a service, with an optional CI report of the findings.

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

from cli.process import exits
from cli.process.arguments import (
    fail_on,
    location,
    report_files,
    report_format,
    targets,
)
from cli.process.check_outcome import status_of
from cli.process.output import write_text
from cli.service.options import service_of, service_options

if TYPE_CHECKING:
    from collections.abc import Sequence

    from signatures.rendering.check import Outcome
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
    "--name",
    default="",
    metavar="TITLE",
    help="Title of the new case; default: the name of the directory that holds all files.",
)
@click.option(
    "--host",
    default="",
    metavar="NAME",
    help="Host that all files are of; default: the one they state, or their directory names.",
)
@click.option(
    "--phase",
    type=click.Choice(["before", "during", "after"]),
    help="Phase of the incident that all files are of; default: the one their directory names, or during.",
)
@click.option("--wait", "does_wait", is_flag=True, help="Wait for the verdict and print the findings.")
@fail_on
@report_format
@report_files
@click.option(
    "--timeout",
    metavar="SECONDS",
    type=click.FloatRange(min=1),
    default=900.0,
    show_default=True,
    help="Timeout for the verdict in seconds.",
)
@service_options
@click.option("--new", "anew", is_flag=True, help="Start over instead of resuming an interrupted upload.")
@click.option(
    "--patience",
    metavar="SECONDS",
    type=click.FloatRange(min=0),
    default=300.0,
    show_default=True,
    help="Seconds without progress before giving up.",
)
def command(
    *,
    paths: tuple[Path, ...],
    case: str | None,
    name: str,
    host: str,
    phase: str | None,
    does_wait: bool,
    gates: Sequence[FailOnPolicy],
    shape: str | None,
    outputs: tuple[str, ...],
    timeout: float,
    url: str | None,
    token: str | None,
    profile: str | None,
    anew: bool,
    patience: float,
) -> None:
    """Upload evidence to a service, and print the URL of its case.

    PATH is a file or a directory; files of a directory are captured at their relative path. Small files are
    sent first. Uploads resume after a dropped connection, and an interrupted command resumes when run again.
    A write-only token uploads to its case and cannot read it.

    --wait, also implied by --fail-on, --format and --output, prints the findings once all is read and judged;
    the URL then goes to standard error.

    Exit status: 0 success and --fail-on not met; 1 interrupted; 2 usage error; 3 the service refused; 4
    --fail-on met; 5 a file could not be read; 6 the service failed or timed out; 7 the service was
    unreachable.
    """
    from backend.core.version import VERSION  # noqa: PLC0415 - keeps `casebook --help` fast
    from cli.service import evidence_upload  # noqa: PLC0415 - same
    from cli.service.judgement_wait import LateError  # noqa: PLC0415 - same
    from cli.service.upload_state import AlreadyRunningError  # noqa: PLC0415 - same
    from cli.service.uploads import RefusedError, UnreachableError  # noqa: PLC0415 - same
    from signatures.rendering.check_reports import written  # noqa: PLC0415 - same

    does_wait = does_wait or bool(gates or shape or outputs)
    service = service_of(url, token, profile)
    if evidence_upload.is_write_only(service) and (case or name or does_wait):
        raise click.UsageError(
            "this is a write-only token of one case: omit --case, --name, --wait, --fail-on, --format "
            "and --output"
        )
    if case and name:
        raise click.UsageError("--name is the title of a new case; omit it or --case")

    def report(outcome: Outcome) -> None:
        for path, form in targets(outputs, shape):
            write_text(path, written(outcome, form, version=VERSION, report_at=location()))

    request = evidence_upload.Upload(
        paths=paths,
        case=case,
        name=name,
        host=host,
        phase=phase or "",
        anew=anew,
        patience_seconds=patience,
    )
    try:
        outcome = evidence_upload.upload(
            service,
            request,
            say=_aside if does_wait else click.echo,
            gates=gates,
            report=report if does_wait else None,
            timeout_seconds=timeout,
        )
        sys.exit(status_of(outcome) if outcome else 0)
    except evidence_upload.NoFilesError as error:
        raise click.UsageError(str(error)) from None
    except AlreadyRunningError as error:
        raise click.ClickException(str(error)) from None
    except RefusedError as error:
        click.echo(f"Error: {error}", err=True)
        sys.exit(exits.REFUSED)
    except UnreachableError as error:
        click.echo(f"Error: {error}; the same command goes on where this one stopped", err=True)
        sys.exit(exits.UNREACHABLE)
    except LateError as error:
        click.echo(f"Error: {error}", err=True)
        sys.exit(exits.SERVICE_FAILED)
    except KeyboardInterrupt:
        click.echo("\ninterrupted; the same command goes on where this one stopped", err=True)
        sys.exit(exits.FAILED)


def _aside(text: str) -> None:
    click.echo(text, err=True)
