"""Pseudonyms of network addresses: same length as the original, from reserved ranges.

    10.20.30.40  ->  192.0.2.117 or 203.0.113.9, else 24x.…       RFC 5737, RFC 1112 (class E)
    10.0.0.5     ->  0.3.7.52                                     RFC 1122: "this network"
    fd00::1:2    ->  100::4f1a or 2001:db8::…                     RFC 6666, RFC 3849
    3c:fd:fe:…   ->  02:00:5e:…                                   a locally administered address

`draw(n)` returns a number below `n` derived from the original, the key and the attempt.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import ipaddress
    from collections.abc import Callable, Iterator

    Draw = Callable[[int], int]

DOCUMENTATION = ("192.0.2.", "203.0.113.", "198.51.100.")
MAC_PREFIX = "02005e"
DOCUMENTATION_TRIES = 8
SHORTEST_IPV4 = 7
LONG_IPV6 = 35


def ipv4(length: int, draw: Draw, attempt: int) -> str:
    """Return an address of `length` characters, 7 to 15; documentation ranges first."""
    if length <= SHORTEST_IPV4 + 1:
        last = draw(10) if length <= SHORTEST_IPV4 else 10 + draw(90)
        return f"0.{draw(10)}.{draw(10)}.{last}"
    fitting = _fitting(length)
    if fitting and attempt < DOCUMENTATION_TRIES:
        prefix = fitting[draw(len(fitting))]
        digits = length - len(prefix)
        return prefix + str((draw(10), 10 + draw(90), 100 + draw(155))[digits - 1])
    octets = [240 + draw(15)]
    remaining = length - 6
    for place in range(3):
        most = min(3, remaining - (2 - place))
        least = max(1, remaining - 3 * (2 - place))
        digits = least + draw(most - least + 1)
        octets.append((draw(10), 10 + draw(90), 100 + draw(156))[digits - 1])
        remaining -= digits
    return ".".join(map(str, octets))


def documentation(length: int) -> Iterator[str]:
    """Yield all addresses of `length` characters that the first tries of `ipv4` may give."""
    for prefix in _fitting(length):
        digits = length - len(prefix)
        yield from (f"{prefix}{last}" for last in range(255) if len(str(last)) == digits)


def _fitting(length: int) -> list[str]:
    return [prefix for prefix in DOCUMENTATION if 1 <= length - len(prefix) <= 3]


def ipv6(length: int, draw: Draw) -> str:
    """Return an address of `length` characters; shorter than 6 there is none, and it is 6."""
    if length >= LONG_IPV6:
        head = "2001:0db8:" if length == 39 else "2001:db8:"
        return head + _groups(length - len(head), 6, draw)
    head = "2001:db8::" if length > 10 else "100::"
    rest = max(1, length - len(head))
    return head + _groups(rest, (rest + 5) // 5, draw)


def mac(original: str, draw: Draw) -> str:
    """Return a hardware address with the separators of `original`."""
    digits = iter(MAC_PREFIX + "".join(f"{draw(16):x}" for _ in range(len(original))))
    return "".join(next(digits) if char.isalnum() else char for char in original)


def is_pseudonym_v4(address: ipaddress.IPv4Address) -> bool:
    """Return whether no machine has `address`: a pseudonym or a reserved address."""
    octets = address.packed
    return octets[0] == 0 or octets[0] >= 240 or str(address).startswith(DOCUMENTATION)


def _groups(length: int, count: int, draw: Draw) -> str:
    """Return `count` groups of hexadecimal digits, with colons `length` characters; none begins with 0."""
    digits = length - (count - 1)
    sizes = [digits // count + (place < digits % count) for place in range(count)]
    return ":".join("".join(f"{1 + draw(15):x}" for _ in range(size)) for size in sizes)
