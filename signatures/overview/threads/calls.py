"""Calls of threads that take long, in traces that are no strace: ltrace, events of ftrace and trace-cmd.

One call of fsync of bash-1234 took 9.2 s
All 4 traced threads are inside futex, and none of the calls returned
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from signatures.language.number_format import value_words
from signatures.overview.levels import ratio_of
from signatures.overview.model import Answer, Figure, Quantity, Statement, place, ranked
from signatures.overview.scope_evidence import Row
from signatures.overview.thresholds import thresholds_of
from signatures.overview.tracing.syscalls import WAITS, step_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from signatures.engines import EngineName
    from signatures.overview.model import Place
    from signatures.overview.scope_evidence import ScopeEvidence

ENGINE: EngineName = "threads"
LIMITS = thresholds_of("timed_calls")
SLOW, FEWEST = LIMITS["slow_seconds"], int(LIMITS["threads"])
ARGUMENT = ","
FEWEST_TIMERS, SHOWN = 2, 3
OF_SCRIPTS = "rows:"
NAMES = ("comm", "process", "pid", "tid")
WHO = frozenset(NAMES)
UNITS = {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1.0}
DURATION = re.compile(r"(?:^|_)(?:lat|latency|dur|duration|delay|elapsed|took|wait|delta|time)(?:_|$)")
BELOW = "strace -f -r -T -y -p PID"
ASKS_CALL = "which system call takes the time, and on which file or connection"
ASKS_BELOW = "which system call the function waits in, and on which file or connection"


def timed_calls(evidence: ScopeEvidence) -> Answer:
    """Return the longest call of each kind of trace, and the call that all threads are in."""
    found = [*_pairs(evidence), *_library(evidence), *_all_inside(evidence)]
    found += [*_printed(evidence), *_timers(evidence)]
    found = [replace(one, engine=ENGINE) for one in found]
    if not found:
        return Answer("No timed calls of other tracers.")
    figures = tuple(Figure(one.subject, one.words, "", one.places, one.is_notable) for one in found)
    return Answer(f"{found[0].text}.", figures, (), tuple(found))


def _pairs(evidence: ScopeEvidence) -> Iterator[Statement]:
    for entry in evidence.facts("ftrace.longest_pair"):
        event, task = entry.label("event"), entry.label("task")
        if event not in WAITS and entry.number >= SLOW:
            yield _long(f"One call of {event} of {task} took", event, entry.number, entry.place)
    for entry in evidence.facts("ftrace.unfinished_pair"):
        event, task = entry.label("event"), entry.label("task")
        if event not in WAITS:
            yield _long(
                f"{event} of {task} had not ended when the trace did, after", event, entry.number, entry.place
            )


def _library(evidence: ScopeEvidence) -> Iterator[Statement]:
    """Yield the longest call of a library, but of those that wait by design."""
    timed = [
        (seconds, row)
        for row in evidence.rows("ltrace")
        if (seconds := row.number("duration_s")) and not _waits(row)
    ]
    longest = max(timed, key=lambda one: one[0], default=None)
    if longest is not None and longest[0] >= SLOW:
        call = str(longest[1].cells.get("call"))
        said = _long(f"One call of {call} took", call, longest[0], longest[1].place)
        yield replace(said, capture=BELOW, asks=ASKS_BELOW)


def _waits(row: Row) -> bool:
    call = str(row.cells.get("call")).rpartition("->")[2]
    return call in WAITS or call.startswith(("pthread_cond_", "sem_", "sleep", "usleep", "nanosleep"))


def _long(words: str, call: str, seconds: float, where: Place) -> Statement:
    kind, level = ranked(is_alarm=True, alarm="degraded")
    run, asks = step_of(call)
    return Statement(
        "scheduling",
        f"{words} {value_words(seconds, 'seconds')}",
        (where,),
        kind,
        level,
        run,
        asks=asks,
        subject=f"calls of {call}",
        quantity=Quantity(seconds, "seconds"),
        ratio=ratio_of(seconds, SLOW),
    )


def _all_inside(evidence: ScopeEvidence) -> Iterator[Statement]:
    """Yield the call that the last line of every traced thread is in, without a return."""
    traces: dict[int, dict[float, Row]] = {}
    for row in evidence.rows("strace"):
        if (pid := row.number("pid")) is not None:
            traces.setdefault(id(row.item), {})[pid] = row
    for last in traces.values():
        calls = {str(row.cells.get("call")) for row in last.values()}
        if (
            len(last) < FEWEST
            or len(calls) != 1
            or not all(row.number("is_unfinished") for row in last.values())
        ):
            continue
        call = calls.pop()
        if call in WAITS and call != "futex":
            continue
        locks = {str(row.cells.get("args")).partition(ARGUMENT)[0].strip() for row in last.values()}
        same = f" on {locks.pop()}" if call == "futex" and len(locks) == 1 else ""
        lines = [row.line for row in last.values()]
        item = next(iter(last.values())).item
        run, asks = step_of(call)
        may = ", for a lock or for work" if call == "futex" else ""
        who = f"All {len(last):,} traced threads are inside {call}{same}"
        yield Statement(
            "scheduling",
            f"{who}, and none of these calls returned{may}",
            (place(item, min(lines), max(lines)),),
            "fact",
            "notable",
            run,
            asks=asks,
            is_notable=call != "futex",
            subject=f"threads inside {call}",
        )


def _timers(evidence: ScopeEvidence) -> Iterator[Statement]:
    """Yield threads that wake up by their time-out: every wait that ended did so, and no other call fails."""
    rows = list(evidence.rows("strace"))
    waits = [row for row in rows if row.number("is_waiting") and not row.number("is_unfinished")]
    if len(waits) < FEWEST_TIMERS or not all(_is_timed_out(row) for row in waits):
        return
    if any(_has_failed(row) for row in rows):
        return
    calls = ", ".join(sorted({str(row.cells.get("call")) for row in waits}))
    who = "threads that a timer wakes, as idle ones are"
    pids = {row.number("pid") for row in rows if row.number("pid") is not None}
    whose = f" of {len(pids):,} threads" if len(pids) > 1 else ""
    text = f"All {len(waits):,} waits{whose} that ended did so at their time-out ({calls}): {who}"
    yield Statement(
        "scheduling",
        f"{text}; no other call failed",
        tuple(row.place for row in waits[:SHOWN]),
        "fact",
        "context",
        "strace -f -T -y -p PID",
        asks="which call takes long while something is slow",
        subject=f"waits in {calls}",
    )


def _has_failed(row: Row) -> bool:
    """Return whether a call that does not wait failed."""
    return str(row.cells.get("result") or "").startswith("-1") and not row.number("is_waiting")


def _printed(evidence: ScopeEvidence) -> Iterator[Statement]:
    """Yield the longest time that a script prints beside a thread: `comm=postgres lat_us=6811202`."""
    found: list[tuple[float, str, Row]] = []
    for item in evidence.items:
        for rows in item.reading.row_sets:
            named = rows.name.startswith(OF_SCRIPTS) and WHO.intersection(rows.columns)
            for at, name in enumerate(rows.columns if named else ()):
                unit = _unit_of(name)
                column = ((row[at], place) for place, row in enumerate(rows.rows))
                timed = ((cell * unit, place) for cell, place in column if isinstance(cell, float))
                seconds, place_of = max(timed, default=(0.0, 0)) if unit else (0.0, 0)
                if seconds >= SLOW:
                    cells = dict(zip(rows.columns, rows.rows[place_of], strict=True))
                    found.append((seconds, name, Row(cells, item, rows.row_lines[place_of])))
    for seconds, name, row in sorted(found, key=lambda one: -one[0])[:1]:
        who = next((str(one) for key in NAMES if (one := row.cells.get(key))), "")
        said = _long(f"One {name.rpartition('_')[0]} of {who} took", "", seconds, row.place)
        yield replace(said, capture=BELOW, asks=ASKS_CALL, subject=f"{name} of {who}")


def _unit_of(column: str) -> float:
    """Return the seconds of a unit of a column of durations, 0 for other columns."""
    stem, _, unit = column.lower().rpartition("_")
    return UNITS.get(unit, 0.0) if DURATION.search(stem) else 0.0


def _is_timed_out(row: Row) -> bool:
    """Return whether a wait ended by its time: an error of futex, or no event of poll and its like."""
    result = str(row.cells.get("result") or "")
    return "ETIMEDOUT" in result or result.startswith("0 (Timeout)")
