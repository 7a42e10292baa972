"""The catalogue of the kernel's own messages: which source line prints a line of a log.

    message_bits("nvme nvme0: I/O 12 QID 5 timeout, completion polled")  ->  (71, 1203344)
    find("nvme nvme0: I/O 12 QID 5 timeout, completion polled")
    ->  Found(bits=71, entry=1203344, start=12, end=54, identity=2853144417)
    entry(1203344).places[0]
    ->  Place(path="drivers/nvme/host/pci.c", module="nvme", function="nvme_timeout", level=4, is_error=False)

A message is given without the prefix of its log; a device or the name of a module before it stays. Fewer
than `LEAST_BITS` bits are no evidence that the kernel printed a line: programs print such words too. In Rust
the same question is `crate::messages::message_bits(text: &[u8]) -> Option<(u8, u32)>`.
"""

from __future__ import annotations

import json
import lzma
from functools import cache, lru_cache
from typing import NamedTuple

from ingest.native import _core

LEAST_BITS = 24
"""Bits of constant words that tell a message of the kernel from a line of a program."""

PATHS_OF_BLOCK = 512


class Found(NamedTuple):
    """The catalogued message that a line is.

    Attributes:
        bits: How seldom its constant words stand in lines of programs: −log₂ of the share; at most 255.
        entry: Its number, for `entry`.
        start: First byte of its first constant word; before it stand a prefix or a value.
        end: Byte behind its last constant word.
        identity: 32 bits of its constant words, the same in every catalogue.
    """

    bits: int
    entry: int
    start: int
    end: int
    identity: int


class Place(NamedTuple):
    """Where a message is printed.

    Attributes:
        path: The file below the top of its source package.
        module: The kernel module that the file is linked into; empty when its Makefiles do not say.
        level: 0 (emergency) to 6 (information) of the call.
        is_error: The code right behind the call returns an error.
    """

    path: str
    module: str
    function: str
    level: int
    is_error: bool


class Source(NamedTuple):
    """A source package that was looked at: `6.12`, `kernel`; `ZFS 2.2`, `module`."""

    release: str
    kind: str


class Entry(NamedTuple):
    """What is known of a message.

    Attributes:
        releases: A truth for each of `sources()`: whether it prints the message.
        levels: Levels of all its places in the newest of these.
        place_count: Number of these places; `places` are at most three.
    """

    bits: int
    releases: tuple[bool, ...]
    levels: tuple[int, ...]
    place_count: int
    places: tuple[Place, ...]


def message_bits(message: str) -> tuple[int, int] | None:
    """Return bits and number of the catalogued message that `message` is; None when it is none."""
    found = _core.message_find(message)
    return found and found[:2]


def find(message: str) -> Found | None:
    """Return the catalogued message that `message` is, the one of most bits; None when it is none."""
    found = _core.message_find(message)
    return None if found is None else Found(*found)


def find_all(messages: list[str]) -> list[Found | None]:
    """Return `find` of each of `messages`."""
    return [None if found is None else Found(*found) for found in _core.messages_find(messages)]


def count(text: bytes, least_bits: int = LEAST_BITS) -> tuple[int, int]:
    """Return how many lines of `text` have so many bits or more, and of how many distinct messages."""
    return _core.messages_count(text, least_bits)


@cache
def sources() -> tuple[Source, ...]:
    """Return the source packages that were looked at, kernels from the oldest to the newest, then modules."""
    return tuple(
        Source(row["release"], row["kind"]) for row in json.loads(_core.message_sources())["sources"]
    )


@cache
def message_count() -> int:
    """Return the number of messages."""
    found: int = json.loads(_core.message_sources())["messages"]
    return found


@lru_cache(maxsize=8_192)
def entry(number: int) -> Entry:
    """Return what is known of a message that a look-up found."""
    bits, releases, levels, place_count, places = _core.message_entry(number)
    return Entry(
        bits,
        tuple(bool(releases >> place & 1) for place in range(len(sources()))),
        tuple(level for level in range(8) if levels >> level & 1),
        place_count,
        tuple(_place(*place) for place in places),
    )


def _place(path: int, function: int, level: int, is_error: bool) -> Place:  # noqa: FBT001 - of the core
    name, module, *functions = _names(path // PATHS_OF_BLOCK)[path % PATHS_OF_BLOCK]
    return Place(name, module, functions[function], level, is_error)


@cache
def _names(block: int) -> list[list[str]]:
    """Return path, module and functions of each file of a block."""
    text = lzma.decompress(_core.message_names(block) or b"", format=lzma.FORMAT_ALONE).decode()
    return [row.split("\t") for row in text.split("\n")]
