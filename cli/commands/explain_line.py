"""`casebook explain-line`: which source line of the kernel prints a line of a log.

$ casebook explain-line 'nvme nvme0: I/O 12 QID 5 timeout, completion polled'
nvme nvme0: I/O 12 QID 5 timeout, completion polled
  level: warning, of the call in the source; the line states none
  place: nvme_timeout in drivers/nvme/host/pci.c; driver nvme
"""

from __future__ import annotations

import json
import sys

import click

from cli.process import exits
from cli.process.output import print_lines, print_text

MOST = 10_000
"""Lines of one call."""


@click.command("explain-line")
@click.argument("lines", nargs=-1, metavar="[LINE]...")
@click.option(
    "--format",
    "shape",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    help="Text for people, or JSON.",
)
def command(lines: tuple[str, ...], *, shape: str) -> None:
    """Show which source line of the kernel prints LINE: level, driver, layer, file, function and releases.

    LINE is a line of a kernel log, with its prefix or without; without LINE, or with `-`, lines are read from
    standard input. Releases are those whose sources were looked at: a hint, no verdict about the version.

    Exit status: 3 no line is in the catalogue.
    """
    from ingest.native.messages import sources  # noqa: PLC0415 - keeps `casebook --help` fast
    from signatures.documents.codec import to_documents  # noqa: PLC0415 - same
    from signatures.rendering.explained_line import explained_lines  # noqa: PLC0415 - same
    from signatures.reporting.explained_line import explained  # noqa: PLC0415 - same

    if lines in {(), ("-",)}:
        lines = tuple(line for line in sys.stdin.read().splitlines() if line.strip())
    if len(lines) > MOST:
        raise click.UsageError(f"at most {MOST:,} lines at once; `casebook analyze` reads whole logs")
    found = [explained(line) for line in lines]
    looked_at = [one.release for one in sources()]
    if shape == "json":
        document = {"looked_at": looked_at, "lines": to_documents(found)}
        print_text(json.dumps(document, indent=2, ensure_ascii=False) + "\n")
    else:
        for one in found:
            print_lines(explained_lines(one, looked_at))
    if not any(one.places for one in found):
        sys.exit(exits.REFUSED)
