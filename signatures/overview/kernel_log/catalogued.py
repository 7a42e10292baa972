"""Errors of no class in logs without levels: the sources of the kernel state the level of each message.

2 lines that the kernel prints at error level, of no known class: "FAT-fs (sdb1): codepage cp437 not found";
driver fat, fs/fat/inode.c

The level is that of every place that prints the message, in the newest release that does; a message that some
place prints below the level of errors is none. Nor is a line of a report whose first line is an alarm: the
same function prints both.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ingest.catalogue.log_classes import ALARMING, UNCLASSIFIED
from ingest.catalogue.message_places import driver_of, part_of
from ingest.native import messages
from signatures.overview.kernel_log.alarms import SHOWN, WHOLE
from signatures.overview.kernel_log.chain import Placed
from signatures.overview.kernel_log.chains import ERROR_LEVEL
from signatures.overview.kernel_log.sentences import quoted
from signatures.overview.model import Answer, Figure, Statement, place
from signatures.rendering.places import SHOWN_PLACES

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ingest.model.reading import LogRecord
    from ingest.native.messages import Entry
    from signatures.judging.scope import Item
    from signatures.overview.model import Place
    from signatures.overview.scope_evidence import ScopeEvidence


def catalogued_messages(evidence: ScopeEvidence) -> Answer:
    """Return the messages without class and stated level that the kernel prints as errors."""
    without = [pair for pair in evidence.records if pair[0].level is None and pair[0].kind == UNCLASSIFIED]
    groups = _by_message(without, _functions(evidence))
    if not groups:
        return Answer("No kernel message that its source prints as an error.")
    figures = tuple(_figure(entry, group) for entry, group in groups[:SHOWN])
    entry, first = groups[0]
    lines = [one for _, group in groups for one in group]
    count = (
        "1 line that the kernel prints" if len(lines) == 1 else f"{len(lines):,} lines that the kernel prints"
    )
    text = f"{count} at error level, of no known class: {quoted(first[0].record.message)}{_where(entry)}"
    statement = Statement("kernel-log", text, _places(lines), "fact", "notable", WHOLE, engine="catalogue")
    return Answer(f"{text}.", figures, (WHOLE,), (statement,))


def _functions(evidence: ScopeEvidence) -> frozenset[tuple[str, str]]:
    """Return path and function of what prints the alarms of the log."""
    alarms = {record.message for record, _ in evidence.classified if record.severity in ALARMING}
    found = (messages.message_bits(message) for message in alarms)
    places = (one for match in found if match for one in messages.entry(match[1]).places)
    return frozenset((one.path, one.function) for one in places)


def _by_message(
    without: Sequence[tuple[LogRecord, Item]], reported: frozenset[tuple[str, str]]
) -> list[tuple[Entry, list[Placed]]]:
    """Return the records of each error that no `reported` function prints, in the order of the log."""
    groups: dict[int, list[Placed]] = {}
    found = messages.bits_of([record.message for record, _ in without])
    for one, match in zip(without, found, strict=True):
        # The log is known to be the kernel's: its prefix says so, and not the words of the message.
        if match is not None:
            groups.setdefault(match[1], []).append(Placed(*one))
    entries = ((messages.entry(number), group) for number, group in groups.items())
    return [
        (entry, group)
        for entry, group in entries
        if max(entry.levels) <= ERROR_LEVEL
        and not reported.issuperset((one.path, one.function) for one in entry.places)
    ]


def _where(entry: Entry) -> str:
    """Return driver and file of a message that is printed in one place."""
    if entry.place_count > 1:
        return ""
    one = entry.places[0]
    driver = driver_of(one.path, one.module)
    return f"; {f'driver {driver}, ' if driver else ''}{one.path}"


def _figure(entry: Entry, group: list[Placed]) -> Figure:
    part = part_of(entry.places[0].path)
    name = part.name if entry.place_count <= len(entry.places) else "several parts"
    note = f"{quoted(group[0].record.message)}{_where(entry)}"
    return Figure(name, float(len(group)), "count", _places(group), is_notable=True, note=note)


def _places(placed: Iterable[Placed]) -> tuple[Place, ...]:
    lines = ((one.item, lines) for one in placed for lines in one.record.deciding)
    return tuple(place(item, own.first, own.last) for item, own in list(lines)[:SHOWN_PLACES])
