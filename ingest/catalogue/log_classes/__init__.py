"""Classes of kernel messages: what each means, how bad it is, and what can cause it.

    classes_by_name()["nvme_timeout"].severity -> "warning"

Each module holds the classes of some subsystems. A message is of the first class in `CLASSES` whose pattern
it matches, so messages that only look bad and specific patterns come before general ones. A new class is one
row of `log_class_rows.yaml`. The tests hold every entry against its own sample and against all others.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from ingest.catalogue.log_classes import (
    block,
    buses,
    crash,
    detectors,
    disks,
    drivers,
    hardware,
    local_filesystems,
    locking,
    machines,
    memory,
    network,
    protocols,
    remote_filesystems,
    rows,
    scheduling,
    scsi,
)
from ingest.catalogue.log_classes.model import ALARMING, SEVERITIES, SUBSYSTEMS, LogClass

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = [
    "ALARMING",
    "CLASSES",
    "SEVERITIES",
    "SUBSYSTEMS",
    "UNCLASSIFIED",
    "LogClass",
    "classes_by_name",
    "classes_by_printer",
]

UNCLASSIFIED = "other"
"""The `kind` of a record of no class."""

CLASSES: tuple[LogClass, ...] = (
    *rows.SPECIFIC,
    *scheduling.CLASSES,
    *locking.CLASSES,
    *memory.CLASSES,
    *crash.PROCESSES,
    *detectors.CLASSES,
    *crash.FAILURES,
    *hardware.CLASSES,
    *buses.CLASSES,
    *disks.CLASSES,
    *scsi.CLASSES,
    *block.CLASSES,
    *local_filesystems.CLASSES,
    *remote_filesystems.CLASSES,
    *network.CLASSES,
    *protocols.CLASSES,
    *machines.CLASSES,
    *drivers.CLASSES,
    *rows.GENERAL,
)
"""All classes in the order in which they are tried."""


@cache
def classes_by_name() -> Mapping[str, LogClass]:
    """Return the classes by name."""
    return {one.name: one for one in CLASSES}


@cache
def classes_by_printer() -> Mapping[str, LogClass]:
    """Return the class of the line that each function prints above a trace of its caller."""
    return {name: one for one in CLASSES for name in one.printed_by}
