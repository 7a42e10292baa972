"""Work on known texts before forks are made, so that they find modules imported and patterns compiled.

    begin()                          what every fork needs: nothing is forked before it
    for _ in rest(): …               more texts, one for each step, while nobody asks

What a fork does for the first time it does for itself alone: a kernel log of 150 lines took 136 CPU ms in a
fresh fork, and 38 the second time.
"""

from __future__ import annotations

import io
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from backend.sandbox.code_paths import code_paths
from backend.sandbox.computations import case_analysis, questions
from ingest import evidence as front_door
from ingest import readers
from signatures.authoring.fixture_tests import read_folder
from signatures.document.files import LIBRARY

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ingest.model.reading import Reading

FIRST = (
    ("note.txt", b"a note\n"),
    ("loadavg", b"0.10 0.20 0.30 1/200 4711\n"),
    (
        "perf.script",
        (
            b"sh 7 [000]     1.000001:   1000 cpu-clock:ppp: \n"
            b"\tffffffff81000000 do_fault+0x1 ([kernel.kallsyms])\n\n"
        ),
    ),
)
FIXTURES = (
    "fs/journal-commit-stall/evidence/pos-suspended-device",
    "mm/memcg-oom/evidence/pos-two-victims",
    "sched/cpu-stuck/evidence/pos-soft-lockup",
    "block/io-errors/evidence/pos-hardware",
    "mm/mglru-evict-folios-lru-lock/evidence/pos-constructed-convoy",
    "mm/shrink-lruvec-livelock/evidence/pos-long-calls",
    "block/saturated-device/evidence/pos-limited-volume",
    "mm/host-thrashing/evidence/pos-recorded",
    "net/softirq-budget-squeeze/evidence/pos-small-budget",
)
"""Evidence of the library as people paste it: kernel logs with call traces, profiles, tables, counters."""

QUOTED = "we rebooted it, and that’s what was left\n"
"""Lines that are not all ASCII are searched by other expressions, which take longest to compile."""


def begin() -> Reading:
    """Read and analyse a few short texts, and return a reading of samples to ask about."""
    readers.import_all()
    read = [front_door.read_stream(io.BytesIO(text), name=name, captured_path="") for name, text in FIRST]
    case_analysis.warm_up(read)
    reading = read[-1].sections[0].reading
    with suppress(OSError), tempfile.TemporaryDirectory() as directory:
        questions.warm_up(reading, Path(directory))
    code_paths()
    return reading


def rest() -> Iterator[None]:
    """Analyse fixtures of the library, one in each step, and read a line that is not all ASCII."""
    for name in FIXTURES:
        folder = LIBRARY / name
        if folder.is_dir():
            case_analysis.warm_up(read_folder(folder))
            yield
    front_door.read_bytes(QUOTED.encode(), name="paste")
    yield
