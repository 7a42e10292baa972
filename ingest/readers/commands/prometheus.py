"""Prometheus text: `curl localhost:9100/metrics`, of node_exporter, cadvisor and any other exporter.

Example:
    # TYPE node_vmstat_oom_kill untyped
    node_vmstat_oom_kill 37
    node_network_receive_drop_total{device="eth0"} 890437

Source: the text exposition format of Prometheus.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ingest.native.linear import Pattern
from ingest.parsing.prometheus_samples import Sample, reading_of
from ingest.parsing.shapes import Lines

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ingest.model.reading import Reading
    from ingest.model.section import Text

_SAMPLE = Pattern(
    r"^(?P<name>[a-zA-Z_:][\w:]{0,200})(?:\{(?P<labels>.*)\})?\s+"
    r"(?P<value>[-+]?(?:\d[\d.]*(?:[eE][-+]?\d+)?|Inf|NaN))(?:\s+(?P<at>\d{10,13}))?\s*$"
)
_CONTINUING = Pattern(
    r"^\s*(?:(?:node|container|process|go|promhttp|kube|kubelet|machine|apiserver|etcd)_\w+"
    r"|[a-zA-Z_:][\w:]*(?:_total|_bytes|_seconds|_count|_sum|_ratio|_info)|[a-zA-Z_:][\w:]*\{.*\})"
    r"(?:\{.*\})?\s+(?:[-+]?\d[\d.]*(?:[eE][-+]?\d+)?|[-+]?Inf|NaN)(?:\s+\d{10,13})?\s*$"
)
"""Names that the files of the kernel do not have: `key value` alone is a line of many of them."""

_COMMENT = Pattern(r"^# (?:HELP|TYPE|UNIT|EOF)\b.*$")
_LABEL = re.compile(r"(?P<name>[a-zA-Z_]\w{0,100})=\"(?P<text>(?:[^\"\\]|\\.){0,1000})\"")
_FIRST = Pattern(
    r"^(?:# (?:HELP|TYPE) [a-zA-Z_:][\w:]* .*"
    r"|(?:node|container)_\w+(?:\{.*\})? [-+]?\d[\d.]*(?:[eE][-+]?\d+)?(?: \d+)?)$"
)


def _samples(text: Text) -> Iterator[Sample]:
    for line, entry in enumerate(text.lines, start=text.first_line):
        found = _SAMPLE.match(entry.strip())
        if found is None:
            continue
        labels = {one["name"]: one["text"] for one in _LABEL.finditer(found["labels"] or "")}
        at = float(found["at"]) if found["at"] else None
        yield Sample(found["name"], labels, float(found["value"]), _seconds(at), line)


def _seconds(at: float | None) -> float | None:
    """Return a time in seconds; of thirteen digits it is in milliseconds."""
    return at / 1000 if at is not None and at > 1e11 else at


def _read(text: Text) -> Reading:
    return reading_of(_samples(text))


FORMAT = Lines(
    name="prometheus",
    title="Prometheus text",
    example="# TYPE node_load1 gauge\nnode_load1 88.2\nnode_procs_blocked 48",
    command="curl -s http://localhost:9100/metrics",
    first=_FIRST,
    shapes=(_CONTINUING, _COMMENT),
    read=_read,
)
