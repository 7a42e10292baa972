"""Libraries: added, pulled again, activated and retired.

A version is read by a job and begins in shadow. Activating one retires the version that was active; a retired
version can be activated again.
"""

from __future__ import annotations

import hashlib
import json
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from sqlalchemy import select

from backend.access.decisions import visible
from backend.core import encryption, events
from backend.core.domain_events import publish
from backend.core.encryption import DecryptionError
from backend.core.errors import ConflictError, InvalidRequestError, NotFoundError
from backend.destinations import targets
from backend.libraries import queries
from backend.libraries.domain_events import LibraryVersionRequested
from backend.libraries.git_transport import Login, PullError
from backend.models import (
    Case,
    DraftState,
    Hunt,
    LibrarySource,
    LibraryVersion,
    RunState,
    SignatureDraft,
    TeamLibrary,
    VersionState,
)
from backend.models.base import uuid7
from signatures.document.catalog import identity

if TYPE_CHECKING:
    from uuid import UUID

    from sqlalchemy.orm import Session

    from backend.access.principals import Principal
    from backend.core.settings import Settings
    from backend.libraries.schemas import LibraryCreate, LibraryUpdate

MAX_ARCHIVE_BYTES = 16 << 20
MAX_LIBRARIES = 50
CLEARED = {VersionState.SHADOW, VersionState.RETIRED}
"""States from which a version may become active."""


def add(session: Session, settings: Settings, principal: Principal, body: LibraryCreate) -> TeamLibrary:
    """Add a library of a Git repository or of a draft, and request its first version.

    Raises:
        InvalidRequestError: The URL may not be called, or the source is missing.
        NotFoundError: There is no such finished draft.
        ConflictError: The name is taken, or there are too many libraries.
    """
    if bool(body.url) == (body.draft_id is not None):
        raise InvalidRequestError("name either `url` or `draft_id`")
    if body.url:
        _check_url(settings, body.url)
    elif body.draft_id is not None:
        _check_draft(session, principal, body.draft_id)
    library = TeamLibrary(
        id=uuid7(),
        name=body.name,
        source=LibrarySource.GIT if body.url else LibrarySource.DRAFT,
        url=body.url,
        ref=body.ref if body.url else "",
        author=principal.name,
    )
    if body.token:
        library.sealed = _sealed(settings, library.id, Login(body.username, body.token))
    _insert(session, library)
    request_version(session, library, principal.name, draft_id=body.draft_id)
    return library


def change(session: Session, settings: Settings, library: TeamLibrary, body: LibraryUpdate) -> None:
    """Change the source of a Git library; the next pull uses it.

    Raises:
        InvalidRequestError: It is of another source, or the URL may not be called.
    """
    if library.source is not LibrarySource.GIT:
        raise InvalidRequestError("only a library of a Git repository has a URL, a ref and a token")
    if body.url is not None:
        _check_url(settings, body.url)
        if body.url != library.url and body.token is None:
            # A token goes to the server that it was entered for, to no other.
            library.sealed = ""
        library.url = body.url
    library.ref = body.ref or library.ref
    if body.token is not None:
        library.sealed = _sealed(settings, library.id, Login(body.username, body.token)) if body.token else ""
    session.flush()


def upload(session: Session, principal: Principal, name: str, content: bytes) -> TeamLibrary:
    """Add an archive as the next version of a library, and the library if it is new.

    Raises:
        InvalidRequestError: The archive is empty.
        ConflictError: The library has another source, or a version is being read.
    """
    if not content:
        raise InvalidRequestError("the body is empty; send a tar or zip archive of the library")
    library = session.scalar(select(TeamLibrary).where(TeamLibrary.name == name).with_for_update())
    if library is None:
        library = TeamLibrary(id=uuid7(), name=name, source=LibrarySource.UPLOAD, author=principal.name)
        _insert(session, library)
    elif library.source is not LibrarySource.UPLOAD:
        raise ConflictError(f"the library {name} is of a {library.source.value} source; pull it instead")
    row = request_version(session, library, principal.name)
    row.content, row.commit = content, hashlib.sha256(content).hexdigest()
    session.flush()
    return library


def pull(session: Session, principal: Principal, library: TeamLibrary) -> LibraryVersion:
    """Request a new version of a Git library, or of one of a draft.

    Raises:
        ConflictError: It is uploaded, or a version is being read.
    """
    if library.source is LibrarySource.UPLOAD:
        raise ConflictError(f"the library {library.name} is uploaded; upload its next version")
    draft_id = session.scalar(
        select(LibraryVersion.draft_id)
        .where(LibraryVersion.library_id == library.id)
        .order_by(LibraryVersion.id.desc())
        .limit(1)
    )
    return request_version(session, library, principal.name, draft_id=draft_id)


def request_version(
    session: Session, library: TeamLibrary, author: str, *, draft_id: UUID | None = None
) -> LibraryVersion:
    """Add a version that a job fetches and reads.

    Raises:
        ConflictError: One is being read.
    """
    if queries.in_state(session, library.id, VersionState.PULLING) is not None:
        raise ConflictError(f"a version of {library.name} is being read; wait until it is")
    row = LibraryVersion(id=uuid7(), library_id=library.id, author=author, draft_id=draft_id)
    session.add(row)
    session.flush()
    publish(session, LibraryVersionRequested(row.id))
    return row


def activate(
    session: Session, library: TeamLibrary, row: LibraryVersion, *, actor: str, is_unchecked: bool
) -> None:
    """Judge new evidence by a version; the one that was active is retired.

    Raises:
        ConflictError: It is active, or was not read; or it has lint messages or no finished preview, and is
            not `is_unchecked`.
    """
    if row.state not in CLEARED or not row.signatures:
        raise ConflictError(f"this version is {row.state.value}; only one that was read can be activated")
    if row.messages and not is_unchecked:
        count = len(row.messages)
        raise ConflictError(f"lint has {count} messages about this version; read them, or send `unchecked`")
    preview = select(Hunt.id).where(Hunt.version_id == row.id, Hunt.state == RunState.DONE).limit(1)
    if not is_unchecked and session.scalar(preview) is None:
        raise ConflictError("no preview of this version is finished: begin a hunt, or send `unchecked`")
    before = queries.in_state(session, library.id, VersionState.ACTIVE)
    if before is not None:
        before.state = VersionState.RETIRED
        session.flush()
    row.state, row.activated_at = VersionState.ACTIVE, datetime.now(UTC)
    session.flush()
    record_event(session, library, row, "activated", actor=actor)


def retire(session: Session, library: TeamLibrary, *, actor: str) -> None:
    """Judge no new evidence by a library; cases keep their findings until they are judged again.

    Raises:
        ConflictError: No version is in use.
    """
    states = (VersionState.ACTIVE, VersionState.SHADOW)
    used = [row for state in states if (row := queries.in_state(session, library.id, state)) is not None]
    if not used:
        raise ConflictError(f"no version of {library.name} is in use")
    for row in used:
        row.state = VersionState.RETIRED
    session.flush()
    record_event(session, library, used[0], "retired", actor=actor)


def login_of(settings: Settings, library: TeamLibrary) -> Login:
    """Return the stored login of a library.

    Raises:
        PullError: It cannot be decrypted.
    """
    if not library.sealed:
        return Login("", "")
    try:
        username, token = json.loads(encryption.unseal(settings, library.sealed, about=_about(library.id)))
    except DecryptionError as failure:
        raise PullError(f"the token cannot be read: {failure}; enter it again") from None
    return Login(username, token)


def record_event(
    session: Session, library: TeamLibrary, row: LibraryVersion, what: str, *, actor: str = events.SYSTEM
) -> None:
    """Append `library.<what>` to the event log."""
    payload = {"library": identity(library.name, row.commit), "version_id": str(row.id)}
    events.record(session, f"library.{what}", actor=actor, payload=payload)


def _insert(session: Session, library: TeamLibrary) -> None:
    names = list(session.scalars(select(TeamLibrary.name)))
    if library.name in names:
        raise ConflictError(f"there is a library {library.name}; choose another name")
    if len(names) >= MAX_LIBRARIES:
        raise ConflictError(f"there are {MAX_LIBRARIES} libraries; an instance has no more")
    session.add(library)
    session.flush()
    session.refresh(library)


def _check_url(settings: Settings, url: str) -> None:
    if not url.startswith("https://"):
        raise InvalidRequestError("`url` must begin with https://")
    targets.check(settings, url)


def _check_draft(session: Session, principal: Principal, draft_id: UUID) -> None:
    query = select(SignatureDraft.id).join(Case, Case.id == SignatureDraft.case_id)
    query = query.where(SignatureDraft.id == draft_id, SignatureDraft.state == DraftState.READY)
    if session.scalar(query.where(visible(principal), Case.deleted_at.is_(None))) is None:
        raise NotFoundError(f"there is no finished draft {draft_id}")


def _sealed(settings: Settings, library_id: UUID, login: Login) -> str:
    return encryption.seal(settings, json.dumps(list(login)), about=_about(library_id))


def _about(library_id: UUID) -> str:
    return f"login of library {library_id}"
