"""Whole commands of two checkouts in turn: `python -m benchmarks.side_by_side CHECKOUT` writes the page.

    --rounds N         rounds in turn, 3 by default
    --megabytes N      size of each long text, 4 by default

CHECKOUT is another checkout with an environment of its own, such as that of the release before. Perf scripts
are recordings of `benchmarks.record`, cut to their size; long texts are generated, or recorded ones in which
the numbers of processes change from one copy to the next. Least CPU seconds of the rounds, and the wall
seconds of the same run.
"""

from __future__ import annotations

import argparse
import gzip
import os
import random
import re
import shutil
import sys
import tempfile
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from benchmarks import sosreports
from benchmarks.long_tables import TABLES
from benchmarks.programs import Program, in_turn
from benchmarks.recognition import text
from benchmarks.record import MEGABYTE, make_input, recordings
from benchmarks.startup import LOG

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from benchmarks.programs import Run

ROOT = Path(__file__).parents[1]
DATA = ROOT / "tests" / "data"
RESULT = Path(__file__).with_name("SIDE_BY_SIDE.md")
ROUNDS = 3
MEGABYTES = 4
SESSION_READS = 2_000
RECORDED = {
    "reports of hung tasks": "kernel-log/hung-task.guest.txt",
    "an OOM killer's dmesg": "kernel-log/dmesg-oom.txt",
    "top -b": "top/top-b.txt",
    "stacks of bpftrace": "bpftrace-text/profile-kstack-comm.txt",
    "events of ftrace": "ftrace/events-with-stacks.txt",
    "sar -A": "sar/sar-A.txt",
}
GENERATED = ("syslog without the kernel", "dmesg", "pretty JSON", "short lines")
_PID = re.compile(r"\b\d{4,6}\b")
"""Numbers of processes, and others of their size, of which no two copies have the same."""


class Input(NamedTuple):
    """One measured command: what it is called, its words and its file."""

    name: str
    words: tuple[str, ...]
    path: Path


def _perf_inputs() -> Iterator[Input]:
    """Yield the recordings, folded and analysed."""
    parts = recordings()
    for size in (100, 400):
        for part in parts:
            path = make_input(size * MEGABYTE, [part], part.stem)
            yield Input(f"fold: {part.stem}, {size} MB", ("fold",), path)
    mixed = make_input(100 * MEGABYTE, parts)
    yield Input("fold --weight period: all, 100 MB", ("fold", "--weight", "period"), mixed)
    yield Input("fold --compat inferno: all, 100 MB", ("fold", "--compat", "inferno"), mixed)
    yield Input("analyze: all, 400 MB", ("analyze",), make_input(400 * MEGABYTE, parts))


def _text_inputs(folder: Path, size_bytes: int) -> Iterator[Input]:
    """Yield short and long texts."""
    yield Input("fold: one sample", ("fold",), _written(folder, "one", _first_sample()))
    for words in ("inspect", "analyze", "redact"):
        yield Input(f"{words}: 21 lines of a kernel log", (words,), LOG)
    chosen = random.Random(1)  # noqa: S311 - the same text every time
    system_log = sosreports.log(size_bytes // MEGABYTE, chosen).decode()
    yield Input(f"analyze: syslog, {_size(system_log)}", ("analyze",), _written(folder, "syslog", system_log))
    texts = {name: text(name, size_bytes) for name in GENERATED}
    texts |= {tool: _table(tool, size_bytes) for tool in TABLES}
    texts |= {name: _copies(DATA / path, size_bytes) for name, path in RECORDED.items()}
    texts["a session of prompts with short outputs"] = "".join(
        f"root@web12:~# dmesg | tail -1\n[{at}.000000] eth0: Link is Up\n" for at in range(SESSION_READS)
    )
    for name, content in texts.items():
        yield Input(f"analyze: {name}, {_size(content)}", ("analyze",), _written(folder, name, content))
    path = folder / "sosreport-with-logs.tar"
    sosreports.make_with_logs(path)
    yield Input("analyze: a sosreport of 14,991 files, 81 MB", ("analyze",), path)


def _first_sample() -> str:
    """Return the first sample of a recording."""
    with recordings()[0].open(encoding="utf-8", errors="replace") as lines:
        taken = []
        for line in lines:
            taken.append(line)
            if not line.strip():
                return "".join(taken)
    return "".join(taken)


def _table(tool: str, size_bytes: int) -> str:
    """Return whole lines of a table, about that many bytes."""
    rows = TABLES[tool]
    one = max(1, len(rows.text(100)) // 100)
    return rows.text(size_bytes // one)


def _copies(path: Path, size_bytes: int) -> str:
    """Return a recorded text again and again, the numbers of processes of each copy its own."""
    recorded = path.read_text(encoding="utf-8")
    copies: list[str] = []
    size = 0
    while size < size_bytes:
        at = len(copies)
        copies.append(_PID.sub(lambda found, at=at: str(int(found[0]) + at), recorded))  # type: ignore[misc]
        size += len(recorded)
    return "".join(copies)


def _written(folder: Path, name: str, content: str) -> Path:
    path = folder / f"{re.sub('[^a-z0-9]+', '-', name.lower())}.txt"
    path.write_text(content, encoding="utf-8")
    return path


def _size(content: str) -> str:
    return f"{len(content) / MEGABYTE:.1f} MB"


def _packed(path: Path, folder: Path) -> Path:
    """Return the file compressed by gzip."""
    packed = folder / f"{path.stem}.gz"
    with path.open("rb") as source, gzip.open(packed, "wb", compresslevel=1) as out:
        shutil.copyfileobj(source, out)
    return packed


def _rows(one: Input, checkouts: Sequence[Path], rounds: int) -> str:
    """Return the row of an input: each checkout's least CPU seconds, and the ratio."""
    programs = [
        Program(str(place), (str(place / ".venv/bin/casebook"), *one.words, "{input}")) for place in checkouts
    ]
    runs = in_turn(programs, one.path, rounds)
    before, now = (_least(runs[program.name]) for program in programs)
    return (
        f"| {one.name} | {before.cpu:.2f} | {before.wall:.2f} | {now.cpu:.2f} | {now.wall:.2f} "
        f"| {before.cpu / now.cpu:.1f} |"
    )


def _least(runs: Sequence[Run]) -> Run:
    return min(runs, key=lambda run: run.cpu)


def main() -> None:
    """Measure and write the page."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("checkout", type=Path)
    parser.add_argument("--name", default="before", help="how the page calls the other checkout")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--megabytes", type=int, default=MEGABYTES)
    options = parser.parse_args()
    first, _, _ = os.getloadavg()
    checkouts = [options.checkout.resolve(), ROOT]
    rows = []
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        inputs = [*_perf_inputs(), *_text_inputs(folder, options.megabytes * MEGABYTE)]
        packed = _packed(make_input(100 * MEGABYTE, recordings()), folder)
        inputs.append(Input("fold: all, 100 MB, compressed by gzip", ("fold",), packed))
        for one in inputs:
            rows.append(_rows(one, checkouts, options.rounds))
            sys.stderr.write(f"{rows[-1]}\n")
    page = f"""\
# Whole commands, before and now

Written by `python -m benchmarks.side_by_side`: {datetime.now(tz=UTC):%Y-%m-%d}, {os.cpu_count()} CPUs, load \
{first:.1f} to {os.getloadavg()[0]:.1f}, {options.rounds} rounds
in turn. *Before* is {options.name}. Least CPU seconds of the rounds, and the wall seconds of that run;
the start of Python and the confinement are included, bytecode is compiled. Perf scripts are recordings,
nothing in them is repeated; long texts are generated, or recorded and repeated with other numbers.

| command and input | CPU s before | wall | CPU s now | wall | times |
| --- | ---: | ---: | ---: | ---: | ---: |
{chr(10).join(rows)}
"""
    RESULT.write_text(page, encoding="utf-8")
    sys.stdout.write(page)


if __name__ == "__main__":
    main()
