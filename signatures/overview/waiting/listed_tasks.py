"""What a list of tasks shows beside uninterruptible sleep: zombies, and many rows of one command.

60 of 60 listed tasks are zombies (sh): their parent, process 2210, does not reap them
All 80 listed tasks are php-fpm: pool www; none of them is in uninterruptible sleep
entrypoint.sh waits for end of another thread or process in zap_pid_ns_processes, in interruptible sleep
None of 412 listed tasks is in uninterruptible sleep

Lists are read by column: they may have 300,000 rows.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

import numpy as np

from ingest.frames.normalise import normalise
from ingest.frames.wait_points import kinds, named_by_ps, wait_point
from ingest.model.row_columns import Words
from signatures.overview import calm
from signatures.overview.model import Covers, Statement, shortened_words
from signatures.overview.thresholds import thresholds_of
from signatures.overview.waiting import captures as wait_captures
from signatures.overview.waiting.steps import step_about
from signatures.rendering.places import SHOWN_PLACES
from signatures.waits.model import Resource

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from signatures.overview.model import Place
    from signatures.overview.scope_evidence import ScopeEvidence, Table

LIMITS = thresholds_of("listed_tasks")
MANY_ZOMBIES, MANY_ROWS = LIMITS["many_zombies"], LIMITS["many_rows"]
FEW_ZOMBIES, MUCH_SHARE = LIMITS["few_zombies"], LIMITS["much_share"]
UNLISTED_SHARE = LIMITS["unlisted_share"]
"""Of a short list fewer zombies are worth a sentence, if they are half of it."""

NAMES = ("comm", "command")
PARENTS = "ps -eo pid,ppid,stat,comm"
ASKS = "which process does not reap its children"

_DEFUNCT = re.compile(r"^\[?(?P<name>[^\]]*?)\]?(?: <defunct>)?$")


def zombies(tables: Sequence[Table], tasks: int) -> Statement | None:
    """Return the sentence about zombies with their parent; None for few of so many tasks."""
    names: Counter[str] = Counter()
    parents: Counter[str] = Counter()
    places: list[Place] = []
    pids: set[str] = set()
    for table in tables:
        is_zombie = table.are("state", lambda state: state.startswith("Z"))
        pid_of, parent_of, name_of = (
            table.first_of("tid", "pid"),
            table.first_of("ppid"),
            table.first_of(*NAMES),
        )
        for at in np.flatnonzero(is_zombie).tolist():
            pid = _text(pid_of(at)) or f"row {len(pids)}"
            if pid not in pids:
                pids.add(pid)
                names[_name(_text(name_of(at)))] += 1
                parents[_text(parent_of(at))] += 1
                places += [table.place(at, at)] if len(places) < SHOWN_PLACES else []
    if len(pids) < min(MANY_ZOMBIES, max(FEW_ZOMBIES, MUCH_SHARE * tasks)):
        return None
    named = f" ({shortened_words(next(iter(names)))})" if len(names) == 1 and "" not in names else ""
    text = f"{len(pids):,} of {tasks:,} listed tasks are zombies{named}"
    parent, count = parents.most_common(1)[0]
    if parent and count == len(pids):
        text += f": their parent, process {parent}, does not reap them"
    elif parent:
        text += f": {count:,} of them are children of process {parent}, which does not reap them"
    capture, asks = ("", "") if parent else (PARENTS, ASKS)
    return Statement(
        "scheduling",
        text,
        tuple(places),
        "fact",
        "notable",
        capture,
        asks=asks,
        is_notable=True,
        subject="zombies",
    )


def asleep(tables: Sequence[Table], tasks: int) -> Statement | None:
    """Return what a task waits for that sleeps interruptibly where no idle task does; None in a long list.

    Of few tasks, which somebody chose, such a place is why they do not go on.
    """
    if tasks > thresholds_of("listed_tasks")["chosen"]:
        return None
    for table in tables:
        where_of, name_of = table.first_of("wchan"), table.first_of(*NAMES)
        pid_of = table.first_of("pid", "tid")
        for at in range(len(table.rows)):
            where = named_by_ps(_text(where_of(at)))
            point = wait_point((normalise(where),)) if where else None
            known = kinds().get(point.kind) if point is not None else None
            if known is None or known.is_asleep or known.is_idle:
                continue
            name = _name(_text(name_of(at))) or "The listed task"
            text = f"{shortened_words(name)} waits for {known.title} in {where}"
            resource = Resource(known.name, known.title, "", known.outside, "", known.title)
            pid = _text(pid_of(at))
            return Statement(
                "scheduling",
                text,
                (table.place(at, at),),
                "fact",
                "notable",
                wait_captures.of_kind(known.name) or wait_captures.BLOCKED,
                topic="blocked tasks",
                qualifiers=(", in interruptible sleep",),
                is_notable=True,
                subject=f"{known.title} of {name}",
                first_step=step_about(resource, int(pid) if pid.isdigit() else -1),
            )
    return None


def unlisted(evidence: ScopeEvidence, listed: int) -> int:
    """Return how many tasks a head counts beside `listed` ones; 0 where few began or ended meanwhile."""
    counted = evidence.highest("tasks.total")
    missing = counted.number - listed if counted else 0.0
    return int(missing) if counted and missing > UNLISTED_SHARE * counted.number else 0


def none_blocked(
    evidence: ScopeEvidence, tables: Sequence[Table], tasks: int, covers: Covers, where: Place
) -> Statement:
    """Return that no listed task is in uninterruptible sleep, if the list is whole, and what fills it.

    Args:
        evidence: All evidence of the scope.
        tables: The lists.
        tasks: How many are listed; at least one, none of them in uninterruptible sleep.
        covers: The sections that list them.
        where: The line to cite.
    """
    names: Counter[str] = Counter()
    for table in tables:
        names += _names(table)
    name, count = names.most_common(1)[0] if names else ("", 0)
    rest = "none of them is in uninterruptible sleep"
    is_crowd = count >= max(MANY_ROWS, MUCH_SHARE * tasks)
    if is_crowd := is_crowd and sum(len(table.rows) for table in tables) == tasks:
        whole = f"All {tasks:,}" if count == tasks else f"{count:,} of {tasks:,}"
        seen = f"{whole} listed tasks are {shortened_words(name)}"
        words = f"{seen}; {rest}"
    elif tasks == 1:
        words = seen = "The listed task is not in uninterruptible sleep"
    else:
        words = f"None of {tasks:,} listed tasks is in uninterruptible sleep"
        seen = f"{tasks:,} tasks are listed, and {rest}"
    return calm.statement(
        evidence, covers, words, seen, places=(where,), is_summary=not is_crowd, subject="listed tasks"
    )


def _names(table: Table) -> Counter[str]:
    """Return in how many rows each command is."""
    column = next((one for one in map(table.rows.column, NAMES) if one is not None), None)
    if not isinstance(column, Words):
        return Counter(text for cell in column or () if (text := _text(cell)))
    ids: NDArray[np.int32] = column.array
    counts = np.bincount(ids[ids >= 0], minlength=len(column.names)).tolist()
    return Counter({name: count for name, count in zip(column.names, counts, strict=True) if name and count})


def _text(cell: object) -> str:
    return "" if cell is None else f"{cell:.0f}" if isinstance(cell, float) else str(cell)


def _name(command: str) -> str:
    found = _DEFUNCT.match(command)
    return found["name"] if found else command
