"""Live patches of the kernel: `kpatch list`, `canonical-livepatch status`, `/sys/kernel/livepatch/*/enabled`.

Examples:
    Loaded patch modules:
    kpatch_5_14_0_427_13_1_1_2 [enabled]

    kernel: 5.15.0-91.101-generic
    patch state: ✓ all applicable livepatch modules inserted
    patch version: 102.1

Source: kpatch(1); Documentation/ABI/testing/sysfs-kernel-livepatch.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ingest.parsing.fact_reader import FactReader

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ingest.model.reading import Reading
    from ingest.model.section import Text

NAME = "live-patches"
VERSION = 1
TITLE = "Live patches of the kernel"
EXAMPLE = "Loaded patch modules:\nkpatch_5_14_0_427_13_1_1_2 [enabled]"

PATHS: tuple[str, ...] = ("sos_commands/kernel/kpatch_list", "sys/kernel/livepatch/*/enabled")
COMMANDS: tuple[str, ...] = (r"kpatch list", r"canonical-livepatch status(?: .*)?")
HINTS: tuple[str, ...] = ()

FACT = "kernel.live_patch"
_PATH = re.compile(r"sys/kernel/livepatch/(?P<name>[\w.-]{1,80})/enabled$")
_HEAD = re.compile(r"^(?P<what>Loaded|Installed) patch modules:\s*$")
_MODULE = re.compile(r"^(?P<name>[\w.-]{1,80})(?: \[(?P<state>\w+)\]| \((?P<release>\S+)\))?\s*$")
_CANONICAL = re.compile(r"^\s*patch version: *\"?(?P<version>[\w.]{1,40})\"?\s*$")
_STATUS = re.compile(r"^\s*(?:last check|kernel|server check-in|kernel state|patch state|tier|machine id):")


STARTS = (
    _HEAD.pattern,
    "last check:",
)


def begins(lines: Sequence[str], at: int) -> bool:
    """Return whether the output of kpatch list or canonical-livepatch status starts at `lines[at]`."""
    if _HEAD.match(lines[at]):
        return True
    return lines[at].startswith("last check:") and any(_CANONICAL.match(line) for line in lines[at : at + 8])


def continues(line: str) -> bool:
    """Return whether `line` is part of it."""
    return any(shape.match(line) for shape in (_HEAD, _MODULE, _CANONICAL, _STATUS)) or not line.strip()


def read(text: Text) -> Reading:
    """Read the names of the loaded patches."""
    reader = FactReader(text)
    of_path = _PATH.search(text.path)
    is_loaded = False
    for line, entry in enumerate(text.lines, start=text.first_line):
        if of_path is not None:
            if entry.strip() == "1":
                reader.add(FACT, of_path["name"], line)
        elif head := _HEAD.match(entry):
            is_loaded = head["what"] == "Loaded"
        elif canonical := _CANONICAL.match(entry):
            reader.add(FACT, f"Canonical Livepatch {canonical['version']}", line)
        elif (module := _MODULE.match(entry)) and is_loaded and module["state"] in (None, "enabled"):
            reader.add(FACT, module["name"], line)
        elif entry.strip() and not _STATUS.match(entry) and not _MODULE.match(entry):
            reader.skips.add("not a live patch", line)
    return reader.result()
