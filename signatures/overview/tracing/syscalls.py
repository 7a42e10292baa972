"""System calls that take the time, and the slowest one: `perf trace`, `strace`."""

from __future__ import annotations

from functools import cache
from math import inf
from typing import TYPE_CHECKING, NamedTuple

from ingest.tables import files, table
from signatures.language.number_format import value_words
from signatures.overview.levels import first_of, ratio_of
from signatures.overview.model import Answer, Figure, Statement, ranked, shortened
from signatures.overview.thresholds import thresholds_of

if TYPE_CHECKING:
    from signatures.overview.scope_evidence import FactEntry, Row, ScopeEvidence

LIMITS = thresholds_of("syscalls")
SHOWN, SLOW_SECONDS = int(LIMITS["shown"]), LIMITS["slow_seconds"]
_TABLE = files("signatures.overview") / "traced_calls.yaml"
CAPTURE = "perf trace -s -p PID -- sleep 10"

WAITS = (
    "poll", "ppoll", "select", "pselect6", "epoll_wait", "epoll_pwait", "epoll_pwait2", "futex", "nanosleep",
    "clock_nanosleep", "wait4", "waitid", "pause", "rt_sigsuspend", "rt_sigtimedwait", "accept", "accept4",
    "recvfrom", "recvmsg", "restart_syscall", "io_getevents", "io_pgetevents", "io_uring_enter", "_newselect",
)  # fmt: skip
"""Calls whose purpose is to wait: their time is no sign of trouble."""


def syscalls(evidence: ScopeEvidence) -> Answer:
    """Return the calls by total time and the slowest one, without those that wait by design."""
    figures: list[Figure] = []
    statements: list[Statement] = []
    statements += _failing(evidence.facts("syscall.count"), evidence.facts("syscall.errors"))
    statements += _waited(evidence.facts("syscall.seconds"))
    totals = [entry for entry in evidence.facts("syscall.seconds") if entry.label("call") not in WAITS]
    totals.sort(key=lambda entry: -entry.number)
    figures += [
        Figure(f"{entry.label('call')}, total", entry.number, "seconds", (entry.place,))
        for entry in totals[:SHOWN]
    ]
    statements += _most(evidence, totals)
    statements += _unfinished(evidence.facts("strace.unfinished_call"))
    statements += _gap(evidence.facts("strace.longest_gap"))
    slowest = _slowest(evidence)
    if slowest:
        seconds, row = slowest
        call = str(row.cells.get("call"))
        is_slow = seconds >= SLOW_SECONDS
        figures.append(Figure(f"slowest call: {call}", seconds, "seconds", (row.place,), is_slow))
        who = f" of {row.cells['comm']}" if row.cells.get("comm") else ""
        text = f"One call of {call}{who} took {value_words(seconds, 'seconds')}"
        kind, level = ranked(is_alarm=is_slow, alarm="degraded", fact="context")
        ratio = ratio_of(seconds, SLOW_SECONDS) if is_slow else None
        subject = f"one call of {call}{who}"
        run, asks = step_of(call) if is_slow else ("", "")
        statements.append(
            Statement(
                "scheduling", text, (row.place,), kind, level, run, ratio=ratio, subject=subject, asks=asks
            )
        )
    if not figures and not statements:
        return Answer("No trace of system calls.", lacks=(CAPTURE,))
    first = first_of(statements)
    summary = f"{first.text}." if first else f"{figures[0].label}: {figures[0].words}."
    return Answer(summary, shortened(figures, SHOWN), (), tuple(statements))


def _most(evidence: ScopeEvidence, totals: list[FactEntry]) -> list[Statement]:
    """Return the call with the most time, in how many calls; without any what the table does not count."""
    if not totals:
        return []
    first = totals[0]
    if not first.number:
        text = f"None of {len(totals):,} traced calls used time on a CPU, which is what strace -c counts"
        asks, run = "the time that calls take with their waiting", "strace -c -w -f -p PID"
        subject = "time of the traced calls"
        return [
            Statement("scheduling", text, (first.place,), "fact", "context", run, asks=asks, subject=subject)
        ]
    call = first.label("call")
    whole = sum(entry.number for entry in evidence.facts("syscall.seconds"))
    text = f"{call} takes the most time of the traced calls: {value_words(first.number, 'seconds')}"
    counts = {
        id(one.item): one.number for one in evidence.facts("syscall.count") if one.label("call") == call
    }
    count = counts.get(id(first.item), 0.0)
    if count:
        text += f" in {count:,.0f} calls, {value_words(first.number / count, 'seconds')} each"
        text += f", {value_words(first.number / whole, 'share')} of the time"
    # A sum may be meant: what waits, fails or is slow says more.
    run, asks = step_of(call)
    place, step, mostly = (first.place,), _step(call), LIMITS["mostly"] * whole
    if count >= step.many and first.number >= max(mostly, count * step.usual_seconds):
        ratio = ratio_of(first.number / count, step.usual_seconds)
        return [
            Statement(
                "scheduling", text, place, "fact", "notable", run, is_notable=True, asks=asks, ratio=ratio
            )
        ]
    return [Statement("scheduling", text, place, "fact", "context", run, asks=asks, is_summary=True)]


class _Step(NamedTuple):
    """What shows more of calls that take long; `any` is of all others.

    Attributes:
        usual_seconds: From this mean on `many` of them are unusual; infinite where nothing says so.
    """

    calls: frozenset[str]
    run: str
    asks: str
    usual_seconds: float
    many: float


class _WaitedFile(NamedTuple):
    """A file on which a wait has a known cause."""

    path: str
    means: str
    run: str
    asks: str


def step_of(call: str) -> tuple[str, str]:
    """Return the command that shows more of a call that takes long, and what that is."""
    step = _step(call)
    return step.run.replace("{call}", call), step.asks.replace("{call}", call)


def _step(call: str) -> _Step:
    return next(one for one in _steps() if not one.calls.isdisjoint((call, "any")))


@cache
def _steps() -> tuple[_Step, ...]:
    rows = table(_TABLE)["calls"]
    return tuple(
        _Step(
            frozenset(row["calls"]),
            row["run"],
            row["asks"],
            float(row.get("usual_seconds", inf)),
            float(row.get("many", inf)),
        )
        for row in rows
    )


@cache
def _waited_files() -> tuple[_WaitedFile, ...]:
    rows = table(_TABLE)["files"]
    return tuple(_WaitedFile(row["path"], row["means"], row["run"], row["asks"]) for row in rows)


def _waited(entries: list[FactEntry]) -> list[Statement]:
    """Return the call that waits by design when most time is in it: what it waits for is the question."""
    total = sum(entry.number for entry in entries)
    longest = max(entries, key=lambda one: one.number, default=None)
    if longest is None or longest.label("call") not in WAITS or longest.number < LIMITS["mostly"] * total:
        return []
    text = f"{value_words(longest.number / total, 'share')} of the time of the traced calls is in "
    text += f"{longest.label('call')}, which waits: {value_words(longest.number, 'seconds')}"
    return [Statement("scheduling", text, (longest.place,), "fact", "context")]


def _gap(entries: list[FactEntry]) -> list[Statement]:
    """Return the longest time between the stamps of two calls; what waits by design may be meant to."""
    longest = max(entries, key=lambda one: one.number, default=None)
    if longest is None:
        return []
    call, pid = longest.label("call"), longest.label("pid")
    who, path = f" of task {pid}" if pid else "", longest.label("path")
    on = f" on {path}" if path else ""
    text = f"{value_words(longest.number, 'seconds')} pass from a call of {call}{on}{who} to the next, of "
    text += f"{longest.label('next')}: in that call, or in the program after it"
    run, asks = step_of(call)
    known = next((one for one in _waited_files() if one.path == path), None)
    if known is not None:
        text += f"; it may be that {known.means}"
        run, asks = known.run, known.asks
    ratio = ratio_of(longest.number, SLOW_SECONDS)
    subject = f"time after {call}{on}{who}"
    return [
        Statement(
            "scheduling",
            text,
            (longest.place,),
            "fact",
            "notable",
            run,
            ratio=ratio,
            subject=subject,
            asks=asks,
            is_notable=known is not None,
        )
    ]


def _unfinished(entries: list[FactEntry]) -> list[Statement]:
    """Return the call that had not returned when the trace ended; one that waits by design comes last."""
    open_ = max(
        entries,
        key=lambda one: (one.label("call") not in WAITS, one.number, one.place.first_line),
        default=None,
    )
    if open_ is None or (open_.label("call") in WAITS and open_.label("end") == "cut"):
        return []
    call, path, pid = open_.label("call"), open_.label("path"), open_.label("pid")
    what = f"{call}{f' of {path}' if path else ''}{f' (task {pid})' if pid else ''}"
    is_slow = open_.number >= SLOW_SECONDS
    since = f" after {value_words(open_.number, 'seconds')}" if is_slow else ""
    if open_.label("end") == "stopped":
        text = f"{what} had not returned{since} when the trace was stopped: it hangs, or waits"
    else:
        text = f"The trace ends inside {what}, which had not returned{since}, unless the text is cut"
    if call in WAITS:
        return [Statement("scheduling", text, (open_.place,), "fact", "context")]
    kind, level = ranked(is_alarm=is_slow)
    ratio = ratio_of(open_.number, SLOW_SECONDS) if is_slow else None
    subject = f"unfinished {call} of {path}"
    return [
        Statement(
            "scheduling",
            text,
            (open_.place,),
            kind,
            level,
            step_of(call)[0],
            is_notable=True,
            ratio=ratio,
            subject=subject,
            asks=step_of(call)[1],
        )
    ]


def _slowest(evidence: ScopeEvidence) -> tuple[float, Row] | None:
    """Return the longest single call that does not wait by design."""
    found: list[tuple[float, Row]] = []
    for name, column, factor in (
        ("perf_trace", "duration_s", 1.0),
        ("strace", "duration_s", 1.0),
        ("perf_trace_summary", "max_ms", 1e-3),
    ):
        for row in evidence.rows(name):
            seconds = (row.number(column) or 0.0) * factor
            if seconds and not row.cells.get("is_waiting") and str(row.cells.get("call")) not in WAITS:
                found.append((seconds, row))
    return max(found, key=lambda one: one[0], default=None)


def _failing(counts: list[FactEntry], errors: list[FactEntry]) -> list[Statement]:
    """Return the calls of which at least half fail."""
    statements = []
    calls = {(id(one.item), one.label("call")): one for one in counts}
    for entry in errors:
        count = calls.get((id(entry.item), entry.label("call")))
        if count is None or count.number < LIMITS["fewest_calls"] or entry.label("call") in WAITS:
            continue
        share = entry.number / count.number
        if share >= LIMITS["failing_share"]:
            text = f"{value_words(share, 'share')} of {count.number:,.0f} calls of {entry.label('call')} fail"
            statements.append(Statement("scheduling", text, (entry.place,), "fact", "context"))
    return statements
