"""Redaction of all evidence of one case, in two passes: learn every name, then replace every name.

    redactor = Redactor(key)
    redactor.learn(chunks)                    # each text of the case
    redactor.settle()
    for chunk in redactor.redact(chunks): …   # each text again

One original has one pseudonym per key, of equal length, so lines and columns stay; a second pass changes
nothing. `detectors.yaml` decides what is replaced; the protected vocabulary decides what stays.
"""

from __future__ import annotations

import re
from collections import Counter
from functools import lru_cache
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from ingest.containers.decompression import peek
from ingest.native import _core
from ingest.redact import columns, detectors, match_checks, protected_words, tables
from ingest.redact.chunks import whole_lines
from ingest.redact.lexicon import KINDS, Lexicon, encoded
from ingest.redact.name_lists import ADDRESS, names_in
from ingest.redact.name_numbers import NUMBER_OF, NameNumbers
from ingest.redact.unknown_tokens import UnknownTokens

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from ingest.redact.detectors import Rule

MAX_NAME_CHARS = 200
SHORTEST_DOUBT = 5
FAMILY = "*"
"""Digits of a name that stands for a family of names."""
_SHARED_PLACES = frozenset({"name", "value", "foreign", "key", "parts", "identifier"})
"""Checks of places that many programs share: the kind of name there is not certain."""
_DOUBTFUL = re.compile(r"[a-z][a-z0-9]*(?:[-_][a-z0-9]+)*")


class Part(NamedTuple):
    """A name in a text."""

    start: int
    end: int
    kind: str
    text: str
    rule: Rule | None


class Redactor:
    """Replaces names in the evidence of one case.

    Attributes:
        counts: Number of replacements by kind.
        originals: Names found, by kind; none may occur in the result.
        unreplaced_words: Names that are protected words, replaced only where the context marks a name.
        doubtful_tokens: Protected words and compounds in places of names, lower case; left, and open tokens.
    """

    def __init__(
        self, key: bytes, *, words: Collection[str] = (), pseudonym_map: Mapping[str, str] | None = None
    ) -> None:
        """Derive pseudonyms from `key`, reuse those of `pseudonym_map`; also protect `words`."""
        self.counts: Counter[str] = Counter()
        self._lexicon = Lexicon(key, words, pseudonym_map)
        self.originals = self._lexicon.originals
        self.unreplaced_words = self._lexicon.unreplaced_words
        self._rules = detectors.load().rules + detectors.load().shapes
        self._matches = _core.RedactionMatches(_compiled())
        self._numbers = NameNumbers()
        self._whole_files: set[tuple[str, str]] = set()
        self._families: list[tuple[str, re.Pattern[bytes]]] = []
        self._learnt: set[int] = set()
        self._replaced: dict[str, int] | None = None
        self.doubtful_tokens: set[str] = set()
        self._unknown = UnknownTokens(self._lexicon.protected)

    @property
    def protected(self) -> frozenset[str]:
        """The protected vocabulary, lower case."""
        return self._lexicon.protected

    @property
    def pseudonym_map(self) -> dict[str, str]:
        """Pseudonyms so far, by digest of the original."""
        return self._lexicon.pseudonym_map

    @property
    def different(self) -> dict[str, int]:
        """Number of different names replaced so far, by kind; at most as many as `counts`."""
        if self._replaced is not None:
            return self._replaced
        used = dict(zip(KINDS, map(set, self._matches.used(len(KINDS))), strict=True))
        for kind, pseudonym in self._whole_files:
            used[kind].add(encoded(pseudonym))
        return {kind: len(used[kind]) for kind, count in self.counts.items() if count}

    def learn(self, chunks: Iterable[bytes], path: str = "") -> None:
        """Learn the names in a text from `path` of the captured machine."""
        kind = _kind_of_file(path)
        if kind:
            head, chunks = peek(iter(chunks), MAX_NAME_CHARS)
            self.learn_name(kind, head[:MAX_NAME_CHARS].decode("utf-8", "replace").strip())
        for chunk in whole_lines(chunks):
            for family_kind, pattern in self._families:
                for name in set(pattern.findall(chunk)):
                    self._lexicon.learn(family_kind, name.decode("utf-8", "surrogateescape"))
            for cell in chain(tables.cells(chunk), columns.cells(chunk)):
                name = chunk[cell.start : cell.end].decode("utf-8", "surrogateescape")
                if cell.is_certain and not self._lexicon.is_word(name):
                    self._lexicon.learn(cell.kind, name)
                elif name.lower() not in protected_words.usual_values():
                    self._doubt(cell.kind, name)
            for unknown_kind, name in self._unknown.read(chunk):
                self._lexicon.learn(unknown_kind, name)
            self._learnt.add(hash(chunk))
            for part in self._undecided(chunk):
                self._lexicon.note(part.kind, part.text)
                is_learnt = self._lexicon.has_learnt(part.kind, part.text)
                if part.rule is not None and part.rule.learns and not is_learnt:
                    self._lexicon.learn(part.kind, part.text)

    def learn_name(self, kind: str, name: str, *, is_chosen: bool = False) -> None:
        """Learn that `name` is a host, user, domain, … of the case; a person may choose a protected word.

        `*` in a name stands for digits: `web*` is web01, web02, … in the texts that are learnt from then on.
        """
        if FAMILY in name:
            parts = map(re.escape, name.encode("utf-8", "surrogateescape").split(FAMILY.encode()))
            shape = rb"[0-9]{1,8}".join(parts)
            self._families.append((kind, re.compile(rb"(?<!\w)" + shape + rb"(?!\w)")))
        else:
            learn = self._lexicon.choose if is_chosen else self._lexicon.learn
            learn(kind, name)

    def settle(self) -> None:
        """Decide which names are replaced everywhere; call it between the passes."""
        for sibling in self._unknown.siblings(self._lexicon.learnt("host")):
            self._lexicon.learn("host", sibling)
        self._lexicon.settle()
        lexicon = self._lexicon
        self._matches.settle(
            list(lexicon.words()), list(lexicon.named()), lexicon.searchable, lexicon.domains()
        )
        self._add_replacements()

    def redact(self, chunks: Iterable[bytes], path: str = "") -> Iterator[bytes]:
        """Yield the text from `path` with its names replaced; lines stay."""
        if self._replaced is not None:
            raise RuntimeError("the redaction has ended")
        kind = _kind_of_file(path)
        if kind:
            head, chunks = peek(iter(chunks), MAX_NAME_CHARS + 1)
            name = head.decode("utf-8", "surrogateescape").strip()
            if name and len(head) <= MAX_NAME_CHARS and not self._lexicon.is_free(kind, name):
                self.counts[kind] += 1
                self._whole_files.add((kind, self._lexicon.by(kind, name)))
                yield head.replace(encoded(name), encoded(self._lexicon.by(kind, name)))
                return
        for chunk in whole_lines(chunks):
            if self._has_no_names(chunk):
                yield chunk
                continue
            for _ in self._undecided(chunk):
                pass
            self._add_replacements()
            redacted, counts = self._matches.apply(chunk, len(KINDS))
            self.counts += Counter(dict(zip(KINDS, counts, strict=True)))
            yield redacted

    def end(self) -> None:
        """Forget how to replace, which takes most of the memory: no text can be redacted any more."""
        self._replaced = self.different
        self._matches = _core.RedactionMatches(_compiled())
        self._numbers = NameNumbers()
        self._lexicon.end()

    def text(self, text: str) -> str:
        """Return a title, a path or a sentence with its names replaced."""
        return b"".join(self.redact([encoded(text)])).decode("utf-8", "surrogateescape")

    def name(self, kind: str, name: str) -> str:
        """Return the pseudonym of a name, even if it is a protected word."""
        return name if not name or self._lexicon.is_free(kind, name) else self._lexicon.by(kind, name)

    def _has_no_names(self, chunk: bytes) -> bool:
        """Return whether nothing is known to replace, and the first pass found no name in `chunk`."""
        is_empty = not self._numbers.count and not any(self.originals.values())
        return is_empty and hash(chunk) in self._learnt

    def _undecided(self, text: bytes) -> Iterator[Part]:
        """Decide on every new match, and yield the names in it."""
        for answer, start, end, number, groups in self._matches.scan(text):
            if number < len(self._rules):
                parts = list(self._of_rule(self._rules[number], text, start, end, groups))
            else:
                name = text[start:end].decode("utf-8", "surrogateescape")
                is_free = self._lexicon.is_free("fqdn", name)
                parts = [] if is_free else [Part(start, end, "fqdn", name, None)]
            if parts:
                self._matches.decide(
                    answer,
                    [
                        (one.start, one.end, NUMBER_OF[one.kind], self._numbers.of(one.kind, one.text))
                        for one in parts
                    ],
                )
                yield from parts

    def _add_replacements(self) -> None:
        """Send the replacements of the names numbered since the last call."""
        for names in self._numbers.unsent():
            self._matches.add_replacements([encoded(self._lexicon.by(*name)) for name in names])

    def _of_rule(
        self, rule: Rule, text: bytes, start: int, end: int, groups: Sequence[tuple[int, int] | None]
    ) -> Iterator[Part]:
        around = (text[max(0, start - 2) : start], text[end : end + 2])
        whole = text[start:end].decode("utf-8", "surrogateescape")
        if rule.check and not rule.groups and not match_checks.CHECKS[rule.check](whole, around):
            return
        if not rule.groups:
            part = Part(start, end, rule.group, whole, rule)
            if not self._is_exempt(rule, part):
                yield part
            return
        parts: list[Part] = []
        for group, span in zip(rule.groups, groups, strict=True):
            if span is None or span[0] == span[1]:
                continue
            kind, at, value = group.partition("_")[0], span[0], text[slice(*span)]
            if kind in {"users", "hosts"}:
                listed = names_in(kind.removesuffix("s"), value)
                parts += [Part(at + begin, at + end, of, name, rule) for begin, end, of, name in listed]
                continue
            name = value.decode("utf-8", "surrogateescape")
            if kind == "host" and ADDRESS.fullmatch(name):
                kind = "ipv4"
            parts.append(Part(at, at + len(value), kind, name, rule))
        if rule.check in {"name", "value", "foreign"}:
            parts = [part for part in parts if self._is_name(rule.check, part, text)]
            if all(part.kind == "user" for part in parts) and "host" in rule.groups:
                return  # `read@plt` is a function
        elif rule.check and not self._holds(rule, whole, parts, around):
            return
        if any(part.kind == "user" and match_checks.is_public("user", part.text) for part in parts):
            parts = [part for part in parts if part.kind != "person"]  # `root:x:0:0:root`
        yield from sorted(part for part in parts if not self._is_exempt(rule, part))

    def _is_name(self, check: str, part: Part, text: bytes) -> bool:
        around = (text[max(0, part.start - 2) : part.start], text[part.end : part.end + 2])
        if not match_checks.CHECKS[check](part.text, around):
            self._doubt(part.kind, part.text)
            return False
        return not match_checks.is_public_domain(part.text.lower())

    def _doubt(self, kind: str, text: str) -> None:
        """Note a protected word, or a compound of them, in the place of a name."""
        token = text.lower()
        is_long = len(token) >= SHORTEST_DOUBT and _DOUBTFUL.fullmatch(token)
        if is_long and not self._lexicon.is_free(kind, token):
            self.doubtful_tokens.add(token)

    def _holds(self, rule: Rule, whole: str, parts: list[Part], around: match_checks.Around) -> bool:
        return match_checks.CHECKS[rule.check](whole if rule.check == "email" else parts[0].text, around)

    def _is_exempt(self, rule: Rule, part: Part) -> bool:
        labels = part.text.lower().strip(".").split(".")
        # `memory.events.local` is a file of a cgroup, and no host of the domain `events.local`.
        named = labels[:-1] if part.kind == "fqdn" else labels
        if part.kind == "project":
            named = [word for word in re.split(r"[-_.]", part.text.lower()) if not word.isdigit()]
        is_word = rule.weak and all(label in self._lexicon.protected for label in named)
        if is_word:
            self._doubt(part.kind, part.text)
        is_taken = rule.check in _SHARED_PLACES and self._lexicon.is_pseudonym(part.text)
        return is_word or is_taken or self._lexicon.is_free(part.kind, part.text)


@lru_cache(maxsize=1)
def _compiled() -> _core.Rules:
    """Return the rules, compiled once in a process."""
    classes = detectors.load()
    rules, shapes = (
        [(rule.expression, bool(rule.check)) for rule in one] for one in (classes.rules, classes.shapes)
    )
    return _core.Rules(rules, shapes)


def _kind_of_file(path: str) -> str:
    """Return the kind of name that a file consists of, "" for most files."""
    files = detectors.load().files
    parts = path.split("/")
    tails = ("/".join(parts[-count:]) for count in range(len(parts), 0, -1))
    return next((files[tail] for tail in tails if tail in files), "") if path else ""
