"""Format recognition: assign each line to a format, or to unknown text.

One pass: an open format takes the lines that can continue it; a paragraph that another format begins ends it.
Up to `RESIDUE_LINES` unknown lines that touch a format in the same paragraph are its residue, which its
reader counts: a shell message, a cut line, a note. Longer strangers are text.

Recognition sees long lines shortened by `ingest.native.linear.view`; readers see the whole line.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ingest.native.linear import VIEW, view
from ingest.readers import BY_CONTENT, FORMATS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ingest.parsing.protocols import Format

RESIDUE_LINES = 8

RECOGNISED: tuple[Format, ...] = (*FORMATS, *BY_CONTENT)


class Span(NamedTuple):
    """Lines `first` to `last` (indices, both included) and their format, None for unknown text."""

    format: Format | None
    first: int
    last: int


def claim(lines: Sequence[str], at: int) -> Format | None:
    """Return the format that begins at `lines[at]`, None when none does."""
    if not lines[at].strip():
        return None
    for candidate in RECOGNISED:
        if candidate.begins(lines, at):
            return candidate
    return None


def claim_head(lines: Sequence[str]) -> Format | None:
    """Return the format that begins first anywhere in `lines`, None when none does."""
    shortened = _shortened(lines)
    for at in range(len(shortened)):
        found = claim(shortened, at)
        if found:
            return found
    return None


def spans(lines: Sequence[str]) -> list[Span]:
    """Return all spans of `lines` in order; blank lines between spans belong to none."""
    recognised = _with_residue(lines, list(_recognised(_shortened(lines))))
    complete: list[Span] = []
    at = 0
    for span in [*recognised, Span(None, len(lines), len(lines))]:
        gap = _trimmed(lines, at, span.first - 1)
        if gap:
            complete.append(gap)
        if span.format:
            complete.append(span)
        at = span.last + 1
    return complete


def _shortened(lines: Sequence[str]) -> Sequence[str]:
    """Return `lines` with long lines shortened."""
    return [view(line) for line in lines] if any(len(line) > VIEW for line in lines) else lines


def _trimmed(lines: Sequence[str], first: int, last: int) -> Span | None:
    """Return the unknown span without blank lines at its ends, None when nothing is left."""
    while first <= last and not lines[first].strip():
        first += 1
    while last >= first and not lines[last].strip():
        last -= 1
    return Span(None, first, last) if first <= last else None


def _recognised(lines: Sequence[str]) -> Iterator[Span]:
    """Yield the spans of formats, residue inside them included."""
    current: Format | None = None
    first = last = 0
    strangers = 0
    is_paragraph_start = True
    for at, line in enumerate(lines):
        if not line.strip():
            is_paragraph_start = True
            continue
        taker = _taker(lines, at, current, is_paragraph_start=is_paragraph_start)
        is_paragraph_start = False
        if taker is None:
            strangers += 1
            if current and strangers > RESIDUE_LINES:
                yield Span(current, first, last)
                current = None
            continue
        if taker is not current:
            if current:
                yield Span(current, first, last)
            current, first = taker, at
        last = at
        strangers = 0
    if current:
        yield Span(current, first, last)


def _taker(
    lines: Sequence[str], at: int, current: Format | None, *, is_paragraph_start: bool
) -> Format | None:
    """Return the format of `lines[at]`: the open one, one that begins there, or None."""
    if current is None:
        return claim(lines, at)
    if is_paragraph_start:
        if current.begins(lines, at):
            return current
        return claim(lines, at) or (current if current.continues(lines[at]) else None)
    if current.continues(lines[at]):
        return current
    return claim(lines, at)


def _with_residue(lines: Sequence[str], recognised: list[Span]) -> list[Span]:
    """Extend spans over the short strangers that touch them in the same paragraph."""
    extended: list[Span] = []
    for index, span in enumerate(recognised):
        lowest = extended[-1].last + 1 if extended else 0
        highest = recognised[index + 1].first if index + 1 < len(recognised) else len(lines)
        first = _reach(lines, span.first, -1, lowest - 1)
        last = _reach(lines, span.last, 1, highest)
        extended.append(Span(span.format, first, last))
    return extended


def _reach(lines: Sequence[str], edge: int, step: int, end: int) -> int:
    """Return how far the paragraph goes from `edge` before `end`; `edge` itself when that is too far."""
    at = edge + step
    while at != end and lines[at].strip() and abs(at - edge) <= RESIDUE_LINES:
        at += step
    too_far = abs(at - edge) > RESIDUE_LINES and at != end and bool(lines[at].strip())
    return edge if too_far else at - step
