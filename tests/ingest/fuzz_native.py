"""The Rust core under libFuzzer: one target per parser, and one that looks at any columns in every way.

cargo-fuzz builds them without sanitizer, which a stable compiler can: the core has no unsafe code, so what
may go wrong is a panic, an overflow, a hang, or two ways of reading that differ.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

from tests.ingest.fuzz_targets import DATA, FOUND

CORE = Path(__file__).parents[2] / "ingest/native"
GROWN = Path(__file__).parents[2] / "var/fuzz/corpus"
"""Corpus: inputs that reached new code, reused by later runs."""

MAX_BYTES = 16_384
HANG_SECONDS = 20
_DONE = re.compile(r"^Done (?P<runs>\d+) runs", re.MULTILINE)


class Native(NamedTuple):
    """A fuzz target of the core.

    Attributes:
        name: Its binary.
        samples: Where it starts from.
        crashes: Where inputs that broke it are stored; they are tried first the next time.
    """

    name: str
    samples: Path
    crashes: Path


TARGETS = (
    Native("perf_script", DATA / "perf-script", FOUND / "perf-script-stream"),
    Native("folded", DATA / "folded", FOUND / "folded-stream"),
    Native("views", CORE / "fuzz/seeds/views", CORE / "fuzz/seeds/views"),
)


def fuzz(seconds: float) -> tuple[dict[str, int], int]:
    """Share `seconds` among the targets; return executions by target and how many targets broke."""
    runs: dict[str, int] = {}
    broken = 0
    for target in TARGETS:
        grown = GROWN / target.name
        for folder in (grown, target.crashes):
            folder.mkdir(parents=True, exist_ok=True)
        ended = subprocess.run(
            _command(target, grown, seconds), check=False, cwd=CORE, text=True, capture_output=True
        )
        if ended.returncode:
            broken += 1
            sys.stdout.write(f"BROKEN {target.name}: {ended.stderr[-3000:]}\nkept in {target.crashes}\n")
        done = _DONE.search(ended.stderr)
        runs[f"{target.name} (Rust)"] = int(done["runs"]) if done else 0
    return runs, broken


def _command(target: Native, grown: Path, seconds: float) -> list[str]:
    return [
        *(shutil.which("cargo") or "cargo", "fuzz", "run", "--sanitizer", "none", target.name),
        *(str(grown), str(target.samples), str(target.crashes), "--"),
        *(f"-max_total_time={max(1, round(seconds / len(TARGETS)))}", f"-max_len={MAX_BYTES}"),
        *(f"-timeout={HANG_SECONDS}", f"-artifact_prefix={target.crashes}/"),
    ]
