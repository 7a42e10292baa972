"""Whether a text is a war story: Markdown that somebody wrote, not what a tool printed.

Examples:
    ---
    title: Ping spikes every five seconds
    symptoms: [ping has spikes of 100 ms]
    ---

    # The night of the wrong kernel

    It began on a Tuesday, an hour after the deploy …

In front of a story stands YAML that names what it is about, or its text begins with a heading and goes on in
sentences. Outputs in its code blocks are evidence as anywhere; a few words above a paste are no story.

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
"""Of sentences, below a heading: shorter text is a note."""

FRONT_LINES = 200
"""YAML in front of a story is shorter."""

_RULE = re.compile(r"^---[ \t]*$")
_END = re.compile(r"^(?:---|\.\.\.)[ \t]*$")
_KEY = Pattern(r"^(?P<key>title|area|symptoms|signatures|cases|fix):(?:\s+(?P<value>\S.*?))?\s*$")
_HEADING = Pattern(r"^# +(?P<title>[^#\s].*?) *#*\s*$")
_WORD = re.compile(r"[^\W\d_]{2,}")


class Told(NamedTuple):
    """A story was found: its title ("" when it has none), and the line that says so, counted from 1."""

    title: str
    line: int


def story_in(lines: Sequence[str], prose: Sequence[str]) -> Told | None:
    """Return the story that `lines` are, None when they are none.

    Args:
        lines: The whole text.
        prose: Those of its lines that no format knows.
    """
    return _in_front(lines) or _below_heading(lines, prose)


def _in_front(lines: Sequence[str]) -> Told | None:
    """Return the story whose YAML stands in front: two or more of a story's keys."""
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
    return Told(title.strip("'\""), line)


def _below_heading(lines: Sequence[str], prose: Sequence[str]) -> Told | None:
    """Return the story that begins with a heading, a blank line and goes on in sentences."""
    first = next((at for at, line in enumerate(lines) if line.strip()), len(lines))
    if first + 1 >= len(lines) or lines[first + 1].strip() or prompt_at(lines, first):
        return None
    heading = _HEADING.match(lines[first])
    if heading is None or not _WORD.search(heading["title"]):
        return None
    words = sum(len(_WORD.findall(line)) for line in prose if not line.startswith(("#", "    ", "\t")))
    return Told(heading["title"], first + 1) if words >= LEAST_WORDS else None
