"""`casebook fold`: folded stacks from any stacks.

$ casebook fold perf.script.gz | head -1
arrow-read-23;start_thread;walk_file_pages;asm_exc_page_fault;exc_page_fault 3
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Literal

import click

from cli.evidence.selection import choose, stacks_of
from cli.process.confined import ConfinedCommand, Reach
from cli.process.output import print_text

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
    if event is None and weight == "samples" and compat is None and path != "-":
        from ingest.export import plain_script  # noqa: PLC0415 - keeps `casebook --help` fast

        if (text := plain_script.folded(path)) is not None:
            print_text(text)
            return
    profiles = [profile for profile, _ in stacks_of(path)]
    chosen = choose(profiles, event, is_inferno=compat == "inferno")
    print_text(folded(chosen, weight, compat or ""))


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
