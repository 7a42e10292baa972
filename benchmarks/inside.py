"""One measured operation in its own process.

It prints wall and CPU seconds from the first byte on, and the most MB of memory that are not of files.

python -m benchmarks.inside scan FILE 2       # only look for line ends, in 2 threads
python -m benchmarks.inside tree FILE 2       # text to the columns of the tree, with 2 threads
python -m benchmarks.inside fold FILE 2       # text to folded text
python -m benchmarks.inside decode FILE       # stored bytes to decoded bytes, nothing else
python -m benchmarks.inside read FILE         # stored bytes to columns, decoded on the way
"""

from __future__ import annotations

import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING

from ingest.containers import decompression
from ingest.export import folded
from ingest.model.limits import DEFAULT
from ingest.native import PerfScriptText, _core
from ingest.readers.perf import perf_script

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

CHUNK_BYTES = 1 << 20


def chunks(path: Path) -> Iterator[bytes]:
    """Yield the bytes of a file."""
    with path.open("rb") as text:
        while chunk := text.read(CHUNK_BYTES):
            yield chunk


def scan(path: Path, threads: int) -> None:
    """Find every line end."""
    part_bytes = -(-path.stat().st_size // threads)

    def part(start: int) -> None:
        with path.open("rb") as text:
            text.seek(start)
            remaining = part_bytes
            while remaining > 0 and (chunk := text.read(min(CHUNK_BYTES, remaining))):
                _core.line_ends(chunk)
                remaining -= len(chunk)

    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(part, range(0, part_bytes * threads, part_bytes)))


def tree(path: Path, threads: int) -> str:
    """Read to columns; return how many nodes and samples, and the weight of a sample of the first event."""
    parser = PerfScriptText(threads=threads)
    for chunk in chunks(path):
        parser.feed(chunk)
    profiles = parser.finish().profiles
    nodes = sum(len(profile.node_parent) for profile in profiles)
    first = profiles[0]
    samples = sum(profile.samples for profile in profiles)
    return f"{nodes} {samples:.0f} {first.weight / first.samples}"


def fold(path: Path, threads: int) -> str:
    """Read and fold; return how many bytes."""
    parser = PerfScriptText(threads=threads)
    for chunk in chunks(path):
        parser.feed(chunk)
    return str(sum(len(folded.fold(profile, compat="inferno")) for profile in parser.finish().profiles))


def decode(path: Path, _threads: int) -> None:
    """Decode, and forget."""
    with path.open("rb") as stream:
        for _ in decompression.decoded(decompression.Stored(stream, is_named=False), DEFAULT):
            pass


def read(path: Path, _threads: int) -> None:
    """Decode and read, as evidence is."""
    with path.open("rb") as stream:
        decoded = decompression.decoded(decompression.Stored(stream, is_named=False), DEFAULT)
        section = perf_script.stream(1)
        for chunk in decoded:
            section.feed(chunk)
        section.finish()


def anonymous_mb() -> float:
    """Return the peak anonymous memory, without mapped programs and files, in MB.

    Source: Documentation/filesystems/proc.rst (VmHWM, RssFile).
    """
    sizes = dict(line.split(":", 1) for line in Path("/proc/self/status").read_text().splitlines())
    most, of_files = (int(sizes[name].split()[0]) for name in ("VmHWM", "RssFile"))
    return (most - of_files) / 1024


WORK: dict[str, Callable[[Path, int], str | None]] = {
    "scan": scan,
    "tree": tree,
    "fold": fold,
    "decode": decode,
    "read": read,
}


def main(work: str, path: Path, threads: int) -> None:
    """Run one measurement."""
    wall, cpu = time.perf_counter(), time.process_time()
    result = WORK[work](path, threads)
    seconds = f"{time.perf_counter() - wall} {time.process_time() - cpu}"
    sys.stdout.write(f"{seconds} {anonymous_mb()} {result or ''}\n")


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]), int(sys.argv[3]) if len(sys.argv) > 3 else 0)
