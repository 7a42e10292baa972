"""The current readings of a case and where they stand; folders are kept in memory while there is room."""

from __future__ import annotations

import threading
from collections import OrderedDict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlalchemy import func, select

from backend.models.evidence import Evidence
from backend.models.host import Host
from backend.models.reading import Reading as ReadingRow
from backend.models.section import Section
from ingest import folder

if TYPE_CHECKING:
    from uuid import UUID

    from sqlalchemy.orm import Session

    from backend.core.storage import Store
    from ingest.reading import Reading

CACHED_ROWS = 8_000_000
MIN_ROWS = 500


@dataclass(frozen=True, slots=True)
class PlacedReading:
    """One reading and where it stands in its case."""

    evidence_id: UUID
    path: str
    host: str
    boot: str
    phase: str
    section: int
    format: str
    first_line: int
    last_line: int
    digest: str
    store_key: str


def of_case(session: Session, case_id: UUID) -> list[PlacedReading]:
    """Return the current readings of the evidence that counts, in the order it came."""
    query = (
        select(
            Evidence.id,
            func.coalesce(func.nullif(Section.path, ""), Evidence.captured_path),
            func.coalesce(Host.name, ""),
            func.coalesce(Host.boot_id, ""),
            Evidence.phase,
            Section.ordinal,
            Section.format,
            Section.first_line,
            Section.last_line,
            ReadingRow.digest,
            ReadingRow.store_key,
        )
        .join(Section, Section.evidence_id == Evidence.id)
        .join(ReadingRow, (ReadingRow.section_id == Section.id) & ReadingRow.is_current)
        .outerjoin(Host, Host.id == Evidence.host_id)
        .where(Evidence.case_id == case_id, Evidence.deleted_at.is_(None))
        .order_by(Evidence.id, Section.ordinal)
    )
    return [PlacedReading(*row) for row in session.execute(query)]


class _Cache:
    """The readings used last, by digest; safe between threads, which may load the same one twice."""

    def __init__(self, max_rows: int) -> None:
        self._max_rows = max_rows
        self._rows = 0
        self._lock = threading.Lock()
        self._readings: OrderedDict[str, Reading] = OrderedDict()

    def get(self, digest: str) -> Reading | None:
        with self._lock:
            reading = self._readings.get(digest)
            if reading is not None:
                self._readings.move_to_end(digest)
            return reading

    def put(self, digest: str, reading: Reading) -> None:
        with self._lock:
            if digest in self._readings:
                return
            self._readings[digest] = reading
            self._rows += _rows_of(reading)
            while self._rows > self._max_rows and len(self._readings) > 1:
                _, oldest = self._readings.popitem(last=False)
                self._rows -= _rows_of(oldest)


def _rows_of(reading: Reading) -> int:
    """Return about how many rows of some 40 bytes a reading holds in memory."""
    profiles = sum(len(profile.sample_node) + len(profile.node_parent) for profile in reading.profiles)
    row_sets = sum(10 * len(row_set.rows) for row_set in reading.row_sets)
    return MIN_ROWS + profiles + row_sets + 10 * len(reading.facts)


_cache = _Cache(CACHED_ROWS)


def load(store: Store, store_key: str, digest: str) -> Reading:
    """Return the reading kept under `store_key`."""
    reading = _cache.get(digest)
    if reading is None:
        reading = folder.load(store.folder(store_key))
        _cache.put(digest, reading)
    return reading
