"""Speed of recognition and of whole readings, by kind of text: `python -m benchmarks.recognition`.

    --megabytes N   size of each text, 8 by default

The texts are generated, the same on every machine. Recognition assigns lines to formats, a reading also reads
them. Figures are megabytes per second of CPU time, so a loaded machine changes them little.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
import time
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from ingest.evidence import read_bytes
from ingest.sections.recognise import spans

if TYPE_CHECKING:
    from collections.abc import Callable

WORDS = (
    *("lorem", "ipsum", "dolor", "sit", "amet", "consectetur", "adipiscing", "elit"),
    *("sed", "do", "eiusmod", "tempor", "incididunt", "ut", "labore"),
)
SEED = 4
RESULT = Path(__file__).with_name("RECOGNITION.md")
PAGE = """\
# Recognition and reading by kind of text

Written by `make bench-recognition`: generated texts of {megabytes:.0f} MB, megabytes per second of CPU time,
on {cpus} shared CPUs under a load of {load:.0f}. "Recognition" assigns lines to formats; "whole reading"
also reads them.

| text | recognition, MB/s | whole reading, MB/s |
| --- | ---: | ---: |
{rows}"""


def _words(source: random.Random, count: int) -> str:
    return " ".join(source.choice(WORDS) for _ in range(count))


TEXTS: dict[str, Callable[[random.Random, int], str]] = {
    "indented words": lambda source, _: f"    {_words(source, 5)}",
    "short lines": lambda source, _: source.choice(WORDS),
    "pretty JSON": lambda source, _: f'      "{source.choice(WORDS)}": "{source.choice(WORDS)}",',
    "syslog without the kernel": lambda source, at: (
        f"Nov 21 {at // 3600 % 24:02}:{at // 60 % 60:02}:{at % 60:02} host app[{at % 9999}]: "
        f"{_words(source, 7)}"
    ),
    "dmesg": lambda source, at: f"[{at:5}.{at % 10**6:06}] usb 1-1: {_words(source, 6)}",
    "prose": lambda source, _: f"{_words(source, 12).capitalize()}.",
    "source code": lambda source, _: (
        f"    {source.choice(WORDS)} = {source.choice(WORDS)}({_words(source, 2)})"
    ),
}


def text(name: str, size_bytes: int) -> str:
    """Return generated text of one kind, at least that long."""
    source = random.Random(SEED)  # noqa: S311 - the same text on every machine
    lines: list[str] = []
    written = 0
    while written < size_bytes:
        lines.append(TEXTS[name](source, len(lines)))
        written += len(lines[-1]) + 1
    return "\n".join(lines) + "\n"


def _rate(size_bytes: int, work: Callable[[], object]) -> float:
    """Return megabytes per second of CPU time."""
    begin = time.process_time()
    work()
    return size_bytes / 1e6 / (time.process_time() - begin)


def main() -> None:
    """Write the page, one row for each kind of text."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--megabytes", type=float, default=8.0)
    size_bytes = int(parser.parse_args().megabytes * 1e6)
    spans(["compiles the expressions"])
    rows = []
    for name in TEXTS:
        content = text(name, size_bytes)
        lines = content.splitlines()
        recognition = _rate(len(content), partial(spans, lines))
        encoded = content.encode()
        reading = _rate(len(encoded), partial(read_bytes, encoded, name="text"))
        rows.append(f"| {name} | {recognition:.1f} | {reading:.1f} |\n")
    load, _, _ = os.getloadavg()
    page = PAGE.format(megabytes=size_bytes / 1e6, load=load, cpus=os.cpu_count(), rows="".join(rows))
    RESULT.write_text(page, encoding="utf-8")
    sys.stdout.write(page)


if __name__ == "__main__":
    main()
