r"""`rdma statistic`: counters of RDMA ports since their device came up, on one line or in rows (-p).

Example:
    link mlx5_0/1 rx_write_requests 0 rx_read_requests 0 out_of_buffer 0 local_ack_timeout_err 0

    link mlx5_0/1
        rx_write_requests 0
        rx_read_requests 0

Names are those of the driver: drivers/infiniband/hw/mlx5/counters.c, sw/rxe/rxe_hw_counters.c.
Source: iproute2 rdma/stat.c (stat_show_parse_cb).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ingest.native.linear import Pattern
from ingest.parsing.fact_reader import FactReader
from ingest.parsing.shapes import Lines, Meaning

if TYPE_CHECKING:
    from ingest.model.reading import Reading
    from ingest.model.section import Text

_LINK = Pattern(
    r"^link (?P<link>[\w.-]+/\d{1,3})"
    r"(?:(?P<counters>(?: [a-z][a-z0-9_]+ \d{1,20})+)(?P<rest> .{0,200})?|\s*)$"
)
_ROW = Pattern(r"^\s+(?P<name>[a-z][a-z0-9_]+) (?P<count>\d{1,20})\s*$")


def _read(text: Text) -> Reading:
    """Read every counter of every port."""
    reader = FactReader(text)
    link = ""
    for line, entry in enumerate(text.lines, start=text.first_line):
        if found := _LINK.match(entry):
            link = found["link"]
            words = (found["counters"] or "").split()
            if (found["rest"] or "").strip():
                reader.skips.add("not a counter of RDMA", line)
            for name, count in zip(words[::2], words[1::2], strict=True):
                reader.add(f"rdma.{name}", float(count), line, "count", {"link": link})
        elif link and (row := _ROW.match(entry)):
            reader.add(f"rdma.{row['name']}", float(row["count"]), line, "count", {"link": link})
        elif entry.strip():
            reader.skips.add("not a counter of RDMA", line)
    return reader.result()


FACTS = {
    "rdma.<key>": Meaning(
        "counter of an RDMA port, by the name that the driver gives it", "count", ("link",)
    ),
}
FORMAT = Lines(
    name="rdma-statistic",
    title="rdma statistic",
    example="link mlx5_0/1 rx_write_requests 812 out_of_buffer 0 local_ack_timeout_err 0",
    command="rdma statistic",
    first=_LINK,
    shapes=(_LINK, _ROW),
    read=_read,
)
