"""Events that tracing tools printed: OOM kills, drops, retransmits, failed calls, idle CPUs.

4 TCP segments were sent again while traced, all in state ESTABLISHED
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from signatures.overview.model import Answer, Figure, Statement, shortened

if TYPE_CHECKING:
    from signatures.overview.model import QuestionName
    from signatures.overview.scope_evidence import ScopeEvidence

SHOWN = 8
UNCLAIMED_SHARE = 0.02
"""Below it affinity is the usual reason: cpuunclaimed samples 99 times a second."""


class Traced(NamedTuple):
    """A count of events, the question it answers, and its words; `label` is what the events are of."""

    fact: str
    question: QuestionName
    one: str
    many: str
    label: str
    of: str


TRACED = (
    Traced("trace.oom_kills", "memory", "process was killed", "processes were killed", "comm", "of"),
    Traced(
        "trace.tcp_drops", "network", "TCP segment was dropped", "TCP segments were dropped", "reason", "for"
    ),
    Traced(
        "trace.tcp_retransmits",
        "network",
        "TCP segment was sent again",
        "TCP segments were sent again",
        "state",
        "in state",
    ),
    Traced("trace.packet_drops", "network", "packet was dropped", "packets were dropped", "function", "by"),
    Traced(
        "trace.failed_calls",
        "cpu",
        "call of a kernel function failed",
        "calls of kernel functions failed",
        "function",
        "at",
    ),
    Traced(
        "trace.files_gone",
        "io",
        "file was deleted or renamed",
        "files were deleted or renamed",
        "comm",
        "by",
    ),
    Traced(
        "trace.tcp_flow_retransmits",
        "network",
        "TCP segment was sent again",
        "TCP segments were sent again",
        "flow",
        "from",
    ),
    Traced("trace.swap_ins", "memory", "page was swapped in", "pages were swapped in", "comm", "for"),
    Traced("trace.calls", "cpu", "call was made", "calls were made", "function", "of"),
)


def traced_events(evidence: ScopeEvidence) -> Answer:
    """Return what the tools saw; CPUs that idle beside waiting tasks are notable from a share on."""
    figures: list[Figure] = []
    statements: list[Statement] = []
    for traced in TRACED:
        found = sorted(evidence.facts(traced.fact), key=lambda one: -one.number)
        if not found:
            continue
        total = sum(one.number for one in found)
        places = tuple(one.place for one in found[:3])
        words = traced.one if total == 1 else traced.many
        figures.append(Figure(f"{words} while traced", total, "count", places))
        first = found[0].label(traced.label)
        share = "all" if found[0].number == total else f"{found[0].number:,.0f}"
        most = (
            f", {share} {traced.of} {first}"
            if first and total > 1
            else f" {traced.of} {first}"
            if first
            else ""
        )
        text = f"{total:,.0f} {words} while traced{most}"
        statements.append(Statement(traced.question, text, places, "fact", "notable", ""))
    idle = evidence.figure(
        "cpu.unclaimed_idle_share", "of the CPUs idle while tasks wait for one", above=UNCLAIMED_SHARE
    )
    if idle:
        figures.append(idle)
        if idle.is_notable:
            text = f"{idle.words} of the CPUs were idle while tasks waited for one"
            statements.append(Statement("scheduling", text, idle.places, "alarm", subject=idle.label))
    if not figures:
        return Answer("No kill, drop or retransmit was traced.")
    summary = statements[0].text if statements else f"{figures[-1].words} {figures[-1].label}"
    return Answer(f"{summary}.", shortened(figures, SHOWN), (), tuple(statements))
