"""`casebook convert`: convert profiles for another tool.

$ casebook convert perf.script.gz --to firefox -o out.json     # profiler.firefox.com opens it
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import click

from cli.process import exits
from cli.process.confined import ConfinedCommand, Reach
from cli.process.output import write_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ingest.model.profile import Profile


@click.command("convert", cls=ConfinedCommand, reach=Reach(reads=("path",), writes=("output",)))
@click.argument("path", type=click.Path(exists=True, allow_dash=True))
@click.option(
    "--to",
    "target",
    type=click.Choice(["speedscope", "folded", "firefox"]),
    required=True,
    help="speedscope.app, folded stacks, or profiler.firefox.com.",
)
@click.option("--event", metavar="NAME", help="Convert this event only.")
@click.option(
    "-o", "--output", type=click.Path(dir_okay=False, allow_dash=True), default="-", help="Output file."
)
def command(
    path: str, target: Literal["speedscope", "folded", "firefox"], event: str | None, output: str
) -> None:
    """Convert the profiles of PATH; `-` is standard input.

    Folded stacks and Firefox profiles hold one event; of several recordings Firefox gets the one with most
    samples. Exit status: 2 an event must be chosen, 3 no stacks.
    """
    from cli.evidence.paths import read  # noqa: PLC0415 - keeps `casebook --help` fast
    from cli.evidence.selection import choose  # noqa: PLC0415 - same
    from signatures.rendering.report import flat  # noqa: PLC0415 - same

    evidences = list(flat(list(read([path], is_named=False))))
    profiles = [
        profile
        for evidence in evidences
        for section in evidence.sections
        for profile in section.reading.profiles
        if len(profile.sample_node)
    ]
    if not profiles:
        reasons = [evidence.reason for evidence in evidences if evidence.reason]
        click.echo(f"{path}: {reasons[0] if reasons else 'there are no stacks in it'}", err=True)
        sys.exit(exits.REFUSED)
    if event is not None or target != "speedscope":
        profiles = choose(profiles, event, is_inferno=False)
    content = converted(profiles, target, name=Path(path).name)
    write_text(output, content)


def converted(
    profiles: Sequence[Profile], target: Literal["speedscope", "folded", "firefox"], *, name: str
) -> bytes:
    """Return `profiles` in the file format `target`."""
    from cli.commands.fold import folded  # noqa: PLC0415 - same
    from ingest.export import firefox, speedscope  # noqa: PLC0415 - same

    if target == "folded":
        weight: Literal["samples", "period"] = "samples" if profiles[0].unit == "samples" else "period"
        return folded(profiles, weight, "")
    if target == "firefox":
        heaviest = max(profiles, key=lambda profile: profile.samples)
        document = firefox.document(heaviest, name=name)
    else:
        document = speedscope.document(profiles, name=name)
    return json.dumps(document, separators=(",", ":"), ensure_ascii=True).encode("ascii")
