"""Which source line prints a line of a kernel log: its level, driver, layer, place and releases.

explained("[12.3] nvme nvme0: I/O 12 QID 5 timeout, completion polled").places[0].function  ->  "nvme_timeout"
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ingest.catalogue.message_places import driver_of, part_of
from ingest.native import messages
from ingest.readers.logs.kernel_log import prefix
from ingest.readers.logs.kernel_log.classes import classify
from ingest.readers.logs.kernel_log.devices import devices_in
from signatures.documents.line import ExplainedLineDocument, LineClassDocument, LinePlaceDocument

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ingest.native.messages import Entry, Place
    from signatures.documents.line import LineState

LEVELS = ("emergency", "alert", "critical", "error", "warning", "notice", "information", "debugging")
"""Names of the levels 0 to 7."""

LONGEST = 4_096
"""Characters of a line that are looked at: the kernel prints no longer one."""


def explained(line: str) -> ExplainedLineDocument:
    """Return what the catalogue knows of a line, given with the prefix of its log or without."""
    line = line[:LONGEST]
    entry = prefix.entry(line, 1)
    message = entry.text.strip()
    level = "" if entry.level is None else LEVELS[entry.level]
    if not entry.is_kernel:
        return ExplainedLineDocument(line=line, message=message, state="program", stated_level=level)
    found = messages.find(message)
    of_class = classify(message)
    classes = (
        ()
        if of_class is None
        else (_class(of_class.kind, of_class.log_class.severity, of_class.log_class.meaning),)
    )
    if found is None:
        devices = devices_in(message)
        return ExplainedLineDocument(
            line=line, message=message, state="unknown", stated_level=level, devices=devices, classes=classes
        )
    known = messages.entry(found.entry)
    before = message.encode(errors="replace")[: found.start].decode(errors="replace")
    places = _places(known, before)
    state: LineState = "kernel" if found.bits >= messages.LEAST_BITS or entry.has_prefix else "weak"
    printed, others = releases(known)
    return ExplainedLineDocument(
        line=line,
        message=message,
        state=state,
        stated_level=level,
        bits=found.bits,
        devices=devices_in(message),
        places=tuple(_place(one) for one in places),
        place_count=1 if len(places) < len(known.places) else known.place_count,
        printed_by=printed,
        not_printed_by=others,
        classes=classes,
    )


def releases(entry: Entry) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the releases whose sources print a message, and those of the same package that do not."""
    sources = messages.sources()
    printed = [one for one, is_printed in zip(sources, entry.releases, strict=True) if is_printed]
    packages = {_package(one.release) for one in printed}
    others = [one for one in sources if one not in printed and _package(one.release) in packages]
    return tuple(one.release for one in printed), tuple(one.release for one in others)


def _package(release: str) -> str:
    """Return `ZFS` of `ZFS 2.2`, and "" of a release of the kernel itself."""
    return release.rpartition(" ")[0]


def _places(entry: Entry, before: str) -> Sequence[Place]:
    """Return the places of a message; those of the module that the line names, where it names one."""
    words = set(before.replace(":", " ").replace("[", " ").replace("]", " ").replace("-", "_").split())
    named = [one for one in entry.places if one.module and one.module in words]
    is_whole = entry.place_count == len(entry.places)
    return named if len(named) == 1 and is_whole else entry.places


def _place(one: Place) -> LinePlaceDocument:
    part = part_of(one.path)
    return LinePlaceDocument(
        path=one.path,
        function=one.function,
        driver=driver_of(one.path, one.module),
        layer=part.layer,
        part=part.name,
        level=LEVELS[one.level],
        returns_error=one.is_error,
    )


def _class(name: str, severity: str, meaning: str) -> LineClassDocument:
    return LineClassDocument(name=name, severity=severity, meaning=meaning)
