"""Pseudonyms of network addresses: same length as the original, from ranges that no machine and no text uses.

    10.20.30.40  ->  247.8.41.20        RFC 1112 (class E)
    10.0.0.5     ->  0.3.7.52           RFC 1122: "this network"
    fd00::1:2    ->  100::4f1a          RFC 6666: discarded
    3c:fd:fe:…   ->  02:00:5e:…         a locally administered address

Addresses of documentation (`192.0.2.9`, `2001:db8::1`) are none: people write them for those they hide.

`draw(n)` returns a number below `n` derived from the original, the key and the attempt.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import ipaddress
    from collections.abc import Callable

    Draw = Callable[[int], int]

MAC_PREFIX = "02005e"
SHORTEST_IPV4 = 7
DISCARDED = bytes.fromhex("0100000000000000")
"""First half of an IPv6 address that is discarded."""
_SHORT_HEAD = "100::"
_MOST_BELOW = 19
"""Characters of four groups of four digits."""


def ipv4(length: int, draw: Draw) -> str:
    """Return an address of `length` characters, 7 to 15."""
    if length <= SHORTEST_IPV4 + 1:
        last = draw(10) if length <= SHORTEST_IPV4 else 10 + draw(90)
        return f"0.{draw(10)}.{draw(10)}.{last}"
    octets = [240 + draw(15)]
    remaining = length - 6
    for place in range(3):
        most = min(3, remaining - (2 - place))
        least = max(1, remaining - 3 * (2 - place))
        digits = least + draw(most - least + 1)
        octets.append((draw(10), 10 + draw(90), 100 + draw(156))[digits - 1])
        remaining -= digits
    return ".".join(map(str, octets))


def ipv6(length: int, draw: Draw) -> str:
    """Return an address of `length` characters; shorter than 6 there is none, and it is 6."""
    rest = max(1, length - len(_SHORT_HEAD))
    if rest <= _MOST_BELOW:
        return _SHORT_HEAD + _groups(rest, (rest + 5) // 5, draw)
    zeros = max(3, length - len("100:") - len(":::") - _MOST_BELOW)
    head = "0100:" if zeros > 3 * 4 else "100:"
    zeros -= len(head) - len("100:")
    head += "".join("0" * (zeros // 3 + (place < zeros % 3)) + ":" for place in range(3))
    return head + _groups(length - len(head), 4, draw)


def mac(original: str, draw: Draw) -> str:
    """Return a hardware address with the separators of `original`."""
    digits = iter(MAC_PREFIX + "".join(f"{draw(16):x}" for _ in range(len(original))))
    return "".join(next(digits) if char.isalnum() else char for char in original)


def is_pseudonym_v4(address: ipaddress.IPv4Address) -> bool:
    """Return whether no machine has `address`: a pseudonym or a reserved address."""
    octets = address.packed
    return octets[0] == 0 or octets[0] >= 240


def is_pseudonym_v6(address: ipaddress.IPv6Address) -> bool:
    """Return whether no machine has `address`: a pseudonym."""
    return address.packed.startswith(DISCARDED)


def _groups(length: int, count: int, draw: Draw) -> str:
    """Return `count` groups of hexadecimal digits, with colons `length` characters; none begins with 0."""
    digits = length - (count - 1)
    sizes = [digits // count + (place < digits % count) for place in range(count)]
    return ":".join("".join(f"{1 + draw(15):x}" for _ in range(size)) for size in sizes)
