"""`smartctl`: what a disk says about its own health, as text and as JSON (`-j`).

Examples:
    smartctl 7.3 2022-02-28 r5338 [x86_64-linux-6.1.0] (local build)
    SMART overall-health self-assessment test result: FAILED!
    ID# ATTRIBUTE_NAME          FLAG     VALUE WORST THRESH TYPE      UPDATED  WHEN_FAILED RAW_VALUE
      5 Reallocated_Sector_Ct   0x0033   001   001   005    Pre-fail  Always   FAILING_NOW 1975

    {
      "json_format_version": [1, 0],
      "smartctl": { "version": [7, 0], … },
      "smart_status": { "passed": true },

ATA disks have attributes, whose raw values are the vendor's; SCSI disks counters of errors and a list of
grown defects; NVMe controllers a log whose facts are those of `nvme smart-log`. The text names no device: it
is that of the command or the captured path, else facts have the model alone. Serial numbers are not read.
Source: smartmontools ataprint.cpp, scsiprint.cpp, nvmeprint.cpp; smartctl(8).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ingest.native.linear import Pattern
from ingest.parsing.fact_reader import FactReader
from ingest.parsing.protocols import Start
from ingest.paste.transcript import blanked, transcript
from ingest.readers.block.smartctl import document, report

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ingest.model.reading import Reading
    from ingest.model.section import Text

NAME = "smartctl"
VERSION = 1
TITLE = "smartctl"
COMMAND = "smartctl -x /dev/sda"
EXAMPLE = (
    "smartctl 7.3 2022-02-28 r5338 [x86_64-linux-6.1.0] (local build)\n"
    "SMART overall-health self-assessment test result: PASSED"
)

_BANNER = Pattern(r"^\s*smartctl (?:version )?\d+\.\d+ .*\[\S+\]")
_SECTION = Pattern(r"^\s*=== START OF [A-Z ]{1,60} SECTION ===\s*$")
_TABLE = re.compile(r"^\s*ID# ATTRIBUTE_NAME\s+FLAGS?\s+VALUE WORST THRESH ")
_NVME = re.compile(r"^\s*SMART/Health Information \(NVMe Log 0x0?2")
_STARTS_OF_KEYS = "smartctl|read|write|verify|data collection|capabilities|recommended"
_STARTS_OF_LINES = (
    "SMART|SATA|ATA|SCT|Offline|Total|Supported|St Op|General|Vendor|Error|Selective|If Selective|After"
    "|Device|Index|ID|Num|Page|Copyright|Extended|Short|Conveyance|No|Current|Elements|Manufactured|Accumulated"
    "|Specified|Read|Write|Command|Queue|Background|Protocol|Pending|Defects|Long|Please|Self-test|Commands"
    "|CR|ER|Id|Max"
)
_LINE = re.compile(rf"^(?:\s+\S|[#=|]|0x|\d|[A-Z][^:]{{0,80}}:|(?:{_STARTS_OF_KEYS}|{_STARTS_OF_LINES})\b)")
_JSON = re.compile(r'^\s*"(?:json_format_version|smartctl)"\s*:')
_JSON_LINE = re.compile(r'^\s*(?:["{}\[\]\d-]|true|false|null)')
_IS_JSON = re.compile(r'^\s*\{\s*(?:"(?:json_format_version|smartctl)"\s*:.*)?$')

STARTS = (
    r"\s*smartctl (?:version )?\d",
    r"\s*=== START OF ",
    r"\s*ID# ATTRIBUTE_NAME",
    _NVME.pattern,
    r'\s*\{\s*"(?:json_format_version|smartctl)"',
    Start((r"\s*\{\s*$",), near=(_JSON.pattern,), within=1),
)


def begins(lines: Sequence[str], at: int) -> bool:
    """Return whether the banner, a section, the attributes, NVMe's log or the document is at `lines[at]`."""
    line = lines[at]
    if _IS_JSON.match(line):
        return line.strip() != "{" or (at + 1 < len(lines) and bool(_JSON.match(lines[at + 1])))
    return bool(_BANNER.match(line) or _SECTION.match(line) or _TABLE.match(line) or _NVME.match(line))


def continues(line: str) -> bool:
    """Return whether `line` can occur in a report or a document."""
    return bool(_LINE.match(line) or _JSON_LINE.match(line))


def read(text: Text) -> Reading:
    """Read health, attributes, counters of errors, self-tests, temperature and wear.

    Raises:
        MalformedInputError: The JSON is cut off or broken.
    """
    reader, pasted = FactReader(text), transcript(text)
    reader.take_over(pasted)
    first = next((line.text for line in pasted.lines if line.text.strip()), "")
    if first.lstrip().startswith("{"):
        document.read(reader, blanked(text, pasted), text.first_line)
    else:
        report.read(reader, text, pasted)
    return reader.result()
