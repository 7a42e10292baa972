"""LRU cache bounded by the total size of its values."""

from __future__ import annotations

import threading
from collections import OrderedDict
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable

Value = TypeVar("Value")


class LruCache(Generic[Value]):
    """Values by key, at most `max_rows` rows in total; thread-safe, without locks around computing."""

    def __init__(self, max_rows: int, rows_of: Callable[[Value], int]) -> None:
        """Cache values with a sum of `rows_of` of at most `max_rows`, and always the latest one."""
        self._max_rows = max_rows
        self._rows_of = rows_of
        self._rows = 0
        self._lock = threading.Lock()
        self._values: OrderedDict[Hashable, Value] = OrderedDict()

    def get(self, key: Hashable) -> Value | None:
        """Return the value of `key`; None when it is not cached."""
        with self._lock:
            value = self._values.get(key)
            if value is not None:
                self._values.move_to_end(key)
            return value

    def put(self, key: Hashable, value: Value) -> None:
        """Cache `value`; evict the least recently used."""
        with self._lock:
            if key in self._values:
                return
            self._values[key] = value
            self._rows += self._rows_of(value)
            while self._rows > self._max_rows and len(self._values) > 1:
                _, oldest = self._values.popitem(last=False)
                self._rows -= self._rows_of(oldest)
