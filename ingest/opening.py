"""One stream opened: compression, then archive or text; members of archives are opened the same way.

Recognised members become evidence of their own. The rest is counted by reason: most of a sosreport is of no
use here, and rows of it would hide the relevant ones.
"""

from __future__ import annotations

import io
import re
from dataclasses import replace
from itertools import chain
from typing import IO, TYPE_CHECKING

from ingest.containers import archive, binary_kinds, bundle_manifest, decompression, sosreport, text_decoding
from ingest.model.errors import (
    IngestError,
    LimitExceededError,
    MalformedInputError,
    UnknownFormatError,
    contained,
)
from ingest.model.evidence import Evidence, Section
from ingest.model.reading import SkipCounter
from ingest.parsing import documents
from ingest.readers import DOCUMENTS
from ingest.readers.logs import text as plain
from ingest.sections import late_kernel_log, long_text
from ingest.sections.finite_numbers import with_finite_numbers
from ingest.sections.process_files import MOST_BYTES, ProcessFiles
from ingest.sections.promising import is_of_the_system, is_promising, is_unread_value
from ingest.sections.read_part import REFUSED
from ingest.sections.text import read_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ingest.model.limits import Limits
    from ingest.parsing.protocols import DocumentFormat
    from ingest.sections.read_part import TextReading

TRACE_SETTINGS = ("sys/kernel/debug/", "sys/kernel/tracing/")
"""Tens of thousands of event and file names: not tool output, but similar to it."""

UNRECOGNISED = "text that is not recognised"


class Opening:
    """Reads one stream into one evidence."""

    def __init__(
        self, name: str, captured_path: str, limits: Limits, depth: int = 0, *, is_chosen: bool = False
    ) -> None:
        """Name the evidence; `depth` is the number of enclosing archives.

        With `is_chosen` a person selected it: it is read even if path and head are not recognised.
        """
        self._name = name
        self._captured_path = captured_path
        self._limits = limits
        self._depth = depth
        self._is_chosen = is_chosen

    def read(self, stored: decompression.Stored) -> Evidence:
        """Read all of `stored`; an `IngestError` becomes a rejection."""
        try:
            read = self.read_or_raise(stored)
        except IngestError as error:
            read = Evidence(self._name, self._captured_path, "", 0, 0, "rejected", str(error))
        stored.drain()
        return replace(read, sha256=stored.sha256, size_bytes=stored.read_bytes)

    def read_or_raise(self, stored: decompression.Stored) -> Evidence:
        """Read `stored` without naming its bytes.

        Raises:
            IngestError: The sender's fault, or a fault of ours in reading this file.
        """
        with contained("of sections", *archive.BROKEN):
            return self._read(stored)

    def _read(self, stored: decompression.Stored) -> Evidence:
        head, chunks = decompression.peek(
            decompression.decoded(stored, self._limits), text_decoding.HEAD_BYTES
        )
        container = archive.kind(head)
        if container and self._depth >= self._limits.archive_depth:
            raise LimitExceededError(f"more than {self._limits.archive_depth} archives inside one another")
        if container == "tar":
            return self._read_tar(archive.ChunkFile(chunks), stored)
        if container == "zip":
            if known := binary_kinds.described(head):
                raise UnknownFormatError(known)
            return self._read_zip(chunks, stored)
        for document in DOCUMENTS:
            if re.match(document.HEAD.encode("ascii"), head) and document.claims(head):
                return self._read_document(document, chunks)
        text_decoding.refuse_binary(head, self._name, chunks)
        # What ends within the head is all of it.
        is_short = len(head) < text_decoding.HEAD_BYTES and text_decoding.is_plain(head, self._limits)
        text = iter([head]) if is_short else text_decoding.text_chunks(chunks, head, self._limits)
        if not self._depth or self._is_chosen or is_promising(self._captured_path, head, self._limits):
            filename = "" if self._captured_path else self._name
            return self._text(
                read_text(text, path=self._captured_path, filename=filename, limits=self._limits)
            )
        late = None if is_of_the_system(self._captured_path) else late_kernel_log.find(text)
        if late is None:
            raise UnknownFormatError(UNRECOGNISED)
        return self._text(long_text.read(late.chunks, self._captured_path, self._limits, late.lines_above))

    def _read_document(self, document: DocumentFormat, chunks: Iterator[bytes]) -> Evidence:
        content = documents.joined(chunks, self._limits.document_bytes)
        with contained(document.NAME):
            reading = with_finite_numbers(document.read_document(content))
        is_text = b"\x00" not in content[: text_decoding.HEAD_BYTES] and content.lstrip()[:1] in {b"{", b"["}
        lines = max(1, content.count(b"\n") + (not content.endswith(b"\n")))
        section = Section(
            0, document.NAME, document.VERSION, 1, lines if is_text else 1, self._captured_path, "", reading
        )
        line_count = lines if is_text else 0
        return Evidence(self._name, self._captured_path, "", 0, line_count, "read", sections=(section,))

    def _text(self, read: TextReading) -> Evidence:
        """Return what was read of a text as evidence."""
        places = ((one.first_line, one.last_line, one.path, one.command) for one in read.parts)
        sections = tuple(
            Section(ordinal, part.format, part.format_version, *place, part.reading)
            for ordinal, (part, place) in enumerate(zip(read.parts, places, strict=True))
        )
        if not sections and not read.skipped:
            raise MalformedInputError(f"there is nothing but blanks in {read.line_count} lines")
        named = (self._name, self._captured_path, "", 0)
        return Evidence(*named, read.line_count, "read", sections=sections, skipped=read.skipped)

    def _read_tar(self, stream: archive.ChunkFile, stored: decompression.Stored) -> Evidence:
        members = Members(self._name, self._captured_path, self._limits, self._depth, inside=stored)
        for member in archive.tar_members(stream, self._limits):
            members.add(member)
            if stream.error:
                raise stream.error
        if not stream.ends_in_nul:
            members.note("the archive has no end mark: it may be cut off")
        return members.evidence()

    def _read_zip(self, chunks: Iterator[bytes], stored: decompression.Stored) -> Evidence:
        buffer = io.BytesIO()
        for chunk in chunks:
            buffer.write(chunk)
            if buffer.tell() > self._limits.buffered_bytes:
                raise LimitExceededError(
                    f"zip archive larger than {self._limits.buffered_bytes:,} bytes: send it as tar"
                )
        members = Members(self._name, self._captured_path, self._limits, self._depth, inside=stored)
        for member in archive.zip_members(buffer, self._limits):
            members.add(member)
        return members.evidence()


class Members:
    """Reads the members of one archive; collects the recognised, counts the rest by reason.

    Attributes:
        recognised: Recognised members, in archive order.
    """

    def __init__(
        self,
        name: str,
        captured_path: str,
        limits: Limits,
        depth: int,
        *,
        inside: decompression.Stored | None = None,
    ) -> None:
        """Name the archive, whose bytes are `inside`; `depth` is the number of enclosing archives."""
        self.recognised: list[Evidence] = []
        self._name = name
        self._captured_path = captured_path
        self._limits = limits
        self._depth = depth
        self._skips = SkipCounter()
        self._count = 0
        self._roots: set[str] = set()
        self._branches: set[str] = set()
        self._outside: list[str] = []
        self._sparse: list[str] = []
        self._inside = inside
        self._bundle = bundle_manifest.Unpacking()
        self._of_processes = ProcessFiles()

    def add(self, member: archive.Member) -> None:
        """Read one member, or count why not."""
        self._count += 1
        path = member.path.removeprefix("./")
        root, _, inside = path.partition("/")
        self._roots.add(root)
        self._branches |= {root, inside.split("/")[0]}
        refusal = member.refusal
        if refusal == archive.OUTSIDE:
            self._outside.append(path)
            refusal = f"{archive.OUTSIDE} (the first is {self._outside[0][:200]})"
        elif refusal == archive.SPARSE:
            self._sparse.append(member.detail)
            refusal = f"{archive.SPARSE}: the first, {self._sparse[0]}"
        elif not refusal and (path.startswith(sosreport.OWN) or inside.startswith(sosreport.OWN)):
            refusal = "what sos says about its own run"
        elif not refusal and (path.startswith(TRACE_SETTINGS) or inside.startswith(TRACE_SETTINGS)):
            refusal = "list of trace settings"
        if not refusal:
            refusal = self._read(member, path)
        if refusal:
            self._skips.add(refusal, self._count)

    def note(self, reason: str) -> None:
        """Count something that is not one member."""
        self._skips.add(reason, self._count + 1)

    def _read(self, member: archive.Member, path: str) -> str:
        """Read a member; return why it is skipped, "" if it is recognised."""
        packed_at = path
        if self._bundle.is_begun:
            if not path.startswith(bundle_manifest.EVIDENCE):
                return bundle_manifest.OWN
            path = path.split("/", 2)[-1]  # evidence/07/proc/meminfo was proc/meminfo
        opening = Opening(
            path.rsplit("/", 1)[-1], path, self._limits, self._depth + 1, is_chosen=self._bundle.is_begun
        )
        with member.open() as packed:
            stream: IO[bytes] = packed
            if not self._bundle.is_begun and not member.is_packed and member.size_bytes <= MOST_BYTES:
                content = packed.read(MOST_BYTES + 1)
                if (file := self._of_processes.read(path, content)) is not None:
                    self.recognised.append(file)
                    return ""
                if is_unread_value(path, content):
                    return UNRECOGNISED
                packed.seek(0)
            if path == bundle_manifest.MANIFEST and self._count == 1:
                head = packed.read(text_decoding.HEAD_BYTES)
                if bundle_manifest.MARK in head:
                    if reason := self._bundle.begin(head + packed.read(bundle_manifest.MAX_MANIFEST_BYTES)):
                        self.note(reason)
                    return bundle_manifest.OWN
                rest = iter(lambda: packed.read(text_decoding.HEAD_BYTES), b"")
                stream = io.BufferedReader(archive.ChunkFile(chain([head], rest)))
            stored = decompression.Stored(stream, inside=self._inside, is_unpacked=member.is_packed)
            try:
                read = opening.read_or_raise(stored)
                stored.drain()
                decompression.check_expansion(stored, self._limits)
            except IngestError as error:
                # Of a limit of the whole evidence this member was only the last to add to it.
                decompression.check_expansion(stored, self._limits)
                return "binary data" if str(error).startswith("binary data") else str(error)
            except archive.BROKEN as error:
                return f"member is broken: {error}"
        if not read.sections and not read.members:
            for skipped in read.skipped:
                self._skips.add(skipped.reason, self._count, skipped.count)
            return ""
        is_plain = all(section.format == plain.NAME for section in read.sections) and not read.members
        if is_plain and not self._bundle.is_begun:
            every = (skipped.reason for section in read.sections for skipped in section.reading.skipped)
            return next((one for one in every if one.startswith(REFUSED)), UNRECOGNISED)
        placement, number = self._bundle.place(packed_at, f"{read.captured_path}\0{stored.sha256}")
        name = read.name if number == 1 else f"{number}-{read.name}"
        read = replace(read, sha256=stored.sha256, size_bytes=stored.read_bytes, name=name, placed=placement)
        self.recognised.append(read)
        return ""

    def evidence(self, sha256: str = "", size_bytes: int = 0) -> Evidence:
        """Return the archive as evidence.

        Raises:
            MalformedInputError: There is no member, or every member would leave the archive or is sparse.
        """
        if not self._count:
            raise MalformedInputError("the archive has no members")
        if len(self._outside) == self._count:
            raise MalformedInputError(
                f"every path leaves the archive: {self._outside[0][:200]!r} is the first of {self._count}"
            )
        if len(self._sparse) == self._count:
            raise MalformedInputError(f"every member is sparse: the first, {self._sparse[0]}")
        is_sos = bool(sosreport.MARKS & self._branches)
        recognised = (
            sosreport.without_root(self.recognised) if is_sos and len(self._roots) == 1 else self.recognised
        )
        return Evidence(
            self._name,
            self._captured_path,
            sha256,
            size_bytes,
            0,
            "read",
            members=tuple(recognised),
            skipped=self._skips.result(),
            host=sosreport.host_of(recognised) if is_sos else "",
        )
