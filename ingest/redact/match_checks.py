"""Checks of matches beyond their pattern: a version is not an address, `java.net.Socket` is not a host."""

from __future__ import annotations

import ipaddress
import re
from functools import lru_cache, partial
from typing import TYPE_CHECKING

from ingest.redact import addresses, detectors, shape_checks
from ingest.redact.address_digits import ADDRESS_DIGITS, address_of, plain

if TYPE_CHECKING:
    from collections.abc import Callable

_UNITS = frozenset(
    [
        "service",
        "socket",
        "slice",
        "scope",
        "mount",
        "target",
        "timer",
        "device",
        "path",
        "swap",
        "automount",
        "so",
        "conf",
        "cfg",
        "log",
        "txt",
    ]
)
_VARIABLE = re.compile(
    r"\$\w+$|\$\{|0x|%|<|\*\*\*|/(?:bin|dev|etc|home|mnt|opt|root|run|srv|tmp|usr|var)(?:/|$)"
)
"""Location of a secret, or a number: not the secret itself."""
_TAIL = re.compile(rb"[.\w-]")
SHORTEST_SECRET = 4
MAX_REMEMBERED = 100_000
MAC_DIGITS, INFINIBAND_DIGITS = (12, 16), 40

GROUPS = ("3333000000", "01005e0000", "0180c20000")
"""First digits of the addresses of groups that every machine knows: all nodes, all routers, bridges."""
Around = tuple[bytes, bytes]
"""The bytes right before and right behind a match: two at most on each side."""


def is_ipv4(text: str, around: Around) -> bool:
    """Return whether four numbers are the address of some machine, and not a version or a mask."""
    is_address, is_private = _known_ipv4(text)
    if not is_address:
        return False
    before, behind = around
    is_inside = before[-1:] in (b".", b"-", b"_", b"+", b"~") and before != b".."  # a range
    goes_on = behind[:1] in (b"-", b".", b"_", b"+", b"~") and behind[1:2].isalnum()
    return is_private or not (is_inside or goes_on or behind[:1].isalpha())


@lru_cache(maxsize=MAX_REMEMBERED)
def _known_ipv4(text: str) -> tuple[bool, bool]:
    """Return whether `text` may be the address of some machine, and whether it is a private one.

    A log names one address in many places, each judged by its context.
    """
    try:
        address = ipaddress.IPv4Address(text.replace("-", "."))
    except ValueError:
        return False, False
    is_identifying = not (address.is_loopback or address.is_multicast or addresses.is_pseudonym_v4(address))
    return is_identifying, address.is_private


def is_digits(kind: str, text: str) -> bool:
    """Return whether hexadecimal digits are the address of some machine."""
    known = plain(address_of(kind, text))
    if ":" in known:
        return is_ipv6(known, (b"", b""))
    address = ipaddress.IPv4Address(known)
    return not (address.is_loopback or address.is_multicast or addresses.is_pseudonym_v4(address))


def is_ipv6(text: str, around: Around) -> bool:
    """Return whether `text` is the address of some machine."""
    before, behind = around
    has_digit = any(map(str.isdigit, text))  # `add::ace` is a function
    goes_on = behind[:1] in (b":", b"_") or behind[:1].isalnum()  # `07:12:04::clientIF`
    if not has_digit or before[-1:] in (b":", b".") or goes_on:
        return False
    try:
        address = ipaddress.IPv6Address(int(text, 16)) if len(text) == 32 and ":" not in text else None
        address = address or ipaddress.IPv6Address(text)
    except ValueError:
        return False
    return not (
        addresses.is_pseudonym_v6(address)
        or address.is_loopback
        or address.is_unspecified
        or address.is_multicast
    )


def is_mac(text: str, around: Around) -> bool:
    """Return whether `text` is the address of some network card, and not a line of a signature."""
    before, behind = around
    is_behind_octets = before[-1:] == b":" and not before[:1].isalpha()  # `addr:` is no octet
    if ":" in text and (is_behind_octets or behind[:1] == b":"):
        return False
    if "." in text and b"." in (before[-1:], behind[:1]):  # a version
        return False
    digits = "".join(filter(str.isalnum, text)).lower()
    is_long = len(digits) not in MAC_DIGITS and not (
        len(digits) == INFINIBAND_DIGITS and digits.startswith("8000")
    )
    is_everybodys = digits.startswith((addresses.MAC_PREFIX, *GROUPS))
    return not is_long and len(set(digits)) > 1 and not is_everybodys


def is_fqdn(text: str, around: Around) -> bool:
    """Return whether `text` is the full name of a host that is not everybody's."""
    before, behind = around
    if before[-1:] in (b".", b"$", b"%"):
        return False
    if (behind[:1] == b"." and _TAIL.match(behind[1:2]) is not None) or behind[:1] in (b"_", b"("):
        return False
    name = text.lower()
    if name in detectors.load().public_hosts:
        return False
    return not is_public_domain(name)


def is_email(text: str, _: Around) -> bool:
    """Return whether `text` is an e-mail address, not the name of a unit such as `getty@tty1.service`."""
    domain = re.split(r"@|%40", text.lower())[-1]
    is_unit = domain.rpartition(".")[2] in _UNITS
    return not is_unit and not is_public_domain(domain) and not domain.endswith((".invalid", ".test", ".zz"))


def is_public_domain(name: str) -> bool:
    """Return whether `name` is, or is below, a public domain."""
    public = detectors.load().public_domains
    labels = name.split(".")[-_most_labels(public) :]
    return any(".".join(labels[at:]) in public for at in range(len(labels)))


@lru_cache(maxsize=1)
def _most_labels(domains: frozenset[str]) -> int:
    """Return the number of labels of the longest domain."""
    return 1 + max(name.count(".") for name in domains)


CHECKS: dict[str, Callable[[str, Around], bool]] = {
    "ipv4": is_ipv4,
    **{kind: partial(lambda kind, text, _: is_digits(kind, text), kind) for kind in ADDRESS_DIGITS},
    "ipv6": is_ipv6,
    "mac": is_mac,
    "fqdn": is_fqdn,
    "email": is_email,
    **shape_checks.CHECKS,
}


def is_public(kind: str, text: str) -> bool:
    """Return whether a name is everybody's, or an empty word: nothing to hide."""
    public = detectors.load()
    word = text.lower()
    if kind == "host":
        return word in public.public_hosts or word.isdigit()
    if kind == "user":
        bare = word.rstrip("+")
        is_cut = word.endswith("+") and any(name.startswith(bare) for name in public.public_users)
        is_letter = len(word) == 1  # `%U@domain`
        return (
            word in public.public_users
            or word.isdigit()
            or is_letter
            or is_cut
            or word.startswith(("systemd", "system:"))
        )
    if kind == "domain":
        return word in public.public_hosts or is_public_domain(word) or "." not in word
    if kind == "secret":
        is_count = word.isdigit() and len(word) < 6
        is_mask = len(set(word)) == 1 or _VARIABLE.match(word) is not None
        return word in public.public_secrets or is_count or is_mask or len(word) < SHORTEST_SECRET
    if kind == "serial":
        return len(set(word)) == 1 or "specified" in word or "filled" in word or word in public.public_secrets
    if kind == "project":
        everybody = public.public_projects | public.public_users | public.public_hosts
        return word in everybody or word.isdigit()
    return kind == "uuid" and set(word) <= {"0", "-"}
