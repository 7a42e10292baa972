"""A version of a library fetched, unpacked and linted; it is in shadow as a whole, or failed."""

from __future__ import annotations

import json
import tempfile
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from backend.core.errors import StoredBytesError
from backend.core.jobs.job import error_number
from backend.evidence.read_files import scratch_of
from backend.findings import library as shipped
from backend.libraries import git_transport, queries, service
from backend.libraries.git_transport import Login, PullError
from backend.models import LibrarySource, LibraryVersion, SignatureDraft, TeamLibrary, VersionState
from backend.sandbox.envelope import result_of_job
from backend.sandbox.runner import LimitHitError, SandboxCrashError, SandboxLimits
from ingest.model.zstd import zstd

if TYPE_CHECKING:
    from uuid import UUID

    from sqlalchemy.orm import Session

    from backend.core.jobs.run import Run

CPU_SECONDS = 60
OUTPUT_BYTES = 256 << 20
WHAT = "reading the library"


@dataclass(frozen=True, slots=True)
class _Request:
    """What is to be read: the rows as of the start of the job."""

    source: LibrarySource
    url: str
    ref: str
    login: Login
    content: bytes
    commit: str
    zip_sha256: str | None


def read(run: Run, version_id: UUID) -> None:
    """Fetch and read a version; one that is settled is left unchanged."""
    try:
        request = _request(run, version_id)
        if request is None:
            return
        with tempfile.TemporaryDirectory(dir=scratch_of(run), prefix="library-") as scratch:
            commit, result = _read(run, request, Path(scratch))
    except (PullError, LimitHitError, StoredBytesError) as error:
        _settle_failed(run, version_id, str(error))
        return
    except SandboxCrashError as error:
        _settle_failed(run, version_id, f"{WHAT} failed, reported as {error_number(str(error))}")
        return
    run.check()
    with run.result() as session:
        _keep(session, version_id, commit, result)


def fail(session: Session, version_id: UUID, problem: str) -> None:
    """Settle a version that could not be read; nothing of it is judged by."""
    row = _pulling(session, version_id)
    if row is None:
        return
    row.state, row.problem, row.ended_at, row.content = VersionState.FAILED, problem, _now(), None
    service.record_event(session, session.get_one(TeamLibrary, row.library_id), row, "failed")


def _request(run: Run, version_id: UUID) -> _Request | None:
    with run.session() as session:
        row = session.get(LibraryVersion, version_id)
        if row is None or row.state is not VersionState.PULLING:
            return None
        library = session.get_one(TeamLibrary, row.library_id)
        draft = session.get(SignatureDraft, row.draft_id) if row.draft_id is not None else None
        if library.source is LibrarySource.DRAFT and (draft is None or draft.zip_sha256 is None):
            raise PullError("the draft was deleted")
        login = service.login_of(run.settings, library)
        zip_sha256 = draft.zip_sha256 if draft is not None else None
        content, commit = row.content or b"", row.commit
        return _Request(library.source, library.url, library.ref, login, content, commit, zip_sha256)


def _read(run: Run, request: _Request, scratch: Path) -> tuple[str, dict[str, Any]]:
    """Return the commit, or the digest of an archive, and what is in it."""
    path = scratch / "library.pack"
    commit = request.commit
    if request.source is LibrarySource.GIT:
        commit = git_transport.fetch(run.settings, request.url, request.ref, request.login, path)
    elif request.zip_sha256 is not None:
        run.store.fetch(request.zip_sha256, path)
        commit = request.zip_sha256
    else:
        path.write_bytes(request.content)
    run.check()
    result: dict[str, Any] = result_of_job(
        run.settings,
        "read library",
        {"path": str(path), "commit": commit if request.source is LibrarySource.GIT else ""},
        what=WHAT,
        limits=SandboxLimits(
            CPU_SECONDS, run.settings.parse_memory_bytes, OUTPUT_BYTES, policy=run.settings.sandbox
        ),
        readable=[scratch],
        check=run.check,
    )
    return result["commit"] or commit, result


def _keep(session: Session, version_id: UUID, commit: str, result: dict[str, Any]) -> None:
    if result["problem"]:
        row = _pulling(session, version_id)
        if row is not None:
            row.commit, row.messages = commit, result["messages"]
        fail(session, version_id, result["problem"])
        return
    row = _pulling(session, version_id)
    if row is None:
        return
    before = queries.in_state(session, row.library_id, VersionState.SHADOW)
    if before is not None:
        before.state = VersionState.RETIRED
        session.flush()
    found = result["signatures"]
    row.state, row.ended_at, row.commit, row.messages = (
        VersionState.SHADOW,
        _now(),
        commit,
        result["messages"],
    )
    row.signatures = [
        {
            "id": name,
            **{key: one[key] for key in ("version", "title", "status")},
            "shadows": other.version if (other := shipped.catalog().get(name)) is not None else None,
        }
        for name, one in sorted(found.items())
    ]
    sources = {name: {key: one[key] for key in ("document", "story", "text")} for name, one in found.items()}
    row.content = zstd.compress(json.dumps(sources, separators=(",", ":")).encode())
    session.flush()
    service.record_event(session, session.get_one(TeamLibrary, row.library_id), row, "read")


def _settle_failed(run: Run, version_id: UUID, problem: str) -> None:
    with run.result() as session:
        fail(session, version_id, problem)


def _pulling(session: Session, version_id: UUID) -> LibraryVersion | None:
    row = session.get(LibraryVersion, version_id, with_for_update=True, populate_existing=True)
    return row if row is not None and row.state is VersionState.PULLING else None


def _now() -> datetime:
    return datetime.now(UTC)
