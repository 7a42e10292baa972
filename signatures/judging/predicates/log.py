r"""`log`: kernel log records by class, text and fields.

A message without a class is found by `text`, a regular expression searched in the message behind its prefix
(syntax of the Rust crate `regex`, time linear in the text). Its named groups are fields beside those of the
record, for `fields`, `max` and `by`; so are `class`, and where a record has them `subsystem`, `severity` and
`level`:

    log: {text: 'mydrv \S+: ring (?P<ring>\d+) hung', at_least: 3, window: 10 min}

Absence counts only where the log covers the capture. `window` limits both how long before the capture a
record may lie and the span in which records are counted: three OOM kills in ten minutes are a loop, three in
a month are not.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from operator import itemgetter
from typing import TYPE_CHECKING, Any

from signatures.judging.condition_bases import LogRecordsCondition
from signatures.judging.log_selection import LogSelection, compiled, once
from signatures.judging.observation import (
    Cited,
    MatchResult,
    Reason,
    State,
    number_result,
    unknown,
)
from signatures.language import units
from signatures.language.condition_words import bound_words, names_words
from signatures.language.conditions import Bound, ConditionText, FrameSet
from signatures.language.keyword import Form, Keyword
from signatures.language.number_format import value_words
from signatures.language.schema_parts import (
    BOUND_KEYS,
    CAP,
    PATTERNS,
    QUANTITY,
    TEXT,
    TEXTS,
    TRUTH,
    Schema,
    object_of,
)
from signatures.language.strict_mapping import Keys, bound_of, cap_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from ingest.model.reading import LogRecord, Reading
    from signatures.judging.condition_bases import Span

_SINCE_BOOT = 1.0
"""A log that starts in the first second of uptime starts at boot."""

MAX_CITED = 20
"""Records that a count cites, the last of them: a reader checks the count by its lines."""
_GROUP = re.compile(r"\(\?P?<(\w+)>")
_REPEAT = re.compile(r"(?<!\\)\{(?:\d+,)?(\d+),?\}")
MAX_REPEAT = 1000
"""Most repeats of a part that node-problem-detector's regular expressions (RE2) allow, too."""

MAX_LENGTH = 1000
"""Characters of a regular expression; the longest of the library has less than half of them."""

_CUT = frozenset({"filtered", "excerpt"})
_WINDOWS = {"capture": 600.0}
_KEYS: dict[str, Schema] = {
    "class": TEXTS,
    "text": TEXT,
    "fields": PATTERNS,
    "max": TEXT,
    "at": TEXT,
    "by": TEXT,
    "window": QUANTITY,
    "needs_coverage": TRUTH,
    **BOUND_KEYS,
}
_BESIDE = {"cap": CAP}


@dataclass(frozen=True, slots=True)
class LogCondition(LogRecordsCondition):
    """How many kernel log records of a kind, or the largest value of one of their fields.

    Attributes:
        window_seconds: Maximum age of records before the capture, where both clocks are known, and maximum
            time span of counted records.
        group: Field with the cgroup, used with `at`.
        needs_coverage: Absence counts only when the log covers the capture.
    """

    fields: tuple[tuple[str, FrameSet], ...]
    measure: str
    bound: Bound
    window_seconds: float
    needs_coverage: bool
    group: str = "cgroup"

    @property
    def is_absence(self) -> bool:
        """Whether it has an upper bound."""
        return self.bound.at_most is not None

    @property
    def named_groups(self) -> tuple[str, ...]:
        """Fields that the text names."""
        return tuple(_GROUP.findall(self.text))

    def observe_records(
        self, reading: Reading, records: Sequence[LogRecord], span: Span | None
    ) -> Iterator[MatchResult]:
        """Yield the results for the log of one reading, one per cgroup where records name them."""
        selection = LogSelection(self.kinds, self.text, self.fields)
        found = once(selection.among(records))
        near = [record for record in found if not _is_old(self, record, span)]
        if found and not near and span is not None and self.bound.at_most is None:
            latest = max(record.uptime or 0.0 for record in found)
            yield unknown(
                Reason.OUTSIDE_WINDOW, f"{span.start - latest:.0f} s before the capture", observed=0.0
            )
            return
        groups: dict[str, list[LogRecord]] = {}
        for record in near:
            cgroup = str(record.fields.get(self.group) or "") if self.at else ""
            groups.setdefault(cgroup, []).append(record)
        if not groups:
            yield _none(self, reading, span)
        for cgroup, of_group in groups.items():
            yield _some(self, of_group, cgroup)

    def describe(self) -> ConditionText:
        """Return the kind of record, the measure with its bound, and the window."""
        fields = ", ".join(f"{name} {names_words(values)}" for name, values in self.fields)
        kinds = names_words(self.kinds) or "message"
        text = f" like /{self.text}/" if self.text else ""
        what = f"{kinds}{text}{f' with {fields}' if fields else ''}"
        measure = f"{self.measure} " if self.measure else ""
        window = value_words(self.window_seconds, "seconds")
        return ConditionText(
            "kernel log", f"{what}: {measure}{bound_words(self.bound, 'count')} within {window}"
        )


def _is_old(condition: LogCondition, record: LogRecord, span: Span | None) -> bool:
    return (
        span is not None
        and record.uptime is not None
        and record.uptime < span.start - condition.window_seconds
    )


def _none(condition: LogCondition, reading: Reading, span: Span | None) -> MatchResult:
    if condition.bound.at_most is not None:
        if not condition.needs_coverage:
            return number_result(0.0, condition.bound)
        if span is not None and _covers(condition, reading, span):
            return number_result(0.0, condition.bound, note="the log covers the capture")
    return unknown(Reason.ABSENT, "no such record, and the log may not cover the capture", observed=0.0)


def _covers(condition: LogCondition, reading: Reading, span: Span) -> bool:
    """Return whether the log covers the window and the capture without gaps."""
    if reading.quality_names & _CUT:
        return False
    bounds = {fact.name: float(fact.value) for fact in reading.facts if fact.name.startswith("log.")}
    first, last = bounds.get("log.first_uptime_seconds"), bounds.get("log.last_uptime_seconds")
    if first is None or last is None:
        return False
    return first <= max(span.start - condition.window_seconds, _SINCE_BOOT) and last >= span.end


def _some(condition: LogCondition, records: list[LogRecord], cgroup: str) -> MatchResult:
    if not condition.measure:
        return _counted(condition, records, cgroup)
    values = [record.fields.get(condition.measure) for record in records]
    numbers = [float(value) for value in values if isinstance(value, float | int)]
    if not numbers:
        return unknown(Reason.UNPARSABLE, f"no {condition.measure} in the record")
    return number_result(
        max(numbers), condition.bound, cgroup=cgroup, citations=_cite(records), note=condition.measure
    )


def _counted(condition: LogCondition, records: list[LogRecord], cgroup: str) -> MatchResult:
    """Count the records of the busiest window; records without a time are counted separately."""
    timed, untimed = _by_time(records)
    busiest = _busiest(timed, condition.window_seconds)
    certain = busiest or untimed[:1]
    possible = len(busiest) + len(untimed)
    is_least = condition.bound.at_least is not None
    found = number_result(
        float(len(certain) if is_least else possible),
        condition.bound,
        cgroup=cgroup,
        citations=_cite(certain if is_least else records),
        note="records",
    )
    if not is_least or found.state is State.TRUE:
        return found
    is_possible = number_result(float(possible), condition.bound).state is State.TRUE
    return unknown(
        Reason.OUTSIDE_WINDOW if is_possible else Reason.TOO_FEW,
        f"{len(untimed)} records have no time" if is_possible else f"{len(certain)} so far",
        observed=found.observed,
        threshold=found.threshold,
        distance=found.distance,
        citations=found.citations,
        cgroup=cgroup,
    )


def _by_time(records: list[LogRecord]) -> tuple[list[tuple[float, LogRecord]], list[LogRecord]]:
    """Return the records with times on one clock, and the records without."""
    stated: list[float | None] = []
    for clock in ("uptime", "at", "clock"):
        stated = [getattr(record, clock) for record in records]
        if any(time is not None for time in stated):
            break
    timed = [(time, record) for time, record in zip(stated, records, strict=True) if time is not None]
    untimed = [record for time, record in zip(stated, records, strict=True) if time is None]
    return sorted(timed, key=itemgetter(0)), untimed


def _busiest(timed: list[tuple[float, LogRecord]], seconds: float) -> list[LogRecord]:
    """Return the records of the window with the most records, the latest of equals."""
    best, first = (0, 0), 0
    for last, (time, _) in enumerate(timed):
        while time - timed[first][0] > seconds:
            first += 1
        if last + 1 - first >= best[1] - best[0]:
            best = (first, last + 1)
    return [record for _, record in timed[best[0] : best[1]]]


def _cite(records: list[LogRecord]) -> tuple[Cited, ...]:
    return tuple(
        Cited(lines.first, lines.last) for record in records[-MAX_CITED:] for lines in record.deciding
    )


def _parse(file: str, path: str, document: Mapping[str, Any]) -> LogCondition:
    Keys(file, path, document, ["log", *_BESIDE])
    keys = Keys(file, f"{path}.log", document["log"], _KEYS)
    if not keys.texts("class") and not keys.text("text"):
        raise keys.error("class", "is missing", "name a class, or the text of the message")
    window = keys.value("window", "capture")
    return LogCondition(
        kinds=keys.texts("class"),
        fields=keys.patterns("fields"),
        measure=keys.text("max"),
        bound=bound_of(keys),
        at=keys.text("at").lstrip("$"),
        window_seconds=_WINDOWS[window] if window in _WINDOWS else units.parse(window).value,
        needs_coverage=bool(keys.value("needs_coverage", False)),
        group=keys.text("by") or "cgroup",
        text=_text_of(keys),
        cap=cap_of(file, path, document),
    )


NOT_ASCII = "é"


def _text_of(keys: Keys) -> str:
    """Return the regular expression of `text`; one that matches everything is an error."""
    text = keys.text("text")
    if not text:
        return ""
    repeats = [int(number) for number in _REPEAT.findall(text)]
    if max(repeats, default=0) > MAX_REPEAT or len(text) > MAX_LENGTH:
        what = "repeats" if len(text) <= MAX_LENGTH else "characters"
        most = MAX_REPEAT if what == "repeats" else MAX_LENGTH
        raise keys.error("text", f"has more than {most:,} {what}", "write a shorter part of the message")
    try:
        # The classes of Unicode, which a text of ASCII does without, are what takes memory.
        compiled(text).search(NOT_ASCII)
        is_everything = compiled(text).search("") is not None
    except ValueError as problem:
        if "size limit" in str(problem):
            raise keys.error(
                "text", f"{text!r} takes more than 10 MiB of memory", "repeat less, or narrower classes"
            ) from problem
        raise keys.error(
            "text", f"{text!r} is not a regular expression: {problem}", "see docs/signatures.md"
        ) from problem
    if is_everything:
        raise keys.error("text", f"{text!r} matches every message", "write a part of the message")
    return text


_VALUE = {**object_of(_KEYS), "anyOf": [{"required": ["class"]}, {"required": ["text"]}]}
KEYWORDS = {"log": Keyword(_parse, (Form(_VALUE, _BESIDE),))}
