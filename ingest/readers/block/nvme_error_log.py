"""`nvme error-log`: the last commands that an NVMe controller completed with an error.

Example:
    Error Log Entries for device:nvme0 entries:64
    .................
     Entry[ 0]
    .................
    error_count	: 12137
    sqid		: 0
    cmdid		: 0x1c
    status_field	: 0x2002 (Invalid Field in Command: A reserved coded value or an unsupported …)
    phase_tag	: 0
    lba		: 0

An entry with `error_count` 0 is empty. Of the status bits 8 to 10 are its type: 2 is media and data integrity
(NVM Express base specification, "Completion Queue Entry: Status Field"). Releases that print no `phase_tag`
print the field with that tag, one bit higher.
Source: stdout_error_log in nvme-cli nvme-print-stdout.c.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from ingest.parsing.fact_reader import FactReader
from ingest.parsing.shapes import Lines, Meaning

if TYPE_CHECKING:
    from ingest.model.reading import Reading
    from ingest.model.section import Text

MEDIA = 2
"""Status code type of errors of media and data integrity."""

_HEAD = re.compile(r"^Error Log Entries for device:(?P<device>\S{1,64}) entries:\d{1,6}\s*$")
_ENTRY = re.compile(r"^\s*Entry\[\s*\d{1,6}\]\s*$")
_ROW = re.compile(
    r"^(?P<key>error_count|sqid|cmdid|status_field|phase_tag|parm_err(?:_loc|or_location)|lba|nsid|vs|trtype|csi|opcode|cs"
    r"|trtype_spec_info|log_page_version)\s*: ?(?P<value>.{0,300})$"
)
_STATUS = re.compile(r"^(?:0x)?(?P<code>[0-9a-f]{1,8})\s*(?:\((?P<name>[^:)]{1,100}).*)?$")
_RULE = re.compile(r"^\.{5,}\s*$")


class _Entry(NamedTuple):
    line: int
    values: dict[str, str]

    def error(self) -> tuple[str, bool] | None:
        """Return the name of the status and whether it is of the medium; None for an empty entry."""
        status = _STATUS.match(self.values.get("status_field", "").strip())
        if self.values.get("error_count", "0").strip() == "0" or status is None:
            return None
        code = int(status["code"], 16) >> (0 if "phase_tag" in self.values else 1)
        name = (status["name"] or f"status {code & 0x7FF:#x}").strip()
        return name, code >> 8 & 7 == MEDIA


def _read(text: Text) -> Reading:
    """Read how many entries have which status, those of the medium apart, by controller."""
    reader = FactReader(text)
    device, entries = "", list[_Entry]()
    counted: dict[str, list[_Entry]] = {}
    for line, entry in reader.lines():
        if head := _HEAD.match(entry):
            device = head["device"]
            entries = counted.setdefault(device, [])
        elif _ENTRY.match(entry):
            entries.append(_Entry(line, {}))
        elif (row := _ROW.match(entry)) and entries:
            entries[-1].values[row["key"]] = row["value"]
        elif not _RULE.match(entry):
            reader.skips.add("not a line of the error log", line)
    for name, found in counted.items():
        _add(reader, name, found)
    return reader.result()


def _add(reader: FactReader, device: str, entries: list[_Entry]) -> None:
    """Add the errors of a controller by their status."""
    counts: Counter[tuple[str, bool]] = Counter()
    lines: dict[tuple[str, bool], int] = {}
    for entry in entries:
        if (error := entry.error()) is not None:
            counts[error] += 1
            lines.setdefault(error, entry.line)
    for (status, is_media), count in counts.items():
        name = "nvme.log.media_errors" if is_media else "nvme.log.errors"
        labels = {"device": device, "status": status}
        reader.add(name, float(count), lines[status, is_media], "count", labels)
    if entries and not counts:
        reader.add("nvme.log.errors", 0.0, entries[0].line, "count", {"device": device})


FACTS = {
    "nvme.log.media_errors": Meaning(
        "entries of the error log whose status is of media and data integrity", "count", ("device", "status")
    ),
    "nvme.log.errors": Meaning("other entries of the error log", "count", ("device", "status")),
}
FORMAT = Lines(
    name="nvme-error-log",
    title="nvme error-log",
    example=(
        "Error Log Entries for device:nvme0 entries:1\n.................\n Entry[ 0]\n.................\n"
        "error_count\t: 12137\nstatus_field\t: 0x2002 (Invalid Field in Command: …)\nphase_tag\t: 0"
    ),
    command="nvme error-log /dev/nvme0",
    begins_once=True,
    first=_HEAD,
    shapes=(_HEAD, _ENTRY, _ROW, _RULE),
    read=_read,
)
