"""Queries for libraries, and their description."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from uuid import UUID

from sqlalchemy import func, select

from backend.access.decisions import visible
from backend.core.db.base import among
from backend.core.errors import NotFoundError
from backend.libraries.schemas import (
    DecidingLine,
    LibraryRead,
    LibrarySignatureRead,
    LibraryVersionRead,
    ShadowFindingRead,
)
from backend.models import Case, Evidence, LibraryVersion, ShadowFinding, TeamLibrary, VersionState

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy.orm import Session

    from backend.access.principals import Principal
    from backend.core.http.pagination import Page


def named(session: Session, name: str, *, is_locked: bool = False) -> TeamLibrary:
    """Return the library of a name.

    Raises:
        NotFoundError: There is none.
    """
    query = select(TeamLibrary).where(TeamLibrary.name == name)
    found = session.scalar(query.with_for_update() if is_locked else query)
    if found is None:
        raise NotFoundError(f"there is no library {name}")
    return found


def version(session: Session, library: TeamLibrary, version_id: UUID) -> LibraryVersion:
    """Return a version of a library.

    Raises:
        NotFoundError: It has no such version.
    """
    found = session.get(LibraryVersion, version_id)
    if found is None or found.library_id != library.id:
        raise NotFoundError(f"the library {library.name} has no version {version_id}")
    return found


def in_state(session: Session, library_id: UUID, state: VersionState) -> LibraryVersion | None:
    """Return the version of a library in `pulling`, `shadow` or `active`, None without one."""
    return session.scalar(
        select(LibraryVersion).where(LibraryVersion.library_id == library_id, LibraryVersion.state == state)
    )


def libraries(session: Session, page: Page) -> list[LibraryRead]:
    """Return a page of the libraries by name."""
    rows = page.of(session, select(TeamLibrary), TeamLibrary.name)
    return [describe(session, library) for (library,) in rows]


def versions(session: Session, library: TeamLibrary, page: Page) -> list[LibraryVersionRead]:
    """Return a page of the versions of a library, newest first."""
    query = select(LibraryVersion).where(LibraryVersion.library_id == library.id)
    found = [row for (row,) in page.of(session, query, LibraryVersion.id, is_descending=True)]
    return describe_versions(session, found)


def describe(session: Session, library: TeamLibrary) -> LibraryRead:
    """Return the response document of a library."""
    of_library = select(LibraryVersion).where(LibraryVersion.library_id == library.id)
    newest = session.scalar(of_library.order_by(LibraryVersion.id.desc()).limit(1))
    shadow = in_state(session, library.id, VersionState.SHADOW)
    active = in_state(session, library.id, VersionState.ACTIVE)

    def read(row: LibraryVersion | None) -> LibraryVersionRead | None:
        return describe_versions(session, [row])[0] if row is not None else None

    return LibraryRead(
        name=library.name,
        source=library.source.value,
        url=library.url,
        ref=library.ref,
        has_token=bool(library.sealed),
        author=library.author,
        created_at=library.created_at,
        newest=read(newest),
        shadow=read(shadow),
        active=read(active),
    )


def describe_versions(session: Session, rows: Sequence[LibraryVersion]) -> list[LibraryVersionRead]:
    """Return the response documents of versions."""
    query = select(ShadowFinding.version_id, func.count(ShadowFinding.case_id.distinct()))
    query = query.where(ShadowFinding.version_id.in_([row.id for row in rows]))
    counts: dict[UUID, int] = dict(session.execute(query.group_by(ShadowFinding.version_id)).all())
    return [
        LibraryVersionRead(
            id=row.id,
            state=row.state.value,
            commit=row.commit,
            author=row.author,
            created_at=row.created_at,
            ended_at=row.ended_at,
            activated_at=row.activated_at,
            problem=row.problem,
            messages=list(row.messages),
            signatures=[LibrarySignatureRead(**one) for one in row.signatures],
            shadow_cases=counts.get(row.id, 0),
        )
        for row in rows
    ]


def shadow_findings(
    session: Session, row: LibraryVersion, principal: Principal, page: Page
) -> list[ShadowFindingRead]:
    """Return a page of what a version found in visible cases while in shadow, newest case first."""
    query = (
        select(ShadowFinding, Case.number, Case.title)
        .join(Case, Case.id == ShadowFinding.case_id)
        .where(ShadowFinding.version_id == row.id, visible(principal), Case.deleted_at.is_(None))
    )
    order = (ShadowFinding.case_id, ShadowFinding.signature, ShadowFinding.host, ShadowFinding.phase)
    found = page.of(session, query, *order, is_descending=True)
    lines = with_paths(session, [row.lines for row, _, _ in found])
    return [_finding(*each, lines=of_row) for each, of_row in zip(found, lines, strict=True)]


def with_paths(session: Session, lines: Sequence[list[dict[str, Any]]]) -> list[list[DecidingLine]]:
    """Return deciding lines with the names of their files, where no path was captured."""
    ids = {UUID(line["evidence_id"]) for group in lines for line in group if line["evidence_id"]}
    names = dict(session.execute(select(Evidence.id, Evidence.filename).where(among(Evidence.id, ids))).all())
    return [[_line(line, names) for line in group] for group in lines]


def _line(line: dict[str, Any], names: dict[UUID, str]) -> DecidingLine:
    evidence_id = line["evidence_id"]
    path = line["path"] or (names.get(UUID(evidence_id), "") if evidence_id else "")
    return DecidingLine(**{**line, "path": path})


def _finding(row: ShadowFinding, number: int, title: str, *, lines: list[DecidingLine]) -> ShadowFindingRead:
    values: dict[str, Any] = {
        name: getattr(row, name) for name in ("case_id", "signature", "host", "phase", "verdict")
    }
    return ShadowFindingRead(
        **values,
        case_number=number,
        case_title=title,
        lines=lines,
        at=row.created_at,
    )
