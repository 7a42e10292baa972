"""`casebook fold`: folded stacks from any stacks.

$ casebook fold perf.script.gz | head -1
arrow-read-23;start_thread;walk_file_pages;asm_exc_page_fault;exc_page_fault 3
"""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import click

from cli.evidence.held_input import STANDARD_INPUT, HeldInput
from cli.evidence.selection import choose, chosen_event, stacks_of
from cli.process.confined import ConfinedCommand, Reach
from cli.process.output import print_text
from cli.process.pipes import widen
from cli.process.progress import watched

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ingest.model.profile import Profile


@click.command("fold", cls=ConfinedCommand, reach=Reach(reads=("path",)))
@click.argument("path", type=click.Path(exists=True, allow_dash=True))
@click.option("--event", metavar="NAME", help="Event to fold: cycles, cpu-clock, sched:….")
@click.option(
    "--weight",
    type=click.Choice(["samples", "period"]),
    default="samples",
    show_default=True,
    help="Count samples, or sum their periods.",
)
@click.option(
    "--compat", type=click.Choice(["inferno"]), help="Byte-for-byte compatible with inferno-collapse-perf."
)
def command(
    path: str, event: str | None, weight: Literal["samples", "period"], compat: Literal["inferno"] | None
) -> None:
    """Fold the stacks of PATH: one line per distinct stack, `comm;outermost;…;innermost weight`.

    PATH is a perf script, a bpftrace stack map or anything else with stacks, compressed or not; `-` is
    standard input. Exit status: 2 an event must be chosen, 3 no stacks.
    """
    held = None
    if path == STANDARD_INPUT and (stream := getattr(sys.stdin, "buffer", None)) is not None:
        widen(stream)
        held = HeldInput(stream)
    widen(sys.stdout)
    if _is_folded_at_once(path, held, event, is_period=weight == "period", is_inferno=compat == "inferno"):
        return
    profiles = [profile for profile, _ in stacks_of(path, held.again() if held else None)]
    chosen = choose(profiles, event, is_inferno=compat == "inferno")
    print_text(folded(chosen, weight, compat or ""))


def _is_folded_at_once(
    path: str, held: HeldInput | None, event: str | None, *, is_period: bool, is_inferno: bool
) -> bool:
    """Fold and print one plain perf script; return False for anything else, of which nothing is printed.

    Raises:
        UsageError: The event is ambiguous or unknown.
    """
    from ingest.export import plain_script  # noqa: PLC0415 - keeps `casebook --help` fast

    if held:
        script = plain_script.counted(held.chunks())
    else:
        on_progress, done = watched(Path(path))
        try:
            script = plain_script.counted_file(path, on_progress)
        finally:
            done()
    if script is None:
        return False
    events = script.events
    wanted = chosen_event(events, event, is_inferno=is_inferno)
    if len(set(events)) < len(events):
        return False
    return script.write(events.index(wanted), is_period or is_inferno, is_inferno, print_text)


def folded(
    profiles: Sequence[Profile], weight: Literal["samples", "period"], compat: Literal["", "inferno"]
) -> bytes:
    """Return the folded stacks of several profiles, sorted."""
    from ingest.export.folded import fold  # noqa: PLC0415 - same

    if len(profiles) == 1:
        return fold(profiles[0], weight, compat=compat)
    weights: Counter[bytes] = Counter()
    for profile in profiles:
        for line in fold(profile, weight, compat=compat).splitlines():
            stack, _, number = line.rpartition(b" ")
            weights[stack] += int(number)
    return b"".join(b"%s %d\n" % row for row in sorted(weights.items()))
