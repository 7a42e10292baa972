r"""Constant words of a format in their order, and where values stand between them.

    "I/O tag %d (%04x) QID %d timeout, completion polled\n"
    -> words  I  O  tag  QID  timeout  completion  polled
       gaps   -  -  -    yes  yes      -           -         starts with a word, ends with one

A word is a run of letters and underscores: digits separate, so `eth%d` has the word `eth`. A word that
touches a text or a hexadecimal value has no constant end, and is left out.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

WORD = re.compile(r"[A-Za-z_]+")
MOST_WORDS = 40
"""Words of a skeleton; a longer text differs by fewer."""

_CONVERSION = re.compile(
    r"%[-+ #0']*(?:\d+|\*)?(?:\.(?:\d+|\*)?)?(?:hh|h|ll|l|z|t|j|q|L|I64)?(p[A-Za-z0-9]*|[diouxXscegfGC])"
)
_DIGITS_ONLY = frozenset("diu")
_ESCAPE = re.compile(r"\\(?:n|r|t|\"|'|\\|x[0-9a-fA-F]{1,2}|[0-7]{1,3}|.)")


class Skeleton(NamedTuple):
    """Constant words of one printed line.

    Attributes:
        words: The words in order.
        gaps: For each word, whether a value may stand before it.
        is_open: Whether something may follow the last word.
    """

    words: tuple[str, ...]
    gaps: tuple[bool, ...]
    is_open: bool


def skeletons(text: str, *, goes_on: bool) -> Iterator[Skeleton]:
    """Yield a skeleton for each line that a format prints; without its newline the last one may go on."""
    lines = _ESCAPE.sub(_unescaped, text).split("\n")
    for number, line in enumerate(lines):
        is_last = number == len(lines) - 1
        if WORD.search(line):
            found = _skeleton(line, is_open=is_last and goes_on)
            if found is not None:
                yield found


def _unescaped(found: re.Match[str]) -> str:
    code = found[0][1]
    if code == "n":
        return "\n"
    return found[0][1:] if code in "\"'\\" else " "


def _skeleton(line: str, *, is_open: bool) -> Skeleton | None:
    line = line.replace("%%", " ")
    parts = _CONVERSION.split(line)
    # parts: text, conversion, text, conversion, …, text
    words: list[str] = []
    gaps: list[bool] = []
    is_gap = False
    for number in range(0, len(parts), 2):
        text = parts[number]
        before = parts[number - 1][0] if number else ""
        behind = parts[number + 1][0] if number + 1 < len(parts) else ""
        is_gap = is_gap or bool(before)
        for found in WORD.finditer(text):
            touches_before = found.start() == 0 and before and before not in _DIGITS_ONLY
            touches_behind = found.end() == len(text) and behind and behind not in _DIGITS_ONLY
            if touches_before or touches_behind:
                is_gap = True
                continue
            words.append(found[0])
            gaps.append(is_gap)
            is_gap = False
    if not words:
        return None
    is_cut = len(words) > MOST_WORDS
    return Skeleton(tuple(words[:MOST_WORDS]), tuple(gaps[:MOST_WORDS]), is_open or is_gap or is_cut)
