"""Synchronises the search index with the shipped library and published stories.

Runs at every start and after every migration; unchanged entries are skipped.
"""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

from sqlalchemy import delete, select, text
from sqlalchemy.dialects.postgresql import insert

from backend.core.sessions import create_sessions
from backend.findings import library
from backend.library import documents, vocabulary
from backend.models.library_entry import LibraryEntry

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from backend.core.settings import Settings
    from backend.library.documents import Document

LOCK_KEY = 0x6C696272617279
"""Key of the advisory lock: two starting instances fill the index one after the other."""


def fill(settings: Settings) -> None:
    """Load the shipped library into the database of `settings`."""
    sessions = create_sessions(settings, pool_size=1)
    with sessions.begin() as session:
        fill_session(session)
    sessions.kw["bind"].dispose()


def fill_session(session: Session) -> int:
    """Load the shipped library, delete vanished entries, and return the number of changed entries."""
    session.execute(text("select pg_advisory_xact_lock(:key)"), {"key": LOCK_KEY})
    query = select(LibraryEntry.key, LibraryEntry.digest).where(LibraryEntry.kind == "signature")
    stored = dict(session.execute(query).all())
    shipped = {one.id: documents.of_signature(one) for one in library.catalog().signatures}
    changed = [document for key, document in shipped.items() if stored.get(key) != document.digest]
    for document in changed:
        put(session, document)
    gone = stored.keys() - shipped.keys()
    if gone:
        session.execute(
            delete(LibraryEntry).where(LibraryEntry.kind == "signature", LibraryEntry.key.in_(gone))
        )
    group(session)
    return len(changed)


def put(session: Session, document: Document) -> None:
    """Upsert one entry by key."""
    columns = asdict(document).items()
    values = {name: list(value) if isinstance(value, tuple) else value for name, value in columns}
    values["digest"] = document.digest
    query = insert(LibraryEntry).values(**values)
    fresh = {name: value for name, value in values.items() if name not in {"kind", "key"}}
    query = query.on_conflict_do_update(
        index_elements=["kind", "key"], set_=fresh | {"updated_at": text("now()")}
    )
    session.execute(query)


def remove(session: Session, kind: str, key: str) -> None:
    """Delete an entry, if present."""
    session.execute(delete(LibraryEntry).where(LibraryEntry.kind == kind, LibraryEntry.key == key))


def group(session: Session) -> None:
    """Assign entries to symptom groups by titles and symptoms."""
    groups = vocabulary.load().symptoms
    session.execute(
        text(
            """
            update library_entry set groups = fresh.groups
            from (
                select id, array(
                    select named.name
                    from unnest(cast(:names as text[]), cast(:asks as text[]))
                        with ordinality as named(name, asks, at)
                    where ts_filter(words, '{a}') @@ to_tsquery('english', named.asks)
                    order by named.at
                ) as groups
                from library_entry
            ) as fresh
            where fresh.id = library_entry.id and fresh.groups is distinct from library_entry.groups
            """
        ),
        {"names": [one.name for one in groups], "asks": [one.asks for one in groups]},
    )
