"""Narrative detection: whether a text is a war story, Markdown written by a person.

Examples:
    ---
    title: Ping spikes every five seconds
    symptoms: [ping has spikes of 100 ms]
    ---

    # The night of the wrong kernel

    It began on a Tuesday, an hour after the deploy …

A narrative begins with YAML front matter, or with a heading followed by sentences. Tool output in its code
blocks is read as evidence; a few words above a paste are not a narrative.

Source: https://spec.commonmark.org/0.31.2/ (ATX headings), https://jekyllrb.com/docs/front-matter/
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from ingest.native.linear import Pattern
from ingest.paste.prompt import prompt_at

if TYPE_CHECKING:
    from collections.abc import Sequence

LEAST_WORDS = 60
"""Minimum words of prose below a heading."""

FRONT_LINES = 200
"""Maximum lines of front matter."""

_RULE = re.compile(r"^---[ \t]*$")
_END = re.compile(r"^(?:---|\.\.\.)[ \t]*$")
_KEY = Pattern(r"^(?P<key>title|area|symptoms|signatures|cases|fix):(?:\s+(?P<value>\S.*?))?\s*$")
_HEADING = Pattern(r"^# +(?P<title>[^#\s].*?) *#*\s*$")
_WORD = re.compile(r"[^\W\d_]{2,}")


class Narrative(NamedTuple):
    """Title of a narrative ("" if it has none), and its 1-based line."""

    title: str
    line: int


def detect_narrative(lines: Sequence[str], prose: Sequence[str]) -> Narrative | None:
    """Return the narrative in `lines`, None if there is none.

    Args:
        lines: The whole text.
        prose: Lines that no format recognises.
    """
    return _in_front(lines) or _below_heading(lines, prose)


def _in_front(lines: Sequence[str]) -> Narrative | None:
    """Detect front matter with two or more of the known keys."""
    if not lines or not _RULE.match(lines[0]):
        return None
    front = lines[1:FRONT_LINES]
    end = next((at for at, line in enumerate(front) if _END.match(line)), None)
    if end is None:
        return None
    keys = [(found, at) for at, line in enumerate(front[:end], start=2) if (found := _KEY.match(line))]
    if len({found["key"] for found, _ in keys}) < 2:
        return None
    titles = [(found["value"] or "", at) for found, at in keys if found["key"] == "title"]
    title, line = titles[0] if titles else ("", 1)
    return Narrative(title.strip("'\""), line)


def _below_heading(lines: Sequence[str], prose: Sequence[str]) -> Narrative | None:
    """Detect a heading, a blank line and enough prose."""
    first = next((at for at, line in enumerate(lines) if line.strip()), len(lines))
    if first + 1 >= len(lines) or lines[first + 1].strip() or prompt_at(lines, first):
        return None
    heading = _HEADING.match(lines[first])
    if heading is None or not _WORD.search(heading["title"]):
        return None
    words = sum(len(_WORD.findall(line)) for line in prose if not line.startswith(("#", "    ", "\t")))
    return Narrative(heading["title"], first + 1) if words >= LEAST_WORDS else None
