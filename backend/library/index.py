"""Keeping what the library is searched by in step with the library that is shipped, and with stories.

It runs at every start and after every migration; what has not changed is not written.
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
"""Two instances that start at once fill it one after the other."""


def fill(settings: Settings) -> None:
    """Bring the shipped library into the database of `settings`."""
    sessions = create_sessions(settings, pool_size=1)
    with sessions.begin() as session:
        fill_session(session)
    sessions.kw["bind"].dispose()


def fill_session(session: Session) -> int:
    """Bring the shipped library in, take out what it no longer has; return how many entries were written."""
    session.execute(text("select pg_advisory_xact_lock(:key)"), {"key": LOCK_KEY})
    query = select(LibraryEntry.key, LibraryEntry.digest).where(LibraryEntry.kind == "signature")
    known = dict(session.execute(query).all())
    shipped = {one.id: documents.of_signature(one) for one in library.catalog().signatures}
    changed = [document for key, document in shipped.items() if known.get(key) != document.digest]
    for document in changed:
        put(session, document)
    gone = known.keys() - shipped.keys()
    if gone:
        session.execute(
            delete(LibraryEntry).where(LibraryEntry.kind == "signature", LibraryEntry.key.in_(gone))
        )
    group(session)
    return len(changed)


def put(session: Session, document: Document) -> None:
    """Write one entry, in place of the one with its key."""
    columns = asdict(document).items()
    values = {name: list(told) if isinstance(told, tuple) else told for name, told in columns}
    values["digest"] = document.digest
    query = insert(LibraryEntry).values(**values)
    fresh = {name: told for name, told in values.items() if name not in {"kind", "key"}}
    query = query.on_conflict_do_update(
        index_elements=["kind", "key"], set_=fresh | {"updated_at": text("now()")}
    )
    session.execute(query)


def remove(session: Session, kind: str, key: str) -> None:
    """Take an entry out; one that is not there is out already."""
    session.execute(delete(LibraryEntry).where(LibraryEntry.kind == kind, LibraryEntry.key == key))


def group(session: Session) -> None:
    """Note to which groups of symptoms entries belong, by what their titles and symptoms say."""
    groups = vocabulary.load().symptoms
    session.execute(
        text(
            """
            update library_entry set groups = fresh.groups
            from (
                select id, array(
                    select told.name
                    from unnest(cast(:names as text[]), cast(:asks as text[]))
                        with ordinality as told(name, asks, at)
                    where ts_filter(words, '{a}') @@ to_tsquery('english', told.asks)
                    order by told.at
                ) as groups
                from library_entry
            ) as fresh
            where fresh.id = library_entry.id and fresh.groups is distinct from library_entry.groups
            """
        ),
        {"names": [one.name for one in groups], "asks": [one.asks for one in groups]},
    )
