"""The words that several messages share, with the range of the figures in which they differ.

common_words(["dropped: 8950 > 1450", "dropped: 1460 > 1450"])  ->  "dropped: 1460 to 8950 > 1450"
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

VARIES = "…"
"""What stands for numbers that measure nothing: process ids, sectors, addresses."""

FEW = 3
FEW_CHARACTERS = 16
"""Up to so many short ones are named: `Failing path 8:16/32`."""

_NUMBER = re.compile(r"(0x[0-9a-fA-F]+|(?<![\w.])\d+(?:\.\d+)?)")
_DECIMAL = re.compile(r"\d+(?:\.\d+)?")
_UNIT = re.compile(
    r"\s?(?:(?:[mun]?s|m?secs?|usecs?|seconds?|minutes?|jiffies|[kKMG]i?B|B|bytes|pages|packets|times|retries)\b"
    r"|[<>%])"
)
_MEASURE = re.compile(r"\b(?:len|length|size|count|mtu|took|after|than|temperature)\W{1,2}$")


def words_between(text: str) -> list[str]:
    """Return a text without its numbers, in the parts that they separate."""
    return _NUMBER.split(text)[::2]


def common_words(texts: Iterable[str]) -> str | None:
    """Return what all texts say: quantities as `5 to 120`, few other numbers as `16/32`, more as `…`.

    None where they differ in words.
    """
    words: list[str] = []
    found: list[dict[str, None]] = []
    for text in dict.fromkeys(texts):
        parts = _NUMBER.split(text)
        if not words:
            words, found = parts[::2], [{} for _ in parts[1::2]]
        elif parts[::2] != words:
            return None
        for slot, number in zip(found, parts[1::2], strict=True):
            slot[number] = None
    if not words:
        return None
    slots = [_slot(list(slot), words[at], words[at + 1]) for at, slot in enumerate(found)]
    return words[0] + "".join(number + rest for number, rest in zip(slots, words[1:], strict=True))


def _slot(numbers: list[str], before: str, after: str) -> str:
    """Return the number, the range of a quantity, or `…`."""
    if len(numbers) == 1:
        return numbers[0]
    is_quantity = _UNIT.match(after) or _MEASURE.search(before[-16:])
    if not is_quantity or not all(_DECIMAL.fullmatch(one) for one in numbers):
        named = "/".join(numbers)
        return named if len(numbers) <= FEW and len(named) <= FEW_CHARACTERS else VARIES
    values = sorted(numbers, key=float)
    return f"{values[0]} to {values[-1]}"
