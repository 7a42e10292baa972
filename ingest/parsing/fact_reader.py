"""Shared parts of readers of captured files: numbers, typed comments, facts with snapshots, names in paths.

Example:
    4294967296 # the cgroup limit      the value is 4294967296, the rest a person's note
    sys/fs/cgroup/memory/pods/a/memory.stat     the group is /pods/a
"""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING

from ingest.model.citation import Lines
from ingest.model.facts import Fact
from ingest.model.reading import Quality, Reading, SkipCounter
from ingest.native.linear import Pattern

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from ingest.model.facts import FactValue
    from ingest.model.section import Text
    from ingest.paste.transcript import Transcript

UNLIMITED_V1 = 0x7FFF_FFFF_FFFF_0000
"""PAGE_COUNTER_MAX × page size: 9223372036854771712 with pages of 4 KiB, this with 64 KiB."""

BYTES_PER_KIB = 1024

CONTROLLERS = frozenset(
    ("blkio", "cpu", "cpuacct", "cpuset", "devices", "freezer", "hugetlb", "memory", "misc", "net_cls")
) | {"net_prio", "perf_event", "pids", "rdma"}
"""Names of version 1 hierarchies below sys/fs/cgroup; `cpu,cpuacct` is two of them."""

_NOTE = Pattern(r"\s+(?:#+\s+\D|//\s|<-|←).*$")
_NUMBER = re.compile(r"^(?:max|-?\d{1,30}(?:\.\d+)?)$")
_OF_PROCESS = re.compile(r"(?:^|/)proc/(?P<pid>\d{1,10})/")


def uncommented(line: str) -> str:
    """Return `line` without what a person typed behind it and without surrounding blanks."""
    # Most lines have no mark of a note, and are not searched for one.
    if "#" in line or "/" in line or "<" in line or "←" in line:
        line = _NOTE.sub("", line)
    return line.strip()


def number(text: str) -> float | None:
    """Return a printed number; `max` and the largest of version 1 are infinite; None for anything else."""
    if not _NUMBER.match(text):
        return None
    value = math.inf if text == "max" else float(text)
    return math.inf if value >= UNLIMITED_V1 else value


def cgroup_of(path: str) -> str | None:
    """Return the group named by `path`, None when the path does not lead through sys/fs/cgroup."""
    _, separator, inside = f"/{path}".partition("/sys/fs/cgroup/")
    if not separator:
        return None
    parts = inside.split("/")[:-1]
    if parts and (parts[0] in {"unified", "systemd"} or CONTROLLERS.issuperset(parts[0].split(","))):
        parts = parts[1:]
    return "/" + "/".join(parts)


def cgroup_labels(path: str) -> dict[str, str]:
    """Return the label `cgroup` when `path` names the group; a directory of a moment names none."""
    group = cgroup_of(path)
    return {} if group is None else {"cgroup": group}


def pid_labels(path: str) -> dict[str, str]:
    """Return the label `pid` when `path` leads through proc/<pid>."""
    found = _OF_PROCESS.search(path)
    return {"pid": found["pid"]} if found else {}


def pids_of_lists(command: str, file: str, lists: int) -> list[dict[str, str]]:
    """Return a label per list of a `file` of /proc/PID that `command` prints, which may print it of several.

    Returns: `lists` labels; empty ones where the command does not name as many processes, or one alone.
    """
    named = [pid for pid, name in re.findall(r"/proc/(\d{1,10})/(\w+)", command) if name == file]
    if len(set(named)) == 1:
        return [{"pid": named[0]}] * lists
    return [{"pid": pid} for pid in named] if len(named) == lists else [{}] * lists


class FactReader:
    """Collects facts of one text; the same fact again is the next snapshot."""

    def __init__(self, text: Text) -> None:
        """Collect the facts of `text`."""
        self.text = text
        self.skips = SkipCounter()
        self._facts: list[Fact] = []
        self._snapshots: dict[tuple[str, frozenset[tuple[str, str]]], int] = {}
        self._quality: list[Quality] = []
        self._labels: dict[str, str] = {}
        self._entity: frozenset[tuple[str, str]] = frozenset()

    def add(
        self, name: str, value: FactValue, line: int, unit: str = "", labels: Mapping[str, str] | None = None
    ) -> None:
        """Add the fact that `name` is `value`, printed at `line`."""
        # Facts in a row are mostly of one entity.
        if labels != self._labels:
            self._labels = dict(labels or {})
            self._entity = frozenset(self._labels.items())
        key = (name, self._entity)
        snapshot = self._snapshots.get(key, 0)
        self._snapshots[key] = snapshot + 1
        self._facts.append(Fact(name, value, Lines(line, line), unit, self._labels, snapshot))

    def remark(self, name: str, detail: str, line: int) -> None:
        """Note what weakens this evidence."""
        self._quality.append(Quality(name, detail, line))

    def take_over(self, pasted: Transcript) -> None:
        """Go on counting where the transcript of the text has begun, with its remarks."""
        self.skips = pasted.skips
        self._quality += pasted.quality

    def skip_behind(self, last: int) -> None:
        """Count the lines behind line `last`, where a document ends."""
        for at, line in enumerate(self.text.lines, start=self.text.first_line):
            if at > last and line.strip():
                self.skips.add("behind the end of the document", at)

    def lines(self, is_unread: Callable[[str], bool] | None = None) -> Iterator[tuple[int, str]]:
        """Yield line numbers and lines that say something: no blanks, no notes, no shell residue.

        Lines that are known to say nothing that is read are left out.
        """
        for at, line in enumerate(self.text.lines, start=self.text.first_line):
            if is_unread is not None and is_unread(line):
                continue
            bare = uncommented(line)
            if bare in {"...", "[...]", "…"}:
                self.remark("excerpt", "lines are left out at `...`", at)
            elif bare:
                yield at, bare

    def matching(self, pattern: re.Pattern[str], reason: str) -> Iterator[tuple[int, re.Match[str]]]:
        """Yield (line, match) of lines that `pattern` matches; others are skipped for `reason`."""
        for at, line in self.lines():
            if found := pattern.match(line):
                yield at, found
            else:
                self.skips.add(reason, at)

    def pairs(self, reason: str, separator: str | None = None) -> Iterator[tuple[int, str, str]]:
        """Yield (line, key, value) of `key value` lines; others are skipped for `reason`."""
        for at, line in self.lines():
            parts = line.split(separator, 1)
            if len(parts) == 2 and parts[1].strip():
                yield at, parts[0].strip(), parts[1].strip()
            else:
                self.skips.add(reason, at)

    def numbers(self) -> Iterator[tuple[int, str, float]]:
        """Yield (line, key, number) of `key number` lines; others are skipped."""
        reason = "not `key number`"
        for at, key, printed in self.pairs(reason):
            value = number(printed.split()[0])
            if value is None:
                self.skips.add(reason, at)
            else:
                yield at, key, value

    def result(self) -> Reading:
        """Return what was read."""
        return Reading(facts=tuple(self._facts), skipped=self.skips.result(), quality=tuple(self._quality))
