"""The catalogue as bytes: catalogue.rs of the Rust core describes the sections, entry.rs a message."""

from __future__ import annotations

import json
import lzma
import struct
from collections import Counter, defaultdict
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from tools.message_catalogue.catalogue import Catalogue, Entry

MAGIC = b"CBKMSG\x01\0"
TOP_BITS = 12
TOGETHER = 32
PATHS_OF_BLOCK = 512
_MANY = 1 << 6


def packed(catalogue: Catalogue, bits: Mapping[int, int], about: Mapping[str, object]) -> bytes:
    """Return the bytes of a catalogue.

    Args:
        catalogue: What is written.
        bits: Bits of each entry, by its place in the catalogue.
        about: What is shown of its sources.

    Raises:
        ValueError: Two words have the same hash, or too many messages have the same rare words.
    """
    entries = catalogue.entries
    counts = Counter(word for number in bits for word in set(entries[number].words))
    ranked = [word for word, _ in sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))]
    rank = {word: place for place, word in enumerate(ranked)}
    names = _Names(catalogue, [entries[number] for number in bits])
    sets = Counter(entries[number].releases for number in bits)
    releases = [one for one, _ in sorted(sets.items(), key=lambda pair: (-pair[1], pair[0]))]
    set_number = {one: place for place, one in enumerate(releases)}
    buckets: dict[int, dict[int, list[bytes]]] = defaultdict(lambda: defaultdict(list))
    for number, own in bits.items():
        entry = entries[number]
        rare = sorted({rank[word] for word in entry.words}, reverse=True)
        first, second = rare[0], rare[1] if len(rare) > 1 else None
        data = _entry(entry, rank, (first, second), own) + _details(entry, set_number, names)
        buckets[first][0 if second is None else second + 1].append(data)
    starts, bases, messages = _messages(buckets, len(ranked))
    hashed = sorted((hash_of(word), place) for word, place in rank.items())
    hashes = [one for one, _ in hashed]
    if len(set(hashes)) < len(hashes):
        raise ValueError("two words have the same hash; give one of them up")
    tops = [0] * ((1 << TOP_BITS) + 1)
    for one in hashes:
        tops[(one >> 32 - TOP_BITS) + 1] += 1
    for place in range(1, len(tops)):
        tops[place] += tops[place - 1]
    sections = (
        struct.pack(f"<{len(tops)}I", *tops),
        struct.pack(f"<{len(hashes)}I", *hashes),
        b"".join(place.to_bytes(3, "little") for _, place in hashed),
        struct.pack(f"<{len(bases)}I", *bases),
        struct.pack(f"<{len(starts)}H", *starts),
        messages,
        struct.pack(f"<{len(releases)}I", *releases),
        json.dumps({**about, "messages": len(bits), "words": len(ranked)}, separators=(",", ":")).encode(),
        names.packed(),
    )
    head, at = b"", len(MAGIC) + 8 * len(sections)
    for section in sections:
        head += struct.pack("<II", at, len(section))
        at += len(section)
    return b"".join((MAGIC, head, *sections))


def hash_of(word: str) -> int:
    """Return the 32 bits of FNV-1a of a word."""
    found = 0x811C9DC5
    for byte in word.encode():
        found = (found ^ byte) * 0x01000193 & 0xFFFFFFFF
    return found


def number(value: int) -> bytes:
    """Return a number in groups of seven bits, the lowest first."""
    found = bytearray()
    while value > 0x7F:
        found.append(value & 0x7F | 0x80)
        value >>= 7
    found.append(value)
    return bytes(found)


def _messages(
    buckets: Mapping[int, Mapping[int, Sequence[bytes]]], ranks: int
) -> tuple[list[int], list[int], bytes]:
    """Return where the messages of each rank start, the bases of these, and the messages."""
    starts: list[int] = []
    bases: list[int] = []
    messages = bytearray()
    for rank in range(ranks + 1):
        if rank % TOGETHER == 0:
            bases.append(len(messages))
        if len(messages) - bases[-1] > 0xFFFF:
            raise ValueError(f"the messages of the words around rank {rank} take more than 64 KiB")
        starts.append(len(messages) - bases[-1])
        before = 0
        for second, group in sorted(buckets.get(rank, {}).items()):
            data = b"".join(sorted(group))
            messages += number(second - before) + number(len(data)) + data
            before = second
    return starts, bases, bytes(messages)


def _entry(entry: Entry, rank: Mapping[str, int], rare: tuple[int, int | None], bits: int) -> bytes:
    codes = {rare[0]: 0, rare[1]: 1}
    words = b"".join(number(codes.get(rank[word], rank[word] + 2)) for word in entry.words)
    return number(len(entry.words) * 2 + entry.is_open) + words + number(entry.gaps) + bytes([bits])


def _details(entry: Entry, set_number: Mapping[int, int], names: _Names) -> bytes:
    places = entry.places
    is_many = entry.place_count > len(places)
    kind = len(places) << 4 | (_MANY if is_many else 0)
    many = number(entry.place_count) + bytes([entry.levels]) if is_many else b""
    first, *others = [
        (
            place.level | place.is_error << 3,
            number(names.path[place.path]) + number(names.function[place.path][place.function]),
        )
        for place in places
    ]
    rest = b"".join(bytes([own]) + data for own, data in others)
    return number(set_number[entry.releases]) + bytes([kind | first[0]]) + many + first[1] + rest


class _Names:
    """Paths by the number of messages, and the functions of each."""

    def __init__(self, catalogue: Catalogue, entries: Iterable[Entry]) -> None:
        counts: Counter[str] = Counter()
        functions: dict[str, Counter[str]] = defaultdict(Counter)
        for entry in entries:
            for place in entry.places:
                counts[place.path] += 1
                functions[place.path][place.function] += 1
        # In the order of the tree, neighbours compress best.
        self._paths = sorted(counts)
        self._modules = catalogue.modules
        self.path = {path: at for at, path in enumerate(self._paths)}
        self.function = {
            path: {name: at for at, (name, _) in enumerate(found.most_common())}
            for path, found in functions.items()
        }

    def packed(self) -> bytes:
        """Return the compressed blocks behind the table of their ends."""
        blocks: list[bytes] = []
        for at in range(0, len(self._paths), PATHS_OF_BLOCK):
            rows = (
                "\t".join((path, self._modules.get(path, ""), *self.function[path]))
                for path in self._paths[at : at + PATHS_OF_BLOCK]
            )
            blocks.append(
                lzma.compress(
                    "\n".join(rows).encode(), preset=9 | lzma.PRESET_EXTREME, format=lzma.FORMAT_ALONE
                )
            )
        ends: list[int] = []
        for block in blocks:
            ends.append((ends[-1] if ends else 0) + len(block))
        return struct.pack(f"<I{len(ends)}I", len(blocks), *ends) + b"".join(blocks)
