"""Maps as facts, histograms and profiles: what a key holds decides.

A map with a stack in its keys is a profile: one sample per key, its value the weight. Whether a stack is the
kernel's is decided for all keys of the map at once, because short stacks name no entry function.

A map printed several times is several profiles. bpftrace prints in the order of values, so a key that comes
again with a smaller value starts another print; equal texts with rising values are different stacks.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from ingest.model.citation import Lines
from ingest.model.facts import Fact
from ingest.model.histogram import Histogram
from ingest.model.profile import Frame, Thread
from ingest.parsing.profile_builder import PlacedFrame, StackBuilder, kind_of_stack
from ingest.readers.bpf.bpftrace_text.keys import Part, shown
from ingest.readers.bpf.bpftrace_text.values import Stats, unit_of

if TYPE_CHECKING:
    from ingest.model.profile import Profile
    from ingest.model.reading import SkipCounter
    from ingest.readers.bpf.bpftrace_text.script import Script
    from ingest.readers.bpf.bpftrace_text.values import Bucket

_SAMPLING = re.compile(
    r"(?:^|,)(?:profile|p|interval|i|hardware:(?:cpu-)?cycles|software:cpu(?:-clock)?|h:|s:cpu)\b"
)

_NAMED = re.compile(r"^@(?:on_?cpu|profile)(?:_|$)", re.IGNORECASE)
"""Maps that say by their name that they count samples of what runs; of a program that is not shown."""

FEW_BUCKETS = 5
"""Two prints of fewer buckets may contain each other by chance."""


class Entry(NamedTuple):
    """One printed value of a map; `print_ordinal` counts how often the map was printed before."""

    name: str
    parts: tuple[Part, ...]
    value: float | Stats | str
    line: int
    print_ordinal: int


class Maps:
    """Collects printed map entries and histograms."""

    def __init__(self) -> None:
        """Start without entries; `run` numbers the programs in the text."""
        self.entries: list[Entry] = []
        self._keys: dict[str, set[str]] = {}
        self._last: dict[str, float] = {}
        self._ordinal: Counter[str] = Counter()
        self._histograms: list[tuple[str, tuple[Part, ...], tuple[Bucket, ...], int]] = []
        self.run = 0

    def begin_print(self, name: str) -> None:
        """Start another print of the map, if it was printed before."""
        if self._keys.get(name):
            self._ordinal[name] += 1
            self._keys[name].clear()

    def add(
        self, name: str, parts: tuple[Part, ...], value: float | Stats | str, line: int, *, printed: str
    ) -> None:
        """Add one value under the key printed as `printed`."""
        keys = self._keys.setdefault(name, set())
        size = value.average if isinstance(value, Stats) else value
        is_rising = bool(parts) and isinstance(size, float) and size >= self._last.get(name, size)
        if printed in keys and not is_rising:
            self.begin_print(name)
        keys.add(printed)
        if isinstance(size, float):
            self._last[name] = size
        self.entries.append(Entry(name, parts, value, line, self._ordinal[name]))

    def add_histogram(self, name: str, parts: tuple[Part, ...], buckets: tuple[Bucket, ...]) -> None:
        """Add one printed histogram."""
        self._histograms.append((name, parts, buckets, self.run))

    @property
    def is_empty(self) -> bool:
        """No map printed anything."""
        return not self.entries and not self._histograms

    def histograms(self, script: Script, skips: SkipCounter) -> tuple[Histogram, ...]:
        """Return the histograms; of a map printed while it grows, the last print."""
        printed_last: list[Histogram] = []
        runs: dict[Histogram, int] = {}
        for name, parts, buckets, run in self._histograms:
            histogram = Histogram(
                name=name,
                unit=unit_of(name),
                lows=tuple(bucket.low for bucket in buckets),
                highs=tuple(bucket.high for bucket in buckets),
                counts=tuple(bucket.counted for bucket in buckets),
                bucket_lines=tuple(bucket.line for bucket in buckets),
                key=shown(parts),
                probe=script.probes.get(name, ""),
            )
            for older in [
                other for other in printed_last if (other.name, other.key) == (name, histogram.key)
            ]:
                if runs[older] == run and _contains(histogram, older):
                    printed_last.remove(older)
                    skips.add("earlier print of a growing histogram", older.lines.first, len(older.counts))
            printed_last.append(histogram)
            runs[histogram] = run
        return tuple(printed_last)

    def facts(self) -> tuple[Fact, ...]:
        """Return the values of maps without stacks as facts `bpftrace.<map>`."""
        with_stacks = self._stack_maps()
        facts: list[Fact] = []
        for entry in self.entries:
            if entry.name in with_stacks:
                continue
            labels = {"map": entry.name} | ({"key": shown(entry.parts)} if entry.parts else {})
            base = f"bpftrace.{entry.name.lstrip('@').lower() or 'map'}"
            unit = unit_of(entry.name)
            stated: dict[str, tuple[float | str, str]] = (
                {base: (entry.value, unit)}
                if not isinstance(entry.value, Stats)
                else {
                    f"{base}.count": (entry.value.counted, "count"),
                    f"{base}.average": (entry.value.average, unit),
                    f"{base}.total": (entry.value.total, unit),
                }
            )
            for name, (value, of) in stated.items():
                facts.append(Fact(name, value, Lines.at(entry.line), of, labels, entry.print_ordinal))
        return tuple(facts)

    def profiles(self, script: Script, skips: SkipCounter) -> tuple[Profile, ...]:
        """Return one profile per print of each map with stacks."""
        with_stacks = self._stack_maps()
        prints: dict[tuple[str, int], list[Entry]] = {}
        for entry in self.entries:
            if entry.name not in with_stacks:
                continue
            if isinstance(entry.value, str):
                skips.add("stack without a number", entry.line)
            else:
                prints.setdefault((entry.name, entry.print_ordinal), []).append(entry)
        return tuple(_profile(name, entries, script) for (name, _), entries in prints.items())

    def _stack_maps(self) -> frozenset[str]:
        return frozenset(entry.name for entry in self.entries if any(part.frames for part in entry.parts))


def _contains(later: Histogram, older: Histogram) -> bool:
    """Return whether every bucket of `older` is in `later` with at least its count, and some with more.

    Of a few buckets that proves nothing.
    """
    if len(older.counts) < FEW_BUCKETS:
        return False
    counts = dict(zip(later.lows, later.counts, strict=True))
    grown = sum(later.counts) > sum(older.counts)
    return grown and all(
        counts.get(low, 0) >= count for low, count in zip(older.lows, older.counts, strict=True)
    )


def _kinds(entries: list[Entry], script: Script) -> dict[int, str]:
    """Return the kind of the stack at each place of the key: from the script, else by vote of names."""
    keys = script.keys.get(entries[0].name, ())
    votes: dict[int, Counter[str]] = {}
    for entry in entries:
        for place, part in enumerate(entry.parts):
            if not part.frames:
                continue
            is_kernel = any(frame.is_kernel_address for frame in part.frames)
            kind = "kernel" if is_kernel else kind_of_stack(frame.name for frame in part.frames)
            votes.setdefault(place, Counter())[kind] += 1
    kinds = {}
    for place, counted in votes.items():
        stated = keys[place] if place < len(keys) else ""
        if "kstack" in stated or "ustack" in stated:
            kinds[place] = "kernel" if "kstack" in stated else "user"
        else:
            del counted["unknown"]
            kinds[place] = counted.most_common(1)[0][0] if counted else "unknown"
    return kinds


def _thread(entry: Entry, keys: tuple[str, ...], stacks: frozenset[int]) -> Thread:
    """Return who the key names: by the script's key, else the first text that is no number is the comm.

    A number is a pid only if the script shows it: in `@[kstack, comm, args->prev_state]` it is not.
    """
    comm, pid, tid = "", -1, -1
    for place, part in enumerate(entry.parts):
        if place in stacks or not part.text:
            continue
        stated = keys[place] if place < len(keys) else ""
        is_number = part.text.isdecimal() and len(part.text) < 20
        if is_number and stated == "pid":
            pid = int(part.text)
        elif is_number and stated == "tid":
            tid = int(part.text)
        elif not comm and (stated == "comm" or (not stated and not is_number)):
            comm = part.text
    return Thread(comm, pid, tid)


def _profile(name: str, entries: list[Entry], script: Script) -> Profile:
    """Build the profile of one print of a map."""
    kinds = _kinds(entries, script)
    keys = script.keys.get(name, ())
    probe = script.probes.get(name, "")
    is_summed = script.functions.get(name) in {"sum", "avg", "max", "min", "stats"}
    unit = unit_of(name) or ("value" if is_summed else "count")
    builder = StackBuilder()
    for entry in entries:
        if isinstance(entry.value, str):
            continue
        weight = entry.value.total if isinstance(entry.value, Stats) else entry.value
        count = entry.value.counted if isinstance(entry.value, Stats) else weight if unit == "count" else 1.0
        kernel_first = sorted(
            (place for place, part in enumerate(entry.parts) if part.frames),
            key=lambda at: kinds[at] == "user",
        )
        placed_frames = [
            PlacedFrame(Frame(frame.name, frame.module, kinds[place]), frame.line)
            for place in kernel_first
            for frame in entry.parts[place].frames
        ]
        thread = _thread(entry, keys, frozenset(kinds))
        builder.add(placed_frames, line=entry.line, weight=max(weight, 0.0), count=count, thread=thread)
    is_sampled = _SAMPLING.search(probe) if probe else _NAMED.match(name)
    what = "cpu" if is_sampled else "event"
    return builder.build(event=probe or name, unit=unit, what=what, has_weights=True)
