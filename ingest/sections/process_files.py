"""Files of one process as the kernel writes them, read without a search for what people paste.

    ProcessFiles().read("proc/812/wchan", b"ep_poll")  ->  Evidence("wchan", "proc/812/wchan", …)

A report of a host has ten of them for each of its thousands of processes. Path and content decide: of a file
that looks in the least different nothing is read here, and the general reading finds what it is. What it says
of a file of these shapes is the same (tests/ingest/sections/test_process_files.py).

Sources: proc(5); fs/proc/array.c and fs/proc/base.c.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from ingest.model.errors import IngestError, contained
from ingest.model.evidence import Evidence, Section
from ingest.model.facts import Fact
from ingest.model.profile import Thread
from ingest.model.section import Text
from ingest.sections import captured_files
from ingest.sections.recognise import RECOGNISED

if TYPE_CHECKING:
    from ingest.model.reading import Reading
    from ingest.parsing.protocols import CapturedFile, Format

MOST_BYTES = 16 << 10
"""The longest of these files, `cgroup` and `stack`, have some hundred lines."""

MOST_KEPT = 4096
"""Contents whose reading is remembered: most tasks wait in one of few functions."""

_PATH = re.compile(r"(?:^|/)proc/(?P<pid>\d{1,7})/(?:task/(?P<tid>\d{1,7})/)?(?P<name>[a-z]{4,6})$")

_COMM = rb"[\w./:+@-](?:[\w./:+@ -]{0,62}[\w./:+@-])?"
"""Names with other characters are left to the general reading."""


class _Shape(NamedTuple):
    """A file as the kernel writes it.

    Attributes:
        content: The whole content.
        is_shared: Nothing in it names the process: files of several processes are equal.
    """

    content: re.Pattern[bytes]
    is_shared: bool


_SHAPES = {
    "cgroup": _Shape(
        re.compile(rb"(?:\d{1,3}:(?:[a-z_,]*|name=[\w.-]+):/[\w./:@\\-]*\n){1,64}"), is_shared=True
    ),
    "comm": _Shape(re.compile(rb"(?!BZh)[\w./:+@-]{1,64}\n"), is_shared=True),
    "limits": _Shape(
        re.compile(
            rb"Limit +Soft Limit +Hard Limit +Units *\n"
            rb"(?:Max [a-z]+(?: [a-z]+)* {2,}(?:\d{1,20}|unlimited) +"
            rb"(?:\d{1,20}|unlimited)(?: +[a-z]+)? *\n)+"
        ),
        is_shared=True,
    ),
    "stack": _Shape(
        re.compile(
            rb"(?:\[<[0-9a-f]{1,16}>\] [A-Za-z_][\w.]*\+0x[0-9a-f]{1,8}/0x[0-9a-f]{1,8}(?: \[[\w-]+\])?\n)+"
            rb"(?:\[<f{16}>\] 0xf{16}\n)?"
        ),
        is_shared=True,
    ),
    "stat": _Shape(
        re.compile(rb"\d{1,7} \(" + _COMM + rb"\) [RSDZTtWXxKPI](?: -?\d{1,20}){19,61}\n"), is_shared=False
    ),
    "statm": _Shape(re.compile(rb"\d{1,15} \d{1,15} \d{1,15} \d{1,15} 0 \d{1,15} 0\n"), is_shared=True),
    "status": _Shape(
        re.compile(
            rb"(?:(?:== \d{1,4}\n)?Name:\t" + _COMM + rb"\n(?:(?!Name:)[A-Za-z]\w*:[ \t][\w \t(),.:/-]*\n)+)+"
        ),
        is_shared=False,
    ),
    "wchan": _Shape(re.compile(rb"0|[A-Za-z_][\w.]{0,127}"), is_shared=True),
}
"""By name; of `status` several looks, maybe with a number above each.

Nothing in them is a quote, a note, an ellipsis, an impossible number or a message of a shell.
"""

_KILLED = b"Killed"
"""In the message of a shell whose read was killed (`ingest.sections.hung_reads`)."""

BARE_STACK = "bare-stack"


class ProcessFiles:
    """Reads the files of the processes of one archive; equal contents once."""

    def __init__(self) -> None:
        """Remember nothing."""
        self._known: dict[tuple[str, bytes], Reading] = {}

    def read(self, path: str, content: bytes) -> Evidence | None:
        """Return what is read of a file captured at `path`; None where the general reading is to decide."""
        found = _PATH.search(path)
        if found is None or len(content) > MOST_BYTES or _KILLED in content:
            return None
        name = found["name"]
        shape = _SHAPES.get(name)
        reader = _reader_of(name, is_of_task=found["tid"] is not None)
        if shape is None or reader is None or shape.content.fullmatch(content) is None:
            return None
        key = (name, content)
        known = self._known.get(key) if shape.is_shared else None
        lines = content.decode("ascii").removesuffix("\n").split("\n")
        if known is not None:
            reading = _of_process(known, found["pid"], found["tid"] or found["pid"])
        else:
            try:
                with contained(reader.NAME):
                    reading = reader.read(Text(lines, 1, path))
            except IngestError:
                return None
            if not (reading.facts or reading.profiles):
                return None
            if shape.is_shared and len(self._known) < MOST_KEPT:
                self._known[key] = reading
        count = len(lines)
        section = Section(0, reader.NAME, reader.VERSION, 1, count, path, "", reading)
        sha256 = hashlib.sha256(content).hexdigest()
        return Evidence(name, path, sha256, len(content), count, "read", sections=(section,))


def _of_process(known: Reading, pid: str, tid: str) -> Reading:
    """Return the reading of equal content of another process."""
    if known.profiles:
        threads = (Thread("", int(pid), int(tid)),)
        return replace(known, profiles=tuple(replace(one, threads=threads) for one in known.profiles))
    facts = tuple(
        Fact(one.name, one.value, one.lines, one.unit, {**one.labels, "pid": pid}, one.snapshot)
        for one in known.facts
    )
    return replace(known, facts=facts)


@cache
def _reader_of(name: str, *, is_of_task: bool) -> CapturedFile | Format | None:
    """Return who reads the files of a name of a process or of a task; None where no reader does."""
    if name == "stack":
        return next(one for one in RECOGNISED if one.NAME == BARE_STACK)
    return captured_files.reader_of_path(f"proc/1/task/1/{name}" if is_of_task else f"proc/1/{name}")
