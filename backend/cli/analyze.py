"""`casebook analyze`: evidence to cited findings, here and now, without a server.

$ casebook analyze perf.script memory.stat
$ ssh db7 'dmesg' | casebook analyze -
"""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

import click

from backend.cli.arguments import evidence_paths

if TYPE_CHECKING:
    from backend.cli.analysis import Analysis

NOTHING_READABLE = 3


@click.command("analyze")
@evidence_paths
@click.option(
    "--format",
    "shape",
    type=click.Choice(["text", "json", "markdown"]),
    default="text",
    show_default=True,
    help="text for a terminal, json for programs, markdown to paste into an incident.",
)
@click.option(
    "--all", "with_all", is_flag=True, help="Show every signature, also those that say no, and every file."
)
def command(paths: tuple[str, ...], shape: str, *, with_all: bool) -> None:
    """Read evidence and say what it shows.

    PATH is a file, a directory, an archive or a sosreport, compressed or not; `-` is standard input. Files of
    a directory count as captured there: keep the paths of /proc and /sys.

    Ends with 0 when it ran, whatever it found; 2 when it was called wrongly; 3 when nothing could be read.
    """
    from backend.cli.analysis import analyse  # noqa: PLC0415 - keeps `casebook --help` fast

    analysis = analyse(paths)
    for problem in analysis.problems:
        click.echo(f"a signature was left out and not judged: {problem}", err=True)
    write(analysis, shape, with_all=with_all)
    if not analysis.has_read:
        if shape == "json":
            click.echo("nothing could be read; each `reason` says why", err=True)
        sys.exit(NOTHING_READABLE)


def write(analysis: Analysis, shape: str, *, with_all: bool) -> None:
    """Print an analysis."""
    from backend.cli import output  # noqa: PLC0415 - same

    if shape == "json":
        from backend.cli.analysis import document  # noqa: PLC0415 - same

        told = document(analysis, with_all=with_all)
        output.print_text(json.dumps(told, indent=2, ensure_ascii=False) + "\n")
    elif shape == "markdown":
        from backend.cli.markdown import markdown_lines  # noqa: PLC0415 - same

        output.print_text("\n".join(markdown_lines(analysis, with_all=with_all)) + "\n")
    else:
        from backend.cli.terminal import lines_of  # noqa: PLC0415 - same

        output.print_lines(lines_of(analysis, with_all=with_all))
