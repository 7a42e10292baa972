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
from collections import Counter, defaultdict
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from ingest.native import _core
from ingest.redact import checks, classes, vocabulary
from ingest.redact.cutting import whole_lines
from ingest.redact.names import Names
from ingest.source import peek

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping

    from ingest.redact.classes import Rule

SHORTEST_WORD = 3
SHORTEST_FOLDED_USER = 5
SHORTEST_LEARNT_SECRET = 6
SHORTEST_LEARNT_SERIAL = 6
MAX_NAME_CHARS = 200
MAX_REMEMBERED = 100_000
Key = TypeVar("Key")
Value = TypeVar("Value")
_PARTS = re.compile(r"[^,]+")


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
        self.originals: dict[str, set[str]] = defaultdict(set)
        self.kept_words: set[str] = set()
        self._names = Names(key, given)
        self._words = vocabulary.own_words() | {word.lower() for word in words}
        self._rules = classes.load().rules
        self._learnt: dict[str, set[str]] = defaultdict(set)
        self._of_word: dict[str, str] = {}
        self._patterns = _core.Patterns([rule.expression for rule in self._rules])
        self._replaced: dict[tuple[str, str], bytes] = {}
        self._free: dict[tuple[str, str], bool] = {}
        self._checked: dict[tuple[str, str, checks.Around], bool] = {}

    @property
    def given(self) -> dict[str, str]:
        """What was given out so far: digests of originals and their pseudonyms."""
        return self._names.given

    def learn(self, chunks: Iterable[bytes], path: str = "") -> None:
        """Note the names in a text that stood at `path` of the captured machine."""
        kind = _kind_of_file(path)
        if kind:
            head, chunks = peek(iter(chunks), MAX_NAME_CHARS)
            self.learn_name(kind, head[:MAX_NAME_CHARS].decode("utf-8", "replace").strip())
        for chunk in whole_lines(chunks):
            for part in self._parts(chunk):
                if part.text not in self.originals[part.kind]:
                    self.originals[part.kind].add(part.text)
                if part.rule is not None and part.rule.learns and part.text not in self._learnt[part.kind]:
                    self.learn_name(part.kind, part.text)

    def learn_name(self, kind: str, name: str) -> None:
        """Note that `name` names a host, user, domain, … of the case."""
        if not name or self._is_free(kind, name):
            return
        self.originals[kind].add(name)
        if kind in {"host", "fqdn"} and "." in name:
            host, domain = self._names.split(name)
            self._learnt["domain"].add(domain)
            if any(map(str.isdigit, host)) or "-" in host or kind == "host":
                self.learn_name("host", host)
        else:
            self._learnt[kind].add(name)

    def settle(self) -> None:
        """Decide which names are replaced wherever they stand; call it between the passes."""
        words = [
            (name, kind)
            for kind in ("secret", "host", "user", "serial", "uuid")
            for name in sorted(self._learnt[kind], key=lambda name: (-len(name), name))
            if self._is_replaceable(kind, name)
        ]
        self._of_word = {name.lower(): kind for name, kind in reversed(words)}
        expressions = [rule.expression for rule in self._rules]
        domains = sorted(self._learnt["domain"], key=lambda name: (-len(name), name))
        below = r"(?i)\b(?:[a-z0-9_][a-z0-9_-]*\.)*(?:{})\b"
        expressions.append(below.format("|".join(map(_literal, domains))) if domains else r"\z.")
        exact = [_bounded(name) for name, kind in words if _is_exact(kind, name)]
        folded = [_bounded(name) for name, kind in words if not _is_exact(kind, name)]
        expressions += [f"(?:{'|'.join(exact)})" if exact else r"\z."]
        expressions += [f"(?i)(?:{'|'.join(folded)})" if folded else r"\z."]
        self._patterns = _core.Patterns(expressions)
        for kind in sorted(self.originals):
            for name in sorted(self.originals[kind]):
                self._names.of(kind, name)

    def redact(self, chunks: Iterable[bytes], path: str = "") -> Iterator[bytes]:
        """Yield a text that stood at `path` with its names replaced, line by line what it was."""
        kind = _kind_of_file(path)
        if kind:
            head, chunks = peek(iter(chunks), MAX_NAME_CHARS + 1)
            name = head.decode("utf-8", "surrogateescape").strip()
            if name and len(head) <= MAX_NAME_CHARS and not self._is_free(kind, name):
                self.counts[kind] += 1
                yield head.replace(name.encode("utf-8", "surrogateescape"), self._replacement(kind, name))
                return
        for chunk in whole_lines(chunks):
            told: list[bytes] = []
            at = 0
            for part in self._parts(chunk):
                told += (chunk[at : part.start], self._replacement(part.kind, part.text))
                at = part.end
                self.counts[part.kind] += 1
            yield b"".join((*told, chunk[at:])) if told else chunk

    def text(self, text: str) -> str:
        """Return a title, a path or a sentence with its names replaced."""
        content = text.encode("utf-8", "surrogateescape")
        return b"".join(self.redact([content])).decode("utf-8", "surrogateescape")

    def name(self, kind: str, name: str) -> str:
        """Return the pseudonym of what is known to be a name, whatever word it is."""
        return name if not name or self._is_free(kind, name) else self._names.of(kind, name)

    def _replacement(self, kind: str, name: str) -> bytes:
        known = self._replaced.get((kind, name))
        if known is None:
            known = self._names.of(kind, name).encode("utf-8", "surrogateescape")
            _remember(self._replaced, (kind, name), known)
        return known

    def _is_free(self, kind: str, name: str) -> bool:
        known = self._free.get((kind, name))
        if known is None:
            known = checks.is_public(kind, name) or self._names.is_own(kind, name)
            _remember(self._free, (kind, name), known)
        return known

    def _is_so(self, check: str, text: str, around: checks.Around) -> bool:
        known = self._checked.get((check, text, around))
        if known is None:
            known = checks.CHECKS[check](text, around)
            _remember(self._checked, (check, text, around), known)
        return known

    def _is_replaceable(self, kind: str, name: str) -> bool:
        if kind == "secret":
            is_long = len(name) >= SHORTEST_LEARNT_SECRET and not name.isdigit() and "\n" not in name
            return is_long and name.lower() not in self._words
        if kind == "serial":
            return len(name) >= SHORTEST_LEARNT_SERIAL
        if name.lower() in self._words:
            self.kept_words.add(name)
            return False
        return len(name) >= SHORTEST_WORD

    def _parts(self, text: bytes) -> Iterator[Part]:
        """Yield the parts of `text` to replace, in order."""
        for start, end, number in self._patterns.places(text):
            if number < len(self._rules):
                yield from self._of_rule(self._rules[number], text, start, end)
                continue
            name = text[start:end].decode("utf-8", "surrogateescape")
            kind = "fqdn" if number == len(self._rules) else self._of_word.get(name.lower(), "")
            if kind and not self._is_free(kind, name):
                yield Part(start, end, kind, name, None)

    def _of_rule(self, rule: Rule, text: bytes, start: int, end: int) -> Iterator[Part]:
        around = (text[max(0, start - 2) : start], text[end : end + 2])
        whole = text[start:end].decode("utf-8", "surrogateescape")
        if rule.check and not rule.pattern.groups and not self._is_so(rule.check, whole, around):
            yield from self._words_inside(text, start, end)
            return
        if not rule.pattern.groups:
            part = Part(start, end, rule.group, whole, rule)
            if not self._is_left(rule, part):
                yield part
            return
        found = rule.pattern.match(text, start)
        if found is None:
            return
        parts = []
        for kind, value in found.groupdict().items():
            if not value:
                continue
            at = found.start(kind)
            if kind == "users":
                names = [(m.start(), m.group()) for m in _PARTS.finditer(value.decode("utf-8", "replace"))]
                parts += [Part(at + o, at + o + len(n), "user", n, rule) for o, n in names]
                continue
            name = value.decode("utf-8", "surrogateescape")
            parts.append(Part(at, at + len(value), kind, name, rule))
        if rule.check and not self._holds(rule, whole, parts, around):
            yield from self._words_inside(text, start, end)
            return
        kept = [part for part in parts if not self._is_left(rule, part)]
        yield from sorted(kept)
        if not kept:
            yield from self._words_inside(text, start, end)

    def _holds(self, rule: Rule, whole: str, parts: list[Part], around: checks.Around) -> bool:
        return self._is_so(rule.check, whole if rule.check == "email" else parts[0].text, around)

    def _is_left(self, rule: Rule, part: Part) -> bool:
        labels = part.text.lower().split(".")
        # `memory.events.local` is a file of a cgroup, and no host of the domain `events.local`.
        named = labels[:-1] if part.kind == "fqdn" else labels
        is_word = rule.weak and all(label in self._words for label in named)
        return is_word or self._is_free(part.kind, part.text)

    def _words_inside(self, text: bytes, start: int, end: int) -> Iterator[Part]:
        """Yield the learnt names inside a match that turned out to be nothing: it hid them."""
        if not self._of_word:
            return
        for found in re.finditer(rb"[A-Za-z0-9_][A-Za-z0-9_-]*", text[start:end]):
            name = found.group().decode()
            kind = self._of_word.get(name.lower(), "")
            if kind and not self._is_free(kind, name):
                yield Part(start + found.start(), start + found.end(), kind, name, None)


def _kind_of_file(path: str) -> str:
    """Return what the whole content of a file names, "" for most."""
    known = classes.load().files
    parts = path.split("/")
    tails = ("/".join(parts[-count:]) for count in range(len(parts), 0, -1))
    return next((known[tail] for tail in tails if tail in known), "") if path else ""


def _remember(kept: dict[Key, Value], key: Key, value: Value) -> None:
    """Keep an answer: a text asks the same thousands of times, and where it does not, few are kept."""
    if len(kept) >= MAX_REMEMBERED:
        kept.clear()
    kept[key] = value


def _is_exact(kind: str, name: str) -> bool:
    """Say whether capitals make `name` another word: of a short user they may (`max`, `Max`)."""
    return kind in {"secret", "serial"} or (kind == "user" and len(name) < SHORTEST_FOLDED_USER)


def _literal(name: str) -> str:
    """Return `name` as an expression; bytes that are no ASCII are spelled out."""
    return "".join(
        chr(byte) if chr(byte).isalnum() and byte < 128 else f"\\x{byte:02x}"
        for byte in name.encode("utf-8", "surrogateescape")
    )


def _bounded(name: str) -> str:
    """Return `name` as an expression that finds it as a word, not inside of another."""
    before = r"\b" if name[0].isalnum() or name[0] == "_" else ""
    behind = r"\b" if name[-1].isalnum() or name[-1] == "_" else ""
    return f"{before}{_literal(name)}{behind}"
