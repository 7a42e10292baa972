"""Forwarded headers: the address and scheme of the client behind trusted proxies.

    X-Forwarded-For: 203.0.113.7, 198.51.100.9     appended by each proxy; the peer itself is not in it
    X-Forwarded-Proto: https                       of the outermost proxy

Only a peer in `CASEBOOK_TRUSTED_PROXIES` is believed. The list is read from its end: the first address that
is no trusted proxy is the client, which may have written anything before it. Without such a setting the
headers are ignored, also on loopback, where any local process could forge them.

Source: https://developer.mozilla.org/en-US/docs/Web/HTTP/Reference/Headers/X-Forwarded-For
"""

from __future__ import annotations

import logging
from ipaddress import ip_address, ip_network
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network

    from starlette.types import ASGIApp, Receive, Scope, Send

logger = logging.getLogger(__name__)

FOR, PROTO = b"x-forwarded-for", b"x-forwarded-proto"
SCHEMES = frozenset({"http", "https"})
MAX_HOPS = 32
"""Addresses of the header that are looked at."""


class ForwardedHeaders:
    """Sets the client address and the scheme of a request from the headers of trusted proxies."""

    def __init__(self, app: ASGIApp) -> None:
        """Wrap `app`."""
        self.app = app
        self._networks: tuple[IPv4Network | IPv6Network, ...] | None = None
        self._has_warned = False

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Forward the request with its client."""
        if scope["type"] == "http" and scope.get("client"):
            self._resolve(scope)
        await self.app(scope, receive, send)

    def _resolve(self, scope: Scope) -> None:
        chain = [value for name, value in scope["headers"] if name == FOR]
        protos = [value for name, value in scope["headers"] if name == PROTO]
        if not chain and not protos:
            return
        peer = _address(scope["client"][0])
        if peer is None or not self._trusts(peer, scope):
            self._warn(scope["client"][0])
            return
        if protos and (scheme := protos[-1].decode("latin-1").rpartition(",")[2].strip().lower()) in SCHEMES:
            scope["scheme"] = scheme
        client = peer
        hops = b",".join(chain).decode("latin-1").split(",") if chain else []
        for text in reversed(hops[-MAX_HOPS:]):
            hop = _address(text)
            if hop is None:
                break
            client = hop
            if not self._trusts(hop, scope):
                break
        scope["client"] = (str(client), 0)

    def _trusts(self, address: IPv4Address | IPv6Address, scope: Scope) -> bool:
        if self._networks is None:
            texts = scope["app"].state.settings.trusted_proxies.split(",")
            self._networks = tuple(ip_network(text.strip()) for text in texts if text.strip())
        return any(address in network for network in self._networks)

    def _warn(self, peer: str) -> None:
        """Log once that a proxy may be in front that is not configured."""
        if not self._has_warned:
            self._has_warned = True
            logger.warning(
                "X-Forwarded-For and X-Forwarded-Proto of %s are ignored: "
                "add its address to CASEBOOK_TRUSTED_PROXIES if it is your proxy",
                peer,
            )


def _address(text: str) -> IPv4Address | IPv6Address | None:
    """Return the address in `192.0.2.1`, `192.0.2.1:4711`, `2001:db8::1` or `[2001:db8::1]:4711`."""
    text = text.strip()
    if text.startswith("["):
        text = text[1:].partition("]")[0]
    elif text.count(":") == 1:
        text = text.partition(":")[0]
    try:
        address = ip_address(text.partition("%")[0])
    except ValueError:
        return None
    return getattr(address, "ipv4_mapped", None) or address
