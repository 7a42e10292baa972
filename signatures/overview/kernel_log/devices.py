"""Alarms of one class on several devices of a network, stated as one with the devices that it names.

packet dropped, larger than the MTU of the output port on tap0, tap1 and br-int
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from signatures.overview.kernel_log.chain import Alarm, Chain
from signatures.overview.kernel_log.common_words import VARIES, common_words, words_between

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ingest.model.reading import LogRecord
    from signatures.overview.kernel_log.chain import Placed

SHOWN = 3
AREA = "network"
"""Of disks each has an alarm of its own: it is exchanged alone."""


def device_of(record: LogRecord) -> str:
    """Return the device that a record names; "" when none."""
    return str(record.fields.get("device") or "").partition(" ")[0]


def devices_of(alarm: Alarm) -> list[str]:
    """Return the devices of the records in their order."""
    return list(dict.fromkeys(device for one in alarm.places if (device := device_of(one.record))))


def words_of_devices(devices: list[str]) -> str:
    """Return `tap0 and tap1`, or `5 devices (tap0, tap1, tap2 and 2 more)`."""
    if len(devices) > SHOWN:
        return f"{len(devices)} devices ({', '.join(devices[:SHOWN])} and {len(devices) - SHOWN} more)"
    return " and ".join(part for part in (", ".join(devices[:-1]), devices[-1]) if part)


def without_device(text: str, record: LogRecord) -> str:
    """Return a message with `…` for its device; a name at its beginning is left out."""
    device = device_of(record)
    return text.replace(device, VARIES).removeprefix(f"{VARIES}: ") if device else text


def one_of_each(alarm: Alarm) -> list[Placed]:
    """Return the records with the first of each device before the others: those are cited."""
    seen: set[str] = set()
    firsts: list[Placed] = []
    others: list[Placed] = []
    for one in alarm.places:
        device = device_of(one.record)
        (others if device in seen else firsts).append(one)
        seen.add(device)
    return [*firsts, *others]


def joined(chains: Iterable[Chain]) -> list[Chain]:
    """Return the chains with those joined that are one class without consequences, on several interfaces.

    Their messages have the same words, and no record says which of them are over.
    """
    groups: dict[tuple[str, ...], list[Chain]] = {}
    for at, chain in enumerate(chains):
        groups.setdefault(_key(chain) or (str(at),), []).append(chain)
    return [group[0] if len(group) == 1 else _one_of(group) for group in groups.values()]


def _one_of(group: list[Chain]) -> Chain:
    lead = group[0].lead
    places = [place for chain in group for place in chain.lead.places]
    return Chain(group[0].ordinal, [Alarm(lead.log_class, lead.first, places)])


def _key(chain: Chain) -> tuple[str, ...] | None:
    """Return the class and the words that the messages share; None for a chain that stands alone."""
    alarm = chain.lead
    is_alone = len(chain.alarms) == 1 and alarm.is_over is None
    if not is_alone or alarm.log_class.area != AREA or not device_of(alarm.first.record):
        return None
    texts = [without_device(one.record.message, one.record) for one in alarm.places]
    return (alarm.log_class.name, *words_between(texts[0])) if common_words(texts) is not None else None
