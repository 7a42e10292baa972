"""One measured run: parse a file to its tree with so many threads, or only look for line ends.

python -m benchmarks.tree 2 perf.txt      ->  wall and CPU seconds from the first byte on
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

from ingest.native import PerfScriptText

CHUNK_BYTES = 1 << 20


def main(mode: str, path: Path) -> None:
    """Do it once and print the seconds."""
    wall, cpu = time.perf_counter(), time.process_time()
    with path.open("rb") as text:
        if mode == "scan":
            while chunk := text.read(CHUNK_BYTES):
                chunk.count(b"\n")
        else:
            parser = PerfScriptText(threads=int(mode))
            while chunk := text.read(CHUNK_BYTES):
                parser.feed(chunk)
            parser.finish()
    sys.stdout.write(f"{time.perf_counter() - wall} {time.process_time() - cpu}\n")


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
