"""Rates that are near zero on a healthy machine: swapping, direct reclaim, dropped packets.

9.6 MB of memory is swapped in per second
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from signatures.language.number_format import value_words
from signatures.overview.first_steps import topic_of_fact
from signatures.overview.levels import first_of, ratio_of
from signatures.overview.model import Answer, Figure, Statement, ranked, shortened

if TYPE_CHECKING:
    from collections.abc import Iterator

    from signatures.overview.model import QuestionName
    from signatures.overview.scope_evidence import ScopeEvidence

SHOWN = 8
BOTH = 2
MIB = 1024.0**2
CAPTURE = "vmstat 1 5; sar -B -W -n EDEV 1 5"


class Rate(NamedTuple):
    """A fact per second: the rate that is worth a sentence, and the one that is an alarm.

    Attributes:
        words: Completes the value: `bytes` of memory, or a count.
    """

    fact: str
    words: str
    question: QuestionName
    least: float
    above: float
    is_bytes: bool = False


IN, OUT = "swap.in_bytes_per_second", "swap.out_bytes_per_second"

RATES = (
    Rate(IN, "of memory is swapped in per second", "memory", 1e4, 1e6, is_bytes=True),
    Rate(OUT, "of memory is swapped out per second", "memory", 1e4, 1e6, is_bytes=True),
    Rate("sar.pswpin_per_second", "pages are swapped in per second", "memory", 5.0, 250.0),
    Rate("sar.pswpout_per_second", "pages are swapped out per second", "memory", 5.0, 250.0),
    Rate("sar.pgscand_per_second", "pages are scanned by direct reclaim per second", "memory", 10.0, 1000.0),
    Rate("sar.majflt_per_second", "major page faults per second read from disk", "memory", 100.0, 1000.0),
    Rate("sar.rxdrop_per_second", "received packets are dropped per second", "network", 1.0, 10.0),
    Rate("sar.txdrop_per_second", "packets to send are dropped per second", "network", 1.0, 10.0),
    Rate("sar.rxfifo_per_second", "packets overrun a receive FIFO per second", "network", 0.5, 5.0),
    Rate("sar.rxerr_per_second", "received packets have errors per second", "network", 0.5, 5.0),
)
"""vmstat(8), sar(1) -B, -W, -n EDEV."""


def _size(size: float) -> str:
    """Return a size in words, also when it is far below a MiB."""
    return value_words(size, "bytes") if size >= MIB else f"{size / 1024.0:,.0f} KiB"


def rates(evidence: ScopeEvidence) -> Answer:
    """Return each rate; those above their first mark are statements, above the second alarms."""
    figures: list[Figure] = []
    statements: list[Statement] = []
    for rate in RATES:
        found = evidence.highest(rate.fact)
        if found is None:
            continue
        is_high = found.number >= rate.above
        value = _size(found.number) if rate.is_bytes else f"{found.number:,.0f}"
        figures.append(Figure(f"{rate.words}", found.number, "per_second", (found.place,), is_high))
        if found.number >= rate.least:
            where = found.label("interface", "iface", "device")
            text = f"{value} {rate.words}{f' on {where}' if where else ''}"
            text += ", on average since boot" if found.is_since_boot else ""
            kind, level = ranked(is_alarm=is_high)
            statements.append(
                Statement(
                    rate.question,
                    text,
                    (found.place,),
                    kind,
                    level,
                    is_notable=True,
                    topic=topic_of_fact(rate.fact),
                    ratio=ratio_of(found.number, rate.above if is_high else rate.least),
                    subject=f"{rate.words} on {where}",
                )
            )
    statements = list(_joined(evidence, statements))
    if not figures:
        return Answer("No rates of swapping, reclaim or dropped packets.", lacks=(CAPTURE,))
    first = first_of(statements)
    summary = (
        f"{first.text}."
        if first
        else "No swapping, direct reclaim or dropped packets above their thresholds."
    )
    about = tuple(rate.question for rate in RATES if evidence.facts(rate.fact))
    return Answer(summary, shortened(figures, SHOWN), (), tuple(statements), about=about)


def _joined(evidence: ScopeEvidence, statements: list[Statement]) -> Iterator[Statement]:
    """Yield the statements; two alarms about swapping are one: what is swapped out is in use."""
    both = [one for one in statements if one.topic == "swapping" and one.kind == "alarm"]
    back, out = evidence.highest(IN), evidence.highest(OUT)
    if len(both) < BOTH or back is None or out is None:
        yield from statements
        return
    text = f"Memory is too small for what is in use: {_size(back.number)} are swapped in and "
    text += f"{_size(out.number)} out per second"
    text += ", on average since boot" if back.is_since_boot else ""
    places = tuple(dict.fromkeys((*both[0].places, *both[1].places)))
    yield replace(both[0], words=text, places=places, subject="pages swapped in and out")
    yield from (one for one in statements if one not in both)
