"""Who a request is counted for: a session or token that holds, or else the address it came from.

Whether a secret holds is known only once it was looked up, and looking up is what a flood of guesses would
make us do. So a secret counts by itself from the moment it was found to hold, for ten minutes; until then,
and when it never does, its requests count for their address, among those of all strangers there.
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
HOLDS_SECONDS = 600.0
MAX_KNOWN = 20_000


class Sender:
    """Who sent one request.

    Attributes:
        secret: SHA-256 of the bearer token or cookie that came along; "" when none did.
        address: Where it came from; of IPv6 the network of 64 bits that one sender may have to themselves.
        holds: Whether the secret was looked up for this request and is somebody's.
    """

    __slots__ = ("address", "holds", "secret")

    def __init__(self, scope: Scope) -> None:
        """Read what the head of a request says."""
        request = Request(scope)
        scheme, _, token = request.headers.get("authorization", "").partition(" ")
        secret = token.strip() if scheme.lower() == "bearer" else request.cookies.get(SESSION_COOKIE, "")
        self.secret = _digest(secret) if secret else ""
        self.address = network_of(request.client.host if request.client else "")
        self.holds = False


class Known:
    """Secrets that were found to hold lately, the latest `MAX_KNOWN` of them."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        """Know none."""
        self._now = now
        self._until: OrderedDict[str, float] = OrderedDict()

    def __contains__(self, secret: str) -> bool:
        """Say whether `secret` is known."""
        return self._until.get(secret, 0.0) > self._now()

    def add(self, secret: str) -> None:
        """Know `secret` from now on, for a while."""
        self._until[secret] = self._now() + HOLDS_SECONDS
        self._until.move_to_end(secret)
        if len(self._until) > MAX_KNOWN:
            self._until.popitem(last=False)


def note_holds(scope: Scope, secret: str) -> None:
    """Note that `secret`, which came with this request, was looked up and is somebody's."""
    sender: Sender | None = scope.get(SCOPE_KEY)
    if sender is not None:
        sender.holds = sender.secret == _digest(secret)


def network_of(host: str) -> str:
    """Return what of an address stands for one sender: all of IPv4, the first half of IPv6."""
    try:
        address = ip_address(host.partition("%")[0])
    except ValueError:
        return host
    if not isinstance(address, IPv6Address):
        return str(address)
    return str(address.ipv4_mapped or ip_network((address, 64), strict=False))


def _digest(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()
