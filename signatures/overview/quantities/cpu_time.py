"""How a table or a line splits the time of all CPUs: that none is idle, and what the rest is; load by CPUs.

split(measures)  ->  CPUs are 0 % idle: 63.2 % programs, 21.1 % kernel, 15.8 % niced programs
load(measures)   ->  Load average is 14.7 on 2 CPUs
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from signatures.language.number_format import cpu_words, value_words
from signatures.overview.cpu.saturation import LEAST_MODE_SHARE, NO_IDLE_SHARE
from signatures.overview.quantities.limits import Beyond
from signatures.overview.quantities.peers import is_total
from signatures.overview.quantities.trends import LIMITS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from signatures.overview.measures import Measure

IDLE = "idle CPU time"
MODES = {
    "user CPU time": "programs",
    "niced CPU time": "niced programs",
    "kernel CPU time": "kernel",
    "soft interrupt time": "soft interrupts",
    "hardware interrupt time": "hardware interrupts",
    "stolen CPU time": "stolen by the hypervisor",
    "CPU time waiting for IO": "waiting for IO",
}
"""What is measured, and its words."""

WAITING = "CPU time waiting for IO"
MOST_UNUSED = 0.2
"""CPUs that wait for IO are free for programs: with more of it and of idle time they are not short."""

LEAST_MODES = 2
_WHOLE = frozenset({"", "cpu", "avg-cpu", "%cpu(s)", "cpu(s)", "-1", "cpus", "machine"})
"""Subjects in lower case that are all CPUs together; else a name of a total."""

_ONE = re.compile(r"\bcpu[ _]?(?P<number>\d{1,5})\b", re.IGNORECASE)
_COUNTS = frozenset({"numcpu", "nproc", "cpu(s)", "cpus", "number-of-cpus"})


def split(measures: Sequence[Measure]) -> Iterator[Beyond]:
    """Yield the least idle time of all CPUs together, if nearly none is left, and what the rest is."""
    tables: dict[tuple[tuple[str, int], str], dict[str, Measure]] = {}
    for one in measures:
        if one.meaning is not None and one.unit == "share" and is_whole(one):
            tables.setdefault((one.table, one.subject), {}).setdefault(one.meaning.quantity, one)
    best: Beyond | None = None
    for own in tables.values():
        idle = own.get(IDLE)
        modes = {name: own[name] for name in MODES if name in own}
        if idle is None or len(modes) < LEAST_MODES:
            continue
        for at, line in enumerate(idle.lines.tolist()):
            values = {name: _on(one, line, at, len(idle.lines)) for name, one in modes.items()}
            total = float(idle.values[at]) + sum(values.values())
            if not LIMITS["least_split"] <= total:
                continue
            # Some tools print the sum over all CPUs: 184 % of programs.
            share = float(idle.values[at]) / max(1.0, total)
            waiting = values.get(WAITING, 0.0) / max(1.0, total)
            if share + waiting >= MOST_UNUSED or share >= NO_IDLE_SHARE or (best and share >= best.value):
                continue
            uses = sorted(((value / max(1.0, total), MODES[name]) for name, value in values.items()))[::-1]
            said = ", ".join(
                f"{value_words(value, 'share')} {words}" for value, words in uses if value >= LEAST_MODE_SHARE
            )
            text = f"CPUs are {value_words(share, 'share')} idle" + (f": {said}" if said else "")
            best = Beyond(idle, text, share, False, "notable", at)
    if best:
        yield best


def load(measures: Sequence[Measure]) -> Iterator[Beyond]:
    """Yield the load average where it is many times the CPUs that the text names."""
    cpus = _cpus(measures)
    own = [one for one in measures if one.meaning and one.meaning.quantity == "load average"]
    if not cpus or not own:
        return
    highest = max(own, key=lambda one: one.values.max())
    value = float(highest.values.max())
    if value >= LIMITS["load_of_cpus"] * cpus:
        text = f"Load average is {value_words(value)} on {cpu_words(cpus)}"
        yield Beyond(highest, text, value, True, "saturation", int(highest.values.argmax()), value / cpus)


def _cpus(measures: Sequence[Measure]) -> int:
    """Return how many CPUs the names or a count of the text state; 0 where none does."""
    stated = [one.values[-1] for one in measures if one.label.lower().split(" ")[-1] in _COUNTS]
    named = {found["number"] for one in measures if (found := _ONE.search(one.subject))}
    return int(max(stated, default=0)) or len(named)


def is_whole(measure: Measure) -> bool:
    """Return whether a measure is of all CPUs together."""
    subject = measure.subject.partition(" (")[0].strip().lower()
    return subject in _WHOLE or measure.subject.lower() in _WHOLE or is_total(measure)


def _on(measure: Measure, line: int, at: int, count: int) -> float:
    """Return the value on a line; of names on lines of their own the one of the same look; else 0."""
    found = measure.values[measure.lines == line]
    if len(found):
        return float(found[0])
    return float(measure.values[at]) if len(measure.values) == count else 0.0
