"""Views of profiles, kept in memory while there is room: the next question is often about the same one."""

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


class Kept(NamedTuple):
    """One profile and where it is kept."""

    store: Store
    place: Place
    profile_id: UUID
    ordinal: int

    def profile(self) -> Profile:
        """Return its columns."""
        return readings.load(self.store, self.place.store_key, self.place.digest).profiles[self.ordinal]

    def view(self, selection: Selection) -> View:
        """Return what `selection` takes of it.

        Raises:
            UnsupportedQueryError: The recording does not tell what is asked, or a pattern is broken.
        """
        key = (self.place.digest, self.ordinal, selection)
        view = _views.get(key)
        if view is None:
            view = View(self.profile(), selection)
            _views.put(key, view)
        return view

    def whole(self) -> dict[str, Any]:
        """Return the truth about all of it."""
        key = (self.place.digest, self.ordinal)
        told = _wholes.get(key)
        if told is None:
            reading = readings.load(self.store, self.place.store_key, self.place.digest)
            told = whole_export.whole(reading.profiles[self.ordinal], reading.quality)
            _wholes.put(key, told)
        return told


_views: LruCache[View] = LruCache(CACHED_ROWS, lambda view: view.rows)
_wholes: LruCache[dict[str, Any]] = LruCache(CACHED_WHOLES, lambda _: 1)
