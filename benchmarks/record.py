"""Record programs of different character, and make inputs of given sizes out of the recordings.

python -m benchmarks.record                 # every recording, 400 MB each; needs root, perf, gcc, node, a JDK
python -m benchmarks.record calls java      # these

perf samples the CPU clock of the programs of `benchmarks.workloads` until their text has its size: round
after round, so nothing is repeated. An input takes equal shares of its recordings, cut at the end of a
sample.
"""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path
from typing import IO, TYPE_CHECKING

from benchmarks.workloads import CHARACTERS, ROOT, build

if TYPE_CHECKING:
    from collections.abc import Sequence

INPUTS = ROOT / "var" / "bench"
MEGABYTE = 1_000_000
RECORDING_BYTES = 400 * MEGABYTE
SECONDS = 15
HERTZ = 9999
COPY_BYTES = 1 << 20
SYMBOL_MAPS = Path("/tmp")  # noqa: S108 - where perf looks for maps of just-in-time compilers


def record(character: str, out: IO[bytes]) -> None:
    """Record one round of programs and print it as text."""
    data = INPUTS / f"{character}.data"
    before = time.time()
    work = [sys.executable, "-m", "benchmarks.workloads", character, str(SECONDS)]
    options = ["-F", str(HERTZ), "-e", "cpu-clock", "-g", "--sample-cpu", "-m", "8M", "-o", str(data)]
    quiet = subprocess.DEVNULL
    subprocess.run(
        ["perf", "record", *options, "--", *work], cwd=ROOT, check=True, stdout=quiet, stderr=quiet
    )
    command = ["perf", "script", "--no-inline", "-i", str(data)]
    subprocess.run(command, check=True, stdout=out, stderr=quiet)
    data.unlink()
    for symbols in SYMBOL_MAPS.glob("perf-*.map"):
        if symbols.stat().st_mtime >= before and not Path("/proc", symbols.stem[5:]).exists():
            symbols.unlink()


def recording(character: str) -> Path:
    """Return the recording of one character, made when it is not there."""
    text = INPUTS / f"{character}.txt"
    if text.is_file():
        return text
    build()
    partial = text.with_suffix(".new")
    with partial.open("wb") as out:
        while partial.stat().st_size < RECORDING_BYTES:
            sys.stderr.write(f"recording {character} for {SECONDS} s at {out.tell() // MEGABYTE} MB\n")
            record(character, out)
            out.seek(0, 2)
    partial.rename(text)
    (INPUTS / "work" / "dd.bin").unlink(missing_ok=True)
    return text


def recordings() -> list[Path]:
    """Return a recording of each character."""
    INPUTS.mkdir(parents=True, exist_ok=True)
    return [recording(character) for character in CHARACTERS]


def make_input(size_bytes: int, parts: Sequence[Path], name: str = "mixed") -> Path:
    """Return a text of about `size_bytes`, whole samples only, nothing twice.

    Raises:
        SystemExit: The recordings are too short.
    """
    path = INPUTS / f"{name}-{size_bytes // MEGABYTE}MB.txt"
    if path.is_file():
        return path
    if sum(part.stat().st_size for part in parts) < size_bytes:
        raise SystemExit(f"{len(parts)} recordings are shorter than {size_bytes // MEGABYTE} MB")
    partial = path.with_suffix(".new")
    with partial.open("wb") as out:
        for number, part in enumerate(parts):
            share = (size_bytes - out.tell()) // (len(parts) - number)
            with part.open("rb") as source:
                _copy(source, out, min(share, part.stat().st_size))
    partial.rename(path)
    return path


def _copy(source: IO[bytes], out: IO[bytes], size_bytes: int) -> None:
    """Copy the samples that end within `size_bytes`."""
    start = max(0, size_bytes - COPY_BYTES)
    source.seek(start)
    end = start + source.read(size_bytes - start).rindex(b"\n\n") + 2
    source.seek(0)
    while source.tell() < end:
        out.write(source.read(min(COPY_BYTES, end - source.tell())))


if __name__ == "__main__":
    for chosen in sys.argv[1:] or CHARACTERS:
        sys.stdout.write(f"{recording(chosen)}\n")
