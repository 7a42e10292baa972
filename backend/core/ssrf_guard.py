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
import time
from functools import cache
from typing import TYPE_CHECKING, Any

import httpcore
import httpx

if TYPE_CHECKING:
    from collections.abc import Iterable
    from ipaddress import IPv4Address, IPv6Address

    from backend.core.settings import Settings

CONNECT_SECONDS = 10.0
INTERNAL = tuple(
    ipaddress.ip_network(network)
    for network in (
        "192.0.0.0/24",  # IETF protocol assignments; 192.0.0.192 is a metadata service
        "192.88.99.0/24",  # relays of 6to4
        "168.63.129.16/32",  # the platform service of Azure
        "64:ff9b:1::/48",  # local NAT64
        "fec0::/10",  # site-local
        "3fff::/20",  # documentation
        "5f00::/16",  # segment routing
    )
)
"""Networks beyond those that `ipaddress` of every supported Python takes for internal.

Source: https://www.iana.org/assignments/iana-ipv6-special-registry/
"""

EMBEDDING = tuple(
    (ipaddress.IPv6Network(network), shift)
    for network, shift in (
        ("::ffff:0:0/96", 0),  # IPv4-mapped
        ("::/96", 0),  # IPv4-compatible
        ("64:ff9b::/96", 0),  # NAT64
        ("2002::/16", 80),  # 6to4
    )
)
"""IPv6 networks that lead to an IPv4 address, and the bits behind that address."""


class RefusedAddressError(httpcore.ConnectError):
    """The address is in a private or internal network."""


CallError = httpx.HTTPError
"""No response, or one that is not HTTP; refused addresses included."""

InvalidUrlError = httpx.InvalidURL


def client(
    settings: Settings,
    *,
    timeout_seconds: float = CONNECT_SECONDS,
    follow_redirects: bool = False,
    total_seconds: float | None = None,
) -> httpx.Client:
    """Return an HTTP client for public addresses, and for the networks that the settings allow.

    `timeout_seconds` bounds each step. A receiver that sends a byte now and then passes that for hours:
    `total_seconds` bounds all of a connection.
    """
    return httpx.Client(
        transport=_Guarded(allowed_networks(settings), total_seconds),
        trust_env=False,
        timeout=timeout_seconds,
        follow_redirects=follow_redirects,
    )


def allowed_networks(settings: Settings) -> list[str]:
    """Return the internal networks that the settings allow."""
    return [network.strip() for network in settings.outgoing_allow.split(",") if network.strip()]


def is_allowed_inside(settings: Settings, host: str, port: int) -> bool:
    """Return whether all addresses of `host` are in internal networks that the settings allow.

    Raises:
        RefusedAddressError: One of them is internal and not allowed, or there is none.
    """
    networks = [ipaddress.ip_network(network) for network in allowed_networks(settings)]
    found = checked_addresses(host, port, allowed_networks(settings))
    reached = [_reached(ipaddress.ip_address(text.partition("%")[0])) for text in found]
    return all(any(address in network for network in networks) for address in reached)


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
        address = _reached(ipaddress.ip_address(text.partition("%")[0]))
        is_allowed = any(address in network for network in networks)
        if not is_allowed and _is_internal(address):
            raise RefusedAddressError(
                f"{host} is {text}, an internal address; allow its network with CASEBOOK_OUTGOING_ALLOW"
            )
    return sorted(found)


def _reached(address: IPv4Address | IPv6Address) -> IPv4Address | IPv6Address:
    """Return the IPv4 address that an IPv6 address leads to, or the address itself."""
    for network, shift in EMBEDDING:
        # ::1 and :: are addresses of their own.
        if address in network and int(address) > 1:
            return ipaddress.IPv4Address(int(address) >> shift & 0xFFFFFFFF)
    return address


def _is_internal(address: IPv4Address | IPv6Address) -> bool:
    is_public = address.is_global and not address.is_multicast and not address.is_reserved
    return not is_public or any(address in network for network in INTERNAL)


class _Backend(httpcore.SyncBackend):
    def __init__(self, allowed: list[str], total_seconds: float | None) -> None:
        self._allowed = allowed
        self._total_seconds = total_seconds

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
        stream = super().connect_tcp(address, port, timeout or CONNECT_SECONDS, local_address, socket_options)
        if self._total_seconds is None:
            return stream
        return _Bounded(stream, time.monotonic() + self._total_seconds)


class _Bounded(httpcore.NetworkStream):
    """A connection whose every step ends at the deadline of the whole."""

    def __init__(self, stream: httpcore.NetworkStream, deadline: float) -> None:
        self._stream = stream
        self._deadline = deadline

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        return self._stream.read(max_bytes, self._left(timeout, httpcore.ReadTimeout))

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        self._stream.write(buffer, self._left(timeout, httpcore.WriteTimeout))

    def close(self) -> None:
        self._stream.close()

    def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore.NetworkStream:
        left = self._left(timeout, httpcore.ConnectTimeout)
        return _Bounded(self._stream.start_tls(ssl_context, server_hostname, left), self._deadline)

    def get_extra_info(self, info: str) -> Any:
        return self._stream.get_extra_info(info)

    def _left(self, timeout: float | None, expired: type[Exception]) -> float:
        left = self._deadline - time.monotonic()
        if left <= 0:
            raise expired("the answer took too long as a whole")
        return left if timeout is None else min(left, timeout)


class _Guarded(httpx.HTTPTransport):
    def __init__(self, allowed: list[str], total_seconds: float | None) -> None:
        super().__init__(verify=_authorities(), trust_env=False)
        self._pool = httpcore.ConnectionPool(
            ssl_context=_authorities(), network_backend=_Backend(allowed, total_seconds)
        )


@cache
def _authorities() -> ssl.SSLContext:
    """Return the context of all calls: to load the certificate authorities takes 40 ms of CPU."""
    return ssl.create_default_context()
