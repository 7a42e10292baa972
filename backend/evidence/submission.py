"""Common steps of all upload endpoints."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

from fastapi import Depends, Query
from starlette.concurrency import run_in_threadpool

from backend.access.dependencies import BaseUrlDep, PrincipalDep, SessionDep, SettingsDep, StoreDep
from backend.access.idempotency import IdempotentRequest, IdempotentRequestDep
from backend.access.principals import Principal
from backend.core.settings import Settings
from backend.core.storage.object_store import Store
from backend.evidence import receiving, staging
from backend.evidence.schemas_placement import HostName, Phase
from backend.uploads.space import reserved

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fastapi import Request
    from sqlalchemy.orm import Session

    from backend.evidence.schemas import Received
    from backend.evidence.staging import Staged
    from backend.models.case import Case


@dataclass(frozen=True)
class Submission:
    """Accepts the evidence of one request for a principal.

    Attributes:
        host: Host of the evidence; "" to have it suggested.
        phase: Phase of the evidence; "" to have it suggested.
    """

    session: Session
    store: Store
    settings: Settings
    principal: Principal
    base_url: str
    idempotent: IdempotentRequest
    host: str = ""
    phase: str = ""

    async def files(self, request: Request, case: Case | None) -> Received:
        """Accept the files of a multipart body."""
        overhead = staging.MULTIPART_OVERHEAD_BYTES
        async with staging.reserving(request, self.session, self.settings, overhead_bytes=overhead) as space:
            staged = await staging.receive_multipart(request, space, self.settings)
            return await run_in_threadpool(self._take, case, staged)

    async def body(self, request: Request, case: Case | None, filename: str) -> Received:
        """Accept the body as one file."""
        async with staging.reserving(request, self.session, self.settings) as space:
            staged = await staging.receive_body(request, space, self.settings, filename)
            return await run_in_threadpool(self._take, case, staged)

    def text(self, case: Case | None, text: str, *, captured_path: str) -> Received:
        """Accept pasted text."""
        content = staging.content_of(self.settings, text)
        with reserved(self.session, self.settings, len(content)):
            return self._take(case, staging.keep_text(self.settings, content, captured_path=captured_path))

    def _take(self, case: Case | None, staged: Sequence[Staged]) -> Received:
        """Store the staged files once per idempotency key."""
        try:
            self.idempotent.claim(*(f"{file.label} {file.sha256}" for file in staged))
        except BaseException:
            for file in staged:
                file.path.unlink(missing_ok=True)
            raise
        return receiving.receive(
            self.session,
            self.store,
            self.settings,
            case,
            staged,
            # A case token is held by a machine; its uploads are not owned by a person.
            actor=f"{self.principal.name} (token)" if self.principal.case_id else self.principal.name,
            owner=self.principal,
            base_url=self.base_url,
            host=self.host,
            phase=self.phase,
        )


def get_submission(
    session: SessionDep,
    store: StoreDep,
    settings: SettingsDep,
    principal: PrincipalDep,
    base_url: BaseUrlDep,
    idempotent: IdempotentRequestDep,
    host: Annotated[
        HostName | None, Query(description="Host of all that is sent; default: stated, or of its folder")
    ] = None,
    phase: Annotated[
        Phase | None, Query(description="Phase of all that is sent; default: of its folder, or `during`")
    ] = None,
) -> Submission:
    """Return the submission of the current request."""
    return Submission(
        session, store, settings, principal, base_url, idempotent, host=host or "", phase=phase or ""
    )


SubmissionDep = Annotated[Submission, Depends(get_submission)]
