"""Steps that must never be given for an alarm: pairs of subject and kind of step (`harmful_steps.yaml`).

harms("If there is a replica: fail over", subjects_of("drbd_split_brain"))  ->  {"failover"}
harms("Change no role before both copies are saved", subjects_of("drbd_split_brain"))  ->  set()
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from ingest.catalogue.log_classes import classes_by_name
from ingest.native.linear import Pattern
from ingest.tables import table

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from signatures.overview.model import Statement
    from signatures.overview.statement_order import Shown

_TABLE = Path(__file__).parent / "harmful_steps.yaml"
_CLAUSE = re.compile(r"[;:,] |\n|; *")
_FORBIDS = re.compile(r"\b(?:no|not|nothing|never|neither|without|before|cannot)\b", re.IGNORECASE)
"""Words ahead of a step that forbid it: `no fsck`, `before any repair`; a command has none of them."""


class Pair(NamedTuple):
    """Kinds of steps that are never given about any of the subjects, and why.

    Attributes:
        subjects: `class:NAME`, `subsystem:NAME`, `area:NAME` of log classes, `topic:NAME` of statements.
    """

    subjects: frozenset[str]
    steps: frozenset[str]
    because: str


class _Kind(NamedTuple):
    """How a step reads, and what says in the same clause that it is guarded; None for nothing."""

    says: Pattern
    unless: Pattern | None


def kinds_of(step: str) -> set[str]:
    """Return the kinds of a step or command; what it forbids or guards is none."""
    return set(_kinds_in(step, _kinds()))


def _kinds_in(step: str, names: Iterable[str]) -> Iterator[str]:
    """Yield those of the kinds that a step is of."""
    clauses = _CLAUSE.split(step)
    for name in names:
        kind = _kinds()[name]
        for clause in clauses:
            found = kind.says.search(clause)
            is_guarded = found and kind.unless is not None and kind.unless.search(clause)
            if found and not is_guarded and not _FORBIDS.search(clause[: found.start()]):
                yield name


def subjects_of(log_class: str = "", topic: str = "") -> frozenset[str]:
    """Return the subjects of a log class and of a topic; of neither none."""
    found = {f"topic:{topic}"} if topic else set()
    if known := classes_by_name().get(log_class):
        found |= {f"class:{known.name}", f"subsystem:{known.subsystem}", f"area:{known.area}"}
    return frozenset(found)


def forbidden(subjects: Collection[str]) -> frozenset[str]:
    """Return the kinds of steps that are never given about any of the subjects."""
    return frozenset().union(*(pair.steps for pair in pairs() if not pair.subjects.isdisjoint(subjects)))


def harms(step: str, subjects: Collection[str]) -> set[str]:
    """Return the kinds of a step that are forbidden for the subjects."""
    return set(_kinds_in(step, forbidden(subjects) & _kinds().keys()))


def is_urgent(subjects: Collection[str]) -> bool:
    """Return whether damage grows while somebody collects evidence: the first step does not wait."""
    return not _urgent().isdisjoint(subjects)


def subjects_of_screen(leading: Statement | None, host: str, statements: Iterable[Shown]) -> frozenset[str]:
    """Return the topic of the headline, and the log classes that are stated of its host or an unknown one."""
    found: set[str] = set()
    for shown in statements:
        if host and shown.host not in {host, ""}:
            continue
        topic = shown.statement.topic if shown.statement is leading else ""
        found = found.union(subjects_of(topic=topic), *map(subjects_of, shown.statement.log_classes))
    return frozenset(found)


@cache
def pairs() -> tuple[Pair, ...]:
    """Return all pairs in the order of the table."""
    return tuple(
        Pair(frozenset(_subjects_in(row)), frozenset(row["steps"]), row["because"])
        for row in _rows()["never"]
    )


@cache
def _urgent() -> frozenset[str]:
    return frozenset(_subjects_in(_rows()["urgent"]))


def _subjects_in(row: dict[str, list[str]]) -> Iterator[str]:
    for key, prefix in (
        ("classes", "class"),
        ("subsystems", "subsystem"),
        ("areas", "area"),
        ("topics", "topic"),
    ):
        yield from (f"{prefix}:{name}" for name in row.get(key, ()))


@cache
def _kinds() -> dict[str, _Kind]:
    return {
        name: _Kind(Pattern(row["says"]), Pattern(row["unless"]) if "unless" in row else None)
        for name, row in _rows()["kinds"].items()
    }


def _rows() -> Any:
    return table(_TABLE)
