"""Endpoints of libraries: add, upload, pull, activate, retire, and what versions in shadow found."""

from __future__ import annotations

from typing import Annotated, Any
from uuid import UUID

from fastapi import APIRouter, Path, Request, Response
from starlette.concurrency import run_in_threadpool

from backend.access.actions import Action
from backend.access.dependencies import PrincipalDep, SessionDep, SettingsDep, needs
from backend.core.errors import TooLargeError
from backend.core.http.envelope import Listed
from backend.core.http.locations import locate
from backend.core.http.pagination import PageDep
from backend.core.http.request_limits import streamed
from backend.libraries import queries, service
from backend.libraries.schemas import (
    NAME,
    LibraryActivate,
    LibraryCreate,
    LibraryRead,
    LibraryUpdate,
    LibraryVersionRead,
    ShadowFindingRead,
)

router = APIRouter(tags=["libraries"])

ARCHIVE: dict[str, Any] = {
    "requestBody": {
        "required": True,
        "content": {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}},
    }
}
Name = Annotated[str, Path(max_length=60, pattern=NAME, description="Name of the library")]


@router.get("/libraries", dependencies=[needs(Action.LIBRARIES_READ)])
def list_libraries(session: SessionDep, page: PageDep) -> Listed[LibraryRead]:
    """List the libraries of teams by name."""
    return page.envelope(queries.libraries(session, page))


@router.post("/libraries", status_code=202, dependencies=[needs(Action.LIBRARIES_CHANGE)])
def add_library(
    body: LibraryCreate,
    response: Response,
    session: SessionDep,
    settings: SettingsDep,
    principal: PrincipalDep,
) -> LibraryRead:
    """Add a library of a Git repository or of a draft; its first version is pulled and linted by a worker."""
    library = service.add(session, settings, principal, body)
    locate(response, "libraries", library.name)
    return queries.describe(session, library)


@router.get("/libraries/{name}", dependencies=[needs(Action.LIBRARIES_READ)])
def read_library(name: Name, session: SessionDep) -> LibraryRead:
    """Return a library with its newest version and those in use."""
    return queries.describe(session, queries.named(session, name))


@router.patch("/libraries/{name}", dependencies=[needs(Action.LIBRARIES_CHANGE)])
def update_library(
    name: Name, body: LibraryUpdate, session: SessionDep, settings: SettingsDep
) -> LibraryRead:
    """Change URL, ref or token of a Git library; a new URL without a token deletes the stored one."""
    library = queries.named(session, name, is_locked=True)
    service.change(session, settings, library, body)
    return queries.describe(session, library)


@router.put(
    "/libraries/{name}/archive",
    status_code=202,
    openapi_extra=ARCHIVE,
    dependencies=[needs(Action.LIBRARIES_CHANGE)],
)
async def upload_library(
    name: Name, request: Request, response: Response, session: SessionDep, principal: PrincipalDep
) -> LibraryRead:
    """Upload a tar or zip archive as the next version of a library; a new name makes the library."""
    pieces: list[bytes] = []
    size_bytes = 0
    async for piece in streamed(request):
        size_bytes += len(piece)
        if size_bytes > service.MAX_ARCHIVE_BYTES:
            raise TooLargeError(f"an archive has at most {service.MAX_ARCHIVE_BYTES:,} bytes")
        pieces.append(piece)

    def write() -> LibraryRead:
        library = service.upload(session, principal, name, b"".join(pieces))
        locate(response, "libraries", library.name)
        return queries.describe(session, library)

    return await run_in_threadpool(write)


@router.post("/libraries/{name}/pull", status_code=202, dependencies=[needs(Action.LIBRARIES_CHANGE)])
def pull_library(
    name: Name, response: Response, session: SessionDep, principal: PrincipalDep
) -> LibraryVersionRead:
    """Pull the library again; the new version is in shadow once it is linted."""
    library = queries.named(session, name, is_locked=True)
    row = service.pull(session, principal, library)
    session.refresh(row)
    locate(response, "libraries", library.name, "versions", row.id)
    return queries.describe_versions(session, [row])[0]


@router.post("/libraries/{name}/retire", dependencies=[needs(Action.LIBRARIES_CHANGE)])
def retire_library(name: Name, session: SessionDep, principal: PrincipalDep) -> LibraryRead:
    """Retire the library: new evidence is not judged by it; cases keep their findings until judged again."""
    library = queries.named(session, name, is_locked=True)
    service.retire(session, library, actor=principal.name)
    return queries.describe(session, library)


@router.get("/libraries/{name}/versions", dependencies=[needs(Action.LIBRARIES_READ)])
def list_library_versions(name: Name, session: SessionDep, page: PageDep) -> Listed[LibraryVersionRead]:
    """List the versions of a library, newest first, with commit and lint messages."""
    return page.envelope(queries.versions(session, queries.named(session, name), page))


@router.get("/libraries/{name}/versions/{version_id}", dependencies=[needs(Action.LIBRARIES_READ)])
def read_library_version(name: Name, version_id: UUID, session: SessionDep) -> LibraryVersionRead:
    """Return one version of a library."""
    row = queries.version(session, queries.named(session, name), version_id)
    return queries.describe_versions(session, [row])[0]


@router.post(
    "/libraries/{name}/versions/{version_id}/activate", dependencies=[needs(Action.LIBRARIES_CHANGE)]
)
def activate_library_version(
    name: Name, version_id: UUID, body: LibraryActivate, session: SessionDep, principal: PrincipalDep
) -> LibraryRead:
    """Judge new evidence by this version; the one that was active is retired."""
    library = queries.named(session, name, is_locked=True)
    row = queries.version(session, library, version_id)
    service.activate(session, library, row, actor=principal.name, is_unchecked=body.unchecked)
    return queries.describe(session, library)


@router.get("/libraries/{name}/versions/{version_id}/findings", dependencies=[needs(Action.LIBRARIES_READ)])
def list_shadow_findings(
    name: Name, version_id: UUID, session: SessionDep, principal: PrincipalDep, page: PageDep
) -> Listed[ShadowFindingRead]:
    """List what a version found while in shadow, in cases that you see, newest case first."""
    row = queries.version(session, queries.named(session, name), version_id)
    return page.envelope(queries.shadow_findings(session, row, principal, page))
