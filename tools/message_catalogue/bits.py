"""How much the constant words of a message tell against lines of programs and prose, in bits.

The counts are of words, and of pairs of words in a row, in a corpus of logs of services and of text; the
corpus itself is not kept. A message of bits b stands by chance in one of about 2**b places of such text.
"""

from __future__ import annotations

import gzip
import json
import math
from collections import Counter
from itertools import pairwise
from typing import TYPE_CHECKING

from tools.message_catalogue.skeletons import WORD

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable
    from pathlib import Path

    from tools.message_catalogue.catalogue import Entry

MOST_OF_A_WORD = 10.0
"""Bits of a word that the corpus does not have: two such words in a row are no proof of anything."""

MOST_BY_LENGTH = (0.0, 0.0, 3.0, 7.0)
"""Bits of words of so many letters: tables, file names and hexadecimal numbers are full of short ones."""

GAP_BITS = 3.0
"""Bits less for each value: the words behind it may stand anywhere in the next eight or so."""

START_BITS = 4.0
"""Bits less for the beginning: a message may begin at any of the sixteen words or so of a line."""

MOST_BITS = 255


class Counts:
    """Words and pairs of words of a corpus."""

    def __init__(self, words: Counter[str], pairs: Counter[str], total: int) -> None:
        """Take the counts of words, of pairs joined by a blank, and the number of words."""
        self.words, self.pairs, self.total = words, pairs, total

    @classmethod
    def of(cls, lines: Iterable[str], vocabulary: Collection[str], pairs: Collection[str]) -> Counts:
        """Count the words of `vocabulary` and the `pairs` in `lines`."""
        found: Counter[str] = Counter()
        together: Counter[str] = Counter()
        total = 0
        for line in lines:
            words = WORD.findall(line)
            total += len(words)
            found.update(word for word in words if word in vocabulary)
            in_row = map(" ".join, pairwise(words))
            together.update(pair for pair in in_row if pair in pairs)
        return cls(found, together, total)

    def save(self, path: Path) -> None:
        """Write the counts."""
        data = {
            "total": self.total,
            "words": dict(sorted(self.words.items())),
            "pairs": dict(sorted(self.pairs.items())),
        }
        path.write_bytes(gzip.compress(json.dumps(data, separators=(",", ":")).encode(), 9, mtime=0))

    @classmethod
    def load(cls, path: Path) -> Counts:
        """Read counts that `save` wrote."""
        data = json.loads(gzip.decompress(path.read_bytes()))
        return cls(Counter(data["words"]), Counter(data["pairs"]), data["total"])

    def bits(self, entry: Entry) -> int:
        """Return the bits of a message."""
        found = -START_BITS
        before = ""
        for place, word in enumerate(entry.words):
            most = MOST_BY_LENGTH[len(word)] if len(word) < len(MOST_BY_LENGTH) else MOST_OF_A_WORD
            alone = min(most, math.log2((self.total + 1) / (self.words[word] + 0.5)))
            is_gap = bool(entry.gaps >> place & 1)
            if before and not is_gap:
                count, pair = self.words[before], self.pairs[f"{before} {word}"]
                # The share of this word behind the one before, drawn to its share anywhere.
                share = (pair + 8 * 2**-alone) / (count + 8)
                found += min(most, -math.log2(share))
            else:
                found += max(0.0, alone - (GAP_BITS if is_gap and place else 0.0))
            before = word
        return max(0, min(MOST_BITS, round(found)))


def pairs_of(entries: Iterable[Entry]) -> set[str]:
    """Return the pairs of words in a row of the messages."""
    found: set[str] = set()
    for entry in entries:
        for place in range(1, len(entry.words)):
            if not entry.gaps >> place & 1:
                found.add(f"{entry.words[place - 1]} {entry.words[place]}")
    return found
