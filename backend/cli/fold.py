"""`casebook fold`: folded stacks from any stacks.

$ casebook fold perf.script.gz | head -1
arrow-read-23;start_thread;walk_file_pages;asm_exc_page_fault;exc_page_fault 3
"""

from __future__ import annotations

import sys
from collections import Counter
from typing import TYPE_CHECKING, Literal

import click

from backend.cli import exits
from backend.cli.confined import ConfinedCommand, Reach
from backend.cli.output import print_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ingest.model.profile import Profile
    from ingest.model.reading import Quality


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


def stacks_of(path: str) -> list[tuple[Profile, tuple[Quality, ...]]]:
    """Return every profile of a file with its quality remarks; exits with 3 when there is none."""
    from backend.cli.reading import flat, read  # noqa: PLC0415 - keeps `casebook --help` fast

    evidences = list(flat(list(read([path], is_named=False))))
    found = [
        (profile, section.reading.quality)
        for evidence in evidences
        for section in evidence.sections
        for profile in section.reading.profiles
    ]
    if not found:
        reasons = [evidence.reason for evidence in evidences if evidence.reason]
        click.echo(f"{path}: {reasons[0] if reasons else 'there are no stacks in it'}", err=True)
        sys.exit(exits.REFUSED)
    return found


def choose(profiles: Sequence[Profile], event: str | None, *, is_inferno: bool) -> list[Profile]:
    """Return the profiles of one event.

    Raises:
        UsageError: The event is ambiguous or unknown.
    """
    events = list(dict.fromkeys(profile.event for profile in profiles))
    names = ", ".join(name or "(unnamed)" for name in events)
    if event is None and len(events) > 1 and not is_inferno:
        raise click.UsageError(f"{len(events)} events found, choose one with --event: {names}")
    wanted = events[0] if event is None else event
    chosen = [profile for profile in profiles if profile.event == wanted]
    if not chosen:
        raise click.UsageError(f"no event {wanted!r}; available: {names}")
    return chosen


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
