"""A chain of alarms of the kernel log: a cause, and what followed from it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from ingest.catalogue.log_classes import ALARMING, SEVERITIES
from signatures.judging.log_selection import once
from signatures.overview.kernel_log.deciding_fields import events

if TYPE_CHECKING:
    from ingest.catalogue.log_classes import LogClass
    from ingest.model.reading import LogRecord
    from signatures.judging.scope import Item


class Placed(NamedTuple):
    """A record with the item it was read from."""

    record: LogRecord
    item: Item


@dataclass(slots=True)
class Alarm:
    """All records of one class in one chain, by the first.

    Attributes:
        is_over: Whether later records say that it ended; None where none would.
        is_least: Whether the log says that messages like these are missing in it.
    """

    log_class: LogClass
    first: Placed
    places: list[Placed] = field(default_factory=list)
    is_over: bool | None = None
    is_least: bool = False
    _counted: tuple[int, int] = field(default=(0, 0), init=False, repr=False, compare=False)

    @property
    def count(self) -> int:
        """How often it happened: a hang that is printed while it lasts is one, as a reset in lines."""
        # Sentence, figure and rank ask for it, and a log may have tens of thousands of lines of one class.
        if self._counted[0] != len(self.places):
            counted = events(self.log_class, once(one.record for one in self.places))
            self._counted = len(self.places), counted
        return self._counted[1]


@dataclass(slots=True)
class Chain:
    """A cause and what followed from it, in the order of their first records; `ordinal` orders chains.

    Attributes:
        explained: Alarms that the order of layers put behind the lead: they say nothing of their own cause.
    """

    ordinal: int
    alarms: list[Alarm] = field(default_factory=list)
    explained: list[Alarm] = field(default_factory=list)

    @property
    def lead(self) -> Alarm:
        """What nothing earlier explains."""
        return self.alarms[0]

    @property
    def followers(self) -> list[Alarm]:
        """The consequences that are alarms themselves."""
        return [alarm for alarm in self.alarms[1:] if alarm.log_class.is_alarming]

    @property
    def severity(self) -> str:
        """The worst severity in the chain."""
        return min((alarm.log_class.severity for alarm in self.alarms), key=SEVERITIES.index)

    @property
    def is_alarming(self) -> bool:
        """Whether it is more than changes of state."""
        return self.severity in ALARMING

    def add(self, log_class: LogClass, placed: Placed) -> None:
        """Add a record."""
        alarm = next((one for one in self.alarms if one.log_class is log_class), None)
        if alarm is None:
            alarm = Alarm(log_class, placed)
            self.alarms.append(alarm)
        alarm.places.append(placed)

    def take(self, other: Chain) -> None:
        """Add the alarms of a chain that the lead of this one explains."""
        for alarm in other.alarms:
            own = next((one for one in self.alarms if one.log_class is alarm.log_class), None)
            if own is None:
                self.alarms.append(alarm)
                self.explained.append(alarm)
            else:
                own.places += alarm.places
