"""Terminal output of subcommands: wrapped lines, no traceback on a closed pipe."""

from __future__ import annotations

import os
import shutil
import sys
import textwrap
from contextlib import contextmanager
from typing import TYPE_CHECKING, TextIO

import click

from cli.process import output_files
from signatures.rendering.lines import bare

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from signatures.rendering.lines import Line

NARROWEST = 60
WIDTH_WITHOUT_TERMINAL = 10_000
"""A line for a file or pipe is not wrapped, so that it can be searched."""


def width() -> int:
    """Return the line width."""
    stdout = _stdout()
    if stdout is None or not stdout.isatty():
        return WIDTH_WITHOUT_TERMINAL
    return max(NARROWEST, shutil.get_terminal_size().columns)


def fitted(line: Line, limit: int) -> str:
    """Return a line wrapped at `limit`, continued two columns right of its own indentation."""
    text = bare(line.text)
    if line.is_command or len(text) <= limit:
        return text
    indent = text[: len(text) - len(text.lstrip())]
    return textwrap.fill(
        text.strip(),
        limit,
        initial_indent=indent,
        subsequent_indent=f"{indent}  ",
        break_long_words=False,
        break_on_hyphens=False,
    )


def may_colour() -> bool | None:
    """Return whether the environment wants colours or none; None: on a terminal.

    NO_COLOR is stronger than FORCE_COLOR and CLICOLOR_FORCE; a terminal named `dumb` has no colours.
    """
    if os.environ.get("NO_COLOR"):
        return False
    if any(os.environ.get(name, "") not in {"", "0"} for name in ("FORCE_COLOR", "CLICOLOR_FORCE")):
        return True
    return False if os.environ.get("TERM") == "dumb" else None


def print_lines(lines: Iterable[Line]) -> None:
    """Print lines, coloured as the environment wants it."""
    limit = width()
    wants_colour = may_colour()
    with printing():
        for line in lines:
            text = fitted(line, limit)
            click.echo(click.style(text, fg=line.colour) if line.colour else text, color=wants_colour)


def print_text(text: str | bytes) -> None:
    """Print bytes as they are, and text as UTF-8; what is no UTF-8 becomes an escape JSON knows."""
    with printing():
        click.echo(text.encode("utf-8", "backslashreplace") if isinstance(text, str) else text, nl=False)


def write_text(path: str, text: str | bytes) -> None:
    """Write all of `text` to a file, or print it where `path` is `-`.

    Raises:
        ClickException: It cannot be written.
    """
    if path == "-":
        print_text(text)
        return
    content = text.encode("utf-8", "backslashreplace") if isinstance(text, str) else text
    try:
        output_files.write(path, content)
    except OSError as error:
        raise click.ClickException(f"{path} cannot be written: {error.strerror}") from None


@contextmanager
def printing() -> Iterator[None]:
    """Context of printing: a reader that closes the pipe early (`| head`) is no error.

    Raises:
        ClickException: The output cannot be written, such as a full disk.
    """
    stdout = _stdout()
    try:
        yield
        if stdout is not None:
            stdout.flush()
    except OSError as error:
        if stdout is not None:
            os.dup2(os.open(os.devnull, os.O_WRONLY), stdout.fileno())
        if not isinstance(error, BrokenPipeError):
            raise click.ClickException(f"the output cannot be written: {error.strerror}") from None


def _stdout() -> TextIO | None:
    """Return the standard output; None when the shell closed it (`>&-`)."""
    stdout: TextIO | None = getattr(sys, "stdout", None)
    return stdout
