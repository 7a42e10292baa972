"""A section: the lines of one tool output and their position."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


@dataclass(frozen=True, slots=True)
class Text:
    """The lines of one section and their position.

    Attributes:
        lines: Lines without their terminators, decoded.
        first_line: 1-based line number of `lines[0]` in the evidence.
        path: Captured path of the section or its evidence ("" when none): content, so it may decide.
        command: The command line of the prompt above the section ("" when none): `perf stat -p 1 | head`.
        filename: A loose file's own name; only a hint for single-value files.
        times: What stood before lines and is the time of their row, by line number.
    """

    lines: Sequence[str]
    first_line: int = 1
    path: str = ""
    command: str = ""
    filename: str = ""
    times: Mapping[int, str] = field(default_factory=dict)
