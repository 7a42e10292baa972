"""The class of a message, and the values in it.

Examples:
    workqueue: inode_switch_wbs_work_fn hogged CPU for >10000us 4 times, consider switching to WQ_UNBOUND
    watchdog: BUG: soft lockup - CPU#3 stuck for 22s! [kworker/3:1:1234]
    nvme nvme0: controller is down; will reset: CSTS=0xffffffff, PCI_STATUS=0x10
    nf_conntrack: nf_conntrack: table full, dropping packet

The classes are data: `ingest.catalogue.log_classes`.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from ingest.catalogue.log_classes import CLASSES
from ingest.catalogue.log_classes.fields import NUMERIC
from ingest.native.linear import Pattern
from ingest.native.log_prefix import KernelMessages
from ingest.parsing.class_finder import finder
from ingest.readers.logs.kernel_log.prefix import NO_CLASS, UNKNOWN_CLASS

if TYPE_CHECKING:
    from ingest.catalogue.log_classes import LogClass
    from ingest.model.reading import Cell
    from ingest.readers.logs.kernel_log.prefix import Entry

_PCI = r"[0-9a-f]{4}:[0-9a-f]{2}:[0-9a-f]{2}\.[0-7]"
_DEVICE_PREFIX = re.compile(rf"^(?:(?:{_PCI}|[^\s:]+) ){{0,2}}(?:{_PCI}|[^\s:]+): $")
"""What drivers print before a message: `e1000e 0000:00:19.0 eno1: `."""

DEVICE_LINE = (
    r"(?:[a-z][a-z0-9_]+: \[[a-z0-9_]+:[0-9]+\([a-z0-9_.-]+\)\]"
    rf"|(?:[a-z][a-z0-9_-]+ {_PCI}(?: [a-zA-Z0-9_.-]+(?: \([a-zA-Z0-9_ ]+\))?)?"
    r"|i2c[a-z0-9_-]* (?:i2c-)?[A-Z]+[0-9A-F]+:[0-9]+|tpm tpm[0-9]+|virtio_[a-z0-9_]+ virtio[0-9]+"
    r"|usb [0-9]+-[0-9.]+|ata[0-9]+(?:\.[0-9]+)?|nvme nvme[0-9]+|scsi host[0-9]+"
    # ACPICA, drivers/acpi/acpica/utxferror.c: the formats behind it are arguments of macros.
    r"|ACPI (?:BIOS )?(?:Error|Warning|Exception)(?: \(bug\))?"
    r"|sd [0-9]+:[0-9]+:[0-9]+:[0-9]+): )\S"
)
"""A message of a driver about its device, as `dev_printk` writes it, before any other prefix."""

CATALOGUE_PREFIX = (
    rf"^(?:[A-Za-z][A-Za-z0-9_-]*(?: (?:{_PCI}|[A-Za-z0-9][^\s:]*)){{0,2}}: )?"
    r"(?:[a-z_][a-z0-9_]*(?:\[[0-9]+\]|:[0-9]+)?(?:\(\)|:\(pid [0-9]+\)| \[[a-z0-9_]+\])?: )?$"
)
"""What stands before the constant words of a message: driver and device, then the name of the function."""

_DEVICE = Pattern("^" + DEVICE_LINE)
_BEFORE = re.compile(r"^(?:\{\d{1,9}\}|CPU ?\d{1,5}: [\w /]{0,30})$")
"""What the kernel itself prints before the words of a class: the number of a record, a CPU."""

_CRASHED = re.compile(r"(?: at| trap) .{1,60}\bip[ :][0-9a-f]{6,16} sp[ :][0-9a-f]{6,16} error[ :]\d")
"""How the kernel alone says that a process crashed."""

_WARNED = re.compile(
    r" PID: |WARNING: (?:CPU: \d+ )?(?:\[.{0,300}?\] )?(?:at )?[\w./-]+\.[chS]:\d"
    r"|WARNING: kernel stack (?:regs|frame pointer) at | still has locks held!"
)
"""What a failed check says behind `WARNING:`, with which drivers and other programs begin messages, too."""


_BUG = re.compile(r"^BUG: .*(?:[\[\](){}:/_!]|0x)")
"""What the kernel says behind `BUG:`: a value, a place or a name; programs begin messages with it, too."""

_BARE = {"warn": _WARNED, "bug_message": _BUG}
"""What a line without a prefix says if it is of such a class."""

_FRAME = r"^(?:\[<[0-9a-f]+>\] ?)?(?:\? )?[A-Za-z_.$][\w.$]*\+0x[0-9a-f]+/0x[0-9a-f]+(?: \[[\w-]+\])?\s*$"
"""A frame of a call trace, as the kernel prints it."""


class Classified(NamedTuple):
    """The class of a message and its named parts."""

    log_class: LogClass
    fields: dict[str, Cell]

    @property
    def kind(self) -> str:
        """Name of the class."""
        return self.log_class.name


def classify(message: str) -> Classified | None:
    """Return the class and the values of a message, None if it is of no class."""
    found = finder().find(message)
    if found is None:
        return None
    number, _, texts = found
    return Classified(CLASSES[number], _typed(texts))


def classified(entry: Entry) -> Classified | None:
    """Return the class and the values of an entry, None if it is of no class.

    `WARNING:` of a line without a prefix is the kernel's when it states where or in which task.
    """
    if entry.class_number == UNKNOWN_CLASS:
        found = classify(entry.text)
    elif entry.class_number == NO_CLASS:
        found = None
    else:
        groups = finder().groups(entry.class_number, entry.text)
        found = Classified(CLASSES[entry.class_number], _typed(groups))
    if found is not None and found.kind == "warn" and not _WARNED.search(entry.text):
        return None
    return found


def _typed(texts: dict[str, str]) -> dict[str, Cell]:
    """Return the values, numbers as floats; a number that is none stays a text."""
    values: dict[str, Cell] = dict(texts)
    for name, text in texts.items():
        if name in NUMERIC:
            try:
                values[name] = float(text)
            except ValueError:
                values[name] = text
    return values


def is_unmistakable(line: str) -> bool:
    """Return whether a line without any prefix is a kernel message by its words alone."""
    found = finder().find(line)
    if found is None:
        return is_catalogued(line)
    number, start, _ = found
    one = CLASSES[number]
    if one.needs_prefix:
        return is_of_device(line) or _CRASHED.search(line) is not None
    if (needed := _BARE.get(one.name)) and not needed.search(line):
        return False
    before = line.encode()[:start].decode(errors="replace")
    if start == 0 or _DEVICE_PREFIX.match(before):
        return True
    return one.is_alarming and bool(_BEFORE.match(before))


@cache
def kernel_messages() -> KernelMessages:
    """Return the words by which the native core knows a message of the kernel in any line of a log."""
    conditions = [
        *((number, _CRASHED.pattern) for number, one in enumerate(CLASSES) if one.needs_prefix),
        *((number, _BARE[one.name].pattern) for number, one in enumerate(CLASSES) if one.name in _BARE),
    ]
    return KernelMessages(
        finder(),
        conditions=conditions,
        alarming=[number for number, one in enumerate(CLASSES) if one.is_alarming],
        device_prefix=_DEVICE_PREFIX.pattern,
        alarm_prefix=_BEFORE.pattern,
        catalogue_prefix=CATALOGUE_PREFIX,
        device=_DEVICE.pattern,
        frame=_FRAME,
    )


def is_catalogued(line: str) -> bool:
    """Return whether a line without any prefix begins with a message of the catalogue, by its words."""
    return bool(kernel_messages().catalogued([line]))


def is_of_device(line: str) -> bool:
    """Return whether a line without any prefix is a driver's message about its device."""
    return bool(_DEVICE.match(line))


def first_line(text: bytes, at: int) -> tuple[int, int] | None:
    """Return the first line of `text` from byte `at` on that is of a class, as bytes from and to."""
    return finder().first_line(text, at)


def among(lines: list[str]) -> list[int]:
    """Return the indices of the lines that are of a class or of the catalogue, whatever their indentation."""
    return sorted({*finder().among(lines), *kernel_messages().catalogued(lines)})
