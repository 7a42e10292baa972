"""`casebook collect`: run the collector script on this host.

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


class CollectorCommand(click.Command):
    """A click command that appends the help of the collector, whose options are passed through."""

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002 - click's signature
        """Append the help of the collector."""
        help_text = _run(["--help"], is_captured=True)
        formatter.write_paragraph()
        formatter.write(f"The collector's own help:\n\n{help_text.stdout}")


@click.command("collect", cls=CollectorCommand, context_settings={"ignore_unknown_options": True})
@click.option("--print", "is_printed", is_flag=True, help="Print the script to run it on another host.")
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
@click.pass_context
def command(ctx: click.Context, arguments: tuple[str, ...], *, is_printed: bool) -> None:
    """Collect evidence from this host; ARGUMENTS are those of the collector."""
    from ingest import collect  # noqa: PLC0415 - keeps `casebook --help` fast

    if is_printed:
        click.echo(collect.script(), nl=False)
        return
    ctx.exit(_run(arguments).returncode)


def _run(arguments: Sequence[str], *, is_captured: bool = False) -> subprocess.CompletedProcess[str]:
    """Run the collector from standard input, as when downloaded; prompts use the terminal."""
    from ingest import collect  # noqa: PLC0415 - keeps `casebook --help` fast

    return subprocess.run(
        ["sh", "-s", "--", *arguments],
        input=collect.script(),
        stdout=subprocess.PIPE if is_captured else None,
        text=True,
        check=False,
    )
