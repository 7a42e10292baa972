"""The text of one evidence, read: split and given to readers, or streamed when it is long.

Text up to `Limits.sectioned_bytes` is split into sections as a whole; longer text is split window by window
(`ingest.sections.long_text`).
"""

from __future__ import annotations

from collections import deque
from dataclasses import replace
from typing import TYPE_CHECKING

from ingest.containers.text_decoding import LineCounter, lines_of
from ingest.model.citation import Lines
from ingest.model.facts import Fact
from ingest.model.reading import Skipped
from ingest.paste.narrative import detect_narrative
from ingest.readers.logs import text as plain
from ingest.sections import captured_files, long_text
from ingest.sections.long_text import BEYOND
from ingest.sections.read_part import TextReading, read_part
from ingest.sections.split import split

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ingest.model.limits import Limits
    from ingest.model.reading import Reading
    from ingest.sections.read_part import ReadPart

NARRATIVE_LINES = 20_000
"""Longer texts are not checked for a narrative."""


def read_text(chunks: Iterator[bytes], *, path: str, filename: str, limits: Limits) -> TextReading:
    """Read UTF-8 with LF line ends.

    Args:
        chunks: The text, in order.
        path: Captured path, "" when unknown.
        filename: A loose file's own name.
        limits: Sizes up to which text is split and buffered.

    Raises:
        IngestError: The text breaks a limit, or a stream format refuses it.
    """
    pieces = _read_up_to(chunks, limits.sectioned_bytes)
    rest = next(chunks, None)
    if rest is None:
        return _whole(b"".join(pieces), path, filename)
    pieces.append(rest)
    chunks = _released(pieces, chunks)
    if path and captured_files.reader_of_path(path):
        return _captured(chunks, path, filename, limits)
    read = long_text.read(chunks, path, limits)
    return replace(read, parts=tuple(_with_snapshots(read.parts)))


def _released(pieces: deque[bytes], chunks: Iterator[bytes]) -> Iterator[bytes]:
    """Yield the pieces, keeping none, and then the chunks."""
    while pieces:
        yield pieces.popleft()
    yield from chunks


def _read_up_to(chunks: Iterator[bytes], size: int) -> deque[bytes]:
    """Return the chunks until they are `size` bytes or more."""
    pieces: deque[bytes] = deque()
    total = 0
    while total < size and (chunk := next(chunks, None)) is not None:
        pieces.append(chunk)
        total += len(chunk)
    return pieces


def _captured(chunks: Iterator[bytes], path: str, filename: str, limits: Limits) -> TextReading:
    """Read a long captured file, buffered up to a limit."""
    counter = LineCounter()
    chunks = counter.passing(chunks)
    content = b"".join(_read_up_to(chunks, limits.buffered_bytes))
    is_cut = False
    for _ in chunks:
        is_cut = True
    read = _whole(content, path, filename)
    if not is_cut:
        return read
    beyond = Skipped(BEYOND, counter.count - read.line_count, read.line_count + 1)
    return replace(read, line_count=counter.count, skipped=(*read.skipped, beyond))


def _whole(content: bytes, path: str, filename: str) -> TextReading:
    """Split and read buffered text."""
    lines = lines_of(content)
    splitting = split(lines, path=path, filename=filename)
    parts = [read_part(part) for part in splitting.parts]
    if len(parts) == 1 and path and parts[0].is_recognised and _is_barren(parts[0].reading):
        splitting = split(lines, filename=filename)
        parts = [replace(read_part(part), path=part.text.path or path) for part in splitting.parts]
    if not path:
        parts = _with_narrative(parts, lines)
    return TextReading(tuple(_with_snapshots(parts)), len(lines), splitting.skipped)


def _with_narrative(parts: list[ReadPart], lines: Sequence[str]) -> list[ReadPart]:
    """Add the fact `human.war_story` to the first part if the text is a narrative."""
    if not parts or len(lines) > NARRATIVE_LINES:
        return parts
    plain_parts = [part for part in parts if part.format == plain.NAME]
    prose = [line for part in plain_parts for line in lines[part.first_line - 1 : part.last_line]]
    narrative = detect_narrative(lines, prose)
    if narrative is None:
        return parts
    fact = Fact("human.war_story", narrative.title, Lines.at(narrative.line))
    first, *rest = parts
    return [replace(first, reading=replace(first.reading, facts=(*first.reading.facts, fact))), *rest]


def _is_barren(reading: Reading) -> bool:
    """Return whether nothing was read: the content does not match the captured path."""
    return not (reading.facts or reading.row_sets or reading.profiles or reading.log_records)


def _with_snapshots(parts: Sequence[ReadPart]) -> Iterator[ReadPart]:
    """Number the snapshots of a file that was captured several times in one text."""
    counts: dict[tuple[str, str], int] = {}
    for part in parts:
        key = (part.format, part.path)
        before = counts.get(key, 0)
        facts = part.reading.facts
        if not part.path or not facts:
            yield part
            continue
        counts[key] = before + 1 + max(fact.snapshot for fact in facts)
        if before:
            facts = tuple(replace(fact, snapshot=fact.snapshot + before) for fact in facts)
            part = replace(part, reading=replace(part.reading, facts=facts))  # noqa: PLW2901 - same part, later
        yield part
