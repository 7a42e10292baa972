"""Interfaces that are up and have no queueing discipline: the kernel drops whatever they are to send.

eth0 is up with qdisc noop, which drops every packet that it is to send

An interface has noop until it is brought up the first time, so one that is down is as it should be
(noop_enqueue and attach_default_qdiscs in net/sched/sch_generic.c).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from signatures.overview.model import Answer, Figure, Statement

if TYPE_CHECKING:
    from signatures.overview.scope_evidence import ScopeEvidence

CAPTURE = "tc qdisc show; sysctl net.core.default_qdisc; dmesg | tail -n 100"
ASKS = "which discipline was to be attached, and why it was not"


def no_discipline(evidence: ScopeEvidence) -> Answer:
    """Return the interfaces that are up with noop when they were read last."""
    figures: list[Figure] = []
    statements: list[Statement] = []
    last = {one.label("interface"): one for one in evidence.facts("net.interface.qdisc")}
    up = {one.place for one in evidence.facts("net.interface.state") if one.fact.value == "UP"}
    for interface, found in last.items():
        if found.fact.value != "noop" or found.place not in up:
            continue
        places = (found.place,)
        figures.append(Figure(f"qdisc of {interface}, which is up", "noop", "", places, is_notable=True))
        text = f"{interface} is up with qdisc noop, which drops every packet that it is to send"
        statements.append(
            Statement(
                "network",
                text,
                places,
                "alarm",
                "failure",
                CAPTURE,
                asks=ASKS,
                topic="no discipline",
                subject=interface,
            )
        )
    return Answer("", tuple(figures), (), tuple(statements))
