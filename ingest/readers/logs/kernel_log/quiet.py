"""Entries of the commonest forms of log lines, and which of them need no further look.

    [    2.500000] usb 1-1: new high-speed USB device number 2 using xhci_hcd

is of no class, names no task, no function and no fact: outside a report it is a record and nothing else. Nine
of ten lines of a boot log are so, and one pass of the native core tells it. `prefix.entry` knows all forms.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from ingest.native.log_lines import LogLines
from ingest.parsing.class_finder import finder
from ingest.readers.logs.kernel_log import machine_facts, records, task_dump, trace

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ingest.native._core import LogEntry


NOTABLE = (*machine_facts.NOTABLE, *records.NOTABLE, *task_dump.NOTABLE, *trace.NOTABLE)
"""What parts of the reader look for in messages of no class, outside a report."""


_AT_ONCE = 4096
"""Lines whose entries are held."""


@cache
def _lines() -> LogLines:
    return LogLines(finder(), NOTABLE)


def rows(lines: Sequence[str], first_line: int) -> Iterator[list[LogEntry | None]]:
    """Yield the values of the entries of some thousand lines each, None for lines of other forms."""
    for start in range(0, len(lines), _AT_ONCE):
        yield _lines().entries(list(lines[start : start + _AT_ONCE]), first_line + start)
