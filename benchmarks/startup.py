"""CPU time until each command answers: `python -m benchmarks.startup [CASEBOOK]` writes STARTUP.md.

Every command shows its help, and those that need no evidence do their work. The least of some runs counts;
the rest is other work of the machine. CASEBOOK is the program, by default that of this environment.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import click

from backend.core.version import VERSION
from cli import main as program_group

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

RUNS = 2
READING_RUNS = 12
LIMIT_SECONDS = 0.3
TARGET = Path(__file__).with_name("STARTUP.md")
EVIDENCE = Path(__file__).parents[1] / "tests/data/perf-script/memcg-reclaim.fields_full.txt"
LOG = Path(__file__).parents[1] / "signatures/library/net/tcp-memory-limit/evidence/pos-orphans/dmesg.txt"
WORK = (
    "--help",
    "-V",
    "completion bash",
    "man diff",
    "facts",
    "facts throttled",
    "formats",
    "formats vmstat",
    "signature list",
    "signature list --format json",
    "signature show mm/vmalloc-purge",
    "case list",
    "case show 12",
    "case note 12 --body text",
    "status",
    "logout",
    "baseline list --service",
    "baseline list --in .",
)
"""Commands that do their work; no service listens on port 1, so `case list` ends where it would connect."""

READING = ("inspect", "analyze", "fold")
"""Commands that read one small file: only the readers that it needs are imported."""


def main(program: str) -> None:
    """Measure every command and write the table."""
    seconds = {words: cpu_seconds(program, words) for words in (*WORK, *_helps(program_group, ""))}
    reading = {
        f"{words} FILE": cpu_seconds(program, f"{words} {EVIDENCE}", READING_RUNS) for words in READING
    }
    reading |= {f"{words} LOG": cpu_seconds(program, f"{words} {LOG}", READING_RUNS) for words in READING[:2]}
    slow = [words for words, took in seconds.items() if took > LIMIT_SECONDS]
    over = f"Over it: {', '.join(f'`{words}`' for words in slow)}." if slow else "None takes longer."
    python = _python_of(program)
    page = f"""# Start of the command

CPU seconds until a command has answered, the least of {RUNS} runs, with bytecode; casebook {VERSION},
{python}, load average {os.getloadavg()[0]:.1f} on {os.cpu_count()} CPUs. Goal: {LIMIT_SECONDS} s. {over}
`python -m benchmarks.startup CASEBOOK` writes this page.

{_table(seconds)}
## Reading one small file

FILE is a recording of perf, LOG a kernel log of 21 lines; the least of {READING_RUNS} runs. `make build`
keeps in one file what every start makes: code of modules, programs of expressions, methods of classes (ADR
50). A start makes what the text needs (ADR 53), looks nothing up twice, and compiles the expressions that
the text can match (ADR 56). What the last did, in turn, least of 15 runs each at a load of 4: LOG 0.257 to
0.210 s, `inspect LOG` 0.126 to 0.105, `-V` 0.043 to 0.037. The reports are equal. A load makes all of them,
and this page, slower; the goal for `analyze` is 0.2 s.

An installed wheel has no such file. At the same load it takes 0.38 s with bytecode. Where its installer
compiled nothing, as `uv tool install` does without `--compile-bytecode`, the first start takes 0.88 s and
writes it; the next ones take 0.46 s, and each took 0.82 s before.

What limits it, of the 0.21 s of LOG: Python 0.01; `click`, the command and the standard library 0.045; 500
modules 0.09, of which restoring their code is 0.03 and making classes 0.025; the catalogue 0.01; reading
0.02; judging 0.007; panels 0.012; the report 0.017. Huge pages are no gain: by another environment before the
start 0.304 instead of 0.313 s.

{_table(reading)}"""
    TARGET.write_text(page, encoding="utf-8")


def _helps(group: click.Group, before: str) -> Iterator[str]:
    """Yield every command that has help, those of groups included."""
    context = click.Context(group)
    for name in group.list_commands(context):
        if name in getattr(group, "hidden_names", ()):
            continue
        yield f"{before}{name} --help"
        command = group.get_command(context, name)
        if isinstance(command, click.Group):
            yield from _helps(command, f"{before}{name} ")


def _table(seconds: dict[str, float]) -> str:
    rows: Iterable[str] = (f"| `casebook {words}` | {took:.2f} |\n" for words, took in seconds.items())
    return "".join(["| command | CPU seconds |\n| --- | ---: |\n", *rows])


def _python_of(program: str) -> str:
    """Return the version of the interpreter that the first line of a script names."""
    first = Path(program).read_text(encoding="utf-8").splitlines()[0].removeprefix("#!")
    return subprocess.run([first, "-V"], capture_output=True, text=True, check=True).stdout.strip()


def cpu_seconds(program: str, words: str, runs: int = RUNS) -> float:
    """Return the least CPU time of some runs of a command, its children included."""
    took = []
    with tempfile.TemporaryDirectory() as folder:
        environment = {
            "PATH": os.environ["PATH"],
            "CASEBOOK_URL": "http://127.0.0.1:1",
            "CASEBOOK_TOKEN": "none",
            "XDG_CONFIG_HOME": folder,
        }
        for _ in range(runs + 1):
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            subprocess.run(
                [program, *words.split()], capture_output=True, check=False, env=environment, cwd=folder
            )
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            took.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return min(took[1:])


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else str(Path(sys.executable).with_name("casebook")))
