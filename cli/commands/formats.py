"""`casebook formats`: list supported formats with limits and examples.

$ casebook formats vmstat
vmstat: vmstat: run queue, memory, paging, switches and CPU over time.
"""

from __future__ import annotations

import sys
from difflib import get_close_matches

import click

from cli.process import exits
from cli.process.output import print_lines, print_text
from signatures.rendering.lines import Line


@click.command("formats")
@click.argument("name", required=False)
@click.option("--markdown", "as_page", is_flag=True, help="Print docs/formats.md.")
def command(name: str | None, *, as_page: bool) -> None:
    """List the supported formats, or show one by NAME with its example and limit.

    Exit status: 3 unknown format.
    """
    if as_page:
        from ingest import reference  # noqa: PLC0415 - imports every reader

        print_text(reference.page())
        return
    from ingest.format_list import format_rows  # noqa: PLC0415 - keeps `casebook --help` fast

    rows = format_rows()
    if name is None:
        lines = [Line("Output of tools, recognised by content:", "cyan")]
        lines += [Line(f"  {row.name:<20} {row.title}") for row in rows if not row.is_file]
        lines += [Line(), Line("Files of a machine, recognised by their path:", "cyan")]
        lines += [Line(f"  {row.name:<20} {row.title}") for row in rows if row.is_file]
        print_lines(lines)
        return
    for row in rows:
        if name == row.name:
            example = (Line(f"    {line}", is_command=True) for line in row.example.split("\n"))
            print_lines([Line(row.summary), Line(row.limit), Line("for example:"), *example])
            return
    similar = get_close_matches(name, [row.name for row in rows])
    hint = f"did you mean {' or '.join(similar)}?" if similar else "`casebook formats` lists them"
    click.echo(f"there is no format {name!r}; {hint}", err=True)
    sys.exit(exits.REFUSED)
