"""The chain of causes of a case: that of its headline, and other alarms that are about a thing of it.

    I/O errors of sda ─(known consequence, 3 s later)→ ext4 error + disk sda is busy 100 % (same device sda)

What a log, a wait graph or a row of `combined.yaml` puts in order has arrows. A statement that only names the
same task, cgroup or device stands beside them: the evidence does not say which was first.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from signatures.overview.headline_words import short_words
from signatures.overview.model import Link
from signatures.overview.shared_things import Shared, relation_of
from signatures.overview.statement_order import is_overlapping
from signatures.overview.thresholds import thresholds_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from signatures.overview.model import Place, Statement
    from signatures.overview.statement_order import Shown


def chain_of(lead: Shown | None, statements: Sequence[Shown]) -> tuple[Link, ...]:
    """Return the nodes of a case, each with its line and the edge to it; () where one thing happened.

    Args:
        lead: The statement that the headline is of; None without one.
        statements: All statements of the first screen in their order.
    """
    if lead is None:
        return ()
    own, limits = lead.statement, thresholds_of("chain")
    nodes = list(own.chain or (Link(short_words(own.text)[0], own.places[0]),))
    said = [*own.places, *(node.place for node in nodes)]
    for one in statements:
        beside = one.statement
        is_of_scope = (one.host, one.phase) == (lead.host, lead.phase) and beside.kind == "alarm"
        if beside is own or not is_of_scope or len(nodes) >= len(own.chain or "1") + limits["most_beside"]:
            continue
        if found := _beside(own, nodes, beside, said):
            nodes.append(found)
            said += beside.places
    return tuple(nodes) if len(nodes) >= limits["fewest_nodes"] else ()


def _beside(own: Statement, nodes: Sequence[Link], beside: Statement, said: Sequence[Place]) -> Link | None:
    """Return another statement as a node; None where it is about nothing of the chain, or is said already.

    A wait of a task whose report is a node tells what that task waits for: the same lines are its proof.
    """
    where = beside.places[0]
    is_said = any(is_overlapping(where, place) for place in said)
    is_wait = {own.question, beside.question} == {"kernel-log", "locks"}
    if (is_said and not is_wait) or any(node.place == where for node in nodes):
        return None
    shared, near = None, own.places[0]
    if is_said:
        shared, near = Shared("wait", "wait of the same task"), _overlapped(where, said)
    else:
        for text, place in ((own.text, own.places[0]), *((node.text, node.place) for node in nodes)):
            if shared := relation_of(text, beside.text):
                near = place
                break
    if shared is None:
        return None
    return Link(short_words(beside.text)[0], where, "with", *shared, tuple(dict.fromkeys((near, where))))


def _overlapped(where: Place, said: Iterable[Place]) -> Place:
    return next(place for place in said if is_overlapping(where, place))
