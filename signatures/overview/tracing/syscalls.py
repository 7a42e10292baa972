"""System calls that take the time, and the slowest one: `perf trace`, `strace`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from signatures.language.number_format import value_words
from signatures.overview.levels import first_of, ratio_of
from signatures.overview.model import Answer, Figure, Statement, ranked, shortened
from signatures.overview.thresholds import thresholds_of

if TYPE_CHECKING:
    from signatures.overview.scope_evidence import FactEntry, Row, ScopeEvidence

LIMITS = thresholds_of("syscalls")
SHOWN, SLOW_SECONDS = int(LIMITS["shown"]), LIMITS["slow_seconds"]
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
    if totals and totals[0].number:
        text = f"{totals[0].label('call')} takes the most time of the traced calls: "
        text += value_words(totals[0].number, "seconds")
        place = totals[0].place
        # A sum may be meant: what waits, fails or is slow says more.
        statements.append(Statement("scheduling", text, (place,), "fact", "context", is_summary=True))
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
        statements.append(
            Statement("scheduling", text, (row.place,), kind, level, ratio=ratio, subject=subject)
        )
    if not figures and not statements:
        return Answer("No trace of system calls.", lacks=(CAPTURE,))
    first = first_of(statements)
    summary = f"{first.text}." if first else f"{figures[0].label}: {figures[0].words}."
    return Answer(summary, shortened(figures, SHOWN), (), tuple(statements))


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
    who = f" of task {pid}" if pid else ""
    text = f"{value_words(longest.number, 'seconds')} pass from a call of {call}{who} to the next, of "
    text += f"{longest.label('next')}: in that call, or in the program after it"
    ratio = ratio_of(longest.number, SLOW_SECONDS)
    subject = f"time after {call}{who}"
    place = longest.place
    return [Statement("scheduling", text, (place,), "fact", "notable", ratio=ratio, subject=subject)]


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
            "scheduling", text, (open_.place,), kind, level, is_notable=True, ratio=ratio, subject=subject
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
