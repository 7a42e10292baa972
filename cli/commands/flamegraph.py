"""`casebook flamegraph`: SVG flame graph from any stacks.

$ casebook flamegraph perf.script.gz > perf.svg
"""

from __future__ import annotations

import click

from cli.process.confined import ConfinedCommand, Reach
from cli.process.output import print_text


@click.command("flamegraph", cls=ConfinedCommand, reach=Reach(reads=("path",)))
@click.argument("path", type=click.Path(exists=True, allow_dash=True))
@click.option("--event", metavar="NAME", help="Event to draw: cycles, cpu-clock, sched:….")
@click.option("--inverted", is_flag=True, help="Inverted: innermost functions first, callers below.")
@click.option("--no-idle", is_flag=True, help="Exclude idle samples.")
@click.option("--comm", metavar="NAME", multiple=True, help="Only threads of this name; may be repeated.")
@click.option(
    "--focus", metavar="FUNCTION", multiple=True, help="Only samples through this function, or /expression/."
)
@click.option(
    "--width",
    metavar="PIXELS",
    type=click.IntRange(400, 4000),
    default=1200,
    show_default=True,
    help="Width, 400 to 4000.",
)
def command(
    path: str,
    event: str | None,
    comm: tuple[str, ...],
    focus: tuple[str, ...],
    width: int,
    *,
    inverted: bool,
    no_idle: bool,
) -> None:
    """Draw the stacks of PATH as a flame graph: SVG without script, on standard output.

    PATH is a perf script, a bpftrace stack map or anything else with stacks, compressed or not; `-` is
    standard input. Of several profiles of the event the one with most samples is drawn. Exit status: 2 an
    event must be chosen, 3 no stacks.
    """
    from cli.evidence.selection import viewed  # noqa: PLC0415 - keeps `casebook --help` fast
    from ingest.export import svg, whole  # noqa: PLC0415 - same

    view, quality = viewed(path, event, comms=comm, focus=focus, has_idle=not no_idle)
    summary = whole.whole(view.profile, quality)
    print_text(
        svg.picture(view, summary, title=path, width=width, is_inverted=inverted).encode("utf-8", "replace")
    )
