"""One pass over the lines of a bpftrace section."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ingest.model.citation import Lines
from ingest.model.facts import Fact
from ingest.model.profile import Frame
from ingest.model.reading import Quality, Reading, SkipCounter
from ingest.native.linear import Pattern
from ingest.parsing.profile_builder import PlacedFrame, StackBuilder, kind_of_stack
from ingest.readers.bpf.bpftrace_text import hold_stats, json_lines, keys, script, values
from ingest.readers.bpf.bpftrace_text.clocks import CLOCK, Clocks
from ingest.readers.bpf.bpftrace_text.maps import Maps
from ingest.readers.bpf.bpftrace_text.rows import FEW_ROWS, Rows

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ingest.model.section import Text
    from ingest.readers.bpf.bpftrace_text.keys import Part
    from ingest.readers.bpf.bpftrace_text.values import Bucket

BANNER = re.compile(r"^\s*Attach(?:ing|ed) (?P<count>\d+) probes?(?:\.\.\.)?\s*$")
LOST = re.compile(r"^\s*Lost (?P<count>\d{1,18}) events\s*$")
MAP = re.compile(rf"^\s*(?:{CLOCK}\s+)?(?P<name>@\w*)(?:\[(?P<key>.*)\])?:(?:\s+(?P<value>.*))?$")
OPEN_KEY = re.compile(r"^\s*(?P<name>@\w*)\[(?P<rest>[^\]]*)$")
_CLOSED_KEY = Pattern(r"^\s*(?P<rest>.*?)\]:\s*(?P<value>.*)$")
_CLOCK = re.compile(rf"^\s*{CLOCK}\s*$")
_STAMP = re.compile(rf"^\s*{CLOCK}(?:\s|$)")
_MAP_FULL = re.compile(r"(?i)map full|can't update (?:map )?element|could not update")
_WARNING = Pattern(r"(?i)^\s*(?:stdin:\d+.*)?(?:warning|error|cannot attach|failed to|could not)\b")
_PRINTED_FRAME = re.compile(r"^\s+[\w.$:~<>]+\+\d+\s*$")
_CHART = re.compile(r"^\s*(?:hh:mm:ss|v_{5}|[\d%H]+:\d\d:\d\d\S*\s+\|)")


class Reader:
    """Reads the lines of one section in order."""

    def __init__(self, text: Text) -> None:
        """Read `text`; call `result` once."""
        self._lines = text.lines
        self._first = text.first_line
        self._command = text.command
        self._skips = SkipCounter()
        self._maps = Maps()
        self._clocks = Clocks()
        self._rows = Rows(self._skips)
        self._quality: list[Quality] = []
        self._residue: list[tuple[int, str]] = []
        self._stacks = StackBuilder()
        self._banner_line = 0
        self._excerpt_line = 0
        self._lost = 0
        self._lost_line = 0
        self._map_full_line = 0

    def result(self) -> Reading:
        """Read everything."""
        at = 0
        while at < len(self._lines):
            at += self._read_at(at)
        shown = [(self._first, line) for line in self._command.splitlines()] + self._residue
        parsed = script.read(shown)
        profiles = self._maps.profiles(parsed, self._skips)
        if len(self._stacks):
            profiles += (self._stacks.build(event="printf", unit="count", what="event", has_weights=True),)
        histograms = self._maps.histograms(parsed, self._skips)
        self._note_quality(parsed, has_profile=bool(profiles))
        return Reading(
            profiles=profiles,
            facts=self._clocks.timed(self._maps.facts()) + _condition_facts(parsed),
            histograms=histograms,
            row_sets=self._rows.result(),
            skipped=self._skips.result(),
            quality=tuple(self._quality),
        )

    def _read_at(self, at: int) -> int:
        """Read what starts at `at`; return how many lines it takes."""
        line, number = self._lines[at], self._first + at
        if stamp := _STAMP.match(line):
            self._clocks.add(stamp, number)
        if not line.strip() or line.strip() == "^C" or _CLOCK.match(line):
            return 1
        if json_lines.is_start(line):
            return self._json(at)
        if BANNER.match(line):
            self._banner_line = self._banner_line or number
            self._maps.run += 1
            return 1
        if line.strip() in {"...", "[...]", "…"}:
            self._excerpt_line = self._excerpt_line or number
            return 1
        if lost := LOST.match(line):
            self._lose(int(lost["count"]), number)
            return 1
        if headline := hold_stats.HEADLINE.match(line):
            return self._hold_stats(at, headline)
        if values.bucket(line, number):
            return self._histogram(at, "", ())
        if not script.OPENING.match(line):
            if found := MAP.match(line):
                return self._map(at, found)
            if opened := OPEN_KEY.match(line):
                return self._open_key(at, opened)
        return self._other(at, line, number)

    def _other(self, at: int, line: str, number: int) -> int:
        """Read rows and printed stacks; count what is neither."""
        if _MAP_FULL.search(line):
            self._map_full_line = self._map_full_line or number
        elif _WARNING.match(line):
            self._skips.add("warning of bpftrace", number)
        elif _PRINTED_FRAME.match(line):
            return self._printed_stack(at)
        elif self._rows.add(line, number, is_inferred=False):
            pass
        elif script.RESIDUE.match(line):
            self._residue.append((number, line))
            self._skips.add("script or shell around it", number)
        elif self._banner_line and self._rows.add(line, number, is_inferred=True):
            pass
        else:
            self._skips.add("text of the script", number)
        return 1

    def _lose(self, count: int, number: int) -> None:
        self._lost += count
        self._lost_line = self._lost_line or number

    def _json(self, at: int) -> int:
        """Read one object of `-f json`."""
        number = self._first + at
        found = json_lines.message(self._lines[at : at + json_lines.MAX_LINES])
        if found is None:
            self._skips.add("unfinished JSON object", number)
            self._quality.append(Quality("cut_off", "a JSON object is not finished", number))
            return 1
        if found.kind == "attached_probes":
            self._banner_line = self._banner_line or number
        elif found.kind == "lost_events" and isinstance(found.content, dict):
            events = found.content.get("events")
            self._lose(events if isinstance(events, int) else 0, number)
        elif found.kind in {"map", "hist", "lhist", "stats", "value"}:
            json_lines.put(found.content, self._maps, number)
        elif found.kind in {"printf", "time", "cat", "join"}:
            self._printed(str(found.content), number)
        else:
            self._skips.add(f"JSON object of type {found.kind}", number)
        return found.lines

    def _printed(self, content: str, number: int) -> None:
        """Read what printf printed into a JSON string."""
        for line in content.splitlines():
            if line.strip() and not self._rows.add(line, number, is_inferred=True):
                self._skips.add("text of the script", number)

    def _hold_stats(self, at: int, headline: re.Match[str]) -> int:
        """Read the block of `name: number` lines under the headline as one row."""
        stated: dict[str, float] = {}
        taken = 1
        while at + taken < len(self._lines):
            line = self._lines[at + taken]
            if not hold_stats.LINE.match(line):
                break
            found = hold_stats.values(line)
            if not found:
                self._skips.add("line of the hold report without a column", self._first + at + taken)
            stated.update(found)
            taken += 1
        row = hold_stats.row(headline, stated)
        self._rows.put("mmap_lock_hold_stats", hold_stats.COLUMNS, row, self._first + at)
        return taken

    def _map(self, at: int, found: re.Match[str]) -> int:
        """Read a map whose key, if any, is on the line."""
        number = self._first + at
        parts = () if found["key"] is None else keys.parse([(number, found["key"])])
        if (found["value"] or "").strip():
            self._maps.add(
                found["name"], parts, values.value(found["value"]), number, printed=found["key"] or ""
            )
            return 1
        return 1 + self._histogram(at + 1, found["name"], parts)

    def _open_key(self, at: int, opened: re.Match[str]) -> int:
        """Read a key of several lines up to its `]:`."""
        number = self._first + at
        content: list[tuple[int, str]] = [(number, opened["rest"])]
        for ahead in range(at + 1, len(self._lines)):
            line = self._lines[ahead]
            if not keys.is_frame_line(line):
                closed = _CLOSED_KEY.match(line)
                if closed:
                    content.append((self._first + ahead, closed["rest"]))
                    parts = keys.parse(content)
                    if closed["value"].strip():
                        printed = "\n".join(shown for _, shown in content)
                        value = values.value(closed["value"])
                        self._maps.add(opened["name"], parts, value, number, printed=printed)
                        return ahead + 1 - at
                    return ahead + 1 - at + self._histogram(ahead + 1, opened["name"], parts)
                if line.lstrip().startswith("@") or BANNER.match(line):
                    self._skips.add("map key without an end", number, ahead - at)
                    return ahead - at
            content.append((self._first + ahead, line))
        self._skips.add("map key without an end", number, len(self._lines) - at)
        self._quality.append(Quality("cut_off", "the last map entry is not finished", number))
        return len(self._lines) - at

    def _histogram(self, at: int, name: str, parts: tuple[Part, ...]) -> int:
        """Read the buckets that start at `at`, or skip the chart; return the lines taken."""
        buckets: list[Bucket] = []
        while at + len(buckets) < len(self._lines):
            found = values.bucket(self._lines[at + len(buckets)], self._first + at + len(buckets))
            if not found:
                break
            buckets.append(found)
        if buckets:
            self._maps.add_histogram(name, parts, tuple(buckets))
            return len(buckets)
        return self._chart(at, name)

    def _chart(self, at: int, name: str) -> int:
        """Skip a `tseries` chart; a map without any value is counted."""
        taken = 0
        while at + taken < len(self._lines) and (
            _CHART.match(self._lines[at + taken])
            or re.match(r"^\s{8,}-?\d+\s+-?\d+\s*$", self._lines[at + taken])
        ):
            taken += 1
        reason = "chart of a time series" if taken else f"map {name} without a value"
        self._skips.add(reason, self._first + at - 1, max(taken, 1))
        return taken

    def _printed_stack(self, at: int) -> int:
        """Read a stack printed outside a map: one event."""
        frames: list[keys.PrintedFrame] = []
        while at + len(frames) < len(self._lines) and _PRINTED_FRAME.match(self._lines[at + len(frames)]):
            frames.append(keys.frame(self._lines[at + len(frames)], self._first + at + len(frames)))
        kind = kind_of_stack(frame.name for frame in frames)
        placed_frames = [PlacedFrame(Frame(frame.name, frame.module, kind), frame.line) for frame in frames]
        self._stacks.add(placed_frames, line=self._first + at)
        return len(frames)

    def _note_quality(self, parsed: script.Script, *, has_profile: bool) -> None:
        """Say what weakens this evidence."""
        if self._excerpt_line:
            detail = "rows are left out at `...`; histograms of the same text are whole"
            self._quality.append(Quality("excerpt", detail, self._excerpt_line))
        sets = [rows for rows in self._rows.result() if rows.name != "mmap_lock_hold_stats"]
        if sets and not self._banner_line and not self._excerpt_line:
            few = min(sets, key=lambda rows: len(rows.rows))
            if len(few.rows) < FEW_ROWS:
                detail = f"{len(few.rows)} rows without the probe banner: not known to be all of them"
                self._quality.append(Quality("excerpt", detail, few.row_lines[0]))
        if parsed.is_cut:
            detail = "the script begins above the text: what it asks for is not known"
            self._quality.append(Quality("no_header", detail, self._residue[0][0]))
        if parsed.is_long:
            detail = (
                f"the script has more than {script.MAX_TESTS} tests: what the others ask for is not known"
            )
            self._quality.append(Quality("no_header", detail, self._residue[0][0]))
        if self._lost:
            self._quality.append(Quality("lost_events", f"{self._lost} events were lost", self._lost_line))
        if self._map_full_line:
            detail = "a map was full: keys are missing"
            self._quality.append(Quality("lost_events", detail, self._map_full_line))
        if self._banner_line and self._maps.is_empty and not sets and not has_profile:
            detail = "probes were attached and nothing was printed"
            self._quality.append(Quality("few_samples", detail, self._banner_line))


def _condition_facts(parsed: script.Script) -> tuple[Fact, ...]:
    """Return what the script's conditions ask for, one fact for each map under one."""
    facts: list[Fact] = []
    for condition in parsed.conditions:
        labels: Sequence[dict[str, str]] = [{"map": name} for name in condition.maps] or [{}]
        name, value, unit = ("bpftrace.condition_min", condition.number, "")
        if condition.us is not None:
            name, value, unit = ("bpftrace.condition_min_us", condition.us, "us")
        facts.extend(Fact(name, value, Lines.at(condition.line), unit, label) for label in labels)
    return tuple(facts)
