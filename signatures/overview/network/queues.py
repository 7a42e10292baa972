"""Drops that a driver, a queueing discipline or connection tracking counts.

1.2 % of packets for v0 were dropped by its fq_codel (420 of 35,000)
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from signatures.language.number_format import value_words
from signatures.overview.levels import rank, ratio_of
from signatures.overview.model import Answer, Figure, Statement, shortened
from signatures.overview.network.no_discipline import no_discipline

if TYPE_CHECKING:
    from signatures.overview.model import Place
    from signatures.overview.scope_evidence import FactEntry, ScopeEvidence

SHOWN = 8
LEAST_COUNT = 100.0
CAPTURE = "ethtool -S eth0; tc -s qdisc; conntrack -S"

QDISC_SHARE = 0.01
"""Disciplines drop on purpose to signal congestion: a few in a thousand is what they are for (RFC 8290)."""

TRACKING_COUNT = 1000.0
PREFIX = "net.driver."
DIRECTIONS = {"rx": "packets received", "tx": "packets sent"}
ONE_QUEUE_SHARE = 0.9
MANY_PACKETS = 10_000.0
"""A single connection stays in one queue: fewer packets say nothing of the balance."""

BALANCE_CAPTURE = "ethtool -l eth0; ethtool -x eth0; cat /proc/interrupts"


class Cause(NamedTuple):
    """Counters of drivers that have one meaning, and the share of packets from which it is an alarm."""

    counters: re.Pattern[str]
    meaning: str
    above: float


CAUSES = (
    Cause(
        re.compile(
            r"rx_(?:missed_errors|out_of_buffer|no_buffer_count|no_dma_resources|fifo_errors|buff_alloc_err"
            r"|over_errors|discards_phy|no_buffers?|alloc_fail\w*)"
        ),
        "packets that arrived at {} found no free receive buffer",
        0.0005,
    ),
    Cause(
        re.compile(
            r"rx_(?:crc_errors|crc_errors_phy|align_errors|symbol_err_phy|frame_errors|length_errors)"
        ),
        "packets that arrived at {} were damaged on the link",
        0.0001,
    ),
    Cause(
        re.compile(r"tx_(?:dropped|discards|errors|carrier_errors|aborted_errors)"),
        "packets to send on {} failed",
        0.001,
    ),
)
"""Names by Documentation/networking/statistics.rst and the drivers e1000e, igb, ixgbe, i40e, mlx5_core."""

TRACKING = (
    ("drop", "packets were dropped since connection tracking could make no entry"),
    ("early_drop", "tracked connections were evicted from a full table"),
    ("insert_failed", "new connections were not tracked, since their entry could not be inserted"),
)


def network_queues(evidence: ScopeEvidence) -> Answer:
    """Return what drivers, queueing disciplines and connection tracking dropped."""
    figures: list[Figure] = []
    statements: list[Statement] = []
    no_discipline(evidence, figures, statements)
    _drivers(evidence, figures, statements)
    _disciplines(evidence, figures, statements)
    _tracking(evidence, figures, statements)
    _balance(evidence, figures, statements)
    if not figures:
        return Answer(
            "No counters of drivers, queues, queueing disciplines or connection tracking.", lacks=(CAPTURE,)
        )
    statements.sort(key=rank)
    summary = f"{statements[0].text}." if statements else "They dropped less than their thresholds."
    return Answer(summary, shortened(figures, SHOWN), (), tuple(statements[:SHOWN]))


def _drivers(evidence: ScopeEvidence, figures: list[Figure], statements: list[Statement]) -> None:
    """Compare the counters of a driver with the packets of their direction."""
    passed = {
        (_key(one), way): one
        for way in ("rx", "tx")
        for one in evidence.facts(f"{PREFIX}{way}_packets")
        if not one.fact.snapshot
    }
    for name in evidence.names(PREFIX):
        counter = name.removeprefix(PREFIX)
        cause = next((one for one in CAUSES if one.counters.fullmatch(counter)), None)
        if cause is None:
            continue
        for found in evidence.facts(name):
            base = passed.get((_key(found), counter[:2]))
            if found.fact.snapshot:
                continue
            meaning = cause.meaning.format(found.label("interface") or "the interface")
            if base is None:
                _add_alone(figures, statements, found, f"{meaning} ({counter}; of how many is not printed)")
                continue
            _add(figures, statements, found, base, meaning=f"{meaning} ({counter})", above=cause.above)


def _add_alone(figures: list[Figure], statements: list[Statement], found: FactEntry, meaning: str) -> None:
    """Add a count without the packets that it is of: a fact, as its share is unknown."""
    is_many = found.number >= LEAST_COUNT
    figures.append(Figure(meaning, found.number, "count", (found.place,), is_many))
    if is_many:
        text = f"{found.number:,.0f} {meaning}"
        statements.append(Statement("network", text, (found.place,), "fact", "notable", CAPTURE))


def _disciplines(evidence: ScopeEvidence, figures: list[Figure], statements: list[Statement]) -> None:
    """Compare the drops of the discipline that dropped most at each interface with what it sent."""
    sent = {_key(one): one for one in evidence.facts("net.qdisc.sent_packets")}
    worst: dict[str, FactEntry] = {}
    for found in evidence.facts("net.qdisc.dropped"):
        before = worst.get(found.label("interface"))
        # A parent counts the drops of its children, which are printed after it.
        if not found.fact.snapshot and (before is None or found.number >= before.number):
            worst[found.label("interface")] = found
    for interface, found in worst.items():
        base = sent.get(_key(found))
        if base is None:
            continue
        meaning = f"packets for {interface or 'the interface'} were dropped by its {found.label('kind')}"
        _add(figures, statements, found, base, meaning=meaning, above=QDISC_SHARE)


def _tracking(evidence: ScopeEvidence, figures: list[Figure], statements: list[Statement]) -> None:
    """Add what connection tracking could not do, of all CPUs."""
    for key, meaning in TRACKING:
        counted = [one for one in evidence.facts(f"conntrack.{key}") if not one.fact.snapshot]
        first = [one for one in counted if one.item is counted[0].item]
        total = sum(one.number for one in first)
        if not total:
            continue
        places = (max(first, key=lambda one: one.number).place,)
        is_many = total >= TRACKING_COUNT
        figures.append(Figure(meaning, total, "count", places, is_many))
        if is_many:
            text = f"{total:,.0f} {meaning} (since boot)"
            statements.append(
                Statement(
                    "network",
                    text,
                    places,
                    "alarm",
                    "since boot",
                    "conntrack -C; dmesg | grep conntrack",
                    ratio=ratio_of(total, TRACKING_COUNT),
                    subject=meaning,
                )
            )


def _balance(evidence: ScopeEvidence, figures: list[Figure], statements: list[Statement]) -> None:
    """Add the queue of an interface that took most packets, as a share of those of all queues."""
    queues: dict[tuple[int, str, str], list[FactEntry]] = {}
    for one in evidence.facts("net.queue.packets"):
        queues.setdefault((id(one.item), one.label("interface"), one.label("direction")), []).append(one)
    for (_, interface, direction), found in queues.items():
        total = sum(one.number for one in found)
        if len(found) == 1 or not total:
            continue
        most = max(found, key=lambda one: one.number)
        share = most.number / total
        words = DIRECTIONS.get(direction, "packets")
        meaning = f"{words} at {interface or 'the interface'} in queue {most.label('queue')} of {len(found)}"
        is_high = share >= ONE_QUEUE_SHARE and total >= MANY_PACKETS
        figures.append(Figure(meaning, round(share, 4), "share", (most.place,), is_high))
        if is_high:
            text = f"{value_words(share, 'share')} of {total:,.0f} {meaning}"
            statements.append(
                Statement("network", text, (most.place,), "fact", "notable", BALANCE_CAPTURE, is_notable=True)
            )


def _key(entry: FactEntry) -> tuple[int, frozenset[tuple[str, str]], int]:
    return (id(entry.item), frozenset(entry.fact.labels.items()), entry.fact.snapshot)


def _add(
    figures: list[Figure],
    statements: list[Statement],
    found: FactEntry,
    passed: FactEntry,
    *,
    meaning: str,
    above: float,
) -> None:
    """Add a counter as a share of all packets, and a statement when it is above its share."""
    base = found.number + passed.number
    if not found.number:
        return
    share = found.number / base
    places: tuple[Place, ...] = tuple(dict.fromkeys((found.place, passed.place)))
    is_high = share >= above and found.number >= LEAST_COUNT
    figures.append(Figure(meaning, share, "share", places, is_high, f"{found.number:,.0f} of {base:,.0f}"))
    if is_high:
        text = f"{value_words(share, 'share')} of {meaning}: {found.number:,.0f} of {base:,.0f}"
        statements.append(
            Statement(
                "network",
                text,
                places,
                "alarm",
                "since boot",
                topic="lost packets",
                ratio=ratio_of(share, above),
                subject=meaning,
            )
        )
