"""What a reader has, whatever its form: a module of the older form, or the `FORMAT` of one (`shapes`)."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ingest.model.reading import Reading
    from ingest.model.section import Text


class Start(NamedTuple):
    """Lines that a format may begin with if another line is near.

    Attributes:
        expressions: One matches the line, from its first character on; without look-around.
        near: One matches the line itself or one of the `within` lines below.
    """

    expressions: tuple[str, ...]
    near: tuple[str, ...] = ()
    within: int = 0


class Format(Protocol):
    """What a module of `ingest.readers` provides (module attributes).

    A module states `STARTS`, expressions and `Start`s: no other line is given to `begins`. Without them every
    line is, which takes long. `starts_among(lines)` returns the indices of more such lines. A line that one
    of `CONTINUES` matches surely continues an open section; one that `RESUMES` matches begins the format
    whatever stands around it, so that a section goes on below blank lines. With `BEGINS_ONCE` the first word
    of a section stands once in it: a line that begins with it, and begins the format, is the file printed
    again.
    """

    NAME: str
    VERSION: int
    TITLE: str
    EXAMPLE: str

    def begins(self, lines: Sequence[str], at: int) -> bool:
        """Return whether a section of this format starts exactly at `lines[at]` (looks ahead only)."""

    def continues(self, line: str) -> bool:
        """Return whether `line` can occur inside an open section of this format."""

    def read(self, text: Text) -> Reading:
        """Read one section. Raises nothing but `IngestError`."""


class OutputFormat(Format, Protocol):
    """The output of a tool.

    Attributes:
        COMMAND: A command line that prints it.
    """

    COMMAND: str


class SectionStream(Protocol):
    """A section that is read piece by piece. It raises nothing but `IngestError`."""

    def feed(self, text: bytes) -> None:
        """Read more whole lines."""

    def finish(self) -> Reading:
        """Return everything read."""


class StreamFormat(Format, Protocol):
    """A format whose section may be larger than memory; its stream returns the same as `read`.

    A module may have `foreign(text, most)`: the runs of lines that are not of the format, at most `most`
    (`ingest.native.foreign_lines`). It makes recognition of the lines of an open section fast.
    """

    def stream(self, first_line: int) -> SectionStream:
        """Begin a section at the 1-based line `first_line`."""


class DocumentFormat(Protocol):
    """A format that is one whole document, not lines: JSON of a profiler, protocol buffers.

    Its citations are line 1: a position in a one-line document is meaningless.

    Attributes:
        HEAD: Expression that matches the first bytes of every such document; only then `claims` is asked.
    """

    NAME: str
    VERSION: int
    TITLE: str
    EXAMPLE: str
    HEAD: str

    def claims(self, head: bytes) -> bool:
        """Return whether decoded bytes that begin with `head` are such a document."""

    def read_document(self, content: bytes) -> Reading:
        """Read a whole document. Raises nothing but `IngestError`."""


class CapturedFile(Protocol):
    """What a module of `ingest.sections.captured_files` provides (module attributes).

    Attributes:
        PATHS: Glob patterns on the tail of the captured path, one component each: `proc/*/status`.
        COMMANDS: Regular expressions a whole command line matches: `uname -a`.
        HINTS: Glob patterns on a loose file's own name; only a hint; the reading gets a quality remark.
    """

    NAME: str
    VERSION: int
    TITLE: str
    EXAMPLE: str
    PATHS: tuple[str, ...]
    COMMANDS: tuple[str, ...]
    HINTS: tuple[str, ...]

    def read(self, text: Text) -> Reading:
        """Read one captured file. Raises nothing but `IngestError`."""
