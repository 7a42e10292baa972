"""Current readings of a case and their positions, with an LRU cache of reading folders."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlalchemy import func, select

from backend.core.lru_cache import LruCache
from backend.models.evidence import Evidence
from backend.models.host import Host
from backend.models.reading import Reading as ReadingRow
from backend.models.reading import Stage
from backend.models.section import Section
from ingest.model import reading_folder

if TYPE_CHECKING:
    from uuid import UUID

    from sqlalchemy.orm import Session

    from backend.core.storage.object_store import Store
    from ingest.model.reading import Reading

CACHED_ROWS = 8_000_000
MIN_ROWS = 500


@dataclass(frozen=True, slots=True)
class AssignedReading:
    """One reading and its position in the case."""

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
    is_provisional: bool = False


def of_case(session: Session, case_id: UUID) -> list[AssignedReading]:
    """Return the current readings of the active evidence, oldest first."""
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
            ReadingRow.stage == Stage.PROVISIONAL,
        )
        .join(Section, Section.evidence_id == Evidence.id)
        .join(ReadingRow, (ReadingRow.section_id == Section.id) & ReadingRow.is_current)
        .outerjoin(Host, Host.id == Evidence.host_id)
        .where(Evidence.case_id == case_id, Evidence.deleted_at.is_(None))
        .order_by(Evidence.id, Section.ordinal)
    )
    return [AssignedReading(*row) for row in session.execute(query)]


def _rows_of(reading: Reading) -> int:
    """Return the approximate number of rows (about 40 bytes each) of a reading in memory."""
    profiles = sum(len(profile.sample_node) + len(profile.node_parent) for profile in reading.profiles)
    row_sets = sum(10 * len(row_set.rows) for row_set in reading.row_sets)
    return MIN_ROWS + profiles + row_sets + 10 * len(reading.facts)


_recent = LruCache(CACHED_ROWS, _rows_of)


def remember(digest: str, reading: Reading) -> None:
    """Cache a reading that was just written, because it is judged next."""
    _recent.put(digest, reading)


def load(store: Store, store_key: str, digest: str) -> Reading:
    """Return the reading stored under `store_key`."""
    reading = _recent.get(digest)
    if reading is None:
        reading = reading_folder.load(store.folder(store_key))
        _recent.put(digest, reading)
    return reading
