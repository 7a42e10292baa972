"""Format recognition: assign each line to a format, or to unknown text.

One pass of the native core finds the lines at which formats may begin; the formats look at no others.
An open format takes the lines that can continue it; a paragraph that another format begins ends it.
Up to `RESIDUE_LINES` unknown lines that touch a format in the same paragraph are its residue, which its
reader counts: a shell message, a cut line, a note. Longer strangers are text.

Recognition sees long lines shortened by `ingest.native.linear.view`; readers see the whole line.
"""

from __future__ import annotations

from bisect import bisect_left
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from ingest.native.line_starts import LineRuns, LineStarts
from ingest.native.linear import VIEW, view
from ingest.parsing import required_literals
from ingest.parsing.protocols import Start
from ingest.readers import BY_CONTENT, FORMATS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from ingest.parsing.protocols import Format

RESIDUE_LINES = 8

BLOCK_LINES = 512
"""Lines that are searched at once for where formats may begin."""

RECOGNISED: tuple[Format, ...] = (*FORMATS, *BY_CONTENT)


class Span(NamedTuple):
    """Lines `first` to `last` (indices, both included) and their format, None for unknown text."""

    format: Format | None
    first: int
    last: int


def _conditions() -> list[tuple[int, Sequence[str], Sequence[str], int]]:
    """Return the conditions under which formats begin; a format without any may begin at every line."""
    conditions: list[tuple[int, Sequence[str], Sequence[str], int]] = []
    for number, candidate in enumerate(RECOGNISED):
        for start in getattr(candidate, "STARTS", ("",)):
            one = start if isinstance(start, Start) else Start((start,))
            conditions.append((number, one.expressions, one.near, one.within))
    return conditions


def expressions() -> list[str]:
    """Return the expressions of all conditions."""
    return [expression for _, every, _, _ in _conditions() for expression in every]


@cache
def _starts() -> LineStarts:
    conditions = _conditions()
    return LineStarts(conditions, [required_literals.known(every) for _, every, _, _ in conditions])


@cache
def _finders() -> tuple[tuple[int, Callable[[list[str]], list[int]]], ...]:
    return tuple(
        (number, candidate.starts_among)
        for number, candidate in enumerate(RECOGNISED)
        if hasattr(candidate, "starts_among")
    )


@cache
def _runs() -> dict[str, LineRuns]:
    """Return by format the lines that surely continue it."""
    return {
        candidate.NAME: LineRuns(candidate.CONTINUES, getattr(candidate, "RESUMES", ()))
        for candidate in RECOGNISED
        if hasattr(candidate, "CONTINUES")
    }


class Beginnings:
    """The lines of one text at which formats may begin.

    Lines are searched in blocks, each when one of it is first asked for: most lines of an open section never
    are.

    Attributes:
        lines: The text, long lines shortened.
    """

    def __init__(self, lines: Sequence[str]) -> None:
        """Prepare `lines`."""
        self.lines = _shortened(lines)
        self._blocks: dict[int, tuple[dict[int, list[int]], list[int]]] = {}

    def _block(self, number: int) -> tuple[dict[int, list[int]], list[int]]:
        """Return the lines of a block that may begin formats, with the numbers of these, and in order."""
        if found := self._blocks.get(number):
            return found
        first = number * BLOCK_LINES
        candidates: dict[int, list[int]] = dict(
            zip(*_starts().scan(self.lines, first, BLOCK_LINES), strict=True)
        )
        block = self.lines[first : first + BLOCK_LINES]
        for format_number, starts_among in _finders():
            for at in starts_among(block):
                numbers = candidates.setdefault(first + at, [])
                if format_number not in numbers:
                    numbers.append(format_number)
                    numbers.sort()
        self._blocks[number] = candidates, sorted(candidates)
        return self._blocks[number]

    def may_begin(self, number: int, at: int) -> bool:
        """Return whether `RECOGNISED[number]` may begin at line `at`."""
        return number in self._block(at // BLOCK_LINES)[0].get(at, ())

    def from_line(self, at: int) -> int:
        """Return the first line from `at` on that may begin a format; the number of lines without one."""
        while at < len(self.lines):
            number = at // BLOCK_LINES
            _, places = self._block(number)
            place = bisect_left(places, at)
            if place < len(places):
                return places[place]
            at = (number + 1) * BLOCK_LINES
        return len(self.lines)

    def claim(self, at: int) -> Format | None:
        """Return the format that begins at line `at`, None when none does."""
        numbers = self._block(at // BLOCK_LINES)[0].get(at)
        if not numbers or not self.lines[at].strip():
            return None
        found = (RECOGNISED[number] for number in numbers)
        return next((candidate for candidate in found if candidate.begins(self.lines, at)), None)


def claim_head(lines: Sequence[str]) -> Format | None:
    """Return the format that begins first anywhere in `lines`, None when none does."""
    beginnings = Beginnings(lines)
    at = beginnings.from_line(0)
    while at < len(lines):
        found = beginnings.claim(at)
        if found:
            return found
        at = beginnings.from_line(at + 1)
    return None


def spans(lines: Sequence[str], current: Format | None = None) -> list[Span]:
    """Return all spans of `lines` in order; blank lines between spans belong to none.

    With `current`, the lines follow a section of that format, and its first span may continue it.
    """
    recognised = _with_residue(lines, list(_recognised(Beginnings(lines), current)))
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


def _shortened(lines: Sequence[str]) -> list[str]:
    """Return `lines` with long lines shortened."""
    if max(map(len, lines), default=0) > VIEW:
        return [view(line) for line in lines]
    return lines if isinstance(lines, list) else list(lines)


def _trimmed(lines: Sequence[str], first: int, last: int) -> Span | None:
    """Return the unknown span without blank lines at its ends, None when nothing is left."""
    while first <= last and not lines[first].strip():
        first += 1
    while last >= first and not lines[last].strip():
        last -= 1
    return Span(None, first, last) if first <= last else None


def _recognised(beginnings: Beginnings, current: Format | None) -> Iterator[Span]:
    """Yield the spans of formats, residue inside them included."""
    lines = beginnings.lines
    following = 0
    if current:
        continued, behind = _span(beginnings, current, -1)
        if continued.last >= 0:
            yield continued._replace(first=0)
            following = behind
    at = beginnings.from_line(following)
    while at < len(lines):
        found = beginnings.claim(at)
        if found is None:
            at = beginnings.from_line(at + 1)
            continue
        span, following = _span(beginnings, found, at)
        yield span
        at = beginnings.from_line(following)


def _span(beginnings: Beginnings, current: Format, first: int) -> tuple[Span, int]:
    """Return the span of `current` from line `first` on, and the line at which to look for the next.

    A section that an earlier line began is continued from -1.
    """
    lines = beginnings.lines
    runs = _runs().get(current.NAME)
    last = first
    strangers = 0
    is_paragraph_start = False
    at = first + 1
    while at < len(lines):
        if runs and not is_paragraph_start and (end := runs.end(lines, at)) > at:
            last, strangers, at = end - 1, 0, end
            continue
        if not lines[at].strip():
            is_paragraph_start = True
            at += 1
            continue
        taker = _taker(beginnings, at, current, is_paragraph_start=is_paragraph_start)
        is_paragraph_start = False
        if taker is None:
            strangers += 1
            if strangers > RESIDUE_LINES:
                return Span(current, first, last), at + 1
        elif taker is not current or _is_again(beginnings, current, first, at):
            return Span(current, first, last), at
        else:
            last, strangers = at, 0
        at += 1
    return Span(current, first, last), at


def _is_again(beginnings: Beginnings, current: Format, first: int, at: int) -> bool:
    """Return whether the file that the section began with, at line `first`, is printed again from `at` on.

    Or another one with the same head: /proc/softirqs below /proc/interrupts.
    """
    if first < 0 or not getattr(current, "BEGINS_ONCE", False):
        return False
    lines = beginnings.lines
    if _word(lines[at]) != _word(lines[first]):
        return False
    return current.begins(lines, at) or beginnings.claim(at) not in {None, current}


def _word(line: str) -> str:
    """Return the first word of a line, without quotes of mail."""
    return next(iter(line.lstrip("> \t").split(None, 1)), "")


def _taker(beginnings: Beginnings, at: int, current: Format, *, is_paragraph_start: bool) -> Format | None:
    """Return the format of line `at`: the open one, one that begins there, or None."""
    line = beginnings.lines[at]
    if is_paragraph_start:
        if current.begins(beginnings.lines, at):
            return current
        return beginnings.claim(at) or (current if current.continues(line) else None)
    if current.continues(line):
        return current
    return beginnings.claim(at)


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
