"""The text of one evidence, read: split and given to readers, or streamed when it is long.

Text up to `Limits.sectioned_bytes` is split into sections. Longer text that begins with a format that reads
streams is that one section and is never buffered; any other is buffered up to `Limits.buffered_bytes` and
cut only at banners and prompts.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import chain
from typing import TYPE_CHECKING

from ingest.containers.text_decoding import HEAD_BYTES, LineCounter, lines_of
from ingest.model.citation import Lines
from ingest.model.errors import IngestError, contained
from ingest.model.facts import Fact
from ingest.model.reading import Quality, Skipped
from ingest.parsing.protocols import StreamInput
from ingest.paste.annotations import without_annotations
from ingest.paste.narrative import detect_narrative
from ingest.paste.prompt import BANNER, is_excerpt, is_filter, is_inside, prompt_at
from ingest.readers import STREAMS
from ingest.readers.logs import text as plain
from ingest.sections.hung_reads import with_hung_reads
from ingest.sections.recognise import claim_head
from ingest.sections.split import split

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ingest.model.limits import Limits
    from ingest.model.reading import Reading
    from ingest.parsing.protocols import StreamFormat
    from ingest.sections.split import Part

REFUSED = "not read as"
"""How the reason begins for a section that its reader rejected."""

NARRATIVE_LINES = 20_000
"""Longer texts are not checked for a narrative."""


@dataclass(frozen=True, slots=True)
class ReadPart:
    """One part and what was read out of it; see `ingest.evidence.Section`."""

    format: str
    format_version: int
    first_line: int
    last_line: int
    path: str
    command: str
    reading: Reading

    @property
    def is_recognised(self) -> bool:
        """Whether anything but unknown text was found."""
        return self.format != plain.NAME


@dataclass(frozen=True, slots=True)
class TextReading:
    """All parts of one text, how many lines it has, and what no part holds."""

    parts: tuple[ReadPart, ...]
    line_count: int
    skipped: tuple[Skipped, ...]


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
    counter = LineCounter()
    chunks = counter.passing(chunks)
    content = _read_up_to(chunks, limits.sectioned_bytes)
    rest = next(chunks, None)
    if rest is None:
        return _whole(content, counter, path, filename, None)
    chunks = chain([rest], chunks)
    stream = _stream_of(lines_of(content[:HEAD_BYTES]))
    if stream:
        with contained(stream.NAME):
            reading = stream.read_stream(StreamInput(chain([content], chunks)))
        part = ReadPart(stream.NAME, stream.VERSION, 1, counter.count, path, "", reading)
        return TextReading((part,), counter.count, ())
    content += _read_up_to(chunks, limits.buffered_bytes - len(content))
    is_cut = False
    for _ in chunks:
        is_cut = True
    return _whole(content, counter, path, filename, limits.sectioned_bytes, is_cut=is_cut)


def _stream_of(head: Sequence[str]) -> StreamFormat | None:
    """Return the format that reads all of it as a stream, None when it is a paste of several outputs."""
    claimed = claim_head(head)
    prompts = sum(prompt_at(head, at) is not None for at in range(len(head)))
    if claimed is None or prompts > 1 or any(BANNER.match(line) for line in head):
        return None
    return STREAMS.get(claimed.NAME)


def _read_up_to(chunks: Iterator[bytes], size: int) -> bytes:
    """Return the chunks until they are `size` bytes or more."""
    pieces: list[bytes] = []
    total = 0
    while total < size and (chunk := next(chunks, None)) is not None:
        pieces.append(chunk)
        total += len(chunk)
    return b"".join(pieces)


def _whole(
    content: bytes,
    counter: LineCounter,
    path: str,
    filename: str,
    longest: int | None,
    *,
    is_cut: bool = False,
) -> TextReading:
    """Split and read buffered text."""
    lines = lines_of(content)
    splitting = split(lines, path=path, filename=filename, longest=longest)
    parts = [_read_part(part) for part in splitting.parts]
    if len(parts) == 1 and path and parts[0].is_recognised and _is_barren(parts[0].reading):
        splitting = split(lines, filename=filename, longest=longest)
        parts = [replace(_read_part(part), path=part.text.path or path) for part in splitting.parts]
    skipped = splitting.skipped
    if is_cut:
        reason = "beyond what is held of text that is not read as a stream"
        skipped += (Skipped(reason, counter.count - len(lines), len(lines) + 1),)
    if not path:
        parts = _with_narrative(parts, lines)
    return TextReading(tuple(_with_snapshots(parts)), counter.count, skipped)


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


def _read_part(part: Part) -> ReadPart:
    """Read one part; if its reader rejects it or fails, it stays text, with the reason."""
    reader = part.reader
    text, annotations, ellipsis = without_annotations(part.text) if part.is_recognised else (part.text, (), 0)
    try:
        with contained(reader.NAME):
            reading = reader.read(text)
    except IngestError as error:
        reading = plain.read(text)
        refused = Skipped(f"{REFUSED} {reader.NAME}: {error}", len(text.lines), text.first_line)
        reading = replace(reading, skipped=(*reading.skipped, refused))
        reader = plain
    remarks = [*reading.quality, *_remarks(part, reading, ellipsis)]
    reading = _mark_container_pids(with_hung_reads(reading, text), text.command)
    reading = replace(
        reading, quality=tuple(remarks), facts=_timed(part, reading), skipped=(*reading.skipped, *annotations)
    )
    return ReadPart(
        reader.NAME, reader.VERSION, part.first_line, part.last_line, text.path, text.command, reading
    )


def _mark_container_pids(reading: Reading, command: str) -> Reading:
    """Mark PIDs of a container namespace: outside the same process has another number."""
    if not is_inside(command):
        return reading
    facts = (
        replace(fact, labels={**fact.labels, "pid_namespace": "inner"}) if "pid" in fact.labels else fact
        for fact in reading.facts
    )
    return replace(reading, facts=tuple(facts))


def _timed(part: Part, reading: Reading) -> tuple[Fact, ...]:
    """Return the facts with the time above the part, unless they have one."""
    if part.at is None:
        return reading.facts
    return tuple(replace(fact, at=part.at) if fact.at is None else fact for fact in reading.facts)


def _remarks(part: Part, reading: Reading, ellipsis: int) -> Iterator[Quality]:
    """Yield quality remarks derived from prompt, file name and a line of dots."""
    names = reading.quality_names
    if part.hint:
        detail = f"nothing in the text says what it is; read so because the file is named {part.hint}"
        yield Quality("assumed_path", detail, part.first_line)
    if is_filter(part.text.command) and "filtered" not in names:
        yield Quality("filtered", "the command above drops lines by what they hold", part.first_line)
    if is_excerpt(part.text.command) and "excerpt" not in names:
        yield Quality("excerpt", "the command above keeps only some lines", part.first_line)
    elif ellipsis and "excerpt" not in names:
        yield Quality("excerpt", "lines are left out at `...`", ellipsis)


def _with_snapshots(parts: list[ReadPart]) -> Iterator[ReadPart]:
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
