"""Libraries of teams that cases are judged by: active ones for everybody, those in shadow for curators."""

from __future__ import annotations

import json
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from sqlalchemy import delete, select
from sqlalchemy.dialects.postgresql import insert

from backend.models.team_library import LibraryVersion, ShadowFinding, TeamLibrary, VersionState
from ingest.model.zstd import zstd
from signatures.document.team_library import LibraryDocument, catalog_of_teams

if TYPE_CHECKING:
    from collections.abc import Sequence
    from uuid import UUID

    from sqlalchemy.orm import Session

    from signatures.document.team_library import SignatureFile, SignatureSource
    from signatures.language.model import Signature
    from signatures.reporting.firing import FiringDocument

LOADED = 32
"""Versions in memory; one has a few hundred kilobytes."""


class InUse(NamedTuple):
    """Libraries by which a case is judged; `shadow_ids` are the versions of those in shadow."""

    active: list[LibraryDocument]
    shadow: list[LibraryDocument]
    shadow_ids: list[UUID]


NONE = InUse([], [], [])


def in_use(session: Session) -> InUse:
    """Return the libraries in use, by name."""
    query = (
        select(LibraryVersion.id, LibraryVersion.state)
        .join(TeamLibrary, TeamLibrary.id == LibraryVersion.library_id)
        .where(LibraryVersion.state.in_((VersionState.ACTIVE, VersionState.SHADOW)))
        .order_by(TeamLibrary.name)
    )
    rows = session.execute(query).all()
    active = [version_id for version_id, state in rows if state is VersionState.ACTIVE]
    shadow = [version_id for version_id, state in rows if state is VersionState.SHADOW]
    return InUse(
        [document_of(session, one) for one in active], [document_of(session, one) for one in shadow], shadow
    )


def document_of(session: Session, version_id: UUID) -> LibraryDocument:
    """Return a version that was read, as it is judged by."""
    found = _loaded.get(version_id)
    if found is None:
        query = select(TeamLibrary.name, LibraryVersion.commit)
        query = query.join(TeamLibrary, TeamLibrary.id == LibraryVersion.library_id)
        name, commit = session.execute(query.where(LibraryVersion.id == version_id)).one()
        sources: dict[str, SignatureSource] = {
            signature_id: {"document": one["document"], "story": one["story"]}
            for signature_id, one in files_of(session, version_id).items()
        }
        found = LibraryDocument(name=name, commit=commit, signatures=sources)
        while len(_loaded) >= LOADED:
            _loaded.pop(next(iter(_loaded)), None)
        _loaded[version_id] = found
    return found


def files_of(session: Session, version_id: UUID) -> dict[str, SignatureFile]:
    """Return the files of a version that was read, by id of the signature."""
    content = session.scalar(select(LibraryVersion.content).where(LibraryVersion.id == version_id))
    found: dict[str, SignatureFile] = json.loads(zstd.decompress(content or b""))
    return found


def signature(session: Session, signature_id: str) -> Signature | None:
    """Return a signature of an active library, None when none has it."""
    for library in reversed(in_use(session).active):
        if signature_id in library["signatures"]:
            return _parsed(json.dumps(library)).get(signature_id)
    return None


def keep_shadow(
    session: Session, case_id: UUID, version_ids: Sequence[UUID], found: Sequence[list[FiringDocument]]
) -> None:
    """Replace what the versions in shadow find in a case; the caller holds its lock."""
    if not version_ids:
        return
    # A version that was deleted meanwhile has no row to refer to.
    there = set(session.scalars(select(LibraryVersion.id).where(LibraryVersion.id.in_(version_ids))))
    session.execute(
        delete(ShadowFinding).where(ShadowFinding.case_id == case_id, ShadowFinding.version_id.in_(there))
    )
    rows = [
        {"version_id": version_id, "case_id": case_id}
        | {name: one[name] for name in ("signature", "host", "phase", "verdict", "lines")}
        for version_id, firing in zip(version_ids, found, strict=True)
        if version_id in there
        for one in firing
    ]
    if rows:
        session.execute(insert(ShadowFinding).on_conflict_do_nothing(), rows)


_loaded: dict[UUID, LibraryDocument] = {}


@lru_cache(maxsize=LOADED)
def _parsed(library: str) -> dict[str, Signature]:
    return {one.id: one for one in catalog_of_teams([json.loads(library)]).signatures}
