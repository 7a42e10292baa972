"""Allowed hosts: refuses requests for a host name that is not ours, such as after DNS rebinding.

Ours are the host of `CASEBOOK_PUBLIC_URL`, those of `CASEBOOK_ALLOWED_HOSTS`, `localhost` with the loopback
addresses, and the address that the connection arrived at. Any other name answers 421, so it enters no link,
no redirect and no comparison of origins. Probes of load balancers are answered by any name.

Source: https://www.rfc-editor.org/rfc/rfc9110#section-15.5.20
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from starlette.requests import Request

from backend.core.http import problems

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send

    from backend.core.settings import Settings

CODE = "UnknownHost"
LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})
PROBES = frozenset({"/healthz", "/readyz"})
_HOST = re.compile(r"(?:\[(?P<address>[0-9A-Fa-f:.]+)\]|(?P<name>\w[\w.-]*))(?::[0-9]{0,5})?", re.ASCII)


class AllowedHosts:
    """Answers 421 to requests for unknown hosts."""

    def __init__(self, app: ASGIApp) -> None:
        """Wrap `app`."""
        self.app = app
        self._names: frozenset[str] | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Forward the request, or refuse its host."""
        if scope["type"] != "http" or scope["path"] in PROBES or self._is_allowed(scope):
            await self.app(scope, receive, send)
            return
        detail = "this service has another host name; see CASEBOOK_PUBLIC_URL and CASEBOOK_ALLOWED_HOSTS"
        answer = problems.respond(Request(scope), 421, CODE, detail, headers={"Connection": "close"})
        await answer(scope, receive, send)

    def _is_allowed(self, scope: Scope) -> bool:
        if self._names is None:
            self._names = names_of(scope["app"].state.settings)
        hosts = [value.decode("latin-1") for name, value in scope["headers"] if name == b"host"]
        # A socket for both families has addresses such as ::ffff:192.0.2.1.
        local = (scope.get("server") or ("",))[0].removeprefix("::ffff:")
        # HTTP/1.0 needs no Host header; without one there is nothing to forge.
        ours = self._names | {local}
        return all(name_of(host) in ours for host in hosts)


def names_of(settings: Settings) -> frozenset[str]:
    """Return the host names and addresses that `settings` allow, in lower case."""
    configured = [name.strip() for name in settings.allowed_hosts.split(",") if name.strip()]
    return LOOPBACK | {
        name.lower() for name in (urlsplit(settings.public_url).hostname or "", *configured) if name
    }


def name_of(host: str) -> str | None:
    """Return the name in a Host header, without the port, brackets and a final dot; None for anything else.

    >>> name_of("localhost:a@evil.example") is None
    True
    """
    parts = _HOST.fullmatch(host)
    return (parts["address"] or parts["name"]).lower().removesuffix(".") if parts else None
