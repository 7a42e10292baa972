"""A help page for each problem type: the target of `type` in a problem document.

    /problems/KeyReused     422, what it means, what to do
    /problems               all of them

The meaning is the docstring of the class (`backend.core.errors`); the remedy depends on the code, else on the
status.

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
    "InvalidRequest": (422, "The request contradicts itself, or a field does not match the schema."),
    "MethodNotAllowed": (405, "The URL exists but does not support this method."),
    "TooManyRequests": (429, "The rate limit of the sender is exceeded."),
    "UnknownHost": (421, "The request names a host that this service does not have."),
    "AddressTooLong": (414, "The URL of the request is too long."),
    "HeadersTooLarge": (431, "The request headers are too many or too long."),
    "RequestTooSlow": (408, "The request headers did not arrive in time."),
    "Overloaded": (503, "The service already runs its maximum of concurrent requests."),
    "InternalError": (
        500,
        "An internal error (a bug); it was logged with the id of the request, its header `X-Request-ID`.",
    ),
}
"""Problems without an error class."""

REMEDIES = {
    "InvalidRequest": "`fields` lists what is wrong with each field; the API reference lists valid values.",
    "InvalidCursor": "Request the list without a cursor; the `Link` of each response leads to the next page.",
    "NotSignedIn": "Send `Authorization: Bearer cbk_…` with an active token, or sign in with the browser.",
    "UnknownHost": "Use the public URL of the service; its operator sets further names.",
    "NotFound": "Check the id. A resource you may not see answers the same: ask its owner for access.",
    "NotAllowed": "Ask someone with the role in `detail`, or use a token with the required scope.",
    "ReauthenticationNeeded": "Send password and code to `POST /api/v1/session/confirm`, or sign in again.",
    "TooManyRequests": "Retry after the seconds in `Retry-After`; `RateLimit` states the remaining budget.",
    "TooManyAttempts": "Retry after the seconds in `Retry-After`.",
    "QueueFull": "Retry after the seconds in `Retry-After`; `detail` states how much work is queued.",
    "UploadInterrupted": "Send it again; over an unreliable connection use resumable upload (tus).",
    "TooLarge": "`detail` states the limit; a compressed archive of the same evidence may fit.",
    "KeyReused": "Use a new `Idempotency-Key` for each request, and the same one only to retry it.",
    "RequestInProgress": "Retry in a moment: the retry gets the response of the first request.",
    "ResponseUnavailable": "Look up the result of the first request; use a new key only to repeat it.",
    "Precondition": "Read it again, check what changed, and send your change with the new `ETag`.",
    "Superseded": "Another connection is sending this upload; read its offset before you continue.",
    "NoSpace": "Tell the operator of the service; nothing of the request was stored.",
    "MissingBytes": "Restore the object from a backup, or send the same file again: that heals it.",
    "DamagedBytes": "Restore the object from a backup, or send the same file again: that heals it.",
    "Unavailable": "Retry in a moment: nothing was done.",
    "Overloaded": "Retry after the seconds in `Retry-After`: nothing was done.",
    "InternalError": "Report the time and the request to the operator of the service; nothing was done.",
}
BY_STATUS = {
    401: "Sign in again; `detail` states what was missing.",
    409: "Read it again: `detail` states its current state.",
}
ELSE = "`detail` names the faulty part of the request and what is expected."

STYLE = (
    "body{font:1rem/1.6 system-ui,sans-serif;max-width:42rem;margin:3rem auto;padding:0 1rem;"
    "color-scheme:light dark}code{font-family:ui-monospace,monospace}dt{font-weight:600;margin-top:1rem}"
    "dd{margin:0}nav{margin-bottom:2rem}"
)


@dataclass(frozen=True, slots=True)
class ProblemType:
    """One problem type: code, status, meaning and remedy."""

    code: str
    status: int
    says: str
    remedy: str


def type_of(code: str) -> str:
    """Return the `type` URI of a problem, relative to the service."""
    return f"{PREFIX}/{code}"


def types() -> dict[str, ProblemType]:
    """Return every problem type, by code."""
    meanings = dict(OTHERS)
    for error in _below(CasebookError):
        if error is not SettingsError:
            says = (error.__doc__ or "").partition("\n")[0]
            meanings.setdefault(error.__name__.removesuffix("Error"), (error.status, says))
    return {
        code: ProblemType(code, status, says, REMEDIES.get(code) or BY_STATUS.get(status, ELSE))
        for code, (status, says) in sorted(meanings.items())
    }


def router() -> APIRouter:
    """Return public routes that serve the pages."""
    made = APIRouter(prefix=PREFIX, include_in_schema=False)

    @made.get("")
    def list_types() -> HTMLResponse:
        """List every problem type."""
        rows = "".join(
            f'<dt><a href="{type_of(one.code)}">{one.code}</a> {one.status}</dt><dd>{escape(one.says)}</dd>'
            for one in types().values()
        )
        return _page("Problems", f"<p>Error codes of the API.</p><dl>{rows}</dl>")

    @made.get("/{code}")
    def show_type(code: str) -> HTMLResponse:
        """Show the meaning and the remedy of a problem type."""
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
    """Return `text` as HTML, with backticked parts as code."""
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
