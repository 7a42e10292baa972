"""`casebook diff`: functions whose share grew between two recordings.

$ casebook diff main.script pull-request.script --max-growth 'kernel.*=+5%'
"""

from __future__ import annotations

import sys

import click

from backend.cli import exits
from backend.cli.arguments import report_files, report_format, targets
from backend.cli.confined import ConfinedCommand, Reach
from backend.cli.output import write_text


@click.command("diff", cls=ConfinedCommand, reach=Reach(reads=("base", "new"), writes=("outputs",)))
@click.argument("base", type=click.Path(exists=True, allow_dash=True))
@click.argument("new", type=click.Path(exists=True, allow_dash=True))
@click.option(
    "--max-growth",
    "limits",
    multiple=True,
    metavar="PATTERN=+N%|xN",
    help="Fail when a function grows more: by percentage points (+5%) or by a factor of its share (x1.5). "
    "PATTERN is a regular expression matching all of kind.function, such as 'kernel.*'. May be repeated.",
)
@click.option("--strict", is_flag=True, help="Fail also within noise.")
@click.option("--event", help="Event to compare: cycles, cpu-clock, sched:….")
@click.option("--no-idle", is_flag=True, help="Exclude idle samples.")
@click.option("--comm", multiple=True, help="Only threads of this name; may be repeated.")
@click.option("--focus", multiple=True, help="Only samples through this function, or /expression/.")
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

    Both may be any file with stacks, compressed or not; `-` is standard input. Shares are relative to the
    selection of each side, so the recordings may differ in length. Exit status: 0 no limit exceeded; 4 limit
    exceeded; 2 an event must be chosen or a limit is invalid; 3 no stacks.
    """
    from backend.cli.diff_reports import Comparison, written  # noqa: PLC0415 - keeps `casebook --help` fast
    from backend.cli.viewing import viewed  # noqa: PLC0415 - same
    from ingest.export.growth import Limit, LimitError, beyond, growths  # noqa: PLC0415 - same

    if base == new == "-":
        raise click.UsageError("only one of BASE and NEW can be standard input")
    try:
        parsed = [Limit.parse(limit) for limit in limits]
    except LimitError as error:
        raise click.UsageError(str(error)) from None
    before, _ = viewed(base, event, comms=comm, focus=focus, has_idle=not no_idle)
    after, _ = viewed(new, event, comms=comm, focus=focus, has_idle=not no_idle)
    for path, view in ((base, before), (new, after)):
        if not view.profile.has_weights:
            raise click.UsageError(f"{path} has stacks without sample counts; they cannot be compared")
    if before.profile.event != after.profile.event:
        raise click.UsageError(
            f"BASE is a recording of {before.profile.event or '(unnamed)'}, NEW of "
            f"{after.profile.event or '(unnamed)'}; they cannot be compared"
        )
    found = growths(before, after)
    over = beyond(found, parsed, base_samples=before.total_samples, new_samples=after.total_samples)
    comparison = Comparison(
        base, new, before, after, tuple(parsed), tuple(found), tuple(over), is_strict=strict
    )
    for path, form in targets(outputs, shape):
        write_text(path, written(comparison, form))
    sys.exit(exits.BEYOND if comparison.failures else 0)
