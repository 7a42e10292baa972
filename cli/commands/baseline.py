"""`casebook baseline`: store runs of the main branch, and show their trend.

$ casebook baseline add --in baselines --project db/proxy --commit 8843d7f --work 12000 'runs/base-*'

Without `--in` the points are those of the service.
"""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

import click

from cli.comparison.baseline_options import naming, place
from cli.process import exits

if TYPE_CHECKING:
    from datetime import datetime

    from cli.comparison.baseline_options import Names, Place


@click.group("baseline")
def command() -> None:
    """Store runs of the main branch, list and show them."""


@command.command("add")
@click.argument("paths", metavar="RUN...", nargs=-1, required=True)
@place
@naming
@click.option(
    "--commit",
    metavar="SHA",
    default="",
    envvar=["CASEBOOK_COMMIT", "GITHUB_SHA", "CI_COMMIT_SHA", "GIT_COMMIT"],
    show_envvar=True,
    help="Commit that was measured.",
)
@click.option(
    "--at",
    type=click.DateTime(["%Y-%m-%dT%H:%M:%S", "%Y-%m-%d"]),
    help="When it was measured, in UTC; default: now.",
)
@click.option(
    "--work", metavar="N|FACT", default="", help="Units of work in each run, as in `casebook diff`."
)
@click.option("--event", metavar="NAME", help="Event: cycles, cpu-clock, sched:….")
@click.option("--comm", metavar="NAME", multiple=True, help="Only threads of this name; may be repeated.")
def add(
    *,
    paths: tuple[str, ...],
    where: Place,
    names: Names,
    commit: str,
    at: datetime | None,
    work: str,
    event: str | None,
    comm: tuple[str, ...],
) -> None:
    """Add runs of one build as a point of the baseline.

    RUN is what `casebook diff` takes: files, directories, globs. A directory stores the recordings, a service
    what they cost and their merged stacks. Exit status: 0 stored; 1 the baseline cannot be written; 2 usage
    error; 3 no stacks, or runs that do not belong to the baseline; 6 the service failed; 7 it is unreachable.
    """
    from cli.comparison import baseline_tables, baselines  # noqa: PLC0415 - keeps `casebook --help` fast
    from cli.comparison.baseline_directory import BaselineError, BaselineWriteError  # noqa: PLC0415 - same
    from cli.comparison.measured_point import measured_point  # noqa: PLC0415 - same
    from cli.comparison.runs import NoStacksError  # noqa: PLC0415 - same

    try:
        point, runs = measured_point(paths, names, commit=commit, at=at, work=work, event=event, comms=comm)
        click.echo(baseline_tables.stored_line(baselines.add(where, point, runs), len(runs)))
    except (NoStacksError, BaselineError) as error:
        click.echo(f"Error: {error}", err=True)
        sys.exit(exits.FAILED if isinstance(error, BaselineWriteError) else exits.REFUSED)


@command.command("list")
@place
@click.option("--json", "as_json", is_flag=True, help="JSON instead of a table.")
def list_series(*, where: Place, as_json: bool) -> None:
    """List the series: project, benchmark, machine, kernel."""
    from cli.comparison import baseline_tables, baselines  # noqa: PLC0415 - keeps help fast
    from cli.comparison.baseline_directory import BaselineError  # noqa: PLC0415 - same
    from cli.process.output import print_text  # noqa: PLC0415 - same

    try:
        documents = baselines.series(where)
    except BaselineError as error:
        click.echo(f"Error: {error}", err=True)
        sys.exit(exits.REFUSED)
    if not documents and not as_json and sys.stdout.isatty():
        click.echo("no baselines; `casebook baseline add` stores the first point", err=True)
    lines = baseline_tables.series_lines(documents)
    print_text(_json(documents) if as_json else "".join(f"{line}\n" for line in lines))


@command.command("show")
@place
@naming
@click.option("--kernel", metavar="RELEASE", help="Release of the kernel.")
@click.option(
    "--function",
    metavar="NAME",
    help="Show the time of this function, as kind.function, instead of all CPU time.",
)
@click.option("--json", "as_json", is_flag=True, help="JSON instead of a table.")
def show(*, where: Place, names: Names, kernel: str | None, function: str | None, as_json: bool) -> None:
    """Show the trend of one series with its change points."""
    from cli.comparison import baseline_tables, baselines  # noqa: PLC0415 - keeps help fast
    from cli.comparison.baseline_directory import BaselineError  # noqa: PLC0415 - same
    from cli.process.output import print_text  # noqa: PLC0415 - same

    wanted = {
        "project": names.project or None,
        "benchmark": names.benchmark,
        "machine": names.machine or None,
        "kernel": kernel,
    }
    try:
        document = baselines.trend(where, wanted, function)
    except baselines.SeriesChoiceError as error:
        raise click.UsageError(str(error)) from None
    except BaselineError as error:
        click.echo(f"Error: {error}", err=True)
        sys.exit(exits.REFUSED)
    lines = baseline_tables.trend_lines(document)
    print_text(_json(document) if as_json else "".join(f"{line}\n" for line in lines))


def _json(document: object) -> str:
    return json.dumps(document, indent=2) + "\n"
