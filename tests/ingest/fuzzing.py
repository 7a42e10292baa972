"""Fuzz for so many seconds, report executions, and keep every input that broke something.

Half of the time is for the readers of Python, half for the parsers of Rust. The readers run in a process of
their own. Each input is noted before it is tried, so that one which kills that process, or hangs it where no
signal of Python arrives, is stored as well.
"""

from __future__ import annotations

import argparse
import hashlib
import multiprocessing
import random
import resource
import signal
import sys
import tempfile
import time
import traceback
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from tests.ingest import fuzz_native
from tests.ingest.fuzz_mutation import mutated
from tests.ingest.fuzz_targets import FOUND, broken_by, targets

if TYPE_CHECKING:
    from collections.abc import Mapping

HANG_SECONDS = 20.0
"""Processor time of one execution; a busy machine must not look like a hang."""

GRACE_SECONDS = 120.0
"""Grace period after which the process counts as hung."""

ADDRESS_SPACE_BYTES = 6 << 30
LONGEST_TURN_SECONDS = 1.0


def fuzz(seconds: float, seed: int, only: str, log: Path) -> tuple[Counter[str], int]:
    """Give every target turns of equal length; return executions by target and how many broke."""
    chosen = [target for target in targets() if only in target.name]
    every = tuple(one for target in chosen for one in target.seeds)
    chance = random.Random(seed)  # noqa: S311 - a fuzzer must be repeatable
    runs: Counter[str] = Counter()
    broken = 0
    end = time.monotonic() + seconds
    turn = min(LONGEST_TURN_SECONDS, seconds / max(len(chosen), 1) / 2)
    signal.signal(signal.SIGPROF, _hangs)
    while time.monotonic() < end:
        for target in chosen:
            turn_end = min(end, time.monotonic() + turn)
            while time.monotonic() < turn_end:
                content = mutated(chance.choice(target.seeds), chance, every)
                runs[target.name] += 1
                log.write_bytes(f"{target.name}\n".encode() + content)
                signal.setitimer(signal.ITIMER_PROF, HANG_SECONDS)
                error = broken_by(target, content)
                signal.setitimer(signal.ITIMER_PROF, 0)
                if error is not None:
                    broken += 1
                    last = traceback.extract_tb(error.__traceback__)[-1]
                    _save(target.name, content, f"{error!r} at {last.filename}:{last.lineno}")
    return runs, broken


def _hangs(_number: int, _frame: object) -> None:
    """End a run that takes too long; it counts as broken."""
    raise TimeoutError(f"not done after {HANG_SECONDS:g} seconds of processor time")


def _save(name: str, content: bytes, why: str) -> None:
    """Write what broke a target, so that a test replays it from now on."""
    folder = FOUND / name.replace(":", "-")
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / hashlib.sha256(content).hexdigest()[:16]
    path.write_bytes(content)
    sys.stdout.write(f"BROKEN {name}: {why}; kept as {path}\n")


def _run(seconds: float, seed: int, only: str, log: Path) -> None:
    """Fuzz and report; the exit status is 1 if something broke."""
    resource.setrlimit(resource.RLIMIT_AS, (ADDRESS_SPACE_BYTES, ADDRESS_SPACE_BYTES))
    runs, broken = fuzz(seconds, seed, only, log)
    _report(runs, broken)
    sys.exit(1 if broken else 0)


def _report(runs: Mapping[str, int], broken: int) -> None:
    for name, count in sorted(runs.items()):
        sys.stdout.write(f"{count:>11,}  {name}\n")
    sys.stdout.write(f"{sum(runs.values()):>11,}  executions of {len(runs)} targets, {broken} broken\n")
    sys.stdout.flush()


def main() -> None:
    """Fuzz in a process of its own, and keep what ended it."""
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--seconds", type=float, default=60.0)
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--only", default="", help="only readers of Python whose name holds this")
    words = arguments.parse_args()
    seconds = words.seconds if words.only else words.seconds / 2
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "noted"
        process = multiprocessing.get_context("fork").Process(
            target=_run, args=(seconds, words.seed, words.only, log)
        )
        process.start()
        process.join(seconds + GRACE_SECONDS)
        if process.is_alive():
            process.kill()
            process.join()
        if process.exitcode not in {0, 1}:
            name, _, content = log.read_bytes().partition(b"\n")
            _save(name.decode(), content, f"the process ended with {process.exitcode}")
    is_broken = process.exitcode != 0
    if not words.only:
        native_runs, native_broken = fuzz_native.fuzz(seconds)
        _report(native_runs, native_broken)
        is_broken |= native_broken > 0
    sys.exit(1 if is_broken else 0)


if __name__ == "__main__":
    main()
