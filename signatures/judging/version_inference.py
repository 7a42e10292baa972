"""Version inference: bounds of the kernel version from function names, counters and log messages.

A bare stack has no `uname -r`, but `__add_to_page_cache_locked` above `charge_memcg` exists only between 5.10
and 6.1. The bounds apply to the code, not the release: a vendor may have backported it.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from ingest.catalogue.log_classes import UNCLASSIFIED
from ingest.frames import normalise
from ingest.tables import table as compiled_table
from signatures.language.kernel_releases import numbers
from signatures.language.patterns import is_any

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from signatures.judging.profile_index import Trees
    from signatures.judging.scope import Item

_TABLE = Path(__file__).parent / "version_inference.yaml"
# wq_cpu_intensive_report(): printed at 4, 8, 16… up to 6.8, at 4, 5, 7, 11, 19… from 6.12 on.
_COUNTS_UP_TO_6_8 = frozenset(4 << n for n in range(1, 24))
_COUNTS_FROM_6_12 = frozenset(3 + (1 << n) for n in range(1, 24))


class Bound(NamedTuple):
    """A version bound of the code.

    Attributes:
        version: Release that the code is newer or older than, "" for no bound.
        by: What shows it: a function, a counter, a message.
        place: Evidence that shows it.
        source: Host and boot that the evidence is of, "" when unknown.
    """

    version: str = ""
    by: str = ""
    place: str = ""
    source: str = ""


class VersionInference(NamedTuple):
    """Version bounds of the code of one scope."""

    newer: Bound
    older: Bound

    @property
    def words(self) -> str:
        """The bounds as part of a sentence, "" without any; bounds of two kernels are stated apart."""
        newer, older = self.newer, self.older
        if not (newer.version and older.version):
            bound, than = (newer, "newer") if newer.version else (older, "older")
            return f"its code is {than} than {bound.version} ({bound.by})" if bound.version else ""
        if newer.place == older.place or (newer.source and newer.source == older.source):
            both = f"newer than {newer.version} ({newer.by}) and older than {older.version} ({older.by})"
            return f"its code is {both}"
        each = (
            f"code newer than {newer.version} ({newer.by} in {newer.place}) "
            f"and code older than {older.version} ({older.by} in {older.place})"
        )
        if numbers(newer.version) >= numbers(older.version):
            return f"two kernels: {each}"
        return f"{each}, which may be two kernels: nothing says that these files are of one host"


@lru_cache(maxsize=1)
def table() -> dict[str, dict[str, dict[str, str]]]:
    """Return kind (`functions`, `tracepoints`, `facts`, `messages`) to name to version bounds."""
    rows: dict[str, dict[str, dict[str, str]]] = compiled_table(_TABLE)
    return rows


def infer_version(items: Iterable[Item], trees: Trees) -> VersionInference:
    """Return the tightest bounds from all items."""
    newer = older = Bound()
    for item in items:
        source = f"{item.host} {item.boot}".strip()
        for name, row in _bounds_in(item, trees):
            after, before = (
                Bound(row.get(key, ""), name, item.captured_path or item.evidence, source)
                for key in ("newer_than", "older_than")
            )
            if after.version and (not newer.version or numbers(after.version) > numbers(newer.version)):
                newer = after
            if before.version and (not older.version or numbers(before.version) < numbers(older.version)):
                older = before
    return VersionInference(newer, older)


def _bounds_in(item: Item, trees: Trees) -> Iterator[tuple[str, dict[str, str]]]:
    functions = table()["functions"]
    yield from _of_facts(item)
    yield from _of_log(item)
    for tree in trees.of(item.reading):
        yield from ((name, functions[name]) for name in sorted(functions.keys() & set(tree.names)))
    for symbols in item.reading.tables:
        names = {normalise(symbol.name) for symbol in symbols.symbols}
        yield from ((name, functions[name]) for name in sorted(functions.keys() & names))


def _of_facts(item: Item) -> Iterator[tuple[str, dict[str, str]]]:
    """Yield the bounds of counters, tracepoints and listed functions."""
    counters, tracepoints, functions = table()["facts"], table()["tracepoints"], table()["functions"]
    for name in sorted({fact.name for fact in item.reading.facts}):
        for pattern, row in counters.items():
            if is_any(name, (pattern,)):
                yield name, row
    for fact in item.reading.facts:
        name = fact.labels.get("name", "")
        if fact.name == "feature.function" and name in functions:
            yield name, functions[name]
        elif fact.name == "feature.tracepoint":
            yield from (
                (f"tracepoint {name}", row)
                for pattern, row in tracepoints.items()
                if is_any(name, (pattern,))
            )


def _of_log(item: Item) -> Iterator[tuple[str, dict[str, str]]]:
    """Yield the bounds of kernel log messages whose format changed."""
    records = item.reading.log_records
    if not records:
        return
    forms = [(max(form.split("*"), key=len), form, row) for form, row in table()["messages"].items()]
    text = "\n".join([record.message for record in records])
    there = [one for one in forms if one[0] in text]
    for record in records if there else ():
        for literal, form, row in there:
            if literal in record.message and is_any(record.message, (form,)):
                yield f"the message {literal.strip()!r}", row
    for record in records:
        if record.kind == UNCLASSIFIED:
            continue
        if record.kind == "hung_task" and record.fields.get("blocker"):
            yield "a hung-task message that names the holder", {"newer_than": "6.12"}
        count = record.fields.get("count")
        if record.kind == "workqueue_hogged" and isinstance(count, float | int):
            if int(count) in _COUNTS_FROM_6_12:
                yield f"workqueue message at {count:g} times", {"newer_than": "6.8"}
            elif int(count) in _COUNTS_UP_TO_6_8:
                yield f"workqueue message at {count:g} times", {"older_than": "6.12"}
