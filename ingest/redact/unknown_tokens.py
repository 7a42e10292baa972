"""Tokens that are names although no rule knows their place: in no vocabulary, and of the shape of a name.

    scrape of usv-keller2 failed           ->  host usv-keller2
    at db-07 … also seen: db-08            ->  host db-08, once db-07 is a host

A compound is one anywhere, a word unless it is a title, a key, a call or a part of a path: programs have
names, too. Words of profiles are code. Tokens with capitals inside are left to the second look. A date behind
a name stays.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from functools import lru_cache
from typing import TYPE_CHECKING

from ingest.native import _core
from ingest.native.linear import Pattern
from ingest.redact import protected_words, shape_checks
from ingest.redact.second_look import CELL, STAMPED, is_ordinary

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

SHORTEST_PART = 3
LONG_PART = 4
"""Letters of an unknown part in a token without a hyphen: three are more often a model."""
SHORTEST_WORD = 5
LEAST_UNKNOWN = 0.4
MAX_FAMILIES = 50_000
_COMPOUND = re.compile(r"[A-Za-z\x80-\U0010ffff][A-Za-z0-9\x80-\U0010ffff]*(?:-[A-Za-z0-9\x80-\U0010ffff]+)*")
_CODE = re.compile(r"[a-z][a-z0-9]*(?:_[a-z0-9]+)+")
_WORD = re.compile(r"[A-Z]?[a-z\x80-\U0010ffff]+")
_PART = re.compile(r"[A-Za-z\x80-\U0010ffff]+")
_NUMBER = re.compile(r"[0-9]{1,6}")
_FAMILY = Pattern(r"[A-Za-z][A-Za-z-]{2,}[0-9]{1,6}(?:-[A-Za-z0-9]{1,12}|[a-z])?")
_LIBRARY = "lib"
_IS_PART = re.compile(rb"[/.$%&*+]\Z")
_IS_OPTION = re.compile(rb"(?:^|[\s\"'])-{1,2}\Z")
_IS_COMMAND = re.compile(rb"(?:^|[\w~\])])[#$>] \Z")
"""Before the first word behind a prompt."""
_GOES_ON = re.compile(rb"[\"']? ?[=:(\[]|/")
_EDGE = "".join(map(chr, range(0x2500, 0x2600)))
"""Lines of trees and boxes, which stand beside names."""
_NEVER = re.compile("\ufffd|redacted[a-z2-7]|^[0-9a-f]+$|-(?:tsoh|resu)$")
"""Bytes that are no text, digits, and pseudonyms behind an option or in reverse."""
_DIGIT = re.compile(rb"[0-9]")
_GAP = re.compile(rb" {2,}|\t|\||\xe2\x94\x82")
_PIECE = re.compile(r"([^@=]+)([@=]*)")
SHORTEST_CUT = 6
"""Letters of a word that may be the beginning of a known one: tools cut names at fifteen bytes."""
PROFILE = (
    r"(?m)^\s+[0-9a-f]{8,16} \S.*\(.*\)$|^[^;\n]*(?:;[^;\n]+){3,} [0-9]+$|%--|\[[.k]\] |^@\w*\["
    r"|^    \S+\+(?:0x)?[0-9a-f]+"
)


class UnknownTokens:
    """Collects tokens of all texts of one case."""

    def __init__(self, protected: frozenset[str]) -> None:
        """Words of `protected`, lower case, are known, too."""
        self._protected = protected
        self._tokens = _core.OpenTokens(_vocabulary())
        self._known = protected_words.known_words()
        self._technical = protected_words.technical_words()
        self._judged: dict[str, str] = {}
        self._families: dict[str, set[str]] = {}

    def read(self, text: bytes) -> Iterator[tuple[str, str]]:
        """Yield kind and text of the tokens of `text`, whole lines, that are names."""
        is_profile = _profile().has_any(text)
        self._tokens.add(text)
        for token, _, _, before, behind, standing in self._tokens.finish():
            is_title = standing <= CELL and _is_header(before + behind)
            is_alone = standing >= CELL and not is_title
            is_key = _GOES_ON.match(behind) is not None or _IS_PART.search(before) is not None
            is_command = _IS_COMMAND.search(before) is not None and token.isalpha() and token.islower()
            is_code = is_profile or is_title or is_command or (is_key and not is_alone)
            value = token.partition(b"=")[2] if _IS_OPTION.search(before) else token
            for found in _PIECE.finditer(value.decode("utf-8", "replace")):
                stamped = STAMPED.fullmatch(found[1])
                piece = (stamped[1] if stamped else found[1]).strip(_EDGE)
                kind = self.kind_of(piece)
                if not kind and not is_code and "=" not in found[2] and _CODE.fullmatch(piece):
                    kind = self.kind_of(piece.replace("_", "-")) and "project"
                if kind == "host" or (kind and not is_code and "=" not in found[2]):
                    yield kind, piece
                if (
                    len(piece) >= SHORTEST_PART
                    and _FAMILY.fullmatch(piece)
                    and len(self._families) < MAX_FAMILIES
                ):
                    self._families.setdefault(family(piece), set()).add(piece)

    def siblings(self, hosts: Iterable[str]) -> Iterator[str]:
        """Yield the tokens that differ in numbers alone from one of `hosts` whose name is one of a family."""
        seen: set[str] = set()
        for host in hosts:
            if family(host) in seen or _FAMILY.fullmatch(host) is None or is_ordinary(host):
                continue
            prefix = re.split("[0-9]", host)[0]
            is_distinct = (
                "-" in host or len(_NUMBER.findall(host)[0]) > 1 or not self._is_of(self._technical, prefix)
            )
            if is_distinct:
                seen.add(family(host))
                yield from sorted(self._families.get(family(host), set()))

    def kind_of(self, token: str) -> str:
        """Return the kind of name that a token is, "" for none."""
        if token not in self._judged:
            if len(self._judged) > 1 << 18:
                self._judged.clear()
            self._judged[token] = self._kind_of(token)
        return self._judged[token]

    def _kind_of(self, token: str) -> str:
        if is_ordinary(token) or len(token) < SHORTEST_WORD or _NEVER.search(token):
            return ""
        if _WORD.fullmatch(token):
            return "" if self._is_of(self._known, token) else "project"
        is_compound = _COMPOUND.fullmatch(token) and ("-" in token or any(map(str.isdigit, token)))
        found = [part for part in _PART.findall(token) if len(part) >= SHORTEST_PART]
        unknown = [part for part in found if not self._is_of(self._technical, part)]
        if not is_compound or not unknown or _is_mixed(token) or not (token.islower() or token.isupper()):
            return ""
        share = sum(map(len, unknown)) / sum(map(len, found))
        shortest = LONG_PART if token.isupper() or "-" not in token else SHORTEST_PART
        return "host" if share >= LEAST_UNKNOWN and max(map(len, unknown)) >= shortest else ""

    def _is_of(self, words: frozenset[str], part: str) -> bool:
        """Return whether a part, its stem, or its whole when it was cut, is one of `words` or protected."""
        low = part.lower()
        bare = low.removeprefix(_LIBRARY)
        forms = (low, bare, *(low.removesuffix(end) for end in shape_checks.ENDINGS if low.endswith(end)))
        return any(form in words or form in self._protected for form in forms) or _is_cut(low)


def _is_header(around: bytes) -> bool:
    """Return whether a line consists of words apart from one another, without a number, as titles do."""
    return _DIGIT.search(around) is None and len(_GAP.findall(around)) > 1


def family(name: str) -> str:
    """Return what names have in common that differ in numbers alone."""
    return _NUMBER.sub("*", name)


def _is_mixed(token: str) -> bool:
    """Return whether letters and digits alternate as in a model, a version or an id: `mz7lh480hahq`."""
    return len(re.findall(r"[0-9][A-Za-z]", token)) > 1


def _is_cut(word: str) -> bool:
    """Return whether a known word begins with `word`."""
    words = _sorted_words()
    at = bisect_left(words, word)
    return len(word) >= SHORTEST_CUT and at < len(words) and words[at].startswith(word)


@lru_cache(maxsize=1)
def _profile() -> _core.Patterns:
    return _core.Patterns([PROFILE])


@lru_cache(maxsize=1)
def _sorted_words() -> list[str]:
    return sorted(protected_words.known_words())


@lru_cache(maxsize=1)
def _vocabulary() -> _core.Vocabulary:
    return _core.Vocabulary(_sorted_words())
