"""Named values of a finding, extracted from the evidence.

Examples of `extract:` in a signature:
    cgroup: $cg                             the entity of a variable
    limit: memcg.limit_bytes                a fact with one value in all evidence
    longest_hold: observed(long_hold)       the observed value of a clause that is TRUE
    to_cgroup: mode(inode_switch_wbs.new_cgroup_ino)    the most frequent cell of a column
    memory_limit: last(memcg.limit_bytes)   the last value of a fact of the bound cgroup, or of the only one
    process: name($p)                       the name that the evidence gives a process
    interface: field(timed_out.device)      the field of the log records that a clause that is TRUE cites
"""

from __future__ import annotations

import math
from collections import Counter
from typing import TYPE_CHECKING

from signatures.judging.observation import State
from signatures.language.extract_syntax import CALL
from signatures.language.number_format import value_words

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from ingest.model.reading import RowSet
    from signatures.judging.fact_index import ScopeFacts
    from signatures.judging.observation import Cited
    from signatures.judging.scope import Item
    from signatures.judging.states import ClauseState

_IDS = ("pid", "tid")
_OF_VERSION = {"v1": ("memcg.failcnt", "memcg.stat.cache"), "v2": ("memcg.events.max", "memcg.stat.anon")}


def extract(
    sources: Mapping[str, str],
    binding: Mapping[str, str],
    facts: ScopeFacts,
    states: Mapping[str, ClauseState],
    items: Iterable[Item],
) -> tuple[tuple[str, str], ...]:
    """Return the extracted values as (name, value); unknown values are omitted."""
    rows: list[tuple[str, str]] = []
    for name, source in sources.items():
        call = CALL.fullmatch(source)
        if source.startswith("$"):
            value = binding.get(source[1:].split(".")[0], "")
        elif call and call[1] == "observed":
            value = _observed(states[call[2]])
        elif call and call[1] == "mode":
            value = _mode(call[2], items)
        elif call and call[1] == "field":
            value = _field(call[2], states, items)
        elif call and call[1] == "last":
            value = _last(call[2], binding, facts)
        elif call:
            value = _name(binding.get(call[2].removeprefix("$"), ""), facts, items)
        else:
            value = cgroup_version(facts) if source == "cgroup.version" else _fact(source, facts)
        if value:
            rows.append((name, value))
    return tuple(rows)


def of_clauses(sources: Mapping[str, str], *, is_met: bool) -> dict[str, str]:
    """Return the sources that need a clause that is TRUE or an entity, or with `is_met` false the others."""
    return {name: source for name, source in sources.items() if _needs_clause(source) is is_met}


def _needs_clause(source: str) -> bool:
    call = CALL.fullmatch(source)
    return source.startswith("$") or (call is not None and call[1] in ("observed", "field", "name"))


def _observed(state: ClauseState) -> str:
    outcome = state.outcome
    if state.state is not State.TRUE or outcome.observed is None:
        return ""
    return value_words(outcome.observed, outcome.unit)


def _field(source: str, states: Mapping[str, ClauseState], items: Iterable[Item]) -> str:
    """Return the value of a field of the cited log records, "" when they differ or none has it."""
    clause, _, name = source.partition(".")
    outcome = states[clause].outcome
    if outcome.state is not State.TRUE:
        return ""
    cited: dict[tuple[str, int], list[Cited]] = {}
    for evidence, section, lines in outcome.citations:
        cited.setdefault((evidence, section), []).append(lines)
    values: set[str] = set()
    for item in items:
        own = cited.get((item.evidence, item.section), [])
        for record in item.reading.log_records if own else ():
            # A bond names its member as the interface, other drivers their device.
            value = record.fields.get(name) or (record.fields.get("device") if name == "interface" else None)
            if value not in (None, "") and any(
                one.first_line <= record.lines.last and record.lines.first <= one.last_line for one in own
            ):
                values.add(_cell(value))
    return values.pop() if len(values) == 1 else ""


def _last(name: str, binding: Mapping[str, str], facts: ScopeFacts) -> str:
    """Return the last value of a fact: of a bound entity, else of the only one; "" of several."""
    keys = set(facts.keys_of(name))
    own = keys & set(binding.values())
    key = next(iter(own or keys), "") if len(own or keys) == 1 else None
    if key is None or not (found := facts.of(name, key)):
        return ""
    value = max(found, key=lambda fact: fact.order).value
    is_number = isinstance(value, float) and math.isfinite(value)
    return value_words(value, "bytes" if name.endswith("_bytes") else "") if is_number else ""


def _name(entity: str, facts: ScopeFacts, items: Iterable[Item]) -> str:
    """Return the name of a process or thread: of its files, else the most frequent one beside its number."""
    if not entity:
        return ""
    if stated := facts.of("process.name", entity):
        return str(stated[0].value)
    names: Counter[str] = Counter()
    for item in items:
        for rows in item.reading.row_sets:
            names.update(_names_beside(rows, entity))
        for profile in item.reading.profiles:
            # The main thread has the name of the process.
            names.update(one.comm for one in profile.threads if str(one.pid) == entity == str(one.tid))
    return names.most_common(1)[0][0] if names else ""


def _names_beside(rows: RowSet, entity: str) -> Iterator[str]:
    """Yield the names in the rows of a process or thread."""
    if "comm" not in rows.columns:
        return
    ids = [cells for cells, name in zip(rows.cells, rows.columns, strict=True) if name in _IDS]
    names = rows.cells[rows.columns.index("comm")]
    for comm, *own in zip(names, *ids, strict=True):
        if comm is not None and any(_cell(cell) == entity for cell in own):
            yield str(comm)


def _mode(source: str, items: Iterable[Item]) -> str:
    """Return the most frequent cell of a column, the first of equals."""
    name, _, column = source.rpartition(".")
    cells: Counter[str] = Counter()
    for item in items:
        for rows in item.reading.row_sets:
            if rows.name == name and column in rows.columns:
                own = rows.cells[rows.columns.index(column)]
                cells.update(_cell(cell) for cell in own if cell is not None)
    return cells.most_common(1)[0][0] if cells else ""


def _cell(cell: object) -> str:
    return f"{cell:.15g}" if isinstance(cell, float) else str(cell)


def _fact(source: str, facts: ScopeFacts) -> str:
    """Return the value of a fact, "" when there are several."""
    values = {_cell(fact.value) for fact in facts.texts(source)}
    return values.pop() if len(values) == 1 else ""


def cgroup_version(facts: ScopeFacts) -> str:
    """Return the stated cgroup version, or the one whose files are present; "" when unknown."""
    stated = {str(fact.value) for fact in facts.texts("cgroup.version")}
    shown = {version for version, names in _OF_VERSION.items() if any(facts.texts(name) for name in names)}
    found = stated & set(_OF_VERSION) or shown
    return found.pop() if len(found) == 1 else ""
