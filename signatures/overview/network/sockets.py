"""Listeners whose queue is full, and connections that their program has not closed.

The listen queue of 10.77.0.1:8080 is full: 6 connections wait for accept, 5 may
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from signatures.overview.model import Answer, Figure, Statement, ranked, shortened

if TYPE_CHECKING:
    from signatures.overview.scope_evidence import FactEntry, ScopeEvidence

SHOWN = 8
CAPTURE = "ss -tanm; ss -s"
CLOSE_WAITS = "ss -tanp state close-wait"
OVERFLOWS = "ss -ltnp; nstat -asz | grep Listen; sleep 5; nstat -asz | grep Listen"
WHO_ACCEPTS = "which program has to accept, and whether the queue overflows now"

UNLIMITED_QUEUE = 128.0
"""Not every listing has the limit of a queue; a longer queue says something without it. 128 was `somaxconn`
before Linux 5.4 and is what many programs ask for."""

CLOSE_WAIT = 1000.0
"""So many connections that the other end has closed are a program that does not close its own."""

CLOSE_WAIT_LISTED = 3.0
"""Of a few lines of a listing, half are worth a sentence from so many on."""

DROPPED = 1000.0


def sockets(evidence: ScopeEvidence) -> Answer:
    """Return the longest listen queues, connections to close, and packets that sockets dropped."""
    figures: list[Figure] = []
    statements: list[Statement] = []
    limits = {_key(one): one for one in evidence.facts("net.listener.queue_limit")}
    for queue in evidence.facts("net.listener.queue"):
        _queue(figures, statements, queue, limits.get(_key(queue)))
    for count in evidence.facts("net.socket.count"):
        if count.label("state") != "close_wait" or not count.number:
            continue
        is_many = count.number >= CLOSE_WAIT
        places = (count.place,)
        figures.append(Figure("connections in CLOSE-WAIT", count.number, "count", places, is_many))
        listed = sum(one.number for one in evidence.facts("net.socket.count") if one.item is count.item)
        if is_many or count.number >= max(CLOSE_WAIT_LISTED, listed / 2):
            end = "the other end has closed them, their program has not"
            text = f"{count.number:,.0f} connections are in CLOSE-WAIT: {end}"
            kind, level = ranked(is_alarm=is_many)
            statements.append(
                Statement(
                    "network",
                    text,
                    places,
                    kind,
                    level,
                    CLOSE_WAITS,
                    topic="close-wait",
                    subject="CLOSE-WAIT",
                )
            )
    for dropped in evidence.facts("net.socket.drops"):
        places = (dropped.place,)
        is_many = dropped.number >= DROPPED
        figures.append(Figure(f"drops of {_name(dropped)}", dropped.number, "count", places, is_many))
        if is_many:
            text = (
                f"The socket {_name(dropped)} has dropped {dropped.number:,.0f} packets since it was opened"
            )
            subject = f"drops of {_name(dropped)}"
            statements.append(
                Statement("network", text, places, "alarm", "saturation", CAPTURE, subject=subject)
            )
    if not figures:
        return Answer("No queues of listeners.", lacks=(CAPTURE,))
    summary = f"{statements[0].text}." if statements else "No listen queue is full."
    return Answer(summary, shortened(figures, SHOWN), (), tuple(statements))


def _queue(
    figures: list[Figure], statements: list[Statement], queue: FactEntry, limit: FactEntry | None
) -> None:
    """Add the queue of a listener: full above its limit (sk_acceptq_is_full in include/net/sock.h)."""
    is_full = queue.number > (limit.number if limit else UNLIMITED_QUEUE)
    note = f"of {limit.number:,.0f}" if limit else "its limit is not printed"
    places = (queue.place,)
    figures.append(Figure(f"wait for accept at {_name(queue)}", queue.number, "count", places, is_full, note))
    if not is_full:
        return
    if limit:
        text = (
            f"The listen queue of {_name(queue)} is full: {queue.number:,.0f} connections wait for accept, "
            f"{limit.number:,.0f} may"
        )
        statements.append(
            Statement(
                "network",
                text,
                places,
                "alarm",
                "saturation",
                OVERFLOWS,
                asks=WHO_ACCEPTS,
                topic="listen queue",
                subject=f"listen queue of {_name(queue)}",
            )
        )
    else:
        where = f"{_name(queue)} (limit of the queue not in the evidence)"
        text = f"{queue.number:,.0f} connections wait for accept at {where}"
        statements.append(
            Statement(
                "network",
                text,
                places,
                "alarm",
                "saturation",
                "ss -ltnp",
                asks=WHO_ACCEPTS,
                topic="listen queue",
                subject=f"listen queue of {_name(queue)}",
            )
        )


def _key(entry: FactEntry) -> tuple[int, frozenset[tuple[str, str]], int]:
    return (id(entry.item), frozenset(entry.fact.labels.items()), entry.fact.snapshot)


def _name(entry: FactEntry) -> str:
    """Return the address of a socket and, where it is known, its process."""
    process = entry.label("process")
    return entry.label("listener", "socket") + (f" ({process})" if process else "")
