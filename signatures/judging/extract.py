"""Named values of a finding, extracted from the evidence.

Examples of `extract:` in a signature:
    cgroup: $cg                             the entity of a variable
    limit: memcg.limit_bytes                a fact with one value in all evidence
    longest_hold: observed(long_hold)       the observed value of a clause that is TRUE
    to_cgroup: mode(inode_switch_wbs.new_cgroup_ino)    the most frequent cell of a column
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from signatures.judging.observation import State
from signatures.language.extract_syntax import CALL
from signatures.language.number_format import value_words

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from signatures.judging.fact_index import ScopeFacts
    from signatures.judging.scope import Item
    from signatures.judging.states import ClauseState
    from signatures.language.model import Signature

_OF_VERSION = {"v1": ("memcg.failcnt", "memcg.stat.cache"), "v2": ("memcg.events.max", "memcg.stat.anon")}


def extract(
    signature: Signature,
    binding: Mapping[str, str],
    facts: ScopeFacts,
    states: Mapping[str, ClauseState],
    items: Iterable[Item],
) -> tuple[tuple[str, str], ...]:
    """Return the extracted values as (name, value); unknown values are omitted."""
    rows: list[tuple[str, str]] = []
    for name, source in signature.extract.items():
        call = CALL.fullmatch(source)
        if source.startswith("$"):
            value = binding.get(source[1:].split(".")[0], "")
        elif call and call[1] == "observed":
            value = _observed(states[call[2]])
        elif call:
            value = _mode(call[2], items)
        else:
            value = _fact(source, facts)
        if value:
            rows.append((name, value))
    return tuple(rows)


def _observed(state: ClauseState) -> str:
    outcome = state.outcome
    if state.state is not State.TRUE or outcome.observed is None:
        return ""
    return value_words(outcome.observed, outcome.unit)


def _mode(source: str, items: Iterable[Item]) -> str:
    """Return the most frequent cell of a column, the first of equals."""
    name, _, column = source.rpartition(".")
    cells: Counter[str] = Counter()
    for item in items:
        for rows in item.reading.row_sets:
            if rows.name == name and column in rows.columns:
                at = rows.columns.index(column)
                cells.update(_cell(row[at]) for row in rows.rows if row[at] is not None)
    return cells.most_common(1)[0][0] if cells else ""


def _cell(cell: object) -> str:
    return f"{cell:g}" if isinstance(cell, float) else str(cell)


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
