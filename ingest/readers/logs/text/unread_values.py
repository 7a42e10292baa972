"""Which questions short text of no known format is about: lines with a number and a word of the question.

Example:
    stall: 4121 ms           ->  text.unread_values{question=scheduling} = 1
    $ zpool iostat 1         ->  text.unread_values{question=io}

The words and tools are rows of `unread_topics.yaml`. Nothing is read out of such lines: they only forbid to
call a question calm beside them.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from ingest.model.citation import Lines
from ingest.model.facts import Fact
from ingest.tables import files, table

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ingest.model.section import Text

MOST_LINES = 400
"""A longer text is a log of its own, and no output beside others."""

MOST_CHARACTERS = 400
FACT = "text.unread_values"

_NUMBER = re.compile(r"\d")
_TOOL = re.compile(r"(?:^|[|;&]\s*)(?:sudo\s+)?(?:\S*/)?([\w-]+)")


class UnreadValues:
    """Counts the lines about each question, piece by piece."""

    def __init__(self) -> None:
        """Begin with none."""
        self._lines = 0
        self._counted: dict[str, list[int]] = {}

    def take(self, text: Text) -> None:
        """Count the lines of `text`, and its command."""
        self._lines += len(text.lines)
        if self._lines > MOST_LINES:
            return
        tools = set(_TOOL.findall(text.command))
        for question, (words, named) in _topics().items():
            if tools & named and text.lines:
                self._add(question, text.first_line)
            for at, line in enumerate(text.lines):
                if _NUMBER.search(line[:MOST_CHARACTERS]) and words.search(line[:MOST_CHARACTERS]):
                    self._add(question, text.first_line + at)

    def facts(self) -> Iterator[Fact]:
        """Yield the number of lines about each question, of the first and last of them."""
        if self._lines > MOST_LINES:
            return
        for question, lines in self._counted.items():
            where = Lines(min(lines), max(lines))
            yield Fact(FACT, float(len(set(lines))), where, "count", {"question": question})

    def _add(self, question: str, line: int) -> None:
        self._counted.setdefault(question, []).append(line)


@cache
def _topics() -> dict[str, tuple[re.Pattern[str], frozenset[str]]]:
    """Return the words of each question as a pattern, and its tools."""
    rows = table(files("ingest.catalogue") / "unread_topics.yaml")
    return {
        question: (
            re.compile(rf"(?<![\w/.-])(?:{'|'.join(row['words'])})(?![\w/-])", re.IGNORECASE),
            frozenset(row["tools"]),
        )
        for question, row in rows.items()
    }
