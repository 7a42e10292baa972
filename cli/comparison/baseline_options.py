"""Options that `baseline` and `diff` share: which baseline, and the names of its series."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from cli.service.options import service_options

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from cli.comparison.baseline_directory import Series
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


def place(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options that name where the baselines are: a directory or a service."""
    return directory(in_service(service_options(command)))


def naming(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options that name a series."""
    for option in (machine, benchmark, project):
        command = option(command)
    return command


def series_of(
    costs: Sequence[Costs], project_name: str | None, benchmark_name: str, machine_class: str | None
) -> Series:
    """Return the series that runs belong to.

    Raises:
        UsageError: There is no project.
    """
    from cli.comparison.baseline_directory import Series  # noqa: PLC0415 - keeps help fast

    if not project_name:
        raise click.UsageError("--project names the project of the benchmark")
    first = costs[0].conditions
    cpus = f"{first.cpus} x {first.cpu_model}" if first.cpus and first.cpu_model else "unknown"
    return Series(project_name, benchmark_name, machine_class or cpus, first.kernel)
