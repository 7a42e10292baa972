"""Waiting for locks: `perf lock contention`, `/proc/lock_stat`, and sleep in lock functions, by caller."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ingest.frames import is_lock_wait
from signatures.language.number_format import value_words
from signatures.overview.levels import ratio_of
from signatures.overview.model import Answer, Covers, Figure, Statement, ranked, shortened
from signatures.overview.scope_evidence import sections_of
from signatures.overview.waiting.user_locks import user_locks

if TYPE_CHECKING:
    from collections.abc import Hashable

    from signatures.judging.scope import Item
    from signatures.overview.model import Place
    from signatures.overview.scope_evidence import Row, ScopeEvidence
    from signatures.overview.stacks import Stacks

SHOWN = 8
LONG_SPIN_SECONDS = 0.01
LONG_SLEEP_SECONDS = 0.5
"""A single wait this long delays what the CPU or the task has to do: a spinning one, a sleeping one."""

LONG_TOTAL_SECONDS = 10.0
SLEEPING_SHARE = 0.2
"""Strength of what is known of locks over an unknown time."""

OWNERS = "perf lock contention -ab -o -- sleep 10"
CAPTURE = "perf lock contention -ab -- sleep 10"


def lock_waits(evidence: ScopeEvidence) -> Answer:
    """Return the locks waited for longest, with the longest single wait, and sleeping by call path."""
    rows = _longest_first(evidence, "lock_contention")
    figures, statements = _contended(rows)
    figures += _owners(evidence)
    since_cleared, said_since = _since_cleared(evidence)
    figures += since_cleared
    statements += said_since
    for stacks in evidence.waiting_profiles:
        if not rows or stacks.item is not rows[0].item:
            slept, said = _sleeping(stacks)
            figures += slept
            statements += said
    of_program = user_locks(evidence)
    figures += of_program.figures
    statements += of_program.statements
    if not figures:
        return Answer("No data about waiting for locks.", lacks=(CAPTURE,))
    first = figures[0]
    assesses = (Covers("locks", sections_of(rows)),) if rows else ()
    return Answer(
        f"{first.label}: {first.words}.", shortened(figures, SHOWN), (), tuple(statements), assesses
    )


def _longest_first(evidence: ScopeEvidence, name: str) -> list[Row]:
    """Return the rows of a set by time waited, without those of a table that was sent again."""
    rows = evidence.rows(name)
    first: dict[Hashable, Item] = {}
    kept = [row for row in rows if first.setdefault(_cells(row), row.item) is row.item]
    return sorted(kept, key=lambda row: -(row.number("total_wait_ns") or 0.0))


def _cells(row: Row) -> Hashable:
    """Return what two rows have in common that are one measurement: every cell, to the nanosecond."""
    return tuple(sorted((name, str(cell)) for name, cell in row.cells.items()))


def _contended(rows: list[Row]) -> tuple[list[Figure], list[Statement]]:
    """Return the rows of `perf lock contention`, and the sentence about the one waited for longest."""
    figures = []
    for row in rows[:SHOWN]:
        most = (row.number("max_wait_ns") or 0.0) * 1e-9
        waited = (row.number("total_wait_ns") or 0.0) * 1e-9
        note = f"longest {value_words(most, 'seconds')}, {row.number('contended') or 0:,.0f} times"
        is_notable = _is_long(row)
        figures.append(Figure(f"waited {_what(row)}", waited, "seconds", (row.place,), is_notable, note))
    if not rows:
        return [], []
    total = sum(row.number("total_wait_ns") or 0.0 for row in rows) * 1e-9
    longest = max(rows, key=lambda row: row.number("max_wait_ns") or 0.0)
    top = rows[0]
    longest_seconds = (longest.number("max_wait_ns") or 0.0) * 1e-9
    top_share = (top.number("total_wait_ns") or 0.0) * 1e-9 / total if total else 0.0
    text = (
        f"{value_words(total, 'seconds')} waited for locks, {value_words(top_share, 'share')} of it "
        f"{_what(top)}"
    )
    longest_words = f"; longest wait {value_words(longest_seconds, 'seconds')} {_what(longest)}"
    is_alarm = any(_is_long(row) for row in rows) or total >= LONG_TOTAL_SECONDS
    places = tuple(dict.fromkeys((top.place, longest.place)))
    kind, level = ranked(is_alarm=is_alarm)
    capture = "" if "pid" in top.cells else OWNERS
    ratio = max(map(_times_its_limit, rows)) if is_alarm else None
    statement = Statement(
        "locks",
        text,
        places,
        kind,
        level,
        capture,
        topic="kernel lock",
        ratio=ratio,
        qualifiers=(longest_words,),
        subject=f"waits {_what(top)}",
    )
    return figures, [statement]


def _owners(evidence: ScopeEvidence) -> list[Figure]:
    """Return where the owners of the locks were that others waited for longest."""
    rows = _longest_first(evidence, "lock_owner_stacks")
    return [
        Figure(
            f"waited behind an owner of a {row.cells.get('type') or 'lock'} in {_caller(row)}",
            (row.number("total_wait_ns") or 0.0) * 1e-9,
            "seconds",
            (row.place,),
            _is_long(row),
            f"{row.number('contended') or 0:,.0f} times",
        )
        for row in rows[:SHOWN]
    ]


def _caller(row: Row) -> str:
    return str(row.cells.get("caller") or "an unknown function")


def _since_cleared(evidence: ScopeEvidence) -> tuple[list[Figure], list[Statement]]:
    """Return the locks waited for longest since /proc/lock_stat was cleared, however long that is."""
    rows = _longest_first(evidence, "lock_statistics")
    figures = []
    for row in rows[:SHOWN]:
        most = value_words((row.number("max_wait_ns") or 0.0) * 1e-9, "seconds")
        note = f"since the statistics were cleared; longest {most}, {row.number('contended') or 0:,.0f} times"
        waited = (row.number("total_wait_ns") or 0.0) * 1e-9
        figures.append(Figure(f"waited {_what(row)}", waited, "seconds", (row.place,), note=note))
    total = sum(row.number("total_wait_ns") or 0.0 for row in rows) * 1e-9
    if not total:
        return figures, []
    share = value_words((rows[0].number("total_wait_ns") or 0.0) * 1e-9 / total, "share")
    text = f"{share} of the time waited for locks is {_what(rows[0])}: "
    text += f"{figures[0].words} {figures[0].note}"
    return figures, [Statement("locks", text, (rows[0].place,), "fact", "notable")]


def _is_long(row: Row) -> bool:
    return _times_its_limit(row) >= 1


def _times_its_limit(row: Row) -> float:
    """Return the longest wait of a row against what is long for a lock of its type."""
    spins = "spin" in str(row.cells.get("type", "")) or "rwlock" in str(row.cells.get("type", ""))
    limit = LONG_SPIN_SECONDS if spins else LONG_SLEEP_SECONDS
    return (row.number("max_wait_ns") or 0.0) * 1e-9 / limit


def _what(row: Row) -> str:
    """Return the lock of a row: its type and caller, its task, its owner, or its address with its symbol."""
    cells = row.cells
    if cells.get("caller"):
        return f"for a {cells.get('type') or 'lock'} in {cells['caller']}"
    if cells.get("comm"):
        return f"by {cells['comm']}"
    if cells.get("owner"):
        is_known = cells.get("pid") != "-1"
        return f"behind {cells['owner']}:{cells['pid']}" if is_known else "for locks whose owner is unknown"
    if cells.get("cgroup"):
        return f"by tasks of the cgroup {cells['cgroup']}"
    return f"for the lock {cells.get('symbol') or cells.get('address') or 'without a name'}"


def _sleeping(stacks: Stacks) -> tuple[list[Figure], list[Statement]]:
    """Return the lock functions that tasks sleep in, with the function that takes the lock."""
    profile = stacks.profile
    inside = stacks.outermost(stacks.frames_where(is_lock_wait))
    waits = inside >= 0
    share = stacks.share_of_nodes(waits)
    if not share:
        return [], []
    caller = profile.node_parent[np.maximum(inside, 0)]
    named = waits & (caller >= 0)
    by_caller = np.bincount(
        profile.node_frame[caller[named]], weights=stacks.node_weight[named], minlength=len(profile.frames)
    )
    figures, callers = [], []
    for frame in np.argsort(-by_caller, kind="stable")[:SHOWN].tolist():
        if not by_caller[frame]:
            break
        nodes = np.flatnonzero(named & (profile.node_frame[np.maximum(caller, 0)] == frame))
        lock = stacks.names[int(profile.node_frame[inside[nodes[0]]])]
        part = float(by_caller[frame]) / stacks.total
        callers.append(f"in {lock} from {stacks.names[frame]}")
        where_taken = stacks.places_of_nodes(nodes)
        label = f"off-CPU {callers[-1]}"
        figures.append(Figure(label, round(part, 4), "share", where_taken, part >= SLEEPING_SHARE))
    places: tuple[Place, ...] = figures[0].places if figures else (stacks.whole,)
    where = callers[0] if callers else "in lock functions"
    text = f"{value_words(share, 'share')} of off-CPU time sleeps for a lock, most of it {where}"
    kind, level = ranked(is_alarm=share >= SLEEPING_SHARE)
    ratio = ratio_of(share, SLEEPING_SHARE)
    return figures, [Statement("locks", text, places, kind, level, ratio=ratio, subject=f"sleep {where}")]
