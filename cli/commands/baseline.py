"""`casebook baseline`: store runs of the main branch, and show their trend.

$ casebook baseline add --in baselines --project db/proxy --commit 8843d7f --work 12000 'runs/base-*'

Without `--in` the points are those of the service.
"""

from __future__ import annotations

import json
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import click

from cli.comparison.baseline_options import naming, place, series_of
from cli.process import exits
from cli.service.options import service_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from cli.comparison.baseline_directory import Point
    from cli.service.profiles import Profile

_Item = TypeVar("_Item")


class Place(NamedTuple):
    """Where the baselines are: a directory, or, where it is None, a service."""

    directory: Path | None
    service: Profile | None

    @classmethod
    def of(
        cls,
        directory: str | None,
        url: str | None,
        token: str | None,
        profile: str | None,
        *,
        in_service: bool,
    ) -> Place:
        """Return the place that the options name.

        Raises:
            UsageError: They name none.
        """
        if directory and not in_service:
            return cls(Path(directory), None)
        try:
            return cls(None, service_of(url, token, profile))
        except click.UsageError as error:
            raise click.UsageError(
                f"--in names the directory of the baselines; for those of a service, {error.message}"
            ) from None


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
    directory: str | None,
    in_service: bool,
    url: str | None,
    token: str | None,
    profile: str | None,
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

    RUN is what `casebook diff` takes: files, directories, globs. A directory stores the recordings, a service
    what they cost and their merged stacks. Exit status: 0 stored; 1 the baseline cannot be written; 2 usage
    error; 3 no stacks, or runs that do not belong to the baseline; 6 the service failed; 7 it is unreachable.
    """
    from cli.comparison import baseline_directory, baseline_service  # noqa: PLC0415 - keeps `casebook --help` fast
    from cli.comparison.runs import NoStacksError, read_runs  # noqa: PLC0415 - same
    from ingest.comparison.comparability import comparability  # noqa: PLC0415 - same
    from ingest.model.selection import Selection  # noqa: PLC0415 - same

    where = Place.of(directory, url, token, profile, in_service=in_service)
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
        stored = _in_service(where.service, lambda connection: baseline_service.add(connection, point, runs))
        count = "1 run" if len(runs) == 1 else f"{len(runs)} runs"
        if where.directory:
            click.echo(f"{count} stored in {baseline_directory.add(where.directory, point, runs)}")
        elif stored["is_new"]:
            click.echo(f"{count} stored as point {stored['id']} of baseline {stored['baseline_id']}")
        else:
            click.echo(f"these runs are stored already, as point {stored['id']}")
    except (NoStacksError, baseline_directory.BaselineError) as error:
        click.echo(f"Error: {error}", err=True)
        is_written = not isinstance(error, baseline_directory.BaselineWriteError)
        sys.exit(exits.REFUSED if is_written else exits.FAILED)


@command.command("list")
@place
@click.option("--json", "as_json", is_flag=True, help="JSON instead of a table.")
def list_series(
    *,
    directory: str | None,
    in_service: bool,
    url: str | None,
    token: str | None,
    profile: str | None,
    as_json: bool,
) -> None:
    """List the series: project, benchmark, machine, kernel."""
    from cli.comparison import baseline_directory, baseline_tables  # noqa: PLC0415 - keeps help fast
    from cli.process.output import print_text  # noqa: PLC0415 - same

    where = Place.of(directory, url, token, profile, in_service=in_service)
    if where.directory:
        headings = _below(where.directory, baseline_directory.headings_below)
        documents = baseline_tables.series_documents(headings)
    else:
        from cli.comparison import baseline_service  # noqa: PLC0415 - a directory needs none

        answers = _in_service(where.service, baseline_service.series)
        documents = [baseline_tables.series_of_service(answer) for answer in answers]
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
def show(
    *,
    directory: str | None,
    in_service: bool,
    url: str | None,
    token: str | None,
    profile: str | None,
    project: str | None,
    benchmark: str,
    machine: str | None,
    kernel: str | None,
    function: str | None,
    as_json: bool,
) -> None:
    """Show the trend of one series with its change points."""
    from cli.comparison import baseline_service, baseline_tables  # noqa: PLC0415 - keeps help fast
    from cli.process.output import print_text  # noqa: PLC0415 - same

    where = Place.of(directory, url, token, profile, in_service=in_service)
    names = {"project": project or None, "benchmark": benchmark, "machine": machine or None, "kernel": kernel}
    if where.directory:
        points = [point for point in _points(where.directory) if _has(point, names)]
        found = baseline_tables.series_documents(points)
    else:
        points = []
        answers = _in_service(where.service, lambda connection: baseline_service.series(connection, **names))
        found = [baseline_tables.series_of_service(answer) for answer in answers]
    if len(found) != 1:
        listed = "".join(f"\n  {line}" for line in baseline_tables.series_lines(found))
        raise click.UsageError(
            f"{len(found) or 'no'} series match; choose with --project, --benchmark, --machine or --kernel"
            f"{listed}"
        )
    if where.directory:
        document = baseline_tables.trend_document(points, function)
    else:
        measure = function or "cpu"
        answer = _in_service(
            where.service, lambda connection: baseline_service.trend(connection, found[0]["id"], measure)
        )
        document = baseline_tables.trend_of_service(answer)
    lines = baseline_tables.trend_lines(document)
    print_text(_json(document) if as_json else "".join(f"{line}\n" for line in lines))


def _in_service(service: Profile | None, ask: Callable[[Any], Any]) -> Any:
    """Return the answer of a service to a question about a connection, None without a service."""
    if service is None:
        return None
    from cli.service.connection import Connection  # noqa: PLC0415 - keeps help fast

    with Connection(service) as connection:
        return ask(connection)


def _has(point: Point, names: dict[str, str | None]) -> bool:
    return all(value is None or getattr(point.series, name) == value for name, value in names.items())


def _json(document: Any) -> str:
    return json.dumps(document, indent=2) + "\n"


def _points(directory: Path) -> list[Point]:
    from cli.comparison.baseline_directory import points_below  # noqa: PLC0415 - keeps help fast

    return _below(directory, points_below)


def _below(directory: Path, read: Callable[[Path], list[_Item]]) -> list[_Item]:
    """Return what is read of a directory; one that cannot be read ends the command."""
    from cli.comparison.baseline_directory import BaselineError  # noqa: PLC0415 - keeps help fast

    try:
        return read(directory)
    except BaselineError as error:
        click.echo(f"Error: {error}", err=True)
        sys.exit(exits.REFUSED)
