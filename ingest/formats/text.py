"""Text that no other format knows: kept, searchable, citable.

Examples:
    [Tue Sep 24 21:20:54 2024] [info] Memcached operation exceeded 20ms :operation="set" latency="1354.68"
    ps aux hangs since ten, top works

Read out is one thing only, because it is evidence that no tool can give: which tool a person says hangs. A
sentence that denies it, or tells of the past, says nothing. The rest is for people.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ingest.captured import FactReader

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ingest.reading import Reading
    from ingest.registry import Text

NAME = "text"
VERSION = 2
TITLE = "Text"
EXAMPLE = "It got slow after Tuesday's deploy. ps aux hangs."

MAX_SENTENCE = 400
"""A longer line is no sentence somebody typed."""

_HANGS = re.compile(
    r"(?:^|[\s`\"'(,:])(?P<tool>ps|pgrep|pkill|top|htop|perf|lsof|pidstat|w|systemctl|docker|df|ls)"
    r"(?P<arguments>(?: [\w./=-]{1,20}){0,3}?)[`\"')]*,? (?:also |just |now |still )?"
    r"(?:hangs?|is (?:hanging|stuck|blocked)|never (?:returns|finishes|comes back)"
    r"|(?:does not|doesn't) return)\b",
    re.IGNORECASE,
)
_PAST_OR_NOT = re.compile(
    r"\b(?:not hang|n't hang|no longer|never hangs?|nor|neither|yesterday|used to|if|when(?:ever)?|until"
    r"|(?:would|may|might|could|can) hang)\b",
    re.IGNORECASE,
)


def begins(lines: Sequence[str], at: int) -> bool:
    """Say whether there is text at all."""
    return bool(lines[at].strip())


def continues(line: str) -> bool:
    """Say that any line is text."""
    del line
    return True


def read(text: Text) -> Reading:
    """Return which tools hang; the lines themselves are what is kept."""
    reader = FactReader(text)
    for line, sentence in enumerate(text.lines, start=text.first_line):
        if len(sentence) > MAX_SENTENCE or _PAST_OR_NOT.search(sentence):
            continue
        for found in _HANGS.finditer(sentence):
            reader.add("human.hung_tool", 1.0, line, "count", {"tool": found["tool"].lower()})
    return reader.result()
