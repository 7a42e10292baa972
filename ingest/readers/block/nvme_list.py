"""`nvme list`: namespaces of NVMe controllers with model, size and firmware, also as JSON (`-o json`).

Example:
    Node          SN      Model           Namespace Usage                  Format          FW Rev
    ------------- ------- --------------- --------- ---------------------- --------------- --------
    /dev/nvme0n1  S466NX  QEMU NVMe Ctrl  1         1.07  GB /   1.07  GB  512   B +  0 B  8.1.0

The line below the head states the width of the columns. Serial numbers are not read.
Source: nvme-cli nvme-print-stdout.c (stdout_simple_topology, stdout_list_item), nvme-print-json.c.
"""

from __future__ import annotations

import json
import math
import re
from typing import TYPE_CHECKING, Any

from ingest.model.errors import MalformedInputError
from ingest.native.linear import Pattern
from ingest.parsing.documents import array, mapping, number, objects
from ingest.parsing.fact_reader import FactReader
from ingest.parsing.protocols import Start
from ingest.paste.transcript import blanked, transcript

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from ingest.model.reading import Reading
    from ingest.model.section import Text

NAME = "nvme-list"
VERSION = 1
TITLE = "nvme list"
COMMAND = "nvme list"
EXAMPLE = (
    "Node          SN      Model           Namespace Usage                  Format          FW Rev\n"
    "------------- ------- --------------- --------- ---------------------- --------------- --------\n"
    "/dev/nvme0n1  S466NX  QEMU NVMe Ctrl  1         1.07  GB /   1.07  GB  512   B +  0 B  8.1.0"
)

_HEAD = re.compile(r"^\s*Node\s+(?:Generic\s+)?SN\s+Model\s+Namespace\s+Usage\s+Format\s+FW Rev\s*$")
_RULE = re.compile(r"^\s*-{5,}(?: +-{5,}){5,8}\s*$")
_ROW = re.compile(r"^\s*/dev/(?P<device>nvme\w{1,40}|dm-\d+)\s")
_USAGE = Pattern(
    r"^(?P<used>\d+(?:[.,]\d+)?)\s*(?P<used_unit>[kKMGTPE]?)B /\s*"
    r"(?P<size>\d+(?:[.,]\d+)?)\s*(?P<size_unit>[kKMGTPE]?)B$"
)
_SCALES = {"": 1, "k": 10**3, "K": 10**3, "M": 10**6, "G": 10**9, "T": 10**12, "P": 10**15, "E": 10**18}
_JSON = Pattern(r'^\s*\{?\s*"Devices"\s*:\s*\[')
_JSON_LINE = re.compile(r'^\s*["{}\[\]]')
_NAMED = re.compile(r'"(?:/dev/)?([a-z][\w-]{1,40})"')
_MOST_DEPTH = 6

STARTS = (
    r"\s*Node\s+(?:Generic\s+)?SN\s+Model\s",
    r'\s*\{\s*"Devices"',
    Start((r"\s*\{\s*$",), near=(_JSON.pattern,), within=1),
)


def begins(lines: Sequence[str], at: int) -> bool:
    """Return whether the head of the table, or the document, is at `lines[at]`."""
    line = lines[at]
    if line.strip() == "{":
        return at + 1 < len(lines) and bool(_JSON.match(lines[at + 1]))
    return bool(_HEAD.match(line) or (line.lstrip().startswith("{") and _JSON.match(line)))


def continues(line: str) -> bool:
    """Return whether `line` is of the table or the document."""
    return any(shape.match(line) for shape in (_HEAD, _RULE, _ROW, _JSON_LINE))


def read(text: Text) -> Reading:
    """Read size, used bytes and firmware of every namespace.

    Raises:
        MalformedInputError: The JSON is cut off or broken.
    """
    reader, pasted = FactReader(text), transcript(text)
    reader.take_over(pasted)
    if next((line.text for line in pasted.lines if line.text.strip()), "").lstrip().startswith("{"):
        _read_json(reader, blanked(text, pasted), text.first_line)
        return reader.result()
    names: list[str] = []
    columns: list[slice] = []
    for line, entry, _ in pasted.lines:
        if _HEAD.match(entry):
            names = entry.replace("FW Rev", "FW_Rev").split()
        elif _RULE.match(entry):
            columns = [slice(found.start(), found.end()) for found in re.finditer(r"-+", entry)]
        elif names and len(columns) == len(names) and (row := _ROW.match(entry)):
            columns[-1] = slice(columns[-1].start, None)
            cells = {name: entry[place].strip() for name, place in zip(names, columns, strict=True)}
            _row(reader, row["device"], cells, line)
        elif entry.strip():
            reader.skips.add("not a row of nvme list", line)
    return reader.result()


def _row(reader: FactReader, device: str, cells: Mapping[str, str], line: int) -> None:
    """Add a row of the table."""
    labels = {"device": device} | ({"model": cells["Model"]} if cells["Model"] else {})
    if usage := _USAGE.match(cells["Usage"]):
        for what in ("size", "used"):
            value = float(usage[what].replace(",", ".")) * _SCALES[usage[f"{what}_unit"]]
            reader.add(f"nvme.namespace.{what}_bytes", value, line, "bytes", labels)
    if cells["FW_Rev"]:
        reader.add("nvme.firmware", cells["FW_Rev"], line, labels=labels)


def _read_json(reader: FactReader, printed: Sequence[str], first_line: int) -> None:
    """Read the document; since nvme-cli 2 it may have subsystems and controllers inside."""
    try:
        whole = "\n".join(printed)
        document: Any = json.JSONDecoder().raw_decode(whole, whole.index("{"))[0]
    except (ValueError, RecursionError) as error:
        message = f"this is no whole JSON of nvme list: {error}"
        raise MalformedInputError(message, line=first_line) from None
    lines: dict[str, int] = {}
    for line, entry in enumerate(printed, start=first_line):
        for name in _NAMED.findall(entry):
            lines.setdefault(name, line)
    for device, values in _namespaces(mapping(document).get("Devices"), {}, 0):
        line = lines.get(device, first_line)
        model = str(values.get("ModelNumber", "")).strip()
        labels = {"device": device} | ({"model": model} if model else {})
        for key, what in (("PhysicalSize", "size"), ("UsedBytes", "used")):
            value = number(values.get(key), math.nan)
            if not math.isnan(value):
                reader.add(f"nvme.namespace.{what}_bytes", value, line, "bytes", labels)
        if firmware := str(values.get("Firmware", "")).strip():
            reader.add("nvme.firmware", firmware, line, labels=labels)


def _namespaces(rows: Any, above: Mapping[str, Any], depth: int) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield each namespace with the values of its controller."""
    for row in objects(rows):
        values = {**above, **{key: value for key, value in row.items() if not array(value)}}
        path = row.get("DevicePath") or row.get("NameSpace")
        if isinstance(path, str) and "PhysicalSize" in row:
            yield path.rpartition("/")[2], values
        if depth < _MOST_DEPTH:
            # A subsystem has its namespaces beside its controllers, or inside them.
            models = next((one for one in objects(row.get("Controllers")) if "ModelNumber" in one), {})
            for key in ("Subsystems", "Controllers", "Namespaces"):
                yield from _namespaces(row.get(key), {**values, **_plain(models)}, depth + 1)


def _plain(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values that are no array."""
    return {key: value for key, value in values.items() if not array(value)}
