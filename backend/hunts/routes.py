"""Endpoints of retro-hunts: begin, follow, cancel, resume, and what they change."""

from __future__ import annotations

from uuid import UUID

from fastapi import APIRouter, Response
from sqlalchemy import select

from backend.access.actions import Action
from backend.access.dependencies import PrincipalDep, SessionDep, needs
from backend.access.idempotency import ClaimedDep
from backend.core.errors import NotFoundError
from backend.core.http.envelope import Listed
from backend.core.http.locations import locate
from backend.core.http.pagination import PageDep
from backend.hunts import queries, runs
from backend.hunts.schemas import HuntCreate, HuntedCaseRead, HuntRead
from backend.libraries import queries as libraries
from backend.models import LibraryVersion

router = APIRouter(tags=["libraries"])


@router.get("/hunts", dependencies=[needs(Action.LIBRARIES_READ)])
def list_hunts(session: SessionDep, page: PageDep) -> Listed[HuntRead]:
    """List the retro-hunts, newest first."""
    return page.envelope(queries.hunts(session, page))


@router.post("/hunts", status_code=202, dependencies=[needs(Action.LIBRARIES_CHANGE)])
def begin_hunt(
    body: HuntCreate, response: Response, session: SessionDep, principal: PrincipalDep, _once: ClaimedDep
) -> HuntRead:
    """Judge past cases by a version of a library on their stored readings: a preview, or applied."""
    library = libraries.named(session, body.library)
    if body.version_id is not None:
        version = libraries.version(session, library, body.version_id)
    else:
        of_library = select(LibraryVersion).where(LibraryVersion.library_id == library.id)
        was_read = LibraryVersion.content.is_not(None) & LibraryVersion.ended_at.is_not(None)
        newest = session.scalar(of_library.where(was_read).order_by(LibraryVersion.id.desc()).limit(1))
        if newest is None:
            raise NotFoundError(f"no version of {library.name} was read")
        version = newest
    hunt = runs.begin(session, version, applies=body.applies, author=principal.name)
    locate(response, "hunts", hunt.id)
    return queries.describe(session, [hunt])[0]


@router.get("/hunts/{hunt_id}", dependencies=[needs(Action.LIBRARIES_READ)])
def read_hunt(hunt_id: UUID, session: SessionDep) -> HuntRead:
    """Return one hunt with its progress."""
    return queries.describe(session, [queries.hunt_of_id(session, hunt_id)])[0]


@router.get("/hunts/{hunt_id}/cases", dependencies=[needs(Action.LIBRARIES_READ)])
def list_hunted_cases(
    hunt_id: UUID, session: SessionDep, principal: PrincipalDep, page: PageDep
) -> Listed[HuntedCaseRead]:
    """List the cases that a hunt changes and that you see, with the lines that decide, from new to old."""
    return page.envelope(queries.cases(session, queries.hunt_of_id(session, hunt_id), principal, page))


@router.post("/hunts/{hunt_id}/cancel", dependencies=[needs(Action.LIBRARIES_CHANGE)])
def cancel_hunt(hunt_id: UUID, session: SessionDep, principal: PrincipalDep) -> HuntRead:
    """Cancel a hunt: it stops within about a second, and what is done stays."""
    hunt = runs.LIFECYCLE.cancel(session, queries.hunt_of_id(session, hunt_id), by=principal.name)
    return queries.describe(session, [hunt])[0]


@router.post("/hunts/{hunt_id}/resume", dependencies=[needs(Action.LIBRARIES_CHANGE)])
def resume_hunt(hunt_id: UUID, session: SessionDep, principal: PrincipalDep) -> HuntRead:
    """Go on with a hunt that was cancelled or failed, after the last case that was done."""
    hunt = runs.resume(session, queries.hunt_of_id(session, hunt_id), by=principal.name)
    return queries.describe(session, [hunt])[0]
