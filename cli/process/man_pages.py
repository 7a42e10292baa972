r"""Manual pages in roff, made from a click command and its subcommands.

    .TH "CASEBOOK\-DIFF" "1" "" "casebook 0.1.0" "Casebook Manual"
    .SH NAME

Source: man(7), https://man7.org/linux/man-pages/man7/groff_man.7.html
"""

from __future__ import annotations

import inspect
import re
from typing import TYPE_CHECKING

import click

from backend.core.version import VERSION

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

PROGRAM = "casebook"
VERBATIM = "\b\n"
"""What click's help puts before a paragraph that is not to be filled."""


def pages(program: click.Command) -> dict[str, str]:
    """Return the page of every command that `--help` lists, by name: `casebook-baseline-add`."""
    return {
        name: "".join(f"{line}\n" for line in _page(name, ctx))
        for name, ctx in _commands(PROGRAM, program, None)
    }


def page(program: click.Command, words: Sequence[str]) -> str | None:
    """Return the page of one command, such as `baseline add`; None when there is none of that name."""
    ctx, name = click.Context(program, info_name=PROGRAM), PROGRAM
    for word in words:
        command = dict(_named(ctx, word)).get(word)
        if command is None:
            return None
        ctx, name = click.Context(command, info_name=word, parent=ctx), f"{name}-{word}"
    return "".join(f"{line}\n" for line in _page(name, ctx))


def _named(ctx: click.Context, word: str) -> Iterator[tuple[str, click.Command]]:
    hidden: frozenset[str] = getattr(ctx.command, "hidden_names", frozenset())
    if isinstance(ctx.command, click.Group) and word not in hidden:
        command = ctx.command.get_command(ctx, word)
        if command is not None and not command.hidden:
            yield word, command


def _commands(
    name: str, command: click.Command, parent: click.Context | None
) -> Iterator[tuple[str, click.Context]]:
    ctx = click.Context(command, info_name=name.rpartition("-")[2] if parent else name, parent=parent)
    yield name, ctx
    for child, one in _children(ctx):
        yield from _commands(f"{name}-{child}", one, ctx)


def _children(ctx: click.Context) -> Iterator[tuple[str, click.Command]]:
    if isinstance(ctx.command, click.Group):
        for name in ctx.command.list_commands(ctx):
            yield from _named(ctx, name)


def _page(name: str, ctx: click.Context) -> Iterator[str]:
    command = ctx.command
    yield f'.TH "{_escaped(name.upper())}" "1" "" "casebook {VERSION}" "Casebook Manual"'
    yield ".SH NAME"
    yield f"{_escaped(name)} \\- {_escaped(command.get_short_help_str(limit=1000).rstrip('.'))}"
    yield ".SH SYNOPSIS"
    yield f".B {_escaped(ctx.command_path)}"
    yield _escaped(" ".join(command.collect_usage_pieces(ctx)))
    yield ".SH DESCRIPTION"
    yield from _paragraphs(inspect.cleandoc(command.help or ""))
    named = (one for one in command.get_params(ctx) if isinstance(one, click.Option))
    if options := [record for one in named if (record := one.get_help_record(ctx)) is not None]:
        yield ".SH OPTIONS"
        for signature, text in options:
            yield from (".TP", f".B {_escaped(signature)}", _escaped(text))
    if children := list(_children(ctx)):
        yield ".SH COMMANDS"
        for child, one in children:
            text = one.get_short_help_str(limit=1000)
            yield from (".TP", f".BR {_escaped(f'{name}-{child}')} (1)", _escaped(text))
    if ctx.parent is not None:
        yield ".SH SEE ALSO"
        yield f".BR {_escaped(name.rpartition('-')[0])} (1)"


def _paragraphs(text: str) -> Iterator[str]:
    for at, paragraph in enumerate(re.split(r"\n\s*\n", text)):
        if at:
            yield ".PP"
        if paragraph.startswith(VERBATIM):
            lines = paragraph.removeprefix(VERBATIM).split("\n")
            yield from (".nf", *map(_escaped, lines), ".fi")
        else:
            yield _escaped(" ".join(paragraph.split()))


def _escaped(text: str) -> str:
    """Return a line of text that roff prints as it is."""
    line = text.replace("\\", "\\e").replace("-", "\\-").replace("\n", " ")
    line = "".join(one if one.isascii() else f"\\[u{ord(one):04X}]" for one in line)
    return f"\\&{line}" if line.startswith((".", "'")) else line
