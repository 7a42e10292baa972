"""A page for each type of problem: where the `type` of a problem document leads.

    /problems/KeyReused     422, what it means, what to do
    /problems               all of them

What a type means is the docstring of its class (`backend.core.errors`); what to do is told by code, or else
by status.

Source: https://www.rfc-editor.org/rfc/rfc9457#section-3.1.1
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING

from fastapi import APIRouter
from fastapi.responses import HTMLResponse

from backend.core.errors import CasebookError, NotFoundError, SettingsError
from backend.core.http.security_headers import page_policy

if TYPE_CHECKING:
    from collections.abc import Iterator

PREFIX = "/problems"

OTHERS = {
    "InvalidRequest": (422, "The request contradicts itself, or a field of it is not what the schema says."),
    "MethodNotAllowed": (405, "There is this address, and it does not take this method."),
    "TooManyRequests": (429, "The sender has used up its requests of this minute."),
    "AddressTooLong": (414, "The address of the request is longer than any of ours."),
    "HeadersTooLarge": (431, "The request has too many headers, or too long ones."),
    "RequestTooSlow": (408, "The head of the request took too long to come."),
    "Overloaded": (503, "As many requests are at work as the service does at a time."),
    "InternalError": (500, "A bug of ours; it was logged with the path of the request."),
}
"""What is answered without a class of its own."""

REMEDIES = {
    "InvalidRequest": "`fields` says of each field what is wrong; the reference says what it takes.",
    "InvalidCursor": "Ask for the list again without a cursor; the `Link` of an answer leads to the next.",
    "NotSignedIn": "Send `Authorization: Bearer cbk_…` with a token that holds, or sign in with the browser.",
    "NotFound": "Look at the id. What may not be seen answers alike: ask its owner to let you in.",
    "NotAllowed": "Ask somebody with the role that `detail` names, or take a token with that scope.",
    "TooManyRequests": "Wait as many seconds as `Retry-After` says; `RateLimit` tells where you stand.",
    "TooManyAttempts": "Wait as many seconds as `Retry-After` says.",
    "QueueFull": "Wait as many seconds as `Retry-After` says; `detail` tells how much of yours waits.",
    "UploadInterrupted": "Send it again; over a line that breaks, in pieces (tus).",
    "TooLarge": "`detail` says the limit; an archive of the same evidence may be within it.",
    "KeyReused": "Take a new `Idempotency-Key` for each request, and the same one only for the same request.",
    "RequestInProgress": "Send the same request again in a moment: it gets the response of the first.",
    "ResponseUnavailable": "Look for what the first request made; take a new key only to do it once more.",
    "Precondition": "Read it again, look at what changed, and send your change with the new `ETag`.",
    "Superseded": "Another connection sends this now; ask where it stands before you go on.",
    "NoSpace": "Tell whoever runs the service; nothing of the request was kept.",
    "Unavailable": "Try again in a moment: nothing was done.",
    "Overloaded": "Wait as many seconds as `Retry-After` says and send it again: nothing was done.",
    "InternalError": "Tell whoever runs the service when it was and what you asked for; nothing was done.",
}
BY_STATUS = {
    401: "Sign in again; `detail` says what was missing.",
    409: "Read it again: `detail` says what state it is in.",
}
ELSE = "`detail` says which part of the request it was, and what would be right."

STYLE = (
    "body{font:1rem/1.6 system-ui,sans-serif;max-width:42rem;margin:3rem auto;padding:0 1rem;"
    "color-scheme:light dark}code{font-family:ui-monospace,monospace}dt{font-weight:600;margin-top:1rem}"
    "dd{margin:0}nav{margin-bottom:2rem}"
)


@dataclass(frozen=True, slots=True)
class ProblemType:
    """One type: its code, its status, what it means and what to do."""

    code: str
    status: int
    says: str
    remedy: str


def type_of(code: str) -> str:
    """Return the `type` of a problem, relative to where the service answers."""
    return f"{PREFIX}/{code}"


def types() -> dict[str, ProblemType]:
    """Return every type that an answer may have, by code."""
    told = dict(OTHERS)
    for error in _below(CasebookError):
        if error is not SettingsError:
            says = (error.__doc__ or "").partition("\n")[0]
            told.setdefault(error.__name__.removesuffix("Error"), (error.status, says))
    return {
        code: ProblemType(code, status, says, REMEDIES.get(code) or BY_STATUS.get(status, ELSE))
        for code, (status, says) in sorted(told.items())
    }


def router() -> APIRouter:
    """Return routes that serve the pages, to everybody."""
    made = APIRouter(prefix=PREFIX, include_in_schema=False)

    @made.get("")
    def list_types() -> HTMLResponse:
        """List every type."""
        rows = "".join(
            f'<dt><a href="{type_of(one.code)}">{one.code}</a> {one.status}</dt><dd>{escape(one.says)}</dd>'
            for one in types().values()
        )
        return _page("Problems", f"<p>Every <code>code</code> that the API answers with.</p><dl>{rows}</dl>")

    @made.get("/{code}")
    def show_type(code: str) -> HTMLResponse:
        """Say what a type means and what to do."""
        one = types().get(code)
        if one is None:
            raise NotFoundError(f"there is no problem {code!r}; {PREFIX} lists all")
        body = f"<p>{escape(one.says)}</p><dl><dt>Status</dt><dd>{one.status}</dd>"
        return _page(one.code, f"{body}<dt>What to do</dt><dd>{_marked(one.remedy)}</dd></dl>")

    return made


def _below(error: type[CasebookError]) -> Iterator[type[CasebookError]]:
    for one in error.__subclasses__():
        yield one
        yield from _below(one)


def _marked(text: str) -> str:
    """Return `text` as HTML, what is between backticks as code."""
    parts = escape(text).split("`")
    return "".join(f"<code>{part}</code>" if turn % 2 else part for turn, part in enumerate(parts))


def _page(title: str, body: str) -> HTMLResponse:
    nonce = secrets.token_urlsafe(16)
    text = (
        f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{title} · Casebook</title>'
        '<link rel="icon" href="/favicon.svg" type="image/svg+xml">'
        f'<meta name="viewport" content="width=device-width"><style nonce="{nonce}">{STYLE}</style>'
        f'<nav><a href="/api-reference">API</a> · <a href="{PREFIX}">Problems</a></nav>'
        f"<main><h1>{title}</h1>{body}</main></html>"
    )
    return HTMLResponse(text, headers={"Content-Security-Policy": page_policy(nonce)})
