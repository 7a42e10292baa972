"""Redaction corpus: output of tools with marked plants, and what redaction leaves of it.

    ##### corosync-quorumtool
    source: https://manpages.debian.org/…
             1          1 ⟦cluster node|…⟧ (local)

A plant is `⟦kind|text⟧`; everything else is to stay. `tuned.txt` and `unseen.txt` are the halves of one
corpus: a sample belongs to *tuned* when the first byte of the SHA-256 of its title is even, else to *unseen*.
`held_out.txt` and `held_out_2.txt` to `held_out_8.txt` have other tools; the last three have other authors,
who did not read the rules. Each was written whole, and its digest recorded in a `.sha256` file, before the
rules it measures; a later one measures rules tuned on those before.
"""

from __future__ import annotations

import difflib
import hashlib
import re
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable

FOLDER = Path(__file__).parents[2] / "data" / "redaction" / "corpus"
HALVES = ("tuned", "unseen")
HELD_OUT = ("held_out", *(f"held_out_{number}" for number in range(2, 9)))
REPEATED = {
    "held_out_8": frozenset(
        {"alertmanager webhook payload", "kubectl describe pod", "openstack server show"}
    ),
    "held_out_7": frozenset(
        {
            "ansible",
            "azure metadata",
            "bind query log",
            "cloud-init log",
            "crontab",
            "freeradius",
            "gcp metadata",
            "gitlab runner",
            "iptables-save",
            "keepalived",
            "kubeconfig",
            "kubelet log",
            "ldapsearch",
            "nft list ruleset",
            "oracle",
            "postfix",
            "proxmox",
            "rabbitmq",
            "snmp",
            "sudoers",
            "terraform state",
        }
    ),
}
"""Titles of a part that an earlier part has, too: the rules knew these tools, though not this output."""

PART = 6
"""A plant is also left when a part of at least six characters that is half of it or more is left."""

_MARK = re.compile(r"⟦([^|⟧]*)\|([^⟧]*)⟧")
_WORD = re.compile(r"\w+")
_JOINED_BEFORE = re.compile(r"[\w.@-]+\Z")
_JOINED_BEHIND = re.compile(r"[\w.@-]+")


class Plant(NamedTuple):
    """One marked text: its kind, and start and end (exclusive) in its line."""

    kind: str
    start: int
    end: int


class Line(NamedTuple):
    """A line without the marks."""

    text: str
    plants: tuple[Plant, ...]


class Sample(NamedTuple):
    """Output of one tool."""

    title: str
    source: str
    lines: tuple[Line, ...]

    @property
    def text(self) -> str:
        """The output as the tool prints it."""
        return "".join(f"{line.text}\n" for line in self.lines)

    @property
    def half(self) -> str:
        """The half that the digest of the title assigns."""
        return HALVES[hashlib.sha256(self.title.encode()).digest()[0] % 2]


class Result(NamedTuple):
    """What redaction did to one sample.

    Attributes:
        left: Kind and text of the plants that are left, whole or in part.
        words: Number of words outside of plants.
        replaced: The words outside of plants that were replaced.
        lines: Whether the number of lines is unchanged.
    """

    title: str
    plants: int
    left: tuple[tuple[str, str], ...]
    words: int
    replaced: tuple[str, ...]
    lines: bool


def load(part: str) -> list[Sample]:
    """Return the samples of a half, or of a part held out."""
    text = (FOLDER / f"{part}.txt").read_text(encoding="utf-8")
    _, *parts = re.split(r"(?m)^##### (.*)\nsource: (.*)\n", text)
    return [
        Sample(title, source, tuple(map(line, body.removesuffix("\n").split("\n"))))
        for title, source, body in zip(parts[::3], parts[1::3], parts[2::3], strict=True)
    ]


def line(marked: str) -> Line:
    """Return a line and its plants from its marked form."""
    text, plants, behind = "", [], 0
    for mark in _MARK.finditer(marked):
        text += marked[behind : mark.start()]
        plants.append(Plant(mark[1], len(text), len(text) + len(mark[2])))
        text += mark[2]
        behind = mark.end()
    return Line(text + marked[behind:], tuple(plants))


def measure(sample: Sample, redact: Callable[[str], str]) -> Result:
    """Redact a sample as a case of its own and compare."""
    after = redact(sample.text).split("\n")[:-1]
    left: list[tuple[str, str]] = []
    replaced: list[str] = []
    words = 0
    names = {found.lower() for one in sample.lines for _, found in plants_of(one)}
    for one, is_now in zip(sample.lines, after, strict=False):
        left += [(plant.kind, found) for plant, found in plants_of(one) if is_left(found, is_now)]
        outside, gone = _replaced_words(one, is_now, names)
        words += outside
        replaced += gone
    planted = sum(len(one.plants) for one in sample.lines)
    return Result(sample.title, planted, tuple(left), words, tuple(replaced), len(after) == len(sample.lines))


def plants_of(one: Line) -> list[tuple[Plant, str]]:
    """Return the plants of a line with their texts."""
    return [(plant, one.text[plant.start : plant.end]) for plant in one.plants]


def is_left(plant: str, text: str) -> bool:
    """Return whether a plant, or half of it, is in `text`."""
    low, name = text.lower(), plant.lower()
    size = max(PART, (len(name) + 1) // 2)
    return name in low or (len(name) > size and (name[:size] in low or name[-size:] in low))


def _replaced_words(one: Line, after: str, names: set[str]) -> tuple[int, list[str]]:
    """Return the number of words outside of plants, and those that the redacted line no longer has.

    A further occurrence of one of `names`, whole or its half, is no other word: it is to go, too.
    """
    found = [
        (word[0], any(plant.start < word.end() and word.start() < plant.end for plant in one.plants))
        for word in _WORD.finditer(one.text)
    ]
    matcher = difflib.SequenceMatcher(None, [word for word, _ in found], _WORD.findall(after), autojunk=False)
    same = {at for block in matcher.get_matching_blocks() for at in range(block.a, block.a + block.size)}
    tokens = [_token_at(one.text, word.start(), word.end()) for word in _WORD.finditer(one.text)]
    outside = [
        (at, word)
        for at, (word, is_plant) in enumerate(found)
        if not is_plant and not _is_of_a_name(word.lower(), tokens[at].lower(), names)
    ]
    return len(outside), [word for at, word in outside if at not in same]


def _token_at(text: str, start: int, end: int) -> str:
    """Return the word with what hyphens, dots and at signs join to it."""
    before, behind = _JOINED_BEFORE.search(text[:start]), _JOINED_BEHIND.match(text[end:])
    return text[start - len(before[0]) if before else start : end + (len(behind[0]) if behind else 0)]


def _is_of_a_name(word: str, token: str, names: set[str]) -> bool:
    """Return whether a word stands in an occurrence of a name, or is half of one."""
    return any(
        word in name and (name in token or len(word) >= max(PART, (len(name) + 1) // 2)) for name in names
    )
