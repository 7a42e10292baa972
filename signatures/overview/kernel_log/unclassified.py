"""Messages of no class with their scores: which tell of trouble, of what driver and device.

errors(evidence)[0]  ->  Error(24.0, driver="nvidia", device="0000:b3:00.0", incidents=1, placed=3 lines)

The level is that which the record states, else that of every place in the source that prints the message. A
line of a report whose first line is an alarm is no message of its own: the same function prints both.
"""

from __future__ import annotations

import re
from collections import defaultdict
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple, cast

from ingest.catalogue.log_classes import ALARMING, UNCLASSIFIED
from ingest.catalogue.message_places import driver_of, part_of
from ingest.native import messages
from ingest.readers.logs.kernel_log.devices import devices_in
from signatures.overview.kernel_log import healthy_boots
from signatures.overview.kernel_log.boot_phase import boots_in, is_of_boot, time_of
from signatures.overview.kernel_log.chain import Placed
from signatures.overview.kernel_log.chains import is_unclassified_error
from signatures.overview.kernel_log.score import factors, score, words_factor

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from ingest.model.reading import LogRecord
    from ingest.native.messages import Entry, Found
    from signatures.judging.scope import Item
    from signatures.overview.scope_evidence import ScopeEvidence

NEAR_LINES = 3
"""A message that is printed in parts names its device in one of them."""

_DRIVER = re.compile(
    r"^(?P<driver>[A-Za-z][\w-]*)(?: (?P<device>[\w.:-]{0,40}\d[\w.:-]{0,40}?))?(?: \w+)?: ", re.ASCII
)
"""What `dev_printk` and `pr_fmt` print before a message: `dwc3-qcom 8af8800.usb3: `, `overlayfs: `."""


_LEVEL_WORD = re.compile(r"(?:error|warning|err|warn|info|note|bug|fatal|failed)$", re.IGNORECASE)
_PROGRAM = re.compile(r"^(?:[\w.-]{1,64} )?[\w.-]{1,64}(?:\([\w-]{1,64}\))?\[\d{1,9}\]: ")
"""A program that writes to the log of the kernel: `systemd[1]: `."""


class Error(NamedTuple):
    """Messages of one driver about one device.

    Attributes:
        score: Of the message that tells most.
        driver: Its driver, file system or part of the kernel; "" when neither the source nor the line says.
        device: What it is about; "" when no line names it.
        incidents: How often that message was printed, with a pause between.
        placed: All records, those of that message first.
        message_count: Distinct messages.
        path: The file that prints it; "" when it is not known, or several do.
        before: What was printed of the same device just before it: the reason is often there.
    """

    score: float
    driver: str
    device: str
    incidents: int
    placed: tuple[Placed, ...]
    message_count: int
    path: str
    before: LogRecord | None = None

    @property
    def is_alarm(self) -> bool:
        """Whether it tells of trouble; else it may."""
        return self.score >= factors().alarm


class _Message(NamedTuple):
    """Records of one message.

    Attributes:
        placed: The records.
        entry: What the catalogue knows of it.
        identity: The number that it is counted by.
        is_named: It has bits enough, or the line names its driver: its place in the source is known.
    """

    placed: list[Placed]
    entry: Entry | None
    identity: int
    is_named: bool


def errors(evidence: ScopeEvidence) -> list[Error]:
    """Return the errors and what may be one, the highest score first; computed once."""
    if errors not in evidence.memo:
        evidence.memo[errors] = _errors(evidence)
    return cast("list[Error]", evidence.memo[errors])


def unseen_errors(placed: Iterable[Placed]) -> list[Placed]:
    """Return the records of no class that state an error's level, and that no healthy machine printed."""
    stated = [one for one in placed if is_unclassified_error(one.record)]
    found = messages.find_all([one.record.message for one in stated])
    return [
        one
        for one, match in zip(stated, found, strict=True)
        if not healthy_boots.machines_with(healthy_boots.identity_of(one.record.message, match))
    ]


def _errors(evidence: ScopeEvidence) -> list[Error]:
    records = [pair for pair in evidence.records if pair[0].kind == UNCLASSIFIED]
    candidates = _messages(records)
    if not candidates:
        return []
    groups: dict[tuple[str, str], list[tuple[float, int, _Message]]] = defaultdict(list)
    reported, boots = _functions(evidence), boots_in(records)
    by_line = {(id(item), record.lines.first): record for record, item in records}
    for message in candidates:
        if message.entry and reported.issuperset((one.path, one.function) for one in message.entry.places):
            continue
        incidents = _incidents([one.record for one in message.placed])
        found = _score(message, boots)
        if found >= factors().notable:
            groups[_subject(message, by_line)].append((found, incidents, message))
    made = [
        error._replace(before=_before(error, by_line))
        for error in (_error(subject, group) for subject, group in groups.items())
    ]
    return sorted(made, key=lambda one: -one.score)


def _before(error: Error, by_line: Mapping[tuple[int, int], LogRecord]) -> LogRecord | None:
    """Return the rare message of the same device that was printed within a second before the first."""
    first = min(error.placed, key=lambda one: one.record.lines.first)
    line, time = first.record.lines.first, time_of(first.record)
    if not error.device or time is None:
        return None
    known = {id(one.record) for one in error.placed}
    above = (by_line.get((id(first.item), line - back)) for back in range(1, factors().before_lines + 1))
    for one in above:
        if one is None or id(one) in known or error.device not in devices_in(one.message):
            continue
        before = time_of(one)
        (match,) = messages.find_all([one.message])
        is_rare = not healthy_boots.machines_with(healthy_boots.identity_of(one.message, match))
        return (
            one if is_rare and before is not None and 0 <= time - before <= factors().before_seconds else None
        )
    return None


def _error(subject: tuple[str, str], group: list[tuple[float, int, _Message]]) -> Error:
    group.sort(key=lambda one: -one[0])
    best, incidents, first = group[0]
    placed = tuple(one for _, _, message in group for one in message.placed)
    return Error(best, *subject, incidents, placed, len(group), _path(first))


def _path(message: _Message) -> str:
    entry = message.entry if message.is_named else None
    return entry.places[0].path if entry is not None and entry.place_count == 1 else ""


def _messages(records: Sequence[tuple[LogRecord, Item]]) -> list[_Message]:
    """Return the messages that may tell of trouble, in the order of the log."""
    loud = {record.message for record, _ in records if is_unclassified_error(record)}
    by_text: dict[str, list[tuple[LogRecord, Item]]] = defaultdict(list)
    for pair in records:
        by_text[pair[0].message].append(pair)
    texts = [text for text in by_text if _is_candidate(text, is_loud=text in loud)]
    made: dict[int, _Message] = {}
    for text, match in zip(texts, messages.find_all(texts), strict=True):
        identity = healthy_boots.identity_of(text, match)
        is_named = match is not None and (match.bits >= messages.LEAST_BITS or _names_driver(text, match))
        has_level = match is not None and (is_named or match.bits >= factors().least_bits)
        entry = messages.entry(match.entry) if match is not None and has_level else None
        made.setdefault(identity, _Message([], entry, identity, is_named)).placed.extend(
            Placed(*pair) for pair in by_text[text]
        )
    return list(made.values())


def _is_candidate(text: str, *, is_loud: bool) -> bool:
    """Return whether a message may reach the least score: it says a failure, or states an error's level."""
    tells = is_loud or words_factor(text) > factors().no_words
    return tells and not _PROGRAM.match(text) and not factors().programs.search(text)


def _names_driver(text: str, match: Found) -> bool:
    """Return whether a line names the driver of a message of few bits before it."""
    if match.bits < factors().least_bits_named:
        return False
    before = text.encode(errors="replace")[: match.start].decode(errors="replace").lower()
    words = {*re.split(r"[^a-z0-9_]+", before), *re.split(r"[^a-z0-9_]+", before.replace("-", "_"))}
    return any(one.module and one.module.lower() in words for one in messages.entry(match.entry).places)


def _score(message: _Message, boots: Mapping[int, Sequence[float]]) -> float:
    records = [one.record for one in message.placed]
    stated = [record.level for record in records if record.level is not None]
    level = min(stated) if stated else max(message.entry.levels) if message.entry else None
    return score(
        max((record.message for record in records), key=words_factor),
        level=level,
        spells=_spells(records),
        machines=healthy_boots.machines_with(message.identity),
        is_boot=all(is_of_boot(one, boots, factors().boot_seconds) for one in message.placed),
    )


def _incidents(records: Sequence[LogRecord]) -> int:
    """Return how often something happened: records without times are one incident."""
    times = sorted(one for record in records if (one := time_of(record)) is not None)
    gap = factors().spell_seconds
    return 1 + sum(after - before >= gap for before, after in pairwise(times))


def _spells(records: Sequence[LogRecord]) -> int:
    """Return in how many spells of `spell_seconds` something was printed: a storm is worse than one line."""
    length = factors().spell_seconds
    return max(1, len({one // length for record in records if (one := time_of(record)) is not None}))


def _functions(evidence: ScopeEvidence) -> frozenset[tuple[str, str]]:
    """Return path and function of what prints the alarms of the log."""
    alarms = {record.message for record, _ in evidence.classified if record.severity in ALARMING}
    found = {match.entry for match in messages.find_all(list(alarms)) if match}
    places = (one for number in found for one in messages.entry(number).places)
    return frozenset((one.path, one.function) for one in places)


def _subject(message: _Message, by_line: Mapping[tuple[int, int], LogRecord]) -> tuple[str, str]:
    """Return driver and device of a message."""
    record = message.placed[0].record
    head = _DRIVER.match(record.message)
    if head is not None and _LEVEL_WORD.match(head["driver"]):
        head = None
    driver = (_driver(message.entry) if message.is_named else "") or (head["driver"] if head else "")
    named = devices_in(record.message) or _near(message.placed[0], by_line)
    stated = (head["device"] or "") if head else ""
    return driver, named[0] if named else stated


def _driver(entry: Entry | None) -> str:
    """Return the driver of all places of a message, else their part of the kernel; "" when they differ."""
    if entry is None or entry.place_count > len(entry.places):
        return ""
    drivers = {driver_of(one.path, one.module) for one in entry.places}
    if drivers != {""}:
        return drivers.pop() if len(drivers) == 1 else ""
    parts = {part_of(one.path).name for one in entry.places}
    return parts.pop() if len(parts) == 1 else ""


def _near(one: Placed, by_line: Mapping[tuple[int, int], LogRecord]) -> tuple[str, ...]:
    """Return the devices of the nearest lines of the same beginning: a message of several lines."""
    head = one.record.message.partition(" ")[0]
    line = one.record.lines.first
    lines = sorted(range(line - NEAR_LINES, line + NEAR_LINES + 1), key=lambda other: abs(other - line))
    near = (by_line.get((id(one.item), other)) for other in lines)
    named = (devices_in(other.message) for other in near if other and other.message.startswith(head))
    return next(filter(None, named), ())
