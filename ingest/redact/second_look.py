"""Second look at redacted text: tokens that no rule classified and that may be names, for a person to decide.

    at swordfish-db3: disk WFK2R0QZ4411 …   ->  host: swordfish-db3, id: WFK2R0QZ4411

It shares no code with the rest of `ingest.redact`: it knows no rule and no original, only a vocabulary of
words that are not names, and how names look. A word of the vocabulary is listed, too, when it stands alone as
a value (`pool: atlas`) or in a column and is no usual value there, and when a rule left it in the place of a
name. A token is listed once, with its number of occurrences and its first place, the likeliest name first.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from ingest.native import _core
from ingest.native.linear import Pattern
from ingest.redact.randomness import entropy, has_many, is_code, is_mixed, is_random

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

CLASSES = {
    "account": "accounts and addresses of people",
    "host": "names of hosts and services",
    "id": "serial numbers and ids",
    "secret": "keys and passwords",
    "word": "words that may be names",
}
MAX_LISTED = {"account": 100, "host": 100, "id": 100, "secret": 100, "word": 300}
"""Tokens listed per class; the others are counted."""

SHORTEST = 4
SHORTEST_ID = 8
LEAST_UNKNOWN = 0.5
BEGIN, CELL, VALUE = 1, 2, 3
"""How a token stands, see `OpenTokens.finish`: behind a mark, alone in a column, alone behind a mark."""
MANY_DIGITS = 4
DOUBTFUL_RANK, VALUE_RANK = 0.9, 0.1

_PSEUDONYM = re.compile(
    r"(?i)zq[a-z2-7]*(?:[-.].*)?|(?:host|user)-[a-z2-7]{4,}(?:[-.].*)?|redacted[a-z2-7]*=*|x{4,}|.*\.(?:invalid|test|zz)|"
    r"0000[0-9a-f]{4}-?[0-9a-f-]*|0000[0-9a-f]{28,}|(?:enx)?02005e[0-9a-f]+|.*@(?:host-|zq).*"
)
_COUNTER = re.compile(r"(?:MP)?(?:Tcp|Udp|UdpLite|Icmp|Ip|TCP|IP)(?:Lite)?6?(?:Ext)?[A-Z][A-Za-z0-9]*")
"""Counters of /proc/net/netstat and snmp."""
_DATE = re.compile(
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}.*|[0-9]{2}[A-Z][a-z]{2}[0-9]{2,4}|[A-Z][a-z]{2}[0-9]{2}|[0-9].*[0-9]ms|.*[0-9]x[0-9]+"
)
_VERSION = re.compile(
    r"(?i)v?[0-9]+[.-][0-9].*|.*[-_.]v?[0-9]+\.[0-9].*|.*(?:\.el[0-9]|\.fc[0-9]|-ubuntu|\+deb[0-9]|ubuntu[0-9]|-amd64|-generic|x86[-_]64|-gke|"
    r"aarch64|-rc[0-9]+).*|[0-9.]+(?:[kmgtpezn]?i?b?|%|[munp]?s|hz|[kmg]hz|bit|rpm|v|w|c|d|h|p)?(?:/s)?|[0-9]+(?:st|nd|rd|th)|rev[0-9]+"
)
STAMPED = re.compile(
    r"([A-Za-z][A-Za-z_-]*[A-Za-z])[-._](?:19|20)[0-9]{2}[-.]?[01][0-9](?:[-.]?[0-3][0-9].*)?"
)
"""A name with a date, as indices and backups have."""
_FILE = re.compile(
    r"(?i).*\.(?:so|conf|cfg|ko|xz|gz|zst|py|pyc|log|txt|h|c|cc|rs|go|java|service|socket|target|slice|scope|mount|automount|timer|"
    r"device|path|swap|sh|pl|rb|js|json|yaml|yml|xml|pem|key|crt|repo|rules|img|bin|hex|fw|dat|db|list|rpm|deb|jar|html?|svg|css|pid|"
    r"lock|sock|state|cache|d|so\.[0-9.]+|max|min|high|low|stat|current|events|local|pressure|weight)"
)
_DEVICE = Pattern(
    r"(?:sd|hd|vd|xvd|dm|md|sr|loop|ram|nvme|nbd|rbd|zram|drbd|mmcblk|eth|en[opsx]|wl|ib|bond|team|br|veth|tap|tun|vnet|virbr|docker|"
    r"cali|flannel|vlan|lo|cpu|node|core|irq|tty|pts|hvc|kworker|ksoftirqd|migration|cpuhp|watchdog|rcu|mlx|i40e|ixgbe|bnx|ens|eno|enp|"
    r"hctx|queue|zone|slab|kmalloc|comp|port|host|target|session|connection|ata|usb|pci|scsi|swap|disk|part|sched|udp|tcp|ip|ipv|utf|iso|"
    r"sha|md|aes|crc|rsa|ecdsa|ed|base|int|uint|float|fd|arg|a|r|x|c|rx|tx|mem|bit|level|raid|ext|fat|ntfs|xfs|l|py|python|perl|lib|gcc|"
    r"java|jdk|php|node|k|g|m|t|ch|lun|bus|dev|id|pid|tid|uid|gid|ts|ms|us|ns|v)-?[0-9]+[a-z]{0,2}[0-9]*(?:[-.:][a-z]?[0-9]*)*|mpath[a-z]{1,2}[0-9]*|(?:[shv]|xv)d[a-z]{1,3}[0-9]*|vcs[au]?[0-9]+|veth[0-9a-f]+|x2d[a-z].*"
)
_NAME = re.compile(r"[a-z0-9\x80-\U0010ffff]+(?:[-.][a-z0-9\x80-\U0010ffff]+)*")
_NUMBERED_CODE = re.compile(r"(?=.*[A-Z])[A-Z0-9]+(?:-[A-Z0-9]+)+")
"""An inventory number: `WKS-0417-LD`."""
_ID = re.compile(r"[A-Z0-9]+(?:-[A-Z0-9]+)*")
_ACCOUNT = re.compile(r"(?i)[a-z0-9][\w.+-]*@[a-z][\w.-]*")
_HEX = re.compile(r"[0-9a-f]{8,31}|[0-9A-F]{8,31}")
_OPENS = re.compile(rb"[=:/@\"'`<\[({] ?\Z")
_CLOSES = re.compile(rb"[@\"'`>\]})]|:[0-9/]")
"""Marks beside values."""
_PLAIN = re.compile(r"[A-Za-z][A-Za-z0-9]*(?:-[A-Za-z0-9]+)*")
"""A word, or a compound that is no code."""
_JOINED = re.compile(r"[A-Za-z][A-Za-z0-9]*_[A-Za-z0-9]+")
"""Two words; symbols mostly have more."""
_SYMBOL = re.compile(rb"[0-9a-f]{16} [A-Za-z] _*\Z")
"""What a table of symbols has before each."""
_WORD = re.compile(r"[A-Za-z]+")
_NUMBER = re.compile(r"[0-9]+")
_NUMBERED = re.compile(r"[A-Za-z][A-Za-z.-]{2,}(?:[0-9]{1,6}[A-Za-z.-]*){1,2}")
_PARTS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|[\x80-\U0010ffff]+")


@dataclass(frozen=True, slots=True)
class OpenToken:
    """One token that may be a name.

    Attributes:
        text: The token; `*` for the digits of a family of them, such as `web*`.
        names: Number of different tokens in it, 1 without a family.
        where: The file of its first occurrence.
        line: 1-based.
        before: Text of the line before it, at most 60 bytes.
        behind: The same behind it.
    """

    text: str
    count: int
    where: str
    line: int
    before: str
    behind: str
    names: int = 1


class OpenClass(NamedTuple):
    """The tokens of one class, likeliest name first.

    Attributes:
        name: A key of `CLASSES`.
        distinct: Number of different tokens, also of those that are not listed.
    """

    name: str
    distinct: int
    tokens: tuple[OpenToken, ...]


class SecondLook:
    """Collects the open tokens of all texts of one case."""

    def __init__(
        self,
        vocabulary: Collection[str],
        english: Collection[str] = (),
        usual: Collection[str] = (),
        doubtful: Collection[str] = (),
        technical: Collection[str] = (),
    ) -> None:
        """Take no word of `vocabulary` for a name, unless it is a value and not `usual`, or is `doubtful`.

        All are in lower case; `*` stands for digits. Words of `english` are less likely names, `technical`
        ones are none but in compounds that look like a host (`carbon-relay`).
        """
        self._vocabulary = frozenset(vocabulary).difference(doubtful)
        self._technical = self._vocabulary.union(technical)
        self._english = english
        self._usual = usual
        self._doubtful = doubtful
        self._words = _core.Vocabulary(sorted(self._vocabulary))
        self._values = _core.Vocabulary(sorted(usual))
        self._judged: dict[str, tuple[str, float] | None] = {}
        self._found: dict[str, dict[str, tuple[float, OpenToken]]] = {name: {} for name in CLASSES}

    def read(self, chunks: Iterable[bytes], where: str) -> Iterator[bytes]:
        """Yield the chunks of the text called `where` unchanged, and list its tokens at their end."""
        tokens = _core.OpenTokens(self._words, self._values)
        for chunk in chunks:
            tokens.add(chunk)
            yield chunk
        for token, count, line, before, behind, standing in tokens.finish():
            if _SYMBOL.match(before):
                continue
            text = token.decode("utf-8", "replace")
            is_value = before[-1:] in (b"=", b":") and behind[:1] in (b" ", b",")
            judged = self.judge(text) or self._in_place(text, VALUE if is_value else standing)
            if judged is not None:
                name, rank = judged
                if name == "word" and (_OPENS.search(before) or _CLOSES.match(behind)):
                    rank += 1
                place = OpenToken(
                    text,
                    count,
                    where,
                    line,
                    before.decode("utf-8", "replace"),
                    behind.decode("utf-8", "replace"),
                )
                known = self._found[name].get(text)
                if known is not None:
                    place = replace(known[1], count=known[1].count + count)
                self._found[name][text] = (rank, place)

    def classes(self, *, with_all: bool = False) -> list[OpenClass]:
        """Return the classes that have tokens, with the likeliest names of each, or all."""
        return [
            OpenClass(name, len(found), tuple(islice(listed, None if with_all else MAX_LISTED[name])))
            for name, found in self._found.items()
            if found
            for listed in [_families(_ranked(found.values()))]
        ]

    def judge(self, text: str) -> tuple[str, float] | None:
        """Return the class of a token and its rank, higher for likelier names; None for what is no name."""
        if text not in self._judged:
            if len(self._judged) > 1 << 18:
                self._judged.clear()
            self._judged[text] = self._class_of(text)
        return self._judged[text]

    def _in_place(self, text: str, standing: int) -> tuple[str, float] | None:
        """Return class and rank of a token that only its place makes a name."""
        _, mark, value = text.rpartition("=")
        if mark:
            return self._in_place(value, VALUE) if len(value) >= SHORTEST else None
        low = text.lower()
        if is_ordinary(text):
            return None
        name = "word" if text.isalpha() or "_" in text else "host"
        if low in self._doubtful:
            return name, DOUBTFUL_RANK
        if (
            standing >= BEGIN
            and _NUMBERED_CODE.fullmatch(text)
            and sum(map(str.isdigit, text)) >= MANY_DIGITS
        ):
            return "id", VALUE_RANK * standing
        is_usual = not self._usual or _NUMBER.sub("*", low) in self._usual
        if standing < CELL or is_usual:
            return None
        if is_code(text):
            return "id", VALUE_RANK * standing
        is_plain = _PLAIN.fullmatch(text) is not None
        is_joined = _JOINED.fullmatch(text) is not None and (standing == VALUE or any(map(str.isdigit, text)))
        return (name, VALUE_RANK * standing) if (is_plain or is_joined) and not text.isupper() else None

    def _class_of(self, text: str) -> tuple[str, float] | None:
        stamped = STAMPED.fullmatch(text)
        if stamped:
            return self._class_of(stamped[1]) or ("host", VALUE_RANK)
        value = text.rstrip("=").rpartition("=")[2]
        if len(value) < len(text.rstrip("=")):
            return self._class_of(value) if len(value) >= SHORTEST else None
        if is_ordinary(text):
            return None
        foreign = _unknown_share(text, self._vocabulary)
        unknown = _unknown_share(text, self._technical)
        if _ACCOUNT.fullmatch(text) and foreign > 0:
            return "account", 1 + foreign
        if (is_random(text) or is_mixed(text)) and unknown >= LEAST_UNKNOWN:
            return "secret", entropy(text)
        if _ID.fullmatch(text) and len(text) >= SHORTEST_ID and has_many(text) and unknown >= LEAST_UNKNOWN:
            return "id", len(text) / 10 + entropy(text)
        if _NAME.fullmatch(text) and self._is_host_like(text, foreign):
            return "host", foreign + unknown + (text[-1].isdigit()) + text.count("-") / 10
        if _HEX.fullmatch(text):
            return "id", 0.5
        return self._word(text, unknown)

    def _word(self, text: str, unknown: float) -> tuple[str, float] | None:
        """Return class and rank of a token with a part that is no word, higher if not of English either."""
        if not text.isascii() and text.isalpha():
            return "word", 1 + unknown
        parts = [part.lower() for part in _PARTS.findall(text) if len(part) >= SHORTEST]
        foreign = [part for part in parts if part not in self._technical and part not in self._english]
        if not parts or (unknown < LEAST_UNKNOWN and not foreign):
            return None
        return "word", (1 if foreign else 0) + unknown - text.count("_") / 10 - text.count(".") / 10

    def _is_host_like(self, text: str, unknown: float) -> bool:
        """Return whether labels with a hyphen or a number have a part that is no word."""
        if text.count(".") and not any(map(str.isdigit, text)):
            return False
        is_named = any(map(str.isdigit, text)) or "-" in text
        parts = [part for part in _WORD.findall(text) if len(part) > 2]
        is_foreign = any(part.lower() not in self._vocabulary for part in parts) or any(
            char > "\x7f" for char in text
        )
        return is_named and is_foreign and unknown >= LEAST_UNKNOWN and text[0].isalpha()


def _unknown_share(text: str, words: Collection[str]) -> float:
    """Return the share of the letters of `text` that are in no word of `words`."""
    parts = _PARTS.findall(text)
    letters = sum(map(len, parts))
    known = sum(len(part) for part in parts if len(part) > 2 and part.lower() in words)
    return 1 - known / letters if letters else 0.0


def is_ordinary(text: str) -> bool:
    """Return whether a token is a pseudonym, counter, date, version, file, device or linker stub."""
    shapes = (_PSEUDONYM, _COUNTER, _DATE, _VERSION, _FILE, _DEVICE)
    return text.endswith("@plt") or any(shape.fullmatch(text) for shape in shapes)


def _ranked(found: Iterable[tuple[float, OpenToken]]) -> list[OpenToken]:
    """Return the tokens, likeliest name first."""
    ordered = sorted(found, key=lambda one: (-one[0], -one[1].count, one[1].text))
    return [token for _, token in ordered]


def _families(tokens: list[OpenToken]) -> Iterator[OpenToken]:
    """Yield the tokens; several that differ in short numbers alone are one: `web*` for web01 and web02."""
    members: dict[str, list[OpenToken]] = {}
    for token in tokens:
        key = _NUMBER.sub("*", token.text) if _NUMBERED.fullmatch(token.text) else token.text
        members.setdefault(key, []).append(token)
    for key, found in members.items():
        count = sum(token.count for token in found)
        first = found[0]
        yield first if len(found) == 1 else replace(first, text=key, count=count, names=len(found))
