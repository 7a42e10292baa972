"""The wait graph in sentences.

Example:
    5 tasks wait behind mkdir:14954, which waits for the reply of a FUSE server.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from signatures.language.number_format import value_words
from signatures.waits.model import USER_KINDS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from signatures.waits.model import Root, WaitGraph

DEADLOCK = "deadlock"
"""Name of a blocker that is a ring of tasks."""

MANY = 3
LONG_SECONDS = 5.0
TRANSIENT = frozenset({"storage", "network"})
"""Waits for these are normal for a moment on a busy host."""

_RUNNING = "R"


def is_notable(graph: WaitGraph, root: Root) -> bool:
    """Return whether a root blocker is more than a moment of a busy host.

    Three tasks behind a holder, a wait of five seconds, or the same place in several snapshots. Tasks that
    wait for storage, network or a lock of user space in one snapshot are not.
    """
    if (root.seconds or 0.0) >= LONG_SECONDS or root.stuck:
        return True
    last = graph.resources[root.waits_for if root.waits_for >= 0 else root.resource]
    held = graph.resources[root.resource]
    return root.behind >= MANY and last.outside not in TRANSIENT and held.kind not in USER_KINDS


def blockers(graph: WaitGraph) -> set[str]:
    """Return the kinds of what tasks notably wait for, names of holders, and `deadlock` for a ring."""
    found = {DEADLOCK} if graph.cycles else set()
    for root in graph.roots:
        if is_notable(graph, root):
            found.update(graph.resources[at].kind for at in (root.resource, root.waits_for) if at >= 0)
            if root.task >= 0:
                found.add(graph.tasks[root.task].comm)
    return found


def root_sentence(graph: WaitGraph, root: Root) -> str:
    """Return one sentence about a root blocker: who waits, behind whom, and what that one waits for."""
    words = root_words(graph, root)
    return f"{words}; its holder is not in the evidence" if lacks_holder(graph, root) else words


def lacks_holder(graph: WaitGraph, root: Root) -> bool:
    """Return whether a root is a resource of the kernel whose holder is not in the evidence."""
    return root.task < 0 and not graph.resources[root.resource].outside


def root_words(graph: WaitGraph, root: Root, who: str = "", site: str = "") -> str:
    """Return the sentence about a root blocker without what is not known of its holder.

    Args:
        graph: The graph.
        root: One of its root blockers.
        who: The one task that waits; "" to count them.
        site: Function that the next words begin with, which is not named twice.
    """
    behind = f"{who} waits" if who else _tasks(root.behind)
    resource = graph.resources[root.resource]
    if root.task < 0:
        words = f"{behind} for {resource.title_before(site)}"
        if root.directly < root.behind:
            words += f" ({root.directly:,} directly)"
        return words
    task = graph.tasks[root.task]
    words = f"{behind} behind {task.name}"
    if root.directly < root.behind:
        words += f" ({root.directly:,} directly)"
    if not task.has_stack:
        return f"{words}, whose stack is not in the evidence"
    if root.waits_for >= 0:
        return f"{words}, which waits for {graph.resources[root.waits_for].title}"
    if task.state == _RUNNING:
        return f"{words}, which runs"
    if task.point is not None and task.point.site:
        return f"{words}, which sleeps in {task.point.site}"
    return f"{words}, which does not wait for a known resource"


def ring_sentence(graph: WaitGraph, ring: tuple[int, ...]) -> str:
    """Return one sentence about a deadlock, with the ring."""
    names = [graph.tasks[at].name for at in (*ring, ring[0])]
    chain = ", which waits for ".join(names[1:])
    return f"deadlock of {_count(len(ring), 'task')}: {names[0]} waits for {chain}"


def summary(graph: WaitGraph) -> str:
    """Return the sentence of the whole graph, without a full stop."""
    if not graph.tasks:
        return "no stacks or states of tasks in the evidence"
    if not graph.blocked:
        return f"no blocked task among {_count(graph.size, 'task')}"
    if graph.cycles:
        return ring_sentence(graph, graph.cycles[0])
    if not graph.roots:
        return f"{_count(graph.blocked, 'blocked task')}; where they wait is not known"
    return root_sentence(graph, graph.roots[0])


def duration(seconds: float | None) -> str:
    """Return `at least 35 s`, "" when not reported."""
    return "" if seconds is None else f"at least {value_words(seconds)} s"


def snapshot_sentences(graph: WaitGraph) -> Iterator[str]:
    """Yield one sentence per snapshot: when, how many tasks are blocked, how many have not moved."""
    for one in graph.snapshots:
        at = "" if one.at is None else f" at {value_words(one.at)} s"
        words = (
            f"{one.lines.evidence}:{one.lines.first_line}, snapshot {one.ordinal + 1}{at}: "
            f"{one.blocked:,} of {one.tasks:,} tasks blocked"
        )
        yield f"{words}, {one.stuck:,} at the same place as before" if one.stuck else words


def _tasks(count: int) -> str:
    return f"{count:,} task waits" if count == 1 else f"{count:,} tasks wait"


def _count(count: int, noun: str) -> str:
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"
