"""LRU cache of profile views: consecutive queries are often about the same view."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from backend.core.lru_cache import LruCache
from backend.evidence import readings
from ingest.export import whole as whole_export
from ingest.native.views import View

if TYPE_CHECKING:
    from uuid import UUID

    from backend.core.storage.object_store import Store
    from backend.profiles.queries import Place
    from ingest.model.profile import Profile
    from ingest.model.selection import Selection

CACHED_ROWS = 6_000_000
CACHED_WHOLES = 2000


class ProfileHandle(NamedTuple):
    """One profile with the location of its columns."""

    store: Store
    place: Place
    profile_id: UUID
    ordinal: int

    def profile(self) -> Profile:
        """Return its columns."""
        return readings.load(self.store, self.place.store_key, self.place.digest).profiles[self.ordinal]

    def view(self, selection: Selection) -> View:
        """Return the part of the profile in `selection`.

        Raises:
            UnsupportedQueryError: The recording lacks the data, or a pattern is invalid.
        """
        key = (self.place.digest, self.ordinal, selection)
        view = _views.get(key)
        if view is None:
            view = View(self.profile(), selection)
            _views.put(key, view)
        return view

    def whole(self) -> dict[str, Any]:
        """Return the summary of the whole recording."""
        key = (self.place.digest, self.ordinal)
        summary = _wholes.get(key)
        if summary is None:
            reading = readings.load(self.store, self.place.store_key, self.place.digest)
            summary = whole_export.whole(reading.profiles[self.ordinal], reading.quality)
            _wholes.put(key, summary)
        return summary


_views: LruCache[View] = LruCache(CACHED_ROWS, lambda view: view.rows)
_wholes: LruCache[dict[str, Any]] = LruCache(CACHED_WHOLES, lambda _: 1)
