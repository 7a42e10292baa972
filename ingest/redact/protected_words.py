"""Protected vocabulary: technical words that redaction must not replace, even if a host has such a name.

A host named `memory` must not cost the word in every line. Protected words are replaced only where the
context marks a name (`# hostname : memory`), never elsewhere. What has digits and no underscore
(`db7`) is no word: texts that words are taken from may give it as an example of a host.
"""

from __future__ import annotations

import lzma
import re
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from ingest import fact_catalogue, readers
from ingest.frames import aliases, names
from ingest.native import _core
from ingest.redact import detectors

if TYPE_CHECKING:
    from collections.abc import Iterable

_WORD = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
FRAME_SETS = ("kernel_entry",)
COMMON = Path(__file__).with_name("common_words.txt")
"""Words of English and of every tool's output."""
VOCABULARY = Path(__file__).with_name("vocabulary.txt")
"""Words that at least three programs' manual pages or five symbols of a kernel contain, in lower case."""

ENGLISH = Path(__file__).with_name("english_words.xz")
"""Words of English, a line each, in lower case: SCOWL of size 60, see `english_words.LICENSE`."""

TECHNICAL = Path(__file__).with_name("technical_words.xz")
"""Words in names and strings of packages, programs, units, modules and kernels: `tools.technical_words`."""

TOOLS = Path(__file__).with_name("tool_words.xz")
"""Words of administration tools: `tools.tool_words`, from the packages of tool_words.SOURCES."""

USUAL = Path(__file__).with_name("usual_values.txt")
"""Tokens that stand as values in the samples of several formats, and are no names: `tools.usual_values`."""


def words_of(texts: Iterable[str]) -> set[str]:
    """Return the words of `texts` in lower case, names with underscores whole and in parts."""
    found: set[str] = set()
    for text in texts:
        for word in map(str.lower, _WORD.findall(text)):
            found.update(part for part in (word, *word.split("_")) if part.isalpha() or "_" in part)
    return found


@lru_cache(maxsize=1)
def own_words() -> frozenset[str]:
    """Return the words of what is read here: facts, frames, captured paths, formats, and common English."""
    texts = [entry.name for entry in fact_catalogue.entries()]
    texts += [entry.meaning for entry in fact_catalogue.entries()]
    texts += [unit for entry in fact_catalogue.entries() for unit in entry.units]
    texts += [path for reader in readers.FILES for path in reader.PATHS]
    texts += [f"{reader.NAME} {reader.TITLE}" for reader in readers.FORMATS]
    texts += [frame for frames in aliases.all_aliases().values() for frame in frames]
    texts += [frame for name in FRAME_SETS for frame in names.names_of(name)]
    common = words_of([COMMON.read_text(encoding="utf-8")])
    return frozenset(words_of(texts) | common | set(VOCABULARY.read_text(encoding="utf-8").split()))


@lru_cache(maxsize=4)
def with_own(words: frozenset[str]) -> tuple[frozenset[str], _core.Vocabulary]:
    """Return the own words and `words` in lower case, also for the core; a process makes them once."""
    together = own_words().union(map(str.lower, words))
    return together, _core.Vocabulary(list(together))


@lru_cache(maxsize=1)
def english_words() -> frozenset[str]:
    """Return the words of English; most are no technical words, and names may be among them (`walnut`)."""
    return frozenset(lzma.decompress(ENGLISH.read_bytes()).decode("ascii").split())


@lru_cache(maxsize=1)
def technical_words() -> frozenset[str]:
    """Return the protected words and those of Debian, its kernels, tools and the rules; few are names."""
    lists = (lzma.decompress(file.read_bytes()).decode("ascii").split() for file in (TECHNICAL, TOOLS))
    rules = detectors.load().rules + detectors.load().shapes
    return own_words().union(words_of(rule.expression for rule in rules), *lists)


@lru_cache(maxsize=1)
def known_words() -> frozenset[str]:
    """Return the technical words and those of English; what is in neither is rarely anything but a name."""
    return technical_words() | english_words()


@lru_cache(maxsize=1)
def usual_values() -> frozenset[str]:
    """Return the usual values of programs, in lower case; `*` stands for digits."""
    return frozenset(USUAL.read_text(encoding="utf-8").split())
