"""Templates of documents for people, in Jinja2: HTML escapes every value by itself, Markdown by `plain`."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template
from jinja2.ext import Extension
from markupsafe import Markup, escape

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
    environment = Environment(
        loader=FileSystemLoader(FOLDER),
        autoescape=False,  # noqa: S701 - it writes Markdown; its filters escape
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {"plain": plain, "commands": markdown_commands, "grouped": _grouped}
    return environment.get_template(name)


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
