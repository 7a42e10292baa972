"""Redaction of all evidence of one case, in two passes: learn every name, then replace every name.

    redactor = Redactor(key)
    redactor.learn(chunks)                    # each text of the case
    redactor.settle()
    for chunk in redactor.redact(chunks): …   # each text again

One original has one pseudonym per key, as long as itself, so lines and columns stay; a second pass changes
nothing. What is replaced is decided by `classes.yaml`; what must stay, by the protected vocabulary.
"""

from __future__ import annotations

import re
from collections import Counter
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from ingest.containers.decompression import peek
from ingest.native import _core
from ingest.redact import detectors, match_checks
from ingest.redact.chunks import whole_lines
from ingest.redact.lexicon import KINDS, Lexicon, encoded

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping

    from ingest.redact.detectors import Rule

MAX_NAME_CHARS = 200
_NUMBER_OF = {kind: number for number, kind in enumerate(KINDS)}
_LISTED = re.compile(rb"[A-Za-z0-9_][^,\s]*")
_ADDRESS = re.compile(r"(?:(?:25[0-5]|2[0-4][0-9]|1?[0-9]{1,2})\.){3}(?:25[0-5]|2[0-4][0-9]|1?[0-9]{1,2})")


class Part(NamedTuple):
    """Bytes of a text that name something."""

    start: int
    end: int
    kind: str
    text: str
    rule: Rule | None


class Redactor:
    """Replaces names in the evidence of one case.

    Attributes:
        counts: How often each kind was replaced.
        originals: Names that were found, by kind: what must not be in the result.
        kept_words: Names that are words of the protected vocabulary, and so are replaced only where a place
            says that they are names.
    """

    def __init__(
        self, key: bytes, *, words: Collection[str] = (), given: Mapping[str, str] | None = None
    ) -> None:
        """Replace by pseudonyms of `key` and those `given` out before; protect `words` beside our own."""
        self.counts: Counter[str] = Counter()
        self._lexicon = Lexicon(key, words, given)
        self.originals = self._lexicon.originals
        self.kept_words = self._lexicon.kept_words
        self._rules = detectors.load().rules
        self._spots = _core.Spots(_compiled())
        self._numbers: dict[tuple[str, str], int] = {}
        self._untold: list[tuple[str, str]] = []

    @property
    def given(self) -> dict[str, str]:
        """What was given out so far: digests of originals and their pseudonyms."""
        return self._lexicon.given

    def learn(self, chunks: Iterable[bytes], path: str = "") -> None:
        """Note the names in a text that stood at `path` of the captured machine."""
        kind = _kind_of_file(path)
        if kind:
            head, chunks = peek(iter(chunks), MAX_NAME_CHARS)
            self.learn_name(kind, head[:MAX_NAME_CHARS].decode("utf-8", "replace").strip())
        for chunk in whole_lines(chunks):
            for part in self._undecided(chunk):
                self.originals[part.kind].add(part.text)
                is_learnt = self._lexicon.has_learnt(part.kind, part.text)
                if part.rule is not None and part.rule.learns and not is_learnt:
                    self._lexicon.learn(part.kind, part.text)

    def learn_name(self, kind: str, name: str) -> None:
        """Note that `name` names a host, user, domain, … of the case."""
        self._lexicon.learn(kind, name)

    def settle(self) -> None:
        """Decide which names are replaced wherever they stand; call it between the passes."""
        self._lexicon.settle()
        lexicon = self._lexicon
        self._spots.settle(list(lexicon.words()), list(lexicon.named()), lexicon.protected, lexicon.domains())
        self._tell()

    def redact(self, chunks: Iterable[bytes], path: str = "") -> Iterator[bytes]:
        """Yield a text that stood at `path` with its names replaced, line by line what it was."""
        kind = _kind_of_file(path)
        if kind:
            head, chunks = peek(iter(chunks), MAX_NAME_CHARS + 1)
            name = head.decode("utf-8", "surrogateescape").strip()
            if name and len(head) <= MAX_NAME_CHARS and not self._lexicon.is_free(kind, name):
                self.counts[kind] += 1
                yield head.replace(encoded(name), encoded(self._lexicon.by(kind, name)))
                return
        for chunk in whole_lines(chunks):
            for _ in self._undecided(chunk):
                pass
            self._tell()
            told, counts = self._spots.apply(chunk, len(KINDS))
            self.counts += Counter(dict(zip(KINDS, counts, strict=True)))
            yield told

    def text(self, text: str) -> str:
        """Return a title, a path or a sentence with its names replaced."""
        content = text.encode("utf-8", "surrogateescape")
        return b"".join(self.redact([content])).decode("utf-8", "surrogateescape")

    def name(self, kind: str, name: str) -> str:
        """Return the pseudonym of what is known to be a name, whatever word it is."""
        return name if not name or self._lexicon.is_free(kind, name) else self._lexicon.by(kind, name)

    def _undecided(self, text: bytes) -> Iterator[Part]:
        """Decide on every match unlike any before, and yield the parts of it that name something."""
        for answer, start, end, number in self._spots.scan(text):
            if number < len(self._rules):
                parts = list(self._of_rule(self._rules[number], text, start, end))
            else:
                name = text[start:end].decode("utf-8", "surrogateescape")
                is_free = self._lexicon.is_free("fqdn", name)
                parts = [] if is_free else [Part(start, end, "fqdn", name, None)]
            if parts:
                self._spots.decide(
                    answer,
                    [(one.start, one.end, _NUMBER_OF[one.kind], self._number(one)) for one in parts],
                )
                yield from parts

    def _number(self, part: Part) -> int:
        """Return the number by which the core knows a name; what replaces it is told when all are known."""
        name = part.kind, part.text
        number = self._numbers.get(name)
        if number is None:
            number = self._numbers[name] = len(self._numbers)
            self._untold.append(name)
        return number

    def _tell(self) -> None:
        """Tell what replaces the names that have a number since the last time."""
        self._spots.tell([encoded(self._lexicon.by(*name)) for name in self._untold])
        self._untold.clear()

    def _of_rule(self, rule: Rule, text: bytes, start: int, end: int) -> Iterator[Part]:
        around = (text[max(0, start - 2) : start], text[end : end + 2])
        whole = text[start:end].decode("utf-8", "surrogateescape")
        if rule.check and not rule.pattern.groups and not match_checks.CHECKS[rule.check](whole, around):
            return
        if not rule.pattern.groups:
            part = Part(start, end, rule.group, whole, rule)
            if not self._is_left(rule, part):
                yield part
            return
        found = rule.pattern.match(text, start)
        if found is None:
            return
        parts: list[Part] = []
        for kind, value in found.groupdict().items():
            if not value:
                continue
            at = found.start(kind)
            if kind in {"users", "hosts"}:
                parts += _listed(kind.removesuffix("s"), value, at, rule)
                continue
            name = value.decode("utf-8", "surrogateescape")
            parts.append(Part(at, at + len(value), kind, name, rule))
        if rule.check and not self._holds(rule, whole, parts, around):
            return
        yield from sorted(part for part in parts if not self._is_left(rule, part))

    def _holds(self, rule: Rule, whole: str, parts: list[Part], around: match_checks.Around) -> bool:
        return match_checks.CHECKS[rule.check](whole if rule.check == "email" else parts[0].text, around)

    def _is_left(self, rule: Rule, part: Part) -> bool:
        labels = part.text.lower().split(".")
        # `memory.events.local` is a file of a cgroup, and no host of the domain `events.local`.
        named = labels[:-1] if part.kind == "fqdn" else labels
        is_word = rule.weak and all(label in self._lexicon.protected for label in named)
        return is_word or self._lexicon.is_free(part.kind, part.text)


@lru_cache(maxsize=1)
def _compiled() -> _core.Rules:
    """Return the rules, compiled once in a process."""
    return _core.Rules([(rule.expression, bool(rule.check)) for rule in detectors.load().rules])


def _listed(kind: str, value: bytes, at: int, rule: Rule) -> Iterator[Part]:
    """Yield the names and addresses in a list that begins at `at`; other numbers are none."""
    for found in _LISTED.finditer(value):
        if found.start() == 0 or value[found.start() - 1 : found.start()] in (b",", b" ", b"\t"):
            name = found.group().decode("utf-8", "surrogateescape")
            is_address = _ADDRESS.fullmatch(name) is not None
            if is_address or not name[0].isdigit():
                told = "ipv4" if is_address else kind
                yield Part(at + found.start(), at + found.end(), told, name, rule)


def _kind_of_file(path: str) -> str:
    """Return what the whole content of a file names, "" for most."""
    known = detectors.load().files
    parts = path.split("/")
    tails = ("/".join(parts[-count:]) for count in range(len(parts), 0, -1))
    return next((known[tail] for tail in tails if tail in known), "") if path else ""
