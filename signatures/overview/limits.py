"""What is used of a limit of the kernel: sockets, files, tasks, tracked connections, swap, committed memory.

65,738 of 65,536 TCP orphans that the kernel allows (100.3 %)

A use of nine tenths of its limit is an alarm, whatever the resource: nothing near its limit is called usual.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from signatures.language.number_format import value_words
from signatures.overview import impossible
from signatures.overview.levels import first_of
from signatures.overview.model import Answer, Figure, Statement, shortened

if TYPE_CHECKING:
    from signatures.overview.first_steps import Topic
    from signatures.overview.model import QuestionName
    from signatures.overview.scope_evidence import FactEntry, ScopeEvidence

SHOWN = 8
NEAR_SHARE = 0.9
CAPTURE = "sysctl -a; cat /proc/net/sockstat /proc/loadavg"
HELD = 10_000.0
"""Sockets without a process, or in TIME_WAIT, that are worth a sentence where their limit is not known."""


class Limit(NamedTuple):
    """A quantity and its limit: facts, the word of each where a fact holds several, and what is counted."""

    used: str
    limit: str
    what: str
    question: QuestionName
    used_word: int = 0
    limit_word: int = 0


LIMITS = (
    Limit("net.sockstat.tcp_orphan", "sysctl.net.ipv4.tcp_max_orphans", "TCP orphans", "network"),
    Limit("net.sockstat.tcp_tw", "sysctl.net.ipv4.tcp_max_tw_buckets", "sockets in TIME_WAIT", "network"),
    Limit(
        "sysctl.net.netfilter.nf_conntrack_count",
        "sysctl.net.netfilter.nf_conntrack_max",
        "tracked connections",
        "network",
    ),
    Limit("sysctl.fs.file-nr", "sysctl.fs.file-nr", "open files", "memory", 0, 2),
    Limit("loadavg.tasks", "sysctl.kernel.threads-max", "tasks", "scheduling"),
    Limit("loadavg.tasks", "sysctl.kernel.pid_max", "process ids", "scheduling"),
    Limit("free.swap.used_bytes", "free.swap.total_bytes", "swap", "memory"),
)
"""net/ipv4/tcp.c, net/netfilter/nf_conntrack_core.c, fs/file_table.c, kernel/fork.c."""


def limits(evidence: ScopeEvidence) -> Answer:
    """Return use as a share of each limit that the evidence states."""
    figures: list[Figure] = []
    statements: list[Statement] = []
    for limit in LIMITS:
        used = _value(evidence, limit.used, limit.used_word)
        most = _value(evidence, limit.limit, limit.limit_word)
        if used is None or most is None or not most[0] or impossible.is_impossible(evidence, limit.used):
            continue
        share = used[0] / most[0]
        places = tuple(dict.fromkeys((used[1].place, most[1].place)))
        is_near = share >= NEAR_SHARE
        figures.append(Figure(f"{limit.what} of their limit", round(share, 4), "share", places, is_near))
        if is_near:
            unit = "bytes" if limit.used.endswith("_bytes") else "count"
            text = f"{_words(used[0], unit)} of {_words(most[0], unit)} {limit.what} that the kernel allows"
            text += f" ({value_words(share, 'share')})"
            topic: Topic = "swapping" if limit.what == "swap" else "kernel limit"
            statements.append(
                Statement(limit.question, text, places, "alarm", topic=topic, subject=limit.what)
            )
    for name, what in (
        ("net.sockstat.tcp_orphan", "TCP sockets have no process (orphans)"),
        ("net.sockstat.tcp_tw", "TCP sockets are in TIME_WAIT"),
    ):
        held = evidence.highest(name)
        if held and held.number >= HELD:
            text = f"{held.number:,.0f} {what}"
            figures.append(Figure(what, held.number, "count", (held.place,)))
            statements.append(Statement("network", text, (held.place,), "fact", "notable", subject=what))
    if not figures:
        return Answer("No use with a stated limit.", lacks=(CAPTURE,))
    first = first_of(statements)
    summary = f"{first.text}." if first else "No use with a stated limit is near it."
    return Answer(summary, shortened(figures, SHOWN), (), tuple(statements))


def _value(evidence: ScopeEvidence, name: str, word: int) -> tuple[float, FactEntry] | None:
    """Return the last value of a fact, or one word of it; None when it is not there or no number."""
    entry = next(reversed(evidence.facts(name)), None)
    if entry is None:
        return None
    words = str(entry.fact.value).split()
    if isinstance(entry.fact.value, float) and not word:
        return entry.fact.value, entry
    return (float(words[word]), entry) if word < len(words) and words[word].isdecimal() else None


def _words(number: float, unit: str) -> str:
    return value_words(number, unit) if unit == "bytes" else f"{number:,.0f}"
