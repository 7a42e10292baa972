"""Addresses as the kernel and tools write them in hexadecimal digits.

ipv4hex    0100007F                            127.0.0.1, /proc/net/tcp: lowest byte first
ipv4net    7f000001, 7f00 0001                 127.0.0.1, audit, tcpdump, names of tunnels: highest byte first
ipv6word   00000000000000000000000001000000    ::1, /proc/net/tcp6: words of four bytes, lowest byte first
"""

from __future__ import annotations

import ipaddress

ADDRESS_DIGITS = frozenset({"ipv4hex", "ipv4net", "ipv6word"})
Address = ipaddress.IPv4Address | ipaddress.IPv6Address


def address_of(kind: str, digits: str) -> Address:
    """Return the address in `digits` of one of `ADDRESS_DIGITS`."""
    octets = bytes.fromhex(digits)
    if kind == "ipv6word":
        return ipaddress.IPv6Address(_by_words(octets))
    return ipaddress.IPv4Address(octets[::-1] if kind == "ipv4hex" else octets)


def digits_of(kind: str, address: Address, digits: str) -> str:
    """Return `address` in digits of `kind`, in the case and with the spaces of `digits`."""
    octets = address.packed
    if kind != "ipv4net":
        octets = octets[::-1] if kind == "ipv4hex" else _by_words(octets)
    found = octets.hex()
    if digits.isupper() or digits.isdigit():
        found = found.upper()
    return f"{found[:4]} {found[4:]}" if " " in digits else found


def plain(address: Address) -> str:
    """Return the text of an address; a mapped one is an IPv4 address."""
    mapped = address.ipv4_mapped if isinstance(address, ipaddress.IPv6Address) else None
    return str(mapped or address)


def _by_words(octets: bytes) -> bytes:
    return b"".join(octets[at : at + 4][::-1] for at in range(0, 16, 4))
