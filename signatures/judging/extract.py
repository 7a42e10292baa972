"""What a finding tells of the evidence beside its clauses.

Examples of `extract:` in a signature:
    cgroup: $cg                             what a variable is bound to
    limit: memcg.limit_bytes                a fact, where all evidence says the same
    longest_hold: observed(long_hold)       what a clause stands on, while it is TRUE
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
    """Return what a signature wants told, as (name, value); what is not known is left out."""
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
    """Return the cell a column holds most often, the first of equals."""
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
    """Return a fact's value; several different ones tell none."""
    values = {_cell(fact.value) for fact in facts.texts(source)}
    return values.pop() if len(values) == 1 else ""


def cgroup_version(facts: ScopeFacts) -> str:
    """Return the cgroup version that is stated, or that only one version has the files of."""
    stated = {str(fact.value) for fact in facts.texts("cgroup.version")}
    shown = {version for version, names in _OF_VERSION.items() if any(facts.texts(name) for name in names)}
    found = stated & set(_OF_VERSION) or shown
    return found.pop() if len(found) == 1 else ""
