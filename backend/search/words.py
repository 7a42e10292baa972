"""Lexemes of the search index: words of text, and values of fields.

memory        a word, or a part of one: `db.slice` is also `db` and `slice`
^memory       a word of the title, the headline or a finding
~out of       two neighbouring words
|oom          a word of a log line, |~out of two neighbouring ones
#12           the number of the case
=host:db7     a value of a field
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

STRONG, PAIR, LINE, VALUE, NUMBER = "^", "~", "|", "=", "#"
MAX_WORD = 100
MIN_STEM = 4

_WORD = re.compile(r"[^\W_](?:[-.:/@+_]?[^\W_])*+|(?<!_)_++[^\W_](?:[-.:/@+_]?[^\W_])*+")
_PLAIN = re.compile(r"[a-z][a-z_]{3,}(?:-[a-z_]{3,})*")
_SEPARATORS = re.compile(r"[-.:/@+_]")
_NOISE = re.compile(r"(?=.*\d)(?:0x)?[0-9a-f]{8,}|\d{6,}|\d+\.\d{4,}")
"""Addresses, hashes and times: every case has its own, nobody looks for them by word."""


def words_of(text: str) -> list[str]:
    """Return the words of a text in order, in lower case, with what joins them: `db.slice`, `ext4-fs`."""
    return [word for word in _WORD.findall(text.lower()) if len(word) <= MAX_WORD]


def plain_words_of(text: str) -> list[str]:
    """Return the words of a text that are no short words, numbers or names with digits."""
    return [word for word in words_of(text) if _PLAIN.fullmatch(word)]


def lexemes_of(text: str) -> Iterator[str]:
    """Yield each word of a text with its parts."""
    for word in words_of(text):
        yield from with_parts(word)


def with_parts(word: str) -> Iterator[str]:
    """Yield a word, the names of its path, and their parts.

    >>> list(with_parts("fs/db.slice"))
    ['fs/db.slice', 'fs', 'db.slice', 'db', 'slice']
    """
    if _NOISE.fullmatch(word):
        return
    yield word
    if _SEPARATORS.search(word) is None:
        return
    names = word.split("/") if "/" in word else [word]
    for name in names:
        if len(names) > 1 and name:
            yield name
        parts = _SEPARATORS.split(name)
        if len(parts) > 1:
            yield from (part for part in parts if len(part) > 1 and not _NOISE.fullmatch(part))


def pairs_of(text: str) -> Iterator[str]:
    """Yield each two neighbouring words of a text, joined by a space."""
    words = words_of(text)
    yield from (f"{one} {other}" for one, other in pairwise(words))


def value_of(field: str, value: str) -> str:
    """Return the lexeme of a value of a field."""
    return f"{VALUE}{field}:{value.strip().lower()[:200]}"


def facet_of(field: str, value: str) -> str:
    """Return what facets count a value of a field as."""
    return f"{field}:{value[:100]}"


def line_lexemes(lines: Iterable[str]) -> Iterator[str]:
    """Yield the lexemes of log lines, which are also words."""
    for line in lines:
        for lexeme in lexemes_of(line):
            yield lexeme
            yield LINE + lexeme
        for pair in pairs_of(line):
            yield f"{LINE}{PAIR}{pair}"


def stem_of(word: str) -> str:
    """Return the beginning that forms of an English word share; other words as they are.

    >>> [stem_of(word) for word in ("stalls", "killed", "throttling", "process", "speed", "osq_lock")]
    ['stall', 'kill', 'throttl', 'process', 'speed', 'osq_lock']
    """
    if not word.isascii() or not word.isalpha():
        return word
    for ending in ("ing", "ed", "s"):
        stem = word.removesuffix(ending)
        if stem != word and len(stem) >= MIN_STEM and not stem.endswith(("s", "e", "u")):
            return stem
    return word
