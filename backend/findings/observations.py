"""Cache of match results by reading and condition, in the database.

Keys are the digest of the reading, the version of the kind of condition and the digest of the condition, so
what a changed kind found is not found again. Rows are immutable; concurrent judges write equal rows.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from sqlalchemy import func, select, text

from backend.core.db.base import among, json_text
from backend.models.observation import Observation
from ingest.code_versions import DIGITS
from signatures.judging import observation_versions

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sqlalchemy.orm import Session

    from signatures.judging.observation_cache import ResultsDocument, Row

_INSERT = text("""
    insert into observation (reading_digest, clause_digest, document)
    select reading_digest, clause_digest, document
    from jsonb_to_recordset(cast(:rows as jsonb)) as added(
        reading_digest text, clause_digest text, document jsonb
    )
    on conflict do nothing
""")


def load(session: Session, reading_digests: Iterable[str]) -> list[Row]:
    """Return the cached results of the current kinds of conditions for these readings."""
    query = select(Observation.reading_digest, Observation.clause_digest, Observation.document).where(
        Observation.reading_digest.in_(set(reading_digests)),
        func.left(Observation.clause_digest, DIGITS).in_(observation_versions.current()),
    )
    rows = session.execute(query)
    return [(reading, condition, cast("ResultsDocument", document)) for reading, condition, document in rows]


def load_some(session: Session, reading_digests: Iterable[str], conditions: Iterable[str]) -> list[Row]:
    """Return the cached results of some conditions, by their keys, for these readings."""
    query = select(Observation.reading_digest, Observation.clause_digest, Observation.document).where(
        among(Observation.reading_digest, set(reading_digests)),
        among(Observation.clause_digest, conditions),
    )
    rows = session.execute(query)
    return [(reading, condition, cast("ResultsDocument", document)) for reading, condition, document in rows]


def save(session: Session, rows: Iterable[Row]) -> None:
    """Insert new results."""
    added = [
        {"reading_digest": reading, "clause_digest": condition, "document": document}
        for reading, condition, document in rows
    ]
    if added:
        session.execute(_INSERT, {"rows": json_text(added)})
