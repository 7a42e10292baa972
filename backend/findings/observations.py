"""Cache of match results by reading and condition, in the database.

Keys are the digests of the reading, of the condition *and* of the engine code, so a changed engine
re-evaluates. Rows are immutable; concurrent judges write equal rows.
"""

from __future__ import annotations

import hashlib
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import select, text

import signatures
from backend.core.db.base import json_text
from backend.models.observation import Observation

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sqlalchemy.orm import Session

    from signatures.judging.observation_cache import Row

_INSERT = text("""
    insert into observation (reading_digest, clause_digest, document)
    select reading_digest, clause_digest, document
    from jsonb_to_recordset(cast(:rows as jsonb)) as added(
        reading_digest text, clause_digest text, document jsonb
    )
    on conflict do nothing
""")


def load(session: Session, reading_digests: Iterable[str]) -> list[Row]:
    """Return the cached results of this engine for these readings."""
    engine = f"{engine_digest()}:"
    query = select(Observation.reading_digest, Observation.clause_digest, Observation.document).where(
        Observation.reading_digest.in_(set(reading_digests)), Observation.clause_digest.startswith(engine)
    )
    return [
        (reading, condition.removeprefix(engine), document)
        for reading, condition, document in session.execute(query)
    ]


def save(session: Session, rows: Iterable[Row]) -> None:
    """Insert new results of this engine."""
    engine = f"{engine_digest()}:"
    added = [
        {"reading_digest": reading, "clause_digest": engine + condition, "document": document}
        for reading, condition, document in rows
    ]
    if added:
        session.execute(_INSERT, {"rows": json_text(added)})


@lru_cache(maxsize=1)
def engine_digest() -> str:
    """Return a digest of the engine code: 16 hex digits."""
    digest = hashlib.sha256()
    root = Path(signatures.__file__).parent
    for path in sorted(root.rglob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]
