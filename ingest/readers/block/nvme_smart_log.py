"""`nvme smart-log`: health and wear of an NVMe controller, as text.

Example:
    Smart Log for NVME device:nvme0 namespace-id:ffffffff
    critical_warning                        : 0
    temperature                             : 50°C (323 Kelvin)
    available_spare                         : 100%
    media_errors                            : 0

Bits of `critical_warning` by the NVM Express base specification, "SMART / Health Information": 0 spare below
its threshold, 1 temperature, 2 reliability degraded, 3 media read-only, 4 backup of volatile memory
failed, 5 persistent memory read-only.
Source: stdout_smart_log in nvme-cli nvme-print-stdout.c.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ingest.native.linear import Pattern
from ingest.parsing.fact_reader import FactReader

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ingest.model.reading import Reading
    from ingest.model.section import Text

NAME = "nvme-smart-log"
VERSION = 1
TITLE = "nvme smart-log"
EXAMPLE = (
    "Smart Log for NVME device:nvme0 namespace-id:ffffffff\n"
    "critical_warning                        : 0\n"
    "available_spare                         : 100%"
)

PATHS: tuple[str, ...] = ("sos_commands/nvme/nvme_smart-log_*",)
COMMANDS: tuple[str, ...] = (r"nvme smart-log(?: .*)?",)
HINTS: tuple[str, ...] = ()

_HEAD = re.compile(r"^\s*Smart Log for NVME device:(?P<device>\S{1,64}) namespace-id:\S+")
_ROW = Pattern(r"^\s*(?P<key>[A-Za-z][\w .]{1,50}?)(?P<bit>\[\d\])?\s*:\s*(?P<value>.*?)\s*$")
_NUMBER = Pattern(
    r"^(?P<number>0x[0-9a-fA-F]{1,16}|\d{1,3}(?:[,.]\d{3})+|\d{1,30})(?P<unit>%| ?°?C)?(?: \(.*\))?$"
)
_SHARES = frozenset(("available_spare", "available_spare_threshold", "percentage_used"))

STARTS = (r"\s*Smart Log for NVME",)


def begins(lines: Sequence[str], at: int) -> bool:
    """Return whether the head is at `lines[at]`."""
    return bool(_HEAD.match(lines[at]))


def continues(line: str) -> bool:
    """Return whether `line` is a value."""
    return bool(_ROW.match(line))


def read(text: Text) -> Reading:
    """Read every value: shares of 0..1, temperatures in degrees Celsius, others as counts."""
    reader = FactReader(text)
    labels: dict[str, str] = {}
    for line, entry in enumerate(text.lines, start=text.first_line):
        if head := _HEAD.match(entry):
            labels = {"device": head["device"]}
            continue
        row = _ROW.match(entry)
        if row and row["bit"]:
            continue
        value = _NUMBER.match(row["value"]) if row else None
        if row is None or value is None:
            if entry.strip():
                reader.skips.add("not a value of nvme smart-log", line)
            continue
        key = re.sub(r"\W+", "_", row["key"].lower()).strip("_")
        digits = value["number"].replace(",", "").replace(".", "")
        number = float(int(digits, 16 if digits.startswith("0x") else 10))
        if value["unit"] == "%" or key in _SHARES:
            reader.add(f"nvme.{key}_share", number / 100, line, "share", labels)
        elif value["unit"]:
            reader.add(f"nvme.{key}_celsius", number, line, "celsius", labels)
        elif key.startswith("temperature"):
            continue
        else:
            reader.add(f"nvme.{key}", number, line, "count", labels)
    return reader.result()
