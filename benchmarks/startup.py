"""CPU time until each command answers: `python -m benchmarks.startup [CASEBOOK]` writes STARTUP.md.

Every command shows its help, and those that need no evidence do their work. The least of some runs counts;
the rest is other work of the machine. CASEBOOK is the program, by default that of this environment.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from pathlib import Path

from backend.cli import COMMANDS
from backend.core.version import VERSION

RUNS = 5
LIMIT_SECONDS = 0.3
TARGET = Path(__file__).with_name("STARTUP.md")
WORK = (
    "--help",
    "-V",
    "completion bash",
    "man diff",
    "facts",
    "formats",
    "signature list",
    "signature show mm/vmalloc-purge",
    "case list",
    "status",
    "baseline list --in .",
)
"""Commands that do their work; no service listens on port 1, so `case list` ends where it would connect."""


def main(program: str) -> None:
    """Measure every command and write the table."""
    helps = (f"{name} --help" for name, entry in COMMANDS.items() if not entry.is_hidden)
    seconds = {words: cpu_seconds(program, words) for words in (*WORK, *helps)}
    slow = [words for words, took in seconds.items() if took > LIMIT_SECONDS]
    rows = [f"| `casebook {words}` | {took:.2f} |" for words, took in seconds.items()]
    over = f"Over it: {', '.join(f'`{words}`' for words in slow)}." if slow else "None takes longer."
    page = f"""# Start of the command

CPU seconds until a command has answered, the least of {RUNS} runs, with bytecode; casebook {VERSION}, load
average {os.getloadavg()[0]:.1f} on {os.cpu_count()} CPUs. Goal: {LIMIT_SECONDS} s. {over}
`python -m benchmarks.startup` writes this page.

| command | CPU seconds |
| --- | ---: |
"""
    TARGET.write_text(page + "".join(f"{row}\n" for row in rows), encoding="utf-8")


def cpu_seconds(program: str, words: str) -> float:
    """Return the least CPU time of some runs of a command, its children included."""
    environment = {"PATH": os.environ["PATH"], "CASEBOOK_URL": "http://127.0.0.1:1", "CASEBOOK_TOKEN": "none"}
    took = []
    for _ in range(RUNS + 1):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([program, *words.split()], capture_output=True, check=False, env=environment)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        took.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return min(took[1:])


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else str(Path(sys.executable).with_name("casebook")))
