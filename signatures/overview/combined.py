"""Statements that an expert reads together, as one: the rows of `combined.yaml`.

with_combined(statements)  ->  Shown("btrfs has no space for metadata, and a transaction aborted", …), …

A row names two or three statements of one host and phase. What it says stands above the first of them and
has its lines; they stay below. It says only what they say together: no cause that none of them names.
"""

from __future__ import annotations

from collections import defaultdict
from contextlib import suppress
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, NotRequired, TypedDict, cast

from ingest.native.linear import Pattern
from ingest.tables import table
from signatures.documents.levels import LEVELS
from signatures.overview.headline_words import is_short
from signatures.overview.shared_things import linked_side_by_side
from signatures.rendering.words import capital

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from signatures.overview.model import Link, Statement
    from signatures.overview.statement_order import Shown

_TABLE = Path(__file__).parent / "combined.yaml"
MOST_PLACES = 4


class _Part(TypedDict):
    classes: NotRequired[list[str]]
    all: NotRequired[list[str | list[str]]]
    words: NotRequired[str]
    level: NotRequired[str]


class CombinedRow(TypedDict):
    """A row of the table; its head says what each key is."""

    name: str
    of: list[_Part]
    lacks: NotRequired[_Part]
    names: NotRequired[dict[str, str]]
    say: str | list[str]
    numbers: NotRequired[list[str]]
    first: NotRequired[str | list[str]]
    over_decided: NotRequired[bool]
    sample: str
    look_alike: str


class _Matcher(NamedTuple):
    """What a statement must have, each "" or empty where anything will do.

    Attributes:
        classes: Classes of the kernel log, of which it has one.
        together: Groups of classes, of each of which it has one.
    """

    classes: frozenset[str]
    together: tuple[frozenset[str], ...]
    words: Pattern | None
    level: str

    def groups(self, statement: Statement) -> dict[str, str] | None:
        """Return what the named groups hold; None where the statement is another one."""
        is_of = not self.classes or not self.classes.isdisjoint(statement.log_classes)
        if not is_of or any(group.isdisjoint(statement.log_classes) for group in self.together):
            return None
        if self.level and self.level != statement.level:
            return None
        if self.words is None:
            return {}
        found = self.words.search(statement.text)
        return {name: value or "" for name, value in found.groupdict().items()} if found else None


class _Rule(NamedTuple):
    row: CombinedRow
    of: tuple[_Matcher, ...]
    lacks: _Matcher | None
    names: tuple[tuple[str, str | Pattern], ...]


class _Taken(NamedTuple):
    """The statements that a row takes, in the order of its parts, and what their groups hold."""

    parts: tuple[Shown, ...]
    groups: Mapping[str, str]


def with_combined(statements: Sequence[Shown]) -> list[Shown]:
    """Return the statements in their order, each combined one above the first that it is of."""
    order = {id(one): at for at, one in enumerate(statements)}
    above: dict[int, list[Shown]] = {}
    for rule, taken in _firing(statements):
        first = min(taken.parts, key=lambda one: order[id(one)])
        above.setdefault(order[id(first)], []).append(_combined(rule.row, taken, first))
    return [one for at, stated in enumerate(statements) for one in (*above.get(at, ()), stated)]


def fired_rows(statements: Sequence[Shown]) -> list[str]:
    """Return the names of the rows that combine some of the statements."""
    return list(dict.fromkeys(rule.row["name"] for rule, _ in _firing(statements)))


def _firing(statements: Sequence[Shown]) -> Iterator[tuple[_Rule, _Taken]]:
    """Yield the rules that fire with what they take; a statement is of one rule only."""
    used: set[int] = set()
    groups: dict[tuple[str, str], list[Shown]] = defaultdict(list)
    for one in statements:
        groups[one.host, one.phase].append(one)
    for rule in rules():
        for among in groups.values():
            taken = _taken(rule, among)
            if taken is None or any(id(one.statement) in used for one in taken.parts):
                continue
            used.update(id(one.statement) for one in taken.parts)
            yield rule, taken


def _taken(rule: _Rule, among: Sequence[Shown]) -> _Taken | None:
    """Return the first statement for each part of a rule; None where one is missing, or one is not of it."""
    if rule.lacks and any(rule.lacks.groups(one.statement) is not None for one in among):
        return None
    parts: list[Shown] = []
    groups: dict[str, str] = {}
    for matcher in rule.of:
        found = next(_matching(matcher, among, parts), None)
        if found is None:
            return None
        parts.append(found[0])
        groups |= found[1]
    taken = _Taken(tuple(dict.fromkeys(parts)), groups)
    holes = _holes(taken)
    is_of_names = all(_is_named(name, wanted, holes) for name, wanted in rule.names)
    return taken if is_of_names and _say(rule.row, taken) else None


def _is_named(name: str, wanted: str | Pattern, holes: Mapping[str, str | dict[str, str]]) -> bool:
    """Return whether a name is known and is what a row wants of it: another name, or of a pattern."""
    found = next(_filled([name], holes), "")
    if isinstance(wanted, str):
        return found == next(_filled([wanted], holes), None)
    return bool(wanted.search(found))


def _matching(
    matcher: _Matcher, among: Sequence[Shown], parts: Sequence[Shown]
) -> Iterator[tuple[Shown, dict[str, str]]]:
    """Yield the statements that a part of a row names, with what its groups hold.

    The classes of two parts may be of one chain of the log, which is one statement.
    """
    for one in among:
        groups = matcher.groups(one.statement)
        if groups is not None and (matcher.classes or one not in parts):
            yield one, groups


def _combined(row: CombinedRow, taken: _Taken, first: Shown) -> Shown:
    """Return what a row says, with the steps of its first statement of the log, else of its first."""
    stated = [one.statement for one in taken.parts]
    lead = next((one for one in stated if one.log_classes), first.statement)
    links = _links(taken)
    holes = _holes(taken)
    numbers = list(_filled(row.get("numbers", ()), holes))
    places = dict.fromkeys((*(one.places[0] for one in stated), *(link.place for link in links)))
    combined = replace(
        lead,
        words=_say(row, taken),
        places=tuple(places)[:MOST_PLACES],
        kind="alarm",
        level=max((one.level for one in stated), key=LEVELS.index),
        gist="",
        short="" if row.get("over_decided") else lead.short,
        qualifiers=(f" ({', '.join(numbers)})",) if numbers else (),
        subject=lead.subject or lead.text,
        first_step=next(_filled(_several(row.get("first", ())), holes), "") or lead.first_step,
        chain=links,
        is_summary=False,
        ratio=None,
        engine="",
        log_classes=tuple(dict.fromkeys(name for one in stated for name in one.log_classes)),
        is_combined=True,
    )
    return first._replace(statement=combined)


def _say(row: CombinedRow, taken: _Taken) -> str:
    """Return the sentence of a row; "" where the statements do not name what it needs."""
    text = next(filter(is_short, _filled(_several(row["say"]), _holes(taken))), "")
    return capital(text) if text.startswith("a ") else text


def _several(texts: str | Sequence[str]) -> Sequence[str]:
    return [texts] if isinstance(texts, str) else texts


def _holes(taken: _Taken) -> dict[str, str | dict[str, str]]:
    """Return what fills the templates of a row: the groups, the first device, and what each class names."""
    stated = [one.statement for one in taken.parts]
    holes: dict[str, str | dict[str, str]] = {}
    for one in stated:
        if one.device:
            holes.setdefault("device", one.device)
        for log_class, fields in one.reports:
            holes.setdefault(log_class, {name: words for name, words in fields if words})
    return holes | {name: words for name, words in taken.groups.items() if words}


def _filled(templates: Iterable[str], holes: Mapping[str, str | dict[str, str]]) -> Iterator[str]:
    """Yield the templates whose names are all known."""
    for template in templates:
        with suppress(KeyError):
            yield template.format(**holes)


def _links(taken: _Taken) -> tuple[Link, ...]:
    """Return the statements side by side, each followed by what its own chain puts behind it."""
    stated = [one.statement for one in taken.parts]
    if len(stated) == 1:
        return stated[0].chain
    links: list[Link] = []
    for head, one in zip(linked_side_by_side(stated), stated, strict=True):
        links += (head._replace(text=one.chain[0].text), *one.chain[1:]) if one.chain else (head,)
    return tuple(links)


def rows() -> tuple[CombinedRow, ...]:
    """Return the rows of the table, with the samples that fire them and their look-alikes."""
    return tuple(cast("list[CombinedRow]", table(_TABLE)["rows"]))


@cache
def rules() -> tuple[_Rule, ...]:
    """Return the rows of the table, ready to match."""
    return tuple(
        _Rule(
            row,
            tuple(map(_matcher, row["of"])),
            _matcher(row["lacks"]) if "lacks" in row else None,
            tuple((name, _wanted(words)) for name, words in row.get("names", {}).items()),
        )
        for row in rows()
    )


def _wanted(words: str) -> str | Pattern:
    return words if words.startswith("{") else Pattern(words)


def _matcher(part: _Part) -> _Matcher:
    words = part.get("words")
    return _Matcher(
        frozenset(part.get("classes", ())),
        tuple(frozenset([one] if isinstance(one, str) else one) for one in part.get("all", ())),
        Pattern(words) if words else None,
        part.get("level", ""),
    )
