"""`casebook worker`: run queued jobs; `casebook serve` starts some, other hosts may add more."""

from __future__ import annotations

import click


@click.command("worker")
@click.option("--queues", default="light,heavy", show_default=True, help="Queues to take jobs from.")
@click.option(
    "--concurrency", default=1, show_default=True, type=click.IntRange(1), help="Number of concurrent jobs."
)
@click.option("--name", default="casebook", show_default=True, help="Name in logs.")
@click.option(
    "--nice",
    "niceness",
    default=0,
    show_default=True,
    type=click.IntRange(0, 19),
    help="Nice value of the worker.",
)
def command(queues: str, concurrency: int, name: str, niceness: int) -> None:
    """Run queued jobs until stopped."""
    from backend.core.errors import SettingsError  # noqa: PLC0415 - keeps `casebook --help` fast
    from backend.worker import work  # noqa: PLC0415 - same

    try:
        work(queues, concurrency=concurrency, name=name, niceness=niceness)
    except SettingsError as error:
        raise click.ClickException(str(error)) from None
