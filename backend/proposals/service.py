"""Proposals: made, changed, withdrawn by their author, accepted or rejected by a curator.

An accepted signature becomes part of the next version of its library, with the other signatures of the
version in use. That version is read and linted like every other, and begins in shadow.
"""

from __future__ import annotations

import io
import tarfile
from pathlib import Path
from typing import TYPE_CHECKING

import yaml
from sqlalchemy import func, select

from backend.core import events
from backend.core.errors import ConflictError, InvalidRequestError, NotAllowedError, NotFoundError
from backend.findings import library, team_libraries
from backend.libraries import queries as libraries
from backend.libraries import service as library_service
from backend.models import (
    LibrarySource,
    LibraryVersion,
    ProposalState,
    Role,
    SignatureProposal,
    TeamLibrary,
    VersionState,
)
from backend.models.base import uuid7

if TYPE_CHECKING:
    from uuid import UUID

    from sqlalchemy.orm import Session

    from backend.access.principals import Principal
    from backend.proposals.schemas import ProposalCreate, ProposalReview, ProposalUpdate
    from signatures.document.team_library import SignatureFile

MAX_OPEN = 200
"""Proposals that wait for a review."""


def propose(session: Session, principal: Principal, body: ProposalCreate) -> SignatureProposal:
    """Propose a signature for a library.

    Raises:
        ConflictError: The library is of a Git repository, nothing changed, or too many proposals are open.
    """
    _check_source(session, body.library)
    if body.text == body.base:
        raise ConflictError("the signature is unchanged; nothing is proposed")
    waiting = select(func.count()).where(SignatureProposal.state == ProposalState.PROPOSED)
    if (session.scalar(waiting) or 0) >= MAX_OPEN:
        raise ConflictError(f"{MAX_OPEN} proposals wait for a review; review or withdraw some first")
    row = SignatureProposal(
        id=uuid7(),
        library=body.library,
        signature_id=body.signature_id,
        text=body.text,
        base=body.base,
        author=principal.name,
    )
    session.add(row)
    session.flush()
    session.refresh(row)
    _record(session, row, "proposed", principal.name)
    return row


def change(
    session: Session, principal: Principal, row: SignatureProposal, body: ProposalUpdate
) -> SignatureProposal:
    """Replace the text of an open proposal.

    Raises:
        NotAllowedError: Somebody else wrote it, and the principal is no curator.
        ConflictError: It is decided, or was changed meanwhile.
    """
    _check_author(principal, row)
    _check_open(row, body.revision)
    row.text, row.revision = body.text, row.revision + 1
    session.flush()
    session.refresh(row)
    return row


def withdraw(session: Session, principal: Principal, row: SignatureProposal) -> SignatureProposal:
    """Withdraw an open proposal.

    Raises:
        NotAllowedError: Somebody else wrote it, and the principal is no curator.
        ConflictError: It is decided.
    """
    _check_author(principal, row)
    _check_open(row, row.revision)
    return _settled(session, row, ProposalState.WITHDRAWN, principal.name)


def reject(
    session: Session, principal: Principal, row: SignatureProposal, body: ProposalReview
) -> SignatureProposal:
    """Reject a proposal, with the reason.

    Raises:
        InvalidRequestError: There is no reason.
        ConflictError: It is decided, or was changed meanwhile.
    """
    if not body.comment.strip():
        raise InvalidRequestError("`comment` says why the proposal is rejected")
    _check_open(row, body.revision)
    row.comment = body.comment
    return _settled(session, row, ProposalState.REJECTED, principal.name)


def accept(
    session: Session, principal: Principal, row: SignatureProposal, body: ProposalReview
) -> SignatureProposal:
    """Make a proposal part of the next version of its library, which a job reads and lints.

    Raises:
        ConflictError: It is decided, was changed meanwhile, or the library is being read or of a repository.
    """
    _check_open(row, body.revision)
    _check_source(session, row.library)
    files = _latest_files(session, row.library)
    archive = _packed(files, row)
    added = library_service.upload(session, principal, row.library, archive)
    version = libraries.in_state(session, added.id, VersionState.PULLING)
    row.comment, row.version_id = body.comment, version.id if version is not None else None
    return _settled(session, row, ProposalState.ACCEPTED, principal.name)


def text_in_use(session: Session, signature_id: str) -> tuple[str, bool]:
    """Return the YAML of a signature of an active library, else of Casebook, and whether it is the original.

    Raises:
        NotFoundError: Neither has it.
    """
    query = (
        select(LibraryVersion)
        .join(TeamLibrary, TeamLibrary.id == LibraryVersion.library_id)
        .where(LibraryVersion.state == VersionState.ACTIVE)
        .order_by(TeamLibrary.name.desc())
    )
    for version in session.scalars(query):
        if any(one["id"] == signature_id for one in version.signatures):
            return text_of(session, version, signature_id)
    shipped = library.catalog().get(signature_id)
    if shipped is None:
        raise NotFoundError(f"the library has no signature {signature_id}")
    return (Path(shipped.folder) / "signature.yaml").read_text(encoding="utf-8"), True


def text_of(session: Session, version: LibraryVersion, signature_id: str) -> tuple[str, bool]:
    """Return the YAML of a signature in a version of a library, and whether it is as its author wrote it.

    Raises:
        NotFoundError: The version has no such signature.
    """
    file = team_libraries.files_of(session, version.id).get(signature_id) if version.signatures else None
    if file is None:
        raise NotFoundError(f"this version has no signature {signature_id}")
    return yaml_of(file), "text" in file


def yaml_of(file: SignatureFile) -> str:
    """Return the text of a signature, or its values as YAML where no text was stored."""
    if "text" in file:
        return file["text"]
    text: str = yaml.safe_dump(file["document"], sort_keys=False, allow_unicode=True, width=110)
    return text


def _latest_files(session: Session, name: str) -> dict[str, SignatureFile]:
    """Return the files of the newest version in use of a library, else of the newest that was read."""
    found = session.scalar(
        select(LibraryVersion)
        .join(TeamLibrary, TeamLibrary.id == LibraryVersion.library_id)
        .where(
            TeamLibrary.name == name,
            LibraryVersion.state.in_((VersionState.SHADOW, VersionState.ACTIVE)),
        )
        .order_by(LibraryVersion.id.desc())
        .limit(1)
    )
    return team_libraries.files_of(session, found.id) if found is not None else {}


def _packed(files: dict[str, SignatureFile], row: SignatureProposal) -> bytes:
    """Return the files with the proposed signature as a tar archive."""
    members = {}
    for signature_id, file in sorted(files.items()):
        members[f"{signature_id}/signature.yaml"] = yaml_of(file)
        if file["story"]:
            members[f"{signature_id}/story.md"] = file["story"]
    members[f"{row.signature_id}/signature.yaml"] = row.text
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w:gz", compresslevel=6) as packed:
        for name, text in members.items():
            content = text.encode()
            member = tarfile.TarInfo(name)
            member.size = len(content)
            packed.addfile(member, io.BytesIO(content))
    return stream.getvalue()


def _check_source(session: Session, name: str) -> None:
    found = session.scalar(select(TeamLibrary).where(TeamLibrary.name == name))
    if found is not None and found.source is LibrarySource.GIT:
        raise ConflictError(f"{name} is pulled from {found.url}: commit the signature there, and pull")
    if found is not None and found.source is LibrarySource.DRAFT:
        raise ConflictError(f"{name} is of the draft of a case; choose another library")


def _check_author(principal: Principal, row: SignatureProposal) -> None:
    if principal.name != row.author and principal.role not in {Role.CURATOR, Role.ADMIN}:
        raise NotAllowedError(f"this proposal is of {row.author}; its author and curators change it")


def _check_open(row: SignatureProposal, revision: int) -> None:
    if row.state is not ProposalState.PROPOSED:
        raise ConflictError(f"this proposal is {row.state.value} already")
    if row.revision != revision:
        raise ConflictError(f"the text was changed meanwhile: look at revision {row.revision}")


def _settled(session: Session, row: SignatureProposal, state: ProposalState, actor: str) -> SignatureProposal:
    row.state = state
    if state is not ProposalState.WITHDRAWN:
        row.reviewer = actor
    session.flush()
    session.refresh(row)
    _record(session, row, state.value, actor)
    return row


def _record(session: Session, row: SignatureProposal, what: str, actor: str) -> None:
    payload = {"proposal_id": str(row.id), "signature": row.signature_id, "library": row.library}
    events.record(session, f"signature.{what}", actor=actor, payload=payload)


def named(session: Session, proposal_id: UUID, *, is_locked: bool = False) -> SignatureProposal:
    """Return one proposal.

    Raises:
        NotFoundError: There is none.
    """
    found = session.get(SignatureProposal, proposal_id, with_for_update=is_locked, populate_existing=True)
    if found is None:
        raise NotFoundError(f"there is no proposal {proposal_id}")
    return found
