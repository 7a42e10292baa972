"""Chains of the kernel log that want a look and are no alarm.

Filesystem not unmounted cleanly on sda1: FAT-fs (sda1): Volume was not properly unmounted. …
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from signatures.judging.log_selection import EARLY_SECONDS, is_few
from signatures.overview.decided_steps import decided
from signatures.overview.kernel_log.boot_phase import is_of_boot
from signatures.overview.kernel_log.devices import device_of
from signatures.overview.kernel_log.expected import expected
from signatures.overview.kernel_log.sentences import cause_of, quote_of, things_of
from signatures.overview.kernel_log.topics import topic_of
from signatures.overview.model import Statement, place
from signatures.rendering.places import SHOWN_PLACES

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from signatures.overview.decided_steps import Near
    from signatures.overview.kernel_log.chain import Alarm, Chain


def is_noted(chain: Chain, boots: Mapping[int, Sequence[float]], near: Near) -> bool:
    """Return whether nothing in a chain is an alarm: never, not once in a boot, or not where it stands."""
    alarms = [one for one in chain.alarms if one.log_class.is_alarming]
    return all((one.log_class.noted and _is_noted(one, boots)) or expected(one, near) for one in alarms)


def _is_noted(alarm: Alarm, boots: Mapping[int, Sequence[float]]) -> bool:
    if alarm.log_class.noted == "always":
        return True
    if alarm.log_class.noted == "alone":
        return not any(one.record.fields for one in alarm.places)
    is_early = all(is_of_boot(one, boots, EARLY_SECONDS) for one in alarm.places)
    return is_early and alarm.count == 1 and is_few(alarm.places)


def noted_statements(chains: Iterable[Chain], near: Near) -> Iterator[Statement]:
    """Yield a sentence per chain."""
    for chain in list(chains)[:SHOWN_PLACES]:
        lead = chain.lead
        record, _ = lead.first
        lines = ((one.item, part) for one in lead.places[:SHOWN_PLACES] for part in one.record.deciding)
        names = tuple(dict.fromkeys(one.log_class.name for one in chain.alarms))
        why = expected(lead, near) or ("while it booted" if lead.log_class.noted == "at boot" else "")
        gist = f"{cause_of(lead)}{f' ({why})' if why else ''}"
        of_lines = decided(lead.log_class.name, lead.places, near, device_of(record))
        yield Statement(
            "kernel-log",
            gist,
            tuple(place(item, part.first, part.last) for item, part in lines),
            "fact",
            "notable",
            is_notable=True,
            topic=topic_of(lead.log_class, record),
            log_classes=names,
            things=things_of(lead),
            device=device_of(record),
            first_step=of_lines.step,
            short=of_lines.headline,
            qualifiers=tuple(filter(None, (quote_of(lead),))),
            subject=" ".join((*names, device_of(record))),
            names=(record.message,),
        )
