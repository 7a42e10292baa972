"""A paste split into its tool outputs: banners, prompts and `path:value` cut it, content names each piece.

Example:
    ==> memory.failcnt <==
    31 # the number of times cgroup hit the limit

    sre@node ~ $ perf top --stdio | head
        64.28%  [kernel]       [k] shrink_lruvec

are two parts: a captured file and a table of symbols, each with the line numbers of the paste.
"""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from ingest.model.reading import SkipCounter
from ingest.model.section import Text
from ingest.native.line_starts import LineStarts
from ingest.paste.prompt import PREFIXED, prefixed
from ingest.paste.quoting import FENCE, runs, unquoted
from ingest.readers.logs import text as plain
from ingest.sections import captured_files, log_outputs
from ingest.sections.blocks import NOTHING, Block, Opening, blocks
from ingest.sections.dated import date_of, dated
from ingest.sections.log_prefixes import LogPrefixes
from ingest.sections.part import Part
from ingest.sections.times_before_rows import without_times

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ingest.model.reading import Skipped
    from ingest.parsing.protocols import CapturedFile, Format

HINTED_LINES = 400
"""A loose file longer than this is never read by its name."""

RECOVERED_LINES = 2000
"""Quotes and code blocks of people are short; longer unknown text is not searched a second time."""


@cache
def _prefixes() -> LineStarts:
    return LineStarts([(0, PREFIXED, (), 0)])


class Splitting(NamedTuple):
    """All parts in order, and what is in none.

    Attributes:
        opening: What opened the last block.
        is_continued: Whether the first part stands in a block that was opened above the lines.
    """

    parts: tuple[Part, ...]
    skipped: tuple[Skipped, ...]
    opening: Opening = NOTHING
    is_continued: bool = False


def split(lines: Sequence[str], *, path: str = "", filename: str = "") -> Splitting:
    """Split `lines`, captured at `path` or sent as a loose `filename`.

    Args:
        lines: All lines of the evidence; the first is line 1.
        path: Captured path, "" when unknown.
        filename: A loose file's own name: a hint for single values.
    """
    lines = unquoted(lines)
    owner = captured_files.reader_of_path(path) if path else None
    if owner:
        text = Text(lines, 1, path, "", filename)
        return Splitting((Part(owner, text, 1, max(len(lines), 1)),), ())
    whole = split_window(lines, LogPrefixes(is_whole=True), path=path)
    parts = dated(whole.parts, lines)
    return whole._replace(parts=tuple(_hinted(list(parts), lines, path, filename)))


def split_window(
    lines: Sequence[str],
    prefixes: LogPrefixes,
    *,
    path: str,
    opening: Opening = NOTHING,
    current: Format | None = None,
    is_last: bool = True,
) -> Splitting:
    """Split lines of a longer text, which follow a block with `opening`, maybe inside a `current` section.

    `prefixes` are those learned so far. Without `is_last`, the last block may go on below the lines.
    """
    lines = unquoted(lines)
    skips = SkipCounter()
    parts: list[Part] = []
    is_continued = False
    for block in blocks(lines, opening):
        is_opened = block.body > 0
        if is_opened:
            current = None
        opening = Opening(block.path, block.command, 0, block.at)
        found = list(_parts_of(lines, block, path, current, prefixes))
        if found:
            found[0] = replace(found[0], first_line=block.head + 1)
            found = [replace(part, at=block.at) for part in found]
        elif (block.body > block.head and date_of(lines[block.head])) or (
            not is_last and block.end == len(lines)
        ):
            continue
        elif block.body > block.head:
            reason = "captured file is empty" if block.path else "command without output"
            skips.add(reason if block.path or block.command else "prompt without a command", block.head + 1)
        is_continued |= bool(found) and not is_opened
        parts.extend(found)
    parts = _joined(parts, lines)
    # The first and the last may be of a section that is open.
    first, last = int(is_continued), len(parts) - (not is_last)
    parts[first:last] = log_outputs.joined(parts[first:last], lines)
    return Splitting(tuple(parts), skips.result(), opening, is_continued)


def _joined(parts: list[Part], lines: Sequence[str]) -> list[Part]:
    """Join texts separated only by a fence: an unrecognised code block stays with the prose around it."""
    joined: list[Part] = []
    for part in parts:
        last = joined[-1] if joined else None
        between = lines[last.last_line : part.first_line - 1] if last else ()
        if (
            last
            and not last.is_recognised
            and not part.is_recognised
            and last.text.path == part.text.path
            and not (last.text.command or part.text.command)
            and any(FENCE.match(line) for line in between)
        ):
            whole = replace(
                part.text, lines=lines[last.first_line - 1 : part.last_line], first_line=last.first_line
            )
            joined[-1] = replace(last, text=whole, last_line=part.last_line)
        else:
            joined.append(part)
    return joined


def _parts_of(
    lines: Sequence[str], block: Block, path: str, current: Format | None, prefixes: LogPrefixes
) -> Iterator[Part]:
    """Yield the parts of one block, none when it is empty."""
    end = block.end
    while end > block.body and not lines[end - 1].strip():
        end -= 1
    if end == block.body:
        return
    body = lines[block.body : end]
    rest, values = captured_files.last_values(block.command, body) if block.command else ("", [])
    if values:
        first = end - len(values)
        path_of_rest = captured_files.path_of_command(rest)
        above = block._replace(end=first, command=rest, path=path_of_rest)
        yield from _parts_of(lines, above, path, current, prefixes)
        yield from _values(lines, first, values, path)
        return
    values, rest = captured_files.first_values(block.command, body) if block.command else ([], "")
    if values:
        yield from _values(lines, block.body, values, path)
        begin = block.body + len(values)
        rest_path = captured_files.path_of_command(rest)
        rest_block = block._replace(body=begin, command=rest, path=rest_path)
        yield from _parts_of(lines, rest_block, path, current, prefixes)
        return
    where = block.path or path
    by_path = captured_files.reader_of_path(block.path) if block.path else None
    owner = by_path or (captured_files.reader_of_command(block.command) if block.command else None)
    if owner:
        text = Text(body, block.body + 1, where, block.command)
        yield Part(owner, text, block.body + 1, end)
        return
    for piece in _pieces(body, where, current, prefixes):
        first = block.body + piece.text.first_line
        text = replace(piece.text, first_line=first, command=block.command)
        yield replace(piece, text=text, first_line=first, last_line=block.body + piece.last_line)


def _values(lines: Sequence[str], first: int, commands: Sequence[str], path: str) -> Iterator[Part]:
    """Yield the line that each of `commands` printed, from `lines[first]` on."""
    for at, command in enumerate(commands, start=first):
        of_file = captured_files.path_of_command(command)
        owner = captured_files.reader_of_command(command) or (
            captured_files.reader_of_path(of_file) if of_file else None
        )
        if owner:
            yield Part(owner, Text(lines[at : at + 1], at + 1, of_file or path, command), at + 1, at + 1)


def _pieces(body: Sequence[str], path: str, current: Format | None, prefixes: LogPrefixes) -> Iterator[Part]:
    """Yield the parts of a block recognised by content, with lines counted from the body."""
    found_at = [line for line in _prefixes().scan(list(body))[0] if prefixed(body[line]) is not None]
    at = 0
    while at < len(body):
        place = bisect_left(found_at, at)
        stop = found_at[place] if place < len(found_at) else len(body)
        piece, covered = prefixes.spans(body[at:stop], None if at else current)
        piece, covered, times = without_times(piece, covered) if prefixes.is_whole else (piece, covered, {})
        for span in covered:
            inner = piece[span.first : span.last + 1]
            first = at + span.first + 1
            own = {
                first + row - span.first: time
                for row, time in times.items()
                if span.first <= row <= span.last
            }
            for part in _recovered(span.format, inner, first, path, prefixes):
                yield replace(part, text=replace(part.text, times=own)) if own else part
        at = stop
        while at < len(body) and (found := prefixed(body[at])) is not None:
            first = at
            values = []
            while at < len(body) and (same := prefixed(body[at])) is not None and same[0] == found[0]:
                values.append(same[1])
                at += 1
            yield _part(captured_files.reader_of_path(found[0]), values, first + 1, found[0])


def _recovered(
    found: Format | None, body: Sequence[str], first: int, path: str, prefixes: LogPrefixes
) -> Iterator[Part]:
    """Yield the part, or what is found in unknown text when quotes and indentation are taken away."""
    if found:
        yield _part(found, body, first, path)
        return
    at = 0
    for run in runs(body) if len(body) <= RECOVERED_LINES else ():
        bare, inner = prefixes.spans(run.bare, None)
        if not any(span.format for span in inner):
            continue
        yield from _text(body, at, run.first, first, path)
        for span in inner:
            piece = bare[span.first : span.last + 1]
            yield _part(span.format, piece, first + run.first + span.first, path)
        at = run.end
    yield from _text(body, at, len(body), first, path)


def _text(body: Sequence[str], start: int, end: int, first: int, path: str) -> Iterator[Part]:
    """Yield lines `start` to `end` as unknown text, without the blank lines around it."""
    filled = [at for at in range(start, end) if body[at].strip()]
    if filled:
        yield _part(None, body[filled[0] : filled[-1] + 1], first + filled[0], path)


def _part(reader: Format | CapturedFile | None, body: Sequence[str], first: int, path: str) -> Part:
    return Part(reader or plain, Text(body, first, path), first, first + len(body) - 1)


def _hinted(parts: list[Part], lines: Sequence[str], path: str, filename: str) -> list[Part]:
    """Read a short file with the reader that its name suggests, if nothing else recognises it.

    Or if that reader recognises it, and reads other facts with the name.
    """
    name = filename or path.rsplit("/", 1)[-1]
    if not name or len(parts) != 1 or parts[0].text.command or not 0 < len(lines) <= HINTED_LINES:
        return parts
    own = parts[0].reader if parts[0].is_recognised else None
    reader = captured_files.reader_of_hint(name, own)
    if reader is None:
        return parts
    text = Text(lines, 1, path, "", name)
    reading = reader.read(text)
    misread = sum(skipped.count for skipped in reading.skipped)
    if len(reading.facts) <= misread:
        return parts
    if own and reading.facts == reader.read(replace(parts[0].text, path="")).facts:
        return parts
    return [Part(reader, text, 1, len(lines), hint=name)]
