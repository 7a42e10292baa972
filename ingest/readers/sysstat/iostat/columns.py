"""The columns of devices that `iostat` prints, and what they mean."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ingest.parsing.series import Quantity, share

if TYPE_CHECKING:
    from collections.abc import Mapping

_UNIT_FACTORS = {"kB": 1024.0, "MB": 1024.0**2, "Blk": 512.0, "sec": 512.0}
_BYTES = re.compile(
    r"^(?P<kind>r|w|d)?(?P<unit>kB|MB|sec)/s$|^(?P<old_unit>kB|MB|Blk)_(?P<old>read|wrtn|dscd|w\+d)/s$"
)
_KINDS: Mapping[str | None, str] = {
    "r": "read",
    "w": "written",
    "d": "discarded",
    "read": "read",
    "wrtn": "written",
    "dscd": "discarded",
    "w+d": "written_or_discarded",
    None: "transferred",
}

QUANTITIES: Mapping[str, Quantity] = {
    "r/s": Quantity("disk.reads_per_second", "per_second"),
    "w/s": Quantity("disk.writes_per_second", "per_second"),
    "tps": Quantity("disk.requests_per_second", "per_second"),
    "r_await": Quantity("disk.read_await_ms", "ms"),
    "w_await": Quantity("disk.write_await_ms", "ms"),
    "await": Quantity("disk.await_ms", "ms"),
    "aqu-sz": Quantity("disk.queue_length", "count"),
    "avgqu-sz": Quantity("disk.queue_length", "count"),
    "%util": share("disk.util_share"),
}


def quantity_of(column: str) -> Quantity | None:
    """Return the meaning of a device column, None for one that is ignored."""
    found = _BYTES.match(column)
    if not found:
        return QUANTITIES.get(column)
    kind = _KINDS[found["kind"] or found["old"]]
    return Quantity(
        f"disk.{kind}_bytes_per_second", "per_second", _UNIT_FACTORS[found["unit"] or found["old_unit"]]
    )
