"""`casebook collect`: take what this host says about itself, by the script that an instance serves.

$ sudo casebook collect --grab
casebook: collecting for at most 30 s into /run/casebook.XAZQbK/casebook-db-02-20261121T145702Z.txt
…
$ casebook collect --print > collect.sh      # for a host without this command
"""

from __future__ import annotations

import subprocess

import click


@click.command("collect", context_settings={"ignore_unknown_options": True, "help_option_names": []})
@click.option("--print", "is_printed", is_flag=True, help="Print the script, to run it elsewhere.")
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
@click.pass_context
def command(ctx: click.Context, arguments: tuple[str, ...], *, is_printed: bool) -> None:
    """Collect from this host; `--help` is answered by the collector itself."""
    from ingest import collect  # noqa: PLC0415 - keeps `casebook --help` fast

    if is_printed:
        click.echo(collect.script(), nl=False)
        return
    # By standard input, as when it is fetched: it asks its question at the terminal, never there.
    done = subprocess.run(["sh", "-s", "--", *arguments], input=collect.script(), text=True, check=False)
    ctx.exit(done.returncode)
