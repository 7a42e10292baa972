"""Lexicon of one case: learnt names, their pseudonyms, and the encodings to search for."""

from __future__ import annotations

import re
from collections import defaultdict
from typing import TYPE_CHECKING, TypeVar

from ingest.redact import match_checks, protected_words
from ingest.redact.address_digits import ADDRESS_DIGITS, address_of, plain
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
_ABBREVIATED = (
    (re.compile(r"(?i)[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}"), 8),
    (re.compile(r"[0-9a-f]{64}"), 12),
)
_NAMED_KINDS = ("host", "user", "domain", "project", "secret", "uuid")
MAX_REMEMBERED = 100_000
KINDS = (
    "domain",
    "fqdn",
    "host",
    "ipv4",
    "ipv4hex",
    "ipv4net",
    "ipv6",
    "ipv6word",
    "mac",
    "person",
    "project",
    "secret",
    "serial",
    "user",
    "uuid",
)
PRIVATE = frozenset({"local", "internal", "intranet", "intra", "localdomain", "lan", "corp", "home", "arpa"})
"""Private top-level domains: the label before them is often a plain word (`cluster.local`)."""

Word = tuple[bytes, bool, bool, int, bytes, bytes]
"""Bytes, is case-sensitive, is bounded, kind, replacement, pseudonym of the name."""
Named = tuple[str, int, bytes, bytes]
"""Name and number of the kind, name, replacement."""
Key = TypeVar("Key")
Value = TypeVar("Value")


class Lexicon:
    """Names and their pseudonyms.

    Attributes:
        originals: Names found, by kind; none may occur in the result.
        unreplaced_words: Names that are protected words, replaced only where the context marks a name.
        protected: The protected vocabulary, lower case.
        searchable: The same for the core.
    """

    def __init__(self, key: bytes, words: Collection[str], pseudonym_map: Mapping[str, str] | None) -> None:
        """Derive pseudonyms from `key`, reuse those of `pseudonym_map`; also protect `words`."""
        self.originals: dict[str, set[str]] = defaultdict(set)
        self.unreplaced_words: set[str] = set()
        self.protected, self.searchable = protected_words.with_own(frozenset(words))
        self._names = Names(key, pseudonym_map)
        self._learnt: dict[str, set[str]] = defaultdict(set)
        self._by: dict[tuple[str, str], str] = {}
        self._free: dict[tuple[str, str], bool] = {}
        self._chosen: set[str] = set()

    @property
    def pseudonym_map(self) -> dict[str, str]:
        """Pseudonyms so far, by digest of the original."""
        return self._names.pseudonym_map

    def note(self, kind: str, name: str) -> None:
        """Record a name that is found; an address in digits is recorded as the address."""
        if kind in ADDRESS_DIGITS:
            name = plain(address_of(kind, name))
            kind = "ipv6" if ":" in name else "ipv4"
        self.originals[kind].add(name)

    def learn(self, kind: str, name: str) -> None:
        """Learn that `name` is a host, user, domain, … of the case."""
        if not name or self.is_free(kind, name):
            return
        self.note(kind, name)
        if kind in ADDRESS_DIGITS:
            return
        if kind == "person":
            name = name.partition(",")[0].strip()  # office and telephone number follow
        if kind in {"host", "fqdn"} and "." in name:
            host, domain = self._names.split(name)
            self._learnt["domain"].add(domain)
            if any(map(str.isdigit, host)) or "-" in host or kind == "host":
                self.learn("host", host)
        else:
            self._learnt[kind].add(name)

    def choose(self, kind: str, name: str) -> None:
        """Learn a name that a person chose: it is replaced everywhere, even if it is a protected word."""
        self._chosen.add(name.lower())
        self.learn(kind, name)

    def learnt(self, kind: str) -> list[str]:
        """Return the names that are learnt as `kind`."""
        return sorted(self._learnt[kind])

    def has_learnt(self, kind: str, name: str) -> bool:
        """Return whether `name` is learnt as `kind`."""
        return name in self._learnt[kind]

    def is_free(self, kind: str, name: str) -> bool:
        """Return whether the name needs no replacement: public, or a pseudonym already."""
        cached = self._free.get((kind, name))
        if cached is None:
            cached = match_checks.is_public(kind, name) or self._names.is_own(kind, name)
            _remember(self._free, (kind, name), cached)
        return cached

    def is_pseudonym(self, text: str) -> bool:
        """Return whether `text` is a pseudonym of any kind: a place may take one for a name of another."""
        return any(self._names.is_own(kind, text) for kind in _NAMED_KINDS)

    def by(self, kind: str, name: str) -> str:
        """Return the pseudonym of a name."""
        cached = self._by.get((kind, name))
        if cached is None:
            cached = self._names.of(kind, name)
            _remember(self._by, (kind, name), cached)
        return cached

    def settle(self) -> None:
        """Assign all pseudonyms in an order independent of the order of the texts."""
        for kind in sorted(self.originals):
            for name in sorted(self.originals[kind]):
                self._names.of(kind, name)

    def end(self) -> None:
        """Forget what was remembered to replace names faster."""
        self._by.clear()
        self._free.clear()

    def domains(self) -> list[bytes]:
        """Return the domains below which every host name is replaced."""
        return [encoded(name) for name in sorted(self._learnt["domain"])]

    def words(self) -> Iterator[Word]:
        """Yield the words that are replaced wherever they occur."""
        for kind in ("secret", "host", "user", "project", "person", "serial", "uuid"):
            for name in sorted(self._learnt[kind]):
                if self._is_replaceable(kind, name):
                    replacement = encoded(self.by(kind, name))
                    is_exact = _is_exact(kind, name)
                    yield encoded(name), is_exact, True, KINDS.index(kind), replacement, replacement
        yield from self._beginnings()
        for name in sorted(self._learnt["domain"]):
            label, pseudonym = name.partition(".")[0], self.by("domain", name)
            by = pseudonym.partition(".")[0]
            is_owned = name.rpartition(".")[2] not in PRIVATE
            is_product = label.lower() in protected_words.technical_words()  # www.rsyslog.com
            if (
                is_owned
                and len(label) >= SHORTEST_LABEL
                and not (is_product or self._is_made_of_words(label))
            ):
                yield encoded(label), False, True, KINDS.index("domain"), encoded(by), encoded(pseudonym)

    def _beginnings(self) -> Iterator[Word]:
        """Yield the beginnings by which tools abbreviate ids: the first group of a UUID, 12 digits of 64."""
        for kind in ("serial", "uuid"):
            for name in sorted(self._learnt[kind]):
                size = next((size for form, size in _ABBREVIATED if form.fullmatch(name)), 0)
                begin = name[:size]
                if any(map(str.isdigit, begin)) and any(map(str.isalpha, begin)):
                    number, pseudonym = KINDS.index(kind), self.by(kind, name)
                    yield encoded(begin), False, True, number, encoded(pseudonym[:size]), encoded(pseudonym)

    def named(self) -> Iterator[Named]:
        """Yield the names whose encodings are replaced too."""
        for number, kind in enumerate(KINDS):
            for name in sorted(self.originals[kind] | self._learnt[kind]):
                is_spelled = len(name) <= LONGEST_SPELLED and _SPACE.search(name) is None
                if is_spelled and not self.is_free(kind, name):
                    yield kind, number, encoded(name), encoded(self.by(kind, name))

    def is_word(self, name: str) -> bool:
        """Return whether `name` is a word of the protected vocabulary, or numbered like one (`node0`)."""
        low = name.lower()
        bare = low.rstrip("0123456789")
        return not bare or low in self.protected or bare in self.protected

    def _is_made_of_words(self, text: str) -> bool:
        """Return whether `text` is, or consists of, words of the protected vocabulary."""
        low = text.lower()
        return low in self.protected or all(part in self.protected for part in re.split(r"[-_.]", low))

    def _is_replaceable(self, kind: str, name: str) -> bool:
        if name.lower() in self._chosen:
            return len(name) >= SHORTEST_WORD
        if kind == "secret":
            is_long = len(name) >= SHORTEST_SECRET and not name.isdigit() and "\n" not in name
            return is_long and name.lower() not in self.protected
        if kind == "serial":
            return len(name) >= SHORTEST_SERIAL
        if kind == "person":
            if name.lower() in self.protected:
                self.unreplaced_words.add(name)
            return " " in name and not any(part.lower() in self.protected for part in name.split())
        if name.lower() in self.protected:
            self.unreplaced_words.add(name)
            return False
        return len(name) >= SHORTEST_WORD


def encoded(name: str) -> bytes:
    """Return the bytes of a name."""
    return name.encode("utf-8", "surrogateescape")


def _remember(cache: dict[Key, Value], key: Key, value: Value) -> None:
    """Cache a value; the cache is cleared when full, since repeated names dominate."""
    if len(cache) >= MAX_REMEMBERED:
        cache.clear()
    cache[key] = value


def _is_exact(kind: str, name: str) -> bool:
    """Return whether `name` is case-sensitive: short user names are (`max`, `Max`)."""
    return kind in {"secret", "serial"} or (kind == "user" and len(name) < SHORTEST_FOLDED_USER)
