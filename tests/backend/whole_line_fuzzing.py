"""Fuzz the whole line: structure-aware changes of all samples, a process for each batch.

    python -m tests.backend.whole_line_fuzzing --seconds 3600 --seed 1

Each input may take 10 CPU seconds and 1 GB, and nothing may raise. What breaks is written to
`tests/data/fuzz/whole-line`, and a test replays it from then on.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import random
import resource
import sys
import time
import traceback
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from tests.backend.whole_line import catalog, run_whole_line
from tests.backend.whole_line_structure import SWEEPS, SWEPT_COLUMNS, changed, swept
from tests.ingest.fuzz_targets import DATA, DOCUMENT_NAMES
from tests.ingest.golden import CAPTURED, SAMPLES

if TYPE_CHECKING:
    from collections.abc import Callable

FOUND = DATA / "fuzz" / "whole-line"
CPU_SECONDS = 10.0
BYTES = 1 << 30
BATCH = 40
SEED_BYTES = 12_000
WHOLE_BYTES = 60_000
"""Documents are not cut; larger ones are no seeds."""


class Broken(NamedTuple):
    """An input that broke the line, and how."""

    content: bytes
    why: str


class Outcome(NamedTuple):
    """What fuzzing for some time gave.

    Attributes:
        longest_seconds: Most CPU seconds of one input.
        largest_bytes: What a batch needed above the process that it was forked from.
    """

    runs: int
    broken: tuple[Broken, ...]
    cpu_seconds: float
    longest_seconds: float
    largest_bytes: int


def seeds() -> tuple[bytes, ...]:
    """Return the beginning of every sample, a document whole if it is small."""
    found = []
    for path in [*SAMPLES, *CAPTURED]:
        content = path.read_bytes()
        is_document = path.name.endswith(DOCUMENT_NAMES)
        if content and not (is_document and len(content) > WHOLE_BYTES):
            found.append(content if is_document else content[:SEED_BYTES])
    return tuple(found)


def known() -> list[Path]:
    """Return the inputs that once broke the line."""
    return sorted(path for path in FOUND.glob("*") if path.is_file() and path.suffix != ".md")


def tried(content: bytes) -> tuple[str, float]:
    """Return how an input breaks the line, "" when it does not, and its CPU seconds."""
    before = time.process_time()
    try:
        run_whole_line(content)
    except (KeyboardInterrupt, SystemExit):
        raise
    except BaseException as error:  # noqa: BLE001 - a panic of the Rust core is no Exception
        last = traceback.extract_tb(error.__traceback__)[-1]
        return f"{error!r:.300} at {last.filename}:{last.lineno}", time.process_time() - before
    seconds = time.process_time() - before
    return (f"took {seconds:.1f} CPU seconds" if seconds > CPU_SECONDS else ""), seconds


def fuzz(
    seconds: float,
    seed: int,
    report: Callable[[Outcome], None] = lambda _: None,
    batches: float = float("inf"),
) -> Outcome:
    """Fuzz for CPU seconds or so many forked batches: one that dies or grows loses its batch alone.

    Each batch is reported when it ends, so that a run that is stopped has kept what it found.
    """
    every = seeds()
    catalog()
    tried(every[0])
    runs, spent, longest, largest = 0, 0.0, 0.0, 0
    broken: list[Broken] = []
    number = 0
    while spent < seconds and number < batches:
        batch = _forked(every, seed * 1_000_003 + number, min(CPU_SECONDS * BATCH, seconds - spent))
        number += 1
        runs += batch.runs
        spent += max(batch.cpu_seconds, 0.01)
        longest = max(longest, batch.longest_seconds)
        largest = max(largest, batch.largest_bytes)
        broken += batch.broken
        report(Outcome(runs, batch.broken, spent, longest, largest))
    return Outcome(runs, tuple(broken), spent, longest, largest)


def _forked(every: tuple[bytes, ...], seed: int, seconds: float) -> Outcome:
    """Run a batch in a child; its input is noted before it is tried, so that a death can be named."""
    read, write = os.pipe()
    base = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1]) * resource.getpagesize()
    pid = os.fork()
    if pid == 0:
        os.close(read)
        with os.fdopen(write, "w") as pipe:
            _batch(every, seed, seconds, pipe)
        os._exit(0)
    os.close(write)
    with os.fdopen(read) as pipe:
        lines = pipe.read().splitlines()
    _, status, usage = os.wait4(pid, 0)
    broken, times = [], []
    started: str | None = None
    for line in lines:
        kind, _, rest = line.partition(" ")
        if kind == "start":
            started = rest
        elif kind == "end":
            times.append(float(rest))
            started = None
        elif kind == "broken":
            broken.append(Broken(_input(every, int(started or 0)), rest))
    if status:
        died = f"the process ended with {os.waitstatus_to_exitcode(status)}"
        broken.append(Broken(_input(every, int(started or 0)), died))
    largest = usage.ru_maxrss * 1024 - base
    if largest > BYTES:
        broken.append(Broken(b"", f"a batch of seed {seed} took {largest >> 20} MB"))
    spent = usage.ru_utime + usage.ru_stime
    return Outcome(len(times), tuple(broken), spent, max(times, default=0.0), largest)


def _batch(every: tuple[bytes, ...], seed: int, seconds: float, pipe) -> None:  # type: ignore[no-untyped-def]
    resource.setrlimit(resource.RLIMIT_CPU, (int(CPU_SECONDS * BATCH), int(CPU_SECONDS * BATCH) + 10))
    begin = time.process_time()
    for at in range(BATCH):
        if time.process_time() - begin > seconds:
            return
        number = seed * BATCH + at
        pipe.write(f"start {number}\n")
        pipe.flush()
        why, spent = tried(_input(every, number))
        if why:
            pipe.write(f"broken {why}\n".replace("\n", " ").rstrip() + "\n")
        pipe.write(f"end {spent}\n")
        pipe.flush()


def _input(every: tuple[bytes, ...], number: int) -> bytes:
    """Return the input of a number, the same each time: of the sweep when it is even, else a random one."""
    chance = random.Random(number)  # noqa: S311 - a fuzzer must be repeatable
    if number % 2 == 0:
        return swept(chance.choice(every), chance.randrange(len(SWEEPS) * SWEPT_COLUMNS))
    return changed(chance.choice(every), chance, every)


def _keep(broken: Broken) -> None:
    FOUND.mkdir(parents=True, exist_ok=True)
    path = FOUND / hashlib.sha256(broken.content).hexdigest()[:16]
    path.write_bytes(broken.content)
    sys.stdout.write(f"BROKEN {broken.why}; kept as {path}\n")


def main() -> None:
    """Fuzz and report; the exit status is 1 if something broke."""
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--seconds", type=float, default=60.0, help="CPU seconds")
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--dry", action="store_true", help="do not keep what breaks")
    words = arguments.parse_args()
    seen: set[str] = set()

    def report(so_far: Outcome) -> None:
        for one in so_far.broken:
            place = one.why.rpartition(" at ")[2]
            if place in seen:
                continue
            seen.add(place)
            if words.dry or not one.content:
                sys.stdout.write(f"BROKEN {one.why}\n")
            else:
                _keep(one)
        sys.stdout.flush()
        sys.stderr.write(f"\r{so_far.runs:,} inputs, {so_far.cpu_seconds:.0f} of {words.seconds:.0f} CPU s")
        sys.stderr.flush()

    outcome = fuzz(words.seconds, words.seed, report)
    sys.stderr.write("\n")
    sys.stdout.write(
        f"{outcome.runs:,} inputs in {outcome.cpu_seconds:.0f} CPU s: {len(outcome.broken)} broken in "
        f"{len(seen)} places; longest {outcome.longest_seconds:.1f} CPU s, "
        f"largest batch {outcome.largest_bytes >> 20} MB\n"
    )
    sys.exit(1 if outcome.broken else 0)


if __name__ == "__main__":
    main()
