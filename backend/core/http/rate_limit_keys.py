"""Rate limit keys: a valid session or token, else the IP address of the request.

A secret is validated only by a database lookup, and a flood of guesses would cause one each. So a secret has
its own budget for ten minutes after it was found valid; before that, and if it never is, its requests count
for their IP address, together with all others without valid credentials.
"""

from __future__ import annotations

import hashlib
import time
from collections import OrderedDict
from ipaddress import IPv6Address, ip_address, ip_network
from typing import TYPE_CHECKING

from starlette.requests import Request

if TYPE_CHECKING:
    from collections.abc import Callable

    from starlette.types import Scope

SESSION_COOKIE = "casebook_session"
GUEST_COOKIE = "casebook_guest"
SCOPE_KEY = "casebook.sender"
VALID_SECONDS = 600.0
MAX_VALID = 20_000


class Sender:
    """Sender of one request.

    Attributes:
        secret: SHA-256 of the bearer token or cookie; "" when there is none.
        address: IP address; of IPv6 its /64 network, which one sender may own.
        is_valid: Whether this request looked the secret up and found it valid.
    """

    __slots__ = ("address", "is_valid", "secret")

    def __init__(self, scope: Scope) -> None:
        """Read the credentials and the address from the head of a request."""
        request = Request(scope)
        scheme, _, token = request.headers.get("authorization", "").partition(" ")
        secret = token.strip() if scheme.lower() == "bearer" else request.cookies.get(SESSION_COOKIE, "")
        self.secret = _digest(secret) if secret else ""
        self.address = network_of(request.client.host if request.client else "")
        self.is_valid = False


class ValidSecrets:
    """Secrets recently found valid, the latest `MAX_VALID` of them."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        """Start empty."""
        self._now = now
        self._until: OrderedDict[str, float] = OrderedDict()

    def __contains__(self, secret: str) -> bool:
        """Return whether `secret` was found valid lately."""
        return self._until.get(secret, 0.0) > self._now()

    def add(self, secret: str) -> None:
        """Add `secret` for the next `VALID_SECONDS`."""
        self._until[secret] = self._now() + VALID_SECONDS
        self._until.move_to_end(secret)
        if len(self._until) > MAX_VALID:
            self._until.popitem(last=False)


def mark_valid(scope: Scope, secret: str) -> None:
    """Mark `secret`, the credential of this request, as found valid."""
    sender: Sender | None = scope.get(SCOPE_KEY)
    if sender is not None:
        sender.is_valid = sender.secret == _digest(secret)


def network_of(host: str) -> str:
    """Return the rate limit unit of an address: an IPv4 address, or an IPv6 /64 network."""
    try:
        address = ip_address(host.partition("%")[0])
    except ValueError:
        return host
    if not isinstance(address, IPv6Address):
        return str(address)
    return str(address.ipv4_mapped or ip_network((address, 64), strict=False))


def _digest(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()
