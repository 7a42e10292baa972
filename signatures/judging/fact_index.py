"""Index of the facts of one scope, by name and entity.

A label (`cgroup`, `pid`) names the entity; a fact without one belongs to the directory of its path, or to its
evidence, so `cg_during/memory.usage_in_bytes` joins `cg_during/memory.limit_in_bytes` and never
`cg_before/…`.
"""

from __future__ import annotations

import posixpath
from functools import lru_cache
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias, TypeVar, cast

from signatures.language.patterns import is_any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from ingest.model.facts import FactValue
    from signatures.judging.observation import Cited as CitedType
    from signatures.judging.profile_index import Trees
    from signatures.judging.scope import Item
    from signatures.language.model import Implication

from signatures.judging.observation import Cited

Derived = TypeVar("Derived")
Kind: TypeAlias = Literal["cgroup", "process", "host"]

_KINDS: tuple[tuple[str, Kind], ...] = (
    ("memcg.", "cgroup"),
    ("cgroup.", "cgroup"),
    ("process.", "process"),
    ("perf.stat.", "process"),
)
TASK_LIST = "ps"
"""A format that lists the tasks of the whole host, of which none is the entity of what stands beside it."""
_HOST_NAMES = ("cgroup.version",)
_NO_LABELS: tuple[tuple[str, str], ...] = ()


class ScopeFact(NamedTuple):
    """A fact with its source.

    Attributes:
        key: Its entity; starts with `~` when no label names it, "" for facts of the host.
        labels: Distinguish facts of one name and entity: CPU, device, node; sorted.
        at: Seconds on the evidence's own clock, None without a time.
    """

    name: str
    value: FactValue
    key: str
    order: tuple[int, int]
    cited: CitedType
    item: Item
    labels: tuple[tuple[str, str], ...] = ()
    at: float | None = None


_TASK_LABELS = frozenset({"pid", "pid_namespace", "comm", "tid"})
_ENTITY_LABELS = _TASK_LABELS | {"cgroup"}
"""The pressure of a cgroup has the names of the host's pressure: there `cgroup` tells them apart."""


@lru_cache(maxsize=4096)
def kind_of(name: str) -> Kind:
    """Return the kind of entity that facts of this name belong to."""
    if name in _HOST_NAMES:
        return "host"
    return next((kind for prefix, kind in _KINDS if name.startswith(prefix)), "host")


class ScopeFacts:
    """Facts by name, then by entity."""

    def __init__(self, facts: Iterable[ScopeFact]) -> None:
        """Index the facts."""
        self._by_name: dict[str, dict[str, list[ScopeFact]]] = {}
        self._derived: dict[object, object] = {}
        for fact in facts:
            self._by_name.setdefault(fact.name, {}).setdefault(fact.key, []).append(fact)

    def extended(self, facts: Iterable[ScopeFact]) -> ScopeFacts:
        """Return a new index with more facts of the host."""
        more = ScopeFacts(facts)
        added = {
            name: {key: [*self.of(name, key), *rows] for key, rows in by_key.items()}
            for name, by_key in more._by_name.items()
        }
        whole = ScopeFacts(())
        whole._by_name = {
            **self._by_name,
            **{name: {**self._by_name.get(name, {}), **by_key} for name, by_key in added.items()},
        }
        return whole

    @property
    def names(self) -> Iterable[str]:
        """Names of the facts."""
        return self._by_name.keys()

    def of(self, name: str, key: str) -> Sequence[ScopeFact]:
        """Return the facts of one name and entity."""
        return self._by_name.get(name, {}).get(key, ())

    def keys_of(self, name: str) -> Iterable[str]:
        """Return the entities that have a fact of this name."""
        return self._by_name.get(name, {}).keys()

    def derived(self, make: Callable[[ScopeFacts], Derived]) -> Derived:
        """Return what `make` computes from these facts; it is computed once."""
        if make not in self._derived:
            self._derived[make] = make(self)
        return cast("Derived", self._derived[make])

    def texts(self, name: str) -> list[ScopeFact]:
        """Return every fact of a name, whatever its entity."""
        return [fact for facts in self._by_name.get(name, {}).values() for fact in facts]


def _key(kind: Kind, labels: Mapping[str, str], place: str) -> str:
    if kind == "host":
        return ""
    named = labels.get("cgroup", "") if kind == "cgroup" else labels.get("pid", "")
    if named:
        return f"{labels['pid_namespace']}:{named}" if "pid_namespace" in labels else named
    return place


def _place(item: Item) -> str:
    return f"~{posixpath.dirname(item.captured_path)}" if item.captured_path else f"~{item.evidence}"


def facts_of(items: Sequence[Item]) -> ScopeFacts:
    """Index the facts of a scope.

    A fact without an entity gets the only entity named in the same directory (`status` names its pid,
    `smaps_rollup` beside it does not).
    """
    found: list[ScopeFact] = []
    named: dict[tuple[str, str], set[str]] = {}
    for item in items:
        place, section, is_list = _place(item), item.section, item.format == TASK_LIST
        # Facts in a row are mostly of one entity, and share its labels.
        of: tuple[Kind, Mapping[str, str]] | None = None
        key, own = "", _NO_LABELS
        for fact in item.reading.facts:
            kind, labels = kind_of(fact.name), fact.labels
            if of is None or of[1] is not labels or of[0] != kind:
                of = kind, labels
                key = _key(kind, labels, place)
                if key and not is_list and not key.startswith("~"):
                    named.setdefault((kind, place), set()).add(key)
                entity = _ENTITY_LABELS if kind != "host" else _TASK_LABELS
                # Few facts have labels of their own.
                own = () if entity.issuperset(labels) else _own_labels(labels, entity)
            cited, order = Cited(*fact.lines), (section, fact.snapshot)
            found.append(ScopeFact(fact.name, fact.value, key, order, cited, item, own, fact.at))
    only = {place: keys.pop() for place, keys in named.items() if len(keys) == 1}
    return ScopeFacts(
        each._replace(key=only.get((kind_of(each.name), each.key), each.key))
        if each.key.startswith("~")
        else each
        for each in found
    )


def _own_labels(labels: Mapping[str, str], entity: frozenset[str]) -> tuple[tuple[str, str], ...]:
    """Return the labels that name no entity, sorted."""
    return tuple(sorted(row for row in labels.items() if row[0] not in entity))


def implied(items: Sequence[Item], implications: Sequence[Implication], trees: Trees) -> Iterable[ScopeFact]:
    """Yield the facts that the implications prove from the items."""
    for item in items:
        for implication in implications:
            yield from _implied(item, implication, trees)


def _implied(item: Item, implication: Implication, trees: Trees) -> Iterable[ScopeFact]:
    """Yield the fact once for every location that proves it."""
    places = _by_frame(item, implication, trees) if implication.kind == "frame" else _shown(item, implication)
    for cited in places:
        yield ScopeFact(implication.fact, implication.value, "", (item.section, 0), cited, item)


def _by_frame(item: Item, implication: Implication, trees: Trees) -> Iterable[CitedType]:
    for index, tree in enumerate(trees.of(item.reading)):
        node = tree.first_of(implication.frames)
        if node is None:
            continue
        line = int(tree.profile.node_line[node])
        yield Cited(line, line, index, (node,))
    for table in item.reading.tables:
        for symbol in table.symbols:
            if is_any(symbol.name, implication.frames):
                yield Cited(symbol.line, symbol.line)
                break


def _shown(item: Item, implication: Implication) -> Iterable[CitedType]:
    """Yield the lines of the first tracepoint, row set, log record or fact with one of the names."""
    reading = item.reading
    if implication.kind == "rows":
        found = [
            rows.row_lines[0]
            for rows in reading.row_sets
            if is_any(rows.name, implication.names) and len(rows)
        ]
        yield from (Cited(line, line) for line in found[:1])
    elif implication.kind == "log":
        records = (record.lines for record in reading.log_records if is_any(record.kind, implication.names))
        yield from (Cited(lines.first, lines.last) for lines in list(records)[:1])
    else:
        is_tracepoint = implication.kind == "tracepoint"
        fact_lines = (
            fact.lines
            for fact in reading.facts
            if (
                fact.name == "feature.tracepoint" and is_any(fact.labels.get("name", ""), implication.names)
                if is_tracepoint
                else is_any(fact.name, implication.names)
            )
        )
        yield from (Cited(lines.first, lines.last) for lines in list(fact_lines)[:1])
