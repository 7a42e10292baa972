"""`ras-mc-ctl --errors` and `--summary`: memory errors that rasdaemon has recorded, by module.

Example:
    Memory controller events:
    1 2026-09-30 10:00:00 +0000 2 Corrected error(s): memory read error at CPU1_B2 location: 0:1:1:-1, …

    Memory controller events summary:
            Uncorrected on DIMM Label(s): 'CPU1_B2' location: 0:1:1:-1 errors: 2

Source: ras-mc-ctl of rasdaemon, `errors` and `summary`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ingest.parsing.fact_reader import FactReader
from ingest.parsing.shapes import Lines, Meaning

if TYPE_CHECKING:
    from ingest.model.reading import Reading
    from ingest.model.section import Text

_HEAD = re.compile(r"^(?:Memory controller events(?: summary)?:|No Memory errors\.)\s*$")
_SECTION = re.compile(
    r"^(?:No [A-Z][\w ]{1,60} errors\.|[A-Z][\w ]{1,60} (?:events|errors|records)(?: summary)?:)\s*$"
)
_EVENT = re.compile(
    r"^\d{1,9} \d{4}-\d\d-\d\d \d\d:\d\d:\d\d [+-]\d{4} (?P<count>\d{1,9})"
    r" (?P<kind>Corrected|Uncorrected|Fatal) error\(s\): .{0,200}?(?: at (?P<label>\S.{0,80}?))? location: "
)
_SUMMARY = re.compile(
    r"^\s{0,12}(?P<kind>Corrected|Uncorrected|Fatal) on DIMM Label\(s\): '(?P<label>[^']{0,80})'"
    r" location: \S{1,40} errors: (?P<count>\d{1,9})"
)
_OTHER = re.compile(r"^\s{0,12}\S.{0,400}\berrors?\b")


def _read(text: Text) -> Reading:
    """Read the errors of each module and kind, with the line of the first of them."""
    reader = FactReader(text)
    found: dict[tuple[str, str], tuple[float, int]] = {}
    for line, entry in reader.lines():
        row = _EVENT.match(entry) or _SUMMARY.match(entry)
        if row is None:
            if not _HEAD.match(entry) and not _SECTION.match(entry):
                reader.skips.add("not an error of memory", line)
            continue
        key = (row["kind"].lower(), row["label"] or "unknown memory")
        count, first = found.get(key, (0.0, line))
        found[key] = count + float(row["count"]), first
    for (kind, label), (count, line) in found.items():
        reader.add("ras.memory_errors", count, line, "count", {"kind": kind, "module": label})
    return reader.result()


FACTS = {
    "ras.memory_errors": Meaning(
        "memory errors of one kind that rasdaemon recorded of a module", "count", ("kind", "module")
    ),
}
FORMAT = Lines(
    name="ras-mc-ctl",
    title="ras-mc-ctl --errors",
    example="Memory controller events:\n"
    "1 2026-09-30 10:00:00 +0000 2 Corrected error(s): memory read error at CPU1_B2 location: 0:1:1:-1",
    paths=("sos_commands/*/ras-mc-ctl_--errors", "sos_commands/*/ras-mc-ctl_--summary"),
    commands=(r"ras-mc-ctl --(?:errors|summary)",),
    begins_once=True,
    first=_HEAD,
    shapes=(_HEAD, _SECTION, _EVENT, _SUMMARY, _OTHER),
    read=_read,
)
