"""Evidence and its sections as values: the results of `ingest.evidence`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NamedTuple

if TYPE_CHECKING:
    from ingest.model.reading import Reading, Skipped


Phase = Literal["before", "during", "after"]


class Placement(NamedTuple):
    """Where evidence belongs in its case; "" for a host or a boot that is not known."""

    host: str
    boot: str
    phase: Phase


@dataclass(frozen=True, slots=True)
class Section:
    """One tool output inside one evidence.

    Attributes:
        ordinal: Position among the sections of the evidence, 0 first.
        format: Name of the format or file reader that read it.
        format_version: That reader's version.
        first_line: 1-based first line, banner or prompt included.
        last_line: 1-based last line.
        path: Captured path, "" when none.
        command: Command of the prompt above it, "" when none.
        reading: What was read out.
    """

    ordinal: int
    format: str
    format_version: int
    first_line: int
    last_line: int
    path: str
    command: str
    reading: Reading


@dataclass(frozen=True, slots=True)
class Evidence:
    """One file, pasted text or archive member, read.

    Attributes:
        name: The name the sender gave, or the last part of the captured path.
        captured_path: Path on the captured machine, "" when unknown.
        sha256: Hex digest of the stored (still compressed) bytes.
        size_bytes: Stored size.
        line_count: Lines of the decoded text; 0 for archives.
        state: `read` or `rejected`.
        reason: Why it was rejected: one sentence; "" when read.
        sections: Sections in the order of the text.
        members: Recognised archive members, in archive order.
        skipped: What was not read, by reason: archive members, or text that no section holds.
        host: Host name an archive states about itself, "" when it states none.
        placed: Placement from the manifest of its handoff; None for evidence of this instance.
    """

    name: str
    captured_path: str
    sha256: str
    size_bytes: int
    line_count: int
    state: str
    reason: str = ""
    sections: tuple[Section, ...] = ()
    members: tuple[Evidence, ...] = ()
    skipped: tuple[Skipped, ...] = ()
    host: str = ""
    placed: Placement | None = None
