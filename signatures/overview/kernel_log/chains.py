"""Chains of kernel log records: each cause with what followed from it.

    nvme_timeout (12 s) -> nvme_dead -> ext4_error -> filesystem_readonly -> hung_task (150 s)

A record follows an earlier one of the same boot when its class declares the other's class as a cause
(`LogClass.follows`), it comes at most `FOLLOW_SECONDS` later, and both are not of two devices of one kind.
A report of a kernel that was tainted by an earlier failure follows that failure. What nothing explains
leads a chain of its own; a repetition belongs to the chain of its first occurrence, also when that was over.
"""

from __future__ import annotations

import math
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from ingest.catalogue.log_classes import UNCLASSIFIED, classes_by_name
from ingest.catalogue.log_classes.causes import CRASHES, MACHINE_CHECKS
from signatures.overview.kernel_log.boot_phase import FIRST_WORDS
from signatures.overview.kernel_log.chain import Chain, Placed
from signatures.overview.kernel_log.device_paths import (
    device_of,
    is_of_another_driver,
    is_same,
    may_concern,
)
from signatures.overview.kernel_log.layer_order import under_losses

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ingest.catalogue.log_classes import LogClass
    from ingest.model.reading import LogRecord
    from signatures.judging.scope import Item

FOLLOW_SECONDS = 600.0
"""Time-outs of disks, of hung tasks and of sessions are shorter: a later record is no consequence."""

ERROR_LEVELS = frozenset(range(4))
"""KERN_ERR and what is more severe."""

MAX_DEVICES = 64
"""Devices of one class that are kept apart; the oldest are forgotten."""

NEW_BOOT_SECONDS = 60.0
"""An uptime that falls by more is of another boot; CPUs print a little out of order."""

_TAINTED_BY = {
    "D": frozenset(CRASHES),
    "W": frozenset({"warn", "netdev_watchdog", "refcount_bug", "odebug"}),
    "L": frozenset({"soft_lockup"}),
    "B": frozenset({"bad_page", "bad_page_map", "bad_page_table", "slab_corruption"}),
    "M": frozenset(MACHINE_CHECKS),
}
"""Classes of the reports that set a taint flag."""


class _Seen(NamedTuple):
    """The latest record of a class and device, and its chain."""

    record: LogRecord
    chain: Chain


class _Boot:
    """The chains of one boot."""

    def __init__(self) -> None:
        self.chains: list[Chain] = []
        self._latest: dict[str, dict[str, _Seen]] = {}
        self._first: dict[str, Chain] = {}
        self._over: dict[str, dict[str, Chain]] = {}

    def add(self, placed: Placed, log_class: LogClass) -> None:
        """Put a record into the chain it belongs to."""
        record = placed.record
        device = device_of(record)
        of_class = self._latest.setdefault(record.kind, {})
        chain = self._cause(record, log_class, device)
        if chain is None and (seen := of_class.get(device)):
            chain = seen.chain
        chain = chain or self._over.get(record.kind, {}).get(device) or self._tainting(record)
        if chain is None:
            chain = Chain(len(self.chains))
            self.chains.append(chain)
        chain.add(log_class, placed)
        self._first.setdefault(record.kind, chain)
        of_class.pop(device, None)
        of_class[device] = _Seen(record, chain)
        if len(of_class) > MAX_DEVICES:
            del of_class[next(iter(of_class))]
        self._end(log_class, device)

    def _cause(self, record: LogRecord, log_class: LogClass, device: str) -> Chain | None:
        """Return the chain of the earliest cause that is recent enough and of no other device."""
        earliest: Chain | None = None
        for kind in log_class.follows:
            for other, seen in self._latest.get(kind, {}).items() if kind != record.kind else ():
                if (
                    (earliest is None or seen.chain.ordinal < earliest.ordinal)
                    and (log_class.is_lasting or _is_soon(seen.record, record))
                    and may_concern(other, device)
                    and not is_of_another_driver(seen.record, device)
                ):
                    earliest = seen.chain
        return earliest

    def _tainting(self, record: LogRecord) -> Chain | None:
        """Return the first chain with a report that explains the taint of this one."""
        chains = [self._first[kind] for kind in tainting(record) if kind in self._first]
        return min(chains, key=lambda chain: chain.ordinal, default=None)

    def _end(self, log_class: LogClass, device: str) -> None:
        """Forget what a record says is over."""
        for kind in log_class.ends:
            of_class = self._latest.get(kind, {})
            for other in [other for other in of_class if is_same(other, device)]:
                _remember(self._over.setdefault(kind, {}), other, of_class.pop(other).chain)

    def close(self) -> None:
        """Note at the end of the log which alarms are over."""
        for chain in self.chains:
            for alarm in chain.alarms:
                kind = alarm.log_class.name
                if any(seen.chain is chain for seen in self._latest.get(kind, {}).values()):
                    alarm.is_over = False if kind in _ending() else None
                elif any(over is chain for over in self._over.get(kind, {}).values()):
                    alarm.is_over = True


def _remember(chains: dict[str, Chain], device: str, chain: Chain) -> None:
    """Keep the chain of a device; the oldest are forgotten."""
    chains.pop(device, None)
    chains[device] = chain
    if len(chains) > MAX_DEVICES:
        del chains[next(iter(chains))]


@cache
def _ending() -> frozenset[str]:
    """Return the classes that a record of another class ends."""
    return frozenset(kind for one in classes_by_name().values() for kind in one.ends)


def chains_of(placed: Iterable[Placed]) -> list[Chain]:
    """Return the chains with an alarm: errors and worse before warnings, each in the order of the log.

    Args:
        placed: Records of one log, or of the sections of one evidence, in their order.
    """
    boots = [_Boot()]
    last_uptime: float | None = None
    for one in placed:
        if _is_boot(one.record, last_uptime):
            boots.append(_Boot())
        last_uptime = one.record.uptime if one.record.uptime is not None else last_uptime
        log_class = classes_by_name().get(one.record.kind)
        if log_class is not None:
            boots[-1].add(one, log_class)
    boots[-1].close()
    found = [chain for boot in boots for chain in under_losses(boot.chains) if chain.is_alarming]
    return sorted(found, key=lambda chain: chain.severity == "warning")


def tainting(record: LogRecord) -> frozenset[str]:
    """Return the classes of reports that set the taint flags of this report, one of them earlier."""
    flags = str(record.fields.get("taint", ""))
    return frozenset(kind for flag in flags for kind in _TAINTED_BY.get(flag, ()))


def _is_boot(record: LogRecord, last_uptime: float | None) -> bool:
    if record.message.startswith(FIRST_WORDS):
        return True
    uptime = record.uptime
    return uptime is not None and last_uptime is not None and uptime < last_uptime - NEW_BOOT_SECONDS


def _is_soon(cause: LogRecord, record: LogRecord) -> bool:
    """Return whether a record is recent enough to follow; without times its place in the log decides."""
    for before, after in ((cause.uptime, record.uptime), (cause.at, record.at)):
        if before is not None and after is not None:
            return after - before <= FOLLOW_SECONDS
    return True


def deciding(records: Iterable[tuple[LogRecord, Item]]) -> list[Placed]:
    """Return the records that chains are made of: of a class, of an alarming level, and where boots begin.

    The record above the beginning of a boot is kept too: it is by its stamp that the next one begins another.
    """
    kept: list[Placed] = []
    last: tuple[LogRecord, Item] | None = None
    latest = -math.inf
    # Most records are of no class, and this loop sees each: it calls no function for them.
    for pair in records:
        kind, message, _, _, uptime, _, level, _, _, _ = pair[0]
        is_earlier = uptime is not None and uptime < latest - NEW_BOOT_SECONDS
        if is_earlier or message.startswith(FIRST_WORDS):
            if last is not None and (not kept or kept[-1].record is not last[0]):
                kept.append(Placed(*last))
            kept.append(Placed(*pair))
        elif kind != UNCLASSIFIED or level in ERROR_LEVELS:
            kept.append(Placed(*pair))
        if uptime is not None:
            last, latest = pair, uptime
    return kept


def is_unclassified_error(record: LogRecord) -> bool:
    """Return whether a record is an error by its level alone."""
    return record.kind == UNCLASSIFIED and record.level in ERROR_LEVELS
