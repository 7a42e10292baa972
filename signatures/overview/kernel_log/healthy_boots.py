"""The prior of healthy boots: on how many machines without trouble the kernel printed a message.

machines_with(identity_of("i8042: No controller found", None))  ->  14
machine_count()  ->  42

`healthy_boots.bin` is written by `python -m tools.healthy_boots` from logs that are not kept: a line of JSON
with the number of machines and the digests of the logs, then the identities in ascending order, 4 bytes each,
then a byte for each: its number of machines. All numbers are little-endian.
"""

from __future__ import annotations

import json
import sys
from array import array
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from ingest.native.messages import LEAST_BITS
from ingest.readers.logs.kernel_log.devices import without_devices

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ingest.native.messages import Found

DATA = Path(__file__).parent / "healthy_boots.bin"
MOST = 255
"""Machines that a byte counts."""

_OFFSET, _PRIME = 0x811C9DC5, 0x01000193


class Prior(NamedTuple):
    """The counts.

    Attributes:
        machines: How many machines there are.
        logs: SHA-256 of each log that was counted.
        counts: Machines of each message, by its identity.
    """

    machines: int
    logs: tuple[str, ...]
    counts: Mapping[int, int]


def identity_of(message: str, found: Found | None) -> int:
    """Return the 32 bits that a message is counted by, whatever its values.

    Args:
        message: Without the prefix of its log.
        found: The message of the catalogue that it is.
    """
    if found is not None and found.bits >= LEAST_BITS:
        return found.identity
    return hash_of(" ".join(constant_words(message)))


def constant_words(message: str) -> list[str]:
    """Return the words of a message without devices, and without those that have digits."""
    words = without_devices(message).split()
    return [word.strip(".,:;()[]<>'\"!") for word in words if not any(map(str.isdigit, word))]


def hash_of(text: str) -> int:
    """Return the 32 bits of FNV-1a of a text."""
    found = _OFFSET
    for byte in text.encode(errors="replace"):
        found = (found ^ byte) * _PRIME & 0xFFFFFFFF
    return found


def machines_with(identity: int) -> int:
    """Return the number of healthy machines that printed a message."""
    return prior().counts.get(identity, 0)


def machine_count() -> int:
    """Return the number of healthy machines."""
    return prior().machines


@cache
def prior() -> Prior:
    """Return the counts, read on first use."""
    return unpacked(DATA.read_bytes())


def packed(machines: int, logs: Sequence[str], counts: Mapping[int, int]) -> bytes:
    """Return the bytes of the counts."""
    head: dict[str, Any] = {"machines": machines, "logs": sorted(logs)}
    identities = array("I", sorted(counts))
    numbers = bytes(min(counts[one], MOST) for one in identities)
    if sys.byteorder == "big":
        identities.byteswap()
    return json.dumps(head, separators=(",", ":")).encode() + b"\n" + identities.tobytes() + numbers


def unpacked(data: bytes) -> Prior:
    """Return the counts that `packed` wrote."""
    head, _, body = data.partition(b"\n")
    about = json.loads(head)
    size = len(body) // 5
    identities = array("I", body[: 4 * size])
    if sys.byteorder == "big":
        identities.byteswap()
    return Prior(
        about["machines"], tuple(about["logs"]), dict(zip(identities, body[4 * size :], strict=True))
    )
