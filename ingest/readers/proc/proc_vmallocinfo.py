"""`/proc/vmallocinfo`: areas of kernel virtual memory, and the function that asked for each.

Example:
    0x0000000013df56bf-0x00000000d1eb4d6f   20480 kernel_clone+0x94/0x3e0 pages=4 vmalloc N0=4
    0x00000000cdc0e6cc-0x000000001713a77e   12288 acpi_os_map_iomem+0x1bc/0x1e0 phys=0x9f000 ioremap

Areas with `pages=` hold memory; others map devices, or reserve addresses. The size of an area includes its
guard page. Areas are summed by function.
Source: vmalloc_info_show in mm/vmalloc.c.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ingest.parsing.fact_reader import FactReader
from ingest.parsing.shapes import Lines, Meaning

if TYPE_CHECKING:
    from ingest.model.reading import Reading
    from ingest.model.section import Text

_FIRST = re.compile(
    r"^0x[0-9a-f]{8,16}-0x[0-9a-f]{8,16}\s+\d{4,18}\s(?:.*\s)?(?:vmalloc|ioremap|vmap|user|vm_map_ram)\b"
)
_AREA = re.compile(
    r"^0x[0-9a-f]{8,16}-0x[0-9a-f]{8,16}\s+(?P<size>\d{4,18})"
    r"(?:\s+(?P<function>[A-Za-z_][\w.]{0,127})\+0x[0-9a-f]{1,8}/0x[0-9a-f]{1,8}(?:\s\[\w+\])?)?"
    r"(?P<rest>(?:\s+[\w=.:/-]{1,80}){0,80})\s*$"
)
_PAGES = re.compile(r"\spages=\d{1,12}(?=\s|$)")
UNKNOWN = "unknown"


def _read(text: Text) -> Reading:
    """Read size and number of the areas of each function; of areas that hold pages, and of all others."""
    reader = FactReader(text)
    sums: dict[tuple[str, str], list[float]] = {}
    for line, area in reader.matching(_AREA, "not an area of vmallocinfo"):
        kind = "vmalloc" if _PAGES.search(area["rest"]) else "vmalloc.mapped"
        found = sums.setdefault((kind, area["function"] or UNKNOWN), [0.0, 0.0, line])
        found[0] += float(area["size"])
        found[1] += 1
    for (kind, function), (size, count, first) in sums.items():
        reader.add(f"{kind}.size_bytes", size, int(first), "bytes", {"function": function})
        reader.add(f"{kind}.areas", count, int(first), "count", {"function": function})
    return reader.result()


FACTS = {
    "vmalloc.size_bytes": Meaning(
        "size of the areas of kernel virtual memory that hold pages, by the function that allocated them",
        "bytes",
        ("function",),
    ),
    "vmalloc.areas": Meaning("areas of kernel virtual memory that hold pages", "count", ("function",)),
    "vmalloc.mapped.size_bytes": Meaning(
        "size of the areas of kernel virtual memory without pages of their own: devices, reserved addresses",
        "bytes",
        ("function",),
    ),
    "vmalloc.mapped.areas": Meaning(
        "areas of kernel virtual memory without pages of their own", "count", ("function",)
    ),
}
FORMAT = Lines(
    name="proc-vmallocinfo",
    title="/proc/vmallocinfo",
    example="0x0000000013df56bf-0x00000000d1eb4d6f   20480 kernel_clone+0x94/0x3e0 pages=4 vmalloc N0=4",
    paths=("proc/vmallocinfo",),
    hints=("proc_vmallocinfo*", "vmallocinfo*"),
    first=_FIRST,
    shapes=(_AREA,),
    read=_read,
)
