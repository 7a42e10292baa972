"""One piece of a text, and the reader that it is given to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ingest.readers.logs import text as plain

if TYPE_CHECKING:
    from ingest.model.reading import Skipped
    from ingest.model.section import Text
    from ingest.parsing.protocols import CapturedFile, Format
    from ingest.readers.logs.kernel_log.outputs import Output


@dataclass(frozen=True, slots=True)
class Part:
    """One piece of a paste and who reads it.

    Attributes:
        reader: The format or captured-file reader.
        text: What the reader gets: without banner and prompt.
        first_line: 1-based first line, banner or prompt included.
        last_line: 1-based last line.
        hint: File name that the choice rests on, "" when content or a captured path decided.
        at: Epoch seconds of its capture, from a time above it.
        outputs: What later commands printed of the log whose first output is `text`; see `log_outputs`.
        repeated: Lines of later outputs that an earlier one has, too.
    """

    reader: Format | CapturedFile
    text: Text
    first_line: int
    last_line: int
    hint: str = ""
    at: float | None = None
    outputs: tuple[Output, ...] = ()
    repeated: Skipped | None = None

    @property
    def is_recognised(self) -> bool:
        """Whether anything but unknown text was found."""
        return self.reader.NAME != plain.NAME
