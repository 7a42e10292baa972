"""How many tasks wait for each CPU, as `runqlen -C` samples it.

7 tasks wait for CPU 3 on average, and at most 0.4 for any of the 7 other CPUs
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from signatures.language.number_format import value_words
from signatures.overview.levels import ratio_of
from signatures.overview.model import Figure, Statement, place, ranked

if TYPE_CHECKING:
    from signatures.overview.model import Place
    from signatures.overview.scope_evidence import ScopeEvidence

LONG = 2.0
"""Tasks that wait for one CPU, on average, from which its queue is stated."""

SHORT = 1.0
"""The queues of the others, at most, when work is bound to one CPU."""

CAPTURE = "ps -eLo pid,tid,psr,stat,comm --sort=psr; taskset -pc PID"

_CPU = re.compile(r"^cpu (?:= )?(?P<cpu>\d{1,5})$", re.IGNORECASE)


class _Queue(NamedTuple):
    """The mean length of the run queue of one CPU, or of all: "" then."""

    mean: float
    cpu: str
    place: Place


def lengths(evidence: ScopeEvidence, figures: list[Figure], statements: list[Statement]) -> tuple[Place, ...]:
    """Add the longest mean queue, an alarm beside CPUs without one; return the lines of all queues."""
    queues = sorted(_queues(evidence), reverse=True)
    if not queues:
        return ()
    longest, others = queues[0], queues[1:]
    figures.append(
        Figure(
            f"tasks that wait for {_named(longest)}, mean",
            round(longest.mean, 3),
            "count",
            (longest.place,),
            longest.mean >= LONG,
        )
    )
    is_bound = longest.mean >= LONG and bool(others) and others[0].mean < SHORT
    text = f"{value_words(longest.mean)} tasks wait for {_named(longest)} on average"
    if others:
        rest = f"any of the {len(others)} other CPUs" if len(others) > 1 else "the other CPU"
        text += f", and {'at most ' if len(others) > 1 else ''}{value_words(others[0].mean)} for {rest}"
    kind, level = ranked(is_alarm=is_bound, fact="notable" if longest.mean >= LONG else "context")
    statements.append(
        Statement(
            "scheduling",
            text,
            (longest.place,),
            kind,
            level,
            CAPTURE if is_bound else "",
            ratio=ratio_of(longest.mean, LONG),
            subject="run queue of one CPU",
        )
    )
    return tuple(queue.place for queue in queues)


def _named(queue: _Queue) -> str:
    return f"CPU {queue.cpu}" if queue.cpu else "a CPU"


def _queues(evidence: ScopeEvidence) -> list[_Queue]:
    """Return the mean of every histogram of queue lengths."""
    found = []
    for item in evidence.items:
        for histogram in item.reading.histograms:
            total = sum(histogram.counts)
            if histogram.name != "runqlen" or not total:
                continue
            mean = sum(low * n for low, n in zip(histogram.lows, histogram.counts, strict=True)) / total
            cpu = _CPU.match(histogram.key)
            where = place(item, histogram.lines.first, histogram.lines.last)
            found.append(_Queue(mean, cpu["cpu"] if cpu else "", where))
    return found
