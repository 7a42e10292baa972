"""URLs that may be called: what is refused when one is entered.

The connection decides again, by the address it goes to (`backend.core.ssrf_guard`): a name may resolve to
another one by then.
"""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import SplitResult, urlsplit

from backend.core import ssrf_guard
from backend.core.errors import InvalidRequestError

if TYPE_CHECKING:
    from backend.core.settings import Settings

PORTS = {"https": 443, "http": 80}
WEB_PORTS = frozenset(PORTS.values())
UNPRIVILEGED = 1024
"""Ports below belong to other protocols, but for those of the web."""


def check(settings: Settings, url: str) -> None:
    """Require that events may be sent to `url`.

    Raises:
        InvalidRequestError: They may not; the message says why.
    """
    parts, port = _parsed(url)
    host = _ascii(parts.hostname or "")
    try:
        is_inside = ssrf_guard.is_allowed_inside(settings, host, port)
    except ssrf_guard.RefusedAddressError as error:
        raise InvalidRequestError(f"`url` may not be called: {error}") from None
    if is_inside:
        return
    if parts.scheme != "https":
        raise InvalidRequestError(
            "`url` must begin with https://, unless its host is in CASEBOOK_OUTGOING_ALLOW"
        )
    if port < UNPRIVILEGED and port not in WEB_PORTS:
        raise InvalidRequestError(f"`url` names the port {port}, which is not one of the web")


def _parsed(url: str) -> tuple[SplitResult, int]:
    """Return the parts of a URL and its port.

    Raises:
        InvalidRequestError: It is no URL of the web, or holds credentials or a fragment.
    """
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        raise InvalidRequestError("`url` is not a URL") from None
    if parts.scheme not in PORTS or not parts.hostname:
        raise InvalidRequestError("`url` must begin with https:// and name a host")
    if parts.username is not None or parts.password is not None or "\\" in url:
        raise InvalidRequestError("`url` must not hold a user name, a password or a backslash")
    if parts.fragment:
        raise InvalidRequestError("`url` must not have a fragment, which is never sent")
    return parts, PORTS[parts.scheme] if port is None else port


def _ascii(host: str) -> str:
    """Return the host as the resolver is asked, full-width and circled characters as plain ones.

    Raises:
        InvalidRequestError: It is no host name.
    """
    if ":" in host:
        return host
    try:
        return host.encode("idna").decode("ascii") if not host.isascii() else host
    except UnicodeError:
        raise InvalidRequestError("`url` names no valid host") from None
