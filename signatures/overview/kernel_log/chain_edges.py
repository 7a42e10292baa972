"""Edges of a chain of the kernel log: what connects an alarm with an earlier one, and its two lines.

edge_of(filesystem_readonly on nvme0n1p2, [nvme_timeout on nvme0, …])
->  ("device", "same device nvme0, 30 s later", lines 1 and 4)
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from signatures.language.number_format import value_words
from signatures.overview.kernel_log.device_paths import device_of
from signatures.overview.model import place

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ingest.model.reading import LogRecord
    from signatures.documents.overview import Relation
    from signatures.overview.kernel_log.chain import Alarm
    from signatures.overview.model import Place


class Edge(NamedTuple):
    """The last three fields of a `Link`."""

    relation: Relation
    reason: str
    proof: tuple[Place, ...]


def edge_of(alarm: Alarm, earlier: Sequence[Alarm]) -> Edge:
    """Return the edge to the nearest earlier alarm that it shares a thing with, else that its class follows.

    Without either the alarm is next in the log.
    """
    nearest = earlier[::-1]
    for one in nearest:
        relation, words = _shared(one.first.record, alarm.first.record)
        if relation:
            return _edge(one, alarm, relation, words)
    for one in nearest:
        if one.log_class.name in alarm.log_class.follows:
            return _edge(one, alarm, "follows", "known consequence")
    return _edge(nearest[0], alarm, "time", "")


def _edge(one: Alarm, alarm: Alarm, relation: Relation, words: str) -> Edge:
    reason = ", ".join(filter(None, (words, _later(one.first.record, alarm.first.record))))
    proof = tuple(
        place(seen.item, seen.record.lines.first, seen.record.lines.last) for seen in (one.first, alarm.first)
    )
    return Edge(relation, reason, proof)


def _shared(one: LogRecord, other: LogRecord) -> tuple[Relation, str]:
    """Return the task, cgroup or disk that two records name, in words."""
    pairs: tuple[tuple[Relation, str], ...] = (("task", "pid"), ("cgroup", "cgroup"))
    for relation, field in pairs:
        name = one.fields.get(field)
        if name and name == other.fields.get(field):
            words = f"{name:.0f}" if isinstance(name, float) else str(name)
            return relation, f"same {relation} {words}"
    device = device_of(one)
    return ("device", f"same device {device}") if device and device == device_of(other) else ("", "")


def _later(one: LogRecord, other: LogRecord) -> str:
    """Return `30 s later`; `later in the log` where the two have no time of one clock."""
    for before, after in ((one.uptime, other.uptime), (one.at, other.at)):
        if before is not None and after is not None and after >= before:
            seconds = after - before
            return f"{value_words(round(seconds, 1 if seconds < 1 else 0))} s later"
    return "later in the log"
