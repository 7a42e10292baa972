"""Options that `baseline` and `diff` share: which baseline, and the names of its series."""

from __future__ import annotations

from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from cli.service.options import service_of, service_options

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from cli.comparison.baseline_directory import Series
    from cli.service.profiles import Profile
    from ingest.comparison.costs import Costs

directory = click.option(
    "--in",
    "directory",
    metavar="DIR",
    type=click.Path(file_okay=False),
    envvar="CASEBOOK_BASELINES",
    show_envvar=True,
    help="Directory of the baselines; without it, those of the service.",
)
in_service = click.option(
    "--service", "in_service", is_flag=True, help="Use the service although --in is set."
)
project = click.option(
    "--project",
    metavar="NAME",
    envvar=["CASEBOOK_PROJECT", "GITHUB_REPOSITORY", "CI_PROJECT_PATH"],
    show_envvar=True,
    help="Project of the benchmark, such as its repository.",
)
benchmark = click.option(
    "--benchmark", metavar="NAME", default="default", show_default=True, help="Name of the load."
)
machine = click.option(
    "--machine",
    metavar="CLASS",
    help="Class of machines that may be compared; default: number and model of the CPUs.",
)


class Place(NamedTuple):
    """Where the baselines are: a directory, or a service where there is one."""

    directory: Path
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
            return cls(Path(), service_of(url, token, profile))
        except click.UsageError as error:
            raise click.UsageError(
                f"--in names the directory of the baselines; for those of a service, {error.message}"
            ) from None


class Names(NamedTuple):
    """The names of a series as options give them; None or "" where there is no option."""

    project: str | None
    benchmark: str
    machine: str | None


def place(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options that name where the baselines are, passed on as `where`."""

    @wraps(command)
    def placed(
        *,
        directory: str | None,
        in_service: bool,
        url: str | None,
        token: str | None,
        profile: str | None,
        **others: Any,
    ) -> Any:
        return command(where=Place.of(directory, url, token, profile, in_service=in_service), **others)

    return directory(in_service(service_options(placed)))


def naming(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options that name a series, passed on as `names`."""

    @wraps(command)
    def named(*, project: str | None, benchmark: str, machine: str | None, **others: Any) -> Any:
        return command(names=Names(project, benchmark, machine), **others)

    with_options: Callable[..., Any] = named
    for option in (machine, benchmark, project):
        with_options = option(with_options)
    return with_options


def series_of(costs: Sequence[Costs], names: Names) -> Series:
    """Return the series that runs belong to.

    Raises:
        UsageError: There is no project.
    """
    from cli.comparison.baseline_directory import Series  # noqa: PLC0415 - keeps help fast

    if not names.project:
        raise click.UsageError("the project is missing: name it with --project, or set CASEBOOK_PROJECT")
    first = costs[0].conditions
    cpus = f"{first.cpus} x {first.cpu_model}" if first.cpus and first.cpu_model else "unknown"
    return Series(names.project, names.benchmark, names.machine or cpus, first.kernel)
