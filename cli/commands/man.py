"""`casebook man`: manual pages, made from the commands themselves.

$ casebook man diff
$ casebook man --directory ~/.local/share/man/man1
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import click


@click.command("man")
@click.argument("words", nargs=-1, metavar="[COMMAND]...")
@click.option(
    "--directory",
    type=click.Path(path_type=Path, file_okay=False),
    help="Write the pages of all commands to this directory.",
)
def command(words: tuple[str, ...], directory: Path | None) -> None:
    """Show the manual page of a command, by default that of casebook.

    A terminal shows it by man(1); otherwise the page is printed in roff.

    \b
    casebook man baseline add
    casebook man --directory ~/.local/share/man/man1
    """  # noqa: D301 - click reads the backspace
    from cli import main  # noqa: PLC0415 - that module imports this one
    from cli.process.man_pages import page, pages  # noqa: PLC0415 - keeps help fast
    from cli.process.output import print_text  # noqa: PLC0415 - same

    if directory is not None:
        if words:
            raise click.UsageError("--directory writes the pages of all commands; name none")
        directory.mkdir(parents=True, exist_ok=True)
        made = pages(main)
        for name, text in made.items():
            (directory / f"{name}.1").write_text(text, encoding="utf-8")
        click.echo(f"wrote {len(made)} pages to {directory}", err=True)
        return
    found = page(main, words)
    if found is None:
        raise click.UsageError(f"there is no command {' '.join(words)!r}; `casebook --help` lists them")
    has_viewer = sys.stdout.isatty() and shutil.which("man") is not None
    if has_viewer and subprocess.run(["man", "-l", "-"], input=found.encode(), check=False).returncode == 0:
        return
    print_text(found)
