"""SSRF guard: outgoing HTTP calls to configured hosts, never into the internal network.

The name is resolved, every address is checked, and the connection goes to a checked address, not to the name
again, so DNS rebinding has no effect. A redirect is another connection and checked likewise. Proxies of the
environment are not used: they would resolve names themselves.

    with ssrf_guard.client(settings, timeout_seconds=10) as client: …

No other module of the service may import an HTTP client (contract `outgoing` in pyproject.toml).

Source: https://owasp.org/www-community/attacks/Server_Side_Request_Forgery
"""

from __future__ import annotations

import ipaddress
import socket
import ssl
from typing import TYPE_CHECKING

import httpcore
import httpx

if TYPE_CHECKING:
    from collections.abc import Iterable

    from backend.core.settings import Settings

CONNECT_SECONDS = 10.0


class RefusedAddressError(httpcore.ConnectError):
    """The address is in a private or internal network."""


CallError = httpx.HTTPError
"""No response, or one that is not HTTP; refused addresses included."""


def client(
    settings: Settings, *, timeout_seconds: float = CONNECT_SECONDS, follow_redirects: bool = False
) -> httpx.Client:
    """Return an HTTP client for public addresses, and for the networks that the settings allow."""
    allowed = [network.strip() for network in settings.outgoing_allow.split(",") if network.strip()]
    return httpx.Client(
        transport=_Guarded(allowed),
        trust_env=False,
        timeout=timeout_seconds,
        follow_redirects=follow_redirects,
    )


def checked_addresses(host: str, port: int, allowed: Iterable[str]) -> list[str]:
    """Return the addresses of `host`, all of them allowed.

    Raises:
        RefusedAddressError: One of them is not allowed, or there is none.
    """
    networks = [ipaddress.ip_network(network) for network in allowed]
    try:
        found = {str(row[4][0]) for row in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)}
    except OSError as error:
        raise RefusedAddressError(f"{host} does not resolve: {error}") from None
    for text in sorted(found):
        address = ipaddress.ip_address(text.partition("%")[0])
        inner = getattr(address, "ipv4_mapped", None) or getattr(address, "sixtofour", None) or address
        is_allowed = any(inner in network for network in networks)
        if not is_allowed and (not inner.is_global or inner.is_multicast):
            raise RefusedAddressError(
                f"{host} is {text}, an internal address; allow its network with CASEBOOK_OUTGOING_ALLOW"
            )
    return sorted(found)


class _Backend(httpcore.SyncBackend):
    def __init__(self, allowed: list[str]) -> None:
        self._allowed = allowed

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[httpcore.SOCKET_OPTION] | None = None,
    ) -> httpcore.NetworkStream:
        """Connect to a checked address of `host`; TLS still verifies the certificate of `host`."""
        address = checked_addresses(host, port, self._allowed)[0]
        return super().connect_tcp(address, port, timeout or CONNECT_SECONDS, local_address, socket_options)


class _Guarded(httpx.HTTPTransport):
    def __init__(self, allowed: list[str]) -> None:
        super().__init__(trust_env=False)
        self._pool = httpcore.ConnectionPool(
            ssl_context=ssl.create_default_context(), network_backend=_Backend(allowed)
        )
