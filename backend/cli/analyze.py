"""`casebook analyze`: evidence to cited findings, here and now, without a server.

$ casebook analyze perf.script memory.stat
$ ssh db7 'dmesg' | casebook analyze -
"""

from __future__ import annotations

import json
import os
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
@click.option("--all", "with_all", is_flag=True, help="Show every signature, also those that say no.")
def command(paths: tuple[str, ...], shape: str, *, with_all: bool) -> None:
    """Read evidence and say what it shows.

    PATH is a file, a directory, an archive or a sosreport, compressed or not; `-` is standard input. Files of
    a directory count as captured there: keep the paths of /proc and /sys.

    Ends with 0 when it ran, whatever it found; 2 when it was called wrongly; 3 when nothing could be read.
    """
    from backend.cli.analysis import analyse  # noqa: PLC0415 - keeps `casebook --help` fast

    analysis = analyse(paths)
    write(analysis, shape, with_all=with_all)
    if not analysis.has_read:
        if shape != "text":
            click.echo("nothing could be read; --format text says why, file by file", err=True)
        sys.exit(NOTHING_READABLE)


def write(analysis: Analysis, shape: str, *, with_all: bool) -> None:
    """Print an analysis; a reader that goes away early (`| head`) is no error."""
    from backend.cli import terminal  # noqa: PLC0415 - same
    from backend.cli.analysis import document  # noqa: PLC0415 - same
    from signatures import report  # noqa: PLC0415 - same

    try:
        if shape == "json":
            click.echo(json.dumps(document(analysis, with_all=with_all), indent=2, ensure_ascii=False))
        elif shape == "markdown":
            click.echo("\n".join(report.markdown_lines(analysis.findings, is_all=with_all)))
        else:
            limit = terminal.width()
            for line in terminal.lines_of(analysis, with_all=with_all):
                click.echo(terminal.styled(line, limit), color=False if "NO_COLOR" in os.environ else None)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
