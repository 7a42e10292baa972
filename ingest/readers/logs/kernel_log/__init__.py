"""The kernel log, however it was printed: dmesg, journal, syslog, /dev/kmsg, JSON, or bare lines.

Examples:
    [ 2225.621988] query-heap-03 invoked oom-killer: gfp_mask=0x100cca(GFP_HIGHUSER_MOVABLE), order=0
    Feb 04 00:07:13 host kernel: INFO: task df:1177107 blocked for more than 120 seconds.
    workqueue: inode_switch_wbs_work_fn hogged CPU for >10000us 4 times, consider switching to WQ_UNBOUND

Every kernel line is in a record; a report of many lines is one. Call traces are a profile without weights.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ingest.parsing.protocols import Start
from ingest.readers.logs.kernel_log import classes, journal_fields, json_log, oom, prefix, trace
from ingest.readers.logs.kernel_log.classes import DEVICE_LINE, classify, is_of_device, is_unmistakable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ingest.model.reading import Reading
    from ingest.model.section import Text
    from ingest.parsing.protocols import SectionStream
    from ingest.readers.logs.kernel_log.outputs import Output

NAME = "kernel-log"
VERSION = 14
PRIORITY = 70
TITLE = "Kernel log"
COMMAND = "dmesg -T"
EXAMPLE = (
    "[ 2228.006474] Memory cgroup out of memory: Killed process 6262 (python3) total-vm:213940kB, "
    "anon-rss:203904kB, file-rss:6644kB, shmem-rss:0kB, UID:0 pgtables:456kB oom_score_adj:0"
)

LOOK_AHEAD = 50
"""A syslog is a kernel log when one of so many lines is the kernel's."""

_ELSEWHERE = re.compile(r"^(?:==> .* <==$|\S*[\w~)\]][$#] \S|[$#] \w)")

STARTS = (
    *prefix.KERNEL_STARTS,
    DEVICE_LINE,
    Start(prefix.DATED_STARTS, near=prefix.KERNEL_STARTS, within=LOOK_AHEAD),
    r'\{.*"MESSAGE"',
    r'\{"log":"(?:<\d>)?\[\s*\d+\.\d{3}',
    Start((*journal_fields.FIELDS, r"\s*[\[{]"), near=journal_fields.KERNEL, within=journal_fields.WITHIN),
    Start((r"\s*[{}\[\],]", r'\s*"'), near=(r'\s*"(?:dmesg|pri|time|msg)":',), within=6),
)


CONTINUES = (*prefix.LOG_LINES, *journal_fields.CONTINUES, *json_log.JOURNAL)


def starts_among(lines: list[str]) -> list[int]:
    """Return the lines that are of a class of kernel messages: without a prefix, the words decide."""
    return classes.among(lines)


def begins(lines: Sequence[str], at: int) -> bool:
    """Return whether a kernel log starts at `lines[at]`: a kernel stamp, or words only the kernel prints."""
    line = lines[at]
    if json_log.begins(lines, at) or journal_fields.begins(lines, at):
        return True
    entry = prefix.entry(line, 0)
    if not entry.has_prefix:
        bare = line.lstrip(" ")
        return is_of_device(bare) or is_unmistakable(bare)
    return entry.is_kernel or any(prefix.is_stamped(ahead) for ahead in lines[at + 1 : at + LOOK_AHEAD])


def continues(line: str) -> bool:
    """Return whether `line` can occur inside a kernel log: stamped, indented, or a part of a report."""
    if _ELSEWHERE.match(line):
        return False
    if not line.strip() or line[0].isspace() or prefix.entry(line, 0).has_prefix or json_log.is_dmesg(line):
        return True
    if classify(line) is not None or json_log.is_journal(line) or json_log.is_container(line):
        return True
    if journal_fields.is_field(line) or is_of_device(line):
        return True
    return bool(trace.BODY.match(line) or oom.BODY.match(line))


def read(text: Text) -> Reading:
    """Read one section of a kernel log."""
    from ingest.readers.logs.kernel_log.reader import Reader  # noqa: PLC0415 - imports the reports

    reader = Reader(text.first_line)
    reader.feed_lines(text.lines)
    return reader.finish()


def read_outputs(outputs: Sequence[Output]) -> Reading:
    """Read one section that several commands printed."""
    from ingest.readers.logs.kernel_log.reader import Reader  # noqa: PLC0415 - same

    reader = Reader(outputs[0].text.first_line)
    for output in outputs:
        reader.begin_output(output.text.first_line, goes_on=output.goes_on)
        reader.feed_lines(output.text.lines)
    return reader.finish()


def stream(first_line: int) -> SectionStream:
    """Begin a section at line `first_line`."""
    from ingest.readers.logs.kernel_log.reader import Reader  # noqa: PLC0415 - same

    return Reader(first_line)
