"""The first step and the headline that the lines of an alarm decide, by the rows of `decided_steps.yaml`.

decided("nvme_controller_down", placed, near, "nvme0")
->  Decided("boot once with nvme_core.default_ps_max_latency_us=0 …, since all ones mean that nvme0 …",
            "nvme0 answers no more on the bus (all ones)")

A row names classes, what a line of the alarm says, and what a line near it says. Named groups fill the step:
the command has the device, unit or process id that the log names, unless a shell would read more in it.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, NotRequired, TypedDict, cast

from ingest.native.linear import Pattern
from ingest.tables import table
from signatures.overview.waiting.steps import step_of_kind

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from ingest.model.reading import LogRecord
    from signatures.judging.scope import Item
    from signatures.overview.scope_evidence import ScopeEvidence

_TABLE = Path(__file__).parent / "decided_steps.yaml"
_SAFE = re.compile(r"[A-Za-z0-9/][\w./:@%+-]{0,199}", re.ASCII)
"""Names that a shell takes as they are; the log may be anybody's."""
_HOLE = re.compile(r"\{([a-z]{1,24})\}")
_OPTIONAL = re.compile(r"\[([^\[\]]*)\]")
_PRINTED = re.compile(r"[^\x00-\x1f\x7f-\x9f]{1,64}")
"""Values that a headline repeats: a part of a line, without control characters."""
_LONG_ID = re.compile(r"\b([0-9a-f]{12})[0-9a-f]{20,52}\b")
"""Ids of containers, of which twelve digits are shown."""

UNCLASSIFIED = "unclassified"
"""What stands for the class of messages of no class."""


class Row(TypedDict):
    """A row of the table; its head says what each key is."""

    of: list[str]
    when: NotRequired[str]
    near: NotRequired[str]
    boot: NotRequired[bool]
    one_bit: NotRequired[list[str]]
    wait: NotRequired[str]
    do: str
    why: str
    says: NotRequired[str]
    unless: NotRequired[str]


class Decided(NamedTuple):
    """What the lines of an alarm decide.

    Attributes:
        step: The first step; "" where no row is met.
        headline: What the lines say together; "" where the sentence of the class says it.
    """

    step: str = ""
    headline: str = ""


class _Compiled(NamedTuple):
    row: Row
    when: Pattern | None
    near: Pattern | None


class Near:
    """The messages of a log close to a line, of one scope."""

    def __init__(self) -> None:
        """Begin without a log: each is put in order when the first step asks."""
        self._records: dict[int, list[LogRecord]] = {}

    def text(self, record: LogRecord, item: Item) -> str:
        """Return the messages near a record with what their reports name, one line each."""
        return "\n".join(map(_text, self.records(record, item)))

    def records(self, record: LogRecord, item: Item) -> Sequence[LogRecord]:
        """Return the records of one boot near a record by their lines, itself among them."""
        records = self._records.get(id(item))
        if records is None:
            records = sorted(item.reading.log_records, key=_line)
            self._records[id(item)] = records
        within = table(_TABLE)["near_lines"]
        start = bisect_left(records, record.lines.first - within, key=_line)
        end = bisect_left(records, record.lines.last + within + 1, key=_line)
        return [one for one in records[start:end] if _is_of_boot(one, record)]


def _is_of_boot(other: LogRecord, record: LogRecord) -> bool:
    """Return whether the kernel's clock did not begin anew between two records, as far as known."""
    if other.uptime is None or record.uptime is None:
        return True
    passed = other.uptime - record.uptime
    disorder: float = table(_TABLE)["disorder_seconds"]
    # Lines of several CPUs are not always in the order of their stamps.
    is_above = other.lines.first < record.lines.first
    return passed < disorder if is_above else passed > -disorder


def _line(record: LogRecord) -> int:
    return record.lines.first


def near_of(evidence: ScopeEvidence) -> Near:
    """Return the messages of a scope by their lines; made once."""
    if near_of not in evidence.memo:
        evidence.memo[near_of] = Near()
    return cast("Near", evidence.memo[near_of])


def decided(
    log_class: str, placed: Sequence[tuple[LogRecord, Item]], near: Near, device: str = "", *, about: str = ""
) -> Decided:
    """Return what the first row says that the lines meet; nothing where none does.

    Args:
        log_class: The class of the alarm, or `UNCLASSIFIED`.
        placed: Its records with their items; the first of them are looked at.
        near: The messages near them.
        device: What the alarm is about.
        about: What is known beside the lines, as lines `driver=…` and `path=…`.
    """
    rows = _by_class().get(log_class, ())
    if not rows or not placed:
        return Decided()
    looked = [record for record, _ in placed[: table(_TABLE)["looked_at"]]]
    beside_text = near.text(*placed[0]) if any(beside for _, _, beside in rows) else ""
    text = "\n".join([*map(_text, looked), *filter(None, (about,))])
    is_boot = all(map(_is_boot, looked))
    for row, when, beside in rows:
        if row.get("boot", is_boot) != is_boot:
            continue
        found = when.search(text) if when else None
        found_near = beside.search(beside_text) if beside else None
        if (when and not found) or (beside and not found_near):
            continue
        values = {**_named(looked[0]), "device": device, **_values(found_near), **_values(found)}
        if "one_bit" in row and not _is_one_bit(*(values.get(name, "") for name in row["one_bit"])):
            continue
        return Decided(words(row, values), headline(row, values))
    return Decided()


def headline(row: Row, values: Mapping[str, str]) -> str:
    """Return what a row says with its names, without optional parts that lack one; "" where it lacks one."""
    shorter = {name: _shorter(value) for name, value in values.items() if value}
    shown = {name: value for name, value in shorter.items() if _PRINTED.fullmatch(value)}
    text = _OPTIONAL.sub(lambda part: part[1] if _names(part[1]) <= shown.keys() else "", row.get("says", ""))
    return text.format(**shown) if _names(text) <= shown.keys() else ""


def _is_one_bit(first: str, second: str) -> bool:
    """Return whether two numbers differ by one bit, so high that neither grew out of the other."""
    if not all(re.fullmatch(r"[0-9]{1,20}", one) for one in (first, second)):
        return False
    differing, least = int(first) ^ int(second), table(_TABLE)["least_bit"]
    return differing >= least and differing.bit_count() == 1


def _shorter(value: str) -> str:
    """Return a name with ids of twelve digits; of a long path the last part."""
    short, most = _LONG_ID.sub(r"\1", value), table(_TABLE)["whole_path"]
    return short.rstrip("/").rpartition("/")[2] if len(short) > most else short


def _names(template: str) -> set[str]:
    return set(_HOLE.findall(template))


def words(row: Row, values: Mapping[str, str]) -> str:
    """Return the step of a row with its holes filled; a value that is no plain name stays one in capitals."""
    unless = f". Not if {row['unless']}" if "unless" in row else ""
    return _HOLE.sub(lambda one: _filled(one[1], values), f"{row['do']}, since {row['why']}{unless}")


def _filled(name: str, values: Mapping[str, str]) -> str:
    value = values.get(name) or ""
    return value if _SAFE.fullmatch(value) else name.upper()


def _values(found: re.Match[str] | None) -> dict[str, str]:
    return {name: value for name, value in found.groupdict().items() if value} if found else {}


def _text(record: LogRecord) -> str:
    """Return the message of a record, and what its report names, one line each."""
    return "\n".join((record.message, *(f"{name}={value}" for name, value in _named(record).items())))


def _named(record: LogRecord) -> dict[str, str]:
    """Return the fields of a record as text, whole numbers without a point."""
    return {
        name: f"{value:.0f}" if isinstance(value, float) else str(value)
        for name, value in record.fields.items()
        if value is not None
    }


def _is_boot(record: LogRecord) -> bool:
    """Return whether a record is of the first seconds of a boot."""
    seconds: float = table(_TABLE)["boot_seconds"]
    return record.uptime is not None and record.uptime < seconds


@cache
def _by_class() -> Mapping[str, Sequence[_Compiled]]:
    found: dict[str, list[_Compiled]] = {}
    for one in compiled():
        for name in one.row["of"]:
            found.setdefault(name, []).append(one)
    return found


@cache
def compiled() -> tuple[_Compiled, ...]:
    """Return the rows with their patterns, in the order of the table."""
    return tuple(_Compiled(row, *map(_pattern, _sources(row))) for row in rows())


@cache
def rows() -> Sequence[Row]:
    """Return the rows of the table, each with its step; that of a wait is of what is waited for."""
    written = cast("list[Row]", table(_TABLE)["rows"])
    return tuple({**row, **step_of_kind(row["wait"])} if "wait" in row else row for row in written)


def _sources(row: Row) -> Iterable[str | None]:
    return row.get("when"), row.get("near")


def _pattern(source: str | None) -> Pattern | None:
    return Pattern(f"(?im){source}") if source else None
