"""The options a kernel was built with: `boot/config-<release>`, or `zcat /proc/config.gz`.

Example:
    # Linux/x86 6.18.44 Kernel Configuration
    CONFIG_LRU_GEN=y
    # CONFIG_LRU_GEN_ENABLED is not set
    CONFIG_HZ=1000

`y`, `m`, `n` where the file has *is not set*, else the value. An option that is not named is
unknown: whether it exists depends on the others. The options of device drivers are counted, not stored.
Source: Documentation/kbuild/kconfig.rst, scripts/kconfig/confdata.c.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ingest.parsing.fact_reader import FactReader

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ingest.model.reading import Reading
    from ingest.model.section import Text

NAME = "kernel-config"
VERSION = 1
TITLE = "Kernel configuration"
EXAMPLE = "CONFIG_LRU_GEN=y\n# CONFIG_LRU_GEN_ENABLED is not set\nCONFIG_HZ=1000"

PATHS: tuple[str, ...] = ("boot/config-*", "proc/config.gz", "proc/config")
COMMANDS: tuple[str, ...] = (
    r"zcat /proc/config\.gz",
    r"gzip -dc /proc/config\.gz",
    r"zgrep .*/proc/config\.gz",
)
HINTS: tuple[str, ...] = ("config-[0-9]*", "config.gz")

MIN_LINES = 3
_OPTION = re.compile(r'^CONFIG_(?P<name>\w+)=(?P<value>[ymn]|-?\d+|0x[0-9a-fA-F]+|".*")$')
_UNSET = re.compile(r"^# CONFIG_(?P<name>\w+) is not set$")
_DRIVERS = re.compile(r"^# (?P<end>end of )?Device Drivers$")


STARTS = (
    "# Automatically generated file; DO NOT EDIT",
    _OPTION.pattern,
    _UNSET.pattern,
)


def begins(lines: Sequence[str], at: int) -> bool:
    """Return whether a configuration starts at `lines[at]`: its headline, or three options in a row."""
    if lines[at].startswith("# Automatically generated file; DO NOT EDIT."):
        return any("Kernel Configuration" in line for line in lines[at : at + MIN_LINES])
    following = lines[at : at + MIN_LINES]
    return len(following) == MIN_LINES and all(
        _OPTION.match(line) or _UNSET.match(line) for line in following
    )


def continues(line: str) -> bool:
    """Return whether `line` is an option, a headline or blank."""
    return not line.strip() or line.startswith("#") or bool(_OPTION.match(line))


def read(text: Text) -> Reading:
    """Read each option outside of the device drivers."""
    reader = FactReader(text)
    of_drivers = False
    for line, entry in enumerate(text.lines, start=text.first_line):
        found = _OPTION.match(entry) or _UNSET.match(entry)
        headline = _DRIVERS.match(entry)
        if headline:
            of_drivers = not headline["end"]
        if not found:
            if entry.strip() and not entry.startswith("#"):
                reader.skips.add("not an option", line)
            continue
        if of_drivers:
            reader.skips.add("option of a device driver", line)
            continue
        value = found.groupdict().get("value", "n")
        reader.add(f"kernel.config.{found['name'].lower()}", value.strip('"'), line)
    return reader.result()
