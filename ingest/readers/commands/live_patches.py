"""Live patches of the kernel: `kpatch list`, `canonical-livepatch status`, `/sys/kernel/livepatch`.

Examples:
    Loaded patch modules:
    kpatch_5_14_0_427_13_1_1_2 [enabled]

    kernel: 5.15.0-91.101-generic
    patch state: ✓ all applicable livepatch modules inserted
    patch version: 102.1

A list that ends with nothing loaded says that there is none, as does a directory without a patch:
    Loaded patch modules:

    Installed patch modules:

    patch state: ✓ no livepatches needed for this kernel yet

    cat: '/sys/kernel/livepatch/*/enabled': No such file or directory

Source: kpatch(1); https://ubuntu.com/security/livepatch/docs/client/status;
Documentation/ABI/testing/sysfs-kernel-livepatch.
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
VERSION = 2
TITLE = "Live patches of the kernel"
EXAMPLE = "Loaded patch modules:\nkpatch_5_14_0_427_13_1_1_2 [enabled]"

PATHS: tuple[str, ...] = ("sos_commands/kernel/kpatch_list", "sys/kernel/livepatch/*/enabled")
COMMANDS: tuple[str, ...] = (
    r"kpatch list",
    r"canonical-livepatch status(?: .*)?",
    r"ls(?: -\w+)* /sys/kernel/livepatch/?",
    r"cat /sys/kernel/livepatch/\*/enabled",
)
HINTS: tuple[str, ...] = ()

FACT = "kernel.live_patch"
HAS = "kernel.has_live_patch"
UNNAMED = "a patch whose name is not shown"
_PATH = re.compile(r"sys/kernel/livepatch/(?P<name>[\w.-]{1,80})/enabled$")
_HEAD = re.compile(r"^(?P<what>Loaded|Installed) patch modules:\s*$")
_MODULE = re.compile(r"^(?P<name>[\w.-]{1,80})(?: \[(?P<state>\w+)\]| \((?P<release>\S+)\))?\s*$")
_CANONICAL = re.compile(r"^\s*patch version: *\"?(?P<version>[\w.]{1,40})\"?\s*$")
_STATUS = re.compile(r"^\s*(?:last check|kernel|server check-in|kernel state|patch state|tier|machine id):")
_NOT_NEEDED = re.compile(r"^\s*patch state: .{0,3}no livepatches needed for this kernel yet\s*$")
_NO_FILE = re.compile(
    r"^(?:cat|ls): (?:cannot access |can't open )?'?/sys/kernel/livepatch(?:/|/\*/enabled)?'?: "
    r"No such file or directory\s*$"
)
_LISTED = re.compile(r"^(?:d\S+ .* )?(?P<name>[A-Za-z][\w-]{1,80})/?\s*$")
_TOTAL = re.compile(r"^total \d+\s*$")


STARTS = (
    _HEAD.pattern,
    _NO_FILE.pattern,
    "last check:",
)


def begins(lines: Sequence[str], at: int) -> bool:
    """Return whether the output of a command that lists live patches starts at `lines[at]`."""
    if _HEAD.match(lines[at]) or _NO_FILE.match(lines[at]):
        return True
    ahead = lines[at : at + 8]
    return lines[at].startswith("last check:") and any(
        _CANONICAL.match(line) or _NOT_NEEDED.match(line) for line in ahead
    )


def continues(line: str) -> bool:
    """Return whether `line` is part of it."""
    shapes = (_HEAD, _MODULE, _CANONICAL, _STATUS, _NO_FILE)
    return any(shape.match(line) for shape in shapes) or not line.strip()


def read(text: Text) -> Reading:
    """Read the names of the loaded patches, or that there is none."""
    reader = FactReader(text)
    if of_path := _PATH.search(text.path):
        for line, entry in enumerate(text.lines, start=text.first_line):
            if entry.strip() == "1":
                reader.add(FACT, of_path["name"], line)
    elif text.command.startswith("ls "):
        _directory(reader, text)
    else:
        _lists(reader, text)
    return reader.result()


def _directory(reader: FactReader, text: Text) -> None:
    """Read what `ls` shows of the directory: one name a patch; a total alone is an empty one."""
    entries = [(at, entry) for at, entry in enumerate(text.lines, start=text.first_line) if entry.strip()]
    for line, entry in entries:
        if _NO_FILE.match(entry) or (_TOTAL.match(entry) and len(entries) == 1):
            reader.add(HAS, value=False, line=line, labels={"by": "sysfs"})
        elif listed := _LISTED.match(entry):
            reader.add(FACT, listed["name"], line)
        elif not _TOTAL.match(entry):
            reader.skips.add("not a live patch", line)


def _lists(reader: FactReader, text: Text) -> None:
    """Read the lists of kpatch and Canonical, and the files of all patches at once."""
    loaded_at: int | None = None
    """Line of kpatch's list of loaded modules while it is empty."""
    is_loaded = False
    for line, entry in enumerate(text.lines, start=text.first_line):
        if head := _HEAD.match(entry):
            if head["what"] == "Installed" and loaded_at is not None:
                reader.add(HAS, value=False, line=loaded_at, labels={"by": "kpatch"})
            is_loaded = head["what"] == "Loaded"
            loaded_at = line if is_loaded else None
        elif canonical := _CANONICAL.match(entry):
            reader.add(FACT, f"Canonical Livepatch {canonical['version']}", line)
        elif _NOT_NEEDED.match(entry):
            reader.add(HAS, value=False, line=line, labels={"by": "canonical-livepatch"})
        elif _NO_FILE.match(entry):
            reader.add(HAS, value=False, line=line, labels={"by": "sysfs"})
        elif entry.strip() == "1" and not is_loaded:
            reader.add(FACT, UNNAMED, line)
        elif (module := _MODULE.match(entry)) and is_loaded:
            loaded_at = None
            if module["state"] in (None, "enabled"):
                reader.add(FACT, module["name"], line)
        elif entry.strip():
            loaded_at = None
            if not _STATUS.match(entry) and not module:
                reader.skips.add("not a live patch", line)
