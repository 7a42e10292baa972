"""Pseudonyms of names that have parts: a full host name, an address written in hexadecimal.

db1.prod.acme.com  ->  the pseudonyms of db1, prod and acme.com, joined by dots
"""

from __future__ import annotations

import ipaddress
from typing import TYPE_CHECKING

from ingest.redact import addresses, match_checks
from ingest.redact.address_digits import ADDRESS_DIGITS, address_of, digits_of, plain
from ingest.redact.pseudonyms import Pseudonyms

if TYPE_CHECKING:
    from collections.abc import Mapping

SECOND_LEVELS = frozenset({"ac", "co", "com", "edu", "gov", "net", "or", "org"})
"""Second-level suffixes below a country: `acme.co.uk`."""


class Names:
    """Replaces whole names of every kind."""

    def __init__(self, key: bytes, pseudonym_map: Mapping[str, str] | None) -> None:
        """Replace by pseudonyms of `key`."""
        self._pseudonyms = Pseudonyms(key, pseudonym_map)

    @property
    def pseudonym_map(self) -> dict[str, str]:
        """Pseudonyms so far, by digest of the original."""
        return self._pseudonyms.pseudonym_map

    def of(self, kind: str, name: str) -> str:
        """Return the pseudonym of `name`."""
        if kind == "fqdn" or (kind == "host" and "." in name):
            return self._full_name(name)
        if kind == "ipv4" and "-" in name:
            return self._pseudonyms.of("ipv4", name.replace("-", ".")).replace(".", "-")
        if kind in ADDRESS_DIGITS:
            return self._digits(kind, name)
        if kind == "ipv6" and ":" not in name:
            drawn = self._pseudonyms.of("ipv6", str(ipaddress.IPv6Address(int(name, 16))))
            return ipaddress.IPv6Address(drawn).packed.hex()
        if kind == "user" and "." in name:
            return self._pseudonyms.of("user", name)
        return self._pseudonyms.of(kind, name)

    def is_own(self, kind: str, name: str) -> bool:
        """Return whether `name` is a pseudonym already."""
        if kind == "fqdn" or (kind == "host" and "." in name):
            return self._pseudonyms.is_own("domain", name.lower())
        if kind == "ipv4":
            return addresses.is_pseudonym_v4(ipaddress.IPv4Address(name.replace("-", ".")))
        if kind == "mac":
            digits = "".join(filter(str.isalnum, name)).lower()
            return digits.startswith(addresses.MAC_PREFIX) or len(set(digits)) == 1
        if kind in ADDRESS_DIGITS | {"ipv6"}:
            return not match_checks.CHECKS[kind](name, (b"", b""))
        return self._pseudonyms.is_own(kind, name)

    def split(self, name: str) -> tuple[str, str]:
        """Return the first label of a full name, and its registrable domain."""
        labels = name.lower().split(".")
        is_country = len(labels[-1]) == 2 and len(labels) > 2 and labels[-2] in SECOND_LEVELS
        owned = 3 if is_country else 2
        first = name.split(".", maxsplit=1)[0] if len(labels) > owned else ""
        return first, ".".join(labels[-owned:])

    def _digits(self, kind: str, name: str) -> str:
        """Return the digits of the pseudonym of the address that `name` writes."""
        old = plain(address_of(kind, name))
        drawn = self._pseudonyms.of("ipv6" if ":" in old else "ipv4", old)
        is_mapped = kind == "ipv6word" and ":" not in old
        return digits_of(kind, ipaddress.ip_address(f"::ffff:{drawn}" if is_mapped else drawn), name)

    def _full_name(self, name: str) -> str:
        first, domain = self.split(name)
        if not first:
            return self._pseudonyms.of("domain", domain)
        below = name[: -len(domain) - 1].split(".")
        return ".".join([*(self._label(label) for label in below), self._pseudonyms.of("domain", domain)])

    def _label(self, label: str) -> str:
        return label if self._pseudonyms.is_own("host", label) else self._pseudonyms.of("host", label)
