"""The names of one case: what was learnt, what replaces each, and in which writings it is looked for."""

from __future__ import annotations

import re
from collections import defaultdict
from typing import TYPE_CHECKING, TypeVar

from ingest.redact import match_checks, protected_words
from ingest.redact.names import Names

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

SHORTEST_WORD = 3
SHORTEST_FOLDED_USER = 5
SHORTEST_SECRET = 6
SHORTEST_SERIAL = 6
SHORTEST_LABEL = 6
LONGEST_SPELLED = 200
_SPACE = re.compile(r"\s")
MAX_REMEMBERED = 100_000
KINDS = (
    "domain",
    "fqdn",
    "host",
    "ipv4",
    "ipv4hex",
    "ipv6",
    "mac",
    "person",
    "secret",
    "serial",
    "user",
    "uuid",
)
PRIVATE = frozenset({"local", "internal", "intranet", "intra", "localdomain", "lan", "corp", "home", "arpa"})
"""What stands before these is often a plain word, `cluster.local`, and nobody's name."""

Word = tuple[bytes, bool, bool, int, bytes]
"""What is looked for, whether capitals count, whether it is bounded, its kind, and what replaces it."""
Named = tuple[str, int, bytes, bytes]
"""What the kind of a name is called and its number, the name, and what replaces it."""
Key = TypeVar("Key")
Value = TypeVar("Value")


class Lexicon:
    """Names and their pseudonyms.

    Attributes:
        originals: Names that were found, by kind: what must not be in the result.
        kept_words: Names that are words of the protected vocabulary, and so are replaced only where a place
            says that they are names.
        protected: The protected vocabulary, lower case.
    """

    def __init__(self, key: bytes, words: Collection[str], given: Mapping[str, str] | None) -> None:
        """Give out pseudonyms of `key` and those `given` out before; protect `words` beside our own."""
        self.originals: dict[str, set[str]] = defaultdict(set)
        self.kept_words: set[str] = set()
        self.protected = protected_words.own_words() | {word.lower() for word in words}
        self._names = Names(key, given)
        self._learnt: dict[str, set[str]] = defaultdict(set)
        self._by: dict[tuple[str, str], str] = {}
        self._free: dict[tuple[str, str], bool] = {}

    @property
    def given(self) -> dict[str, str]:
        """What was given out so far: digests of originals and their pseudonyms."""
        return self._names.given

    def learn(self, kind: str, name: str) -> None:
        """Note that `name` names a host, user, domain, … of the case."""
        if not name or self.is_free(kind, name):
            return
        self.originals[kind].add(name)
        if kind == "person":
            name = name.partition(",")[0].strip()  # behind it stand the room and the telephone
        if kind in {"host", "fqdn"} and "." in name:
            host, domain = self._names.split(name)
            self._learnt["domain"].add(domain)
            if any(map(str.isdigit, host)) or "-" in host or kind == "host":
                self.learn("host", host)
        else:
            self._learnt[kind].add(name)

    def has_learnt(self, kind: str, name: str) -> bool:
        """Say whether `name` was learnt as such already."""
        return name in self._learnt[kind]

    def is_free(self, kind: str, name: str) -> bool:
        """Say whether there is nothing to hide: the name is everybody's, or a pseudonym already."""
        known = self._free.get((kind, name))
        if known is None:
            known = match_checks.is_public(kind, name) or self._names.is_own(kind, name)
            _remember(self._free, (kind, name), known)
        return known

    def by(self, kind: str, name: str) -> str:
        """Return what a name is replaced by."""
        known = self._by.get((kind, name))
        if known is None:
            known = self._names.of(kind, name)
            _remember(self._by, (kind, name), known)
        return known

    def settle(self) -> None:
        """Give out all pseudonyms in an order that does not depend on the order of the texts."""
        for kind in sorted(self.originals):
            for name in sorted(self.originals[kind]):
                self._names.of(kind, name)

    def domains(self) -> list[bytes]:
        """Return the domains below which every name is one to replace."""
        return [encoded(name) for name in sorted(self._learnt["domain"])]

    def words(self) -> Iterator[Word]:
        """Yield what is replaced wherever it stands."""
        for kind in ("secret", "host", "user", "person", "serial", "uuid"):
            for name in sorted(self._learnt[kind]):
                if self._is_replaceable(kind, name):
                    told = encoded(self.by(kind, name))
                    yield encoded(name), _is_exact(kind, name), True, KINDS.index(kind), told
        for name in sorted(self._learnt["domain"]):
            label, by = name.partition(".")[0], self.by("domain", name).partition(".")[0]
            is_owned = name.rpartition(".")[2] not in PRIVATE
            if is_owned and len(label) >= SHORTEST_LABEL and not self._is_made_of_words(label):
                yield encoded(label), False, True, KINDS.index("domain"), encoded(by)

    def named(self) -> Iterator[Named]:
        """Yield the names that are also replaced where they stand encoded."""
        for number, kind in enumerate(KINDS):
            for name in sorted(self.originals[kind] | self._learnt[kind]):
                is_spelled = len(name) <= LONGEST_SPELLED and _SPACE.search(name) is None
                if is_spelled and not self.is_free(kind, name):
                    yield kind, number, encoded(name), encoded(self.by(kind, name))

    def _is_made_of_words(self, text: str) -> bool:
        """Say whether `text` is, or consists of, words of the protected vocabulary."""
        low = text.lower()
        return low in self.protected or all(part in self.protected for part in re.split(r"[-_.]", low))

    def _is_replaceable(self, kind: str, name: str) -> bool:
        if kind == "secret":
            is_long = len(name) >= SHORTEST_SECRET and not name.isdigit() and "\n" not in name
            return is_long and name.lower() not in self.protected
        if kind == "serial":
            return len(name) >= SHORTEST_SERIAL
        if kind == "person":
            return " " in name and not any(part.lower() in self.protected for part in name.split())
        if name.lower() in self.protected:
            self.kept_words.add(name)
            return False
        return len(name) >= SHORTEST_WORD


def encoded(name: str) -> bytes:
    """Return a name as it stands in a text."""
    return name.encode("utf-8", "surrogateescape")


def _remember(kept: dict[Key, Value], key: Key, value: Value) -> None:
    """Keep an answer: a text asks the same thousands of times, and where it does not, few are kept."""
    if len(kept) >= MAX_REMEMBERED:
        kept.clear()
    kept[key] = value


def _is_exact(kind: str, name: str) -> bool:
    """Say whether capitals make `name` another word: of a short user they may (`max`, `Max`)."""
    return kind in {"secret", "serial"} or (kind == "user" and len(name) < SHORTEST_FOLDED_USER)
