"""The loss of the lowest layer leads; what others report of it at the same time follows.

    mt7921e 0000:03:00.0: driver own failed                    11453.8
    pcieport 0000:00:02.3: pciehp: Slot(0): Link Down          11456.3   leads: the bus lost the device
    WARNING: CPU: 2 PID: 8597 at kernel/kthread.c:659          11458.4   follows

The rows are `layer_order.yaml`. A cause that a class declares by hand (`LogClass.follows`) counts first: the
chains are made by it, and this orders whole chains of one boot.
"""

from __future__ import annotations

import re
from functools import cache
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, TypedDict, cast

from ingest.catalogue.log_classes import classes_by_name
from ingest.catalogue.message_places import LAYERS, part_of
from ingest.tables import table
from signatures.overview.kernel_log.device_paths import device_of, is_on_one_path

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ingest.catalogue.log_classes import LogClass
    from ingest.model.reading import LogRecord
    from signatures.overview.kernel_log.chain import Alarm, Chain, Placed

_TABLE = Path(__file__).parents[1] / "layer_order.yaml"
_FILE = re.compile(r"(?<![\w.-])[\w.-]+/[\w./*-]+")


class Window(TypedDict):
    """How far a consequence stands from its loss, in seconds of uptime; in lines without times."""

    seconds: float
    lines: int


class Most(TypedDict):
    """How much of a log of very many alarms is compared, or named as explained."""

    losses: int
    records: int
    explained: int


class Rows(TypedDict):
    """The table; its comments say what each key is."""

    window: Window
    most: Most
    layers: dict[str, str]
    losses: list[str]
    never_lead: list[str]
    explains: dict[str, list[str]]


@cache
def rows() -> Rows:
    """Return the table."""
    return cast("Rows", table(_TABLE))


@cache
def layer_of(name: str) -> int:
    """Return the layer of a class, 0 for the lowest; one that must not lead is above all of them."""
    if name in rows()["never_lead"]:
        return len(LAYERS)
    if stated := rows()["layers"].get(name):
        return LAYERS.index(stated)
    found = _FILE.search(classes_by_name()[name].source)
    return LAYERS.index(part_of(found[0]).layer) if found else len(LAYERS)


@cache
def _explained(name: str) -> frozenset[str]:
    """Return areas, subsystems and classes that the loss of a class explains; none of another class."""
    if name not in rows()["losses"]:
        return frozenset()
    return frozenset(rows()["explains"].get(classes_by_name()[name].area, ()))


def explains(loss: LogClass, other: LogClass) -> bool:
    """Return whether the loss of a lower layer is a reason for what a class of a higher one reports."""
    names = {other.area, other.subsystem, other.name}
    return not _explained(loss.name).isdisjoint(names) and layer_of(loss.name) < layer_of(other.name)


def under_losses(chains: Sequence[Chain]) -> list[Chain]:
    """Return the chains of one boot, each in that of the loss which explains it; the others as they are."""
    for chain in chains:
        _lead_by_loss(chain)
    losses = sorted(
        ((chain, alarm) for chain in chains for alarm in chain.alarms if _explained(alarm.log_class.name)),
        key=lambda one: (layer_of(one[1].log_class.name), one[0].ordinal),
    )[: rows()["most"]["losses"]]
    above: dict[int, Chain] = {}
    for chain in chains:
        for other, alarm in losses:
            root = _root(other, above)
            if root is not chain and _is_explained(chain.lead, alarm):
                above[id(chain)] = root
                break
    for chain in chains:
        if id(chain) in above:
            _root(chain, above).take(chain)
    kept = [chain for chain in chains if id(chain) not in above]
    for chain in kept:
        _note_explained(chain)
    return kept


def _root(chain: Chain, above: dict[int, Chain]) -> Chain:
    while id(chain) in above:
        chain = above[id(chain)]
    return chain


def _lead_by_loss(chain: Chain) -> None:
    """Put the loss in front of a chain whose first alarm must not lead over it."""
    lead = chain.lead
    if lead.log_class.name not in rows()["never_lead"]:
        return
    losses = [one for one in chain.alarms[1:] if _is_explained(lead, one)]
    if losses:
        first = min(losses, key=lambda one: layer_of(one.log_class.name))
        chain.alarms.remove(first)
        chain.alarms.insert(0, first)
        chain.explained.append(lead)


def _note_explained(chain: Chain) -> None:
    """Note the alarms that must not lead over a loss of their chain, which they may declare as a cause."""
    weak = [one for one in chain.alarms[1:] if one.log_class.name in rows()["never_lead"]]
    for alarm in weak:
        is_known = any(one is alarm for one in chain.explained)
        if not is_known and any(_is_explained(alarm, loss) for loss in chain.alarms):
            chain.explained.append(alarm)


def _is_explained(lead: Alarm, loss: Alarm) -> bool:
    if not explains(loss.log_class, lead.log_class):
        return False
    return any(_may_explain(one, lead.first) for one in islice(loss.places, rows()["most"]["records"]))


def _may_explain(loss: Placed, other: Placed) -> bool:
    """Return whether two records are close together, and of devices on one path.

    A warning that names no device follows a loss; one before it may be of anything.
    """
    after = distance(loss, other)
    if after is None or (not device_of(other.record) and after < 0):
        return False
    return is_on_one_path(loss.record, other.record)


def distance(loss: Placed, other: Placed) -> float | None:
    """Return how far after a loss a record stands, in seconds or lines; None when it is not close."""
    window = rows()["window"]
    first, second = _time(loss.record), _time(other.record)
    if first is not None and second is not None:
        seconds = second - first
        return seconds if abs(seconds) <= window["seconds"] else None
    if loss.item is not other.item:
        return None
    lines = other.record.lines.first - loss.record.lines.first
    return float(lines) if abs(lines) <= window["lines"] else None


def _time(record: LogRecord) -> float | None:
    """Return the uptime of a record, else its wall time, in seconds."""
    return record.uptime if record.uptime is not None else record.at


def split_by_lead(chain: Chain, alarms: Iterable[Alarm]) -> tuple[list[Alarm], list[Alarm]]:
    """Return the alarms that began before the lead of a chain, and those that began after it."""
    start = chain.lead.first
    before: list[Alarm] = []
    after: list[Alarm] = []
    for alarm in alarms:
        one = alarm.first
        is_before = one.item is start.item and one.record.lines.last < start.record.lines.first
        (before if is_before else after).append(alarm)
    return before, after
