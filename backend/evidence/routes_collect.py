"""The collector script, served for download on the affected host.

curl -fsS -H 'Authorization: Bearer cbk_c_…' https://casebook.example.com/collect.sh | sudo sh

Fetched with a case token, the script contains it, so the token appears neither on the `sudo` command line
nor in a file on the affected host.
"""

from __future__ import annotations

import base64
import hashlib

from fastapi import APIRouter, Request
from fastapi.responses import PlainTextResponse

from backend.access import principals
from backend.access.actions import Action
from backend.access.dependencies import BaseUrlDep, SessionDep, needs
from backend.core.errors import NotAllowedError
from ingest import collect

router = APIRouter(tags=["evidence"])


@router.get(
    f"/{collect.NAME}",
    response_class=PlainTextResponse,
    dependencies=[needs(Action.ENTER)],
    include_in_schema=False,
)
def get_collector(request: Request, session: SessionDep, base_url: BaseUrlDep) -> PlainTextResponse:
    """Return the collector script with its digest (RFC 9530); with a case token it uploads to that case.

    Raises:
        NotSignedInError: The token is invalid; a script that cannot upload would be useless.
        NotAllowedError: The token may do more than upload to one case; it must not reach an affected host.
    """
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    token = token.strip() if scheme.lower() == "bearer" else ""
    if token:
        principal = principals.by_token(session, token)
        if principal.case_id is None:
            raise NotAllowedError("fetch this with a token made for one case: POST /cases/{case}/tokens")
        principals.note_use(request.app.state.sessions, principal)
    script = collect.script(server=base_url, token=token)
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    return PlainTextResponse(
        script,
        media_type=f"{collect.MEDIA_TYPE}; charset=utf-8",
        headers={"Cache-Control": "no-store", "Repr-Digest": f"sha-256=:{digest}:"},
    )
