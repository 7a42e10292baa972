"""Readings and views that a fork keeps in memory: consecutive questions are often about the same view."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from backend.core.lru_cache import LruCache
from backend.sandbox.computations.outcomes import DamagedFolderError
from ingest.export import whole
from ingest.model import reading_folder
from ingest.model.reading import Reading
from ingest.model.reading_folder import BrokenFolderError
from ingest.model.selection import Selection
from ingest.native.views import View

if TYPE_CHECKING:
    from ingest.model.profile import Profile
    from ingest.model.reading import Quality

CACHED_ROWS = 6_000_000
CACHED_DOCUMENT_ROWS = 200_000
MIN_ROWS = 500


@dataclass
class OpenProfile:
    """One profile of a reading.

    Attributes:
        profile_id: Its id in answers.
        evidence_name: The name of its evidence in exports.
    """

    profile_id: str
    evidence_name: str
    kept: KeptProfile

    @property
    def profile(self) -> Profile:
        """Its columns."""
        return self.kept.profile

    def view(self, selection: dict[str, Any]) -> View:
        """Return the part of the profile in a selection.

        Raises:
            UnsupportedQueryError: The recording lacks the data, or a pattern is invalid.
        """
        return self.kept.view(selection_of(selection))

    def whole(self) -> dict[str, Any]:
        """Return the summary of the whole recording."""
        return self.kept.whole


@dataclass
class KeptProfile:
    """The columns of a profile, and the last views of it."""

    profile: Profile
    quality: tuple[Quality, ...]
    views: LruCache[View] = field(default_factory=lambda: LruCache(CACHED_ROWS, lambda view: view.rows))

    def view(self, selection: Selection) -> View:
        """Return a view of it."""
        view = self.views.get(selection)
        if view is None:
            view = View(self.profile, selection)
            self.views.put(selection, view)
        return view

    @cached_property
    def whole(self) -> dict[str, Any]:
        """The summary of the whole recording."""
        return whole.whole(self.profile, self.quality)


class Readings:
    """The profiles and documents of readings, loaded when first asked for."""

    def __init__(self) -> None:
        """Begin with none."""
        self._profiles = LruCache[KeptProfile](CACHED_ROWS, _rows_of)
        self._documents = LruCache[Reading](CACHED_DOCUMENT_ROWS, _document_rows_of)

    def open(self, place: dict[str, Any]) -> OpenProfile:
        """Return the profile at `place`: `folder`, `ordinal`, `id`, `name`.

        Raises:
            DamagedFolderError: Its folder is incomplete or altered.
        """
        key = (place["folder"], place["ordinal"])
        kept = self._profiles.get(key)
        if kept is None:
            try:
                kept = KeptProfile(*reading_folder.load_profile(Path(key[0]), key[1]))
            except BrokenFolderError as error:
                raise DamagedFolderError(key[0]) from error
            self._profiles.put(key, kept)
        return OpenProfile(place["id"], place["name"], kept)

    def documents(self, folder: str) -> Reading:
        """Return the reading in `folder` without its profiles.

        Raises:
            DamagedFolderError: It is incomplete or altered.
        """
        reading = self._documents.get(folder)
        if reading is None:
            try:
                reading = reading_folder.load_documents(Path(folder))
            except BrokenFolderError as error:
                raise DamagedFolderError(folder) from error
            self._documents.put(folder, reading)
        return reading


def selection_of(document: dict[str, Any]) -> Selection:
    """Return a selection that came as JSON."""
    given: dict[str, Any] = {
        name: tuple(value) if isinstance(value, list) else value for name, value in document.items()
    }
    return Selection(**given)


def _rows_of(kept: KeptProfile) -> int:
    return MIN_ROWS + len(kept.profile.sample_node) + len(kept.profile.node_parent)


def _document_rows_of(reading: Reading) -> int:
    return (
        MIN_ROWS + len(reading.facts) + len(reading.log_records) + sum(len(rows) for rows in reading.row_sets)
    )
