"""Reports by people that a tool hangs: no tool prints this.

Example:
    ps aux hangs since ten, top works

Negated and past-tense sentences are ignored.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from ingest.native.line_starts import LineStarts
from ingest.parsing.fact_reader import FactReader

if TYPE_CHECKING:
    from ingest.model.reading import Reading
    from ingest.model.section import Text

MAX_SENTENCE = 400
"""Longer lines are not typed sentences."""

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


@cache
def _sentences() -> LineStarts:
    words = r"hang|is (?:stuck|blocked)|never (?:returns|finishes|comes back)|(?:does not|doesn't) return"
    return LineStarts([(0, (f"(?i:.*(?:{words}))",), (), 0)])


def read(text: Text) -> Reading:
    """Return which tools hang."""
    reader = FactReader(text)
    for at in _sentences().scan(list(text.lines))[0]:
        line, sentence = text.first_line + at, text.lines[at]
        if len(sentence) > MAX_SENTENCE or _PAST_OR_NOT.search(sentence):
            continue
        for found in _HANGS.finditer(sentence):
            reader.add("human.hung_tool", 1.0, line, "count", {"tool": found["tool"].lower()})
    return reader.result()
