"""`casebook formats`: list supported formats with limits and examples.

$ casebook formats vmstat
vmstat: vmstat: run queue, memory, paging, switches and CPU over time.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from backend.cli import exits
from backend.cli.output import Line, print_lines, print_text

if TYPE_CHECKING:
    from ingest.parsing.protocols import DocumentFormat, Format


@click.command("formats")
@click.argument("name", required=False)
@click.option("--markdown", "as_page", is_flag=True, help="Print docs/formats.md.")
def command(name: str | None, *, as_page: bool) -> None:
    """List the supported formats, or show one by NAME with its example and limit.

    Exit status: 3 unknown format.
    """
    from ingest import reference  # noqa: PLC0415 - keeps `casebook --help` fast
    from ingest.readers import DOCUMENTS, FILES, FORMATS  # noqa: PLC0415 - same
    from ingest.readers.logs import text as plain  # noqa: PLC0415 - same

    if as_page:
        print_text(reference.page())
        return
    outputs: tuple[Format | DocumentFormat, ...] = (*FORMATS, *DOCUMENTS, plain)
    if name is None:
        lines = [Line("Output of tools, recognised by content:", "cyan")]
        lines += [Line(f"  {one.NAME:<20} {one.TITLE}") for one in outputs]
        lines += [Line(), Line("Files of a machine, recognised by their path:", "cyan")]
        lines += [Line(f"  {one.NAME:<20} {one.TITLE}") for one in FILES]
        print_lines(lines)
        return
    for one in outputs:
        if name == one.NAME:
            _show(reference.summary(one), reference.limit_of(one), one.EXAMPLE)
            return
    for file in FILES:
        if name == file.NAME:
            _show(reference.summary(file), f"by path: {', '.join(file.PATHS) or 'none'}", file.EXAMPLE)
            return
    click.echo(f"there is no format {name!r}; `casebook formats` lists them", err=True)
    sys.exit(exits.REFUSED)


def _show(summary: str, limit: str, example: str) -> None:
    lines = [Line(summary), Line(limit), Line("for example:")]
    print_lines([*lines, *(Line(f"    {line}", is_command=True) for line in example.split("\n"))])
