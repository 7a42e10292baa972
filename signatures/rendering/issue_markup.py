r"""Markup of issue trackers: GitHub and GitLab Flavored Markdown, and the wiki markup of Jira.

    MARKUPS["jira"].text("a|b [~ada] {code}")     ->  a\|b \[\~ada\] \{code\}
    MARKUPS["gitlab"].text("@all closes #7")      ->  @&#8203;all closes #&#8203;7

A text acts on nothing: it notifies nobody, closes no issue, opens no macro, and is no quick action.

Sources: https://github.github.com/gfm/, https://docs.gitlab.com/user/markdown/,
https://docs.gitlab.com/user/project/quick_actions/ and
https://jira.atlassian.com/secure/WikiRendererHelpAction.jspa?section=all
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from signatures.rendering.lines import bare

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

_MARKDOWN = re.compile(r"[\\`*_{}\[\]<>|]")
_REFERENCE = re.compile(r"([@#!~$%]|&amp;)(?=[\w\"{/])")
"""Begin of a mention or reference: a person, issue, merge request, label, snippet or milestone."""
_ADDRESS = re.compile(r"\b(https?(?=://)|ftp(?=://)|www(?=\.))", re.IGNORECASE)
_SEPARATED = r"\1&#8203;"
"""An entity for a space without width behind it, as bots write what must not notify."""
_BEGIN = re.compile(r"^(\s*)([-+=/:#~])")
_NUMBERED = re.compile(r"^(\s*\d+)([.)])")
_JIRA = re.compile(r"[{}\[\]|*_\-+^~?!#@()]|:(?=[)(DP])|;(?=\))")
_JIRA_BLOCK = re.compile(r"^(h[1-6]|bq)(?=\.)")
_TICKS = re.compile("`+")
_MACRO = re.compile(r"\{(?:code|noformat)", re.IGNORECASE)


class Markup(NamedTuple):
    """The markup of an issue tracker; every part is safe for any text.

    Attributes:
        text: Of a line: as it reads, acting on nothing.
        code: Name or place inside a line.
        block: Commands to copy.
        heading: Of a section.
        strong: Words that stand out.
        bullet: Entry of a list, of markup.
        table: Header and rows, of markup.
    """

    text: Callable[[str], str]
    code: Callable[[str], str]
    block: Callable[[str], str]
    heading: Callable[[str], str]
    strong: Callable[[str], str]
    bullet: Callable[[str], str]
    table: Callable[[Sequence[str], Sequence[Sequence[str]]], str]


def _line(text: str) -> str:
    return " ".join(bare(text.replace("\n", " ")).split())


def _markdown_text(text: str) -> str:
    safe = _MARKDOWN.sub(r"\\\g<0>", _line(text).replace("&", "&amp;"))
    safe = _BEGIN.sub(r"\1\\\2", _NUMBERED.sub(r"\1\\\2", safe))
    return _ADDRESS.sub(_SEPARATED, _REFERENCE.sub(_SEPARATED, safe))


def _markdown_code(text: str) -> str:
    line = _line(text)
    fence = "`" * (1 + max(map(len, _TICKS.findall(line)), default=0))
    pad = " " if "`" in line else ""
    return f"{fence}{pad}{line}{pad}{fence}" if line else ""


def _markdown_block(text: str) -> str:
    fence = "`" * max(3, 1 + max(map(len, _TICKS.findall(text)), default=0))
    return f"{fence}sh\n{_lines(text)}\n{fence}"


def _markdown_table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    # A bar ends a cell even inside code.
    cells = [[re.sub(r"(?<!\\)\|", r"\\|", cell) for cell in row] for row in rows]
    lines = [header, ["---"] * len(header), *cells]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _jira_text(text: str) -> str:
    # Two backslashes are a line break there.
    safe = _JIRA.sub(r"\\\g<0>", _line(text).replace("&", "&amp;").replace("\\", "&#92;"))
    return _JIRA_BLOCK.sub(r"\1&#8203;", _ADDRESS.sub(_SEPARATED, safe))


def _jira_code(text: str) -> str:
    line = _jira_text(text)
    return f"{{{{{line}}}}}" if line else ""


def _jira_block(text: str) -> str:
    if not _MACRO.search(text):
        return f"{{noformat}}\n{_lines(text)}\n{{noformat}}"
    # A macro cannot hold its own name.
    return "\n".join(_jira_code(line) for line in text.splitlines() if line.strip())


def _jira_table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [f"||{'||'.join(header)}||", *(f"|{'|'.join(cell or ' ' for cell in row)}|" for row in rows)]
    return "\n".join(lines)


def _lines(text: str) -> str:
    return "\n".join(bare(line) for line in text.rstrip().splitlines())


MARKDOWN = Markup(
    text=_markdown_text,
    code=_markdown_code,
    block=_markdown_block,
    heading=lambda text: f"## {_markdown_text(text)}",
    strong=lambda text: f"**{_markdown_text(text)}**",
    bullet=lambda markup: f"- {markup}",
    table=_markdown_table,
)
JIRA = Markup(
    text=_jira_text,
    code=_jira_code,
    block=_jira_block,
    heading=lambda text: f"h2. {_jira_text(text)}",
    strong=lambda text: f"*{_jira_text(text)}*",
    bullet=lambda markup: f"* {markup}",
    table=_jira_table,
)
MARKUPS = {"github": MARKDOWN, "gitlab": MARKDOWN, "jira": JIRA}
