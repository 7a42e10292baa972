"""Readings of a case as input of the engine."""

from __future__ import annotations

from typing import TYPE_CHECKING

from backend.evidence import readings
from signatures.judging.scope import Item

if TYPE_CHECKING:
    from backend.core.storage.object_store import Store
    from backend.evidence.readings import AssignedReading


def item_of(store: Store, placed: AssignedReading) -> Item:
    """Return the input of the engine: the reading with its position in the case."""
    return Item(
        evidence=str(placed.evidence_id),
        captured_path=placed.path,
        host=placed.host,
        boot=placed.boot,
        phase=placed.phase,
        section=placed.section,
        format=placed.format,
        reading=readings.load(store, placed.store_key, placed.digest),
        first_line=placed.first_line,
        last_line=placed.last_line,
        digest=placed.digest,
    )
