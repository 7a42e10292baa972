"""`casebook baseline`: store runs of the main branch, and show their trend.

$ casebook baseline add --in baselines --project db/proxy --commit 8843d7f --work 12000 'runs/base-*'
"""

from __future__ import annotations

import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from backend.cli import exits
from backend.cli.baseline_options import directory, naming, series_of

if TYPE_CHECKING:
    from backend.cli.baseline_directory import Point


@click.group("baseline")
def command() -> None:
    """Store runs of the main branch, list and show them."""


@command.command("add")
@click.argument("paths", metavar="RUN...", nargs=-1, required=True)
@directory
@naming
@click.option(
    "--commit",
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
@click.option("--event", help="Event: cycles, cpu-clock, sched:….")
@click.option("--comm", multiple=True, help="Only threads of this name; may be repeated.")
def add(
    *,
    paths: tuple[str, ...],
    directory: str | None,
    project: str | None,
    benchmark: str,
    machine: str | None,
    commit: str,
    at: datetime | None,
    work: str,
    event: str | None,
    comm: tuple[str, ...],
) -> None:
    """Add runs of one build as a point of the baseline.

    RUN is what `casebook diff` takes: files, directories, globs. Exit status: 0 stored; 1 the baseline
    cannot be written; 2 usage error; 3 no stacks, or runs that do not belong to the baseline.
    """
    from backend.cli import baseline_directory  # noqa: PLC0415 - keeps `casebook --help` fast
    from backend.cli.diff_runs import NoStacksError, read_runs  # noqa: PLC0415 - same
    from ingest.comparison.comparability import comparability  # noqa: PLC0415 - same
    from ingest.model.selection import Selection  # noqa: PLC0415 - same

    where = _directory(directory)
    try:
        runs = read_runs(paths, event, Selection(comms=comm, has_idle=False), work)
        costs = [one.run.costs for one in runs]
        units = [one.run.work for one in runs]
        check = comparability(costs, costs, [*units, *units], is_work_known=bool(work), unchecked=("order",))
        for one in check.differences:
            raise click.UsageError(f"the runs are not of one build on one machine: {one.sentence}")
        measured = (at.replace(tzinfo=UTC) if at else datetime.now(UTC)).isoformat(timespec="seconds")
        series = series_of(costs, project, benchmark, machine)
        point = baseline_directory.Point(
            series, commit, measured, bool(work), comm, tuple(one.run for one in runs)
        )
        folder = baseline_directory.add(where, point, runs)
    except (NoStacksError, baseline_directory.BaselineError) as error:
        click.echo(f"Error: {error}", err=True)
        is_written = not isinstance(error, baseline_directory.BaselineWriteError)
        sys.exit(exits.REFUSED if is_written else exits.FAILED)
    click.echo(f"{len(runs)} runs stored in {folder}")


@command.command("list")
@directory
@click.option("--json", "as_json", is_flag=True, help="JSON instead of a table.")
def list_series(*, directory: str | None, as_json: bool) -> None:
    """List the series: project, benchmark, machine, kernel."""
    from backend.cli.baseline_tables import series_json, series_lines  # noqa: PLC0415 - keeps help fast
    from backend.cli.output import print_text  # noqa: PLC0415 - same

    every = _points(directory)
    print_text(series_json(every) if as_json else "".join(f"{line}\n" for line in series_lines(every)))


@command.command("show")
@directory
@naming
@click.option("--kernel", help="Release of the kernel.")
@click.option("--function", help="Show the time of this function, as kind.function, instead of all CPU time.")
@click.option("--json", "as_json", is_flag=True, help="JSON instead of a table.")
def show(
    *,
    directory: str | None,
    project: str | None,
    benchmark: str,
    machine: str | None,
    kernel: str | None,
    function: str | None,
    as_json: bool,
) -> None:
    """Show the trend of one series with its change points."""
    from backend.cli.baseline_tables import series_name, trend_json, trend_lines  # noqa: PLC0415 - same
    from backend.cli.output import print_text  # noqa: PLC0415 - same

    chosen = [
        point
        for point in _points(directory)
        if (not project or point.series.project == project)
        and point.series.benchmark == benchmark
        and (not machine or point.series.machine == machine)
        and (kernel is None or point.series.kernel == kernel)
    ]
    series = sorted({point.series for point in chosen})
    if len(series) != 1:
        names = "".join(f"\n  {series_name(one)}" for one in series)
        raise click.UsageError(
            f"{len(series) or 'no'} series match; choose with --project, --benchmark, --machine or --kernel"
            f"{names}"
        )
    print_text(
        trend_json(chosen, function)
        if as_json
        else "".join(f"{line}\n" for line in trend_lines(chosen, function))
    )


def _directory(directory: str | None) -> Path:
    if not directory:
        raise click.UsageError("--in names the directory of the baselines")
    return Path(directory)


def _points(directory: str | None) -> list[Point]:
    from backend.cli.baseline_directory import BaselineError, points  # noqa: PLC0415 - keeps help fast

    try:
        return points(_directory(directory))
    except BaselineError as error:
        click.echo(f"Error: {error}", err=True)
        sys.exit(exits.REFUSED)
