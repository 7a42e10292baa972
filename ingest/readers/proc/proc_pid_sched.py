"""`/proc/PID/sched`: scheduler statistics of one thread.

Example:
    memcg_reclaim_s (14031, #threads: 39)
    -------------------------------------------------------------------
    se.sum_exec_runtime                          :             2.361136
    nr_voluntary_switches                        :                    5

Times are milliseconds.
Source: proc_sched_show_task in kernel/sched/debug.c.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ingest.parsing.fact_reader import FactReader

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ingest.model.reading import Reading
    from ingest.model.section import Text

NAME = "proc-pid-sched"
VERSION = 1
TITLE = "/proc/PID/sched"
EXAMPLE = (
    "memcg_reclaim_s (14031, #threads: 39)\n"
    "-------------------------------------------------------------------\n"
    "se.sum_exec_runtime                          :             2.361136"
)

PATHS: tuple[str, ...] = ("proc/*/sched",)
COMMANDS: tuple[str, ...] = ()
HINTS: tuple[str, ...] = ("proc_pid_sched*",)

_HEAD = re.compile(r"^(?P<comm>\S.{0,63}) \((?P<tid>\d+), #threads: (?P<threads>\d+)\)\s*$")
_RULE = re.compile(r"^-{20,}\s*$")
_ENTRY = re.compile(r"^(?P<key>[\w.>-]+)\s+:\s+(?P<value>-?\d+(?:\.\d+)?)\s*$")
COLUMNS = {
    "se.sum_exec_runtime": ("process.sched.run_seconds", "seconds", 1e-3),
    "se.statistics.wait_sum": ("process.sched.wait_seconds", "seconds", 1e-3),
    "wait_sum": ("process.sched.wait_seconds", "seconds", 1e-3),
    "se.nr_migrations": ("process.sched.migrations", "count", 1.0),
    "nr_voluntary_switches": ("process.voluntary_ctxt_switches", "count", 1.0),
    "nr_involuntary_switches": ("process.nonvoluntary_ctxt_switches", "count", 1.0),
    "prio": ("process.sched.prio", "count", 1.0),
    "policy": ("process.sched.policy", "count", 1.0),
}


STARTS = (r"\S.* \(\d+, #threads: ",)


def begins(lines: Sequence[str], at: int) -> bool:
    """Return whether the file starts at `lines[at]`: the name of the thread, then a rule."""
    return bool(_HEAD.match(lines[at]) and at + 1 < len(lines) and _RULE.match(lines[at + 1]))


def continues(line: str) -> bool:
    """Return whether `line` is a statistic."""
    return bool(_HEAD.match(line) or _RULE.match(line) or _ENTRY.match(line))


def read(text: Text) -> Reading:
    """Read run time, waiting, switches and priority; the scheduler's inner values are counted."""
    reader = FactReader(text)
    labels: dict[str, str] = {}
    for line, entry in enumerate(text.lines, start=text.first_line):
        if head := _HEAD.match(entry):
            labels = {"pid": head["tid"], "comm": head["comm"]}
            reader.add("process.threads", float(head["threads"]), line, "count", labels)
        elif found := _ENTRY.match(entry):
            if found["key"] in COLUMNS:
                name, unit, factor = COLUMNS[found["key"]]
                reader.add(name, float(found["value"]) * factor, line, unit, labels)
            else:
                reader.skips.add("inner value of the scheduler", line)
        elif entry.strip() and not _RULE.match(entry):
            reader.skips.add("not a scheduler statistic", line)
    return reader.result()
