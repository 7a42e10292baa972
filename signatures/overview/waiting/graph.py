"""Root blockers: which task or resource the blocked tasks wait for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ingest.frames.wait_points import SLEEPING_LOCKS, kinds
from signatures.overview.model import Answer, Figure, Statement, ranked
from signatures.overview.waiting import captures as wait_captures
from signatures.overview.waiting.chain import links_of
from signatures.overview.waiting.contexts import Context, context_of
from signatures.overview.waiting.steps import step_about, step_about_holder
from signatures.rendering.words import capital
from signatures.waits import graph_of
from signatures.waits.debuggers import REASON as FROM_LOCK
from signatures.waits.model import USER_KINDS
from signatures.waits.sentences import (
    duration,
    is_notable,
    lacks_holder,
    ring_sentence,
    root_sentence,
    root_words,
    summary,
)

if TYPE_CHECKING:
    from signatures.overview.first_steps import Topic
    from signatures.overview.model import QuestionName
    from signatures.overview.scope_evidence import ScopeEvidence
    from signatures.waits.model import Resource, Root, Task, WaitGraph

SHOWN = 8


def wait_graph(evidence: ScopeEvidence) -> Answer:
    """Return the root blockers of the wait graph, deadlocks first."""
    graph = graph_of(evidence.items)
    if not graph.tasks:
        return Answer("No stacks or states of tasks.", lacks=("echo w > /proc/sysrq-trigger; dmesg",))
    sentence = capital(summary(graph))
    if not graph.roots and not graph.cycles:
        seen = graph.tasks[0].lines
        return Answer(f"{sentence}.", (Figure("blocked tasks", float(graph.blocked), "count", (seen,)),))
    figures = [_ring(graph, ring) for ring in graph.cycles[:SHOWN]]
    figures += [_figure(graph, root) for root in graph.roots[: SHOWN - len(figures)]]
    is_undecided = len(graph.snapshots) < 2 and not any(figure.is_notable for figure in figures)
    if is_undecided:
        sentence += "; one snapshot does not show whether they are stuck"
    is_of_program = evidence.engines.state_of("threads") == "on" and _is_of_program(graph)
    statements = () if is_of_program else (_statement(graph, figures[0]),)
    return Answer(f"{sentence}.", tuple(figures), graph.lacks, statements, is_undecided=is_undecided)


def _is_of_program(graph: WaitGraph) -> bool:
    """Return whether the leading lock is one of a program, of which the engine of threads tells."""
    if graph.cycles:
        ring = set(graph.cycles[0])
        return all(
            graph.resources[one.resource].kind in USER_KINDS for one in graph.waits if one.task in ring
        )
    return graph.resources[graph.roots[0].resource].kind in USER_KINDS


def _statement(graph: WaitGraph, first: Figure) -> Statement:
    """Return the sentence of the overview: the root cause of a hang, above the reports of its victims."""
    kind, level = ranked(is_alarm=first.is_notable, alarm="failure")
    names: tuple[str, ...] = ()
    words, capture, step = capital(first.label), graph.lacks[0] if graph.lacks else "", ""
    qualifiers: tuple[str, ...] = ()
    topic: Topic = "deadlock" if graph.cycles else "blocked tasks"
    if graph.roots and not graph.cycles:
        words, qualifiers, names = _root_words(graph, graph.roots[0])
        capture = wait_captures.capture_of(_last(graph, graph.roots[0])) or capture
        step = _step(graph, graph.roots[0])
    is_long = any(task.blocked_seconds for task in graph.tasks)
    also: tuple[QuestionName, ...] = ("scheduling",) if is_long else ()
    # The task that holds them up counts, too: its report in the log is of one victim.
    ratio = 1.0 + graph.blocked
    return Statement(
        "locks",
        words,
        first.places,
        kind,
        level,
        capture,
        also,
        topic=topic,
        ratio=ratio,
        qualifiers=qualifiers,
        subject=_subject(graph),
        names=names,
        chain=links_of(graph),
        first_step=step,
    )


def _step(graph: WaitGraph, root: Root) -> str:
    """Return the first step about a root: what it waits for in the end, else its holder."""
    at = root.waits_for if root.waits_for >= 0 else root.resource
    waiting = next((graph.tasks[edge.task] for edge in graph.waits if edge.resource == at), None)
    if root.task < 0 and waiting is not None and _own_holder(waiting):
        return step_about_holder("itself", graph.resources[at], waiting.pid)
    pid = waiting.pid if waiting is not None and not _is_of_another(waiting) else -1
    if root.task < 0 or root.waits_for >= 0:
        found = step_about(graph.resources[at], pid)
        if found or root.task < 0:
            return found
    holder = graph.tasks[root.task]
    resource = graph.resources[root.resource] if root.resource >= 0 else graph.resources[at]
    return step_about_holder("known", resource, holder.pid if holder.pid > 0 else holder.tid)


def _subject(graph: WaitGraph) -> str:
    """Return what the tasks wait for, and the name of the one that holds it; ids differ in each boot."""
    if graph.cycles:
        return f"deadlock of {', '.join(sorted(graph.tasks[at].comm for at in graph.cycles[0]))}"
    root = graph.roots[0]
    holder = graph.tasks[root.task].comm if root.task >= 0 else ""
    return f"{_last(graph, root).bare_title} behind {holder}"


def _last(graph: WaitGraph, root: Root) -> Resource:
    """Return what everything behind a root waits for in the end."""
    return graph.resources[root.waits_for if root.waits_for >= 0 else root.resource]


def _root_words(graph: WaitGraph, root: Root) -> tuple[str, tuple[str, ...], tuple[str, ...]]:
    """Return who waits for what, for how long; what is not known of the holder; and what it was doing."""
    waiting = [graph.tasks[edge.task] for edge in graph.waits if edge.resource == root.resource]
    who = waiting[0].name if root.behind == 1 and len(waiting) == 1 else ""
    context = context_of(waiting[0]) if root.task < 0 and waiting else Context("", "")
    words = f"{root_words(graph, root, who, context.site)}{context.words}"
    if context.words and root.behind != 1:
        words += f" ({waiting[0].name})"
    if root.seconds is not None:
        lasts = f"for {duration(root.seconds)}"
        words = f"{words}, {lasts}"
    qualifiers = []
    own = next(filter(None, map(_own_holder, waiting)), "") if root.task < 0 else ""
    if own:
        qualifiers.append(f"; it waits for itself: {own}, which called it, runs with that lock held")
    elif lacks_holder(graph, root):
        holder = wait_captures.holder_words(graph.resources[root.resource])
        qualifiers.append(f"; {holder} is not in the evidence")
    if root.certainty == "reported":
        qualifiers.append(" (owner reported by the kernel)")
    return words, tuple(qualifiers), (who, context.words)


def _is_of_another(task: Task) -> bool:
    """Return whether a task waits for a resource of another process, such as a memory map that it reads."""
    known = kinds().get(task.point.kind) if task.point is not None else None
    return known is not None and any(name in known.remote for name in task.frames)


def _own_holder(task: Task) -> str:
    """Return the caller of a wait that runs with the lock held, by which the task waits for itself, or ""."""
    point = task.point
    known = kinds().get(point.kind) if point is not None else None
    if point is None or known is None or point.primitive not in SLEEPING_LOCKS:
        return ""
    return next((name for name in task.frames[point.depth + 1 :] if name in known.own), "")


def _ring(graph: WaitGraph, ring: tuple[int, ...]) -> Figure:
    places = tuple(graph.tasks[at].lines for at in ring)
    return Figure(ring_sentence(graph, ring), float(len(ring)), "count", places, is_notable=True)


def _figure(graph: WaitGraph, root: Root) -> Figure:
    """Return a root blocker with the number of tasks behind it; cites the root and a waiter."""
    waiting = next(edge for edge in graph.waits if edge.resource == root.resource)
    own = () if root.task < 0 else (graph.tasks[root.task].lines,)
    places = tuple(dict.fromkeys(lines for lines in (*own, waiting.lines)))
    notes = [duration(root.seconds), _reported(graph, root)]
    note = ", ".join(note for note in notes if note)
    value = float(root.behind)
    return Figure(root_sentence(graph, root), value, "count", places, is_notable(graph, root), note)


def _reported(graph: WaitGraph, root: Root) -> str:
    """Return who reports the owner, "" where none does."""
    reasons = {edge.reason for edge in graph.holds if edge.task == root.task and edge.certainty == "reported"}
    if not reasons:
        return ""
    return "owner read from the lock" if FROM_LOCK in reasons else "owner reported by the kernel"
