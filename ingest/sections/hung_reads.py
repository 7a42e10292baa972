"""Hung reads: a read killed by its time limit during collection.

Example:
    ==> /proc/4242/cmdline <==
    Killed

    bash: line 1: 14650 Killed                  timeout -s KILL 2 cat /proc/$PID/cmdline

Every suggested read runs under `timeout -s KILL`; the shell reports when the limit killed it.
Source: the messages of dash and bash for a job that a signal ended.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from ingest.model.citation import Lines
from ingest.model.facts import Fact
from ingest.parsing.fact_reader import pid_labels
from ingest.readers.logs.text import shape, stated

if TYPE_CHECKING:
    from ingest.model.reading import Reading
    from ingest.model.section import Text

_KILLED = re.compile(
    r"""(?x) ^ (?:\S*sh:[ ](?:line[ ]\d+:[ ])?)?\s*  # the shell, when it is not interactive
        (?:\[\d+\][+-]?\s+)? (?:\d+[ ])?          # the job, the process
        Killed (?:\s+timeout[ ]-s[ ]KILL[ ][\d.]+[ ].*)? \s* $"""
)


def with_hung_reads(reading: Reading, text: Text) -> Reading:
    """Return the reading of a captured path with the messages of its collector."""
    if not text.path:
        return reading
    labels = {"path": text.path, "file": text.path.rpartition("/")[2], **pid_labels(text.path)}
    hung = tuple(
        Fact("collector.killed_read", 1.0, Lines.at(line), "count", labels)
        for line, line_text in enumerate(text.lines, start=text.first_line)
        if "Killed" in line_text and _KILLED.match(line_text)
    )
    if not hung:
        return reading
    # What a message of the collector looks like says nothing.
    own = (fact for fact in reading.facts if fact.name not in {shape.FACT, stated.FACT})
    return replace(reading, facts=(*own, *hung))
