"""`nvme smart-log`: health and wear of an NVMe controller, as text and as JSON (`-o json`).

Example:
    Smart Log for NVME device:nvme0 namespace-id:ffffffff
    critical_warning                        : 0
    temperature                             : 50°C (323 Kelvin)
    available_spare                         : 100%
    media_errors                            : 0

    {
      "critical_warning" : 0,
      "temperature" : 301,
      "avail_spare" : 100,

The JSON names no controller and has kelvins; its facts have the names of the text. Bits of `critical_warning`
by the NVM Express base specification, "SMART / Health Information": 0 spare below its threshold,
1 temperature, 2 reliability degraded, 3 media read-only, 4 backup of volatile memory failed, 5 persistent
memory read-only.
Source: stdout_smart_log in nvme-cli nvme-print-stdout.c, json_smart_log in nvme-print-json.c.
"""

from __future__ import annotations

import json
import math
import re
from typing import TYPE_CHECKING, Any

from ingest.model.errors import MalformedInputError
from ingest.native.linear import Pattern
from ingest.parsing.documents import mapping, number
from ingest.parsing.fact_reader import FactReader
from ingest.parsing.protocols import Start

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ingest.model.reading import Reading
    from ingest.model.section import Text

NAME = "nvme-smart-log"
VERSION = 2
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

_JSON = Pattern(r'^\s*\{?\s*"critical_warning"\s*:')
_JSON_LINE = re.compile(r'^\s*["{}\d]')
_DEVICE = re.compile(r"/dev/(?P<device>nvme\d+)\w*")
_KEY = re.compile(r'"([a-z][a-z0-9_]{0,60})"\s*:')
_KELVIN = 273.0
MOST_DIGITS = 39
"""Of a counter of 128 bits."""
_NAMES = {
    "avail_spare": "available_spare",
    "spare_thresh": "available_spare_threshold",
    "percent_used": "percentage_used",
    "critical_comp_time": "critical_composite_temperature_time",
    "warning_temp_time": "warning_temperature_time",
    "endurance_grp_critical_warning_summary": "endurance_group_critical_warning_summary",
}

STARTS = (
    r"\s*Smart Log for NVME",
    r'\s*\{\s*"critical_warning"',
    Start((r"\s*\{\s*$",), near=(_JSON.pattern,), within=1),
)


def begins(lines: Sequence[str], at: int) -> bool:
    """Return whether the head of the text, or the document, is at `lines[at]`."""
    line = lines[at]
    if line.strip() == "{":
        return at + 1 < len(lines) and bool(_JSON.match(lines[at + 1]))
    return bool(_HEAD.match(line) or (line.lstrip().startswith("{") and _JSON.match(line)))


def continues(line: str) -> bool:
    """Return whether `line` is a value."""
    return bool(_ROW.match(line) or _JSON_LINE.match(line))


def read(text: Text) -> Reading:
    """Read every value: shares of 0..1, temperatures in degrees Celsius, others as counts.

    Raises:
        MalformedInputError: The JSON is cut off or broken.
    """
    reader = FactReader(text)
    labels: dict[str, str] = {}
    if next((line for line in text.lines if line.strip()), "").lstrip().startswith("{"):
        _read_json(reader, text)
        return reader.result()
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
        amount = float(int(digits, 16 if digits.startswith("0x") else 10))
        if value["unit"] == "%" or key in _SHARES:
            reader.add(f"nvme.{key}_share", amount / 100, line, "share", labels)
        elif value["unit"]:
            reader.add(f"nvme.{key}_celsius", amount, line, "celsius", labels)
        elif key.startswith("temperature"):
            continue
        else:
            reader.add(f"nvme.{key}", amount, line, "count", labels)
    return reader.result()


def _amount(value: Any) -> float:
    """Return a value of the document, NaN for anything else than a number.

    Some releases print 128-bit counters as texts, and the bits of a warning in an object with its value.
    """
    whole = mapping(value).get("value", value)
    if isinstance(whole, str) and len(whole) <= MOST_DIGITS and whole.isdecimal():
        return float(whole)
    return number(whole, math.nan)


def _read_json(reader: FactReader, text: Text) -> None:
    """Read the document of one controller."""
    try:
        document: Any = json.loads("\n".join(text.lines))
    except (ValueError, RecursionError) as error:
        message = f"this is no whole JSON of nvme smart-log: {error}"
        raise MalformedInputError(message, line=text.first_line) from None
    named = _DEVICE.search(text.command)
    labels = {"device": named["device"]} if named else {}
    lines = {
        key: line
        for line, entry in enumerate(text.lines, start=text.first_line)
        for key in _KEY.findall(entry)
    }
    for printed, value in mapping(document).items():
        amount = _amount(value)
        if math.isnan(amount) or printed not in lines:
            continue
        key, line = _NAMES.get(printed, printed), lines[printed]
        if key in _SHARES:
            reader.add(f"nvme.{key}_share", amount / 100, line, "share", labels)
        elif key.startswith("temperature"):
            reader.add(f"nvme.{key}_celsius", round(amount - _KELVIN, 2), line, "celsius", labels)
        else:
            reader.add(f"nvme.{key}", amount, line, "count", labels)
