r"""Three-way merge of notes by paragraph.

merge("a\n\nb", mine="a\n\nB", theirs="A\n\nb")  ->  "A\n\nB"
merge("a", mine="b", theirs="c")                  ->  None: both changed one paragraph
"""

from __future__ import annotations

import re
from difflib import SequenceMatcher
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

PARAGRAPH = re.compile(r"\n[^\S\n]*\n\s*")
MAX_PARAGRAPHS = 500
"""Paragraphs that are compared; longer notes merge only where one side changed nothing."""


def merge(base: str, *, mine: str, theirs: str) -> str | None:
    """Return the text with the changes of both, or None where they changed the same paragraphs differently.

    What both added at one place follows each other, theirs first.
    """
    if theirs in (base, mine):
        return mine
    if mine == base:
        return theirs
    sides = [PARAGRAPH.split(text.strip()) for text in (base, mine, theirs)]
    if max(map(len, sides)) > MAX_PARAGRAPHS:
        return None
    merged: list[str] = []
    for old, ours, other in _regions(*sides):
        if other in (old, ours):
            merged += ours
        elif ours == old:
            merged += other
        elif not old:
            merged += [*other, *ours]
        else:
            return None
    return "\n\n".join(merged)


def _regions(
    base: Sequence[str], mine: Sequence[str], theirs: Sequence[str]
) -> Iterator[tuple[list[str], list[str], list[str]]]:
    """Yield the paragraphs of base, mine and theirs between, and at, those that all three have in common."""
    ours, others = _places(base, mine), _places(base, theirs)
    done = (0, 0, 0)
    for at in [*sorted(ours.keys() & others.keys()), None]:
        place = (len(base), len(mine), len(theirs)) if at is None else (at, ours[at], others[at])
        if place != done:
            begin, end = done, place
            yield (
                list(base[begin[0] : end[0]]),
                list(mine[begin[1] : end[1]]),
                list(theirs[begin[2] : end[2]]),
            )
        if at is not None:
            yield [base[at]], [base[at]], [base[at]]
            done = (place[0] + 1, place[1] + 1, place[2] + 1)


def _places(base: Sequence[str], other: Sequence[str]) -> dict[int, int]:
    """Return the index in `other` of each paragraph of `base` that it kept."""
    blocks = SequenceMatcher(None, base, other, autojunk=False).get_matching_blocks()
    return {one.a + at: one.b + at for one in blocks for at in range(one.size)}
