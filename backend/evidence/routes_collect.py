"""The collector, served: a host in trouble fetches it and runs it.

curl -fsS -H 'Authorization: Bearer cbk_c_…' https://casebook.example.com/collect.sh | sudo sh

With the token of a case it comes filled in, so that neither the command line of `sudo` nor a file on the sick
host has to hold one.
"""

from __future__ import annotations

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
    """Return the collector; with the token of a case it sends there.

    Raises:
        NotSignedInError: The token is not valid: better no script than one that collects and cannot send.
        NotAllowedError: The token may do more than send to one case: no such thing goes to a sick host.
    """
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    token = token.strip() if scheme.lower() == "bearer" else ""
    if token:
        principal = principals.by_token(session, token)
        if principal.case_id is None:
            raise NotAllowedError("fetch this with a token made for one case: POST /cases/{case}/tokens")
        principals.note_use(request.app.state.sessions, principal)
    return PlainTextResponse(
        collect.script(server=base_url, token=token),
        media_type=f"{collect.MEDIA_TYPE}; charset=utf-8",
        headers={"Cache-Control": "no-store"},
    )
