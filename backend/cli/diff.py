"""`casebook diff`: which functions weigh more in one recording than in another.

$ casebook diff main.script pull-request.script --max-growth 'kernel.*=+5%'
"""

from __future__ import annotations

import sys

import click

from backend.cli import exits
from backend.cli.arguments import report_files, report_format, targets
from backend.cli.output import write_text


@click.command("diff")
@click.argument("base", type=click.Path(exists=True, allow_dash=True))
@click.argument("new", type=click.Path(exists=True, allow_dash=True))
@click.option(
    "--max-growth",
    "limits",
    multiple=True,
    metavar="PATTERN=+N%|xN",
    help="Fail when a function grows more: by so many points of the whole (+5%), or to so many times its "
    "share (x1.5). PATTERN is a regular expression for all of kind.function, such as 'kernel.*'. May be "
    "given again.",
)
@click.option("--strict", is_flag=True, help="Fail also where the samples do not suffice to be sure.")
@click.option("--event", help="The event to compare, as the recordings name it: cycles, cpu-clock, sched:….")
@click.option("--no-idle", is_flag=True, help="Leave out samples of CPUs without work.")
@click.option("--comm", multiple=True, help="Only threads of this name; may be given again.")
@click.option("--focus", multiple=True, help="Only samples that pass through this function, or /expression/.")
@report_format
@report_files
def command(
    *,
    base: str,
    new: str,
    limits: tuple[str, ...],
    event: str | None,
    comm: tuple[str, ...],
    focus: tuple[str, ...],
    shape: str | None,
    outputs: tuple[str, ...],
    strict: bool,
    no_idle: bool,
) -> None:
    """Compare the stacks of NEW with those of BASE, function by function.

    Both may be anything with stacks, compressed or not; `-` is standard input. Shares are of everything
    selected on each side, so the recordings need not be equally long. Ends with 0 when no limit is exceeded,
    4 when one is, 2 when an event must be chosen or a limit cannot be understood, 3 when there are no stacks.
    """
    from backend.cli.diff_reports import Comparison, written  # noqa: PLC0415 - keeps `casebook --help` fast
    from backend.cli.viewing import viewed  # noqa: PLC0415 - same
    from ingest.export.growth import Limit, LimitError, beyond, growths  # noqa: PLC0415 - same

    if base == new == "-":
        raise click.UsageError("only one of BASE and NEW can be standard input")
    try:
        asked = [Limit.parse(limit) for limit in limits]
    except LimitError as error:
        raise click.UsageError(str(error)) from None
    before, _ = viewed(base, event, comms=comm, focus=focus, has_idle=not no_idle)
    after, _ = viewed(new, event, comms=comm, focus=focus, has_idle=not no_idle)
    for path, view in ((base, before), (new, after)):
        if not view.profile.has_weights:
            raise click.UsageError(f"{path} holds single stacks: they say who was there, not how often")
    if before.profile.event != after.profile.event:
        raise click.UsageError(
            f"BASE is a recording of {before.profile.event or '(unnamed)'}, NEW of "
            f"{after.profile.event or '(unnamed)'}; they cannot be compared"
        )
    found = growths(before, after)
    over = beyond(found, asked, base_samples=before.total_samples, new_samples=after.total_samples)
    comparison = Comparison(
        base, new, before, after, tuple(asked), tuple(found), tuple(over), is_strict=strict
    )
    for path, form in targets(outputs, shape):
        write_text(path, written(comparison, form))
    sys.exit(exits.BEYOND if comparison.failures else 0)
