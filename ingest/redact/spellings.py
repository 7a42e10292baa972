r"""How names are spelled that stand there encoded, and how their pseudonyms are, spelled the same way.

    db7-prod  ->  6462372d70726f64, ZGI3LXByb2, db7%2Dprod, db7\u002dprod, db7_prod, dorp-7bd
    10.0.0.5  ->  0500000A, 167772165, 10_0_0_5, 5.0.0.10, 010.000.000.005
    acme.com  ->  com.acme, dc=acme,dc=com

Each is as long as the name spelled that way wherever the pseudonym is as long as the name.
"""

from __future__ import annotations

import base64
import ipaddress
import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

SHORTEST = 6
"""Shorter names are looked for as they are alone: their encodings stand in any text by chance."""
SHORTEST_BACKWARDS = 8
COMM_BYTES = 15
COLUMN = 8
_SEPARATOR = re.compile(r"[-.]")


class Spelling(NamedTuple):
    """One way to spell a name, and its pseudonym spelled that way.

    Attributes:
        is_exact: Capitals count.
        is_bounded: It is no name inside of a longer word.
    """

    written: str
    by: str
    is_exact: bool = False
    is_bounded: bool = False


def of(kind: str, name: str, pseudonym: str) -> Iterator[Spelling]:
    """Yield the encoded spellings of a name."""
    if kind in _OF_KIND:
        yield from _OF_KIND[kind](name, pseudonym)
    yield from (one for one in _of_any(kind, name, pseudonym) if one.written != name)


def _of_any(kind: str, name: str, pseudonym: str) -> Iterator[Spelling]:
    if len(name) < SHORTEST:
        return
    is_address = kind in {"ipv4", "ipv4hex"}
    for spell in (_hex,) if is_address else (_hex, _all_in_a_url, _reserved_in_a_url, _escaped_in_json):
        yield Spelling(spell(name), spell(pseudonym))
    for shift in range(3):
        told = _base64(name, shift)
        yield Spelling(told, _base64(pseudonym, shift)[: len(told)], is_exact=True)
    if kind in {"host", "fqdn", "domain", "user"} and _SEPARATOR.search(name):
        yield Spelling(_SEPARATOR.sub("_", name), _SEPARATOR.sub("_", pseudonym))
    if len(name) >= SHORTEST_BACKWARDS:
        yield Spelling(name[::-1], pseudonym[::-1])
    if kind in {"host", "user"} and len(name) > COMM_BYTES:
        yield Spelling(name[:COMM_BYTES], pseudonym[:COMM_BYTES])
    if kind == "user" and len(name) > COLUMN:
        # `ps` cuts a user to its column and says so; `w` cuts silently.
        yield Spelling(f"{name[: COLUMN - 1]}+", f"{pseudonym[: COLUMN - 1]}+", is_bounded=True)
        yield Spelling(name[:COLUMN], pseudonym[:COLUMN], is_bounded=True)


def _bytes(name: str) -> bytes:
    return name.encode("utf-8", "surrogateescape")


def _hex(name: str) -> str:
    return _bytes(name).hex()


def _base64(name: str, shift: int) -> str:
    """Return the digits that depend on the name alone, when `shift` bytes stand before it."""
    told = base64.b64encode(b"\0" * shift + _bytes(name)).decode()
    behind = (shift + len(_bytes(name))) % 3
    return told[(0, 2, 3)[shift] : len(told) - (0, 3, 2)[behind]]


def _all_in_a_url(name: str) -> str:
    return "".join(
        chr(byte) if chr(byte).isalnum() and byte < 128 else f"%{byte:02x}" for byte in _bytes(name)
    )


def _reserved_in_a_url(name: str) -> str:
    kept = "-._~"
    return "".join(
        chr(byte) if (chr(byte).isalnum() and byte < 128) or chr(byte) in kept else f"%{byte:02x}"
        for byte in _bytes(name)
    )


def _escaped_in_json(name: str) -> str:
    return "".join(
        letter if letter.isalnum() and letter.isascii() else f"\\u{ord(letter):04x}" for letter in name
    )


def _of_ipv4(name: str, pseudonym: str) -> Iterator[Spelling]:
    if "-" in name:
        return
    for one in map(Spelling, _written(name), _written(pseudonym)):
        yield one._replace(is_bounded=True)
    yield Spelling(f"_{name.replace('.', '_')}", f"_{pseudonym.replace('.', '_')}")
    yield Spelling(f"0x{_octets(name).hex()}", f"0x{_octets(pseudonym).hex()}")


def _octets(address: str) -> bytes:
    return bytes(map(int, address.split(".")))


def _written(address: str) -> tuple[str, ...]:
    """Return an address with other marks, padded, backwards, as a number, as procfs and as C write it."""
    parts = address.split(".")
    octets = bytes(map(int, parts))
    return (
        "-".join(parts),
        "_".join(parts),
        ".".join(part.zfill(3) for part in parts),
        ".".join(reversed(parts)),
        f"{int.from_bytes(octets):09}",
        octets[::-1].hex(),
        octets.hex(),
    )


def _of_ipv6(name: str, pseudonym: str) -> Iterator[Spelling]:
    if ":" not in name:
        return
    old, new = ipaddress.IPv6Address(name), ipaddress.IPv6Address(pseudonym)
    yield Spelling(old.exploded, new.exploded)
    yield Spelling(old.packed.hex(), new.packed.hex())
    yield Spelling(_words_of_procfs(old), _words_of_procfs(new))
    yield Spelling(old.reverse_pointer, new.reverse_pointer)
    yield Spelling(_all_in_a_url(str(old)), _all_in_a_url(str(new)))


def _words_of_procfs(address: ipaddress.IPv6Address) -> str:
    return "".join(address.packed[at : at + 4][::-1].hex() for at in range(0, 16, 4))


def _of_mac(name: str, pseudonym: str) -> Iterator[Spelling]:
    old, new = (bytes.fromhex("".join(filter(str.isalnum, text))) for text in (name, pseudonym))
    if len(old) != 6:
        return
    for separator in ("", ":", "-", "_"):
        yield Spelling(
            old.hex(separator) if separator else old.hex(), new.hex(separator) if separator else new.hex()
        )
    for written in (_eui64, _guid):
        yield Spelling(written(old), written(new))


def _eui64(address: bytes) -> str:
    """Return the lower half of the addresses that IPv6 makes of a hardware address."""
    half = bytes([address[0] ^ 2, *address[1:3], 0xFF, 0xFE, *address[3:]]).hex()
    return ":".join(half[at : at + 4].lstrip("0") or "0" for at in range(0, 16, 4))


def _guid(address: bytes) -> str:
    half = (address[:3] + b"\x03\x00" + address[3:]).hex()
    return ":".join(half[at : at + 4] for at in range(0, 16, 4))


def _of_domain(name: str, pseudonym: str) -> Iterator[Spelling]:
    old, new = name.split("."), pseudonym.split(".")
    if len(old) < 2 or len(name) < SHORTEST:
        return
    yield Spelling(".".join(reversed(old)), ".".join(reversed(new)), is_bounded=True)
    yield Spelling(_in_ldap(old), _in_ldap(new))
    if "-" in old[0] and len(old[0]) >= SHORTEST_BACKWARDS:
        yield Spelling(old[0].replace("-", ""), new[0][: len(old[0].replace("-", ""))], is_bounded=True)


def _in_ldap(labels: list[str]) -> str:
    return ",".join(f"dc={label}" for label in labels)


_OF_KIND: dict[str, Callable[[str, str], Iterator[Spelling]]] = {
    "ipv4": _of_ipv4,
    "ipv6": _of_ipv6,
    "mac": _of_mac,
    "domain": _of_domain,
}
