"""`casebook collect`: take what this host says about itself, by the script that an instance serves.

$ sudo casebook collect --grab
casebook: collecting for at most 30 s into /run/casebook.XAZQbK/casebook-db-02-20261121T145702Z.txt
…
$ casebook collect --print > collect.sh      # for a host without this command
"""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from collections.abc import Sequence


class Collecting(click.Command):
    """Ends its help with that of the collector, whose options are passed on."""

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002 - click's signature
        """Write what the collector says of itself."""
        told = _run(["--help"], is_captured=True)
        formatter.write_paragraph()
        formatter.write(f"The collector's own help:\n\n{told.stdout}")


@click.command("collect", cls=Collecting, context_settings={"ignore_unknown_options": True})
@click.option("--print", "is_printed", is_flag=True, help="Print the script, to run it elsewhere.")
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
@click.pass_context
def command(ctx: click.Context, arguments: tuple[str, ...], *, is_printed: bool) -> None:
    """Collect from this host; ARGUMENTS are those of the collector."""
    from ingest import collect  # noqa: PLC0415 - keeps `casebook --help` fast

    if is_printed:
        click.echo(collect.script(), nl=False)
        return
    ctx.exit(_run(arguments).returncode)


def _run(arguments: Sequence[str], *, is_captured: bool = False) -> subprocess.CompletedProcess[str]:
    """Run the collector by standard input, as when it is fetched: it asks at the terminal, never there."""
    from ingest import collect  # noqa: PLC0415 - keeps `casebook --help` fast

    return subprocess.run(
        ["sh", "-s", "--", *arguments],
        input=collect.script(),
        stdout=subprocess.PIPE if is_captured else None,
        text=True,
        check=False,
    )
