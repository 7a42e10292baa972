"""Templates of documents for people, in Jinja2.

HTML escapes every value by itself, and a report its control characters; the summary escapes by `plain`.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template
from jinja2.ext import Extension
from markupsafe import Markup, escape

from signatures.language.number_format import quantity_words
from signatures.rendering.finding_text import fix_details
from signatures.rendering.lines import bare
from signatures.rendering.report import name_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from signatures.documents.fix import FixDocument
    from signatures.documents.panel import FigureDocument
    from signatures.rendering.overview_text import Said

FOLDER = Path(__file__).parent
_SPECIAL = re.compile(r"([\\`*_{}\[\]<>#|])")
_COMMAND = re.compile(r"`([^`]+)`")


class _Joined(Extension):
    """Joins the lines of an HTML template, so that its indentation is not in the page."""

    def preprocess(self, source: str, name: str | None, filename: str | None = None) -> str:  # noqa: ARG002 - theirs
        """Return the source as one line; spaces between its lines are not part of the page."""
        return "".join(line.strip() for line in source.splitlines())


@cache
def html_template(name: str) -> Template:
    """Return a template that escapes values for HTML."""
    environment = Environment(
        loader=FileSystemLoader(FOLDER), autoescape=True, undefined=StrictUndefined, extensions=[_Joined]
    )
    environment.filters |= {"commands": html_commands, "grouped": _grouped}
    return environment.get_template(name)


@cache
def markdown_template(name: str) -> Template:
    """Return a template of Markdown, whose values escape themselves by `plain` and `commands`."""
    environment = _of_lines()
    environment.filters |= {"plain": plain, "commands": markdown_commands, "grouped": _grouped}
    return environment.get_template(name)


@cache
def text_template(name: str) -> Template:
    """Return a template of a report, which escapes control characters: a line stays one line."""
    environment = _of_lines(finalize=_on_one_line, keep_trailing_newline=True)
    environment.filters |= {
        "amount": _amount,
        "cell": cell,
        "code": code,
        "command": _command_block,
        "details": _details,
        "lines": _lines,
        "name": name_of,
        "one_line": _one_line,
        "seen": _seen,
        "text": _text,
    }
    return environment.get_template(name)


def _of_lines(**options: Any) -> Environment:
    return Environment(
        loader=FileSystemLoader(FOLDER),
        autoescape=False,  # noqa: S701 - it writes Markdown; its filters escape
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        **options,
    )


def plain(text: str) -> str:
    """Return `text` escaped for Markdown, on one line."""
    return _SPECIAL.sub(r"\\\1", " ".join(text.split()))


def markdown_commands(text: str) -> str:
    """Return `text` escaped for Markdown, with commands between backticks as code."""
    parts = _COMMAND.split(" ".join(text.split()))
    return "".join(f"`{one}`" if at % 2 else _SPECIAL.sub(r"\\\1", one) for at, one in enumerate(parts))


def html_commands(text: str) -> Markup:
    """Return `text` escaped for HTML, with commands between backticks as code."""
    parts = (
        Markup("<code>{}</code>").format(one) if at % 2 else escape(one)
        for at, one in enumerate(_COMMAND.split(text))
    )
    return Markup("").join(parts)


def _grouped(number: Any) -> str:
    """Return a count with thousands separated."""
    return f"{number:,}"


def _on_one_line(value: object) -> str:
    """Return a value without control characters; a block of several lines is `Markup`."""
    return value if isinstance(value, Markup) else bare(str(value))


def _text(text: str) -> str:
    return bare(text).strip()


def cell(text: str) -> str:
    """Return the text of a cell of a table."""
    return _text(text).replace("|", "\\|")


def code(text: str) -> str:
    """Return the text of a cell between backticks."""
    return bare(text).replace("`", "'").replace("|", "\\|")


def _one_line(command: str) -> str:
    return " ".join(command.split())


def _command_block(command: str, indent: str = "") -> Markup:
    lines = ("```sh", *map(bare, command.strip().splitlines()), "```")
    return Markup("\n".join(f"{indent}{line}" for line in lines))  # noqa: S704 - Markdown, not HTML


def _seen(said: Said) -> str:
    """Return where a statement is seen, in brackets; "" where that is not known."""
    return f" (`{_text(said.places)}`)" if said.places else ""


def _details(fix: FixDocument, keys: Sequence[str]) -> str:
    return "; ".join(fix_details(fix, keys))


def _amount(figure: FigureDocument) -> str:
    return quantity_words(figure.value, figure.unit)


def _lines(figure: FigureDocument) -> str:
    return ", ".join(f"`{bare(at.evidence)}:{at.first_line}`" for at in figure.citations)
