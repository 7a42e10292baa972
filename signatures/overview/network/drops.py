"""Network drops against their base: what was dropped, of how much, in the counters since boot.

1.4 % of connections met a full accept queue (189,088 of 13,506,285)
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from signatures.language.number_format import value_words
from signatures.overview import calm
from signatures.overview.levels import first_of, ratio_of
from signatures.overview.model import Answer, Covers, Figure, Statement, kind_of, ranked, shortened
from signatures.overview.network.drop_counters import ABSOLUTE, DROPS, INTERFACES, UNBASED
from signatures.overview.scope_evidence import sections_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from signatures.documents.levels import Level
    from signatures.overview.first_steps import Topic
    from signatures.overview.model import Place, StatementKind
    from signatures.overview.network.drop_counters import Drop
    from signatures.overview.scope_evidence import FactEntry, ScopeEvidence

SHOWN = 10
LEAST_COUNT = 100.0
"""Fewer drops than this say nothing, whatever their share."""

AS_GOOD_AS_ALL = 0.9
"""A counter that holds so much of another says the same a second time."""

CAPTURE = "nstat -asz; cat /proc/net/softnet_stat; ip -s -s link"
ASKS = "whether packets are dropped now"
UDP_CAPTURE = "ss -uanpm; sysctl net.ipv4.udp_mem; nstat -asz 'Udp*'"

FEW_SHARE = 0.2
FEW_COUNT = 20.0
"""Fewer than an alarm counts are worth a sentence when they are much of a short time."""

UNBASED_COUNT = 1000.0
MANY_COUNT, MANY_SHARE = 100_000.0, 0.001
"""So many drops at this share of all are not called calm, whatever the threshold of their kind."""

MUCH_MEMORY_PAGES = 65_536.0
MEMORY = (("tcp", "TCP"), ("udp", "UDP"))
SOFTNET_DROPPED = 0.0001
SOFTNET_SQUEEZED = 0.01


def network_drops(evidence: ScopeEvidence) -> Answer:
    """Return each kind of drop as a share of its base."""
    figures: list[Figure] = []
    statements: list[Statement] = []
    for drop in DROPS:
        found = evidence.highest(drop.counter)
        if found is None or _is_held(evidence, drop.holds, found):
            continue
        bases = _bases(evidence, drop, found)
        if not bases:
            _unbased(figures, statements, found, drop)
            continue
        base = sum(one.number for one in bases)
        places = (found.place, bases[0].place)
        _add(
            figures,
            statements,
            found,
            base,
            meaning=drop.meaning,
            above=drop.above,
            places=places,
            topic=drop.topic,
        )
    for name, meaning in ABSOLUTE:
        found = evidence.highest(name)
        if found and found.number:
            figures.append(Figure(meaning, found.number, "count", (found.place,), is_notable=True))
            text = f"{found.number:,.0f} {meaning} since boot"
            statements.append(
                _since_boot(text, (found.place,), "alarm", topic="receive buffer", subject=meaning)
            )
    _softnet(evidence, figures, statements)
    _interfaces(evidence, figures, statements)
    _memory(evidence, figures, statements)
    _netlink(evidence, figures, statements)
    if not figures:
        return Answer("No counters of network drops.", lacks=(CAPTURE,))
    if not statements:
        statements += _below(evidence, figures)
    first = first_of(statements)
    summary = f"{first.text}." if first else "Nothing was dropped."
    answers = sections_of((*evidence.facts("net.tcp.outsegs"), *evidence.facts("net.tcpext.listendrops")))
    assesses = (Covers("network", answers),) if answers else ()
    return Answer(summary, shortened(figures, SHOWN), (), tuple(statements), assesses)


def _below(evidence: ScopeEvidence, figures: list[Figure]) -> Iterator[Statement]:
    """Yield that no share is above its threshold, with the largest; many drops are stated without calm."""
    shares = [one for one in figures if one.unit == "share" and isinstance(one.value, float)]
    most = max(shares, key=lambda one: float(one.value), default=None)
    if most is None:
        return
    text = f"{most.words} of {most.label}" + (f": {most.note} since boot" if most.note else "")
    if float(most.value) >= MANY_SHARE and _count_of(most) >= MANY_COUNT:
        yield Statement(
            "network", text, most.places, "fact", "since boot", CAPTURE, asks=ASKS, subject=most.label
        )
        return
    covers = Covers("network", tuple(where for one in figures for where in one.places))
    words = f"No share of drops is above its threshold; the largest, {text}"
    seen = f"The largest share of drops that was read: {text}"
    yield calm.statement(
        evidence, covers, words, seen, places=most.places, is_summary=True, subject=f"no {most.label}"
    )


def _count_of(share: Figure) -> float:
    """Return how many were dropped, of a note such as `890,437 of 143,052,942`."""
    words = share.note.partition(" ")[0].replace(",", "")
    return float(words) if words.isdecimal() else 0.0


def _bases(evidence: ScopeEvidence, drop: Drop, found: FactEntry) -> list[FactEntry]:
    """Return what a counter is a part of: of its own file, else of the only other one that has it.

    The kernel prints the counters of one protocol in two files, /proc/net/snmp and netstat.
    """
    bases = [one for name in drop.base if (one := evidence.highest(name))]
    if bases and bases[0].item is found.item:
        return bases
    files = {id(one.item) for name in drop.base for one in evidence.facts(name)}
    return bases if len(files) == 1 and all(len(evidence.facts(name)) < 2 for name in drop.base) else []


def _is_held(evidence: ScopeEvidence, held: str, found: FactEntry) -> bool:
    """Return whether nearly all that a counter counts is counted by another one, which says why."""
    other = evidence.highest(held) if held else None
    return other is not None and other.item is found.item and other.number >= AS_GOOD_AS_ALL * found.number


def _unbased(figures: list[Figure], statements: list[Statement], found: FactEntry, drop: Drop) -> None:
    """Add a large count whose base is not in the evidence."""
    meaning = UNBASED.get(drop.counter)
    if meaning is None or found.number < UNBASED_COUNT:
        return
    figures.append(Figure(meaning, found.number, "count", (found.place,), is_notable=True))
    text = f"{found.number:,.0f} {meaning} (total not in the evidence)"
    statements.append(_since_boot(text, (found.place,), "alarm", topic=drop.topic, subject=meaning))


def _memory(evidence: ScopeEvidence, figures: list[Figure], statements: list[Statement]) -> None:
    """Compare the pages that sockets of a protocol hold with the pressure mark and limit of their sysctl."""
    for key, name in MEMORY:
        used = evidence.highest(f"net.sockstat.{key}_mem_pages")
        limits = next(iter(evidence.facts(f"sysctl.net.ipv4.{key}_mem")), None)
        words = str(limits.fact.value).split() if limits else []
        if used and limits is None and used.number >= MUCH_MEMORY_PAGES:
            text = f"{name} sockets hold {used.number:,.0f} pages; their limit, {key}_mem, is unknown"
            capture = f"sysctl net.ipv4.{key}_mem; ss -{key[0]}anpm"
            statements.append(Statement("network", text, (used.place,), "fact", "notable", capture))
            figures.append(Figure(f"pages of {name} sockets", used.number, "count", (used.place,)))
        if used is None or limits is None or len(words) != 3 or not all(word.isdigit() for word in words):
            continue
        _, pressure, most = (float(word) for word in words)
        share = used.number / most if most else 0.0
        places = (used.place, limits.place)
        is_high = used.number >= pressure
        figures.append(Figure(f"{name} memory of its limit", round(share, 4), "share", places, is_high))
        if is_high:
            end = "the kernel drops packets" if share >= 1.0 else "it is under memory pressure"
            text = f"{name} holds {used.number:,.0f} of {most:,.0f} pages that {key}_mem allows: {end}"
            level: Level = "failure" if share >= 1.0 else "saturation"
            ratio = ratio_of(used.number, pressure)
            subject = f"memory of {name}"
            statements.append(
                Statement("network", text, places, "alarm", level, ratio=ratio, subject=subject)
            )


def _netlink(evidence: ScopeEvidence, figures: list[Figure], statements: list[Statement]) -> None:
    """Add the netlink sockets whose programs missed messages, by the one that missed most."""
    dropping = sorted(evidence.facts("net.netlink.drops"), key=lambda one: -one.number)
    total = sum(one.number for one in dropping)
    if not total:
        return
    places = tuple(one.place for one in dropping[:3])
    is_many = total >= LEAST_COUNT
    figures.append(Figure("messages that netlink sockets dropped", total, "count", places, is_many))
    sockets = "1 netlink socket" if len(dropping) == 1 else f"{len(dropping)} netlink sockets"
    text = f"{sockets} dropped {total:,.0f} messages, as the receive buffer was full"
    named = ", ".join(f"inode {one.label('inode')} of port {one.label('port')}" for one in dropping[:2])
    text += f" ({named})"
    kind, level = ranked(is_alarm=is_many)
    statements.append(Statement("network", text, places, kind, level, subject=f"drops of netlink: {named}"))


def _softnet(evidence: ScopeEvidence, figures: list[Figure], statements: list[Statement]) -> None:
    """Add what the backlog of a CPU dropped and how often its budget ended, of all packets."""
    processed = evidence.facts("softnet.processed")
    for name, meaning, above in (
        ("softnet.dropped", "packets met a full backlog of a CPU", SOFTNET_DROPPED),
        ("softnet.time_squeeze", "packets: so often the budget of a poll ended early", SOFTNET_SQUEEZED),
    ):
        counted = evidence.facts(name)
        first = [one for one in counted if one.item is counted[0].item and not one.fact.snapshot]
        base = sum(one.number for one in processed if counted and one.item is counted[0].item)
        worst = max(first, key=lambda one: one.number, default=None)
        if worst is None or not base:
            continue
        total = sum(one.number for one in first)
        where = (worst.place,)
        _add(
            figures,
            statements,
            worst,
            base,
            meaning=meaning,
            above=above,
            places=where,
            topic="interrupts",
            count=total,
        )


def _interfaces(evidence: ScopeEvidence, figures: list[Figure], statements: list[Statement]) -> None:
    """Add what each network interface dropped or could not send, of the packets of its direction."""
    for key, meaning, above in INTERFACES:
        packets = {_counted_at(one): one for one in evidence.facts(f"net.interface.{key[:2]}_packets")}
        for found in evidence.facts(f"net.interface.{key}"):
            passed = packets.get(_counted_at(found))
            if passed is None or found.fact.snapshot:
                continue
            words = meaning.format(found.label("interface"))
            base = passed.number + found.number
            places = (found.place, passed.place) if found.place != passed.place else (found.place,)
            _add(
                figures,
                statements,
                found,
                base,
                meaning=words,
                above=above,
                places=places,
                topic="lost packets",
            )


def _counted_at(entry: FactEntry) -> tuple[int, str, int]:
    return (id(entry.item), entry.label("interface"), entry.fact.snapshot)


def _add(
    figures: list[Figure],
    statements: list[Statement],
    found: FactEntry,
    base: float,
    *,
    meaning: str,
    above: float,
    places: tuple[Place, ...],
    topic: Topic,
    count: float | None = None,
) -> None:
    """Add the figure of a counter, and a statement when it is above its share."""
    number = found.number if count is None else count
    if not base or not number:
        return
    share = number / base
    is_high = share >= above and number >= LEAST_COUNT
    figures.append(Figure(meaning, share, "share", places, is_high, f"{number:,.0f} of {base:,.0f}"))
    if is_high or (share >= FEW_SHARE and number >= FEW_COUNT):
        text = f"{value_words(share, 'share')} of {meaning} ({number:,.0f} of {base:,.0f}, since boot)"
        if share > 1:
            text = f"{number:,.0f} {meaning}, {base:,.0f} did not (since boot)"
        kind = kind_of(is_alarm=is_high)
        ratio = ratio_of(share, above) if is_high else None
        capture = UDP_CAPTURE if found.fact.name.startswith("net.udp.") else ""
        statements.append(
            _since_boot(text, places, kind, capture=capture, topic=topic, ratio=ratio, subject=meaning)
        )


def _since_boot(
    text: str,
    places: tuple[Place, ...],
    kind: StatementKind,
    *,
    capture: str = "",
    topic: Topic = "",
    ratio: float | None = None,
    subject: str,
) -> Statement:
    return Statement(
        "network", text, places, kind, "since boot", capture, topic=topic, ratio=ratio, subject=subject
    )
