"""Index of the kernel logs of one scope: the records that a condition may select.

A library has hundreds of conditions on logs, and a log has few classes of records: most conditions select
nothing. A condition with classes is answered by the records of these; one with a text by the messages that
contain it, found in one pass over all of them. Readings without such a record have equal results, and the
first of those that are alike stands for the others.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from functools import cached_property, lru_cache
from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple

from ingest.native import _core

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from ingest.model.reading import LogRecord
    from signatures.judging.condition_bases import LogRecordsCondition
    from signatures.judging.scope import Item

FEW = 1000
"""Records that are compared with a text one by one: it takes longer to prepare the search in all of them."""

_OF_ONE_MESSAGE = (r"\A", r"\z", "(?-")
"""Parts of a text that mean something else in all messages at once."""


class Selected(NamedTuple):
    """A reading with the records that a condition may select, in their order; () when it selects nothing."""

    item: Item
    records: Sequence[LogRecord]


class ScopeLogs:
    """The kernel logs of the items of a scope."""

    def __init__(self, items: Iterable[Item]) -> None:
        """Index the records of the items."""
        self._items = [item for item in items if item.reading.log_records]
        self._alike: defaultdict[frozenset[str], list[int]] = defaultdict(list)
        self._of_class: defaultdict[str, dict[int, list[LogRecord]]] = defaultdict(dict)
        for number, item in enumerate(self._items):
            self._alike[item.reading.quality_names].append(number)
            by_class: defaultdict[str, list[LogRecord]] = defaultdict(list)
            for record in item.reading.log_records:
                by_class[record.kind].append(record)
            for kind, records in by_class.items():
                self._of_class[kind][number] = records

    @property
    def classes(self) -> Iterable[str]:
        """Classes of the records."""
        return self._of_class.keys()

    def has_message(self, text: str) -> bool:
        """Return whether a message may contain a text; of one that is not ASCII, always."""
        search = _search(text) if self._items else None
        return bool(self._items) and (search is None or self._messages.has_any(search))

    def selected(self, condition: LogRecordsCondition) -> Iterator[Selected]:
        """Yield the readings that the condition may select records of, and those that stand for the others.

        Of a condition that bounds from above, which holds only where every reading shows nothing, all.
        """
        found = self._of_classes(condition.kinds) if condition.kinds else self._with_text(condition.text)
        others: Iterable[int | None] = range(len(self._items))
        if not condition.is_absence:
            others = (
                next((one for one in numbers if one not in found), None) for numbers in self._alike.values()
            )
        for number in sorted(found.keys() | {one for one in others if one is not None}):
            yield Selected(self._items[number], found.get(number, ()))

    def _of_classes(self, kinds: tuple[str, ...]) -> Mapping[int, Sequence[LogRecord]]:
        """Return the records of some classes by the number of their item."""
        found = [self._of_class[kind] for kind in kinds if kind in self._of_class]
        if len(found) < 2:
            return found[0] if found else {}
        joined: dict[int, list[LogRecord]] = {}
        for of_class in found:
            for number, records in of_class.items():
                joined.setdefault(number, []).extend(records)
        return {number: sorted(records, key=_line) for number, records in joined.items()}

    def _with_text(self, text: str) -> Mapping[int, Sequence[LogRecord]]:
        """Return the records whose message may contain a text, by the number of their item."""
        search = _search(text) if len(self._messages.records) > FEW else None
        if search is None:
            return {number: item.reading.log_records for number, item in enumerate(self._items)}
        found: dict[int, list[LogRecord]] = {}
        for at in self._messages.having(search):
            found.setdefault(bisect_right(self._starts, at) - 1, []).append(self._messages.records[at])
        return found

    @cached_property
    def _messages(self) -> _Messages:
        return _Messages([record for item in self._items for record in item.reading.log_records])

    @cached_property
    def _starts(self) -> list[int]:
        """The index of the first record of each item among all records."""
        return [0, *accumulate(len(item.reading.log_records) for item in self._items)][:-1]


class _Messages:
    """The messages of records as one text, a line each."""

    def __init__(self, records: list[LogRecord]) -> None:
        self.records = records

    def having(self, search: _core.Patterns) -> list[int]:
        """Return the indices of records in whose messages something may be found.

        What is found in several lines may be in each of them. The search knows ASCII only.
        """
        text, starts, foreign = self._text
        found = set(foreign)
        for start, end, _ in search.places(text):
            found.update(range(bisect_right(starts, start) - 1, bisect_right(starts, max(start, end - 1))))
        return sorted(found)

    def has_any(self, search: _core.Patterns) -> bool:
        """Return whether something may be found in any message."""
        text, _, foreign = self._text
        return bool(foreign) or search.has_any(text)

    @cached_property
    def _text(self) -> tuple[bytes, list[int], list[int]]:
        """The text, the start of each message, and the indices of messages that are not ASCII."""
        lines = [record.message.encode("utf-8", "surrogateescape") for record in self.records]
        starts = list(accumulate((len(line) + 1 for line in lines[:-1]), initial=0))
        text = b"\n".join(lines)
        foreign = [] if text.isascii() else [at for at, line in enumerate(lines) if not line.isascii()]
        return text, starts, foreign


@lru_cache(maxsize=4096)
def _search(text: str) -> _core.Patterns | None:
    """Return what finds a text in all messages at once, None when nothing does."""
    if any(part in text for part in _OF_ONE_MESSAGE):
        return None
    try:
        return _core.Patterns([f"(?m:{text})"])
    except ValueError:
        return None


def _line(record: LogRecord) -> tuple[int, int]:
    return record.lines.first, record.lines.last
