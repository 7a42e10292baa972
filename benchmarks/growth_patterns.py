"""CPU time of parsing worst-case lines for backtracking patterns: writes `PATTERNS.md`.

    python -m benchmarks.growth_patterns            measures and prints
    python -m benchmarks.growth_patterns FILE       also reads the figures of an earlier run from FILE

Every paste is parsed whole, under a neutral file name, at two sizes. To measure an earlier commit, run this
file with that commit's Python and `PYTHONPATH`.
"""

from __future__ import annotations

import json
import sys
import time
from functools import partial
from pathlib import Path

from ingest.evidence import read_bytes
from ingest.redact import Redactor

PAGE = Path(__file__).with_name("PATTERNS.md")
ROUNDS = 3
SIZES = (10_000, 20_000)

_STRACE = "[pid 10436] read(3, ..., 4096) = 577 <0.228091>\n"
_PIDSTAT = "03:28:11 PM   UID       PID    %usr %system  %guest   %wait    %CPU   CPU  Command\n"
_DIFF = "    12.10%     +3.20%  [kernel.kallsyms]  [k] shrink_lruvec\n"
_LOCK = " contended   total wait     max wait     avg wait         type   caller\n"
_PROBE = "Attaching 1 probe...\n"
_TABLE = "# Samples: 1K of event 'cycles'\n"


def pastes(size: int) -> dict[str, str]:
    """Return the texts of about `size` characters by what is measured."""
    count = size // 4000
    return {
        "strace, lines of 4,000 zeros": _STRACE + ("0" * 4000 + "\n") * count,
        "pidstat, lines of 1,000 blanks": _PIDSTAT + (" " * 1000 + "x\n") * count * 4,
        "perf diff, lines of 4,000 blanks": _DIFF + (" " * 4000 + "x\n") * count,
        "perf lock, lines of 4,000 blanks": _LOCK + (" " * 4000 + "x\n") * count,
        "perf report, lines of 4,000 brackets": _TABLE + ("[ " * 2000 + "\n") * count,
        "one line of blanks": " " * size + "x\n",
        "one line of zeros": "0" * size + "\n",
        "one line of words": "a " * (size // 2) + "\n",
        "bpftrace, lines of an open `if`": _PROBE + "if (;\n" * (size // 6) + "@[a]: 1\n",
    }


def redactions(size: int) -> dict[str, str]:
    """Return the texts of about `size` characters whose redaction is measured."""
    return {
        "redaction, one line of dotted numbers": "1." * (size // 2) + "\n",
        "redaction, one line of addresses": "10.1.2.3." * (size // 9) + "\n",
        "redaction, one name of many labels": "a" + ".a.com" * (size // 6) + "\n",
        "redaction, headers of tables": "| id | a\n" * (size // 9),
    }


def redact(text: bytes) -> bytes:
    """Redact a text as a case of its own."""
    redactor = Redactor(b"k" * 32)
    redactor.learn([text])
    redactor.settle()
    return b"".join(redactor.redact([text]))


def measure(size: int) -> dict[str, float]:
    """Return CPU milliseconds of the fastest reading or redaction of every text."""
    runs = {name: partial(read_bytes, text.encode(), name="paste") for name, text in pastes(size).items()} | {
        name: partial(redact, text.encode()) for name, text in redactions(size).items()
    }
    redact(b"a")
    milliseconds = {}
    for name, run in runs.items():
        times = []
        for _ in range(ROUNDS):
            started = time.process_time()
            run()
            times.append((time.process_time() - started) * 1000)
            if times[0] > 200:
                break
        milliseconds[name] = min(times)
    return milliseconds


def main() -> None:
    """Measure, print the figures as JSON, and write the page when previous figures are given."""
    now = [measure(size) for size in SIZES]
    sys.stdout.write(json.dumps(now) + "\n")
    if len(sys.argv) < 2:
        return
    before = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    lines = [
        "# Lines made against backtracking patterns",
        "",
        "CPU milliseconds of a paste, the best of three, or of one run above 200 ms: `make bench-patterns`.",
        "Before is the commit before `ingest.native.linear`; of redaction, the one before",
        "`ingest/native/src/redact/searches.rs`.",
        "",
        "| paste | before, 10 kB | 20 kB | after, 10 kB | 20 kB |",
        "| --- | --- | --- | --- | --- |",
    ]
    lines += [
        f"| {name} | " + " | ".join(f"{figures[name]:,.1f}" for figures in (*before, *now)) + " |"
        for name in now[0]
    ]
    PAGE.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
