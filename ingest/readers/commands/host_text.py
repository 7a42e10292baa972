"""Texts of one line that name the host, its boot, its command line or the moment.

Examples:
    analytics-db-02                                  hostname
    6b0b3fb1-8c1c-4f11-9f5a-5d3f9d6fd6d1             proc/sys/kernel/random/boot_id
    BOOT_IMAGE=/vmlinuz root=/dev/sda1 cgroup.memory=nokmem    proc/cmdline
"""

from __future__ import annotations

import re
from fnmatch import fnmatch
from typing import TYPE_CHECKING

from ingest.parsing.fact_reader import FactReader

if TYPE_CHECKING:
    from ingest.model.reading import Reading
    from ingest.model.section import Text

NAME = "host-text"
VERSION = 1
TITLE = "Host name, boot id, kernel command line, date"
EXAMPLE = "analytics-db-02"

FACTS = {
    "sos_commands/*/hostname": "host.name",
    "etc/hostname": "host.name",
    "proc/sys/kernel/hostname": "host.name",
    "etc/machine-id": "host.machine_id",
    "proc/sys/kernel/random/boot_id": "host.boot_id",
    "proc/cmdline": "boot.cmdline",
    "sos_commands/*/date": "capture.date_text",
    "clocksource0/current_clocksource": "clocksource.current",
}
BY_COMMAND = {r"hostname(?: -f)?": "host.name", r"date(?: .*)?": "capture.date_text"}

PATHS: tuple[str, ...] = tuple(FACTS)
COMMANDS: tuple[str, ...] = tuple(BY_COMMAND)
HINTS: tuple[str, ...] = ()


def read(text: Text) -> Reading:
    """Read the first line that is not empty."""
    reader = FactReader(text)
    by_path = (name for pattern, name in FACTS.items() if fnmatch(f"/{text.path}", f"*/{pattern}"))
    by_command = (name for pattern, name in BY_COMMAND.items() if re.fullmatch(pattern, text.command))
    name = next(by_path, None) or next(by_command, None)
    is_read = False
    for line, entry in enumerate(text.lines, start=text.first_line):
        value = entry.strip()
        if not value:
            continue
        if name is None or is_read or (name == "host.name" and " " in value):
            reader.skips.add("more than one value", line)
            continue
        reader.add(name, value, line)
        is_read = True
    return reader.result()
