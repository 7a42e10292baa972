"""Names of folders: which are of hosts, of phases, and of a machine's own directories.

    web-01  db7.example.com  ip-10-0-0-5      hosts
    before  cg_before  web-01-good            phases
    proc  sos_commands                        directories of a machine

The words are rows of `words.yaml`.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from ingest.tables import files, table

MOST_CHARACTERS = 80
_PARTS = re.compile(r"[a-z][a-z0-9]*(?:[-_][a-z0-9]+)*")
_NUMBER_LAST = re.compile(r"[0-9][a-z]?\Z")
_DOMAIN = re.compile(r"[a-z][a-z0-9-]*(?:\.[a-z0-9-]+)+\.[a-z]{2,}")
_WORDS = re.compile(r"[a-z0-9]+")
_FIRST = re.compile(r"[a-z]+")


class _Words(NamedTuple):
    """The rows of `words.yaml`; phases by word, and the pattern of a name between words of phases."""

    anywhere: dict[str, str]
    whole: dict[str, str]
    health: dict[str, str]
    not_hosts: frozenset[str]
    machine: frozenset[str]
    phased: re.Pattern[str]


@lru_cache(maxsize=1)
def _rows() -> _Words:
    rows = table(files(__package__) / "words.yaml")
    anywhere, whole, health = (
        {word: phase for phase, row in rows["phases"].items() for word in row[column]}
        for column in ("anywhere", "whole", "health")
    )
    word = "|".join(sorted({*anywhere, *whole, *health}))
    phased = re.compile(rf"(?:(?:{word})[-_. ])?(?P<name>.*?)(?:[-_. ](?:{word}))?", re.IGNORECASE)
    return _Words(anywhere, whole, health, frozenset(rows["not_hosts"]), frozenset(rows["machine"]), phased)


@lru_cache(maxsize=4096)
def phase_of_name(name: str) -> str:
    """Return the phase that the name of a folder states; "" for none, or for two."""
    rows = _rows()
    words = _words(name)
    found = {rows.anywhere[word] for word in words if word in rows.anywhere}
    if words and (last := (rows.whole | rows.health).get(words[-1])) and _stands_last(name, words):
        found.add(last)
    return found.pop() if len(found) == 1 else ""


def is_of_health(name: str) -> bool:
    """Return whether the phase of a folder is a state of health, as in `good`."""
    return bool(phase_of_name(name)) and _words(name)[-1] in _rows().health


@lru_cache(maxsize=4096)
def host_of_name(name: str) -> str:
    """Return the host that the name of a folder suggests, without its phase; "" if it is of no host."""
    if len(name) > MOST_CHARACTERS:
        return ""
    host = _without_phase(name)
    text = host.lower()
    return host if _is_numbered(text) or _DOMAIN.fullmatch(text) else ""


def is_of_machine(name: str) -> bool:
    """Return whether a folder is one of a machine's own, such as `proc`."""
    return name in _rows().machine


def _words(name: str) -> list[str]:
    return _WORDS.findall(name.lower()[:MOST_CHARACTERS])


def _stands_last(name: str, words: list[str]) -> bool:
    """Return whether the last word is all of the name, or stands after a host."""
    return len(words) == 1 or _is_numbered(_without_phase(name.lower()[:MOST_CHARACTERS]))


def _without_phase(name: str) -> str:
    found = _rows().phased.fullmatch(name)
    return found["name"] if found else name


def _is_numbered(text: str) -> bool:
    """Return whether `text` is a name with a number at its end, of which hosts of a kind are made."""
    first = _FIRST.match(text)
    if first is None or first[0] in _rows().not_hosts:
        return False
    return _PARTS.fullmatch(text) is not None and _NUMBER_LAST.search(text) is not None
