"""Log of the collector: start of each step, hung reads, skipped steps.

Examples:
    step 48099.04 kernel log
    timeout 5 /sys/fs/cgroup/memory/lakehouse/memory.stat
    skipped perf: needs root

Each message has its own banner, so that a truncated run is readable up to the cut.
What did not answer is evidence: a file of a process that hangs speaks of the lock behind it.

Source: `note` in ingest/collect/collect.sh.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ingest.parsing.fact_reader import FactReader, pid_labels

if TYPE_CHECKING:
    from ingest.model.reading import Reading
    from ingest.model.section import Text

NAME = "collector"
VERSION = 2
TITLE = "Run of the collector"
EXAMPLE = "timeout 5 /proc/4711/task/4711/stack"

PATHS: tuple[str, ...] = ("casebook/collector",)
COMMANDS: tuple[str, ...] = ()
HINTS: tuple[str, ...] = ()

_SECONDS = r"(?P<seconds>\d{1,12}(?:\.\d{1,3})?)"
_COUNTED = re.compile(r"^(?P<what>version|root|suspect|survivor) (?P<number>\d{1,10})\b")
_STEP = re.compile(rf"^step {_SECONDS} (?P<step>\S.*)$")
_TIMEOUT = re.compile(rf"^timeout {_SECONDS} (?P<what>\S.*)$")
_SKIPPED = re.compile(r"^skipped (?P<what>\S.*?): (?P<why>.*)$")
_MODE = re.compile(r"^mode (?P<mode>full|grab)$")
_END = re.compile(rf"^(?P<how>ended|cut-off) {_SECONDS}\b")

NAMES = {
    "version": "collector.version",
    "root": "collector.is_root",
    "suspect": "collector.suspect_pid",
    "survivor": "collector.survivor_pid",
}


def read(text: Text) -> Reading:
    """Read every sentence that the collector has."""
    reader = FactReader(text)
    for line, entry in enumerate(text.lines, start=text.first_line):
        if found := _COUNTED.match(entry):
            number = float(found["number"])
            value = bool(number) if found["what"] == "root" else number
            reader.add(NAMES[found["what"]], value, line)
        elif found := _STEP.match(entry):
            labels = {"step": found["step"]}
            reader.add("collector.step_uptime_seconds", float(found["seconds"]), line, "seconds", labels)
        elif found := _TIMEOUT.match(entry):
            reader.add("collector.timeout", float(found["seconds"]), line, "seconds", _hung(found["what"]))
        elif found := _SKIPPED.match(entry):
            reader.add("collector.skipped", found["why"], line, "", {"what": found["what"]})
        elif found := _MODE.match(entry):
            reader.add("collector.mode", found["mode"], line)
        elif found := _END.match(entry):
            how = {"ended": "collector.ended_uptime_seconds"}.get(
                found["how"], "collector.cut_off_uptime_seconds"
            )
            reader.add(how, float(found["seconds"]), line, "seconds")
        elif entry.strip():
            reader.skips.add("not a sentence of the collector", line)
    return reader.result()


def _hung(what: str) -> dict[str, str]:
    """Return the labels of a file, with its process, or of a command."""
    return {"path": what, **pid_labels(what)} if what.startswith("/") else {"command": what}
